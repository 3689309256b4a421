//! Running a plan: nested loops over index buckets.

use std::sync::atomic::Ordering;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::plan::{Matching, Plan, Source, Step};
use crate::{Database, Fault, Relation, RelationId, TermId};

/// The rows that count as holding when the component at work negates itself.
pub(crate) type Frozen = FxHashMap<RelationId, FxHashSet<u32>>;

/// Tuples are short: this many arguments are gathered without allocation.
const SHORT: usize = 8;

/// How many tuples are looked at between two looks at the limits.
const WORK_BETWEEN_CHECKS: usize = 1 << 16;

pub(crate) struct Executor<'a> {
    database: &'a mut Database,
    fixed: &'a [Relation],
    bindings: Vec<TermId>,
    frozen: Option<&'a Frozen>,
    /// Tuples looked at since the last look at the limits.
    work: usize,
    /// Where `Database::work` must not go beyond.
    most_work: u64,
    fault: Option<Fault>,
}

impl<'a> Executor<'a> {
    pub(crate) fn new(
        database: &'a mut Database,
        fixed: &'a [Relation],
        variables: usize,
        frozen: Option<&'a Frozen>,
    ) -> Self {
        let most_work = database.work.saturating_add(database.limits.work);
        Self {
            database,
            fixed,
            bindings: vec![TermId(0); variables],
            frozen,
            work: 0,
            most_work,
            fault: None,
        }
    }

    pub(crate) fn relation(&self, relation: RelationId) -> &Relation {
        &self.database.open[relation.index()]
    }

    pub(crate) fn insert(&mut self, relation: RelationId, tuple: &[TermId]) {
        self.database.open[relation.index()].insert(tuple);
    }

    /// Runs a plan that needs no trigger.
    pub(crate) fn run(&mut self, plan: &Plan) -> Result<(), Fault> {
        self.join(plan, 0);
        self.fault.take().map_or(Ok(()), Err)
    }

    /// Runs a plan set off by a row of its trigger's relation.
    pub(crate) fn run_triggered(&mut self, plan: &Plan, row: u32) -> Result<(), Fault> {
        let Some(trigger) = &plan.trigger else { return Ok(()) };
        {
            let tuple = self.database.open[trigger.relation.index()].tuple(row);
            let store = self.database.terms();
            for (path, symbol, arity) in &trigger.shape {
                let part = store.follow(tuple, path);
                if store.symbol(part) != *symbol || store.arguments(part).len() != *arity as usize {
                    return Ok(());
                }
            }
            if trigger.equal.iter().any(|(path, term)| store.follow(tuple, path) != *term) {
                return Ok(());
            }
            if !bind(&trigger.matching, &mut self.bindings, tuple, store) {
                return Ok(());
            }
        }
        self.run(plan)
    }

    /// Joins the steps from `at` on; `true` if the head was reached.
    fn join(&mut self, plan: &Plan, at: usize) -> bool {
        let Some(step) = plan.steps.get(at) else {
            self.emit(plan);
            return true;
        };
        match step {
            Step::Differ(left, right) => {
                let differ = match (left, right) {
                    // Compounds may be new; building them settles whether they are equal.
                    (Source::Compound(..), _) | (_, Source::Compound(..)) => {
                        self.build(left) != self.build(right)
                    }
                    _ => self.find(left) != self.find(right),
                };
                differ && self.join(plan, at + 1)
            }
            Step::Member { relation, arguments } => {
                self.holds(*relation, arguments, false) && self.join(plan, at + 1)
            }
            Step::Absent { relation, arguments, own } => {
                !self.holds(*relation, arguments, *own) && self.join(plan, at + 1)
            }
            Step::SkipIfKnown => {
                !self.holds(plan.head, &plan.head_arguments, false) && self.join(plan, at + 1)
            }
            Step::Scan { relation, view, known, matching, existential } => {
                let mut buffer = [TermId(0); SHORT];
                let mut spill = Vec::new();
                let Some(known) = self.gather(known, &mut buffer, &mut spill) else { return false };
                let mut reached = false;
                if self.database.is_fixed[relation.index()] {
                    let fixed = &self.fixed[relation.index()];
                    let Some(bucket) = fixed.bucket(*view, known) else { return false };
                    let rows = fixed.bucket_rows(*view, bucket);
                    if !self.charge(rows.len()) {
                        return false;
                    }
                    for &row in rows {
                        let store = self.database.terms();
                        if bind(matching, &mut self.bindings, fixed.tuple(row), store)
                            && self.join(plan, at + 1)
                        {
                            reached = true;
                            if *existential {
                                break;
                            }
                        }
                    }
                } else {
                    let bucket = self.open_bucket(*relation, *view, known);
                    let Some((bucket, count)) = bucket else { return false };
                    if !self.charge(count) {
                        return false;
                    }
                    for index in 0..count {
                        let open = &self.database.open[relation.index()];
                        let row = open.bucket_rows(*view, bucket)[index];
                        let store = self.database.terms();
                        if bind(matching, &mut self.bindings, open.tuple(row), store)
                            && self.join(plan, at + 1)
                        {
                            reached = true;
                            if *existential {
                                break;
                            }
                        }
                    }
                }
                reached
            }
        }
    }

    /// The bucket to go through and how many rows it has now; more may come while it is gone
    /// through, and those set off joins of their own.
    fn open_bucket(&mut self, relation: RelationId, view: u16, known: &[TermId]) -> Option<(u32, usize)> {
        let Database { open, .. } = self.database;
        if open[relation.index()].is_empty() {
            return None;
        }
        self.database.fill_view(relation, view);
        let open = &self.database.open[relation.index()];
        let bucket = open.bucket(view, known)?;
        Some((bucket, open.bucket_rows(view, bucket).len()))
    }

    /// Counts work and looks at the limits now and then; `false` if evaluation must stop.
    #[inline]
    fn charge(&mut self, tuples: usize) -> bool {
        self.work += tuples;
        if self.work >= WORK_BETWEEN_CHECKS {
            self.check_limits();
        }
        self.fault.is_none()
    }

    #[cold]
    fn check_limits(&mut self) {
        self.database.work += std::mem::take(&mut self.work) as u64;
        let limits = &self.database.limits;
        if limits.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            self.fault = Some(Fault::Stopped);
        } else if self.database.work > self.most_work {
            self.fault = Some(Fault::TooMuchWork);
        } else if self.database.bytes() > limits.bytes {
            self.fault = Some(Fault::OutOfMemory { limit_bytes: limits.bytes });
        }
    }

    /// Ends the evaluation of a component.
    pub(crate) fn finish(self) {
        self.database.work += self.work as u64;
    }

    fn emit(&mut self, plan: &Plan) {
        let mut buffer = [TermId(0); SHORT];
        let mut spill = Vec::new();
        let count = plan.head_arguments.len();
        let tuple = if count <= SHORT {
            &mut buffer[..count]
        } else {
            spill.resize(count, TermId(0));
            &mut spill[..]
        };
        for (slot, source) in tuple.iter_mut().zip(&plan.head_arguments) {
            *slot = self.build(source);
        }
        if self.database.open[plan.head.index()].insert(tuple) {
            self.charge(16);
        }
    }

    /// Whether the tuple of some sources holds; in the component's own relations, when it negates
    /// itself, whether it was frozen as holding.
    fn holds(&self, relation: RelationId, arguments: &[Source], own: bool) -> bool {
        let mut buffer = [TermId(0); SHORT];
        let mut spill = Vec::new();
        let Some(tuple) = self.gather(arguments, &mut buffer, &mut spill) else { return false };
        if self.database.is_fixed[relation.index()] {
            return self.fixed[relation.index()].contains(tuple);
        }
        let open = &self.database.open[relation.index()];
        match self.frozen {
            Some(frozen) if own => open
                .find(tuple)
                .is_some_and(|row| frozen.get(&relation).is_some_and(|rows| rows.contains(&row))),
            _ => open.contains(tuple),
        }
    }

    /// The terms of some sources, `None` if one does not exist.
    #[inline]
    fn gather<'b>(
        &self,
        sources: &[Source],
        buffer: &'b mut [TermId; SHORT],
        spill: &'b mut Vec<TermId>,
    ) -> Option<&'b [TermId]> {
        if sources.len() > SHORT {
            for source in sources {
                spill.push(self.find(source)?);
            }
            return Some(spill);
        }
        for (slot, source) in buffer.iter_mut().zip(sources) {
            *slot = self.find(source)?;
        }
        Some(&buffer[..sources.len()])
    }

    /// The term of a source, `None` if it does not exist.
    #[inline]
    fn find(&self, source: &Source) -> Option<TermId> {
        match source {
            Source::Variable(variable) => Some(self.bindings[*variable as usize]),
            Source::Term(term) => Some(*term),
            Source::Compound(symbol, arguments) => {
                let mut buffer = [TermId(0); SHORT];
                let mut spill = Vec::new();
                let arguments = self.gather(arguments, &mut buffer, &mut spill)?;
                self.database.terms().find(*symbol, arguments)
            }
        }
    }

    /// The term of a source, made if it does not exist.
    fn build(&mut self, source: &Source) -> TermId {
        match source {
            Source::Variable(variable) => self.bindings[*variable as usize],
            Source::Term(term) => *term,
            Source::Compound(symbol, arguments) => {
                let mut buffer = [TermId(0); SHORT];
                if arguments.len() <= SHORT {
                    for (index, argument) in arguments.iter().enumerate() {
                        buffer[index] = self.build(argument);
                    }
                    return self.database.intern(*symbol, &buffer[..arguments.len()]);
                }
                let built: Vec<TermId> = arguments.iter().map(|argument| self.build(argument)).collect();
                self.database.intern(*symbol, &built)
            }
        }
    }
}

/// Gives variables their values from a tuple; `false` if a variable would need two.
#[inline]
fn bind(matching: &Matching, bindings: &mut [TermId], tuple: &[TermId], store: &crate::TermStore) -> bool {
    for (path, variable) in &matching.bind {
        bindings[*variable as usize] = store.follow(tuple, path);
    }
    matching.same.iter().all(|(path, variable)| store.follow(tuple, path) == bindings[*variable as usize])
}

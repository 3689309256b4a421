//! Runs plans over tables.

use crate::plan::{Join, Output, Plan, Rows, Step};
use crate::program::Atom;
use crate::table::{NO_ROW, Table};
use crate::term::{Pattern, TermId, Terms};
use crate::{Budget, GroundError, Progress, Stage};

/// How many rows are looked at between two looks at the clock.
const WORK_PER_CHECK: u32 = 1 << 15;

/// Why a search ended early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Halt {
    /// It cannot go on at all.
    Failed(GroundError),
    /// It took more steps than [`Solver::patience`] allows.
    TooLong,
}

impl From<GroundError> for Halt {
    fn from(error: GroundError) -> Self {
        Halt::Failed(error)
    }
}

/// The tables of all relations and the state of a search through them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Solver {
    pub terms: Terms,
    pub tables: Vec<Table>,
    pub bindings: Vec<TermId>,
    /// The row that meets each positive condition.
    pub rows: Vec<u32>,
    /// Rows of each table below this were known when the round before began.
    pub old: Vec<u32>,
    /// Rows of each table below this were known when the round began.
    pub now: Vec<u32>,
    pub scratch: Vec<TermId>,
    work: u32,
    /// How many rows may still be looked at before the search is given up.
    pub patience: u64,
    /// What others hold, counted against the same budget.
    pub other_bytes: usize,
    /// What the search itself has collected.
    pub held_bytes: usize,
    pub stage: Option<Stage>,
}

/// What is done with each solution; says whether solutions with the same head are wanted no more.
pub(crate) trait Sink {
    fn solution(&mut self, solver: &mut Solver) -> Result<bool, Halt>;
    /// The head of the rule, where heads already known are to be skipped.
    fn head(&self) -> Option<&Atom>;
}

impl Solver {
    pub(crate) fn new(terms: Terms, widths: impl Iterator<Item = usize>) -> Self {
        let tables: Vec<Table> = widths.map(Table::new).collect();
        let count = tables.len();
        Solver {
            terms,
            tables,
            old: vec![0; count],
            now: vec![0; count],
            patience: u64::MAX,
            ..Solver::default()
        }
    }

    /// Makes room for the variables and conditions of a rule.
    pub(crate) fn prepare(&mut self, variables: u32, literals: usize) {
        if self.bindings.len() < variables as usize {
            self.bindings.resize(variables as usize, TermId(0));
        }
        if self.rows.len() < literals {
            self.rows.resize(literals, NO_ROW);
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.terms.bytes()
            + self.other_bytes
            + self.held_bytes
            + self.tables.iter().map(Table::bytes).sum::<usize>()
    }

    fn count_work(&mut self, budget: &Budget<'_>) -> Result<(), Halt> {
        self.work += 1;
        self.patience = self.patience.checked_sub(1).ok_or(Halt::TooLong)?;
        if self.work >= WORK_PER_CHECK {
            self.work = 0;
            let items = self.tables.iter().map(|table| table.len() as usize).sum();
            budget.check(&Progress {
                stage: self.stage.unwrap_or(Stage::Reach),
                items,
                bytes: self.bytes(),
            })?;
        }
        Ok(())
    }

    /// Finds all solutions from a step on. Returns whether those with the same head are done.
    pub(crate) fn solve(
        &mut self,
        plan: &Plan,
        step: usize,
        sink: &mut impl Sink,
        budget: &Budget<'_>,
    ) -> Result<bool, Halt> {
        let Some(action) = plan.steps.get(step) else {
            self.count_work(budget)?;
            return sink.solution(self);
        };
        match action {
            Step::Join(join) => self.join(plan, step, join, sink, budget),
            Step::Present { literal, relation, arguments, rows } => {
                self.count_work(budget)?;
                let Some(row) = self.find(relation.index(), arguments) else { return Ok(false) };
                let (low, high) = self.range(relation.index(), *rows);
                if row < low || row >= high {
                    return Ok(false);
                }
                self.rows[*literal] = row;
                self.solve(plan, step + 1, sink, budget)
            }
            Step::Absent { relation, arguments } => {
                if self.find(relation.index(), arguments).is_some() {
                    return Ok(false);
                }
                self.solve(plan, step + 1, sink, budget)
            }
            Step::Differ(left, right) => {
                if self.same(left, right) {
                    return Ok(false);
                }
                self.solve(plan, step + 1, sink, budget)
            }
            Step::HeadUnknown => {
                if let Some(head) = sink.head()
                    && self.find(head.relation.index(), &head.arguments).is_some()
                {
                    return Ok(false);
                }
                self.solve(plan, step + 1, sink, budget)
            }
        }
    }

    fn join(
        &mut self,
        plan: &Plan,
        step: usize,
        join: &Join,
        sink: &mut impl Sink,
        budget: &Budget<'_>,
    ) -> Result<bool, Halt> {
        let relation = join.relation.index();
        let (low, high) = self.range(relation, join.rows);
        let mut row = match join.index {
            None => high.checked_sub(1).unwrap_or(NO_ROW),
            Some(index) => {
                if !self.resolve(&join.key) {
                    return Ok(false);
                }
                self.tables[relation].newest(index, &self.scratch)
            }
        };
        while row != NO_ROW && row >= low {
            if row < high {
                self.count_work(budget)?;
                if self.take(join, row) {
                    self.rows[join.literal] = row;
                    if self.solve(plan, step + 1, sink, budget)? && step >= plan.cut {
                        return Ok(true);
                    }
                }
            }
            row = match join.index {
                None => row.wrapping_sub(1),
                Some(index) => self.tables[relation].older(index, row),
            };
        }
        Ok(false)
    }

    fn range(&self, relation: usize, rows: Rows) -> (u32, u32) {
        match rows {
            Rows::All => (0, self.now[relation]),
            Rows::Old => (0, self.old[relation]),
            Rows::New => (self.old[relation], self.now[relation]),
        }
    }

    /// Binds what a row binds, if it agrees with what is bound.
    fn take(&mut self, join: &Join, row: u32) -> bool {
        join.outputs.iter().all(|(column, output)| {
            let term = self.tables[join.relation.index()].cell(row, *column);
            self.accept(output, term)
        })
    }

    pub(crate) fn accept(&mut self, output: &Output, term: TermId) -> bool {
        match output {
            Output::Bind(variable) => {
                self.bindings[*variable as usize] = term;
                true
            }
            Output::Equal(Pattern::Variable(variable)) => self.bindings[*variable as usize] == term,
            Output::Equal(pattern) => self.terms.lookup(pattern, &self.bindings) == Some(term),
            Output::Open(name, outputs) => {
                let arguments = self.terms.arguments(term);
                if arguments.len() != outputs.len() || self.terms.name(term) != *name {
                    return false;
                }
                (0..outputs.len()).all(|place| {
                    let argument = self.terms.arguments(term)[place];
                    self.accept(&outputs[place], argument)
                })
            }
        }
    }

    /// Puts the terms of bound patterns into `scratch`; `false` if one of them exists nowhere.
    fn resolve(&mut self, patterns: &[Pattern]) -> bool {
        self.scratch.clear();
        for pattern in patterns {
            let term = match pattern {
                Pattern::Variable(variable) => self.bindings[*variable as usize],
                Pattern::Constant(term) => *term,
                Pattern::Function(..) => match self.terms.lookup(pattern, &self.bindings) {
                    Some(term) => term,
                    None => return false,
                },
            };
            self.scratch.push(term);
        }
        true
    }

    /// The row of bound patterns.
    pub(crate) fn find(&mut self, relation: usize, patterns: &[Pattern]) -> Option<u32> {
        if !self.resolve(patterns) {
            return None;
        }
        self.tables[relation].find(&self.scratch)
    }

    /// The row of bound patterns, added if it is not there, and whether it is new.
    pub(crate) fn insert(&mut self, relation: usize, patterns: &[Pattern]) -> (u32, bool) {
        let mut tuple = std::mem::take(&mut self.scratch);
        tuple.clear();
        tuple.extend(patterns.iter().map(|pattern| self.terms.build(pattern, &self.bindings)));
        let inserted = self.tables[relation].insert(&tuple);
        self.scratch = tuple;
        inserted
    }

    fn same(&self, left: &Pattern, right: &Pattern) -> bool {
        match (left, right) {
            (Pattern::Function(f, a), Pattern::Function(g, b)) => {
                f == g && a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.same(a, b))
            }
            _ => {
                let left = self.terms.lookup(left, &self.bindings);
                left.is_some() && left == self.terms.lookup(right, &self.bindings)
            }
        }
    }
}

//! The order in which a rule's conditions are joined, and through which indexes.

use crate::view::{Path, ViewKey};
use crate::{Atom, Literal, Measures, Pattern, RelationId, Rule, TermId};

/// A term to be built from the variables bound so far.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    Variable(u32),
    Term(TermId),
    Compound(u32, Box<[Source]>),
}

/// What is done with the parts of a tuple.
#[derive(Clone, Debug, Default)]
pub(crate) struct Matching {
    /// Parts that give variables their values.
    pub(crate) bind: Vec<(Path, u32)>,
    /// Parts that must equal a variable bound earlier in the same tuple.
    pub(crate) same: Vec<(Path, u32)>,
}

/// One step of a join.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// Goes through the tuples that agree with what is known.
    Scan {
        relation: RelationId,
        view: u16,
        known: Vec<Source>,
        matching: Matching,
        /// All variables of the head are bound: one success is enough.
        existential: bool,
    },
    /// A tuple must hold.
    Member { relation: RelationId, arguments: Vec<Source> },
    /// A tuple must not hold; `own` if its relation is of the component being evaluated.
    Absent { relation: RelationId, arguments: Vec<Source>, own: bool },
    /// Terms must differ.
    Differ(Source, Source),
    /// Nothing to gain if the head holds already.
    SkipIfKnown,
}

/// The tuple that sets off a join in a recursive component.
#[derive(Clone, Debug)]
pub(crate) struct Trigger {
    pub(crate) relation: RelationId,
    pub(crate) shape: Vec<(Path, u32, u16)>,
    pub(crate) equal: Vec<(Path, TermId)>,
    pub(crate) matching: Matching,
}

/// How one rule is run.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) head: RelationId,
    pub(crate) head_arguments: Vec<Source>,
    pub(crate) trigger: Option<Trigger>,
    pub(crate) steps: Vec<Step>,
}

/// An atom taken apart: which index it wants, given what is bound, and what it binds.
pub(crate) struct AtomParts {
    pub(crate) view: ViewKey,
    pub(crate) known: Vec<Source>,
    pub(crate) matching: Matching,
}

impl AtomParts {
    /// The paths of all parts that are terms or variables.
    pub(crate) fn all_paths(&self) -> impl Iterator<Item = &Path> {
        let matching = self.matching.bind.iter().chain(&self.matching.same).map(|(path, _)| path);
        self.view.known.iter().chain(matching)
    }
}

/// Takes an atom apart.
pub(crate) fn atom_parts(atom: &Atom, bound: &[bool]) -> AtomParts {
    let mut parts = AtomParts { view: ViewKey::default(), known: Vec::new(), matching: Matching::default() };
    for (index, argument) in atom.arguments.iter().enumerate() {
        pattern_parts(argument, vec![index as u16], bound, &mut parts);
    }
    parts
}

fn pattern_parts(pattern: &Pattern, path: Vec<u16>, bound: &[bool], parts: &mut AtomParts) {
    let is_bound = |variable: u32| bound.get(variable as usize).copied().unwrap_or(false);
    match pattern {
        Pattern::Variable(variable) if !is_bound(*variable) => {
            let seen = parts.matching.bind.iter().any(|(_, known)| known == variable);
            let list = if seen { &mut parts.matching.same } else { &mut parts.matching.bind };
            list.push((path.into(), *variable));
        }
        Pattern::Compound(symbol, arguments) if !all_bound(pattern, bound) => {
            parts.view.shape.push((path.clone().into(), *symbol, arguments.len() as u16));
            for (index, argument) in arguments.iter().enumerate() {
                let mut inner = path.clone();
                inner.push(index as u16);
                pattern_parts(argument, inner, bound, parts);
            }
        }
        _ => {
            parts.view.known.push(path.into());
            parts.known.push(source(pattern));
        }
    }
}

fn all_bound(pattern: &Pattern, bound: &[bool]) -> bool {
    let mut all = true;
    pattern.variables(&mut |variable| all &= bound.get(variable as usize).copied().unwrap_or(false));
    all
}

fn source(pattern: &Pattern) -> Source {
    match pattern {
        Pattern::Variable(variable) => Source::Variable(*variable),
        Pattern::Term(term) => Source::Term(*term),
        Pattern::Compound(symbol, arguments) => {
            Source::Compound(*symbol, arguments.iter().map(source).collect())
        }
    }
}

/// Plans rules. `ensure_view` gives the number of an index, making it if it is not there.
pub(crate) struct Planner<'a> {
    pub(crate) measures: &'a Measures,
    pub(crate) own: &'a [RelationId],
    pub(crate) ensure_view: &'a mut dyn FnMut(RelationId, &ViewKey) -> u16,
}

impl Planner<'_> {
    /// Plans a rule, set off by the body literal `trigger` if one is given.
    pub(crate) fn plan(&mut self, rule: &Rule, trigger: Option<usize>) -> Plan {
        let mut work = Work {
            bound: vec![false; rule.variables],
            open: (0..rule.body.len()).filter(|&index| Some(index) != trigger).collect(),
            steps: Vec::new(),
        };
        let trigger = trigger.map(|index| {
            let Literal::Holds(atom) = &rule.body[index] else { unreachable!("triggers are positive") };
            work.trigger(atom)
        });
        let mut head_known = false;
        loop {
            self.place_filters(rule, &mut work);
            let existential = work.binds(&rule.head);
            let Some(best) = self.choose(rule, &work) else { break };
            if existential && !head_known {
                work.steps.push(Step::SkipIfKnown);
                head_known = true;
            }
            work.open.retain(|&index| index != best);
            let Literal::Holds(atom) = &rule.body[best] else { unreachable!("only positive are chosen") };
            let parts = atom_parts(atom, &work.bound);
            atom.variables(&mut |variable| work.bound[variable as usize] = true);
            work.steps.push(Step::Scan {
                relation: atom.relation,
                view: (self.ensure_view)(atom.relation, &parts.view),
                known: parts.known,
                matching: parts.matching,
                existential,
            });
        }
        Plan {
            head: rule.head.relation,
            head_arguments: rule.head.arguments.iter().map(source).collect(),
            trigger,
            steps: work.steps,
        }
    }

    /// Places all conditions whose variables are bound: the cheapest first.
    fn place_filters(&self, rule: &Rule, work: &mut Work) {
        for pass in 0..3 {
            let mut index = 0;
            while index < work.open.len() {
                let step = match (&rule.body[work.open[index]], pass) {
                    (Literal::Distinct(left, right), 0)
                        if all_bound(left, &work.bound) && all_bound(right, &work.bound) =>
                    {
                        Step::Differ(source(left), source(right))
                    }
                    (Literal::Holds(atom), 1) if work.binds(atom) => Step::Member {
                        relation: atom.relation,
                        arguments: atom.arguments.iter().map(source).collect(),
                    },
                    (Literal::Fails(atom), 2) if work.binds(atom) => Step::Absent {
                        relation: atom.relation,
                        arguments: atom.arguments.iter().map(source).collect(),
                        own: self.own.contains(&atom.relation),
                    },
                    _ => {
                        index += 1;
                        continue;
                    }
                };
                work.steps.push(step);
                work.open.remove(index);
            }
        }
    }

    /// The open positive literal with the fewest tuples to go through.
    fn choose(&self, rule: &Rule, work: &Work) -> Option<usize> {
        let cost = |&index: &usize| match &rule.body[index] {
            Literal::Holds(atom) => {
                let parts = atom_parts(atom, &work.bound);
                Some((index, self.measures.estimate(atom.relation, &parts)))
            }
            _ => None,
        };
        let candidates = work.open.iter().filter_map(cost);
        candidates.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(index, _)| index)
    }
}

struct Work {
    bound: Vec<bool>,
    open: Vec<usize>,
    steps: Vec<Step>,
}

impl Work {
    fn binds(&self, atom: &Atom) -> bool {
        atom.arguments.iter().all(|argument| all_bound(argument, &self.bound))
    }

    fn trigger(&mut self, atom: &Atom) -> Trigger {
        let parts = atom_parts(atom, &self.bound);
        atom.variables(&mut |variable| self.bound[variable as usize] = true);
        let equal = parts.view.known.iter().zip(&parts.known).map(|(path, source)| match source {
            Source::Term(term) => (path.clone(), *term),
            _ => unreachable!("nothing is bound before the trigger"),
        });
        Trigger {
            relation: atom.relation,
            equal: equal.collect(),
            shape: parts.view.shape,
            matching: parts.matching,
        }
    }
}

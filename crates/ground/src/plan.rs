//! The order in which the conditions of a rule are met: each step either tests what is bound or
//! binds more, cheapest first by the sizes of the tables.

use crate::program::{Atom, RelationId, Rule};
use crate::table::Table;
use crate::term::Pattern;

/// The steps that find all solutions of a rule's body.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub steps: Vec<Step>,
    /// From this step on nothing more is wanted once a sink says so: in a plan for reachability
    /// the head is bound here.
    pub cut: usize,
}

#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// Goes through the rows that agree with what is bound.
    Join(Join),
    /// The row is there.
    Present { literal: usize, relation: RelationId, arguments: Vec<Pattern>, rows: Rows },
    /// The row is not there.
    Absent { relation: RelationId, arguments: Vec<Pattern> },
    /// The terms differ.
    Differ(Pattern, Pattern),
    /// The head is not known yet.
    HeadUnknown,
}

#[derive(Clone, Debug)]
pub(crate) struct Join {
    /// Which positive condition of the rule this is.
    pub literal: usize,
    pub relation: RelationId,
    /// The index to use, or all rows.
    pub index: Option<u32>,
    /// The values of the index's columns.
    pub key: Vec<Pattern>,
    pub outputs: Vec<(u32, Output)>,
    pub rows: Rows,
}

/// What is done with a cell of a row.
#[derive(Clone, Debug)]
pub(crate) enum Output {
    Bind(u32),
    Equal(Pattern),
    /// It is a function of this name; the same for its arguments.
    Open(gdl::SymbolId, Vec<Output>),
}

/// Which rows of a table count, in terms of the rounds of a fixpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rows {
    /// Those known when the round began.
    All,
    /// Those known when the round before began.
    Old,
    /// Those that the last round added.
    New,
}

/// What a plan is for.
pub(crate) enum Purpose<'a> {
    /// Finding heads not yet known. One condition may be restricted to new rows.
    Reach { new: Option<usize>, recursive: &'a dyn Fn(RelationId) -> bool },
    /// Finding all bodies of a known head.
    Bodies,
}

/// Plans a rule. `exact` says of which relations the absence of a row can be trusted.
pub(crate) fn plan(
    rule: &Rule,
    purpose: &Purpose<'_>,
    exact: &dyn Fn(RelationId) -> bool,
    tables: &mut [Table],
) -> Plan {
    let mut planner =
        Planner { bound: vec![false; rule.variables as usize], steps: Vec::new(), tests: Vec::new(), tables };
    planner.tests.extend(rule.distinct.iter().map(|(left, right)| Step::Differ(left.clone(), right.clone())));
    planner.tests.extend(
        rule.negative
            .iter()
            .filter(|atom| exact(atom.relation))
            .map(|atom| Step::Absent { relation: atom.relation, arguments: atom.arguments.clone() }),
    );
    let reach = match purpose {
        Purpose::Reach { .. } => true,
        Purpose::Bodies => {
            rule.head.variables(&mut |variable| planner.bound[variable as usize] = true);
            false
        }
    };
    let rows_of = |literal: usize, relation: RelationId| match purpose {
        Purpose::Reach { new: Some(new), recursive } if recursive(relation) => match literal.cmp(new) {
            std::cmp::Ordering::Less => Rows::Old,
            std::cmp::Ordering::Equal => Rows::New,
            std::cmp::Ordering::Greater => Rows::All,
        },
        _ => Rows::All,
    };

    let mut cut = if reach { usize::MAX } else { 0 };
    let mut waiting: Vec<usize> = (0..rule.positive.len()).collect();
    let mut forced = match purpose {
        Purpose::Reach { new, .. } => *new,
        Purpose::Bodies => None,
    };
    loop {
        planner.push_tests();
        if reach && cut == usize::MAX && rule.head.is_bound(&planner.bound) {
            cut = planner.steps.len();
            planner.steps.push(Step::HeadUnknown);
        }
        let chosen = forced.take().or_else(|| {
            let cost = |&literal: &usize| planner.estimate(&rule.positive[literal]);
            waiting.iter().copied().min_by(|a, b| cost(a).total_cmp(&cost(b)))
        });
        let Some(literal) = chosen else { break };
        waiting.retain(|&other| other != literal);
        let atom = &rule.positive[literal];
        planner.push_atom(literal, atom, rows_of(literal, atom.relation));
    }
    Plan { steps: planner.steps, cut }
}

struct Planner<'a> {
    bound: Vec<bool>,
    steps: Vec<Step>,
    /// Tests that wait for their variables.
    tests: Vec<Step>,
    tables: &'a mut [Table],
}

impl Planner<'_> {
    fn push_tests(&mut self) {
        let bound = &self.bound;
        let ready = self.tests.extract_if(.., |test| match test {
            Step::Differ(left, right) => left.is_bound(bound) && right.is_bound(bound),
            Step::Absent { arguments, .. } => arguments.iter().all(|argument| argument.is_bound(bound)),
            _ => true,
        });
        self.steps.extend(ready);
    }

    /// How many rows are expected to agree with what is bound.
    fn estimate(&self, atom: &Atom) -> f64 {
        let table = &self.tables[atom.relation.index()];
        let mut rows = f64::from(table.len());
        let mut all = true;
        for (column, pattern) in atom.arguments.iter().enumerate() {
            if pattern.is_bound(&self.bound) {
                rows /= f64::from(table.distinct(column).max(1));
            } else {
                all = false;
            }
        }
        // A test never makes the search wider.
        if all { rows.min(1.0) * 0.5 } else { rows }
    }

    fn push_atom(&mut self, literal: usize, atom: &Atom, rows: Rows) {
        let relation = atom.relation;
        if atom.is_bound(&self.bound) {
            self.steps.push(Step::Present { literal, relation, arguments: atom.arguments.clone(), rows });
            return;
        }
        let mut columns = Vec::new();
        let mut key = Vec::new();
        let mut rest = Vec::new();
        for (column, pattern) in atom.arguments.iter().enumerate() {
            if pattern.is_bound(&self.bound) {
                columns.push(column as u32);
                key.push(pattern.clone());
            } else {
                rest.push((column as u32, pattern));
            }
        }
        let outputs =
            rest.into_iter().map(|(column, pattern)| (column, output(pattern, &mut self.bound))).collect();
        let index = (!columns.is_empty()).then(|| self.tables[relation.index()].index(&columns));
        self.steps.push(Step::Join(Join { literal, relation, index, key, outputs, rows }));
    }
}

/// How a cell is taken apart; its variables are bound from now on.
fn output(pattern: &Pattern, bound: &mut [bool]) -> Output {
    if pattern.is_bound(bound) {
        return Output::Equal(pattern.clone());
    }
    match pattern {
        Pattern::Variable(variable) => {
            bound[*variable as usize] = true;
            Output::Bind(*variable)
        }
        Pattern::Constant(_) => Output::Equal(pattern.clone()),
        Pattern::Function(name, arguments) => {
            Output::Open(*name, arguments.iter().map(|argument| output(argument, bound)).collect())
        }
    }
}

/// How the columns of a known head bind the variables of its rule.
pub(crate) fn head_outputs(rule: &Rule) -> Vec<Output> {
    let mut bound = vec![false; rule.variables as usize];
    rule.head.arguments.iter().map(|argument| output(argument, &mut bound)).collect()
}

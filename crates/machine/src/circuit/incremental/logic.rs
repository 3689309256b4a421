//! Conjunctions of many inputs, made of gates of two: a conjunction that only one other conjunction asks for is part
//! of it.

use ::circuit::{Circuit, Edge, Gate, GateId, Gates};
use game::RoleId;

use super::super::MoveNumbers;
use super::super::programs::{Condition, under};

/// How many inputs a conjunction has at most: they are counted in six bits.
pub(super) const MOST_INPUTS: usize = 63;

/// What a conjunction reads: a fact, a move or another conjunction, or the inverse of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Input {
    pub(super) source: Source,
    pub(super) inverted: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Source {
    /// A fact, or a move behind all facts.
    Outside(u32),
    /// A conjunction by its number.
    Inside(u32),
}

/// A conjunction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Conjunction {
    /// Where its inputs end in the list of all.
    end: u32,
    /// One more than the highest level among its inputs of the same part.
    pub(super) level: u32,
}

/// One answer.
#[derive(Clone, Debug)]
pub(super) enum Answer {
    Constant(bool),
    /// All of these hold, or not all of them.
    Of {
        inputs: Vec<Input>,
        inverted: bool,
    },
}

/// Logic in an order of evaluation: what tells what is legal and over, and then what only tells what comes next.
#[derive(Debug, Default)]
pub(super) struct Logic {
    pub(super) conjunctions: Vec<Conjunction>,
    inputs: Vec<Input>,
    /// How many conjunctions the first part has.
    pub(super) first_part: usize,
    /// The answers of the two parts.
    pub(super) answers: [Vec<Answer>; 2],
}

impl Logic {
    /// The logic of a circuit under a condition, of what comes next only if that is asked for.
    pub(super) fn new(
        circuit: &Circuit,
        numbers: &MoveNumbers,
        condition: Option<&Condition>,
        has_next: bool,
    ) -> Self {
        let legal = circuit.roles.iter().flat_map(|role| role.legal.iter().copied());
        let mut asked: Vec<Edge> = std::iter::once(circuit.terminal).chain(legal).collect();
        let looks_count = asked.len();
        asked.extend(circuit.next.iter().filter(|_| has_next));
        let mut gates = Gates::new();
        let answers = under(circuit, condition, &mut gates, &asked);
        let answers = without_xor(&mut gates, &answers);
        let (looks, next) = answers.split_at(looks_count);
        let mut collapse = Collapse::new(&gates, &answers, circuit.bases.len(), numbers);
        let looks = collapse.add_part(looks);
        collapse.logic.first_part = collapse.logic.conjunctions.len();
        let next = collapse.add_part(next);
        Logic { answers: [looks, next], ..collapse.logic }
    }

    /// The inputs of a conjunction.
    pub(super) fn inputs_of(&self, number: usize) -> &[Input] {
        let start = if number == 0 { 0 } else { self.conjunctions[number - 1].end };
        &self.inputs[start as usize..self.conjunctions[number].end as usize]
    }
}

/// The same logic with conjunctions in place of exclusive-ors.
fn without_xor(gates: &mut Gates, edges: &[Edge]) -> Vec<Edge> {
    if !gates.iter().any(|(_, gate)| matches!(gate, Gate::Xor(..))) {
        return edges.to_vec();
    }
    let source = std::mem::take(gates);
    let mut images = vec![Edge::FALSE; source.len()];
    let image = |images: &[Edge], edge: Edge| {
        let image = images[edge.gate().0 as usize];
        if edge.is_inverted() { !image } else { image }
    };
    for id in source.cone(edges.iter().copied()) {
        images[id.0 as usize] = match source.get(id) {
            Gate::And(left, right) => gates.and(image(&images, left), image(&images, right)),
            Gate::Xor(left, right) => {
                let (left, right) = (image(&images, left), image(&images, right));
                let (first, second) = (gates.and(left, !right), gates.and(!left, right));
                gates.or(first, second)
            }
            Gate::Base(number) => gates.base(number),
            Gate::Does(role, number) => gates.does(role, number),
            Gate::False => Edge::FALSE,
        };
    }
    edges.iter().map(|&edge| image(&images, edge)).collect()
}

/// What becomes of a gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Open,
    /// It is part of the one conjunction, or the one answer, that asks for it.
    Part,
    Known(Source),
}

struct Collapse<'a> {
    gates: &'a Gates,
    fates: Vec<Fate>,
    logic: Logic,
}

impl<'a> Collapse<'a> {
    fn new(gates: &'a Gates, answers: &[Edge], facts: usize, numbers: &MoveNumbers) -> Self {
        let cone = gates.cone(answers.iter().copied());
        let mut uses = vec![0u32; gates.len()];
        answers.iter().for_each(|edge| uses[edge.gate().0 as usize] += 1);
        for &id in &cone {
            if let Gate::And(left, right) = gates.get(id) {
                [left, right].iter().for_each(|edge| uses[edge.gate().0 as usize] += 1);
            }
        }
        let is_part =
            |edge: Edge| uses[edge.gate().0 as usize] == 1 && matches!(gates.get(edge.gate()), Gate::And(..));
        let mut fates = vec![Fate::Open; gates.len()];
        for edge in answers.iter().filter(|edge| is_part(**edge)) {
            fates[edge.gate().0 as usize] = Fate::Part;
        }
        for &id in &cone {
            match gates.get(id) {
                Gate::And(left, right) => {
                    for edge in [left, right].into_iter().filter(|edge| !edge.is_inverted() && is_part(*edge))
                    {
                        fates[edge.gate().0 as usize] = Fate::Part;
                    }
                }
                Gate::Base(number) => fates[id.0 as usize] = Fate::Known(Source::Outside(number)),
                Gate::Does(role, number) => {
                    let number = facts as u32 + numbers.id(RoleId(role), number).0;
                    fates[id.0 as usize] = Fate::Known(Source::Outside(number));
                }
                Gate::Xor(..) | Gate::False => {}
            }
        }
        Self { gates, fates, logic: Logic::default() }
    }

    /// Adds what some answers need and is not there yet.
    fn add_part(&mut self, answers: &[Edge]) -> Vec<Answer> {
        let first = self.logic.conjunctions.len();
        for id in self.gates.cone(answers.iter().copied()) {
            if self.fates[id.0 as usize] == Fate::Open {
                let inputs = self.conjuncts(id, first);
                self.fates[id.0 as usize] = Fate::Known(self.add(&inputs, first));
            }
        }
        let mut answer = |&edge: &Edge| {
            if edge.is_constant() {
                return Answer::Constant(edge == Edge::TRUE);
            }
            match self.fates[edge.gate().0 as usize] {
                Fate::Known(source) => Answer::Of {
                    inputs: vec![Input { source, inverted: edge.is_inverted() }],
                    inverted: false,
                },
                _ => Answer::Of { inputs: self.conjuncts(edge.gate(), first), inverted: edge.is_inverted() },
            }
        };
        answers.iter().map(&mut answer).collect()
    }

    /// Adds a conjunction to the part that begins at `first`.
    fn add(&mut self, inputs: &[Input], first: usize) -> Source {
        let logic = &mut self.logic;
        let level = |input: &Input| match input.source {
            Source::Inside(number) if number as usize >= first => {
                logic.conjunctions[number as usize].level + 1
            }
            _ => 0,
        };
        let level = inputs.iter().map(level).max().unwrap_or(0);
        logic.inputs.extend_from_slice(inputs);
        logic.conjunctions.push(Conjunction { end: logic.inputs.len() as u32, level });
        Source::Inside(logic.conjunctions.len() as u32 - 1)
    }

    /// What a conjunction asks for, and those that are part of it; not more than can be counted.
    fn conjuncts(&mut self, id: GateId, first: usize) -> Vec<Input> {
        let (mut inputs, mut open) = (Vec::new(), vec![id]);
        while let Some(id) = open.pop() {
            let Gate::And(left, right) = self.gates.get(id) else { continue };
            for edge in [left, right] {
                match self.fates[edge.gate().0 as usize] {
                    Fate::Known(source) => inputs.push(Input { source, inverted: edge.is_inverted() }),
                    _ => open.push(edge.gate()),
                }
            }
        }
        inputs.sort_unstable();
        inputs.dedup();
        while inputs.len() > MOST_INPUTS {
            let mut fewer = Vec::new();
            for some in inputs.chunks(MOST_INPUTS) {
                fewer.push(Input { source: self.add(some, first), inverted: false });
            }
            inputs = fewer;
        }
        inputs
    }
}

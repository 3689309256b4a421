//! The ground rules a circuit was made of. Gates are shaped for speed: what is alike in the rules is
//! often factored, merged or shared in different ways. Where likeness itself is looked for, the
//! rules are the better place, so those of small games are kept.

use std::sync::Arc;

use ground::{AtomId, Bodies, GroundLiteral, GroundRules};

use crate::Edge;
use crate::rewrite::{Replacement, Use};

/// Rules with more literals than this are not kept.
const MOST_LITERALS: usize = 200_000;

/// The rules behind a circuit, and where their facts and moves are in it.
#[derive(Clone, Debug)]
pub struct Origin {
    pub(crate) rules: Arc<RecordedRules>,
    /// How each fact of the rules is read from the circuit in every reachable state.
    pub(crate) readings: Vec<Reading>,
    /// For each fact of the rules its place in the circuit; `None` if it is never true.
    pub(crate) facts: Vec<Option<u32>>,
    /// For each move of the rules, role after role, its place among the moves of all roles of the circuit; `None` if it
    /// is never legal.
    pub(crate) moves: Vec<Option<u32>>,
}

/// How a fact of the rules is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    /// It never changes.
    Constant(bool),
    /// It is a fact of the circuit, or its inverse.
    Fact(u32, bool),
}

/// Ground rules of a game.
#[derive(Debug, Default)]
pub(crate) struct RecordedRules {
    /// All atoms have smaller numbers.
    pub(crate) atoms: usize,
    /// The head of each rule.
    pub(crate) heads: Vec<AtomId>,
    /// Where the body of each rule ends.
    ends: Vec<u32>,
    literals: Vec<GroundLiteral>,
    /// The atoms `(true fact)` and `(next fact)` of each fact, in the order of construction.
    pub(crate) bases: Vec<(AtomId, Option<AtomId>)>,
    /// The atoms `(does role move)` and `(legal role move)` of each move, role after role.
    pub(crate) moves: Vec<(AtomId, AtomId)>,
    /// The role of each move.
    pub(crate) movers: Vec<u16>,
    /// Goal values of roles and their atoms.
    pub(crate) goals: Vec<(u16, u8, AtomId)>,
    /// How many roles there are.
    pub(crate) roles: usize,
    pub(crate) terminal: Option<AtomId>,
}

impl RecordedRules {
    /// No rules yet.
    pub(crate) fn new(rules: &GroundRules) -> Self {
        let mut recorded = Self {
            bases: rules.bases.iter().map(|base| (base.atom, base.next)).collect(),
            roles: rules.roles.len(),
            terminal: rules.terminal,
            ..Self::default()
        };
        for (number, role) in (0..).zip(&rules.roles) {
            recorded.moves.extend(role.moves.iter().map(|option| (option.does, option.legal)));
            recorded.movers.resize(recorded.moves.len(), number);
            recorded.goals.extend(role.goals.iter().map(|&(value, atom)| (number, value, atom)));
        }
        recorded
    }

    /// Notes the rules of an atom; says whether there is room for more.
    pub(crate) fn note(&mut self, head: AtomId, bodies: &Bodies) -> bool {
        for body in bodies.iter() {
            self.heads.push(head);
            self.literals.extend_from_slice(body);
            self.ends.push(self.literals.len() as u32);
        }
        self.literals.len() + self.heads.len() <= MOST_LITERALS
    }

    /// The body of a rule.
    pub(crate) fn body(&self, rule: usize) -> &[GroundLiteral] {
        let start = if rule == 0 { 0 } else { self.ends[rule - 1] };
        &self.literals[start as usize..self.ends[rule] as usize]
    }

    /// The same rules without those that never hold and without literals that always do, by the
    /// edges of their atoms.
    pub(crate) fn reduced(self, atoms: usize, edge: impl Fn(GroundLiteral) -> Option<Edge>) -> Self {
        let mut reduced = Self { atoms, ..Self::default() };
        for (rule, &head) in self.heads.iter().enumerate() {
            let body = self.body(rule);
            if body.iter().all(|&literal| edge(literal).is_some_and(|edge| edge != Edge::FALSE)) {
                let open = body.iter().filter(|&&literal| edge(literal) != Some(Edge::TRUE));
                reduced.literals.extend(open);
                reduced.heads.push(head);
                reduced.ends.push(reduced.literals.len() as u32);
            }
        }
        let Self { bases, moves, movers, goals, roles, terminal, .. } = self;
        Self { bases, moves, movers, goals, roles, terminal, ..reduced }
    }
}

impl Origin {
    /// The origin of a circuit that was just constructed.
    pub(crate) fn new(rules: RecordedRules) -> Self {
        let facts = 0..rules.bases.len() as u32;
        Self {
            readings: facts.clone().map(|fact| Reading::Fact(fact, false)).collect(),
            facts: facts.map(Some).collect(),
            moves: (0..rules.moves.len() as u32).map(Some).collect(),
            rules: Arc::new(rules),
        }
    }

    /// Whether facts and moves of the rules are where those of another origin are.
    pub(crate) fn reads_as(&self, other: &Self) -> bool {
        self.readings == other.readings && self.facts == other.facts && self.moves == other.moves
    }

    /// The origin of the circuit after a replacement.
    pub(crate) fn rewritten(&self, replacement: &Replacement) -> Self {
        let places = places(&replacement.listed);
        let read = |mut fact: u32, mut inverted: bool| loop {
            match replacement.bases[fact as usize] {
                Use::Keep => return places[fact as usize].map(|place| Reading::Fact(place, inverted)),
                Use::Constant(value) => return Some(Reading::Constant(value != inverted)),
                Use::Same(other, opposite) => (fact, inverted) = (other, inverted != opposite),
            }
        };
        let reading = |&reading: &Reading| match reading {
            // What is read and not listed is never true.
            Reading::Fact(fact, inverted) => read(fact, inverted).unwrap_or(Reading::Constant(inverted)),
            constant => constant,
        };
        let options = places_of_moves(replacement);
        Self {
            rules: Arc::clone(&self.rules),
            readings: self.readings.iter().map(reading).collect(),
            facts: self.facts.iter().map(|fact| fact.and_then(|fact| places[fact as usize])).collect(),
            moves: self.moves.iter().map(|place| place.and_then(|place| options[place as usize])).collect(),
        }
    }
}

fn places_of_moves(replacement: &Replacement) -> Vec<Option<u32>> {
    let kept: Vec<bool> = replacement.moves.iter().flatten().copied().collect();
    places(&kept)
}

/// The new place of everything that is kept.
fn places(kept: &[bool]) -> Vec<Option<u32>> {
    let mut count = 0;
    let mut place = |&kept: &bool| {
        count += u32::from(kept);
        kept.then(|| count - 1)
    };
    kept.iter().map(&mut place).collect()
}

//! Mobility, inverse mobility and goal proximity, with weights that are learnt (Genesereth and Thielscher 2014;
//! Kuhlmann, Dresner and Stone 2006).
//!
//! Mobility is the number of a role's moves, inverse mobility that of the others', goal proximity how far the best goal
//! of a role holds: a conjunction by the mean of its parts, a disjunction by the best of them. Who waits has one move, so
//! whose turn it is counts too.

use super::MethodRow;
use super::flux::{MOST_PARTS, formulas};
use crate::formula::{Formulas, Part};
use crate::fuzzy::{Values, WORD, words};
use crate::knowledge::{Group, TOGETHER};
use crate::learn::LearnError;
use crate::lesson::{Lesson, Taught};
use crate::weighted::{self, Source};
use game::Describe;

const SOURCE: &str = "Genesereth and Thielscher 2014";

pub(super) const MOBILITY: MethodRow = MethodRow {
    name: "mobility",
    source: SOURCE,
    help: "how many moves a role and the others have: mobility and inverse mobility, weights learnt",
    derived: false,
    learn: |lesson| learn(lesson, true, false),
};

pub(super) const PROXIMITY: MethodRow = MethodRow {
    name: "proximity",
    source: SOURCE,
    help: "how far the best goal of each role holds: goal proximity, weights learnt",
    derived: false,
    learn: |lesson| learn(lesson, false, true),
};

pub(super) const LARG: MethodRow = MethodRow {
    name: "larg",
    source: "Kuhlmann, Dresner and Stone 2006",
    help: "mobility, inverse mobility and goal proximity together, weights learnt",
    derived: false,
    learn: |lesson| learn(lesson, true, true),
};

fn learn(lesson: &Lesson<'_>, moves: bool, proximity: bool) -> Result<Taught, LearnError> {
    let formulas = match proximity {
        true => formulas(lesson, MOST_PARTS)?,
        false => Formulas::default(),
    };
    let roles = lesson.game.roles();
    let mut names = Vec::new();
    if moves {
        names.extend(roles.iter().map(|role| format!("moves of {role}, as a logarithm")));
        names.extend(roles.iter().map(|role| format!("{role} has a choice")));
    }
    if proximity {
        names.extend(roles.iter().map(|role| format!("how far the best goal of {role} holds")));
    }
    let source = Larg { names, roles: roles.len(), moves, formulas };
    weighted::learn(lesson, Box::new(source), "mobility and goals")
}

struct Larg {
    names: Vec<String>,
    roles: usize,
    moves: bool,
    formulas: Formulas,
}

/// How far each part holds: a conjunction by the mean of its parts, a disjunction by the best of them.
fn degrees(formulas: &Formulas, group: &Group<'_>, word: usize, out: &mut Vec<Values>) {
    out.clear();
    for part in &formulas.parts {
        let mut values = [0.0; WORD];
        match part {
            Part::Fact(fact) => {
                let bits = group.facts[*fact as usize][word];
                let each = values.iter_mut().enumerate();
                each.for_each(|(state, value)| *value = f32::from((bits >> state & 1) as u8));
            }
            Part::Constant(value) => values.fill(f32::from(u8::from(*value))),
            Part::Not(part) => values = out[*part as usize].map(|value| 1.0 - value),
            Part::Any(parts) => {
                for &part in parts {
                    let own = values.iter_mut().zip(&out[part as usize]);
                    own.for_each(|(value, part)| *value = value.max(*part));
                }
            }
            Part::All(parts) => {
                let share = 1.0 / parts.len() as f32;
                for &part in parts {
                    let own = values.iter_mut().zip(&out[part as usize]);
                    own.for_each(|(value, part)| *value += share * part);
                }
            }
        }
        out.push(values);
    }
}

impl Source for Larg {
    fn facts(&self) -> &[String] {
        &self.formulas.facts
    }

    fn wants_moves(&self) -> bool {
        self.moves
    }

    fn names(&self) -> &[String] {
        &self.names
    }

    fn read(&self, group: &Group<'_>, out: &mut [f32]) {
        let mut next = out.chunks_mut(TOGETHER);
        if self.moves {
            for role in 0..self.roles {
                let Some(room) = next.next() else { return };
                let counts = group.moves.iter().skip(role).step_by(self.roles);
                room.iter_mut().zip(counts).for_each(|(value, count)| *value = (*count.max(&1) as f32).ln());
            }
            for role in 0..self.roles {
                let Some(room) = next.next() else { return };
                let counts = group.moves.iter().skip(role).step_by(self.roles);
                room.iter_mut()
                    .zip(counts)
                    .for_each(|(value, count)| *value = f32::from(u8::from(*count > 1)));
            }
        }
        let mut rooms: Vec<&mut [f32]> = next.collect();
        if rooms.is_empty() {
            return;
        }
        let mut known = Vec::new();
        for (word, states) in words(group) {
            degrees(&self.formulas, group, word, &mut known);
            for (role, room) in rooms.iter_mut().enumerate() {
                if let Some((_, part)) = self.formulas.best(role) {
                    let values = &known[part as usize];
                    room[states.clone()].copy_from_slice(&values[..states.len()]);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::derived::GROUP;

    #[test]
    fn mobility_and_proximity_by_hand() {
        // The best goal of the one role: (a and b) or not c.
        let parts = vec![
            Part::Fact(0),
            Part::Fact(1),
            Part::Fact(2),
            Part::All(vec![0, 1]),
            Part::Not(2),
            Part::Any(vec![3, 4]),
        ];
        let facts = ["a", "b", "c"].map(str::to_owned).to_vec();
        let formulas = Formulas { facts, parts, goals: vec![vec![(0, 4), (100, 5)]], terminal: 3 };
        let names = ["moves", "choice", "goal"].map(str::to_owned).to_vec();
        let larg = Larg { names, roles: 1, moves: true, formulas };
        // State 0 has a and c, state 1 has c alone and one move.
        let lanes = |bits: u64| std::array::from_fn(|word| if word == 0 { bits } else { 0 });
        let facts: Vec<[u64; GROUP]> = [0b01, 0b00, 0b11].map(lanes).to_vec();
        let mut out = vec![0.0; 3 * TOGETHER];
        larg.read(&Group { facts: &facts, moves: &[7, 1], states: 2 }, &mut out);
        assert_eq!((out[0], out[1]), (7f32.ln(), 0.0));
        assert_eq!((out[TOGETHER], out[TOGETHER + 1]), (1.0, 0.0));
        assert_eq!((out[2 * TOGETHER], out[2 * TOGETHER + 1]), (0.5, 0.0));
    }
}

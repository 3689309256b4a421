//! Numbers that are read off states in lanes: sums over facts, the nearest of some facts, the nearest two.

use crate::knowledge::{Group, TOGETHER};
use crate::weighted::Source;

/// How a number is read off a state.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Reading {
    /// The sum of what the facts that hold weigh.
    Sum(Vec<(u32, f32)>),
    /// The distance of the first fact that holds, or the last number.
    Nearest(Vec<(u32, f32)>, f32),
    /// The distance of the first two facts that both hold, or the last number.
    Pair(Vec<(u32, u32, f32)>, f32),
}

/// Numbers that are read off states, with their names.
pub(crate) struct Readings {
    /// The facts that they are read off.
    pub(crate) facts: Vec<String>,
    pub(crate) names: Vec<String>,
    readings: Vec<Reading>,
}

impl Readings {
    /// Nothing yet, of some facts.
    pub(crate) fn new(facts: Vec<String>) -> Self {
        Self { facts, names: Vec::new(), readings: Vec::new() }
    }

    /// One more feature, unless it says nothing.
    pub(crate) fn push(&mut self, name: String, reading: Reading) {
        let is_empty = match &reading {
            Reading::Sum(facts) => facts.iter().all(|fact| fact.1 == 0.0),
            Reading::Nearest(facts, _) => facts.is_empty(),
            Reading::Pair(pairs, _) => pairs.is_empty(),
        };
        if !is_empty && !self.readings.contains(&reading) {
            self.names.push(name);
            self.readings.push(reading);
        }
    }
}

impl Source for Readings {
    fn facts(&self) -> &[String] {
        &self.facts
    }

    fn wants_moves(&self) -> bool {
        false
    }

    fn names(&self) -> &[String] {
        &self.names
    }

    fn read(&self, group: &Group<'_>, out: &mut [f32]) {
        let words = group.states.div_ceil(64);
        for (reading, room) in self.readings.iter().zip(out.chunks_mut(TOGETHER)) {
            let mut each = |word: usize, mut bits: u64, with: &mut dyn FnMut(&mut f32)| {
                while bits != 0 {
                    with(&mut room[64 * word + bits.trailing_zeros() as usize]);
                    bits &= bits - 1;
                }
            };
            for word in 0..words {
                match reading {
                    Reading::Sum(facts) => {
                        for &(fact, weight) in facts {
                            each(word, group.facts[fact as usize][word], &mut |value| *value += weight);
                        }
                    }
                    Reading::Nearest(facts, most) => {
                        let mut open = u64::MAX;
                        for &(fact, distance) in facts {
                            let bits = group.facts[fact as usize][word] & open;
                            each(word, bits, &mut |value| *value = distance);
                            open &= !bits;
                        }
                        each(word, open, &mut |value| *value = *most);
                    }
                    Reading::Pair(pairs, most) => {
                        let mut open = u64::MAX;
                        for &(one, other, distance) in pairs {
                            let bits =
                                group.facts[one as usize][word] & group.facts[other as usize][word] & open;
                            each(word, bits, &mut |value| *value = distance);
                            open &= !bits;
                            if open == 0 {
                                break;
                            }
                        }
                        each(word, open, &mut |value| *value = *most);
                    }
                }
            }
        }
    }
}

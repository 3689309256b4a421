//! What is wanted of a game: its score, or what its memory says.

use rustc_hash::FxHashSet;

use super::lexicographic::Lexicographic;
use super::{MEMORY_BYTES, Memory};

/// A row of the table of objectives.
#[derive(Clone, Copy, Debug)]
pub struct ObjectiveRow {
    /// Its name.
    pub name: &'static str,
    /// What it wants.
    pub help: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// Makes one.
    pub make: fn() -> Objective,
}

/// All objectives.
pub const OBJECTIVES: &[ObjectiveRow] = &[
    ObjectiveRow {
        name: "score",
        help: "points",
        source: "Bellemare et al., The Arcade Learning Environment, 2013",
        make: || Objective::Score,
    },
    ObjectiveRow {
        name: "lexicographic",
        help: "memory that is greater by orderings of bytes in which play so far never went back",
        source: "Murphy, The First Level of Super Mario Bros. is Easy with Lexicographic Orderings, 2013",
        make: || Objective::Lexicographic(Box::default()),
    },
    ObjectiveRow {
        name: "novelty",
        help: "memory that has never been like this",
        source: "Piglet: Świechowski et al., Recent Advances in General Game Playing, 2015, section 5.2.3",
        make: || Objective::Novelty(FxHashSet::default()),
    },
];

/// What is wanted.
#[derive(Clone, Debug)]
pub enum Objective {
    /// Points.
    Score,
    /// Memory that is greater by orderings of bytes.
    Lexicographic(Box<Lexicographic>),
    /// Memory that is new: bytes and their values that were seen.
    Novelty(FxHashSet<u16>),
}

impl Objective {
    /// Learns from a state that the game was really in.
    pub fn observe(&mut self, memory: &Memory) {
        match self {
            Objective::Score => {}
            Objective::Lexicographic(orderings) => orderings.observe(memory),
            Objective::Novelty(seen) => seen.extend(atoms(memory)),
        }
    }

    /// What it is worth to come from one memory to another with some reward.
    pub fn gain(&self, from: &Memory, to: &Memory, reward: f64) -> f64 {
        match self {
            Objective::Score => reward,
            Objective::Lexicographic(orderings) => orderings.gain(from, to),
            Objective::Novelty(seen) => {
                let new = atoms(to).filter(|atom| !seen.contains(atom)).count();
                let changed = from.iter().zip(to).filter(|(before, now)| before != now).count();
                reward + (new as f64 + 0.1 * changed as f64) / MEMORY_BYTES as f64
            }
        }
    }
}

/// Bytes with their values.
pub(super) fn atoms(memory: &Memory) -> impl Iterator<Item = u16> + '_ {
    memory.iter().enumerate().map(|(place, value)| (place as u16) << 8 | u16::from(*value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory(place: usize, value: u8) -> Memory {
        let mut memory = [0; MEMORY_BYTES];
        memory[place] = value;
        memory
    }

    #[test]
    fn what_was_seen_is_not_new() {
        let mut objective = (OBJECTIVES[2].make)();
        objective.observe(&memory(3, 1));
        let (known, new) = (memory(3, 1), memory(3, 2));
        assert!(objective.gain(&known, &new, 0.0) > objective.gain(&new, &known, 0.0));
        assert_eq!(objective.gain(&known, &known, 0.0), 0.0);
    }
}

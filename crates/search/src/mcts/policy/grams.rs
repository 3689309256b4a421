//! How moves fared after the moves before them: averages of sequences of up to three moves.

use std::sync::Arc;

use game::{Choice, ContextWorth, MoveId, MoveWorth, RoleId};
use parking_lot::RwLock;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::Sequence;
use super::averages::Average;

/// Sequences beyond so many are not learnt, as they would take more memory than the tree.
const MOST_GRAMS: usize = 1 << 20;

/// The joint moves before a move of a role, and the move.
type Gram = (RoleId, SmallVec<[MoveId; 7]>);

/// The averages of sequences of two and more moves.
#[derive(Debug)]
pub(super) struct Grams {
    averages: FxHashMap<Gram, Average>,
    /// The moves of a sequence at most.
    longest: usize,
    /// What is kept of a sequence with every simulation in which it occurred.
    kept: f64,
}

impl Grams {
    pub(super) fn new(longest: usize, kept: f64) -> Self {
        Self { averages: FxHashMap::default(), longest, kept }
    }

    /// Learns from a simulation.
    pub(super) fn learn(&mut self, sequence: &Sequence<'_>) {
        let (moves, roles) = (sequence.moves, sequence.goals.len().max(1));
        for (step, joint) in sequence.joints().enumerate() {
            for length in 1..self.longest.min(step + 1) {
                let before = &moves[(step - length) * roles..step * roles];
                for ((role, &id), goal) in (0..).map(RoleId).zip(joint).zip(sequence.goals) {
                    let mut gram: Gram = (role, SmallVec::from_slice(before));
                    gram.1.push(id);
                    let average = match self.averages.len() < MOST_GRAMS {
                        true => self.averages.entry(gram).or_default(),
                        false => match self.averages.get_mut(&gram) {
                            Some(known) => known,
                            None => continue,
                        },
                    };
                    average.add(1.0, f64::from(goal.0), self.kept);
                }
            }
        }
    }

    pub(super) fn age(&mut self, decay: f64) {
        self.averages.values_mut().for_each(|average| average.age(decay));
    }
}

/// What moves are worth by how they and the sequences that they end fared: the mean over the lengths that
/// are known well enough. The move itself always counts.
#[derive(Clone, Debug)]
pub(super) struct GramWorth {
    pub(super) moves: Arc<MoveWorth>,
    /// Shared with who learns: playouts look up a few of very many.
    pub(super) grams: Arc<RwLock<Grams>>,
    /// How often a sequence has to be seen before it counts.
    pub(super) least: f64,
}

impl ContextWorth for GramWorth {
    fn worth(&self, choice: &Choice<'_>, worth: &mut Vec<f32>) {
        let roles = choice.roles.max(1);
        let grams = self.grams.read();
        let known = choice.before.len() / roles;
        let mut after: SmallVec<[Gram; 2]> = (1..grams.longest.min(known + 1))
            .map(|length| {
                let mut gram: Gram = (
                    choice.role,
                    SmallVec::from_slice(&choice.before[choice.before.len() - length * roles..]),
                );
                gram.1.push(MoveId(0));
                gram
            })
            .collect();
        for &id in choice.legal {
            let (mut sum, mut lengths) = (self.moves.of(choice.role, id), 1.0);
            for gram in &mut after {
                if let Some(last) = gram.1.last_mut() {
                    *last = id;
                }
                if let Some(average) = grams.averages.get(gram).filter(|one| one.count >= self.least) {
                    sum += average.mean() as f32;
                    lengths += 1.0;
                }
            }
            worth.push(sum / lengths);
        }
    }
}

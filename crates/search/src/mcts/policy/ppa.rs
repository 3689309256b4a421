//! Playout policy adaptation (Cazenave 2015): the moves of who won become more likely, and those it could have
//! made instead less.
//!
//! Every move of a role has a weight w and is made in proportion to exp(w). After a simulation each choice of a
//! winner adds `ppa_alpha` to the weight of the move made, and takes from every move that was legal the part of
//! `ppa_alpha` with which it would have been made.

use std::sync::Arc;

use engine::{Settings, Typed};
use game::{MoveId, MoveRecord, MoveWorth, RoleId, Sampler};
use rustc_hash::FxHashMap;

use super::decay::BY_MOVE;
use super::replies::winners;
use super::{Guide, Needs, Policy, PolicyRow, Sequence, Style, StyleWeights};

pub(super) const ROW: PolicyRow = PolicyRow {
    name: "ppa",
    help: "moves of winners become more likely, and what they could have done instead less",
    source: "Cazenave 2015",
    parameters: || vec![ALPHA.row(), BY_MOVE.row()],
    make: |settings| Box::new(Adaptation::new(settings)),
};

static ALPHA: Typed<f64> = Typed::<f64>::real(
    "ppa_alpha",
    1.0,
    0.0,
    100.0,
    "Cazenave 2015",
    "by how much the weight of a winner's move grows",
);

/// The weights of moves.
#[derive(Debug)]
struct Adaptation {
    weights: Arc<MoveWorth>,
    alpha: f32,
    decay: f32,
}

impl Adaptation {
    fn new(settings: &Settings) -> Self {
        let (alpha, decay) = (settings.of(&ALPHA) as f32, settings.of(&BY_MOVE) as f32);
        Self { weights: Arc::new(MoveWorth::new(0.0)), alpha, decay }
    }

    /// By how much the weights change after a simulation.
    fn changes(&self, sequence: &Sequence<'_>) -> FxHashMap<(RoleId, MoveId), f32> {
        let mut changes: FxHashMap<(RoleId, MoveId), f32> = FxHashMap::default();
        let roles = sequence.goals.len();
        for role in winners(sequence.goals) {
            for (step, joint) in sequence.joints().enumerate() {
                let legal = sequence.choices.get(step * roles + usize::from(role.0));
                if legal.len() < 2 {
                    continue;
                }
                *changes.entry((role, joint[usize::from(role.0)])).or_default() += self.alpha;
                let weight = |id: &MoveId| self.weights.of(role, *id);
                let best = legal.iter().map(weight).fold(f32::NEG_INFINITY, f32::max);
                let all: f32 = legal.iter().map(|id| (weight(id) - best).exp()).sum();
                for id in legal {
                    let share = (weight(id) - best).exp() / all;
                    *changes.entry((role, *id)).or_default() -= self.alpha * share;
                }
            }
        }
        changes
    }
}

impl Policy for Adaptation {
    fn needs(&self) -> Needs {
        Needs { sequences: true, choices: true, ..Needs::default() }
    }

    fn learn_playouts(&mut self, _: &MoveRecord) {}

    fn learn_move(&mut self, _: RoleId, _: MoveId, _: u32, _: f64) {}

    fn learn_sequence(&mut self, sequence: &Sequence<'_>) {
        // All of them by the weights of before.
        let changes = self.changes(sequence);
        let weights = Arc::make_mut(&mut self.weights);
        for ((role, id), change) in changes {
            weights.set(role, id, weights.of(role, id) + change);
        }
    }

    fn guide(&mut self) -> Guide {
        Guide::None
    }

    fn style(&mut self) -> Style {
        let weights = StyleWeights::ByMove(Arc::clone(&self.weights));
        Style { weights, sampler: Sampler::Gibbs { temperature: 1.0 } }
    }

    fn end_batch(&mut self, _: u64) {}

    fn age(&mut self) {
        if self.decay < 1.0 {
            Arc::make_mut(&mut self.weights).scale(self.decay);
        }
    }
}

#[cfg(test)]
mod tests {
    use game::{Goal, Lists};

    use super::*;

    #[test]
    fn weights_follow_the_winner() {
        let mut policy = Adaptation::new(&Settings::new((ROW.parameters)()));
        let mut choices = Lists::default();
        // The first role chooses between 1 and 2, the second one has no choice.
        choices.push([MoveId(1), MoveId(2)]);
        choices.push([MoveId(0)]);
        let facts = Lists::default();
        let sequence = |goals: &'static [Goal]| Sequence {
            moves: &[MoveId(1), MoveId(0)],
            goals,
            choices: &choices,
            facts: &facts,
            names: None,
            in_tree: 0,
        };
        policy.learn_sequence(&sequence(&[Goal(0), Goal(100)]));
        assert_eq!(policy.weights.of(RoleId(0), MoveId(1)), 0.0, "who lost learns nothing");
        policy.learn_sequence(&sequence(&[Goal(100), Goal(0)]));
        // 1 - 1/2 for the move made, -1/2 for the other.
        assert_eq!([1, 2].map(|id| policy.weights.of(RoleId(0), MoveId(id))), [0.5, -0.5]);
        policy.learn_sequence(&sequence(&[Goal(100), Goal(0)]));
        // Now it is made with 1 / (1 + e^-1) = 0.7311.
        let share = 1.0 / (1.0 + (-1f32).exp());
        let [one, two] = [1, 2].map(|id| policy.weights.of(RoleId(0), MoveId(id)));
        assert!((one - (1.5 - share)).abs() < 1e-6 && (two - (-0.5 - (1.0 - share))).abs() < 1e-6);
    }
}

//! The N-gram selection technique (Tak, Winands and Björnsson 2012): how a move fares depends on the moves
//! it answers.
//!
//! Beside the averages of moves those of sequences are kept: one or two joint moves and what a role does next,
//! over all simulations in which they followed each other, in the tree or in the playout. A move is worth the
//! mean of the averages of all lengths; a sequence that was seen fewer than `pair_visits` times does not count,
//! so what is left at first is MAST. The best move is made, and now and then any; or moves are drawn by Gibbs
//! sampling. Moves not tried yet in the tree are chosen by the same.

use std::sync::Arc;

use engine::{Parameter, Settings, Typed};
use game::{Context, MoveId, MoveRecord, RoleId, Sampler};
use parking_lot::RwLock;

use super::averages::Averages;
use super::decay::{self, Decay};
use super::grams::{GramWorth, Grams};
use super::mast::{EPSILON, TAU, UNSEEN};
use super::{Guide, GuideWorth, Needs, Policy, PolicyRow, Sequence, Style, StyleWeights};

pub(super) const ROW: PolicyRow = PolicyRow {
    name: "ngram",
    help: "moves that did well after the last ones, or else elsewhere; the best one or now and then any",
    source: "Tak, Winands and Björnsson 2012",
    parameters: || [rows(), vec![EPSILON.row()]].concat(),
    make: |settings| {
        let sampler = Sampler::EpsilonGreedy { epsilon: settings.of(&EPSILON) as f32 };
        Box::new(NGram::new(settings, sampler))
    },
};

pub(super) const GIBBS_ROW: PolicyRow = PolicyRow {
    name: "ngram-gibbs",
    help: "moves that did well after the last ones, or else elsewhere, by Gibbs sampling",
    source: "Tak, Winands and Björnsson 2012",
    parameters: rows,
    make: |settings| {
        let sampler = Sampler::Gibbs { temperature: settings.of(&TAU) as f32 };
        Box::new(NGram::new(settings, sampler))
    },
};

/// The rows of whoever knows how sequences fared.
pub(super) fn rows() -> Vec<Parameter> {
    [vec![LENGTH.row(), PAIR_VISITS.row(), TAU.row(), UNSEEN.row()], decay::rows()].concat()
}

static LENGTH: Typed<u32> = Typed::<u32>::whole(
    "gram_length",
    3,
    1,
    3,
    "Tak, Winands and Björnsson 2012",
    "how many moves a sequence has at most whose average is kept; 1 is MAST",
);

static PAIR_VISITS: Typed<u32> = Typed::<u32>::whole(
    "pair_visits",
    7,
    1,
    1_000_000,
    "Tak, Winands and Björnsson 2012",
    "how often moves have to follow each other before their average counts",
);

/// How moves and sequences of them fared.
#[derive(Debug)]
pub(super) struct NGram {
    moves: Averages,
    grams: Arc<RwLock<Grams>>,
    least: f64,
    temperature: f32,
    sampler: Sampler,
    decay: Decay,
}

impl NGram {
    pub(super) fn new(settings: &Settings, sampler: Sampler) -> Self {
        let decay = Decay::new(settings);
        let grams = Grams::new(settings.of(&LENGTH) as usize, decay.by_simulation);
        Self {
            moves: Averages::new(settings.of(&UNSEEN) as f32, decay.by_simulation),
            grams: Arc::new(RwLock::new(grams)),
            least: f64::from(settings.of(&PAIR_VISITS)),
            temperature: settings.of(&TAU) as f32,
            sampler,
            decay,
        }
    }

    /// What moves are worth at present.
    pub(super) fn worth(&mut self) -> GramWorth {
        GramWorth { moves: self.moves.worth(), grams: Arc::clone(&self.grams), least: self.least }
    }

    fn forget(&mut self, kept: f64) {
        self.moves.age(kept);
        self.grams.write().age(kept);
    }
}

impl Policy for NGram {
    fn needs(&self) -> Needs {
        Needs { moves: true, sequences: true, ..Needs::default() }
    }

    fn learn_playouts(&mut self, moves: &MoveRecord) {
        self.moves.learn(moves);
    }

    fn learn_move(&mut self, role: RoleId, id: MoveId, times: u32, goals: f64) {
        self.moves.add(role, id, f64::from(times), goals);
    }

    fn learn_sequence(&mut self, sequence: &Sequence<'_>) {
        self.grams.write().learn(sequence);
    }

    fn guide(&mut self) -> Guide {
        let worth = GuideWorth::AfterMoves(2, Arc::new(self.worth()));
        Guide::Gibbs { worth, temperature: self.temperature }
    }

    fn style(&mut self) -> Style {
        let weights = StyleWeights::InContext(Context::LastTwoMoves, Arc::new(self.worth()));
        Style { weights, sampler: self.sampler }
    }

    fn end_batch(&mut self, simulations: u64) {
        if let Some(kept) = self.decay.after(simulations) {
            self.forget(kept);
        }
    }

    fn age(&mut self) {
        self.forget(self.decay.by_move);
    }
}

#[cfg(test)]
mod tests {
    use game::{Choice, ContextWorth, Goal, Lists};

    use super::*;

    const ONE: RoleId = RoleId(0);

    fn policy() -> NGram {
        NGram::new(&Settings::new((ROW.parameters)()), Sampler::EpsilonGreedy { epsilon: 0.4 })
    }

    fn learn(policy: &mut NGram, moves: &[u32], goal: u8) {
        let moves: Vec<MoveId> = moves.iter().map(|&id| MoveId(id)).collect();
        let (choices, facts) = (Lists::default(), Lists::default());
        let sequence = Sequence {
            moves: &moves,
            goals: &[Goal(goal)],
            choices: &choices,
            facts: &facts,
            names: None,
            in_tree: 0,
        };
        policy.learn_sequence(&sequence);
    }

    fn worth_after(policy: &mut NGram, before: &[u32]) -> Vec<f32> {
        let before: Vec<MoveId> = before.iter().map(|&id| MoveId(id)).collect();
        let legal = [MoveId(1), MoveId(2)];
        let mut worth = Vec::new();
        policy.worth().worth(&Choice::new(ONE, 1, &legal, &before), &mut worth);
        worth
    }

    #[test]
    fn answers_count_once_they_are_known() {
        let mut policy = policy();
        policy.learn_move(ONE, MoveId(1), 10, 500.0);
        for _ in 0..6 {
            learn(&mut policy, &[9, 1, 2], 100);
        }
        assert_eq!(worth_after(&mut policy, &[9]), [50.0, 100.0], "six times are too few");
        learn(&mut policy, &[9, 1, 2], 100);
        assert_eq!(worth_after(&mut policy, &[9]), [75.0, 100.0]);
        assert_eq!(worth_after(&mut policy, &[1, 9]), [75.0, 100.0], "the last one counts");
        assert_eq!(worth_after(&mut policy, &[3]), [50.0, 100.0]);
        assert_eq!(worth_after(&mut policy, &[]), [50.0, 100.0], "out of context");
    }

    #[test]
    fn three_moves_count_as_one_more() {
        let mut policy = policy();
        policy.learn_move(ONE, MoveId(1), 10, 300.0);
        for _ in 0..7 {
            learn(&mut policy, &[8, 9, 1], 90);
            learn(&mut policy, &[7, 9, 1], 0);
        }
        // The move 30, after 9 the mean of 90 and 0, after 8 and 9 that of 90 alone.
        assert_eq!(worth_after(&mut policy, &[8, 9])[0], (30.0 + 45.0 + 90.0) / 3.0);
        assert_eq!(worth_after(&mut policy, &[7, 9])[0], (30.0 + 45.0 + 0.0) / 3.0);
        assert_eq!(worth_after(&mut policy, &[6, 9])[0], (30.0 + 45.0) / 2.0);
    }

    #[test]
    fn what_is_old_counts_less() {
        let mut policy = policy();
        policy.decay.by_move = 0.5;
        for _ in 0..14 {
            learn(&mut policy, &[9, 1], 0);
        }
        policy.age();
        assert_eq!(worth_after(&mut policy, &[9])[0], 50.0, "still seven: (100 + 0) / 2");
        policy.age();
        assert_eq!(worth_after(&mut policy, &[9])[0], 100.0, "too few by now");
    }
}

//! Move-average sampling (Finnsson and Björnsson 2008): a move that did well elsewhere is likely to
//! do well here.
//!
//! For every move of a role the mean goal of the role is kept over all simulations in which it was made,
//! in the tree or in the playout, whatever the position. Moves never made are taken to be worth
//! `unseen`. The paper samples by Gibbs; the greedy form (Tak, Winands and Björnsson 2012) takes the
//! best move and now and then any.

use engine::{Settings, Typed};
use game::{MoveId, MoveRecord, RoleId, Sampler};

use super::averages::Averages;
use super::{Guide, Needs, Policy, PolicyRow, Sequence, Style, StyleWeights};

pub(super) const ROW: PolicyRow = PolicyRow {
    name: "mast",
    help: "moves that did well elsewhere, by Gibbs sampling",
    source: "Finnsson and Björnsson 2008",
    parameters: || vec![TAU.row(), UNSEEN.row(), DECAY.row()],
    make: |settings| {
        let sampler = Sampler::Gibbs { temperature: settings.of(&TAU) as f32 };
        Box::new(Mast::new(settings, sampler))
    },
};

pub(super) const GREEDY_ROW: PolicyRow = PolicyRow {
    name: "mast-greedy",
    help: "moves that did well elsewhere, the best one or now and then any",
    source: "Tak, Winands and Björnsson 2012",
    parameters: || vec![TAU.row(), UNSEEN.row(), EPSILON.row(), DECAY.row()],
    make: |settings| {
        let sampler = Sampler::EpsilonGreedy { epsilon: settings.of(&EPSILON) as f32 };
        Box::new(Mast::new(settings, sampler))
    },
};

pub(super) static TAU: Typed<f64> = Typed::<f64>::real(
    "tau",
    10.0,
    0.01,
    10_000.0,
    "Finnsson and Björnsson 2008",
    "temperature of Gibbs sampling: the higher, the more random",
);

pub(super) static UNSEEN: Typed<f64> = Typed::<f64>::real(
    "unseen",
    100.0,
    0.0,
    100.0,
    "Finnsson and Björnsson 2008",
    "what a move never made is taken to be worth",
);

pub(super) static EPSILON: Typed<f64> = Typed::<f64>::real(
    "epsilon",
    0.4,
    0.0,
    1.0,
    "Tak, Winands and Björnsson 2012",
    "how often a greedy policy makes any move",
);

pub(super) static DECAY: Typed<f64> = Typed::<f64>::real(
    "decay",
    1.0,
    0.0,
    1.0,
    "Tak, Winands and Björnsson 2014",
    "what is kept of a policy's statistics after each move of the match",
);

/// How each move fared, and how one is drawn.
#[derive(Debug)]
struct Mast {
    averages: Averages,
    sampler: Sampler,
    temperature: f32,
    decay: f64,
}

impl Mast {
    fn new(settings: &Settings, sampler: Sampler) -> Self {
        Self {
            averages: Averages::new(settings.of(&UNSEEN) as f32),
            sampler,
            temperature: settings.of(&TAU) as f32,
            decay: settings.of(&DECAY),
        }
    }
}

impl Policy for Mast {
    fn needs(&self) -> Needs {
        Needs { moves: true, sequences: false }
    }

    fn learn_playouts(&mut self, moves: &MoveRecord) {
        self.averages.learn(moves);
    }

    fn learn_move(&mut self, role: RoleId, id: MoveId, times: u32, goals: f64) {
        self.averages.add(role, id, f64::from(times), goals);
    }

    fn learn_sequence(&mut self, _: &Sequence<'_>) {}

    fn guide(&mut self) -> Guide {
        Guide::Gibbs { worth: self.averages.worth(), temperature: self.temperature }
    }

    fn style(&mut self) -> Style {
        Style { weights: StyleWeights::ByMove(self.averages.worth()), sampler: self.sampler }
    }

    fn age(&mut self) {
        self.averages.age(self.decay);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: RoleId = RoleId(0);
    const OTHER: RoleId = RoleId(1);

    #[test]
    fn means_over_tree_and_playouts() {
        let mut mast = Mast::new(&Settings::default(), Sampler::Uniform);
        mast.learn_move(ONE, MoveId(2), 1, 100.0);
        let mut record = MoveRecord::default();
        record.add(ONE, MoveId(2), 3, 0);
        record.add(ONE, MoveId(0), 1, 50);
        mast.learn_playouts(&record);
        let worth = mast.averages.worth();
        assert_eq!([0, 1, 2].map(|id| worth.of(ONE, MoveId(id))), [50.0, 100.0, 25.0]);
    }

    #[test]
    fn what_a_move_brings_one_role_says_nothing_of_another() {
        let mut mast = Mast::new(&Settings::default(), Sampler::Uniform);
        mast.learn_move(ONE, MoveId(2), 1, 80.0);
        mast.learn_move(OTHER, MoveId(2), 1, 20.0);
        let worth = mast.averages.worth();
        assert_eq!([ONE, OTHER].map(|role| worth.of(role, MoveId(2))), [80.0, 20.0]);
    }

    #[test]
    fn age_keeps_means_and_forgets_counts() {
        let mut mast = Mast { decay: 0.5, ..Mast::new(&Settings::default(), Sampler::Uniform) };
        mast.learn_move(ONE, MoveId(0), 2, 120.0);
        mast.age();
        assert_eq!(mast.averages.worth().of(ONE, MoveId(0)), 60.0);
        mast.learn_move(ONE, MoveId(0), 1, 0.0);
        assert_eq!(mast.averages.worth().of(ONE, MoveId(0)), 30.0);
    }
}

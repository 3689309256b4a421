//! Move-average sampling (Finnsson and Björnsson 2008): a move that did well elsewhere is likely to
//! do well here.
//!
//! For every move of a role the mean goal of the role is kept over all simulations in which it was made,
//! in the tree or in the playout, whatever the position. Moves never made are taken to be worth
//! `unseen`. The paper samples by Gibbs; the greedy form (Tak, Winands and Björnsson 2012) takes the
//! best move and now and then any.

use engine::{Parameter, Settings, Typed};
use game::{MoveId, MoveRecord, RoleId, Sampler};

use super::averages::Averages;
use super::decay::{self, Decay};
use super::{Guide, GuideWorth, Needs, Policy, PolicyRow, Sequence, Style, StyleWeights};

pub(super) const ROW: PolicyRow = PolicyRow {
    name: "mast",
    help: "moves that did well elsewhere, by Gibbs sampling",
    source: "Finnsson and Björnsson 2008",
    parameters: rows,
    make: |settings| Box::new(Mast::new(settings, gibbs(settings), false)),
};

pub(super) const GREEDY_ROW: PolicyRow = PolicyRow {
    name: "mast-greedy",
    help: "moves that did well elsewhere, the best one or now and then any",
    source: "Tak, Winands and Björnsson 2012",
    parameters: || [rows(), vec![EPSILON.row()]].concat(),
    make: |settings| {
        let sampler = Sampler::EpsilonGreedy { epsilon: settings.of(&EPSILON) as f32 };
        Box::new(Mast::new(settings, sampler, false))
    },
};

pub(super) const TREE_ONLY_ROW: PolicyRow = PolicyRow {
    name: "to-mast",
    help: "moves that did well elsewhere in the tree, by Gibbs sampling; playouts teach nothing",
    source: "Finnsson and Björnsson 2010",
    parameters: || [vec![TAU.row(), UNSEEN.row()], decay::rows()].concat(),
    make: |settings| Box::new(Mast::new(settings, gibbs(settings), true)),
};

fn rows() -> Vec<Parameter> {
    [vec![TAU.row(), UNSEEN.row(), EVERY_OCCURRENCE.row()], decay::rows()].concat()
}

fn gibbs(settings: &Settings) -> Sampler {
    Sampler::Gibbs { temperature: settings.of(&TAU) as f32 }
}

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

static EVERY_OCCURRENCE: Typed<bool> = Typed::<bool>::flag(
    "every_occurrence",
    false,
    "Finnsson and Björnsson 2008",
    "whether a move counts as often as it was made in a simulation, not once; then playouts are made one by one",
);

pub(super) static EPSILON: Typed<f64> = Typed::<f64>::real(
    "epsilon",
    0.4,
    0.0,
    1.0,
    "Tak, Winands and Björnsson 2012",
    "how often a greedy policy makes any move",
);

/// How each move fared, and how one is drawn.
#[derive(Debug)]
struct Mast {
    averages: Averages,
    sampler: Sampler,
    temperature: f32,
    decay: Decay,
    /// Whether only moves in the tree teach.
    tree_only: bool,
    /// Whether a move counts as often as it was made in a simulation.
    every_occurrence: bool,
}

impl Mast {
    fn new(settings: &Settings, sampler: Sampler, tree_only: bool) -> Self {
        let decay = Decay::new(settings);
        Self {
            averages: Averages::new(settings.of(&UNSEEN) as f32, decay.by_simulation),
            sampler,
            temperature: settings.of(&TAU) as f32,
            decay,
            tree_only,
            every_occurrence: settings.of(&EVERY_OCCURRENCE),
        }
    }
}

impl Policy for Mast {
    fn needs(&self) -> Needs {
        let in_order = self.every_occurrence;
        Needs { moves: !in_order, sequences: in_order, ..Needs::default() }
    }

    fn learn_playouts(&mut self, moves: &MoveRecord) {
        if !self.tree_only {
            self.averages.learn(moves);
        }
    }

    fn learn_move(&mut self, role: RoleId, id: MoveId, times: u32, goals: f64) {
        self.averages.add(role, id, f64::from(times), goals);
    }

    fn learn_sequence(&mut self, sequence: &Sequence<'_>) {
        if !self.every_occurrence {
            return;
        }
        for joint in sequence.joints() {
            for ((role, &id), goal) in (0..).map(RoleId).zip(joint).zip(sequence.goals) {
                self.averages.add(role, id, 1.0, f64::from(goal.0));
            }
        }
    }

    fn guide(&mut self) -> Guide {
        let worth = GuideWorth::ByMove(self.averages.worth());
        Guide::Gibbs { worth, temperature: self.temperature }
    }

    fn style(&mut self) -> Style {
        Style { weights: StyleWeights::ByMove(self.averages.worth()), sampler: self.sampler }
    }

    fn end_batch(&mut self, simulations: u64) {
        if let Some(kept) = self.decay.after(simulations) {
            self.averages.age(kept);
        }
    }

    fn age(&mut self) {
        self.averages.age(self.decay.by_move);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: RoleId = RoleId(0);
    const OTHER: RoleId = RoleId(1);

    fn uniform_mast(tree_only: bool) -> Mast {
        Mast::new(&Settings::new((ROW.parameters)()), Sampler::Uniform, tree_only)
    }

    #[test]
    fn only_the_tree_may_teach() {
        let mut mast = uniform_mast(true);
        let mut record = MoveRecord::default();
        record.add(ONE, MoveId(0), 1, 50);
        mast.learn_playouts(&record);
        mast.learn_move(ONE, MoveId(1), 2, 80.0);
        let worth = mast.averages.worth();
        assert_eq!([0, 1].map(|id| worth.of(ONE, MoveId(id))), [100.0, 40.0]);
    }

    #[test]
    fn every_occurrence_may_count() {
        let mut mast = uniform_mast(false);
        mast.every_occurrence = true;
        let (choices, facts) = (game::Lists::default(), game::Lists::default());
        for (moves, goal) in [(&[MoveId(1), MoveId(1), MoveId(2)][..], 90), (&[MoveId(1)], 30)] {
            let goals = [game::Goal(goal)];
            let sequence =
                Sequence { moves, goals: &goals, choices: &choices, facts: &facts, names: None, in_tree: 0 };
            mast.learn_sequence(&sequence);
        }
        // (90 + 90 + 30) / 3.
        assert_eq!([1, 2].map(|id| mast.averages.worth().of(ONE, MoveId(id))), [70.0, 90.0]);
    }

    #[test]
    fn means_over_tree_and_playouts() {
        let mut mast = uniform_mast(false);
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
        let mut mast = uniform_mast(false);
        mast.learn_move(ONE, MoveId(2), 1, 80.0);
        mast.learn_move(OTHER, MoveId(2), 1, 20.0);
        let worth = mast.averages.worth();
        assert_eq!([ONE, OTHER].map(|role| worth.of(role, MoveId(2))), [80.0, 20.0]);
    }

    #[test]
    fn age_keeps_means_and_forgets_counts() {
        let mut mast = uniform_mast(false);
        mast.decay.by_move = 0.5;
        mast.learn_move(ONE, MoveId(0), 2, 120.0);
        mast.age();
        assert_eq!(mast.averages.worth().of(ONE, MoveId(0)), 60.0);
        mast.learn_move(ONE, MoveId(0), 1, 0.0);
        assert_eq!(mast.averages.worth().of(ONE, MoveId(0)), 30.0);
    }
}

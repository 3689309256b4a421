//! Move-average sampling (Finnsson and Björnsson 2008): a move that did well elsewhere is likely to
//! do well here.
//!
//! For every move of a role the mean goal of the role is kept over all simulations in which it was made,
//! in the tree or in the playout, whatever the position. Moves never made are taken to be worth
//! `unseen`. The paper samples by Gibbs; the greedy form (Tak, Winands and Björnsson 2012) takes the
//! best move and now and then any.

use std::sync::Arc;

use game::{MoveId, MoveRecord, MoveWorth, RoleId};

use super::{Guide, Policy, Style};
use crate::Parameters;

/// How each move fared.
#[derive(Debug)]
pub(super) struct Mast {
    averages: Averages,
    temperature: f32,
    epsilon: Option<f32>,
    decay: f64,
}

/// The mean goal of each move of each role.
#[derive(Debug)]
struct Averages {
    roles: Vec<Vec<Average>>,
    unseen: f32,
    /// The means, until something is learned.
    worth: Option<Arc<MoveWorth>>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Average {
    count: f64,
    sum: f64,
}

impl Averages {
    fn new(unseen: f32) -> Self {
        Self { roles: Vec::new(), unseen, worth: None }
    }

    fn add(&mut self, role: RoleId, id: MoveId, count: f64, sum: f64) {
        let (role, index) = (usize::from(role.0), id.0 as usize);
        if role >= self.roles.len() {
            self.roles.resize_with(role + 1, Vec::new);
        }
        let moves = &mut self.roles[role];
        if index >= moves.len() {
            moves.resize(index + 1, Average::default());
        }
        moves[index].count += count;
        moves[index].sum += sum;
        self.worth = None;
    }

    fn worth(&mut self) -> Arc<MoveWorth> {
        let Self { roles, unseen, worth } = self;
        Arc::clone(worth.get_or_insert_with(|| {
            let mut worth = MoveWorth::new(*unseen);
            for (role, moves) in (0..).map(RoleId).zip(roles) {
                for (id, average) in (0..).map(MoveId).zip(moves).filter(|(_, average)| average.count > 0.0) {
                    worth.set(role, id, (average.sum / average.count) as f32);
                }
            }
            Arc::new(worth)
        }))
    }

    fn age(&mut self, decay: f64) {
        for average in self.roles.iter_mut().flatten() {
            average.count *= decay;
            average.sum *= decay;
        }
        self.worth = None;
    }
}

impl Mast {
    pub(super) fn gibbs(parameters: &Parameters) -> Self {
        Self {
            averages: Averages::new(parameters.unseen as f32),
            temperature: parameters.tau as f32,
            epsilon: None,
            decay: parameters.decay,
        }
    }

    pub(super) fn greedy(parameters: &Parameters) -> Self {
        Self { epsilon: Some(parameters.epsilon as f32), ..Self::gibbs(parameters) }
    }
}

impl Policy for Mast {
    fn wants_moves(&self) -> bool {
        true
    }

    fn learn_playouts(&mut self, moves: &MoveRecord) {
        for (role, id, fared) in moves.iter() {
            self.averages.add(role, id, f64::from(fared.playouts), fared.goals as f64);
        }
    }

    fn learn_move(&mut self, role: RoleId, id: MoveId, times: u32, goals: f64) {
        self.averages.add(role, id, f64::from(times), goals);
    }

    fn guide(&mut self) -> Guide {
        Guide::Gibbs { worth: self.averages.worth(), temperature: self.temperature }
    }

    fn style(&mut self) -> Style {
        let worth = self.averages.worth();
        match self.epsilon {
            Some(epsilon) => Style::Greedy { worth, epsilon },
            None => Style::Gibbs { worth, temperature: self.temperature },
        }
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
        let mut mast = Mast::gibbs(&Parameters::default());
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
        let mut mast = Mast::gibbs(&Parameters::default());
        mast.learn_move(ONE, MoveId(2), 1, 80.0);
        mast.learn_move(OTHER, MoveId(2), 1, 20.0);
        let worth = mast.averages.worth();
        assert_eq!([ONE, OTHER].map(|role| worth.of(role, MoveId(2))), [80.0, 20.0]);
    }

    #[test]
    fn age_keeps_means_and_forgets_counts() {
        let mut mast = Mast::greedy(&Parameters { decay: 0.5, ..Parameters::default() });
        mast.learn_move(ONE, MoveId(0), 2, 120.0);
        mast.age();
        assert_eq!(mast.averages.worth().of(ONE, MoveId(0)), 60.0);
        mast.learn_move(ONE, MoveId(0), 1, 0.0);
        assert_eq!(mast.averages.worth().of(ONE, MoveId(0)), 30.0);
    }
}

//! The mean goal of each move.

use std::sync::Arc;

use game::{MoveId, MoveRecord, MoveWorth, RoleId};

/// The mean goal of each move of each role.
#[derive(Debug)]
pub(super) struct Averages {
    roles: Vec<Vec<Average>>,
    unseen: f32,
    /// What is kept of a move with every simulation in which it was made.
    kept: f64,
    /// The means, until something is learned.
    worth: Option<Arc<MoveWorth>>,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Average {
    pub(super) count: f64,
    pub(super) sum: f64,
}

impl Average {
    pub(super) fn mean(self) -> f64 {
        self.sum / self.count
    }

    /// Adds simulations and the sum of their goals; `kept` is kept of all before with each of them. Those
    /// that come together are taken to be alike.
    pub(super) fn add(&mut self, count: f64, sum: f64, kept: f64) {
        let (mut count, mut sum, mut part) = (count, sum, 1.0);
        if kept < 1.0 && count > 0.0 {
            part = kept.powf(count);
            let weight = (1.0 - part) / (1.0 - kept);
            (count, sum) = (weight, weight * sum / count);
        }
        self.count = self.count * part + count;
        self.sum = self.sum * part + sum;
    }

    pub(super) fn age(&mut self, decay: f64) {
        self.count *= decay;
        self.sum *= decay;
    }
}

impl Averages {
    pub(super) fn new(unseen: f32, kept: f64) -> Self {
        Self { roles: Vec::new(), unseen, kept, worth: None }
    }

    pub(super) fn add(&mut self, role: RoleId, id: MoveId, count: f64, sum: f64) {
        let (role, index) = (usize::from(role.0), id.0 as usize);
        if role >= self.roles.len() {
            self.roles.resize_with(role + 1, Vec::new);
        }
        let moves = &mut self.roles[role];
        if index >= moves.len() {
            moves.resize(index + 1, Average::default());
        }
        moves[index].add(count, sum, self.kept);
        self.worth = None;
    }

    pub(super) fn worth(&mut self) -> Arc<MoveWorth> {
        let Self { roles, unseen, worth, .. } = self;
        let mean = |average: &Average| match average.count > 0.0 {
            true => average.mean() as f32,
            false => *unseen,
        };
        Arc::clone(worth.get_or_insert_with(|| {
            let roles = roles.iter().map(|moves| moves.iter().map(mean).collect()).collect();
            Arc::new(MoveWorth::of_roles(roles, *unseen))
        }))
    }

    /// What is known counts less.
    pub(super) fn age(&mut self, decay: f64) {
        self.roles.iter_mut().flatten().for_each(|average| average.age(decay));
        self.worth = None;
    }

    /// Adds how moves fared in playouts.
    pub(super) fn learn(&mut self, moves: &MoveRecord) {
        for (role, id, fared) in moves.iter() {
            self.add(role, id, f64::from(fared.playouts), fared.goals as f64);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn with_decay_the_last_results_count_most() {
        let mut average = Average::default();
        average.add(1.0, 80.0, 0.5);
        average.add(1.0, 20.0, 0.5);
        // (80/2 + 20) / (1/2 + 1).
        assert_eq!((average.count, average.mean()), (1.5, 40.0));
        let mut together = Average::default();
        together.add(2.0, 100.0, 0.5);
        // Two of 50 each: (50/2 + 50) / (1/2 + 1).
        assert_eq!((together.count, together.mean()), (1.5, 50.0));
        together.add(0.0, 0.0, 0.5);
        assert_eq!(together.count, 1.5);
    }
}

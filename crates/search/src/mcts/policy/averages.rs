//! The mean goal of each move.

use std::sync::Arc;

use game::{MoveId, MoveRecord, MoveWorth, RoleId};

/// The mean goal of each move of each role.
#[derive(Debug)]
pub(super) struct Averages {
    roles: Vec<Vec<Average>>,
    unseen: f32,
    /// The means, until something is learned.
    worth: Option<Arc<MoveWorth>>,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Average {
    pub(super) count: f64,
    pub(super) sum: f64,
}

impl Averages {
    pub(super) fn new(unseen: f32) -> Self {
        Self { roles: Vec::new(), unseen, worth: None }
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
        moves[index].count += count;
        moves[index].sum += sum;
        self.worth = None;
    }

    pub(super) fn worth(&mut self) -> Arc<MoveWorth> {
        let Self { roles, unseen, worth } = self;
        let mean = |average: &Average| match average.count > 0.0 {
            true => (average.sum / average.count) as f32,
            false => *unseen,
        };
        Arc::clone(worth.get_or_insert_with(|| {
            let roles = roles.iter().map(|moves| moves.iter().map(mean).collect()).collect();
            Arc::new(MoveWorth::of_roles(roles, *unseen))
        }))
    }

    /// What is known counts less.
    pub(super) fn age(&mut self, decay: f64) {
        for average in self.roles.iter_mut().flatten() {
            average.count *= decay;
            average.sum *= decay;
        }
        self.worth = None;
    }

    /// Adds how moves fared in playouts.
    pub(super) fn learn(&mut self, moves: &MoveRecord) {
        for (role, id, fared) in moves.iter() {
            self.add(role, id, f64::from(fared.playouts), fared.goals as f64);
        }
    }
}

//! How moves fared, and what they are taken to be worth.
//!
//! Both are kept by role and move. A machine may give the same number to the moves of several roles, if
//! they have the same text: what is good for one of them is often bad for the other.

use crate::{MoveId, RoleId};

/// How each move fared in the playouts in which its role made it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MoveRecord {
    roles: Vec<RoleRecord>,
}

/// The moves of one role, by their numbers.
#[derive(Clone, Debug, Default, PartialEq)]
struct RoleRecord {
    playouts: Vec<u32>,
    goals: Vec<u64>,
}

/// How one move of a role fared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fared {
    /// In how many playouts the role made it, at least once.
    pub playouts: u32,
    /// The goals of the role in these playouts, summed.
    pub goals: u64,
}

impl MoveRecord {
    /// Forgets everything and makes ready for a game with some roles.
    pub fn reset(&mut self, roles: usize) {
        self.roles.resize_with(roles, RoleRecord::default);
        for role in &mut self.roles {
            role.playouts.clear();
            role.goals.clear();
        }
    }

    /// Adds playouts in which a role made a move.
    pub fn add(&mut self, role: RoleId, id: MoveId, playouts: u32, goals: u64) {
        let (role, index) = (usize::from(role.0), id.0 as usize);
        if role >= self.roles.len() {
            self.roles.resize_with(role + 1, RoleRecord::default);
        }
        let record = &mut self.roles[role];
        if index >= record.playouts.len() {
            record.playouts.resize(index + 1, 0);
            record.goals.resize(index + 1, 0);
        }
        record.playouts[index] += playouts;
        record.goals[index] += goals;
    }

    /// How a move of a role fared.
    pub fn of(&self, role: RoleId, id: MoveId) -> Fared {
        let known = self.roles.get(usize::from(role.0)).and_then(|record| {
            let index = id.0 as usize;
            Some(Fared { playouts: *record.playouts.get(index)?, goals: *record.goals.get(index)? })
        });
        known.unwrap_or_default()
    }

    /// All moves that were made, role by role, in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (RoleId, MoveId, Fared)> + '_ {
        (0..).map(RoleId).zip(&self.roles).flat_map(|(role, record)| {
            let fared = record.playouts.iter().zip(&record.goals);
            let fared = fared.map(|(&playouts, &goals)| Fared { playouts, goals });
            let made = (0..).map(MoveId).zip(fared).filter(|(_, fared)| fared.playouts > 0);
            made.map(move |(id, fared)| (role, id, fared))
        })
    }

    /// Whether no move was made.
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }
}

/// What each move of each role is taken to be worth; moves that nothing is known of have one worth.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MoveWorth {
    roles: Vec<Vec<f32>>,
    unseen: f32,
}

impl MoveWorth {
    /// All moves are worth the same.
    pub fn new(unseen: f32) -> Self {
        Self { roles: Vec::new(), unseen }
    }

    /// The worth of each role's moves by their numbers; `unseen` is that of all others.
    pub fn of_roles(roles: Vec<Vec<f32>>, unseen: f32) -> Self {
        Self { roles, unseen }
    }

    /// Says what a move is worth to a role.
    pub fn set(&mut self, role: RoleId, id: MoveId, worth: f32) {
        let (role, index) = (usize::from(role.0), id.0 as usize);
        if role >= self.roles.len() {
            self.roles.resize_with(role + 1, Vec::new);
        }
        let moves = &mut self.roles[role];
        if index >= moves.len() {
            moves.resize(index + 1, self.unseen);
        }
        moves[index] = worth;
    }

    /// Takes a part of the worth of every move.
    pub fn scale(&mut self, part: f32) {
        self.roles.iter_mut().flatten().for_each(|worth| *worth *= part);
        self.unseen *= part;
    }

    /// What a move is worth to a role.
    pub fn of(&self, role: RoleId, id: MoveId) -> f32 {
        let known = self.roles.get(usize::from(role.0)).and_then(|moves| moves.get(id.0 as usize));
        known.copied().unwrap_or(self.unseen)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_are_kept_apart() {
        let mut record = MoveRecord::default();
        record.reset(2);
        record.add(RoleId(0), MoveId(7), 2, 200);
        record.add(RoleId(1), MoveId(7), 3, 0);
        assert_eq!(record.of(RoleId(0), MoveId(7)), Fared { playouts: 2, goals: 200 });
        assert_eq!(record.of(RoleId(1), MoveId(7)), Fared { playouts: 3, goals: 0 });
        assert_eq!(record.of(RoleId(2), MoveId(7)), Fared::default());
        let made: Vec<(u16, u32)> = record.iter().map(|(role, id, _)| (role.0, id.0)).collect();
        assert_eq!(made, [(0, 7), (1, 7)]);
        record.reset(2);
        assert!(record.is_empty());
    }

    #[test]
    fn what_is_not_known_has_one_worth() {
        let mut worth = MoveWorth::new(50.0);
        worth.set(RoleId(1), MoveId(2), 80.0);
        assert_eq!([0, 1].map(|role| worth.of(RoleId(role), MoveId(2))), [50.0, 80.0]);
        assert_eq!([0, 9].map(|id| worth.of(RoleId(1), MoveId(id))), [50.0, 50.0]);
    }
}

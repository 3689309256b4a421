//! What became of playouts.

use crate::{Goal, MoveRecord};

/// What became of playouts, in the order of the jobs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcomes {
    roles: usize,
    lengths: Vec<u32>,
    cut: Vec<bool>,
    goals: Vec<Goal>,
    /// How moves fared, if that was asked for.
    pub moves: MoveRecord,
}

impl Outcomes {
    /// Starts over, with room for some playouts of a game with some roles.
    pub fn reset(&mut self, roles: usize, playouts: usize) {
        self.roles = roles;
        self.lengths.clear();
        self.lengths.resize(playouts, 0);
        self.cut.clear();
        self.cut.resize(playouts, false);
        self.goals.clear();
        self.goals.resize(playouts * roles, Goal(0));
        self.moves.reset(roles);
    }

    /// The number of playouts.
    pub fn len(&self) -> usize {
        self.lengths.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.lengths.is_empty()
    }

    /// The number of joint moves of a playout; 0 if it began where the game is over.
    pub fn length(&self, playout: usize) -> u32 {
        self.lengths[playout]
    }

    /// Whether a playout was cut: its goals are those of a state that is not terminal.
    pub fn is_cut(&self, playout: usize) -> bool {
        self.cut[playout]
    }

    /// The goals of a playout, role by role: no goal counts 0, of several the highest.
    pub fn goals(&self, playout: usize) -> &[Goal] {
        &self.goals[playout * self.roles..(playout + 1) * self.roles]
    }

    /// Says how long a playout was, and whether it was cut.
    pub fn set_length(&mut self, playout: usize, length: u32, cut: bool) {
        self.lengths[playout] = length;
        self.cut[playout] = cut;
    }

    /// Says that a role reached a goal in a playout; the highest counts.
    pub fn raise(&mut self, playout: usize, role: usize, goal: Goal) {
        let known = &mut self.goals[playout * self.roles + role];
        *known = (*known).max(goal);
    }

    /// Says that a playout ended like another.
    pub fn repeat(&mut self, from: usize, to: usize) {
        self.lengths[to] = self.lengths[from];
        self.cut[to] = self.cut[from];
        self.goals.copy_within(from * self.roles..(from + 1) * self.roles, to * self.roles);
    }
}

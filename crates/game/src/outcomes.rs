//! What became of playouts.

use crate::{Goal, MoveId, MoveRecord};

/// What became of playouts, in the order of the jobs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcomes {
    roles: usize,
    lengths: Vec<u32>,
    cut: Vec<bool>,
    settled: Vec<bool>,
    goals: Vec<Goal>,
    /// How moves fared, if that was asked for.
    pub moves: MoveRecord,
    /// The moves of each playout in order, if that was asked for.
    pub sequences: Sequences,
}

/// The moves of playouts in the order in which they were made.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sequences {
    moves: Vec<MoveId>,
    /// Where those of each playout end.
    ends: Vec<usize>,
}

impl Sequences {
    /// Forgets all.
    pub fn clear(&mut self) {
        self.moves.clear();
        self.ends.clear();
    }

    /// Adds the joint moves of the next playout.
    pub fn push(&mut self, moves: &[MoveId]) {
        self.moves.extend_from_slice(moves);
        self.ends.push(self.moves.len());
    }

    /// The joint moves of a playout, one after the other, one move a role; none if they were not asked for.
    pub fn of(&self, playout: usize) -> &[MoveId] {
        let Some(&end) = self.ends.get(playout) else { return &[] };
        let start = playout.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.moves[start..end]
    }
}

impl Outcomes {
    /// Starts over, with room for some playouts of a game with some roles.
    pub fn reset(&mut self, roles: usize, playouts: usize) {
        self.roles = roles;
        self.lengths.clear();
        self.lengths.resize(playouts, 0);
        self.cut.clear();
        self.cut.resize(playouts, false);
        self.settled.clear();
        self.settled.resize(playouts, false);
        self.goals.clear();
        self.goals.resize(playouts * roles, Goal(0));
        self.moves.reset(roles);
        self.sequences.clear();
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

    /// Whether the goals of a playout are those of its start with best play: moves that decide were looked
    /// for ([`Narrowed::is_settled`](crate::Narrowed)), and the first step was one. What is not known of a
    /// start in which nobody chooses alone is not said.
    pub fn is_settled(&self, playout: usize) -> bool {
        self.settled[playout]
    }

    /// Says that a playout began where its outcome is certain.
    pub fn set_settled(&mut self, playout: usize) {
        self.settled[playout] = true;
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

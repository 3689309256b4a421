//! A node of a tree, and how a role chooses there.

use game::{Dice, MoveId};
use machine::circuit::CircuitState;
use rustc_hash::FxHashMap;

use crate::verdict::Sight;

/// The factor of the exploration term, for values from 0 to 1.
const EXPLORATION: f32 = 0.4;

/// How a move fared.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Fared {
    pub(crate) visits: u32,
    pub(crate) sum: f32,
}

impl Fared {
    pub(crate) fn mean(self) -> Option<f32> {
        (self.visits > 0).then(|| self.sum / self.visits as f32)
    }
}

/// What is known of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    /// Its state is not known yet.
    New,
    /// The part goes on.
    Open,
    /// It does not.
    Over,
}

/// A state of the part, and what was tried there.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) state: CircuitState,
    pub(crate) sight: Sight,
    pub(crate) status: Status,
    pub(crate) visits: u32,
    /// The moves of all roles, one role after the other, and how they fared.
    pub(crate) moves: Box<[(MoveId, Fared)]>,
    /// Where the moves of each role end.
    pub(crate) ends: Box<[u32]>,
    /// By the places of the joint move.
    pub(crate) children: FxHashMap<u64, u32>,
}

impl Node {
    /// Where the moves of a role are.
    pub(crate) fn of_role(&self, role: usize) -> std::ops::Range<usize> {
        let start = if role == 0 { 0 } else { self.ends[role - 1] };
        start as usize..self.ends[role] as usize
    }
}

/// The place of the move that is tried next: any that was not tried yet, else by UCB1.
pub(crate) fn choose(moves: &[(MoveId, Fared)], visits: u32, dice: &mut Dice) -> usize {
    if moves.len() == 1 {
        return 0;
    }
    let untried = moves.iter().filter(|(_, fared)| fared.visits == 0).count();
    if untried > 0 {
        let wanted = dice.below(untried);
        let mut places = (0..moves.len()).filter(|&place| moves[place].1.visits == 0);
        return places.nth(wanted).unwrap_or(0);
    }
    let log = (visits.max(1) as f32).ln();
    let score = |fared: Fared| {
        let visits = fared.visits as f32;
        fared.sum / visits + EXPLORATION * (log / visits).sqrt()
    };
    let mut best = (0, f32::MIN);
    for (place, (_, fared)) in moves.iter().enumerate() {
        let score = score(*fared);
        if score > best.1 {
            best = (place, score);
        }
    }
    best.0
}

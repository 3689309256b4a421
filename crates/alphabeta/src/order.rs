//! Which moves are looked at first: those that were best in other positions (the history heuristic, Schaeffer 1983),
//! and those that refuted others at the same distance from the root (killer moves, Akl and Newborn 1977).

use game::{MoveId, RoleId};

/// Places for moves. Moves that share one only spoil the order.
const PLACES: usize = 1 << 15;

/// Beyond this all is halved: what was good long ago counts less.
const MOST: u32 = 1 << 24;

/// Killer moves of one distance.
const KILLERS: usize = 2;

/// What is known of moves, whatever the position.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    history: Vec<u32>,
    /// The most of them.
    highest: u32,
    /// By distance from the root.
    killers: Vec<[u64; KILLERS]>,
}

/// A name for the moves of some roles, never 0.
pub(crate) fn name(moves: impl IntoIterator<Item = (RoleId, MoveId)>) -> u64 {
    let mix = |name: u64, (role, id): (RoleId, MoveId)| {
        (name.rotate_left(7) ^ (u64::from(id.0) << 16 | u64::from(role.0)))
            .wrapping_mul(0x9E37_79B9_7F4A_7C15)
    };
    moves.into_iter().fold(1, mix) | 1
}

fn place(role: RoleId, id: MoveId) -> usize {
    // Numbers of moves are dense on most machines: neighbours stay apart.
    (id.0 as usize ^ (usize::from(role.0) << 11) ^ (id.0 as usize >> 15)) & (PLACES - 1)
}

impl Order {
    pub(crate) fn new() -> Self {
        Self { history: vec![0; PLACES], highest: 1, killers: Vec::new() }
    }

    /// What the history of a move says, from 0 to 1: that of the best move.
    pub(crate) fn history(&self, role: RoleId, id: MoveId) -> f64 {
        f64::from(self.history[place(role, id)]) / f64::from(self.highest)
    }

    /// Says that a move was best in a position that was looked at to a depth.
    pub(crate) fn praise(&mut self, role: RoleId, id: MoveId, depth: u16) {
        let depth = u32::from(depth).min(1000);
        let count = &mut self.history[place(role, id)];
        *count += depth * depth;
        self.highest = self.highest.max(*count);
        if self.highest > MOST {
            self.grow_old();
        }
    }

    /// Lets what was good count half.
    pub(crate) fn grow_old(&mut self) {
        self.history.iter_mut().for_each(|count| *count /= 2);
        self.highest = (self.highest / 2).max(1);
    }

    /// Whether moves of a name refuted others at a distance from the root.
    pub(crate) fn is_killer(&self, distance: usize, name: u64) -> bool {
        self.killers.get(distance).is_some_and(|killers| killers.contains(&name))
    }

    /// Says that they did.
    pub(crate) fn kill(&mut self, distance: usize, name: u64) {
        if self.killers.len() <= distance {
            self.killers.resize(distance + 1, [0; KILLERS]);
        }
        let killers = &mut self.killers[distance];
        if killers[0] != name {
            killers.rotate_right(1);
            killers[0] = name;
        }
    }

    /// The root is another one.
    pub(crate) fn forget_killers(&mut self) {
        self.killers.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_best_more_often_and_deeper_comes_first() {
        let mut order = Order::new();
        let (role, other) = (RoleId(0), RoleId(1));
        (0..3).for_each(|_| order.praise(role, MoveId(7), 2));
        order.praise(role, MoveId(8), 4);
        let history = |order: &Order, id| order.history(role, MoveId(id));
        assert!(history(&order, 8) > history(&order, 7) && history(&order, 7) > history(&order, 9));
        assert_eq!(order.history(other, MoveId(7)), 0.0);
        (0..1000).for_each(|_| order.praise(role, MoveId(8), 1000));
        assert_eq!(history(&order, 8), 1.0);
    }

    #[test]
    fn the_last_two_killers_are_known() {
        let mut order = Order::new();
        let names: Vec<u64> = (0..3).map(|id| name([(RoleId(0), MoveId(id))])).collect();
        names.iter().for_each(|&name| order.kill(4, name));
        order.kill(4, names[2]);
        assert_eq!(
            names.iter().map(|&name| order.is_killer(4, name)).collect::<Vec<_>>(),
            [false, true, true]
        );
        assert!(!order.is_killer(3, names[2]) && !order.is_killer(4, 0));
    }
}

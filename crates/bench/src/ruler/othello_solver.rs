//! How a game of Othello ends with best play, from some squares before the end: yes-or-no questions with a table. As
//! nothing is decided before, every line is followed to its end.

use super::othello::{Othello, playable, turned};
use super::{HandGame, Judge};

/// With fewer empty squares moves are not put into an order, and nothing is kept in the table: it takes longer than it
/// saves.
const FEW: u32 = 6;

/// What is known of a position: who is to move gets at least and at most so much, of -1, 0 and 1.
#[derive(Clone, Copy)]
struct Entry {
    own: u64,
    other: u64,
    least: i8,
    most: i8,
}

/// A solver with a table of its own.
pub struct OthelloSolver {
    table: Vec<Entry>,
    limit: u64,
    looked_at: u64,
}

impl std::fmt::Debug for OthelloSolver {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("OthelloSolver").field("limit", &self.limit).finish_non_exhaustive()
    }
}

impl OthelloSolver {
    /// With a table of 2^`bits` entries, and no more than `limit` positions for one value.
    pub fn new(bits: u32, limit: u64) -> Self {
        let empty = Entry { own: 0, other: 0, least: -1, most: 1 };
        Self { table: vec![empty; 1 << bits], limit, looked_at: 0 }
    }

    fn slot(&self, own: u64, other: u64) -> usize {
        let mixed = own.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ other.wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
        (mixed ^ mixed >> 32) as usize & (self.table.len() - 1)
    }

    /// Whether who has `own` and is to move gets more than `bound`. `None` if it takes too long.
    fn is_above(&mut self, own: u64, other: u64, bound: i8) -> Option<bool> {
        self.looked_at += 1;
        if self.looked_at > self.limit {
            return None;
        }
        let mut squares = playable(own, other);
        if squares == 0 {
            if playable(other, own) == 0 {
                let result = own.count_ones().cmp(&other.count_ones()) as i8;
                return Some(result > bound);
            }
            return self.is_above(other, own, -bound - 1).map(|is_above| !is_above);
        }
        if (!(own | other)).count_ones() < FEW {
            while squares != 0 {
                let placed = squares & squares.wrapping_neg();
                squares ^= placed;
                let turned = turned(own, other, placed);
                if !self.is_above(other & !turned, own | turned | placed, -bound - 1)? {
                    return Some(true);
                }
            }
            return Some(false);
        }
        let slot = self.slot(own, other);
        let known = self.table[slot];
        let is_known = (known.own, known.other) == (own, other);
        if is_known && (known.least > bound || known.most <= bound) {
            return Some(known.least > bound);
        }
        let answer = self.try_moves(own, other, bound, squares)?;
        let fresh = Entry { own, other, least: -1, most: 1 };
        let entry = &mut self.table[slot];
        if !is_known {
            *entry = fresh;
        }
        if answer {
            entry.least = entry.least.max(bound + 1);
        } else {
            entry.most = entry.most.min(bound);
        }
        Some(answer)
    }

    /// The same by trying moves on these squares: first what leaves the other the fewest replies.
    fn try_moves(&mut self, own: u64, other: u64, bound: i8, mut squares: u64) -> Option<bool> {
        let mut moves = [(0u32, 0u64, 0u64); 33];
        let mut count = 0;
        while squares != 0 {
            let placed = squares & squares.wrapping_neg();
            squares ^= placed;
            let turned = turned(own, other, placed);
            let next = (other & !turned, own | turned | placed);
            moves[count] = (playable(next.0, next.1).count_ones(), next.0, next.1);
            count += 1;
        }
        let moves = &mut moves[..count];
        moves.sort_unstable_by_key(|&(replies, ..)| replies);
        for &(_, own, other) in &*moves {
            if !self.is_above(own, other, -bound - 1)? {
                return Some(true);
            }
        }
        Some(false)
    }
}

impl Judge<Othello> for OthelloSolver {
    fn value(&mut self, game: &Othello) -> Option<i8> {
        self.looked_at = 0;
        let value = match self.is_above(game.own, game.other, 0)? {
            true => 1,
            false if self.is_above(game.own, game.other, -1)? => 0,
            false => -1,
        };
        Some(if game.is_first_to_move() { value } else { -value })
    }

    fn plies(&mut self, game: &Othello, _: i8) -> u32 {
        game.empty()
    }
}

#[cfg(test)]
mod tests {
    use super::super::Solver;
    use super::*;

    #[test]
    fn values_are_those_of_the_plain_solver() {
        let (mut plain, mut quick) = (Solver::new(18, 10_000_000), OthelloSolver::new(14, 10_000_000));
        let mut found = [0; 3];
        for seed in 0..150 {
            let mut dice = game::Dice::new(seed);
            let mut game = Othello::initial();
            let mut moves = Vec::new();
            while game.empty() > 6 + seed as u32 % 4 && game.result().is_none() {
                moves.clear();
                game.moves(&mut moves);
                game = game.play(moves[dice.below(moves.len())]);
            }
            if game.result().is_none() {
                let (expected, value) = (plain.value(&game), quick.value(&game));
                let (expected, value) = (expected.expect("in time"), value.expect("in time"));
                assert_eq!(value, expected, "seed {seed}: {game:?}");
                found[(value + 1) as usize] += 1;
            }
        }
        assert!(found[0] > 20 && found[1] > 0 && found[2] > 20, "{found:?}");
    }

    #[test]
    fn what_takes_too_long_is_given_up() {
        assert_eq!(OthelloSolver::new(8, 100).value(&Othello::initial()), None);
    }
}

//! Exact values by plain search, fast enough for positions from the middle of a game.

use super::HandGame;

/// Says what a position is worth.
pub trait Judge<G> {
    /// The first player's result with best play; `None` if it takes too long to find out.
    fn value(&mut self, game: &G) -> Option<i8>;

    /// The number of plies after which it can be seen that this is the value, or any larger number if that is not known.
    fn plies(&mut self, game: &G, value: i8) -> u32;
}

/// What is known about one question: does the first player reach at least so much?
#[derive(Clone, Copy, Default)]
struct Entry {
    key: u128,
    /// 0: empty; 1: no; 2: yes, both seen within `depth` plies; 3: not to be seen within them.
    answer: u8,
    depth: u8,
}

const NO: u8 = 1;
const YES: u8 = 2;
const OPEN: u8 = 3;

/// The longest game any solver here has to see to its end.
const LONGEST: u32 = 200;

/// Up to this depth it is found out when a value can be seen.
const EARLY: u32 = 8;

/// Yes-or-no questions, with a table.
pub struct Solver {
    table: Vec<Entry>,
    /// Positions that may be looked at for one value.
    limit: u64,
    looked_at: u64,
}

impl std::fmt::Debug for Solver {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Solver").field("limit", &self.limit).finish_non_exhaustive()
    }
}

impl Solver {
    /// A solver with a table of 2^`bits` entries that looks at no more than `limit` positions for one
    /// value.
    pub fn new(bits: u32, limit: u64) -> Self {
        Self { table: vec![Entry::default(); 1 << bits], limit, looked_at: 0 }
    }

    fn slot(&self, key: u128, at_least: i8) -> usize {
        let mixed = (key as u64 ^ (key >> 64) as u64).wrapping_add(at_least as u64);
        let mixed = (mixed ^ mixed >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed ^ mixed >> 29) as usize & (self.table.len() - 1)
    }

    /// Whether the first player reaches at least `at_least`: seen within `depth` plies, or not.
    /// `Err` if it takes too long.
    fn decide<G: HandGame>(&mut self, game: &G, at_least: i8, depth: u32) -> Result<Option<bool>, ()> {
        if let Some(result) = game.result() {
            return Ok(Some(result >= at_least));
        }
        if depth == 0 {
            return Ok(None);
        }
        // The question is part of the key: one bit no game uses.
        let key = game.key() | u128::from(at_least == 1) << 127;
        let slot = self.slot(key, at_least);
        let known = self.table[slot];
        if known.key == key {
            // Who asks when something is seen is not told what was found deeper.
            let is_seen = u32::from(known.depth) <= depth || depth > EARLY;
            match known.answer {
                YES if is_seen => return Ok(Some(true)),
                NO if is_seen => return Ok(Some(false)),
                OPEN if u32::from(known.depth) >= depth => return Ok(None),
                _ => {}
            }
        }
        self.looked_at += 1;
        if self.looked_at > self.limit {
            return Err(());
        }
        let wanted = game.is_first_to_move();
        let mut moves = Vec::with_capacity(16);
        game.promising(&mut moves);
        let mut answer = Some(!wanted);
        for chosen in moves {
            match self.decide(&game.play(chosen), at_least, depth - 1)? {
                Some(found) if found == wanted => {
                    answer = Some(wanted);
                    break;
                }
                Some(_) => {}
                None => answer = None,
            }
        }
        let word = match answer {
            Some(true) => YES,
            Some(false) => NO,
            None => OPEN,
        };
        self.table[slot] = Entry { key, answer: word, depth: depth.min(255) as u8 };
        Ok(answer)
    }

    /// Whether the first player reaches at least `at_least`, by looking to the end at once: answers without a depth are
    /// kept in the table for good, so that is by far the fastest way.
    fn settle<G: HandGame>(&mut self, game: &G, at_least: i8) -> Option<bool> {
        self.decide(game, at_least, LONGEST).ok()?
    }

    /// The depth at which it is seen whether the first player reaches at least `at_least`, if that is early.
    fn depth<G: HandGame>(&mut self, game: &G, at_least: i8) -> Option<u32> {
        (2..=EARLY).step_by(2).find(|&depth| matches!(self.decide(game, at_least, depth), Ok(Some(_))))
    }
}

impl<G: HandGame> Judge<G> for Solver {
    fn value(&mut self, game: &G) -> Option<i8> {
        self.looked_at = 0;
        if self.settle(game, 1)? {
            return Some(1);
        }
        Some(if self.settle(game, 0)? { 0 } else { -1 })
    }

    fn plies(&mut self, game: &G, value: i8) -> u32 {
        self.looked_at = 0;
        let upper = if value < 1 { self.depth(game, value + 1) } else { Some(0) };
        let lower = if value > -1 { self.depth(game, value) } else { Some(0) };
        upper.zip(lower).map_or(LONGEST, |(upper, lower)| upper.max(lower))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Breakthrough, ConnectFour};
    use super::*;

    /// The value by trying everything.
    fn plain<G: HandGame>(game: &G) -> i8 {
        if let Some(result) = game.result() {
            return result;
        }
        let mut moves = Vec::new();
        game.moves(&mut moves);
        let values = moves.into_iter().map(|chosen| plain(&game.play(chosen)));
        let best = if game.is_first_to_move() { values.max() } else { values.min() };
        best.expect("a legal move")
    }

    /// Compares positions after some plies of random games: late enough to try everything.
    fn agrees<G: HandGame>(plies: usize, games: u64) {
        let mut solver = Solver::new(16, 10_000_000);
        let mut compared = 0;
        for seed in 0..games {
            let mut dice = game::Dice::new(seed);
            let mut game = G::initial();
            let mut moves = Vec::new();
            for _ in 0..plies {
                moves.clear();
                game.moves(&mut moves);
                if game.result().is_none() {
                    game = game.play(moves[dice.below(moves.len())]);
                }
            }
            if game.result().is_none() {
                assert_eq!(solver.value(&game), Some(plain(&game)), "seed {seed}");
                compared += 1;
            }
        }
        assert!(compared > 4, "{compared}");
    }

    #[test]
    fn values_are_those_of_trying_everything() {
        agrees::<ConnectFour>(37, 200);
        agrees::<Breakthrough<3, 4>>(2, 60);
        agrees::<super::super::Othello>(55, 30);
    }

    #[test]
    fn what_takes_too_long_is_given_up() {
        assert_eq!(Solver::new(8, 100).value(&ConnectFour::initial()), None);
    }
}

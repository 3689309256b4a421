//! Exact values of games without draws by proof-number search, depth first, with a table: what is won or lost is
//! shown by the fewest positions, however deep they lie.

use super::{HandGame, Judge, Solver};

/// How far a position is from being settled, as who is to move sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Effort {
    /// Positions that must at least be settled to show a win.
    win: u32,
    /// The same for a loss.
    loss: u32,
}

/// Positions looked at to see when a value can be seen.
const EARLY: u64 = 20_000;

/// More than any effort.
const NEVER: u32 = 1 << 30;

impl Effort {
    const WON: Self = Self { win: 0, loss: NEVER };
    const LOST: Self = Self { win: NEVER, loss: 0 };
    const NEW: Self = Self { win: 1, loss: 1 };
}

#[derive(Clone, Copy)]
struct Entry {
    key: u128,
    effort: Effort,
}

/// A solver with a table of its own.
pub struct ProofSolver {
    table: Vec<Entry>,
    /// Says when a value can be seen, if that is early.
    early: Solver,
    limit: u64,
    looked_at: u64,
}

impl std::fmt::Debug for ProofSolver {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("ProofSolver").field("limit", &self.limit).finish_non_exhaustive()
    }
}

impl ProofSolver {
    /// With a table of 2^`bits` entries, and no more than `limit` positions for one value.
    pub fn new(bits: u32, limit: u64) -> Self {
        let empty = Entry { key: u128::MAX, effort: Effort::NEW };
        Self {
            table: vec![empty; 1 << bits],
            early: Solver::new(bits.min(18), limit.min(EARLY)),
            limit,
            looked_at: 0,
        }
    }

    fn slot(&self, key: u128) -> usize {
        let mixed = (key as u64 ^ (key >> 64) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed ^ mixed >> 32) as usize & (self.table.len() - 1)
    }

    /// What is known of a position, at least by looking at it.
    fn known<G: HandGame>(&self, game: &G) -> Effort {
        let entry = self.table[self.slot(game.key())];
        if entry.key == game.key() {
            return entry.effort;
        }
        match game.foreseen() {
            None => Effort::NEW,
            Some(result) if (result == 1) == game.is_first_to_move() => Effort::WON,
            Some(_) => Effort::LOST,
        }
    }

    /// Looks at a position until a win or a loss would take at least so much effort. `None` if that takes too long.
    fn search<G: HandGame + Copy>(&mut self, game: &G, limit: Effort) -> Option<Effort> {
        self.looked_at += 1;
        if self.looked_at > self.limit {
            return None;
        }
        let mut moves = Vec::with_capacity(16);
        game.promising(&mut moves);
        let mut next: Vec<(G, Effort)> = moves
            .into_iter()
            .map(|chosen| {
                let after = game.play(chosen);
                let effort = self.known(&after);
                (after, effort)
            })
            .collect();
        loop {
            // To win one move must lose for the other, to lose all must win for it.
            let mut best = 0;
            let (mut least, mut second, mut all) = (NEVER, NEVER, 0);
            for (number, (_, effort)) in next.iter().enumerate() {
                all = NEVER.min(all + effort.win);
                if effort.loss < least {
                    (best, second, least) = (number, least, effort.loss);
                } else {
                    second = second.min(effort.loss);
                }
            }
            let effort = Effort { win: least, loss: all };
            if effort.win >= limit.win || effort.loss >= limit.loss {
                let slot = self.slot(game.key());
                self.table[slot] = Entry { key: game.key(), effort };
                return Some(effort);
            }
            let (after, before) = next[best];
            // Some more than the second best, so that it does not go to and fro between them.
            let aside = NEVER.min(second + second / 4 + 1);
            let limit = Effort { win: limit.loss - all + before.win, loss: limit.win.min(aside) };
            next[best].1 = self.search(&after, limit)?;
        }
    }
}

impl<G: HandGame + Copy> Judge<G> for ProofSolver {
    fn value(&mut self, game: &G) -> Option<i8> {
        self.looked_at = 0;
        let effort = match self.known(game) {
            known if known.win.min(known.loss) == 0 => known,
            _ => self.search(game, Effort { win: NEVER, loss: NEVER })?,
        };
        let wins = (effort.win == 0) == game.is_first_to_move();
        Some(if wins { 1 } else { -1 })
    }

    fn plies(&mut self, game: &G, value: i8) -> u32 {
        self.early.plies(game, value)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Breakthrough;
    use super::*;

    /// Compares positions of random games with what the plain solver says.
    fn agrees<const FILES: u32, const RANKS: u32>(games: u64, first: u64) {
        let (mut plain, mut quick) = (Solver::new(18, 10_000_000), ProofSolver::new(16, 10_000_000));
        let mut found = [0; 2];
        for seed in 0..games {
            let mut dice = game::Dice::new(seed);
            let mut game = Breakthrough::<FILES, RANKS>::initial();
            let mut moves = Vec::new();
            for _ in 0..first + seed % 10 {
                moves.clear();
                game.moves(&mut moves);
                if game.result().is_none() {
                    game = game.play(moves[dice.below(moves.len())]);
                }
            }
            let expected = plain.value(&game).expect("in time");
            assert!(game.foreseen().is_none_or(|result| result == expected), "seed {seed}: {game:?}");
            if game.result().is_none() {
                assert_eq!(quick.value(&game), Some(expected), "seed {seed}: {game:?}");
                found[usize::from(expected == 1)] += 1;
            }
        }
        assert!(found.iter().all(|&count| count > 10), "{found:?}");
    }

    #[test]
    fn values_are_those_of_the_plain_solver() {
        agrees::<3, 5>(200, 3);
        agrees::<4, 4>(200, 1);
        agrees::<3, 6>(100, 6);
        agrees::<4, 5>(100, 9);
    }

    #[test]
    fn what_takes_too_long_is_given_up() {
        assert_eq!(ProofSolver::new(8, 100).value(&Breakthrough::<5, 6>::initial()), None);
    }
}

//! How a game of connect four ends with best play, and when: alpha-beta search on bitboards with
//! narrow windows, a table, and moves that lose at once left out.

use super::connect_four::{BOARD, ConnectFour, threats};
use super::{HandGame, Judge};

/// Stones of a full board.
const FULL: i32 = 42;
/// What can be had at most: a win with the first stone would be worth 42.
const WIN: i32 = FULL + 1;

/// What is known of a position: a bound from above or from below.
#[derive(Clone, Copy, Default)]
struct Entry {
    key: u64,
    bound: i8,
    is_lower: bool,
}

/// A solver with a table of its own.
pub struct ConnectFourSolver {
    table: Vec<Entry>,
    limit: u64,
    looked_at: u64,
}

impl std::fmt::Debug for ConnectFourSolver {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("ConnectFourSolver").field("limit", &self.limit).finish_non_exhaustive()
    }
}

impl ConnectFourSolver {
    /// With a table of 2^`bits` entries, and no more than `limit` positions for one value.
    pub fn new(bits: u32, limit: u64) -> Self {
        Self { table: vec![Entry::default(); 1 << bits], limit, looked_at: 0 }
    }

    fn slot(&self, key: u64) -> usize {
        let mixed = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed ^ mixed >> 32) as usize & (self.table.len() - 1)
    }

    /// What who is to move gets, if that is above `alpha` and below `beta`, else a bound: for a win with the t-th stone
    /// of the board [`WIN`] - t, for a loss the negative of that. There is no win at once. `None` if it takes too long.
    fn search(&mut self, game: &ConnectFour, mut alpha: i32, mut beta: i32) -> Option<i32> {
        self.looked_at += 1;
        if self.looked_at > self.limit {
            return None;
        }
        let stones = game.stones() as i32;
        let safe = game.safe();
        if safe == 0 {
            // The other wins with its next stone.
            return Some(-(WIN - stones - 2));
        }
        if stones >= FULL - 2 {
            return Some(0);
        }
        let key = game.number();
        let slot = self.slot(key);
        let known = Some(self.table[slot]).filter(|entry| entry.key == key);
        // The other does not win with its next stone, nor do we with ours.
        let (mut least, mut most) = (-(WIN - stones - 4), WIN - stones - 3);
        match known {
            Some(entry) if entry.is_lower => least = least.max(i32::from(entry.bound)),
            Some(entry) => most = most.min(i32::from(entry.bound)),
            None => {}
        }
        (alpha, beta) = (alpha.max(least), beta.min(most));
        if alpha >= beta {
            return Some(if alpha >= most { most } else { least });
        }
        // Those that make most threats first, of equal ones those in the middle.
        let mut moves = [(0u32, 0u64); 7];
        let mut count = 0;
        for column in [3, 2, 4, 1, 5, 0, 6] {
            let place = safe & ConnectFour::column(column);
            if place != 0 {
                let makes = game.threats_after(place);
                let mut at = count;
                while at > 0 && moves[at - 1].0 < makes {
                    moves[at] = moves[at - 1];
                    at -= 1;
                }
                moves[at] = (makes, place);
                count += 1;
            }
        }
        let mut best = alpha;
        for &(_, place) in &moves[..count] {
            let value = -self.search(&game.put(place), -beta, -best)?;
            if value >= beta {
                self.table[slot] = Entry { key, bound: value as i8, is_lower: true };
                return Some(value);
            }
            best = best.max(value);
        }
        self.table[slot] = Entry { key, bound: best as i8, is_lower: false };
        Some(best)
    }

    /// Whether who is to move gets more than so much. There is no win at once.
    fn is_above(&mut self, game: &ConnectFour, bound: i32) -> Option<bool> {
        self.search(game, bound, bound + 1).map(|value| value > bound)
    }

    /// Whether who is to move wins, draws or loses: 1, 0 or -1. There is no win at once.
    fn sign(&mut self, game: &ConnectFour) -> Option<i32> {
        if self.is_above(game, 0)? {
            return Some(1);
        }
        Some(if self.is_above(game, -1)? { 0 } else { -1 })
    }

    /// With the how manieth stone from here a game ends that is won (1) or lost (-1) for who moves. `None` if it takes too
    /// long.
    fn end(&mut self, game: &ConnectFour, sign: i32) -> Option<u32> {
        // Early ends are the fastest to look for.
        for left in 1..FULL {
            let value = WIN - game.stones() as i32 - left;
            let is_seen =
                if sign == 1 { self.is_above(game, value - 1)? } else { !self.is_above(game, -value)? };
            if is_seen {
                return Some(left as u32);
            }
        }
        None
    }
}

impl Judge<ConnectFour> for ConnectFourSolver {
    fn value(&mut self, game: &ConnectFour) -> Option<i8> {
        self.looked_at = 0;
        let sign = match () {
            () if game.all == BOARD => 0,
            () if game.wins_at_once() => 1,
            () => self.sign(game)?,
        };
        Some(if game.is_first_to_move() { sign } else { -sign } as i8)
    }

    fn plies(&mut self, game: &ConnectFour, value: i8) -> u32 {
        self.looked_at = 0;
        let sign = i32::from(if game.is_first_to_move() { value } else { -value });
        let late = FULL as u32 - game.stones();
        match sign {
            0 => late,
            _ if game.wins_at_once() => 1,
            _ => self.end(game, sign).unwrap_or(late),
        }
    }
}

impl ConnectFour {
    fn stones(&self) -> u32 {
        self.all.count_ones()
    }

    /// No other position has this number.
    fn number(&self) -> u64 {
        self.all + self.own
    }

    fn wins_at_once(&self) -> bool {
        self.open() & threats(self.own, self.all) != 0
    }

    /// The places to go after which the other does not win at once.
    fn safe(&self) -> u64 {
        let losses = threats(self.own ^ self.all, self.all);
        let mut open = self.open();
        let forced = open & losses;
        if forced != 0 {
            if forced.count_ones() > 1 {
                return 0;
            }
            open = forced;
        }
        open & !(losses >> 1) & BOARD
    }

    fn threats_after(&self, place: u64) -> u32 {
        threats(self.own | place, self.all | place).count_ones()
    }

    fn put(&self, place: u64) -> Self {
        Self { own: self.own ^ self.all, all: self.all | place }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Solver;
    use super::*;

    #[test]
    fn values_are_those_of_the_plain_solver() {
        let mut plain = Solver::new(18, 10_000_000);
        let mut quick = ConnectFourSolver::new(18, 10_000_000);
        let mut compared = [0; 3];
        for seed in 0..400 {
            let mut dice = game::Dice::new(seed);
            let mut game = ConnectFour::initial();
            let mut moves = Vec::new();
            for _ in 0..(24 + seed % 14) {
                moves.clear();
                game.moves(&mut moves);
                if game.result().is_none() {
                    game = game.play(moves[dice.below(moves.len())]);
                }
            }
            if game.result().is_some() {
                continue;
            }
            let (expected, found) = (plain.value(&game), quick.value(&game));
            let (expected, found) = (expected.expect("in time"), found.expect("in time"));
            assert_eq!(found, expected, "seed {seed}: {game:?}");
            // Early ends are those that the plain solver sees within so many plies.
            let (expected, plies) = (plain.plies(&game, found), quick.plies(&game, found));
            assert!(
                found == 0 || expected > 8 || plies.next_multiple_of(2) == expected,
                "seed {seed}: {game:?}"
            );
            compared[(found + 1) as usize] += 1;
        }
        // Few games are drawn.
        assert!(compared[0] > 5 && compared[2] > 5, "{compared:?}");
    }

    #[test]
    fn ends_are_found_at_their_ply() {
        let played = |columns: &[u32]| columns.iter().fold(ConnectFour::initial(), |game, &c| game.play(c));
        let mut solver = ConnectFourSolver::new(20, 50_000_000);
        // Three in a column: the win comes with the next stone.
        let column = played(&[0, 1, 0, 1, 0, 1]);
        assert_eq!((solver.value(&column), solver.plies(&column, 1)), (Some(1), 1));
        // Two in the middle of the lowest row with both sides free: a third makes two threats, won with the fifth ply.
        let open = played(&[3, 3, 2, 2]);
        assert_eq!((solver.value(&open), solver.plies(&open, 1)), (Some(1), 3));
    }
}

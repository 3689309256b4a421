//! Random playouts of single games, written by hand to be hard to beat.
//!
//! Each game is one function that plays a number of uniformly random playouts. All use the
//! deposit instruction of BMI2 to find the n-th legal move where the processor has it.

mod breakthrough;
mod connect_four;
mod dispatch;
mod generator;
mod othello;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)] // Vector instructions, where their presence was checked.
mod othello_avx2;
mod tic_tac_toe;

pub use dispatch::play;
use generator::Generator;

/// The games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HandGame {
    /// Tic-tac-toe.
    TicTacToe,
    /// Connect four on 7 columns of 6.
    ConnectFour,
    /// Breakthrough on 8 by 8.
    Breakthrough,
    /// Othello; a pass is a move.
    Othello,
}

impl HandGame {
    /// All of them.
    pub const ALL: [HandGame; 4] =
        [HandGame::TicTacToe, HandGame::ConnectFour, HandGame::Breakthrough, HandGame::Othello];

    /// Its name in English.
    pub fn name(self) -> &'static str {
        match self {
            HandGame::TicTacToe => "tic-tac-toe",
            HandGame::ConnectFour => "connect four 7x6",
            HandGame::Breakthrough => "breakthrough 8x8",
            HandGame::Othello => "Othello",
        }
    }
}

/// What playouts came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HandTally {
    /// Playouts.
    pub playouts: u64,
    /// Moves in all of them.
    pub moves: u64,
    /// Won by the one who begins.
    pub first_wins: u64,
    /// Won by nobody.
    pub draws: u64,
}

impl HandTally {
    #[inline(always)]
    fn add(&mut self, moves: u32, result: Ending) {
        self.playouts += 1;
        self.moves += u64::from(moves);
        self.first_wins += u64::from(result == Ending::FirstWins);
        self.draws += u64::from(result == Ending::Draw);
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Ending {
    FirstWins,
    SecondWins,
    Draw,
}

impl Ending {
    /// The ending if whoever made the last of so many moves has won.
    #[inline(always)]
    fn last_mover_wins(moves: u32) -> Self {
        if moves & 1 == 1 { Ending::FirstWins } else { Ending::SecondWins }
    }
}

/// How to find the n-th set bit.
trait Deposit {
    /// The `index`-th set bit of a mask, as a mask.
    fn pick(mask: u64, index: u32) -> u64;
}

/// Bit by bit, on any processor.
struct Plain;

impl Deposit for Plain {
    #[inline(always)]
    fn pick(mut mask: u64, index: u32) -> u64 {
        for _ in 0..index {
            mask &= mask - 1;
        }
        mask & mask.wrapping_neg()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_are_the_known_ones() {
        // Mean length, share of first wins, share of draws.
        let expected =
            [(7.626, 0.585, 0.127), (21.31, 0.556, 0.003), (64.1, 0.509, 0.0), (60.41, 0.455, 0.04)];
        for (game, (length, wins, draws)) in HandGame::ALL.into_iter().zip(expected) {
            let tally = play(game, 100_000, 5);
            let share = |count: u64| count as f64 / tally.playouts as f64;
            let name = game.name();
            assert!((share(tally.moves) - length).abs() < 0.35, "{name}: {}", share(tally.moves));
            assert!((share(tally.first_wins) - wins).abs() < 0.012, "{name}: {}", share(tally.first_wins));
            assert!((share(tally.draws) - draws).abs() < 0.012, "{name}: {}", share(tally.draws));
        }
    }

    #[test]
    fn same_seed_same_playouts() {
        for game in HandGame::ALL {
            assert_eq!(play(game, 1000, 3), play(game, 1000, 3));
            assert_ne!(play(game, 1000, 3), play(game, 1000, 4));
        }
    }

    #[test]
    fn both_ways_of_picking_agree() {
        for game in HandGame::ALL {
            assert_eq!(play(game, 1000, 3), dispatch::play_plain(game, 1000, 3), "{}", game.name());
        }
    }
}

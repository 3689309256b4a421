//! A game for tests: one guesses, chance throws a coin, some rounds long.

use crate::{Expansion, Game, Goal, GoalReading, MoveId, RoleId, RuleFault};

/// The move of both roles for one side of the coin.
pub(crate) const HEADS: MoveId = MoveId(0);
/// The move of both roles for the other.
pub(crate) const TAILS: MoveId = MoveId(1);
/// Throws in a game.
pub(crate) const ROUNDS: u8 = 9;

/// Rounds played, and how many guesses were right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Score {
    rounds: u8,
    right: u8,
}

/// The game. The goal is how many guesses were right.
pub(crate) struct Coin;

impl Game for Coin {
    type State = Score;
    type Workspace = ();

    fn role_count(&self) -> usize {
        2
    }

    fn chance(&self) -> Option<RoleId> {
        Some(RoleId(1))
    }

    fn workspace(&self) {}

    fn initial(&self) -> Score {
        Score::default()
    }

    fn expand(&self, (): &mut (), state: &Score, out: &mut Expansion) -> Result<(), RuleFault> {
        out.begin(state.rounds == ROUNDS);
        for _ in 0..2 {
            if state.rounds < ROUNDS {
                out.push(HEADS);
                out.push(TAILS);
            }
            out.end_role();
        }
        Ok(())
    }

    fn apply(&self, (): &mut (), state: &Score, joint: &[MoveId]) -> Result<Score, RuleFault> {
        Ok(Score { rounds: state.rounds + 1, right: state.right + u8::from(joint[0] == joint[1]) })
    }

    fn goals(&self, (): &mut (), state: &Score, out: &mut Vec<GoalReading>) -> Result<(), RuleFault> {
        out.clear();
        out.extend([GoalReading::One(Goal(state.right)), GoalReading::None]);
        Ok(())
    }
}

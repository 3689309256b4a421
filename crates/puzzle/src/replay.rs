//! Playing a plan move by move, on any machine.

use game::{Describe, Expansion, Goal, GoalReading, RoleId, RuleFault};

/// Why a plan cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// A move is not legal where the plan has it.
    #[error("move {step} of the plan, {text}, is not legal there")]
    Illegal {
        /// The move's place, from 1.
        step: usize,
        /// The move.
        text: String,
    },
    /// The game is over before the plan is.
    #[error("the game is over after {0} moves of the plan")]
    Early(usize),
    /// The plan is over before the game is.
    #[error("the game is not over after the plan")]
    Unfinished,
    /// The rules cannot be carried out.
    #[error("{0}")]
    Rules(RuleFault),
}

/// Plays a plan of a one-player game from a state, given as the texts of its moves, and says what
/// it scores.
pub fn replay<G: Describe>(game: &G, start: &G::State, plan: &[String]) -> Result<Goal, ReplayError> {
    let mut workspace = game.workspace();
    let mut state = start.clone();
    let mut expansion = Expansion::new();
    for (step, text) in plan.iter().enumerate() {
        game.expand(&mut workspace, &state, &mut expansion).map_err(ReplayError::Rules)?;
        if expansion.is_terminal() {
            return Err(ReplayError::Early(step));
        }
        let legal = expansion.legal(RoleId(0)).iter().find(|&&id| game.move_text(id) == *text);
        let Some(&id) = legal else {
            return Err(ReplayError::Illegal { step: step + 1, text: text.clone() });
        };
        state = game.apply(&mut workspace, &state, &[id]).map_err(ReplayError::Rules)?;
    }
    game.expand(&mut workspace, &state, &mut expansion).map_err(ReplayError::Rules)?;
    if !expansion.is_terminal() {
        return Err(ReplayError::Unfinished);
    }
    let mut readings: Vec<GoalReading> = Vec::new();
    game.goals(&mut workspace, &state, &mut readings).map_err(ReplayError::Rules)?;
    Ok(readings.first().copied().unwrap_or_default().value())
}

/// What a plan scores, given in the machine's own numbers; `None` if it cannot be played to the end.
#[cfg(any(feature = "sat", feature = "bdd"))]
pub(crate) fn score<G: Describe>(game: &G, start: &G::State, plan: &[game::MoveId]) -> Option<Goal> {
    let texts: Vec<String> = plan.iter().map(|&id| game.move_text(id)).collect();
    replay(game, start, &texts).ok()
}

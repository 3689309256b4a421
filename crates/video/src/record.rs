//! Games that were played, kept as what their players did: with the seed that is all there is to know.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use vgdl::{Action, Game, Level, Outcome};

/// A game that was played.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Recording {
    /// The game, by name.
    pub game: String,
    /// Its description, if it did not come with Ludens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
    /// The level, if it did not come with Ludens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level_text: Option<String>,
    /// The number of the level.
    pub level: usize,
    /// The seed of everything that the game leaves to chance.
    pub seed: u64,
    /// Who played, a name for each player.
    pub players: Vec<String>,
    /// What each player did: a letter a tick.
    pub actions: Vec<String>,
}

/// A recording is none of this game.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// It is for more or fewer players.
    #[error("the record has what {found} players did, and the game is for {wanted}")]
    Players {
        /// Of the record.
        found: usize,
        /// Of the game.
        wanted: usize,
    },
    /// A letter stands for nothing.
    #[error("`{letter}` in the record is no action; actions are {known}")]
    Letter {
        /// What stands there.
        letter: char,
        /// Letters that mean something.
        known: String,
    },
    /// Not everybody did something in each tick.
    #[error("the record tells of {found} ticks for one player, and of {wanted} for the first")]
    Length {
        /// Of that player.
        found: usize,
        /// Of the first.
        wanted: usize,
    },
}

/// The letters of [`Action::ALL`].
const LETTERS: [char; 6] = ['.', 'u', 'l', 'd', 'r', 'x'];

/// The letter of an action.
pub fn letter(action: Action) -> char {
    LETTERS[action as usize]
}

/// The word for an outcome.
pub fn word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Won => "won",
        Outcome::Lost => "lost",
        Outcome::Open => "open",
    }
}

/// What each player did, as records keep it.
pub fn written(ticks: &[Vec<Action>], players: usize) -> Vec<String> {
    let of =
        |player: usize| ticks.iter().map(move |tick| letter(tick.get(player).copied().unwrap_or_default()));
    (0..players).map(|player| of(player).collect()).collect()
}

impl Recording {
    /// What was done in each tick.
    pub fn ticks(&self, players: usize) -> Result<Vec<Vec<Action>>, RecordError> {
        if self.actions.len() != players {
            return Err(RecordError::Players { found: self.actions.len(), wanted: players });
        }
        let mut ticks: Vec<Vec<Action>> = Vec::new();
        for (player, letters) in self.actions.iter().enumerate() {
            for (tick, letter) in letters.chars().enumerate() {
                let place = LETTERS.iter().position(|known| *known == letter);
                let known = || LETTERS.iter().collect();
                let place = place.ok_or_else(|| RecordError::Letter { letter, known: known() })?;
                if player == 0 {
                    ticks.push(Vec::new());
                }
                if let Some(done) = ticks.get_mut(tick) {
                    done.push(Action::ALL[place]);
                }
            }
            let (found, wanted) = (letters.chars().count(), ticks.len());
            if found != wanted {
                return Err(RecordError::Length { found, wanted });
            }
        }
        Ok(ticks)
    }

    /// The game before its first tick.
    pub fn start(&self, level: &Arc<Level>) -> Game {
        Game::new(level.clone(), self.seed as i64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_are_read_as_they_were_written() {
        let ticks = vec![vec![Action::Left, Action::Nil], vec![Action::Use, Action::Up]];
        let actions = written(&ticks, 2);
        assert_eq!(actions, ["lx", ".u"]);
        let record = Recording { actions, ..Recording::default() };
        assert_eq!(record.ticks(2).expect("fits"), ticks);
        assert!(record.ticks(1).is_err());
        let wrong = |actions: [&str; 2]| {
            Recording { actions: actions.map(str::to_owned).to_vec(), ..Recording::default() }.ticks(2)
        };
        assert!(matches!(wrong(["l?", "ll"]), Err(RecordError::Letter { letter: '?', .. })));
        assert!(matches!(wrong(["l", "ll"]), Err(RecordError::Length { found: 2, wanted: 1 })));
        assert!(matches!(wrong(["ll", "l"]), Err(RecordError::Length { found: 1, wanted: 2 })));
    }
}

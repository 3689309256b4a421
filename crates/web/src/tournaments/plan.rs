//! What is to be played, within what a visitor may ask for.

use std::collections::HashSet;
use std::time::Duration;

use arena::{Contestant, Schedule, Thinking, names};
use gdl::normal::NormalRules;
use serde::{Deserialize, Serialize};

use crate::api::NewTournament;
use crate::error::WebError;
use crate::games::Games;
use crate::secret;

/// Games of a tournament.
const GAMES: usize = 12;
/// Players of a tournament.
const PLAYERS: usize = 8;
/// Matches of a tournament.
const MATCHES: usize = 2_000;
/// Joint moves that may be drawn.
const OPENINGS: usize = 100;
/// What a player may take for a move.
const SIMULATIONS: u64 = 20_000;
pub(super) const THOUGHT: Duration = Duration::from_secs(2);
/// How players think who do not say.
const USUAL: Thinking = Thinking::Simulations(500);
/// Letters of ids and keys.
const ID_LETTERS: usize = 16;
const KEY_LETTERS: usize = 26;

/// A tournament as it is kept: the settings of its run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Plan {
    pub(crate) id: String,
    pub(crate) owner: String,
    pub(crate) games: Vec<PlannedGame>,
    pub(crate) players: Vec<String>,
    pub(crate) matches: u64,
    pub(crate) openings: usize,
    pub(crate) gauntlet: bool,
    pub(crate) seed: u64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct PlannedGame {
    /// Its name in records.
    pub(crate) name: String,
    pub(crate) title: String,
    pub(crate) roles: usize,
    /// The rules, if it is no bundled one.
    #[serde(default)]
    pub(crate) rules: Option<String>,
}

/// The settings of a run, as others keep runs in the same file.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Settings {
    Tournament(Plan),
}

fn wrong(text: String) -> WebError {
    WebError::Wrong(text)
}

impl Plan {
    /// Judges what a visitor wants. Takes a while, as games are read.
    pub(super) fn new(wish: &NewTournament, games: &Games, seed: u64) -> Result<Self, WebError> {
        if wish.players.len() > PLAYERS || wish.games.len() > GAMES {
            return Err(wrong(format!("give at most {PLAYERS} players and {GAMES} games")));
        }
        let players = wish.players.iter().map(|text| contestant(text)).collect::<Result<Vec<_>, _>>()?;
        let mut planned = Vec::new();
        for name in &wish.games {
            let game = games.bundled(name)?;
            let name = game.name.clone().unwrap_or_else(|| name.clone());
            planned.push(PlannedGame {
                name,
                title: game.title.clone(),
                roles: game.roles().len(),
                rules: None,
            });
        }
        if let Some(rules) = &wish.rules {
            let title = wish.title.as_deref().map(str::trim).filter(|title| !title.is_empty());
            let game = games.given(rules, title.unwrap_or("Your game"))?;
            let (title, roles) = (game.title.clone(), game.roles().len());
            planned.push(PlannedGame { name: title.clone(), title, roles, rules: Some(rules.clone()) });
        }
        let different: HashSet<&str> = planned.iter().map(|game| game.name.as_str()).collect();
        if planned.is_empty() || different.len() < planned.len() {
            return Err(wrong("give at least one game, and each once".to_owned()));
        }
        let several = planned.iter().any(|game| game.roles > 1);
        if players.is_empty() || several && players.len() < 2 {
            return Err(wrong("give at least two players".to_owned()));
        }
        let plan = Self {
            id: secret::word(ID_LETTERS),
            owner: secret::word(KEY_LETTERS),
            games: planned,
            players: players.iter().map(ToString::to_string).collect(),
            matches: wish.matches,
            openings: wish.openings,
            gauntlet: wish.gauntlet,
            seed: wish.seed.unwrap_or(seed),
        };
        if wish.openings > OPENINGS {
            return Err(wrong(format!("at most {OPENINGS} moves are drawn at the beginning")));
        }
        // Before they are counted: nobody shall have this computer write down billions of matches.
        if !(1..=MATCHES as u64).contains(&wish.matches) || plan.all() > MATCHES {
            let told = format!("a tournament has 1 to {MATCHES} matches in all; `ludens arena` plays more");
            return Err(wrong(told));
        }
        Ok(plan)
    }

    /// The settings of the run.
    pub(super) fn settings(&self) -> Result<String, WebError> {
        let settings = Settings::Tournament(self.clone());
        serde_json::to_string(&settings).map_err(|error| WebError::Fault(error.to_string()))
    }

    /// What the settings of a run say; nothing if it is somebody else's.
    pub(crate) fn read(settings: &str) -> Option<Self> {
        let Settings::Tournament(plan) = serde_json::from_str(settings).ok()?;
        Some(plan)
    }

    /// The players, with their share of the computer.
    pub(super) fn contestants(&self) -> Result<Vec<Contestant>, WebError> {
        self.players.iter().map(|text| contestant(text)).collect()
    }

    /// The names of the players in results.
    pub(super) fn names(&self) -> Vec<String> {
        self.contestants().map_or_else(|_| self.players.clone(), |players| names(&players))
    }

    /// Matches in all.
    pub(super) fn all(&self) -> usize {
        let schedule = Schedule {
            roles: self.games.iter().map(|game| game.roles).collect(),
            players: self.players.len(),
            matches: self.matches,
            seed: self.seed,
            gauntlet: self.gauntlet,
        };
        schedule.fixtures().len()
    }
}

impl PlannedGame {
    /// The rules of the game.
    pub(super) fn normal_rules(&self) -> Result<NormalRules, WebError> {
        match &self.rules {
            Some(rules) => Ok(gdl::normal::read(rules)),
            None => {
                let found =
                    bundled::find(&self.name).map_err(|error| WebError::Unknown(error.to_string()))?;
                Ok(gdl::normal::read(found.rules))
            }
        }
    }
}

fn contestant(text: &str) -> Result<Contestant, WebError> {
    let read = Contestant::read(text, USUAL).map_err(|error| wrong(error.to_string()))?;
    let modest = match read.thinking {
        Thinking::Simulations(simulations) => simulations <= SIMULATIONS,
        Thinking::Time(time) => time <= THOUGHT,
    };
    let most = THOUGHT.as_secs();
    modest.then_some(read).ok_or_else(|| {
        wrong(format!(
            "`{text}` thinks too long: {SIMULATIONS} simulations or {most} s for a move are the most"
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wish() -> NewTournament {
        NewTournament {
            games: vec!["tictactoe".to_owned(), "nim".to_owned()],
            rules: None,
            title: None,
            players: ["random", "mc@50", "random"].map(str::to_owned).to_vec(),
            matches: 4,
            openings: 0,
            gauntlet: false,
            seed: Some(3),
        }
    }

    #[test]
    fn plans_are_kept_and_come_back() {
        let plan = Plan::new(&wish(), &Games::default(), 1).expect("a plan");
        assert_eq!(plan.all(), 2 * 3 * 4);
        assert_eq!(plan.games[0].name, "tic-tac-toe");
        assert_eq!(plan.names(), ["random@500", "mc@50", "random@500#2"]);
        assert_eq!(Plan::read(&plan.settings().expect("JSON")), Some(plan));
        assert_eq!(Plan::read("{\"game\":\"nim\"}"), None);
    }

    #[test]
    fn nobody_asks_for_too_much() {
        let too_much: [fn(&mut NewTournament); 8] = [
            |wish| wish.matches = u64::MAX,
            |wish| wish.matches = 0,
            |wish| wish.players = vec!["mc@1000000".to_owned(), "random".to_owned()],
            |wish| wish.players = vec!["mc@1h".to_owned(), "random".to_owned()],
            |wish| wish.players = vec!["random".to_owned()],
            |wish| wish.players = vec!["random".to_owned(); 9],
            |wish| wish.games = vec!["nim".to_owned(); 2],
            |wish| wish.openings = 1 << 40,
        ];
        for change in too_much {
            let mut wish = wish();
            change(&mut wish);
            assert!(Plan::new(&wish, &Games::default(), 1).is_err(), "{wish:?}");
        }
    }
}

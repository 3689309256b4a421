//! Matches that were recorded, to be looked at.

use std::sync::Arc;

use referee::{MatchRecord, read_records};

use super::seat::{Seat, Terms};
use super::{KEY_LETTERS, LOADED, Matches};
use crate::api::{LoadRecord, Made};
use crate::error::WebError;
use crate::games::ReadyGame;
use crate::secret;
use crate::tournaments::Plan;

impl Matches {
    /// A match of a tournament or a referee that has ended.
    pub(super) fn ended(&self, id: &str) -> Result<(Terms, MatchRecord, Arc<ReadyGame>), WebError> {
        let unknown = || WebError::Unknown("there is no such match; it may have been deleted".to_owned());
        let found = self.keeper.with(|store| {
            let Some(ended) = store.find_ended(id)? else { return Ok(None) };
            let run = store.runs()?.into_iter().find(|run| run.id == ended.run);
            Ok(Some((ended.record, run.map_or_else(String::new, |run| run.settings))))
        })?;
        let (record, settings) = found.ok_or_else(unknown)?;
        let games = Plan::read(&settings).map_or_else(Vec::new, |plan| plan.games);
        let rules = games.into_iter().find(|game| game.name == record.game_name).and_then(|game| game.rules);
        self.recorded(record, rules.as_deref())
    }

    /// Matches of a file of records.
    pub(crate) fn load(
        &self,
        load: &LoadRecord,
    ) -> Result<Vec<(Terms, MatchRecord, Arc<ReadyGame>)>, WebError> {
        let records =
            read_records(load.text.as_bytes()).map_err(|error| WebError::Wrong(error.to_string()))?;
        if records.len() > LOADED {
            let told = format!("the file holds {} matches; give one with at most {LOADED}", records.len());
            return Err(WebError::Wrong(told));
        }
        records.into_iter().map(|record| self.recorded(record, load.rules.as_deref())).collect()
    }

    /// A match that was recorded, to be looked at.
    fn recorded(
        &self,
        record: MatchRecord,
        rules: Option<&str>,
    ) -> Result<(Terms, MatchRecord, Arc<ReadyGame>), WebError> {
        let name = rules.is_none().then_some(record.game_name.as_str());
        let game = self.game(name, rules, Some(&record.game_name)).map_err(|error| match error {
            WebError::Unknown(why) => WebError::Unknown(format!("{why}; give its rules beside the record")),
            other => other,
        })?;
        let roles = game.roles().len();
        if let Some(turn) = record.moves.iter().position(|joint| joint.len() != roles) {
            let told = format!("move {} of the record does not fit the {roles} roles of the game", turn + 1);
            return Err(WebError::Wrong(told));
        }
        let seat = |role: usize| match record.player_names_from_host.get(role) {
            _ if game.chance() == Some(role) => Seat::Chance,
            Some(name) if !name.is_empty() => Seat::Record { name: name.clone() },
            _ => Seat::Record { name: "recorded".to_owned() },
        };
        let terms = Terms {
            game: game.name.clone(),
            rules: rules.map(str::to_owned),
            title: game.title.clone(),
            seats: (0..roles).map(seat).collect(),
            owner: secret::word(KEY_LETTERS),
            seed: record.ludens.as_ref().map_or(1, |details| details.seed),
            paused: true,
            rematch: None,
            chosen: Vec::new(),
            play_clock: None,
        };
        Ok((terms, record, game))
    }

    pub(crate) fn begin_loaded(
        &self,
        loaded: Vec<(Terms, MatchRecord, Arc<ReadyGame>)>,
    ) -> Result<Vec<Made>, WebError> {
        loaded.into_iter().map(|(terms, record, game)| self.begin(terms, record, &game)).collect()
    }
}

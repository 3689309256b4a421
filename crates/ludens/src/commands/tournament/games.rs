//! The games of a tournament, and what is to be played of them.

use std::sync::Arc;

use arena::Ground;
use game::{Game, RoleId};
use machine::reference::Reference;
use referee::tournament::{Plan, Stage, StageGame};
use tokio::sync::OnceCell;

use super::file::{Described, Entrant, StageOfFile, Who};
use crate::failure::Unbuildable;
use crate::input::{self, LoadedGame};

/// A game, ready to be judged; what agents play with is built when it is needed.
pub(super) struct TournamentGame {
    pub(super) loaded: LoadedGame,
    pub(super) machine: Arc<Reference>,
    pub(super) ground: OnceCell<Ground>,
}

impl TournamentGame {
    /// The role that nobody plays.
    pub(super) fn chance(&self) -> Option<RoleId> {
        self.machine.chance()
    }

    fn seats(&self) -> usize {
        self.machine.role_count() - usize::from(self.chance().is_some())
    }
}

/// Reads the games of a tournament.
pub(super) fn games(described: &Described) -> anyhow::Result<Vec<TournamentGame>> {
    let limits = datalog::Limits { bytes: described.memory, ..Default::default() };
    let has_person = described.entrants.iter().any(|entrant| matches!(entrant.who, Who::Person));
    let mut all = Vec::new();
    for (number, game) in described.games.iter().enumerate() {
        let loaded = input::load(game, gdl::Mode::Lenient)
            .map_err(|error| described.about_game(number, format!("{error:#}")))?;
        let machine = Reference::new(&loaded.rules, limits.clone())
            .map_err(|error| described.about_game(number, Unbuildable(error)))?;
        if has_person && loaded.rules.has_percepts() {
            let message = "people can play only games in which everybody sees everything; leave it out";
            return Err(described.about_game(number, message));
        }
        all.push(TournamentGame { loaded, machine: Arc::new(machine), ground: OnceCell::new() });
    }
    Ok(all)
}

/// What is to be played.
pub(super) fn plan(described: &Described, games: &[TournamentGame]) -> anyhow::Result<Plan> {
    let stage = |stage: &StageOfFile| Stage {
        kind: stage.kind,
        games: stage.games.iter().map(|&game| StageGame { game, seats: games[game].seats() }).collect(),
        top: stage.top,
        rounds: stage.rounds,
        best_of: stage.best_of,
    };
    let stages = described.stages.iter().map(stage).collect();
    let plan = Plan::new(described.entrants.len(), stages, described.seed);
    plan.map_err(|error| described.about_plan(&error))
}

/// What makes a tournament: with all this the same, an earlier one is gone on with.
pub(super) fn identity(described: &Described, games: &[TournamentGame]) -> String {
    let entrant = |entrant: &Entrant| {
        let detail = match &entrant.who {
            Who::Agent(_, text) => text.clone(),
            Who::Http(address) => address.to_string(),
            Who::Connects(_) | Who::Person => String::new(),
        };
        serde_json::json!([entrant.name, entrant.who.kind(), detail])
    };
    let stage = |stage: &StageOfFile| {
        serde_json::json!([stage.kind, stage.games, stage.top, stage.rounds, stage.best_of])
    };
    let value = serde_json::json!({
        "tournament": described.name,
        "games": games.iter().map(|game| [game.loaded.name.clone(), gdl::print_sheet(&game.loaded.parsed.sheet)]).collect::<Vec<_>>(),
        "entrants": described.entrants.iter().map(entrant).collect::<Vec<_>>(),
        "stages": described.stages.iter().map(stage).collect::<Vec<_>>(),
        "clocks": [described.clocks.start.as_secs_f64(), described.clocks.play.as_secs_f64()],
        "scramble": described.scramble,
        "steps": described.steps,
        "seed": described.seed,
    });
    value.to_string()
}

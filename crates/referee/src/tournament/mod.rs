//! Tournaments of many stages: who meets whom in which game, and who has won. A plan and the results so far say what
//! is to be played next; nothing else is remembered, so that a tournament goes on wherever it was.
//!
//! ```
//! use referee::tournament::{Kind, Plan, Results, Stage, StageGame};
//!
//! let games = vec![StageGame { game: 0, seats: 2 }];
//! let finals = Stage { kind: Kind::DoubleElimination, games, top: None, rounds: 1, best_of: 1 };
//! let plan = Plan::new(4, vec![finals], 7)?;
//! let mut results = Results::default();
//! loop {
//!     let progress = plan.progress(&results);
//!     if progress.open.is_empty() {
//!         assert_eq!(progress.ranking[0].0, 0);
//!         break;
//!     }
//!     for fixture in progress.open {
//!         // The entrant with the lower number always wins.
//!         let best = fixture.seats.iter().min();
//!         let goals = fixture.seats.iter().map(|seat| if Some(seat) == best { 100 } else { 0 });
//!         results.insert(fixture.id, goals.collect());
//!     }
//! }
//! # Ok::<(), referee::tournament::PlanError>(())
//! ```

mod bracket;
mod fairness;
mod rating;
mod rounds;
mod series;
mod swiss;
mod table;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use game::Dice;
use serde::Serialize;

pub use fairness::{GameFairness, RoleShare, fairness};
pub use rating::{Rating, ratings};
pub use series::{Series, Side};
pub use table::Row;

/// Somebody who takes part, by the place in the list of entrants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct EntrantId(pub usize);

/// How a stage is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Every entrant plays every role of every game once a round, with others drawn by lot; goals are summed up.
    Preliminaries,
    /// Every two meet in every game for two, in both roles; other games as in preliminaries.
    RoundRobin,
    /// Every round those meet who have as many points, and have not met yet.
    Swiss,
    /// Who loses a series is out.
    Knockout,
    /// Who loses two series is out.
    DoubleElimination,
}

impl Kind {
    /// Whether only games for two can be played.
    pub fn is_for_two(self) -> bool {
        !matches!(self, Kind::Preliminaries | Kind::RoundRobin)
    }
}

/// A game of a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StageGame {
    /// Its place in the list of all games.
    pub game: usize,
    /// Roles that are not chance.
    pub seats: usize,
}

/// A part of a tournament that ranks its field; the best of it go on to the next one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stage {
    /// How it is played.
    pub kind: Kind,
    /// The games, in turn or all of them.
    pub games: Vec<StageGame>,
    /// How many of the stage before take part; all if not given.
    pub top: Option<usize>,
    /// Rounds: of Swiss, and how often preliminaries and the round robin are played.
    pub rounds: usize,
    /// Matches of a series of two: in brackets until one has won more than half of them, in Swiss all of them.
    pub best_of: usize,
}

/// Why a tournament cannot be played so.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// There is nothing to do.
    #[error("a tournament needs two entrants and a stage at least; there are {entrants} and {stages}")]
    Empty {
        /// How many entrants there are.
        entrants: usize,
        /// How many stages.
        stages: usize,
    },
    /// A stage without games.
    #[error("stage {0} has no games; name some in `games`")]
    NoGames(usize),
    /// A number that makes no sense.
    #[error("stage {stage} has `{field} = {value}`; give a number from {least} to {most}")]
    Number {
        /// Which stage, from 1.
        stage: usize,
        /// Which field.
        field: &'static str,
        /// What it is.
        value: usize,
        /// The least.
        least: usize,
        /// The most.
        most: usize,
    },
    /// Brackets and Swiss are for two.
    #[error("stage {stage} pairs entrants, but its game number {game} has {seats} roles; take games for two")]
    NotForTwo {
        /// Which stage, from 1.
        stage: usize,
        /// Which of its games, from 1.
        game: usize,
        /// How many roles it has.
        seats: usize,
    },
    /// A game has more roles than there are entrants.
    #[error(
        "game number {game} of stage {stage} has {seats} roles, but only {field} take part; add entrants or \
         leave it out"
    )]
    TooManyRoles {
        /// Which stage, from 1.
        stage: usize,
        /// Which of its games, from 1.
        game: usize,
        /// How many roles it has.
        seats: usize,
        /// How many take part.
        field: usize,
    },
}

/// A match, by its place in the tournament: the same in every run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct FixtureId {
    /// Which stage, from 0.
    pub stage: usize,
    /// Which series of the stage, from 0.
    pub series: usize,
    /// Which match of the series, from 0.
    pub number: usize,
}

impl FixtureId {
    /// As one number.
    pub fn number(self) -> u64 {
        ((self.stage as u64) << 40) | ((self.series as u64) << 8) | self.number as u64
    }
}

/// A match to be played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fixture {
    /// Which one it is.
    pub id: FixtureId,
    /// The game's place in the list of all games.
    pub game: usize,
    /// Who plays, in the order of the roles that are not chance.
    pub seats: Vec<EntrantId>,
    /// The seed of all chance in it.
    pub seed: u64,
}

/// What came out of the matches so far: the goals in the order of the seats; none if the game had a fault, and nobody
/// has won.
pub type Results = BTreeMap<FixtureId, Vec<u8>>;

/// A whole tournament.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    entrants: usize,
    stages: Vec<Stage>,
    seed: u64,
}

/// Where a stage stands.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StageProgress {
    /// How it is played.
    pub kind: Kind,
    /// Who takes part, the best of the stage before first.
    pub field: Vec<EntrantId>,
    /// Who meets whom, in the order of the rounds.
    pub series: Vec<Series>,
    /// The table, the best first.
    pub table: Vec<Row>,
    /// Whether all is played.
    pub is_over: bool,
}

/// Where a tournament stands.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Progress {
    /// The stages that have begun.
    pub stages: Vec<StageProgress>,
    /// What can be played now.
    pub open: Vec<Fixture>,
    /// All entrants, the best first, as far as is known.
    pub ranking: Vec<EntrantId>,
    /// Whether all is played.
    pub is_over: bool,
}

/// Entrants of a bracket or of Swiss at most.
const MOST_PAIRED: usize = 256;
/// Matches of a series, and rounds, at most.
const MOST_ROUNDS: usize = 99;

impl Plan {
    /// A tournament of so many entrants.
    pub fn new(entrants: usize, stages: Vec<Stage>, seed: u64) -> Result<Self, PlanError> {
        if entrants < 2 || stages.is_empty() {
            return Err(PlanError::Empty { entrants, stages: stages.len() });
        }
        let mut field = entrants;
        for (number, stage) in stages.iter().enumerate() {
            check(stage, number + 1, field)?;
            field = stage.top.unwrap_or(field);
        }
        Ok(Self { entrants, stages, seed })
    }

    /// Where the tournament stands after these results.
    pub fn progress(&self, results: &Results) -> Progress {
        let mut ranking: Vec<EntrantId> = (0..self.entrants).map(EntrantId).collect();
        let (mut stages, mut open, mut is_over) = (Vec::new(), Vec::new(), true);
        for (number, stage) in self.stages.iter().enumerate() {
            let field = &ranking[..stage.top.unwrap_or(ranking.len()).min(ranking.len())];
            let ground = Ground { stage, number, field, seed: self.seed, results };
            let (progress, playable) = ground.progress();
            let ranked: Vec<EntrantId> = progress.table.iter().map(|row| row.entrant).collect();
            ranking.splice(..ranked.len(), ranked);
            let stage_over = progress.is_over;
            stages.push(progress);
            open = playable;
            if !stage_over {
                is_over = false;
                break;
            }
        }
        Progress { stages, open, ranking, is_over }
    }
}

fn check(stage: &Stage, number: usize, before: usize) -> Result<(), PlanError> {
    let within = |field: &'static str, value: usize, least: usize, most: usize| match value {
        value if (least..=most).contains(&value) => Ok(()),
        value => Err(PlanError::Number { stage: number, field, value, least, most }),
    };
    if stage.games.is_empty() {
        return Err(PlanError::NoGames(number));
    }
    let field = stage.top.unwrap_or(before);
    within("top", field, 2, if stage.kind.is_for_two() { before.min(MOST_PAIRED) } else { before })?;
    within("rounds", stage.rounds, 1, MOST_ROUNDS)?;
    within("best_of", stage.best_of, 1, MOST_ROUNDS)?;
    for (place, &StageGame { seats, .. }) in stage.games.iter().enumerate() {
        let game = place + 1;
        if stage.kind.is_for_two() && seats != 2 {
            return Err(PlanError::NotForTwo { stage: number, game, seats });
        }
        if seats > field {
            return Err(PlanError::TooManyRoles { stage: number, game, seats, field });
        }
    }
    Ok(())
}

/// A stage with its field, and what has come out of it.
struct Ground<'a> {
    stage: &'a Stage,
    number: usize,
    field: &'a [EntrantId],
    seed: u64,
    results: &'a Results,
}

impl Ground<'_> {
    /// Where the stage stands, and what can be played.
    fn progress(&self) -> (StageProgress, Vec<Fixture>) {
        match self.stage.kind {
            Kind::Preliminaries | Kind::RoundRobin => self.all_rounds(),
            Kind::Swiss => self.swiss(),
            Kind::Knockout | Kind::DoubleElimination => self.bracket(),
        }
    }

    fn fixture(&self, series: usize, number: usize, game: usize, seats: Vec<EntrantId>) -> Fixture {
        let id = FixtureId { stage: self.number, series, number };
        Fixture { id, game, seats, seed: Dice::stream(self.seed, id.number()).bits() }
    }

    fn result(&self, fixture: &Fixture) -> Option<&[u8]> {
        self.results.get(&fixture.id).map(Vec::as_slice)
    }

    /// The place of an entrant in the field.
    fn place(&self, entrant: EntrantId) -> usize {
        self.field.iter().position(|&other| other == entrant).unwrap_or(self.field.len())
    }

    /// The matches that can be played now: those of the series that have no result.
    fn open(&self, series: &[Series]) -> Vec<Fixture> {
        let fixtures = series.iter().flat_map(|series| &series.fixtures);
        fixtures.filter(|fixture| self.result(fixture).is_none()).cloned().collect()
    }
}

//! Everything that is known of a tournament, in names: for the page, the file and the terminal.

use std::io::Write;

use referee::tournament::{
    EntrantId, GameFairness, Progress, Rating, Row, Series, Side, StageProgress, fairness, ratings,
};
use referee::{MatchRecord, Standing, standings};
use serde::Serialize;

use super::file::Described;
use super::games::TournamentGame;
use crate::output::Output;
use crate::table::Table;

/// A tournament as it stands.
#[derive(Serialize)]
pub(super) struct Report {
    pub(super) name: String,
    pub(super) seed: u64,
    pub(super) is_over: bool,
    pub(super) entrants: Vec<EntrantReport>,
    pub(super) stages: Vec<StageReport>,
    /// All entrants, the best first, as far as is known.
    pub(super) ranking: Vec<String>,
    /// Goals and trouble of each entrant over all matches.
    pub(super) standings: Vec<Standing>,
    /// By all matches in the database.
    pub(super) ratings: Vec<Rating>,
    pub(super) fairness: Vec<GameFairness>,
    /// Matches that a fault of their game has ended.
    pub(super) aborted: usize,
    pub(super) matches: Vec<MatchReport>,
}

#[derive(Serialize)]
pub(super) struct EntrantReport {
    pub(super) name: String,
    pub(super) kind: &'static str,
}

#[derive(Serialize)]
pub(super) struct StageReport {
    pub(super) kind: referee::tournament::Kind,
    pub(super) games: Vec<String>,
    pub(super) is_over: bool,
    pub(super) field: Vec<String>,
    pub(super) series: Vec<SeriesReport>,
    pub(super) table: Vec<RowReport>,
}

#[derive(Serialize)]
pub(super) struct SeriesReport {
    pub(super) side: Side,
    pub(super) round: usize,
    pub(super) entrants: Vec<Option<String>>,
    pub(super) scores: Vec<f64>,
    pub(super) winner: Option<String>,
    pub(super) is_bye: bool,
    /// The numbers of its matches, played or not.
    pub(super) matches: Vec<u64>,
    /// The games of its matches.
    pub(super) games: Vec<String>,
}

#[derive(Serialize)]
pub(super) struct RowReport {
    pub(super) entrant: String,
    #[serde(flatten)]
    pub(super) row: RowNumbers,
}

#[derive(Serialize)]
pub(super) struct RowNumbers {
    pub(super) points: f64,
    pub(super) matches: usize,
    pub(super) won: usize,
    pub(super) drawn: usize,
    pub(super) lost: usize,
    pub(super) mean_goal: Option<f64>,
}

#[derive(Serialize)]
pub(super) struct MatchReport {
    pub(super) number: u64,
    pub(super) stage: usize,
    pub(super) match_id: String,
    pub(super) game: String,
    pub(super) roles: Vec<String>,
    pub(super) players: Vec<String>,
    pub(super) goals: Vec<u8>,
    pub(super) completed: bool,
    pub(super) started: u64,
    /// Trouble: turn, role, what it was.
    pub(super) trouble: Vec<(usize, String, String)>,
    pub(super) moves: Vec<Vec<String>>,
}

impl Report {
    pub(super) fn new(
        described: &Described,
        games: &[TournamentGame],
        progress: &Progress,
        ended: &[(u64, MatchRecord)],
        all: &[MatchRecord],
    ) -> Self {
        let names = Names { described, games };
        let players: Vec<String> = described.entrants.iter().map(|entrant| entrant.name.clone()).collect();
        let records = || ended.iter().map(|(_, record)| record);
        Self {
            name: described.name.clone(),
            seed: described.seed,
            is_over: progress.is_over,
            entrants: described
                .entrants
                .iter()
                .map(|entrant| EntrantReport { name: entrant.name.clone(), kind: entrant.who.kind() })
                .collect(),
            stages: progress
                .stages
                .iter()
                .enumerate()
                .map(|(number, stage)| names.stage(number, stage))
                .collect(),
            ranking: progress.ranking.iter().map(|&entrant| names.name(entrant)).collect(),
            standings: standings(&players, records()),
            ratings: ratings(all.iter()),
            fairness: fairness(records()),
            aborted: records().filter(|record| !record.is_completed).count(),
            matches: ended.iter().map(|(number, record)| MatchReport::new(*number, record)).collect(),
        }
    }

    /// Tells the ranking and the rest in short.
    pub(super) fn write(&self, output: &mut Output) -> anyhow::Result<()> {
        let title = output.bold(&self.name);
        writeln!(output, "\n{title}")?;
        let mut table = Table::new(&[
            ">",
            "entrant",
            "kind",
            ">mean goal",
            ">late TO",
            ">illegal IL",
            ">unreached CE",
            ">rating",
        ]);
        for (place, name) in self.ranking.iter().enumerate() {
            let kind =
                self.entrants.iter().find(|entrant| entrant.name == *name).map_or("", |entrant| entrant.kind);
            let standing = self.standings.iter().find(|standing| standing.player == *name);
            let mean = standing.and_then(|standing| standing.mean_goal);
            let trouble = standing.map(|standing| standing.trouble).unwrap_or_default();
            let rating = self.ratings.iter().find(|rating| rating.player == *name);
            table.row([
                (place + 1).to_string(),
                name.clone(),
                kind.to_owned(),
                mean.map_or_else(|| "-".to_owned(), |mean| format!("{mean:.1}")),
                trouble.late.to_string(),
                trouble.illegal.to_string(),
                trouble.unreachable.to_string(),
                rating.map_or_else(|| "-".to_owned(), told_rating),
            ]);
        }
        table.write(output)?;
        writeln!(output, "\n{} matches were played", self.matches.len())?;
        if self.aborted > 0 {
            writeln!(
                output,
                "{} were called off, as their games have a fault; `ludens check` tells more",
                self.aborted
            )?;
        }
        Ok(())
    }
}

/// A rating with its interval.
pub(super) fn told_rating(rating: &Rating) -> String {
    let [low, high] = rating.interval;
    format!("{:.0} ({low:.0} to {high:.0})", rating.rating)
}

/// Numbers to names.
struct Names<'a> {
    described: &'a Described,
    games: &'a [TournamentGame],
}

impl Names<'_> {
    fn name(&self, entrant: EntrantId) -> String {
        self.described.entrants[entrant.0].name.clone()
    }

    fn stage(&self, number: usize, stage: &StageProgress) -> StageReport {
        let games = &self.described.stages[number].games;
        StageReport {
            kind: stage.kind,
            games: games.iter().map(|&game| self.games[game].loaded.title().to_owned()).collect(),
            is_over: stage.is_over,
            field: stage.field.iter().map(|&entrant| self.name(entrant)).collect(),
            series: stage.series.iter().map(|series| self.series(series)).collect(),
            table: stage.table.iter().map(|row| self.row(row)).collect(),
        }
    }

    fn series(&self, series: &Series) -> SeriesReport {
        SeriesReport {
            side: series.side,
            round: series.round,
            entrants: series
                .entrants
                .iter()
                .map(|entrant| entrant.map(|entrant| self.name(entrant)))
                .collect(),
            scores: series.scores.clone(),
            winner: series.winner.map(|winner| self.name(winner)),
            is_bye: series.is_bye,
            matches: series.fixtures.iter().map(|fixture| fixture.id.number()).collect(),
            games: series
                .fixtures
                .iter()
                .map(|fixture| self.games[fixture.game].loaded.title().to_owned())
                .collect(),
        }
    }

    fn row(&self, row: &Row) -> RowReport {
        let Row { entrant, points, matches, won, drawn, lost, mean_goal } = *row;
        RowReport {
            entrant: self.name(entrant),
            row: RowNumbers { points, matches, won, drawn, lost, mean_goal },
        }
    }
}

impl MatchReport {
    fn new(number: u64, record: &MatchRecord) -> Self {
        let entries = record.errors.iter().enumerate().flat_map(|(turn, entries)| {
            entries
                .iter()
                .zip(&record.game_role_names)
                .map(move |(entry, role)| (turn, role.clone(), entry.clone()))
        });
        Self {
            number,
            stage: (number >> 40) as usize,
            match_id: record.match_id.clone(),
            game: record.game_name.clone(),
            roles: record.game_role_names.clone(),
            players: record.player_names_from_host.clone(),
            goals: record.goal_values.clone(),
            completed: record.is_completed,
            started: record.start_time,
            trouble: entries.filter(|(.., entry)| !entry.is_empty()).collect(),
            moves: record.moves.clone(),
        }
    }
}

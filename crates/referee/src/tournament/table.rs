//! The table of a stage.

use serde::Serialize;

use super::{EntrantId, Ground, Kind, Series, series};

/// What an entrant has reached in a stage.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// Who.
    pub entrant: EntrantId,
    /// Points, by which the table is ordered, but in brackets: in preliminaries the sum of the goals in hundreds,
    /// elsewhere wins, a draw counting one half, and goals in hundreds in games that are not for two.
    pub points: f64,
    /// Matches that were played.
    pub matches: usize,
    /// Those in which nobody else has reached as much; 100 in games for one.
    pub won: usize,
    /// Those in which somebody else has reached as much, and nobody more.
    pub drawn: usize,
    /// The rest.
    pub lost: usize,
    /// The mean of the goals; none without matches.
    pub mean_goal: Option<f64>,
}

/// What an entrant has reached in matches, and with an opponent missing.
fn row(ground: &Ground<'_>, entrant: EntrantId, all: &[Series]) -> Row {
    let mut row = Row { entrant, points: 0.0, matches: 0, won: 0, drawn: 0, lost: 0, mean_goal: None };
    let mut sum = 0.0;
    for series in all {
        if series.is_bye && !ground.stage.kind.is_bracket() && series.entrants[0] == Some(entrant) {
            row.points += series.scores[0];
        }
        for fixture in &series.fixtures {
            let Some(seat) = fixture.seats.iter().position(|&seat| seat == entrant) else { continue };
            let Some(goals) = ground.result(fixture) else { continue };
            let goal = goals.get(seat).copied().unwrap_or(0);
            let best =
                goals.iter().enumerate().filter(|(other, _)| *other != seat).map(|(_, &goal)| goal).max();
            // Whoever plays alone has to reach everything.
            let best = best.unwrap_or(if goal == 100 { 0 } else { 101 });
            match goal.cmp(&best) {
                _ if goals.is_empty() => row.drawn += 1,
                std::cmp::Ordering::Greater => row.won += 1,
                std::cmp::Ordering::Equal => row.drawn += 1,
                std::cmp::Ordering::Less => row.lost += 1,
            }
            row.points += match (ground.stage.kind, fixture.seats.len()) {
                (Kind::RoundRobin | Kind::Swiss | Kind::Knockout | Kind::DoubleElimination, 2) => {
                    series::points(goals)[seat.min(1)]
                }
                _ => f64::from(goal) / 100.0,
            };
            row.matches += 1;
            sum += f64::from(goal);
        }
    }
    row.mean_goal = (row.matches > 0).then(|| sum / row.matches as f64);
    row
}

/// By points, then by goals, then as the field was.
pub(super) fn of_rounds(ground: &Ground<'_>, all: &[Series]) -> Vec<Row> {
    let mut rows: Vec<Row> = ground.field.iter().map(|&entrant| row(ground, entrant, all)).collect();
    let key = |row: &Row| (row.points, row.mean_goal.unwrap_or(0.0));
    rows.sort_by(|one, two| key(two).partial_cmp(&key(one)).unwrap_or(std::cmp::Ordering::Equal));
    rows
}

/// By how far they came: who lost a later series stands higher; those of one round as the field was.
pub(super) fn of_bracket(ground: &Ground<'_>, all: &[Series]) -> Vec<Row> {
    // The round of the last series that was lost, counted over the whole bracket; nobody has beaten the rest yet.
    let last_lost = |entrant: EntrantId| {
        let is_in = |series: &&Series| series.entrants.contains(&Some(entrant));
        let lost: Vec<(usize, &Series)> = all
            .iter()
            .enumerate()
            .filter(|(_, series)| is_in(series) && !series.is_bye)
            .filter(|(_, series)| series.winner.is_some_and(|winner| winner != entrant))
            .collect();
        let losses = if ground.stage.kind == Kind::DoubleElimination { 2 } else { 1 };
        match lost.last() {
            Some((number, series)) if lost.len() >= losses => rank(all, *number, series),
            _ => usize::MAX,
        }
    };
    let mut rows: Vec<(usize, Row)> =
        ground.field.iter().map(|&entrant| (last_lost(entrant), row(ground, entrant, all))).collect();
    if let Some(champion) = champion(all) {
        rows.iter_mut().filter(|(_, row)| row.entrant != champion && row.matches > 0).for_each(
            |(rank, _)| {
                // One loss in the final is enough to be second.
                *rank = (*rank).min(usize::MAX - 1);
            },
        );
    }
    rows.sort_by_key(|(rank, _)| std::cmp::Reverse(*rank));
    rows.into_iter().map(|(_, row)| row).collect()
}

/// Series of one round stand alike: the number of the first of them.
fn rank(all: &[Series], number: usize, series: &Series) -> usize {
    let alike = |other: &Series| (other.side, other.round) == (series.side, series.round);
    all.iter().position(alike).unwrap_or(number)
}

/// Who has won the last series that was to be played.
fn champion(all: &[Series]) -> Option<EntrantId> {
    all.last().and_then(|last| last.winner)
}

impl Kind {
    pub(super) fn is_bracket(self) -> bool {
        matches!(self, Kind::Knockout | Kind::DoubleElimination)
    }
}

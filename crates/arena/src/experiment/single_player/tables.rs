//! The page: every table of the paper with ours beside it.

use std::fmt::Write;

use super::matches::{AGENTS, Scores};
use super::pace::Pace;
use super::published::{CHECKPOINTS, CLOCKS, FINDERS, INTERVAL, PUZZLES};
use super::searches::{Cell, Cells, Cost, PLAYERS};
use super::{PuzzleBoard, SinglePlayer};
use crate::experiment::Experiment;
use crate::experiment::comparison::{Comparison, compare};
use crate::plot::{Chart, Group};
use crate::statistics::{Share, Tally};

/// The paper's words for its checkpoints.
const TIMES: [&str; 4] = ["1 s", "1 min", "3 min", "10 min"];
/// Where players of Table II stand among ours, and those of Table IV.
const TABLE_II: [usize; 4] = [0, 1, 2, 3];
const TABLE_IV: [usize; 3] = [0, 4, 5];
/// The names of the players of matches.
const PLAYER_NAMES: [&str; 3] = ["dedicated", "baseline", "CadiaPlayer"];

pub(super) fn text(experiment: &SinglePlayer, boards: &[PuzzleBoard], runs: u64) -> String {
    let own: Vec<&str> =
        boards.iter().filter(|board| !board.is_public).map(|board| board.sheet.as_str()).collect();
    let sheets = match own.len() {
        0 => "on the sheets of the public repositories".to_owned(),
        10 => "on our own sheets of puzzles of the same size".to_owned(),
        _ => format!("on the sheets of the public repositories, or our own ({})", own.join(", ")),
    };
    let pace = match boards.first().map(|board| (board.pace, board.speed)) {
        Some((Pace::Simulations(most), _)) => format!(
            "Time is counted in simulations: {most} stand for the paper's ten minutes, and shorter times for their part \
             of it, in the matches too."
        ),
        Some((Pace::Faster(times), None)) => {
            format!("Time is taken by the clock on the wall; the paper's clocks are divided by {times}.")
        }
        _ => "Time is taken by the clock on the wall. As our playouts are faster than those of the paper's day, its clocks \
              are divided, for each puzzle by as much as random simulations of ours are faster than those of the reference \
              reasoner, times 50, by which the reference reasoner is faster than a prover of that day (geometric mean of \
              five of these puzzles, [reference.md](reference.md)). How fast MiNI-Player's own interpreter was is not known."
            .to_owned(),
    };
    format!(
        "{} {runs} matches a cell, with different seeds, {sheets}; the paper has 100. {pace}\n\nIntervals are those of \
         95%; the paper says that none of its own was wider than ± {INTERVAL}. `=` stands where ours and the paper's do \
         not differ by more than both intervals allow, `+` and `-` where ours is higher or lower. MAX and AVG are the \
         dedicated player by the highest score and by averages, ALL has all strategies, R chance alone. In matches the \
         agents are `{}`; the machine is there when the start clock begins. Source: {}.",
        experiment.about(),
        AGENTS.join("`, `"),
        experiment.source()
    )
}

/// How fast the machines are, and what the clocks are divided by.
pub(super) fn speeds(boards: &[PuzzleBoard]) -> String {
    if boards.iter().all(|board| board.speed.is_none()) {
        return String::new();
    }
    let mut out =
        "## The pace\n\n| puzzle | random simulations a second | on the reference reasoner | clocks \
                   divided by | ten minutes |\n| --- | ---: | ---: | ---: | ---: |\n"
            .to_owned();
    for board in boards {
        let Some(speed) = board.speed else { continue };
        let Pace::Faster(times) = board.pace else { continue };
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            "| {} | {:.0} | {:.0} | {times} | {:.2} s |",
            board.sheet,
            speed.ours,
            speed.reference,
            board.pace.time(CHECKPOINTS[3]).as_secs_f64()
        );
    }
    out.push('\n');
    out
}

/// A share in per cent with its interval, and how it compares with what was published.
fn beside(tally: &Tally, published: f64) -> String {
    let Some(share) = tally.share() else { return format!("none, {published}") };
    format!("{} {} {published}", share.per_cent(), compare(share, (published, INTERVAL)).sign())
}

/// Tables II, III and IV.
pub(super) fn searches(cells: &Cells) -> String {
    let mut out = "## Table II: players\n\nOurs, and the paper's.\n\n".to_owned();
    out +=
        &scores(cells, &TABLE_II, |puzzle, checkpoint, column| PUZZLES[puzzle].players[checkpoint][column]);
    out += &finders(cells);
    out += "## Table IV: depths of exploration (MAX has 4, 6 and 8)\n\nOurs, and the paper's.\n\n";
    out += &scores(cells, &TABLE_IV, |puzzle, checkpoint, column| PUZZLES[puzzle].depths[checkpoint][column]);
    out
}

fn scores(cells: &Cells, shown: &[usize], paper: impl Fn(usize, usize, usize) -> f64) -> String {
    let names: Vec<&str> = shown.iter().map(|&player| PLAYERS[player]).collect();
    let mut out = format!("| puzzle | after | {} |\n", names.join(" | "));
    let _ = writeln!(out, "| --- | ---: |{}", " ---: |".repeat(shown.len()));
    for (place, row) in cells.iter().enumerate() {
        for (checkpoint, time) in TIMES.iter().enumerate() {
            let _ = write!(out, "| {} | {time} |", PUZZLES[place].sheet);
            for (column, &player) in shown.iter().enumerate() {
                let cell = beside(&row[player].scores[checkpoint], paper(place, checkpoint, column));
                let _ = write!(out, " {cell} |");
            }
            out.push('\n');
        }
    }
    out.push('\n');
    out
}

/// Table III.
fn finders(cells: &Cells) -> String {
    let mut out =
        "## Table III: who found the highest score (player ALL)\n\nOf a thousand runs: ours, and the \
                   paper's.\n\n"
            .to_owned();
    let _ = writeln!(out, "| found by | {} |\n| --- |{}", TIMES.join(" | "), " ---: |".repeat(TIMES.len()));
    for (finder, paper) in FINDERS {
        let _ = write!(out, "| {finder} |");
        for (checkpoint, paper) in paper.iter().enumerate() {
            let found = |row: &[Cell; 6]| row[2].finders[checkpoint].get(finder).copied().unwrap_or(0);
            let all = cells.iter().map(|row| row[2].scores[checkpoint].len()).sum::<u64>();
            let share = cells.iter().map(found).sum::<u64>() as f64 * 1000.0 / all.max(1) as f64;
            let _ = write!(out, " {share:.0}, {paper} |");
        }
        out.push('\n');
    }
    out += "\nExploring playouts have six strategies, the others one each; score only where the rules keep one.\n\n";
    out
}

/// What the tables of states cost.
pub(super) fn costs(boards: &[PuzzleBoard], costs: &[(usize, [Cost; 2])]) -> String {
    let mut out = "## Tables of states: the paper's five levels, and ours\n\nNanoseconds for noting a node of a tree of random \
                   playouts and finding it again, and how many states each table tells apart.\n\n| puzzle | nodes | five \
                   levels | Zobrist | states, five levels | states, Zobrist |\n| --- | ---: | ---: | ---: | ---: | ---: \
                   |\n"
        .to_owned();
    for (board, (nodes, [levels, ours])) in boards.iter().zip(costs) {
        let _ = writeln!(
            out,
            "| {} | {nodes} | {:.0} | {:.0} | {} | {} |",
            board.sheet, levels.0, ours.0, levels.1, ours.1
        );
    }
    out.push('\n');
    out
}

/// The mean of a player over all puzzles, as a share: each puzzle weighs the same.
fn average(rows: &[[Tally; 3]], player: usize) -> Option<Share> {
    let shares: Option<Vec<Share>> = rows.iter().map(|row| row[player].share()).collect();
    let shares = shares.filter(|shares| !shares.is_empty())?;
    let count = shares.len() as f64;
    let mean = shares.iter().map(|share| share.mean).sum::<f64>() / count;
    let interval = shares.iter().map(|share| share.interval.powi(2)).sum::<f64>().sqrt() / count;
    Some(Share { mean, interval })
}

fn published_average(clocks: usize, player: usize) -> f64 {
    PUZZLES.iter().map(|puzzle| puzzle.clocks[clocks][player]).sum::<f64>() / PUZZLES.len() as f64
}

/// The interval of the paper's averages, at most.
fn published_interval() -> f64 {
    INTERVAL / (PUZZLES.len() as f64).sqrt()
}

/// Tables V to VII.
pub(super) fn matches(scores: &Scores) -> String {
    let mut out = String::new();
    for (clocks, rows) in scores.iter().enumerate() {
        let (start, play, table) = CLOCKS[clocks];
        let _ = write!(
            out,
            "## Table {table}: matches, {start} s and {play} s of the paper's\n\nOurs, and the paper's.\n\n| puzzle | {} \
             |\n| --- | ---: | ---: | ---: |\n",
            PLAYER_NAMES.join(" | ")
        );
        for (puzzle, row) in PUZZLES.iter().zip(rows) {
            let cell = |player: usize| beside(&row[player], puzzle.clocks[clocks][player]);
            let _ = writeln!(out, "| {} | {} | {} | {} |", puzzle.sheet, cell(0), cell(1), cell(2));
        }
        let _ = write!(out, "| **average** |");
        for player in 0..PLAYER_NAMES.len() {
            let published = published_average(clocks, player);
            let ours = average(rows, player).map_or_else(String::new, |share| {
                let sign = compare(share, (published, published_interval())).sign();
                format!("**{}** {sign}", share.per_cent())
            });
            let _ = write!(out, " {ours} {published:.1} |");
        }
        out.push_str("\n\n");
    }
    out
}

/// Where ours and the paper's differ, in sentences.
pub(super) fn differing(cells: &Cells, scores: &Scores) -> Vec<String> {
    let mut all = Vec::new();
    let mut tell = |place: String, tally: &Tally, published: f64| {
        let Some(share) = tally.share() else { return };
        all.extend(compare(share, (published, INTERVAL)).sentence(&place, share, (published, INTERVAL)));
    };
    for (clocks, rows) in scores.iter().enumerate() {
        for (puzzle, row) in PUZZLES.iter().zip(rows) {
            for (player, name) in PLAYER_NAMES.iter().enumerate() {
                let place = format!("Table {}, {}, {name}", CLOCKS[clocks].2, puzzle.sheet);
                tell(place, &row[player], puzzle.clocks[clocks][player]);
            }
        }
    }
    let shown = [("II", &TABLE_II[..]), ("IV", &TABLE_IV[1..])];
    for (table, shown) in shown {
        for (puzzle, row) in PUZZLES.iter().zip(cells) {
            for (column, &player) in shown.iter().enumerate() {
                // The last checkpoint says most; the table has them all.
                let published = match table {
                    "II" => puzzle.players[3][column],
                    _ => puzzle.depths[3][column + 1],
                };
                let place = format!("Table {table}, {}, {}, 10 min", puzzle.sheet, PLAYERS[player]);
                tell(place, &row[player].scores[3], published);
            }
        }
    }
    all
}

/// The averages of the dedicated player that were not reached.
pub(super) fn missed(scores: &Scores) -> Vec<String> {
    let mut missed = Vec::new();
    for (clocks, rows) in scores.iter().enumerate() {
        let (published, table) = (published_average(clocks, 0), CLOCKS[clocks].2);
        let published = (published, published_interval());
        if let Some(share) = average(rows, 0)
            && compare(share, published) == Comparison::Lower
        {
            missed.push(format!(
                "Table {table}, the dedicated player on average: {} where {:.1} was wanted",
                share.per_cent(),
                published.0
            ));
        }
    }
    missed
}

pub(super) fn chart(scores: &Scores) -> Chart {
    let mut groups = Vec::new();
    for (clocks, rows) in scores.iter().enumerate() {
        for (player, name) in PLAYER_NAMES.iter().enumerate() {
            let ours = average(rows, player).map(|share| (100.0 * share.mean, 100.0 * share.interval));
            let published = Some((published_average(clocks, player), published_interval()));
            groups.push(Group { label: format!("{} {name}", CLOCKS[clocks].2), bars: vec![ours, published] });
        }
    }
    let series = ["Ludens", "published"].map(str::to_owned).to_vec();
    Chart { title: "One-player games: averages of Tables V to VII".to_owned(), series, groups }
}

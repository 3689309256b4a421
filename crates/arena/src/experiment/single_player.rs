//! One-player games: what the parts of MiNI-Player's method are worth.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use game::Game;
use machine::circuit::CircuitMachine;
use puzzle::method::Method;
use puzzle::method::mini::{Mini, MiniOptions, Strategy, Worth};
use puzzle::{Board, Clock, Search};

use super::{Experiment, Laboratory, Report};
use crate::ArenaError;
use crate::plot::{Chart, Group};

/// The experiment.
pub(super) struct SinglePlayer;

/// The bundled name of each puzzle, and what MAX, AVG, ALL and R of the paper had after ten minutes
/// (its Table II).
const PUZZLES: [(&str, [f64; 4]); 10] = [
    ("eight-puzzle", [99.03, 99.08, 99.07, 58.9]),
    ("buttons", [100.0, 100.0, 100.0, 100.0]),
    ("circle-solitaire", [100.0, 100.0, 100.0, 100.0]),
    ("hamilton", [100.0, 100.0, 100.0, 97.0]),
    ("hanoi", [80.4, 78.0, 80.0, 70.4]),
    ("hunter", [87.0, 87.0, 87.0, 87.0]),
    ("knights-tour", [99.44, 99.01, 99.43, 72.63]),
    ("lights-out", [100.0, 100.0, 100.0, 22.0]),
    ("rubiks-cube", [42.2, 37.05, 27.9, 9.95]),
    ("untwisty-corridor", [100.0, 100.0, 100.0, 99.0]),
];

/// The paper's players: the four of Table II, then the other two of Table IV.
fn players() -> [(&'static str, MiniOptions); 6] {
    let with = |worth, strategies| MiniOptions { worth, strategies, ..MiniOptions::default() };
    let every_depth: Vec<usize> = (1..=8).collect();
    [
        ("MAX", with(Worth::Highest, Strategy::dedicated())),
        ("AVG", with(Worth::Average, Strategy::dedicated())),
        ("ALL", with(Worth::Highest, Strategy::all())),
        ("R", with(Worth::Highest, vec![Strategy::Random])),
        ("EXP357", with(Worth::Highest, Strategy::explorations(&[3, 5, 7]))),
        ("EXP1-8", with(Worth::Highest, Strategy::explorations(&every_depth))),
    ]
}

/// What one player reached in one puzzle, at each checkpoint on average.
struct Cell {
    means: Vec<f64>,
    /// Who found the best plan, at each checkpoint.
    finders: Vec<BTreeMap<&'static str, u64>>,
}

impl Experiment for SinglePlayer {
    fn name(&self) -> &'static str {
        "single-player"
    }

    fn about(&self) -> &'static str {
        "One-player games: the highest score against the average, exploring playouts against others."
    }

    fn source(&self) -> &'static str {
        "Świechowski, Mańdziuk and Ong, Specialization of a UCT-based General Game Playing Program to \
         Single-Player Games, Tables II to IV"
    }

    fn run(&self, laboratory: &mut dyn Laboratory) -> Result<Report, ArenaError> {
        let (runs, most) = (laboratory.scale().matches(10), laboratory.scale().simulations(10_000));
        let checkpoints = [(most / 100).max(1), (most / 10).max(1), most];
        let mut cells = Vec::new();
        for (puzzle, _) in PUZZLES {
            let machine = machine(puzzle)?;
            let row = players().map(|(_, options)| measure(&machine, &options, &checkpoints, runs));
            cells.push(row);
        }
        Ok(Report {
            title: "One-player games, part by part".to_owned(),
            text: text(self, runs, &checkpoints),
            table: tables(&cells, &checkpoints),
            chart: chart(&cells),
            missed: Vec::new(),
        })
    }
}

fn machine(puzzle: &str) -> Result<Arc<CircuitMachine>, ArenaError> {
    let unknown = |why: String| ArenaError::Unplayable { game: puzzle.to_owned(), why };
    let rules = bundled::find(puzzle).map_err(|error| unknown(error.to_string()))?.rules;
    let rules = gdl::normal::normalize(&gdl::parse(&gdl::SourceFile::new(puzzle, rules)).sheet);
    let build = machine::build::circuit(&rules, circuit::Effort::Quick, &ground::Budget::unlimited());
    Ok(Arc::new(CircuitMachine::new(build.map_err(|error| unknown(error.to_string()))?.circuit)))
}

/// Plays runs with different seeds, with a look at the best plan at each checkpoint.
fn measure(machine: &Arc<CircuitMachine>, options: &MiniOptions, checkpoints: &[u64], runs: u64) -> Cell {
    let mut cell =
        Cell { means: vec![0.0; checkpoints.len()], finders: vec![BTreeMap::new(); checkpoints.len()] };
    let ceiling = machine.circuit().roles[0].goals.iter().map(|goal| goal.value).max().unwrap_or(0);
    for seed in 1..=runs {
        // Time is counted in simulations: the method reads its clock once for each.
        let readings = AtomicU64::new(0);
        let clock: Clock = Arc::new(move || Duration::from_nanos(readings.fetch_add(1, Ordering::Relaxed)));
        let (board, stop) = (Board::new(game::Goal(ceiling)), AtomicBool::new(false));
        let search = Search { clock, stop: &stop, board: &board };
        let mut mini =
            Mini::new(Arc::clone(machine), machine.initial(), MiniOptions { seed, ..options.clone() });
        for (index, &checkpoint) in checkpoints.iter().enumerate() {
            while let Some(mini) = &mut mini
                && mini.simulations() < checkpoint
                && !board.is_settled()
            {
                // One reading more: the first look at the clock comes before the first simulation.
                let left = Duration::from_nanos(checkpoint - mini.simulations() + 1);
                mini.work((search.clock)() + left, &search);
            }
            let found = board.best();
            let score = found.as_ref().map_or(0.0, |found| f64::from(found.plan.score.0));
            cell.means[index] += score / runs as f64;
            let finder = found.filter(|_| score > 0.0).map_or("no score found", |found| found.method);
            *cell.finders[index].entry(finder).or_default() += 1;
        }
    }
    cell
}

fn text(experiment: &SinglePlayer, runs: u64, checkpoints: &[u64]) -> String {
    format!(
        "{} {runs} matches a cell, with different seeds. In place of the paper's one second to ten minutes the \
         scores are taken after {} simulations, on our own sheets of the same puzzles. ALL has exploration, \
         chance, mobility and history; goal evaluation, symbol counting and score are not among our playout \
         strategies. Tables V to VII, whole matches by the clock, are in puzzles.md. Source: {}.",
        experiment.about(),
        checkpoints.iter().map(u64::to_string).collect::<Vec<_>>().join(", "),
        experiment.source()
    )
}

fn tables(cells: &[[Cell; 6]], checkpoints: &[u64]) -> String {
    // Writing to a string cannot fail.
    let mut out = String::new();
    let names = players().map(|player| player.0);
    for (title, shown) in [("Table II: players", &[0, 1, 2, 3][..]), ("Table IV: depths", &[0, 4, 5])] {
        let _ = write!(out, "## {title}\n\n| puzzle | simulations |");
        shown.iter().for_each(|&player| _ = write!(out, " {} |", names[player]));
        if shown.len() == 4 {
            let _ = write!(out, " paper after 10 minutes: MAX, AVG, ALL, R |");
        }
        let _ = write!(out, "\n| --- | ---: |{}\n", " ---: |".repeat(shown.len() + shown.len() / 4));
        for ((puzzle, paper), row) in PUZZLES.iter().zip(cells) {
            for (index, checkpoint) in checkpoints.iter().enumerate() {
                let _ = write!(out, "| {puzzle} | {checkpoint} |");
                shown.iter().for_each(|&player| _ = write!(out, " {:.1} |", row[player].means[index]));
                if shown.len() == 4 {
                    let last = index + 1 == checkpoints.len();
                    let paper = paper.map(|score| score.to_string()).join(", ");
                    let _ = write!(out, " {} |", if last { paper.as_str() } else { "" });
                }
                out.push('\n');
            }
        }
        out.push('\n');
    }
    let _ = write!(out, "## Table III: who found the highest score (player ALL)\n\n| found by |");
    checkpoints.iter().for_each(|checkpoint| _ = write!(out, " {checkpoint} |"));
    let _ = write!(out, "\n| --- |{}\n", " ---: |".repeat(checkpoints.len()));
    let mut sums: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
    for row in cells {
        for (index, finders) in row[2].finders.iter().enumerate() {
            for (finder, count) in finders {
                sums.entry(finder).or_insert_with(|| vec![0; checkpoints.len()])[index] += count;
            }
        }
    }
    for (finder, counts) in sums {
        let _ = write!(out, "| {finder} |");
        counts.iter().for_each(|count| _ = write!(out, " {count} |"));
        out.push('\n');
    }
    out
}

fn chart(cells: &[[Cell; 6]]) -> Chart {
    let last = |cell: &Cell| cell.means.last().map(|&mean| (mean, 0.0));
    let group = |((puzzle, paper), row): (&(&str, [f64; 4]), &[Cell; 6])| Group {
        label: (*puzzle).to_owned(),
        bars: vec![last(&row[0]), Some((paper[0], 0.0)), last(&row[3]), Some((paper[3], 0.0))],
    };
    Chart {
        title: "One-player games, part by part".to_owned(),
        series: ["MAX", "MAX, published", "R", "R, published"].map(str::to_owned).to_vec(),
        groups: PUZZLES.iter().zip(cells).map(group).collect(),
    }
}

//! One-player games: what the parts of MiNI-Player's method are worth, and what it scores in matches.

mod matches;
mod published;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use game::{Game, Goal};
use gdl::normal::NormalRules;
use machine::circuit::CircuitMachine;
use published::{FINDERS, PUZZLES};
use puzzle::method::Method;
use puzzle::method::mini::{Mini, MiniOptions, Strategy, Transpositions, Worth};
use puzzle::{Board, Clock, Search};

use super::{Experiment, Laboratory, Report};
use crate::ArenaError;
use crate::plot::{Chart, Group};

/// The experiment.
pub(super) struct SinglePlayer;

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
         Single-Player Games, Tables II to VII"
    }

    fn run(&self, laboratory: &mut dyn Laboratory) -> Result<Report, ArenaError> {
        let (runs, most) = (laboratory.scale().matches(5), laboratory.scale().simulations(20_000));
        // The paper's 1 second and 1, 3 and 10 minutes, in proportion.
        let checkpoints = [most / 600, most / 10, most * 3 / 10, most].map(|simulations| simulations.max(1));
        let (mut cells, mut costs) = (Vec::new(), Vec::new());
        for puzzle in &PUZZLES {
            let machine = machine(puzzle.name)?;
            cells.push(players().map(|(_, options)| measure(&machine, &options, &checkpoints, runs)));
            costs.push(cost(&machine, most));
        }
        let matches = matches::play(most, runs)?;
        Ok(Report {
            title: "One-player games, part by part".to_owned(),
            text: text(self, runs, most),
            table: tables(&cells, &checkpoints) + &cost_table(&costs) + &matches::tables(&matches, most),
            chart: chart(&cells),
            missed: Vec::new(),
            uncertain: Vec::new(),
        })
    }
}

fn rules(puzzle: &str) -> Result<NormalRules, ArenaError> {
    let unknown = |why: String| ArenaError::Unplayable { game: puzzle.to_owned(), why };
    let rules = bundled::find(puzzle).map_err(|error| unknown(error.to_string()))?.rules;
    Ok(gdl::normal::read(rules))
}

fn machine(puzzle: &str) -> Result<Arc<CircuitMachine>, ArenaError> {
    let build =
        machine::build::circuit(&rules(puzzle)?, circuit::Effort::Quick, &ground::Budget::unlimited());
    let unknown = |why: String| ArenaError::Unplayable { game: puzzle.to_owned(), why };
    Ok(Arc::new(CircuitMachine::new(build.map_err(|error| unknown(error.to_string()))?.circuit)))
}

fn ceiling(machine: &CircuitMachine) -> Goal {
    Goal(machine.circuit().roles[0].goals.iter().map(|goal| goal.value).max().unwrap_or(0))
}

/// Time counted in simulations: the method reads its clock once for each.
fn counting_clock() -> Clock {
    let readings = AtomicU64::new(0);
    Arc::new(move || Duration::from_nanos(readings.fetch_add(1, Ordering::Relaxed)))
}

/// Nanoseconds for noting a node and finding it again, with the table of five levels and with ours,
/// and how many nodes there are for each state.
type Cost = [(f64, f64); 2];

/// What the tables of states cost in a tree of so many simulations.
fn cost(machine: &Arc<CircuitMachine>, simulations: u64) -> Cost {
    let board = Board::new(Goal(u8::MAX));
    let stop = AtomicBool::new(false);
    let search = Search { clock: counting_clock(), stop: &stop, board: &board };
    let options = MiniOptions { strategies: vec![Strategy::Random], ..MiniOptions::default() };
    let Some(mut mini) = Mini::new(Arc::clone(machine), machine.initial(), options) else {
        return Cost::default();
    };
    mini.work(Duration::from_nanos(simulations), &search);
    [Transpositions::FiveLevels, Transpositions::Zobrist].map(|kind| {
        let begin = Instant::now();
        let found = mini.exercise(kind);
        let nodes = mini.nodes() as f64;
        (begin.elapsed().as_nanos() as f64 / nodes, nodes / found.max(1) as f64)
    })
}

/// Plays runs with different seeds, with a look at the best plan at each checkpoint.
fn measure(machine: &Arc<CircuitMachine>, options: &MiniOptions, checkpoints: &[u64], runs: u64) -> Cell {
    let mut cell =
        Cell { means: vec![0.0; checkpoints.len()], finders: vec![BTreeMap::new(); checkpoints.len()] };
    for seed in 1..=runs {
        let (board, stop) = (Board::new(ceiling(machine)), AtomicBool::new(false));
        let search = Search { clock: counting_clock(), stop: &stop, board: &board };
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

fn text(experiment: &SinglePlayer, runs: u64, most: u64) -> String {
    format!(
        "{} {runs} matches a cell, with different seeds, on our own sheets of the same puzzles. Time is counted in \
         simulations: {most} stand for the paper's ten minutes, and shorter times for their part of it, also in \
         the matches of Tables V to VII. ALL has all strategies of the paper in turn; its Score takes the goal that \
         would be read if the next state were the last one, and its symbols are weighted by their correlation with the \
         score. The baseline player takes averages, deals playouts out among seven strategies by upper confidence \
         bounds, has no table of states and does not remember its best line; in place of CadiaPlayer plays our agent \
         `cadia-mast`. Source: {}.",
        experiment.about(),
        experiment.source()
    )
}

/// A table in Markdown: a row for each puzzle and checkpoint, a column for each player shown.
fn scores(
    title: &str,
    shown: &[usize],
    paper: impl Fn(usize) -> String,
    cells: &[[Cell; 6]],
    checkpoints: &[u64],
) -> String {
    // Writing to a string cannot fail.
    let mut out = format!("## {title}\n\n| puzzle | simulations |");
    let names = players().map(|player| player.0);
    shown.iter().for_each(|&player| _ = write!(out, " {} |", names[player]));
    let _ =
        write!(out, " paper after 10 minutes |\n| --- | ---: |{} ---: |\n", " ---: |".repeat(shown.len()));
    for (place, (puzzle, row)) in PUZZLES.iter().zip(cells).enumerate() {
        for (index, checkpoint) in checkpoints.iter().enumerate() {
            let _ = write!(out, "| {} | {checkpoint} |", puzzle.name);
            shown.iter().for_each(|&player| _ = write!(out, " {:.1} |", row[player].means[index]));
            let last = index + 1 == checkpoints.len();
            let _ = writeln!(out, " {} |", if last { paper(place) } else { String::new() });
        }
    }
    out.push('\n');
    out
}

fn tables(cells: &[[Cell; 6]], checkpoints: &[u64]) -> String {
    let list = |scores: &[f64]| scores.iter().map(f64::to_string).collect::<Vec<_>>().join(", ");
    let paper = |place: usize| list(&PUZZLES[place].players);
    let mut out = scores("Table II: players", &[0, 1, 2, 3], paper, cells, checkpoints);
    out += &finders(cells, checkpoints);
    let paper = |place: usize| list(&PUZZLES[place].depths);
    out += &scores(
        "Table IV: depths of exploration (MAX has 4, 6 and 8)",
        &[0, 4, 5],
        paper,
        cells,
        checkpoints,
    );
    out
}

/// Table III.
fn finders(cells: &[[Cell; 6]], checkpoints: &[u64]) -> String {
    let mut out = "## Table III: who found the highest score (player ALL)\n\n| found by |".to_owned();
    checkpoints.iter().for_each(|checkpoint| _ = write!(out, " {checkpoint} |"));
    let _ = write!(out, " paper, of 1000, after 1 s, 1, 3, 10 minutes |\n| --- |");
    let _ = writeln!(out, "{} ---: |", " ---: |".repeat(checkpoints.len()));
    for (finder, paper) in FINDERS {
        let _ = write!(out, "| {finder} |");
        for index in 0..checkpoints.len() {
            let count: u64 = cells.iter().filter_map(|row| row[2].finders[index].get(finder)).sum();
            let _ = write!(out, " {count} |");
        }
        let _ = writeln!(out, " {} |", paper.map(|count| count.to_string()).join(", "));
    }
    let _ = writeln!(out, "\nExploring playouts have six strategies, the others one each.\n");
    out
}

fn cost_table(costs: &[Cost]) -> String {
    let mut out = "## Tables of states: the paper's five levels, and ours\n\nNanoseconds for noting a node of a tree \
         of random playouts and finding it again, and nodes for each state that the table tells apart.\n\n| puzzle | five levels | Zobrist | nodes a state, \
         five levels | nodes a state, Zobrist |\n| --- | ---: | ---: | ---: | ---: |\n"
        .to_owned();
    for (puzzle, [levels, ours]) in PUZZLES.iter().zip(costs) {
        let _ = writeln!(
            out,
            "| {} | {:.0} | {:.0} | {:.2} | {:.2} |",
            puzzle.name, levels.0, ours.0, levels.1, ours.1
        );
    }
    out.push('\n');
    out
}

fn chart(cells: &[[Cell; 6]]) -> Chart {
    let last = |cell: &Cell| cell.means.last().map(|&mean| (mean, 0.0));
    let group = |(puzzle, row): (&published::Puzzle, &[Cell; 6])| Group {
        label: puzzle.name.to_owned(),
        bars: vec![
            last(&row[0]),
            Some((puzzle.players[0], 0.0)),
            last(&row[3]),
            Some((puzzle.players[3], 0.0)),
        ],
    };
    Chart {
        title: "One-player games, part by part".to_owned(),
        series: ["MAX", "MAX, published", "R", "R, published"].map(str::to_owned).to_vec(),
        groups: PUZZLES.iter().zip(cells).map(group).collect(),
    }
}

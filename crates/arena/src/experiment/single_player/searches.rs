//! Searches from the beginning (Tables II to IV): the highest score so far at each checkpoint.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use game::Game;
use puzzle::Clock;
use puzzle::method::mini::{MiniOptions, MiniPlayer, Strategy, Transpositions, Worth};
use serde_json::{Value, json};

use super::PuzzleBoard;
use super::pace::random_tree;
use super::published::{CHECKPOINTS, NOBODY};
use crate::ArenaError;
use crate::experiment::Laboratory;
use crate::statistics::Tally;

/// The names of the players: the four of Table II, then the other two of Table IV.
pub(super) const PLAYERS: [&str; 6] = ["MAX", "AVG", "ALL", "R", "EXP357", "EXP1-8"];

/// How a player works.
fn options(player: usize, seed: u64) -> MiniOptions {
    let with = |worth, strategies| MiniOptions { worth, strategies, seed, ..MiniOptions::default() };
    match PLAYERS[player] {
        "AVG" => with(Worth::Average, Strategy::dedicated()),
        "ALL" => with(Worth::Highest, Strategy::all()),
        "R" => with(Worth::Highest, vec![Strategy::Random]),
        "EXP357" => with(Worth::Highest, Strategy::explorations(&[3, 5, 7])),
        "EXP1-8" => with(Worth::Highest, Strategy::explorations(&[1, 2, 3, 4, 5, 6, 7, 8])),
        _ => with(Worth::Highest, Strategy::dedicated()),
    }
}

/// What one player reached in one puzzle, at each checkpoint.
#[derive(Clone, Debug, Default)]
pub(super) struct Cell {
    pub(super) scores: [Tally; 4],
    /// Who found the best line.
    pub(super) finders: [BTreeMap<String, u64>; 4],
}

/// By puzzle and player.
pub(super) type Cells = Vec<[Cell; 6]>;

/// Runs all searches.
pub(super) fn run(
    laboratory: &mut dyn Laboratory,
    boards: &[PuzzleBoard],
    runs: u64,
) -> Result<Cells, ArenaError> {
    let mut trials = Vec::new();
    for seed in 1..=runs {
        for place in 0..boards.len() {
            trials.extend((0..PLAYERS.len()).map(|player| (place, player, seed)));
        }
    }
    let key = |&(place, player, seed): &(usize, usize, u64)| {
        boards[place].key(&format!("search by {}", PLAYERS[player]), seed)
    };
    let keys: Vec<String> = trials.iter().map(key).collect();
    let results = laboratory.trials(&keys, &|trial: usize| {
        let (place, player, seed) = trials[trial];
        Ok(search(&boards[place], options(player, seed)))
    })?;
    let mut cells: Cells = boards.iter().map(|_| Default::default()).collect();
    for (&(place, player, _), result) in trials.iter().zip(&results) {
        let cell = &mut cells[place][player];
        for checkpoint in 0..CHECKPOINTS.len() {
            let score = result["scores"][checkpoint].as_f64().unwrap_or(0.0);
            cell.scores[checkpoint].add(score / 100.0);
            let finder = result["finders"][checkpoint].as_str().unwrap_or(NOBODY);
            *cell.finders[checkpoint].entry(finder.to_owned()).or_default() += 1;
        }
    }
    Ok(cells)
}

/// One search: the highest score and who found it at each checkpoint.
fn search(board: &PuzzleBoard, options: MiniOptions) -> Value {
    let machine = &board.machine;
    let player = MiniPlayer::new(machine, &machine.initial(), &options, 1, board.ceiling());
    let (mut scores, mut finders, mut simulations) = (Vec::new(), Vec::new(), 0);
    if let Some(mut player) = player {
        let begin = Instant::now();
        let clock: Clock = Arc::new(move || begin.elapsed());
        for seconds in CHECKPOINTS {
            let mut limit = board.pace.limit(seconds, std::time::Duration::ZERO);
            // The clock goes on from checkpoint to checkpoint, and so do simulations.
            limit.simulations = limit.simulations.map(|most| most.saturating_sub(player.simulations()));
            player.work(limit, &clock, &AtomicBool::new(false));
            let found = player.board().best();
            scores.push(found.as_ref().map_or(0, |found| found.plan.score.0));
            finders.push(found.map_or(NOBODY, |found| found.method));
        }
        simulations = player.simulations();
    }
    json!({ "scores": scores, "finders": finders, "simulations": simulations })
}

/// What a table of states costs: nanoseconds for noting a node and finding it again, and how many states it tells
/// apart.
pub(super) type Cost = (f64, usize);

/// Nodes of a tree of random playouts for the costs of tables.
const NODES: u64 = 3_000;

/// The costs of the table of five levels and of ours, and the nodes they were measured on.
pub(super) fn costs(boards: &[PuzzleBoard]) -> Vec<(usize, [Cost; 2])> {
    let cost = |board: &PuzzleBoard| {
        let Some(mini) = random_tree(&board.machine, NODES) else { return Default::default() };
        let costs = [Transpositions::FiveLevels, Transpositions::Zobrist].map(|kind| {
            let begin = Instant::now();
            let states = mini.exercise(kind);
            (begin.elapsed().as_nanos() as f64 / mini.nodes() as f64, states)
        });
        (mini.nodes(), costs)
    };
    boards.iter().map(cost).collect()
}

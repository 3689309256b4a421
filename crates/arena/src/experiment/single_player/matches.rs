//! Whole matches (Tables V to VII): so many simulations before the first move, so many before each.

use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use game::{Describe, Expansion, Game, Goal, GoalReading, RoleId};
use machine::circuit::CircuitMachine;
use player::{AgentSpec, Clock, Limit, Machines, Player, Setup};
use puzzle::method::Method;
use puzzle::method::mini::{Mini, MiniOptions};
use puzzle::{Board, Found, Plan, Search};

use super::published::PUZZLES;
use super::{ceiling, counting_clock, machine, rules};
use crate::{ArenaError, ContestantError};

/// The paper's clocks: start, play, and the table.
const CLOCKS: [(u64, u64, &str); 3] = [(120, 30, "V"), (45, 15, "VI"), (2, 1, "VII")];
/// Matches that are longer are given up.
const MOST_MOVES: usize = 1_000;

/// Averages of the three players by clock and puzzle.
pub(super) type Averages = Vec<[[f64; 3]; 10]>;

/// The budgets in simulations: a second of the paper's is a 600th of `most`, its ten minutes.
pub(super) fn budgets(most: u64) -> [(u64, u64); 3] {
    CLOCKS.map(|(start, play, _)| ((start * most / 600).max(1), (play * most / 600).max(1)))
}

/// Plays all matches.
pub(super) fn play(most: u64, runs: u64) -> Result<Averages, ArenaError> {
    let mut averages = vec![[[0.0; 3]; 10]; CLOCKS.len()];
    for (place, puzzle) in PUZZLES.iter().enumerate() {
        let (machine, rules) = (machine(puzzle.name)?, rules(puzzle.name)?);
        let begin = Instant::now();
        let clock: Clock = Arc::new(move || begin.elapsed());
        let machines = Machines::build(rules, Duration::from_secs(60), 1 << 30, Arc::clone(&clock));
        // The last machine is the best: what is played must not depend on when it is ready.
        machines.last();
        for (average, (start, play)) in averages.iter_mut().zip(budgets(most)) {
            for seed in 1..=runs {
                let scores = [
                    dedicated(&machine, start, play, seed),
                    baseline(&machine, start, play, seed),
                    cadia(&machine, (&machines, &clock), start + play, play, seed)?,
                ];
                for (sum, score) in average[place].iter_mut().zip(scores) {
                    *sum += f64::from(score.0) / runs as f64;
                }
            }
        }
    }
    Ok(averages)
}

/// The tables, ours and the paper's.
pub(super) fn tables(averages: &Averages, most: u64) -> String {
    // Writing to a string cannot fail.
    let mut out = String::new();
    for (index, (average, (start, play))) in averages.iter().zip(budgets(most)).enumerate() {
        let (start_clock, play_clock, table) = CLOCKS[index];
        let _ = write!(
            out,
            "## Table {table}: matches, {start} simulations before the first move and {play} before each (in place \
             of {start_clock} s and {play_clock} s)\n\n| puzzle | dedicated | baseline | cadia-mast | paper: dedicated, \
             baseline, CadiaPlayer |\n| --- | ---: | ---: | ---: | ---: |\n"
        );
        let mut means = [[0.0; 3]; 2];
        for (puzzle, ours) in PUZZLES.iter().zip(average) {
            let paper = puzzle.clocks[index];
            let _ = writeln!(
                out,
                "| {} | {:.1} | {:.1} | {:.1} | {}, {}, {} |",
                puzzle.name, ours[0], ours[1], ours[2], paper[0], paper[1], paper[2]
            );
            for player in 0..3 {
                means[0][player] += ours[player] / PUZZLES.len() as f64;
                means[1][player] += paper[player] / PUZZLES.len() as f64;
            }
        }
        let [ours, paper] = means;
        let _ = writeln!(
            out,
            "| **average** | **{:.1}** | **{:.1}** | **{:.1}** | {:.1}, {:.1}, {:.1} |\n",
            ours[0], ours[1], ours[2], paper[0], paper[1], paper[2]
        );
    }
    out
}

/// The player of the paper: the tree and the best line are kept from move to move.
fn dedicated(machine: &Arc<CircuitMachine>, start: u64, play: u64, seed: u64) -> Goal {
    let options = MiniOptions { seed, ..MiniOptions::default() };
    let Some(mut mini) = Mini::new(Arc::clone(machine), machine.initial(), options) else { return Goal(0) };
    let mut board = Board::new(ceiling(machine));
    think(&mut mini, &board, start);
    for _ in 0..MOST_MOVES {
        if let Some(goal) = mini.end() {
            return goal;
        }
        think(&mut mini, &board, play);
        let best = board.best();
        let planned = best.as_ref().and_then(|found| found.plan.moves.first().copied());
        let Some(id) = planned.or_else(|| mini.effective_move()) else { break };
        if !mini.advance(id, planned.is_some()) {
            break;
        }
        board = Board::new(ceiling(machine));
        if let Some(Found { plan, method, time }) = best.filter(|_| planned.is_some()) {
            board.offer(Found {
                plan: Plan { moves: plan.moves[1..].to_vec(), score: plan.score },
                method,
                time,
            });
        }
    }
    Goal(0)
}

/// The player without what is particular to puzzles: averages, all strategies by upper confidence
/// bounds, no table of states, no memory of the best line.
fn baseline(machine: &Arc<CircuitMachine>, start: u64, play: u64, seed: u64) -> Goal {
    let options = MiniOptions { seed, ..MiniOptions::baseline() };
    let Some(mut mini) = Mini::new(Arc::clone(machine), machine.initial(), options) else { return Goal(0) };
    let mut simulations = start + play;
    for _ in 0..MOST_MOVES {
        if let Some(goal) = mini.end() {
            return goal;
        }
        // A board that is never settled: what was found before is not known any more.
        think(&mut mini, &Board::new(Goal(u8::MAX)), simulations);
        simulations = play;
        if !mini.effective_move().is_some_and(|id| mini.advance(id, false)) {
            break;
        }
    }
    Goal(0)
}

/// So many simulations more.
fn think(mini: &mut Mini<CircuitMachine>, board: &Board, simulations: u64) {
    let stop = AtomicBool::new(false);
    let search = Search { clock: counting_clock(), stop: &stop, board };
    // The clock is read once before each simulation, the first reading being zero.
    mini.work(Duration::from_nanos(simulations), &search);
}

/// Our CadiaPlayer: the agent with move averages.
fn cadia(
    machine: &CircuitMachine,
    (machines, clock): (&Arc<Machines>, &Clock),
    first: u64,
    play: u64,
    seed: u64,
) -> Result<Goal, ArenaError> {
    let faulty = |fault| ArenaError::Rules { game: "the puzzle".to_owned(), fault };
    let agent: AgentSpec = "cadia-mast".parse().map_err(ContestantError::from)?;
    let (machines, clock) = (Arc::clone(machines), Arc::clone(clock));
    let mut player = Player::new(Setup { machines, role: 0, agent, seed, ponder: false, clock })?;
    let (mut workspace, mut expansion) = (machine.workspace(), Expansion::new());
    let mut state = machine.initial();
    let mut simulations = first;
    for _ in 0..MOST_MOVES {
        machine.expand(&mut workspace, &state, &mut expansion).map_err(faulty)?;
        if expansion.is_terminal() {
            let mut readings: Vec<GoalReading> = Vec::new();
            machine.goals(&mut workspace, &state, &mut readings).map_err(faulty)?;
            return Ok(readings.first().copied().unwrap_or_default().value());
        }
        let text = player.choose(Limit::simulations(simulations))?.text;
        simulations = play;
        let legal = expansion.legal(RoleId(0)).iter().find(|&&id| machine.move_text(id) == text);
        let Some(&id) = legal else { break };
        state = machine.apply(&mut workspace, &state, &[id]).map_err(faulty)?;
        player.advance(&[text])?;
    }
    Ok(Goal(0))
}

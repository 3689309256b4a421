//! Whole matches (Tables V to VII): a start clock, a play clock, and an agent for each player.

use std::sync::Arc;
use std::time::Instant;

use game::{Describe, Expansion, Game, Goal, GoalReading, RoleId};
use player::{AgentSpec, Clock, Limit, Player, Setup};
use serde_json::json;

use super::PuzzleBoard;
use super::pace::Pace;
use super::published::CLOCKS;
use crate::experiment::Laboratory;
use crate::statistics::Tally;
use crate::{ArenaError, ContestantError};

/// Matches that are longer are given up.
const MOST_MOVES: usize = 1_000;

/// The agents in the order of the paper's columns.
pub(super) const AGENTS: [&str; 3] = ["mini-puzzle", "mini-puzzle-baseline", "cadia-mast"];

/// Scores by clock, puzzle and player.
pub(super) type Scores = Vec<Vec<[Tally; 3]>>;

/// Plays all matches.
pub(super) fn run(
    laboratory: &mut dyn Laboratory,
    boards: &[PuzzleBoard],
    runs: u64,
) -> Result<Scores, ArenaError> {
    let mut trials = Vec::new();
    for seed in 1..=runs {
        for place in 0..boards.len() {
            for clocks in 0..CLOCKS.len() {
                trials.extend((0..AGENTS.len()).map(|player| (place, clocks, player, seed)));
            }
        }
    }
    let key = |&(place, clocks, player, seed): &(usize, usize, usize, u64)| {
        let (start, play, _) = CLOCKS[clocks];
        boards[place].key(&format!("match by {} ({start} s, {play} s)", AGENTS[player]), seed)
    };
    let keys: Vec<String> = trials.iter().map(key).collect();
    let results = laboratory.trials(&keys, &|trial: usize| {
        let (place, clocks, player, seed) = trials[trial];
        let agent = AGENTS[player].parse().map_err(ContestantError::from)?;
        let (start, play, _) = CLOCKS[clocks];
        Ok(json!({ "score": play_match(&boards[place], agent, (start, play), seed)?.0 }))
    })?;
    let mut scores = vec![vec![<[Tally; 3]>::default(); boards.len()]; CLOCKS.len()];
    for (&(place, clocks, player, _), result) in trials.iter().zip(&results) {
        scores[clocks][place][player].add(result["score"].as_f64().unwrap_or(0.0) / 100.0);
    }
    Ok(scores)
}

/// Plays a match with clocks in the paper's seconds.
fn play_match(
    board: &PuzzleBoard,
    agent: AgentSpec,
    (start, play): (f64, f64),
    seed: u64,
) -> Result<Goal, ArenaError> {
    let faulty = |fault| ArenaError::Rules { game: board.sheet.clone(), fault };
    let begin = Instant::now();
    let clock: Clock = Arc::new(move || begin.elapsed());
    let machines = Arc::clone(&board.machines);
    let setup = Setup { machines, role: 0, agent, seed, ponder: false, clock: Arc::clone(&clock) };
    let mut player = Player::new(setup)?;
    // Simulations are told for moves only: those of the start clock come with the first one.
    let mut simulations = board.pace.simulations(start + play);
    if let Pace::Faster(_) = board.pace {
        player.prepare(Some(clock() + board.pace.time(start)))?;
    }
    let machine = &board.machine;
    let (mut workspace, mut expansion) = (machine.workspace(), Expansion::new());
    let mut state = machine.initial();
    for _ in 0..MOST_MOVES {
        machine.expand(&mut workspace, &state, &mut expansion).map_err(faulty)?;
        if expansion.is_terminal() {
            let mut readings: Vec<GoalReading> = Vec::new();
            machine.goals(&mut workspace, &state, &mut readings).map_err(faulty)?;
            return Ok(readings.first().copied().unwrap_or_default().value());
        }
        let limit = match board.pace {
            Pace::Faster(_) => Limit::until(clock() + board.pace.time(play)),
            Pace::Simulations(_) => Limit::simulations(simulations),
        };
        let text = player.choose(limit)?.text;
        simulations = board.pace.simulations(play);
        let legal = expansion.legal(RoleId(0)).iter().find(|&&id| machine.move_text(id) == text);
        let Some(&id) = legal else { break };
        state = machine.apply(&mut workspace, &state, &[id]).map_err(faulty)?;
        player.advance(&[text])?;
    }
    Ok(Goal(0))
}

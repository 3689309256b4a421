//! Whole matches (Tables V to VII): a start clock, a play clock, and an agent for each player.

use std::sync::Arc;
use std::time::Instant;

use engine::{Budget, Engine};
use game::{Describe, Dice, Expansion, Game, Goal, GoalReading, RoleId};
use player::{AgentSpec, Clock, Limit, Player, PlayerError, Setup};
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

/// Who plays a match: a player by the clock, with threads of its own, or an engine that counts simulations.
enum Seat {
    Player(Box<Player>, Clock),
    Engine(Box<dyn Engine>),
}

impl Seat {
    /// Sits down, and thinks for some of the paper's seconds.
    fn new(board: &PuzzleBoard, agent: AgentSpec, start: f64, seed: u64) -> Result<Self, ArenaError> {
        let begin = Instant::now();
        let clock: Clock = Arc::new(move || begin.elapsed());
        if let Pace::Faster(_) = board.pace {
            let machines = Arc::clone(&board.machines);
            let setup = Setup { machines, role: 0, agent, seed, ponder: false, clock: Arc::clone(&clock) };
            let mut player = Player::new(setup)?;
            player.prepare(Some(clock() + board.pace.time(start)))?;
            return Ok(Self::Player(Box::new(player), clock));
        }
        let unplayable =
            || ArenaError::Unplayable { game: board.sheet.clone(), why: "no machine".to_owned() };
        let machine = board.machines.last().ok_or_else(unplayable)?;
        let mut engine = agent.make(&machine, &[], seed, &clock).map_err(|fault| board.fault(fault))?.engine;
        engine.begin_turn();
        let budget = Budget::simulations(board.pace.simulations(start));
        engine.think(&budget).map_err(|fault| board.fault(fault))?;
        Ok(Self::Engine(engine))
    }

    /// The move after some of the paper's seconds; none if that was too little for any.
    fn choose(&mut self, board: &PuzzleBoard, play: f64) -> Result<Option<String>, ArenaError> {
        match self {
            Self::Player(player, clock) => {
                match player.choose(Limit::until(clock() + board.pace.time(play))) {
                    Ok(decision) => Ok(Some(decision.text)),
                    Err(PlayerError::TooLate) => Ok(None),
                    Err(error) => Err(error.into()),
                }
            }
            Self::Engine(engine) => {
                engine.begin_turn();
                let budget = Budget::simulations(board.pace.simulations(play));
                let thought = engine.think(&budget).and_then(|_| engine.decide(RoleId(0)));
                Ok(thought.map_err(|fault| board.fault(fault))?.map(|decision| decision.text))
            }
        }
    }

    fn advance(&mut self, board: &PuzzleBoard, text: String) -> Result<(), ArenaError> {
        match self {
            Self::Player(player, _) => player.advance(&[text])?,
            Self::Engine(engine) => {
                engine.advance(&[text]).map_err(|fault| board.fault(fault))?;
            }
        }
        Ok(())
    }
}

/// Plays a match with clocks in the paper's seconds.
fn play_match(
    board: &PuzzleBoard,
    agent: AgentSpec,
    (start, play): (f64, f64),
    seed: u64,
) -> Result<Goal, ArenaError> {
    let faulty = |fault| board.fault(fault);
    let mut seat = Seat::new(board, agent, start, seed)?;
    let mut dice = Dice::new(seed);
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
        let legal = expansion.legal(RoleId(0));
        let chosen = seat.choose(board, play)?;
        let chosen = chosen.and_then(|text| legal.iter().find(|&&id| machine.move_text(id) == text));
        // A host makes any move for who is late.
        let Some(&id) = chosen.or_else(|| legal.get(dice.below(legal.len().max(1)))) else { break };
        let text = machine.move_text(id);
        state = machine.apply(&mut workspace, &state, &[id]).map_err(faulty)?;
        seat.advance(board, text)?;
    }
    Ok(Goal(0))
}

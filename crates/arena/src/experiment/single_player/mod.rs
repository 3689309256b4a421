//! One-player games: what the parts of MiNI-Player's method are worth, and what it scores in matches.

mod matches;
mod pace;
mod published;
mod searches;
mod tables;

use std::sync::Arc;
use std::time::Duration;

use game::{Goal, RuleFault};
use gdl::normal::NormalRules;
use machine::circuit::CircuitMachine;
use machine::reference::Reference;
use pace::{Pace, Speed};
use player::Machines;
use published::{PUZZLES, Puzzle};
use serde_json::Value;

use super::{Experiment, Laboratory, Report};
use crate::{ArenaError, Fingerprint};

/// The experiment.
pub(super) struct SinglePlayer;

/// Counted up when the players change what they do: trials of before and after do not go together.
const REVISION: u32 = 2;
/// A small version is so many times faster.
const QUICK: f64 = 20.0;

impl Experiment for SinglePlayer {
    fn name(&self) -> &'static str {
        "single-player"
    }

    fn about(&self) -> &'static str {
        "One-player games: the highest score against the average, exploring playouts against others, and matches."
    }

    fn source(&self) -> &'static str {
        "Świechowski, Mańdziuk and Ong, Specialization of a UCT-based General Game Playing Program to \
         Single-Player Games, Tables II to VII"
    }

    fn run(&self, laboratory: &mut dyn Laboratory) -> Result<Report, ArenaError> {
        let runs = laboratory.scale().matches(20);
        let boards = boards(laboratory)?;
        let cells = searches::run(laboratory, &boards, runs)?;
        let costs = searches::costs(&boards);
        let matches = matches::run(laboratory, &boards, runs)?;
        let differing = tables::differing(&cells, &matches);
        Ok(Report {
            title: "One-player games, part by part".to_owned(),
            text: tables::text(self, &boards, runs),
            table: [
                tables::speeds(&boards),
                tables::searches(&cells),
                tables::costs(&boards, &costs),
                tables::matches(&matches),
            ]
            .concat(),
            chart: tables::chart(&matches),
            differing,
            missed: tables::missed(&matches),
            uncertain: Vec::new(),
        })
    }
}

/// A puzzle on the machines it is played on.
struct PuzzleBoard {
    /// The sheet that is played.
    sheet: String,
    /// Whether it is the sheet that the paper had, as far as we know.
    is_public: bool,
    fingerprint: Fingerprint,
    machine: Arc<CircuitMachine>,
    machines: Arc<Machines>,
    /// What was measured, if time goes by that.
    speed: Option<Speed>,
    pace: Pace,
}

impl PuzzleBoard {
    /// The most that the goals have.
    fn ceiling(&self) -> Goal {
        let goals = self.machine.circuit().roles.first().map_or(&[][..], |role| &role.goals);
        Goal(goals.iter().map(|goal| goal.value).max().unwrap_or(0))
    }

    fn fault(&self, fault: RuleFault) -> ArenaError {
        ArenaError::Rules { game: self.sheet.clone(), fault }
    }

    /// All that a trial depends on, in words.
    fn key(&self, what: &str, seed: u64) -> String {
        let Self { sheet, pace, .. } = self;
        let print = serde_json::to_string(&self.fingerprint).unwrap_or_default();
        format!("{what} of {sheet} ({}), {pace}, seed {seed}, revision {REVISION}", print.trim_matches('"'))
    }
}

/// All puzzles, each with its pace.
fn boards(laboratory: &mut dyn Laboratory) -> Result<Vec<PuzzleBoard>, ArenaError> {
    let scale = laboratory.scale();
    let mut boards = Vec::new();
    let mut references = Vec::new();
    for puzzle in &PUZZLES {
        let (board, reference) = board(puzzle, laboratory.sheet(puzzle.sheet))?;
        boards.push(board);
        references.push(reference);
    }
    let pace = match (scale.simulations, scale.faster) {
        (Some(simulations), _) => Some(Pace::Simulations(simulations)),
        (None, faster) => faster.map(Pace::Faster),
    };
    if let Some(pace) = pace {
        boards.iter_mut().for_each(|board| board.pace = pace);
        return Ok(boards);
    }
    let keys: Vec<String> = boards.iter().map(|board| board.key("speed", 0)).collect();
    let measure = |place: usize| -> Result<Value, ArenaError> {
        let unplayable = |why| ArenaError::Unplayable { game: boards[place].sheet.clone(), why };
        let reference = Reference::new(&references[place], Default::default());
        let reference = reference.map_err(|error| unplayable(error.to_string()))?;
        Ok(Speed::measure(&boards[place].machine, &Arc::new(reference)).value())
    };
    let speeds = laboratory.trials(&keys, &measure)?;
    for (board, speed) in boards.iter_mut().zip(&speeds) {
        board.speed = Speed::read(speed);
        let times = board.speed.map_or(1.0, Speed::times);
        board.pace = Pace::Faster(if scale.quick { times * QUICK } else { times });
    }
    Ok(boards)
}

/// A puzzle by the public sheet if there is one, else by ours; also its rules.
fn board(puzzle: &'static Puzzle, public: Option<String>) -> Result<(PuzzleBoard, NormalRules), ArenaError> {
    let sheet = if public.is_some() { puzzle.sheet } else { puzzle.bundled }.to_owned();
    let unplayable = |why: String| ArenaError::Unplayable { game: sheet.clone(), why };
    let is_public = public.is_some();
    let text = match public {
        Some(text) => text,
        None => {
            let found = bundled::find(puzzle.bundled).map_err(|error| unplayable(error.to_string()))?;
            found.rules.to_owned()
        }
    };
    let rules = gdl::normal::read(&text);
    let budget = ground::Budget::unlimited();
    let build = machine::build::circuit(&rules, circuit::Effort::Quick, &budget);
    let build = build.map_err(|error| unplayable(error.to_string()))?;
    let machine = Arc::new(CircuitMachine::new(build.circuit));
    let begin = std::time::Instant::now();
    let clock: player::Clock = Arc::new(move || begin.elapsed());
    let machines = Machines::build(rules.clone(), Duration::from_secs(120), 1 << 30, clock);
    // The last machine is the best: what is played must not depend on when it is ready.
    machines.last();
    let fingerprint = Fingerprint::of_rules(&rules);
    let (speed, pace) = (None, Pace::Faster(1.0));
    let board = PuzzleBoard { sheet, is_public, fingerprint, machine, machines, speed, pace };
    Ok((board, rules))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_puzzle_has_a_sheet_of_ours() {
        for puzzle in &PUZZLES {
            assert!(bundled::find(puzzle.bundled).is_ok(), "{}", puzzle.bundled);
        }
    }
}

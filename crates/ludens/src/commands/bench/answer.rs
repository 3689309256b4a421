//! What was measured, as it goes from the process that measures a game to the one that tells, and
//! as JSON to whoever asked.

use circuit::PartSizes;
use serde::{Deserialize, Serialize};

use super::measure::Tally;
use crate::circuits::Built;

/// One finding of the process that measures a game. A line of JSON each, so that nothing is lost
/// when it dies.
#[derive(Serialize, Deserialize)]
pub(super) enum Event {
    Built(Box<BuildAnswer>),
    Unbuilt(String),
    Cell(Box<CellAnswer>),
    Expansion(ExpansionAnswer),
}

/// All that was found about a game.
#[derive(Default, Serialize)]
pub(super) struct GameAnswer {
    pub(super) game: String,
    pub(super) build: Option<BuildAnswer>,
    /// Why there is no circuit, or why measuring ended early.
    pub(super) failure: Option<String>,
    pub(super) machines: Vec<CellAnswer>,
    pub(super) expansion: Option<ExpansionAnswer>,
}

/// What it took to make a circuit.
#[derive(Serialize, Deserialize)]
pub(super) struct BuildAnswer {
    /// Reading the sheet.
    pub(super) load_seconds: f64,
    pub(super) ground_seconds: f64,
    pub(super) build_seconds: f64,
    pub(super) strategy: String,
    pub(super) ground_rules: usize,
    pub(super) facts: usize,
    pub(super) moves: usize,
    pub(super) gates: Gates,
    pub(super) peak_bytes: Option<u64>,
}

/// Gates that each part needs beyond those before it.
#[derive(Serialize, Deserialize)]
pub(super) struct Gates {
    pub(super) legal_and_terminal: usize,
    pub(super) next: usize,
    pub(super) goal: usize,
    pub(super) total: usize,
}

/// How one machine did.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct CellAnswer {
    pub(super) machine: String,
    /// Why it was not measured.
    pub(super) failure: Option<String>,
    /// For the machine alone, once there is a circuit.
    pub(super) build_seconds: f64,
    /// From the text of the rules to the end of one playout.
    pub(super) first_playout_seconds: Option<f64>,
    pub(super) cpu_seconds: f64,
    pub(super) state_changes: u64,
    pub(super) playouts: u64,
    pub(super) state_changes_per_second: f64,
    pub(super) playouts_per_second: f64,
    pub(super) length: Option<Mean>,
    /// Mean goals of the roles.
    pub(super) goals: Vec<Option<Mean>>,
    pub(super) peak_bytes: Option<u64>,
    /// In what its playouts differ from those of the most trusted machine, beyond chance.
    pub(super) differs: Vec<String>,
}

/// A mean with half the width of its 95% confidence interval.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Mean {
    pub(super) mean: f64,
    pub(super) interval: Option<f64>,
}

/// Looking at many leaves: their moves, and a successor of each.
#[derive(Serialize, Deserialize)]
pub(super) struct ExpansionAnswer {
    pub(super) leaves: usize,
    pub(super) one_by_one_per_second: f64,
    pub(super) in_lanes_per_second: f64,
    /// The cost in lanes as a share of the cost one by one.
    pub(super) cost_in_lanes: f64,
    /// Whether both ways found the same number of moves.
    pub(super) agree: bool,
    /// State changes a second in playouts, one from each leaf, with each way of choosing moves.
    pub(super) playouts: PlayoutRates,
}

/// State changes a second in calls of one playout a leaf.
#[derive(Serialize, Deserialize)]
pub(super) struct PlayoutRates {
    pub(super) uniform: f64,
    /// Uniform, and how moves fared is recorded.
    pub(super) recorded: f64,
    pub(super) greedy: f64,
    pub(super) gibbs: f64,
}

impl BuildAnswer {
    pub(super) fn new(built: &Built, load_seconds: f64, peak_bytes: Option<u64>) -> Self {
        let PartSizes { legal_and_terminal, next, goal } = built.circuit.sizes();
        let total = legal_and_terminal + next + goal;
        Self {
            load_seconds,
            ground_seconds: built.ground_seconds,
            build_seconds: built.build_seconds,
            strategy: built.report.strategy.to_owned(),
            ground_rules: built.report.counts.ground_rules,
            facts: built.circuit.bases.len(),
            moves: built.circuit.roles.iter().map(|role| role.moves.len()).sum(),
            gates: Gates { legal_and_terminal, next, goal, total },
            peak_bytes,
        }
    }
}

impl CellAnswer {
    pub(super) fn failed(machine: &str, failure: String) -> Self {
        Self { machine: machine.to_owned(), failure: Some(failure), ..Self::default() }
    }

    pub(super) fn new(machine: &str, tally: &Tally) -> Self {
        let per_second = |count: u64| count as f64 / tally.cpu_seconds.max(1e-9);
        Self {
            machine: machine.to_owned(),
            cpu_seconds: tally.cpu_seconds,
            state_changes: tally.state_changes,
            playouts: tally.playouts,
            state_changes_per_second: per_second(tally.state_changes),
            playouts_per_second: per_second(tally.playouts),
            length: tally.length,
            goals: tally.mean_goals(),
            ..Self::default()
        }
    }

    /// State changes per second, if it was measured.
    pub(super) fn speed(&self) -> Option<f64> {
        self.failure.is_none().then_some(self.state_changes_per_second)
    }
}

/// Standard errors by which means may differ by chance.
const MOST_ERRORS: f64 = 5.0;
/// Fewer playouts say nothing.
const LEAST_PLAYOUTS: u64 = 30;

impl Mean {
    /// Whether two means, each over so many playouts, differ by more than chance.
    fn differs(self, other: Mean, playouts: [u64; 2]) -> bool {
        let error = |mean: Mean| mean.interval.unwrap_or(0.0) / 1.96;
        let both = error(self).hypot(error(other));
        // What happens in fewer than one playout of a few hundred may not have happened at all, and
        // then the errors are too small.
        let unseen: f64 = playouts.iter().map(|&count| MOST_ERRORS / count.max(1) as f64).sum();
        let scale = self.mean.abs().max(other.mean.abs()).max(100.0);
        (self.mean - other.mean).abs() > MOST_ERRORS * both + scale * unseen
    }
}

impl GameAnswer {
    /// One machine's figures.
    pub(super) fn machine(&self, name: &str) -> Option<&CellAnswer> {
        self.machines.iter().find(|cell| cell.machine == name && cell.failure.is_none())
    }

    /// The machine that plays in lanes, as fast as it was measured.
    pub(super) fn best_in_lanes(&self) -> Option<&CellAnswer> {
        ["compiled", "avx512", "avx2", "batch"].iter().find_map(|name| self.machine(name))
    }

    /// Marks the machines whose playouts are not like those of the first.
    pub(super) fn compare(&mut self) {
        let enough = |cell: &CellAnswer| cell.failure.is_none() && cell.playouts >= LEAST_PLAYOUTS;
        let Some(first) = self.machines.iter().position(enough) else { return };
        let (before, after) = self.machines.split_at_mut(first + 1);
        let trusted = &before[first];
        for cell in after.iter_mut().filter(|cell| enough(cell)) {
            let playouts = [trusted.playouts, cell.playouts];
            let is_apart = |one: Option<Mean>, two: Option<Mean>| {
                one.zip(two).is_some_and(|(one, two)| one.differs(two, playouts))
            };
            if is_apart(trusted.length, cell.length) {
                cell.differs.push("length".to_owned());
            }
            for (role, (one, two)) in trusted.goals.iter().zip(&cell.goals).enumerate() {
                if is_apart(*one, *two) {
                    cell.differs.push(format!("goal of role {}", role + 1));
                }
            }
        }
    }

    /// Whether all went well.
    pub(super) fn is_sound(&self) -> bool {
        let cell_is_sound = |cell: &CellAnswer| cell.failure.is_none() && cell.differs.is_empty();
        self.failure.is_none()
            && self.machines.iter().all(cell_is_sound)
            && self.expansion.as_ref().is_none_or(|expansion| expansion.agree)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(length: f64, interval: f64) -> CellAnswer {
        let length = Some(Mean { mean: length, interval: Some(interval) });
        CellAnswer { playouts: 10_000, length, ..CellAnswer::default() }
    }

    #[test]
    fn a_wrong_machine_shows() {
        let machines = vec![cell(10.0, 0.1), cell(10.15, 0.1), cell(11.0, 0.1)];
        let mut game = GameAnswer { machines, ..GameAnswer::default() };
        game.compare();
        assert!(game.machines[1].differs.is_empty());
        assert_eq!(game.machines[2].differs, ["length"]);
        assert!(!game.is_sound());
    }

    #[test]
    fn rare_endings_are_no_fault() {
        // One playout in ten thousand ends early; the slow machine has not met one.
        let slow = CellAnswer { playouts: 140, ..cell(50.0, 0.0) };
        let fast = CellAnswer { playouts: 1_000_000, ..cell(49.98, 0.001) };
        let mut game = GameAnswer { machines: vec![slow, fast], ..GameAnswer::default() };
        game.compare();
        assert!(game.is_sound());
    }
}

//! A one-player game made ready for search: what of a state matters, and what can still be reached.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use circuit::{Circuit, Edge, Gate, Roles, Symmetries};
use game::{Game, Goal};
use machine::alike::CanonicalForm;
use machine::batch::BatchMachine;
use machine::circuit::{CircuitMachine, CircuitState};

use crate::Search;
use crate::distances::Distances;
use crate::table::Table;

/// Why a game cannot be searched here.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PuzzleError {
    /// Plans are for one player.
    #[error("a plan is for one player, but the game has {0} roles; play it with an agent instead")]
    NotOnePlayer(usize),
    /// There is no such method.
    #[error("there is no method `{0}`; there are {list}", list = crate::method::names())]
    UnknownMethod(String),
    /// None of the methods asked for can do anything with the game.
    #[error("none of the methods asked for suits this game; without any named, those that suit it work")]
    NothingSuits,
}

/// Clocks that do not repeat within so many steps are left in the states.
const LONGEST_CLOCK: usize = 5_000;
/// More work than this (gates times steps) is not spent on a clock.
const CLOCK_WORK: usize = 100_000_000;
/// Symmetries are not looked for longer than this; mostly it takes a few milliseconds.
const SYMMETRY_TIME: Duration = Duration::from_millis(100);

/// A one-player game made ready for search.
///
/// Some facts run by themselves: a step counter is what it is whatever one does. In states of the
/// same depth they are equal, so that a search in layers may leave them out and put them back.
#[derive(Debug)]
pub struct Space {
    batch: Arc<BatchMachine>,
    start: CircuitState,
    /// The facts that matter and depend on moves.
    core: Box<[u64]>,
    /// The facts that matter and run by themselves, as far as they were left out of the core.
    running: Box<[u64]>,
    /// They, depth by depth; the last ones repeat from
    /// `period` before the end.
    clock: Arc<Vec<Box<[u64]>>>,
    period: usize,
    /// How many moves were made before the start.
    elapsed: usize,
    /// From the highest down.
    goals: Arc<Vec<Latched>>,
    /// Made when first asked for.
    distances: Arc<OnceLock<Option<Arc<Distances>>>>,
    /// Whether states that are images of each other count as one.
    merges: bool,
    /// Looked for when first asked for.
    symmetry: Arc<OnceLock<(Symmetry, Option<Arc<CanonicalForm>>)>>,
}

/// What was found of a game's symmetries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symmetry {
    /// How many there are at least, the identity included.
    pub order: u64,
    /// How many are made use of.
    pub used: u64,
    /// Whether there are no more, as far as the rules tell.
    pub complete: bool,
}

/// When a goal is out of reach for good.
#[derive(Debug)]
struct Latched {
    value: u8,
    /// Facts that would have to be true, and stay false once they are.
    lost_if_false: Box<[u64]>,
    /// Facts that would have to be false, and stay true once they are.
    lost_if_true: Box<[u64]>,
}

impl Space {
    /// The space of a game from its initial state.
    pub fn new(batch: Arc<BatchMachine>) -> Result<Self, PuzzleError> {
        let start = batch.machine().initial();
        Self::from_state(batch, start)
    }

    /// The space of a game from any state.
    pub fn from_state(batch: Arc<BatchMachine>, start: CircuitState) -> Result<Self, PuzzleError> {
        let circuit = Arc::clone(batch.machine().circuit());
        if circuit.roles.len() != 1 {
            return Err(PuzzleError::NotOnePlayer(circuit.roles.len()));
        }
        let relevant = circuit.relevant();
        let autonomous = circuit.autonomous();
        let of = |wanted: &dyn Fn(usize) -> bool| bits((0..circuit.bases.len()).map(wanted));
        let mut core = of(&|base| relevant[base] && !autonomous[base]);
        let mut running = of(&|base| relevant[base] && autonomous[base]);
        let (mut clock, mut period) = run_clock(&circuit, &start, &running);
        if clock.is_empty() {
            core.iter_mut().zip(&running).for_each(|(core, running)| *core |= running);
            running.fill(0);
            clock = vec![vec![0; core.len()].into_boxed_slice()];
            period = 1;
        }
        let (clock, goals) = (Arc::new(clock), Arc::new(latched_goals(&circuit)));
        Ok(Self {
            batch,
            start,
            core,
            running,
            clock,
            period,
            elapsed: 0,
            goals,
            distances: Arc::default(),
            merges: true,
            symmetry: Arc::default(),
        })
    }

    /// The same space, in which states that are images of each other count as one or not.
    pub fn merging(self, merges: bool) -> Self {
        Self { merges, ..self }
    }

    /// The space from a state that is so many moves after the start.
    pub fn after(&self, state: CircuitState, moves: usize) -> Self {
        Self {
            batch: Arc::clone(&self.batch),
            start: state,
            core: self.core.clone(),
            running: self.running.clone(),
            clock: Arc::clone(&self.clock),
            period: self.period,
            elapsed: self.elapsed + moves,
            goals: Arc::clone(&self.goals),
            distances: Arc::clone(&self.distances),
            merges: self.merges,
            symmetry: Arc::clone(&self.symmetry),
        }
    }

    /// The machine.
    pub fn batch(&self) -> &Arc<BatchMachine> {
        &self.batch
    }

    /// The machine for single states.
    pub fn machine(&self) -> &Arc<CircuitMachine> {
        self.batch.machine()
    }

    /// The rules as gates.
    pub fn circuit(&self) -> &Arc<Circuit> {
        self.batch.machine().circuit()
    }

    /// Where the search begins.
    pub fn start(&self) -> &CircuitState {
        &self.start
    }

    /// Words of a state.
    pub fn words(&self) -> usize {
        self.core.len()
    }

    /// The facts that make states different, apart from those that run by themselves.
    pub fn core(&self) -> &[u64] {
        &self.core
    }

    /// Whether something runs by itself.
    pub fn has_clock(&self) -> bool {
        self.clock.len() > 1
    }

    /// The facts that run by themselves.
    #[cfg(feature = "sat")]
    pub(crate) fn clock_facts(&self) -> &[u64] {
        &self.running
    }

    /// What the facts that run by themselves are after so many moves.
    pub fn clock(&self, depth: usize) -> &[u64] {
        let depth = self.elapsed + depth;
        let repeats_from = self.clock.len() - self.period;
        let index = if depth < self.clock.len() {
            depth
        } else {
            repeats_from + (depth - repeats_from) % self.period
        };
        &self.clock[index]
    }

    /// What makes a state different from others, as words: all that matters, if `exact` with what runs
    /// by itself.
    pub(crate) fn key(&self, state: &[u64], depth: usize, exact: bool, out: &mut [u64]) {
        let clock = self.clock(depth);
        for (index, word) in out.iter_mut().enumerate() {
            *word = state[index] & self.core[index] | if exact { clock[index] } else { 0 };
        }
    }

    /// The state of a key: what runs by itself is put back.
    pub(crate) fn restore(&self, key: &[u64], depth: usize, out: &mut [u64]) {
        let clock = self.clock(depth);
        out.iter_mut().zip(key.iter().zip(clock)).for_each(|(word, (key, clock))| *word = key | clock);
    }

    /// How far groups of parts are from the highest goal, if it has parts. The first one to ask
    /// waits for the tables.
    pub(crate) fn distances(&self) -> Option<Arc<Distances>> {
        self.distances.get_or_init(|| Distances::new(self).map(Arc::new)).clone()
    }

    /// A table for states, in which images of each other count as one if the rules are symmetric.
    /// The first one to ask waits for the symmetries to be found.
    pub(crate) fn table(&self, search: &Search<'_>) -> Table {
        let canonical = self.merges.then(|| {
            let begin = (search.clock)();
            let is_over = || search.is_over(begin + SYMMETRY_TIME);
            self.symmetry.get_or_init(|| self.find_symmetry(&is_over)).1.clone()
        });
        Table::new(self.words(), canonical.flatten())
    }

    fn find_symmetry(&self, is_over: &dyn Fn() -> bool) -> (Symmetry, Option<Arc<CanonicalForm>>) {
        let found = self.symmetries(is_over);
        let canonical = CanonicalForm::new(&found, &self.core);
        let used = canonical.as_ref().map_or(1, |canonical| canonical.count());
        (Symmetry { order: found.order, used, complete: found.complete }, canonical)
    }

    /// Looks for symmetries of the rules under which what runs by itself stays as it is.
    pub fn symmetries(&self, is_over: &dyn Fn() -> bool) -> Symmetries {
        let circuit = self.circuit();
        let (relevant, autonomous) = (circuit.relevant(), circuit.autonomous());
        // What runs by itself is to be mapped to itself; what does not matter may go anywhere.
        let colour = |fact: u32| match (relevant[fact as usize], autonomous[fact as usize]) {
            (true, true) => 2 + fact,
            (true, false) => 0,
            (false, _) => 1,
        };
        let colours: Vec<u32> = (0..circuit.bases.len() as u32).map(colour).collect();
        circuit.symmetries(&colours, Roles::Kept, is_over)
    }

    /// The symmetries that were found, if they were looked for.
    pub fn symmetry(&self) -> Option<Symmetry> {
        self.symmetry.get().map(|found| found.0)
    }

    /// The next lower goal, 0 if there is none.
    pub(crate) fn below(&self, goal: Goal) -> Goal {
        let values = self.circuit().roles[0].goals.iter().map(|goal| goal.value);
        Goal(values.filter(|&value| value < goal.0).max().unwrap_or(0))
    }

    /// The most that any state can have.
    pub fn ceiling(&self) -> Goal {
        Goal(self.goals.first().map_or(0, |goal| goal.value))
    }

    /// The most that may still be reached from a state. Words of a state without its clock do.
    pub fn bound(&self, state: &[u64]) -> Goal {
        let open = |goal: &&Latched| {
            let words = state.iter().zip(goal.lost_if_false.iter().zip(&goal.lost_if_true));
            words.fold(0, |lost, (word, (low, high))| lost | (!word & low) | (word & high)) == 0
        };
        Goal(self.goals.iter().find(open).map_or(0, |goal| goal.value))
    }

    /// Whether bounds can ever be lower than the ceiling.
    pub fn has_bounds(&self) -> bool {
        let any = |words: &[u64]| words.iter().any(|&word| word != 0);
        self.goals.iter().any(|goal| any(&goal.lost_if_false) || any(&goal.lost_if_true))
    }
}

fn bits(values: impl ExactSizeIterator<Item = bool>) -> Box<[u64]> {
    CircuitState::from_bits(values).words().into()
}

/// The facts of a mask, depth by depth, until they repeat, and the length of what repeats. Empty if
/// there is nothing to run or they do not repeat in time.
fn run_clock(circuit: &Circuit, start: &CircuitState, running: &[u64]) -> (Vec<Box<[u64]>>, usize) {
    if running.iter().all(|&word| word == 0) {
        return (Vec::new(), 0);
    }
    let mut state: Vec<bool> = (0..circuit.bases.len()).map(|base| start.get(base)).collect();
    let mut rows: Vec<Box<[u64]>> = Vec::new();
    let mut seen = rustc_hash::FxHashMap::default();
    let most = LONGEST_CLOCK.min(CLOCK_WORK / circuit.gates.len().max(1));
    loop {
        let all = bits(state.iter().copied());
        let row: Box<[u64]> = all.iter().zip(running).map(|(word, mask)| word & mask).collect();
        if let Some(&first) = seen.get(&row) {
            let period = rows.len() - first;
            return (rows, period);
        }
        if rows.len() >= most {
            return (Vec::new(), 0);
        }
        seen.insert(row.clone(), rows.len());
        rows.push(row);
        state = circuit.successor(&state, &[]);
    }
}

fn latched_goals(circuit: &Circuit) -> Vec<Latched> {
    let latches = circuit.latches();
    let mut goals: Vec<Latched> = Vec::new();
    let possible = circuit.roles[0].goals.iter().filter(|goal| goal.edge != Edge::FALSE);
    for goal in possible {
        let mut lost_if_false = vec![false; circuit.bases.len()];
        let mut lost_if_true = vec![false; circuit.bases.len()];
        for (base, wanted) in required(circuit, goal.edge) {
            if wanted && latches.stays_false.binary_search(&base).is_ok() {
                lost_if_false[base as usize] = true;
            }
            if !wanted && latches.stays_true.binary_search(&base).is_ok() {
                lost_if_true[base as usize] = true;
            }
        }
        goals.push(Latched {
            value: goal.value,
            lost_if_false: bits(lost_if_false.into_iter()),
            lost_if_true: bits(lost_if_true.into_iter()),
        });
    }
    goals.sort_by_key(|goal| std::cmp::Reverse(goal.value));
    goals
}

/// Facts, each with the value it must have wherever the edge is true.
fn required(circuit: &Circuit, edge: Edge) -> Vec<(u32, bool)> {
    let mut open = vec![edge];
    let mut found = Vec::new();
    while let Some(edge) = open.pop() {
        match circuit.gates.get(edge.gate()) {
            Gate::Base(number) => found.push((number, !edge.is_inverted())),
            Gate::And(left, right) if !edge.is_inverted() => open.extend([left, right]),
            _ => {}
        }
    }
    found
}

//! An engine for one-player games: it looks for a plan and follows it.
//!
//! Once the plan is known to be the best there is, it is only followed. Until then every move made
//! begins a new search from the position reached, with the rest of the plan as the one to beat. If a
//! move was replaced by another one, the search begins without a plan.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use engine::{
    Budget, Clock, Decision, Engine, Event, MakeError, Seat, Stop, THREADS, Typed, find_moves, replay,
};
use game::{Describe, Expansion, Game, MoveId, RoleId, RuleFault};
use machine::MachineKind;
use machine::circuit::{CircuitMachine, CircuitState, CircuitWorkspace};
use puzzle::{Found, Options, Plan, Portfolio, Space};

/// Whether states that are images of each other under the rules are one.
pub(super) static SYMMETRY: Typed<bool> = Typed::<bool>::flag(
    "symmetry",
    true,
    "ours: docs/results/puzzles.md",
    "in one-player games, whether states that are images of each other under the rules are one",
);

/// Makes the methods that look for a plan.
type Methods = Box<dyn Fn(&Arc<Space>, Options) -> Portfolio + Send>;

/// With a budget in simulations, each look at the clock counts as one and takes this long.
const READING: Duration = Duration::from_millis(1);

pub(super) struct Planner {
    name: &'static str,
    machine: Arc<CircuitMachine>,
    workspace: CircuitWorkspace,
    space: Arc<Space>,
    portfolio: Portfolio,
    methods: Methods,
    options: Options,
    /// Where the game is.
    state: CircuitState,
    /// How many moves of the plan were made since the search began.
    made: usize,
    clock: Clock,
    readings: Arc<AtomicU64>,
}

impl Planner {
    /// A planner in the position of a match.
    pub(super) fn new(name: &'static str, seat: &Seat<'_>, methods: Methods) -> Result<Self, MakeError> {
        let refused = |why: &str| MakeError::Refused(why.to_owned());
        let batch = seat.machine.lanes().cloned();
        let batch = batch.ok_or_else(|| refused("it plans on circuits in lanes only"))?;
        let machine = Arc::clone(batch.machine());
        let mut workspace = machine.workspace();
        let state = replay(&*machine, &mut workspace, seat.history)?;
        let space = Space::from_state(batch, state.clone());
        let space = space.map_err(|error| MakeError::Refused(error.to_string()))?;
        let space = Arc::new(space.merging(seat.settings.of(&SYMMETRY)));
        let threads = seat.settings.of(&THREADS) as usize;
        let options = Options { threads, seed: seat.seed, ..Options::default() };
        let portfolio = methods(&space, options);
        let (clock, readings) = (Arc::clone(seat.clock), Arc::default());
        Ok(Self {
            name,
            machine,
            workspace,
            space,
            portfolio,
            methods,
            options,
            state,
            made: 0,
            clock,
            readings,
        })
    }

    /// The next move of the plan.
    fn planned(&self) -> Option<MoveId> {
        self.portfolio.best()?.plan.moves.get(self.made).copied()
    }

    /// Searches from here, with the rest of the plan known if it is still good.
    fn begin_anew(&mut self, moves: usize, follows: bool) {
        let known = self.portfolio.best().filter(|_| follows);
        let ceiling = self.portfolio.board().ceiling();
        self.space = Arc::new(self.space.after(self.state.clone(), moves));
        self.portfolio = (self.methods)(&self.space, self.options);
        self.portfolio.board().lower(ceiling);
        if let Some(Found { plan, method, time }) = known {
            let moves = plan.moves[moves.min(plan.moves.len())..].to_vec();
            self.portfolio.board().offer(Found { plan: Plan { moves, score: plan.score }, method, time });
        }
        self.made = 0;
    }
}

impl Engine for Planner {
    fn think(&mut self, budget: &Budget<'_>) -> Result<Stop, RuleFault> {
        let never = AtomicBool::new(false);
        let stop = budget.stop.unwrap_or(&never);
        let finished = match (budget.simulations, budget.until) {
            (Some(simulations), _) => {
                let readings = Arc::clone(&self.readings);
                let read = move || READING * readings.fetch_add(1, Ordering::Relaxed) as u32;
                let until = READING * self.readings.load(Ordering::Relaxed) as u32
                    + READING * u32::try_from(simulations).unwrap_or(u32::MAX >> 1);
                let clock: Clock = Arc::new(read);
                self.portfolio.work(until, &clock, stop)
            }
            (None, until) => self.portfolio.work(until.unwrap_or(Duration::MAX), &self.clock, stop),
        };
        Ok(match budget.simulations {
            _ if finished => Stop::Proven,
            _ if stop.load(Ordering::Relaxed) => Stop::Told,
            Some(_) => Stop::Simulations,
            None => Stop::Time,
        })
    }

    fn decide(&mut self, role: RoleId) -> Result<Option<Decision>, RuleFault> {
        let mut expansion = Expansion::new();
        self.machine.expand(&mut self.workspace, &self.state, &mut expansion)?;
        if expansion.is_terminal() {
            return Ok(None);
        }
        let legal = expansion.legal(role);
        let id = match self.planned().filter(|id| legal.contains(id)) {
            Some(id) => id,
            None => *legal.first().ok_or(RuleFault::NoLegalMove(role))?,
        };
        let board = self.portfolio.board();
        let best = board.best();
        let line = best.iter().flat_map(|found| found.plan.moves.iter().skip(self.made));
        let (text, spelling) = (self.machine.move_text(id), self.machine.move_spelling(id));
        Ok(Some(Decision {
            value: best.as_ref().map(|found| f64::from(found.plan.score.0)),
            proven: board.is_settled(),
            unthought: best.is_none() && legal.len() > 1,
            bytes: self.portfolio.bytes(),
            depth: best.as_ref().map_or(0, |found| found.plan.moves.len() as u32),
            line: line.map(|&id| vec![self.machine.move_text(id)]).collect(),
            ..Decision::plain(text, spelling, self.name, self.machine())
        }))
    }

    fn advance(&mut self, joint: &[String]) -> Result<bool, RuleFault> {
        let Some(joint) = find_moves(&*self.machine, joint) else { return Ok(false) };
        let follows = self.planned() == joint.first().copied();
        self.state = self.machine.apply(&mut self.workspace, &self.state, &joint)?;
        self.made += 1;
        if !(follows && self.portfolio.board().is_settled()) {
            self.begin_anew(self.made, follows);
        }
        Ok(true)
    }

    fn begin_turn(&mut self) {}

    fn events(&mut self) -> Vec<Event> {
        Vec::new()
    }

    fn machine(&self) -> MachineKind {
        MachineKind::Batch
    }
}

//! A mind for one-player games: it looks for a plan and follows it.
//!
//! Once the plan is known to be the best there is, it is only followed. Until then every move made
//! begins a new search from the position reached, with the rest of the plan as the one to beat. If a
//! move was replaced by another one, the search begins without a plan.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use game::{Expansion, Game, MoveId, RoleId, RuleFault};
use machine::batch::BatchMachine;
use machine::circuit::{CircuitMachine, CircuitState, CircuitWorkspace};
use puzzle::method::mini::Transpositions;
use puzzle::method::{Method, Mini, MiniOptions};
use puzzle::{Found, Options, Plan, Portfolio, Space};
use search::{Budget, Stop};

use crate::agent::Planner;
use crate::machines::{Clock, MachineKind};
use crate::mind::{Mind, find};
use crate::report::Decision;

/// With a budget in simulations, each look at the clock counts as one and takes this long.
const READING: Duration = Duration::from_millis(1);

pub(crate) struct PlanMind {
    machine: Arc<CircuitMachine>,
    workspace: CircuitWorkspace,
    space: Arc<Space>,
    portfolio: Portfolio,
    planner: Planner,
    options: Options,
    /// Where the game is.
    state: CircuitState,
    /// How many moves of the plan were made since the search began.
    made: usize,
    clock: Clock,
    readings: Arc<AtomicU64>,
}

/// The methods of a planner.
fn plan(planner: Planner, space: &Arc<Space>, options: Options) -> Portfolio {
    match planner {
        Planner::None | Planner::Portfolio => Portfolio::new(space, options),
        Planner::Mini | Planner::MiniLevels => {
            let transpositions = match planner {
                Planner::MiniLevels => Transpositions::FiveLevels,
                _ => Transpositions::Zobrist,
            };
            let (most_bytes, seed) = (options.bytes, options.seed);
            let mini = MiniOptions { most_bytes, seed, transpositions, ..MiniOptions::default() };
            let mini = Mini::new(Arc::clone(space.machine()), space.start().clone(), mini);
            let methods = mini.into_iter().map(|mini| (1.0, Box::new(mini) as Box<dyn Method>));
            Portfolio::of(methods.collect(), space.ceiling(), options)
        }
    }
}

impl PlanMind {
    /// A mind in the position after some moves, with a planner that merges symmetric states or not;
    /// `None` if the game has several players.
    pub(crate) fn new(
        batch: &Arc<BatchMachine>,
        history: &[Vec<String>],
        (planner, symmetry): (Planner, bool),
        options: Options,
        clock: &Clock,
    ) -> Result<Option<Self>, RuleFault> {
        let machine = Arc::clone(batch.machine());
        let mut workspace = machine.workspace();
        let mut state = machine.initial();
        for joint in history {
            if let Some(joint) = find(&*machine, joint) {
                state = machine.apply(&mut workspace, &state, &joint)?;
            }
        }
        let Ok(space) = Space::from_state(Arc::clone(batch), state.clone()) else { return Ok(None) };
        let space = Arc::new(space.merging(symmetry));
        let portfolio = plan(planner, &space, options);
        let (clock, readings) = (Arc::clone(clock), Arc::default());
        Ok(Some(Self {
            machine,
            workspace,
            space,
            portfolio,
            planner,
            options,
            state,
            made: 0,
            clock,
            readings,
        }))
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
        self.portfolio = plan(self.planner, &self.space, self.options);
        self.portfolio.board().lower(ceiling);
        if let Some(Found { plan, method, time }) = known {
            let moves = plan.moves[moves.min(plan.moves.len())..].to_vec();
            self.portfolio.board().offer(Found { plan: Plan { moves, score: plan.score }, method, time });
        }
        self.made = 0;
    }
}

impl Mind for PlanMind {
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

    fn decide(&mut self, role: usize) -> Result<Option<Decision>, RuleFault> {
        let mut expansion = Expansion::new();
        self.machine.expand(&mut self.workspace, &self.state, &mut expansion)?;
        if expansion.is_terminal() {
            return Ok(None);
        }
        let legal = expansion.legal(RoleId(role as u16));
        let id = match self.planned().filter(|id| legal.contains(id)) {
            Some(id) => id,
            None => *legal.first().ok_or(RuleFault::NoLegalMove(RoleId(role as u16)))?,
        };
        let board = self.portfolio.board();
        let best = board.best();
        let line = best.iter().flat_map(|found| found.plan.moves.iter().skip(self.made));
        Ok(Some(Decision {
            text: self.machine.move_text(id),
            spelling: self.machine.move_spelling(id),
            value: best.as_ref().map(|found| f64::from(found.plan.score.0)),
            proven: board.is_settled(),
            unthought: best.is_none() && legal.len() > 1,
            simulations: 0,
            playouts: 0,
            steps: 0,
            nodes: 0,
            bytes: self.portfolio.bytes(),
            depth: best.as_ref().map_or(0, |found| found.plan.moves.len() as u32),
            recycled: 0,
            longest_pause: Default::default(),
            line: line.map(|&id| vec![self.machine.move_text(id)]).collect(),
            moves: Vec::new(),
            machine: self.machine(),
            elapsed: Default::default(),
        }))
    }

    fn advance(&mut self, joint: &[String]) -> Result<bool, RuleFault> {
        let Some(joint) = find(&*self.machine, joint) else { return Ok(false) };
        let follows = self.planned() == joint.first().copied();
        self.state = self.machine.apply(&mut self.workspace, &self.state, &joint)?;
        self.made += 1;
        if !(follows && self.portfolio.board().is_settled()) {
            self.begin_anew(self.made, follows);
        }
        Ok(true)
    }

    fn begin_turn(&mut self) {}

    fn machine(&self) -> MachineKind {
        MachineKind::Batch
    }
}

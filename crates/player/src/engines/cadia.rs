//! CadiaPlayer where nobody else plays: memory-enhanced IDA* from the start clock on. Once it has a line that
//! scores anything it goes on with that, looking for better ones; if it has none when a move is due, tree search plays.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use engine::{
    Budget, Clock, Decision, Demand, Engine, EngineRow, Event, MEMORY, Make, MakeError, Seat, Settings, Stop,
    find_moves, replay,
};
use game::{Describe, Expansion, Game, Goal, MoveId, RoleId, RuleFault};
use machine::circuit::{CircuitMachine, CircuitState};
use machine::{Machine, MachineKind};
use puzzle::method::{MemoryIda, Progress};
use puzzle::{Board, Found, Plan, Search};

use super::mcts;

const NAME: &str = "cadia";

/// In the first turn tree search has one part in so many, lest there be no start clock and nothing to
/// be played after it.
const PARTS: u64 = 16;

pub(super) fn row(tree_search: &EngineRow) -> EngineRow {
    let make = Arc::clone(&tree_search.make);
    EngineRow {
        name: NAME,
        help: "memory-enhanced IDA*, and tree search as long as that has found nothing",
        source: "Finnsson and Björnsson 2008",
        revision: 2,
        parameters: vec![MEMORY.row()],
        demands: vec![Demand::OneRole, Demand::NoChance, Demand::Lanes],
        fallback: Some(mcts::NAME),
        make: Arc::new(move |seat| Ok(Box::new(Cadia::new(seat, &make)?))),
    }
}

struct Cadia {
    machine: Arc<CircuitMachine>,
    state: CircuitState,
    ida: MemoryIda<CircuitMachine>,
    /// Whether IDA* has anything left to do.
    is_ended: bool,
    /// The best line from here on.
    board: Board,
    clock: Clock,
    tree: Tree,
    turns: u64,
    /// Calls to think in the first turn.
    parts: u64,
    /// States that IDA* looked at before this turn.
    before: u64,
}

/// Tree search, made when it is needed.
struct Tree {
    engine: Option<Box<dyn Engine>>,
    make: Make,
    machine: Machine,
    history: Vec<Vec<String>>,
    settings: Settings,
    seed: u64,
}

impl Tree {
    fn engine(&mut self, clock: &Clock) -> Result<&mut Box<dyn Engine>, RuleFault> {
        let engine = match self.engine.take() {
            Some(engine) => engine,
            None => {
                let Self { machine, history, settings, seed, .. } = &*self;
                let made =
                    (self.make)(&Seat { machine, history, settings, seed: *seed, clock, helpers: None });
                made.map_err(|error| match error {
                    MakeError::Rules(fault) => fault,
                    // Tree search plays every game.
                    MakeError::Refused(_) => RuleFault::NoLegalMove(RoleId(0)),
                })?
            }
        };
        Ok(self.engine.insert(engine))
    }
}

impl Cadia {
    fn new(seat: &Seat<'_>, make: &Make) -> Result<Self, MakeError> {
        let batch = seat.machine.lanes();
        let batch = batch.ok_or_else(|| MakeError::Refused("it thinks on circuits only".to_owned()))?;
        let machine = Arc::clone(batch.machine());
        let state = replay(&*machine, &mut machine.workspace(), seat.history)?;
        let goals = machine.circuit().roles.first().map_or(&[][..], |role| &role.goals);
        let ceiling = Goal(goals.iter().map(|goal| goal.value).max().unwrap_or(0));
        // Half for the table; the other half is the tree's.
        let memory = seat.settings.of(&MEMORY);
        let mut settings = seat.settings.clone();
        // A value within the range of the row is always taken.
        let _ = settings.set(MEMORY.name(), &(memory / 2).max(16).to_string());
        Ok(Self {
            ida: MemoryIda::new(Arc::clone(&machine), state.clone(), (memory as usize) << 19),
            is_ended: false,
            board: Board::new(ceiling),
            clock: Arc::clone(seat.clock),
            tree: Tree {
                engine: None,
                make: Arc::clone(make),
                machine: seat.machine.clone(),
                history: seat.history.to_vec(),
                settings,
                seed: seat.seed,
            },
            // Made in the middle of a match, it comes too late for the start clock.
            turns: u64::from(!seat.history.is_empty()),
            parts: 0,
            before: 0,
            machine,
            state,
        })
    }

    /// The line in hand, if one scores anything.
    fn in_hand(&self) -> Option<Found> {
        self.board.best().filter(|found| found.plan.score > Goal(0))
    }

    /// The next move of the line in hand.
    fn planned(&self) -> Option<MoveId> {
        self.in_hand().and_then(|found| found.plan.moves.first().copied())
    }

    /// Whether IDA* is to think: before the first move is due, and with a line in hand.
    fn deepens(&self) -> bool {
        !self.is_ended && (self.turns <= 1 || self.in_hand().is_some())
    }

    fn deepen(&mut self, budget: &Budget<'_>) -> Stop {
        let never = AtomicBool::new(false);
        let stop = budget.stop.unwrap_or(&never);
        let search = Search { clock: Arc::clone(&self.clock), stop, board: &self.board };
        let begun = self.ida.steps();
        loop {
            if self.board.is_settled() {
                return Stop::Proven;
            }
            if stop.load(Ordering::Relaxed) {
                return Stop::Told;
            }
            if budget.simulations.is_some_and(|most| self.ida.steps() - begun >= most) {
                return Stop::Simulations;
            }
            if budget.until.is_some_and(|until| (self.clock)() >= until) {
                return Stop::Time;
            }
            if self.ida.step(&search) == Progress::Ended {
                self.is_ended = true;
                return Stop::Proven;
            }
        }
    }
}

impl Engine for Cadia {
    fn think(&mut self, budget: &Budget<'_>) -> Result<Stop, RuleFault> {
        if self.board.is_settled() || (self.is_ended && self.in_hand().is_some()) {
            return Ok(Stop::Proven);
        }
        let mut rest = *budget;
        let is_tree_part = self.turns <= 1 && self.parts % PARTS == PARTS - 1;
        self.parts += 1;
        if self.deepens() && !is_tree_part {
            // A number of simulations is told for moves only. Half of the first are for IDA*, as there was no start
            // clock for it.
            let is_shared = self.turns <= 1 && self.in_hand().is_none();
            let share = budget.simulations.map(|most| if is_shared { most / 2 } else { most });
            let stop = self.deepen(&Budget { simulations: share, ..*budget });
            let goes_on = self.in_hand().is_none() && budget.simulations.is_some();
            if !(goes_on || (stop == Stop::Proven && self.in_hand().is_none())) {
                return Ok(stop);
            }
            rest.simulations = budget.simulations.map(|most| most - share.unwrap_or(0).min(most));
        }
        self.tree.engine(&self.clock)?.think(&rest)
    }

    fn decide(&mut self, role: RoleId) -> Result<Option<Decision>, RuleFault> {
        let looked_at = self.ida.steps() - self.before;
        let planned = self.planned();
        if planned.is_none()
            && let Some(tree) = &mut self.tree.engine
            && let Some(decision) = tree.decide(role)?
        {
            let simulations = decision.simulations + looked_at;
            return Ok(Some(Decision { simulations, ..decision }));
        }
        let mut expansion = Expansion::new();
        self.machine.expand(&mut self.machine.workspace(), &self.state, &mut expansion)?;
        if expansion.is_terminal() {
            return Ok(None);
        }
        let legal = expansion.legal(role);
        let id = match planned {
            Some(id) => id,
            None => *legal.first().ok_or(RuleFault::NoLegalMove(role))?,
        };
        let found = self.in_hand();
        let line = found.iter().flat_map(|found| &found.plan.moves);
        let (text, spelling) = (self.machine.move_text(id), self.machine.move_spelling(id));
        Ok(Some(Decision {
            value: found.as_ref().map(|found| f64::from(found.plan.score.0)),
            proven: planned.is_some() && self.board.is_settled(),
            unthought: planned.is_none() && legal.len() > 1,
            simulations: looked_at,
            bytes: puzzle::method::Method::bytes(&self.ida),
            depth: self.ida.limit() as u32,
            line: line.map(|&id| vec![self.machine.move_text(id)]).collect(),
            ..Decision::plain(text, spelling, NAME, self.machine())
        }))
    }

    fn advance(&mut self, joint: &[String]) -> Result<bool, RuleFault> {
        let Some(moves) = find_moves(&*self.machine, joint) else { return Ok(false) };
        let best = self.in_hand().filter(|found| found.plan.moves.first() == moves.first());
        self.state = self.machine.apply(&mut self.machine.workspace(), &self.state, &moves)?;
        if let Some(tree) = &mut self.tree.engine {
            tree.advance(joint)?;
        }
        self.tree.history.push(joint.to_vec());
        self.turns = self.turns.max(1);
        self.board = Board::new(self.board.ceiling());
        match best {
            Some(Found { plan, method, time }) => {
                let plan = Plan { moves: plan.moves[1..].to_vec(), score: plan.score };
                self.board.offer(Found { plan, method, time });
                self.ida.advance(self.state.clone());
            }
            // What was looked at led to lines that are out of reach now; tree search plays on.
            None => self.is_ended = true,
        }
        Ok(true)
    }

    fn begin_turn(&mut self) {
        self.turns += 1;
        self.before = self.ida.steps();
        if let Some(tree) = &mut self.tree.engine {
            tree.begin_turn();
        }
    }

    fn events(&mut self) -> Vec<Event> {
        self.tree.engine.as_mut().map(|tree| tree.events()).unwrap_or_default()
    }

    fn machine(&self) -> MachineKind {
        MachineKind::Batch
    }
}

//! What is left of a game for two is solved depth first, where that seems possible; the rest as somebody else plays it.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use engine::{Budget, Decision, Engine, Event, Seat, Stop, Typed, find_moves, replay};
use game::{Describe, Game, Goal, MoveId, RoleId, RuleFault};
use machine::MachineKind;
use machine::circuit::{CircuitMachine, CircuitWorkspace};
use solver::{Ending, Settled, SolverError};

/// How much of a turn may be spent on it.
pub(super) static SOLVE: Typed<f64> = Typed::<f64>::real(
    "solve_rest",
    0.0,
    0.0,
    1.0,
    "ours",
    "the largest part of a turn in which what is left of a game for two is solved depth first, where that seems possible; 0 never",
);

/// Foretelling how much work it is takes so little of a turn at most.
const FORETELLING: f64 = 0.03;
/// Solving takes so many times what was foretold at most: it is often more than that, and if it is much more nothing is known.
const PATIENCE: f64 = 30.0;
/// What was foretold in vain is doubted that much more the next time.
const DOUBT: f64 = 4.0;
/// Whether the move somebody else likes best is as good as any may take so much of the time that solving took.
const COMPARING: u32 = 4;
/// The table takes one part in so many of the memory, and no more than enough.
const MEMORY_PART: u32 = 8;
const MOST_MEMORY: u32 = 64;

/// MiB of the table.
pub(super) fn memory(all: u32) -> u32 {
    (all / MEMORY_PART).clamp(1, MOST_MEMORY)
}

/// An engine, and who knows better in the end.
pub(super) struct Solving {
    inner: Box<dyn Engine>,
    machine: Arc<CircuitMachine>,
    workspace: CircuitWorkspace,
    /// For the role that is played, once that is known.
    ending: Option<Ending>,
    role: Option<RoleId>,
    state: machine::circuit::CircuitState,
    bytes: usize,
    share: f64,
    seed: u64,
    stage: Stage,
    /// How much more than what was foretold it was.
    doubt: f64,
    /// Calls to think in this turn.
    calls: u64,
}

enum Stage {
    /// Nothing was done for this position.
    Fresh,
    /// It is being solved, until then.
    Trying { begun: Duration, until: Duration, foretold: f64, before: u64 },
    /// It is known.
    Known(Settled),
    /// Somebody else has to know.
    Left,
    /// Games like this are not solved depth first.
    Never,
}

impl Solving {
    /// An engine with a part of each turn for solving, if the game suits.
    pub(super) fn around(
        inner: Box<dyn Engine>,
        seat: &Seat<'_>,
        share: f64,
        mebibytes: u32,
    ) -> Result<Box<dyn Engine>, RuleFault> {
        let Some(lanes) = seat.machine.lanes().filter(|lanes| lanes.role_count() == 2) else {
            return Ok(inner);
        };
        let machine = Arc::clone(lanes.machine());
        let mut workspace = machine.workspace();
        let state = replay(&*machine, &mut workspace, seat.history)?;
        Ok(Box::new(Self {
            inner,
            workspace,
            ending: None,
            role: None,
            state,
            bytes: (mebibytes as usize) << 20,
            share,
            seed: seat.seed,
            stage: Stage::Fresh,
            doubt: 1.0,
            calls: 0,
            machine,
        }))
    }

    /// Does a part of solving; whether there is something to be done yet, and the time for it has come.
    fn solve(&mut self, budget: &Budget<'_>) -> Result<Option<Stop>, RuleFault> {
        let (Some(ends), Some(until)) = (budget.turn_ends, budget.until) else { return Ok(None) };
        let Some(ending) = &mut self.ending else { return Ok(None) };
        let clock = || (budget.clock)();
        let is_told = || budget.stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
        let begun = clock();
        let left = ends.saturating_sub(begun);
        if matches!(self.stage, Stage::Fresh) {
            ending.begin(self.state.clone());
            let latest = begun + left.mul_f64(FORETELLING);
            let before = ending.positions();
            let foretold = match ending.foretell(&|| is_told() || clock() >= latest) {
                Ok(foretold) => foretold,
                Err(error) => return self.give_up(error),
            };
            let looked = ending.positions() - before;
            let pace = clock().saturating_sub(begun).as_secs_f64() / looked.max(1) as f64;
            let most = left.as_secs_f64() * self.share;
            let seems = foretold * self.doubt * pace;
            self.stage = Stage::Left;
            if seems <= most {
                // What takes no time by what was foretold may still take some.
                let patience = (PATIENCE * seems).max(most * FORETELLING).min(most);
                let begun = clock();
                let until = begun + Duration::from_secs_f64(patience);
                self.stage = Stage::Trying { begun, until, foretold, before: ending.positions() };
            }
            return Ok(Some(Stop::Time));
        }
        let Stage::Trying { begun, until: latest, foretold, before } = self.stage else { return Ok(None) };
        let limit = latest.min(until);
        let solved = match ending.solve(&|| is_told() || clock() >= limit) {
            Ok(solved) => solved,
            Err(SolverError::OutOfTime(_)) => {
                if clock() >= latest {
                    let spent = (ending.positions() - before) as f64;
                    self.doubt = self.doubt.max(DOUBT * spent / foretold.max(1.0));
                    self.stage = Stage::Left;
                }
                return Ok(Some(Stop::Time));
            }
            Err(error) => return self.give_up(error),
        };
        let Some(mut solved) = solved else {
            self.stage = Stage::Left;
            return Ok(Some(Stop::Time));
        };
        let took = clock().saturating_sub(begun).max(Duration::from_millis(1));
        self.compare(&mut solved, budget, took / COMPARING)?;
        self.stage = Stage::Known(solved);
        Ok(Some(Stop::Time))
    }

    /// Finds out whether the move somebody else likes best gets as much: it may be harder to answer.
    fn compare(
        &mut self,
        solved: &mut Settled,
        budget: &Budget<'_>,
        time: Duration,
    ) -> Result<(), RuleFault> {
        let (Some(role), Some(ending)) = (self.role, &mut self.ending) else { return Ok(()) };
        if solved.moves.is_empty() {
            return Ok(());
        }
        let Some(liked) = self.inner.decide(role)? else { return Ok(()) };
        let Some(id) = self.machine.find_move(role, &liked.text) else { return Ok(()) };
        let latest = (budget.clock)() + time;
        let is_over = || (budget.clock)() >= latest;
        if !solved.moves.contains(&id) && ending.keeps(id, solved.value, &is_over).unwrap_or(false) {
            solved.moves.push(id);
        }
        Ok(())
    }

    /// A fault of the rules is told; all else only means that it cannot be done.
    fn give_up(&mut self, error: SolverError) -> Result<Option<Stop>, RuleFault> {
        if let SolverError::Fault(fault) = error {
            return Err(fault);
        }
        self.stage = match error {
            SolverError::OutOfTime(_) => Stage::Left,
            _ => Stage::Never,
        };
        Ok(Some(Stop::Time))
    }

    /// What is played where the position is known: of the moves that get what it is worth the one that somebody else likes best.
    fn chosen(&self, inner: &Decision, solved: &Settled) -> Option<MoveId> {
        let role = self.role?;
        let is_good = |text: &str| {
            let id = self.machine.find_move(role, text)?;
            solved.moves.contains(&id).then_some(id)
        };
        let liked = inner.moves.iter().filter_map(|one| Some((one.visits, is_good(&one.text)?)));
        is_good(&inner.text)
            .or_else(|| liked.max_by_key(|&(visits, _)| visits).map(|(_, id)| id))
            .or_else(|| solved.moves.first().copied())
    }
}

impl Engine for Solving {
    fn think(&mut self, budget: &Budget<'_>) -> Result<Stop, RuleFault> {
        self.calls += 1;
        // A thought of somebody else comes first: a move is needed in any case.
        if self.calls > 1
            && let Some(stop) = self.solve(budget)?
        {
            return Ok(stop);
        }
        match self.stage {
            // Nothing better can be found; who has lost goes on looking for the other's mistakes.
            Stage::Known(ref solved) if solved.value > Goal(0) && !solved.moves.is_empty() => {
                Ok(Stop::Proven)
            }
            _ => self.inner.think(budget),
        }
    }

    fn decide(&mut self, role: RoleId) -> Result<Option<Decision>, RuleFault> {
        if self.role != Some(role) {
            self.ending = Ending::new(&self.machine, role, self.bytes, self.seed);
            self.role = Some(role);
        }
        let Some(inner) = self.inner.decide(role)? else { return Ok(None) };
        let Stage::Known(solved) = &self.stage else { return Ok(Some(inner)) };
        let value = Some(f64::from(solved.value.0));
        if solved.value == Goal(0) {
            return Ok(Some(Decision { value, ..inner }));
        }
        let Some(id) = self.chosen(&inner, solved) else { return Ok(Some(Decision { value, ..inner })) };
        let (text, spelling) = (self.machine.move_text(id), self.machine.move_spelling(id));
        let line = if text == inner.text { inner.line } else { Vec::new() };
        Ok(Some(Decision { text, spelling, value, line, proven: true, unthought: false, ..inner }))
    }

    fn advance(&mut self, told: &[String]) -> Result<bool, RuleFault> {
        if !self.inner.advance(told)? {
            return Ok(false);
        }
        let Some(joint) = find_moves(&*self.machine, told) else { return Ok(false) };
        self.state = self.machine.apply(&mut self.workspace, &self.state, &joint)?;
        if !matches!(self.stage, Stage::Never) {
            self.stage = Stage::Fresh;
        }
        Ok(true)
    }

    fn begin_turn(&mut self) {
        self.calls = 0;
        // What was left alone in somebody else's time may be tried in one's own.
        if matches!(self.stage, Stage::Left) {
            self.stage = Stage::Fresh;
        }
        self.inner.begin_turn();
    }

    fn events(&mut self) -> Vec<Event> {
        self.inner.events()
    }

    fn machine(&self) -> MachineKind {
        self.inner.machine()
    }
}

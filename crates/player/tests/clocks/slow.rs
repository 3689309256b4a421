//! A machine made slow on purpose: every call takes a while, and now and then one takes as long as the
//! test likes.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::ThreadId;
use std::time::Duration;

use game::{
    Describe, Dice, Expansion, Expansions, FactId, Game, GoalReading, Job, MoveId, Observe, Outcomes,
    PerceptId, PlayOptions, RoleId, RuleFault, Simulator,
};
use parking_lot::{Condvar, Mutex};

/// How slow it is.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Pace {
    /// What every call takes.
    pub(crate) delay: Duration,
    /// One call in so many hangs; none if 0.
    pub(crate) every: usize,
    /// How many answers a hanging call outlasts at most.
    pub(crate) answers: usize,
    /// Whether any call may hang, or only those for many states at once, which only thinking needs.
    pub(crate) everything: bool,
    /// Which ones it is.
    pub(crate) seed: u64,
    /// Whether calls panic where they would hang.
    pub(crate) panics: bool,
}

/// Where calls hang. The test lets them go, so what waits for one of them waits for the test.
#[derive(Debug)]
pub(crate) struct Gate {
    state: Mutex<State>,
    moved: Condvar,
    caller: ThreadId,
}

#[derive(Debug, Default)]
struct State {
    answers: usize,
    is_open: bool,
    hung: usize,
    waited_for: usize,
    by_caller: usize,
}

/// A call that hangs so long was waited for: no answer came that would have ended it.
const FOR_EVER: Duration = Duration::from_secs(10);

impl Gate {
    /// A gate; who makes it is not to make calls.
    pub(crate) fn new() -> Arc<Self> {
        let caller = std::thread::current().id();
        Arc::new(Self { state: Mutex::default(), moved: Condvar::new(), caller })
    }

    /// An answer was given.
    pub(crate) fn answered(&self) {
        self.state.lock().answers += 1;
        self.moved.notify_all();
    }

    /// Nothing hangs any more.
    pub(crate) fn open(&self) {
        self.state.lock().is_open = true;
        self.moved.notify_all();
    }

    /// How many calls have hung.
    pub(crate) fn hung(&self) -> usize {
        self.state.lock().hung
    }

    /// How many hanging calls were waited for in vain.
    pub(crate) fn waited_for(&self) -> usize {
        self.state.lock().waited_for
    }

    /// How many calls the caller made itself.
    pub(crate) fn by_caller(&self) -> usize {
        self.state.lock().by_caller
    }

    fn pass(&self) {
        if std::thread::current().id() == self.caller {
            self.state.lock().by_caller += 1;
        }
    }

    fn hang(&self, answers: usize) {
        let mut state = self.state.lock();
        state.hung += 1;
        let last = state.answers + answers;
        while !state.is_open && state.answers < last {
            if self.moved.wait_for(&mut state, FOR_EVER).timed_out() {
                state.waited_for += 1;
                return;
            }
        }
    }
}

/// A game on a slow machine.
pub(crate) struct Slow<G> {
    game: Arc<G>,
    pace: Pace,
    gate: Arc<Gate>,
    calls: AtomicU64,
}

impl<G> Slow<G> {
    pub(crate) fn new(game: Arc<G>, pace: Pace, gate: Arc<Gate>) -> Self {
        Self { game, pace, gate, calls: AtomicU64::new(0) }
    }

    fn call(&self, is_single: bool) {
        self.gate.pass();
        std::thread::sleep(self.pace.delay);
        let mut dice = Dice::stream(self.pace.seed, self.calls.fetch_add(1, Ordering::Relaxed));
        let may_hang = self.pace.every > 0 && (self.pace.everything || !is_single);
        if may_hang && dice.below(self.pace.every) == 0 {
            assert!(!self.pace.panics, "a fault in thinking");
            self.gate.hang(1 + dice.below(self.pace.answers));
        }
    }
}

impl<G: Game> Game for Slow<G> {
    type State = G::State;
    type Workspace = G::Workspace;

    fn role_count(&self) -> usize {
        self.game.role_count()
    }

    fn chance(&self) -> Option<RoleId> {
        self.game.chance()
    }

    fn workspace(&self) -> Self::Workspace {
        self.game.workspace()
    }

    fn initial(&self) -> Self::State {
        self.game.initial()
    }

    fn expand(
        &self,
        workspace: &mut Self::Workspace,
        state: &Self::State,
        out: &mut Expansion,
    ) -> Result<(), RuleFault> {
        self.call(true);
        self.game.expand(workspace, state, out)
    }

    fn apply(
        &self,
        workspace: &mut Self::Workspace,
        state: &Self::State,
        joint: &[MoveId],
    ) -> Result<Self::State, RuleFault> {
        self.call(true);
        self.game.apply(workspace, state, joint)
    }

    fn goals(
        &self,
        workspace: &mut Self::Workspace,
        state: &Self::State,
        out: &mut Vec<GoalReading>,
    ) -> Result<(), RuleFault> {
        self.call(true);
        self.game.goals(workspace, state, out)
    }
}

impl<G: Describe> Observe for Slow<G> {
    type Percept = PerceptId;

    fn observe(
        &self,
        workspace: &mut Self::Workspace,
        state: &Self::State,
        joint: &[MoveId],
        role: RoleId,
        out: &mut Vec<PerceptId>,
    ) -> Result<(), RuleFault> {
        self.call(true);
        self.game.observe(workspace, state, joint, role, out)
    }
}

impl<G: Describe> Describe for Slow<G> {
    fn roles(&self) -> &[String] {
        self.game.roles()
    }

    fn role_spelling(&self, role: RoleId) -> String {
        self.game.role_spelling(role)
    }

    fn move_text(&self, id: MoveId) -> String {
        self.game.move_text(id)
    }

    fn move_spelling(&self, id: MoveId) -> String {
        self.game.move_spelling(id)
    }

    fn find_move(&self, role: RoleId, text: &str) -> Option<MoveId> {
        self.game.find_move(role, text)
    }

    fn facts(&self, state: &Self::State) -> Vec<String> {
        self.game.facts(state)
    }

    fn state_of(&self, facts: &[&str]) -> Option<Self::State> {
        self.game.state_of(facts)
    }

    fn has_percepts(&self) -> bool {
        self.game.has_percepts()
    }

    fn percept_text(&self, id: PerceptId) -> String {
        self.game.percept_text(id)
    }

    fn percept_spelling(&self, id: PerceptId) -> String {
        self.game.percept_spelling(id)
    }

    fn find_percept(&self, role: RoleId, text: &str) -> Option<PerceptId> {
        self.game.find_percept(role, text)
    }
}

impl<G: Simulator> Simulator for Slow<G> {
    fn lanes(&self) -> usize {
        self.game.lanes()
    }

    fn supports(&self, options: &PlayOptions<'_>) -> bool {
        self.game.supports(options)
    }

    fn step_cost(&self) -> f64 {
        self.game.step_cost()
    }

    fn state_bytes(&self) -> usize {
        self.game.state_bytes()
    }

    fn list_facts(&self, state: &Self::State, out: &mut Vec<FactId>) {
        self.game.list_facts(state, out);
    }

    fn fact_text(&self, fact: FactId) -> String {
        self.game.fact_text(fact)
    }

    fn goal_degree(&self, state: &Self::State, role: RoleId) -> Option<f64> {
        self.game.goal_degree(state, role)
    }

    fn expand_all(
        &self,
        workspace: &mut Self::Workspace,
        states: &[&Self::State],
        out: &mut Expansions,
    ) -> Result<(), RuleFault> {
        self.call(false);
        self.game.expand_all(workspace, states, out)
    }

    fn apply_all(
        &self,
        workspace: &mut Self::Workspace,
        states: &[&Self::State],
        joints: &[MoveId],
        out: &mut Vec<Self::State>,
    ) -> Result<(), RuleFault> {
        self.call(false);
        self.game.apply_all(workspace, states, joints, out)
    }

    fn play(
        &self,
        workspace: &mut Self::Workspace,
        jobs: &[Job<'_, Self::State>],
        options: &PlayOptions<'_>,
        out: &mut Outcomes,
    ) -> Result<(), RuleFault> {
        self.call(false);
        self.game.play(workspace, jobs, options, out)
    }
}

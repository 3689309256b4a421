//! A game of no particular type, for code that cannot know all machines.

use std::any::Any;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use game::{
    Describe, Expansion, Expansions, FactId, Game, GoalReading, Job, MoveId, Observe, Outcomes, PerceptId,
    PlayOptions, RoleId, RuleFault, Simulator,
};

/// A state of any machine.
#[derive(Clone)]
pub struct ErasedState(Arc<dyn AnyState>);

trait AnyState: Any + fmt::Debug + Send + Sync {
    fn equals(&self, other: &ErasedState) -> bool;
    fn hash_into(&self, hasher: &mut dyn Hasher);
}

impl<State: Eq + Hash + fmt::Debug + Send + Sync + 'static> AnyState for State {
    fn equals(&self, other: &ErasedState) -> bool {
        (&*other.0 as &dyn Any).downcast_ref::<State>() == Some(self)
    }

    fn hash_into(&self, mut hasher: &mut dyn Hasher) {
        self.hash(&mut hasher);
    }
}

impl ErasedState {
    /// The state as its machine has it. To ask a machine for a state of another is a fault of the program.
    fn get<State: 'static>(&self) -> &State {
        (&*self.0 as &dyn Any).downcast_ref().expect("a state of this machine")
    }
}

impl PartialEq for ErasedState {
    fn eq(&self, other: &Self) -> bool {
        self.0.equals(other)
    }
}

impl Eq for ErasedState {}

impl Hash for ErasedState {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash_into(state);
    }
}

impl fmt::Debug for ErasedState {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

/// Scratch space of any machine.
pub struct ErasedWorkspace(Box<dyn Any + Send>);

impl fmt::Debug for ErasedWorkspace {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("ErasedWorkspace")
    }
}

impl ErasedWorkspace {
    fn get<Workspace: 'static>(&mut self) -> &mut Workspace {
        self.0.downcast_mut().expect("a workspace of this machine")
    }
}

/// What is asked of a machine of any type.
trait AnyGame: Send + Sync {
    fn roles(&self) -> &[String];
    fn chance(&self) -> Option<RoleId>;
    fn workspace(&self) -> ErasedWorkspace;
    fn initial(&self) -> ErasedState;
    fn expand(
        &self,
        workspace: &mut ErasedWorkspace,
        state: &ErasedState,
        out: &mut Expansion,
    ) -> Result<(), RuleFault>;
    fn apply(
        &self,
        workspace: &mut ErasedWorkspace,
        state: &ErasedState,
        joint: &[MoveId],
    ) -> Result<ErasedState, RuleFault>;
    fn goals(
        &self,
        workspace: &mut ErasedWorkspace,
        state: &ErasedState,
        out: &mut Vec<GoalReading>,
    ) -> Result<(), RuleFault>;
    fn role_spelling(&self, role: RoleId) -> String;
    fn move_text(&self, id: MoveId) -> String;
    fn move_spelling(&self, id: MoveId) -> String;
    fn find_move(&self, role: RoleId, text: &str) -> Option<MoveId>;
    fn facts(&self, state: &ErasedState) -> Vec<String>;
    fn state_of(&self, facts: &[&str]) -> Option<ErasedState>;
    fn observe(
        &self,
        workspace: &mut ErasedWorkspace,
        state: &ErasedState,
        joint: &[MoveId],
        role: RoleId,
        out: &mut Vec<PerceptId>,
    ) -> Result<(), RuleFault>;
    fn has_percepts(&self) -> bool;
    fn percept_text(&self, id: PerceptId) -> String;
    fn percept_spelling(&self, id: PerceptId) -> String;
    fn find_percept(&self, role: RoleId, text: &str) -> Option<PerceptId>;
    fn lanes(&self) -> usize;
    fn supports(&self, options: &PlayOptions<'_>) -> bool;
    fn step_cost(&self) -> f64;
    fn state_bytes(&self) -> usize;
    fn list_facts(&self, state: &ErasedState, out: &mut Vec<FactId>);
    fn fact_text(&self, fact: FactId) -> String;
    fn goal_degree(&self, state: &ErasedState, role: RoleId) -> Option<f64>;
    fn expand_all(
        &self,
        workspace: &mut ErasedWorkspace,
        states: &[&ErasedState],
        out: &mut Expansions,
    ) -> Result<(), RuleFault>;
    fn apply_all(
        &self,
        workspace: &mut ErasedWorkspace,
        states: &[&ErasedState],
        joints: &[MoveId],
        out: &mut Vec<ErasedState>,
    ) -> Result<(), RuleFault>;
    fn play(
        &self,
        workspace: &mut ErasedWorkspace,
        jobs: &[Job<'_, ErasedState>],
        options: &PlayOptions<'_>,
        out: &mut Outcomes,
    ) -> Result<(), RuleFault>;
}

fn erase<State: Eq + Hash + fmt::Debug + Send + Sync + 'static>(state: State) -> ErasedState {
    ErasedState(Arc::new(state))
}

impl<G: Simulator + Describe + 'static> AnyGame for G {
    fn roles(&self) -> &[String] {
        Describe::roles(self)
    }

    fn chance(&self) -> Option<RoleId> {
        Game::chance(self)
    }

    fn workspace(&self) -> ErasedWorkspace {
        ErasedWorkspace(Box::new(Game::workspace(self)))
    }

    fn initial(&self) -> ErasedState {
        erase(Game::initial(self))
    }

    fn expand(
        &self,
        workspace: &mut ErasedWorkspace,
        state: &ErasedState,
        out: &mut Expansion,
    ) -> Result<(), RuleFault> {
        Game::expand(self, workspace.get(), state.get(), out)
    }

    fn apply(
        &self,
        workspace: &mut ErasedWorkspace,
        state: &ErasedState,
        joint: &[MoveId],
    ) -> Result<ErasedState, RuleFault> {
        Game::apply(self, workspace.get(), state.get(), joint).map(erase)
    }

    fn goals(
        &self,
        workspace: &mut ErasedWorkspace,
        state: &ErasedState,
        out: &mut Vec<GoalReading>,
    ) -> Result<(), RuleFault> {
        Game::goals(self, workspace.get(), state.get(), out)
    }

    fn role_spelling(&self, role: RoleId) -> String {
        Describe::role_spelling(self, role)
    }

    fn move_text(&self, id: MoveId) -> String {
        Describe::move_text(self, id)
    }

    fn move_spelling(&self, id: MoveId) -> String {
        Describe::move_spelling(self, id)
    }

    fn find_move(&self, role: RoleId, text: &str) -> Option<MoveId> {
        Describe::find_move(self, role, text)
    }

    fn facts(&self, state: &ErasedState) -> Vec<String> {
        Describe::facts(self, state.get())
    }

    fn state_of(&self, facts: &[&str]) -> Option<ErasedState> {
        Describe::state_of(self, facts).map(erase)
    }

    fn observe(
        &self,
        workspace: &mut ErasedWorkspace,
        state: &ErasedState,
        joint: &[MoveId],
        role: RoleId,
        out: &mut Vec<PerceptId>,
    ) -> Result<(), RuleFault> {
        Observe::observe(self, workspace.get(), state.get(), joint, role, out)
    }

    fn has_percepts(&self) -> bool {
        Describe::has_percepts(self)
    }

    fn percept_text(&self, id: PerceptId) -> String {
        Describe::percept_text(self, id)
    }

    fn percept_spelling(&self, id: PerceptId) -> String {
        Describe::percept_spelling(self, id)
    }

    fn find_percept(&self, role: RoleId, text: &str) -> Option<PerceptId> {
        Describe::find_percept(self, role, text)
    }

    fn lanes(&self) -> usize {
        Simulator::lanes(self)
    }

    fn supports(&self, options: &PlayOptions<'_>) -> bool {
        Simulator::supports(self, options)
    }

    fn step_cost(&self) -> f64 {
        Simulator::step_cost(self)
    }

    fn state_bytes(&self) -> usize {
        Simulator::state_bytes(self) + size_of::<G::State>()
    }

    fn list_facts(&self, state: &ErasedState, out: &mut Vec<FactId>) {
        Simulator::list_facts(self, state.get(), out);
    }

    fn fact_text(&self, fact: FactId) -> String {
        Simulator::fact_text(self, fact)
    }

    fn goal_degree(&self, state: &ErasedState, role: RoleId) -> Option<f64> {
        Simulator::goal_degree(self, state.get(), role)
    }

    fn expand_all(
        &self,
        workspace: &mut ErasedWorkspace,
        states: &[&ErasedState],
        out: &mut Expansions,
    ) -> Result<(), RuleFault> {
        let states: Vec<&G::State> = states.iter().map(|state| state.get()).collect();
        Simulator::expand_all(self, workspace.get(), &states, out)
    }

    fn apply_all(
        &self,
        workspace: &mut ErasedWorkspace,
        states: &[&ErasedState],
        joints: &[MoveId],
        out: &mut Vec<ErasedState>,
    ) -> Result<(), RuleFault> {
        let states: Vec<&G::State> = states.iter().map(|state| state.get()).collect();
        let mut next = Vec::new();
        Simulator::apply_all(self, workspace.get(), &states, joints, &mut next)?;
        out.clear();
        out.extend(next.into_iter().map(erase));
        Ok(())
    }

    fn play(
        &self,
        workspace: &mut ErasedWorkspace,
        jobs: &[Job<'_, ErasedState>],
        options: &PlayOptions<'_>,
        out: &mut Outcomes,
    ) -> Result<(), RuleFault> {
        let typed =
            jobs.iter().map(|job| Job { start: job.start.get(), playouts: job.playouts, before: job.before });
        let jobs: Vec<Job<'_, G::State>> = typed.collect();
        Simulator::play(self, workspace.get(), &jobs, options, out)
    }
}

/// A machine of any type as a game.
#[derive(Clone)]
pub struct ErasedGame(Arc<dyn AnyGame>);

impl ErasedGame {
    /// Forgets the type of a machine.
    pub fn new<G: Simulator + Describe + 'static>(game: Arc<G>) -> Self {
        Self(game)
    }
}

impl fmt::Debug for ErasedGame {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_tuple("ErasedGame").field(&self.0.roles()).finish()
    }
}

impl Game for ErasedGame {
    type State = ErasedState;
    type Workspace = ErasedWorkspace;

    fn role_count(&self) -> usize {
        self.0.roles().len()
    }

    fn chance(&self) -> Option<RoleId> {
        self.0.chance()
    }

    fn workspace(&self) -> ErasedWorkspace {
        self.0.workspace()
    }

    fn initial(&self) -> ErasedState {
        self.0.initial()
    }

    fn expand(
        &self,
        workspace: &mut ErasedWorkspace,
        state: &ErasedState,
        out: &mut Expansion,
    ) -> Result<(), RuleFault> {
        self.0.expand(workspace, state, out)
    }

    fn apply(
        &self,
        workspace: &mut ErasedWorkspace,
        state: &ErasedState,
        joint: &[MoveId],
    ) -> Result<ErasedState, RuleFault> {
        self.0.apply(workspace, state, joint)
    }

    fn goals(
        &self,
        workspace: &mut ErasedWorkspace,
        state: &ErasedState,
        out: &mut Vec<GoalReading>,
    ) -> Result<(), RuleFault> {
        self.0.goals(workspace, state, out)
    }
}

impl Observe for ErasedGame {
    type Percept = PerceptId;

    fn observe(
        &self,
        workspace: &mut ErasedWorkspace,
        state: &ErasedState,
        joint: &[MoveId],
        role: RoleId,
        out: &mut Vec<PerceptId>,
    ) -> Result<(), RuleFault> {
        self.0.observe(workspace, state, joint, role, out)
    }
}

impl Describe for ErasedGame {
    fn roles(&self) -> &[String] {
        self.0.roles()
    }

    fn role_spelling(&self, role: RoleId) -> String {
        self.0.role_spelling(role)
    }

    fn move_text(&self, id: MoveId) -> String {
        self.0.move_text(id)
    }

    fn move_spelling(&self, id: MoveId) -> String {
        self.0.move_spelling(id)
    }

    fn find_move(&self, role: RoleId, text: &str) -> Option<MoveId> {
        self.0.find_move(role, text)
    }

    fn facts(&self, state: &ErasedState) -> Vec<String> {
        self.0.facts(state)
    }

    fn state_of(&self, facts: &[&str]) -> Option<ErasedState> {
        self.0.state_of(facts)
    }

    fn has_percepts(&self) -> bool {
        self.0.has_percepts()
    }

    fn percept_text(&self, id: PerceptId) -> String {
        self.0.percept_text(id)
    }

    fn percept_spelling(&self, id: PerceptId) -> String {
        self.0.percept_spelling(id)
    }

    fn find_percept(&self, role: RoleId, text: &str) -> Option<PerceptId> {
        self.0.find_percept(role, text)
    }
}

impl Simulator for ErasedGame {
    fn lanes(&self) -> usize {
        self.0.lanes()
    }

    fn supports(&self, options: &PlayOptions<'_>) -> bool {
        self.0.supports(options)
    }

    fn step_cost(&self) -> f64 {
        self.0.step_cost()
    }

    fn state_bytes(&self) -> usize {
        self.0.state_bytes()
    }

    fn list_facts(&self, state: &ErasedState, out: &mut Vec<FactId>) {
        self.0.list_facts(state, out);
    }

    fn fact_text(&self, fact: FactId) -> String {
        self.0.fact_text(fact)
    }

    fn goal_degree(&self, state: &ErasedState, role: RoleId) -> Option<f64> {
        self.0.goal_degree(state, role)
    }

    fn expand_all(
        &self,
        workspace: &mut ErasedWorkspace,
        states: &[&ErasedState],
        out: &mut Expansions,
    ) -> Result<(), RuleFault> {
        self.0.expand_all(workspace, states, out)
    }

    fn apply_all(
        &self,
        workspace: &mut ErasedWorkspace,
        states: &[&ErasedState],
        joints: &[MoveId],
        out: &mut Vec<ErasedState>,
    ) -> Result<(), RuleFault> {
        self.0.apply_all(workspace, states, joints, out)
    }

    fn play(
        &self,
        workspace: &mut ErasedWorkspace,
        jobs: &[Job<'_, ErasedState>],
        options: &PlayOptions<'_>,
        out: &mut Outcomes,
    ) -> Result<(), RuleFault> {
        self.0.play(workspace, jobs, options, out)
    }
}

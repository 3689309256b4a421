//! A batch machine asked about one state at a time, to compare it with other machines.
//!
//! Each question goes into a different lane, among the states of earlier questions: an answer that
//! leaks from one lane into another, or a lane that is wrong, shows as a difference.

use std::sync::Arc;

use game::{
    Describe, Expansion, Expansions, FactId, Game, GoalReading, Likeness, Merging, MoveId, Observe, Outlook,
    PerceptId, RoleId, RuleFault, Simulator,
};

use super::{BatchMachine, BatchWorkspace};
use crate::circuit::{CircuitMachine, CircuitState};

/// How many earlier states go along with each question. Not a divisor of a word: questions meet
/// all lanes of a word in turn.
const COMPANY: usize = 70;

/// A [`BatchMachine`] that answers about one state at a time. Slow: for checking only.
#[derive(Debug)]
pub struct LaneGame {
    batch: BatchMachine,
}

/// Scratch space of a [`LaneGame`]: the batch machine's own, and the states of earlier questions.
#[derive(Debug)]
pub struct LaneWorkspace {
    batch: BatchWorkspace,
    looks: Company,
    steps: Company,
    joints: Vec<MoveId>,
    expansions: Expansions,
}

/// States that lie side by side, the newest in the place of the oldest.
#[derive(Debug, Default)]
struct Company {
    states: Vec<CircuitState>,
    next: usize,
}

impl Company {
    /// Puts a state in and says in which lane.
    fn join(&mut self, state: &CircuitState) -> usize {
        let lane = self.next;
        self.next = (self.next + 1) % COMPANY;
        match self.states.get_mut(lane) {
            Some(old) => *old = state.clone(),
            None => self.states.push(state.clone()),
        }
        lane
    }
}

impl LaneWorkspace {
    /// Puts a state and a joint move in and says in which lane.
    fn join_step(&mut self, state: &CircuitState, joint: &[MoveId]) -> usize {
        let lane = self.steps.join(state);
        let start = lane * joint.len();
        let end = (start + joint.len()).min(self.joints.len());
        self.joints.splice(start.min(end)..end, joint.iter().copied());
        lane
    }
}

impl LaneGame {
    /// Wraps a batch machine.
    pub fn new(batch: BatchMachine) -> Self {
        Self { batch }
    }

    /// The batch machine inside.
    pub fn into_batch(self) -> BatchMachine {
        self.batch
    }

    pub(crate) fn machine(&self) -> &Arc<CircuitMachine> {
        self.batch.machine()
    }
}

impl Game for LaneGame {
    type State = CircuitState;
    type Workspace = LaneWorkspace;

    fn role_count(&self) -> usize {
        self.machine().role_count()
    }

    fn chance(&self) -> Option<RoleId> {
        self.machine().chance()
    }

    fn workspace(&self) -> LaneWorkspace {
        LaneWorkspace {
            batch: self.batch.workspace(),
            looks: Company::default(),
            steps: Company::default(),
            joints: Vec::new(),
            expansions: Expansions::new(),
        }
    }

    fn initial(&self) -> CircuitState {
        self.machine().initial()
    }

    fn expand(
        &self,
        workspace: &mut LaneWorkspace,
        state: &CircuitState,
        out: &mut Expansion,
    ) -> Result<(), RuleFault> {
        let lane = workspace.looks.join(state);
        let looks: Vec<&CircuitState> = workspace.looks.states.iter().collect();
        self.batch.expand_in_lanes(&mut workspace.batch, &looks, &mut workspace.expansions);
        let choices = workspace.expansions.get(lane);
        out.begin(choices.is_terminal());
        for legal in choices.by_role() {
            legal.iter().for_each(|&id| out.push(id));
            out.end_role();
        }
        Ok(())
    }

    fn apply(
        &self,
        workspace: &mut LaneWorkspace,
        state: &CircuitState,
        joint: &[MoveId],
    ) -> Result<CircuitState, RuleFault> {
        let lane = workspace.join_step(state, joint);
        let mut successors = Vec::new();
        let steps: Vec<&CircuitState> = workspace.steps.states.iter().collect();
        self.batch.apply_in_lanes(&mut workspace.batch, &steps, &workspace.joints, &mut successors);
        Ok(successors.swap_remove(lane))
    }

    fn goals(
        &self,
        workspace: &mut LaneWorkspace,
        state: &CircuitState,
        out: &mut Vec<GoalReading>,
    ) -> Result<(), RuleFault> {
        let lane = workspace.looks.join(state);
        let mut readings = Vec::new();
        let looks: Vec<&CircuitState> = workspace.looks.states.iter().collect();
        self.batch.goals_in_lanes(&mut workspace.batch, &looks, &mut readings);
        let roles = self.role_count();
        out.clear();
        out.extend_from_slice(&readings[lane * roles..(lane + 1) * roles]);
        Ok(())
    }
}

/// Many states are asked about one by one, so that each answer comes out of the lanes.
impl Simulator for LaneGame {
    fn lanes(&self) -> usize {
        1
    }

    fn supports(&self, _: &game::PlayOptions<'_>) -> bool {
        false
    }

    fn step_cost(&self) -> f64 {
        f64::INFINITY
    }

    fn state_bytes(&self) -> usize {
        self.machine().state_bytes()
    }

    fn list_facts(&self, state: &CircuitState, out: &mut Vec<FactId>) {
        self.machine().list_facts(state, out);
    }

    fn fact_text(&self, fact: FactId) -> String {
        self.machine().fact_text(fact)
    }

    fn goal_degree(&self, state: &CircuitState, role: RoleId) -> Option<f64> {
        self.machine().goal_degree(state, role)
    }

    fn likeness(&self, merging: Merging) -> Option<Arc<dyn Likeness<CircuitState>>> {
        self.machine().likeness(merging)
    }

    fn outlook(&self) -> Option<Arc<dyn Outlook<CircuitState>>> {
        self.machine().outlook()
    }
}

impl Observe for LaneGame {
    type Percept = PerceptId;

    fn observe(
        &self,
        workspace: &mut LaneWorkspace,
        state: &CircuitState,
        joint: &[MoveId],
        role: RoleId,
        out: &mut Vec<PerceptId>,
    ) -> Result<(), RuleFault> {
        let lane = workspace.join_step(state, joint);
        let mut told = Vec::new();
        let steps: Vec<&CircuitState> = workspace.steps.states.iter().collect();
        self.batch.observe_in_lanes(&mut workspace.batch, &steps, &workspace.joints, role, &mut told);
        *out = told.swap_remove(lane);
        Ok(())
    }
}

impl Describe for LaneGame {
    fn roles(&self) -> &[String] {
        self.machine().roles()
    }

    fn role_spelling(&self, role: RoleId) -> String {
        self.machine().role_spelling(role)
    }

    fn move_text(&self, id: MoveId) -> String {
        self.machine().move_text(id)
    }

    fn move_spelling(&self, id: MoveId) -> String {
        self.machine().move_spelling(id)
    }

    fn find_move(&self, role: RoleId, text: &str) -> Option<MoveId> {
        self.machine().find_move(role, text)
    }

    fn facts(&self, state: &CircuitState) -> Vec<String> {
        self.machine().facts(state)
    }

    fn state_of(&self, facts: &[&str]) -> Option<CircuitState> {
        self.machine().state_of(facts)
    }

    fn has_percepts(&self) -> bool {
        self.machine().has_percepts()
    }

    fn percept_text(&self, id: PerceptId) -> String {
        self.machine().percept_text(id)
    }

    fn percept_spelling(&self, id: PerceptId) -> String {
        self.machine().percept_spelling(id)
    }

    fn find_percept(&self, role: RoleId, text: &str) -> Option<PerceptId> {
        self.machine().find_percept(role, text)
    }
}

//! The boundary: single states are the circuit machine's, many states go into lanes.

use std::sync::Arc;

use game::{
    Decisive, Describe, Expansion, Expansions, FactId, Game, GoalReading, Job, Likeness, Merging, MoveId,
    Outcomes, Outlook, PerceptId, PlayOptions, RoleId, RuleFault, Sampler, Simulator, Weights,
};

use super::{BatchMachine, BatchWorkspace, LANES};
use crate::circuit::CircuitState;
use crate::compiled::AlignedWords;

/// So few playouts are played one by one: a sweep for one lane costs as much as for all. The number
/// is fixed, so that the same jobs give the same playouts everywhere.
const FEW_PLAYOUTS: u32 = 2;

impl Game for BatchMachine {
    type State = CircuitState;
    type Workspace = BatchWorkspace;

    fn role_count(&self) -> usize {
        self.machine.role_count()
    }

    fn chance(&self) -> Option<RoleId> {
        self.machine.chance()
    }

    fn workspace(&self) -> BatchWorkspace {
        BatchWorkspace {
            block: AlignedWords::new(0),
            scalar: self.machine.workspace(),
            play: Default::default(),
            rows: Vec::new(),
        }
    }

    fn initial(&self) -> CircuitState {
        self.machine.initial()
    }

    fn expand(
        &self,
        workspace: &mut BatchWorkspace,
        state: &CircuitState,
        out: &mut Expansion,
    ) -> Result<(), RuleFault> {
        self.machine.expand(&mut workspace.scalar, state, out)
    }

    fn apply(
        &self,
        workspace: &mut BatchWorkspace,
        state: &CircuitState,
        joint: &[MoveId],
    ) -> Result<CircuitState, RuleFault> {
        self.machine.apply(&mut workspace.scalar, state, joint)
    }

    fn goals(
        &self,
        workspace: &mut BatchWorkspace,
        state: &CircuitState,
        out: &mut Vec<GoalReading>,
    ) -> Result<(), RuleFault> {
        self.machine.goals(&mut workspace.scalar, state, out)
    }
}

impl Describe for BatchMachine {
    fn roles(&self) -> &[String] {
        self.machine.roles()
    }

    fn role_spelling(&self, role: RoleId) -> String {
        self.machine.role_spelling(role)
    }

    fn move_text(&self, id: MoveId) -> String {
        self.machine.move_text(id)
    }

    fn move_spelling(&self, id: MoveId) -> String {
        self.machine.move_spelling(id)
    }

    fn find_move(&self, role: RoleId, text: &str) -> Option<MoveId> {
        self.machine.find_move(role, text)
    }

    fn facts(&self, state: &CircuitState) -> Vec<String> {
        self.machine.facts(state)
    }

    fn state_of(&self, facts: &[&str]) -> Option<CircuitState> {
        self.machine.state_of(facts)
    }

    fn has_percepts(&self) -> bool {
        self.machine.has_percepts()
    }

    fn percept_text(&self, id: PerceptId) -> String {
        self.machine.percept_text(id)
    }

    fn percept_spelling(&self, id: PerceptId) -> String {
        self.machine.percept_spelling(id)
    }

    fn find_percept(&self, role: RoleId, text: &str) -> Option<PerceptId> {
        self.machine.find_percept(role, text)
    }
}

impl Simulator for BatchMachine {
    fn lanes(&self) -> usize {
        LANES
    }

    fn supports(&self, options: &PlayOptions<'_>) -> bool {
        // Lanes know what they have made, not in which order.
        let is_by_move = match (options.policy.sampler, options.policy.weights) {
            (Sampler::Uniform, _) => true,
            (Sampler::EpsilonGreedy { .. } | Sampler::Gibbs { .. }, Weights::Equal | Weights::ByMove(_)) => {
                true
            }
            (_, Weights::InContext(..)) | (Sampler::Roulette, _) => false,
        };
        // Nor what they chose from.
        let records = options.record_sequences || options.record_choices || options.record_facts;
        is_by_move && !records && self.playouts(options.decisive, options.captures).is_some()
    }

    fn step_cost(&self) -> f64 {
        // Not what its programs have: that depends on the processor.
        self.machine.circuit().gates.len() as f64 / LANES as f64
    }

    fn state_bytes(&self) -> usize {
        self.machine.state_bytes()
    }

    fn list_facts(&self, state: &CircuitState, out: &mut Vec<FactId>) {
        self.machine.list_facts(state, out);
    }

    fn fact_text(&self, fact: FactId) -> String {
        self.machine.fact_text(fact)
    }

    fn goal_degree(&self, state: &CircuitState, role: RoleId) -> Option<f64> {
        self.machine.goal_degree(state, role)
    }

    fn likeness(&self, merging: Merging) -> Option<Arc<dyn Likeness<CircuitState>>> {
        self.machine.likeness(merging)
    }

    fn outlook(&self) -> Option<Arc<dyn Outlook<CircuitState>>> {
        self.machine.outlook()
    }

    fn expand_all(
        &self,
        workspace: &mut BatchWorkspace,
        states: &[&CircuitState],
        out: &mut Expansions,
    ) -> Result<(), RuleFault> {
        if self.expands_in_lanes(states.len()) {
            self.expand_in_lanes(workspace, states, out);
            return Ok(());
        }
        self.machine.expand_all(&mut workspace.scalar, states, out)
    }

    fn apply_all(
        &self,
        workspace: &mut BatchWorkspace,
        states: &[&CircuitState],
        joints: &[MoveId],
        out: &mut Vec<CircuitState>,
    ) -> Result<(), RuleFault> {
        if self.applies_in_lanes(states.len()) {
            self.apply_in_lanes(workspace, states, joints, out);
            return Ok(());
        }
        self.machine.apply_all(&mut workspace.scalar, states, joints, out)
    }

    fn play(
        &self,
        workspace: &mut BatchWorkspace,
        jobs: &[Job<'_, CircuitState>],
        options: &PlayOptions<'_>,
        out: &mut Outcomes,
    ) -> Result<(), RuleFault> {
        let playouts: u32 = jobs.iter().map(|job| job.playouts).sum();
        // To look ahead is not cheap one by one.
        let is_plain = options.decisive == Decisive::None && !options.captures;
        let is_few = playouts <= FEW_PLAYOUTS && is_plain;
        if is_few || !self.supports(options) {
            return game::play_one_by_one(&*self.machine, &mut workspace.scalar, jobs, options, out);
        }
        self.play_in_lanes(workspace, jobs, options, out)
    }

    fn play_to(
        &self,
        workspace: &mut BatchWorkspace,
        jobs: &[Job<'_, CircuitState>],
        options: &PlayOptions<'_>,
        limits: &[u32],
        out: &mut Outcomes,
        cut: &mut Vec<(u32, CircuitState)>,
    ) -> Result<(), RuleFault> {
        cut.clear();
        let playouts: u32 = jobs.iter().map(|job| job.playouts).sum();
        let is_plain = options.decisive == Decisive::None && !options.captures;
        let is_few = playouts <= FEW_PLAYOUTS && is_plain;
        if is_few || limits.len() != playouts as usize || !self.supports(options) {
            let mut cut_at = |playout, state| cut.push((playout, state));
            let (game, workspace) = (&*self.machine, &mut workspace.scalar);
            return game::play_one_by_one_to(game, workspace, jobs, options, limits, out, &mut cut_at);
        }
        if playouts as usize <= LANES {
            return self.play_to_in_lanes(workspace, jobs, options, limits, out, cut);
        }
        // A lane has one limit, so as many playouts as there are lanes are played at a time.
        let mut left: Vec<Job<'_, CircuitState>> = jobs.to_vec();
        left.reverse();
        let (mut part, mut part_cut) = (Outcomes::default(), Vec::new());
        out.reset(self.role_count(), 0);
        for (number, limits) in (0..).zip(limits.chunks(LANES)) {
            let (mut now, mut room) = (Vec::new(), limits.len() as u32);
            while let Some(job) = left.last_mut().filter(|_| room > 0) {
                let taken = job.playouts.min(room);
                now.push(Job { playouts: taken, ..*job });
                job.playouts -= taken;
                room -= taken;
                if job.playouts == 0 {
                    left.pop();
                }
            }
            let seed = options.seed.wrapping_add(number);
            self.play_to_in_lanes(
                workspace,
                &now,
                &PlayOptions { seed, ..*options },
                limits,
                &mut part,
                &mut part_cut,
            )?;
            let before = out.len() as u32;
            cut.extend(part_cut.drain(..).map(|(playout, state)| (before + playout, state)));
            out.append(&part);
        }
        Ok(())
    }
}

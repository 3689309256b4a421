//! The circuit machine: one state at a time, for trees, checks and everything that is not a
//! playout.

mod goal_degree;
mod moves;
mod percepts;
mod programs;
mod state;
#[cfg(test)]
mod tests;

use std::sync::{Arc, OnceLock};

use ::circuit::{Circuit, Edge, Gate};
use game::{Describe, Expansion, Game, Goal, GoalReading, MoveId, PerceptId, RoleId, RuleFault};

use crate::compiled::{AlignedWords, Executable, Target};
use crate::exclusive::{Experience, Turns, find_turns, implied};
use crate::program::{Network, Place, Rows};
use goal_degree::GoalDegree;
use percepts::PerceptNumbers;
use programs::{Condition, Programs};

pub use moves::MoveNumbers;
pub(crate) use percepts::edges as percept_edges;
pub use state::CircuitState;

/// A game as a circuit that is evaluated for one state at a time.
///
/// Three programs answer the three questions: what is legal and is it over, what is next, what is
/// reached. Each evaluates only the gates that its answer needs.
#[derive(Debug)]
pub struct CircuitMachine {
    circuit: Arc<Circuit>,
    role_names: Vec<String>,
    moves: MoveNumbers,
    layout: Layout,
    /// For any state.
    general: Programs,
    /// For the states in which it is a certain role's turn.
    in_turn: Vec<(Condition, Programs)>,
    goals: Executable,
    /// What roles are told; `None` where the rules do not say what is seen.
    percepts: Option<Executable>,
    percept_numbers: PerceptNumbers,
    turns: Turns,
    /// The roles in turn in the order of their turns, if that is known.
    round: Vec<usize>,
    /// About how many joint moves a random playout has.
    typical_length: usize,
    /// The highest goals of the roles, once they are asked for.
    goal_degrees: OnceLock<Vec<Option<GoalDegree>>>,
}

/// What the programs for one state cost, in operations.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SingleCost {
    pub(crate) expand: usize,
    pub(crate) advance: usize,
}

/// Where things are in the workspace's block, in slots.
#[derive(Clone, Copy, Debug)]
struct Layout {
    words: usize,
    bases: usize,
    does: usize,
    /// Slot `i` has a bit in lane `i` only.
    masks: usize,
    /// Terminal, then the legal moves by number.
    looks: usize,
    next: usize,
    goals: usize,
    percepts: usize,
    scratch: usize,
}

/// Scratch space of a [`CircuitMachine`]. It remembers the state it looked at last: of the next
/// state only what differs is written.
#[derive(Clone, Debug)]
pub struct CircuitWorkspace {
    block: AlignedWords,
    loaded: Vec<u64>,
}

impl CircuitMachine {
    /// The machine of a circuit, compiled if this processor allows it.
    pub fn new(circuit: Arc<Circuit>) -> Self {
        Self::with_target(circuit, Target::detect())
    }

    /// The machine of a circuit, run in a certain way.
    pub fn with_target(circuit: Arc<Circuit>, target: Target) -> Self {
        // One lane needs no wide vectors: the narrowest registers with three-operand instructions.
        let (target, words) = match target {
            Target::Portable => (Target::Portable, 1),
            vectors => (vectors, 2),
        };
        let moves = MoveNumbers::new(&circuit);
        let layout = Layout::new(&circuit, moves.count(), words);
        let numbers = moves.clone();
        let input = |gate: Gate| match gate {
            Gate::Does(role, number) => Place::block(layout.does as u32 + numbers.id(RoleId(role), number).0),
            // Numbers beyond the base propositions are the masks.
            Gate::Base(number) if number as usize >= layout.bases => {
                Place::block((layout.masks - layout.bases) as u32 + number)
            }
            Gate::Base(number) => Place::block(number),
            other => unreachable!("{other:?} is no input"),
        };
        let build = |answers: &[Edge], first_slot: usize, condition: Option<&Condition>| {
            let (gates, outputs) = programs::pack(&circuit, &layout, condition, answers, first_slot);
            let network = Network { gates: &gates, outputs, rows: Rows::default(), input: &input };
            Executable::new(&network, target, words, layout.scratch as u32)
        };
        let legal = circuit.roles.iter().flat_map(|role| role.legal.iter().copied());
        let looks: Vec<Edge> = std::iter::once(circuit.terminal).chain(legal).collect();
        let programs = |condition: Option<&Condition>| Programs {
            expand: build(&looks, layout.looks, condition),
            advance: build(&circuit.next, layout.next, condition),
        };
        let goals = circuit.roles.iter().flat_map(|role| role.goals.iter().map(|goal| goal.edge));
        let goals = build(&goals.collect::<Vec<_>>(), layout.goals, None);
        let percepts = percepts::edges(&circuit);
        let percepts = circuit.has_percepts.then(|| build(&percepts, layout.percepts, None));
        let role_names = circuit.roles.iter().map(|role| role.name.clone()).collect();
        let general = programs(None);
        let (in_turn, turns, round, typical_length) = (Vec::new(), Turns::default(), Vec::new(), 0);
        let mut machine = Self {
            role_names,
            moves,
            layout,
            general,
            in_turn,
            goals,
            percepts,
            percept_numbers: PerceptNumbers::new(&circuit),
            turns,
            round,
            typical_length,
            circuit: Arc::clone(&circuit),
            goal_degrees: OnceLock::new(),
        };
        // Whose turn it is decides about half of everything, or more: programs that know it are
        // that much shorter.
        let experience = Experience::gather(&machine);
        machine.typical_length = experience.mean_length();
        machine.turns = find_turns(&implied(&circuit), &experience);
        machine.round = experience.round(&machine.turns);
        for condition in Condition::of(&machine.turns, &machine.moves) {
            let programs = programs(Some(&condition));
            machine.in_turn.push((condition, programs));
        }
        machine
    }

    /// About how many joint moves a random playout has, from a few of them.
    pub(crate) fn typical_length(&self) -> usize {
        self.typical_length
    }

    /// Operations of its programs, those of turns if there are any.
    pub(crate) fn cost(&self) -> SingleCost {
        let programs = self.in_turn.first().map_or(&self.general, |(_, programs)| programs);
        SingleCost { expand: programs.expand.operations(), advance: programs.advance.operations() }
    }

    /// The roles that move in turn, as far as rules and experience show it.
    pub(crate) fn turns(&self) -> &Turns {
        &self.turns
    }

    /// The roles that move in turn in the order of their turns; empty if they keep to none.
    pub(crate) fn round(&self) -> &[usize] {
        &self.round
    }

    /// The programs for a state: those of whose turn it is, if that is clear.
    fn programs(&self, state: &CircuitState, joint: Option<&[MoveId]>) -> &Programs {
        let found = self.in_turn.iter().find(|(condition, _)| condition.holds(state, joint));
        found.map_or(&self.general, |(_, programs)| programs)
    }

    /// The circuit it runs.
    pub fn circuit(&self) -> &Arc<Circuit> {
        &self.circuit
    }

    /// How moves are numbered: role after role, in canonical order.
    pub fn move_numbers(&self) -> &MoveNumbers {
        &self.moves
    }

    /// Whether the game is over.
    pub fn is_terminal(&self, workspace: &mut CircuitWorkspace, state: &CircuitState) -> bool {
        self.load(workspace, state);
        self.programs(state, None).expand.run(&mut workspace.block);
        workspace.block[self.layout.looks * self.layout.words] & 1 != 0
    }

    /// Runs a program on the loaded state and a joint move.
    fn run_moves(&self, workspace: &mut CircuitWorkspace, joint: &[MoveId], program: &Executable) {
        let words = self.layout.words;
        let set = |block: &mut [u64], value: u64| {
            for id in joint {
                let start = (self.layout.does + id.0 as usize) * words;
                block[start..start + words].fill(value);
            }
        };
        set(&mut workspace.block, u64::MAX);
        program.run(&mut workspace.block);
        set(&mut workspace.block, 0);
    }

    /// Writes a state into the block.
    fn load(&self, workspace: &mut CircuitWorkspace, state: &CircuitState) {
        let words = self.layout.words;
        for (index, (&now, before)) in state.words().iter().zip(&mut workspace.loaded).enumerate() {
            let mut changed = now ^ *before;
            *before = now;
            while changed != 0 {
                let bit = changed.trailing_zeros() as usize;
                changed &= changed - 1;
                let start = (index * 64 + bit) * words;
                let value = (now >> bit & 1).wrapping_neg();
                workspace.block[start..start + words].fill(value);
            }
        }
    }
}

impl Layout {
    fn new(circuit: &Circuit, moves: usize, words: usize) -> Self {
        let bases = circuit.bases.len();
        let goals: usize = circuit.roles.iter().map(|role| role.goals.len()).sum();
        let lanes = words * 64;
        let does = bases;
        let masks = does + moves;
        let looks = masks + lanes;
        let next = looks + (moves + 1).div_ceil(lanes);
        let goals_start = next + bases.div_ceil(lanes);
        let percepts = goals_start + goals.div_ceil(lanes);
        let told: usize = circuit.roles.iter().map(|role| role.percepts.len()).sum();
        let scratch = percepts + told.div_ceil(lanes);
        Self { words, bases, does, masks, looks, next, goals: goals_start, percepts, scratch }
    }
}

impl game::Simulator for CircuitMachine {
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
        CircuitState::bytes_apart(self.circuit().bases.len())
    }

    fn list_facts(&self, state: &CircuitState, out: &mut Vec<game::FactId>) {
        out.clear();
        for (number, &word) in (0..).zip(state.words()) {
            let rest = |bits: &u64| Some(bits & (bits - 1)).filter(|bits| *bits != 0);
            let bits = std::iter::successors(Some(word).filter(|bits| *bits != 0), rest);
            out.extend(bits.map(|bits| game::FactId(64 * number + bits.trailing_zeros())));
        }
    }

    fn fact_text(&self, fact: game::FactId) -> String {
        self.circuit.bases.get(fact.0 as usize).cloned().unwrap_or_default()
    }

    fn goal_degree(&self, state: &CircuitState, role: RoleId) -> Option<f64> {
        let all = || (0..self.circuit.roles.len()).map(|role| GoalDegree::new(&self.circuit, role)).collect();
        let degrees = self.goal_degrees.get_or_init(all);
        Some(degrees.get(usize::from(role.0))?.as_ref()?.in_state(state))
    }
}

impl Game for CircuitMachine {
    type State = CircuitState;
    type Workspace = CircuitWorkspace;

    fn role_count(&self) -> usize {
        self.role_names.len()
    }

    fn chance(&self) -> Option<RoleId> {
        self.circuit.chance.map(|role| RoleId(role as u16))
    }

    fn workspace(&self) -> CircuitWorkspace {
        let programs = self.in_turn.iter().map(|(_, programs)| programs).chain([&self.general]);
        let executables = programs.flat_map(|programs| [&programs.expand, &programs.advance]);
        let executables = executables.chain([&self.goals]).chain(&self.percepts);
        let slots = executables.map(Executable::block_slots).max().unwrap_or(0);
        let slots = slots.max(self.layout.scratch);
        let words = self.layout.words;
        let mut block = AlignedWords::new(slots * words);
        for lane in 0..words * 64 {
            block[(self.layout.masks + lane) * words + lane / 64] = 1 << (lane % 64);
        }
        CircuitWorkspace { block, loaded: vec![0; self.layout.bases.div_ceil(64)] }
    }

    fn initial(&self) -> CircuitState {
        CircuitState::from_bits(self.circuit.initial.iter().copied())
    }

    fn expand(
        &self,
        workspace: &mut CircuitWorkspace,
        state: &CircuitState,
        out: &mut Expansion,
    ) -> Result<(), RuleFault> {
        self.load(workspace, state);
        self.programs(state, None).expand.run(&mut workspace.block);
        let row = &workspace.block[self.layout.looks * self.layout.words..];
        self.moves.list(|word| row[word], out);
        Ok(())
    }

    fn apply(
        &self,
        workspace: &mut CircuitWorkspace,
        state: &CircuitState,
        joint: &[MoveId],
    ) -> Result<CircuitState, RuleFault> {
        self.load(workspace, state);
        let words = self.layout.words;
        self.run_moves(workspace, joint, &self.programs(state, Some(joint)).advance);
        let next = &workspace.block[self.layout.next * words..];
        Ok(CircuitState::from_words(&next[..self.layout.bases.div_ceil(64)]))
    }

    fn goals(
        &self,
        workspace: &mut CircuitWorkspace,
        state: &CircuitState,
        out: &mut Vec<GoalReading>,
    ) -> Result<(), RuleFault> {
        self.load(workspace, state);
        self.goals.run(&mut workspace.block);
        let packed = &workspace.block[self.layout.goals * self.layout.words..];
        let mut bits = 0..;
        out.clear();
        for role in &self.circuit.roles {
            let mut reading = GoalReading::None;
            for (goal, bit) in role.goals.iter().zip(&mut bits) {
                if packed[bit / 64] >> (bit % 64) & 1 != 0 {
                    reading.add(Goal(goal.value));
                }
            }
            out.push(reading);
        }
        Ok(())
    }
}

impl Describe for CircuitMachine {
    fn roles(&self) -> &[String] {
        &self.role_names
    }

    fn role_spelling(&self, role: RoleId) -> String {
        let name = self.role_names.get(role.0 as usize);
        name.map_or_else(String::new, |name| self.circuit.spellings.spell(name))
    }

    fn move_text(&self, id: MoveId) -> String {
        let (role, number) = self.moves.split(id);
        self.circuit.roles[role.0 as usize].moves[number as usize].clone()
    }

    fn move_spelling(&self, id: MoveId) -> String {
        self.circuit.spellings.spell(&self.move_text(id))
    }

    fn find_move(&self, role: RoleId, text: &str) -> Option<MoveId> {
        let text = moves::canonical(text);
        let moves = &self.circuit.roles.get(role.0 as usize)?.moves;
        let number = moves.binary_search(&text).ok()?;
        Some(self.moves.id(role, number as u32))
    }

    fn facts(&self, state: &CircuitState) -> Vec<String> {
        let bases = self.circuit.bases.iter().enumerate();
        bases.filter(|(index, _)| state.get(*index)).map(|(_, base)| base.clone()).collect()
    }

    fn state_of(&self, facts: &[&str]) -> Option<CircuitState> {
        let mut bits = vec![false; self.layout.bases];
        for fact in facts {
            let base = self.circuit.bases.binary_search(&moves::canonical(fact)).ok()?;
            bits[base] = true;
        }
        Some(CircuitState::from_bits(bits.into_iter()))
    }

    fn has_percepts(&self) -> bool {
        self.circuit.has_percepts
    }

    fn percept_text(&self, id: PerceptId) -> String {
        self.percept_numbers.text(&self.circuit, id)
    }

    fn percept_spelling(&self, id: PerceptId) -> String {
        self.circuit.spellings.spell(&self.percept_text(id))
    }

    fn find_percept(&self, role: RoleId, text: &str) -> Option<PerceptId> {
        self.percept_numbers.find(&self.circuit, role, &moves::canonical(text))
    }
}

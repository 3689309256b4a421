//! The circuit machine: one state at a time, for trees, checks and everything that is not a
//! playout.

mod describe;
mod effects;
mod goal_degree;
mod incremental;
mod moves;
mod percepts;
mod programs;
mod simulator;
mod state;
#[cfg(test)]
mod tests;

use std::sync::{Arc, OnceLock};

use ::circuit::{Circuit, Edge, Gate};
use game::{Expansion, Game, Goal, GoalReading, MoveId, RoleId, RuleFault};

use crate::alike::Key;
use crate::compiled::{AlignedWords, Executable, Target};
use crate::exclusive::{Experience, Turns, find_turns, implied};
use crate::outlook::Prospects;
use crate::program::{Network, Place, Rows};
pub use goal_degree::{Degree, GoalTree};
use incremental::{Incremental, Memory};
use percepts::PerceptNumbers;
use programs::{Condition, Programs, put};

pub use incremental::Evaluation;
pub use moves::MoveNumbers;
pub(crate) use percepts::edges as percept_edges;
pub use state::CircuitState;

/// A game as a circuit that is evaluated for one state at a time.
///
/// Three programs answer the three questions: what is legal and is it over, what is next, what is
/// reached. Each evaluates only the gates that its answer needs. For the first two a large circuit also has a network
/// that computes only what changed since the last state.
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
    goal_trees: OnceLock<Vec<Option<GoalTree>>>,
    /// Which states are alike.
    alike: Alike,
    /// What roles can still get, once that is asked for.
    outlook: OnceLock<Arc<Prospects>>,
}

/// Which states are alike, once that is asked for; none if any two are different.
#[derive(Debug, Default)]
struct Alike {
    /// But for facts that decide nothing.
    idle: OnceLock<Option<Arc<Key>>>,
    /// And but for symmetries.
    images: OnceLock<Option<Arc<Key>>>,
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
    /// Where effects of moves are worked out.
    values: Vec<u8>,
    /// For each set of programs what is remembered of the states it was asked about.
    memories: Vec<Option<Box<Memory>>>,
}

impl CircuitMachine {
    /// The machine of a circuit, compiled if this processor allows it.
    pub fn new(circuit: Arc<Circuit>) -> Self {
        Self::with_target(circuit, Target::detect())
    }

    /// The machine of a circuit, run in a certain way.
    pub fn with_target(circuit: Arc<Circuit>, target: Target) -> Self {
        Self::with_evaluation(circuit, target, Evaluation::Measured)
    }

    /// The machine of a circuit, run and evaluated in a certain way.
    pub fn with_evaluation(circuit: Arc<Circuit>, target: Target, evaluation: Evaluation) -> Self {
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
            effects: None,
            incremental: None,
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
            goal_trees: OnceLock::new(),
            alike: Alike::default(),
            outlook: OnceLock::new(),
        };
        // Whose turn it is decides about half of everything, or more: programs that know it are
        // that much shorter.
        let experience = Experience::gather(&machine);
        machine.typical_length = experience.mean_length();
        let implied = implied(&circuit);
        machine.turns = find_turns(&implied, &experience);
        machine.round = experience.round(&machine.turns);
        for condition in Condition::of(&machine.turns, &machine.moves) {
            let programs = programs(Some(&condition));
            machine.in_turn.push((condition, programs));
        }
        let effects = match evaluation {
            Evaluation::Measured => effects::try_out(&machine, &implied),
            Evaluation::Effects => effects::all(&machine, &implied),
            Evaluation::Whole | Evaluation::Changes { .. } => Vec::new(),
        };
        for (slot, effects) in effects.into_iter().enumerate() {
            machine.programs_mut(slot).effects = effects;
        }
        let incremental = match evaluation {
            Evaluation::Measured => incremental::try_out(&machine),
            Evaluation::Whole | Evaluation::Effects => None,
            Evaluation::Changes { most_facts } => incremental::networks(&machine, most_facts),
        };
        for (slot, incremental) in incremental.into_iter().flatten().enumerate() {
            machine.programs_mut(slot).incremental = Some(incremental);
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

    /// The number of the programs for a state: of whose turn it is, if that is clear, or else of the general ones, which are
    /// the last.
    fn slot(&self, state: &CircuitState, joint: Option<&[MoveId]>) -> usize {
        let found = self.in_turn.iter().position(|(condition, _)| condition.holds(state, joint));
        found.unwrap_or(self.in_turn.len())
    }

    fn programs(&self, slot: usize) -> &Programs {
        self.in_turn.get(slot).map_or(&self.general, |(_, programs)| programs)
    }

    fn programs_mut(&mut self, slot: usize) -> &mut Programs {
        self.in_turn.get_mut(slot).map_or(&mut self.general, |(_, programs)| programs)
    }

    /// What is remembered, brought to a state; none if a program is faster.
    fn reach<'a>(
        &self,
        workspace: &'a mut CircuitWorkspace,
        slot: usize,
        state: &CircuitState,
    ) -> Option<(&Incremental, &'a mut Memory)> {
        let incremental = self.programs(slot).incremental.as_ref()?;
        let fresh = || Box::new(Memory::new(&incremental.net));
        let memory = workspace.memories[slot].get_or_insert_with(fresh);
        let is_near = memory.reach(&incremental.net, state.words(), incremental.most_facts);
        is_near.then_some((incremental, memory))
    }

    /// Hands on the row of what is over and legal in a state, word by word.
    fn look<T>(
        &self,
        workspace: &mut CircuitWorkspace,
        state: &CircuitState,
        read: impl FnOnce(&[u64]) -> T,
    ) -> T {
        let slot = self.slot(state, None);
        if let Some((incremental, memory)) = self.reach(workspace, slot, state) {
            return read(memory.looks(&incremental.net));
        }
        self.load(workspace, state);
        self.programs(slot).expand.run(&mut workspace.block);
        read(&workspace.block[self.layout.looks * self.layout.words..])
    }

    /// About how many bytes it takes beside its circuit.
    pub(crate) fn bytes(&self) -> usize {
        let programs = self.in_turn.iter().map(|(_, programs)| programs).chain([&self.general]);
        programs.map(Programs::bytes).sum()
    }

    /// Whether what moves change is looked up, where that is less work.
    pub fn has_effects(&self) -> bool {
        self.programs(0).effects.is_some()
    }

    /// Whether only gates that change are computed, where that is less work.
    pub fn is_incremental(&self) -> bool {
        self.programs(0).incremental.is_some()
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
        self.look(workspace, state, |row| row[0] & 1 != 0)
    }

    /// Runs a program on the loaded state and a joint move.
    fn run_moves(&self, workspace: &mut CircuitWorkspace, joint: &[MoveId], program: &Executable) {
        let Layout { words, does, .. } = self.layout;
        let set = |block: &mut [u64], value: bool| {
            joint.iter().for_each(|id| put(block, words, does + id.0 as usize, value));
        };
        set(&mut workspace.block, true);
        program.run(&mut workspace.block);
        set(&mut workspace.block, false);
    }

    /// Writes a state into the block.
    fn load(&self, workspace: &mut CircuitWorkspace, state: &CircuitState) {
        let words = self.layout.words;
        let block = &mut workspace.block[..];
        for (index, (&now, before)) in state.words().iter().zip(&mut workspace.loaded).enumerate() {
            let mut changed = now ^ *before;
            *before = now;
            while changed != 0 {
                let bit = changed.trailing_zeros() as usize;
                changed &= changed - 1;
                put(block, words, index * 64 + bit, now >> bit & 1 != 0);
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
        let memories = vec![None; self.in_turn.len() + 1];
        let loaded = vec![0; self.layout.bases.div_ceil(64)];
        CircuitWorkspace { block, loaded, values: Vec::new(), memories }
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
        self.look(workspace, state, |row| self.moves.list(|word| row[word], out));
        Ok(())
    }

    fn apply(
        &self,
        workspace: &mut CircuitWorkspace,
        state: &CircuitState,
        joint: &[MoveId],
    ) -> Result<CircuitState, RuleFault> {
        let slot = self.slot(state, Some(joint));
        if let Some(effects) = &self.programs(slot).effects {
            let mut next = state.clone();
            effects.apply(joint, state.words(), &mut workspace.values, next.words_mut());
            return Ok(next);
        }
        if let Some((incremental, memory)) = self.reach(workspace, slot, state) {
            let next = memory.next(&incremental.net, joint.iter().map(|id| id.0));
            return Ok(CircuitState::from_words(next));
        }
        self.load(workspace, state);
        let words = self.layout.words;
        self.run_moves(workspace, joint, &self.programs(slot).advance);
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

//! The circuit machine: one state at a time, for trees, checks and everything that is not a
//! playout.

mod moves;
mod state;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use ::circuit::{Circuit, Edge, Gate};
use game::{Expansion, Game, Goal, GoalReading, MoveId, RoleId, RuleFault};

use crate::compiled::{AlignedWords, Executable, Target};
use crate::program::{Network, Place, Rows};

pub use moves::MoveNumbers;
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
    expand: Executable,
    advance: Executable,
    goals: Executable,
}

/// Where things are in the workspace's block, in slots.
#[derive(Clone, Copy, Debug)]
struct Layout {
    words: usize,
    bases: usize,
    does: usize,
    terminal: usize,
    legal: usize,
    next: usize,
    goals: usize,
    scratch: usize,
}

/// Scratch space of a [`CircuitMachine`]. It remembers the state it looked at last: of the next
/// state only what differs is written.
#[derive(Clone, Debug)]
pub struct CircuitWorkspace {
    block: AlignedWords,
    loaded: Vec<u64>,
    found: Vec<u32>,
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
            _ if Target::Avx2.is_available() => (Target::Avx2, 2),
            _ => (Target::Portable, 1),
        };
        let moves = MoveNumbers::new(&circuit);
        let layout = Layout::new(&circuit, moves.count(), words);
        let numbers = moves.clone();
        let input = |gate: Gate| match gate {
            Gate::Does(role, number) => Place::block(layout.does as u32 + numbers.id(RoleId(role), number).0),
            Gate::Base(number) => Place::block(number),
            other => unreachable!("{other:?} is no input"),
        };
        let program = |edges: Vec<Edge>, first: usize| {
            let place = |(index, edge)| (edge, Place::block((first + index) as u32));
            let outputs = edges.into_iter().enumerate().map(place).collect();
            let network = Network { gates: &circuit.gates, outputs, rows: Rows::default(), input: &input };
            Executable::new(&network, target, words, layout.scratch as u32)
        };
        let legal = circuit.roles.iter().flat_map(|role| role.legal.iter().copied());
        let goals = circuit.roles.iter().flat_map(|role| role.goals.iter().map(|goal| goal.edge));
        let expand = program(std::iter::once(circuit.terminal).chain(legal).collect(), layout.terminal);
        let advance = program(circuit.next.clone(), layout.next);
        let goals = program(goals.collect(), layout.goals);
        let role_names = circuit.roles.iter().map(|role| role.name.clone()).collect();
        Self { role_names, moves, layout, expand, advance, goals, circuit }
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
        self.expand.run(&mut workspace.block);
        workspace.block[self.layout.terminal * self.layout.words] & 1 != 0
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
        let does = bases;
        let terminal = does + moves;
        let legal = terminal + 1;
        let next = legal + moves;
        Self { words, bases, does, terminal, legal, next, goals: next + bases, scratch: next + bases + goals }
    }
}

impl Game for CircuitMachine {
    type State = CircuitState;
    type Workspace = CircuitWorkspace;

    fn roles(&self) -> &[String] {
        &self.role_names
    }

    fn workspace(&self) -> CircuitWorkspace {
        let slots = [&self.expand, &self.advance, &self.goals].map(Executable::block_slots);
        let slots = slots.into_iter().max().unwrap_or(0).max(self.layout.scratch);
        CircuitWorkspace {
            block: AlignedWords::new(slots * self.layout.words),
            loaded: vec![0; self.layout.bases.div_ceil(64)],
            found: Vec::new(),
        }
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
        let terminal = self.is_terminal(workspace, state);
        out.begin(terminal);
        if terminal {
            return Ok(());
        }
        let words = self.layout.words;
        for role in self.moves.roles() {
            let range = self.moves.range(role);
            workspace.found.resize(workspace.found.len().max(range.len()), 0);
            let slots = &workspace.block[(self.layout.legal + range.start as usize) * words..];
            // Without branches: which moves are legal cannot be predicted.
            let mut count = 0;
            for (id, slot) in range.zip(slots.chunks_exact(words)) {
                workspace.found[count] = id;
                count += (slot[0] & 1) as usize;
            }
            workspace.found[..count].iter().for_each(|&id| out.push(MoveId(id)));
            out.end_role();
        }
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
        let mut set = |value: u64| {
            for id in joint {
                let start = (self.layout.does + id.0 as usize) * words;
                workspace.block[start..start + words].fill(value);
            }
        };
        set(u64::MAX);
        self.advance.run(&mut workspace.block);
        let mut set = |value: u64| {
            for id in joint {
                let start = (self.layout.does + id.0 as usize) * words;
                workspace.block[start..start + words].fill(value);
            }
        };
        set(0);
        let next = &workspace.block[self.layout.next * words..];
        Ok(CircuitState::from_slots(next, words, self.layout.bases))
    }

    fn goals(
        &self,
        workspace: &mut CircuitWorkspace,
        state: &CircuitState,
        out: &mut Vec<GoalReading>,
    ) -> Result<(), RuleFault> {
        self.load(workspace, state);
        self.goals.run(&mut workspace.block);
        let mut slots = workspace.block[self.layout.goals * self.layout.words..].chunks(self.layout.words);
        out.clear();
        for role in &self.circuit.roles {
            let mut reading = GoalReading::None;
            for (goal, slot) in role.goals.iter().zip(&mut slots) {
                if slot[0] & 1 != 0 {
                    reading.add(Goal(goal.value));
                }
            }
            out.push(reading);
        }
        Ok(())
    }

    fn move_text(&self, id: MoveId) -> String {
        let (role, number) = self.moves.split(id);
        self.circuit.roles[role.0 as usize].moves[number as usize].clone()
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
}

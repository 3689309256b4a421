//! One step of many states: legal moves, successors and goals, in lanes.

use ::circuit::{Edge, Gate};
use game::{Expansion, Goal, GoalReading, MoveId, RoleId};

use super::{BatchMachine, BatchWorkspace, lanes};
use crate::circuit::{CircuitState, MoveNumbers};
use crate::compiled::{AlignedWords, Executable};
use crate::program::{Network, Place, Rows};

/// What can be done in each of many states. Kept and filled again and again.
#[derive(Clone, Debug, Default)]
pub struct BatchExpansion {
    /// Words of a row.
    length: usize,
    /// For each state a row of bits: terminal, then the moves by number.
    rows: Vec<u64>,
}

impl BatchExpansion {
    /// The number of states.
    pub fn len(&self) -> usize {
        self.rows.len().checked_div(self.length).unwrap_or(0)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Whether the game is over in a state.
    pub fn is_terminal(&self, state: usize) -> bool {
        self.rows[state * self.length] & 1 != 0
    }

    /// Lists the moves of a state as a machine for single states does.
    pub fn fill(&self, state: usize, numbers: &MoveNumbers, out: &mut Expansion) {
        numbers.list(&self.rows[state * self.length..(state + 1) * self.length], out);
    }
}

impl BatchMachine {
    fn move_slot(&self, first: usize, role: u16, number: u32) -> u32 {
        first as u32 + self.machine.move_numbers().id(RoleId(role), number).0
    }

    /// A program over the states in the block's first slots.
    fn single_step(&self, edges: Vec<Edge>, first_output: usize) -> Executable {
        let input = |gate: Gate| match gate {
            Gate::Base(number) => Place::block(number),
            Gate::Does(role, number) => Place::block(self.move_slot(self.layout.does, role, number)),
            other => unreachable!("{other:?} is no input"),
        };
        let outputs =
            edges.into_iter().zip(first_output as u32..).map(|(edge, slot)| (edge, Place::block(slot)));
        let network = Network {
            gates: &self.circuit().gates,
            outputs: outputs.collect(),
            rows: Rows::default(),
            input: &input,
        };
        Executable::new(&network, self.target, self.words, self.layout.scratch as u32 + 1)
    }

    /// Makes room without clearing: these programs read only what is loaded for them.
    fn room(&self, workspace: &mut BatchWorkspace, executable: &Executable) {
        let length = executable.block_slots().max(self.goals.block_slots()) * self.words;
        if workspace.block.len() < length {
            workspace.block = AlignedWords::new(length);
        }
    }

    fn load_states(&self, workspace: &mut BatchWorkspace, states: &[CircuitState]) {
        for (word, states) in states.chunks(64).enumerate() {
            let states: Vec<&CircuitState> = states.iter().collect();
            lanes::load(&mut workspace.block, self.words, word, &states, self.layout.bases);
        }
    }

    /// Terminality and legal moves of any number of states.
    pub fn expand(&self, workspace: &mut BatchWorkspace, states: &[CircuitState], out: &mut BatchExpansion) {
        let moves = self.machine.move_numbers().count();
        // Terminal and legal side by side, at the end of the block's own slots.
        let first = self.layout.legal;
        let executable = self.expand.get_or_init(|| {
            let legal = self.circuit().roles.iter().flat_map(|role| role.legal.iter().copied());
            self.single_step(std::iter::once(self.circuit().terminal).chain(legal).collect(), first)
        });
        self.room(workspace, executable);
        out.length = (moves + 1).div_ceil(64);
        out.rows.clear();
        let mut rows = Vec::new();
        for states in states.chunks(self.block_lanes()) {
            self.load_states(workspace, states);
            executable.run(&mut workspace.block);
            for (word, states) in states.chunks(64).enumerate() {
                let slots = &workspace.block[first * self.words..];
                lanes::rows(slots, self.words, word, moves + 1, &mut rows);
                out.rows.extend_from_slice(&rows[..states.len() * out.length]);
            }
        }
    }

    /// The successors of any number of states, each under its own joint move: `joints` has one
    /// move per role for state after state.
    ///
    /// # Panics
    /// If there is not one move per role and state.
    pub fn advance(
        &self,
        workspace: &mut BatchWorkspace,
        states: &[CircuitState],
        joints: &[MoveId],
        out: &mut Vec<CircuitState>,
    ) {
        let roles = self.circuit().roles.len();
        assert_eq!(joints.len(), states.len() * roles, "one move per role and state");
        let executable = self.advance.get_or_init(|| self.single_step(self.circuit().next.clone(), 0));
        self.room(workspace, executable);
        out.clear();
        let (words, length) = (self.words, self.layout.bases.div_ceil(64));
        let mut rows = Vec::new();
        let blocks = states.chunks(self.block_lanes()).zip(joints.chunks(self.block_lanes() * roles));
        for (states, joints) in blocks {
            self.load_states(workspace, states);
            let moves = self.machine.move_numbers().count();
            let does = &mut workspace.block[self.layout.does * words..(self.layout.does + moves) * words];
            does.fill(0);
            for (lane, joint) in joints.chunks(roles).enumerate() {
                joint.iter().for_each(|id| does[id.0 as usize * words + lane / 64] |= 1 << (lane % 64));
            }
            executable.run(&mut workspace.block);
            for (word, states) in states.chunks(64).enumerate() {
                lanes::rows(&workspace.block, words, word, self.layout.bases, &mut rows);
                out.extend(rows.chunks(length).take(states.len()).map(CircuitState::from_words));
            }
        }
    }

    /// What the goal rules say in any number of states, role by role for state after state.
    pub fn goals(&self, workspace: &mut BatchWorkspace, states: &[CircuitState], out: &mut Vec<GoalReading>) {
        self.room(workspace, &self.goals);
        out.clear();
        for states in states.chunks(self.block_lanes()) {
            self.load_states(workspace, states);
            for (index, &base) in self.layout.kept_bases.iter().enumerate() {
                let from = base as usize * self.words;
                let to = (self.layout.kept + index) * self.words;
                workspace.block.copy_within(from..from + self.words, to);
            }
            self.goals.run(&mut workspace.block);
            for lane in 0..states.len() {
                let mut slot = self.layout.goals;
                for role in &self.circuit().roles {
                    let mut reading = GoalReading::None;
                    for goal in &role.goals {
                        if workspace.block[slot * self.words + lane / 64] >> (lane % 64) & 1 != 0 {
                            reading.add(Goal(goal.value));
                        }
                        slot += 1;
                    }
                    out.push(reading);
                }
            }
        }
    }
}

//! One step of many states: legal moves, successors and goals, in lanes.

use ::circuit::{Edge, Gate};
use game::{Expansions, Goal, GoalReading, MoveId, RoleId};

use super::{BatchMachine, BatchWorkspace, lanes};
use crate::circuit::CircuitState;
use crate::compiled::{AlignedWords, Executable};
use crate::program::{Network, Place, Rows};

/// What lanes and single states cost besides their programs, in operations of a program: to bring
/// a square of 64 by 64 bits into lanes or out of them, and to call a program for one state.
const SQUARE_COST: usize = 400;
const CALL_COST: usize = 100;

impl BatchMachine {
    /// A program over the states in the block's first slots; `scratch` is the first slot that it may use.
    pub(super) fn single_step(&self, edges: Vec<Edge>, first_output: usize, scratch: usize) -> Executable {
        let numbers = self.machine.move_numbers();
        let move_slot = |role: u16, number: u32| self.layout.does as u32 + numbers.id(RoleId(role), number).0;
        let input = |gate: Gate| match gate {
            Gate::Base(number) => Place::block(number),
            Gate::Does(role, number) => Place::block(move_slot(role, number)),
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
        Executable::new(&network, self.target, self.words, scratch as u32)
    }

    /// Terminal, then the legal moves, where `play` has legal moves and those done.
    fn expand_program(&self) -> &Executable {
        self.expand.get_or_init(|| {
            let legal = self.circuit().roles.iter().flat_map(|role| role.legal.iter().copied());
            let edges = std::iter::once(self.circuit().terminal).chain(legal).collect();
            self.single_step(edges, self.layout.legal, self.layout.scratch + 1)
        })
    }

    fn advance_program(&self) -> &Executable {
        let scratch = self.layout.scratch + 1;
        self.advance.get_or_init(|| self.single_step(self.circuit().next.clone(), 0, scratch))
    }

    /// Whether so many states are cheaper together: `single` operations for one alone, `squares` of
    /// 64 by 64 bits to be brought into lanes and out for every 64.
    pub(super) fn is_cheaper_in_lanes(
        &self,
        states: usize,
        single: usize,
        program: &Executable,
        squares: usize,
    ) -> bool {
        let vectors = states.div_ceil(self.target.vector_words() * 64);
        let together = vectors * program.operations() + states.div_ceil(64) * squares * SQUARE_COST;
        together < states * (single + CALL_COST)
    }

    /// Whether it pays to expand so many states together.
    pub(super) fn expands_in_lanes(&self, states: usize) -> bool {
        let squares = self.layout.bases.div_ceil(64) + (self.layout.move_count + 1).div_ceil(64);
        states > 1
            && self.is_cheaper_in_lanes(states, self.machine.cost().expand, self.expand_program(), squares)
    }

    /// Whether it pays to apply moves to so many states together.
    pub(super) fn applies_in_lanes(&self, states: usize) -> bool {
        let squares = 2 * self.layout.bases.div_ceil(64);
        states > 1
            && self.is_cheaper_in_lanes(states, self.machine.cost().advance, self.advance_program(), squares)
    }

    /// Makes room without clearing: these programs read only what is loaded for them.
    pub(super) fn room(&self, workspace: &mut BatchWorkspace, executable: &Executable) {
        let length = executable.block_slots().max(self.goals.block_slots()) * self.words;
        if workspace.block.len() < length {
            workspace.block = AlignedWords::new(length);
        }
    }

    pub(super) fn load_states(&self, workspace: &mut BatchWorkspace, states: &[&CircuitState]) {
        lanes::load(&mut workspace.block, self.words, states, self.layout.bases);
    }

    /// What the roles do in each lane.
    pub(super) fn load_moves(&self, workspace: &mut BatchWorkspace, joints: &[MoveId]) {
        let words = self.words;
        let does = self.layout.does * words..(self.layout.does + self.layout.move_count) * words;
        let does = &mut workspace.block[does];
        does.fill(0);
        for (lane, joint) in joints.chunks_exact(self.circuit().roles.len()).enumerate() {
            joint.iter().for_each(|id| does[id.0 as usize * words + lane / 64] |= 1 << (lane % 64));
        }
    }

    /// Terminality and legal moves of any number of states.
    pub(super) fn expand_in_lanes(
        &self,
        workspace: &mut BatchWorkspace,
        states: &[&CircuitState],
        out: &mut Expansions,
    ) {
        let executable = self.expand_program();
        self.room(workspace, executable);
        out.begin(self.circuit().roles.len());
        for states in states.chunks(self.block_lanes()) {
            self.load_states(workspace, states);
            executable.run_lanes(&mut workspace.block, states.len());
            let BatchWorkspace { block, rows, .. } = workspace;
            let slots = &block[self.layout.legal * self.words..];
            lanes::list(slots, self.words, states.len(), self.machine.move_numbers(), rows, out);
        }
    }

    /// The successors of any number of states, each under its own joint move: `joints` has one
    /// move per role for state after state.
    ///
    /// # Panics
    /// If there is not one move per role and state.
    pub(super) fn apply_in_lanes(
        &self,
        workspace: &mut BatchWorkspace,
        states: &[&CircuitState],
        joints: &[MoveId],
        out: &mut Vec<CircuitState>,
    ) {
        let roles = self.circuit().roles.len();
        assert_eq!(joints.len(), states.len() * roles, "one move per role and state");
        let executable = self.advance_program();
        self.room(workspace, executable);
        // States of an earlier call are written over: most are too long to be made anew for nothing.
        let length = self.layout.bases.div_ceil(64);
        out.retain(|state| state.words().len() == length);
        out.resize_with(states.len(), || CircuitState::zeros(length));
        let words = self.words;
        let blocks = states.chunks(self.block_lanes()).zip(joints.chunks(self.block_lanes() * roles));
        for ((states, joints), out) in blocks.zip(out.chunks_mut(self.block_lanes())) {
            self.load_states(workspace, states);
            self.load_moves(workspace, joints);
            executable.run_lanes(&mut workspace.block, states.len());
            lanes::read(&workspace.block, words, out, self.layout.bases);
        }
    }

    /// What the goal rules say in any number of states, role by role for state after state.
    pub(super) fn goals_in_lanes(
        &self,
        workspace: &mut BatchWorkspace,
        states: &[&CircuitState],
        out: &mut Vec<GoalReading>,
    ) {
        self.room(workspace, &self.goals);
        out.clear();
        for states in states.chunks(self.block_lanes()) {
            self.load_states(workspace, states);
            for (index, &base) in self.layout.kept_bases.iter().enumerate() {
                let from = base as usize * self.words;
                let to = (self.layout.kept + index) * self.words;
                workspace.block.copy_within(from..from + self.words, to);
            }
            self.goals.run_lanes(&mut workspace.block, states.len());
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

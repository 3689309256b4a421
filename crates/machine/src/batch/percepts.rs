//! What roles are told of many steps, in lanes.

use game::{MoveId, Observe, PerceptId, RoleId, RuleFault};

use super::{BatchMachine, BatchWorkspace};
use crate::circuit::{CircuitState, percept_edges};
use crate::compiled::Executable;

impl BatchMachine {
    /// The first slot of the outputs: all that other programs use lies before it.
    fn percept_slot(&self) -> usize {
        self.layout.scratch + 1
    }

    fn percept_program(&self) -> &Executable {
        self.percepts.get_or_init(|| {
            let edges = percept_edges(self.circuit());
            let scratch = self.percept_slot() + edges.len();
            self.single_step(edges, self.percept_slot(), scratch)
        })
    }

    /// What a role is told in any number of steps.
    ///
    /// # Panics
    /// If there is not one move per role and state.
    pub(super) fn observe_in_lanes(
        &self,
        workspace: &mut BatchWorkspace,
        states: &[&CircuitState],
        joints: &[MoveId],
        role: RoleId,
        out: &mut Vec<Vec<PerceptId>>,
    ) {
        let roles = self.circuit().roles.len();
        assert_eq!(joints.len(), states.len() * roles, "one move per role and state");
        let executable = self.percept_program();
        self.room(workspace, executable);
        out.resize_with(states.len(), Vec::new);
        let told = self.machine.percept_numbers().of(role);
        let blocks = states.chunks(self.block_lanes()).zip(joints.chunks(self.block_lanes() * roles));
        for ((states, joints), out) in blocks.zip(out.chunks_mut(self.block_lanes())) {
            self.load_states(workspace, states);
            self.load_moves(workspace, joints);
            executable.run_lanes(&mut workspace.block, states.len());
            for (lane, out) in out.iter_mut().enumerate() {
                let bit = |number: &u32| {
                    let slot = self.percept_slot() + *number as usize;
                    workspace.block[slot * self.words + lane / 64] >> (lane % 64) & 1 != 0
                };
                out.clear();
                out.extend(told.clone().filter(bit).map(PerceptId));
            }
        }
    }
}

impl Observe for BatchMachine {
    type Percept = PerceptId;

    fn observe(
        &self,
        workspace: &mut BatchWorkspace,
        state: &CircuitState,
        joint: &[MoveId],
        role: RoleId,
        out: &mut Vec<PerceptId>,
    ) -> Result<(), RuleFault> {
        self.machine.observe(&mut workspace.scalar, state, joint, role, out)
    }

    fn observe_all(
        &self,
        workspace: &mut BatchWorkspace,
        states: &[&CircuitState],
        joints: &[MoveId],
        role: RoleId,
        out: &mut Vec<Vec<PerceptId>>,
    ) -> Result<(), RuleFault> {
        let squares = self.layout.bases.div_ceil(64) + self.layout.move_count.div_ceil(64);
        let program = self.percept_program();
        if states.len() > 1 && self.is_cheaper_in_lanes(states.len(), program.operations(), program, squares)
        {
            self.observe_in_lanes(workspace, states, joints, role, out);
            return Ok(());
        }
        self.machine.observe_all(&mut workspace.scalar, states, joints, role, out)
    }
}

//! What roles are told, read off the circuit's outputs of their own.

use ::circuit::{Circuit, Edge};
use game::{MoveId, Observe, PerceptId, RoleId, RuleFault};

use super::{CircuitMachine, CircuitState, CircuitWorkspace};

/// How percepts are numbered: role after role, in the order of their texts.
#[derive(Clone, Debug)]
pub(crate) struct PerceptNumbers {
    /// The first number of each role, and the count of all.
    starts: Vec<u32>,
}

impl PerceptNumbers {
    pub(crate) fn new(circuit: &Circuit) -> Self {
        let mut starts = vec![0];
        for role in &circuit.roles {
            let last = starts.last().copied().unwrap_or(0);
            starts.push(last + role.percepts.len() as u32);
        }
        Self { starts }
    }

    /// The numbers of what a role may be told.
    pub(crate) fn of(&self, role: RoleId) -> std::ops::Range<u32> {
        match self.starts.get(usize::from(role.0)..usize::from(role.0) + 2) {
            Some(&[start, end]) => start..end,
            _ => 0..0,
        }
    }

    pub(super) fn text(&self, circuit: &Circuit, id: PerceptId) -> String {
        let role = self.starts.partition_point(|&start| start <= id.0).saturating_sub(1);
        let percepts = circuit.roles.get(role).map(|role| &role.percepts);
        let percept = percepts.and_then(|percepts| percepts.get((id.0 - self.starts[role]) as usize));
        percept.map_or_else(String::new, |percept| percept.text.clone())
    }

    pub(super) fn find(&self, circuit: &Circuit, role: RoleId, text: &str) -> Option<PerceptId> {
        let percepts = &circuit.roles.get(usize::from(role.0))?.percepts;
        let place = percepts.binary_search_by(|percept| percept.text.as_str().cmp(text)).ok()?;
        Some(PerceptId(self.of(role).start + place as u32))
    }
}

/// The edges of all percepts, in the order of their numbers.
pub(crate) fn edges(circuit: &Circuit) -> Vec<Edge> {
    circuit.roles.iter().flat_map(|role| role.percepts.iter().map(|percept| percept.edge)).collect()
}

impl CircuitMachine {
    /// How percepts are numbered.
    pub(crate) fn percept_numbers(&self) -> &PerceptNumbers {
        &self.percept_numbers
    }
}

impl Observe for CircuitMachine {
    type Percept = PerceptId;

    fn observe(
        &self,
        workspace: &mut CircuitWorkspace,
        state: &CircuitState,
        joint: &[MoveId],
        role: RoleId,
        out: &mut Vec<PerceptId>,
    ) -> Result<(), RuleFault> {
        out.clear();
        let Some(program) = &self.percepts else { return Ok(()) };
        self.load(workspace, state);
        self.run_moves(workspace, joint, program);
        let packed = &workspace.block[self.layout.percepts * self.layout.words..];
        let told = |number: &u32| packed[*number as usize / 64] >> (number % 64) & 1 != 0;
        out.extend(self.percept_numbers.of(role).filter(told).map(PerceptId));
        Ok(())
    }
}

//! Positions that need not be looked into, as what can still be got there answers.

use game::{Game, Prospect, Simulator};
use machine::circuit::CircuitState;

use super::{Child, DepthFirst};

impl DepthFirst {
    /// The same that does not look into positions where facts that stay as they are answer: goals that can no longer be
    /// reached, or no longer be missed. Every game that is solved comes to an end.
    pub fn with_outlook(self) -> Self {
        Self { outlook: self.machine.outlook(), ..self }
    }

    /// Positions that were not looked into, as what can still be got there answered.
    pub fn foreseen(&self) -> u64 {
        self.foreseen
    }

    /// Leaves children out of which what can still be got answers; the answer if one of them decides.
    pub(super) fn foresee(&mut self, is_own: bool, goal: u8, children: &mut Vec<Child>) -> Option<bool> {
        let outlook = self.outlook.as_ref().filter(|_| !children.is_empty())?;
        let states: Vec<&CircuitState> = children.iter().map(|child| &child.state).collect();
        outlook.prospects(&states, &mut self.prospects);
        let (roles, own) = (self.machine.role_count(), usize::from(self.role.0));
        let mut told = self.prospects.chunks(roles).map(|roles| roles[own]);
        let (mut answer, before) = (None, children.len());
        children.retain(|_| {
            let told = told.next().unwrap_or(Prospect::OPEN);
            let found = if told.lower >= goal { Some(true) } else { (told.upper < goal).then_some(false) };
            answer = answer.or(found.filter(|&found| found == is_own));
            found.is_none()
        });
        self.foreseen += (before - children.len()) as u64;
        answer
    }
}

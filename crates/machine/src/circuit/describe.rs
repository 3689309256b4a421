//! How things are written, as the circuit has it.

use game::{Describe, MoveId, PerceptId, RoleId};

use super::{CircuitMachine, CircuitState, moves};

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

//! Where a match stands, by the reference reasoner.

use datalog::Limits;
use game::{Dice, Expansion, Game, MoveId, RoleId, RuleFault};
use gdl::normal::NormalRules;
use machine::reference::{Reference, ReferenceState, ReferenceWorkspace};

use crate::MindError;

/// The joint moves that are tried to explain a turn that was missed.
const TRIED_JOINTS: usize = 10_000;

/// A position that follows the joint moves of a match.
pub(crate) struct Track {
    game: Reference,
    workspace: ReferenceWorkspace,
    state: ReferenceState,
    expansion: Expansion,
}

fn fault(fault: RuleFault) -> MindError {
    MindError::Rules(fault.to_string())
}

impl Track {
    /// At the beginning of a game.
    pub(crate) fn new(rules: &NormalRules, memory: usize) -> Result<Self, MindError> {
        let limits = Limits { bytes: memory, ..Limits::default() };
        let game = Reference::new(rules, limits).map_err(|error| MindError::Rules(error.to_string()))?;
        let (workspace, state) = (game.workspace(), game.initial());
        let mut track = Self { game, workspace, state, expansion: Expansion::new() };
        track.look()?;
        Ok(track)
    }

    fn look(&mut self) -> Result<(), MindError> {
        self.game.expand(&mut self.workspace, &self.state, &mut self.expansion).map_err(fault)
    }

    pub(crate) fn game(&self) -> &Reference {
        &self.game
    }

    /// What is needed to play on from a state.
    pub(crate) fn parts(&mut self) -> (&Reference, &mut ReferenceWorkspace) {
        (&self.game, &mut self.workspace)
    }

    pub(crate) fn legal(&self, role: usize) -> &[MoveId] {
        self.expansion.legal(RoleId(role as u16))
    }

    pub(crate) fn spelling(&self, id: MoveId) -> String {
        self.game.move_spelling(id)
    }

    /// The state after a move of one role and random moves of the others; none if someone cannot
    /// move.
    pub(crate) fn after(
        &mut self,
        role: usize,
        own: MoveId,
        dice: &mut Dice,
    ) -> Result<Option<ReferenceState>, MindError> {
        if self.expansion.is_terminal() || self.expansion.stuck_role().is_some() {
            return Ok(None);
        }
        let mut joint: Vec<MoveId> =
            self.expansion.by_role().map(|legal| legal[dice.below(legal.len())]).collect();
        joint[role] = own;
        self.game.apply(&mut self.workspace, &self.state, &joint).map(Some).map_err(fault)
    }

    /// Makes a joint move if it is legal.
    pub(crate) fn advance(&mut self, joint: &[String]) -> Result<(), MindError> {
        let ids = self.find(joint).ok_or_else(|| MindError::NotLegal(joint.join(" ")))?;
        self.state = self.game.apply(&mut self.workspace, &self.state, &ids).map_err(fault)?;
        self.look()
    }

    fn find(&self, joint: &[String]) -> Option<Vec<MoveId>> {
        if joint.len() != self.game.role_count() {
            return None;
        }
        let find = |(role, text): (usize, &String)| {
            let role = RoleId(role as u16);
            let id = self.game.find_move(role, text)?;
            self.expansion.legal(role).contains(&id).then_some(id)
        };
        joint.iter().enumerate().map(find).collect()
    }

    /// A joint move after which another one is legal: what may have happened in a turn that was
    /// missed. Several may fit; the first is as good as any.
    pub(crate) fn missing(&mut self, joint: &[String]) -> Result<Option<Vec<String>>, MindError> {
        let candidates: Vec<Vec<MoveId>> = self.expansion.joint_moves().take(TRIED_JOINTS).collect();
        let (state, expansion) = (self.state.clone(), self.expansion.clone());
        let mut found = None;
        for candidate in candidates {
            self.state = self.game.apply(&mut self.workspace, &state, &candidate).map_err(fault)?;
            self.look()?;
            if self.find(joint).is_some() {
                found = Some(candidate.iter().map(|&id| self.game.move_spelling(id)).collect());
                break;
            }
        }
        (self.state, self.expansion) = (state, expansion);
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn track() -> Track {
        let rules = bundled::find("tic-tac-toe").unwrap().rules;
        let sheet = gdl::parse(&gdl::SourceFile::new("t", rules)).sheet;
        Track::new(&gdl::normal::normalize(&sheet), 1 << 30).unwrap()
    }

    fn texts(joint: [&str; 2]) -> Vec<String> {
        joint.map(str::to_owned).to_vec()
    }

    #[test]
    fn only_legal_moves_are_followed() {
        let mut track = track();
        assert!(track.advance(&texts(["noop", "(mark 1 1)"])).is_err());
        assert!(track.advance(&texts(["(MARK 1 1)", "NOOP"])).is_ok());
        assert!(track.advance(&texts(["noop", "(mark 1 1)"])).is_err());
        assert_eq!(track.legal(1).len(), 8);
    }

    #[test]
    fn a_missed_turn_is_guessed() {
        let mut track = track();
        let later = texts(["noop", "(mark 1 1)"]);
        let missed = track.missing(&later).unwrap().expect("x marks something else first");
        assert_ne!(missed[0], "(mark 1 1)");
        track.advance(&missed).unwrap();
        track.advance(&later).unwrap();
        assert_eq!(track.missing(&texts(["dance", "noop"])).unwrap(), None);
    }
}

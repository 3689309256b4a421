//! Where a match stands.

use std::sync::Arc;

use datalog::Limits;
use game::{Describe, Dice, Expansion, MoveId, RoleId, RuleFault, Simulator};
use gdl::normal::NormalRules;
use machine::reference::Reference;
use machine::{Machine, Visitor};

use crate::MindError;

/// The joint moves that are tried to explain a turn that was missed.
const TRIED_JOINTS: usize = 10_000;

/// A position that follows the joint moves of a match, on any machine.
pub(crate) struct Track<G: Describe> {
    game: Arc<G>,
    workspace: G::Workspace,
    state: G::State,
    expansion: Expansion,
}

fn fault(fault: RuleFault) -> MindError {
    MindError::Rules(fault.to_string())
}

/// A position on whichever machine is there.
pub(crate) trait Follow: Send {
    /// Makes a joint move if it is legal.
    fn advance(&mut self, joint: &[String]) -> Result<(), MindError>;
    /// Any move of a role, in the spelling of the rules; none if it has none.
    fn any(&self, role: usize, dice: &mut Dice) -> Option<String>;
}

/// At the beginning of a game, on a machine.
pub(crate) fn follow(machine: &Machine) -> Result<Box<dyn Follow>, MindError> {
    struct Begin;
    impl Visitor<'_> for Begin {
        type Answer = Result<Box<dyn Follow>, MindError>;
        fn visit<G: Simulator + Describe + 'static>(self, game: &Arc<G>) -> Self::Answer {
            Ok(Box::new(Track::new(Arc::clone(game))?))
        }
    }
    machine.visit(Begin)
}

impl Track<Reference> {
    /// At the beginning of a game, on the reference reasoner.
    pub(crate) fn by_reference(rules: &NormalRules, memory: usize) -> Result<Self, MindError> {
        let limits = Limits { bytes: memory, ..Limits::default() };
        let game = Reference::new(rules, limits).map_err(|error| MindError::Rules(error.to_string()))?;
        Self::new(Arc::new(game))
    }
}

impl<G: Describe + 'static> Follow for Track<G> {
    fn advance(&mut self, joint: &[String]) -> Result<(), MindError> {
        let ids = self.find(joint).ok_or_else(|| MindError::NotLegal(joint.join(" ")))?;
        self.state = self.game.apply(&mut self.workspace, &self.state, &ids).map_err(fault)?;
        self.look()
    }

    fn any(&self, role: usize, dice: &mut Dice) -> Option<String> {
        let legal = self.expansion.legal(RoleId(role as u16));
        legal.get(dice.below(legal.len())).map(|&id| self.game.move_spelling(id))
    }
}

impl<G: Describe> Track<G> {
    fn new(game: Arc<G>) -> Result<Self, MindError> {
        let (workspace, state) = (game.workspace(), game.initial());
        let mut track = Self { game, workspace, state, expansion: Expansion::new() };
        track.look()?;
        Ok(track)
    }

    fn look(&mut self) -> Result<(), MindError> {
        self.game.expand(&mut self.workspace, &self.state, &mut self.expansion).map_err(fault)
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

    fn track() -> Track<Reference> {
        let rules = bundled::find("tic-tac-toe").unwrap().rules;
        let sheet = gdl::parse(&gdl::SourceFile::new("t", rules)).sheet;
        Track::by_reference(&gdl::normal::normalize(&sheet), 1 << 30).unwrap()
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
        let mut dice = Dice::new(1);
        assert!((0..99).all(|_| track.any(1, &mut dice).is_some_and(|text| text != "(mark 1 1)")));
        assert_eq!(track.any(2, &mut dice), None);
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

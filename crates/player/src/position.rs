//! Where a match stands, on whichever machine is there.

use std::sync::Arc;

use engine::{Decision, Possible};
use game::{Describe, Dice, Expansion, MoveId, RoleId, RuleFault, Simulator};
use hidden::{Belief, read_step};
use machine::{Machine, MachineKind};

/// Who a move without a thought behind it is by.
const FALLBACK: &str = "fallback";

/// The joint moves that are tried to explain a turn that was missed.
const TRIED_JOINTS: usize = 10_000;

/// A position that follows the joint moves of a match.
pub(crate) trait Position: Send {
    /// Makes a joint move, texts in role order in any case; whether it is legal. If not, nothing changes. Where
    /// the rules say who sees what, the own move and what was seen are told in its place.
    fn advance(&mut self, joint: &[String]) -> Result<bool, RuleFault>;
    /// A joint move after which another one is legal: what may have happened in a turn that was missed.
    /// Several may fit; the first is as good as any.
    fn missing(&mut self, joint: &[String]) -> Result<Option<Vec<String>>, RuleFault>;
    /// Whether a joint move ends the game: no host asks for a move after that.
    fn ends_with(&mut self, joint: &[String]) -> Result<bool, RuleFault>;
    /// Whether no position is known that agrees with all that was told, and it is worth while to look on.
    fn is_lost(&self) -> bool;
    /// Looks on for one.
    fn recover(&mut self) -> Result<(), RuleFault>;
    /// Any legal move of a role; none if it has none or the game is over.
    fn any(&self, role: RoleId, dice: &mut Dice) -> Option<Decision>;
    /// What it runs on.
    fn machine(&self) -> MachineKind;
}

/// The position of a role on a machine after what was told of some steps.
pub(crate) fn on(
    machine: &Machine,
    role: RoleId,
    history: &[Vec<String>],
) -> Result<Box<dyn Position>, RuleFault> {
    // The fallback makes a step a turn: it need not be compiled for each machine.
    let game = machine.erased();
    let mut position: Box<dyn Position> = match game.has_percepts() {
        true => Box::new(Told::new(game, machine, role)),
        false => Box::new(Track::new(game, machine.kind())?),
    };
    for joint in history {
        position.advance(joint)?;
    }
    Ok(position)
}

struct Track<G: Describe> {
    game: Arc<G>,
    kind: MachineKind,
    workspace: G::Workspace,
    state: G::State,
    expansion: Expansion,
}

impl<G: Describe> Track<G> {
    fn new(game: Arc<G>, kind: MachineKind) -> Result<Self, RuleFault> {
        let (workspace, state) = (game.workspace(), game.initial());
        let mut track = Self { game, kind, workspace, state, expansion: Expansion::new() };
        track.look()?;
        Ok(track)
    }

    fn look(&mut self) -> Result<(), RuleFault> {
        self.game.expand(&mut self.workspace, &self.state, &mut self.expansion)
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
}

impl<G: Describe> Position for Track<G> {
    fn advance(&mut self, joint: &[String]) -> Result<bool, RuleFault> {
        let Some(ids) = self.find(joint) else { return Ok(false) };
        self.state = self.game.apply(&mut self.workspace, &self.state, &ids)?;
        self.look()?;
        Ok(true)
    }

    fn missing(&mut self, joint: &[String]) -> Result<Option<Vec<String>>, RuleFault> {
        let candidates: Vec<Vec<MoveId>> = self.expansion.joint_moves().take(TRIED_JOINTS).collect();
        let (state, expansion) = (self.state.clone(), self.expansion.clone());
        let mut found = None;
        for candidate in candidates {
            self.state = self.game.apply(&mut self.workspace, &state, &candidate)?;
            self.look()?;
            if self.find(joint).is_some() {
                found = Some(candidate.iter().map(|&id| self.game.move_spelling(id)).collect());
                break;
            }
        }
        (self.state, self.expansion) = (state, expansion);
        Ok(found)
    }

    fn ends_with(&mut self, joint: &[String]) -> Result<bool, RuleFault> {
        let Some(ids) = self.find(joint) else { return Ok(false) };
        let after = self.game.apply(&mut self.workspace, &self.state, &ids)?;
        let before = std::mem::replace(&mut self.state, after);
        self.look()?;
        let is_over = self.expansion.is_terminal();
        self.state = before;
        self.look()?;
        Ok(is_over)
    }

    fn is_lost(&self) -> bool {
        false
    }

    fn recover(&mut self) -> Result<(), RuleFault> {
        Ok(())
    }

    fn any(&self, role: RoleId, dice: &mut Dice) -> Option<Decision> {
        let legal = self.expansion.legal(role);
        if self.expansion.is_terminal() || legal.is_empty() {
            return None;
        }
        let id = legal[dice.below(legal.len())];
        let (text, spelling) = (self.game.move_text(id), self.game.move_spelling(id));
        Some(Decision { unthought: legal.len() > 1, ..Decision::plain(text, spelling, FALLBACK, self.kind) })
    }

    fn machine(&self) -> MachineKind {
        self.kind
    }
}

/// Positions that are enough to know what is legal.
const PARTICLES: usize = 32;

/// Where a match may stand, by what a role is told.
struct Told<G: Simulator + Describe> {
    belief: Belief<G>,
    kind: MachineKind,
    /// What is legal, as far as that can be told.
    legal: Vec<MoveId>,
}

impl<G: Simulator + Describe> Told<G> {
    fn new(game: Arc<G>, machine: &Machine, role: RoleId) -> Self {
        let belief = Belief::new(game, role, PARTICLES, 0).suited_to(machine).in_haste();
        let mut told = Self { belief, kind: machine.kind(), legal: Vec::new() };
        told.legal = told.belief.legal().unwrap_or_default();
        told
    }
}

impl<G: Simulator + Describe> Position for Told<G> {
    /// What a host tells is so, whether anything agrees with it or not.
    fn advance(&mut self, told: &[String]) -> Result<bool, RuleFault> {
        let step = read_step(&**self.belief.game(), self.belief.role(), told);
        self.belief.advance(step)?;
        self.legal = self.belief.legal()?;
        Ok(true)
    }

    fn missing(&mut self, _: &[String]) -> Result<Option<Vec<String>>, RuleFault> {
        Ok(None)
    }

    /// What is told does not say.
    fn ends_with(&mut self, _: &[String]) -> Result<bool, RuleFault> {
        Ok(false)
    }

    fn is_lost(&self) -> bool {
        self.belief.may_recover()
    }

    fn recover(&mut self) -> Result<(), RuleFault> {
        if self.belief.recover()? {
            self.legal = self.belief.legal()?;
        }
        Ok(())
    }

    fn any(&self, role: RoleId, dice: &mut Dice) -> Option<Decision> {
        if self.legal.is_empty() || role != self.belief.role() {
            return None;
        }
        let game = self.belief.game();
        let id = self.legal[dice.below(self.legal.len())];
        let (text, spelling) = (game.move_text(id), game.move_spelling(id));
        let possible = Possible {
            positions: if self.belief.agrees() { self.belief.particles().len() } else { 0 },
            is_all: self.belief.is_exact(),
            recovered: self.belief.counts().rebuilt,
            inconsistent: u64::from(!self.belief.agrees()),
        };
        let plain = Decision::plain(text, spelling, FALLBACK, self.kind);
        Some(Decision { unthought: self.legal.len() > 1, possible: Some(possible), ..plain })
    }

    fn machine(&self) -> MachineKind {
        self.kind
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use machine::reference::Reference;

    fn position() -> Box<dyn Position> {
        let rules = bundled::find("tic-tac-toe").unwrap().rules;
        let game = Reference::new(&gdl::normal::read(rules), Default::default()).unwrap();
        on(&Machine::from(Arc::new(game)), RoleId(0), &[]).unwrap()
    }

    fn texts(joint: [&str; 2]) -> Vec<String> {
        joint.map(str::to_owned).to_vec()
    }

    #[test]
    fn only_legal_moves_are_followed() {
        let mut position = position();
        assert_eq!(position.advance(&texts(["noop", "(mark 1 1)"])), Ok(false));
        assert_eq!(position.advance(&texts(["(MARK 1 1)", "NOOP"])), Ok(true));
        assert_eq!(position.advance(&texts(["noop", "(mark 1 1)"])), Ok(false));
        let mut dice = Dice::new(1);
        let mut any = |role| position.any(RoleId(role), &mut dice).map(|decision| decision.text);
        assert!((0..99).all(|_| any(1).is_some_and(|text| text != "(mark 1 1)")));
        assert_eq!(any(2), None);
    }

    #[test]
    fn a_missed_turn_is_guessed() {
        let mut position = position();
        let later = texts(["noop", "(mark 1 1)"]);
        let missed = position.missing(&later).unwrap().expect("x marks something else first");
        assert_ne!(missed[0], "(mark 1 1)");
        assert_eq!(position.advance(&missed), Ok(true));
        assert_eq!(position.advance(&later), Ok(true));
        assert_eq!(position.missing(&texts(["dance", "noop"])), Ok(None));
    }
}

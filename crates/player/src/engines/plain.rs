//! Playing without thinking.

use std::sync::Arc;

use engine::{Budget, Decision, Engine, Event, Stop, find_moves, replay};
use game::{Describe, Dice, Expansion, Game, RoleId, RuleFault};
use machine::{ErasedGame, ErasedState, ErasedWorkspace, Machine, MachineKind};

/// Which of the legal moves is made.
pub(super) enum Pick {
    First,
    Any(Dice),
}

/// An engine that knows what is legal and no more.
pub(super) struct Plain {
    game: Arc<ErasedGame>,
    workspace: ErasedWorkspace,
    state: ErasedState,
    kind: MachineKind,
    name: &'static str,
    pick: Pick,
}

impl Plain {
    pub(super) fn new(
        machine: &Machine,
        history: &[Vec<String>],
        name: &'static str,
        pick: Pick,
    ) -> Result<Self, RuleFault> {
        let game = machine.erased();
        let mut workspace = game.workspace();
        let state = replay(&*game, &mut workspace, history)?;
        Ok(Self { game, workspace, state, kind: machine.kind(), name, pick })
    }
}

impl Engine for Plain {
    fn think(&mut self, _: &Budget<'_>) -> Result<Stop, RuleFault> {
        Ok(Stop::Proven)
    }

    fn decide(&mut self, role: RoleId) -> Result<Option<Decision>, RuleFault> {
        let mut expansion = Expansion::new();
        self.game.expand(&mut self.workspace, &self.state, &mut expansion)?;
        if expansion.is_terminal() {
            return Ok(None);
        }
        let legal = expansion.legal(role);
        if legal.is_empty() {
            return Err(RuleFault::NoLegalMove(role));
        }
        let id = match &mut self.pick {
            Pick::First => legal[0],
            Pick::Any(dice) => legal[dice.below(legal.len())],
        };
        let (text, spelling) = (self.game.move_text(id), self.game.move_spelling(id));
        let unthought = legal.len() > 1;
        Ok(Some(Decision { unthought, ..Decision::plain(text, spelling, self.name, self.kind) }))
    }

    fn advance(&mut self, joint: &[String]) -> Result<bool, RuleFault> {
        let Some(joint) = find_moves(&*self.game, joint) else { return Ok(false) };
        self.state = self.game.apply(&mut self.workspace, &self.state, &joint)?;
        Ok(true)
    }

    fn begin_turn(&mut self) {}

    fn events(&mut self) -> Vec<Event> {
        Vec::new()
    }

    fn machine(&self) -> MachineKind {
        self.kind
    }
}

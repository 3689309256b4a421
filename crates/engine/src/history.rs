//! Positions of a machine by the texts of moves.

use std::sync::Arc;

use game::{Describe, MoveId, RoleId, RuleFault, Simulator};
use machine::{Machine, Visitor};

/// The moves of a joint move by their texts, if all are known.
pub fn find_moves<G: Describe>(game: &G, joint: &[String]) -> Option<Vec<MoveId>> {
    joint.iter().enumerate().map(|(role, text)| game.find_move(RoleId(role as u16), text)).collect()
}

/// Whether a machine knows all moves of a joint move.
pub fn knows_moves(machine: &Machine, joint: &[String]) -> bool {
    struct Find<'a>(&'a [String]);
    impl Visitor<'_> for Find<'_> {
        type Answer = bool;
        fn visit<G: Simulator + Describe + 'static>(self, game: &Arc<G>) -> bool {
            self.0.len() == game.role_count() && find_moves(&**game, self.0).is_some()
        }
    }
    machine.visit(Find(joint))
}

/// The position after some joint moves.
pub fn replay<G: Describe>(
    game: &G,
    workspace: &mut G::Workspace,
    history: &[Vec<String>],
) -> Result<G::State, RuleFault> {
    let mut state = game.initial();
    for joint in history {
        // Moves that the machine does not know were refused when they came.
        if let Some(joint) = find_moves(game, joint) {
            state = game.apply(workspace, &state, &joint)?;
        }
    }
    Ok(state)
}

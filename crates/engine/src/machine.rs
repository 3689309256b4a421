//! A machine, whatever its type.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use game::{Game, MoveId, RoleId, RuleFault, Simulator};

use crate::{ErasedGame, Profile};

/// The kinds of machines, the best last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MachineKind {
    /// Plain evaluation of the rules.
    Reference,
    /// A circuit, one state at a time.
    Circuit,
    /// A circuit in lanes.
    Batch,
}

impl fmt::Display for MachineKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            MachineKind::Reference => "reference",
            MachineKind::Circuit => "circuit",
            MachineKind::Batch => "batch",
        })
    }
}

/// A machine of some kind and type.
///
/// An engine that has to be fast asks for the types that it knows by [`Machine::game`]; for all others there
/// is [`Machine::erased`], which is a game too, and slower.
#[derive(Clone)]
pub struct Machine {
    kind: MachineKind,
    erased: Arc<ErasedGame>,
    game: Arc<dyn Any + Send + Sync>,
}

impl Machine {
    /// A machine, and what it counts as.
    pub fn new<G: Simulator + 'static>(game: Arc<G>, kind: MachineKind) -> Self {
        Self { kind, erased: Arc::new(ErasedGame::new(Arc::clone(&game))), game }
    }

    /// What it counts as.
    pub fn kind(&self) -> MachineKind {
        self.kind
    }

    /// The machine, if it is of this type.
    pub fn game<G: Send + Sync + 'static>(&self) -> Option<Arc<G>> {
        Arc::clone(&self.game).downcast().ok()
    }

    /// The machine as a game of no particular type.
    pub fn erased(&self) -> &Arc<ErasedGame> {
        &self.erased
    }

    /// What is known of the game.
    pub fn profile(&self) -> Profile {
        Profile {
            roles: self.erased.role_count(),
            has_chance: game::chance_role(&*self.erased).is_some(),
            has_lanes: self.erased.lanes() > 1,
            is_zero_sum: None,
        }
    }

    /// The number of roles.
    pub fn count_roles(&self) -> usize {
        self.erased.role_count()
    }

    /// Whether it knows all moves of a joint move.
    pub fn knows(&self, joint: &[String]) -> bool {
        joint.len() == self.count_roles() && find_moves(&*self.erased, joint).is_some()
    }
}

impl fmt::Debug for Machine {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Machine").field("kind", &self.kind).finish_non_exhaustive()
    }
}

/// The moves of a joint move by their texts, if all are known.
pub fn find_moves<G: Game>(game: &G, joint: &[String]) -> Option<Vec<MoveId>> {
    joint.iter().enumerate().map(|(role, text)| game.find_move(RoleId(role as u16), text)).collect()
}

/// The position after some joint moves.
pub fn replay<G: Game>(
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

//! Parts of a game that do not interact: facts whose future depends on facts of the same part and on what is done there.
//!
//! What runs by itself (step counters, whose turn it is) is shared by all parts. Everything is read off the gates: what is
//! found holds in every state. What cannot be seen in the gates is not found, although it may be there.
//!
//! - `operands`: an edge as a conjunction or disjunction.
//! - `split`: the facts of each part.
//! - `actions`: what moves do in each part, and whether what is done in one leaves the choice in the others free.
//! - `copier`: gates of the whole game as gates of a part.
//! - `project`: a part of a one-player game as a circuit of its own.
//! - `divide`: all parts of a game of any number of roles as circuits, and what is made of them together.

mod actions;
mod copier;
mod divide;
mod operands;
mod project;
mod split;

use crate::Circuit;

pub use actions::{Action, Composition, MoveGroup, RoleActions};
pub use divide::{BITS_OF_A_GOAL, Division, Portion};
pub use operands::Link;
pub use project::PartGame;

/// Gates that are looked at for each move of each role, added up: beyond this nothing is found out about moves.
const MOST_WORK: usize = 20_000_000;

/// The parts of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parts {
    /// Numbers of the facts that run by themselves and matter.
    pub shared: Vec<u32>,
    /// Numbers of the facts of each part, in the order of their first ones. Facts that decide nothing are in none.
    pub facts: Vec<Vec<u32>>,
    /// How what ends the parts ends the game.
    pub terminal: Link,
    /// For each role how its highest goal takes those of the parts together.
    pub goals: Vec<Link>,
    /// How the moves of the roles are put together from what is done in the parts; `None` if that was too much to
    /// find out.
    pub actions: Option<Vec<RoleActions>>,
}

impl Parts {
    /// How moves are put together: the loosest of all roles.
    pub fn composition(&self) -> Option<Composition> {
        self.actions
            .as_ref()
            .map(|roles| roles.iter().map(|role| role.composition).max().unwrap_or(Composition::Parallel))
    }

    /// Whether there is more than one.
    pub fn are_several(&self) -> bool {
        self.facts.len() > 1
    }
}

impl Circuit {
    /// The parts of the game; one, or none if no fact depends on moves.
    pub fn parts(&self) -> Parts {
        let mut split = split::split(self);
        let mut actions = None;
        if split.facts.len() > 1 {
            let says = operands::says(self, &split.part_of);
            if let Some(found) = actions::actions(self, &split, &says) {
                let (settled, found) = actions::settle(split, found);
                split = settled;
                actions = Some(found).filter(|_| split.facts.len() > 1);
            }
        }
        let says = operands::says(self, &split.part_of);
        let goals = self.roles.iter().map(|role| operands::goal_link(self, role, &says)).collect();
        let terminal = operands::link(self, self.terminal, &says);
        Parts { shared: split.shared, facts: split.facts, terminal, goals, actions }
    }
}

//! What guides playouts and the choice among moves not tried yet: one file each.
//!
//! A policy learns from every batch and is asked before the next one. To add one, write a file
//! with a type that implements [`Policy`], and name it in [`PolicyName`] and [`make`].

mod mast;
mod uniform;

use std::sync::Arc;

use game::{MoveId, MoveRecord, MoveWorth, RoleId};

use crate::{Parameters, PolicyName};

/// How a choice among moves not tried yet is made.
#[derive(Clone, Debug, Default)]
pub enum Guide {
    /// At random.
    #[default]
    None,
    /// By Gibbs sampling over the worth of moves.
    Gibbs {
        /// Of each move to its role.
        worth: Arc<MoveWorth>,
        /// The higher, the more random.
        temperature: f32,
    },
}

/// How the playouts of a batch choose their moves.
#[derive(Clone, Debug, Default)]
pub enum Style {
    /// At random.
    #[default]
    Uniform,
    /// The move of most worth, with probability `epsilon` any.
    Greedy {
        /// Of each move to its role.
        worth: Arc<MoveWorth>,
        /// From 0 to 1.
        epsilon: f32,
    },
    /// By Gibbs sampling over the worth of moves.
    Gibbs {
        /// Of each move to its role.
        worth: Arc<MoveWorth>,
        /// The higher, the more random.
        temperature: f32,
    },
}

impl Style {
    /// As a machine takes it.
    pub fn as_policy(&self) -> game::Policy<'_> {
        match self {
            Style::Uniform => game::Policy::Uniform,
            Style::Greedy { worth, epsilon } => game::Policy::Greedy { worth, epsilon: *epsilon },
            Style::Gibbs { worth, temperature } => game::Policy::Gibbs { worth, temperature: *temperature },
        }
    }
}

/// A way of guiding playouts.
pub trait Policy: Send + std::fmt::Debug {
    /// Whether playouts must say how moves fared.
    fn wants_moves(&self) -> bool;
    /// Learns how moves fared in playouts.
    fn learn_playouts(&mut self, moves: &MoveRecord);
    /// Learns that a role made a move in the tree so many times, and the sum of its goals, each 0 to 100.
    fn learn_move(&mut self, role: RoleId, id: MoveId, times: u32, goals: f64);
    /// How the next batch chooses among moves not tried yet.
    fn guide(&mut self) -> Guide;
    /// How the next batch plays out.
    fn style(&mut self) -> Style;
    /// A move of the match was made: older knowledge counts less.
    fn age(&mut self);
}

/// The policy that some parameters name.
pub fn make(parameters: &Parameters) -> Box<dyn Policy> {
    match parameters.policy {
        PolicyName::Uniform => Box::new(uniform::Uniform),
        PolicyName::Mast => Box::new(mast::Mast::gibbs(parameters)),
        PolicyName::MastGreedy => Box::new(mast::Mast::greedy(parameters)),
    }
}

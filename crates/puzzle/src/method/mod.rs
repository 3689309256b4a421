//! Ways of looking for a plan, one file each.
//!
//! A method works for a while, pauses and goes on where it was: [`Method::work`] is called with the
//! time at which to pause, again and again. What it finds it tells at once.

mod apart;
mod beam;
mod best_first;
mod breadth;
mod catalogue;
mod commit;
mod deepening;
mod depth;
#[cfg(feature = "sat")]
mod last_state;
mod max_uct;
mod memory_ida;
pub mod mini;
mod nested;
mod sample;
#[cfg(feature = "sat")]
mod satisfy;
#[cfg(feature = "bdd")]
mod symbolic;

use std::time::Duration;

use crate::Search;

pub use apart::Apart;
pub use beam::{Beam, Guide, Taste};
pub use best_first::BestFirst;
pub use breadth::{Breadth, Keys};
pub(crate) use catalogue::names;
pub use catalogue::{Entry, METHODS};
pub use commit::Commit;
pub use deepening::Deepening;
pub use depth::Depth;
#[cfg(feature = "sat")]
pub use last_state::LastState;
pub use max_uct::MaxUct;
pub use memory_ida::MemoryIda;
pub use mini::{Mini, MiniOptions, MiniPlayer};
pub use nested::Nested;
pub use sample::Sample;
#[cfg(feature = "sat")]
pub use satisfy::Satisfy;
#[cfg(feature = "bdd")]
pub use symbolic::Symbolic;

/// A way of looking for a plan.
pub trait Method: Send {
    /// A short name, as it is shown.
    fn name(&self) -> &'static str;

    /// Works until the time has come, or as long as there is something to do.
    fn work(&mut self, until: Duration, search: &Search<'_>) -> Progress;

    /// The states it has met, if it keeps account of them.
    fn tally(&self) -> Tally {
        Tally::default()
    }

    /// Bytes in use, about.
    fn bytes(&self) -> usize {
        0
    }
}

/// What a method has met.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Different states, since it last began anew.
    pub states: u64,
    /// How often a state was left out because an image of it under a symmetry was there.
    pub merged: u64,
}

/// What is to be expected of a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// More, if it is given more time.
    Working,
    /// Nothing: it has done all it can.
    Ended,
}

//! Tournaments between agents, and what they prove: which is better, and how sure that is.

mod error;
mod ledger;
mod record;
mod schedule;
pub mod sprt;
pub mod statistics;

pub use error::ArenaError;
pub use ledger::Ledger;
pub use record::{Effort, MatchKey, MatchRecord};
pub use schedule::{Fixture, Schedule};

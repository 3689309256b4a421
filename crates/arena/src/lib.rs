//! Tournaments between agents, and what they prove: which is better, and how sure that is.

mod contest;
mod contestant;
mod count;
mod error;
pub mod experiment;
mod fingerprint;
mod journal;
mod ledger;
mod notebook;
pub mod plot;
mod question;
mod record;
mod schedule;
pub mod sprt;
// A machine with faults, shared with the tests of the player.
#[cfg(test)]
#[allow(dead_code)]
#[path = "../../player/tests/clocks/slow.rs"]
mod slow;
mod standings;
pub mod statistics;
mod thought;
mod tournament;

pub use contest::{Ground, MatchRules};
pub use contestant::{Contestant, ContestantError, Thinking, names};
pub use error::ArenaError;
pub use fingerprint::{Conditions, Fingerprint};
pub use ledger::{Known, Ledger};
pub use notebook::Notebook;
pub use record::{MatchKey, MatchRecord};
pub use referee::Effort;
pub use schedule::{Fixture, Schedule};
pub use standings::{ShareAnswer, Standings};
pub use thought::thought_of;
pub use tournament::{Outcome, Progress, TestState, Tournament};

//! HTTP: the player that hosts talk to, and the host that talks to players.
//!
//! ```text
//! bytes -listen-> text -Desk-> one Seat a match -brain thread-> Mind -> reply
//! Match -host-> requests to all seats at once -client-> players -> answers -> record
//! ```
//!
//! [`Desk`] is the player without the network: the host uses it for players in its own process.
//! Everything that thinks runs in a thread of its own match; the network never waits for it longer
//! than the clock allows.

mod client;
mod desk;
mod host;
mod listen;
mod mind;
mod minds;
mod priority;
mod workshop;

pub use client::{Address, BadAddress, Unanswered, ask};
pub use desk::{Counters, Desk, DeskOptions, MatchStatus, Status};
pub use host::{Keeper, MatchReport, Opponent, Timing, conduct};
pub use listen::{Limits, listen};
pub use mind::{Clock, Mind, MindError, MindMaker, Setup, Thought};
pub use minds::agent;

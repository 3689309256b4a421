//! HTTP: the player that hosts talk to, and the host that talks to players.
//!
//! ```text
//! bytes -listen-> text -Sessions-> one Session a match -worker thread-> player::Player -> reply
//! Match -host-> requests to all roles at once -client-> players -> answers -> record
//! ```
//!
//! [`Sessions`] is the player without the network: the host uses it for players in its own process.
//! Everything that thinks runs in a thread of its own match; the network never waits for it longer
//! than the clock allows.

mod attend;
mod client;
mod crowd;
mod host;
mod listen;
mod lobby;
mod machines;
mod neighbourhood;
mod priority;
mod reading;
mod sessions;

pub use attend::{Attendance, Refused, attend};
pub use client::{Address, BadAddress, Unanswered, ask};
pub use host::{MatchReport, Opponent, Question, Questions, Timing, conduct, conduct_resumed};
pub use listen::{Limits, listen};
pub use lobby::{Guest, Lobby, welcome};
pub use machines::{GameText, MachineSource, shared_machines};
pub use sessions::{Caller, HelperCount, MatchStatus, SessionOptions, Sessions, Status, View};

//! One match's brain: rules and moves in, moves out. No input or output of its own, and no clock:
//! the caller brings one. Where the match stands, what is legal, a move to fall back on and catching up
//! with what a host says are here and nowhere else.
//!
//! ```
//! use std::sync::Arc;
//! use std::time::{Duration, Instant};
//! use player::{Limit, Machines, Player, Setup};
//!
//! let game = bundled::find("tic-tac-toe")?;
//! let rules = gdl::normal::read(game.rules);
//! let start = Instant::now();
//! let clock: player::Clock = Arc::new(move || start.elapsed());
//! let machines = Machines::build(rules, Duration::from_secs(5), 1 << 30, Arc::clone(&clock));
//! let mut player = Player::new(Setup {
//!     machines,
//!     role: 0,
//!     agent: "cadia-uct".parse()?,
//!     seed: 1,
//!     ponder: false,
//!     clock,
//! })?;
//! player.prepare(None)?;
//! let decision = player.choose(Limit::simulations(100))?;
//! assert!(decision.text.starts_with("(mark "));
//! player.advance(&[decision.text.as_str(), "noop"])?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod agent;
mod brain;
mod emergency;
pub mod engines;
mod fallback;
mod following;
mod machines;
mod player;
mod position;
mod race;
mod rescue;
pub mod team;

pub use agent::{AGENTS, AgentError, AgentSpec};
pub use brain::panic_message;
pub use engine::{Clock, Decision, Thought};
pub use following::{Followed, Told};
pub use machine::MachineKind;
pub use machines::{Machines, Room};
pub use player::{Limit, Player, PlayerError, Setup};

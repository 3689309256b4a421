//! Ways to think about a game: what all of them have in common.
//!
//! An [`Engine`] thinks for a slice of a [`Budget`], says what it would play, and follows the moves that
//! are made. Each has a row in a [`Registry`]: its name, its [`Parameter`]s, what it demands of a game, and
//! who makes it. An agent is a row too: the name of an engine, and what differs from its defaults.
//!
//! This crate knows no engine, and machines by their handle only. Who adds one needs nothing but a row:
//!
//! ```
//! use engine::{AgentRow, EngineRow, MakeError, Registry};
//!
//! let row = EngineRow {
//!     name: "nobody",
//!     help: "plays no game",
//!     source: "",
//!     revision: 1,
//!     parameters: vec![engine::THREADS.row()],
//!     demands: Vec::new(),
//!     fallback: None,
//!     make: std::sync::Arc::new(|_| Err(MakeError::Refused("it plays no game".to_owned()))),
//! };
//! let agent = AgentRow { name: "me", help: "", source: "", engine: "nobody", overrides: &[("threads", "2")] };
//! let registry = Registry::new(vec![row], vec![agent], "nobody");
//! let settings = registry.settings(registry.agent("me")?)?;
//! assert_eq!(settings.of(&engine::THREADS), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod budget;
mod demand;
mod engine;
mod evaluator;
mod history;
mod parameter;
mod registry;
mod report;
mod resources;
mod settings;
pub mod team;

pub use budget::{Budget, Clock, Rest, Stop, Watch};
pub use demand::{Demand, Profile, Refusal};
pub use engine::{Engine, EngineRow, Event, Make, MakeError, Seat, UNSEEN};
pub use evaluator::Evaluator;
pub use history::{find_moves, knows_moves, replay};
pub use parameter::{Parameter, Range, Read, Typed, Value};
pub use registry::{AgentRow, Made, Registry, UnknownName};
pub use report::{Decision, Possible, Thought};
pub use resources::{MEMORY, THREADS};
pub use settings::{ParameterError, Settings};

//! Everything that compares and checks, for any game: perft, seeded playouts, differential walks
//! between two machines, playing back a recorded trace, and faults of a rule sheet that show in play.
//!
//! It knows no machine: what is compared is [`game::Game`] and [`game::Describe`] alone, so that a
//! machine cannot be right by being asked in another way. Machines come after it, as the builder
//! offers only what agrees with what it has.

pub mod inspect;
mod perft;
mod playout;
mod sample;
pub mod trace;
mod walk;

pub use perft::{divide, perft};
pub use playout::{Playout, PlayoutLimits, Summary, playout, simulate};
pub use sample::{SampleLimits, sample};
pub use walk::{Difference, WalkReport, walk};

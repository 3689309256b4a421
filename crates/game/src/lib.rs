//! The boundary between reasoners and everything that thinks: [`Game`], its moves and goals, and
//! what can be done with any game alone: perft, seeded playouts, differential walks between two
//! machines, playing back a recorded trace.
//!
//! Code that searches sees this crate only. It knows nothing of GDL: a state is what the machine
//! says it is, a move is a number with a text.

mod boundary;
mod dice;
mod expansion;
mod expansions;
mod fault;
mod move_record;
mod outcomes;
mod perft;
mod playout;
mod policy;
mod simulator;
pub mod trace;
mod walk;

pub use boundary::Game;
pub use dice::Dice;
pub use expansion::{Expansion, Goal, GoalReading, JointMoves, MoveId, RoleId};
pub use expansions::{Choices, Expansions};
pub use fault::RuleFault;
pub use move_record::{Fared, MoveRecord, MoveWorth};
pub use outcomes::{Outcomes, Sequences};
pub use perft::{divide, perft};
pub use playout::{Playout, PlayoutLimits, Summary, playout, simulate};
pub use policy::{Choice, Chooser, Context, ContextWorth, Policy, Sampler, Weights, chance_role};
pub use simulator::{Job, PlayOptions, Simulator, play_one_by_one};
pub use walk::{Difference, WalkReport, walk};

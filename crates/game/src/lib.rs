//! The boundary between reasoners and everything that thinks, and nothing else.
//!
//! - [`Game`] is all that thinking needs: what can be done, what follows, what is reached, and which
//!   role is chance.
//! - [`Observe`] and [`Sampled`] are capabilities: an engine may demand them, and a game may lack
//!   them. What roles are told is GDL-II's, steps with dice are VGDL's.
//! - [`Describe`] is how it is written. Thinking does without; whoever talks to people or hosts
//!   demands it.
//! - [`Simulator`] is many states in one call.
//!
//! Code that searches sees this crate only. It knows nothing of GDL: a state is what the machine
//! says it is, a move is a number with a text.

#[cfg(test)]
mod coin;
mod columns;
mod decisive;
mod describe;
mod dice;
mod expansion;
mod expansions;
mod fault;
mod game;
mod likeness;
mod made_moves;
mod move_record;
mod observe;
mod one_by_one;
mod outcomes;
mod outlook;
mod policy;
mod sampled;
mod simulator;

pub use columns::Columns;
pub use decisive::{Decisive, DecisiveFilter, Narrowed};
pub use describe::Describe;
pub use dice::Dice;
pub use expansion::{Expansion, FactId, Goal, GoalReading, JointMoves, MoveId, PerceptId, RoleId};
pub use expansions::{Choices, Expansions};
pub use fault::RuleFault;
pub use game::Game;
pub use likeness::{Likeness, Merging};
pub use made_moves::MadeMoves;
pub use move_record::{Fared, MoveRecord, MoveWorth};
pub use observe::{CompleteInformation, Observe, Seen};
pub use one_by_one::{LookAhead, play_one_by_one, play_one_by_one_to};
pub use outcomes::{Lists, Outcomes, Sequences};
pub use outlook::{Outlook, Prospect};
pub use policy::{Ahead, Choice, Chooser, Context, ContextWorth, Policy, Sampler, Weights};
pub use sampled::{Sampled, StepScratch};
pub use simulator::{Job, PlayOptions, Simulator};

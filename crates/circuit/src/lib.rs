//! A game as a circuit: two-input gates with free inversion over base propositions (what is true
//! in the state) and input propositions (what each role does).
//!
//! A [`Circuit`] says for every state which moves are legal, whether the game is over, what each
//! role has reached and, given one move per role, what is true next and what each role is told. Machines run it; passes make
//! it smaller; the textual form prints and parses.
//!
//! ```text
//! GroundRules -construct-> Circuit -passes-> smaller Circuit
//! ```

mod analysis;
mod build;
mod captures;
mod compose;
mod construct;
mod covered;
mod decisive;
mod dependence;
mod factor;
mod gate;
mod invariant;
mod mutex;
mod nary;
mod network;
mod origin;
mod parts;
mod passes;
mod proof;
mod recursion;
mod rewrite;
pub mod simulate;
mod sizes;
mod symmetry;
mod text;

pub use analysis::{Analysis, Latches};
pub use build::{BuildReport, Effort, PassReport, build, build_unique};
pub use captures::{Capture, SeenStep};
pub use construct::ConstructionCounts;
pub use decisive::{DecisiveCircuit, DecisiveLimits, TurnOf};
pub use gate::{Edge, Gate, GateId, Gates};
pub use network::{Circuit, GoalOutput, PerceptOutput, RoleMoves};
pub use origin::Origin;
pub use parts::{
    Action, BITS_OF_A_GOAL, Composition, Division, Link, MoveGroup, PartGame, Parts, Portion, RoleActions,
};
pub use proof::{Proof, ProofTree};
pub use sizes::PartSizes;
pub use symmetry::{Roles, Symmetries, Symmetry};
pub use text::ParseCircuitError;

//! Datalog with function terms and negation, evaluated bottom-up. Knows nothing of games.
//!
//! A [`Program`] is a set of rules over relations. [`Engine`] orders its relations into
//! components (what depends on what), plans the joins of every rule, and evaluates components on
//! demand in a [`Database`]:
//!
//! * a component without recursion is evaluated by running each rule once;
//! * a recursive one semi-naively, tuple by tuple: each new tuple is joined with all known ones;
//! * one that depends on its own negation by the alternating fixpoint, which gives each *ground*
//!   atom its truth value as long as no ground atom depends on its own negation.
//!
//! # Why it is fast although it starts over for every state
//!
//! Tuples are interned: a relation keeps every tuple it has ever held, and "holds now" is a stamp
//! beside it. Starting over is one increment of an epoch, deriving a tuple is one hash lookup, and
//! an index remembers for each tuple which bucket it belongs to. Indexes are filled only when a
//! join asks for them.

mod database;
mod demand;
mod dependency;
mod engine;
mod execute;
mod measure;
mod plan;
mod program;
mod relation;
mod term;
mod view;

pub use database::{Database, Limits};
pub use demand::{Restricted, restrict};
pub use dependency::{Component, ComponentId, Dependencies};
pub use engine::{Engine, Fault};
pub use measure::Measures;
pub use program::{Atom, Literal, Pattern, Program, RelationId, RelationInfo, Rule};
pub use relation::Relation;
pub use term::{TermId, TermStore};

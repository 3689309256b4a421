//! One player, many helpers: they think about the same position, in this process or on other computers.
//!
//! *Root parallel*: each helper searches in a tree of its own and tells what it thinks of the moves in the root, and
//! the player merges that with what it thinks itself. *Tree parallel*: the player alone has a tree; helpers
//! play out its leaves, many at a time. Whether helpers are threads (`local`) or come over a network is the
//! line's business ([`engine::team::Line`]); nothing else differs.
//!
//! The clock is kept whatever helpers do: the player takes what it has heard by then. A helper that dies is
//! missed for one batch of leaves at most; one that comes, or comes back, is told all it needs to know.

mod helper;
mod leader;
mod leaves;
mod listener;
mod local;
mod play_out;

use engine::Typed;
use machine::Machine;

pub use helper::{Helper, Post, Posted};
pub use local::local_helpers;

pub(crate) use leader::{Team, TeamSeat};
pub(crate) use leaves::HelpedLeaves;
pub(crate) use listener::Listener;

/// How many helpers think with the player.
pub(crate) static HELPERS: Typed<u32> = Typed::<u32>::whole(
    "helpers",
    0,
    0,
    256,
    "Świechowski et al. 2015 (survey)",
    "helpers that think with the player: threads of this process, or at most so many of those that are on a network",
);

/// What they do.
pub(crate) static TEAM: Typed<&'static str> = Typed::<&'static str>::word(
    "team",
    "root",
    &["root", "tree"],
    "Méhat and Cazenave 2011",
    "what helpers do: search in trees of their own whose roots are merged (`merge` says how), or play out leaves of the one tree, where playouts are random",
);

/// How often they tell what they think.
pub(crate) static EXCHANGE: Typed<u32> = Typed::<u32>::whole(
    "exchange",
    100,
    0,
    60_000,
    "Méhat and Cazenave 2011",
    "milliseconds between what helpers with trees of their own tell; 0 is once a move, at the end of the time",
);

/// Gives a machine for the text of rules, the best that is ready; `None` if there is none.
pub type FindMachine = Box<dyn FnMut(&str) -> Option<Machine> + Send>;

//! Games of any number of roles whose parts do not interact and are played in parallel: a tree for each part.
//!
//! ```text
//! Circuit -Parts::divide-> Division -Halves-> a machine for each part -Forest (a Tree each)-> moves of the whole game
//! ```
//!
//! What the parts have to do with each other is only when the game ends, and what everybody gets then. So a tree plays its part
//! alone, and what comes of it is a `Trace`: what was seen of the part, and when. Its worth is what
//! everybody gets on average when it is laid beside traces of the other parts' trees, and these are the latest ones,
//! played the better the longer the trees have grown. A tree for the whole game has every combination of moves in each
//! node; trees of parts have the moves of one part.
//!
//! - `halves`: the machines of the parts, and which of their moves make up a move of the whole game.
//! - `verdict`: whether what is seen of all parts ends the game, and what everybody gets.
//! - `trace`: how parts went, and what comes of it together.
//! - `tree`, `node`: the tree of one part.
//! - `forest`: the trees of all parts, by turns.
//! - `watch`: whether parts that are over stay as they are, looked at while a match is played.
//! - `engine`: who plays a match with them.
//! - `sure`: what each role is sure of in games that end when all parts are over, part by part.

mod engine;
mod forest;
mod halves;
mod node;
mod sure;
#[cfg(test)]
mod tests;
mod trace;
mod tree;
mod verdict;
mod watch;

pub use engine::{NAME, PARTS, row};
pub use forest::{Choice, Forest};
pub use halves::{Half, Halves};
pub use sure::{Open, Sure, sure};

//! What roles can still get, known without a search.

use std::fmt::Debug;

/// The goals a role can still have at the end of the game, whatever is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prospect {
    /// None of them is lower.
    pub lower: u8,
    /// None of them is higher.
    pub upper: u8,
}

impl Prospect {
    /// Nothing is ruled out.
    pub const OPEN: Self = Self { lower: 0, upper: 100 };
}

/// Tells which goals can no longer be reached.
pub trait Outlook<State>: Debug + Send + Sync {
    /// Puts in place of what is there what each role can still get in each of some positions, position after position. Lower
    /// bounds hold for games that come to an end.
    fn prospects(&self, states: &[&State], out: &mut Vec<Prospect>);
}

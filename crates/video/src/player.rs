//! What all players have in common.

use engine::{Budget, Parameter, Settings};
use vgdl::Action;

use crate::World;

/// A player of one game on one level.
pub trait Player: Send {
    /// Thinks before the first tick.
    fn prepare(&mut self, world: &World, budget: &Budget<'_>);

    /// What to do in this tick.
    fn act(&mut self, world: &World, budget: &Budget<'_>) -> Action;
}

/// A row of the table of players.
#[derive(Clone, Copy, Debug)]
pub struct PlayerRow {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub help: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// Its parameters.
    pub parameters: fn() -> Vec<Parameter>,
    /// Makes one, with a seed for what it leaves to chance.
    pub make: fn(&Settings, u64) -> Box<dyn Player>,
}

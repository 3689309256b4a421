//! A copy of a game in which a player can try things out.

use std::sync::Arc;

use super::{Action, Event, JavaRandom, Level, Play, State};

/// A copy of a game's state that can be copied and advanced. It plays by the rules of the real
/// game, but draws from its own generator of random numbers.
#[derive(Debug)]
pub struct Model {
    level: Arc<Level>,
    state: State,
    /// What happened before the copy was made.
    past: Arc<Vec<Event>>,
}

impl Clone for Model {
    fn clone(&self) -> Self {
        Self { level: self.level.clone(), state: self.state.clone(), past: self.past.clone() }
    }

    fn clone_from(&mut self, source: &Self) {
        self.state.clone_from(&source.state);
        if !Arc::ptr_eq(&self.level, &source.level) {
            self.level.clone_from(&source.level);
        }
        if !Arc::ptr_eq(&self.past, &source.past) {
            self.past.clone_from(&source.past);
        }
    }
}

impl Model {
    pub(crate) fn new(level: Arc<Level>, mut state: State, past: Arc<Vec<Event>>) -> Self {
        // A model names the tick that comes, not the one that was.
        state.tick += 1;
        Self { level, state, past }
    }

    /// The level that is played.
    pub fn level(&self) -> &Arc<Level> {
        &self.level
    }

    /// The state.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Starts the generator of random numbers anew.
    pub fn reseed(&mut self, seed: i64) {
        self.state.random = JavaRandom::new(seed);
        self.state.noise = JavaRandom::new(!seed);
    }

    /// Plays one tick. Unlike in the real game, actions that an avatar does not have are tried all
    /// the same. Does nothing when the game is over.
    pub fn advance(&mut self, actions: &[Action]) {
        if !self.state.ended {
            Play { rules: &self.level.rules, level: &self.level, state: &mut self.state }.tick(actions);
            self.state.tick += 1;
        }
    }

    /// All that avatars, and what they made, met since the copy was made.
    pub fn news(&self) -> &[Event] {
        &self.state.events
    }

    /// All that avatars, and what they made, met so far.
    pub fn history(&self) -> impl Iterator<Item = &Event> {
        self.past.iter().chain(&self.state.events)
    }
}

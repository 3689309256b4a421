//! A game that is played.

use std::sync::Arc;

use super::{Action, Event, JavaRandom, Level, Model, NONE, Outcome, Play, State, flag};

/// A game in play: the real one, with the seed that decides everything that is left to chance.
#[derive(Clone, Debug)]
pub struct Game {
    level: Arc<Level>,
    state: State,
    history: Arc<Vec<Event>>,
}

impl Game {
    /// Starts a game.
    pub fn new(level: Arc<Level>, seed: i64) -> Self {
        let mut state = level.start.clone();
        state.random = JavaRandom::new(seed);
        state.noise = JavaRandom::new(!seed);
        Self { level, state, history: Arc::default() }
    }

    /// The level that is played.
    pub fn level(&self) -> &Arc<Level> {
        &self.level
    }

    /// The state after the last tick.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Whether a player is asked for an action in the next tick.
    pub fn asks(&self, player: usize) -> bool {
        let slot = self.state.players[player].avatar;
        !self.state.ended && slot != NONE && !self.state.sprites[slot as usize].is(flag::DISABLED)
    }

    /// Plays one tick. Actions that an avatar does not have count as [`Action::Nil`]. Does nothing
    /// when the game is over.
    pub fn advance(&mut self, actions: &[Action]) {
        if self.state.ended {
            return;
        }
        let mut known = [Action::Nil; 2];
        let players = known.iter_mut().zip(actions).take(self.level.rules.players);
        for (player, (known, action)) in players.enumerate() {
            if self.state.actions(&self.level, player).contains(action) {
                *known = *action;
            }
        }
        self.state.tick += 1;
        Play { rules: &self.level.rules, level: &self.level, state: &mut self.state }.tick(&known);
        if !self.state.events.is_empty() {
            Arc::make_mut(&mut self.history).append(&mut self.state.events);
        }
    }

    /// A copy in which a player can try things out. It has its own generator of random numbers.
    pub fn model(&self, seed: i64) -> Model {
        let mut model = Model::new(self.level.clone(), self.state.clone(), self.history.clone());
        model.reseed(seed);
        model
    }

    /// All that avatars, and what they made, met so far.
    pub fn history(&self) -> &[Event] {
        &self.history
    }

    /// The scores as they count at the end: whoever wins has at least one point.
    pub fn result(&self) -> Vec<(Outcome, f64)> {
        let players = self.state.players[..self.level.rules.players].iter();
        let counted = players.map(|player| match player.outcome {
            Outcome::Won if player.score <= 0.0 => (Outcome::Won, 1.0),
            outcome => (outcome, player.score),
        });
        counted.collect()
    }
}

//! What was played so far, and any state of it: what players did is kept, and states now and then, from which the
//! others are played again.

use std::time::{Duration, Instant};

use vgdl::{Action, Game};

/// States of one game may take so much memory.
const BYTES: usize = 16 << 20;
/// A state is kept after so many ticks, or after more of them where states are large.
const TICKS: usize = 64;
/// How long playing a recording again may take.
const REPLAYING: Duration = Duration::from_secs(10);

/// What was played so far.
pub(super) struct Film {
    ticks: Vec<Vec<Action>>,
    latest: Game,
    /// States and the numbers of ticks before them; the first is that of the beginning.
    kept: Vec<(usize, Game)>,
    /// Bytes of those.
    bytes: usize,
    /// Ticks between two of them.
    spacing: usize,
}

impl Film {
    pub(super) fn new(start: Game) -> Self {
        let bytes = start.state().bytes();
        let kept = vec![(0, start.clone())];
        Self { ticks: Vec::new(), latest: start, kept, bytes, spacing: TICKS }
    }

    /// All that a recording tells; none if that takes too long.
    pub(super) fn replay(start: Game, ticks: &[Vec<Action>]) -> Option<Self> {
        let begin = Instant::now();
        let mut film = Self::new(start.clone());
        let mut game = start;
        for actions in ticks {
            if game.state().is_over() {
                break;
            }
            game.advance(actions);
            film.add(&game, actions);
            if begin.elapsed() > REPLAYING {
                return None;
            }
        }
        Some(film)
    }

    /// Adds a tick and the state after it.
    pub(super) fn add(&mut self, game: &Game, actions: &[Action]) {
        self.ticks.push(actions.to_vec());
        self.latest.clone_from(game);
        let before = self.kept.last().map_or(0, |(tick, _)| *tick);
        if self.ticks.len() - before < self.spacing {
            return;
        }
        self.bytes += game.state().bytes();
        self.kept.push((self.ticks.len(), game.clone()));
        while self.bytes > BYTES && self.kept.len() > 1 {
            let mut place = 0;
            self.kept.retain(|_| {
                place += 1;
                place % 2 == 1
            });
            self.bytes = self.kept.iter().map(|(_, game)| game.state().bytes()).sum();
            self.spacing = self.spacing.saturating_mul(2);
        }
    }

    pub(super) fn last(&self) -> usize {
        self.ticks.len()
    }

    pub(super) fn ticks(&self) -> &[Vec<Action>] {
        &self.ticks
    }

    /// A state at or before a tick, and what was done from there on.
    pub(super) fn before(&self, tick: usize) -> (Game, Vec<Vec<Action>>) {
        if tick >= self.last() {
            return (self.latest.clone(), Vec::new());
        }
        let place = self.kept.partition_point(|(kept, _)| *kept <= tick);
        let (from, game) = &self.kept[place.saturating_sub(1)];
        (game.clone(), self.ticks[*from..tick].to_vec())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use vgdl::{Level, SourceFile};

    use super::*;

    #[test]
    fn every_state_is_found_again() {
        let game = bundled::video::all().next().expect("a game");
        let rules = vgdl::compile(&vgdl::parse(&SourceFile::new("rules", game.rules)).description).rules;
        let level = Level::load(Arc::new(rules), &SourceFile::new("level", game.levels[0])).level;
        let start = Game::new(Arc::new(level), 3);
        let (mut film, mut game) = (Film::new(start.clone()), start);
        let mut prints = vec![game.state().random_state()];
        for tick in 0..300 {
            let actions = [Action::ALL[tick % 6]];
            game.advance(&actions);
            film.add(&game, &actions);
            prints.push(game.state().random_state());
        }
        assert!(film.kept.len() > 2);
        for (tick, print) in prints.iter().enumerate() {
            let (mut state, rest) = film.before(tick);
            assert!(rest.len() < TICKS);
            rest.iter().for_each(|actions| state.advance(actions));
            assert_eq!(state.state().random_state(), *print, "{tick}");
            assert_eq!(state.state().tick(), tick as i32 - 1, "{tick}");
        }
        assert_eq!(film.before(9999).0.state().random_state(), game.state().random_state());
    }
}

//! A race goes on during play: short matches from where the game stands, between who plays and the nearest rival.
//!
//! What is better at the beginning need not be better later: a look ahead may win the opening and a tree the ending.
//! Each position is played from both sides, so that who stands better there has no part in it.

use std::sync::Arc;
use std::time::Duration;

use engine::Budget;
use game::{Dice, RuleFault, Simulator};

use super::evidence::Evidence;
use super::question::Bout;
use super::runner::{LEAST_POINT_ERROR, Runner, SURE_OF_MATCHES};
use super::{Setting, is_stopped};

/// One part in so many of a turn is used.
const PARTS: u32 = 32;
/// Positions that must have been played from both sides before the rival takes over.
const FEWEST_PAIRS: usize = 4;

/// Who plays, and who would like to.
pub(crate) struct Rivalry<G: Simulator> {
    game: Arc<G>,
    playing: Runner<G>,
    rival: Runner<G>,
    /// What the rival had more than a half, on the mean of both sides of a position.
    gains: Evidence,
    pair: Option<Pair<G>>,
    begun: u64,
    by_wins: bool,
    move_time: Duration,
    seed: u64,
}

/// A position that is played from both sides.
struct Pair<G: Simulator> {
    start: G::State,
    bout: Bout<G>,
    /// The rival's points on the first side, once that is over.
    first: Option<f64>,
}

impl<G: Simulator> Rivalry<G> {
    /// Between two runners of a race whose matches had so long for a move, and were won by who had the higher goal or
    /// counted by how much higher it was.
    pub(super) fn new(
        game: Arc<G>,
        (playing, rival): (Runner<G>, Runner<G>),
        (by_wins, move_time): (bool, Duration),
        seed: u64,
    ) -> Self {
        let gains = Evidence::default();
        Self { game, playing, rival, gains, pair: None, begun: 0, by_wins, move_time, seed }
    }

    /// Plays for a small part of the turn; what to change to, and why, if the rival has shown to be better.
    pub(crate) fn spend(
        &mut self,
        state: &G::State,
        budget: &Budget<'_>,
    ) -> Result<Option<(Setting<G>, String)>, RuleFault> {
        let Some(turn_ends) = budget.turn_ends else { return Ok(None) };
        let now = (budget.clock)();
        let until = now + turn_ends.saturating_sub(now) / PARTS;
        // Where the clock is as short as that of the race, matches would take the time that they should save.
        while (budget.clock)() + self.move_time <= until && !is_stopped(budget) {
            self.step(state, budget)?;
        }
        Ok(self.reconsider())
    }

    /// One joint move of a match; the next match if that is over.
    fn step(&mut self, state: &G::State, budget: &Budget<'_>) -> Result<(), RuleFault> {
        let Some(pair) = &mut self.pair else {
            self.begun += 1;
            let bout = self.bout(state, 0)?;
            self.pair = Some(Pair { start: state.clone(), bout, first: None });
            return Ok(());
        };
        let until = Some((budget.clock)() + self.move_time);
        let time = Budget { until, simulations: None, ..*budget };
        let ended = pair.bout.step(&mut self.rival.mind, &mut self.playing.mind, &time)?;
        if is_stopped(budget) {
            // What was cut short says nothing of who is better.
            self.pair = None;
            return Ok(());
        }
        let Some(points) = ended else { return Ok(()) };
        let Some(mut pair) = self.pair.take() else { return Ok(()) };
        match pair.first {
            Some(first) => self.gains.add(f64::midpoint(first, points) - 0.5),
            None => {
                pair.bout = self.bout(&pair.start, 1)?;
                pair.first = Some(points);
                self.pair = Some(pair);
            }
        }
        Ok(())
    }

    /// A match from a position: both sides of a pair have the same moves at random first.
    fn bout(&self, start: &G::State, side: usize) -> Result<Bout<G>, RuleFault> {
        let dice = Dice::stream(self.seed ^ 0x9a125, self.begun);
        Bout::new(Arc::clone(&self.game), start, (side, self.by_wins), dice)
    }

    /// Whether the rival takes over. Then it has to show the same again.
    fn reconsider(&mut self) -> Option<(Setting<G>, String)> {
        let count = self.gains.count();
        if count < FEWEST_PAIRS || self.gains.sureness(LEAST_POINT_ERROR) < SURE_OF_MATCHES {
            return None;
        }
        let share = 100.0 * (self.gains.mean() + 0.5);
        std::mem::swap(&mut self.playing, &mut self.rival);
        (self.gains, self.pair) = (Evidence::default(), None);
        let name = self.playing.candidate.name;
        let text = format!(
            "changed to {name} during play: {share:.0}% of the points in {} short matches",
            2 * count
        );
        Some((self.playing.setting(), text))
    }

    /// As if the rival had won all of its matches.
    #[cfg(test)]
    pub(super) fn let_the_rival_win(&mut self) {
        self.gains = Evidence::default();
        (0..FEWEST_PAIRS).for_each(|_| self.gains.add(0.5));
    }

    /// Positions that were played from both sides.
    #[cfg(test)]
    pub(super) fn pairs(&self) -> usize {
        self.gains.count()
    }
}

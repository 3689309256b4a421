//! The race goes on during play: a bandit over the settings that were best.
//!
//! When a move was made, what the tree thought of the moves there is a question with a good answer. In the next turn
//! one of the settings, chosen by an upper confidence bound, and the usual ones answer it in a small part of the time.

use std::time::Duration;

use engine::Budget;
use game::{RuleFault, Simulator};
use search::Parameters;
use search::mcts::{Advice, Search};

use super::evidence::Evidence;
use super::question::Question;
use super::runner::{LEAST_LOSS_ERROR, Runner, SURE};

/// One part in so many of a turn is used.
const PARTS: u32 = 32;
/// Visits that a position must have had for its answer to be good.
const LEAST_VISITS: u32 = 2_000;
/// How much is explored among the settings, in points.
const EXPLORATION: f64 = 2.0;

/// What is compared.
pub(crate) struct Tuning<G: Simulator> {
    /// The first has the usual settings.
    arms: Vec<Runner<G>>,
    /// Which of them plays.
    current: usize,
    question: Option<Question<G::State>>,
    asked: u64,
    seed: u64,
}

impl<G: Simulator> Tuning<G> {
    pub(super) fn new(arms: Vec<Runner<G>>, seed: u64) -> Self {
        Self { arms, current: 0, question: None, asked: 0, seed }
    }

    /// Says which parameters play.
    pub(crate) fn plays(&mut self, parameters: &Parameters) {
        let same = |arm: &Runner<G>| arm.parameters == *parameters;
        self.current = self.arms.iter().position(same).unwrap_or(0);
    }

    /// Takes what a search thought of a position when a move was made there as a question.
    pub(crate) fn remember(&mut self, search: &Search<G>, advice: &Advice) {
        let visits: u32 = advice.candidates.iter().map(|candidate| candidate.visits).sum();
        // A mix has no right answer.
        let is_mixed = advice.best().likelihood.is_some();
        if advice.candidates.len() > 1 && visits >= LEAST_VISITS && !is_mixed {
            self.question = Question::of(advice, search.state());
        }
    }

    /// Has one of the settings and the usual ones answer the question there is, if any. What to change to, and why,
    /// if that changes the choice.
    pub(crate) fn spend(&mut self, budget: &Budget<'_>) -> Result<Option<(Parameters, String)>, RuleFault> {
        let now = (budget.clock)();
        let Some(turn_ends) = budget.turn_ends else { return Ok(None) };
        let Some(question) = self.question.take() else { return Ok(None) };
        let slice: Duration = turn_ends.saturating_sub(now) / PARTS / 2;
        let arm = self.pick();
        self.asked += 1;
        let seed = self.seed.wrapping_add(self.asked);
        let loss = |arm: usize, runners: &mut [Runner<G>]| {
            let until = Some((budget.clock)() + slice);
            let time = Budget { until, simulations: None, ..*budget };
            question.loss_of(&mut runners[arm].mind, seed, &time)
        };
        let usual = loss(0, &mut self.arms)?;
        let other = loss(arm, &mut self.arms)?;
        if super::is_stopped(budget) {
            return Ok(None);
        }
        self.arms[arm].gains.add(usual - other);
        Ok(self.reconsider())
    }

    /// The arm to be asked: upper confidence bounds over what it gains.
    fn pick(&self) -> usize {
        let all: usize = self.arms.iter().map(|arm| arm.gains.count()).sum();
        let bound = |gains: &Evidence| {
            let count = gains.count().max(1) as f64;
            gains.mean() + EXPLORATION * ((all.max(2) as f64).ln() / count).sqrt()
        };
        let bounds = self.arms.iter().enumerate().skip(1).map(|(place, arm)| (bound(&arm.gains), place));
        bounds.max_by(|one, other| one.0.total_cmp(&other.0)).map_or(0, |(_, place)| place)
    }

    /// Whether another one is to play now.
    fn reconsider(&mut self) -> Option<(Parameters, String)> {
        let sureness = |arm: &Runner<G>| arm.gains.sureness(LEAST_LOSS_ERROR);
        let best = (1..self.arms.len())
            .filter(|&place| sureness(&self.arms[place]) >= SURE)
            .max_by(|&one, &other| sureness(&self.arms[one]).total_cmp(&sureness(&self.arms[other])));
        // What plays is given up only when it is no longer better at all.
        let keeps = self.current > 0 && best.is_none() && self.arms[self.current].gains.mean() > 0.0;
        let chosen = if keeps { self.current } else { best.unwrap_or(0) };
        if chosen == self.current {
            return None;
        }
        self.current = chosen;
        let arm = &self.arms[chosen];
        let text = match chosen {
            0 => "went back to the usual settings during play".to_owned(),
            _ => format!("changed to {} during play", super::record(arm)),
        };
        Some((arm.parameters.clone(), text))
    }
}

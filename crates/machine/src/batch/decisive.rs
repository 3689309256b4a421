//! Playouts that look for moves that decide, as far as a game allows it and its circuit does not grow too
//! much. Roles must move in turn; where they move at once, nothing is looked for.

use std::sync::Arc;

use ::circuit::DecisiveLimits;
use game::{Decisive, Game, Job, Outcomes, PlayOptions};

use super::plan::make_plan;
use super::step::{Style, Sweep};
use super::{BatchMachine, LANES, Playouts};
use crate::exclusive::Experience;

/// A sweep may have so many times the gates of one that does not look. Playouts are shorter and tell more:
/// what is lost in speed is won back.
const MOST_GROWTH: usize = 6;

/// The circuit may grow by so many times, while it is made: what nobody needs is left out later.
const MOST_CIRCUIT_GROWTH: usize = 12;

/// Small circuits may grow to so many gates.
const SMALL: usize = 20_000;

/// Gates that may be looked at while the circuit is made: a fraction of a second.
const MOST_WORK: usize = 30_000_000;

/// Playouts that take wins must be shorter than this part of blind ones: where the end comes when it comes,
/// as when the last move is made, looking for it costs time and tells nothing.
const MOST_LENGTH: f64 = 0.95;

/// Playouts by which that is seen.
const SAMPLED: u32 = 4 * LANES as u32;

/// Steps after which these are cut.
const MOST_STEPS: u32 = 1_000;

impl BatchMachine {
    /// The programs of playouts that look so far for moves that decide; `None` if there are none.
    pub(super) fn playouts(&self, level: Decisive, captures: bool) -> Option<&Playouts> {
        if captures {
            let made = &self.capturing[level as usize];
            return made.get_or_init(|| self.make_capturing(level)).as_ref();
        }
        let (stops, made) = match level {
            Decisive::None => return Some(&self.playouts),
            Decisive::Wins => (false, &self.decisive[0]),
            Decisive::WinsAndStops => (true, &self.decisive[1]),
        };
        made.get_or_init(|| self.make_decisive(stops)).as_ref()
    }

    fn make_decisive(&self, stops: bool) -> Option<Playouts> {
        // Where wins are not worth looking for, stopping them is not either.
        if stops && (self.playouts(Decisive::Wins, false).is_none() || self.win_together()) {
            return None;
        }
        let turns = self.machine.turns().of_circuit();
        let gates = (self.circuit().gates.len() * MOST_CIRCUIT_GROWTH).max(SMALL);
        let made = self.circuit().decisive(&turns, stops, DecisiveLimits { gates, work: MOST_WORK })?;
        let circuit = Arc::new(made.circuit);
        let plan = make_plan(&self.machine, &circuit, &self.layout, self.goals_apart);
        let playouts = Playouts::new(circuit, Some(made.settled), plan);
        let is_small = self.sweep_size(&playouts) <= MOST_GROWTH * self.sweep_size(&self.playouts);
        (is_small && (stops || self.is_worth_it(&playouts))).then_some(playouts)
    }

    /// Whether playouts that take wins come to an end sooner.
    fn is_worth_it(&self, playouts: &Playouts) -> bool {
        let lengths = [&self.playouts, playouts].map(|playouts| self.mean_length(playouts));
        matches!(lengths, [Some(blind), Some(seeing)] if seeing <= MOST_LENGTH * blind)
    }

    /// Some playouts from the beginning.
    pub(super) fn try_out(&self, playouts: &Playouts) -> Option<Outcomes> {
        let (start, mut outcomes) = (self.initial(), Outcomes::default());
        let options = PlayOptions { seed: 1, most_steps: MOST_STEPS, ..PlayOptions::default() };
        let jobs = [Job::new(&start, SAMPLED)];
        self.play_by(playouts, &mut self.workspace(), &jobs, &options, None, &mut outcomes).ok()?;
        Some(outcomes)
    }

    fn mean_length(&self, playouts: &Playouts) -> Option<f64> {
        let outcomes = self.try_out(playouts)?;
        let steps: u64 = (0..outcomes.len()).map(|playout| u64::from(outcomes.length(playout))).sum();
        Some(steps as f64 / outcomes.len().max(1) as f64)
    }

    /// Gates of a sweep, on average over a round.
    pub(super) fn sweep_size(&self, playouts: &Playouts) -> usize {
        let sweeps = self.sweeps(playouts, &playouts.plan, Style::Random);
        sweeps.iter().map(Sweep::size).sum::<usize>() / sweeps.len().max(1)
    }

    /// Whether two roles were seen to win together: then nobody's win is to be stopped.
    fn win_together(&self) -> bool {
        let mut workspace = self.machine.workspace();
        let mut goals = Vec::new();
        Experience::gather(&self.machine).ends.iter().any(|(_, end)| {
            let read = self.machine.goals(&mut workspace, end, &mut goals);
            read.is_ok() && goals.iter().filter(|goal| goal.value().0 == 100).count() > 1
        })
    }
}

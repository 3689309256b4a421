//! An evaluation that is learnt from the rules before an engine thinks.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use engine::{Budget, Event, Seat};
use eval::{Choice, LearnError, Prepared};
use game::{Describe, Simulator};
use gdl::normal::NormalRules;
use machine::MachineKind;

/// The part of the time until a move is due that may go into it.
const LEARNING_PART: u32 = 2;
/// How many times as long as before it is tried again.
const GROWTH: u32 = 2;
/// With less time than this until a move is due there is none for learning: thinking about the move comes first.
const LEAST_TIME: Duration = Duration::from_millis(500);

/// An evaluation that is still to be made ready, once there are lanes to learn in.
pub(super) struct Evaluation {
    pub(super) choice: Choice,
    pub(super) rules: Option<Arc<NormalRules>>,
    seed: u64,
    kind: MachineKind,
    is_done: bool,
    /// Whether it was told that there are no lanes.
    is_told: bool,
    /// How long it was tried without coming to an end.
    in_vain: Duration,
}

impl Evaluation {
    /// What the settings of a seat ask for.
    pub(super) fn new(seat: &Seat<'_>) -> Self {
        let choice = Choice::read(seat.settings);
        let (rules, kind) = (seat.machine.rules().cloned(), seat.machine.kind());
        Self {
            choice,
            rules,
            seed: seat.seed,
            kind,
            is_done: choice.method.is_none(),
            is_told: false,
            in_vain: Duration::ZERO,
        }
    }

    /// Makes it ready, if that is still to be done and there is time for it. What cannot be learnt is told, and the
    /// engine goes on without.
    pub(super) fn prepare<G: Simulator + Describe + 'static>(
        &mut self,
        engine: &'static str,
        game: &Arc<G>,
        budget: &Budget<'_>,
        events: &mut Vec<Event>,
    ) -> Option<Prepared<G::State>> {
        if self.is_done {
            return None;
        }
        if self.kind != MachineKind::Batch {
            if !self.is_told {
                self.is_told = true;
                let kind = self.kind.name();
                let text =
                    format!("nothing is valued on the machine `{kind}`: functions are learnt in lanes only");
                events.push(Event::Said { engine, text });
            }
            return None;
        }
        let begun = (budget.clock)();
        if budget.turn_ends.is_some_and(|end| end.saturating_sub(begun) < LEAST_TIME) {
            return None;
        }
        let time = budget.turn_ends.map(|end| end.saturating_sub(begun) / LEARNING_PART);
        // What did not come to an end would not in the next turn of the same length: each would lose a part of its time.
        if time.is_some_and(|time| time < GROWTH * self.in_vain) {
            return None;
        }
        let until = time.map(|time| begun + time);
        let is_stopped = || budget.stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
        let goes_on = || !is_stopped() && until.is_none_or(|until| (budget.clock)() < until);
        let (prepared, text) = match self.choice.prepare(game, self.rules.as_deref(), self.seed, &goes_on) {
            // Another turn may have more time.
            Err(LearnError::Stopped) => {
                self.in_vain = (budget.clock)().saturating_sub(begun);
                return None;
            }
            Ok(None) => (None, None),
            Ok(Some(prepared)) => {
                let text = format!("states are valued: {}", prepared.told);
                (Some(prepared), Some(text))
            }
            Err(error) => (None, Some(format!("states are not valued: {error}"))),
        };
        self.is_done = true;
        events.extend(text.map(|text| Event::Said { engine, text }));
        prepared
    }
}

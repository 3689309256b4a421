//! The clock of people.

use std::time::{Duration, Instant};

use referee::Answer;

use super::conductor::{Conductor, REST};

impl Conductor<'_> {
    /// How long an order is waited for.
    pub(super) fn patience(&self) -> Duration {
        self.deadline.map_or(REST, |deadline| deadline.saturating_duration_since(Instant::now()).min(REST))
    }

    /// People who have to choose and have not.
    fn awaited_people(&self) -> Vec<usize> {
        let counts = self.current.count_choices();
        let awaited = |role: &usize| {
            counts[*role] > 1 && self.chosen[*role].is_none() && self.brief.terms.seats[*role].is_person()
        };
        (0..counts.len()).filter(awaited).collect()
    }

    /// The referee draws a move for who has taken too long, and records it. Where nobody looks the clock begins anew:
    /// nobody is hurried who has closed the page.
    pub(super) fn look_at_the_clock(&mut self, is_watched: bool) {
        if self.deadline.is_none_or(|deadline| deadline > Instant::now()) {
            return;
        }
        self.deadline = None;
        if is_watched {
            for role in self.awaited_people() {
                self.chosen[role] = Some(Answer::Late.into());
            }
        }
    }

    /// The clock runs while people are waited for: from the beginning of the turn, and anew after a pause.
    pub(super) fn wind(&mut self) {
        let waits = !self.brief.terms.paused
            && self.fault.is_none()
            && !self.current.is_over()
            && !self.awaited_people().is_empty();
        self.deadline = match (self.brief.terms.play_clock, self.deadline) {
            (Some(seconds), None) if waits => {
                Duration::try_from_secs_f64(seconds).ok().map(|time| Instant::now() + time)
            }
            (Some(_), deadline) if waits => deadline,
            _ => None,
        };
    }
}

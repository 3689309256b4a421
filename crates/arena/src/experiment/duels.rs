//! Experiments that are made of duels: one player against another in a game, a figure beside it, and
//! a bar that is to be met.

use super::Laboratory;
use crate::statistics::{Share, Tally};
use crate::{ArenaError, Contestant, MatchRecord, Thinking, names};

/// One player against another.
#[derive(Clone, Debug)]
pub struct Duel {
    /// The bundled game.
    pub game: &'static str,
    /// The player whose share is told.
    pub first: Contestant,
    /// The other one.
    pub second: Contestant,
    /// The row it stands in.
    pub row: String,
    /// The column it stands in.
    pub column: String,
    /// The published share of the first player and its interval, in per cent.
    pub published: Option<(f64, f64)>,
    /// What our share is to reach.
    pub bar: Option<Bar>,
}

/// What is to be reached.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bar {
    /// At least this share, in per cent.
    AtLeast(f64),
    /// More than this share, in per cent.
    Above(f64),
}

/// How a duel ended.
#[derive(Clone, Debug)]
pub struct DuelResult {
    /// Who played what.
    pub duel: Duel,
    /// The scores of the first player.
    pub tally: Tally,
    /// Their mean.
    pub share: Share,
    /// Matches that were broken off: draws.
    pub cut: usize,
}

impl Duel {
    /// A duel of two agents, which have to exist.
    pub(super) fn new(
        game: &'static str,
        first: (&str, Thinking),
        second: (&str, Thinking),
    ) -> Result<Self, ArenaError> {
        Ok(Self {
            game,
            first: Contestant::read(first.0, first.1)?,
            second: Contestant::read(second.0, second.1)?,
            row: game.to_owned(),
            column: String::new(),
            published: None,
            bar: None,
        })
    }

    /// Where its result stands.
    pub(super) fn at(mut self, row: impl Into<String>, column: impl Into<String>) -> Self {
        (self.row, self.column) = (row.into(), column.into());
        self
    }

    /// What was published.
    pub(super) fn published(mut self, share: f64, interval: f64) -> Self {
        self.published = Some((share, interval));
        self
    }

    /// What is to be reached.
    pub(super) fn bar(mut self, bar: Bar) -> Self {
        self.bar = Some(bar);
        self
    }

    /// The names of the two in records.
    pub fn names(&self) -> Vec<String> {
        names(&[self.first.clone(), self.second.clone()])
    }

    /// Counts its matches; `None` without any.
    pub(super) fn result(self, records: &[MatchRecord]) -> Option<DuelResult> {
        let first = &self.names()[0];
        let mut tally = Tally::default();
        records.iter().filter_map(|record| record.score(first)).for_each(|score| tally.add(score));
        let share = tally.share()?;
        let cut = records.iter().filter(|record| record.cut).count();
        Some(DuelResult { duel: self, tally, share, cut })
    }
}

impl Bar {
    /// Whether a share in per cent is enough.
    pub fn is_met(self, share: f64) -> bool {
        match self {
            Bar::AtLeast(least) => share >= least,
            Bar::Above(least) => share > least,
        }
    }

    /// Whether more matches are not likely to change that it is met: the whole interval is on the
    /// right side of the bar.
    pub fn is_safe(self, share: &Share) -> bool {
        self.is_met(100.0 * share.low())
    }
}

impl DuelResult {
    /// Plays on, twice as many matches each time, until it is clear whether the bar is met or there are
    /// as many matches as there may be.
    pub(super) fn go_on(
        &mut self,
        laboratory: &mut dyn Laboratory,
        mut matches: u64,
        most: u64,
    ) -> Result<(), ArenaError> {
        while matches < most && self.is_open() {
            matches = most.min(2 * matches);
            let records = laboratory.play(std::slice::from_ref(&self.duel), matches)?;
            if let Some(more) = records.first().and_then(|records| self.duel.clone().result(records)) {
                *self = more;
            }
        }
        Ok(())
    }

    /// Whether the interval has a part on either side of the bar.
    fn is_open(&self) -> bool {
        let meets = |bar: Bar, share: f64| bar.is_met(100.0 * share);
        self.duel.bar.is_some_and(|bar| meets(bar, self.share.high()) && !meets(bar, self.share.low()))
    }

    /// Whether it has a bar and did not meet it.
    pub(super) fn is_missed(&self) -> bool {
        self.duel.bar.is_some_and(|bar| !bar.is_met(100.0 * self.share.mean))
    }

    /// Whether it met its bar, but the interval has a part on the other side.
    pub(super) fn is_unsafe(&self) -> bool {
        !self.is_missed() && self.duel.bar.is_some_and(|bar| !bar.is_safe(&self.share))
    }
}

impl std::fmt::Display for Bar {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Bar::AtLeast(least) => write!(out, "at least {least:.1}"),
            Bar::Above(least) => write!(out, "above {least:.1}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_is_safe_if_the_whole_interval_is_on_the_right_side() {
        let share = |mean: f64, interval: f64| Share { mean: mean / 100.0, interval: interval / 100.0 };
        for (bar, share, met, safe) in [
            (Bar::AtLeast(42.0), share(50.0, 7.0), true, true),
            (Bar::AtLeast(42.0), share(50.0, 9.0), true, false),
            (Bar::AtLeast(42.0), share(41.0, 9.0), false, false),
            (Bar::Above(50.0), share(75.0, 25.0), true, false),
            (Bar::AtLeast(50.0), share(75.0, 25.0), true, true),
        ] {
            let found = (bar.is_met(100.0 * share.mean), bar.is_safe(&share));
            assert_eq!(found, (met, safe), "{bar} {share:?}");
        }
    }
}

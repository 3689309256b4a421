//! Experiments that are made of duels: one player against another in a game, a figure beside it, and
//! a bar that is to be met.

use crate::statistics::{Share, Tally};
use crate::{Contestant, MatchRecord, Thinking, names};

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
}

impl Duel {
    /// A duel of two agents, which have to exist.
    pub(super) fn new(
        game: &'static str,
        first: (&str, Thinking),
        second: (&str, Thinking),
    ) -> Result<Self, crate::ArenaError> {
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
        Some(DuelResult { duel: self, tally, share })
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
}

impl std::fmt::Display for Bar {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Bar::AtLeast(least) => write!(out, "at least {least:.1}"),
            Bar::Above(least) => write!(out, "above {least:.1}"),
        }
    }
}

//! The matches of a tournament as they come in, and where the test stands after those before the first gap.

use crate::sprt::Verdict;
use crate::statistics::Tally;
use crate::{Fixture, MatchRecord, Progress, TestState, Tournament};

/// What was played so far.
pub(crate) struct Count<'a> {
    tournament: &'a Tournament,
    records: Vec<Option<MatchRecord>>,
    pub(crate) done: usize,
    pub(crate) passed_over: usize,
    /// All matches before this one are done and, two by two, in `pairs`.
    before: usize,
    pairs: Tally,
    verdict: Verdict,
    /// Where each match's partner is, if it comes later.
    partners: Vec<Option<usize>>,
}

impl<'a> Count<'a> {
    pub(crate) fn new(tournament: &'a Tournament, fixtures: &[Fixture]) -> Self {
        // A match and the one with exchanged roles follow each other.
        let partner = |place: usize| {
            let (one, two) = (&fixtures[place], fixtures.get(place + 1)?);
            let together = (one.game, one.pair, one.round / 2) == (two.game, two.pair, two.round / 2);
            (together && one.pair.0 != one.pair.1).then_some(place + 1)
        };
        Self {
            tournament,
            records: vec![None; fixtures.len()],
            done: 0,
            passed_over: 0,
            before: 0,
            pairs: Tally::default(),
            verdict: Verdict::Open,
            partners: (0..fixtures.len()).map(partner).collect(),
        }
    }

    pub(crate) fn put(&mut self, place: usize, record: MatchRecord) {
        self.done += usize::from(self.records[place].is_none());
        self.records[place] = Some(record);
    }

    pub(crate) fn open(&self) -> impl Iterator<Item = usize> {
        (0..self.records.len()).filter(|&place| self.records[place].is_none())
    }

    pub(crate) fn is_decided(&self) -> bool {
        self.verdict != Verdict::Open
    }

    /// Counts what is complete, in order, until the test is decided.
    pub(crate) fn advance(&mut self) {
        let Some(sprt) = &self.tournament.sprt else { return };
        while !self.is_decided()
            && let Some(Some(record)) = self.records.get(self.before)
        {
            let first = &self.tournament.players[0];
            if let Some(partner) = self.partners[self.before] {
                let Some(Some(exchanged)) = self.records.get(partner) else { return };
                if let (Some(one), Some(two)) = (record.score(first), exchanged.score(first)) {
                    self.pairs.add((one + two) / 2.0);
                    self.verdict = sprt.verdict(&self.pairs);
                }
                self.before = partner;
            }
            self.before += 1;
        }
    }

    pub(crate) fn state(&self) -> Option<TestState> {
        let sprt = self.tournament.sprt.as_ref()?;
        let (low, high) = sprt.bounds();
        let log_ratio = sprt.log_ratio(&self.pairs);
        Some(TestState { log_ratio, low, high, verdict: self.verdict, pairs: self.pairs.len() })
    }

    pub(crate) fn progress(&self, last: Option<usize>) -> Progress<'_> {
        let last = last.and_then(|place| self.records[place].as_ref());
        let (done, all, passed_over) = (self.done, self.records.len(), self.passed_over);
        Progress { done, all, last, test: self.state(), passed_over }
    }

    /// The matches that count: all, or those up to the decision.
    pub(crate) fn into_records(self) -> Vec<MatchRecord> {
        let until = if self.is_decided() { self.before } else { self.records.len() };
        self.records.into_iter().take(until).flatten().collect()
    }
}

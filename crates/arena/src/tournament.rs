//! A tournament: the matches of a schedule, several at a time, each counted once.
//!
//! The order of the schedule decides, not the order in which matches happen to end: a test that stops
//! early looks at the matches before the first gap only. Where players think by simulations the
//! outcome is the same for any number of jobs and however often the tournament was interrupted.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;

use crate::sprt::{Sprt, Verdict};
use crate::statistics::Tally;
use crate::{ArenaError, Fixture, Ledger, MatchKey, MatchRecord, Schedule};

/// What is to be played.
#[derive(Clone, Debug)]
pub struct Tournament {
    /// The names of the games, in the order of the schedule's roles.
    pub games: Vec<String>,
    /// The names of the players; no two are equal.
    pub players: Vec<String>,
    /// Who plays whom.
    pub schedule: Schedule,
    /// When to stop early; for two players.
    pub sprt: Option<Sprt>,
}

/// How a tournament came out.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The matches that count, in the order of the schedule.
    pub records: Vec<MatchRecord>,
    /// Where the test stands, if there is one.
    pub test: Option<TestState>,
    /// Matches that were read from the file.
    pub resumed: usize,
}

/// Where a sequential test stands.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct TestState {
    /// The logarithm of the likelihood ratio.
    pub log_ratio: f64,
    /// Where the gain is rejected.
    pub low: f64,
    /// Where it is accepted.
    pub high: f64,
    /// What is decided.
    pub verdict: Verdict,
    /// Pairs of matches it rests on.
    pub pairs: u64,
}

/// How far a tournament is, told after every match.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// Matches that are done, those of earlier runs included.
    pub done: usize,
    /// Matches in all.
    pub all: usize,
    /// The match that ended last; none at the beginning.
    pub last: Option<&'a MatchRecord>,
    /// Where the test stands.
    pub test: Option<TestState>,
}

impl Tournament {
    /// What tells a match from all others.
    pub fn key(&self, fixture: &Fixture) -> MatchKey {
        MatchKey {
            game: self.games[fixture.game].clone(),
            seats: fixture.seats.iter().map(|&player| self.players[player].clone()).collect(),
            round: fixture.round,
            seed: fixture.seed,
        }
    }

    /// Plays all matches that are not in the ledger, so many at a time, until all are done, the
    /// test is decided or `stop` is set. `play` plays one match; the first error ends everything.
    pub fn run<Fault: From<ArenaError> + Send>(
        &self,
        ledger: Option<(Ledger, HashMap<MatchKey, MatchRecord>)>,
        jobs: usize,
        stop: &AtomicBool,
        play: impl Fn(&Fixture, MatchKey) -> Result<MatchRecord, Fault> + Sync,
        mut tell: impl FnMut(Progress<'_>),
    ) -> Result<Outcome, Fault> {
        let fixtures = self.schedule.fixtures();
        let (mut ledger, mut known) = match ledger {
            Some((ledger, known)) => (Some(ledger), known),
            None => (None, HashMap::new()),
        };
        let mut count = Count::new(self, &fixtures);
        for (place, fixture) in fixtures.iter().enumerate() {
            if let Some(record) = known.remove(&self.key(fixture)) {
                count.put(place, record);
            }
        }
        let resumed = count.done;
        count.advance();
        tell(count.progress(None));
        let open: Vec<usize> = if count.is_decided() { Vec::new() } else { count.open().collect() };
        let (next, halt) = (AtomicUsize::new(0), AtomicBool::new(false));
        let (sender, results) = mpsc::channel();
        let fault = std::thread::scope(|scope| {
            for _ in 0..jobs.clamp(1, open.len().max(1)) {
                let (sender, open, next, halt, fixtures, play) =
                    (sender.clone(), &open, &next, &halt, &fixtures, &play);
                scope.spawn(move || {
                    while !halt.load(Ordering::Relaxed) && !stop.load(Ordering::Relaxed) {
                        let Some(&place) = open.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
                        let played = play(&fixtures[place], self.key(&fixtures[place]));
                        if sender.send((place, played)).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            let mut fault = None;
            for (place, played) in results {
                let kept = played.and_then(|record| {
                    if let Some(ledger) = &mut ledger {
                        ledger.add(&record)?;
                    }
                    Ok(record)
                });
                match kept {
                    Ok(record) => {
                        count.put(place, record);
                        count.advance();
                        tell(count.progress(Some(place)));
                    }
                    Err(error) => fault = fault.or(Some(error)),
                }
                if fault.is_some() || count.is_decided() {
                    halt.store(true, Ordering::Relaxed);
                }
            }
            fault
        });
        match fault {
            Some(fault) => Err(fault),
            None => Ok(Outcome { resumed, test: count.state(), records: count.into_records() }),
        }
    }
}

/// What was played so far.
struct Count<'a> {
    tournament: &'a Tournament,
    records: Vec<Option<MatchRecord>>,
    done: usize,
    /// All matches before this one are done and, two by two, in `pairs`.
    before: usize,
    pairs: Tally,
    verdict: Verdict,
    /// Where each match's partner is, if it comes later.
    partners: Vec<Option<usize>>,
}

impl<'a> Count<'a> {
    fn new(tournament: &'a Tournament, fixtures: &[Fixture]) -> Self {
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
            before: 0,
            pairs: Tally::default(),
            verdict: Verdict::Open,
            partners: (0..fixtures.len()).map(partner).collect(),
        }
    }

    fn put(&mut self, place: usize, record: MatchRecord) {
        self.done += usize::from(self.records[place].is_none());
        self.records[place] = Some(record);
    }

    fn open(&self) -> impl Iterator<Item = usize> {
        (0..self.records.len()).filter(|&place| self.records[place].is_none())
    }

    fn is_decided(&self) -> bool {
        self.verdict != Verdict::Open
    }

    /// Counts what is complete, in order, until the test is decided.
    fn advance(&mut self) {
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

    fn state(&self) -> Option<TestState> {
        let sprt = self.tournament.sprt.as_ref()?;
        let (low, high) = sprt.bounds();
        let log_ratio = sprt.log_ratio(&self.pairs);
        Some(TestState { log_ratio, low, high, verdict: self.verdict, pairs: self.pairs.len() })
    }

    fn progress(&self, last: Option<usize>) -> Progress<'_> {
        let last = last.and_then(|place| self.records[place].as_ref());
        Progress { done: self.done, all: self.records.len(), last, test: self.state() }
    }

    /// The matches that count: all, or those up to the decision.
    fn into_records(self) -> Vec<MatchRecord> {
        let until = if self.is_decided() { self.before } else { self.records.len() };
        self.records.into_iter().take(until).flatten().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Effort;
    use game::Dice;

    /// A tournament whose first player wins that often.
    fn tournament(matches: u64, sprt: Option<Sprt>) -> Tournament {
        let schedule = Schedule { roles: vec![2, 2], players: 2, matches, seed: 3 };
        let (games, players) = (["g", "h"], ["a", "b"]);
        Tournament {
            games: games.map(str::to_owned).to_vec(),
            players: players.map(str::to_owned).to_vec(),
            schedule,
            sprt,
        }
    }

    /// Decides a match by lot.
    fn lot(chance: f64) -> impl Fn(&Fixture, MatchKey) -> Result<MatchRecord, ArenaError> + Sync {
        move |fixture, key| {
            let wins = Dice::stream(fixture.seed, fixture.round % 2).unit() < chance;
            let goals = if wins == (fixture.seats[0] == 0) { vec![100, 0] } else { vec![0, 100] };
            let effort = vec![Effort::default(); 2];
            Ok(MatchRecord {
                key,
                goals,
                moves: Vec::new(),
                effort,
                faults: Vec::new(),
                version: String::new(),
            })
        }
    }

    #[test]
    fn any_number_of_jobs_gives_the_same() {
        let sprt = Sprt::new(0.0, 50.0, 0.05).ok();
        let runs: Vec<Outcome> = [1, 2, 7]
            .map(|jobs| {
                tournament(400, sprt)
                    .run(None, jobs, &AtomicBool::new(false), lot(0.7), |_| ())
                    .expect("no fault")
            })
            .into();
        assert!(runs.iter().all(|run| run.records == runs[0].records && run.test == runs[0].test));
        let test = runs[0].test.expect("a test");
        assert_eq!((test.verdict, test.pairs * 2), (Verdict::Gain, runs[0].records.len() as u64));
        assert!(runs[0].records.len() < 400, "it stopped early");
    }

    #[test]
    fn an_interrupted_tournament_goes_on_where_it_was() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("matches.jsonl");
        let tournament = tournament(10, None);
        let whole = tournament.run(None, 1, &AtomicBool::new(false), lot(0.6), |_| ()).expect("no fault");
        assert_eq!(whole.records.len(), 20);
        let mut resumed = 0;
        // Every run is stopped after three matches, and leaves half a line behind.
        for _ in 0..8 {
            let stop = AtomicBool::new(false);
            let tell = |progress: Progress<'_>| stop.store(progress.done >= resumed + 3, Ordering::Relaxed);
            let ledger = Ledger::open(&path).expect("the file");
            let outcome = tournament.run(Some(ledger), 2, &stop, lot(0.6), tell).expect("no fault");
            assert_eq!(outcome.resumed, resumed);
            resumed = outcome.records.len();
            let mut text = std::fs::read(&path).expect("the file");
            text.extend(b"{\"game\":\"g\",\"se");
            std::fs::write(&path, text).expect("written");
        }
        let (ledger, known) = Ledger::open(&path).expect("the file");
        assert_eq!(known.len(), 20);
        let played = |_: &Fixture, _: MatchKey| -> Result<MatchRecord, ArenaError> {
            panic!("nothing is left to play")
        };
        let again = tournament
            .run(Some((ledger, known)), 1, &AtomicBool::new(false), played, |_| ())
            .expect("no fault");
        assert_eq!(again.records, whole.records);
    }

    #[test]
    fn a_fault_ends_everything() {
        let play = |fixture: &Fixture, key: MatchKey| match fixture.round {
            3 => Err(ArenaError::InUse("here".into())),
            _ => lot(0.5)(fixture, key),
        };
        let run = tournament(100, None).run(None, 2, &AtomicBool::new(false), play, |_| ());
        assert!(matches!(run, Err(ArenaError::InUse(_))));
    }
}

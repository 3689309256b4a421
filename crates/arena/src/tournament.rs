//! A tournament: the matches of a schedule, several at a time, each counted once.
//!
//! The order of the schedule decides, not the order in which matches happen to end: a test that stops
//! early looks at the matches before the first gap only. Where players think by simulations the
//! outcome is the same for any number of jobs and however often the tournament was interrupted.

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;

use crate::count::Count;
use crate::sprt::{Sprt, Verdict};
use crate::{
    ArenaError, Conditions, Contestant, Fingerprint, Fixture, Ground, Known, Ledger, MatchKey, MatchRecord,
    MatchRules, Schedule, names,
};

/// What is to be played.
#[derive(Clone, Debug)]
pub struct Tournament {
    /// The names of the games, in the order of the schedule's roles.
    pub games: Vec<String>,
    /// The names of the players; no two are equal.
    pub players: Vec<String>,
    /// What decides how matches go, beside these names.
    pub conditions: Conditions,
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
    /// Matches in the file that would count, had they been played under the same conditions.
    pub passed_over: usize,
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
    /// Matches in the file that would count, had they been played under the same conditions.
    pub passed_over: usize,
}

impl Progress<'_> {
    /// What whoever goes on with a file should know before matches are played; told at the beginning.
    pub fn warning(&self) -> Option<String> {
        let count = self.passed_over;
        (count > 0 && self.last.is_none()).then(|| {
            format!(
                "{count} matches in the file are not counted and stay as they are: the rules, values of \
                 parameters, clocks or the limit of steps were others, or were not noted down yet"
            )
        })
    }
}

const STACK_BYTES: usize = 64 << 20;

impl Tournament {
    /// Every two players in every game, so many times.
    pub fn new(
        grounds: &[Ground],
        players: &[Contestant],
        rules: MatchRules,
        matches: u64,
        seed: u64,
    ) -> Self {
        let roles = grounds.iter().map(|ground| ground.roles().len()).collect();
        Self {
            games: grounds.iter().map(|ground| ground.name().to_owned()).collect(),
            players: names(players),
            conditions: Conditions::new(grounds, players, rules),
            schedule: Schedule { roles, players: players.len(), matches, seed, gauntlet: false },
            sprt: None,
        }
    }

    /// What tells a match from all others.
    pub fn key(&self, fixture: &Fixture) -> MatchKey {
        MatchKey {
            game: self.games[fixture.game].clone(),
            seats: fixture.seats.iter().map(|&player| self.players[player].clone()).collect(),
            round: fixture.round,
            seed: fixture.seed,
        }
    }

    /// What a match is counted by, in a file of many.
    fn entry(&self, fixture: &Fixture) -> (MatchKey, Option<Fingerprint>) {
        (self.key(fixture), Some(self.conditions.of(fixture)))
    }

    /// Plays all matches that are not in the ledger under the same conditions, so many at a time, until all are done, the
    /// test is decided or `stop` is set. `play` plays one match; the first error ends everything.
    pub fn run<Fault: From<ArenaError> + Send>(
        &self,
        ledger: Option<(Ledger, Known)>,
        jobs: usize,
        stop: &AtomicBool,
        play: impl Fn(&Fixture, MatchKey) -> Result<MatchRecord, Fault> + Sync,
        mut tell: impl FnMut(Progress<'_>),
    ) -> Result<Outcome, Fault> {
        let fixtures = self.schedule.fixtures();
        let (mut ledger, mut known) = match ledger {
            Some((ledger, known)) => (Some(ledger), known),
            None => (None, Known::new()),
        };
        let mut count = Count::new(self, &fixtures);
        for (place, fixture) in fixtures.iter().enumerate() {
            if let Some(record) = known.remove(&self.entry(fixture)) {
                count.put(place, record);
            }
        }
        let resumed = count.done;
        count.passed_over = self.passed_over(&fixtures, &known);
        count.advance();
        tell(count.progress(None));
        let open: Vec<usize> = if count.is_decided() { Vec::new() } else { count.open().collect() };
        let (next, halt) = (AtomicUsize::new(0), AtomicBool::new(false));
        let (sender, results) = mpsc::channel();
        let fault = std::thread::scope(|scope| {
            for _ in 0..jobs.clamp(1, open.len().max(1)) {
                let (sender, open, next, halt, fixtures, play) =
                    (sender.clone(), &open, &next, &halt, &fixtures, &play);
                let work = move || {
                    while !halt.load(Ordering::Relaxed) && !stop.load(Ordering::Relaxed) {
                        let Some(&place) = open.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
                        let play = || play(&fixtures[place], self.key(&fixtures[place]));
                        // Whoever waits for the match is told; the rest of the matches is not waited for.
                        let played = catch_unwind(AssertUnwindSafe(play)).unwrap_or_else(|panic| {
                            Err(ArenaError::Panicked(player::panic_message(&*panic)).into())
                        });
                        if sender.send((place, played)).is_err() {
                            break;
                        }
                    }
                };
                // Terms that rules build may be nested deep; only what is used of the stack is taken.
                let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work);
                if let Err(error) = thread {
                    return Some(ArenaError::NoThread(error.to_string()).into());
                }
            }
            drop(sender);
            let mut fault = None;
            for (place, played) in results {
                let kept = played.and_then(|mut record| {
                    record.fingerprint = Some(self.conditions.of(&fixtures[place]));
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
            None => Ok(Outcome {
                resumed,
                passed_over: count.passed_over,
                test: count.state(),
                records: count.into_records(),
            }),
        }
    }

    /// How many matches of these are among others that were not taken.
    fn passed_over(&self, fixtures: &[Fixture], others: &Known) -> usize {
        if others.is_empty() {
            return 0;
        }
        let keys: HashSet<MatchKey> = fixtures.iter().map(|fixture| self.key(fixture)).collect();
        others.keys().filter(|(key, _)| keys.contains(key)).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Effort;
    use game::Dice;

    /// A tournament whose first player wins that often.
    fn tournament(matches: u64, sprt: Option<Sprt>) -> Tournament {
        let schedule = Schedule { roles: vec![2, 2], players: 2, matches, seed: 3, gauntlet: false };
        let (games, players) = (["g", "h"], ["a", "b"]);
        Tournament {
            games: games.map(str::to_owned).to_vec(),
            players: players.map(str::to_owned).to_vec(),
            conditions: Conditions::default(),
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
                fingerprint: None,
                cut: false,
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
    fn matches_played_under_other_conditions_do_not_count() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("matches.jsonl");
        let text = bundled::find("nim").expect("bundled").rules;
        let ground = |text: &str| {
            let rules = gdl::normal::read(text);
            Ground::build("nim", rules, std::time::Duration::from_secs(60), 1 << 30).expect("a machine")
        };
        let (usual, changed) = (ground(text), ground(&text.replacen("100", "99", 1)));
        // An agent whose default was changed keeps its name.
        let players = |first: &str| {
            [first, "random"]
                .map(|text| Contestant::read(text, crate::Thinking::Simulations(5)).expect("a player"))
        };
        let run = |ground: &Ground, first: &str, file: &std::path::Path| {
            let mut tournament =
                Tournament::new(std::slice::from_ref(ground), &players(first), MatchRules::default(), 4, 1);
            tournament.players = ["a", "b"].map(str::to_owned).to_vec();
            let (ledger, mut told) = (Ledger::open(file).expect("the file"), None);
            let tell = |progress: Progress<'_>| told = told.take().or(progress.warning());
            let outcome = tournament
                .run::<ArenaError>(Some(ledger), 1, &AtomicBool::new(false), lot(0.5), tell)
                .expect("no fault");
            assert_eq!(told.is_some(), outcome.passed_over > 0, "{told:?}");
            assert!(told.is_none_or(|told| told.starts_with(&format!("{} matches", outcome.passed_over))));
            (outcome.resumed, outcome.passed_over, outcome.records.len())
        };
        assert_eq!(run(&usual, "cadia-uct", &path), (0, 0, 4));
        assert_eq!(run(&usual, "cadia-uct", &path), (4, 0, 4));
        let before = std::fs::read_to_string(&path).expect("the file");
        assert_eq!(run(&usual, "cadia-uct:tau=7", &path), (0, 4, 4));
        assert_eq!(run(&changed, "cadia-uct", &path), (0, 8, 4));
        // All three are in the file, and each is counted once where it belongs.
        assert_eq!(run(&usual, "cadia-uct", &path), (4, 8, 4));
        let after = std::fs::read_to_string(&path).expect("the file");
        assert!(after.starts_with(&before) && after.lines().count() == 12, "{after}");
        // A file of a version that did not note the conditions.
        let old: Vec<serde_json::Value> = before
            .lines()
            .map(|line| {
                let mut record: serde_json::Value = serde_json::from_str(line).expect("JSON");
                record["ludens"].as_object_mut().expect("an object").remove("fingerprint").expect("noted");
                record
            })
            .collect();
        let old: String = old.iter().map(|record| format!("{record}\n")).collect();
        std::fs::write(&path, &old).expect("written");
        assert_eq!(run(&usual, "cadia-uct", &path), (0, 4, 4));
        assert!(std::fs::read_to_string(&path).expect("the file").starts_with(&old));
    }

    #[test]
    fn a_panic_ends_everything() {
        let played = AtomicUsize::new(0);
        let play = |fixture: &Fixture, key: MatchKey| {
            played.fetch_add(1, Ordering::Relaxed);
            assert_ne!(fixture.round, 3, "a fault in a match");
            lot(0.5)(fixture, key)
        };
        let run = tournament(100_000, None).run(None, 2, &AtomicBool::new(false), play, |_| ());
        let Err(ArenaError::Panicked(why)) = run else { panic!("{run:?}") };
        assert!(why.contains("a fault in a match"), "{why}");
        assert!(played.into_inner() < 100_000, "nobody plays on");
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

//! Published tables, played again: one file for each experiment.
//!
//! To add one, write a file with a type that implements [`Experiment`] and add it to [`all`].

mod batching;
mod comparison;
mod duels;
mod evaluation;
mod helpers;
mod knowledge;
mod parts;
mod policies;
mod report;
mod single_player;
mod table_1;
mod table_2;
mod table_3;
mod worth_of_speed;

pub use comparison::Comparison;
pub use duels::{Bar, Duel, DuelResult};
pub use report::{Report, remarks};

use serde_json::Value;

use crate::{ArenaError, MatchRecord};

/// Something published that can be run again.
pub trait Experiment: Sync {
    /// The name by which it is called, as `table-1`.
    fn name(&self) -> &'static str;

    /// What it shows, in a line.
    fn about(&self) -> &'static str;

    /// Where the figures beside ours come from.
    fn source(&self) -> &'static str;

    /// Runs it.
    fn run(&self, laboratory: &mut dyn Laboratory) -> Result<Report, ArenaError>;
}

/// What an experiment may use: whoever runs it decides how much is played and where it is kept.
pub trait Laboratory {
    /// How much is to be played.
    fn scale(&self) -> Scale;

    /// Plays duels, all in one go, and gives the matches of each.
    fn play(&mut self, duels: &[Duel], matches: u64) -> Result<Vec<Vec<MatchRecord>>, ArenaError>;

    /// Makes trials, by their place in a list of keys, and gives what came of each. A key says all that its trial
    /// depends on: what is known of it from before is not made again.
    fn trials(&mut self, keys: &[String], make: &Trial<'_>) -> Result<Vec<Value>, ArenaError>;

    /// The text of a sheet of the public repositories, if it is at hand.
    fn sheet(&self, name: &str) -> Option<String>;
}

/// Makes a trial, given its place.
pub type Trial<'a> = dyn Fn(usize) -> Result<Value, ArenaError> + Sync + 'a;

/// How much is played. What is not said is the experiment's own choice.
#[derive(Clone, Copy, Debug, Default)]
pub struct Scale {
    /// A small version, to see that it runs.
    pub quick: bool,
    /// Matches of each duel.
    pub matches: Option<u64>,
    /// Matches at most of a duel whose interval has a part on either side of what is wanted: it goes on,
    /// twice as long each time.
    pub most_matches: Option<u64>,
    /// Simulations a move, where the experiment has one number of them.
    pub simulations: Option<u64>,
    /// What published clocks are divided by, where time is taken by the clock.
    pub faster: Option<f64>,
}

impl Scale {
    /// Matches of each duel: as told, or the experiment's number.
    pub fn matches(&self, usual: u64) -> u64 {
        self.matches.unwrap_or(if self.quick { 4 } else { usual })
    }

    /// Simulations a move: as told, or the experiment's number.
    pub fn simulations(&self, usual: u64) -> u64 {
        self.simulations.unwrap_or(if self.quick { (usual / 20).max(20) } else { usual })
    }
}

/// All experiments, in the order in which they are listed.
pub fn all() -> &'static [&'static dyn Experiment] {
    &[
        &table_1::TableOne,
        &table_2::TableTwo,
        &table_3::TableThree,
        &batching::Batching,
        &worth_of_speed::WorthOfSpeed,
        &parts::Parts,
        &policies::Policies,
        &evaluation::Evaluation,
        &knowledge::Knowledge,
        &single_player::SinglePlayer,
        &helpers::Helpers,
    ]
}

/// The experiment of a name.
pub fn find(name: &str) -> Option<&'static dyn Experiment> {
    all().iter().copied().find(|experiment| experiment.name() == name)
}

/// The paper the player's first agents come from.
const CADIA_PLAYER: &str =
    "Finnsson and Björnsson, Simulation-Based Approach to General Game Playing, AAAI 2008";

/// Its games: the bundled name, and the name there.
const CADIA_GAMES: [(&str, &str); 4] = [
    ("connect-four", "Connect-4"),
    ("checkers", "Checkers"),
    ("othello", "Othello"),
    ("breakthrough-holes", "Breakthrough"),
];

/// By game: how many times the simulations of the others it has in the same time. A prover of the day makes
/// about 90 playouts of connect four in a second, 13 of breakthrough, 3 of checkers and not one of Othello.
const CADIA_TIMES: [u64; 4] = [8, 1, 1, 1];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Fixture;

    /// Decides every match by lot: the bookkeeping is what is looked at.
    struct Lots(Scale);

    impl Laboratory for Lots {
        fn scale(&self) -> Scale {
            self.0
        }

        fn play(&mut self, duels: &[Duel], matches: u64) -> Result<Vec<Vec<MatchRecord>>, ArenaError> {
            let duel = |duel: &Duel| {
                let schedule =
                    crate::Schedule { roles: vec![2], players: 2, matches, seed: 1, gauntlet: false };
                let record = |fixture: &Fixture| {
                    let names = duel.names();
                    let seats: Vec<&str> = fixture.seats.iter().map(|&seat| names[seat].as_str()).collect();
                    let first = game::Dice::new(fixture.seed ^ fixture.round).unit() < 0.8;
                    let goals = if first == (fixture.seats[0] == 0) { [100, 0] } else { [0, 100] };
                    crate::record::example(duel.game, &seats, fixture.round, &goals)
                };
                schedule.fixtures().iter().map(record).collect()
            };
            Ok(duels.iter().map(duel).collect())
        }

        fn trials(&mut self, keys: &[String], make: &Trial<'_>) -> Result<Vec<Value>, ArenaError> {
            let different: std::collections::HashSet<&String> = keys.iter().collect();
            assert_eq!(different.len(), keys.len(), "every trial has a key of its own");
            (0..keys.len()).map(make).collect()
        }

        fn sheet(&self, _: &str) -> Option<String> {
            None
        }
    }

    #[test]
    fn every_experiment_writes_a_page() {
        for experiment in all() {
            let mut lots = Lots(Scale { matches: Some(20), simulations: Some(1), ..Scale::default() });
            let report = experiment.run(&mut lots).expect("a report");
            let page = report.markdown(experiment.name());
            assert!(page.starts_with("# ") && page.contains("20 matches"), "{page}");
            assert!(page.contains(&format!("({}.svg)", experiment.name())), "{page}");
            assert!(page.contains(experiment.source()), "{page}");
            assert!(report.chart.svg().contains("</svg>"));
            assert!(find(experiment.name()).is_some());
        }
        assert!(find("table-9").is_none());
    }

    #[test]
    fn what_is_reached_by_chance_is_told() {
        // The first player has 80 per cent: in four matches that is no more than a guess.
        let mut lots = Lots(Scale { matches: Some(4), simulations: Some(1), ..Scale::default() });
        let few = find("table-1").expect("there is one").run(&mut lots).expect("a report");
        assert!(!few.uncertain.is_empty(), "{few:?}");
        let page = few.markdown("table-1");
        let (table, lists) =
            page.split_once("Reached, but not safely: the interval crosses the line:\n\n- ").expect("a list");
        assert_eq!(table.matches("(not safe) |").count(), few.uncertain.len(), "{page}");
        assert_eq!(table.matches("(missed) |").count(), few.missed.len(), "{page}");
        assert!(few.missed.is_empty() || table.contains("\nNot reached:\n"), "{page}");
        assert!(lists.starts_with(&few.uncertain[0]), "{page}");
        let mut lots = Lots(Scale { matches: Some(4000), simulations: Some(1), ..Scale::default() });
        let many = find("table-3").expect("there is one").run(&mut lots).expect("a report");
        assert!(many.uncertain.is_empty() && !many.markdown("table-3").contains("safe"), "{many:?}");
        // Going on where it is not clear comes to the same.
        let scale = Scale { matches: Some(4), most_matches: Some(4000), ..lots.0 };
        let long = find("table-3").expect("there is one").run(&mut Lots(scale)).expect("a report");
        assert!(long.uncertain.is_empty() && long.missed.is_empty(), "{long:?}");
        assert!(long.markdown("table-3").contains("4 matches a row, and up to 4000 where"), "{long:?}");
    }

    #[test]
    fn matches_that_were_broken_off_are_told() {
        let duel = Duel::new(
            "nim",
            ("mc", crate::Thinking::Simulations(1)),
            ("random", crate::Thinking::Simulations(1)),
        );
        let duel = duel.expect("two agents");
        let seats = duel.names();
        let seats: Vec<&str> = seats.iter().map(String::as_str).collect();
        let cut = MatchRecord { cut: true, ..crate::record::example("nim", &seats, 1, &[50, 50]) };
        let records = [crate::record::example("nim", &seats, 0, &[100, 0]), cut];
        let result = duel.result(&records).expect("matches");
        assert_eq!((result.cut, result.share.mean), (1, 0.75));
        assert!(report::table(&[result], false, false).contains("| 1, 1 (1 broken off), 0 |"));
    }

    #[test]
    fn bundled_games_are_named_rightly() {
        for (game, _) in CADIA_GAMES {
            assert!(bundled::find(game).is_ok(), "{game}");
        }
    }
}

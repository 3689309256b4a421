//! Rule sheets that are not much of a puzzle: every method ends or works on, and none claims what is not
//! so.

mod support;

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use game::Goal;
use puzzle::method::{METHODS, Method, Progress};
use puzzle::{Board, Options, Portfolio, Search};
use support::space;

const OPTIONS: Options = Options { threads: 1, bytes: 16 << 20, seed: 1 };

/// The best score of each method that suits the sheet, after a while.
fn scores(text: &str) -> Vec<Option<Goal>> {
    let (space, reference) = space(text);
    let mut scores = Vec::new();
    for entry in METHODS {
        let Some(mut method) = entry.make(&space, &OPTIONS) else { continue };
        let board = Board::new(space.ceiling());
        let stop = AtomicBool::new(false);
        let search = Search { clock: support::clock(), stop: &stop, board: &board };
        method.work(Duration::from_millis(60), &search);
        for found in board.history() {
            let plan: Vec<String> = found
                .plan
                .moves
                .iter()
                .map(|&id| game::Describe::move_text(&**space.machine(), id))
                .collect();
            let initial = game::Game::initial(&reference);
            let score = puzzle::replay(&reference, &initial, &plan);
            assert_eq!(score, Ok(found.plan.score), "{}: {plan:?}\n{text}", entry.name);
        }
        scores.push(board.score());
    }
    scores
}

#[test]
fn without_facts_there_is_no_end_to_be_found() {
    for sheet in [
        "(role you) (legal you wait) (legal you go) (goal you 100)",
        "(role you) (legal you wait) (<= terminal (true never)) (<= (goal you 100) (true never))",
        "(role you) (init a) (next a) (legal you wait) (<= (legal you go) (true a)) (goal you 40)",
        "(role you)",
        "(role you) (init (step 1)) (<= (next (step 2)) (true (step 1))) (<= terminal (true (step 3)))",
    ] {
        assert!(scores(sheet).iter().all(Option::is_none), "{sheet}");
    }
}

#[test]
fn a_game_that_is_over_has_a_plan_without_moves() {
    for (sheet, score) in [
        ("(role you) terminal (goal you 70)", 70),
        ("(role you) (init a) (legal you wait) (<= terminal (true a)) (<= (goal you 30) (true a))", 30),
        ("(role you) (init a) (legal you wait) (<= terminal (true a))", 0),
        ("(role you) terminal", 0),
    ] {
        let found = scores(sheet);
        assert!(
            found.iter().all(|found| found.is_none_or(|found| found == Goal(score))),
            "{sheet} {found:?}"
        );
        assert!(found.contains(&Some(Goal(score))), "{sheet} {found:?}");
    }
}

#[test]
fn a_player_who_is_stuck_has_no_plan() {
    for sheet in [
        "(role you) (init a) (<= (legal you wait) (true b)) (<= (next b) (true a)) (<= terminal (true b))
         (<= (goal you 100) (true b))",
        "(role you) (init a) (<= (legal you go) (true a)) (<= (next b) (does you go)) (<= terminal (true c))
         (<= (next c) (true b) (true a)) (<= (goal you 100) (true c))",
    ] {
        assert!(scores(sheet).iter().all(Option::is_none), "{sheet}");
    }
}

#[test]
fn what_is_put_in_order_begins_where_the_game_does() {
    // Every move has a fact of its own that it makes stay, and a last state is wanted that has them.
    let lamps = "(role you) (lamp 1) (lamp 2) (<= (legal you (light ?n)) (lamp ?n) (not (true (on ?n))) WHEN)
        (<= (next (on ?n)) (does you (light ?n))) (<= (next (on ?n)) (true (on ?n))) (<= (goal you 100) (true (on 1)))";
    let over = lamps.replace("WHEN", "") + "terminal (init (on 2))";
    assert!(scores(&over).iter().all(|found| found.is_none_or(|found| found == Goal(0))), "{over}");
    // The second lamp comes first.
    let order = lamps.replace("WHEN", "(or (distinct ?n 1) (true (on 2)))") + "(<= terminal (true (on 1)))";
    assert!(scores(&order).contains(&Some(Goal(100))), "{order}");
}

/// Panics as soon as it is asked to work.
#[derive(Debug)]
struct Faulty;

impl Method for Faulty {
    fn name(&self) -> &'static str {
        "faulty"
    }

    fn work(&mut self, _: Duration, _: &Search<'_>) -> Progress {
        panic!("a fault of ours")
    }
}

/// Works until it is told to stop.
#[derive(Debug)]
struct Patient;

impl Method for Patient {
    fn name(&self) -> &'static str {
        "patient"
    }

    fn work(&mut self, until: Duration, search: &Search<'_>) -> Progress {
        while !search.is_over(until) {}
        Progress::Working
    }
}

#[test]
fn a_method_that_panics_ends_the_work_of_all() {
    let methods: Vec<(f64, Box<dyn Method>)> = vec![(1.0, Box::new(Patient)), (1.0, Box::new(Faulty))];
    let portfolio = Portfolio::of(methods, Goal(100), Options { threads: 2, ..OPTIONS });
    let work = || {
        // The clock goes on with every reading: without an end this would take hours.
        portfolio.work(Duration::MAX, &support::clock(), &AtomicBool::new(false))
    };
    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
    assert!(outcome.is_err());
}

//! Every method that can be asked for by name, on puzzles with known answers: plans are played by the
//! reference reasoner, and what is said to be the best there is must be.

mod support;

use std::time::Duration;

use game::{Describe, Game, Goal};
use puzzle::method::METHODS;
use puzzle::{Options, Portfolio, PuzzleError};
use support::{LAMPS, PARITY, bundled, run, space};

const OPTIONS: Options = Options { threads: 1, bytes: 64 << 20, seed: 1 };

/// Lets a method work; says what it found, and whether it claims that nothing is better.
fn solve(name: &str, rules: &str) -> (Option<Goal>, bool) {
    let entry = METHODS.iter().find(|entry| entry.name == name).expect("a method of that name");
    let (found, settled) = run(rules, |space| entry.make(&space, &OPTIONS).expect("suits"));
    (found.map(|found| found.plan.score), settled)
}

#[test]
fn no_method_claims_what_is_not_so() {
    for (rules, best) in [(LAMPS, Goal(100)), (PARITY, Goal(40))] {
        for entry in METHODS {
            let mut suits = true;
            let (found, settled) = run(rules, |space| match entry.make(&space, &OPTIONS) {
                Some(method) => method,
                None => {
                    suits = false;
                    METHODS[0].make(&space, &OPTIONS).expect("playouts suit every game")
                }
            });
            let score = found.map(|found| found.plan.score);
            assert!(score <= Some(best), "{} has a plan that cannot be", entry.name);
            assert!(!suits || !settled || score == Some(best), "{} claims {score:?}", entry.name);
        }
    }
}

#[test]
fn what_looks_at_everything_proves_the_best() {
    for name in ["depth", "symbolic", "breadth-exact", "max-uct", "satisfiability", "memory-ida"] {
        assert_eq!(solve(name, PARITY), (Some(Goal(40)), true), "{name}");
    }
    // Without a counter, states are told apart by what is in them.
    let timeless = PARITY.replace("(<= terminal (true (step 6)))", "(<= terminal (true (at 2)))").replace(
        "(<= (goal you 0) (true (at 0)))",
        "(<= (goal you 0) (true (at 0))) (<= (goal you 2) (true (at 2)))",
    );
    for name in ["depth", "symbolic", "breadth", "deepening", "best-first", "memory-ida"] {
        assert_eq!(solve(name, &timeless), (Some(Goal(10)), true), "{name}");
    }
}

#[test]
fn bundled_puzzles_are_solved() {
    let eight = bundled("eight-puzzle");
    for name in ["best-first", "breadth"] {
        assert_eq!(solve(name, &eight), (Some(Goal(100)), true), "{name}");
    }
    let hanoi = bundled("hanoi");
    for name in ["best-first", "deepening", "depth", "symbolic", "breadth"] {
        assert_eq!(solve(name, &hanoi), (Some(Goal(100)), true), "{name}");
    }
    assert_eq!(solve("last-state", &bundled("queens")), (Some(Goal(100)), true));
    let buttons = bundled("buttons");
    for name in ["nested", "max-uct", "mini", "playouts", "beam"] {
        assert_eq!(solve(name, &buttons), (Some(Goal(100)), true), "{name}");
    }
}

#[test]
fn distances_guide_a_beam_home() {
    let (score, _) = solve("beam-distances", &bundled("eight-puzzle"));
    assert!(score >= Some(Goal(99)), "{score:?}");
}

#[test]
fn a_last_state_that_cannot_be_is_proven_not_to_be() {
    // Three moves light three lamps, never four.
    let rules = |wanted: &str| {
        format!(
            "(role you) (lamp 1) (lamp 2) (lamp 3) (lamp 4) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3)
             (<= (legal you (light ?n)) (lamp ?n) (not (true (on ?n))))
             (<= (next (on ?n)) (does you (light ?n))) (<= (next (on ?n)) (true (on ?n)))
             (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
             (<= terminal (true (step 3)))
             (<= bright (true (on 1)) (true (on 2)) {wanted})
             (<= (goal you 100) bright) (<= (goal you 20) (not bright))"
        )
    };
    let names = ["last-state", "depth"].map(str::to_owned);
    let settle = |rules: &str, names: &[String]| {
        let (space, _) = space(rules);
        let portfolio = Portfolio::named(&space, OPTIONS, names).expect("suits");
        portfolio.work(Duration::from_secs(5), &support::clock(), &Default::default());
        (portfolio.board().ceiling(), portfolio.board().score())
    };
    let four = rules("(true (on 3)) (true (on 4))");
    assert_eq!(settle(&four, &names[..1]), (Goal(20), None));
    assert_eq!(settle(&four, &names), (Goal(20), Some(Goal(20))));
    assert_eq!(settle(&rules("(not (true (on 3)))"), &names[..1]), (Goal(100), Some(Goal(100))));
}

#[test]
fn a_portfolio_stays_within_its_memory_where_there_is_no_solution() {
    // A press toggles two lamps of thirty: never is an odd number of them lit.
    let lamps: String = (0..30).map(|n| format!("(lamp {n})")).collect();
    let neighbours: String = (0..29).map(|n| format!("(next_to {n} {})", n + 1)).collect();
    let odd = "(<= (odd 0) (true (on 0))) (<= (odd ?m) (next_to ?n ?m) (odd ?n) (not (true (on ?m))))
        (<= (odd ?m) (next_to ?n ?m) (even ?n) (true (on ?m)))
        (<= (even 0) (not (true (on 0)))) (<= (even ?m) (next_to ?n ?m) (even ?n) (not (true (on ?m))))
        (<= (even ?m) (next_to ?n ?m) (odd ?n) (true (on ?m)))";
    let rules = format!(
        "(role you) {lamps} {neighbours} {odd} (init (on 7)) (init (on 20))
         (<= (legal you (press ?n)) (next_to ?n ?m)) (legal you stop)
         (<= (toggled ?n) (does you (press ?n))) (<= (toggled ?m) (does you (press ?n)) (next_to ?n ?m))
         (<= (next (on ?n)) (true (on ?n)) (not (toggled ?n)))
         (<= (next (on ?n)) (lamp ?n) (not (true (on ?n))) (toggled ?n))
         (<= (next stopped) (does you stop))
         (<= terminal (true stopped)) (<= terminal (odd 29))
         (<= (goal you 100) (odd 29)) (<= (goal you 30) (even 29))"
    );
    let (space, reference) = space(&rules);
    let options = Options { threads: 1, bytes: 48 << 20, seed: 1 };
    let portfolio = Portfolio::new(&space, options);
    let clock = support::clock();
    for slice in 1..=12 {
        portfolio.work(Duration::from_millis(slice * 50), &clock, &Default::default());
        assert!(portfolio.bytes() <= options.bytes, "{} bytes", portfolio.bytes());
    }
    let found = portfolio.best().expect("stopping is possible");
    assert_eq!(found.plan.score, Goal(30));
    let plan: Vec<String> = found.plan.moves.iter().map(|&id| space.machine().move_text(id)).collect();
    assert_eq!(puzzle::replay(&reference, &reference.initial(), &plan), Ok(Goal(30)));
}

#[test]
fn methods_are_asked_for_by_name() {
    let (space, _) = space(LAMPS);
    let named = |names: &[&str]| {
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        Portfolio::named(&space, OPTIONS, &names)
    };
    assert_eq!(named(&["depth", "symbolic"]).expect("two methods").report().len(), 2);
    let unknown = named(&["wishing"]).expect_err("no such method");
    assert!(unknown.to_string().contains("best-first"), "{unknown}");
    assert!(matches!(named(&[]), Err(PuzzleError::NothingSuits)));
}

//! Every method that can be asked for by name, on puzzles with known answers: plans are played by the
//! reference reasoner, and what is said to be the best there is must be.

mod support;

use game::Goal;
use puzzle::method::METHODS;
use puzzle::{Options, Portfolio, PuzzleError};
use support::{LAMPS, PARITY, run, space};

const OPTIONS: Options = Options { threads: 1, bytes: 64 << 20, seed: 1 };

/// Lets a method work; says what it found, and whether it claims that nothing is better.
fn solve(name: &str, rules: &str) -> (Option<Goal>, bool) {
    let entry = METHODS.iter().find(|entry| entry.name == name).expect("a method of that name");
    let (found, settled) = run(rules, |space| entry.make(&space, &OPTIONS).expect("suits"));
    (found.map(|found| found.plan.score), settled)
}

fn bundled(name: &str) -> String {
    let path = format!("{}/../../games/{name}/rules.kif", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).expect("a bundled game")
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
    for name in ["depth", "symbolic", "breadth-exact", "max-uct", "satisfiability"] {
        assert_eq!(solve(name, PARITY), (Some(Goal(40)), true), "{name}");
    }
    // Without a counter, states are told apart by what is in them.
    let timeless = PARITY.replace("(<= terminal (true (step 6)))", "(<= terminal (true (at 2)))").replace(
        "(<= (goal you 0) (true (at 0)))",
        "(<= (goal you 0) (true (at 0))) (<= (goal you 2) (true (at 2)))",
    );
    for name in ["depth", "symbolic", "breadth", "deepening", "best-first"] {
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

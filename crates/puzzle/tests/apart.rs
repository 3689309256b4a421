//! Games of parts that do not interact: solved apart, and put together.

mod support;

use game::Goal;
use puzzle::Options;
use puzzle::method::{Apart, METHODS};
use support::{LAMPS, bundled, run, space};

const OPTIONS: Options = Options { threads: 1, bytes: 1 << 30, seed: 1 };

fn solve(rules: &str) -> Option<(Goal, usize)> {
    let (found, _) = run(rules, |space| Box::new(Apart::new(space, &OPTIONS).expect("it has parts")));
    found.map(|found| (found.plan.score, found.plan.moves.len()))
}

#[test]
fn twins_are_solved_apart() {
    // Seven presses on each square, both at once, within ten steps.
    let lights = solve(&bundled("twin-lights")).expect("a plan");
    assert!(lights.0 == Goal(100) && (7..=10).contains(&lights.1), "{lights:?}");
    // Thirty slides and twenty-six, one after the other, within seventy steps.
    let trays = solve(&bundled("twin-trays")).expect("a plan");
    assert!(trays.0 == Goal(100) && (56..=70).contains(&trays.1), "{trays:?}");
}

#[test]
fn what_hangs_together_is_left_alone() {
    for rules in [LAMPS.to_owned(), bundled("eight-puzzle")] {
        assert!(Apart::new(space(&rules).0, &OPTIONS).is_none());
    }
    assert!(METHODS.iter().any(|entry| entry.name == "apart" && entry.share > 0.0));
}

/// Three counters, of which one has to come to three; what is done to the others does not matter.
const ANY: &str = "(role you) (init (at a 0)) (init (at b 0)) (init (at c 0)) (init (step 0))
    (counter a) (counter b) (counter c) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
    (<= (legal you (count ?c)) (counter ?c))
    (<= (next (at ?c ?n)) (does you (count ?c)) (true (at ?c ?m)) (succ ?m ?n))
    (<= (next (at ?c ?n)) (true (at ?c ?n)) (not (does you (count ?c))))
    (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
    (<= won (true (at ?c 3)))
    (<= terminal won) (<= terminal (true (step 5)))
    (<= (goal you 100) won) (<= (goal you 0) (not won))";

#[test]
fn where_one_part_is_enough_one_is_solved() {
    assert_eq!(solve(ANY), Some((Goal(100), 3)));
}

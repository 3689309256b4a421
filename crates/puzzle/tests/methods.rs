//! Every method on small puzzles with known answers.

mod support;

use game::Goal;
use puzzle::method::{Beam, Breadth, Keys, Method, Sample, Satisfy, Taste};
use support::{LAMPS, PARITY, run};

const BYTES: usize = 64 << 20;
const TASTE: Taste = Taste { name: "beam", goals: 1.0, mobility: 0.0, chance: 0.01 };

#[test]
fn breadth_finds_the_shortest_plan() {
    let (found, settled) = run(LAMPS, |space| Box::new(Breadth::new(space, Keys::Timeless, BYTES)));
    let plan = found.expect("solvable").plan;
    assert_eq!((plan.score, settled), (Goal(100), true));
    assert_eq!(plan.moves.len(), 2, "lamps 1 and 5 are pressed");
}

#[test]
fn exact_breadth_proves_what_waiting_can_reach() {
    let (found, settled) = run(PARITY, |space| Box::new(Breadth::new(space, Keys::Exact, BYTES)));
    assert_eq!((found.expect("a plan").plan.score, settled), (Goal(40), true));
}

#[test]
fn timeless_breadth_proves_nothing_where_time_matters() {
    let (_, settled) = run(PARITY, |space| Box::new(Breadth::new(space, Keys::Timeless, BYTES)));
    assert!(!settled);
}

#[test]
fn a_beam_solves_and_in_the_end_proves() {
    let (found, settled) = run(LAMPS, |space| Box::new(Beam::new(space, TASTE, BYTES, 1)));
    assert_eq!((found.expect("solvable").plan.score, settled), (Goal(100), true));
    let (found, settled) = run(PARITY, |space| Box::new(Beam::new(space, TASTE, BYTES, 1)));
    assert_eq!((found.expect("a plan").plan.score, settled), (Goal(40), true));
}

#[test]
fn playouts_learn_the_way() {
    for rules in [LAMPS, PARITY] {
        let (found, _) = run(rules, |space| Box::new(Sample::new(space, 1)));
        assert!(found.expect("a plan").plan.score >= Goal(40));
    }
}

#[test]
fn the_solver_finds_and_proves() {
    let method = |space| -> Box<dyn Method> { Box::new(Satisfy::new(space, BYTES).expect("small")) };
    let (found, settled) = run(LAMPS, method);
    assert_eq!((found.expect("solvable").plan.moves.len(), settled), (2, true));
    let (found, settled) = run(PARITY, method);
    assert_eq!((found.expect("a plan").plan.score, settled), (Goal(40), true));
}

#[test]
fn memory_stays_within_its_bound() {
    // Twenty lamps that only go on: a million states; it takes twenty moves, and would be won after
    // an odd number.
    let lamps: String = (0..20).map(|n| format!("(lamp {n})")).collect();
    let rules = format!(
        "(role you) {lamps} (init even)
         (<= (legal you (light ?n)) (lamp ?n) (not (true (on ?n))))
         (<= (next (on ?n)) (does you (light ?n))) (<= (next (on ?n)) (true (on ?n)))
         (<= (next even) (not (true even)))
         (<= dark (lamp ?n) (not (true (on ?n)))) (<= terminal (not dark))
         (<= (goal you 100) (not (true even))) (<= (goal you 5) (true even))"
    );
    let (space, _) = support::space(&rules);
    let board = puzzle::Board::new(Goal(100));
    let search = puzzle::Search { clock: support::clock(), stop: Default::default(), board: &board };
    let mut method = Breadth::new(space, Keys::Timeless, 1 << 20);
    while method.work((search.clock)() + std::time::Duration::from_millis(5), &search)
        == puzzle::method::Progress::Working
    {
        assert!(method.bytes() < 4 << 20);
    }
    assert!(method.states() > 1_000 && !board.is_settled());
}

//! Every method on small puzzles with known answers.

mod support;

use std::sync::Arc;

use game::{Describe, Game, Goal};
use puzzle::method::mini::{Mini, MiniOptions, Strategy, Transpositions, Worth};
use puzzle::method::{Beam, Breadth, Commit, Guide, Keys, Method, Sample, Satisfy, Taste};
use support::{LAMPS, PARITY, run};

const BYTES: usize = 64 << 20;
const TASTE: Taste = Taste { name: "beam", goals: 1.0, mobility: 0.0, chance: 0.01, guide: Guide::Doubt };

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
fn the_solver_goes_back_to_shorter_plans() {
    // Two presses are enough, but four are asked for.
    let late = LAMPS
        .replace("(goal you 100) solved", "(goal you 100) solved (true (step 4))")
        .replace("(<= (goal you 0)", "(<= (goal you 99) solved (not (true (step 4)))) (<= (goal you 0)");
    let (found, settled) = run(&late, |space| Box::new(Satisfy::new(space, BYTES).expect("small")));
    let plan = found.expect("solvable").plan;
    assert_eq!((plan.score, plan.moves.len(), settled), (Goal(100), 4, true));
    // Never after an odd number of presses.
    let odd = late.replace("(true (step 4))", "(true (step 5))");
    let (found, settled) = run(&odd, |space| Box::new(Satisfy::new(space, BYTES).expect("small")));
    assert_eq!((found.expect("solvable").plan.score, settled), (Goal(99), true));
    let (exact, settled) = run(&odd, |space| Box::new(Breadth::new(space, Keys::Exact, BYTES)));
    assert_eq!((exact.expect("solvable").plan.score, settled), (Goal(99), true));
}

/// A Latin square of five rows, some of it given.
fn latin_square() -> String {
    let numbers: String = (1..=5).map(|n| format!("(number {n})")).collect();
    let cells: Vec<(u32, u32)> = (1..=5).flat_map(|row| (1..=5).map(move |column| (row, column))).collect();
    let given = [(1, 1, 1), (2, 2, 1), (3, 3, 4), (4, 5, 2)];
    let blank =
        |&(row, column): &(u32, u32)| match given.iter().find(|cell| (cell.0, cell.1) == (row, column)) {
            Some((_, _, value)) => format!("(init (cell {row} {column} {value}))"),
            None => format!("(init (cell {row} {column} b))"),
        };
    let initial: String = cells.iter().map(blank).collect();
    format!(
        "(role you) {numbers} {initial}
         (<= (legal you (mark ?x ?y ?n)) (true (cell ?x ?y b)) (number ?n) (not (row ?x ?n)) (not (column ?y ?n)))
         (<= (row ?x ?n) (true (cell ?x ?y ?n))) (<= (column ?y ?n) (true (cell ?x ?y ?n)))
         (<= (next (cell ?x ?y ?n)) (does you (mark ?x ?y ?n)))
         (<= marked (does you (mark ?x ?y ?n)) (true (cell ?x ?y b)))
         (<= (next (cell ?x ?y ?n)) (true (cell ?x ?y ?n)) (not (touched ?x ?y)))
         (<= (touched ?x ?y) (does you (mark ?x ?y ?n)))
         (<= open (true (cell ?x ?y b))) (<= playable (legal you (mark ?x ?y ?n)))
         (<= terminal (not playable)) (<= (goal you 100) (not open)) (<= (goal you 0) open)"
    )
}

#[test]
fn exploring_playouts_find_the_way() {
    let all = [Transpositions::None, Transpositions::FiveLevels, Transpositions::Zobrist];
    for (transpositions, worth) in all.into_iter().zip([Worth::Highest, Worth::Average, Worth::Highest]) {
        let options = MiniOptions { transpositions, worth, ..MiniOptions::default() };
        let (found, _) = run(LAMPS, |space| {
            let mini = Mini::new(Arc::clone(space.machine()), space.start().clone(), options.clone());
            Box::new(mini.expect("there are moves"))
        });
        assert_eq!(found.expect("solvable").plan.score, Goal(100));
    }
}

#[test]
fn both_tables_of_states_find_the_same() {
    let (space, _) = support::space(LAMPS);
    let options = MiniOptions { strategies: Strategy::all(), ..MiniOptions::default() };
    let mini = Mini::new(Arc::clone(space.machine()), space.start().clone(), options);
    let mut mini = mini.expect("there are moves");
    // Never settled: all strategies are to have their turn.
    let (board, stop) = (puzzle::Board::new(Goal(101)), Default::default());
    let search = puzzle::Search { clock: support::clock(), stop: &stop, board: &board };
    mini.work(std::time::Duration::from_secs(2), &search);
    assert_eq!(board.score(), Some(Goal(100)));
    let found = [Transpositions::Zobrist, Transpositions::FiveLevels].map(|kind| mini.exercise(kind));
    assert!(found[0] < mini.nodes(), "states are met on several ways");
    assert_eq!(found[0], found[1]);
    assert_eq!(mini.exercise(Transpositions::None), mini.nodes());
}

#[test]
fn what_has_no_circuit_is_solved_on_the_reference_reasoner() {
    let (_, reference) = support::space(LAMPS);
    let (reference, board) = (Arc::new(reference), puzzle::Board::new(Goal(100)));
    let start = reference.initial();
    let mini = Mini::new(Arc::clone(&reference), start.clone(), MiniOptions::default());
    let stop = Default::default();
    let search = puzzle::Search { clock: support::clock(), stop: &stop, board: &board };
    mini.expect("there are moves").work(std::time::Duration::from_secs(5), &search);
    let found = board.best().expect("solvable");
    let plan: Vec<String> = found.plan.moves.iter().map(|&id| reference.move_text(id)).collect();
    assert_eq!(puzzle::replay(&*reference, &start, &plan), Ok(Goal(100)));
}

#[test]
fn needs_are_met_one_by_one() {
    let (found, settled) =
        run(&latin_square(), |space| Box::new(Commit::new(space, BYTES, 1).expect("the goal has parts")));
    assert_eq!((found.expect("solvable").plan.score, settled), (Goal(100), true));
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
    // All lamps are alike: merged, there would be a state for each number of them.
    let space = Arc::new(support::plain_space(&rules).merging(false));
    let board = puzzle::Board::new(Goal(100));
    let stop = Default::default();
    let search = puzzle::Search { clock: support::clock(), stop: &stop, board: &board };
    let mut method = Breadth::new(space, Keys::Timeless, 1 << 20);
    while method.work((search.clock)() + std::time::Duration::from_millis(5), &search)
        == puzzle::method::Progress::Working
    {
        assert!(method.bytes() < 4 << 20);
    }
    assert!(method.tally().states > 1_000 && !board.is_settled());
}

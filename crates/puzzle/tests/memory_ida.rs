//! Memory-enhanced IDA*: what is remembered from limit to limit, and what of it a move leaves.

mod support;

use std::sync::Arc;

use game::{Describe, Game, Goal};
use machine::circuit::CircuitMachine;
use puzzle::method::{MemoryIda, Progress};
use puzzle::{Board, Search};

/// Places with roads between them; the score is that of the place where the game ends.
fn places(roads: &[(&str, &str)], ends: &[(&str, u8)]) -> String {
    let roads: String = roads.iter().map(|(from, to)| format!("(road {from} {to})")).collect();
    let ends: String = ends
        .iter()
        .map(|(place, score)| format!("(end {place}) (<= (goal you {score}) (true (at {place})))"))
        .collect();
    format!(
        "(role you) (init (at s)) {roads} {ends}
         (<= (legal you (go ?y)) (true (at ?x)) (road ?x ?y)) (<= (next (at ?y)) (does you (go ?y)))
         (<= terminal (true (at ?x)) (end ?x)) (<= (goal you 0) (true (at s)))"
    )
}

fn machine(rules: &str) -> Arc<CircuitMachine> {
    Arc::clone(support::space(rules).0.machine())
}

/// Looks at states until a condition holds; says what is to be expected then.
fn look(
    ida: &mut MemoryIda<CircuitMachine>,
    board: &Board,
    until: impl Fn(&MemoryIda<CircuitMachine>) -> bool,
) -> Progress {
    let stop = Default::default();
    let search = Search { clock: support::clock(), stop: &stop, board };
    while !until(ida) {
        if ida.step(&search) == Progress::Ended {
            return Progress::Ended;
        }
    }
    Progress::Working
}

#[test]
fn the_table_is_kept_from_limit_to_limit() {
    // Two ways to x, and the longer one is tried first.
    let rules = places(&[("s", "p"), ("p", "x"), ("s", "x"), ("x", "y"), ("y", "z")], &[("z", 100)]);
    let machine = machine(&rules);
    let board = Board::new(Goal(100));
    let mut ida = MemoryIda::new(Arc::clone(&machine), machine.initial(), 1 << 20);
    look(&mut ida, &board, |ida| ida.limit() == 2);
    assert_eq!(ida.steps(), 3, "s, p, x");
    // s, p, x by the short way, y. By the long way x has no move left, as it had before: it is not looked at.
    look(&mut ida, &board, |ida| ida.limit() == 3);
    assert_eq!(ida.steps(), 3 + 4);
    look(&mut ida, &board, |_| board.is_settled());
    let line = board.best().expect("a line").plan.moves;
    let line: Vec<String> = line.iter().map(|&id| machine.move_text(id)).collect();
    assert_eq!(line, ["(go x)", "(go y)", "(go z)"], "a shortest one");
}

#[test]
fn a_full_table_costs_time_and_nothing_else() {
    let rules = places(&[("s", "p"), ("p", "x"), ("s", "x"), ("x", "y"), ("y", "z")], &[("z", 100)]);
    let machine = machine(&rules);
    let board = Board::new(Goal(100));
    let mut ida = MemoryIda::new(Arc::clone(&machine), machine.initial(), 0);
    look(&mut ida, &board, |_| board.is_settled());
    assert_eq!(board.score(), Some(Goal(100)));
}

#[test]
fn after_a_move_it_goes_on_below_it() {
    // A score of 40 is near, one of 100 is far and by the same first move.
    let rules = places(
        &[("s", "a"), ("a", "b"), ("a", "c"), ("c", "d"), ("d", "e"), ("e", "f"), ("s", "g"), ("g", "g")],
        &[("b", 40), ("f", 100)],
    );
    let machine = machine(&rules);
    let mut board = Board::new(Goal(100));
    let mut ida = MemoryIda::new(Arc::clone(&machine), machine.initial(), 1 << 20);
    look(&mut ida, &board, |_| board.score() == Some(Goal(40)));
    let found = board.best().expect("a line");
    let state = machine.apply(&mut machine.workspace(), &machine.initial(), &found.plan.moves[..1]);
    board = Board::new(Goal(100));
    let plan = puzzle::Plan { moves: found.plan.moves[1..].to_vec(), score: Goal(40) };
    board.offer(puzzle::Found { plan, ..found });
    ida.advance(state.expect("a state"));
    look(&mut ida, &board, |_| board.is_settled());
    let line = board.best().expect("a line").plan;
    let moves: Vec<String> = line.moves.iter().map(|&id| machine.move_text(id)).collect();
    assert_eq!(
        (line.score, moves),
        (Goal(100), ["c", "d", "e", "f"].map(|to| format!("(go {to})")).to_vec())
    );
}

/// Makes the first move of the best line after so many states were looked at, and looks on to the end.
fn after_a_move(machine: &Arc<CircuitMachine>, steps: u64) -> Board {
    let board = Board::new(Goal(100));
    let mut ida = MemoryIda::new(Arc::clone(machine), machine.initial(), 1 << 20);
    look(&mut ida, &board, |ida| ida.steps() >= steps && board.score().is_some());
    let found = board.best().expect("a line");
    let state = machine.apply(&mut machine.workspace(), &machine.initial(), &found.plan.moves[..1]);
    let board = Board::new(Goal(100));
    let plan = puzzle::Plan { moves: found.plan.moves[1..].to_vec(), score: found.plan.score };
    board.offer(puzzle::Found { plan, ..found });
    ida.advance(state.expect("a state"));
    look(&mut ida, &board, |_| board.is_settled());
    board
}

#[test]
fn at_whatever_moment_a_move_is_made_nothing_false_is_proven() {
    // A score of 40 is near by the first move, one of 100 is far; the second move leads far too.
    let one_way = [("s", "a"), ("a", "b"), ("a", "c"), ("c", "d"), ("d", "e"), ("e", "f")];
    let other_way = [("s", "g"), ("g", "h"), ("h", "i"), ("i", "j"), ("j", "k"), ("k", "g")];
    let ends = [("b", 40), ("f", 100)];
    let forward = [&one_way[..], &other_way].concat();
    // The same with every move to be taken back, and with a way to the 100 through the beginning only.
    let backward = forward.iter().map(|&(from, to)| (to, from));
    let reversible = forward.iter().copied().chain(backward).collect::<Vec<_>>();
    let back =
        [("s", "a"), ("a", "b"), ("a", "s"), ("s", "g"), ("g", "h"), ("h", "f"), ("h", "i"), ("i", "h")];
    for roads in [&forward[..], &reversible, &back] {
        let full = machine(&places(roads, &ends));
        for steps in 1..200 {
            let board = after_a_move(&full, steps);
            assert_eq!(board.score(), Some(Goal(100)), "after {steps} states of {roads:?}");
        }
        // Without it all is looked at in the end, and 40 is proven.
        let nearer: Vec<_> = roads.iter().copied().filter(|&(_, to)| to != "f").collect();
        let less = machine(&places(&nearer, &ends[..1]));
        for steps in 1..200 {
            let board = after_a_move(&less, steps);
            assert_eq!(board.ceiling(), Goal(40), "after {steps} states of {nearer:?}");
        }
    }
}

#[test]
fn what_scores_nothing_is_no_solution() {
    let rules = places(&[("s", "a"), ("a", "s"), ("s", "b")], &[("b", 0)]);
    let machine = machine(&rules.replace("(<= (goal you 0) (true (at b)))", ""));
    let board = Board::new(Goal(100));
    let mut ida = MemoryIda::new(Arc::clone(&machine), machine.initial(), 1 << 20);
    assert_eq!(look(&mut ida, &board, |_| false), Progress::Ended, "all states were looked at");
    assert_eq!((board.best(), board.ceiling()), (None, Goal(0)));
}

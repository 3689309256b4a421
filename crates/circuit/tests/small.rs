//! Small rule sheets, each with a trap, and the forms of a circuit.

mod support;

use std::time::Duration;

use circuit::{BuildReport, Circuit, Effort, Roles, build};
use game::{Describe, Expansion, Game};
use ground::{Budget, GroundError, ground};
use support::PlainGame;
use verify::perft;

fn built(text: &str) -> Result<(Circuit, BuildReport), GroundError> {
    let sheet = gdl::parse(&gdl::SourceFile::new("test", text)).sheet;
    let rules = gdl::normal::normalize(&sheet);
    assert!(rules.faults.is_empty(), "{:?}", rules.faults);
    let budget = Budget::unlimited();
    build(&mut ground(&rules, &budget)?, Effort::Thorough, &budget)
}

fn game(text: &str) -> PlainGame {
    PlainGame::new(built(text).expect("it builds").0)
}

/// The facts after each of some joint moves of a single role.
fn facts_after(game: &PlainGame, moves: &[&str]) -> Vec<String> {
    let mut state = game.initial();
    for text in moves {
        let joint = game.find_move(game::RoleId(0), text).expect("a known move");
        state = game.apply(&mut (), &state, &[joint]).expect("no fault");
    }
    game.facts(&state)
}

#[test]
fn facts_of_unknown_shape_are_expanded() {
    let game = game(
        "(role r) (init (on a)) (init plain) (init (pair a (f b)))
         (<= (legal r (keep ?p)) (true ?p)) (legal r nothing)
         (<= (next ?q) (true ?q) (does r (keep ?q)))
         (<= terminal (not something)) (<= something (true ?x)) (<= (goal r 100) terminal)",
    );
    assert_eq!(game.facts(&game.initial()), ["(on a)", "(pair a (f b))", "plain"]);
    let moves = ["(keep (on a))", "(keep (pair a (f b)))", "(keep plain)", "nothing"];
    assert_eq!(game.circuit.roles[0].moves, moves);
    assert_eq!(facts_after(&game, &["(keep (pair a (f b)))"]), ["(pair a (f b))"]);
    let end = game.state_of(&[]).expect("the empty state");
    let mut expansion = Expansion::new();
    game.expand(&mut (), &end, &mut expansion).expect("no fault");
    assert!(expansion.is_terminal());
}

#[test]
fn recursion_over_growing_terms_is_kept_whole() {
    let game = game(
        "(role r) (num 0) (<= (num (s ?n)) (num ?n) (bounded ?n))
         (<= (bounded ?n) (smaller ?n (s (s (s (s (s (s (s 0)))))))))
         (<= (smaller 0 (s ?n)) (part ?n)) (<= (smaller (s ?m) (s ?n)) (part ?n) (smaller ?m ?n))
         (part (s (s (s (s (s (s (s 0)))))))) (<= (part ?n) (part (s ?n)))
         (init (at 0)) (<= (legal r up) (true (at ?n))) (<= (next (at (s ?n))) (true (at ?n)) (num (s ?n)))
         (<= terminal (true (at (s (s (s (s (s (s (s 0)))))))))) (goal r 0)",
    );
    assert_eq!(facts_after(&game, &["up", "up"]), ["(at (s (s 0)))"]);
    assert_eq!(perft(&game, &mut (), &game.initial(), 7), Ok(1));
    assert_eq!(perft(&game, &mut (), &game.initial(), 8), Ok(0));
}

const PATHS: &str = "(role r) (node a) (node b) (node c) (node d)
    (link a b) (link b c) (link c d) (link d a) (link b a) (link c b)
    (<= (init (open ?n)) (node ?n)) (<= (legal r (close ?n)) (true (open ?n))) (legal r wait)
    (<= (next (open ?n)) (true (open ?n)) (not (does r (close ?n))))
    (<= terminal (not (reach a d))) (<= (goal r 100) (reach a d)) (<= (goal r 0) (not (reach a d)))";

fn check_paths(rules: &str) {
    let (circuit, report) = built(&format!("{PATHS} {rules}")).expect("it builds");
    assert!(report.counts.recursive_components > 0);
    let game = PlainGame::new(circuit);
    for closed in 0..16u32 {
        let names = ["a", "b", "c", "d"];
        let facts: Vec<String> =
            (0..4).filter(|n| closed >> n & 1 == 0).map(|n| format!("(open {})", names[n])).collect();
        let facts: Vec<&str> = facts.iter().map(String::as_str).collect();
        let state = game.state_of(&facts).expect("facts are known");
        let mut expansion = Expansion::new();
        game.expand(&mut (), &state, &mut expansion).expect("no fault");
        assert_eq!(!expansion.is_terminal(), closed == 0, "closed {closed:04b}");
    }
}

#[test]
fn linear_recursion_through_states_has_its_least_solution() {
    check_paths(
        "(<= (reach ?x ?y) (link ?x ?y) (true (open ?x)) (true (open ?y)))
         (<= (reach ?x ?z) (link ?x ?y) (true (open ?x)) (true (open ?y)) (reach ?y ?z))",
    );
}

#[test]
fn square_recursion_through_states_has_its_least_solution() {
    check_paths(
        "(<= (reach ?x ?y) (link ?x ?y) (true (open ?x)) (true (open ?y)))
         (<= (reach ?x ?z) (reach ?x ?y) (reach ?y ?z))",
    );
}

#[test]
fn negation_is_stratified_by_atom_not_by_name() {
    let game = game(
        "(role r) (init (p 1)) (legal r go) (<= (next (p 2)) (true (p 1)))
         (<= (goal r 100) (true (p 2))) (<= (goal r 0) (not (goal r 100))) (<= terminal (goal r 100))",
    );
    let mut goals = Vec::new();
    game.goals(&mut (), &game.initial(), &mut goals).expect("no fault");
    assert_eq!(goals[0].value().0, 0);
}

#[test]
fn contradictions_are_reported() {
    let error = built("(role r) (init p) (legal r go) (<= q (true p) (not q)) (<= terminal q) (goal r 0)");
    assert_eq!(error.err(), Some(GroundError::Unstratified("q".to_owned())));
}

#[test]
fn sheets_without_roles_and_empty_sheets_are_refused() {
    assert_eq!(built("").err(), Some(GroundError::NoRoles));
    let (circuit, _) = built("(role r)").expect("it builds");
    assert!(circuit.bases.is_empty() && circuit.roles[0].moves.is_empty());
}

#[test]
fn what_grows_without_end_is_stopped() {
    let text = "(role r) (num 0) (<= (num (s ?n)) (num ?n)) (<= (legal r (say ?n)) (num ?n)) (goal r 0)";
    let sheet = gdl::parse(&gdl::SourceFile::new("test", text)).sheet;
    let error = ground(&gdl::normal::normalize(&sheet), &Budget::unlimited()).err();
    assert_eq!(error, Some(GroundError::TooMany("functions within functions")));

    let text = "(role r) (bit 0) (bit 1) (<= (legal r (say ?a ?b ?c ?d ?e ?f ?g ?h ?i ?j ?k ?l ?m ?n ?o ?p))
        (bit ?a) (bit ?b) (bit ?c) (bit ?d) (bit ?e) (bit ?f) (bit ?g) (bit ?h)
        (bit ?i) (bit ?j) (bit ?k) (bit ?l) (bit ?m) (bit ?n) (bit ?o) (bit ?p)) (goal r 0)";
    let sheet = gdl::parse(&gdl::SourceFile::new("test", text)).sheet;
    let budget = Budget { bytes: 1 << 20, ..Budget::unlimited() };
    let error = ground(&gdl::normal::normalize(&sheet), &budget).err();
    assert_eq!(error, Some(GroundError::OutOfMemory { limit_bytes: 1 << 20 }));
    let budget = Budget { progress: &|_| false, ..Budget::unlimited() };
    assert_eq!(ground(&gdl::normal::normalize(&sheet), &budget).err(), Some(GroundError::Stopped));
}

#[test]
fn the_text_of_a_circuit_reads_back() {
    let (circuit, _) = built(PATHS_WITH_REACH).expect("it builds");
    let text = circuit.print();
    let parsed = Circuit::parse(&text).expect("it parses");
    assert_eq!(parsed.print(), text);
    assert_eq!((parsed.bases, parsed.initial), (circuit.bases.clone(), circuit.initial.clone()));
    assert!(circuit.dot().contains("legal r (close a)"));
    for (broken, line) in
        [("", 1), ("circuit\ng1 = and g2 g3", 1), ("circuit\nbase 2 g0 p", 2), ("circuit\nterminal g9", 1)]
    {
        assert_eq!(Circuit::parse(broken).map(|_| ()).map_err(|error| error.line), Err(line), "{broken}");
    }
}

const PATHS_WITH_REACH: &str = "(role r) (node a) (node b) (init (open a)) (init (open b))
    (<= (legal r (close ?n)) (true (open ?n))) (legal r wait)
    (<= (next (open ?n)) (true (open ?n)) (not (does r (close ?n))))
    (<= terminal (not (true (open a))) (not (true (open b)))) (<= (goal r 50) (true (open a)))";

#[test]
fn facts_that_never_change_are_found() {
    let (circuit, report) = built(
        "(role r) (init base) (init (turn 1)) (legal r go) (<= (legal r never) (true other))
         (<= (next base) (true base)) (<= (next other) (true other)) (<= (next (turn 2)) (true (turn 1)))
         (<= (next (turn 1)) (true (turn 2)))
         (<= (next marked) (true marked)) (<= (next marked) (true (turn 2)))
         (<= terminal (true marked) (true (turn 1))) (goal r 0)",
    )
    .expect("it builds");
    assert_eq!(circuit.bases, ["(turn 1)", "(turn 2)", "base", "marked"]);
    assert_eq!(circuit.roles[0].moves, ["go"]);
    assert_eq!(report.analysis.always, ["base"]);
    assert_eq!((report.analysis.mirrored, report.analysis.stays_true.contains(&3)), (1, true));
}

#[test]
fn an_end_that_never_comes_is_no_end() {
    let game = game(
        "(role r) (init p) (foo b) (legal r go) (<= (next p) (true p)) (<= terminal (foo a)) (goal r 0)",
    );
    assert_eq!(perft(&game, &mut (), &game.initial(), 3), Ok(1));
}

#[test]
fn moves_read_before_they_are_chosen_are_not_done() {
    let game = game(
        "(role r) (init p) (legal r go) (legal r stay) (<= (next p) (does r stay))
         (<= terminal (does r go)) (<= (goal r 0) (not (does r go)))",
    );
    assert_eq!(perft(&game, &mut (), &game.initial(), 2), Ok(4));
    assert_eq!(facts_after(&game, &["stay"]), ["p"]);
}

/// A computer that stands still while a circuit is built, as busy ones do, builds the same circuit.
#[test]
fn circuits_do_not_depend_on_the_clock() {
    let text = include_str!("../../../games/connect-four-6x5/rules.kif");
    let built = |quick: usize| {
        let readings = std::cell::Cell::new(0usize);
        // So many readings take no time, each of the others takes a second.
        let clock = || {
            readings.set(readings.get() + 1);
            Duration::from_secs(readings.get().saturating_sub(quick) as u64)
        };
        let budget = Budget { clock: &clock, ..Budget::unlimited() };
        let mut rules = ground(&gdl::normal::read(text), &Budget::unlimited()).expect("small");
        let (circuit, report) = build(&mut rules, Effort::Thorough, &budget).expect("small");
        let colours = vec![0; circuit.bases.len()];
        let mirrored = circuit.symmetries(&colours, Roles::Kept, &|| false).order;
        ((report.strategy, circuit.sizes(), mirrored), readings.get())
    };
    let (expected, readings) = built(usize::MAX);
    assert_eq!(expected.2, 2, "a board and its mirror image: {expected:?}");
    for stop in (0..readings).step_by((readings / 12).max(1)) {
        assert_eq!(built(stop).0, expected, "slow after {stop} of {readings} readings of the clock");
    }
}

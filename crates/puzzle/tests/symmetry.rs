//! Symmetries of rules: how many there are, that they are symmetries by the reference reasoner, and
//! that a search that merges what they map onto each other finds and proves the same.

mod support;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use circuit::Symmetry;
use game::{Describe, Dice, Expansion, Game, Goal, MoveId, RoleId};
use machine::reference::Reference;
use puzzle::method::{BestFirst, Breadth, Depth, Keys, Method, Progress, Tally};
use puzzle::{Board, Search, Space};
use support::{LAMPS, PARITY, bundled};

const BYTES: usize = 256 << 20;

/// How a method is made.
type Make = fn(Arc<Space>) -> Box<dyn Method>;

/// Bundled games and how many symmetries their rules have.
const KNOWN: [(&str, u64); 14] = [
    // The square, whatever the first state.
    ("lights-out", 8),
    ("peg-solitaire", 8),
    ("queens", 8),
    ("rubiks-cube", 8),
    // A ring of twelve.
    ("circle-solitaire", 24),
    // The diagonal; tiles are mirrored with their places.
    ("eight-puzzle", 2),
    // The two pegs that are not asked for.
    ("hanoi", 2),
    ("frogs-and-toads", 2),
    ("hunter", 2),
    ("river-crossing", 2),
    ("hamilton", 6),
    ("jugs", 1),
    ("maze", 1),
    ("sokoban", 1),
];

#[test]
fn bundled_games_have_the_symmetries_that_one_sees() {
    for (name, order) in KNOWN {
        let (space, _) = support::space(&bundled(name));
        let found = space.symmetries(&|| false);
        assert_eq!((found.order, found.complete), (order, true), "{name}");
        assert_eq!(found.generators.is_empty(), order == 1, "{name}");
    }
}

#[test]
fn an_asymmetric_goal_or_move_breaks_a_symmetry() {
    let order = |rules: &str| support::space(rules).0.symmetries(&|| false).order;
    assert_eq!(order(LAMPS), 2, "a row can be reversed");
    assert_eq!(order(&LAMPS.replace("(<= solved (true (on 1))", "(<= solved (not (true (on 1)))")), 1);
    assert_eq!(order(&LAMPS.replace("(lamp ?n))\n", "(lamp ?n) (not (true (on 1))))\n")), 1);
    assert_eq!(order(PARITY), 1);
}

/// A state of the reference reasoner as its facts, and the rest of what is to be compared.
struct Seen {
    terminal: bool,
    goal: Option<Goal>,
    legal: BTreeSet<String>,
}

fn see(reference: &Reference, state: &<Reference as Game>::State) -> Seen {
    let mut workspace = reference.workspace();
    let (mut expansion, mut readings) = (Expansion::new(), Vec::new());
    reference.expand(&mut workspace, state, &mut expansion).expect("no fault");
    reference.goals(&mut workspace, state, &mut readings).expect("no fault");
    let legal = |expansion: &Expansion| {
        expansion.legal(RoleId(0)).iter().map(|&id| reference.move_text(id)).collect()
    };
    Seen {
        terminal: expansion.is_terminal(),
        goal: expansion.is_terminal().then(|| readings[0].value()),
        legal: if expansion.is_terminal() { BTreeSet::new() } else { legal(&expansion) },
    }
}

/// The images of names; what is not among them is its own image.
fn mapped<'a>(names: &'a [String], images: &[u32], name: &'a str) -> &'a str {
    match names.binary_search_by(|other| other.as_str().cmp(name)) {
        Ok(place) => &names[images[place] as usize],
        Err(_) => name,
    }
}

fn apply(
    reference: &Reference,
    state: &<Reference as Game>::State,
    text: &str,
) -> <Reference as Game>::State {
    let id: MoveId = reference.find_move(RoleId(0), text).expect("a legal move");
    reference.apply(&mut reference.workspace(), state, &[id]).expect("no fault")
}

/// Plays by chance, and beside each state looks at its image.
fn commutes(name: &str, space: &Space, reference: &Reference, symmetry: &Symmetry, dice: &mut Dice) {
    let circuit = space.circuit();
    let fact = |text: &str| mapped(&circuit.bases, &symmetry.facts, text).to_owned();
    let option = |text: &str| mapped(&circuit.roles[0].moves, &symmetry.moves, text).to_owned();
    let readings = space.symmetries(&|| false).readings;
    let relevant = circuit.relevant();
    let matters = |text: &String| match circuit.bases.binary_search(text) {
        Ok(place) => relevant[readings[place].0 as usize],
        Err(_) => false,
    };
    let image = |state: &<Reference as Game>::State| {
        let facts: Vec<String> = reference.facts(state).iter().map(|text| fact(text)).collect();
        let facts: Vec<&str> = facts.iter().map(String::as_str).collect();
        reference.state_of(&facts).expect("facts of the game")
    };
    let mut state = reference.initial();
    for step in 0..12 {
        let (here, there) = (see(reference, &state), see(reference, &image(&state)));
        assert_eq!((here.terminal, here.goal), (there.terminal, there.goal), "{name}, step {step}");
        let expected: BTreeSet<String> = here.legal.iter().map(|text| option(text)).collect();
        assert_eq!(expected, there.legal, "{name}, step {step}");
        let Some(text) = here.legal.iter().nth(dice.below(here.legal.len().max(1))) else { return };
        let after = apply(reference, &state, text);
        let relevant_facts = |state: &<Reference as Game>::State| -> BTreeSet<String> {
            reference.facts(state).into_iter().filter(matters).collect()
        };
        let beside = apply(reference, &image(&state), &option(text));
        assert_eq!(relevant_facts(&image(&after)), relevant_facts(&beside), "{name}, after {text}");
        state = after;
    }
}

#[test]
fn the_reference_reasoner_agrees_that_they_are_symmetries() {
    let mut dice = Dice::new(1);
    for (name, _) in KNOWN.into_iter().filter(|&(_, order)| order > 1) {
        let (space, reference) = support::space(&bundled(name));
        for symmetry in &space.symmetries(&|| false).generators {
            for _ in 0..2 {
                commutes(name, &space, &reference, symmetry, &mut dice);
            }
        }
    }
}

/// Lets a method look at everything; the best score, the states it met and whether all were seen.
fn exhaust(
    text: &str,
    merging: bool,
    make: impl FnOnce(Arc<Space>) -> Box<dyn Method>,
) -> (Option<Goal>, Tally, Goal) {
    let (_, reference) = support::space(text);
    let space = Arc::new(support::plain_space(text).merging(merging));
    // Never settled before everything was looked at.
    let board = Board::new(Goal(101));
    let mut method = make(Arc::clone(&space));
    let stop = Default::default();
    let search = Search { clock: support::clock(), stop: &stop, board: &board };
    while method.work((search.clock)() + Duration::from_millis(100), &search) == Progress::Working {}
    for found in board.history() {
        let plan: Vec<String> = found.plan.moves.iter().map(|&id| space.machine().move_text(id)).collect();
        let score = puzzle::replay(&reference, &reference.initial(), &plan);
        assert_eq!(score, Ok(found.plan.score), "{plan:?}");
    }
    (board.score(), method.tally(), board.ceiling())
}

#[test]
fn merging_changes_what_is_looked_at_but_not_what_is_found() {
    let games = ["hanoi", "frogs-and-toads", "circle-solitaire", "river-crossing", "hamilton"];
    let texts = games.iter().map(|name| (*name, bundled(name)));
    for (name, text) in texts.chain([("lamps", LAMPS.to_owned()), ("parity", PARITY.to_owned())]) {
        let methods: [Make; 3] = [
            |space| Box::new(Breadth::new(space, Keys::Exact, BYTES)),
            |space| Box::new(BestFirst::new(space, BYTES)),
            |space| Box::new(Depth::new(space, BYTES)),
        ];
        for make in methods {
            let (plain, all, plain_ceiling) = exhaust(&text, false, make);
            let (merged, fewer, ceiling) = exhaust(&text, true, make);
            assert_eq!((merged, ceiling), (plain, plain_ceiling), "{name}");
            assert!(fewer.states <= all.states && all.merged == 0, "{name}: {fewer:?} {all:?}");
        }
    }
}

#[test]
fn a_square_has_an_eighth_of_the_states() {
    // Lamps of a square of four by four that only go on, with a start that is its own image: states
    // are counted up to the eight symmetries of the square (8548 of 65536, by Burnside's lemma).
    let index = "(index 1) (index 2) (index 3) (index 4) (beside 1 2) (beside 2 3) (beside 3 4)";
    let rules = format!(
        "(role you) {index} (init start)
         (<= (legal you (light ?x ?y)) (index ?x) (index ?y) (not (true (on ?x ?y))))
         (<= (next (on ?x ?y)) (does you (light ?x ?y))) (<= (next (on ?x ?y)) (true (on ?x ?y)))
         (<= dark (index ?x) (index ?y) (not (true (on ?x ?y)))) (<= terminal (not dark))
         (<= pair (true (on ?x ?y)) (true (on ?x ?v)) (beside ?y ?v))
         (<= pair (true (on ?x ?y)) (true (on ?u ?y)) (beside ?x ?u))
         (<= (goal you 70) (not dark)) (<= (goal you 1) dark (not pair)) (<= (goal you 0) dark pair)"
    );
    let breadth = |space| -> Box<dyn Method> { Box::new(Breadth::new(space, Keys::Exact, BYTES)) };
    let (score, all, _) = exhaust(&rules, false, breadth);
    assert_eq!((score, all), (Some(Goal(70)), Tally { states: 65_536, merged: 0 }));
    let (score, fewer, _) = exhaust(&rules, true, breadth);
    assert_eq!((score, fewer.states), (Some(Goal(70)), 8_548));
}

#[test]
fn lamps_that_can_be_exchanged_at_will_are_only_counted() {
    let rules = "(role you) (lamp 1) (lamp 2) (lamp 3) (lamp 4) (lamp 5) (lamp 6) (lamp 7) (lamp 8)
        (<= (legal you (light ?x)) (lamp ?x) (not (true (on ?x))))
        (<= (next (on ?x)) (does you (light ?x))) (<= (next (on ?x)) (true (on ?x)))
        (<= dark (lamp ?x) (not (true (on ?x)))) (<= terminal (not dark))
        (<= (goal you 100) (not dark)) (<= (goal you 0) dark) (init start)";
    let breadth = |space| -> Box<dyn Method> { Box::new(Breadth::new(space, Keys::Exact, BYTES)) };
    assert_eq!(exhaust(rules, false, breadth).1.states, 256);
    assert_eq!(exhaust(rules, true, breadth).1.states, 9);
    assert_eq!(support::space(rules).0.symmetries(&|| false).order, 40_320);
}

//! The faster way to solve games of questions beside the plain one.

use std::fmt::Write;
use std::sync::Arc;

use game::{Describe, Dice, Game, RoleId};
use machine::{ErasedGame, ErasedState, Limits, Target, Wanted};

use super::*;
use crate::permutations::Group;
use crate::question_symmetries::QuestionSymmetries;
use crate::{Belief, Own, Step};

const ROLE: RoleId = RoleId(0);

fn machine(rules: &str) -> Arc<ErasedGame> {
    let machine = machine::from_text(rules, Wanted::Circuit(Target::detect()), &Limits::generous());
    machine.expect("a machine").erased()
}

fn bundled(name: &str) -> Arc<ErasedGame> {
    machine(bundled::find(name).expect("a bundled game").rules)
}

/// A game of questions by its answers, question after question for each secret; 0 ends it. Of three questions the first that
/// does so is worth 90, the second 60 and the last 50.
fn sheet(answers: &[Vec<u8>]) -> String {
    let mut rules = "(role asker) (role random) (follows 1 2) (follows 2 3) (worth 1 90) (worth 2 60) (worth 3 50)
        (<= started (true (count ?n)))
        (<= (legal random (hide ?s)) (secret ?s) (not started)) (<= (legal random noop) started)
        (<= (legal asker noop) (not started)) (<= (legal asker (ask ?q)) (question ?q) started)
        (<= (next (hidden ?s)) (does random (hide ?s))) (<= (next (hidden ?s)) (true (hidden ?s)))
        (<= (answer ?a) (does asker (ask ?q)) (true (hidden ?s)) (says ?q ?s ?a))
        (<= (next (count 1)) (not started))
        (<= (next (count ?n)) (true (count ?m)) (follows ?m ?n) (not (answer 0)))
        (<= (next (found ?n)) (true (count ?n)) (answer 0)) (<= (next failed) (true (count 3)) (not (answer 0)))
        (<= (sees asker ?a) (answer ?a)) (<= solved (true (found ?n)))
        (<= terminal solved) (<= terminal (true failed))
        (<= (goal asker ?g) (true (found ?n)) (worth ?n ?g)) (<= (goal asker 0) (not solved)) (goal random 0)"
        .to_owned();
    for (question, row) in answers.iter().enumerate() {
        write!(rules, "\n(question {question})").expect("text");
        for (secret, answer) in row.iter().enumerate() {
            write!(rules, " (says {question} {secret} {answer})").expect("text");
        }
    }
    (0..answers[0].len()).for_each(|secret| write!(rules, " (secret {secret})").expect("text"));
    rules
}

/// Mastermind with some pegs and colours: how many are right, and how many of the right colour. 0 if all are.
fn mastermind(pegs: u32, colours: usize) -> Vec<Vec<u8>> {
    let codes = colours.pow(pegs);
    let digits = |code: usize| (0..pegs).map(move |peg| code / colours.pow(peg) % colours);
    let answer = |one: usize, two: usize| {
        let right = digits(one).zip(digits(two)).filter(|(one, two)| one == two).count();
        let count = |code: usize, colour: usize| digits(code).filter(|&each| each == colour).count();
        let alike: usize = (0..colours).map(|each| count(one, each).min(count(two, each))).sum();
        if one == two { 0 } else { (1 + right + (pegs as usize + 1) * alike) as u8 }
    };
    (0..codes).map(|one| (0..codes).map(|two| answer(one, two)).collect()).collect()
}

/// What is possible once something is hidden.
fn hidden(game: &Arc<ErasedGame>) -> Vec<(ErasedState, f64)> {
    let mut belief = Belief::new(Arc::clone(game), ROLE, 10_000, 1);
    let own = Own::Made(game.find_move(ROLE, "noop").expect("a move"));
    assert_eq!(belief.advance(Step { own, told: Some(Vec::new()) }), Ok(true));
    assert!(belief.is_exact());
    belief.particles().iter().map(|each| (each.state.clone(), each.weight)).collect()
}

/// A belief that was read, as far as the game goes on.
fn read(game: &ErasedGame, belief: &[(ErasedState, f64)]) -> (BeliefTree<ErasedState>, Open) {
    let mut tree = BeliefTree::new(ROLE, 10_000_000);
    let read = tree.read(game, &mut game.workspace(), belief, &mut || true).expect("small");
    let open = tree.open(&read).expect("one role decides").expect("it goes on");
    (tree, open)
}

/// What a belief is worth by the plain way, and by the faster one if that knows the game.
fn both_ways(game: &ErasedGame, belief: &[(ErasedState, f64)]) -> (f64, Option<f64>) {
    let (mut tree, open) = read(game, belief);
    let (plain, _) = tree.best_of(&open, f64::NEG_INFINITY, 0, &mut || true).expect("small");
    assert!(plain.is_exact);
    let mut go_on = || true;
    let faster = tree.inquiry(&open, &mut go_on).map(|(set, inquiry, mut effort)| {
        let (_, points) = inquiry.best(&set, &mut effort).expect("small").expect("it goes on");
        open.share() * f64::from(points) / 100.0
    });
    (plain.value, faster)
}

#[test]
fn questions_are_worth_the_same_either_way() {
    let mut dice = Dice::new(3);
    let mut values = Vec::new();
    for (secrets, questions, kinds) in [(6, 8, 3), (9, 9, 3), (9, 7, 4), (7, 12, 2), (12, 10, 4)] {
        for _ in 0..3 {
            let answers: Vec<Vec<u8>> =
                (0..questions).map(|_| (0..secrets).map(|_| dice.below(kinds) as u8).collect()).collect();
            let game = machine(&sheet(&answers));
            let (plain, faster) = both_ways(&game, &hidden(&game));
            let faster = faster.expect("a game of questions");
            assert!((plain - faster).abs() < 1e-9, "{answers:?}: {plain} and {faster}");
            values.push((plain * 1e6) as u64);
        }
    }
    values.sort_unstable();
    values.dedup();
    assert!(values.len() > 8, "the games are too much alike: {values:?}");
}

#[test]
fn every_question_is_worth_the_same_either_way() {
    let game = bundled("mastermind-small");
    let belief = hidden(&game);
    let mut tree = BeliefTree::new(ROLE, 10_000_000);
    let moves = tree.moves(&*game, &mut game.workspace(), &belief, &mut || true).expect("small");
    assert!(tree.inquiry.is_some());
    let (mut tree, open) = read(&game, &belief);
    for (place, (_, worth)) in (0..).zip(moves) {
        let (bound, _) = tree.bounding.of(&tree.transitions, &open.positions, place);
        let plain = tree.after(&open, place, bound, f64::NEG_INFINITY, 0, &mut || true).expect("small");
        assert!(plain.is_exact && (plain.value - worth).abs() < 1e-9, "{place}: {plain:?} and {worth}");
    }
}

#[test]
fn other_games_are_not_taken_for_questions() {
    // After eight questions there are no more; what is legal changes; likelihoods differ.
    for name in ["number-guessing", "monty-hall"] {
        let game = bundled(name);
        assert_eq!(both_ways(&game, &hidden(&game)).1, None, "{name}");
    }
    let game = bundled("mastermind-small");
    let mut belief = hidden(&game);
    assert!(both_ways(&game, &belief).1.is_some());
    belief[0].1 += 0.01;
    belief[1].1 -= 0.01;
    assert_eq!(both_ways(&game, &belief).1, None);
    // The same answers, but not after the first question.
    let rules = sheet(&mastermind(2, 2));
    let game = machine(&rules);
    assert!(both_ways(&game, &hidden(&game)).1.is_some());
    for (part, other) in [
        ("(<= (sees asker ?a) (answer ?a))", "(<= (sees asker ?a) (answer ?a) (true (count 1)))"),
        ("(question 0)", "(<= (question 0) (true (count 1)))"),
        ("(true (hidden ?s)) (says", "(true (hidden ?s)) (not (true (count 2))) (says"),
    ] {
        let game = machine(&rules.replace(part, other));
        assert_eq!(both_ways(&game, &hidden(&game)).1, None, "{other}");
    }
}

#[test]
fn symmetries_leave_out_nothing_that_is_better() {
    let game = machine(&sheet(&mastermind(3, 4)));
    let (tree, open) = read(&game, &hidden(&game));
    let questions = Questions::read(&tree.transitions, &open.positions).expect("a game of questions");
    let mut symmetries = QuestionSymmetries::new(&questions);
    while symmetries.look(&questions) {}
    let first: Vec<u16> = (0..64).filter(|&code| symmetries.group().first(code) == code).collect();
    assert_eq!(first.len(), 3, "of one colour, of two and of three: {first:?}");
    let set = questions.find(&open.positions).expect("all of them");
    let mut inquiry = Inquiry::new(questions);
    let (mut done, mut go_on) = (0, || true);
    let mut effort = Effort { done: &mut done, most: u64::MAX, go_on: &mut go_on };
    let best = inquiry.best(&set, &mut effort);
    let questions = Questions::read(&tree.transitions, &open.positions).expect("a game of questions");
    let mut without = Inquiry::new(questions);
    assert_eq!(without.best_within(&set, &Group::default(), &mut effort), best);
    assert!(inquiry.len() <= without.len(), "{} and {}", inquiry.len(), without.len());
}

//! Captures, in lanes: the moves that a playout may make are those after which something of another's is gone, if there
//! are such, no more and no fewer.

use std::collections::BTreeSet;
use std::sync::Arc;

use ::circuit::Circuit;
use game::{Decisive, Describe, Expansion, Game, Job, MoveId, Outcomes, PlayOptions, Simulator};

use super::decisive_tests::{of_rules, open_states};
use super::tests::batch;
use super::*;
use crate::circuit::CircuitState;
use crate::samples;

/// Pieces that step in any direction and take what stands there. What arrives on a square is what was on another: that
/// it is not the other's piece says only what is legal. Who takes the last piece wins.
const STEPS: &str = "
    (role x) (role o) (other x o) (other o x) (init (control x))
    (piece x xk) (piece x xp) (piece o ok) (piece o op)
    (succ 1 2) (succ 2 3) (succ 3 4) (index 1) (index 2) (index 3) (index 4)
    (init (cell 1 1 xk)) (init (cell 2 1 xp)) (init (cell 3 1 xp)) (init (cell 4 1 xp))
    (init (cell 1 4 ok)) (init (cell 2 4 op)) (init (cell 3 4 op)) (init (cell 4 4 op))
    (init (step 0)) (next-step 0 1)
    (<= (near ?a ?b) (succ ?a ?b)) (<= (near ?a ?b) (succ ?b ?a)) (<= (near ?a ?a) (index ?a))
    (<= (owned ?p ?c ?r) (true (cell ?c ?r ?k)) (piece ?p ?k))
    (<= (legal ?p (go ?c ?r ?d ?s)) (true (control ?p)) (owned ?p ?c ?r) (near ?c ?d) (near ?r ?s)
        (not (owned ?p ?d ?s)))
    (<= (legal ?p noop) (other ?p ?q) (true (control ?q)))
    (<= (arrives ?d ?s) (does ?p (go ?c ?r ?d ?s))) (<= (leaves ?c ?r) (does ?p (go ?c ?r ?d ?s)))
    (<= (moving ?k) (does ?p (go ?c ?r ?d ?s)) (true (cell ?c ?r ?k)))
    (<= (next (cell ?c ?r ?k)) (true (cell ?c ?r ?k)) (not (arrives ?c ?r)) (not (leaves ?c ?r)))
    (<= (next (cell ?c ?r ?k)) (arrives ?c ?r) (moving ?k))
    (<= (next (control ?q)) (true (control ?p)) (other ?p ?q))
    (<= (alive ?p) (owned ?p ?c ?r))
    (<= terminal (role ?p) (not (alive ?p)))
    (<= (goal ?p 100) (other ?p ?q) (not (alive ?q))) (<= (goal ?p 0) (role ?p) (not (alive ?p)))
    (<= (goal ?p 50) (alive x) (alive o) (role ?p))";

/// How many facts of a role there are, but for whose turn it is.
fn pieces(
    machine: &CircuitMachine,
    state: &CircuitState,
    owns: fn(&str, usize) -> bool,
    role: usize,
) -> usize {
    machine.facts(state).iter().filter(|fact| fact.starts_with("(cell") && owns(fact, role)).count()
}

/// What may be done in a state by one who takes what it can, role by role.
fn by_definition(
    machine: &CircuitMachine,
    state: &CircuitState,
    owns: fn(&str, usize) -> bool,
) -> Vec<Vec<MoveId>> {
    let mut workspace = machine.workspace();
    let mut expansion = Expansion::new();
    machine.expand(&mut workspace, state, &mut expansion).unwrap();
    let first: Vec<MoveId> = expansion.by_role().map(|legal| legal[0]).collect();
    let narrowed = expansion.by_role().enumerate().map(|(role, legal)| {
        let before = pieces(machine, state, owns, 1 - role);
        let takes = |id: &MoveId| {
            let mut joint = first.clone();
            joint[role] = *id;
            let next = machine.apply(&mut machine.workspace(), state, &joint).unwrap();
            legal.len() > 1 && pieces(machine, &next, owns, 1 - role) < before
        };
        let taking: Vec<MoveId> = legal.iter().copied().filter(takes).collect();
        if taking.is_empty() { legal.to_vec() } else { taking }
    });
    narrowed.collect()
}

type Owns = fn(&str, usize) -> bool;

fn games() -> [(&'static str, Arc<Circuit>, Owns); 2] {
    [
        ("breakthrough", samples::breakthrough(5), |fact, role| fact.ends_with(["white)", "black)"][role])),
        ("steps", of_rules(STEPS), |fact, role| fact.contains([" x", " o"][role])),
    ]
}

#[test]
fn lanes_take_what_can_be_taken_and_all_of_it() {
    for (name, circuit, owns) in games() {
        for target in [Target::detect(), Target::Portable] {
            let batch = batch(Arc::clone(&circuit), target);
            let mut workspace = batch.workspace();
            let (mut narrowed, mut expansion) = (0, Expansion::new());
            for state in open_states(&batch.machine, 60) {
                let allowed = by_definition(&batch.machine, &state, owns);
                let mut made: BTreeSet<MoveId> = BTreeSet::new();
                let mut outcomes = Outcomes::default();
                // Lanes of one call share draws, so there are many calls.
                for seed in 0..80 {
                    let (captures, record_moves) = (true, true);
                    let options =
                        PlayOptions { seed, most_steps: 1, captures, record_moves, ..PlayOptions::default() };
                    assert!(batch.supports(&options), "{name}");
                    batch.play(&mut workspace, &[Job::new(&state, 10)], &options, &mut outcomes).unwrap();
                    made.extend(outcomes.moves.iter().map(|(_, id, _)| id));
                }
                batch.expand(&mut workspace, &state, &mut expansion).unwrap();
                let legal: usize = expansion.by_role().map(<[MoveId]>::len).sum();
                narrowed += usize::from(legal > allowed.iter().map(Vec::len).sum());
                assert_eq!(made, allowed.into_iter().flatten().collect(), "{name} {:?}", batch.facts(&state));
            }
            assert!(narrowed > 5, "{name}: something is narrowed, {narrowed} times");
        }
    }
}

/// A win at once comes before anything that could be taken.
#[test]
fn who_can_win_does_not_stop_to_take() {
    let batch = batch(samples::breakthrough(5), Target::detect());
    let of = |decisive, captures| PlayOptions { decisive, captures, seed: 3, ..PlayOptions::default() };
    let length = |options: PlayOptions<'_>| {
        let (start, mut outcomes) = (batch.initial(), Outcomes::default());
        batch.play(&mut batch.workspace(), &[Job::new(&start, 2000)], &options, &mut outcomes).unwrap();
        (0..outcomes.len()).map(|playout| outcomes.length(playout)).sum::<u32>()
    };
    assert!(batch.supports(&of(Decisive::Wins, true)));
    assert!(length(of(Decisive::Wins, true)) < length(of(Decisive::None, true)));
}

/// Where who takes loses, nobody is made to; nor where nothing can be taken, or roles move at once.
#[test]
fn nothing_is_taken_where_that_is_no_good() {
    let mut reversed = (*samples::breakthrough(5)).clone();
    let [first, second] = &mut reversed.roles[..] else { panic!("two roles") };
    std::mem::swap(&mut first.goals, &mut second.goals);
    let others =
        [samples::tic_tac_toe(), samples::connect_four(5, 4), samples::race(), samples::nim(&[1, 2, 3])];
    for circuit in others.into_iter().chain([Arc::new(reversed)]) {
        let batch = batch(circuit, Target::Portable);
        assert!(!batch.supports(&PlayOptions { captures: true, ..PlayOptions::default() }));
    }
}

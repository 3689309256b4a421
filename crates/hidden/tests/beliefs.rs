//! Beliefs: what agrees with what was told, and nothing else.

use std::sync::Arc;

use game::{Describe, Dice, Expansion, Game, MoveId, RoleId};
use hidden::{Belief, BeliefCounts, Own, Step, tell};
use machine::{ErasedGame, ErasedState, Limits, Target, Wanted};

const GAMES: [&str; 7] = [
    "monty-hall",
    "kuhn-poker",
    "leduc-poker",
    "number-guessing",
    "banker-and-thief",
    "blind-tic-tac-toe",
    "kriegspiel-tic-tac-toe",
];

fn game(name: &str) -> Arc<ErasedGame> {
    let rules = bundled::find(name).expect("a bundled game").rules;
    let machine = machine::from_text(rules, Wanted::Batch(Target::detect()), &Limits::generous());
    machine.expect("a machine").erased()
}

/// Plays a match at random and lets `follow` see every step: the state before, and what each role did and was told.
fn play(game: &ErasedGame, seed: u64, mut follow: impl FnMut(&[Step], &ErasedState)) {
    let mut dice = Dice::new(seed);
    let (mut workspace, mut state) = (game.workspace(), game.initial());
    let mut expansion = Expansion::new();
    loop {
        game.expand(&mut workspace, &state, &mut expansion).expect("no fault");
        if expansion.is_terminal() {
            return;
        }
        let joint: Vec<MoveId> = expansion.by_role().map(|legal| legal[dice.below(legal.len())]).collect();
        let steps: Vec<Step> = game
            .role_ids()
            .map(|role| {
                let mut told = Vec::new();
                tell(game, &mut workspace, &state, &joint, role, &mut told).expect("no fault");
                Step { own: Own::Made(joint[usize::from(role.0)]), told: Some(told) }
            })
            .collect();
        state = game.apply(&mut workspace, &state, &joint).expect("no fault");
        follow(&steps, &state);
    }
}

#[test]
fn the_true_position_is_always_held_for_possible() {
    for name in GAMES {
        let game = game(name);
        for seed in 0..4 {
            let role = RoleId((seed % 2) as u16);
            if game.chance() == Some(role) {
                continue;
            }
            let mut belief = Belief::new(Arc::clone(&game), role, 100_000, seed);
            play(&game, seed, |steps, state| {
                let step = steps[usize::from(role.0)].clone();
                assert_eq!(belief.advance(step), Ok(true), "{name} {seed}");
                assert!(belief.is_exact(), "{name} {seed}: {belief:?}");
                assert!(belief.particles().iter().any(|each| each.state == *state), "{name} {seed}");
                let total: f64 = belief.particles().iter().map(|each| each.weight).sum();
                assert!((total - 1.0).abs() < 1e-9);
            });
        }
    }
}

#[test]
fn few_positions_are_enough_to_go_on() {
    // With so few, what was held for possible is often wrong: others have to be found.
    let mut rebuilt = 0;
    for name in GAMES {
        let game = game(name);
        for seed in 0..8 {
            let role = RoleId(0);
            let mut belief = Belief::new(Arc::clone(&game), role, 2, seed);
            play(&game, 100 + seed, |steps, state| {
                assert_eq!(belief.advance(steps[0].clone()), Ok(true), "{name} {seed}");
                assert!(!belief.particles().is_empty());
                // What is legal is known in these games, whatever the position is.
                let mut expansion = Expansion::new();
                game.expand(&mut game.workspace(), state, &mut expansion).expect("no fault");
                if !expansion.is_terminal() {
                    assert_eq!(belief.legal().expect("no fault"), expansion.legal(role), "{name} {seed}");
                }
            });
            rebuilt += belief.counts().rebuilt;
            assert_eq!(belief.counts().lost, 0);
        }
    }
    assert!(rebuilt > 0, "the games are too easy");
}

#[test]
fn a_step_that_was_missed_is_made_up_for() {
    let game = game("kriegspiel-tic-tac-toe");
    for seed in 0..6 {
        let mut belief = Belief::new(Arc::clone(&game), RoleId(0), 5_000, seed);
        let mut count = 0;
        play(&game, seed, |steps, state| {
            count += 1;
            let step = if count == 3 { Step::default() } else { steps[0].clone() };
            assert_eq!(belief.advance(step), Ok(true));
            assert!(!belief.is_exact() || belief.particles().iter().any(|each| each.state == *state));
        });
        assert_eq!(belief.counts().lost, 0);
    }
}

#[test]
fn what_cannot_be_does_not_end_it() {
    let game = game("kriegspiel-tic-tac-toe");
    let mut belief = Belief::new(Arc::clone(&game), RoleId(0), 100, 1);
    let own = Own::Made(game.find_move(RoleId(0), "(mark 2 2)").expect("a move"));
    let impossible = Step { own, told: Some(Vec::new()) };
    assert_eq!(belief.advance(impossible), Ok(false));
    assert_eq!(belief.counts().lost, 1);
    assert!(!belief.particles().is_empty());
    assert!(!belief.legal().expect("no fault").is_empty());
}

/// All bundled games in which somebody does not see something.
fn hidden_games() -> Vec<&'static str> {
    let is_hidden = |game: &&bundled::BundledGame| {
        let metadata = game.metadata().expect("sound metadata");
        metadata.tags.iter().any(|tag| tag == "hidden-information")
    };
    let hidden = bundled::all().iter().filter(is_hidden);
    hidden.map(|game| game.name).collect()
}

#[test]
fn nobody_is_ever_without_a_position_that_agrees() {
    let names = hidden_games();
    assert!(names.len() >= 13, "{names:?}");
    println!("game, positions held at most: steps, fewest, rebuilt, refilled, by a solver, lost");
    let mut recovered = 0;
    for name in names {
        let rules = bundled::find(name).expect("a bundled game").rules;
        let machine = machine::from_text(rules, Wanted::Batch(Target::detect()), &Limits::generous());
        let machine = machine.expect("a machine");
        let game = machine.erased();
        for most in [2, 40] {
            let mut all = BeliefCounts { fewest: usize::MAX, ..BeliefCounts::default() };
            for seed in 0..4 {
                let deciders: Vec<RoleId> =
                    game.role_ids().filter(|role| game.chance() != Some(*role)).collect();
                let role = deciders[seed as usize % deciders.len()];
                let belief = Belief::new(Arc::clone(&game), role, most, seed);
                let mut belief = belief.with_circuit(machine.circuit().cloned());
                play(&game, 50 + seed, |steps, _| {
                    let step = steps[usize::from(role.0)].clone();
                    assert_eq!(belief.advance(step), Ok(true), "{name} {seed}");
                    assert!(
                        !belief.particles().is_empty() && belief.particles().len() <= most,
                        "{name} {seed}"
                    );
                });
                let counts = belief.counts();
                all.steps += counts.steps;
                all.fewest = all.fewest.min(counts.fewest);
                all.rebuilt += counts.rebuilt;
                all.refilled += counts.refilled;
                all.solver_positions += counts.solver_positions;
                all.lost += counts.lost;
            }
            let BeliefCounts { steps, fewest, rebuilt, refilled, solver_positions, lost, .. } = all;
            println!("{name}, {most}: {steps}, {fewest}, {rebuilt}, {refilled}, {solver_positions}, {lost}");
            assert_eq!(lost, 0, "{name}");
            recovered += rebuilt;
        }
    }
    assert!(recovered > 0, "the games are too easy");
}

#[cfg(feature = "sat")]
#[test]
fn a_solver_finds_what_is_hardly_ever_met_at_random() {
    // Two digits of a code of four are wrong in every guess but the last ones: with next to no joint moves to try,
    // nothing is found but by a solver.
    for name in ["mastermind", "kriegspiel-tic-tac-toe", "dark-hex", "battleships-in-fog"] {
        let rules = bundled::find(name).expect("a bundled game").rules;
        let machine = machine::from_text(rules, Wanted::Circuit(Target::detect()), &Limits::generous());
        let machine = machine.expect("a machine");
        let game = machine.erased();
        let mut positions = 0;
        for seed in 0..12 {
            let role = RoleId(0);
            let belief = Belief::new(Arc::clone(&game), role, 1, seed).with_effort(64);
            let mut belief = belief.with_circuit(machine.circuit().cloned());
            play(&game, 70 + seed, |steps, _| {
                assert_eq!(belief.advance(steps[0].clone()), Ok(true), "{name} {seed}");
            });
            assert_eq!(belief.counts().lost, 0, "{name}");
            positions += belief.counts().solver_positions;
        }
        println!("{name}: {positions} positions by a solver");
        assert!(positions > 0, "{name}");
    }
}

#[test]
fn what_was_answered_need_not_have_been_played() {
    // A host has drawn another move in two turns, and only says what was seen.
    let mut replaced = 0;
    for name in
        ["kriegspiel-tic-tac-toe", "leduc-poker", "mastermind-small", "battleships-in-fog", "liars-dice"]
    {
        let game = game(name);
        for seed in 0..6 {
            let role = RoleId(0);
            let mut belief = Belief::new(Arc::clone(&game), role, 5_000, seed);
            let (mut dice, mut count) = (Dice::new(seed), 0);
            play(&game, 300 + seed, |steps, _| {
                count += 1;
                let Own::Made(made) = steps[0].own else { panic!("it is known") };
                let legal = belief.legal().expect("no fault");
                let other = legal[dice.below(legal.len())];
                let own = if count == 2 || count == 4 { Own::Answered(other) } else { Own::Answered(made) };
                let step = Step { own, ..steps[0].clone() };
                assert_eq!(belief.advance(step), Ok(true), "{name} {seed}");
            });
            assert_eq!(belief.counts().lost, 0, "{name} {seed}");
            replaced += belief.counts().replaced;
        }
    }
    assert!(replaced > 5, "{replaced}: they could not tell");
}

#[test]
fn who_has_found_nothing_yet_looks_on() {
    // Next to no joint moves are tried in a step: what agrees is found later, by going on.
    let game = game("mastermind");
    let (mut lost, mut recovered) = (0, 0);
    for seed in 0..3 {
        let role = RoleId(0);
        let mut all = Belief::new(Arc::clone(&game), role, 10_000, seed);
        let mut belief = Belief::new(Arc::clone(&game), role, 2, seed).with_effort(128);
        play(&game, 90 + seed, |steps, state| {
            assert_eq!(all.advance(steps[0].clone()), Ok(true));
            let agrees = belief.advance(steps[0].clone()).expect("no fault");
            assert_eq!((agrees, belief.agrees()), (agrees, agrees));
            lost += u32::from(!agrees);
            let mut expansion = Expansion::new();
            game.expand(&mut game.workspace(), state, &mut expansion).expect("no fault");
            if !expansion.is_terminal() {
                assert_eq!(belief.legal().expect("no fault"), expansion.legal(role), "meanwhile");
            }
            while belief.may_recover() {
                recovered += u32::from(belief.recover().expect("no fault"));
            }
            if belief.agrees() {
                let is_possible =
                    |state: &ErasedState| all.particles().iter().any(|each| each.state == *state);
                assert!(belief.particles().iter().all(|each| is_possible(&each.state)));
            }
        });
    }
    assert!(lost > 0 && recovered == lost, "{recovered} of {lost}");
}

#[test]
fn what_was_tried_is_not_tried_again_in_later_steps() {
    // One code of 1,296, looked for by who holds two: after most guesses neither is left. One search through all codes goes on
    // in later steps where it stopped, and is cheaper than one from the beginning after each guess.
    let game = game("mastermind");
    let (mut steps, mut tried, mut rebuilt) = (0, 0, 0);
    for seed in 0..24 {
        let belief = Belief::new(Arc::clone(&game), RoleId(0), 2, seed);
        let mut belief = belief.with_effort(5_120).in_haste();
        play(&game, 90 + seed, |told, _| {
            belief.advance(told[0].clone()).expect("no fault");
            while belief.may_recover() {
                belief.recover().expect("no fault");
            }
            assert!(belief.agrees(), "{seed}: {belief:?}");
        });
        let counts = belief.counts();
        (steps, tried, rebuilt) = (steps + counts.steps, tried + counts.tried, rebuilt + counts.rebuilt);
    }
    println!("{steps} steps, {tried} tried, {rebuilt} looks");
    assert!(rebuilt > steps / 4, "they hold too much: {rebuilt} looks in {steps} steps");
    assert!(tried < 200 * steps, "{tried} tried in {steps} steps");
}

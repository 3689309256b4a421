//! The engine that looks ahead to a depth, in matches of all kinds.

use std::sync::Arc;
use std::time::{Duration, Instant};

use engine::{Budget, Event, Made};
use game::{Describe, Dice, Expansion, Game, MoveId, RoleId};
use machine::{Limits, Machine, Target, Wanted};
use player::{AgentSpec, Clock};

fn machine(rules: &str, wanted: Wanted) -> Machine {
    machine::from_text(rules, wanted, &Limits::generous()).expect("a machine")
}

fn bundled_rules(name: &str) -> &'static str {
    bundled::find(name).expect("a bundled game").rules
}

fn make(machine: &Machine, agent: &str) -> Made {
    let agent: AgentSpec = agent.parse().expect("an agent");
    let begin = Instant::now();
    let clock: Clock = Arc::new(move || begin.elapsed());
    agent.make(machine, &[], 1, &clock).expect("an engine")
}

/// Plays a match of one engine for one role against chance; what it says is legal, and it ends.
fn play(rules: &str, wanted: Wanted, agent: &str, role: RoleId, positions: u64) -> Vec<u8> {
    let machine = machine(rules, wanted);
    let game = machine.erased();
    let mut engine = make(&machine, agent).engine;
    let (mut workspace, mut expansion) = (game.workspace(), Expansion::new());
    let (mut state, mut dice) = (game.initial(), Dice::new(5));
    for _ in 0..300 {
        game.expand(&mut workspace, &state, &mut expansion).expect("a state");
        if expansion.is_terminal() {
            assert_eq!(engine.decide(role), Ok(None));
            let mut goals = Vec::new();
            game.goals(&mut workspace, &state, &mut goals).expect("goals");
            return goals.iter().map(|goal| goal.value().0).collect();
        }
        engine.begin_turn();
        let first = engine.decide(role).expect("no fault").expect("a move");
        assert!(first.unthought || first.proven || first.value.is_some());
        engine.think(&Budget::simulations(positions)).expect("no fault");
        let decision = engine.decide(role).expect("no fault").expect("a move");
        assert!(!decision.unthought && decision.engine == "mtdf", "{decision:?}");
        let id = game.find_move(role, &decision.text).expect("a move of the game");
        assert!(expansion.legal(role).contains(&id), "{} is not legal", decision.text);
        assert!(decision.moves.iter().all(|thought| thought.proven.0 <= thought.proven.1));
        assert!(decision.line.is_empty() || decision.line[0][usize::from(role.0)] == decision.text);
        let mut joint: Vec<MoveId> =
            expansion.by_role().map(|legal| legal[dice.below(legal.len())]).collect();
        joint[usize::from(role.0)] = id;
        state = game.apply(&mut workspace, &state, &joint).expect("a state");
        let texts: Vec<String> = joint.iter().map(|&id| game.move_text(id)).collect();
        assert_eq!(engine.advance(&texts), Ok(true));
    }
    Vec::new()
}

#[test]
fn it_plays_games_of_every_kind_on_every_machine() {
    let batch = Wanted::Batch(Target::detect());
    for (name, roles) in [
        ("tic-tac-toe", 2),
        ("connect-four-small", 2),
        ("eight-puzzle", 1),
        ("three-player-tic-tac-toe", 3),
        ("chinese-checkers-six", 6),
        ("goofspiel", 2),
        ("tron", 2),
        ("big-choice", 1),
        ("prisoners-dilemma", 2),
    ] {
        play(bundled_rules(name), batch, "mtdf:memory=16", RoleId(roles - 1), 2_000);
    }
    for wanted in [Wanted::Reference, Wanted::Circuit(Target::detect()), Wanted::Lanes(Target::Portable)] {
        let goals =
            play(bundled_rules("tic-tac-toe"), wanted, "mtdf:memory=16,sample_games=20", RoleId(0), 5_000);
        assert!(goals[0] >= 50, "{wanted:?}: {goals:?}");
    }
}

#[test]
fn it_does_not_lose_a_won_game() {
    for role in [RoleId(0), RoleId(1)] {
        let goals =
            play(bundled_rules("tic-tac-toe"), Wanted::Reference, "mtdf:evaluator=null", role, 20_000);
        assert!(goals[usize::from(role.0)] >= 50, "{goals:?}");
    }
}

#[test]
fn dice_are_left_to_who_can_play_with_them() {
    let rules = "(role robot) (role random) (init (step 1)) (legal robot wait) (legal random (throw 1))
        (legal random (throw 2)) (<= (next (step 2)) (true (step 1))) (<= (next (was ?n)) (does random (throw ?n)))
        (<= terminal (true (step 2))) (<= (goal robot 100) (true (was 1))) (<= (goal robot 0) (true (was 2)))
        (goal random 0)";
    let made = make(&machine(rules, Wanted::Reference), "mtdf");
    assert_eq!(made.name, "mcts");
    assert!(
        matches!(&made.events[..], [Event::Fallback { refusal, .. }] if refusal.engine == "mtdf"),
        "{:?}",
        made.events
    );
}

#[test]
fn a_slice_ends_when_it_should() {
    let machine = machine(bundled_rules("checkers"), Wanted::Batch(Target::detect()));
    let mut engine = make(&machine, "mtdf:threads=2").engine;
    engine.decide(RoleId(0)).expect("no fault");
    // A clock of looks: no slice may look much longer than it was given.
    let looks = std::sync::atomic::AtomicU64::new(0);
    let clock = || Duration::from_micros(looks.fetch_add(1, std::sync::atomic::Ordering::Relaxed));
    for _ in 0..50 {
        let until = clock() + Duration::from_micros(500);
        engine.think(&Budget::until(&clock, until)).expect("no fault");
        assert!(clock() < until + Duration::from_micros(100), "{:?}", clock() - until);
        assert!(engine.decide(RoleId(0)).expect("no fault").is_some());
    }
}

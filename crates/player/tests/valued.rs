//! Agents that value states: what they say of it, and what they do where there is nothing to be valued.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use game::{Describe, RoleId};
use player::{Clock, Limit, Machines, Player, Setup};

const PIECES: &str = "ludens:evaluation=pieces,evaluation_stop=0,implicit=0.4";

fn player(text: &str, agent: &str, clock: &Clock) -> Player {
    let rules = gdl::normal::read(text);
    let setup = Setup {
        machines: Machines::build(rules, Duration::from_secs(60), 1 << 30, Arc::clone(clock)),
        role: 0,
        agent: agent.parse().expect("an agent"),
        seed: 1,
        ponder: false,
        clock: Arc::clone(clock),
    };
    let mut player = Player::new(setup).expect("a thread");
    player.prepare(None).expect("it can be played");
    player
}

/// Whether states were valued when the first move was made, and the simulations behind it.
fn first_move(text: &str, agent: &str) -> (Option<bool>, u64) {
    let start = Instant::now();
    let clock: Clock = Arc::new(move || start.elapsed());
    let mut player = player(text, agent, &clock);
    let decision = player.choose(Limit::simulations(200)).expect("there is a move");
    let said: Vec<String> = player.events().iter().map(|event| event.to_string()).collect();
    let valued = said.iter().find_map(|text| match text {
        text if text.contains("states are valued") => Some(true),
        text if text.contains("states are not valued") => Some(false),
        _ => None,
    });
    (valued, decision.simulations)
}

fn bundled(name: &str) -> &'static str {
    bundled::find(name).expect("a bundled game").rules
}

#[test]
fn pieces_are_counted_where_there_are_some() {
    assert_eq!(first_move(bundled("breakthrough-5x5"), PIECES), (Some(true), 200));
    assert_eq!(first_move(bundled("tic-tac-toe"), PIECES), (Some(false), 200));
    assert_eq!(first_move(bundled("breakthrough-5x5"), "ludens:evaluation=none"), (None, 200));
}

#[test]
fn games_with_nothing_to_be_learnt_are_played_without() {
    let turns = "(role x) (role o) (init (left 3)) (init (control x)) (succ 0 1) (succ 1 2) (succ 2 3)
        (<= (legal ?r a) (true (control ?r))) (<= (legal ?r b) (true (control ?r)))
        (<= (legal x noop) (true (control o))) (<= (legal o noop) (true (control x)))
        (<= (next (control x)) (true (control o))) (<= (next (control o)) (true (control x)))
        (<= (next (left ?m)) (true (left ?n)) (succ ?m ?n)) (<= terminal (true (left 0)))";
    let always = format!("{turns} (goal x 50) (goal o 50)");
    let never = format!("{turns} (<= (goal x 100) (true (left 9))) (<= (goal o 100) (true (left 9)))");
    for text in [&always, &never] {
        for method in ["paper", "regression", "pieces", "td", "flux", "clune", "patterns", "mobility"] {
            let agent = format!("ludens:evaluation={method}");
            let (valued, _) = first_move(text, &agent);
            assert!(valued.is_some(), "{agent} says what it does\n{text}");
        }
    }
}

/// What little there may be to learn from: a name, the rules, and what a learner of weights says of it, if it can say
/// only one thing.
fn degenerate() -> [(&'static str, String, Option<&'static str>); 4] {
    let steps = "(init (left 6)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)
        (<= (next (left ?m)) (true (left ?n)) (succ ?m ?n)) (<= terminal (true (left 0)))";
    let alone = format!(
        "(role x) {steps} (legal x a) (legal x b) (<= (next (last ?m)) (does x ?m))
        (<= (goal x 100) (true (last a))) (<= (goal x 0) (not (true (last a))))"
    );
    let at_the_end = format!(
        "(role x) (role o) {steps} (<= (legal ?r ?m) (role ?r) (move ?m)) (move a) (move b)
        (<= (next (last ?r ?m)) (does ?r ?m)) (<= same (true (last x ?m)) (true (last o ?m)))
        (<= (goal x 100) terminal same) (<= (goal x 0) terminal (not same))
        (<= (goal o 0) terminal same) (<= (goal o 100) terminal (not same))"
    );
    // Nothing is true before the end.
    let bare = "(role x) (role o) (legal x a) (legal x b) (legal x wait) (legal o noop)
        (<= (next (over ?m)) (does x ?m) (distinct ?m wait)) (<= terminal (true (over ?m)))
        (<= (goal x 100) (true (over a))) (<= (goal x 0) (not (true (over a))))
        (<= (goal o 0) (true (over a))) (<= (goal o 100) (not (true (over a))))";
    let level =
        format!("(role x) (role o) {steps} (legal x a) (legal x b) (legal o noop) (goal x 50) (goal o 50)");
    [
        ("one role", alone, None),
        ("goals at the end only", at_the_end, None),
        ("no features", bare.to_owned(), Some("there are no features")),
        ("constant scores", level, Some("the same score")),
    ]
}

#[test]
fn degenerate_games_are_played_sanely_and_told_of_clearly() {
    for (what, text, why) in degenerate() {
        let machine = machine::from_text(&text, machine::Wanted::Reference, &machine::Limits::generous());
        let game = machine.expect("small").erased();
        let legal = ["a", "b", "wait"].map(|name| game.find_move(RoleId(0), name));
        for agent in
            ["guct", "guct:evaluation=regression", "mtdf", "ludens:evaluation=paper", "flux", "clune"]
        {
            let start = Instant::now();
            let clock: Clock = Arc::new(move || start.elapsed());
            let mut player = player(&text, agent, &clock);
            let decision = player.choose(Limit::simulations(200)).expect("there is a move");
            let id = game.find_move(RoleId(0), &decision.text);
            assert!(id.is_some() && legal.contains(&id), "{what}, {agent}: {decision:?}");
            assert!(decision.simulations > 0 || decision.proven, "{what}, {agent}: {decision:?}");
            let said: Vec<String> = player.events().iter().map(|event| event.to_string()).collect();
            assert!(!said.iter().any(|text| text.contains("fault")), "{what}, {agent}: {said:?}");
            let learns_weights = ["guct", "guct:evaluation=regression", "mtdf"].contains(&agent);
            if let (Some(why), true) = (why, learns_weights) {
                assert!(said.iter().any(|text| text.contains(why)), "{what}, {agent}: {said:?}");
            }
        }
    }
}

/// A turn that is too short for learning is thought through without.
#[test]
fn thinking_comes_before_learning() {
    // Time passes only as it is asked for: a millisecond each time.
    let asked = AtomicU64::new(0);
    let clock: Clock = Arc::new(move || Duration::from_millis(asked.fetch_add(1, Ordering::Relaxed)));
    let mut player = player(
        bundled("breakthrough"),
        "ludens:evaluation=regression,evaluation_stop=0,implicit=0.2",
        &clock,
    );
    let until = clock() + Duration::from_millis(200);
    let decision = player.choose(Limit::until(until)).expect("there is a move");
    assert!(decision.simulations > 0, "{decision:?}");
}

#[test]
fn engines_without_lanes_say_that_nothing_is_valued() {
    let text = bundled("tic-tac-toe");
    let machine = machine::from_text(text, machine::Wanted::Reference, &machine::Limits::generous());
    let machine = machine.expect("small");
    let clock: Clock = Arc::new(|| Duration::ZERO);
    for agent in ["guct", "mtdf"] {
        let agent: player::AgentSpec = agent.parse().expect("an agent");
        let mut engine = agent.make(&machine, &[], 1, &clock).expect("an engine").engine;
        let mut said = Vec::new();
        for _ in 0..2 {
            engine.think(&engine::Budget::simulations(20)).expect("no fault");
            said.extend(engine.events().iter().map(|event| event.to_string()));
        }
        let told = said.iter().filter(|text| text.contains("nothing is valued")).count();
        assert_eq!(told, 1, "{said:?}");
    }
}

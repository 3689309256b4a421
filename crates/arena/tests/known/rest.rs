//! What is left of a game is solved within a turn, and what is then played gets what it is worth.

use std::time::Duration;

use arena::{Contestant, Ground, Thinking};

/// Ground of a game, and positions of it whose values are known.
fn positions(game: &str) -> (Ground, Vec<bench::ruler::Position>) {
    let rules = gdl::normal::read(bundled::find(game).expect("bundled").rules);
    let ground = Ground::build(game, rules, Duration::from_secs(60), 1 << 30).expect("a machine");
    let sets = bench::ruler::sets().expect("readable");
    let set = sets.into_iter().find(|set| set.game == game).expect("a set");
    (ground, set.positions)
}

#[test]
fn dots_and_boxes_is_solved_where_the_tree_proves_nothing() {
    let (ground, positions) = positions("dots-and-boxes");
    let player = |text| Contestant::read(text, Thinking::Time(Duration::from_secs(20))).expect("an agent");
    // It answers as soon as all is known.
    let solving = player("cadia-uct:solve_rest=1");
    for position in positions.iter().step_by(40) {
        let decision = ground.ask_after(&position.line, &solving, 1).expect("a position").expect("in time");
        let line = position.line.join(" ");
        assert!(decision.proven, "{line}");
        assert_eq!(decision.value, Some(f64::from(position.value())), "{line}");
        assert_eq!(position.value_of(&decision.text), Some(position.value()), "{line}");
        assert!(decision.elapsed < Duration::from_secs(19), "{line}");
    }
}

#[test]
fn where_simulations_are_counted_nothing_else_is_done() {
    let (ground, positions) = positions("dots-and-boxes");
    let told = |text| {
        let player = Contestant::read(text, Thinking::Simulations(200)).expect("an agent");
        let decision = ground.ask_after(&positions[0].line, &player, 1).expect("a position").expect("there");
        (decision.text, decision.simulations, decision.proven, decision.nodes)
    };
    assert_eq!(told("cadia-uct:solve_rest=1"), told("cadia-uct"));
}

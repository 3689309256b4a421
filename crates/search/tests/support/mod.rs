//! Bundled games on real machines.

use std::sync::Arc;
use std::time::Duration;

use circuit::Effort;
use game::{Describe, MoveId, RoleId};
use ground::Budget;
use machine::circuit::CircuitMachine;

/// The circuit machine of a bundled game.
pub(crate) fn circuit(name: &str) -> Arc<CircuitMachine> {
    circuit_of(bundled::find(name).expect("a bundled game").rules)
}

/// The circuit machine of some rules.
#[allow(dead_code)]
pub(crate) fn circuit_of(text: &str) -> Arc<CircuitMachine> {
    let rules = gdl::normal::read(text);
    let budget =
        Budget { clock: &|| Duration::ZERO, deadline: Duration::MAX, bytes: 1 << 30, progress: &|_| true };
    let build = machine::build::circuit(&rules, Effort::Thorough, &budget).expect("it can be grounded");
    Arc::new(CircuitMachine::new(build.circuit))
}

/// The state after some joint moves, each given as the texts of the roles' moves.
#[allow(dead_code)]
pub(crate) fn after<G: Describe>(game: &G, moves: &[&[&str]]) -> G::State {
    let mut workspace = game.workspace();
    moves.iter().fold(game.initial(), |state, texts| {
        let joint: Vec<MoveId> = texts
            .iter()
            .enumerate()
            .map(|(role, text)| game.find_move(RoleId(role as u16), text).expect("a known move"))
            .collect();
        game.apply(&mut workspace, &state, &joint).expect("it can be played")
    })
}

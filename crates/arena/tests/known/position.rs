//! Positions with known answers, as they stand in the files of `positions`.

use std::path::PathBuf;
use std::sync::Arc;

use circuit::Effort;
use game::{Describe, MoveId, RoleId};
use gdl::normal::NormalRules;
use machine::circuit::CircuitMachine;
use serde::{Deserialize, Serialize};

/// A file of positions of one game.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PositionFile {
    /// The bundled game.
    pub(crate) game: String,
    /// The positions.
    #[serde(rename = "position")]
    pub(crate) positions: Vec<Position>,
}

/// A position and what is right in it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Position {
    /// `forced-win`: only some moves win. `only-defence`: only some moves do not lose. Either with
    /// `trap` where random playouts like a wrong move best.
    pub(crate) kind: String,
    /// The role to move.
    pub(crate) role: String,
    /// The goal it can force.
    pub(crate) value: u8,
    /// The moves that keep it.
    pub(crate) right: Vec<String>,
    /// How many legal moves there are.
    pub(crate) legal: usize,
    /// The depth of the proof, in joint moves.
    pub(crate) plies: u32,
    /// Positions that the solver looked at.
    pub(crate) work: u64,
    /// The joint moves from the initial position.
    pub(crate) moves: Vec<Vec<String>>,
}

/// All files, sorted by name.
pub(crate) fn files() -> Vec<PositionFile> {
    let folder = folder();
    let mut paths: Vec<PathBuf> = std::fs::read_dir(&folder)
        .expect("the folder")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).expect("a file");
        toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    paths.into_iter().map(read).collect()
}

/// Where the files are.
pub(crate) fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/known/positions")
}

/// The circuit machine of some rules.
pub(crate) fn machine(rules: &NormalRules) -> CircuitMachine {
    let built = machine::build::circuit(rules, Effort::Quick, &ground::Budget::unlimited());
    CircuitMachine::new(Arc::clone(&built.expect("bundled games have circuits").circuit))
}

/// The goals that the first role of a game may reach.
pub(crate) fn goals(machine: &CircuitMachine) -> Vec<u8> {
    machine.circuit().roles[0].goals.iter().map(|goal| goal.value).collect()
}

/// The state after some joint moves, each of which has to be legal.
pub(crate) fn replay<G: Describe>(game: &G, moves: &[Vec<String>]) -> G::State {
    let mut workspace = game.workspace();
    let mut expansion = game::Expansion::new();
    let mut state = game.initial();
    for texts in moves {
        game.expand(&mut workspace, &state, &mut expansion).expect("no fault");
        let joint: Vec<MoveId> = texts
            .iter()
            .zip(0..)
            .map(|(text, role)| {
                let found = game.find_move(RoleId(role), text).expect("a move");
                assert!(expansion.legal(RoleId(role)).contains(&found), "{text} is not legal");
                found
            })
            .collect();
        state = game.apply(&mut workspace, &state, &joint).expect("no fault");
    }
    state
}

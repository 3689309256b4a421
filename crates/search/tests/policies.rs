//! What playouts say of moves, and how policies choose, on every machine.

mod support;

use std::collections::BTreeMap;

use game::{Job, Outcomes, PlayOptions, Simulator, play_one_by_one};
use machine::reference::Reference;

/// How moves fared in some playouts, by role and text.
fn fared<G: Simulator>(game: &G) -> BTreeMap<(u16, String), (u32, u64)> {
    let start = game.initial();
    let jobs = [Job { start: &start, playouts: 200 }];
    let options = PlayOptions { seed: 3, record_moves: true, ..PlayOptions::default() };
    let mut outcomes = Outcomes::default();
    play_one_by_one(game, &mut game.workspace(), &jobs, &options, &mut outcomes).expect("playouts");
    let row = |(role, id, fared): (game::RoleId, game::MoveId, game::Fared)| {
        ((role.0, game.move_text(id)), (fared.playouts, fared.goals))
    };
    outcomes.moves.iter().map(row).collect()
}

#[test]
fn moves_fare_by_role_on_every_machine() {
    // In the reference a move is its term, the same for both players.
    let rules = bundled::find("tic-tac-toe").expect("a bundled game").rules;
    let sheet = gdl::parse(&gdl::SourceFile::new("test", rules)).sheet;
    let reference = Reference::new(&gdl::normal::normalize(&sheet), Default::default()).expect("a machine");
    let plain = fared(&reference);
    let corner = "(mark 1 1)".to_owned();
    assert_ne!(plain[&(0, corner.clone())], plain[&(1, corner)]);
    // The same seed gives the same playouts.
    assert_eq!(plain, fared(&*support::circuit("tic-tac-toe")));
}

//! Small games written down in a test.

use std::sync::Arc;

use vgdl::{Game, Level, Observation, SourceFile};

/// Starts a game of these sets on a level.
pub(crate) fn game(
    first: &str,
    sprites: &str,
    mapping: &str,
    interactions: &str,
    ends: &str,
    level: &str,
) -> Game {
    let text = format!(
        "{first}\n  SpriteSet\n{sprites}\n  LevelMapping\n{mapping}\n  InteractionSet\n{interactions}\n  TerminationSet\n{ends}\n"
    );
    let parsed = vgdl::parse(&SourceFile::new("game", text));
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    let checked = vgdl::compile(&parsed.description);
    assert!(!checked.has_errors(), "{:?}", checked.diagnostics);
    let loaded = Level::load(Arc::new(checked.rules), &SourceFile::new("level", level));
    assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
    Game::new(Arc::new(loaded.level), 1)
}

/// All sprites of a type.
pub(crate) fn sprites(game: &Game, name: &str) -> Vec<Observation> {
    let id = game.level().rules.type_named(name).expect("a type");
    game.state().sprites_of(game.level(), id).collect()
}

/// The cells of all sprites of a type.
pub(crate) fn cells(game: &Game, name: &str) -> Vec<(i32, i32)> {
    let block = game.level().block;
    sprites(game, name).iter().map(|seen| (seen.rect.x / block, seen.rect.y / block)).collect()
}

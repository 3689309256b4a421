//! Any bytes as the description of a video game and a level: reading, formatting, loading and fifty ticks
//! never panic, stay within bounds, and a copy of a game plays like the game.

#![no_main]

use std::sync::Arc;

use libfuzzer_sys::fuzz_target;
use vgdl::{Action, Game, JavaRandom, Level, SourceFile};

/// What stands between a description and its level.
const MARK: &[u8] = b"\n----\n";

/// The level of a description without one.
const LEVEL: &str = "wwwwwwww\nwA.abcdw\nw.efghiw\nwjklmnow\nwpqrstuw\nwwwwwwww\n";

fuzz_target!(|bytes: &[u8]| {
    let mark = bytes.windows(MARK.len()).position(|part| part == MARK);
    let (description, map) = match mark {
        Some(at) => (&bytes[..at], &bytes[at + MARK.len()..]),
        None => (bytes, LEVEL.as_bytes()),
    };
    let read = |bytes| SourceFile::from_bytes("fuzz", bytes).expect("the fuzzer's inputs are small");
    let source = read(description);
    let parsed = vgdl::parse(&source);
    let tidy = SourceFile::new("tidy", vgdl::format(&source));
    assert_eq!(vgdl::format(&tidy), tidy.text(), "formatting twice is formatting once");
    let rules = Arc::new(vgdl::compile(&parsed.description).rules);
    let level = Arc::new(Level::load(rules.clone(), &read(map)).level);
    let mut game = Game::new(level.clone(), 7);
    let mut random = JavaRandom::new(11);
    for _ in 0..50 {
        if game.state().is_over() {
            break;
        }
        let mut any = |player: usize| {
            let actions = game.state().actions(&level, player);
            let which = random.next_int(actions.len() as u32) as usize;
            actions.get(which).copied().unwrap_or(Action::Nil)
        };
        let actions: Vec<Action> = (0..rules.players).map(&mut any).collect();
        let mut model = game.model(3);
        model.advance(&actions);
        game.advance(&actions);
        let sprites: usize = rules.types().map(|kind| game.state().sprites_of(&level, kind).count()).sum();
        assert!(sprites <= vgdl::MAX_SPRITES as usize + 250_000, "{sprites} sprites");
        for player in 0..rules.players {
            let _ = (game.state().avatar(&level, player), game.state().score(player));
        }
        let _ = (game.state().fingerprint(&level, 0), game.state().visible(&level, 0).count());
    }
});

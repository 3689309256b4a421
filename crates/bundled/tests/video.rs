//! Every bundled video game can be read, has five levels, and is played.

use std::collections::BTreeMap;
use std::sync::Arc;

use bundled::video::VideoGame;
use vgdl::{Game, JavaRandom, Level, Rules, SourceFile};

/// Runs a test for every game and tells of all that fail.
fn for_each_game(test: impl Fn(&VideoGame) -> Result<(), String>) {
    let failures: Vec<String> = bundled::video::all()
        .filter_map(|game| test(&game).err().map(|failure| format!("{}: {failure}", game.name)))
        .collect();
    assert!(failures.is_empty(), "{} games fail:\n{}", failures.len(), failures.join("\n"));
}

fn rules(game: &VideoGame) -> Result<Arc<Rules>, String> {
    let parsed = vgdl::parse(&SourceFile::new(game.name, game.rules));
    let checked = vgdl::compile(&parsed.description);
    match parsed.diagnostics.iter().chain(&checked.diagnostics).next() {
        Some(found) => Err(format!("{} {}", found.code, found.message)),
        None => Ok(Arc::new(checked.rules)),
    }
}

fn levels(game: &VideoGame) -> Result<Vec<Arc<Level>>, String> {
    let rules = rules(game)?;
    let mut levels = Vec::new();
    for (number, text) in game.levels.iter().enumerate() {
        let loaded = Level::load(rules.clone(), &SourceFile::new("level", *text));
        if let Some(found) = loaded.diagnostics.first() {
            return Err(format!("level {number}: {} {}", found.code, found.message));
        }
        levels.push(Arc::new(loaded.level));
    }
    Ok(levels)
}

#[test]
fn there_are_three_sets_of_ten_with_five_levels_each() {
    let mut sets: BTreeMap<&str, usize> = BTreeMap::new();
    for game in bundled::video::all() {
        *sets.entry(game.set).or_default() += 1;
        assert_eq!(game.levels.len(), 5, "{}", game.name);
        assert!(game.rules.starts_with("# "), "{} says in its first line what it is", game.name);
    }
    assert_eq!(sets, BTreeMap::from([("test", 10), ("training", 10), ("validation", 10)]));
    assert_eq!(bundled::video::find("Lantern").expect("bundled").name, "lantern");
    assert_eq!(bundled::video::nearest("lanten"), Some("lantern"));
    assert_eq!(bundled::video::set("training").len(), 10);
    assert!(bundled::video::set("lantern").is_empty());
}

#[test]
fn all_are_read_without_a_finding_and_are_formatted() {
    for_each_game(|game| {
        levels(game)?;
        let source = SourceFile::new(game.name, game.rules);
        if vgdl::format(&source) == game.rules { Ok(()) } else { Err("is not formatted".to_owned()) }
    });
}

#[test]
fn random_play_goes_on_for_three_hundred_ticks_or_to_an_end() {
    for_each_game(|game| {
        let mut random = JavaRandom::new(5);
        let mut longest = 0;
        for level in levels(game)? {
            let mut play = Game::new(level.clone(), 1);
            for _ in 0..300 {
                let actions = play.state().actions(&level, 0);
                if play.state().is_over() {
                    break;
                }
                if actions.is_empty() {
                    return Err("has nothing to do".to_owned());
                }
                play.advance(&[actions[random.next_int(actions.len() as u32) as usize]]);
            }
            longest = longest.max(play.state().tick());
        }
        if longest >= 5 { Ok(()) } else { Err(format!("is over after {longest} ticks")) }
    });
}

//! Every game of the corpus is read without an error, and every level can be played.

mod corpus;

use std::path::Path;

use vgdl::{Action, Game, JavaRandom, Model, SourceFile};

fn faults(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for name in corpus::games(folder) {
        let source = corpus::read(&folder.join(format!("{name}.txt")));
        let parsed = vgdl::parse(&source);
        let checked = vgdl::compile(&parsed.description);
        let report = |source: &SourceFile, all: &[vgdl::Diagnostic], found: &mut Vec<String>| {
            for one in all.iter().filter(|one| one.is_error()) {
                let place = source.line_column(one.span.start);
                found.push(format!("{}:{}: {}: {}", source.name(), place.line, one.code, one.message));
            }
        };
        report(&source, &parsed.diagnostics, &mut found);
        report(&source, &checked.diagnostics, &mut found);
        let rules = std::sync::Arc::new(checked.rules);
        for level in 0..5 {
            let source = corpus::read(&folder.join(format!("{name}_lvl{level}.txt")));
            let loaded = vgdl::Level::load(rules.clone(), &source);
            report(&source, &loaded.diagnostics, &mut found);
        }
    }
    found
}

#[test]
fn all_games_and_levels_are_read_without_errors() {
    let Some(folder) = corpus::folder() else { return };
    let found = [faults(&folder.join("games")), faults(&folder.join("games2p"))].concat();
    assert!(found.is_empty(), "{}\n{} faults", found.join("\n"), found.len());
}

/// Plays at random, in the game and in a model of it, and compares the two when they draw alike.
fn play(game: &mut Game, random: &mut JavaRandom, ticks: usize) {
    let players = game.level().rules.players;
    let mut model: Model = game.model(5);
    for _ in 0..ticks {
        let actions: Vec<Action> = (0..players).map(|_| Action::ALL[random.next_int(6) as usize]).collect();
        game.advance(&actions);
        model.advance(&actions);
        if model.state().is_over() || random.next_int(20) == 0 {
            model.clone_from(&game.model(7));
        }
        if game.state().is_over() {
            break;
        }
    }
}

#[test]
fn two_players_can_play_every_level_for_a_thousand_ticks() {
    let Some(folder) = corpus::folder() else { return };
    let folder = folder.join("games2p");
    let mut random = JavaRandom::new(3);
    for name in corpus::games(&folder) {
        let rules = corpus::rules(&folder.join(format!("{name}.txt")));
        assert_eq!(rules.players, 2, "{name}");
        for level in 0..5 {
            let level = corpus::level(&rules, &folder.join(format!("{name}_lvl{level}.txt")));
            let mut left = 1000;
            while left > 0 {
                let mut game = Game::new(level.clone(), left as i64);
                play(&mut game, &mut random, left);
                left = left.saturating_sub(game.state().tick().max(1) as usize);
            }
        }
    }
}

#[test]
fn one_player_can_play_every_level() {
    let Some(folder) = corpus::folder() else { return };
    let folder = folder.join("games");
    let mut random = JavaRandom::new(4);
    for name in corpus::games(&folder) {
        let rules = corpus::rules(&folder.join(format!("{name}.txt")));
        for level in 0..5 {
            let level = corpus::level(&rules, &folder.join(format!("{name}_lvl{level}.txt")));
            play(&mut Game::new(level, 1), &mut random, 500);
        }
    }
}

#[test]
fn tidy_games_mean_the_same() {
    let Some(folder) = corpus::folder() else { return };
    for folder in [folder.join("games"), folder.join("games2p")] {
        for name in corpus::games(&folder) {
            let source = corpus::read(&folder.join(format!("{name}.txt")));
            let tidy = vgdl::format(&source);
            assert_eq!(vgdl::format(&SourceFile::new("tidy", tidy.clone())), tidy, "{name}");
            let rules = |text: &SourceFile| vgdl::compile(&vgdl::parse(text).description).rules;
            let (before, after) = (rules(&source), rules(&SourceFile::new("tidy", tidy)));
            assert_eq!(format!("{:?}", before.effects), format!("{:?}", after.effects), "{name}");
            assert_eq!(format!("{:?}", before.kinds), format!("{:?}", after.kinds), "{name}");
            assert_eq!(before.order, after.order, "{name}");
            assert_eq!(before.terminations, after.terminations, "{name}");
        }
    }
}

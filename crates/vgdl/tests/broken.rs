//! Broken descriptions, each with the code and the place that must be told.
//!
//! A file starts with `# expect CODE TEXT`: the finding is at the first place where the text stands
//! as words of their own below that line, or at the second with `TEXT#2`.

use std::path::Path;

use proptest::prelude::*;
use vgdl::{Action, CODES, Game, Level, Severity, SourceFile};

const LEVEL: &str = "wwwwww\nwA.gbw\nw....w\nwwwwww\n";

fn place(text: &str, wanted: &str) -> Option<(usize, usize)> {
    if wanted.is_empty() {
        return None;
    }
    let (wanted, which) =
        wanted.rsplit_once('#').map_or((wanted, 1), |(word, which)| (word, which.parse().expect("a number")));
    let below = text.find('\n').expect("a line") + 1;
    let bounded = |at: &usize| {
        let edge = |letter: Option<char>| {
            letter.is_none_or(|letter| letter.is_whitespace() || "=,".contains(letter))
        };
        edge(text[..*at].chars().next_back()) && edge(text[at + wanted.len()..].chars().next())
    };
    let found = text.match_indices(wanted).map(|(at, _)| at).filter(|at| *at >= below).filter(bounded);
    let start = found.into_iter().nth(which - 1).unwrap_or_else(|| panic!("`{wanted}` is not in the text"));
    Some((start, start + wanted.len()))
}

fn findings(source: &SourceFile) -> Vec<vgdl::Diagnostic> {
    let parsed = vgdl::parse(source);
    let checked = vgdl::compile(&parsed.description);
    parsed.diagnostics.into_iter().chain(checked.diagnostics).collect()
}

#[test]
fn every_broken_description_is_told_what_is_wrong_and_where() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/broken");
    let mut seen = std::collections::BTreeSet::new();
    let mut files = 0;
    let mut faults = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let text = std::fs::read_to_string(&path).expect("text");
        let name = path.file_stem().and_then(|name| name.to_str()).expect("a name").to_owned();
        let first = text.lines().next().expect("a line");
        let expected = first.strip_prefix("# expect ").expect("what is expected");
        let (code, wanted) = expected.split_once(' ').unwrap_or((expected, ""));
        let source = SourceFile::new(name.clone(), text.clone());
        let found = findings(&source);
        let wanted = place(&text, wanted);
        let hit = found.iter().any(|one| {
            one.code.name() == code
                && wanted.is_none_or(|(start, end)| {
                    (one.span.start as usize, one.span.end as usize) == (start, end)
                })
        });
        if !hit {
            let told: Vec<String> =
                found.iter().map(|one| format!("{} `{}`", one.code, source.slice(one.span))).collect();
            faults.push(format!("{name}: expected {expected}, found {told:?}"));
        }
        seen.insert(code.to_owned());
        files += 1;
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(files >= 60, "{files}");
    // Codes that are about levels or bytes have tests of their own below.
    let elsewhere = [
        "invalid_utf8",
        "too_many_types",
        "empty_level",
        "level_too_large",
        "unmapped_character",
        "missing_avatar",
        "surplus_avatar",
    ];
    for row in CODES.iter().filter(|row| !elsewhere.contains(&row.name)) {
        assert!(seen.contains(row.name), "no description shows {}", row.name);
    }
}

/// A description without faults.
const SOUND: &str = "\
BasicGame
    SpriteSet
        floor > Immovable
        gold > Resource limit=3
        spring > SpawnPoint stype=shot prob=0.5 cooldown=2
        shot > Missile speed=0.5 orientation=LEFT
        ghost > Chaser stype=avatar cooldown=2
        moving >
            avatar > ShootAvatar stype=shot
            box > Passive
        wall > Immovable
    LevelMapping
        . > floor
        b > floor box
        g > floor gold
        s > floor spring
        h > floor ghost
        A > floor avatar
    InteractionSet
        moving wall > stepBack
        box avatar > bounceForward
        gold avatar > collectResource scoreChange=1
        shot EOS wall > killSprite
        ghost shot > transformTo stype=gold killSecond=True
        avatar ghost > subtractHealthPoints
        avatar TIME > spawn timer=5 repeating=True stype=shot
    TerminationSet
        SpriteCounter stype=avatar limit=0 win=False
        Timeout limit=500 win=True
";

#[test]
fn a_sound_description_has_no_findings() {
    let found = findings(&SourceFile::new("sound", SOUND));
    assert!(found.iter().all(|one| one.severity == Severity::Note), "{found:?}");
}

fn level_codes(text: &str) -> Vec<&'static str> {
    let parsed = vgdl::parse(&SourceFile::new("sound", SOUND));
    let rules = std::sync::Arc::new(vgdl::compile(&parsed.description).rules);
    let loaded = Level::load(rules, &SourceFile::new("level", text));
    loaded.diagnostics.iter().map(|one| one.code.name()).collect()
}

#[test]
fn levels_are_told_what_is_wrong_with_them() {
    assert_eq!(level_codes("wA.\n"), [""; 0]);
    assert_eq!(level_codes(""), ["empty_level", "missing_avatar"]);
    assert_eq!(level_codes("w..\n"), ["missing_avatar"]);
    assert_eq!(level_codes("wA?A\n"), ["unmapped_character", "surplus_avatar"]);
    assert_eq!(level_codes(&format!("A{}\n", ".".repeat(3000))), ["level_too_large"]);
    assert_eq!(level_codes(&format!("A\n{}", ".\n".repeat(3000))), ["level_too_large"]);
}

#[test]
fn bytes_and_too_many_types_are_told() {
    let source = SourceFile::from_bytes("bytes", b"BasicGame # \xff\n").expect("small");
    assert!(vgdl::parse(&source).diagnostics.iter().any(|one| one.code.name() == "invalid_utf8"));
    let many: String = (0..300).map(|number| format!("        s{number} > Immovable\n")).collect();
    let text = SOUND.replacen("        floor", &format!("{many}        floor"), 1);
    assert!(findings(&SourceFile::new("many", text)).iter().any(|one| one.code.name() == "too_many_types"));
}

#[test]
fn a_game_that_spawns_without_end_stays_within_bounds() {
    let text = SOUND
        .replace(
            "avatar TIME > spawn timer=5 repeating=True stype=shot",
            "shot floor box gold > spawn stype=shot",
        )
        .replace("shot EOS wall > killSprite", "shot shot > cloneSprite")
        .replace("speed=0.5 orientation=LEFT", "speed=0");
    let rules =
        std::sync::Arc::new(vgdl::compile(&vgdl::parse(&SourceFile::new("t", text)).description).rules);
    let level = Level::load(rules, &SourceFile::new("level", "wwwww\nwAssw\nwwwww\n")).level;
    let mut game = Game::new(std::sync::Arc::new(level), 1);
    for _ in 0..40 {
        game.advance(&[Action::Use]);
    }
    assert!(game.state().sprite_count() <= vgdl::MAX_SPRITES + 1);
}

/// Plays whatever can be read of a text.
fn play(text: &str) {
    let source = SourceFile::new("any", text);
    let parsed = vgdl::parse(&source);
    let tidy = vgdl::format(&source);
    assert_eq!(vgdl::format(&SourceFile::new("tidy", tidy.clone())), tidy);
    let checked = vgdl::compile(&parsed.description);
    for one in parsed.diagnostics.iter().chain(&checked.diagnostics) {
        assert!(one.span.end as usize <= text.len(), "{one:?}");
    }
    let level = Level::load(std::sync::Arc::new(checked.rules), &SourceFile::new("level", LEVEL)).level;
    let mut game = Game::new(std::sync::Arc::new(level), 9);
    for tick in 0..30 {
        game.advance(&[Action::ALL[tick % 6], Action::ALL[tick % 5]]);
        let mut model = game.model(tick as i64);
        model.advance(&[Action::Use, Action::Up]);
        assert!(model.state().visible(game.level(), 0).count() < 100_000);
    }
}

/// Words that a description can be made of.
fn word() -> impl Strategy<Value = String> {
    let words: Vec<String> = vgdl::SpriteClass::ALL
        .iter()
        .map(|class| class.name().to_owned())
        .chain(vgdl::EffectClass::ALL.iter().map(|class| class.name().to_owned()))
        .chain(vgdl::TerminationClass::ALL.iter().map(|class| class.name().to_owned()))
        .chain(
            [
                "avatar",
                "box",
                "gold",
                "shot",
                "wall",
                "ghost",
                "EOS",
                "TIME",
                ">",
                "\n        ",
                "\n    ",
                "\n",
                "stype=shot",
                "stype=avatar",
                "stypeTo=gold",
                "resource=gold",
                "limit=0",
                "limit=-5",
                "speed=1e300",
                "speed=-1",
                "cooldown=-3",
                "physicstype=CONT",
                "gravity=1",
                "mass=0",
                "wMult=2.5",
                "hMult=0",
                "hMult=-3",
                "timer=0",
                "timer=2",
                "repeating=True",
                "ftype=killAll",
                "value=2147483647",
                "healthPoints=-7",
                "killSecond=True",
                "singleton=True",
                "orientation=UP",
                "prob=0.3",
                "repeat=3",
                "no_players=2",
                "square_size=1",
                "stypes=shot,gold",
                "stypeMissile=shot,gold",
                "stype1=avatar",
                "stype2=box",
                "timeToLive=3",
                "jump_strength=1e9",
                "friction=NaN",
                "obs=wall",
                "no_counters=2",
                "counter=1,2",
                "use_counter=True",
                "estype=gold",
                "stypeCount=gold",
                "spawnBehind=gold",
                "ammo=gold",
                "heldResource=gold",
                "spawnPoint=spring",
                "stype_other=gold",
                "notStype=wall",
                "SpriteSet",
                "InteractionSet",
                "LevelMapping",
                "TerminationSet",
                "BasicGame",
                "#",
                "=",
            ]
            .map(str::to_owned),
        )
        .collect();
    proptest::sample::select(words)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn text_of_any_kind_is_read(text in "\\PC{0,200}") {
        play(&text);
    }

    #[test]
    fn a_changed_description_is_read_and_played(
        changes in proptest::collection::vec((0..SOUND.len(), 0usize..12, word()), 1..12),
    ) {
        let mut text = SOUND.to_owned();
        for (at, length, word) in changes {
            let start = text.floor_char_boundary(at.min(text.len()));
            let end = text.floor_char_boundary((start + length).min(text.len()));
            text.replace_range(start..end, &format!(" {word} "));
        }
        play(&text);
    }

    #[test]
    fn lines_of_any_words_are_read_and_played(
        lines in proptest::collection::vec((0usize..4, proptest::collection::vec(word(), 1..6)), 1..10),
    ) {
        let mut text = SOUND.to_owned();
        for (set, words) in lines {
            let heads = ["    SpriteSet\n", "    InteractionSet\n", "    TerminationSet\n", "    LevelMapping\n"];
            let line = match set {
                0 => format!("        x{} > {}\n", words.len(), words.join(" ")),
                1 => format!("        avatar box shot ghost > {}\n", words.join(" ")),
                2 => format!("        {}\n", words.join(" ")),
                _ => format!("        b > {}\n", words.join(" ")),
            };
            text = text.replacen(heads[set], &format!("{}{line}", heads[set]), 1);
        }
        play(&text);
    }
}

#[test]
fn a_type_in_its_own_block_meets_others_once() {
    let text = "BasicGame\n  SpriteSet\n    coin > Resource\n      coin > Resource\n    avatar > MovingAvatar\n  \
                InteractionSet\n    coin avatar > collectResource scoreChange=2\n  TerminationSet\n    \
                Timeout limit=9 win=False\n  LevelMapping\n    g > coin\n    A > avatar coin coin\n";
    let source = SourceFile::new("coins", text.to_owned());
    let rules = std::sync::Arc::new(vgdl::compile(&vgdl::parse(&source).description).rules);
    let level = SourceFile::new("level", "wwwww\nwAggw\nwwwww\n".to_owned());
    let level = std::sync::Arc::new(Level::load(rules, &level).level);
    let mut game = Game::new(level.clone(), 1);
    game.advance(&[Action::Nil]);
    // The two coins that lie where the avatar stands, each taken once.
    assert_eq!(game.state().score(0), 4.0);
}

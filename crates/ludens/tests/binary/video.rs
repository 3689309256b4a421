//! `ludens video`, and the other verbs with video games.

use std::io::Write;
use std::path::Path;
use std::process::Command;

use crate::support::{ludens, write};

const RULES: &str = "# Fetch the coin.
BasicGame square_size=10
    SpriteSet
        coin > Resource limit=5
        avatar > MovingAvatar
    InteractionSet
        coin avatar > collectResource scoreChange=1
        avatar wall > stepBack
    TerminationSet
        SpriteCounter stype=coin limit=0 win=True
        Timeout limit=60 win=False
    LevelMapping
        o > coin
";

/// A game with two levels in a folder.
fn game(folder: &Path) -> String {
    write(folder, "coin_lvl0.txt", "wwwwww\nwA  ow\nwwwwww\n");
    write(folder, "coin_lvl1.txt", "wwwwww\nwo  Aw\nwwwwww\n");
    write(folder, "coin.txt", RULES)
}

#[test]
fn a_match_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let game = game(folder.path());
    let arguments = ["video", "match", &game, "--player", "olets", "--count", "200"];
    assert!(ludens(&arguments).expect(0).out.starts_with("olets won coin level 0 with 1 points in 3 ticks"));
    let told = ludens(&[&arguments[..], &["--level", "1", "--json"]].concat()).expect(0).json();
    assert_eq!(
        (&told["actions"], &told["results"][0]["outcome"]),
        (&["lll"].as_slice().into(), &"won".into())
    );
    assert!(ludens(&[&arguments[..], &["--level", "2"]].concat()).expect(2).err.contains("levels 0 to 1"));
    let unknown = ludens(&["video", "match", &game, "--player", "olts"]).expect(2);
    assert!(unknown.err.contains("did you mean `olets`?"), "{}", unknown.err);
    assert!(ludens(&["video", "match", "lanten"]).expect(2).err.contains("did you mean `lantern`?"));
    assert!(ludens(&["video", "play", "lantern"]).expect(2).err.contains("needs a terminal"));
    let alone = ludens(&["video", "play", "lantern", "--player", "olets"]).expect(2);
    assert!(alone.err.contains("lantern is for one player"), "{}", alone.err);
}

#[test]
fn a_tournament_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let game = game(folder.path());
    let out = folder.path().join("results.jsonl");
    let out = out.to_str().unwrap();
    let run = |players: &str| {
        let arguments =
            ["video", "tournament", &game, "--players", players, "--count", "150", "--out", out, "--json"];
        ludens(&[&arguments[..], &["--runs", "2"]].concat()).expect(0).json()
    };
    let first = run("olets");
    assert_eq!((&first["resumed"], &first["players"][0]["won"]), (&0.into(), &4.into()));
    let second = run("random,olets");
    assert_eq!(second["resumed"], 4);
    assert_eq!(second["players"][0]["player"], "olets");
    assert_eq!(second["players"][0]["points"], 25);
    assert_eq!(second["games"][0]["players"][1]["mean_ticks"], 3.0);
    assert_eq!(std::fs::read_to_string(out).unwrap().lines().count(), 8);
    let text = ludens(&["video", "tournament", &game, "--players", "olets", "--count", "150", "--runs", "1"]);
    assert!(text.expect(0).out.contains("100.0 ± "));
}

#[test]
fn a_tournament_does_not_mix_what_cannot_be_compared() {
    let folder = tempfile::tempdir().unwrap();
    let game = game(folder.path());
    let out = folder.path().join("results.jsonl");
    let arguments = |more: &[&'static str]| {
        let fixed = ["video", "tournament", &game, "--players", "random", "--runs", "1", "--out"];
        let fixed = fixed.iter().map(|word| (*word).to_owned()).chain([out.to_str().unwrap().to_owned()]);
        fixed.chain(more.iter().map(|word| (*word).to_owned())).collect::<Vec<String>>()
    };
    let run = |more: &[&'static str]| {
        let words = arguments(more);
        ludens(&words.iter().map(String::as_str).collect::<Vec<&str>>())
    };
    let timed = ["--tick", "200", "--prepare", "200", "--json"];
    let limited = |limit: &'static str| [&timed[..], &["--limit", limit]].concat();
    assert_eq!(run(&limited("150000")).expect(0).json()["resumed"], 0);
    assert_eq!(run(&limited("150000")).expect(0).json()["resumed"], 2);
    assert_eq!(run(&limited("0")).expect(0).json()["resumed"], 0, "nobody is disqualified there");
    let text = std::fs::read_to_string(&out).unwrap();
    assert!(text.lines().all(|line| line.contains("\"build\"")), "{text}");
    let other = text.replace("\"build\":\"", "\"build\":\"0.0.0-");
    std::fs::write(&out, &other).unwrap();
    let refused = run(&limited("0")).expect(2).err;
    assert!(refused.contains("another build (0.0.0-") && refused.contains("--any-build"), "{refused}");
    assert_eq!(std::fs::read_to_string(&out).unwrap(), other, "it is left as it was");
    assert_eq!(run(&[&limited("0")[..], &["--any-build"]].concat()).expect(0).json()["resumed"], 2);
}

#[test]
fn watching_needs_no_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let game = game(folder.path());
    let run = ludens(&["video", "watch", &game, "--player", "olets", "--count", "200"]).expect(0);
    assert!(run.out.contains("##@@ . .co##"), "{}", run.out);
    assert!(run.out.trim_end().ends_with("score 1  coin 1  won"), "{}", run.out);
    let picture = ludens(&["video", "picture", &game, "--ticks", "2", "--count", "50"]).expect(0).out;
    assert!(picture.starts_with("<svg") && picture.trim_end().ends_with("</svg>"), "{picture}");
    assert_eq!(picture.matches("<rect").count(), 1 + 14 + 2, "ground, walls, avatar and coin");
}

#[test]
fn speed_is_measured_and_lists_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let game = game(folder.path());
    let rows = ludens(&["video", "bench", &game, "--seconds", "0.01", "--json"]).expect(0).json();
    assert!(rows[0]["short"]["ticks_per_second"].as_f64().unwrap() > 0.0);
    assert!(rows[0]["bytes_per_state"].as_u64().unwrap() > 100);
    assert!(ludens(&["video", "bench", &game, "--seconds", "0"]).expect(2).err.contains("no time"));
    assert!(ludens(&["video", "players"]).expect(0).out.contains("olets"));
    assert!(ludens(&["video", "players", "olets"]).expect(0).out.contains("taboo_ticks"));
    assert!(ludens(&["video", "games"]).expect(0).out.contains("lantern"));
}

#[test]
fn the_other_verbs_know_video_games() {
    let folder = tempfile::tempdir().unwrap();
    let path = game(folder.path());
    assert!(ludens(&["check", &path]).expect(0).out.contains("1 sheet checked: 0 errors"));
    write(folder.path(), "coin_lvl1.txt", "wwwwww\nwoo??w\nwwwwww\n");
    let found = ludens(&["check", &path, "--json"]).expect(1).json();
    assert_eq!(found[2]["errors"], 1);
    assert!(
        found[2]["diagnostics"]
            .as_array()
            .unwrap()
            .iter()
            .any(|row| row["code"] == "vgdl::unmapped_character")
    );
    let ugly = write(folder.path(), "ugly.vgdl", RULES.replace("coin > Resource", "coin   >  Resource"));
    assert_eq!(ludens(&["fmt", "--check", &ugly]).expect(1).out.trim_end(), ugly);
    ludens(&["fmt", &ugly]).expect(0);
    assert_eq!(std::fs::read_to_string(&ugly).unwrap(), RULES);
    assert_eq!(ludens(&["show", &path]).expect(0).out, RULES);
    assert!(ludens(&["show", &path, "--stage", "ground"]).expect(2).err.contains("video game"));
    let info = ludens(&["info", &path, "--json", "--playouts", "3"]).expect(0).json();
    assert_eq!((&info["players"], &info["levels"][0]["width"]), (&1.into(), &6.into()));
    let two = RULES.replace("square_size=10", "no_players=2");
    let two = write(folder.path(), "two.txt", two);
    write(folder.path(), "two_lvl0.txt", "wwwwww\nwA  ow\nwwwwww\n");
    let unknown = ludens(&["video", "play", &two, "--player", "olts"]).expect(2);
    assert!(unknown.err.contains("did you mean `olets`?"), "{}", unknown.err);
    let bad = write(folder.path(), "bad.vgdl", RULES.replace("Resource", "Resorce"));
    let run = ludens(&["check", &bad]).expect(1);
    assert!(run.out.contains("vgdl::unknown_class") && run.out.contains("bad.vgdl"), "{}", run.out);
}

#[test]
fn the_other_verbs_know_bundled_video_games_by_name() {
    let info = ludens(&["info", "lantern", "--json", "--playouts", "1"]).expect(0).json();
    assert_eq!((&info["game"], info["levels"].as_array().unwrap().len()), (&"lantern".into(), 5));
    assert!(ludens(&["show", "lantern"]).expect(0).out.starts_with("# Light every lamp"));
    assert!(ludens(&["check", "lantern"]).expect(0).out.contains("1 sheet checked: 0 errors"));
    ludens(&["fmt", "--check", "lantern", "tic-tac-toe"]).expect(0);
    assert!(ludens(&["fmt", "--stdout", "lantern"]).expect(0).out.starts_with("# Light every lamp"));
    assert!(ludens(&["fmt", "lantern"]).expect(2).err.contains("cannot be changed"));
    assert!(ludens(&["fmt", "lanten"]).expect(2).err.contains("lanten"));
}

#[test]
fn traces_of_video_games_are_compared() {
    let folder = tempfile::tempdir().unwrap();
    for part in ["games", "traces"] {
        std::fs::create_dir(folder.path().join(part)).unwrap();
    }
    game(&folder.path().join("games"));
    let tick = |tick: i32, score: u8, end: bool, count: u8| {
        let won = if end { 1 } else { -1 };
        format!(
            r#"{{"t": {tick}, "a": "ACTION_RIGHT", "score": {score}, "win": {won}, "end": {end}, "n": {count}, "next": 16}}"#
        )
    };
    let trace = |last: u8| {
        let ticks =
            [tick(-1, 0, false, 16), tick(0, 0, false, 16), tick(1, 0, false, 16), tick(2, last, true, 15)];
        let head = r#""game": "x/coin.txt", "level": "x/coin_lvl0.txt", "seed": 1, "block": 10"#;
        format!("{{{head}, \"ticks\": [{}]}}", ticks.join(","))
    };
    let write_trace = |last| {
        use std::io::Write;
        let file = std::fs::File::create(folder.path().join("traces/coin_lvl0.json.gz")).unwrap();
        let mut packed = flate2::write::GzEncoder::new(file, flate2::Compression::fast());
        packed.write_all(trace(last).as_bytes()).unwrap();
        packed.finish().unwrap();
    };
    let path = folder.path().to_str().unwrap();
    write_trace(1);
    let run = ludens(&["verify", "--corpus", path]).expect(0);
    assert!(run.out.contains("1 traces of video games: 1 agree"), "{}", run.out);
    write_trace(7);
    let run = ludens(&["verify", "--corpus", path]).expect(1);
    assert!(run.out.contains("tick 2: score: 1 for 7"), "{}", run.out);
}

/// The Python interpreter with the emulator, if there is one: `LUDENS_PYTHON`, or `python3`.
fn python() -> Option<String> {
    let python = std::env::var("LUDENS_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let works = Command::new(&python).args(["-c", "import ale_py"]).output();
    if works.is_ok_and(|output| output.status.success()) {
        return Some(python);
    }
    // Past the test harness, which shows what passing tests print to nobody.
    let _ = writeln!(std::io::stderr(), "skipped: `{python}` has no ale-py");
    None
}

#[test]
fn the_arcade_is_played_through_its_pipe() {
    let wrong = ludens(&["video", "arcade", "breakout", "--planner", "iw"]).expect(2);
    assert!(wrong.err.contains("breadth-first, uct, iw1, sarsa"), "{}", wrong.err);
    let none = ludens(&["video", "arcade", "breakout", "--python", "no-such-python"]).expect(2);
    assert!(none.err.contains("--python"), "{}", none.err);
    let Some(python) = python() else { return };
    let play = |more: &[&str]| {
        let fixed = ["video", "arcade", "breakout", "--python", &python, "--json"];
        ludens(&[&fixed[..], more].concat()).expect(0).json()
    };
    let planned = play(&["--steps", "5", "--tries", "60"]);
    assert_eq!(planned["actions"].as_array().unwrap().len(), 5);
    assert_eq!(planned, play(&["--steps", "5", "--tries", "60"]), "the same seed, the same game");
    for planner in ["uct", "breadth-first"] {
        let told = play(&["--steps", "3", "--tries", "60", "--planner", planner, "--objective", "novelty"]);
        assert_eq!(told["actions"].as_array().unwrap().len(), 3);
    }
    let folder = tempfile::tempdir().unwrap();
    let picture = folder.path().join("screen.pgm");
    play(&[
        "--steps",
        "1",
        "--tries",
        "20",
        "--objective",
        "lexicographic",
        "--screen",
        picture.to_str().unwrap(),
    ]);
    let picture = std::fs::read(picture).unwrap();
    let head = b"P5\n160 210\n255\n";
    assert!(picture.starts_with(head) && picture.len() == head.len() + 160 * 210);
    assert!(picture[head.len()..].iter().any(|grey| *grey > 0), "something is on the screen");
    let learned = play(&["--planner", "sarsa", "--episodes", "2", "--steps", "40"]);
    assert_eq!(learned["scores"].as_array().unwrap().len(), 2);
    let unknown = ludens(&["video", "arcade", "no-such-game", "--python", &python]).expect(2);
    assert!(unknown.err.contains("no-such-game"), "{}", unknown.err);
}

//! Each command does what it says.

use crate::support::{COUNTDOWN, COUNTDOWN_TRACE, ludens, ludens_with_input, write};

#[test]
fn help_teaches() {
    for command in [
        "check",
        "evaluate",
        "explain",
        "fmt",
        "info",
        "perft",
        "simulate",
        "verify",
        "show",
        "bench",
        "perf",
        "games",
        "watch",
        "equilibrium",
    ] {
        let run = ludens(&[command, "--help"]).expect(0);
        assert!(run.out.contains("Examples:"), "{command}");
        assert!(ludens(&["--help"]).expect(0).out.contains(command));
    }
    assert!(ludens(&["--version"]).expect(0).out.starts_with("ludens "));
}

#[test]
fn games_lists_the_bundled_ones() {
    let run = ludens(&["games"]).expect(0);
    assert!(run.out.contains("tic-tac-toe") && run.out.contains("Tic-Tac-Toe"));
    let all = ludens(&["games", "--json"]).expect(0).json();
    assert!(all.as_array().unwrap().len() >= 50);
    let puzzles = ludens(&["games", "--json", "--tag", "puzzle"]).expect(0).json();
    assert!(puzzles.as_array().unwrap().iter().all(|game| game["players"] == 1));
    assert!(ludens(&["games", "--tag", "puzle"]).expect(2).err.contains("no tag `puzle`"));
}

#[test]
fn an_equilibrium_of_a_small_game_is_found() {
    let json = ludens(&["equilibrium", "kuhn-poker", "--rounds", "300", "--json"]).expect(0).json();
    assert_eq!(json["information_sets"], 12);
    // A chip is worth 25, and the first player loses one in eighteen.
    let first = json["values"][0]["value"].as_f64().unwrap();
    assert!((first - (50.0 - 25.0 / 18.0)).abs() < 0.1, "{json}");
    assert!(json["exploitability"].as_f64().unwrap() < 0.25, "{json}");
    let text = ludens(&["equilibrium", "kuhn-poker", "--rounds", "10"]).expect(0).out;
    assert!(text.contains("exploitability"), "{text}");
    let large = ludens(&["equilibrium", "blind-tic-tac-toe", "--nodes", "1000"]).expect(2);
    assert!(large.err.contains("--nodes"), "{}", large.err);
}

#[test]
fn info_tells_who_sees_what() {
    let json = ludens(&["info", "kuhn-poker", "--json"]).expect(0).json();
    assert_eq!((&json["information"], &json["chance"]), (&"hidden".into(), &"random".into()));
    assert!(json["roles"][0]["sees"]["card"].as_u64().unwrap() > 0);
    assert!(json["roles"][2]["sees"].as_object().unwrap().is_empty());
    let text = ludens(&["info", "kuhn-poker"]).expect(0).out;
    assert!(text.contains("each role knows its own moves and what it sees"), "{text}");
    let complete = ludens(&["info", "tic-tac-toe", "--json"]).expect(0).json();
    assert_eq!(
        (&complete["information"], &complete["chance"]),
        (&"complete".into(), &serde_json::Value::Null)
    );
}

#[test]
fn perft_counts() {
    let run = ludens(&["perft", "tic-tac-toe", "3"]).expect(0);
    assert!(run.out.contains(" 504 "), "{}", run.out);
    let json = ludens(&["perft", "Tic-Tac-Toe", "3", "--divide", "--json"]).expect(0).json();
    let counts: Vec<u64> =
        json["depths"].as_array().unwrap().iter().map(|row| row["count"].as_u64().unwrap()).collect();
    assert_eq!(counts, [9, 72, 504]);
    let parts = json["divide"].as_array().unwrap();
    assert_eq!(parts.len(), 9);
    assert!(parts.iter().all(|part| part["count"] == 56));
    let text = ludens(&["perft", "tic-tac-toe", "2", "--divide", "--machine", "reference"]).expect(0).out;
    assert_eq!(text.matches("noop").count(), 9, "{text}");
}

#[test]
fn evaluate_shows_a_function_and_its_terms() {
    let json = |method: &str| {
        let run = ["evaluate", "breakthrough-5x5", "--method", method, "--random-moves", "4", "--json"];
        let mut json = ludens(&run).expect(0).json();
        for key in ["seconds", "build_seconds"] {
            json[key] = serde_json::Value::Null;
        }
        json
    };
    let paper = json("paper");
    assert_eq!(paper, json("paper"), "the same seed");
    assert_eq!(paper["roles"][0]["terms"].as_array().map(Vec::len), Some(30));
    assert!(paper["roles"][1]["function"].as_str().is_some_and(|text| text.contains("cell(")), "{paper}");
    let pieces = json("pieces");
    assert_eq!(pieces["candidates"], 2, "{pieces}");
    let fuzzy = json("flux");
    assert!(fuzzy["roles"][0]["value"].as_f64().is_some_and(|value| value > 0.0 && value < 1.0), "{fuzzy}");
    assert!(fuzzy["knowledge"][0].as_str().is_some_and(|line| line.contains("p = 0.75")), "{fuzzy}");
    let plain =
        ludens(&["evaluate", "breakthrough-5x5", "--method", "patterns", "--samples", "20000"]).expect(0).out;
    assert!(plain.contains("explain") && plain.contains("places of cell("), "{plain}");
    let run = ludens(&["evaluate", "tic-tac-toe", "--method", "flux", "--derived"]).expect(0).out;
    assert!(run.contains("as published") && run.contains("--derived changes nothing"), "{run}");
    assert!(ludens(&["evaluate", "tic-tac-toe", "--method", "guess"]).expect(2).err.contains("c-il2p"));
    let folder = tempfile::tempdir().expect("a folder");
    let page = folder.path().join("page.html");
    let name = page.to_str().expect("a name");
    let run = ludens(&["evaluate", "breakthrough-5x5", "--page", name, "--terms", "5"]).expect(0);
    assert!(run.out.contains("correlation") && run.out.contains("candidate features"), "{}", run.out);
    let page = std::fs::read_to_string(&page).expect("a page");
    assert!(page.starts_with("<!doctype html>") && page.contains("class=bar"), "{page}");
    // Whatever the paper sets can be set.
    let positions = |more: &[&str]| {
        let run = ludens(&[&["evaluate", "breakthrough-5x5", "--json", "--samples", "20"], more].concat());
        run.expect(0).json()["positions"].as_u64().expect("a number")
    };
    assert_eq!(positions(&["--least", "3", "--most", "3", "--gap", "1", "--within", "5"]), 60);
    assert!(positions(&["--least", "1", "--most", "1", "--shape-features", "500"]) <= 20);
    let turned = ludens(&["evaluate", "breakthrough-5x5", "--least", "6"]);
    assert!(turned.expect(2).err.contains("--least is more than --most"));
    let position = ["evaluate", "tic-tac-toe", "--position", "(cell 1 1 nobody)"];
    assert!(ludens(&position).expect(2).err.contains("no position"));
}

#[test]
fn simulate_is_reproducible() {
    let run = || {
        let mut json = ludens(&["simulate", "tic-tac-toe", "--playouts", "20", "--seed", "3", "--json"])
            .expect(0)
            .json();
        json["seconds"] = 0.into();
        json["steps_per_second"] = 0.into();
        json
    };
    let json = run();
    assert_eq!(json, run());
    assert_eq!(json["playouts"], 20);
    assert_eq!(json["roles"].as_array().unwrap().len(), 2);
    assert!(ludens(&["simulate", "tic-tac-toe", "-n", "5"]).expect(0).out.contains("mean goal"));
}

#[test]
fn info_tells_the_kind() {
    for (game, kind) in
        [("tic-tac-toe", "turn-taking"), ("rock-paper-scissors", "simultaneous"), ("hanoi", "one-player")]
    {
        let json = ludens(&["info", game, "--json", "--playouts", "3"]).expect(0).json();
        assert_eq!(json["kind"], kind, "{game}");
        assert!(json["metadata"]["name"].is_string());
    }
    let run = ludens_with_input(&["info", "-"], COUNTDOWN).expect(0);
    assert!(run.out.contains("1 facts at the beginning") && run.out.contains("100 ("), "{}", run.out);
}

#[test]
fn show_prints_the_stages() {
    let sheet = "(role A)\n(<= (P ?x) (or (q ?x)\n (r ?x)))\n(q 1) (r 2) ; comment\n";
    let rules = ludens_with_input(&["show", "-"], sheet).expect(0).out;
    assert_eq!(rules, "(role A)\n(<= (P ?x) (or (q ?x) (r ?x)))\n(q 1)\n(r 2)\n");
    let normal = ludens_with_input(&["show", "-", "--stage", "normal"], sheet).expect(0).out;
    assert!(normal.contains("(<= (P ?x) (q ?x))\n(<= (P ?x) (r ?x))"), "{normal}");
    let json = ludens_with_input(&["show", "-", "--stage", "rules", "--json"], sheet).expect(0).json();
    assert_eq!(json["rules"][3]["line"], 4);
}

#[test]
fn watch_plays_a_game_through() {
    let run = ludens(&["watch", "tic-tac-toe", "--seed", "5"]).expect(0);
    assert!(run.out.contains("Move 1:") && run.out.contains("The game is over."), "{}", run.out);
    assert!(run.out.contains("3  · · ·\n2  · · ·\n1  · · ·\n   1 2 3"), "{}", run.out);
    assert!(!run.out.contains('\x1b'), "no colours outside of a terminal");
    assert_eq!(run.out, ludens(&["watch", "tic-tac-toe", "--seed", "5"]).expect(0).out);
    let run = ludens_with_input(&["watch", "-"], COUNTDOWN).expect(0);
    assert!(run.out.contains("left: 2") && run.out.contains("left: 0"), "{}", run.out);
}

#[test]
fn check_accepts_a_sound_sheet() {
    let folder = tempfile::tempdir().unwrap();
    let file = write(folder.path(), "good.kif", COUNTDOWN);
    let run = ludens(&["check", &file]).expect(0);
    assert!(run.out.contains("1 sheet checked: 0 errors, 0 warnings, 0 notes"), "{}", run.out);
    let json = ludens(&["check", "--json", "--playouts", "7", &file]).expect(0).json();
    assert_eq!(json[0]["errors"], 0);
    assert_eq!(json[0]["simulation"]["playouts"], 7);
}

#[test]
fn check_shows_code_place_and_help() {
    let folder = tempfile::tempdir().unwrap();
    let broken = COUNTDOWN.replace("(<= (next won) (true won))", "(<= (next (won ?x)) (true won))");
    let file = write(folder.path(), "broken.kif", broken);
    let run = ludens(&["check", &file]).expect(1);
    assert!(
        run.out.contains("gdl::unsafe_rule") && run.out.contains("docs/gdl/unsafe_rule.md"),
        "{}",
        run.out
    );
    assert!(run.out.contains("help:") && run.out.contains("(<= (next (won ?x)) (true won))"), "{}", run.out);
    let json = ludens(&["check", "--json", &file]).expect(1).json();
    let findings = json[0]["diagnostics"].as_array().unwrap();
    let finding = findings.iter().find(|finding| finding["code"] == "gdl::unsafe_rule").unwrap();
    assert_eq!((&finding["severity"], &finding["place"]["line"]), (&"error".into(), &15.into()));
    assert!(json[0]["simulation"].is_null(), "what cannot be read is not played");
}

#[test]
fn check_plays_the_game() {
    let folder = tempfile::tempdir().unwrap();
    let file = write(folder.path(), "goals.kif", COUNTDOWN.replace("(<= (goal you 0) (not (true won)))", ""));
    let run = ludens(&["check", &file]).expect(1);
    assert!(run.out.contains("gdl::goal_missing") && run.out.contains("after 2 moves"), "{}", run.out);
    ludens(&["check", "--no-simulation", &file]).expect(0);
    ludens(&["check", "--lenient", &file]).expect(0);
}

#[test]
fn explain_tells_of_codes() {
    assert!(ludens(&["explain"]).expect(0).out.contains("gdl::unsafe_rule"));
    for code in ["unsafe_rule", "gdl::unsafe_rule", "GDL::Unsafe-Rule"] {
        assert!(ludens(&["explain", code]).expect(0).out.contains("unsafe_rule"));
    }
    assert!(ludens(&["explain", "nonsense"]).expect(2).err.contains("no code `nonsense`"));
}

#[test]
fn fmt_formats_and_keeps_comments() {
    let folder = tempfile::tempdir().unwrap();
    let file = write(folder.path(), "untidy.kif", "; mine\n(role   a)(<=   terminal\n   (true  x))");
    assert!(ludens(&["fmt", "--check", &file]).expect(1).out.contains("untidy.kif"));
    let printed = ludens(&["fmt", "--stdout", &file]).expect(0).out;
    ludens(&["fmt", &file]).expect(0);
    let formatted = std::fs::read_to_string(&file).unwrap();
    assert_eq!(formatted, printed);
    assert!(formatted.contains("; mine") && formatted.contains("(role a)"), "{formatted}");
    ludens(&["fmt", "--check", &file]).expect(0);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "no temporary file is left");
    assert_eq!(ludens_with_input(&["fmt", "-"], "(role   a)").expect(0).out, "(role a)\n");
    let broken = write(folder.path(), "broken.kif", "(role a");
    ludens(&["fmt", &broken]).expect(1);
    assert_eq!(std::fs::read_to_string(&broken).unwrap(), "(role a");
}

#[test]
fn verify_compares() {
    let folder = tempfile::tempdir().unwrap();
    let game = write(folder.path(), "countdown.kif", COUNTDOWN);
    let trace = write(folder.path(), "good.json", COUNTDOWN_TRACE);
    assert!(ludens(&["verify", &game, &trace]).expect(0).out.contains("agrees"));
    let other = write(folder.path(), "bad.json", COUNTDOWN_TRACE.replace("{\"you\": 100}", "{\"you\": 0}"));
    let run = ludens(&["verify", &game, &trace, &other]).expect(1);
    assert!(run.out.contains("playout 0, step 2: the goal of you differs"), "{}", run.out);
    let json = ludens(&["verify", "--json", &game, &other]).expect(1).json();
    assert_eq!(json[0]["outcome"]["differs"]["expected"], "0");
}

#[test]
fn strict_reading_refuses_and_lenient_warns() {
    let sheet = COUNTDOWN.replace("(<= (next won) (true won))", "(<= (next (won ?x)) (true won))");
    let run = ludens_with_input(&["perft", "-", "1", "--strict"], &sheet).expect(1);
    assert!(run.err.contains("standard input:15:"), "{}", run.err);
    let run = ludens_with_input(&["perft", "-", "1"], &sheet).expect(0);
    assert!(run.err.contains("warning: standard input:15:1:") && run.err.contains("left out"), "{}", run.err);
}

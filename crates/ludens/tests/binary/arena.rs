//! Agents that play: one match, tournaments that survive a kill, experiments, measurements.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::support::{COUNTDOWN, command, ludens, write};

#[test]
fn a_match_is_shown_position_by_position() {
    let run =
        ludens(&["match", "tic-tac-toe", "--players", "ludens,random", "--simulations", "200"]).expect(0);
    for text in ["Tic-Tac-Toe", "Move 1: x (mark", "expects", "best line: (mark", "simulations in", "Goals:"]
    {
        assert!(run.out.contains(text), "{text}:\n{}", run.out);
    }
    assert!(!run.out.contains(" visits, expects"), "only if asked for:\n{}", run.out);
    let asked = ["match", "breakthrough-5x5", "--play-clock", "0.02", "--start-clock", "2", "--explain"];
    let told = ludens(&asked).expect(0).out;
    // What was looked at, and what kind of game it was found to be.
    for text in [" visits, expects ", " of 13 settings after ", "2 roles, in turn, zero-sum"] {
        assert!(told.contains(text), "{text}:\n{told}");
    }
    let again = ["match", "tic-tac-toe", "--players", "cadia-uct,mc", "--simulations", "50", "--json"];
    let (one, two) = (ludens(&again).expect(0).json(), ludens(&again).expect(0).json());
    assert_eq!(one["goalValues"], two["goalValues"]);
    let thoughts = one["ludens"]["thoughts"].as_array().unwrap();
    assert!(thoughts.len() >= 5 && thoughts[0][1].is_null(), "{one}");
    assert!(thoughts[0][0]["simulations"].as_u64().unwrap() >= 50);
    assert_eq!(one["moves"], two["moves"]);
}

#[test]
fn a_match_that_is_broken_off_is_told_as_far_as_it_went() {
    let run = ludens(&[
        "match",
        "tic-tac-toe",
        "--players",
        "random",
        "--steps",
        "3",
        "--simulations",
        "1",
        "--json",
    ])
    .expect(2);
    assert!(run.err.contains("no end within 3 steps"), "{}", run.err);
    let json = run.json();
    assert_eq!(json["moves"].as_array().unwrap().len(), 3);
    let faults = &json["ludens"]["faults"];
    assert!(json["goalValues"].as_array().unwrap().is_empty() && faults[0].as_str().unwrap().contains('3'));
}

#[test]
fn a_match_of_a_sheet_and_of_one_player() {
    let folder = tempfile::tempdir().unwrap();
    let sheet = write(folder.path(), "countdown.kif", COUNTDOWN);
    let json = ludens(&["match", &sheet, "--simulations", "30", "--json"]).expect(0).json();
    assert_eq!(json["goalValues"][0], 100);
}

#[test]
fn wrong_players_are_explained() {
    let err = |arguments: &[&str]| ludens(arguments).expect(2).err;
    assert!(err(&["match", "tic-tac-toe", "--players", "a,b"]).contains("there is no agent `a`"));
    let three = err(&["match", "tic-tac-toe", "--players", "mc,mc,mc"]);
    assert!(three.contains("has 2 roles (x, o), but 3 players"), "{three}");
    assert!(err(&["match", "tic-tac-toe", "--players", "mc@soon,mc"]).contains("200ms"));
    assert!(err(&["arena", "tic-tac-toe", "--players", "mc"]).contains("two players"));
    assert!(err(&["arena", "tic-tac-toe", "nim", "nim", "--players", "mc,random"]).contains("named twice"));
    assert!(err(&["arena", "nim", "--players", "mc,random", "--sprt", "5"]).contains("two bounds"));
    assert!(err(&["arena", "nim", "--players", "mc,random", "--sprt", "5,0"]).contains("lower one first"));
    assert!(err(&["arena", "nim", "--players", "mc,random", "--sprt", "0,1e9"]).contains("2000"));
    assert!(err(&["agents", "nobody"]).contains("no agent `nobody`"));
    assert!(err(&["experiment", "table-9"]).contains("--list"));
    assert!(err(&["experiment", "table-1", "--to", "no/such/folder"]).contains("no folder"));
}

#[test]
fn agents_are_listed() {
    let text = ludens(&["agents"]).expect(0).out;
    assert!(text.contains("cadia-mast") && text.contains("exploration") && text.contains("2008"), "{text}");
    let json = ludens(&["agents", "cadia-mast", "--json"]).expect(0).json();
    assert_eq!(json["agents"][0]["engines"], serde_json::json!(["cadia", "mcts"]));
    let parameters = json["agents"][0]["parameters"].as_array().unwrap();
    let policy = parameters.iter().find(|row| row["parameter"] == "policy").unwrap();
    assert_eq!((&policy["value"], &policy["default"]), (&"mast".into(), &"uniform".into()));
    let renamed = parameters.iter().find(|row| row["parameter"] == "final_move").unwrap();
    assert_eq!(renamed["aliases"], serde_json::json!(["finally"]));
    let all = ludens(&["agents", "--json"]).expect(0).json();
    let names = |list: &str, name: &str| -> Vec<String> {
        let rows = all[list].as_array().unwrap().iter();
        rows.map(|row| row[name].as_str().unwrap().to_owned()).collect()
    };
    let engines = names("engines", "engine");
    assert_eq!(engines[..7], ["mcts", "portfolio", "cadia", "mini", "mtdf", "random", "legal"]);
    assert!(engines.iter().any(|name| name == "information-sets"), "{engines:?}");
    let policies = names("policies", "policy");
    assert_eq!(policies[..3], ["uniform", "mast", "mast-greedy"]);
    assert!(policies.iter().any(|name| name == "last-good-reply"), "{policies:?}");
}

const TOURNAMENT: [&str; 10] = [
    "arena",
    "tic-tac-toe",
    "connect-four-small",
    "--players",
    "cadia-uct,mc,random",
    "--matches",
    "6",
    "--simulations",
    "40",
    "--json",
];

fn with_file(path: &Path) -> Vec<&str> {
    [&TOURNAMENT[..], &["--out", path.to_str().expect("UTF-8")]].concat()
}

/// The matches of a file without what the clock says.
fn matches(path: &Path) -> Vec<serde_json::Value> {
    let read = |line: &str| {
        let mut record: serde_json::Value = serde_json::from_str(line).expect("JSON");
        record["ludens"].as_object_mut().expect("an object").remove("effort");
        record
    };
    std::fs::read_to_string(path).expect("the file").lines().map(read).collect()
}

#[test]
fn a_tournament_counts_and_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("matches.jsonl");
    let first = ludens(&with_file(&path)).expect(0).json();
    assert_eq!((&first["matches"], &first["resumed"]), (&36.into(), &0.into()));
    assert_eq!(first["games"].as_array().unwrap().len(), 3);
    let random = &first["games"][2]["players"][2];
    assert!(random["total"]["mean"].as_f64().unwrap() < 40.0, "{random}");
    // Half a line at the end is as good as none.
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, &text[..text.len() - 30]).unwrap();
    let again = ludens(&[&with_file(&path)[..], &["--jobs", "2"]].concat()).expect(0).json();
    assert_eq!((&again["matches"], &again["resumed"]), (&36.into(), &35.into()));
    let shares = |json: &serde_json::Value| json["games"][2]["players"][0]["total"].clone();
    assert_eq!(shares(&first), shares(&again));
    let other = write(folder.path(), "other.txt", "no records\n");
    assert!(ludens(&with_file(Path::new(&other))).expect(2).err.contains("line 1"));
}

#[test]
fn a_tournament_does_not_count_matches_of_other_rules() {
    let folder = tempfile::tempdir().unwrap();
    let (path, sheet) = (folder.path().join("matches.jsonl"), folder.path().join("countdown.kif"));
    let play = |rules: &str, more: &[&str]| {
        std::fs::write(&sheet, rules).unwrap();
        let (sheet, path) = (sheet.to_str().unwrap(), path.to_str().unwrap());
        let players =
            ["arena", sheet, "--players", "random,legal", "--matches", "2", "--out", path, "--json"];
        let run = ludens(&[&players[..], more].concat()).expect(0);
        let json = run.json();
        let count = |name: &str| json[name].as_u64().unwrap();
        assert_eq!(
            run.err.contains("matches in the file are not counted"),
            count("passed_over") > 0,
            "{}",
            run.err
        );
        (count("resumed"), count("passed_over"))
    };
    assert_eq!(play(COUNTDOWN, &[]), (0, 0));
    // How the sheet is laid out does not matter.
    assert_eq!(play(&format!("{COUNTDOWN}\n; The end.\n"), &[]), (4, 0));
    assert_eq!(play(&COUNTDOWN.replace("(goal you 0)", "(goal you 10)"), &[]), (0, 4));
    assert_eq!(play(COUNTDOWN, &["--steps", "9"]), (0, 8));
    assert_eq!(play(COUNTDOWN, &[]), (4, 8));
}

/// The first role goes on for ever, if it takes the first legal move.
const ENDLESS: &str = "(role a) (role b) (init running)
(legal a go) (legal a stop) (legal b wait)
(<= (next running) (does a go))
(<= (next over) (does a stop))
(<= terminal (true over))
(goal a 100) (goal b 0)
";

#[test]
fn a_match_without_an_end_does_not_hold_up_a_tournament() {
    let folder = tempfile::tempdir().unwrap();
    let (sheet, path) = (write(folder.path(), "endless.kif", ENDLESS), folder.path().join("matches.jsonl"));
    let path = path.to_str().unwrap();
    let arguments =
        ["arena", &sheet, "--players", "legal,random", "--matches", "6", "--steps", "60", "--out", path];
    let json = ludens(&[&arguments[..], &["--json"]].concat()).expect(0).json();
    let game = &json["games"][0];
    assert_eq!((&json["matches"], &game["cut"]), (&6.into(), &3.into()), "{json}");
    // Three draws, and three matches in which the other has the first role and stops.
    assert_eq!(game["players"][0]["total"]["wins_draws_losses"], serde_json::json!([0, 3, 3]));
    let again = ludens(&arguments).expect(0).out;
    assert!(again.contains("6 of 6 matches were played before"), "{again}");
    assert!(again.contains("moves, 3 broken off without a winner (`--steps` allows more)"), "{again}");
}

#[test]
fn a_tournament_survives_any_number_of_kills() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, killed) = (folder.path().join("whole.jsonl"), folder.path().join("killed.jsonl"));
    ludens(&with_file(&whole)).expect(0);
    let lines = |path: &Path| std::fs::read_to_string(path).map_or(0, |text| text.lines().count());
    for kill in 1..=5 {
        let mut child =
            command(&with_file(&killed)).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let (before, begin) = (lines(&killed), Instant::now());
        while lines(&killed) < before + kill && begin.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let last = ludens(&with_file(&killed)).expect(0).json();
    assert!(last["matches"] == 36 && last["resumed"].as_u64().unwrap() >= 15, "{last}");
    let text = |path: &Path| matches(path).iter().map(ToString::to_string).collect::<BTreeSet<_>>();
    assert_eq!(text(&killed), text(&whole));
    assert_eq!(lines(&killed), 36, "every match stands there once");
}

#[test]
fn a_test_stops_when_it_is_clear() {
    let arguments = ["arena", "tic-tac-toe", "--players", "cadia-uct,random", "--simulations", "50"];
    let test = ["--matches", "400", "--sprt", "0,100", "--json"];
    let json = ludens(&[&arguments[..], &test].concat()).expect(0).json();
    assert_eq!(json["sprt"]["verdict"], "gain");
    assert!(json["matches"].as_u64().unwrap() < 200, "{json}");
    let text = ludens(&[&arguments[..], &["--matches", "4", "--sprt", "0,5"]].concat()).expect(0).out;
    assert!(text.contains("not decided yet"), "{text}");
}

#[test]
fn an_experiment_leaves_a_page_and_a_picture() {
    let list = ludens(&["experiment", "--list"]).expect(0).out;
    for name in ["table-1", "table-2", "table-3", "batching", "worth-of-speed"] {
        assert!(list.contains(name), "{list}");
    }
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().to_str().unwrap();
    let scale = ["--matches", "2", "--simulations", "5"];
    let old = "# Old\n\nRun again with `ludens experiment worth-of-speed --matches 9`.\n\nA remark.\n";
    write(folder.path(), "worth-of-speed.md", old);
    let run = ludens(&[&["experiment", "worth-of-speed", "--to", to, "--json"][..], &scale].concat());
    let json = run.json();
    // What two matches show is chance; that the exit code says whether all was reached is not.
    let is_reached = json["missed"].as_array().unwrap().is_empty();
    run.expect(if is_reached { 0 } else { 1 });
    let page = std::fs::read_to_string(json["page"].as_str().unwrap()).unwrap();
    assert!(page.contains("| connect-four | 20 times the simulations, new trees |"), "{page}");
    assert!(page.contains("`ludens experiment worth-of-speed --matches 2 --simulations 5`"), "{page}");
    assert!(page.starts_with("# The worth of speed\n") && page.ends_with("5`.\n\nA remark.\n"), "{page}");
    // Two matches do not prove a share of more than one half, even if both are won.
    let count = |list: &str| json[list].as_array().unwrap().len();
    assert_eq!(page.matches("(not safe) |").count(), count("uncertain"), "{page}");
    assert_eq!(count("missed") + count("uncertain"), 12, "{page}");
    let picture = std::fs::read_to_string(json["picture"].as_str().unwrap()).unwrap();
    assert!(picture.starts_with("<svg"));
}

#[test]
fn an_experiment_of_trials_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let (to, out) = (folder.path().to_str().unwrap(), folder.path().join("trials.jsonl"));
    let arguments = ["experiment", "single-player", "--simulations", "30", "--to", to, "--json", "--out"];
    let run = |matches: &str| {
        let more = [out.to_str().unwrap(), "--matches", matches];
        let json = ludens(&[&arguments[..], &more].concat()).json();
        assert!(json["differing"].is_array(), "{json}");
        let lines = std::fs::read_to_string(&out).unwrap().lines().count();
        (lines, std::fs::read_to_string(folder.path().join("single-player.md")).unwrap())
    };
    // Ten puzzles: six searches and three players by three clocks.
    let (lines, page) = run("1");
    assert_eq!(lines, 10 * (6 + 9), "{page}");
    assert!(page.contains("## Table VII") && page.contains("30 stand for the paper's ten minutes"), "{page}");
    assert_eq!(run("1").0, lines, "nothing is made twice");
    assert_eq!(run("2").0, 2 * lines);
    let error = ludens(&["experiment", "table-1", "--quick", "--to", to, "--out", out.to_str().unwrap()]);
    assert!(error.err.contains("is not the record of a match"), "{}", error.err);
}

#[test]
fn searching_is_measured() {
    let arguments = ["bench", "--search", "tic-tac-toe", "--simulations", "500", "--seconds", "0.05"];
    let json = ludens(&[&arguments[..], &["--threads", "2", "--json"]].concat()).expect(0).json();
    let game = &json["games"][0];
    assert_eq!((&json["threads"], &game["game"]), (&2.into(), &"tic-tac-toe".into()));
    assert!(
        game["simulations_per_cpu_second"].as_f64().unwrap() > 0.0 && game["nodes"].as_u64().unwrap() > 10
    );
    assert!(ludens(&arguments).expect(0).out.contains("simulations/cpu s"));
    ludens(&["bench", "--search", "tic-tac-toe", "--agent", "nobody"]).expect(2);
}

#[test]
fn play_is_what_it_was() {
    let json = ludens(&["bench", "--signature", "--json"]).expect(0).json();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../bench/signature.txt");
    let known = std::fs::read_to_string(file).unwrap();
    assert_eq!(
        json["signature"].as_str().unwrap(),
        known.trim(),
        "play has changed; if that is meant, write the new number to crates/bench/signature.txt"
    );
}

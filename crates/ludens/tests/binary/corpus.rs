//! `ludens verify --corpus`, on a folder made here and, if it is there, on the community's games.

use std::path::PathBuf;

use crate::support::{COUNTDOWN, COUNTDOWN_TRACE, ludens, write};

#[test]
fn a_corpus_is_verified_in_parallel() {
    let folder = tempfile::tempdir().unwrap();
    let (games, traces) = (folder.path().join("games"), folder.path().join("traces"));
    std::fs::create_dir(&games).unwrap();
    std::fs::create_dir(&traces).unwrap();
    let corpus = folder.path().to_str().unwrap();
    assert!(ludens(&["verify", "--corpus", corpus]).expect(2).err.contains("no game to verify"));
    for name in ["one", "two", "three"] {
        write(&games, &format!("{name}.kif"), COUNTDOWN);
        write(&traces, &format!("{name}.json"), COUNTDOWN_TRACE);
    }
    let run = ludens(&["verify", "--corpus", corpus, "--jobs", "2", "--verbose"]).expect(0);
    assert!(run.out.contains("3 games: 3 agree, 0 differ, 0 failed; 9 states"), "{}", run.out);
    assert!(run.out.contains("three"), "verbose lists all: {}", run.out);
    write(&traces, "two.json", COUNTDOWN_TRACE.replace("\"wait\"]}", "\"weight\"]}"));
    std::fs::remove_file(traces.join("three.json")).unwrap();
    let run = ludens(&["verify", "--corpus", corpus]).expect(1);
    assert!(run.out.contains("1 agree, 1 differ, 1 failed"), "{}", run.out);
    assert!(
        run.out.contains("legal moves of you differs") && run.out.contains("only here: weight"),
        "{}",
        run.out
    );
    let json = ludens(&["verify", "--corpus", corpus, "--json"]).expect(1).json();
    assert_eq!(json["comparisons"].as_array().unwrap().len(), 3);
    ludens(&["verify", "--corpus", corpus, "--only", "ONE"]).expect(0);
}

/// A game in which only one of two is told anything.
const SECRET: &str = "(role you) (role other)
    (legal you go) (legal other wait)
    (init begun) (<= (next over) (true begun)) (<= terminal (true over))
    (goal you 100) (goal other 0) (<= (sees you (news gone)) (does you go))";

const SECRET_TRACE: &str = r#"{"game": "secret", "roles": ["you", "other"], "playouts": [{"complete": true, "steps": [
    {"facts": 1, "terminal": false, "legal": {"you": ["go"], "other": ["wait"]}, "moves": ["go", "wait"],
     "sees": {"you": ["(news gone)"], "other": []}},
    {"facts": 1, "state": ["over"], "terminal": true, "goals": {"you": 100, "other": 0}}]}]}"#;

#[test]
fn percepts_are_verified_on_every_machine() {
    let folder = tempfile::tempdir().unwrap();
    let corpus = folder.path().to_str().unwrap();
    // Traces may lie beside their sheets.
    write(folder.path(), "countdown.kif", COUNTDOWN);
    write(folder.path(), "countdown.json", COUNTDOWN_TRACE);
    write(folder.path(), "secret.kif", SECRET);
    write(folder.path(), "secret.json", SECRET_TRACE);
    let run = ludens(&["verify", "--corpus", corpus, "--all-machines"]).expect(0);
    for machine in ["reference", "circuit", "compiled-circuit", "batch", "compiled"] {
        let agrees = format!("{machine}: 2 games: 2 agree, 0 differ, 0 failed; 5 states");
        assert!(run.out.contains(&agrees), "{}", run.out);
    }
    let row = run.out.lines().find(|line| line.starts_with("secret")).expect("a row");
    assert!(row.matches("agrees").count() >= 5, "{row}");
    write(folder.path(), "secret.json", SECRET_TRACE.replace("\"other\": []}}", "\"other\": [\"it\"]}}"));
    let run = ludens(&["verify", "--corpus", corpus, "--all-machines"]).expect(1);
    assert!(run.out.contains("batch: 2 games: 1 agree, 1 differ"), "{}", run.out);
    assert!(run.out.contains("list of percepts of other differs"), "{}", run.out);
    let json = ludens(&["verify", "--corpus", corpus, "--all-machines", "--json"]).expect(1).json();
    assert!(json.as_array().unwrap().iter().all(|answer| answer["agree"] == 1), "{json}");
    ludens(&["verify", "--corpus", corpus, "--all-machines", "--machine", "batch"]).expect(2);
}

#[test]
fn games_with_hidden_information_of_the_community_agree() {
    let beside = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared"));
    let corpus = std::env::var_os("LUDENS_CORPUS").map_or(beside, PathBuf::from).join("gdl2");
    if !corpus.is_dir() {
        println!("skipped: there is no corpus at {} (set LUDENS_CORPUS)", corpus.display());
        return;
    }
    let run = ludens(&["verify", "--corpus", corpus.to_str().unwrap(), "--all-machines", "--json"]);
    let json = run.expect(0).json();
    for answer in json.as_array().unwrap() {
        assert!(answer["games"].as_u64() >= Some(10), "{answer}");
        assert_eq!(answer["agree"], answer["games"], "{answer}");
    }
}

/// Small games of the corpus, of all kinds.
const SMALL: &[&str] = &[
    "2pffa",
    "blocker",
    "buttons",
    "circlesolitaire",
    "cittaceot",
    "connectFour",
    "gt_attrition",
    "hanoi",
    "maze",
    "nim2",
    "onestep",
    "roshambo2",
    "snake2p",
    "ticTacToe",
    "troublemaker02",
    "tron_10x10",
];

#[test]
fn small_games_of_the_community_agree() {
    let beside = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared"));
    let corpus = std::env::var_os("LUDENS_CORPUS").map_or(beside, PathBuf::from);
    if !corpus.join("games").is_dir() {
        println!("skipped: there is no corpus at {} (set LUDENS_CORPUS)", corpus.display());
        return;
    }
    let mut verified = 0;
    for name in SMALL {
        let (sheet, trace) =
            (corpus.join(format!("games/{name}.kif")), corpus.join(format!("traces/{name}.json.gz")));
        if sheet.is_file() && trace.is_file() {
            let run = ludens(&["verify", sheet.to_str().unwrap(), trace.to_str().unwrap()]).expect(0);
            assert!(run.out.contains("agrees"), "{name}: {}", run.out);
            verified += 1;
        }
    }
    assert!(verified >= 12, "only {verified} of the games are in the corpus");
}

//! Gauntlets, openings, differences in Elo points, and what Ctrl-C leaves.

use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::support::{Run, command, ludens};

#[test]
fn in_a_gauntlet_one_meets_all_others() {
    let arguments =
        ["arena", "tic-tac-toe", "--players", "random,legal,mc", "--gauntlet", "mc", "--simulations", "5"];
    let json = ludens(&[&arguments[..], &["--matches", "2", "--json"]].concat()).expect(0).json();
    assert_eq!((&json["players"][0], &json["matches"]), (&"mc@5".into(), &4.into()), "{json}");
    let players = &json["games"][0]["players"];
    assert!(players[0]["against"][1]["elo"]["superiority"].is_number(), "{json}");
    assert!(players[1]["against"][2].is_null(), "the others do not meet: {json}");
    let text = ludens(&[&arguments[..], &["--matches", "2"]].concat()).expect(0).out;
    assert!(text.contains("mc@5 against random@5: ") && text.contains(" Elo ("), "{text}");
    assert!(!text.contains("random@5 against"), "{text}");
    let unknown = ludens(&["arena", "nim", "--players", "random", "--gauntlet", "nobody"]).expect(2);
    assert!(unknown.err.contains("--gauntlet") && unknown.err.contains("nobody"), "{}", unknown.err);
}

#[test]
fn both_matches_of_a_pair_have_the_same_opening() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("matches.jsonl");
    let file = out.to_str().unwrap();
    let arguments = [
        "arena",
        "breakthrough",
        "--players",
        "random,legal",
        "--simulations",
        "1",
        "--matches",
        "8",
        "--out",
    ];
    ludens(&[&arguments[..], &[file, "--openings", "4"]].concat()).expect(0);
    let text = std::fs::read_to_string(&out).unwrap();
    let mut matches: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    matches.sort_by_key(|one| one["ludens"]["round"].as_u64());
    let opening = |number: usize| matches[number]["moves"].as_array().unwrap()[..4].to_vec();
    for pair in 0..4 {
        assert_eq!(opening(2 * pair), opening(2 * pair + 1));
        assert_eq!(
            matches[2 * pair]["playerNamesFromHost"][0],
            matches[2 * pair + 1]["playerNamesFromHost"][1]
        );
    }
    assert!((1..4).any(|pair| opening(0) != opening(2 * pair)));
    // Matches without an opening are others.
    let json = ludens(&[&arguments[..], &[file, "--json"]].concat()).expect(0).json();
    assert_eq!((&json["resumed"], &json["passed_over"]), (&0.into(), &8.into()));
}

/// Starts a command, presses Ctrl-C as soon as it is at work, and waits for what it says.
#[cfg(unix)]
fn interrupted(arguments: &[&str], at_work: impl Fn() -> bool) -> Run {
    let child = command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    let begin = Instant::now();
    while !at_work() {
        assert!(begin.elapsed() < Duration::from_secs(120), "it does not begin");
        std::thread::sleep(Duration::from_millis(20));
    }
    let id = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(id, rustix::process::Signal::INT).expect("sent");
    child.wait_with_output().expect("it ends").into()
}

#[cfg(unix)]
fn has_lines(path: &Path) -> bool {
    std::fs::read_to_string(path).is_ok_and(|text| text.lines().count() > 2)
}

#[cfg(unix)]
#[test]
fn an_interrupted_tournament_tells_its_standings() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("matches.jsonl");
    let arguments =
        ["arena", "breakthrough", "--players", "random,legal", "--simulations", "1", "--matches", "100000"];
    let arguments = [&arguments[..], &["--out", out.to_str().unwrap()]].concat();
    let run = interrupted(&arguments, || has_lines(&out)).expect(130);
    assert!(run.out.contains("random@1 against legal@1: ") && run.out.contains("Ended early"), "{}", run.out);
}

#[cfg(unix)]
#[test]
fn an_interrupted_experiment_tells_what_there_is() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("matches.jsonl");
    let (file, to) = (out.to_str().unwrap(), folder.path().to_str().unwrap());
    let arguments = [
        "experiment",
        "worth-of-speed",
        "--matches",
        "10000",
        "--simulations",
        "5",
        "--to",
        to,
        "--out",
        file,
    ];
    let run = interrupted(&arguments, || has_lines(&out)).expect(130);
    assert!(run.out.contains("share") && run.out.contains("no page was written"), "{}", run.out);
    assert!(!folder.path().join("worth-of-speed.md").exists());
}

#[cfg(unix)]
#[test]
fn an_interrupted_search_for_a_plan_tells_the_best() {
    let begin = Instant::now();
    // Playouts alone do not solve it.
    let arguments = ["solve", "eight-puzzle", "--method", "playouts", "--seconds", "600"];
    let run = interrupted(&arguments, || begin.elapsed() > Duration::from_secs(3)).expect(0);
    assert!(run.err.contains("ended early"), "{}", run.err);
    assert!(run.out.contains("score ") || run.out.contains("no plan found"), "{}", run.out);
    assert!(begin.elapsed() < Duration::from_secs(300), "it was ended");
}

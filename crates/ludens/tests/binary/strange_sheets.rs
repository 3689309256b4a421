//! Sheets that are not much of a game: every command answers, in time and without a panic.

use crate::support::{ludens, write};

/// Two roles in turn.
const TURNS: &str = "(role x) (role y) (init (control x)) (cell 1) (cell 2)
(<= (legal ?p wait) (role ?p) (not (true (control ?p))))
(<= (legal ?p (mark ?c)) (true (control ?p)) (cell ?c) (not (true blocked)))
(<= (next (control y)) (true (control x))) (<= (next (control x)) (true (control y)))
(<= (next (marked ?c)) (does ?p (mark ?c))) (<= (next blocked) (true blocked))
(<= terminal (true over)) (<= terminal (true (marked 2))) (goal x 50) (goal y 50)";

fn sheets() -> Vec<(&'static str, String)> {
    vec![
        ("over", format!("(init over) {TURNS}")),
        ("stuck", format!("(init blocked) {TURNS}")),
        (
            "alone-over",
            "(role you) (init a) (legal you wait) (<= terminal (true a)) (goal you 30)".to_owned(),
        ),
        (
            "alone-stuck",
            "(role you) (init a) (<= (legal you wait) (true b)) (<= terminal (true c))".to_owned(),
        ),
        ("no-facts", "(role you) (legal you wait) (legal you go) (goal you 100)".to_owned()),
        ("no-moves", "(role x) (role y) (init a) (legal x wait) (<= terminal (true b))".to_owned()),
        ("no-roles", "(init a) (legal you wait)".to_owned()),
        ("nothing", String::new()),
    ]
}

/// Runs a command on every sheet; what it may answer is looked at by the caller.
fn each(arguments: &[&str], mut look: impl FnMut(&str, &crate::support::Run)) {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, sheet) in sheets() {
        let path = write(folder.path(), &format!("{name}.kif"), sheet);
        let arguments: Vec<&str> =
            arguments.iter().map(|&part| if part == "SHEET" { path.as_str() } else { part }).collect();
        let run = ludens(&arguments);
        assert!(!run.err.contains("panicked"), "{name}: {arguments:?}\n{}", run.err);
        assert!(run.code.is_some_and(|code| code <= 2), "{name}: {arguments:?} {:?}", run.code);
        look(name, &run);
    }
}

#[test]
fn bench_says_why_there_is_nothing_to_measure() {
    each(&["bench", "SHEET", "--seconds", "0.02", "--json"], |name, run| {
        if name.ends_with("over") {
            let json = run.json();
            let machines = json["games"][0]["machines"].as_array().expect("machines");
            assert_eq!(machines.len(), 4, "{json}");
            for cell in machines {
                assert!(cell["failure"].as_str().is_some_and(|why| why.contains("terminal")), "{cell}");
            }
        }
    });
}

#[test]
fn perf_says_why_there_is_nothing_to_measure() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("result.txt");
    each(&["perf", "SHEET", file.to_str().expect("UTF-8"), "0.02"], |name, run| {
        if name.ends_with("over") {
            assert!(run.err.contains("terminal") && run.code == Some(1), "{}", run.err);
        }
    });
}

#[test]
fn solve_ends_in_time() {
    each(&["solve", "SHEET", "--seconds", "1", "--verify", "--json"], |name, run| match name {
        "alone-over" => {
            let answer = run.json();
            assert_eq!((&answer["score"], &answer["proven"]), (&30.into(), &true.into()), "{answer}");
        }
        "alone-stuck" | "no-facts" => assert!(run.json()["score"].is_null(), "{}", run.out),
        "over" => {
            let answer = run.json();
            assert_eq!(
                (&answer["graph"]["states"], &answer["values"][1]["least"]),
                (&1.into(), &50.0.into())
            );
        }
        _ => assert_ne!(run.code, Some(0), "{name}"),
    });
}

#[test]
fn every_method_ends_in_time() {
    let list = ludens(&["solve", "hanoi", "--method", "list"]).expect(0).out;
    let names = list.lines().skip(1).filter_map(|line| line.split_whitespace().next());
    let names: Vec<&str> =
        names.filter(|name| name.chars().all(|c| c.is_ascii_lowercase() || c == '-')).collect();
    assert!(names.contains(&"beam"), "{names:?}");
    each(&["solve", "SHEET", "--seconds", "1", "--method", &names.join(",")], |_, _| {});
}

#[test]
fn all_that_plays_answers() {
    for arguments in [
        &["check", "SHEET"][..],
        &["info", "SHEET"],
        &["simulate", "SHEET", "--playouts", "20"],
        &["perft", "SHEET", "2"],
        &["show", "SHEET", "--stage", "circuit"],
        &["bench", "SHEET", "--search", "--simulations", "200", "--seconds", "0.01", "--threads", "2"],
    ] {
        each(arguments, |_, _| {});
    }
}

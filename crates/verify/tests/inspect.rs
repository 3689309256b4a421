//! Faults of rule sheets that show in play.

use gdl::{Code, Diagnostic};
use machine::reference::Reference;
use verify::inspect::{Budget, inspect};

/// A countdown of two steps; `rules` replaces parts of it.
const COUNTDOWN: &str = "(role you) (base (left 2)) (base (left 1)) (base (left 0)) (base won)
    (input you wait) (input you take) (init (left 2)) (legal you wait) (legal you take)
    (<= (next (left 1)) (true (left 2))) (<= (next (left 0)) (true (left 1)))
    (<= (next won) (does you take)) (<= (next won) (true won))
    (<= terminal (true (left 0)))
    (<= (goal you 100) (true won)) (<= (goal you 0) (not (true won)))";

fn found(text: &str) -> Vec<(Code, String, String)> {
    let source = gdl::SourceFile::new("test", text);
    let sheet = gdl::parse(&source).sheet;
    let game = Reference::new(&gdl::normal::normalize(&sheet), Default::default()).expect("builds");
    let budget = Budget { playouts: 20, steps_of_playout: 50, ..Budget::default() };
    let inspection = inspect(&game, &game.declared(), &sheet, budget, || true);
    let told =
        |finding: &Diagnostic| (finding.code, source.slice(finding.span).to_owned(), finding.message.clone());
    inspection.findings.iter().map(told).collect()
}

fn changed(from: &str, to: &str) -> Vec<(Code, String, String)> {
    assert!(COUNTDOWN.contains(from));
    found(&COUNTDOWN.replace(from, to))
}

#[track_caller]
fn assert_one(findings: &[(Code, String, String)], code: Code, span: &str, said: &str) {
    let [(found, place, message)] = findings else { panic!("one finding expected: {findings:?}") };
    assert_eq!((*found, place.as_str()), (code, span), "{message}");
    assert!(message.contains(said), "{message}");
}

#[test]
fn a_sound_game_is_clean() {
    assert_eq!(found(COUNTDOWN), []);
}

#[test]
fn a_role_that_cannot_move_is_found() {
    let text = COUNTDOWN
        .replace("(legal you take)", "")
        .replace("(legal you wait)", "(<= (legal you wait) (true (left 2)))");
    let findings = found(&text);
    assert_one(&findings, Code::NoLegalMove, "(role you)", "no legal move after 1 move (wait)");
}

#[test]
fn endless_play_is_found() {
    let findings = changed("(<= (next (left 0)) (true (left 1)))", "(<= (next (left 2)) (true (left 1)))");
    assert_one(&findings, Code::NotTerminating, "terminal", "after 50 moves");
}

#[test]
fn missing_and_contradicting_goals_are_found() {
    let findings = changed("(<= (goal you 0) (not (true won)))", "");
    assert_one(&findings, Code::GoalMissing, "(goal you 100)", "no goal value at the end, after 2 moves");
    let findings = changed("(<= (goal you 0) (not (true won)))", "(<= (goal you 0) terminal)");
    assert!(findings.iter().any(|finding| finding.0 == Code::GoalAmbiguous && finding.1 == "(goal you 100)"));
}

#[test]
fn falling_goals_are_found() {
    let findings = changed("(<= (next won) (true won))", "");
    assert_one(&findings, Code::GoalDecreases, "(goal you 100)", "falls from 100 to 0");
}

#[test]
fn a_goal_that_nobody_reaches_is_found() {
    let findings = changed(
        "(<= (goal you 100) (true won))",
        "(<= (goal you 90) (true won)) (<= (goal you 100) (true lost))",
    );
    assert_one(&findings, Code::NotWinnable, "(goal you 100)", "the best is 90");
}

#[test]
fn what_base_and_input_leave_out_is_found() {
    let findings = changed("(base won)", "");
    assert_one(&findings, Code::OutsideBase, "(next won)", "`won` is true after");
    let findings = changed("(input you take)", "");
    assert_one(
        &findings,
        Code::OutsideInput,
        "(legal you take)",
        "`take` is legal for `you` in the initial state",
    );
}

#[test]
fn rules_that_contradict_themselves_are_found() {
    let findings = changed(
        "(<= terminal (true (left 0)))",
        "(<= terminal (true (left 0))) (<= odd (not odd) (true (left 1))) (<= terminal odd)",
    );
    assert_one(&findings, Code::RuleFault, "odd", "after 1 move");
}

#[test]
fn a_rare_win_of_a_puzzle_is_searched_for() {
    // Only `right` twelve times in a row wins: one playout in four thousand.
    let mut text = String::from("(role you) (init (at 0)) (legal you left) (legal you right) (goal you 0)");
    for step in 0..12 {
        text += &format!("(<= (next (at {})) (true (at {step})) (does you right))", step + 1);
    }
    text += "(<= (next lost) (does you left)) (<= terminal (true lost)) (<= terminal (true (at 12)))
        (<= (goal you 100) (true (at 12)))";
    assert!(found(&text).iter().all(|finding| finding.0 != Code::NotWinnable));
}

#[test]
fn the_inspection_ends_when_told() {
    let sheet = gdl::parse(&gdl::SourceFile::new("test", COUNTDOWN)).sheet;
    let game = Reference::new(&gdl::normal::normalize(&sheet), Default::default()).expect("builds");
    let mut asked = 0;
    let go_on = || {
        asked += 1;
        asked < 5
    };
    let inspection = inspect(&game, &game.declared(), &sheet, Budget::default(), go_on);
    assert!(!inspection.complete);
    assert!(inspection.steps < 10);
}

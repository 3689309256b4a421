//! `ludens why`, and its answers beside those of the reference reasoner.

use std::sync::Arc;

use game::{Describe, Dice, Expansion, Game, MoveId};
use language::why::{Effort, Situation, solutions};
use machine::reference::Reference;

use crate::support::{COUNTDOWN, ludens, write};

#[test]
fn a_move_is_explained_in_any_position() {
    let run = ludens(&["why", "tic-tac-toe", "(legal x (mark 1 1))"]).expect(0);
    assert!(run.out.starts_with("(legal x (mark 1 1)) holds\n  line "), "{}", run.out);
    assert!(run.out.contains("yes (true (control x)): it is given"), "{}", run.out);
    let run = ludens(&["why", "tic-tac-toe", "legal x (mark 1 1)", "--moves", "1 1,2 2"]).expect(0);
    assert!(run.out.starts_with("(legal x (mark 1 1)) does not hold"), "{}", run.out);
    assert!(
        run.out.contains("NO  (true (cell 1 1 empty)): it is not given; there is (true (cell 1 1 x))"),
        "{}",
        run.out
    );
    let json =
        ludens(&["why", "tic-tac-toe", "(next (control o))", "--does", "1 1", "--json"]).expect(0).json();
    assert_eq!((&json["holds"], &json["reason"]["kind"]), (&true.into(), &"rule".into()), "{json}");
}

#[test]
fn wrong_questions_are_told_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = write(folder.path(), "countdown.kif", COUNTDOWN);
    let missing = ludens(&["why", &path, "(next won)"]).expect(2);
    assert!(missing.err.contains("--does"), "{}", missing.err);
    assert!(ludens(&["why", &path, "(next won"]).expect(2).err.contains("--does"));
    assert!(ludens(&["why", &path, "(won"]).expect(2).err.contains("not a sentence"));
    let over = ludens(&["why", &path, "terminal", "--moves", "take,wait,wait"]).expect(2);
    assert!(over.err.contains("over before `wait`"), "{}", over.err);
    assert!(
        ludens(&["why", &path, "terminal", "--moves", "take,wait"])
            .expect(0)
            .out
            .starts_with("terminal holds")
    );
    assert!(
        ludens(&["why", &path, "(next won)", "--does", "take"]).expect(0).out.starts_with("(next won) holds")
    );
}

/// What the reference says of a state.
fn compare(name: &str, text: &str, steps: usize, seed: u64) {
    let rules = gdl::normal::read(text);
    let reference = Arc::new(Reference::new(&rules, datalog::Limits::default()).expect("a machine"));
    let (mut workspace, mut expansion, mut dice) = (reference.workspace(), Expansion::new(), Dice::new(seed));
    let mut state = reference.initial();
    for step in 0..steps {
        reference.expand(&mut workspace, &state, &mut expansion).expect("no fault");
        let mut situation = Situation { facts: reference.facts(&state), moves: Vec::new() };
        let ask = |situation: &Situation, sentence: &str| -> Vec<String> {
            let found = solutions(&rules, situation, sentence, Effort::default());
            found.unwrap_or_else(|error| panic!("{name}, step {step}, {sentence}: {error}"))
        };
        let lower = |texts: Vec<String>| -> Vec<String> {
            let mut texts: Vec<String> = texts.into_iter().map(|text| text.to_lowercase()).collect();
            texts.sort();
            texts
        };
        assert_eq!(!ask(&situation, "terminal").is_empty(), expansion.is_terminal(), "{name}, step {step}");
        if expansion.is_terminal() {
            return;
        }
        for (role, legal) in reference.roles().iter().zip(expansion.by_role()) {
            let expected =
                legal.iter().map(|&id| format!("(legal {role} {})", reference.move_text(id))).collect();
            assert_eq!(
                lower(ask(&situation, &format!("(legal {role} ?m)"))),
                lower(expected),
                "{name}, step {step}"
            );
        }
        let joint: Vec<MoveId> = expansion.by_role().map(|legal| legal[dice.below(legal.len())]).collect();
        let moves = reference.roles().iter().cloned().zip(joint.iter().map(|&id| reference.move_text(id)));
        situation.moves = moves.collect();
        state = reference.apply(&mut workspace, &state, &joint).expect("no fault");
        let expected = reference.facts(&state).iter().map(|fact| format!("(next {fact})")).collect();
        assert_eq!(lower(ask(&situation, "(next ?f)")), lower(expected), "{name}, step {step}");
    }
}

#[test]
fn answers_are_those_of_the_reference() {
    for name in [
        "tic-tac-toe",
        "nim",
        "eight-puzzle",
        "breakthrough",
        "connect-four",
        "kuhn-poker",
        "rock-paper-scissors",
    ] {
        compare(name, bundled::find(name).expect("bundled").rules, 12, 1);
    }
    compare("chess", bundled::find("chess").expect("bundled").rules, 2, 1);
    compare("countdown", COUNTDOWN, 3, 1);
}

//! Texts leave in the spelling of the rules, whichever machine plays.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use circuit::{Circuit, Effort};
use game::{Describe, Dice, Expansion};
use gdl::normal::NormalRules;
use machine::Target;
use machine::batch::{BatchMachine, LaneGame};
use machine::circuit::CircuitMachine;
use machine::reference::Reference;

const BOMBS: &str = "(role xPlayer) (ROLE OPLAYER) (init (Turn xPlayer)) (init (left 3))
    (succ 0 1) (succ 1 2) (succ 2 3) (place 1) (place aB)
    (<= (legal ?r (dropBomb ?p)) (true (turn ?r)) (place ?p))
    (<= (legal ?r NoOp) (role ?r) (not (true (turn ?r))))
    (<= (next (turn oplayer)) (true (turn xplayer)))
    (<= (next (turn xplayer)) (true (turn oplayer)))
    (<= (next (left ?m)) (true (left ?n)) (succ ?m ?n))
    (<= terminal (true (left 0))) (<= (goal ?r 50) (role ?r))";

fn rules(text: &str) -> NormalRules {
    gdl::normal::read(text)
}

/// All that a machine writes in a few steps: the roles, then the legal moves of every role.
fn written<G: Describe>(game: &G, steps: usize) -> Vec<Vec<String>> {
    let mut texts = vec![game.role_ids().map(|role| game.role_spelling(role)).collect()];
    let (mut workspace, mut state, mut expansion) = (game.workspace(), game.initial(), Expansion::new());
    let mut dice = Dice::new(1);
    for _ in 0..steps {
        game.expand(&mut workspace, &state, &mut expansion).expect("no fault");
        if expansion.is_terminal() || expansion.stuck_role().is_some() {
            break;
        }
        for legal in expansion.by_role() {
            texts.push(legal.iter().map(|&id| game.move_spelling(id)).collect());
        }
        let joint: Vec<_> = expansion.by_role().map(|legal| legal[dice.below(legal.len())]).collect();
        state = game.apply(&mut workspace, &state, &joint).expect("no fault");
    }
    texts
}

fn build(rules: &NormalRules) -> Option<Arc<Circuit>> {
    let start = Instant::now();
    let deadline = Duration::from_secs(60);
    let budget = ground::Budget { clock: &|| start.elapsed(), deadline, ..ground::Budget::unlimited() };
    machine::build::circuit(rules, Effort::Quick, &budget).ok().map(|build| build.circuit)
}

/// Compares what the machines of some rules write, and gives what that is.
fn agreed(rules: &NormalRules) -> Vec<Vec<String>> {
    let expected = written(&Reference::new(rules, Default::default()).expect("playable"), 10);
    if let Some(circuit) = build(rules) {
        let printed = Circuit::parse(&circuit.print()).expect("it was printed");
        let one = Arc::new(CircuitMachine::new(Arc::clone(&circuit)));
        assert_eq!(written(&*one, 10), expected);
        assert_eq!(written(&CircuitMachine::with_target(printed.into(), Target::Portable), 10), expected);
        assert_eq!(written(&LaneGame::new(BatchMachine::new(Arc::clone(&one))), 10), expected);
        assert_eq!(written(&BatchMachine::new(one), 10), expected);
    }
    expected
}

#[test]
fn every_machine_spells_as_the_rules_do() {
    let written = agreed(&rules(BOMBS));
    let expected = [
        &["xPlayer", "OPLAYER"][..],
        &["(dropBomb 1)", "(dropBomb aB)"],
        &["NoOp"],
        &["NoOp"],
        &["(dropBomb 1)", "(dropBomb aB)"],
    ];
    assert_eq!(written[..5], expected);
}

/// Public sheets with names that are not in lower case.
#[test]
fn public_sheets_are_spelled_as_they_are() {
    let folder = match std::env::var_os("LUDENS_CORPUS") {
        Some(folder) => PathBuf::from(folder),
        None => PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared")),
    };
    for name in ["bomberman2p", "pacman2p", "snake2p", "ttcc4"] {
        let Ok(bytes) = std::fs::read(folder.join("games").join(format!("{name}.kif"))) else {
            println!("skipped: there is no {name} in {}", folder.display());
            continue;
        };
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let written = agreed(&rules(&text));
        let words = |line: &String| -> Vec<String> {
            line.split([' ', '(', ')']).filter(|word| !word.is_empty()).map(str::to_owned).collect()
        };
        let source: std::collections::HashSet<String> =
            text.split(|c: char| c.is_whitespace() || "()".contains(c)).map(str::to_owned).collect();
        for word in written.iter().flatten().flat_map(words) {
            assert!(source.contains(&word), "{name} has no word `{word}`");
        }
    }
}

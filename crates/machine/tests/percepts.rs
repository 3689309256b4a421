//! What roles are told, the same on every machine.

use std::io::Read;
use std::path::PathBuf;
use std::sync::Arc;

use circuit::{Circuit, Effort};
use game::{Describe, Expansion, Game, MoveId, Observe, RoleId};
use machine::batch::{BatchMachine, LaneGame};
use machine::circuit::CircuitMachine;
use machine::reference::Reference;
use machine::{Limits, Target, Wanted};
use verify::PlayoutLimits;
use verify::trace::{Trace, parse_trace, play_back};

/// A card is dealt under a cup; who asks is told whether it is red, and both hear that a question was asked.
/// `next` and `legal` stand in bodies of `sees`, as they do in sheets of others.
const CUP: &str = "(role Asker) (role random) (role spy)
    (suit hearts red) (suit spades black) (suit Clubs black)
    (init (phase deal))
    (<= (legal random (deal ?s)) (suit ?s ?c) (true (phase deal)))
    (<= (legal random wait) (not (true (phase deal))))
    (<= (legal asker ask) (true (phase look)))
    (<= (legal asker (guess ?s)) (suit ?s ?c) (true (phase look)))
    (<= (legal asker wait) (not (true (phase look))))
    (legal spy wait)
    (<= (next (card ?s)) (does random (deal ?s)))
    (<= (next (card ?s)) (true (card ?s)))
    (<= (next (phase look)) (true (phase deal)))
    (<= (next (phase look)) (does asker ask) (not (true asked)))
    (<= (next asked) (does asker ask))
    (<= (next (phase over)) (true (phase look)) (not (next (phase look))))
    (<= (next (said ?s)) (does asker (guess ?s)))
    (<= terminal (true (phase over)))
    (<= (goal asker 100) (true (said ?s)) (true (card ?s)))
    (<= (goal asker 0) (not (goal asker 100)))
    (goal spy 0) (goal random 0)
    (<= (sees asker (Colour ?c)) (does asker ask) (true (card ?s)) (suit ?s ?c))
    (<= (sees ?r question) (does asker ask) (role ?r) (distinct ?r random))
    (<= (sees spy (dealt ?s)) (next (card ?s)) (true (phase deal)))
    (<= (sees spy (could ?m)) (legal asker ?m) (does asker ?m))";

fn every_machine(text: &str, check: &mut dyn FnMut(&str, &machine::ErasedGame)) {
    for wanted in [
        Wanted::Reference,
        Wanted::Circuit(Target::Portable),
        Wanted::Circuit(Target::detect()),
        Wanted::Batch(Target::detect()),
        Wanted::Lanes(Target::Portable),
        Wanted::Lanes(Target::detect()),
    ] {
        let machine = machine::from_text(text, wanted, &Limits::generous()).expect("small");
        check(&format!("{wanted:?}"), &machine.erased());
    }
}

/// What a role is told when these moves are made in a state.
fn told<G: Describe>(game: &G, state: &G::State, moves: [&str; 3], role: u16) -> Vec<String> {
    let joint: Vec<MoveId> = game
        .role_ids()
        .zip(moves)
        .map(|(role, text)| game.find_move(role, text).expect("a move of the game"))
        .collect();
    let mut percepts = Vec::new();
    game.observe(&mut game.workspace(), state, &joint, RoleId(role), &mut percepts).expect("no fault");
    let mut texts: Vec<String> = percepts.iter().map(|&id| game.percept_spelling(id)).collect();
    texts.sort_unstable();
    for (&id, role) in percepts.iter().zip(std::iter::repeat(RoleId(role))) {
        assert_eq!(game.find_percept(role, &game.percept_spelling(id)), Some(id));
    }
    texts
}

#[test]
fn each_role_is_told_what_the_rules_say_and_no_more() {
    every_machine(CUP, &mut |name, game| {
        assert!(game.has_percepts(), "{name}");
        let begin = game.initial();
        let deal = ["wait", "(deal clubs)", "wait"];
        assert_eq!(told(game, &begin, deal, 0), [""; 0], "{name}");
        assert_eq!(told(game, &begin, deal, 1), [""; 0], "{name}");
        assert_eq!(told(game, &begin, deal, 2), ["(could wait)", "(dealt Clubs)"], "{name}");
        let look = game.state_of(&["(phase look)", "(card spades)"]).expect("facts of the game");
        let ask = ["ask", "wait", "wait"];
        assert_eq!(told(game, &look, ask, 0), ["(Colour black)", "question"], "{name}");
        assert_eq!(told(game, &look, ask, 1), [""; 0], "{name}");
        assert_eq!(told(game, &look, ask, 2), ["(could ask)", "question"], "{name}");
        assert_eq!(game.find_percept(RoleId(0), "(colour purple)"), None, "{name}");
    });
}

#[test]
fn rules_without_sees_tell_nobody_anything_by_themselves() {
    let rules = CUP.lines().filter(|line| !line.contains("(sees")).collect::<Vec<_>>().join("\n");
    every_machine(&rules, &mut |name, game| {
        assert!(!game.has_percepts(), "{name}");
        assert_eq!(told(game, &game.initial(), ["wait", "(deal clubs)", "wait"], 2), [""; 0], "{name}");
    });
}

#[test]
fn machines_agree_with_the_reference_in_percepts() {
    let rules = gdl::normal::read(CUP);
    let reference = Reference::new(&rules, Default::default()).expect("playable");
    let build =
        machine::build::circuit(&rules, Effort::Thorough, &ground::Budget::unlimited()).expect("small");
    let printed = Circuit::parse(&build.circuit.print()).expect("it was printed");
    assert_eq!(printed.print(), build.circuit.print());
    let one = Arc::new(CircuitMachine::new(build.circuit));
    let limits = PlayoutLimits::default();
    verify::walk(&reference, &*one, 40, 1, limits).expect("the circuit agrees");
    verify::walk(&reference, &CircuitMachine::new(Arc::new(printed)), 40, 2, limits)
        .expect("printed and read");
    let lanes = LaneGame::new(BatchMachine::new(one));
    verify::walk(&reference, &lanes, 40, 3, limits).expect("lanes agree");
    // A walk notices: without the last rule the spy is told less.
    let less = CUP.rfind("(<= (sees spy (could").expect("it is there");
    let other = Reference::new(&gdl::normal::read(&CUP[..less]), Default::default()).expect("playable");
    let difference = verify::walk(&reference, &other, 1, 1, limits).expect_err("they differ");
    assert_eq!(difference.what, "percepts of spy");
}

#[test]
fn many_steps_are_told_as_one_by_one() {
    let rules = gdl::normal::read(CUP);
    let build =
        machine::build::circuit(&rules, Effort::Thorough, &ground::Budget::unlimited()).expect("small");
    let batch = BatchMachine::new(Arc::new(CircuitMachine::new(build.circuit)));
    let mut workspace = batch.workspace();
    let mut expansion = Expansion::new();
    let looks: Vec<_> = ["hearts", "spades", "clubs"]
        .iter()
        .map(|suit| batch.state_of(&["(phase look)", &format!("(card {suit})")]).expect("facts of the game"))
        .collect();
    let (mut states, mut joints) = (Vec::new(), Vec::new());
    for state in looks.iter().cycle().take(900) {
        batch.expand(&mut workspace, state, &mut expansion).expect("no fault");
        for joint in expansion.joint_moves() {
            states.push(state);
            joints.extend(joint);
        }
    }
    for role in batch.role_ids() {
        let (mut all, mut one) = (Vec::new(), Vec::new());
        batch.observe_all(&mut workspace, &states, &joints, role, &mut all).expect("no fault");
        assert_eq!(all.len(), states.len());
        for ((state, joint), all) in states.iter().zip(joints.chunks(3)).zip(&all) {
            batch.observe(&mut workspace, state, joint, role, &mut one).expect("no fault");
            assert_eq!(*all, one);
        }
    }
}

/// The folder of GDL-II sheets with percept traces, if it is there.
fn recorded() -> Option<PathBuf> {
    let folder = match std::env::var_os("LUDENS_CORPUS") {
        Some(folder) => PathBuf::from(folder),
        None => PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared")),
    };
    Some(folder.join("gdl2")).filter(|folder| folder.is_dir())
}

fn read_trace(path: &PathBuf) -> Trace {
    let mut json = Vec::new();
    let file = std::fs::File::open(path).expect("a file of the corpus");
    flate2::read::GzDecoder::new(file).read_to_end(&mut json).expect("compressed");
    parse_trace(&json).expect("a trace")
}

#[test]
fn recorded_percepts_are_told() {
    let Some(folder) = recorded() else {
        println!("skipped: there is no folder gdl2 in the corpus (set LUDENS_CORPUS)");
        return;
    };
    let mut games = 0;
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|extension| extension != "kif") {
            continue;
        }
        let text = String::from_utf8_lossy(&std::fs::read(&path).expect("a file")).into_owned();
        let mut trace = read_trace(&path.with_extension("json.gz"));
        let told = trace.playouts.iter().flat_map(|playout| &playout.steps).any(|step| step.sees.is_some());
        assert!(told, "{} has percepts", path.display());
        // All of it is compared by `ludens verify`; a test is content with less.
        trace.playouts.truncate(2);
        every_machine(&text, &mut |name, game| {
            if let Err(difference) = play_back(game, &trace, || true) {
                panic!("{} on {name}: {difference}", path.display());
            }
        });
        games += 1;
    }
    assert!(games > 0);
}

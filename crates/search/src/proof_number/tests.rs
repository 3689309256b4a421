//! Proofs against trying everything.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use circuit::Effort;
use game::{Dice, Expansion};
use machine::batch::BatchMachine;
use machine::circuit::{CircuitMachine, CircuitState};

use super::*;

fn circuit_of(rules: &str) -> Arc<CircuitMachine> {
    let rules = gdl::normal::read(rules);
    let budget = ground::Budget {
        clock: &|| Duration::ZERO,
        deadline: Duration::MAX,
        bytes: 1 << 30,
        progress: &|_| true,
    };
    let build = machine::build::circuit(&rules, Effort::Thorough, &budget).expect("it can be grounded");
    Arc::new(CircuitMachine::new(build.circuit))
}

fn bundled(name: &str) -> Arc<CircuitMachine> {
    circuit_of(bundled::find(name).expect("a bundled game").rules)
}

/// Steps to a forced win of the attacker, by trying everything; `None` if there is none. Gives up when too
/// many positions were seen.
fn forced<G: Game>(
    game: &G,
    workspace: &mut G::Workspace,
    state: &G::State,
    attacker: RoleId,
    seen: &mut HashMap<G::State, bool>,
) -> Option<bool> {
    if let Some(&known) = seen.get(state) {
        return Some(known);
    }
    if seen.len() > 60_000 {
        return None;
    }
    let mut expansion = Expansion::new();
    game.expand(workspace, state, &mut expansion).expect("a state");
    let wins = if expansion.is_terminal() {
        let mut goals = Vec::new();
        game.goals(workspace, state, &mut goals).expect("goals");
        goals[usize::from(attacker.0)].value() == WON
    } else {
        let mover = who_chooses(game, expansion.by_role()).expect("one chooses");
        let mut joint: Vec<MoveId> = expansion.by_role().map(|legal| legal[0]).collect();
        let moves = expansion.by_role().nth(usize::from(mover.0)).expect("a role").to_vec();
        let mut wins = mover != attacker;
        for id in moves {
            joint[usize::from(mover.0)] = id;
            let next = game.apply(workspace, state, &joint).expect("a state");
            let one = forced(game, workspace, &next, attacker, seen)?;
            if one == (mover == attacker) {
                wins = one;
                break;
            }
        }
        wins
    };
    seen.insert(state.clone(), wins);
    Some(wins)
}

/// A position of random play so many steps from the start, unless the game is over before.
fn random_position(game: &CircuitMachine, steps: usize, dice: &mut Dice) -> Option<CircuitState> {
    let (mut workspace, mut expansion) = (game.workspace(), Expansion::new());
    let mut state = game.initial();
    for _ in 0..steps {
        game.expand(&mut workspace, &state, &mut expansion).expect("a state");
        if expansion.is_terminal() {
            return None;
        }
        let joint: Vec<MoveId> = expansion.by_role().map(|legal| legal[dice.below(legal.len())]).collect();
        state = game.apply(&mut workspace, &state, &joint).expect("a state");
    }
    Some(state)
}

/// Asks in slices about positions of a game and compares with trying everything; how many were won and not.
fn compare(game: &Arc<CircuitMachine>, steps: std::ops::Range<usize>, bytes: usize) -> (usize, usize) {
    let batch = BatchMachine::new(Arc::clone(game));
    let mut solver = Solver::new(&batch, bytes);
    let mut dice = Dice::new(4);
    let (mut won, mut not_won) = (0, 0);
    for index in 0..60 {
        let steps = steps.start + dice.below(steps.len());
        let Some(state) = random_position(game, steps, &mut dice) else { continue };
        let attacker = RoleId(index % 2);
        let mut seen = HashMap::new();
        let Some(expected) = forced(&**game, &mut game.workspace(), &state, attacker, &mut seen) else {
            continue;
        };
        let mut answer = Answer::Unknown;
        for _ in 0..4_000 {
            answer = solver.ask(&batch, &state, attacker, 25).expect("no fault");
            if answer != Answer::Unknown {
                break;
            }
        }
        match (answer, expected) {
            (Answer::Wins { .. }, true) => won += 1,
            (Answer::NotFound, false) => not_won += 1,
            _ => panic!("{answer:?} where {expected} was expected"),
        }
    }
    (won, not_won)
}

#[test]
fn what_is_proven_is_so() {
    for (name, steps) in
        [("tic-tac-toe", 1..8), ("connect-four-small", 6..12), ("breakthrough-5x5", 12..20), ("nim", 0..4)]
    {
        let (won, not_won) = compare(&bundled(name), steps, 1 << 22);
        assert!(won >= 3 && not_won >= 3, "{name}: {won} and {not_won}");
    }
}

#[test]
fn little_memory_is_enough() {
    let (won, not_won) = compare(&bundled("tic-tac-toe"), 2..7, 1 << 12);
    assert!(won + not_won > 30);
}

#[test]
fn steps_lead_to_the_end() {
    let game = bundled("tic-tac-toe");
    let mut state = game.initial();
    let mut workspace = game.workspace();
    for texts in [["(mark 1 1)", "noop"], ["noop", "(mark 1 2)"]] {
        let joint: Vec<MoveId> = (0..)
            .map(RoleId)
            .zip(texts)
            .map(|(role, text)| game::Describe::find_move(&*game, role, text).expect("a known move"))
            .collect();
        state = game.apply(&mut workspace, &state, &joint).expect("a state");
    }
    let mut solver = Solver::new(&*game, 1 << 20);
    // A corner against an edge wins: two threats after two more marks.
    let answer = solver.ask(&*game, &state, RoleId(0), 10_000).expect("no fault");
    let Answer::Wins { steps } = answer else { panic!("{answer:?}") };
    assert!((3..=7).contains(&steps) && steps % 2 == 1, "{steps}");
    assert_eq!(solver.known(&state, RoleId(0)), answer);
    assert_eq!(solver.ask(&*game, &state, RoleId(1), 10_000), Ok(Answer::NotFound));
    assert!(solver.work().positions > 0 && solver.work().successors > solver.work().positions);
}

#[test]
fn games_of_other_kinds_are_refused() {
    for name in ["rock-paper-scissors", "simultaneous-connect-four"] {
        let game = bundled(name);
        let mut solver = Solver::new(&*game, 1 << 20);
        assert_eq!(solver.ask(&*game, &game.initial(), RoleId(0), 100), Ok(Answer::Unfit), "{name}");
    }
}

#[test]
fn circles_come_to_an_end() {
    // Two places; who moves may go to and fro for ever, or end the game where it is.
    let rules = "(role x) (role o) (other x o) (other o x) (init (control x)) (init (at 1))
        (<= (legal ?p go) (true (control ?p))) (<= (legal ?p end) (true (control ?p)))
        (<= (legal ?p noop) (other ?p ?q) (true (control ?q)))
        (<= (next (control ?q)) (true (control ?p)) (other ?p ?q))
        (turns 1 2) (turns 2 1)
        (<= (next (at ?b)) (does ?p go) (true (at ?a)) (turns ?a ?b))
        (<= (next (at ?a)) (does ?p end) (true (at ?a)))
        (<= (next (ended ?p)) (does ?p end))
        (<= terminal (true (ended ?p)))
        (<= (goal ?p 0) (true (ended ?p))) (<= (goal ?p 100) (role ?p) (not (true (ended ?p))))";
    let game = circuit_of(rules);
    let mut solver = Solver::new(&*game, 1 << 20);
    for role in [RoleId(0), RoleId(1)] {
        let answer = solver.ask(&*game, &game.initial(), role, 10_000).expect("no fault");
        assert_eq!(answer, Answer::NotFound, "whoever ends the game loses it");
    }
}

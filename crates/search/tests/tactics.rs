//! Moves that decide, the solver beside the tree, and what is played where all is lost.

mod support;

use std::collections::HashMap;
use std::sync::Arc;

use game::{Decisive, DecisiveFilter, Describe, Dice, Expansion, Game, MoveId, RoleId, Simulator};
use machine::batch::BatchMachine;
use machine::circuit::{CircuitMachine, CircuitState};
use machine::reference::Reference;
use search::mcts::{Bounds, Search};
use search::{Budget, DecisiveMoves, Parameters, SolverChoice, Stop};
use support::{after, circuit, circuit_of};

const FIRST: RoleId = RoleId(0);
const SECOND: RoleId = RoleId(1);

/// The goals of both roles with best play, by trying everything.
fn minimax<G: Game>(
    game: &G,
    workspace: &mut G::Workspace,
    state: &G::State,
    seen: &mut HashMap<G::State, [u8; 2]>,
) -> [u8; 2] {
    if let Some(&known) = seen.get(state) {
        return known;
    }
    let mut expansion = Expansion::new();
    game.expand(workspace, state, &mut expansion).expect("a state");
    let value = if expansion.is_terminal() {
        let mut goals = Vec::new();
        game.goals(workspace, state, &mut goals).expect("goals");
        [goals[0].value().0, goals[1].value().0]
    } else {
        let mover = expansion.by_role().position(|legal| legal.len() > 1).unwrap_or(0);
        let mut joint: Vec<MoveId> = expansion.by_role().map(|legal| legal[0]).collect();
        let moves = expansion.by_role().nth(mover).expect("a role").to_vec();
        let values = moves.into_iter().map(|id| {
            joint[mover] = id;
            let next = game.apply(workspace, state, &joint).expect("a state");
            minimax(game, workspace, &next, seen)
        });
        values.max_by_key(|value| value[mover]).expect("a move")
    };
    seen.insert(state.clone(), value);
    value
}

/// Positions of random play from some steps on that are not over.
fn positions(game: &CircuitMachine, least_steps: usize, count: usize) -> Vec<CircuitState> {
    let (mut workspace, mut expansion) = (game.workspace(), Expansion::new());
    let mut dice = Dice::new(6);
    let mut found = Vec::new();
    while found.len() < count {
        let mut state = game.initial();
        let steps = least_steps + dice.below(3);
        for step in 0..=steps {
            game.expand(&mut workspace, &state, &mut expansion).expect("a state");
            if expansion.is_terminal() {
                break;
            }
            if step == steps {
                found.push(state.clone());
            }
            let joint: Vec<MoveId> =
                expansion.by_role().map(|legal| legal[dice.below(legal.len())]).collect();
            state = game.apply(&mut workspace, &state, &joint).expect("a state");
        }
    }
    found
}

/// Whatever is proven contains what is so, for the position and for each move.
fn assert_right<G: Simulator<State = CircuitState> + Describe>(
    game: &Arc<G>,
    state: &CircuitState,
    parameters: Parameters,
    simulations: u64,
) -> bool {
    let mut seen = HashMap::new();
    let mut workspace = game.workspace();
    let value = minimax(&**game, &mut workspace, state, &mut seen);
    let mut search = Search::new(Arc::clone(game), state.clone(), parameters, 5);
    let stop = search.run(&Budget::simulations(simulations)).expect("it can be searched");
    let mut expansion = Expansion::new();
    game.expand(&mut workspace, state, &mut expansion).expect("a state");
    let mover = expansion.by_role().position(|legal| legal.len() > 1).unwrap_or(0);
    let advice = search.advice(RoleId(mover as u16)).expect("there are moves");
    let contains = |bounds: Bounds, value: u8| bounds.lower <= value && value <= bounds.upper;
    for role in 0..2 {
        assert!(contains(advice.bounds[role], value[role]), "{:?} for {value:?}", advice.bounds);
    }
    let mut joint: Vec<MoveId> = expansion.by_role().map(|legal| legal[0]).collect();
    for candidate in &advice.candidates {
        joint[mover] = candidate.id;
        let next = game.apply(&mut workspace, state, &joint).expect("a state");
        let value = minimax(&**game, &mut workspace, &next, &mut seen)[mover];
        assert!(contains(candidate.bounds, value), "{candidate:?} is worth {value}");
    }
    if stop == Stop::Proven {
        joint[mover] = advice.best().id;
        let next = game.apply(&mut workspace, state, &joint).expect("a state");
        let got = minimax(&**game, &mut workspace, &next, &mut seen)[mover];
        assert_eq!(got, value[mover], "what is played is as good as can be");
    }
    stop == Stop::Proven
}

/// The moves that a playout may make in a position of tic-tac-toe, by their texts.
fn allowed<G: Describe>(game: &G, marks: &[&str], level: Decisive) -> (Vec<String>, bool) {
    let noop = "noop";
    let joints: Vec<[&str; 2]> = marks
        .iter()
        .enumerate()
        .map(|(turn, text)| if turn % 2 == 0 { [*text, noop] } else { [noop, *text] })
        .collect();
    let joints: Vec<&[&str]> = joints.iter().map(|joint| &joint[..]).collect();
    let state = after(game, &joints);
    let (mut workspace, mut expansion) = (game.workspace(), Expansion::new());
    game.expand(&mut workspace, &state, &mut expansion).expect("a state");
    let mut lookahead = DecisiveFilter::default();
    let narrowed = lookahead.narrow(game, &mut workspace, &state, &expansion, level).expect("no fault");
    let moves = lookahead.moves().iter().map(|&id| game.move_text(id)).collect();
    (moves, narrowed.expect("one role chooses").is_settled)
}

#[test]
fn moves_that_decide_by_hand() {
    let rules = bundled::find("tic-tac-toe").expect("a bundled game").rules;
    let reference = Reference::new(&gdl::normal::read(rules), Default::default()).expect("a machine");
    let circuit = circuit("tic-tac-toe");
    let check = |marks: &[&str], level: Decisive, expected: &[&str], settled: bool| {
        let expected: (Vec<String>, bool) = (expected.iter().map(|&text| text.to_owned()).collect(), settled);
        assert_eq!(allowed(&reference, marks, level), expected, "{marks:?} {level:?}");
        assert_eq!(allowed(&*circuit, marks, level), expected, "{marks:?} {level:?}");
    };
    // The first role has two in the first column and is to move: it wins, whatever the second threatens.
    let wins = ["(mark 1 1)", "(mark 2 1)", "(mark 1 2)", "(mark 2 2)"];
    check(&wins, Decisive::Wins, &["(mark 1 3)"], true);
    check(&wins, Decisive::WinsAndStops, &["(mark 1 3)"], true);
    // The second is to move and has to stop it.
    let stops = ["(mark 1 1)", "(mark 2 2)", "(mark 1 2)"];
    let free = ["(mark 1 3)", "(mark 2 1)", "(mark 2 3)", "(mark 3 1)", "(mark 3 2)", "(mark 3 3)"];
    check(&stops, Decisive::Wins, &free, false);
    check(&stops, Decisive::WinsAndStops, &["(mark 1 3)"], false);
    // Two threats cannot be stopped: all moves are left, and the loss is certain.
    let lost = ["(mark 1 1)", "(mark 2 1)", "(mark 2 2)", "(mark 3 3)", "(mark 1 2)"];
    let free = ["(mark 1 3)", "(mark 2 3)", "(mark 3 1)", "(mark 3 2)"];
    check(&lost, Decisive::Wins, &free, false);
    check(&lost, Decisive::WinsAndStops, &free, true);
}

#[test]
fn what_moves_that_decide_prove_is_so() {
    for (name, steps) in [("tic-tac-toe", 1), ("connect-four-small", 7)] {
        let game = Arc::new(BatchMachine::new(circuit(name)));
        for decisive in [DecisiveMoves::Wins, DecisiveMoves::WinsAndStops] {
            let mut proven = 0;
            for state in positions(game.machine(), steps, 25) {
                let parameters = Parameters { decisive, ..Parameters::default() };
                proven += usize::from(assert_right(&game, &state, parameters, 3_000));
            }
            assert!(proven > 10, "{name} {decisive}: {proven}");
        }
    }
}

#[test]
fn what_the_solver_proves_is_so() {
    for (name, steps) in [("tic-tac-toe", 1), ("connect-four-small", 7)] {
        let game = Arc::new(BatchMachine::new(circuit(name)));
        for decisive in [DecisiveMoves::None, DecisiveMoves::WinsAndStops] {
            for state in positions(game.machine(), steps, 20) {
                let parameters = Parameters {
                    decisive,
                    solver: SolverChoice::ProofNumber,
                    solver_share: 0.5,
                    threads: 1,
                    ..Parameters::default()
                };
                assert_right(&game, &state, parameters.clone(), 2_000);
                assert_right(&game, &state, Parameters { threads: 2, ..parameters }, 2_000);
            }
        }
    }
}

/// The first role is lost whatever it does. After `slow` the second wins by any move, two steps later than
/// after `trap`, where one move of six wins and the others lose.
const TRAP: &str = "
    (role x) (role o) (init (at start))
    (<= (legal x slow) (true (at start))) (<= (legal x trap) (true (at start)))
    (<= (legal o noop) (true (at start)))
    (number 1) (number 2) (number 3) (number 4) (number 5) (number 6)
    (<= (legal o (say ?n)) (number ?n) (not (true (at start))) (not (true (at late))))
    (<= (legal x noop) (not (true (at start))) (not (true (at late))))
    (<= (legal x noop) (true (at late))) (<= (legal o noop) (true (at late)))
    (<= (next (at slow)) (does x slow)) (<= (next (at trap)) (does x trap))
    (<= (next (at late)) (true (at slow)))
    (<= (next (at lost)) (true (at late)))
    (<= (next (at lost)) (true (at trap)) (does o (say 4)))
    (<= (next (at won)) (true (at trap)) (does o (say ?n)) (distinct ?n 4))
    (<= terminal (true (at lost))) (<= terminal (true (at won)))
    (<= (goal x 100) (true (at won))) (<= (goal x 0) (true (at lost)))
    (<= (goal o 0) (true (at won))) (<= (goal o 100) (true (at lost)))";

#[test]
fn what_is_lost_is_made_hard_to_see() {
    let game = circuit_of(TRAP);
    let played = |resist| {
        let parameters = Parameters { resist, discount: 0.99, ..Parameters::default() };
        let mut search = Search::new(Arc::clone(&game), game.initial(), parameters, 1);
        assert_eq!(search.run(&Budget::simulations(2_000)), Ok(Stop::Proven));
        let advice = search.advice(FIRST).expect("there are moves");
        assert_eq!(advice.bounds, [Bounds::exact(0), Bounds::exact(100)]);
        let text = game.move_text(advice.best().id);
        // Who wins plays on as before.
        let joint: Vec<MoveId> = [(FIRST, "trap"), (SECOND, "noop")]
            .map(|(role, text)| game.find_move(role, text).unwrap())
            .into();
        search.advance(&joint).expect("it can be played");
        search.run(&Budget::simulations(500)).expect("it can be searched");
        let reply = search.advice(SECOND).expect("there are moves");
        assert_eq!(game.move_text(reply.best().id), "(say 4)");
        text
    };
    assert_eq!(played(0), "slow", "it is lost later");
    assert_eq!(played(300), "trap", "five of six answers are wrong");
}

/// The same where who is lost gets 20: after `fast` it has them by any reply, after `trap` a step later and by one of six.
const TRAP_FOR_SOMETHING: &str = "
    (role x) (role o) (init (at start))
    (<= (legal x fast) (true (at start))) (<= (legal x trap) (true (at start)))
    (<= (legal o noop) (true (at start)))
    (number 1) (number 2) (number 3) (number 4) (number 5) (number 6)
    (<= (legal o (say ?n)) (number ?n) (not (true (at start))) (not (true (at late))))
    (<= (legal x noop) (not (true (at start))) (not (true (at late))))
    (<= (legal x noop) (true (at late))) (<= (legal o noop) (true (at late)))
    (<= (next (at fast)) (does x fast)) (<= (next (at trap)) (does x trap))
    (<= (next (at lost)) (true (at fast)))
    (<= (next (at late)) (true (at trap)) (does o (say 4)))
    (<= (next (at lost)) (true (at late)))
    (<= (next (at won)) (true (at trap)) (does o (say ?n)) (distinct ?n 4))
    (<= terminal (true (at lost))) (<= terminal (true (at won)))
    (<= (goal x 100) (true (at won))) (<= (goal x 20) (true (at lost)))
    (<= (goal o 0) (true (at won))) (<= (goal o 80) (true (at lost)))";

#[test]
fn who_is_lost_resists_although_it_gets_something() {
    let game = circuit_of(TRAP_FOR_SOMETHING);
    let played = |resist| {
        let parameters = Parameters { resist, discount: 0.99, ..Parameters::default() };
        let mut search = Search::new(Arc::clone(&game), game.initial(), parameters, 1);
        assert_eq!(search.run(&Budget::simulations(2_000)), Ok(Stop::Proven));
        let advice = search.advice(FIRST).expect("there are moves");
        assert_eq!(advice.bounds, [Bounds::exact(20), Bounds::exact(80)]);
        game.move_text(advice.best().id)
    };
    assert_eq!(played(0), "fast", "20 are had sooner");
    assert_eq!(played(300), "trap", "five of six answers are wrong");
}

#[test]
fn what_a_machine_does_not_do_in_lanes_is_left_out() {
    // One state at a time, and roles that move at once: the search goes on as if it had not been asked.
    let parameters = Parameters { decisive: DecisiveMoves::WinsAndStops, ..Parameters::default() };
    let single = circuit("tic-tac-toe");
    let mut search = Search::new(Arc::clone(&single), single.initial(), parameters.clone(), 1);
    search.run(&Budget::simulations(100)).expect("it can be searched");
    let mut plain = Search::new(Arc::clone(&single), single.initial(), Parameters::default(), 1);
    plain.run(&Budget::simulations(100)).expect("it can be searched");
    assert_eq!(search.totals().steps, plain.totals().steps);
    let game = Arc::new(BatchMachine::new(circuit("rock-paper-scissors")));
    let parameters = Parameters { solver: SolverChoice::ProofNumber, ..parameters };
    let mut search = Search::new(Arc::clone(&game), game.initial(), parameters, 1);
    search.run(&Budget::simulations(500)).expect("it can be searched");
}

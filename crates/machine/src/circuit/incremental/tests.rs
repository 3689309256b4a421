//! What is kept up to date against what is computed anew.

use std::sync::Arc;

use ::circuit::{Circuit, Edge, Gates, RoleMoves, simulate::read};
use game::{Describe, Dice, Expansion, Game, MoveId};
use proptest::prelude::*;
use verify::{PlayoutLimits, walk};

use super::super::{CircuitMachine, CircuitState, Evaluation, MoveNumbers};
use super::{Memory, Net};
use crate::{Target, samples};

const ROLES: usize = 2;
const MOVES: usize = 40;

/// A random circuit of so many roles: gates over earlier ones, most of them near; some of very many inputs.
pub(crate) fn random_circuit(dice: &mut Dice, role_count: usize, facts: usize, gates: usize) -> Circuit {
    let mut all = Gates::new();
    let mut edges: Vec<Edge> = (0..facts as u32).map(|number| all.base(number)).collect();
    let mut grow = |edges: &mut Vec<Edge>, count: usize, dice: &mut Dice| {
        for _ in 0..count {
            let pick = |dice: &mut Dice| {
                let near = if dice.below(3) == 0 { edges.len() } else { edges.len().min(30) };
                let edge = edges[edges.len() - 1 - dice.below(near)];
                if dice.below(2) == 0 { edge } else { !edge }
            };
            let inputs = if dice.below(20) == 0 { 200 } else { 2 };
            let is_xor = dice.below(8) == 0;
            let mut edge = pick(dice);
            for _ in 1..inputs {
                let other = pick(dice);
                edge = if is_xor { all.xor(edge, other) } else { all.and(edge, other) };
            }
            edges.push(edge);
        }
    };
    grow(&mut edges, gates, dice);
    let mut pick = |edges: &[Edge]| {
        let edge = edges[dice.below(edges.len())];
        if dice.below(2) == 0 { edge } else { !edge }
    };
    let terminal = pick(&edges);
    let mut roles = Vec::new();
    for _ in 0..role_count {
        let legal = (0..MOVES).map(|_| pick(&edges)).collect();
        let moves = (0..MOVES).map(|number| format!("m{number:02}")).collect();
        roles.push(RoleMoves { moves, legal, ..RoleMoves::default() });
    }
    let mut next: Vec<Edge> = (0..facts).map(|_| pick(&edges)).collect();
    next[0] = Edge::TRUE;
    let moves = (0..(role_count * MOVES) as u32).map(|id| (id / MOVES as u32, id % MOVES as u32));
    let mut with_moves = edges.clone();
    let mut all = all;
    with_moves.extend(moves.map(|(role, number)| all.does(role as u16, number)));
    let mut more = Vec::new();
    for _ in 0..gates {
        let mut pick = || {
            let from = if dice.below(2) == 0 || more.is_empty() { &with_moves } else { &more };
            let edge = from[dice.below(from.len())];
            if dice.below(2) == 0 { edge } else { !edge }
        };
        let (left, right) = (pick(), pick());
        more.push(all.and(left, right));
    }
    for edge in &mut next[facts / 2..] {
        *edge = more[dice.below(more.len())];
    }
    let initial = (0..facts).map(|_| dice.below(2) == 0).collect();
    let bases = (0..facts).map(|fact| format!("f{fact:03}")).collect();
    Circuit { gates: all, bases, initial, roles, terminal, next, ..Circuit::default() }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Questions about states in any order, near and far, are answered as plain evaluation does.
    #[test]
    fn states_in_any_order(seed in any::<u64>(), facts in 2..150usize, gates in 1..300usize) {
        let mut dice = Dice::new(seed);
        let circuit = random_circuit(&mut dice, ROLES, facts, gates);
        let numbers = MoveNumbers::new(&circuit);
        let net = Net::new(&circuit, &numbers, None, true).expect("it is not deep");
        let most = [0, 3, 20, u32::MAX][dice.below(4)];
        let mut memory = Memory::new(&net);
        let mut state = circuit.initial.clone();
        for _ in 0..60 {
            match dice.below(8) {
                0 => state = circuit.initial.clone(),
                1 => state.iter_mut().for_each(|fact| *fact = dice.below(2) == 0),
                _ => (0..dice.below(4)).for_each(|_| {
                    let fact = dice.below(facts);
                    state[fact] = !state[fact];
                }),
            }
            let words = CircuitState::from_bits(state.iter().copied());
            if !memory.reach(&net, words.words(), most) {
                continue;
            }
            let does: Vec<u32> = (0..ROLES).map(|_| dice.below(MOVES) as u32).collect();
            let values = circuit.evaluate(&state, &does);
            let bit = |row: &[u64], place: usize| row[place / 64] >> (place % 64) & 1 != 0;
            if dice.below(3) > 0 {
                let row = memory.looks(&net);
                let legal = circuit.roles.iter().flat_map(|role| &role.legal);
                for (place, &edge) in std::iter::once(&circuit.terminal).chain(legal).enumerate() {
                    prop_assert_eq!(bit(row, place), read(&values, edge), "answer {}", place);
                }
            }
            if dice.below(3) > 0 {
                let row = memory.next(&net, (0..).zip(&does).map(|(role, id)| role * MOVES as u32 + id));
                for (place, &edge) in circuit.next.iter().enumerate() {
                    prop_assert_eq!(bit(row, place), read(&values, edge), "fact {}", place);
                }
            }
        }
    }
}

fn machine(circuit: &Arc<Circuit>, evaluation: Evaluation) -> CircuitMachine {
    CircuitMachine::with_evaluation(Arc::clone(circuit), Target::Portable, evaluation)
}

#[test]
fn whole_and_incremental_walk_together() {
    for (name, circuit) in samples::all() {
        let whole = machine(&circuit, Evaluation::Whole);
        for most_facts in [0, 4, u32::MAX] {
            let changes = machine(&circuit, Evaluation::Changes { most_facts });
            assert!(changes.is_incremental());
            let report = walk(&whole, &changes, 20, 5, PlayoutLimits { steps: 200 });
            assert!(report.is_ok(), "{name}, {most_facts} facts: {report:?}");
        }
    }
}

/// Two workspaces are asked about states of many playouts in any order, about several moves of the same state,
/// and about goals in between.
#[test]
fn workspaces_jump_from_state_to_state() {
    for (name, circuit) in samples::all() {
        let whole = machine(&circuit, Evaluation::Whole);
        for most_facts in [0, 3, 12, u32::MAX] {
            let changes = machine(&circuit, Evaluation::Changes { most_facts });
            let mut plain = whole.workspace();
            let mut workspaces = [changes.workspace(), changes.workspace()];
            let (mut expected, mut found) = (Expansion::new(), Expansion::new());
            let mut goals = [Vec::new(), Vec::new()];
            let mut dice = Dice::new(3);
            let mut states = vec![whole.initial()];
            for _ in 0..300 {
                let recent = states.len() - 1 - dice.below(states.len().min(2));
                let place = if dice.below(3) == 0 { dice.below(states.len()) } else { recent };
                let state = states[place].clone();
                let workspace = &mut workspaces[dice.below(2)];
                whole.expand(&mut plain, &state, &mut expected).unwrap();
                changes.expand(workspace, &state, &mut found).unwrap();
                assert_eq!(expected, found, "{name}: {state:?}");
                assert_eq!(changes.is_terminal(workspace, &state), expected.is_terminal());
                if dice.below(4) == 0 {
                    whole.goals(&mut plain, &state, &mut goals[0]).unwrap();
                    changes.goals(workspace, &state, &mut goals[1]).unwrap();
                    assert_eq!(goals[0], goals[1]);
                }
                if expected.is_terminal() || expected.stuck_role().is_some() {
                    continue;
                }
                for _ in 0..dice.below(3) {
                    let joint: Vec<MoveId> =
                        expected.by_role().map(|legal| legal[dice.below(legal.len())]).collect();
                    let next = whole.apply(&mut plain, &state, &joint).unwrap();
                    assert_eq!(changes.apply(workspace, &state, &joint).unwrap(), next, "{name}: {joint:?}");
                    states.push(next);
                }
            }
            assert_eq!(changes.facts(&states[0]), whole.facts(&states[0]));
        }
    }
}

#[test]
fn small_circuits_are_computed_as_a_whole() {
    let small = CircuitMachine::new(samples::tic_tac_toe());
    assert!(!small.is_incremental());
}

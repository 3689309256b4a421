//! What is proven, compared with all states that can be reached.

use super::*;
use crate::Gates;

/// One role that may always make any of its moves; facts come next as the edges say.
fn circuit(gates: Gates, next: Vec<Edge>, legal: Vec<Edge>, initial: &[bool]) -> Circuit {
    Circuit {
        gates,
        bases: (0..next.len()).map(|number| number.to_string()).collect(),
        next,
        initial: initial.to_vec(),
        roles: vec![RoleMoves {
            name: "r".to_owned(),
            moves: (0..legal.len()).map(|number| number.to_string()).collect(),
            legal,
            ..RoleMoves::default()
        }],
        ..Circuit::default()
    }
}

#[test]
fn who_walks_is_in_one_place() {
    // Move i goes from place i to the next of three.
    let build = |forgets: bool| {
        let mut gates = Gates::new();
        let places: Vec<Edge> = (0..3).map(|number| gates.base(number)).collect();
        let moves: Vec<Edge> = (0..3).map(|number| gates.does(0, number)).collect();
        let mut next = Vec::new();
        for place in 0..3 {
            let stays = if forgets { places[place] } else { gates.and(places[place], !moves[place]) };
            next.push(gates.or(stays, moves[(place + 2) % 3]));
        }
        circuit(gates, next, places, &[true, false, false])
    };
    assert!(exclusive(&build(false), &[vec![0, 1, 2]]));
    assert!(!exclusive(&build(true), &[vec![0, 1, 2]]));
    let mut two = build(false);
    two.initial[1] = true;
    assert!(!exclusive(&two, &[vec![0, 1, 2]]));
}

/// What is proven of random circuits holds in all states that can be reached.
#[test]
fn what_is_proven_holds() {
    let mut seed = 99u32;
    let mut dice = |below: usize| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 16) as usize % below
    };
    let (mut proven, mut refuted) = (0, 0);
    for _ in 0..4_000 {
        let mut gates = Gates::new();
        let mut edges: Vec<Edge> = (0..4).map(|number| gates.base(number)).collect();
        edges.extend((0..3).map(|number| gates.does(0, number)));
        let next: Vec<Edge> = (0..4)
            .map(|_| {
                let mut pick = || {
                    let edge = edges[dice(7)];
                    if dice(4) == 0 { !edge } else { edge }
                };
                let (a, b, c, d) = (pick(), pick(), pick(), pick());
                let (left, right) = (gates.and(a, b), gates.and(c, d));
                if dice(2) == 0 { left } else { gates.or(left, right) }
            })
            .collect();
        let legal: Vec<Edge> = (0..3).map(|_| edges[dice(4)]).collect();
        let circuit = circuit(gates, next, legal, &[true, false, false, false]);
        let set = vec![0, 1, 2];
        let claimed = exclusive(&circuit, &[set]);
        let mut open = vec![circuit.initial.clone()];
        let mut seen = open.clone();
        let mut holds = true;
        while let Some(state) = open.pop() {
            holds &= state[..3].iter().filter(|&&fact| fact).count() <= 1;
            for option in 0..3u32 {
                let values = circuit.evaluate(&state, &[]);
                if crate::simulate::read(&values, circuit.roles[0].legal[option as usize]) {
                    let next = circuit.successor(&state, &[option]);
                    if !seen.contains(&next) {
                        seen.push(next.clone());
                        open.push(next);
                    }
                }
            }
        }
        assert!(holds || !claimed, "{circuit:?}");
        proven += usize::from(claimed);
        refuted += usize::from(!holds);
    }
    assert!(proven > 100 && refuted > 100, "{proven} proven, {refuted} refuted");
}

/// The same of games of two, looking at pairs of moves, whose turn it is being told once.
#[test]
fn what_pairs_of_moves_prove_holds() {
    let mut seed = 5u32;
    let mut dice = |below: usize| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 16) as usize % below
    };
    let (mut by_pairs, mut refuted) = (0, 0);
    for _ in 0..4_000 {
        let mut gates = Gates::new();
        let facts: Vec<Edge> = (0..4).map(|number| gates.base(number)).collect();
        let moves: Vec<Edge> = (0..6).map(|number| gates.does(number / 3, u32::from(number % 3))).collect();
        // The last fact is whose turn it is; the last move of each role waits.
        let turn = facts[3];
        let mut next: Vec<Edge> = Vec::new();
        for &fact in &facts[..3] {
            let (made, ends) = (moves[[0, 1, 3, 4][dice(4)]], moves[[0, 1, 3, 4][dice(4)]]);
            let stays = gates.and(fact, !ends);
            next.push(gates.or(stays, made));
        }
        next.push(!turn);
        let mut legal = Vec::new();
        for turn in [turn, !turn] {
            let (one, two) = (facts[dice(3)], facts[dice(3)]);
            legal.push(vec![gates.and(turn, one), gates.and(turn, two), !turn]);
        }
        let mut circuit = circuit(gates, next, legal.remove(0), &[true, false, false, true]);
        circuit.roles.push(RoleMoves { legal: legal.remove(0), ..circuit.roles[0].clone() });
        let prover = Prover::new(&circuit);
        let claimed = prover.is_exclusive(&[0, 1, 2], Some(&std::cell::Cell::new(usize::MAX)));
        let mut open = vec![circuit.initial.clone()];
        let mut seen = open.clone();
        let mut holds = true;
        while let Some(state) = open.pop() {
            holds &= state[..3].iter().filter(|&&fact| fact).count() <= 1;
            let values = circuit.evaluate(&state, &[]);
            let is_legal = |role: usize, place: u32| {
                crate::simulate::read(&values, circuit.roles[role].legal[place as usize])
            };
            for (one, two) in (0..3).flat_map(|one| (0..3).map(move |two| (one, two))) {
                if is_legal(0, one) && is_legal(1, two) {
                    let next = circuit.successor(&state, &[one, two]);
                    if !seen.contains(&next) {
                        seen.push(next.clone());
                        open.push(next);
                    }
                }
            }
        }
        assert!(holds || !claimed, "{circuit:?}");
        by_pairs += usize::from(claimed && !prover.is_exclusive(&[0, 1, 2], None));
        refuted += usize::from(!holds);
    }
    assert!(by_pairs > 10 && refuted > 100, "{by_pairs} by pairs alone, {refuted} refuted");
}

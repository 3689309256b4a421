//! Parts of games that do not interact.

use circuit::simulate::read;
use circuit::{BITS_OF_A_GOAL, Circuit, Composition, Edge, Effort, Gates, Link, Parts, RoleMoves, build};
use ground::{Budget, ground};

fn circuit(rules: &str) -> Circuit {
    let budget = Budget::unlimited();
    let mut ground = ground(&gdl::normal::read(rules), &budget).expect("small");
    build(&mut ground, Effort::Thorough, &budget).expect("small").0
}

fn parts(rules: &str) -> Parts {
    circuit(rules).parts()
}

const TWIN_LIGHTS: &str = include_str!("../../../games/twin-lights/rules.kif");
const TWIN_TRAYS: &str = include_str!("../../../games/twin-trays/rules.kif");
const TWIN_TIC_TAC_TOE: &str = include_str!("../../../games/twin-tic-tac-toe/rules.kif");
const TWIN_BREAKTHROUGH: &str = include_str!("../../../games/twin-breakthrough/rules.kif");
const TIC_TAC_TOE: &str = include_str!("../../../games/tic-tac-toe/rules.kif");

#[test]
fn squares_of_lamps_are_two_parts_played_at_once() {
    let parts = parts(TWIN_LIGHTS);
    let sizes: Vec<usize> = parts.facts.iter().map(Vec::len).collect();
    assert_eq!((sizes, parts.shared.len()), (vec![16, 16], 11));
    assert_eq!((parts.terminal, &parts.goals[..]), (Link::All, &[Link::All][..]));
    assert_eq!(parts.composition(), Some(Composition::Parallel));
    let actions = &parts.actions.as_ref().expect("small")[0];
    assert_eq!(actions.actions.iter().map(Vec::len).collect::<Vec<_>>(), [17, 17]);
}

#[test]
fn trays_are_two_parts_played_in_any_order() {
    let parts = parts(TWIN_TRAYS);
    assert_eq!(parts.facts.len(), 2);
    assert_eq!(parts.goals, [Link::All]);
    assert_eq!(parts.composition(), Some(Composition::Serial));
}

#[test]
fn a_game_that_hangs_together_is_one_part() {
    let parts = parts(TIC_TAC_TOE);
    assert_eq!(parts.facts.len(), 1, "{parts:?}");
    // Whose turn it is runs by itself.
    assert!(!parts.shared.is_empty());
    assert!(!parts.are_several());
}

/// A part is played as the whole game is: the facts it has become what they become there, and what is legal there is.
#[test]
fn a_part_alone_goes_as_it_does_in_the_whole() {
    let whole = circuit(TWIN_LIGHTS);
    let parts = whole.parts();
    let actions = &parts.actions.as_ref().expect("small")[0];
    for part in 0..2 {
        let alone = parts.project(&whole, part).expect("can be taken apart");
        let facts =
            |state: &[bool]| -> Vec<bool> { alone.facts.iter().map(|&fact| state[fact as usize]).collect() };
        let mut state = whole.initial.clone();
        let mut own = facts(&state);
        assert_eq!(own, alone.circuit.initial);
        for step in 0..9u32 {
            // Any move will do: all are legal.
            let (id, done) =
                &actions.groups[0].moves[(step as usize * 97 + 31) % actions.groups[0].moves.len()];
            let place =
                alone.actions.iter().position(|&(action, _)| action == done[part]).expect("an action") as u32;
            own = alone.circuit.successor(&own, &[place]);
            state = whole.successor(&state, &[*id]);
            assert_eq!(own, facts(&state), "part {part}, step {step}");
        }
    }
}

/// Two players, each with a counter of its own: neither has to do with the other.
const APART: &str = "(role one) (role two) (init (at one 0)) (init (at two 0)) (init (step 0))
    (succ 0 1) (succ 1 2) (succ 2 3)
    (<= (legal ?r go) (true (at ?r ?x)) (succ ?x ?y)) (<= (legal ?r stay) (role ?r))
    (<= (next (at ?r ?y)) (does ?r go) (true (at ?r ?x)) (succ ?x ?y))
    (<= (next (at ?r ?x)) (does ?r stay) (true (at ?r ?x)))
    (<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))
    (<= terminal (true (step 3)))
    (<= (goal ?r 100) (true (at ?r 2))) (<= (goal ?r 0) (role ?r) (not (true (at ?r 2))))";

#[test]
fn players_who_never_meet_have_a_part_each() {
    let parts = parts(APART);
    assert_eq!((parts.facts.len(), parts.terminal), (2, Link::None));
    assert_eq!(parts.goals, [Link::One, Link::One]);
    assert_eq!(parts.composition(), Some(Composition::Parallel));
}

/// Numbers that look drawn.
fn draw(seed: &mut u64, below: usize) -> usize {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 33) as usize % below
}

/// Plays a game and its parts side by side: facts, legal moves, the end and the goals have to be those of the whole; and
/// no part is over before the whole is.
fn plays_as_its_parts(rules: &str, walks: u64) {
    let whole = circuit(rules);
    let division = whole.parts().divide(&whole).expect("can be taken apart");
    assert!(division.parts.len() > 1);
    let truly = |values: &[bool], edges: &[Edge]| -> Vec<u32> {
        (0..).zip(edges).filter(|(_, edge)| read(values, **edge)).map(|(number, _)| number).collect()
    };
    let mut ends = 0;
    for walk in 0..walks {
        let (mut state, mut seed) = (whole.initial.clone(), walk);
        for step in 0..200 {
            let values = whole.evaluate(&state, &[]);
            let is_over = read(&values, whole.terminal);
            let legal: Vec<Vec<u32>> = whole.roles.iter().map(|role| truly(&values, &role.legal)).collect();
            let mut bits = std::collections::BTreeSet::new();
            for part in &division.parts {
                let own: Vec<bool> = part.facts.iter().map(|&fact| state[fact as usize]).collect();
                let values = part.circuit.evaluate(&own, &[]);
                assert!(is_over || !read(&values, part.circuit.terminal), "step {step}: over too early");
                for (place, role) in part.circuit.roles.iter().enumerate() {
                    let mut wanted: Vec<u32> =
                        legal[place].iter().map(|&id| part.moves[place][id as usize]).collect();
                    wanted.sort_unstable();
                    wanted.dedup();
                    assert!(is_over || truly(&values, &role.legal) == wanted, "step {step}: legal moves");
                    let goals: Vec<u8> = role
                        .goals
                        .iter()
                        .filter(|goal| read(&values, goal.edge))
                        .map(|goal| goal.value)
                        .collect();
                    let &[goal] = &goals[..] else { panic!("one goal, not {goals:?}") };
                    let seen = part.seen.iter().skip(place * BITS_OF_A_GOAL as usize);
                    bits.extend(
                        (0..BITS_OF_A_GOAL)
                            .zip(seen)
                            .filter(|(bit, _)| goal >> bit & 1 != 0)
                            .map(|(_, &seen)| seen),
                    );
                }
            }
            let (ends_here, goals) = division.judge(&|number| bits.contains(&number));
            assert_eq!(ends_here, is_over, "step {step}: the end");
            for (role, goal) in whole.roles.iter().zip(goals) {
                let wanted = role.goals.iter().find(|goal| read(&values, goal.edge)).map(|goal| goal.value);
                assert_eq!(goal, wanted, "step {step}: the goal of {}", role.name);
            }
            if is_over {
                ends += 1;
                break;
            }
            let joint: Vec<u32> = legal.iter().map(|legal| legal[draw(&mut seed, legal.len())]).collect();
            let next = whole.successor(&state, &joint);
            for part in &division.parts {
                let own: Vec<bool> = part.facts.iter().map(|&fact| state[fact as usize]).collect();
                let does: Vec<u32> =
                    joint.iter().zip(&part.moves).map(|(&id, moves)| moves[id as usize]).collect();
                let after: Vec<bool> = part.facts.iter().map(|&fact| next[fact as usize]).collect();
                assert_eq!(part.circuit.successor(&own, &does), after, "step {step}: facts");
            }
            state = next;
        }
    }
    assert!(ends > 0, "some walk ends");
}

#[test]
fn games_of_two_players_go_as_their_parts_do() {
    plays_as_its_parts(TWIN_TIC_TAC_TOE, 20);
    plays_as_its_parts(TWIN_BREAKTHROUGH, 20);
    plays_as_its_parts(TWIN_LIGHTS, 3);
    plays_as_its_parts(APART, 5);
}

#[test]
fn what_is_not_played_in_parallel_is_not_divided() {
    for rules in [TWIN_TRAYS, TIC_TAC_TOE] {
        let whole = circuit(rules);
        assert!(whole.parts().divide(&whole).is_none());
    }
}

/// Games of others, where they are at hand: how many parts they have, and how these are played.
#[test]
fn games_of_parts_are_recognised() {
    let Some(folder) = std::env::var_os("LUDENS_CORPUS").map(std::path::PathBuf::from).or_else(|| {
        let beside = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
        beside.is_dir().then_some(beside)
    }) else {
        println!("skipped: there is no corpus");
        return;
    };
    let (parallel, serial) = (Some(Composition::Parallel), Some(Composition::Serial));
    for (name, count, composition) in [
        ("ticTacToeParallel", 2, parallel),
        ("blockerParallel", 2, parallel),
        ("asteroidsParallel", 2, parallel),
        ("blocksWorldParallel", 2, parallel),
        ("dual_hamilton", 2, parallel),
        ("lightsOnParallel", 4, serial),
        ("connectFourSimultaneous", 2, parallel),
    ] {
        let Ok(rules) = std::fs::read_to_string(folder.join(format!("games/{name}.kif"))) else {
            println!("skipped: there is no {name}");
            continue;
        };
        let parts = parts(&rules);
        let sizes: Vec<usize> = parts.facts.iter().map(Vec::len).collect();
        assert_eq!((parts.facts.len(), parts.composition()), (count, composition), "{name}: {sizes:?}");
        if composition == parallel {
            plays_as_its_parts(&rules, 2);
        }
    }
}

/// So many lamps and one move, which turns all of them over and is possible while all are on.
fn lamps(count: u32) -> Circuit {
    let mut gates = Gates::new();
    let go = gates.does(0, 0);
    let lamps: Vec<Edge> = (0..count).map(|lamp| gates.base(lamp)).collect();
    let all = lamps.iter().fold(Edge::TRUE, |all, &lamp| gates.and(all, lamp));
    let next = lamps.iter().map(|&lamp| gates.xor(lamp, go)).collect();
    let role = RoleMoves {
        name: "you".to_owned(),
        moves: vec!["go".to_owned()],
        legal: vec![all],
        ..RoleMoves::default()
    };
    Circuit {
        bases: (0..count).map(|lamp| format!("(on {lamp})")).collect(),
        initial: vec![true; count as usize],
        roles: vec![role],
        terminal: !all,
        next,
        gates,
        ..Circuit::default()
    }
}

/// A condition is taken apart up to some number of operands. Beyond it is a whole, of which nothing may get lost.
#[test]
fn a_condition_of_very_many_facts_is_not_taken_apart() {
    for count in [100, 20_001, 30_000] {
        let parts = lamps(count).parts();
        match count {
            // Each lamp is a condition of its own, and a part.
            100 => assert_eq!(parts.facts.len(), 100),
            _ => assert_eq!(parts.facts, [(0..count).collect::<Vec<u32>>()]),
        }
    }
}

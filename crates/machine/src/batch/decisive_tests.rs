//! Moves that decide, in lanes: the moves that a playout may make are those that looking ahead one state at
//! a time says, no more and no fewer.

use std::collections::BTreeSet;
use std::sync::Arc;

use ::circuit::{Circuit, DecisiveLimits};
use game::{
    Decisive, DecisiveFilter, Dice, Expansion, Game, Job, MoveId, MoveWorth, Outcomes, PlayOptions, Policy,
    Sampler, Simulator, Weights, play_one_by_one,
};

use super::tests::batch;
use super::*;
use crate::circuit::CircuitState;
use crate::samples;

const LEVELS: [Decisive; 2] = [Decisive::Wins, Decisive::WinsAndStops];

/// Stones on a rhombus of hexagons, three by three: red joins left and right, blue top and bottom. Whether
/// a chain is there is worked out by recursion.
const SMALL_HEX: &str = "
    (role red) (role blue) (other red blue) (other blue red) (init (control red))
    (succ 1 2) (succ 2 3) (index 1) (index 2) (index 3)
    (<= (near ?a ?b) (succ ?a ?b)) (<= (near ?a ?b) (succ ?b ?a))
    (<= (adjacent ?c ?r ?d ?r) (near ?c ?d) (index ?r)) (<= (adjacent ?c ?r ?c ?s) (near ?r ?s) (index ?c))
    (<= (adjacent ?c ?r ?d ?s) (succ ?c ?d) (succ ?s ?r)) (<= (adjacent ?c ?r ?d ?s) (succ ?d ?c) (succ ?r ?s))
    (<= (start red 1 ?r) (index ?r)) (<= (end red 3 ?r) (index ?r))
    (<= (start blue ?c 1) (index ?c)) (<= (end blue ?c 3) (index ?c))
    (<= (legal ?p (place ?c ?r)) (true (control ?p)) (index ?c) (index ?r) (not (taken ?c ?r)))
    (<= (legal ?p noop) (other ?p ?q) (true (control ?q)))
    (<= (taken ?c ?r) (true (cell ?c ?r ?p)))
    (<= (next (cell ?c ?r ?p)) (true (cell ?c ?r ?p)))
    (<= (next (cell ?c ?r ?p)) (does ?p (place ?c ?r)))
    (<= (next (control ?q)) (true (control ?p)) (other ?p ?q))
    (<= (chain ?p ?c ?r) (true (cell ?c ?r ?p)) (start ?p ?c ?r))
    (<= (chain ?p ?d ?s) (chain ?p ?c ?r) (adjacent ?c ?r ?d ?s) (true (cell ?d ?s ?p)))
    (<= (joined ?p) (chain ?p ?c ?r) (end ?p ?c ?r))
    (<= terminal (joined ?p))
    (<= (goal ?p 100) (joined ?p)) (<= (goal ?p 0) (role ?p) (not (joined ?p)))";

/// Whoever fills a row of three moves again; two rows win. One may move twice, and may have to.
const MOVES_AGAIN: &str = "
    (role x) (role o) (other x o) (other o x) (init (control x))
    (cell 1) (cell 2) (cell 3) (cell 4) (cell 5) (cell 6)
    (row a 1 2) (row b 3 4) (row c 5 6)
    (<= (legal ?p (fill ?c)) (true (control ?p)) (cell ?c) (not (true (full ?c))))
    (<= (legal ?p noop) (other ?p ?q) (true (control ?q)))
    (<= (next (full ?c)) (true (full ?c))) (<= (next (full ?c)) (does ?p (fill ?c)))
    (<= (closes ?p ?r) (row ?r ?c ?d) (does ?p (fill ?c)) (true (full ?d)))
    (<= (closes ?p ?r) (row ?r ?c ?d) (does ?p (fill ?d)) (true (full ?c)))
    (<= (closed ?p) (closes ?p ?r))
    (<= (next (owns ?p ?r)) (closes ?p ?r)) (<= (next (owns ?p ?r)) (true (owns ?p ?r)))
    (<= (next (control ?p)) (true (control ?p)) (closed ?p))
    (<= (next (control ?q)) (true (control ?p)) (other ?p ?q) (not (closed ?p)))
    (<= (two ?p) (true (owns ?p ?r)) (true (owns ?p ?s)) (distinct ?r ?s))
    (<= terminal (two ?p)) (<= terminal (not open))
    (<= open (cell ?c) (not (true (full ?c))))
    (<= (goal ?p 100) (two ?p)) (<= (goal ?p 0) (role ?p) (not (two ?p)))";

pub(super) fn of_rules(rules: &str) -> Arc<Circuit> {
    let rules = gdl::normal::read(rules);
    let build = crate::build::circuit(&rules, ::circuit::Effort::Thorough, &ground::Budget::unlimited());
    build.expect("a small game").circuit
}

fn games() -> Vec<(&'static str, Arc<Circuit>)> {
    vec![
        ("tic-tac-toe", samples::tic_tac_toe()),
        ("connect four", samples::connect_four(5, 4)),
        ("breakthrough", samples::breakthrough(5)),
        ("nim", samples::nim(&[1, 2, 3])),
        ("hex", of_rules(SMALL_HEX)),
        ("moves again", of_rules(MOVES_AGAIN)),
    ]
}

/// Positions of random play that are not over.
pub(super) fn open_states(machine: &CircuitMachine, count: usize) -> Vec<CircuitState> {
    let mut workspace = machine.workspace();
    let mut expansion = Expansion::new();
    let mut dice = Dice::new(7);
    let mut state = machine.initial();
    let mut states = Vec::new();
    while states.len() < count {
        machine.expand(&mut workspace, &state, &mut expansion).unwrap();
        if expansion.is_terminal() {
            state = machine.initial();
            continue;
        }
        states.push(state.clone());
        let joint: Vec<MoveId> = expansion.by_role().map(|legal| legal[dice.below(legal.len())]).collect();
        state = machine.apply(&mut workspace, &state, &joint).unwrap();
    }
    states
}

/// What may be done in a state, role by role, and whether the outcome is certain, if a role chooses alone.
fn by_definition(
    machine: &CircuitMachine,
    state: &CircuitState,
    level: Decisive,
) -> (Vec<Vec<MoveId>>, Option<bool>) {
    let mut workspace = machine.workspace();
    let mut expansion = Expansion::new();
    machine.expand(&mut workspace, state, &mut expansion).unwrap();
    let mut lookahead = DecisiveFilter::default();
    let narrowed = lookahead.narrow(machine, &mut workspace, state, &expansion, level).unwrap();
    let mut moves: Vec<Vec<MoveId>> = expansion.by_role().map(<[MoveId]>::to_vec).collect();
    if let Some(narrowed) = narrowed {
        moves[usize::from(narrowed.role.0)] = lookahead.moves().to_vec();
    }
    (moves, narrowed.map(|narrowed| narrowed.is_settled))
}

#[test]
fn a_narrowed_circuit_allows_what_the_definition_does() {
    for (name, circuit) in games() {
        let machine = CircuitMachine::with_target(circuit, Target::Portable);
        for level in LEVELS {
            let stops = level == Decisive::WinsAndStops;
            let limits = DecisiveLimits { gates: usize::MAX, work: usize::MAX };
            let made = machine.circuit().decisive(&machine.turns().of_circuit(), stops, limits).expect(name);
            let narrow = CircuitMachine::with_target(Arc::new(made.circuit), Target::Portable);
            let (mut fewer, mut expansion) = (0, Expansion::new());
            for state in open_states(&machine, 400) {
                narrow.expand(&mut narrow.workspace(), &state, &mut expansion).unwrap();
                let found: Vec<Vec<MoveId>> = expansion.by_role().map(<[MoveId]>::to_vec).collect();
                let (expected, settled) = by_definition(&machine, &state, level);
                assert_eq!(found, expected, "{name} {level:?} {:?}", game::Describe::facts(&machine, &state));
                let bits: Vec<bool> = (0..narrow.circuit().bases.len()).map(|base| state.get(base)).collect();
                let values = narrow.circuit().evaluate(&bits, &[]);
                if let Some(settled) = settled {
                    assert_eq!(::circuit::simulate::read(&values, made.settled), settled, "{name} {level:?}");
                }
                machine.expand(&mut machine.workspace(), &state, &mut expansion).unwrap();
                fewer += usize::from(
                    expansion.by_role().map(<[MoveId]>::len).sum::<usize>()
                        > found.iter().map(Vec::len).sum(),
                );
            }
            assert!(fewer > 10, "{name} {level:?}: something is narrowed, {fewer} times");
        }
    }
}

#[test]
fn lanes_make_the_moves_that_are_allowed_and_all_of_them() {
    for (name, circuit) in games() {
        let batch = batch(circuit, Target::detect());
        let mut workspace = batch.workspace();
        let equal = MoveWorth::new(1.0);
        let greedy = Sampler::EpsilonGreedy { epsilon: 0.5 };
        let samplers = [Sampler::Uniform, greedy, Sampler::Gibbs { temperature: 1.0 }];
        for level in LEVELS {
            for (state, sampler) in open_states(&batch.machine, 60).iter().zip(samplers.iter().cycle()) {
                let policy = Policy { weights: Weights::ByMove(&equal), sampler: *sampler };
                let (allowed, settled) = by_definition(&batch.machine, state, level);
                let mut made: BTreeSet<MoveId> = BTreeSet::new();
                let mut outcomes = Outcomes::default();
                // Lanes of one call share draws, so there are many calls.
                for seed in 0..60 {
                    let options = PlayOptions {
                        seed,
                        most_steps: 1,
                        policy,
                        decisive: level,
                        record_moves: true,
                        ..PlayOptions::default()
                    };
                    // In nim a win at once comes at the end, whether it is looked for or not.
                    assert!(batch.supports(&options) || name == "nim", "{name} {level:?}");
                    batch.play(&mut workspace, &[Job::new(state, 10)], &options, &mut outcomes).unwrap();
                    made.extend(outcomes.moves.iter().map(|(_, id, _)| id));
                    if let Some(settled) = settled {
                        let mut found = (0..10).map(|playout| outcomes.is_settled(playout));
                        assert!(found.all(|found| found == settled), "{name} {level:?} {sampler:?}");
                    }
                }
                assert_eq!(made, allowed.into_iter().flatten().collect(), "{name} {level:?} {sampler:?}");
            }
        }
    }
}

/// Lanes that begin anew tell of their own start, not of what went before.
#[test]
fn what_is_settled_is_told_of_every_playout() {
    for target in Target::ALL {
        let batch = batch(samples::tic_tac_toe(), target);
        let states = open_states(&batch.machine, 40);
        let jobs: Vec<Job<'_, CircuitState>> = states.iter().map(|state| Job::new(state, 50)).collect();
        let decisive = Decisive::WinsAndStops;
        let options = PlayOptions { seed: 5, decisive, ..PlayOptions::default() };
        let mut outcomes = Outcomes::default();
        batch.play(&mut batch.workspace(), &jobs, &options, &mut outcomes).unwrap();
        for (playout, state) in states.iter().flat_map(|state| std::iter::repeat_n(state, 50)).enumerate() {
            let (_, settled) = by_definition(&batch.machine, state, decisive);
            if let Some(settled) = settled {
                assert_eq!(outcomes.is_settled(playout), settled);
            }
        }
    }
}

#[test]
fn playouts_that_look_ahead_agree_with_single_states() {
    for (name, circuit) in games() {
        let batch = batch(circuit, Target::detect());
        let start = batch.initial();
        let jobs = [Job::new(&start, 4000)];
        for decisive in LEVELS {
            let options = PlayOptions { seed: 2, decisive, ..PlayOptions::default() };
            let (mut lanes, mut single) = (Outcomes::default(), Outcomes::default());
            batch.play(&mut batch.workspace(), &jobs, &options, &mut lanes).unwrap();
            let mut workspace = batch.machine.workspace();
            play_one_by_one(&*batch.machine, &mut workspace, &jobs, &options, &mut single).unwrap();
            let means = |outcomes: &Outcomes| {
                let mean = |value: &dyn Fn(usize) -> u32| {
                    (0..4000).map(|playout| f64::from(value(playout))).sum::<f64>() / 4000.0
                };
                let goal = mean(&|playout| u32::from(outcomes.goals(playout)[0].0));
                (goal, mean(&|playout| outcomes.length(playout)))
            };
            let ((goal, length), (expected, expected_length)) = (means(&lanes), means(&single));
            // The mean of 4000 goals of 0 and 100 has a standard deviation of at most 0.8.
            assert!((goal - expected).abs() < 4.0, "{name} {decisive:?}: {goal} against {expected}");
            assert!(
                (length - expected_length).abs() < 0.04 * expected_length.max(10.0),
                "{name} {decisive:?}"
            );
        }
    }
}

#[test]
fn who_chooses_at_once_does_not_decide() {
    for (name, circuit) in [("guessing", samples::guessing()), ("race", samples::race())] {
        let batch = batch(circuit, Target::Portable);
        for decisive in LEVELS {
            assert!(!batch.supports(&PlayOptions { decisive, ..PlayOptions::default() }), "{name}");
        }
    }
}

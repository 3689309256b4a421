//! Lanes against single states, targets against each other, choices against chance.

use std::collections::HashMap;
use std::sync::Arc;

use ::circuit::Circuit;
use game::{
    Dice, Expansion, Expansions, Game, Goal, Job, MoveId, Outcomes, PlayOptions, RoleId, RuleFault, Simulator,
};

use super::random::Stream;
use super::*;
use crate::circuit::CircuitState;
use crate::samples;

pub(super) fn batch(circuit: Arc<Circuit>, target: Target) -> BatchMachine {
    BatchMachine::with_target(Arc::new(CircuitMachine::with_target(circuit, Target::Portable)), target)
}

/// The machines of a circuit that differ in how their sweeps are made.
fn ways(circuit: &Arc<Circuit>) -> Vec<BatchMachine> {
    let single = Arc::new(CircuitMachine::with_target(Arc::clone(circuit), Target::Portable));
    let target = Target::detect();
    let assemble = |words: usize, late: bool| {
        BatchMachine::assemble(Arc::clone(&single), target, words, |plan| plan.begins_late = late)
    };
    vec![
        batch(Arc::clone(circuit), Target::Portable),
        batch(Arc::clone(circuit), target),
        assemble(target.vector_words(), true),
        assemble(LANES / 64, false),
    ]
}

/// Lanes laid out for sweeps by hand.
struct Bench<'a> {
    batch: &'a BatchMachine,
    programs: &'a Programs,
    workspace: BatchWorkspace,
    stream: Stream,
    row: Vec<u64>,
    number: usize,
}

impl<'a> Bench<'a> {
    fn new(batch: &'a BatchMachine, programs: &'a Programs, seed: u64) -> Self {
        let mut workspace = batch.workspace();
        batch.prepare_block(&mut workspace, programs.block_slots());
        let row = vec![0; programs.rows.events as usize * batch.words];
        let mut stream = Stream::new(&batch.refill, batch.words);
        stream.seed(programs.rows.random as usize, seed, 0, batch.block_lanes());
        Self { batch, programs, workspace, stream, row, number: 0 }
    }

    fn set(&mut self, lane: usize, state: &CircuitState, as_start: bool) {
        let (words, layout) = (self.batch.words, &self.batch.layout);
        let first = if as_start { layout.start } else { 0 };
        lanes::set_lane(&mut self.workspace.block[first * words..], words, lane, state, layout.bases);
    }

    fn get(&self, lane: usize) -> CircuitState {
        lanes::lane(&self.workspace.block, self.batch.words, lane, self.batch.layout.bases)
    }

    fn sweep(&mut self) {
        // As if the goals of all that ended had been read.
        let pending = self.batch.layout.pending * self.batch.words;
        self.workspace.block[pending..pending + self.batch.words].fill(0);
        let (_, random) = self.stream.rows(1);
        self.programs.sweep(&mut self.workspace.block, random, &mut self.row, 1, self.number);
        self.number += 1;
    }

    fn event(&self, event: usize, lane: usize) -> bool {
        self.row[event * self.batch.words + lane / 64] >> (lane % 64) & 1 != 0
    }
}

/// All successors of a state.
fn successors(machine: &CircuitMachine, state: &CircuitState) -> Vec<CircuitState> {
    let mut workspace = machine.workspace();
    let mut expansion = Expansion::new();
    machine.expand(&mut workspace, state, &mut expansion).unwrap();
    expansion.joint_moves().map(|joint| machine.apply(&mut workspace, state, &joint).unwrap()).collect()
}

#[test]
fn every_sweep_makes_a_legal_move_in_every_lane() {
    for (name, circuit) in samples::all() {
        for batch in ways(&circuit) {
            let (target, late) = (batch.target, batch.playouts.plan.begins_late);
            for programs in [batch.main(), batch.cautious()] {
                let mut bench = Bench::new(&batch, programs, 5);
                let initial = batch.machine.initial();
                for lane in 0..batch.block_lanes() {
                    bench.set(lane, &initial, true);
                    bench.set(lane, &initial, false);
                }
                let mut known: HashMap<CircuitState, (bool, Vec<CircuitState>)> = HashMap::new();
                let mut look = |state: &CircuitState| {
                    let look = || {
                        let terminal = batch.machine.is_terminal(&mut batch.machine.workspace(), state);
                        (terminal, successors(&batch.machine, state))
                    };
                    known.entry(state.clone()).or_insert_with(look).clone()
                };
                let mut moved = 0;
                for _ in 0..30 {
                    let before: Vec<CircuitState> = (0..40).map(|lane| bench.get(lane)).collect();
                    bench.sweep();
                    for (lane, before) in before.iter().enumerate() {
                        let (terminal, next) = look(before);
                        // A sweep that is for one role alone leaves the others' lanes as they are.
                        let finished = bench.event(step::FINISHED, lane);
                        assert!(!finished || terminal, "{name} {target:?} lane {lane}");
                        assert!(programs.sweeps.len() > 1 || finished == terminal, "{name} lane {lane}");
                        let (origin, next) = if finished {
                            (initial.clone(), look(&initial).1)
                        } else {
                            (before.clone(), next)
                        };
                        let after = bench.get(lane);
                        if bench.event(step::MOVED, lane) {
                            moved += 1;
                            assert!(next.contains(&after), "{name} {target:?} lane {lane}");
                        } else {
                            assert_eq!(after, origin, "{name} {target:?} lane {lane}");
                        }
                    }
                }
                // Lanes that begin late lose a sweep of every playout.
                let least = if late { 30 * 40 * 2 / 5 } else { 30 * 40 * 3 / 5 };
                assert!(moved > least, "{name} {target:?}: only {moved} moves");
            }
        }
    }
}

/// The joint moves seen in many choices from one state, compared with equal chances. Gives the
/// number of standard deviations by which chi-square is above its mean.
fn excess(batch: &BatchMachine, programs: &Programs, state: &CircuitState, wanted: usize) -> f64 {
    let mut bench = Bench::new(batch, programs, 77);
    for lane in 0..batch.block_lanes() {
        bench.set(lane, state, true);
    }
    let mut counts: HashMap<CircuitState, u64> = HashMap::new();
    let mut states = vec![state.clone(); batch.block_lanes()];
    let mut samples = 0;
    while samples < wanted {
        let words = batch.words;
        let bases = batch.layout.bases * words;
        bench.workspace.block.copy_within(bases..2 * bases, 0);
        bench.sweep();
        lanes::read(&bench.workspace.block, words, &mut states, batch.layout.bases);
        for (_, state) in states.iter().enumerate().filter(|(lane, _)| bench.event(step::MOVED, *lane)) {
            *counts.entry(state.clone()).or_default() += 1;
            samples += 1;
        }
    }
    // Different joint moves may lead to one state.
    let mut expected: HashMap<CircuitState, f64> = HashMap::new();
    let next = successors(&batch.machine, state);
    let share = samples as f64 / next.len() as f64;
    next.into_iter().for_each(|state| *expected.entry(state).or_default() += share);
    assert!(counts.keys().all(|state| expected.contains_key(state)));
    let square = |(state, expected): (&CircuitState, &f64)| {
        let seen = counts.get(state).copied().unwrap_or(0) as f64;
        (seen - expected) * (seen - expected) / expected
    };
    let chi_square: f64 = expected.iter().map(square).sum();
    let freedom = (expected.len() as f64 - 1.0).max(1.0);
    (chi_square - freedom) / (2.0 * freedom).sqrt()
}

#[test]
fn choices_are_uniform() {
    let mut dice = Dice::new(8);
    for (name, circuit) in samples::all().into_iter().chain([("wide", samples::wide(4000, 7))]) {
        let batch = batch(circuit, Target::detect());
        let mut state = batch.machine.initial();
        for step in 0..4 {
            for programs in [batch.main(), batch.cautious()] {
                let excess = excess(&batch, programs, &state, 1_000_000);
                assert!(excess < 4.5, "{name}, step {step}: chi-square {excess} deviations too high");
            }
            let next = successors(&batch.machine, &state);
            state = next[dice.below(next.len())].clone();
            if batch.machine.is_terminal(&mut batch.machine.workspace(), &state) {
                break;
            }
        }
    }
}

/// Some states of a game, initial and terminal ones among them.
pub(super) fn some_states(machine: &CircuitMachine, count: usize) -> Vec<CircuitState> {
    let mut states = vec![machine.initial()];
    let mut dice = Dice::new(4);
    while states.len() < count {
        let last = &states[states.len() - 1];
        let over = machine.is_terminal(&mut machine.workspace(), last);
        let next = successors(machine, last);
        states.push(if over { machine.initial() } else { next[dice.below(next.len())].clone() });
    }
    states
}

#[test]
fn lanes_expand_and_advance_as_single_states_do() {
    for (name, circuit) in samples::all() {
        let targets = Target::ALL.map(|target| batch(Arc::clone(&circuit), target));
        for batch in targets.into_iter().chain(ways(&circuit).pop()) {
            let target = batch.target;
            let machine = &batch.machine;
            let states = some_states(machine, 700);
            let mut workspace = batch.workspace();
            let mut scalar = machine.workspace();
            let mut dice = Dice::new(2);
            let all: Vec<&CircuitState> = states.iter().collect();
            let mut found = Expansions::new();
            batch.expand_in_lanes(&mut workspace, &all, &mut found);
            assert_eq!(found.len(), states.len());
            let mut expected = Expansion::new();
            let (mut open, mut joints) = (Vec::new(), Vec::new());
            for (index, state) in states.iter().enumerate() {
                machine.expand(&mut scalar, state, &mut expected).unwrap();
                assert_eq!(found.get(index), expected.choices(), "{name} {target:?} state {index}");
                if !expected.is_terminal() {
                    open.push(state);
                    joints.extend(expected.by_role().map(|legal| legal[dice.below(legal.len())]));
                }
            }
            let mut next = Vec::new();
            batch.apply_in_lanes(&mut workspace, &open, &joints, &mut next);
            let roles = machine.role_count();
            for (index, state) in open.iter().enumerate() {
                let joint: &[MoveId] = &joints[index * roles..(index + 1) * roles];
                assert_eq!(
                    next[index],
                    machine.apply(&mut scalar, state, joint).unwrap(),
                    "{name} {target:?}"
                );
            }
            let mut goals = Vec::new();
            batch.goals_in_lanes(&mut workspace, &all, &mut goals);
            let mut expected = Vec::new();
            for (index, state) in states.iter().enumerate() {
                machine.goals(&mut scalar, state, &mut expected).unwrap();
                assert_eq!(goals[index * roles..(index + 1) * roles], expected, "{name} {target:?}");
            }
        }
    }
}

fn options(seed: u64) -> PlayOptions<'static> {
    PlayOptions { seed, most_steps: 1000, ..PlayOptions::default() }
}

#[test]
fn playouts_agree_with_those_of_single_states() {
    let all = samples::all();
    for (name, batch) in
        all.iter().flat_map(|(name, circuit)| ways(circuit).into_iter().map(move |way| (name, way)))
    {
        let machine = &batch.machine;
        let initial = machine.initial();
        let limits = verify::PlayoutLimits::default();
        let summary =
            verify::simulate(&**machine, &mut machine.workspace(), 20_000, 6, limits, |_| true).unwrap();
        let mut workspace = batch.workspace();
        let sample = batch.sample(&mut workspace, &initial, 200_000, 7, 1000).unwrap();
        let near = |a: f64, b: f64, interval: f64| (a - b).abs() <= 2.5 * interval + 1e-9;
        assert!(near(sample.mean_length(), summary.mean_length(), summary.length_interval()), "{name}");
        let mut outcomes = Outcomes::default();
        let jobs = [Job::new(&initial, 100_000)];
        batch.play(&mut workspace, &jobs, &options(8), &mut outcomes).unwrap();
        let steps: f64 = (0..outcomes.len()).map(|playout| f64::from(outcomes.length(playout))).sum();
        let mean = steps / outcomes.len() as f64;
        assert!(near(mean, summary.mean_length(), summary.length_interval()), "{name}");
        for role in 0..machine.role_count() {
            let sum: f64 =
                (0..outcomes.len()).map(|playout| f64::from(outcomes.goals(playout)[role].0)).sum();
            let mean = sum / outcomes.len() as f64;
            let interval = summary.goal_interval(role);
            assert!(near(mean, summary.mean_goal(role), interval), "{name} role {role}: {mean}");
        }
    }
}

#[test]
fn known_statistics_of_tic_tac_toe() {
    let batch = batch(samples::tic_tac_toe(), Target::detect());
    assert_eq!(batch.cost().roles_in_turn, 2);
    let sample = batch.sample(&mut batch.workspace(), &batch.machine.initial(), 1_000_000, 1, 100).unwrap();
    assert!((sample.mean_length() - 7.626).abs() < 0.01, "{}", sample.mean_length());
    let wins = sample.goal_counts[0][&100] as f64 / 1e6;
    assert!((wins - 0.585).abs() < 0.003, "{wins}");
    let draws = sample.goal_counts[1][&50] as f64 / 1e6;
    assert!((draws - 0.127).abs() < 0.003, "{draws}");
}

#[test]
fn long_playouts_are_cut_and_short_ones_are_not() {
    let batch = batch(samples::race(), Target::detect());
    let initial = batch.machine.initial();
    let jobs = [Job::new(&initial, 3000)];
    let mut outcomes = Outcomes::default();
    let capped = PlayOptions { most_steps: 5, ..options(2) };
    batch.play(&mut batch.workspace(), &jobs, &capped, &mut outcomes).unwrap();
    let mut cut = 0;
    for playout in 0..outcomes.len() {
        assert!((4..=5).contains(&outcomes.length(playout)));
        let goal = if outcomes.is_cut(playout) { Goal(0) } else { Goal(100) };
        assert_eq!(outcomes.goals(playout), [goal]);
        cut += usize::from(outcomes.is_cut(playout));
    }
    assert!((1500..2900).contains(&cut), "{cut}");
}

#[test]
fn a_role_without_moves_is_a_fault() {
    let batch = batch(samples::stuck(), Target::detect());
    let initial = batch.machine.initial();
    let fault = batch.sample(&mut batch.workspace(), &initial, 10_000, 1, 100);
    assert_eq!(fault, Err(RuleFault::NoLegalMove(RoleId(1))));
    let mut outcomes = Outcomes::default();
    let jobs = [Job::new(&initial, 3)];
    let fault = batch.play(&mut batch.workspace(), &jobs, &options(1), &mut outcomes);
    assert_eq!(fault, Err(RuleFault::NoLegalMove(RoleId(1))));
}

#[test]
fn playouts_of_finished_games_have_no_moves() {
    let batch = batch(samples::tic_tac_toe(), Target::detect());
    let states = some_states(&batch.machine, 30);
    let over = |state: &&CircuitState| batch.machine.is_terminal(&mut batch.machine.workspace(), state);
    let end = states.iter().find(over).unwrap();
    let sample = batch.sample(&mut batch.workspace(), end, 5000, 1, 100).unwrap();
    assert_eq!((sample.playouts, sample.steps), (5000, 0));
    assert_eq!(sample.goal_counts[0].values().sum::<u64>(), 5000);
    let mut outcomes = Outcomes::default();
    let initial = batch.machine.initial();
    let jobs = [Job::new(end, 2000), Job::new(&initial, 2000)];
    batch.play(&mut batch.workspace(), &jobs, &options(1), &mut outcomes).unwrap();
    for playout in 0..2000 {
        assert_eq!(outcomes.length(playout), 0);
        assert_eq!(outcomes.goals(playout), outcomes.goals(0));
        assert!((5..=9).contains(&outcomes.length(2000 + playout)));
    }
}

#[test]
fn machines_are_shared_between_threads() {
    fn shared<T: Send + Sync>(_: &T) {}
    let batch = batch(samples::race(), Target::detect());
    shared(&batch);
    let initial = batch.machine.initial();
    let run = |seed: u64| batch.sample(&mut batch.workspace(), &initial, 5000, seed, 100).unwrap();
    std::thread::scope(|scope| {
        let other = scope.spawn(|| run(5));
        assert_eq!(run(5), other.join().unwrap());
    });
}

#[test]
fn sweeps_go_by_turns_where_that_is_less_work() {
    let turns = batch(samples::breakthrough(8), Target::Portable);
    assert_eq!((turns.playouts.plan.round.as_slice(), turns.main().sweeps.len()), (&[0, 1][..], 2));
    assert_eq!(turns.cautious().sweeps.len(), 1);
    let together = batch(samples::guessing(), Target::Portable);
    assert_eq!(together.main().sweeps.len(), 1);
}

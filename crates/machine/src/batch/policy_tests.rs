//! Playouts under a policy: against chance, against single states, targets against each other.

use std::sync::Arc;

use game::{
    Describe, Dice, Expansion, Game, Job, MoveId, MoveRecord, MoveWorth, Outcomes, PlayOptions, Policy,
    RoleId, Sampler, Simulator, Weights, play_one_by_one,
};

use super::tests::{batch, some_states};
use super::*;
use crate::circuit::{CircuitState, MoveNumbers};
use crate::samples;

/// A worth for every move, from 0 to 11, no two the same: lanes break ties once a call, single
/// states in every step.
fn some_worth(batch: &BatchMachine) -> MoveWorth {
    let count = batch.machine.move_numbers().count() as u32;
    worth_by(batch, |id| (id * 7 % 11) as f32 + id as f32 / count as f32)
}

fn worth_by(batch: &BatchMachine, worth_of: impl Fn(u32) -> f32) -> MoveWorth {
    let numbers = batch.machine.move_numbers();
    let mut worth = MoveWorth::new(5.0);
    for role in numbers.roles() {
        numbers.range(role).for_each(|id| worth.set(role, MoveId(id), worth_of(id)));
    }
    worth
}

fn greedy(epsilon: f32) -> Sampler {
    Sampler::EpsilonGreedy { epsilon }
}

fn gibbs(temperature: f32) -> Sampler {
    Sampler::Gibbs { temperature }
}

fn policies(worth: &MoveWorth) -> [Policy<'_>; 3] {
    let samplers = [Sampler::Uniform, greedy(0.3), gibbs(4.0)];
    samplers.map(|sampler| Policy { weights: Weights::ByMove(worth), sampler })
}

fn play(batch: &BatchMachine, jobs: &[Job<'_, CircuitState>], options: &PlayOptions<'_>) -> Outcomes {
    let mut outcomes = Outcomes::default();
    batch.play_in_lanes(&mut batch.workspace(), jobs, options, &mut outcomes).unwrap();
    outcomes
}

#[test]
fn every_target_plays_the_same_playouts() {
    for (name, circuit) in samples::all() {
        let mut first: Option<(Vec<Outcomes>, Sample)> = None;
        for target in Target::ALL {
            let batch = batch(Arc::clone(&circuit), target);
            let states = some_states(&batch.machine, 90);
            // More playouts than lanes, some from states that are terminal.
            let jobs: Vec<Job<'_, CircuitState>> = states
                .iter()
                .enumerate()
                .map(|(index, start)| Job::new(start, (index * 7 % 40) as u32))
                .collect();
            let worth = some_worth(&batch);
            let mut answers = Vec::new();
            let mut workspace = batch.workspace();
            for policy in policies(&worth) {
                for record_moves in [false, true] {
                    let options = PlayOptions {
                        seed: 3,
                        most_steps: 40,
                        policy,
                        record_moves,
                        ..PlayOptions::default()
                    };
                    let mut outcomes = Outcomes::default();
                    batch.play(&mut workspace, &jobs, &options, &mut outcomes).unwrap();
                    answers.push(outcomes);
                }
            }
            let sample = batch.sample(&mut workspace, &batch.machine.initial(), 30_000, 9, 1000).unwrap();
            assert_eq!(sample.playouts, 30_000, "{name} {target:?}");
            let answers = (answers, sample);
            match &first {
                None => first = Some(answers),
                Some(first) => assert!(*first == answers, "{name} {target:?} plays differently"),
            }
        }
    }
}

/// Means of goals and lengths, and of how often each move was made, with their deviations.
struct Figures {
    playouts: f64,
    length: (f64, f64),
    goals: Vec<(f64, f64)>,
    moves: Vec<(f64, f64)>,
    move_goals: Vec<f64>,
}

fn figures(outcomes: &Outcomes, numbers: &MoveNumbers) -> Figures {
    let roles = numbers.roles().count();
    let playouts = outcomes.len() as f64;
    let moments = |value: &dyn Fn(usize) -> f64| {
        let mean = (0..outcomes.len()).map(value).sum::<f64>() / playouts;
        let square =
            (0..outcomes.len()).map(|playout| (value(playout) - mean).powi(2)).sum::<f64>() / playouts;
        (mean, square)
    };
    let all = || numbers.roles().flat_map(|role| numbers.range(role).map(move |id| (role, MoveId(id))));
    let fared = |(role, id)| outcomes.moves.of(role, id);
    let made = |place| f64::from(fared(place).playouts) / playouts;
    Figures {
        playouts,
        length: moments(&|playout| f64::from(outcomes.length(playout))),
        goals: (0..roles)
            .map(|role| moments(&|playout| f64::from(outcomes.goals(playout)[role].0)))
            .collect(),
        moves: all().map(|place| (made(place), made(place) * (1.0 - made(place)))).collect(),
        move_goals: all().map(|place| fared(place).goals as f64 / playouts).collect(),
    }
}

#[test]
fn lanes_play_as_single_states_do() {
    for (name, circuit) in samples::all() {
        let batch = batch(circuit, Target::detect());
        let initial = batch.machine.initial();
        let jobs = [Job::new(&initial, 6_000)];
        let worth = some_worth(&batch);
        let numbers = batch.machine.move_numbers();
        for (number, policy) in policies(&worth).into_iter().enumerate() {
            // Cut now and then, so that what is recorded of cut playouts is compared too.
            let options = PlayOptions {
                seed: 11,
                most_steps: 30,
                policy,
                record_moves: true,
                ..PlayOptions::default()
            };
            let lanes = figures(&play(&batch, &jobs, &options), numbers);
            let mut outcomes = Outcomes::default();
            let machine = &*batch.machine;
            play_one_by_one(machine, &mut machine.workspace(), &jobs, &options, &mut outcomes).unwrap();
            let single = figures(&outcomes, numbers);
            // Lanes share the draws of Gibbs, so their playouts vary a little more together than
            // independent ones would.
            let wide = if number == 2 { 9.0 } else { 4.5 };
            let near = |one: (f64, f64), two: (f64, f64), what: &str| {
                let deviation = (one.1.max(two.1) * 2.0 / lanes.playouts).sqrt();
                let apart = (one.0 - two.0).abs();
                assert!(apart <= wide * deviation + 1e-9, "{name} {policy:?} {what}: {} {}", one.0, two.0);
            };
            near(lanes.length, single.length, "length");
            for (&one, &two) in lanes.goals.iter().zip(&single.goals) {
                near(one, two, "goal");
            }
            for (&one, &two) in lanes.moves.iter().zip(&single.moves) {
                near(one, two, "moves");
            }
            for (id, (&one, &two)) in lanes.move_goals.iter().zip(&single.move_goals).enumerate() {
                // A goal is at most 100.
                let spread = lanes.moves[id].0.max(single.moves[id].0) * 1e4;
                near((one, spread), (two, spread), "goals of moves");
            }
        }
    }
}

#[test]
fn recording_does_not_change_the_playouts() {
    for (name, circuit) in samples::all() {
        let batch = batch(circuit, Target::detect());
        let states = some_states(&batch.machine, 40);
        let jobs: Vec<_> = states.iter().map(|start| Job::new(start, 12)).collect();
        let worth = some_worth(&batch);
        for policy in policies(&worth) {
            let options = PlayOptions { seed: 5, most_steps: 100, policy, ..PlayOptions::default() };
            let plain = play(&batch, &jobs, &options);
            let mut recorded = play(&batch, &jobs, &PlayOptions { record_moves: true, ..options });
            assert!(!recorded.moves.is_empty(), "{name}");
            recorded.moves.reset(batch.role_count());
            assert!(plain == recorded, "{name} {policy:?}");
        }
    }
}

#[test]
fn what_each_playout_had_adds_up_to_how_moves_fared() {
    for (name, circuit) in samples::all() {
        let batch = batch(circuit, Target::detect());
        let states = some_states(&batch.machine, 40);
        // More than there are lanes, so that lanes play several.
        for playouts in [2, 30] {
            let jobs: Vec<_> = states.iter().map(|start| Job::new(start, playouts)).collect();
            let worth = some_worth(&batch);
            for policy in policies(&worth) {
                let options = PlayOptions { seed: 5, most_steps: 100, policy, ..PlayOptions::default() };
                let outcomes =
                    play(&batch, &jobs, &PlayOptions { record_moves: true, record_made: true, ..options });
                let mut summed = MoveRecord::default();
                summed.reset(batch.role_count());
                for playout in 0..outcomes.len() {
                    for (role, id) in outcomes.made.of(playout) {
                        let goal = outcomes.goals(playout)[usize::from(role.0)].0;
                        summed.add(role, id, 1, u64::from(goal));
                    }
                }
                assert!(outcomes.moves.iter().eq(summed.iter()), "{name} {policy:?}");
            }
        }
    }
}

/// First moves of many playouts that are cut after one move: how often each was made.
fn first_moves(
    batch: &BatchMachine,
    state: &CircuitState,
    policy: Policy<'_>,
    calls: u64,
    each: u32,
) -> Vec<f64> {
    let mut counts = vec![0.0; batch.machine.move_numbers().count()];
    let jobs = [Job::new(state, each)];
    let mut workspace = batch.workspace();
    let mut outcomes = Outcomes::default();
    for seed in 0..calls {
        let options =
            PlayOptions { seed, most_steps: 1, policy, record_moves: true, ..PlayOptions::default() };
        batch.play_in_lanes(&mut workspace, &jobs, &options, &mut outcomes).unwrap();
        for (_, id, fared) in outcomes.moves.iter() {
            counts[id.0 as usize] += f64::from(fared.playouts);
        }
    }
    counts
}

/// By how many standard deviations chi-square is above its mean.
fn excess(found: &[f64], chances: &[f64]) -> f64 {
    let total: f64 = found.iter().sum();
    // What is hardly ever expected is counted together.
    let (mut cells, mut rest): (Vec<(f64, f64)>, (f64, f64)) = (Vec::new(), (0.0, 0.0));
    for (&found, &chance) in found.iter().zip(chances) {
        match total * chance {
            expected if expected < 10.0 => rest = (rest.0 + found, rest.1 + expected),
            expected => cells.push((found, expected)),
        }
    }
    if rest.1 >= 1.0 {
        cells.push(rest);
    } else {
        assert!(rest.0 < 10.0, "{rest:?}");
    }
    let squares = cells.iter().map(|(found, expected)| (found - expected).powi(2) / expected);
    let freedom = (cells.len() as f64 - 1.0).max(1.0);
    (squares.sum::<f64>() - freedom) / (2.0 * freedom).sqrt()
}

#[test]
fn gibbs_chooses_in_proportion() {
    for (name, circuit) in samples::all().into_iter().chain([("wide", samples::wide(300, 7))]) {
        let batch = batch(circuit, Target::detect());
        let worth = some_worth(&batch);
        let mut dice = Dice::new(8);
        let mut workspace = batch.workspace();
        let mut expansion = Expansion::new();
        let mut state = batch.initial();
        for step in 0..3 {
            batch.expand(&mut workspace, &state, &mut expansion).unwrap();
            if expansion.is_terminal() {
                break;
            }
            // One playout a call, as lanes that share draws are not independent of each other; at a
            // low temperature draws seldom serve and lanes choose by themselves.
            for (temperature, calls) in [(4.0, 12_000), (0.7, 12_000)] {
                let policy = Policy { weights: Weights::ByMove(&worth), sampler: gibbs(temperature) };
                let found = first_moves(&batch, &state, policy, calls, 1);
                for role in 0..batch.role_count() as u16 {
                    let legal = expansion.legal(RoleId(role));
                    let weight = |id: MoveId| f64::from(worth.of(RoleId(role), id) / temperature).exp();
                    let sum: f64 = legal.iter().map(|&id| weight(id)).sum();
                    let range = batch.machine.move_numbers().range(RoleId(role));
                    let chances: Vec<f64> = range
                        .clone()
                        .map(|id| if legal.contains(&MoveId(id)) { weight(MoveId(id)) / sum } else { 0.0 })
                        .collect();
                    let found = &found[range.start as usize..range.end as usize];
                    assert_eq!(found.iter().sum::<f64>(), calls as f64, "{name} makes one move");
                    let excess = excess(found, &chances);
                    assert!(excess < 5.5, "{name} step {step} role {role}: {excess} deviations");
                }
            }
            let joint: Vec<MoveId> =
                expansion.by_role().map(|legal| legal[dice.below(legal.len())]).collect();
            state = batch.apply(&mut workspace, &state, &joint).unwrap();
        }
    }
}

#[test]
fn lanes_of_one_state_part() {
    // Breakthrough has 22 first moves: independent playouts have some 4 to 5 alike in a hundred.
    let batch = batch(samples::breakthrough(8), Target::detect());
    let worth = some_worth(&batch);
    let initial = batch.initial();
    let policy = Policy { weights: Weights::ByMove(&worth), sampler: gibbs(10.0) };
    let counts = first_moves(&batch, &initial, policy, 1, 256);
    let idle = batch.find_move(RoleId(1), "noop").map_or(0, |id| id.0 as usize);
    let alike = |counts: &[f64]| counts.iter().map(|count| (count / 256.0).powi(2)).sum::<f64>();
    let own: Vec<f64> = counts.iter().enumerate().map(|(id, &c)| if id == idle { 0.0 } else { c }).collect();
    assert!(alike(&own) < 0.6, "{own:?}");
    let options = PlayOptions { policy, ..PlayOptions::default() };
    let outcomes = play(&batch, &[Job::new(&initial, 512)], &options);
    let mut lengths: Vec<u32> = (0..512).map(|playout| outcomes.length(playout)).collect();
    lengths.sort_unstable();
    lengths.dedup();
    assert!(lengths.len() > 20, "{lengths:?}");
}

#[test]
fn worth_is_followed() {
    let batch = batch(samples::race(), Target::detect());
    let initial = batch.machine.initial();
    let jobs = [Job::new(&initial, 600)];
    let lengths = |epsilon: f32, sign: f32| {
        let worth = worth_by(&batch, |id| sign * id as f32);
        let policy = Policy { weights: Weights::ByMove(&worth), sampler: greedy(epsilon) };
        let outcomes = play(&batch, &jobs, &PlayOptions { seed: 2, policy, ..PlayOptions::default() });
        (0..outcomes.len()).map(|playout| outcomes.length(playout)).collect::<Vec<_>>()
    };
    assert!(lengths(0.0, 1.0).iter().all(|&length| length == 4));
    assert!(lengths(0.0, -1.0).iter().all(|&length| length == 11));
    let mixed = lengths(0.5, -1.0);
    assert!(mixed.contains(&9) && mixed.iter().any(|&length| length < 8));
}

#[test]
fn moves_of_equal_worth_take_turns() {
    let batch = batch(samples::breakthrough(8), Target::detect());
    let initial = batch.initial();
    let worth = MoveWorth::new(1.0);
    let policy = Policy { weights: Weights::ByMove(&worth), sampler: greedy(0.0) };
    let found = first_moves(&batch, &initial, policy, 2_200, 1);
    let mut expansion = Expansion::new();
    batch.expand(&mut batch.workspace(), &initial, &mut expansion).unwrap();
    let legal = expansion.legal(RoleId(0));
    let found: Vec<f64> = legal.iter().map(|id| found[id.0 as usize]).collect();
    let excess = excess(&found, &vec![1.0 / legal.len() as f64; legal.len()]);
    assert!(excess < 4.5, "{found:?}");
}

#[test]
fn playouts_stop_when_told_to() {
    for (name, circuit) in samples::all() {
        let batch = batch(circuit, Target::detect());
        let states = some_states(&batch.machine, 30);
        let jobs: Vec<_> = states.iter().map(|start| Job::new(start, 40)).collect();
        let stop = std::sync::atomic::AtomicBool::new(true);
        let options = PlayOptions { stop: Some(&stop), record_moves: true, ..PlayOptions::default() };
        let outcomes = play(&batch, &jobs, &options);
        let mut readings = Vec::new();
        for playout in 0..outcomes.len() {
            assert!(outcomes.is_cut(playout) && outcomes.length(playout) == 0, "{name}");
            batch.goals(&mut batch.workspace(), &states[playout / 40], &mut readings).unwrap();
            let goals: Vec<_> = readings.iter().map(|reading| reading.value()).collect();
            assert_eq!(outcomes.goals(playout), goals, "{name}");
        }
        assert!(outcomes.moves.is_empty(), "{name}: nothing was made");
    }
}

#[test]
fn playouts_end_at_limits_of_their_own() {
    for (name, circuit) in samples::all() {
        let mut first = None;
        for target in Target::ALL {
            let batch = batch(Arc::clone(&circuit), target);
            let states = some_states(&batch.machine, 90);
            // More playouts than lanes.
            let jobs: Vec<Job<'_, CircuitState>> = states.iter().map(|start| Job::new(start, 11)).collect();
            let limits: Vec<u32> = (0..11 * jobs.len() as u32).map(|playout| playout * 5 % 13).collect();
            let options = PlayOptions { seed: 5, most_steps: 9, ..PlayOptions::default() };
            let (mut outcomes, mut cut) = (Outcomes::default(), Vec::new());
            let mut workspace = batch.workspace();
            batch.play_to(&mut workspace, &jobs, &options, &limits, &mut outcomes, &mut cut).unwrap();
            assert_eq!(outcomes.len(), limits.len(), "{name}");
            let mut expansion = Expansion::new();
            let mut readings = Vec::new();
            let mut cut_playouts = cut.iter();
            for (playout, &limit) in limits.iter().enumerate() {
                let limit = limit.min(9);
                let (length, is_cut) = (outcomes.length(playout), outcomes.is_cut(playout));
                assert!(length <= limit, "{name}: {playout} has {length} of {limit} steps, cut {is_cut}");
                if !outcomes.is_cut(playout) {
                    continue;
                }
                assert_eq!(outcomes.length(playout), limit, "{name}");
                let (number, state) = cut_playouts.next().expect("a state for each");
                assert_eq!(*number as usize, playout, "{name}");
                batch.expand(&mut workspace, state, &mut expansion).unwrap();
                assert!(!expansion.is_terminal(), "{name}");
                batch.goals(&mut workspace, state, &mut readings).unwrap();
                let goals: Vec<_> = readings.iter().map(|reading| reading.value()).collect();
                assert_eq!(outcomes.goals(playout), goals, "{name}");
                if limit == 0 {
                    assert_eq!(state, jobs[playout / 11].start, "{name}");
                }
            }
            assert!(cut_playouts.next().is_none(), "{name}");
            let answer = (outcomes, cut);
            assert!(*first.get_or_insert_with(|| answer.clone()) == answer, "{name}: {target:?}");
        }
    }
}

#[test]
fn playouts_are_cut_after_as_many_steps_in_lanes_as_one_by_one() {
    let batch = batch(samples::tic_tac_toe(), Target::detect());
    let start = batch.machine.initial();
    let jobs = [Job::new(&start, 6_000)];
    let limits: Vec<u32> = (0..6_000).map(|playout| 4 + playout % 4).collect();
    let options = PlayOptions { seed: 5, ..PlayOptions::default() };
    let (mut lanes, mut cut) = (Outcomes::default(), Vec::new());
    batch.play_to(&mut batch.workspace(), &jobs, &options, &limits, &mut lanes, &mut cut).unwrap();
    let (mut plain, mut plain_cut) = (Outcomes::default(), Vec::new());
    let (single, mut workspace) = (&*batch.machine, batch.machine.workspace());
    single.play_to(&mut workspace, &jobs, &options, &limits, &mut plain, &mut plain_cut).unwrap();
    for limit in 4..8 {
        let part = |outcomes: &Outcomes| {
            let own = (0..6_000).filter(|&playout| limits[playout] == limit);
            own.filter(|&playout| outcomes.is_cut(playout)).count() as f64 / 1_500.0
        };
        let (one, other) = (part(&lanes), part(&plain));
        assert!((one - other).abs() < 0.06, "{limit}: {one} and {other}");
        assert!(limit > 4 || one == 1.0, "nobody wins in four moves");
    }
}

//! Races by a clock that is counted, not measured: every look at it takes a while.

use std::sync::atomic::{AtomicU64, Ordering};

use engine::Engine;
use game::Game;
use machine::batch::BatchMachine;

use super::*;

/// What a look at the clock takes: a batch of simulations is some looks.
const LOOK: Duration = Duration::from_micros(5);

pub(crate) fn game(name: &str) -> Arc<BatchMachine> {
    let rules = gdl::normal::read(bundled::find(name).expect("bundled").rules);
    let budget = ground::Budget {
        clock: &|| Duration::ZERO,
        deadline: Duration::MAX,
        bytes: 1 << 30,
        progress: &|_| true,
    };
    let build = machine::build::circuit(&rules, circuit::Effort::Thorough, &budget).expect("a circuit");
    Arc::new(BatchMachine::new(Arc::new(machine::circuit::CircuitMachine::new(build.circuit))))
}

fn settings() -> Settings {
    let mut settings = Settings::new(Parameters::rows(&Policies::standard()));
    for (name, value) in [("batch", "128"), ("memory", "64")] {
        settings.preset(name, value).expect("a value");
    }
    settings
}

/// Runs a race of some counted time; what it says, and when it ended.
fn run(name: &str, settings: &Settings, time: Duration) -> (Option<Verdict<BatchMachine>>, Duration) {
    let looks = AtomicU64::new(0);
    let clock = || LOOK * looks.fetch_add(1, Ordering::Relaxed) as u32;
    let game = game(name);
    let start = game.initial();
    let race =
        Race::begin(&game, &start, (settings, &Policies::standard(), 1), &Vec::new(), &clock, (time, time))
            .expect("no fault");
    let Some(mut race) = race else { return (None, clock()) };
    let budget = Budget { turn_ends: Some(time), ..Budget::until(&clock, time) };
    while !race.is_over() {
        race.step(&budget).expect("no fault");
    }
    (Some(race.end()), clock())
}

#[test]
fn games_are_read() {
    let read = |name: &str| {
        let game = game(name);
        character::read(&*game, &game.initial(), 1, || true).expect("no fault")
    };
    let duel = read("connect-four");
    assert_eq!((duel.deciders, duel.at_once, duel.is_zero_sum), (2, 0.0, true));
    assert!((5.0..=7.0).contains(&duel.branching) && (10.0..42.0).contains(&duel.length), "{duel}");
    assert!(duel.progression > 0.6, "a board that fills up: {duel}");
    let bids = read("goofspiel");
    assert!(bids.at_once > 0.5 && bids.deciders == 2, "{bids}");
    assert!(duel.to_string().contains("2 roles, in turn, zero-sum"), "{duel}");
    assert!(bids.to_string().contains("at once"), "{bids}");
}

#[test]
fn a_race_ends_in_time_and_says_what_it_chose() {
    let time = Duration::from_secs(1);
    let (verdict, ended) = run("connect-four", &settings(), time);
    let verdict = verdict.expect("a race");
    println!("{}", verdict.text);
    assert!(ended < time + 2_000 * LOOK, "{ended:?}");
    assert!(verdict.text.contains("settings after"), "{}", verdict.text);
    assert_eq!(verdict.chosen.is_some(), verdict.text.starts_with("chose"), "{}", verdict.text);
}

#[test]
fn in_doubt_nothing_is_chosen() {
    let evidence = |numbers: &[f64]| {
        let mut evidence = Evidence::default();
        numbers.iter().for_each(|&number| evidence.add(number));
        evidence
    };
    let none = Evidence::default();
    // Means of 4 and 1 with standard errors of 1.15 each: 3.5 and 0.9.
    let (clear, unclear) = (evidence(&[2.0, 6.0, 2.0, 6.0]), evidence(&[-1.0, 3.0, -1.0, 3.0]));
    assert!(sureness(&clear, &none, 6).is_some(), "answers are enough where there are no matches");
    assert!(sureness(&unclear, &none, 6).is_none());
    // Four matches are not enough, six are.
    assert!(sureness(&none, &evidence(&[0.5; 4]), 6).is_none());
    assert!(sureness(&none, &evidence(&[0.5; 6]), 6).is_some());
    assert!(sureness(&none, &evidence(&[0.5, -0.5, 0.5, -0.5, 0.5, -0.5, 0.5, 0.5]), 6).is_none());
}

#[test]
fn many_settings_cost_little() {
    let evidence = |numbers: &[f64]| {
        let mut evidence = Evidence::default();
        numbers.iter().for_each(|&number| evidence.add(number));
        evidence
    };
    let (won, drawn, lost) = (0.5, 0.0, -0.5);
    // One match says nothing; of two not more than a draw may be lost.
    for (points, is_out) in [
        (&[lost][..], false),
        (&[won, lost], false),
        (&[drawn, drawn], false),
        (&[lost, drawn], true),
        (&[lost, lost], true),
        (&[won, lost, won, lost, won], false),
        (&[won, lost, won, lost, won, lost], true),
        (&[won, won, won, lost, lost, won], false),
    ] {
        assert_eq!(runner::are_too_bad(&evidence(points)), is_out, "{points:?}");
    }
    // All of six won by luck is one of 64, of seven one of 128.
    assert_eq!([1, 4, 5, 8, 9, 16].map(fewest_matches), [6, 6, 7, 7, 8, 8]);
}

#[test]
fn a_race_goes_on_during_play_and_the_rival_takes_over_when_it_wins() {
    let (verdict, _) = run("tic-tac-toe", &settings(), Duration::from_millis(300));
    let mut rivalry =
        verdict.and_then(|verdict| verdict.rivalry).expect("everybody draws, so somebody is near");
    let state = game("tic-tac-toe").initial();
    let looks = AtomicU64::new(0);
    let clock = || LOOK * looks.fetch_add(1, Ordering::Relaxed) as u32;
    let turn = |rivalry: &mut Rivalry<BatchMachine>, time: Duration| {
        let ends = clock() + time;
        let budget = Budget { turn_ends: Some(ends), ..Budget::until(&clock, ends) };
        let begun = clock();
        let change = rivalry.spend(&state, &budget).expect("no fault");
        (change.map(|(setting, text)| (setting.parameters.policy.row().name, text)), clock() - begun)
    };
    // A turn of the length of the race's leaves no time for it, a long one does.
    assert!(turn(&mut rivalry, Duration::from_millis(50)).1 < 10 * LOOK);
    assert_eq!(rivalry.pairs(), 0);
    for _ in 0..3 {
        let (change, used) = turn(&mut rivalry, Duration::from_secs(5));
        assert!(change.is_none(), "both draw: {change:?}");
        assert!(used < Duration::from_millis(250), "{used:?}");
    }
    assert!(rivalry.pairs() > 1);
    rivalry.let_the_rival_win();
    let (policy, text) = turn(&mut rivalry, Duration::from_millis(50)).0.expect("it takes over");
    assert_eq!(policy, "mast-greedy");
    assert!(text.starts_with("changed to policy=mast-greedy during play"), "{text}");
    // The other one has to win as clearly to come back.
    assert_eq!(rivalry.pairs(), 0);
    rivalry.let_the_rival_win();
    let (policy, _) = turn(&mut rivalry, Duration::from_millis(50)).0.expect("it comes back");
    assert_eq!(policy, "uniform");
}

#[test]
fn without_time_there_is_no_race() {
    assert!(run("tic-tac-toe", &settings(), Duration::from_millis(50)).0.is_none());
}

#[test]
fn where_roles_move_at_once_mixed_settings_play_matches() {
    let (verdict, _) = run("goofspiel", &settings(), Duration::from_secs(1));
    let text = verdict.expect("a race").text;
    println!("{text}");
    assert!(text.contains("simultaneous=regret-matching,") && text.contains("in matches"), "{text}");
}

/// An engine on a machine, by a clock that is counted.
fn engine(name: &str, race: &str, looks: &Arc<AtomicU64>) -> Box<dyn Engine> {
    let game = game(name);
    let registry = crate::engines::registry();
    let row = registry.engine("mcts").expect("tree search");
    let mut settings = Settings::new(row.parameters.clone());
    settings.preset("memory", "64").expect("a number");
    settings.preset("race", race).expect("a number");
    let looks = Arc::clone(looks);
    let clock: engine::Clock = Arc::new(move || LOOK * looks.fetch_add(1, Ordering::Relaxed) as u32);
    let machine = machine::Machine::from(game);
    let seat = engine::Seat {
        machine: &machine,
        history: &[],
        settings: &settings,
        seed: 1,
        clock: &clock,
        helpers: None,
    };
    (row.make)(&seat).expect("an engine")
}

#[test]
fn a_whole_game_is_played_with_a_race_and_tuning() {
    let looks = Arc::new(AtomicU64::new(0));
    let mut engine = engine("tic-tac-toe", "1", &looks);
    let clock = || LOOK * looks.fetch_add(1, Ordering::Relaxed) as u32;
    let think = |engine: &mut Box<dyn Engine>, time: Duration| {
        engine.begin_turn();
        let turn_ends = clock() + time;
        loop {
            let until = (clock() + Duration::from_millis(50)).min(turn_ends);
            let budget = Budget { turn_ends: Some(turn_ends), ..Budget::until(&clock, until) };
            let stop = engine.think(&budget).expect("no fault");
            if stop != engine::Stop::Time || clock() >= turn_ends {
                return;
            }
        }
    };
    think(&mut engine, Duration::from_secs(3));
    let told = engine.events().iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
    println!("{told}");
    let mut moves = 0;
    for turn in 0.. {
        let role = RoleId(turn % 2);
        think(&mut engine, Duration::from_millis(500));
        let Some(decision) = engine.decide(role).expect("no fault") else { break };
        assert!(moves > 2 || decision.tuning.is_some() || decision.proven, "{decision:?}");
        let joint = match role.0 {
            0 => vec![decision.text, "noop".to_owned()],
            _ => vec!["noop".to_owned(), decision.text],
        };
        assert!(engine.advance(&joint).expect("no fault"));
        moves += 1;
    }
    // Both play as well as can be.
    assert_eq!(moves, 9);
}

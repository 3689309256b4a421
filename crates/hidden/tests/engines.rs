//! The engines, in matches that a host conducts: told what their role sees, and nothing else.

use std::sync::Arc;
use std::time::Duration;

use engine::{Budget, Clock, Decision, Engine, Seat, Settings};
use game::{Describe, Dice, Expansion, Game, MoveId, Observe, RoleId};
use hidden::engines::{Manner, NAMES, plain, rows};
use machine::{Limits, Machine, Target, Wanted};

const GAMES: [&str; 8] = [
    "monty-hall",
    "kuhn-poker",
    "leduc-poker",
    "banker-and-thief",
    "blind-tic-tac-toe",
    "kriegspiel-tic-tac-toe",
    "liars-dice",
    "tiny-hanabi",
];

fn machine(name: &str) -> Machine {
    let rules = bundled::find(name).expect("a bundled game").rules;
    machine::from_text(rules, Wanted::Batch(Target::detect()), &Limits::generous()).expect("a machine")
}

fn engine(machine: &Machine, name: &str, seed: u64) -> Box<dyn Engine> {
    let row = rows().into_iter().find(|row| row.name == name).expect("an engine");
    let settings = Settings::new(row.parameters.clone());
    let clock: Clock = Arc::new(|| Duration::ZERO);
    let seat = Seat { machine, history: &[], settings: &settings, seed, clock: &clock, helpers: None };
    (row.make)(&seat).expect("it plays any game")
}

fn decide(engine: &mut dyn Engine, role: RoleId, simulations: u64) -> Decision {
    engine.begin_turn();
    engine.decide(role).expect("no fault").expect("the game goes on");
    engine.think(&Budget::simulations(simulations)).expect("no fault");
    engine.decide(role).expect("no fault").expect("the game goes on")
}

/// Plays a match; every move has to be legal, and whatever was told agrees with something.
fn play(machine: &Machine, mut players: Vec<Box<dyn Engine>>, seed: u64, simulations: u64) -> Vec<u8> {
    let game = machine.erased();
    let mut dice = Dice::new(seed);
    let (mut workspace, mut state, mut expansion) = (game.workspace(), game.initial(), Expansion::new());
    loop {
        game.expand(&mut workspace, &state, &mut expansion).expect("no fault");
        if expansion.is_terminal() {
            break;
        }
        let mut joint: Vec<MoveId> =
            expansion.by_role().map(|legal| legal[dice.below(legal.len())]).collect();
        for (role, engine) in game.role_ids().zip(&mut players) {
            if game.chance() != Some(role) {
                let decision = decide(&mut **engine, role, simulations);
                let id = game.find_move(role, &decision.text).expect("a move");
                assert!(expansion.legal(role).contains(&id), "`{}` is not legal", decision.text);
                joint[usize::from(role.0)] = id;
            }
        }
        for (role, engine) in game.role_ids().zip(&mut players) {
            let mut told = Vec::new();
            game.observe(&mut workspace, &state, &joint, role, &mut told).expect("no fault");
            let own = game.move_text(joint[usize::from(role.0)]);
            let texts = told.iter().map(|&id| game.percept_text(id));
            let texts: Vec<String> = std::iter::once(own).chain(texts).collect();
            assert_eq!(engine.advance(&texts), Ok(true), "what happened is possible");
        }
        state = game.apply(&mut workspace, &state, &joint).expect("no fault");
    }
    let mut goals = Vec::new();
    game.goals(&mut workspace, &state, &mut goals).expect("no fault");
    goals.iter().map(|goal| goal.value().0).collect()
}

#[test]
fn every_engine_plays_every_game_by_what_it_is_told() {
    for name in GAMES {
        let machine = machine(name);
        for engine_name in NAMES {
            let players = machine.roles().iter().map(|_| engine(&machine, engine_name, 3)).collect();
            play(&machine, players, 5, 20);
        }
        for manner in [Manner::Any, Manner::First] {
            let players = machine.roles().iter().map(|_| plain(&machine, &[], "plain", manner, 7)).collect();
            play(&machine, players, 6, 20);
        }
    }
}

#[test]
fn the_default_asks_the_question_that_halves() {
    let machine = machine("number-guessing");
    let mut player = engine(&machine, "hidden", 1);
    let role = RoleId(0);
    player.decide(role).expect("no fault");
    player.advance(&["noop".to_owned()]).expect("no fault");
    let decision = decide(&mut *player, role, 10);
    assert_eq!((&decision.text[..], decision.proven), ("(less 9)", true));
    assert!((decision.value.expect("solved") - 80.0).abs() < 1e-6);
    player.advance(&["(less 9)".to_owned(), "no".to_owned()]).expect("no fault");
    assert_eq!(decide(&mut *player, role, 10).text, "(less 13)");
}

#[test]
fn an_engine_made_in_the_middle_knows_what_was_told_before() {
    let machine = machine("number-guessing");
    let role = RoleId(0);
    let row = rows().into_iter().find(|row| row.name == "hidden").expect("an engine");
    let settings = Settings::new(row.parameters.clone());
    let clock: Clock = Arc::new(|| Duration::ZERO);
    let texts = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect::<Vec<String>>();
    let history = [
        texts(&["noop"]),
        texts(&["(less 9)", "no"]),
        texts(&["(less 13)", "yes"]),
        texts(&["(less 11)", "no"]),
    ];
    let seat = Seat {
        machine: &machine,
        history: &history,
        settings: &settings,
        seed: 1,
        clock: &clock,
        helpers: None,
    };
    let mut player = (row.make)(&seat).expect("it plays any game");
    assert_eq!(decide(&mut *player, role, 10).text, "(less 12)");
    player.advance(&texts(&["(LESS 12)", "YES"])).expect("no fault");
    assert_eq!(decide(&mut *player, role, 10).text, "(guess 11)");
}

#[test]
fn who_was_told_what_cannot_be_says_so_and_plays_on() {
    let machine = machine("kriegspiel-tic-tac-toe");
    let mut player = engine(&machine, "information-sets", 1);
    let role = RoleId(0);
    let first = decide(&mut *player, role, 50).text;
    assert_eq!(player.advance(&[first, "(turn nobody)".to_owned()]), Ok(false));
    let said: Vec<String> = player.events().iter().map(ToString::to_string).collect();
    assert!(said.iter().any(|text| text.contains("nothing agrees")), "{said:?}");
    decide(&mut *player, role, 50);
}

#[test]
fn who_only_needs_a_legal_move_looks_on_for_where_it_is() {
    // On a slow machine few codes are tried in a step, and often none of them agrees: there is time to go on.
    let rules = bundled::find("mastermind").expect("a bundled game").rules;
    let machine = machine::from_text(rules, Wanted::Reference, &Limits::generous()).expect("a machine");
    let (game, role, mut looked) = (machine.erased(), RoleId(0), 0);
    for seed in 0..6 {
        let mut player = plain(&machine, &[], "plain", Manner::Any, seed);
        let (mut workspace, mut state, mut expansion) = (game.workspace(), game.initial(), Expansion::new());
        let mut dice = Dice::new(40 + seed);
        loop {
            game.expand(&mut workspace, &state, &mut expansion).expect("no fault");
            if expansion.is_terminal() {
                break;
            }
            player.begin_turn();
            let first = player.decide(role).expect("no fault").expect("the game goes on");
            looked += first.possible.expect("something is hidden").inconsistent;
            let clock = || Duration::ZERO;
            player.think(&Budget::until(&clock, Duration::from_secs(1))).expect("no fault");
            let decision = player.decide(role).expect("no fault").expect("the game goes on");
            let possible = decision.possible.expect("something is hidden");
            assert!(possible.positions > 0 && possible.inconsistent == 0, "{seed}: {possible:?}");
            let mut joint: Vec<MoveId> =
                expansion.by_role().map(|legal| legal[dice.below(legal.len())]).collect();
            joint[0] = game.find_move(role, &decision.text).expect("a move");
            let mut told = Vec::new();
            game.observe(&mut workspace, &state, &joint, role, &mut told).expect("no fault");
            let texts = told.iter().map(|&id| game.percept_text(id));
            player
                .advance(&std::iter::once(decision.text).chain(texts).collect::<Vec<_>>())
                .expect("no fault");
            state = game.apply(&mut workspace, &state, &joint).expect("no fault");
        }
    }
    assert!(looked > 0, "all of it was found at once");
}

#[test]
fn who_values_moves_by_players_knows_something_before_they_do() {
    // Within simulations a match at backgammon takes longer than a turn. The clock is that of who has no time for one.
    let machine = machine("backgammon");
    let (role, looks) = (RoleId(0), std::sync::atomic::AtomicU64::new(0));
    let clock = || Duration::from_millis(looks.fetch_add(1, std::sync::atomic::Ordering::Relaxed));
    let mut player = engine(&machine, "nested", 1);
    player.decide(role).expect("no fault");
    let game = machine.erased();
    let (mut workspace, mut state, mut expansion) = (game.workspace(), game.initial(), Expansion::new());
    let mut dice = Dice::new(3);
    loop {
        game.expand(&mut workspace, &state, &mut expansion).expect("no fault");
        if expansion.legal(role).len() > 1 {
            break;
        }
        let joint: Vec<MoveId> = expansion.by_role().map(|legal| legal[dice.below(legal.len())]).collect();
        let mut told = Vec::new();
        game.observe(&mut workspace, &state, &joint, role, &mut told).expect("no fault");
        let texts = told.iter().map(|&id| game.percept_text(id));
        let own = game.move_text(joint[0]);
        player.advance(&std::iter::once(own).chain(texts).collect::<Vec<_>>()).expect("no fault");
        state = game.apply(&mut workspace, &state, &joint).expect("no fault");
    }
    player.begin_turn();
    let mut think = |slice, turn| {
        let now = clock();
        let budget = Budget { turn_ends: Some(now + turn), ..Budget::until(&clock, now + slice) };
        player.think(&budget).expect("no fault");
        player.decide(role).expect("no fault").expect("the game goes on")
    };
    let (slice, turn) = (Duration::from_millis(2), Duration::from_millis(6));
    let first = think(slice, turn);
    assert!(!first.unthought && first.simulations > 0, "{first:?}");
    // The match within the simulation is given up when the turn is over: the thought before stays.
    let second = think(slice, turn);
    assert_eq!((second.simulations, second.text), (first.simulations, first.text));
    // With time for all moves it is theirs that counts.
    let moves = expansion.legal(role).len();
    let last = (0..2 * moves).map(|_| think(slice, Duration::MAX / 2)).last().expect("moves");
    let visits: Vec<u32> = last.moves.iter().map(|each| each.visits).collect();
    assert!(visits.iter().all(|&visits| visits > 0 && visits < 8), "{visits:?}");
}

#[test]
fn knowing_the_tree_beats_guessing_at_cards() {
    // Over many deals an equilibrium loses to nobody, and most of all not to who takes every card for seen.
    let machine = machine("kuhn-poker");
    let mut total = 0i64;
    let rounds = 300;
    for round in 0..rounds {
        let names =
            if round % 2 == 0 { ["equilibrium", "determinised"] } else { ["determinised", "equilibrium"] };
        let mut players: Vec<Box<dyn Engine>> = names
            .iter()
            .enumerate()
            .map(|(place, name)| engine(&machine, name, round * 7 + place as u64))
            .collect();
        players.push(plain(&machine, &[], "plain", Manner::First, 0));
        let goals = play(&machine, players, round / 2, 200);
        total += i64::from(goals[(round % 2) as usize]) - 50;
    }
    assert!(total > -(rounds as i64) * 5, "{total}");
}

#[test]
fn the_same_seed_gives_the_same_moves() {
    let machine = machine("kriegspiel-tic-tac-toe");
    let moves = |seed| {
        let mut player = engine(&machine, "information-sets", seed);
        let first = decide(&mut *player, RoleId(0), 200);
        player.advance(&[first.text.clone(), "(turn o)".to_owned()]).expect("no fault");
        player.advance(&["noop".to_owned(), "(turn x)".to_owned()]).expect("no fault");
        let second = decide(&mut *player, RoleId(0), 200);
        let visits = |decision: &Decision| decision.moves.iter().map(|each| each.visits).collect::<Vec<_>>();
        (visits(&first), visits(&second))
    };
    assert_eq!(moves(4), moves(4));
    assert_ne!(moves(4), moves(5));
}

#[test]
fn who_is_shown_something_asks_why_it_is_shown() {
    // A thief that took a banker to move at random would rob the bank with three bars. But a banker has reason to put one bar
    // where the alarm is broken: so the thief robs the bank with one bar more often, and yet not always.
    let machine = machine("banker-and-thief");
    let (role, mut small) = (RoleId(1), 0);
    for seed in 0..200 {
        let mut player = engine(&machine, "hidden", seed);
        player.decide(role).expect("no fault");
        player.advance(&["noop".to_owned()]).expect("no fault");
        player.advance(&["noop".to_owned(), "(gold 1 3)".to_owned()]).expect("no fault");
        small += u32::from(decide(&mut *player, role, 10).text == "(rob left)");
    }
    assert!((105..=155).contains(&small), "{small} of 200");
}

#[test]
fn a_banker_keeps_its_secret() {
    // An equilibrium that is good enough gives it away now and then.
    let machine = machine("banker-and-thief");
    let mut even = 0;
    for seed in 0..40 {
        let mut player = engine(&machine, "hidden", seed);
        player.decide(RoleId(0)).expect("no fault");
        player.advance(&["noop".to_owned(), "(broken left)".to_owned()]).expect("no fault");
        even += u32::from(decide(&mut *player, RoleId(0), 10).text == "(divide 2 2)");
    }
    assert!(even >= 36, "{even} of 40");
}

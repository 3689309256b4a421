//! Matches between engines for hidden information: what they get, what they do, and how their beliefs fared.
//!
//! ```text
//! cargo run --release -p hidden --example information -- GAME ENGINE ENGINE MATCHES SIMULATIONS
//! ```
//!
//! Both engines take all parts in turn; in a game of one player each plays alone.

#![allow(clippy::print_stdout)]

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use engine::{Budget, Clock, Engine, Seat, Settings};
use game::{Describe, Dice, Expansion, Game, MoveId, Observe, RoleId};
use machine::{ErasedGame, Limits, Machine, Target, Wanted};

/// What is known of an engine after some matches.
#[derive(Default)]
struct Account {
    goals: Vec<f64>,
    /// How often each move was made in each step and role, by the name of the move.
    moves: BTreeMap<(usize, usize, String), u64>,
    /// What beliefs had to say.
    said: BTreeMap<String, u64>,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [game, one, two, matches, simulations] = &arguments[..] else {
        eprintln!("information GAME ENGINE ENGINE MATCHES SIMULATIONS");
        std::process::exit(2);
    };
    let number = |text: &String| text.parse::<u64>().unwrap_or_else(|_| panic!("`{text}` is no number"));
    let rules = bundled::find(game).expect("a bundled game").rules;
    let machine = machine::from_text(rules, Wanted::Batch(Target::detect()), &Limits::generous());
    let machine = machine.expect("a machine");
    let table = Table { game: machine.erased(), machine, simulations: number(simulations) };
    let mut accounts = [Account::default(), Account::default()];
    for round in 0..number(matches) {
        table.play([one, two], round, &mut accounts);
    }
    for (name, account) in [one, two].into_iter().zip(&accounts) {
        account.write(name);
    }
}

struct Table {
    machine: Machine,
    game: Arc<ErasedGame>,
    simulations: u64,
}

impl Table {
    fn engine(&self, name: &str, seed: u64) -> Box<dyn Engine> {
        let row = hidden::engines::rows().into_iter().find(|row| row.name == name);
        let row = row.unwrap_or_else(|| panic!("there is no engine `{name}`"));
        let settings = Settings::new(row.parameters.clone());
        let clock: Clock = Arc::new(|| Duration::ZERO);
        let seat = Seat { machine: &self.machine, history: &[], settings: &settings, seed, clock: &clock };
        (row.make)(&seat).expect("it plays any game")
    }

    /// A match in which engines take the parts of those who decide in turn.
    fn play(&self, names: [&String; 2], round: u64, accounts: &mut [Account; 2]) {
        let game = &*self.game;
        let deciders: Vec<RoleId> = game.role_ids().filter(|role| game.chance() != Some(*role)).collect();
        let mut dice = Dice::stream(77, round / 2);
        let who = |place: usize| (place + round as usize) % 2;
        let mut players: Vec<(RoleId, usize, Box<dyn Engine>)> = deciders
            .iter()
            .enumerate()
            .map(|(place, &role)| {
                (role, who(place), self.engine(names[who(place)], round * 10 + place as u64))
            })
            .collect();
        let (mut workspace, mut state, mut expansion) = (game.workspace(), game.initial(), Expansion::new());
        for step in 0.. {
            game.expand(&mut workspace, &state, &mut expansion).expect("no fault");
            if expansion.is_terminal() {
                break;
            }
            let mut joint: Vec<MoveId> =
                expansion.by_role().map(|legal| legal[dice.below(legal.len())]).collect();
            for (role, account, engine) in &mut players {
                if expansion.legal(*role).len() > 1 {
                    engine.begin_turn();
                    engine.decide(*role).expect("no fault");
                    engine.think(&Budget::simulations(self.simulations)).expect("no fault");
                    let decision = engine.decide(*role).expect("no fault").expect("it goes on");
                    let id = game.find_move(*role, &decision.text).expect("a move");
                    assert!(expansion.legal(*role).contains(&id), "`{}` is not legal", decision.text);
                    joint[usize::from(role.0)] = id;
                    let key = (step, usize::from(role.0), decision.text);
                    *accounts[*account].moves.entry(key).or_default() += 1;
                }
            }
            for (role, account, engine) in &mut players {
                let mut told = Vec::new();
                game.observe(&mut workspace, &state, &joint, *role, &mut told).expect("no fault");
                let own = game.move_text(joint[usize::from(role.0)]);
                let texts = told.iter().map(|&id| game.percept_text(id));
                let texts: Vec<String> = std::iter::once(own).chain(texts).collect();
                engine.advance(&texts).expect("no fault");
                for event in engine.events() {
                    let text = event.to_string().replace(|letter: char| letter.is_ascii_digit(), "#");
                    *accounts[*account].said.entry(text).or_default() += 1;
                }
            }
            state = game.apply(&mut workspace, &state, &joint).expect("no fault");
        }
        let mut goals = Vec::new();
        game.goals(&mut workspace, &state, &mut goals).expect("no fault");
        for (role, account, _) in &players {
            accounts[*account].goals.push(f64::from(goals[usize::from(role.0)].value().0));
        }
    }
}

impl Account {
    fn write(&self, name: &str) {
        let count = self.goals.len().max(1) as f64;
        let mean = self.goals.iter().sum::<f64>() / count;
        let variance =
            self.goals.iter().map(|goal| (goal - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
        println!("{name}: {mean:.2} +- {:.2} in {count} parts", 1.96 * (variance / count).sqrt());
        for ((step, role, text), made) in self.moves.iter().filter(|(key, _)| key.0 < 3) {
            println!("  step {step}, role {role}: {text} {made}x");
        }
        for (text, times) in &self.said {
            println!("  {times}x {text}");
        }
    }
}

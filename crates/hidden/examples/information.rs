//! Matches between engines for hidden information: what they get, what they do, and how their beliefs fared.
//!
//! ```text
//! cargo run --release -p hidden --example information -- GAME ENGINE ENGINE MATCHES SIMULATIONS
//! ```
//!
//! `ENGINE@500` has simulations of its own: those of some engines take longer than those of others, and how long they took is
//! told. Both engines take all parts in turn; in a game of one player each plays alone. In a game of two that is small enough to be
//! laid out each engine then meets one who knows how it plays: what it did in those matches is answered as well as can be, and as many
//! matches are played against that answer. Who gives away what it knows, or does not look at what others give
//! away, loses there what nobody took from it before.

#![allow(clippy::print_stdout)]

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use engine::{Budget, Clock, Engine, Seat, Settings};
use game::{Describe, Dice, Expansion, Game, MoveId, Observe, RoleId};
use hidden::{BestAnswer, Equilibrium, GameTree, Growth, View, read_step, tell};
use machine::{ErasedGame, Limits, Machine, Target, Wanted};

/// A role, and what it did and was told.
type Knowledge = (u16, Vec<Vec<String>>);

/// What is known of an engine after some matches.
#[derive(Default)]
struct Account {
    goals: Vec<f64>,
    /// How long decisions took.
    seconds: Vec<f64>,
    /// How often each move was made in each step and role, by the name of the move.
    moves: BTreeMap<(usize, usize, String), u64>,
    /// How often each move was made where a role knew something: what it did and was told.
    policy: BTreeMap<Knowledge, BTreeMap<String, f64>>,
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
    table.see_through([one, two], number(matches), &accounts);
}

/// Nodes of a game that is laid out to see engines through.
const MOST_NODES: usize = 300_000;

struct Table {
    machine: Machine,
    game: Arc<ErasedGame>,
    simulations: u64,
}

impl Table {
    /// What an engine may do for a decision.
    fn budget(&self, name: &str) -> Budget<'static> {
        let own = name.split_once('@').and_then(|(_, number)| number.parse().ok());
        Budget::simulations(own.unwrap_or(self.simulations))
    }

    fn engine(&self, name: &str, seed: u64) -> Box<dyn Engine> {
        let name = name.split('@').next().unwrap_or(name);
        let row = hidden::engines::rows().into_iter().find(|row| row.name == name);
        let row = row.unwrap_or_else(|| panic!("there is no engine `{name}`"));
        let settings = Settings::new(row.parameters.clone());
        let clock: Clock = Arc::new(|| Duration::ZERO);
        let seat = Seat {
            machine: &self.machine,
            history: &[],
            settings: &settings,
            seed,
            clock: &clock,
            helpers: None,
        };
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
        let mut known: Vec<Vec<Vec<String>>> = vec![Vec::new(); game.role_count()];
        for step in 0.. {
            game.expand(&mut workspace, &state, &mut expansion).expect("no fault");
            if expansion.is_terminal() {
                break;
            }
            let mut joint: Vec<MoveId> =
                expansion.by_role().map(|legal| legal[dice.below(legal.len())]).collect();
            for (role, account, engine) in &mut players {
                if expansion.legal(*role).len() > 1 {
                    let begin = Instant::now();
                    engine.begin_turn();
                    engine.decide(*role).expect("no fault");
                    engine.think(&self.budget(names[*account])).expect("no fault");
                    accounts[*account].seconds.push(begin.elapsed().as_secs_f64());
                    let decision = engine.decide(*role).expect("no fault").expect("it goes on");
                    let id = game.find_move(*role, &decision.text).expect("a move");
                    assert!(expansion.legal(*role).contains(&id), "`{}` is not legal", decision.text);
                    joint[usize::from(role.0)] = id;
                    let place = (role.0, known[usize::from(role.0)].clone());
                    let made = accounts[*account].policy.entry(place).or_default();
                    *made.entry(decision.text.clone()).or_default() += 1.0;
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
                known[usize::from(role.0)].push(texts);
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

impl Table {
    /// Lets each engine meet the best answer to what it did.
    fn see_through(&self, names: [&String; 2], matches: u64, accounts: &[Account; 2]) {
        let game = &*self.game;
        let mut tree = GameTree::new(game, MOST_NODES);
        let grown = tree.grow_fully(game, &mut game.workspace()).expect("no fault");
        let deciders = tree.deciders();
        if grown != Growth::Complete || deciders.len() != 2 || !tree.is_constant_sum() {
            return;
        }
        for (name, account) in names.into_iter().zip(accounts) {
            let mut shares: BTreeMap<View, Vec<f64>> = BTreeMap::new();
            for ((role, known), made) in &account.policy {
                let role = RoleId(*role);
                let step = |view: Option<View>, texts: &Vec<String>| {
                    let step = read_step(game, role, texts);
                    tree.view_after(view?, step.own.likely()?, step.told.as_deref()?)
                };
                let Some(view) = known.iter().fold(Some(tree.first_view(role)), step) else { continue };
                let Some(set) = tree.sets().iter().find(|set| (set.role, set.view) == (role, view)) else {
                    continue;
                };
                let share = |id: &MoveId| made.get(&game.move_text(*id)).copied().unwrap_or(0.0);
                shares.insert(view, set.moves.iter().map(share).collect());
            }
            let played = Equilibrium::playing(&tree, |set| shares.get(&set.view).cloned());
            let parts = [(deciders[0], deciders[1]), (deciders[1], deciders[0])];
            let parts = parts.map(|(role, other)| (role, other, tree.best_answer(&played, other)));
            let meet = |round: u64| {
                let (role, other, answer) = &parts[(round % 2) as usize];
                self.meet(name, *role, *other, &tree, answer, 1_000_000 + round)
            };
            let goals: Vec<f64> = (0..matches).map(meet).collect();
            let (mean, half) = interval(&goals);
            println!("{name} against one who knows how it plays: {mean:.2} +- {half:.2} in {matches} parts");
        }
    }

    /// A match of an engine against an answer; what the engine gets.
    fn meet(
        &self,
        name: &str,
        role: RoleId,
        other: RoleId,
        tree: &GameTree<ErasedGame>,
        answer: &BestAnswer,
        seed: u64,
    ) -> f64 {
        let game = &*self.game;
        let mut dice = Dice::stream(99, seed / 2);
        let mut engine = self.engine(name, seed);
        let mut view = Some(tree.first_view(other));
        let (mut workspace, mut state, mut expansion) = (game.workspace(), game.initial(), Expansion::new());
        loop {
            game.expand(&mut workspace, &state, &mut expansion).expect("no fault");
            if expansion.is_terminal() {
                break;
            }
            let mut joint: Vec<MoveId> =
                expansion.by_role().map(|legal| legal[dice.below(legal.len())]).collect();
            if expansion.legal(role).len() > 1 {
                engine.begin_turn();
                engine.decide(role).expect("no fault");
                engine.think(&self.budget(name)).expect("no fault");
                let decision = engine.decide(role).expect("no fault").expect("it goes on");
                joint[usize::from(role.0)] = game.find_move(role, &decision.text).expect("a move");
            }
            if let Some(&id) = view.and_then(|view| answer.moves.get(&view)) {
                joint[usize::from(other.0)] = id;
            }
            let mut told = Vec::new();
            tell(game, &mut workspace, &state, &joint, other, &mut told).expect("no fault");
            view = view.and_then(|view| tree.view_after(view, joint[usize::from(other.0)], &told));
            game.observe(&mut workspace, &state, &joint, role, &mut told).expect("no fault");
            let own = game.move_text(joint[usize::from(role.0)]);
            let texts = told.iter().map(|&id| game.percept_text(id));
            let texts: Vec<String> = std::iter::once(own).chain(texts).collect();
            engine.advance(&texts).expect("no fault");
            state = game.apply(&mut workspace, &state, &joint).expect("no fault");
        }
        let mut goals = Vec::new();
        game.goals(&mut workspace, &state, &mut goals).expect("no fault");
        f64::from(goals[usize::from(role.0)].value().0)
    }
}

/// The mean of some goals, and half the width of its 95% interval.
fn interval(goals: &[f64]) -> (f64, f64) {
    let count = goals.len().max(1) as f64;
    let mean = goals.iter().sum::<f64>() / count;
    let variance = goals.iter().map(|goal| (goal - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
    (mean, 1.96 * (variance / count).sqrt())
}

impl Account {
    fn write(&self, name: &str) {
        let (mean, half) = interval(&self.goals);
        println!("{name}: {mean:.2} +- {half:.2} in {} parts", self.goals.len());
        let mut seconds = self.seconds.clone();
        seconds.sort_by(f64::total_cmp);
        let median = seconds.get(seconds.len() / 2).copied().unwrap_or_default();
        println!("  {} decisions, half of them within {:.1} ms", seconds.len(), 1e3 * median);
        for ((step, role, text), made) in self.moves.iter().filter(|(key, _)| key.0 < 3) {
            println!("  step {step}, role {role}: {text} {made}x");
        }
        for (text, times) in &self.said {
            println!("  {times}x {text}");
        }
    }
}

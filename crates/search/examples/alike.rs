//! What taking positions for one that are alike saves.
//!
//! ```text
//! cargo run --release -p search --example alike -- SIMULATIONS GAME..
//! ```
//!
//! For each bundled game or rule sheet the nodes of a tree from the beginning after so many simulations (fewer, if everything is
//! proven by then) without it and with it. Then random positions: how many of them were tried until 100 were solved both ways, or
//! 1000 were tried; how many were, and in how many of all the proven bounds contradict each other.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::sync::Arc;

use game::{Dice, Expansion, Game, MoveId, RoleId, Simulator};
use machine::batch::BatchMachine;
use machine::circuit::CircuitState;
use machine::{Target, Wanted};
use search::mcts::{Advice, Search};
use search::{Budget, Parameters};

const SOLVED: usize = 100;
const POSITIONS: usize = 1000;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let simulations: u64 = arguments.next().unwrap().parse().unwrap();
    println!("| game | nodes apart | nodes merged | saved | positions | solved both ways | differences |");
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    for name in arguments {
        let rules = match bundled::find(&name) {
            Ok(game) => game.rules.to_owned(),
            Err(_) => std::fs::read_to_string(&name).unwrap(),
        };
        let name = name.rsplit('/').next().unwrap_or_default().trim_end_matches(".kif");
        let limits = machine::Limits { time: std::time::Duration::MAX, ..machine::Limits::generous() };
        let made = machine::from_text(&rules, Wanted::Batch(Target::detect()), &limits).unwrap();
        let game = Arc::clone(made.lanes().unwrap());
        if game.likeness().is_none() {
            println!("| {name} | no two positions are alike |");
            continue;
        }
        row(name, &game, simulations);
    }
}

fn row(name: &str, game: &Arc<BatchMachine>, simulations: u64) {
    let both = |state: &CircuitState| {
        [false, true].map(|alike| {
            let parameters = Parameters { alike, ..Parameters::default() };
            let mut search = Search::new(Arc::clone(game), state.clone(), parameters, 1);
            search.run(&Budget::simulations(simulations)).unwrap();
            search.advice(RoleId(0)).unwrap()
        })
    };
    let (mut workspace, mut expansion, mut dice) = (game.workspace(), Expansion::new(), Dice::new(7));
    let mut state = game.initial();
    let [apart, merged] = both(&state).map(|advice| advice.nodes);
    let (mut tried, mut solved, mut differences) = (0, 0, 0);
    while tried < POSITIONS && solved < SOLVED {
        game.expand(&mut workspace, &state, &mut expansion).unwrap();
        if expansion.is_terminal() {
            state = game.initial();
            continue;
        }
        let both = both(&state);
        tried += 1;
        let is_exact = |advice: &Advice| advice.bounds.iter().all(|bounds| bounds.lower == bounds.upper);
        solved += usize::from(both.iter().all(is_exact));
        let mut bounds = both[0].bounds.iter().zip(&both[1].bounds);
        let contradict = bounds.any(|(one, two)| one.lower > two.upper || two.lower > one.upper);
        differences += usize::from(contradict);
        let joint: Vec<MoveId> = expansion.by_role().map(|legal| legal[dice.below(legal.len())]).collect();
        state = game.apply(&mut workspace, &state, &joint).unwrap();
    }
    let saved = 100.0 - 100.0 * merged as f64 / apart.max(1) as f64;
    println!("| {name} | {apart} | {merged} | {saved:.1}% | {tried} | {solved} | {differences} |");
}

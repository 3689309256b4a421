//! What taking positions for one that are alike saves.
//!
//! ```text
//! cargo run --release -p search --example alike -- SIMULATIONS GAME..
//! ```
//!
//! For each bundled game or rule sheet the nodes of a tree from the beginning after so many simulations (fewer, if everything is
//! proven by then) without it, without facts that decide nothing, and with images as one as well. Then random positions: how many
//! of them were tried until 100 were solved all three ways, or 1000 were tried; how many were, in how many of all the proven bounds
//! contradict each other, and the nodes of all of them.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::sync::Arc;

use game::{Dice, Expansion, Game, Merging, MoveId, RoleId, Simulator};
use machine::batch::BatchMachine;
use machine::circuit::CircuitState;
use machine::{Target, Wanted};
use search::mcts::{Advice, Search};
use search::{Alike, Budget, Parameters};

const SOLVED: usize = 100;
const POSITIONS: usize = 1000;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let simulations: u64 = arguments.next().unwrap().parse().unwrap();
    println!(
        "| game | nodes | without idle facts | saved | images as one as well | saved | positions | nodes | without idle facts | images as one as well | solved all ways | differences |"
    );
    println!("| --- |{}", " ---: |".repeat(11));
    for name in arguments {
        let rules = match bundled::find(&name) {
            Ok(game) => game.rules.to_owned(),
            Err(_) => std::fs::read_to_string(&name).unwrap(),
        };
        let name = name.rsplit('/').next().unwrap_or_default().trim_end_matches(".kif");
        let limits = machine::Limits { time: std::time::Duration::MAX, ..machine::Limits::generous() };
        let made = machine::from_text(&rules, Wanted::Batch(Target::detect()), &limits).unwrap();
        let game = Arc::clone(made.lanes().unwrap());
        if game.likeness(Merging::Images).is_none() {
            println!("| {name} | no two positions are alike |");
            continue;
        }
        row(name, &game, simulations);
    }
}

fn row(name: &str, game: &Arc<BatchMachine>, simulations: u64) {
    let each = |state: &CircuitState| {
        [Alike::Off, Alike::Idle, Alike::Both].map(|alike| {
            let parameters = Parameters { alike, ..Parameters::default() };
            let mut search = Search::new(Arc::clone(game), state.clone(), parameters, 1);
            search.run(&Budget::simulations(simulations)).unwrap();
            search.advice(RoleId(0)).unwrap()
        })
    };
    let (mut workspace, mut expansion, mut dice) = (game.workspace(), Expansion::new(), Dice::new(7));
    let mut state = game.initial();
    let [apart, idle, both] = each(&state).map(|advice| advice.nodes);
    let (mut tried, mut solved, mut differences, mut nodes) = (0, 0, 0, [0; 3]);
    while tried < POSITIONS && solved < SOLVED {
        game.expand(&mut workspace, &state, &mut expansion).unwrap();
        if expansion.is_terminal() {
            state = game.initial();
            continue;
        }
        let each = each(&state);
        tried += 1;
        nodes.iter_mut().zip(&each).for_each(|(nodes, advice)| *nodes += advice.nodes);
        let is_exact = |advice: &Advice| advice.bounds.iter().all(|bounds| bounds.lower == bounds.upper);
        solved += usize::from(each.iter().all(is_exact));
        let contradict = each[1..].iter().any(|other| {
            let mut bounds = each[0].bounds.iter().zip(&other.bounds);
            bounds.any(|(one, two)| one.lower > two.upper || two.lower > one.upper)
        });
        differences += usize::from(contradict);
        let joint: Vec<MoveId> = expansion.by_role().map(|legal| legal[dice.below(legal.len())]).collect();
        state = game.apply(&mut workspace, &state, &joint).unwrap();
    }
    let saved = |merged: usize| 100.0 - 100.0 * merged as f64 / apart.max(1) as f64;
    println!(
        "| {name} | {apart} | {idle} | {:.1}% | {both} | {:.1}% | {tried} | {} | {} | {} | {solved} | {differences} |",
        saved(idle),
        saved(both),
        nodes[0],
        nodes[1],
        nodes[2],
    );
}

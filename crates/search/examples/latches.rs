//! What bounds by facts that stay as they are do for a search.
//!
//! ```text
//! cargo run --release -p search --example latches -- SIMULATIONS GAME..
//! ```
//!
//! For each bundled game or rule sheet: nodes of a tree from the middle of a random game after so many simulations (fewer if all
//! is proven by then), without the bounds and with them; how many new nodes were bounded at once; simulations, and
//! simulations per second of the processor. All are sums over the positions. Then of how many positions all was proven in
//! either way, and in how many what is proven contradicts.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::sync::Arc;
use std::time::{Duration, Instant};

use game::{Dice, Expansion, Game, MoveId, RoleId, Simulator};
use machine::batch::BatchMachine;
use machine::circuit::CircuitState;
use machine::{Target, Wanted};
use search::mcts::{Bounds, Search};
use search::{Budget, Parameters};

const POSITIONS: usize = 100;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let simulations: u64 = arguments.next().unwrap().parse().unwrap();
    println!(
        "| game | nodes without | nodes with | bounded at once | simulations without | with | per second without | with | speed | proven without | with | differences |"
    );
    println!("| --- |{}", " ---: |".repeat(11));
    for name in arguments {
        let rules = match bundled::find(&name) {
            Ok(game) => game.rules.to_owned(),
            Err(_) => std::fs::read_to_string(&name).unwrap(),
        };
        let name = name.rsplit('/').next().unwrap_or_default().trim_end_matches(".kif");
        let limits = machine::Limits { time: Duration::MAX, ..machine::Limits::generous() };
        let made = machine::from_text(&rules, Wanted::Batch(Target::detect()), &limits).unwrap();
        let game = Arc::clone(made.lanes().unwrap());
        if game.outlook().is_some() {
            row(name, &game, simulations);
        }
    }
}

/// What came of all searches in one way.
#[derive(Default)]
struct Sums {
    nodes: usize,
    bounded: u64,
    simulations: u64,
    time: Duration,
    proven: usize,
}

fn row(name: &str, game: &Arc<BatchMachine>, simulations: u64) {
    let mut sums = [Sums::default(), Sums::default()];
    let mut differences = 0;
    for state in states(game) {
        let mut found: Vec<Vec<Bounds>> = Vec::new();
        for (latches, sums) in [false, true].into_iter().zip(&mut sums) {
            let parameters = Parameters { latches, ..Parameters::default() };
            let mut search = Search::new(Arc::clone(game), state.clone(), parameters, 1);
            let begin = processor_time();
            search.run(&Budget::simulations(simulations)).unwrap();
            sums.time += processor_time().saturating_sub(begin);
            let (advice, totals) = (search.advice(RoleId(0)).unwrap(), search.totals());
            sums.nodes += advice.nodes;
            sums.bounded += totals.bounded;
            sums.simulations += totals.simulations;
            sums.proven += usize::from(advice.bounds.iter().all(|bounds| bounds.lower == bounds.upper));
            found.push(advice.bounds);
        }
        let mut bounds = found[0].iter().zip(&found[1]);
        let contradict = bounds.any(|(one, two)| one.lower > two.upper || two.lower > one.upper);
        differences += usize::from(contradict);
    }
    let speed = |sums: &Sums| sums.simulations as f64 / sums.time.as_secs_f64().max(1e-9);
    let [without, with] = &sums;
    println!(
        "| {name} | {} | {} | {} | {} | {} | {:.0} | {:.0} | {:.0}% | {} | {} | {differences} |",
        without.nodes,
        with.nodes,
        with.bounded,
        without.simulations,
        with.simulations,
        speed(without),
        speed(with),
        100.0 * speed(with) / speed(without),
        without.proven,
        with.proven
    );
}

/// States of random games, one of each, in which the game is not over.
fn states(game: &BatchMachine) -> Vec<CircuitState> {
    let (mut workspace, mut expansion, mut dice) = (game.workspace(), Expansion::new(), Dice::new(7));
    let mut states = Vec::new();
    while states.len() < POSITIONS {
        let mut met = vec![game.initial()];
        loop {
            let state = met[met.len() - 1].clone();
            game.expand(&mut workspace, &state, &mut expansion).unwrap();
            if expansion.is_terminal() {
                break;
            }
            let joint: Vec<MoveId> =
                expansion.by_role().map(|legal| legal[dice.below(legal.len())]).collect();
            met.push(game.apply(&mut workspace, &state, &joint).unwrap());
        }
        // The last one is the end.
        states.push(met[dice.below(met.len() - 1)].clone());
    }
    states
}

/// Time on the processor, if the system tells it; else the time of day.
fn processor_time() -> Duration {
    static BEGIN: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split(' ').next()?.parse().ok());
    nanoseconds.map_or_else(|| BEGIN.get_or_init(Instant::now).elapsed(), Duration::from_nanos)
}

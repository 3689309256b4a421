//! What it costs to back up a heuristic beside the playouts: simulations in a second of processor time with the
//! numbers of pieces backed up as minimax does (`implicit`) and without, in turns from the same positions, and how long
//! it took to learn what pieces are worth. The length of playouts is told too: where other moves are tried, it is another.
//!
//! ```text
//! cargo run --release -p search --example heuristic_price -- breakthrough checkers
//! ```

#![allow(clippy::print_stdout)]

use std::sync::Arc;
use std::time::{Duration, Instant};

use engine::Settings;
use eval::{Lesson, methods};
use game::{Dice, Expansion, Game};
use machine::batch::BatchMachine;
use machine::circuit::CircuitMachine;
use search::mcts::Search;
use search::mcts::policy::Policies;
use search::{Budget, Parameters, Stop};

const GAMES: [&str; 6] = ["breakthrough", "knightthrough", "checkers", "skirmish", "minichess", "chess"];

/// What the default agent sets.
const USUAL: [(&str, &str); 5] = [
    ("batch", "128"),
    ("breadth", "8"),
    ("decisive", "wins-and-stops"),
    ("discount", "0.999"),
    ("ramp_by_time", "true"),
];

/// Positions that are searched, and how long each time.
const ROUNDS: usize = 12;
const TURN: Duration = Duration::from_millis(200);

/// Random moves before the position of a round, at most.
const MOVES_BEFORE: usize = 20;

/// Time on the processor, if the system tells it; else the time of day.
fn processor_time(start: Instant) -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split(' ').next()?.parse().ok());
    nanoseconds.map_or_else(|| start.elapsed(), Duration::from_nanos)
}

/// A position of random play that is not over.
fn position(game: &BatchMachine, dice: &mut Dice) -> Result<<BatchMachine as Game>::State, game::RuleFault> {
    let (mut workspace, mut expansion) = (game.workspace(), Expansion::new());
    let (mut state, mut before) = (game.initial(), game.initial());
    for _ in 0..dice.below(MOVES_BEFORE) {
        game.expand(&mut workspace, &state, &mut expansion)?;
        if expansion.is_terminal() {
            return Ok(before);
        }
        let joint: Vec<_> = expansion.by_role().map(|legal| legal[dice.below(legal.len())]).collect();
        before = state.clone();
        state = game.apply(&mut workspace, &state, &joint)?;
    }
    game.expand(&mut workspace, &state, &mut expansion)?;
    Ok(if expansion.is_terminal() { before } else { state })
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let start = Instant::now();
    let clock = || processor_time(start);
    let named: Vec<String> = std::env::args().skip(1).collect();
    let names: Vec<&str> =
        if named.is_empty() { GAMES.to_vec() } else { named.iter().map(String::as_str).collect() };
    let policies = Policies::standard();
    let mut settings = Settings::new(Parameters::rows(&policies));
    for (name, value) in USUAL {
        settings.set(name, value)?;
    }
    let usual = Parameters::read(&settings, &policies);
    println!("| game | learnt in ms | without | with | ratio | steps of a playout without | with |");
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    for name in names {
        let rules = gdl::normal::read(bundled::find(name)?.rules);
        let build = machine::build::circuit(&rules, circuit::Effort::Thorough, &ground::Budget::unlimited())?;
        let game = Arc::new(BatchMachine::new(Arc::new(CircuitMachine::new(build.circuit))));
        let pieces = methods::find("pieces").ok_or("there is no such method")?;
        let (begun, goes_on) = (clock(), || true);
        let taught = (pieces.learn)(&Lesson::new(&game, Some(&rules), 1, &goes_on));
        let learnt = (clock() - begun).as_secs_f64() * 1e3;
        let taught = match taught {
            Ok(taught) => taught,
            Err(error) => {
                println!("| {name} | {learnt:.0} | {error} | | | | |");
                continue;
            }
        };
        let heuristic = taught.judgement.bind(&game, None);
        let mut without = Search::new(Arc::clone(&game), game.initial(), usual.clone(), 1);
        let parameters = Parameters { implicit: 0.4, ..usual.clone() };
        let mut with =
            Search::new(Arc::clone(&game), game.initial(), parameters, 1).with_heuristic(heuristic);
        let (mut speeds, mut lengths, mut ratios) = ([0.0; 2], [0.0; 2], Vec::new());
        let mut dice = Dice::new(1);
        let mut round = 0u64;
        while ratios.len() < ROUNDS {
            round += 1;
            let state = position(&game, &mut dice)?;
            let (mut speed, mut length, mut is_proven) = ([0.0; 2], [0.0; 2], false);
            // Who is first is last in the next round.
            for turn in 0..2 {
                let which = (turn + round as usize) % 2;
                let search = if which == 0 { &mut without } else { &mut with };
                search.restart(&state, round);
                let begun = clock();
                let until = begun + TURN;
                let stop = search.run(&Budget { turn_ends: Some(until), ..Budget::until(&clock, until) })?;
                is_proven |= stop == Stop::Proven;
                let totals = search.totals();
                speed[which] = totals.simulations as f64 / (clock() - begun).as_secs_f64();
                length[which] = totals.steps as f64 / totals.playouts.max(1) as f64;
            }
            // Where all is found out soon there is nothing to measure.
            if is_proven {
                continue;
            }
            speeds.iter_mut().zip(speed).for_each(|(sum, speed)| *sum += speed / ROUNDS as f64);
            lengths.iter_mut().zip(length).for_each(|(sum, length)| *sum += length / ROUNDS as f64);
            ratios.push(speed[1] / speed[0]);
        }
        ratios.sort_unstable_by(f64::total_cmp);
        let (least, middle, most) = (ratios[2], ratios[ratios.len() / 2], ratios[ratios.len() - 3]);
        println!(
            "| {name} | {learnt:.0} | {:.0} | {:.0} | {middle:.2} ({least:.2} to {most:.2}) | {:.1} | {:.1} |",
            speeds[0], speeds[1], lengths[0], lengths[1],
        );
    }
    Ok(())
}

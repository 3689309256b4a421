//! Which games are searched with a tree for each part, why others are not, and what each role is sure of.
//!
//! `cargo run --release -p parts --example halves -- GAME..`: a GAME is a bundled one or a file of rules.

#![allow(clippy::print_stdout)]

use std::error::Error;
use std::sync::Arc;
use std::time::{Duration, Instant};

use circuit::{Effort, build};
use machine::circuit::CircuitMachine;
use parts::{Halves, sure};

/// For each game.
const LIMIT: Duration = Duration::from_secs(60);
const MOST_STATES: usize = 2_000_000;

fn main() -> Result<(), Box<dyn Error>> {
    for name in std::env::args().skip(1) {
        let text = match bundled::find(&name) {
            Ok(game) => game.rules.to_owned(),
            Err(_) => std::fs::read_to_string(&name)?,
        };
        let budget = ground::Budget::unlimited();
        let Ok(mut ground) = ground::ground(&gdl::normal::read(&text), &budget) else { continue };
        let Ok((circuit, _)) = build(&mut ground, Effort::Thorough, &budget) else { continue };
        let machine = Arc::new(CircuitMachine::new(Arc::new(circuit)));
        let begun = Instant::now();
        let halves = match Halves::new(&machine) {
            Ok(halves) => halves,
            Err(why) => {
                println!("{name}: {why}, after {:.2} s", begun.elapsed().as_secs_f64());
                continue;
            }
        };
        let taken = begun.elapsed().as_secs_f64();
        let begun = Instant::now();
        match sure(&halves, MOST_STATES, &|| begun.elapsed() >= LIMIT) {
            Ok((all, states)) => println!(
                "{name}: {} parts in {taken:.2} s; sure: {all:?}, {states} states in {:.2} s",
                halves.parts.len(),
                begun.elapsed().as_secs_f64()
            ),
            Err(why) => println!("{name}: {} parts in {taken:.2} s; {why}", halves.parts.len()),
        }
    }
    Ok(())
}

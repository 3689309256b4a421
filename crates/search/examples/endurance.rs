//! Searches one position for a long time and tells, part by part, how fast that went, how much memory it
//! took and how long the longest pause was:
//!
//! ```text
//! cargo run --release -p search --example endurance -- GAME SECONDS [PARAMETER=VALUE ..]
//! ```
//!
//! GAME is a bundled game or a rule sheet.

#![allow(clippy::print_stdout)]

use std::sync::Arc;
use std::time::{Duration, Instant};

use circuit::Effort;
use engine::Settings;
use game::{Game, RoleId};
use machine::batch::BatchMachine;
use machine::circuit::CircuitMachine;
use search::mcts::Search;
use search::mcts::policy::Policies;
use search::{Budget, Parameters, Stop};

/// Parts of the time that are told of.
const PARTS: u32 = 20;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let game = arguments.next().ok_or("which game?")?;
    let seconds: f64 = arguments.next().ok_or("for how many seconds?")?.parse()?;
    let policies = Policies::standard();
    let mut settings = Settings::new(Parameters::rows(&policies));
    for argument in arguments {
        let (name, value) = argument.split_once('=').ok_or("write PARAMETER=VALUE")?;
        settings.set(name, value)?;
    }
    let parameters = Parameters::read(&settings, &policies);
    let text = match bundled::find(&game) {
        Ok(game) => game.rules.to_owned(),
        Err(_) => std::fs::read_to_string(&game)?,
    };
    let rules = gdl::normal::normalize(&gdl::parse(&gdl::SourceFile::new(&game, text)).sheet);
    let begin = Instant::now();
    let clock = || begin.elapsed();
    let budget = ground::Budget {
        clock: &clock,
        deadline: Duration::from_secs(600),
        bytes: 4 << 30,
        progress: &|_| true,
    };
    let build = machine::build::circuit(&rules, Effort::Thorough, &budget)?;
    let machine = Arc::new(BatchMachine::new(Arc::new(CircuitMachine::new(build.circuit))));
    let mut search = Search::new(Arc::clone(&machine), machine.initial(), parameters, 1);
    let part = Duration::from_secs_f64(seconds) / PARTS;
    let mut until = clock();
    let mut first_speed = None;
    for _ in 0..PARTS {
        until += part;
        let (before, begun) = (search.totals(), clock());
        search.forget_pauses();
        let stop = search.run(&Budget::until(&clock, until))?;
        let (now, taken) = (search.totals(), (clock() - begun).as_secs_f64());
        let speed = (now.simulations - before.simulations) as f64 / taken;
        let first = *first_speed.get_or_insert(speed);
        let Some(advice) = search.advice(RoleId(0)) else { break };
        println!(
            "{:7.1} s: {speed:9.0} simulations/s ({:.2} of the first), {} nodes, {} MiB, {} recycled, longest pause \
             {:.2} ms",
            clock().as_secs_f64(),
            speed / first,
            advice.nodes,
            advice.bytes >> 20,
            now.recycled - before.recycled,
            1e3 * now.longest_pause.as_secs_f64(),
        );
        if stop == Stop::Proven {
            break;
        }
    }
    Ok(())
}

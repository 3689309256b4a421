//! How deep a search looks from the first position, and how many positions each technique saves.
//!
//! ```text
//! cargo run --release -p alphabeta --example depths -- checkers --seconds 10
//! cargo run --release -p alphabeta --example depths -- checkers --depth 8 --vary
//! cargo run --release -p alphabeta --example depths -- checkers --depth 8 sort=false bundle=1
//! ```
//!
//! Seconds are those of the processor. With `--linear` leaves are worth a sum over their facts, by weights drawn once
//! for all: as hard to search as a function that was learnt.
#![allow(clippy::print_stdout)]

use std::sync::Arc;
use std::time::Duration;

use alphabeta::{Judge, Options, Search, evaluators};
use engine::{Budget, Evaluator, Settings};
use game::{Dice, RoleId, RuleFault, Simulator};
use machine::{Limits, Target, Wanted};

/// What is changed one at a time.
const VARIANTS: &[&str] = &[
    "",
    "history=false",
    "killers=false",
    "sort=false",
    "probe=false",
    "history=false,killers=false",
    "history=false,killers=false,sort=false",
    "remember=false",
    "driver=guess",
    "driver=aspiration",
    "extend=true",
    "bundle=1",
];

fn cpu() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

fn settings(texts: &[&str]) -> Settings {
    let mut settings = Settings::new(Options::rows());
    for item in texts.iter().flat_map(|text| text.split(',')).filter(|item| !item.is_empty()) {
        let (name, value) = item.split_once('=').expect("name=value");
        settings.set(name, value).expect("a value");
    }
    settings
}

/// A sum over the facts of a state.
struct Linear<G>(Arc<G>);

impl<G: Simulator> Evaluator<G::State> for Linear<G> {
    fn evaluate(&self, states: &[&G::State], out: &mut [f64]) -> Result<(), RuleFault> {
        let mut facts = Vec::new();
        for (state, values) in states.iter().zip(out.chunks_mut(self.0.role_count())) {
            self.0.list_facts(state, &mut facts);
            let weight = |fact: &game::FactId| Dice::new(fact.0.into()).unit() - 0.5;
            let sum: f64 = facts.iter().map(weight).sum();
            let first = 1.0 / (1.0 + (-sum / 2.0).exp());
            values.iter_mut().zip([first, 1.0 - first]).for_each(|(value, worth)| *value = worth);
        }
        Ok(())
    }
}

fn measure<G: Simulator + 'static>(
    game: &Arc<G>,
    texts: &[&str],
    depth: Option<u16>,
    seconds: f64,
    linear: bool,
) {
    let settings = settings(texts);
    let mut options = Options::read(&settings);
    options.look_ahead = depth.unwrap_or(options.look_ahead);
    let judge = match linear {
        true => Judge::Ready(Arc::new(Linear(Arc::clone(game)))),
        false => evaluators::chosen(game, &settings, 1),
    };
    let mut search = Search::new(game, game.initial(), RoleId(0), judge, options, 1);
    let begin = cpu();
    let end = begin + Duration::from_secs_f64(seconds);
    let mut reached = 0;
    println!("{}", texts.join(","));
    while cpu() < end {
        let slice = (cpu() + Duration::from_millis(50)).min(end);
        let stop = search.run(&Budget::until(&cpu, slice)).expect("no fault");
        let advice = search.advice().expect("no fault").expect("not over");
        if advice.depth != reached {
            reached = advice.depth;
            let (work, spent) = (search.work(), (cpu() - begin).as_secs_f64());
            println!(
                "  depth {reached:3}: {:9} nodes {:11} positions {:8} calls {spent:7.2} s  {:.4}",
                work.nodes,
                work.positions,
                work.calls,
                advice.value.unwrap_or_default()
            );
        }
        if stop == engine::Stop::Proven {
            break;
        }
    }
    let work = search.work();
    println!("  end: {work:?} {:.2} s", (cpu() - begin).as_secs_f64());
}

fn main() {
    let mut texts: Vec<String> = Vec::new();
    let (mut games, mut depth, mut seconds, mut vary, mut linear) = (Vec::new(), None, 10.0, false, false);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut next = || arguments.next().expect("a value");
        match argument.as_str() {
            "--depth" => depth = Some(next().parse().expect("a depth")),
            "--seconds" => seconds = next().parse().expect("seconds"),
            "--vary" => vary = true,
            "--linear" => linear = true,
            text if text.contains('=') => texts.push(text.to_owned()),
            _ => games.push(argument),
        }
    }
    if depth.is_some() && seconds == 10.0 {
        seconds = 600.0;
    }
    for name in games {
        let rules = bundled::find(&name).expect("a bundled game").rules;
        let machine = machine::from_text(rules, Wanted::Batch(Target::detect()), &Limits::generous());
        let machine = machine.expect("a machine");
        let game = machine.lanes().expect("lanes");
        println!("{name}");
        for variant in if vary { VARIANTS } else { &[""] } {
            let mut all: Vec<&str> = texts.iter().map(String::as_str).collect();
            all.push(variant);
            measure(game, &all, depth, seconds, linear);
        }
    }
}

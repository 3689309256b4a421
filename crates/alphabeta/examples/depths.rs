//! How deep a search looks from the first position, and how many positions each technique saves.
//!
//! ```text
//! cargo run --release -p alphabeta --example depths -- checkers --seconds 10
//! cargo run --release -p alphabeta --example depths -- checkers --depth 8 --vary
//! cargo run --release -p alphabeta --example depths -- checkers --depth 8 sort=false bundle=1
//! cargo run --release -p alphabeta --example depths -- checkers --seconds 10 --learnt paper
//! ```
//!
//! Seconds are those of the processor, and begin once there is a function. With `--learnt METHOD` leaves are worth what the
//! method of that name learnt from the rules, as they are to the agent `mtdf` with `paper`; with `--derived` too that is also about
//! what the rules derive. With `--linear` they are worth a sum over their facts, by weights drawn once for all: as hard to search,
//! and the same for everybody.
#![allow(clippy::print_stdout)]

use std::sync::Arc;
use std::time::Duration;

use alphabeta::{Judge, Options, Search, evaluators};
use engine::{Budget, Evaluator, Settings};
use eval::Choice;
use game::{Describe, Dice, RoleId, RuleFault, Simulator};
use gdl::normal::NormalRules;
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

/// What leaves are worth.
#[derive(Clone, Copy)]
enum Worth<'a> {
    /// What the settings say.
    Asked,
    Linear,
    /// What a method learnt from the rules, of what they derive too if that is said.
    Learnt(&'a str, &'a NormalRules, bool),
}

impl Worth<'_> {
    fn judge<G: Simulator + Describe + 'static>(self, game: &Arc<G>, settings: &Settings) -> Judge<G::State> {
        match self {
            Worth::Asked => evaluators::chosen(game, settings, 1),
            Worth::Linear => Judge::Ready(Arc::new(Linear(Arc::clone(game)))),
            Worth::Learnt(name, rules, looks_further) => {
                let choice = Choice {
                    method: Some(eval::methods::find(name).expect("a method of `ludens evaluate`")),
                    derived: looks_further,
                    ..Choice::read(&Settings::new(Choice::rows()))
                };
                let begun = cpu();
                let prepared = choice.prepare(game, Some(rules), 1, &|| true).expect("a function");
                let prepared = prepared.expect("a method was named");
                println!("  {} ({:.2} s)", prepared.told, (cpu() - begun).as_secs_f64());
                Judge::Ready(prepared.evaluator)
            }
        }
    }
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

fn measure<G: Simulator + Describe + 'static>(
    game: &Arc<G>,
    texts: &[&str],
    depth: Option<u16>,
    seconds: f64,
    worth: Worth<'_>,
) {
    let settings = settings(texts);
    let mut options = Options::read(&settings);
    options.look_ahead = depth.unwrap_or(options.look_ahead);
    let judge = worth.judge(game, &settings);
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
    let (mut games, mut depth, mut seconds, mut vary) = (Vec::new(), None, 10.0, false);
    let (mut linear, mut learnt, mut derived) = (false, None, false);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut next = || arguments.next().expect("a value");
        match argument.as_str() {
            "--depth" => depth = Some(next().parse().expect("a depth")),
            "--seconds" => seconds = next().parse().expect("seconds"),
            "--vary" => vary = true,
            "--linear" => linear = true,
            "--derived" => derived = true,
            "--learnt" => learnt = Some(next()),
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
        let read = gdl::normal::read(rules);
        let worth = match &learnt {
            Some(method) => Worth::Learnt(method, &read, derived),
            None if linear => Worth::Linear,
            None => Worth::Asked,
        };
        println!("{name}");
        for variant in if vary { VARIANTS } else { &[""] } {
            let mut all: Vec<&str> = texts.iter().map(String::as_str).collect();
            all.push(variant);
            measure(game, &all, depth, seconds, worth);
        }
    }
}

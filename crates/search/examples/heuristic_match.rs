//! What it is worth to back up a heuristic beside the playouts: matches of the default agent's search with the numbers of
//! pieces backed up as minimax does (`implicit`) against the same without, each move with the same time on the processor,
//! so that it does not matter what else the computer does. What pieces are worth is learnt anew for every match.
//!
//! ```text
//! cargo run --release -p search --example heuristic_match -- breakthrough 24 200
//! ```

#![allow(clippy::print_stdout)]

use std::sync::Arc;
use std::time::{Duration, Instant};

use engine::Settings;
use eval::{Lesson, methods};
use game::{Expansion, Game, RoleId};
use machine::batch::BatchMachine;
use machine::circuit::CircuitMachine;
use search::mcts::Search;
use search::mcts::policy::Policies;
use search::{Budget, Parameters};

/// What the default agent sets.
const USUAL: [(&str, &str); 7] = [
    ("batch", "128"),
    ("breadth", "8"),
    ("decisive", "wins-and-stops"),
    ("discount", "0.999"),
    ("final_move", "visits"),
    ("ramp_by_time", "true"),
    ("resist", "20000"),
];

/// The part of the heuristic.
const IMPLICIT: f64 = 0.4;

/// Joint moves after which a match is a draw.
const LONGEST: usize = 400;

/// Time on the processor, if the system tells it; else the time of day.
fn processor_time(start: Instant) -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split(' ').next()?.parse().ok());
    nanoseconds.map_or_else(|| start.elapsed(), Duration::from_nanos)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let start = Instant::now();
    let clock = || processor_time(start);
    let mut arguments = std::env::args().skip(1);
    let mut next = || arguments.next().ok_or("write GAME MATCHES MILLISECONDS");
    let (name, matches, time) = (next()?, next()?.parse::<u64>()?, Duration::from_millis(next()?.parse()?));
    let policies = Policies::standard();
    let mut settings = Settings::new(Parameters::rows(&policies));
    for (name, value) in USUAL {
        settings.set(name, value)?;
    }
    let usual = Parameters::read(&settings, &policies);
    let rules = gdl::normal::read(bundled::find(&name)?.rules);
    let build = machine::build::circuit(&rules, circuit::Effort::Thorough, &ground::Budget::unlimited())?;
    let game = Arc::new(BatchMachine::new(Arc::new(CircuitMachine::new(build.circuit))));
    let pieces = methods::find("pieces").ok_or("there is no such method")?;
    let mut scores: Vec<f64> = Vec::new();
    for number in 0..matches {
        let goes_on = || true;
        let taught = (pieces.learn)(&Lesson::new(&game, Some(&rules), number, &goes_on))?;
        let implicit = Parameters { implicit: IMPLICIT, ..usual.clone() };
        let with = Search::new(Arc::clone(&game), game.initial(), implicit, number)
            .with_heuristic(taught.judgement.bind(&game, None));
        let without = Search::new(Arc::clone(&game), game.initial(), usual.clone(), number + matches);
        // With the heuristic once as the first role, once as the second.
        let own = (number % 2) as usize;
        let mut searches = if own == 0 { [with, without] } else { [without, with] };
        let (mut workspace, mut expansion, mut state) = (game.workspace(), Expansion::new(), game.initial());
        for _ in 0..LONGEST {
            game.expand(&mut workspace, &state, &mut expansion)?;
            if expansion.is_terminal() {
                break;
            }
            let mut joint = Vec::new();
            for (role, legal) in expansion.by_role().enumerate() {
                let search = &mut searches[role];
                if legal.len() > 1 {
                    let until = clock() + time;
                    search.run(&Budget { turn_ends: Some(until), ..Budget::until(&clock, until) })?;
                }
                let advice = search.advice(RoleId(role as u16)).filter(|_| legal.len() > 1);
                joint.push(advice.map_or(legal[0], |advice| advice.best().id));
            }
            searches.iter_mut().try_for_each(|search| search.advance(&joint))?;
            state = game.apply(&mut workspace, &state, &joint)?;
        }
        let mut goals = Vec::new();
        game.goals(&mut workspace, &state, &mut goals)?;
        let (own, other) = (goals[own].value().0, goals[1 - own].value().0);
        scores.push(if own > other { 1.0 } else { f64::from(u8::from(own == other)) / 2.0 });
        let count = scores.len() as f64;
        let mean = scores.iter().sum::<f64>() / count;
        let variance =
            scores.iter().map(|score| (score - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
        let interval = 196.0 * (variance / count).sqrt();
        println!("{name}: {:.1} ± {interval:.1} after {count} matches of {time:?} a move", 100.0 * mean);
    }
    Ok(())
}

//! Whether a search plays as well where positions that are alike are one node: matches of the default agent's search with
//! a setting against the same without, each move with the same simulations.
//!
//! ```text
//! cargo run --release -p search --example alike_match -- SETTING=VALUE MATCHES SIMULATIONS OPENING GAME..
//! ```
//!
//! Each pair of matches begins with the same joint moves drawn by lot, as many as OPENING says, with roles exchanged. Prints the share of the
//! setting in per cent with its 95% interval, and for both the simulations per second of the processor and the visits that the
//! position had from before when a turn began.
#![allow(clippy::print_stdout)]

use std::sync::Arc;
use std::time::{Duration, Instant};

use engine::Settings;
use game::{Dice, Expansion, Game, MoveId, RoleId};
use machine::batch::BatchMachine;
use machine::{Target, Wanted};
use search::mcts::Search;
use search::mcts::policy::Policies;
use search::{Budget, Parameters};

/// What the default agent sets.
const USUAL: [(&str, &str); 8] = [
    ("batch", "128"),
    ("breadth", "8"),
    ("captures", "true"),
    ("decisive", "wins-and-stops"),
    ("discount", "0.999"),
    ("final_move", "visits"),
    ("ramp_by_time", "true"),
    ("resist", "20000"),
];

/// Joint moves after which a match is a draw.
const LONGEST: usize = 400;

type Error = Box<dyn std::error::Error>;

fn main() -> Result<(), Error> {
    let mut arguments = std::env::args().skip(1);
    let mut next = || arguments.next().ok_or("write SETTING=VALUE MATCHES SIMULATIONS OPENING GAME..");
    let (setting, matches, simulations) = (next()?, next()?.parse()?, next()?.parse()?);
    let opening: usize = next()?.parse()?;
    let (name, value) = setting.split_once('=').ok_or("write SETTING=VALUE")?;
    let policies = Policies::standard();
    let mut settings = Settings::new(Parameters::rows(&policies));
    for (name, value) in USUAL {
        settings.set(name, value)?;
    }
    let usual = Parameters::read(&settings, &policies);
    settings.set(name, value)?;
    let changed = Parameters::read(&settings, &policies);
    let mut all = Vec::new();
    for name in arguments {
        let rules = bundled::find(&name)?.rules;
        let made = machine::from_text(rules, Wanted::Batch(Target::detect()), &machine::Limits::generous())?;
        let game = Arc::clone(made.lanes().ok_or("there are no lanes")?);
        let mut scores = Vec::new();
        let mut work = [Work::default(); 2];
        for number in 0..matches {
            let players = [&changed, &usual];
            scores.push(play(&game, players, (number, opening), simulations, &mut work)?);
        }
        tell(&name, &scores, work);
        all.extend(scores);
    }
    if all.len() as u64 > matches {
        tell("all", &all, [Work::default(); 2]);
    }
    Ok(())
}

/// What a player did.
#[derive(Clone, Copy, Default)]
struct Work {
    turns: u64,
    simulations: u64,
    time: Duration,
    /// Visits of the position from before.
    kept: u64,
}

fn tell(name: &str, scores: &[f64], work: [Work; 2]) {
    let count = scores.len() as f64;
    let mean = scores.iter().sum::<f64>() / count;
    let variance = scores.iter().map(|score| (score - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
    let interval = 196.0 * (variance / count).sqrt();
    let speed = work.map(|work| work.simulations as f64 / work.time.as_secs_f64().max(1e-9));
    let kept = work.map(|work| work.kept as f64 / work.turns.max(1) as f64);
    println!(
        "{name}: {:.1} ± {interval:.1} of {count} matches, {:.0} and {:.0} simulations a second, {:.0} and {:.0} visits kept",
        100.0 * mean,
        speed[0],
        speed[1],
        kept[0],
        kept[1]
    );
}

/// The result of the first player: as the first role in matches of even number, as the second in the others.
fn play(
    game: &Arc<BatchMachine>,
    players: [&Parameters; 2],
    (number, opening): (u64, usize),
    simulations: u64,
    work: &mut [Work; 2],
) -> Result<f64, Error> {
    let own = (number % 2) as usize;
    let search = |player: usize| {
        let seed = 2 * number + player as u64;
        Search::new(Arc::clone(game), game.initial(), players[player].clone(), seed)
    };
    let mut searches = [search(0), search(1)];
    let (mut workspace, mut expansion, mut state) = (game.workspace(), Expansion::new(), game.initial());
    let mut dice = Dice::new(number / 2);
    for step in 0..LONGEST {
        game.expand(&mut workspace, &state, &mut expansion)?;
        if expansion.is_terminal() {
            break;
        }
        let mut joint: Vec<MoveId> = Vec::new();
        for (role, legal) in expansion.by_role().enumerate() {
            let player = if role == own { 0 } else { 1 };
            if legal.len() < 2 {
                joint.push(legal[0]);
            } else if step < opening {
                joint.push(legal[dice.below(legal.len())]);
            } else {
                let (search, work) = (&mut searches[player], &mut work[player]);
                let (begin, before) = (processor_time(), search.totals().simulations);
                let known = search.advice(RoleId(role as u16)).map_or(Vec::new(), |advice| advice.candidates);
                search.run(&Budget::simulations(simulations))?;
                work.turns += 1;
                work.kept += known.iter().map(|candidate| u64::from(candidate.visits)).sum::<u64>();
                work.simulations += search.totals().simulations - before;
                work.time += processor_time().saturating_sub(begin);
                let advice = search.advice(RoleId(role as u16));
                joint.push(advice.map_or(legal[0], |advice| advice.best().id));
            }
        }
        searches.iter_mut().try_for_each(|search| search.advance(&joint))?;
        state = game.apply(&mut workspace, &state, &joint)?;
    }
    let mut goals = Vec::new();
    game.goals(&mut workspace, &state, &mut goals)?;
    let (own, other) = (goals[own].value().0, goals[1 - own].value().0);
    Ok(if own > other { 1.0 } else { f64::from(u8::from(own == other)) / 2.0 })
}

/// Time on the processor, if the system tells it; else the time of day.
fn processor_time() -> Duration {
    static BEGIN: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split(' ').next()?.parse().ok());
    nanoseconds.map_or_else(|| BEGIN.get_or_init(Instant::now).elapsed(), Duration::from_nanos)
}

//! How beliefs fare: matches at random, followed by every role that decides with as many positions as `ludens` holds.
//!
//! ```text
//! cargo run --release -p hidden --example possible -- MATCHES [FOLDER]
//! ```
//!
//! For all bundled games in which something is hidden or drawn, or for the rule sheets of a folder: steps, the fewest and the most
//! positions held after one, how often positions had to be found anew or more of them, steps of which nothing
//! agreed with what was told, the longest that a step took, and the most that positions took in memory.

#![allow(clippy::print_stdout)]

use std::sync::Arc;
use std::time::Instant;

use game::{Dice, Expansion, Game, MoveId, RoleId, Simulator};
use hidden::engines::PARTICLES;
use hidden::{Belief, Own, Step, tell};
use machine::{ErasedGame, Limits, Machine, Target, Wanted};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let matches: u64 = arguments.first().and_then(|text| text.parse().ok()).expect("a number of matches");
    println!(
        "game: steps, fewest, most, rebuilt, refilled, by the solver, lost, longest step in ms, most kB"
    );
    for (name, rules) in sheets(arguments.get(1)) {
        let machine = machine::from_text(&rules, Wanted::Batch(Target::detect()), &Limits::generous());
        match machine {
            Ok(machine) => follow(&name, &machine, matches),
            Err(fault) => println!("{name}: {fault}"),
        }
    }
}

/// Rule sheets, by name.
fn sheets(folder: Option<&String>) -> Vec<(String, String)> {
    let Some(folder) = folder else {
        let is_hidden = |game: &&bundled::BundledGame| {
            let tags = &game.metadata().expect("sound metadata").tags;
            tags.iter().any(|tag| tag == "hidden-information" || tag == "chance")
        };
        let hidden = bundled::all().iter().filter(is_hidden);
        return hidden.map(|game| (game.name.to_owned(), game.rules.to_owned())).collect();
    };
    let files = std::fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path());
    let mut sheets: Vec<(String, String)> = files
        .filter(|path| path.extension().is_some_and(|extension| extension == "kif"))
        .map(|path| {
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            (name, std::fs::read_to_string(path).expect("a text"))
        })
        .collect();
    sheets.sort();
    sheets
}

fn follow(name: &str, machine: &Machine, matches: u64) {
    let game: Arc<ErasedGame> = machine.erased();
    let most = PARTICLES.default() as usize;
    let deciders: Vec<RoleId> = game.role_ids().filter(|role| game.chance() != Some(*role)).collect();
    let (mut steps, mut rebuilt, mut refilled, mut solver, mut lost) = (0, 0, 0, 0, 0);
    let (mut fewest, mut largest, mut longest) = (usize::MAX, 0, 0.0f64);
    for seed in 0..matches {
        let role = deciders[seed as usize % deciders.len()];
        let mut belief =
            Belief::new(Arc::clone(&game), role, most, seed).with_circuit(machine.circuit().cloned());
        let (mut dice, mut workspace) = (Dice::new(1_000 + seed), game.workspace());
        let (mut state, mut expansion) = (game.initial(), Expansion::new());
        game.expand(&mut workspace, &state, &mut expansion).expect("no fault");
        while !expansion.is_terminal() {
            let joint: Vec<MoveId> =
                expansion.by_role().map(|legal| legal[dice.below(legal.len())]).collect();
            let mut told = Vec::new();
            tell(&*game, &mut workspace, &state, &joint, role, &mut told).expect("no fault");
            let step = Step { own: Own::Made(joint[usize::from(role.0)]), told: Some(told) };
            let begin = Instant::now();
            belief.advance(step).expect("no fault");
            state = game.apply(&mut workspace, &state, &joint).expect("no fault");
            game.expand(&mut workspace, &state, &mut expansion).expect("no fault");
            if !expansion.is_terminal() {
                belief.legal().expect("no fault");
            }
            longest = longest.max(begin.elapsed().as_secs_f64());
            let held = belief.particles().len();
            (fewest, largest) = (fewest.min(held), largest.max(held));
        }
        let counts = belief.counts();
        steps += counts.steps;
        rebuilt += counts.rebuilt;
        refilled += counts.refilled;
        solver += counts.solver_positions;
        lost += counts.lost;
    }
    let bytes = largest * (game.state_bytes() + 8 * game.role_count() + 64);
    println!(
        "{name}: {steps}, {fewest}, {largest}, {rebuilt}, {refilled}, {solver}, {lost}, {:.0}, {}",
        1e3 * longest,
        bytes / 1024
    );
}

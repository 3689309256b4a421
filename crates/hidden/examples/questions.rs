//! A game in which one role decides, solved over all beliefs: what it is worth from the first decision on.
//!
//! ```text
//! cargo run --release -p hidden --example questions -- GAME
//! ```
//!
//! In mastermind the expected number of guesses follows from that: each costs 10 of 100.

#![allow(clippy::print_stdout)]

use std::sync::Arc;
use std::time::Instant;

use game::{Describe, Dice, Expansion, Game};
use hidden::{Belief, BeliefTree, Own, Step, tell};
use machine::{Limits, Target, Wanted};

/// Steps of positions that may be looked at.
const MOST_STEPS: u64 = 100_000_000;
/// Positions that may be possible.
const MOST_POSITIONS: usize = 100_000;

fn main() {
    let name = std::env::args().nth(1).expect("the name of a game");
    let rules = bundled::find(&name).expect("a bundled game").rules;
    let machine = machine::from_text(rules, Wanted::Batch(Target::detect()), &Limits::generous());
    let game = machine.expect("a machine").erased();
    let deciders: Vec<_> = game.role_ids().filter(|role| game.chance() != Some(*role)).collect();
    let &[role] = &deciders[..] else { panic!("{} roles decide", deciders.len()) };
    let mut workspace = game.workspace();
    // Chance draws until there is something to decide.
    let (mut state, mut expansion, mut dice) = (game.initial(), Expansion::new(), Dice::new(1));
    let mut belief = Belief::new(Arc::clone(&game), role, MOST_POSITIONS, 1);
    loop {
        game.expand(&mut workspace, &state, &mut expansion).expect("no fault");
        if expansion.is_terminal() || expansion.legal(role).len() > 1 {
            break;
        }
        let joint: Vec<_> = expansion.by_role().map(|legal| legal[dice.below(legal.len())]).collect();
        let mut told = Vec::new();
        tell(&*game, &mut workspace, &state, &joint, role, &mut told).expect("no fault");
        let step = Step { own: Own::Made(joint[usize::from(role.0)]), told: Some(told) };
        belief.advance(step).expect("no fault");
        state = game.apply(&mut workspace, &state, &joint).expect("no fault");
    }
    assert!(belief.is_exact(), "more than {MOST_POSITIONS} positions are possible");
    let positions: Vec<_> = belief.particles().iter().map(|each| (each.state.clone(), each.weight)).collect();
    let mut tree = BeliefTree::new(role, MOST_STEPS).patient();
    let begin = Instant::now();
    let best = tree.best(&*game, &mut workspace, &positions, &mut || true).expect("it can be solved");
    let Some((id, worth)) = best else { return println!("{name}: there is nothing to decide") };
    println!("{name}: {} positions are possible at first, {} in all", positions.len(), tree.positions());
    println!("worth {:.6} of 100 with {}", 100.0 * worth, game.move_text(id));
    println!("{} beliefs, {:.1} s", tree.len(), begin.elapsed().as_secs_f64());
}

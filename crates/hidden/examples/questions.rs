//! A game in which one role decides, solved over all beliefs: what it is worth from the first decision on.
//!
//! ```text
//! cargo run --release -p hidden --example questions -- GAME
//! ```
//!
//! The strategy found is then played against everything that may be hidden, by the rules alone: what it gets, and how
//! many decisions it takes on average.

#![allow(clippy::print_stdout)]

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Instant;

use game::{Describe, Dice, Expansion, Game, MoveId, PerceptId, RoleId};
use hidden::{Belief, BeliefTree, Own, Step, tell};
use machine::{ErasedGame, ErasedState, Limits, Target, Wanted};

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
        belief
            .advance(Step { own: Own::Made(joint[usize::from(role.0)]), told: Some(told) })
            .expect("no fault");
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
    let count = positions.len() as f64;
    let mut played = Played { game: &game, role, tree: &mut tree, points: 0.0, decisions: 0.0, longest: 0 };
    played.play(positions, 1.0, 1);
    let Played { points, decisions, longest, .. } = played;
    println!("played: {points:.6} of 100 on average, {decisions:.6} decisions, {longest} at most");
    println!("{:.3} decisions for all {count} positions together", decisions * count);
}

/// A strategy as it is played: what it gets, and the decisions it takes.
struct Played<'a> {
    game: &'a Arc<ErasedGame>,
    role: RoleId,
    tree: &'a mut BeliefTree<ErasedState>,
    points: f64,
    decisions: f64,
    longest: usize,
}

impl Played<'_> {
    /// Plays on from positions whose likelihoods add up to 1, itself so likely.
    fn play(&mut self, belief: Vec<(ErasedState, f64)>, share: f64, depth: usize) {
        let mut workspace = self.game.workspace();
        let best = self.tree.best(&**self.game, &mut workspace, &belief, &mut || true).expect("it is solved");
        let mut parts: BTreeMap<Vec<PerceptId>, HashMap<ErasedState, f64>> = BTreeMap::new();
        let (mut expansion, mut goals, mut told) = (Expansion::new(), Vec::new(), Vec::new());
        for (state, weight) in belief {
            self.game.expand(&mut workspace, &state, &mut expansion).expect("no fault");
            if expansion.is_terminal() {
                self.game.goals(&mut workspace, &state, &mut goals).expect("no fault");
                self.points += share * weight * f64::from(goals[usize::from(self.role.0)].value().0);
                continue;
            }
            let (id, _) = best.expect("it goes on");
            if expansion.legal(self.role).len() > 1 {
                self.decisions += share * weight;
                self.longest = self.longest.max(depth);
            }
            let joints: Vec<Vec<MoveId>> =
                expansion.joint_moves().filter(|joint| joint[usize::from(self.role.0)] == id).collect();
            for joint in &joints {
                tell(&**self.game, &mut workspace, &state, joint, self.role, &mut told).expect("no fault");
                let next = self.game.apply(&mut workspace, &state, joint).expect("no fault");
                let part = parts.entry(told.clone()).or_default();
                *part.entry(next).or_default() += weight / joints.len() as f64;
            }
        }
        for part in parts.into_values() {
            let total: f64 = part.values().sum();
            let belief = part.into_iter().map(|(state, weight)| (state, weight / total)).collect();
            self.play(belief, share * total, depth + 1);
        }
    }
}

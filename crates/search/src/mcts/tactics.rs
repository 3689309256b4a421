//! What playouts that look for moves that decide mean to the tree: where the first move of a playout wins at
//! once, or nothing stops the other's win, the leaf is proven at its first visit.

use std::hash::Hash;

use game::{Decisive, Goal, Outcomes, PlayOptions, Simulator};

use super::backup::BackUp;
use super::paths::{Leaf, Paths};
use super::tree::{Bounds, Tree};
use crate::Parameters;

const WON: Goal = Goal(100);
const LOST: Goal = Goal(0);

/// How far playouts look for moves that decide, and whether they prefer captures: as far as is wanted and a machine
/// does it in lanes. One state at a time it would cost more than it brings.
pub(super) fn narrowing<G: Simulator>(game: &G, parameters: &Parameters) -> (Decisive, bool) {
    let policy = &mut *parameters.policy.make();
    let wanted: Decisive = parameters.decisive.into();
    let (style, needs) = (policy.style(), policy.needs());
    let options = PlayOptions {
        policy: style.as_policy(),
        record_moves: needs.moves,
        record_sequences: needs.sequences,
        ..PlayOptions::default()
    };
    let is_played = |decisive: &Decisive| game.supports(&PlayOptions { decisive: *decisive, ..options });
    let levels = [Decisive::WinsAndStops, Decisive::Wins];
    let decisive = levels.into_iter().filter(|level| *level <= wanted).find(is_played).unwrap_or_default();
    let captures = parameters.captures && game.supports(&PlayOptions { decisive, captures: true, ..options });
    (decisive, captures)
}

/// Whether a win of one of two roles was always the loss of the other. Only then does a win tell what both
/// get, whichever of several wins is made.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Rivals {
    wins: u64,
    is_broken: bool,
}

impl Rivals {
    /// Wins that have to be seen first, and after which nobody looks any more.
    const LEAST: u64 = 50;
    const ENOUGH: u64 = 100_000;

    /// Looks at more playouts. What was so often enough is believed.
    pub(super) fn watch(&mut self, outcomes: &Outcomes) {
        if self.is_broken || self.wins > Self::ENOUGH {
            return;
        }
        for playout in (0..outcomes.len()).filter(|&playout| !outcomes.is_cut(playout)) {
            match *outcomes.goals(playout) {
                [WON, LOST] | [LOST, WON] => self.wins += 1,
                [WON, _] | [_, WON] => self.is_broken = true,
                [_, _] => {}
                _ => self.is_broken = true,
            }
        }
    }

    pub(super) fn are_sure(&self) -> bool {
        !self.is_broken && self.wins >= Self::LEAST
    }
}

impl<State: Eq + Hash> BackUp<'_, State> {
    /// Proves a leaf where the outcome of a playout is certain. It is worth what that playout brought.
    pub(super) fn settled(&self, leaf: &Leaf, paths: &Paths, outcomes: &Outcomes, playout: usize) {
        let tree: &Tree<State> = self.tree;
        let node = tree.node(leaf.node);
        if !self.prove || node.is_proven() {
            return;
        }
        let steps = i32::try_from(outcomes.length(playout)).unwrap_or(i32::MAX);
        let mut lock = node.lock(self.alone);
        for (role, goal) in outcomes.goals(playout).iter().enumerate() {
            lock.set_mean(role, f64::from(goal.0) * self.discount.powi(steps));
        }
        let news = lock.narrow_all(outcomes.goals(playout).iter().map(|goal| Bounds::exact(goal.0)));
        drop(lock);
        if news {
            self.spread_proof(leaf, paths);
        }
    }
}

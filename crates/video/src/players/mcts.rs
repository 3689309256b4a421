//! Monte Carlo tree search as the framework's sample does it: an open loop, random playouts, a fixed
//! horizon.

use engine::Typed;

use super::*;
use crate::open_loop::untried;
use crate::tree::NodeId;

const SOURCE: &str =
    "sample of the GVG-AI framework; Perez et al., The 2014 General Video Game Playing Competition, 2016";

const DEPTH: Typed<u32> =
    Typed::<u32>::whole("depth", 10, 1, 1000, SOURCE, "ticks that are looked ahead, playouts included");
const EXPLORATION: Typed<f64> = Typed::<f64>::real(
    "exploration",
    std::f64::consts::SQRT_2,
    0.0,
    1000.0,
    SOURCE,
    "how much actions that were tried less are preferred",
);

pub(super) const ROW: PlayerRow = PlayerRow {
    name: "mcts",
    help: "Monte Carlo tree search over sequences of actions, with random playouts to a fixed horizon",
    source: SOURCE,
    parameters: || vec![DEPTH.row(), EXPLORATION.row()],
    make: |settings, seed| {
        Box::new(Mcts {
            depth: settings.of(&DEPTH),
            exploration: settings.of(&EXPLORATION),
            tree: Tree::new(),
            dice: Dice::new(seed),
        })
    },
};

/// What is known of a sequence of actions.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Visits {
    pub(super) count: u32,
    pub(super) sum: f64,
}

impl Visits {
    pub(super) fn mean(&self) -> f64 {
        if self.count == 0 { 0.0 } else { self.sum / f64::from(self.count) }
    }
}

struct Mcts {
    depth: u32,
    exploration: f64,
    tree: Tree<Visits>,
    dice: Dice,
}

/// The least and greatest value that was seen.
#[derive(Clone, Copy)]
pub(super) struct Bounds(f64, f64);

impl Bounds {
    pub(super) const NONE: Self = Self(f64::INFINITY, f64::NEG_INFINITY);

    pub(super) fn extend(&mut self, value: f64) {
        *self = Self(self.0.min(value), self.1.max(value));
    }

    /// A value as a share of the way from the least to the greatest.
    pub(super) fn share(&self, value: f64) -> f64 {
        if self.0 < self.1 { (value - self.0) / (self.1 - self.0) } else { 0.5 }
    }
}

/// The action of the largest upper confidence bound; every action has a node.
pub(super) fn upper_confidence(
    tree: &Tree<Visits>,
    node: NodeId,
    actions: &[Action],
    bounds: Bounds,
    exploration: f64,
    dice: &mut Dice,
) -> Action {
    let log = f64::from(tree.data(node).count + 1).ln();
    let values = actions.iter().filter_map(|&action| {
        let visits = tree.data(tree.child(node, action)?);
        let bonus = exploration * (log / f64::from(visits.count.max(1))).sqrt();
        // A little noise, so that equals take turns.
        Some((action, bounds.share(visits.mean()) + bonus + 1e-6 * dice.unit()))
    });
    let values: Vec<(Action, f64)> = values.collect();
    best(values, dice)
}

/// The action that was tried most, and the better one of equals.
pub(super) fn most_visited(tree: &Tree<Visits>, actions: &[Action], dice: &mut Dice) -> Action {
    let root = Tree::<Visits>::ROOT;
    let visits = |action: Action| tree.child(root, action).map(|node| *tree.data(node)).unwrap_or_default();
    let most = actions.iter().map(|&action| visits(action).count).max().unwrap_or(0);
    let candidates = actions.iter().filter(|&&action| visits(action).count == most);
    best(candidates.map(|&action| (action, visits(action).mean())), dice)
}

/// One walk down the tree and a playout from there.
pub(super) fn simulate(
    tree: &mut Tree<Visits>,
    tried: &mut World,
    horizon: u32,
    exploration: f64,
    bounds: &mut Bounds,
    timer: &mut Timer<'_>,
    dice: &mut Dice,
) {
    let mut node = Tree::<Visits>::ROOT;
    let mut depth = 0;
    while depth < horizon && !tried.is_over() {
        let actions = tried.actions();
        depth += 1;
        if let Some(action) = untried(tree, node, actions, dice) {
            tried.advance(action);
            node = tree.add(node, action);
            break;
        }
        let action = upper_confidence(tree, node, actions, *bounds, exploration, dice);
        tried.advance(action);
        match tree.child(node, action) {
            Some(child) => node = child,
            None => break,
        }
    }
    while depth < horizon && !tried.is_over() {
        tried.advance(any_action(tried, dice));
        depth += 1;
    }
    timer.spend(u64::from(depth).max(1));
    let value = win_and_score(tried);
    bounds.extend(value);
    count(tree, node, value);
}

/// Counts a value in a node and all above it.
pub(super) fn count(tree: &mut Tree<Visits>, node: NodeId, value: f64) {
    let mut at = Some(node);
    while let Some(node) = at {
        let visits = tree.data_mut(node);
        visits.count += 1;
        visits.sum += value;
        at = tree.parent(node);
    }
}

impl Player for Mcts {
    fn prepare(&mut self, _: &World, _: &Budget<'_>) {}

    fn act(&mut self, world: &World, budget: &Budget<'_>) -> Action {
        let mut timer = Timer::new(budget);
        let mut tried = world.clone();
        let mut bounds = Bounds::NONE;
        self.tree.clear();
        while !timer.is_over() {
            tried.restart(world, &mut self.dice);
            let Self { tree, dice, .. } = self;
            simulate(tree, &mut tried, self.depth, self.exploration, &mut bounds, &mut timer, dice);
        }
        most_visited(&self.tree, world.actions(), &mut self.dice)
    }
}

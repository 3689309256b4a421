//! Open loop expectimax tree search, the winner of 2014: no playouts, leaves are worth their score, a
//! node is worth what ended there and the best of what lies behind it, and places where the avatar was
//! a short time ago are a little worse.

use std::collections::VecDeque;

use engine::Typed;
use vgdl::Outcome;

use super::mcts::untried;
use super::*;
use crate::tree::NodeId;

const SOURCE: &str = "Perez et al., The 2014 General Video Game Playing Competition, 2016";

const TABOO_TICKS: Typed<u32> =
    Typed::<u32>::whole("taboo_ticks", 15, 0, 1000, SOURCE, "for how many ticks a place is taboo");
const TABOO_PENALTY: Typed<f64> = Typed::<f64>::real(
    "taboo_penalty",
    0.1,
    0.0,
    1000.0,
    SOURCE,
    "what being in a taboo place costs: an order of magnitude less than the least score",
);

pub(super) const ROW: PlayerRow = PlayerRow {
    name: "olets",
    help: "open loop expectimax tree search with taboo bias",
    source: SOURCE,
    parameters: || vec![TABOO_TICKS.row(), TABOO_PENALTY.row()],
    make: |settings, seed| {
        Box::new(Olets {
            taboo_ticks: settings.of(&TABOO_TICKS) as usize,
            taboo_penalty: settings.of(&TABOO_PENALTY),
            tree: Tree::new(),
            places: VecDeque::new(),
            last: None,
            dice: Dice::new(seed),
        })
    },
};

/// Beyond so many nodes the rest of the time is spent in what there is.
const MAX_NODES: usize = 1 << 18;

/// What winning or losing adds to the score, more of it the sooner it comes.
fn ending(world: &World) -> f64 {
    let soon = 1000.0 * (1.0 + 100.0 / (10.0 + f64::from(world.tick())));
    match world.outcome() {
        Outcome::Won => soon,
        Outcome::Lost => -soon,
        Outcome::Open => 0.0,
    }
}

/// What is known of a sequence of actions.
#[derive(Clone, Copy, Debug, Default)]
struct Walks {
    /// Simulations that went through.
    through: u32,
    /// Simulations that ended here, and what they reached.
    ended: u32,
    sum: f64,
    /// What it is worth.
    value: f64,
}

struct Olets {
    taboo_ticks: usize,
    taboo_penalty: f64,
    tree: Tree<Walks>,
    /// Where the avatar was lately.
    places: VecDeque<(i32, i32)>,
    /// What was done in the last tick.
    last: Option<Action>,
    dice: Dice,
}

impl Olets {
    fn value(&self, world: &World) -> f64 {
        let place = world.avatar_sprite().map(|sprite| (sprite.rect.x, sprite.rect.y));
        let taboo = place.is_some_and(|place| self.places.contains(&place));
        world.score() + ending(world) - if taboo { self.taboo_penalty } else { 0.0 }
    }

    fn select(&mut self, node: NodeId, actions: &[Action]) -> Action {
        let log = f64::from(self.tree.data(node).through.max(1)).ln();
        let values: Vec<(Action, f64)> = actions
            .iter()
            .filter_map(|&action| {
                let walks = self.tree.data(self.tree.child(node, action)?);
                let bonus = (log / f64::from(walks.through.max(1))).sqrt();
                Some((action, walks.value + bonus))
            })
            .collect();
        best(values, &mut self.dice)
    }

    fn simulate(&mut self, tried: &mut World, timer: &mut Timer<'_>) {
        let mut node = Tree::<Walks>::ROOT;
        let mut depth = 0;
        while !tried.is_over() {
            let actions = tried.actions();
            depth += 1;
            if let Some(action) = untried(&self.tree, node, actions, &mut self.dice) {
                tried.advance(action);
                if self.tree.len() < MAX_NODES {
                    node = self.tree.add(node, action);
                }
                break;
            }
            let action = self.select(node, actions);
            tried.advance(action);
            match self.tree.child(node, action) {
                Some(child) => node = child,
                None => break,
            }
        }
        timer.spend(depth.max(1));
        let value = self.value(tried);
        let walks = self.tree.data_mut(node);
        walks.ended += 1;
        walks.sum += value;
        let mut at = Some(node);
        while let Some(node) = at {
            let behind = self
                .tree
                .children(node)
                .map(|(_, child)| self.tree.data(child).value)
                .fold(f64::NEG_INFINITY, f64::max);
            let walks = self.tree.data_mut(node);
            walks.through += 1;
            let all = f64::from(walks.through);
            walks.value = if behind.is_finite() {
                walks.sum / all + behind * (all - f64::from(walks.ended)) / all
            } else {
                walks.sum / all
            };
            at = self.tree.parent(node);
        }
    }

    fn think(&mut self, world: &World, budget: &Budget<'_>) {
        let mut timer = Timer::new(budget);
        let mut tried = world.clone();
        while !timer.is_over() {
            tried.restart(world, &mut self.dice);
            self.simulate(&mut tried, &mut timer);
        }
    }
}

impl Player for Olets {
    fn prepare(&mut self, world: &World, budget: &Budget<'_>) {
        self.think(world, budget);
    }

    fn act(&mut self, world: &World, budget: &Budget<'_>) -> Action {
        if let Some(last) = self.last {
            self.tree.reroot(last);
        }
        if let Some(sprite) = world.avatar_sprite() {
            self.places.push_back((sprite.rect.x, sprite.rect.y));
            while self.places.len() > self.taboo_ticks {
                self.places.pop_front();
            }
        }
        self.think(world, budget);
        let root = Tree::<Walks>::ROOT;
        let walks = |action: Action| self.tree.child(root, action).map(|node| *self.tree.data(node));
        let walks: Vec<(Action, Walks)> =
            world.actions().iter().filter_map(|&action| walks(action).map(|walks| (action, walks))).collect();
        let most = walks.iter().map(|(_, walks)| walks.through).max().unwrap_or(0);
        let candidates = walks.iter().filter(|(_, walks)| walks.through == most);
        let action = best(candidates.map(|(action, walks)| (*action, walks.value)), &mut self.dice);
        self.last = Some(action);
        action
    }
}

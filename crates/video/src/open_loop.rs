//! Open loop expectimax: a tree of sequences of actions in which a node is worth what ended there and the
//! best of what lies behind it. What a state is worth is for the player to say.

use game::Dice;
use vgdl::Action;

use crate::World;
use crate::tree::{NodeId, Tree};

/// Beyond so many nodes the rest of the time is spent in what there is.
const MAX_NODES: usize = 1 << 18;

/// What is known of a sequence of actions.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Walks {
    /// Simulations that went through.
    pub(crate) through: u32,
    /// Simulations that ended here, and what they reached.
    ended: u32,
    sum: f64,
    /// What it is worth.
    pub(crate) value: f64,
}

/// Values states, and hears of every tick that is tried.
pub(crate) trait Judge {
    /// Hears of a tick.
    fn ticked(&mut self, action: Action, world: &World);
    /// What a state is worth.
    fn value(&mut self, world: &World) -> f64;
}

/// The tree.
#[derive(Clone, Debug)]
pub(crate) struct OpenLoop {
    tree: Tree<Walks>,
    /// How much actions that were tried less are preferred.
    exploration: f64,
    /// Whether doing nothing is tried, too.
    waits: bool,
}

const ROOT: NodeId = Tree::<Walks>::ROOT;

impl OpenLoop {
    pub(crate) fn new(exploration: f64, waits: bool) -> Self {
        Self { tree: Tree::new(), exploration, waits }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.tree.clear();
    }

    /// An action was made.
    pub(crate) fn follow(&mut self, action: Action) {
        self.tree.reroot(action);
    }

    fn actions(&self, world: &World) -> ([Action; Action::ALL.len()], usize) {
        let mut actions = [Action::Nil; Action::ALL.len()];
        let given = world.actions();
        actions[..given.len()].copy_from_slice(given);
        let nil = self.waits && !given.contains(&Action::Nil);
        (actions, given.len() + usize::from(nil))
    }

    /// Walks down the tree with a world, adds one node and counts what it is worth. Tells how many ticks
    /// that took.
    pub(crate) fn simulate(&mut self, tried: &mut World, judge: &mut impl Judge, dice: &mut Dice) -> u64 {
        let mut node = ROOT;
        let mut ticks = 0;
        while !tried.is_over() {
            let (actions, count) = self.actions(tried);
            let actions = &actions[..count];
            ticks += 1;
            if let Some(action) = untried(&self.tree, node, actions, dice) {
                tried.advance(action);
                judge.ticked(action, tried);
                if self.tree.len() < MAX_NODES {
                    node = self.tree.add(node, action);
                }
                break;
            }
            let action = self.select(node, actions, dice);
            tried.advance(action);
            judge.ticked(action, tried);
            match self.tree.child(node, action) {
                Some(child) => node = child,
                None => break,
            }
        }
        self.count(node, judge.value(tried));
        ticks.max(1)
    }

    fn select(&self, node: NodeId, actions: &[Action], dice: &mut Dice) -> Action {
        let log = f64::from(self.tree.data(node).through.max(1)).ln();
        let bound = |&action: &Action| {
            let walks = self.tree.data(self.tree.child(node, action)?);
            let bonus = self.exploration * (log / f64::from(walks.through.max(1))).sqrt();
            Some((action, walks.value + bonus))
        };
        best(actions.iter().filter_map(bound), dice)
    }

    fn count(&mut self, node: NodeId, value: f64) {
        let walks = self.tree.data_mut(node);
        walks.ended += 1;
        walks.sum += value;
        let mut at = Some(node);
        while let Some(node) = at {
            let behind = self.tree.children(node).map(|(_, child)| self.tree.data(child).value);
            let behind = behind.fold(f64::NEG_INFINITY, f64::max);
            let walks = self.tree.data_mut(node);
            walks.through += 1;
            let all = f64::from(walks.through);
            walks.value = walks.sum / all;
            if behind.is_finite() {
                walks.value += behind * (all - f64::from(walks.ended)) / all;
            }
            at = self.tree.parent(node);
        }
    }

    /// The action that was tried most from here, and the better one of equals.
    pub(crate) fn most_tried(&self, world: &World, dice: &mut Dice) -> Action {
        let (actions, count) = self.actions(world);
        let walks = |action: Action| self.tree.child(ROOT, action).map(|node| *self.tree.data(node));
        let known: Vec<(Action, Walks)> =
            actions[..count].iter().filter_map(|&action| Some((action, walks(action)?))).collect();
        let most = known.iter().map(|(_, walks)| walks.through).max().unwrap_or(0);
        let candidates = known.iter().filter(|(_, walks)| walks.through == most);
        best(candidates.map(|(action, walks)| (*action, walks.value)), dice)
    }
}

/// An action that was never tried from a node, if there is one.
pub(crate) fn untried<T: Default + Clone>(
    tree: &Tree<T>,
    node: NodeId,
    actions: &[Action],
    dice: &mut Dice,
) -> Option<Action> {
    let new = |action: &&Action| tree.child(node, **action).is_none();
    let count = actions.iter().filter(new).count();
    let which = dice.below(count);
    actions.iter().filter(new).nth(which).copied()
}

/// The action with the largest value; of several, any.
pub(crate) fn best(values: impl IntoIterator<Item = (Action, f64)>, dice: &mut Dice) -> Action {
    let mut best = (Action::Nil, f64::NEG_INFINITY);
    let mut ties = 0;
    for (action, value) in values {
        if value > best.1 {
            best = (action, value);
            ties = 1;
        } else if value == best.1 {
            ties += 1;
            if dice.below(ties) == 0 {
                best.0 = action;
            }
        }
    }
    best.0
}

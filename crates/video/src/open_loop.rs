//! Open loop expectimax: a tree of sequences of actions in which a node is worth what ended there and the
//! best of what lies behind it. What a state is worth is for the player to say.

use game::Dice;
use vgdl::Action;

use crate::World;
use crate::tree::{NodeId, Tree};

/// Beyond so many nodes the rest of the time is spent in what there is.
const MAX_NODES: usize = 1 << 18;

/// What a node is taken to have been visited at least.
const LEAST: f64 = 0.1;

/// What is known of a sequence of actions.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Walks {
    /// Simulations that went through; older ones may count less.
    through: f64,
    /// Simulations that ended here, and what they reached.
    ended: f64,
    sum: f64,
    /// What it is worth.
    value: f64,
    /// Whether its last action made no difference: then doing nothing stands for it.
    idle: bool,
}

/// Values states, and hears of every tick that is tried.
pub(crate) trait Judge {
    /// Hears of a tick, and tells whether the action made a difference.
    fn ticked(&mut self, action: Action, world: &World) -> bool;
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
    /// How much leaves differ in value, if that is what exploration is measured by.
    spread: Option<Spread>,
}

/// How much values differ, lately.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spread {
    mean: f64,
    variance: f64,
    /// The least that is told.
    least: f64,
}

impl Spread {
    /// How fast old values are forgotten.
    const RATE: f64 = 0.01;

    pub(crate) fn new(least: f64) -> Self {
        Self { mean: 0.0, variance: 0.0, least }
    }

    fn add(&mut self, value: f64) {
        let apart = value - self.mean;
        self.mean += Self::RATE * apart;
        self.variance = (1.0 - Self::RATE) * (self.variance + Self::RATE * apart * apart);
    }

    fn deviation(&self) -> f64 {
        self.variance.sqrt().max(self.least)
    }
}

const ROOT: NodeId = Tree::<Walks>::ROOT;

impl OpenLoop {
    pub(crate) fn new(exploration: f64, waits: bool, spread: Option<Spread>) -> Self {
        Self { tree: Tree::new(), exploration, waits, spread }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.tree.clear();
    }

    /// An action was made. What is known of the states behind it counts for a part of what it did, as the
    /// world, and what it is judged by, may have changed.
    pub(crate) fn follow(&mut self, action: Action, part: f64) {
        self.tree.reroot(action);
        if part < 1.0 {
            for walks in self.tree.all_mut() {
                walks.through *= part;
                walks.ended *= part;
                walks.sum *= part;
            }
        }
        // What made no difference in other states may make one here.
        let children: Vec<NodeId> = self.tree.children(ROOT).map(|(_, child)| child).collect();
        children.into_iter().for_each(|child| self.tree.data_mut(child).idle = false);
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
                let differs = judge.ticked(action, tried);
                if self.tree.len() < MAX_NODES {
                    node = self.tree.add(node, action);
                    self.tree.data_mut(node).idle = self.waits && !differs;
                }
                break;
            }
            let action = self.select(node, actions, dice);
            tried.advance(action);
            let differs = judge.ticked(action, tried);
            match self.tree.child(node, action) {
                Some(child) => node = child,
                None => break,
            }
            self.tree.data_mut(node).idle = self.waits && !differs;
        }
        let value = judge.value(tried);
        // Ends are worth so much that nothing else would be told apart.
        if let Some(spread) = &mut self.spread
            && !tried.is_over()
        {
            spread.add(value);
        }
        self.count(node, value);
        ticks.max(1)
    }

    fn select(&self, node: NodeId, actions: &[Action], dice: &mut Dice) -> Action {
        let log = self.tree.data(node).through.max(1.0).ln();
        let unit = self.exploration * self.spread.map_or(1.0, |spread| spread.deviation());
        let bound = |&action: &Action| {
            let walks = self.tree.data(self.tree.child(node, action)?);
            let bonus = unit * (log / walks.through.max(LEAST)).sqrt();
            (!walks.idle).then_some((action, walks.value + bonus))
        };
        best(actions.iter().filter_map(bound), dice)
    }

    fn count(&mut self, node: NodeId, value: f64) {
        let walks = self.tree.data_mut(node);
        walks.ended += 1.0;
        walks.sum += value;
        let mut at = Some(node);
        while let Some(node) = at {
            let behind = self.tree.children(node).map(|(_, child)| self.tree.data(child));
            let behind = behind.filter(|walks| !walks.idle).map(|walks| walks.value);
            let behind = behind.fold(f64::NEG_INFINITY, f64::max);
            let walks = self.tree.data_mut(node);
            walks.through += 1.0;
            let all = walks.through;
            walks.value = walks.sum / all;
            if behind.is_finite() {
                walks.value += behind * (all - walks.ended) / all;
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
        let most = known.iter().map(|(_, walks)| walks.through).fold(0.0, f64::max);
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use vgdl::{Game, Level, SourceFile};

    use super::*;

    /// Going left makes no difference, and all states are worth the same.
    struct Indifferent;

    impl Judge for Indifferent {
        fn ticked(&mut self, action: Action, _: &World) -> bool {
            action != Action::Left
        }

        fn value(&mut self, _: &World) -> f64 {
            0.0
        }
    }

    fn world() -> World {
        let rules = "BasicGame\n  SpriteSet\n    avatar > MovingAvatar\n  InteractionSet\n    avatar EOS > stepBack\n  \
                     TerminationSet\n    Timeout limit=500 win=True\n  LevelMapping\n    . > avatar\n";
        let rules = vgdl::compile(&vgdl::parse(&SourceFile::new("game", rules)).description).rules;
        let level = Level::load(Arc::new(rules), &SourceFile::new("level", "A   \n    \n")).level;
        World::new(&Game::new(Arc::new(level), 1), 0, 1)
    }

    #[test]
    fn what_makes_no_difference_is_tried_once_and_old_thoughts_count_less() {
        let (world, mut dice) = (world(), Dice::new(1));
        let mut search = OpenLoop::new(1.0, true, None);
        for _ in 0..200 {
            search.simulate(&mut world.clone(), &mut Indifferent, &mut dice);
        }
        let through = |search: &OpenLoop, action| {
            search.tree.child(ROOT, action).map(|node| search.tree.data(node).through)
        };
        assert_eq!(through(&search, Action::Left), Some(1.0));
        let right = through(&search, Action::Right).expect("tried");
        assert!(right > 20.0 && through(&search, Action::Nil).is_some_and(|nil| nil > 20.0));
        search.follow(Action::Right, 0.5);
        assert_eq!(search.tree.data(ROOT).through, right / 2.0);
    }

    #[test]
    fn the_spread_of_values_is_told_and_never_too_small() {
        let mut spread = Spread::new(0.1);
        assert_eq!(spread.deviation(), 0.1);
        (0..2000).for_each(|number| spread.add(if number % 2 == 0 { 7.0 } else { 3.0 }));
        assert!((spread.deviation() - 2.0).abs() < 0.1, "{spread:?}");
        (0..2000).for_each(|_| spread.add(5.0));
        assert!(spread.deviation() < 0.2, "{spread:?}");
    }
}

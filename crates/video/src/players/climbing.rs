//! Tree search for one half of the time, then hill climbing from the sequence of actions it likes best.

use engine::Typed;

use super::mcts::{Bounds, Visits, most_visited, simulate};
use super::*;

const SOURCE: &str = "our design after the fourth of 2014 (Shmokin): Świechowski et al., Recent Advances in General Game Playing, 2015, table 3";

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
const SHARE: Typed<f64> =
    Typed::<f64>::real("share", 0.5, 0.0, 1.0, SOURCE, "the part of the time that is spent in the tree");

pub(super) const ROW: PlayerRow = PlayerRow {
    name: "mcts-climbing",
    help: "Monte Carlo tree search, then hill climbing from the sequence of actions it likes best",
    source: SOURCE,
    parameters: || vec![DEPTH.row(), EXPLORATION.row(), SHARE.row()],
    make: |settings, seed| {
        Box::new(Climbing {
            depth: settings.of(&DEPTH),
            exploration: settings.of(&EXPLORATION),
            share: settings.of(&SHARE),
            tree: Tree::new(),
            dice: Dice::new(seed),
        })
    },
};

struct Climbing {
    depth: u32,
    exploration: f64,
    share: f64,
    tree: Tree<Visits>,
    dice: Dice,
}

impl Climbing {
    /// The part of a budget that the tree has.
    fn part<'a>(&self, budget: &Budget<'a>) -> Budget<'a> {
        let left = budget.left().map(|left| left.mul_f64(1.0 - self.share));
        let until = budget.until.zip(left).map(|(until, rest)| until.saturating_sub(rest));
        let simulations = budget.simulations.map(|all| (all as f64 * self.share) as u64);
        Budget { until, simulations, ..*budget }
    }

    /// The actions that the tree likes best, filled up with any.
    fn sequence(&mut self, world: &World) -> Vec<Action> {
        let mut node = Tree::<Visits>::ROOT;
        let mut actions = vec![most_visited(&self.tree, world.actions(), &mut self.dice)];
        while actions.len() < self.depth as usize {
            let known = actions.last().and_then(|&action| self.tree.child(node, action));
            let next = known.and_then(|known| {
                node = known;
                let visits = |(_, child): &(Action, _)| self.tree.data(*child).count;
                self.tree.children(known).max_by_key(visits).map(|(action, _)| action)
            });
            actions.push(next.unwrap_or_else(|| any_action(world, &mut self.dice)));
        }
        actions
    }

    /// What a sequence comes to, the mean of some tries.
    fn value(&mut self, world: &World, tried: &mut World, actions: &[Action], timer: &mut Timer<'_>) -> f64 {
        const TRIES: u32 = 3;
        let mut sum = 0.0;
        for _ in 0..TRIES {
            tried.restart(world, &mut self.dice);
            for &action in actions {
                if tried.is_over() {
                    break;
                }
                tried.advance(action);
                timer.spend(1);
            }
            sum += win_and_score(tried);
        }
        sum / f64::from(TRIES)
    }
}

impl Player for Climbing {
    fn prepare(&mut self, _: &World, _: &Budget<'_>) {}

    fn act(&mut self, world: &World, budget: &Budget<'_>) -> Action {
        let mut tried = world.clone();
        let mut bounds = Bounds::NONE;
        self.tree.clear();
        let part = self.part(budget);
        let mut timer = Timer::new(&part);
        while !timer.is_over() {
            tried.restart(world, &mut self.dice);
            let tree = &mut self.tree;
            simulate(tree, &mut tried, self.depth, self.exploration, &mut bounds, &mut timer, &mut self.dice);
        }
        let rest = Budget {
            simulations: budget.simulations.map(|all| all - part.simulations.unwrap_or(0)),
            ..*budget
        };
        let mut timer = Timer::new(&rest);
        let mut actions = self.sequence(world);
        let mut value = self.value(world, &mut tried, &actions, &mut timer);
        while !timer.is_over() {
            let mut changed = actions.clone();
            let place = self.dice.below(changed.len());
            changed[place] = any_action(world, &mut self.dice);
            let better = self.value(world, &mut tried, &changed, &mut timer);
            if better > value {
                (actions, value) = (changed, better);
            }
        }
        actions.first().copied().unwrap_or_default()
    }
}

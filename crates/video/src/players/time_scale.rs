//! Tree search over actions that are held for some ticks: how many is chosen like everything else, so that
//! far goals are reached in few decisions.

use engine::Typed;

use super::mcts::Bounds;
use super::*;

const SOURCE: &str = "Vafadost, Temporal Abstraction in Monte Carlo Tree Search, 2013 (variable time scale)";

const DEPTH: Typed<u32> =
    Typed::<u32>::whole("depth", 10, 1, 1000, SOURCE, "decisions that are looked ahead, playouts included");
const EXPLORATION: Typed<f64> = Typed::<f64>::real(
    "exploration",
    std::f64::consts::SQRT_2,
    0.0,
    1000.0,
    SOURCE,
    "how much decisions that were tried less are preferred",
);

pub(super) const ROW: PlayerRow = PlayerRow {
    name: "variable-time-scale",
    help: "Monte Carlo tree search over actions that are held for 1, 2, 4 or 8 ticks",
    source: SOURCE,
    parameters: || vec![DEPTH.row(), EXPLORATION.row()],
    make: |settings, seed| {
        Box::new(TimeScale {
            depth: settings.of(&DEPTH),
            exploration: settings.of(&EXPLORATION),
            nodes: Vec::new(),
            dice: Dice::new(seed),
        })
    },
};

/// For how many ticks an action is held.
const SCALES: [u32; 4] = [1, 2, 4, 8];

/// An action and for how long it is held.
type Decision = (Action, usize);

#[derive(Default)]
struct Node {
    visits: u32,
    sum: f64,
    children: Vec<(Decision, usize)>,
}

struct TimeScale {
    depth: u32,
    exploration: f64,
    nodes: Vec<Node>,
    dice: Dice,
}

impl TimeScale {
    fn any(&mut self, world: &World) -> Decision {
        (any_action(world, &mut self.dice), self.dice.below(SCALES.len()))
    }

    /// Holds an action; tells how many ticks that took.
    fn hold(tried: &mut World, (action, scale): Decision) -> u64 {
        let mut ticks = 0;
        while ticks < SCALES[scale] && !tried.is_over() {
            tried.advance(action);
            ticks += 1;
        }
        u64::from(ticks)
    }

    /// A decision that was never made from a node, if there is one.
    fn fresh(&mut self, node: usize, world: &World) -> Option<Decision> {
        let known = &self.nodes[node].children;
        let all =
            world.actions().iter().flat_map(|&action| (0..SCALES.len()).map(move |scale| (action, scale)));
        let new: Vec<Decision> =
            all.filter(|decision| known.iter().all(|(other, _)| other != decision)).collect();
        (!new.is_empty()).then(|| new[self.dice.below(new.len())])
    }

    fn select(&mut self, node: usize, bounds: Bounds) -> Option<(Decision, usize)> {
        let log = f64::from(self.nodes[node].visits + 1).ln();
        let mut best = (None, f64::NEG_INFINITY);
        for &(decision, child) in &self.nodes[node].children {
            let Node { visits, sum, .. } = self.nodes[child];
            let count = f64::from(visits.max(1));
            let bound = bounds.share(sum / count) + self.exploration * (log / count).sqrt();
            let bound = bound + 1e-6 * self.dice.unit();
            if bound > best.1 {
                best = (Some((decision, child)), bound);
            }
        }
        best.0
    }

    fn simulate(&mut self, tried: &mut World, bounds: &mut Bounds, timer: &mut Timer<'_>) {
        let mut path = vec![0];
        let mut node = 0;
        while (path.len() as u32) <= self.depth && !tried.is_over() {
            if let Some(decision) = self.fresh(node, tried) {
                timer.spend(Self::hold(tried, decision));
                let child = self.nodes.len();
                self.nodes.push(Node::default());
                self.nodes[node].children.push((decision, child));
                path.push(child);
                break;
            }
            let Some((decision, child)) = self.select(node, *bounds) else { break };
            timer.spend(Self::hold(tried, decision));
            node = child;
            path.push(node);
        }
        for _ in path.len() as u32..=self.depth {
            if tried.is_over() {
                break;
            }
            let decision = self.any(tried);
            timer.spend(Self::hold(tried, decision));
        }
        timer.spend(1);
        let value = win_and_score(tried);
        bounds.extend(value);
        for node in path {
            self.nodes[node].visits += 1;
            self.nodes[node].sum += value;
        }
    }
}

impl Player for TimeScale {
    fn prepare(&mut self, _: &World, _: &Budget<'_>) {}

    fn act(&mut self, world: &World, budget: &Budget<'_>) -> Action {
        let mut timer = Timer::new(budget);
        let mut tried = world.clone();
        let mut bounds = Bounds::NONE;
        self.nodes.clear();
        self.nodes.push(Node::default());
        while !timer.is_over() {
            tried.restart(world, &mut self.dice);
            self.simulate(&mut tried, &mut bounds, &mut timer);
        }
        // What counts is the action of this tick, whatever its scale: the next tick decides again.
        let visits = |action: Action| {
            let own = self.nodes[0].children.iter().filter(|((other, _), _)| *other == action);
            own.map(|&(_, child)| f64::from(self.nodes[child].visits)).sum::<f64>()
        };
        let values: Vec<(Action, f64)> =
            world.actions().iter().map(|&action| (action, visits(action))).collect();
        best(values, &mut self.dice)
    }
}

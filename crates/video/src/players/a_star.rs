//! A* with a horizon: the state that promises most is looked beyond first, and the way to the best state
//! found is begun.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use engine::Typed;
use rustc_hash::FxHashSet;

use super::one_step::simple_value;
use super::*;

const SOURCE: &str = "our design after the tenth of 2014 (T2Thompson): Świechowski et al., Recent Advances in General Game Playing, 2015, table 3";

const HORIZON: Typed<u32> =
    Typed::<u32>::whole("horizon", 30, 1, 1000, SOURCE, "the most ticks that are looked ahead");
const STEP: Typed<f64> = Typed::<f64>::real("step", 1.0, 0.0, 1000.0, SOURCE, "what a tick costs");
const STATES: Typed<u32> =
    Typed::<u32>::whole("states", 1000, 1, 100_000, SOURCE, "the most states that are kept in a tick");

pub(super) const ROW: PlayerRow = PlayerRow {
    name: "a-star",
    help: "A* with a horizon; steepest ascent by the same heuristic where it finds nothing better",
    source: SOURCE,
    parameters: || vec![HORIZON.row(), STEP.row(), STATES.row()],
    make: |settings, seed| {
        Box::new(AStar {
            horizon: settings.of(&HORIZON),
            step: settings.of(&STEP),
            states: settings.of(&STATES) as usize,
            dice: Dice::new(seed),
        })
    },
};

struct AStar {
    horizon: u32,
    step: f64,
    states: usize,
    dice: Dice,
}

struct Open {
    priority: f64,
    world: Box<World>,
    first: Action,
    depth: u32,
}

impl PartialEq for Open {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Open {}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Open {
    fn cmp(&self, other: &Self) -> Ordering {
        self.priority.total_cmp(&other.priority)
    }
}

impl Player for AStar {
    fn prepare(&mut self, _: &World, _: &Budget<'_>) {}

    fn act(&mut self, world: &World, budget: &Budget<'_>) -> Action {
        let mut timer = Timer::new(budget);
        let mut seen: FxHashSet<u64> = [world.fingerprint()].into_iter().collect();
        let mut open = BinaryHeap::new();
        let mut found = (any_action(world, &mut self.dice), f64::NEG_INFINITY);
        let mut next =
            Some(Open { priority: 0.0, world: Box::new(world.clone()), first: Action::Nil, depth: 0 });
        while let Some(state) = next.take().or_else(|| open.pop()) {
            if timer.is_over() {
                break;
            }
            for &action in state.world.actions() {
                let mut child = Box::new(state.world.fork(&mut self.dice));
                child.advance(action);
                timer.spend(1);
                if !seen.insert(child.fingerprint()) {
                    continue;
                }
                let (depth, first) = (state.depth + 1, if state.depth == 0 { action } else { state.first });
                let value = simple_value(&child) - self.step * f64::from(depth);
                if value > found.1 {
                    found = (first, value);
                }
                if depth < self.horizon && !child.is_over() && open.len() < self.states {
                    open.push(Open { priority: value, world: child, first, depth });
                }
            }
        }
        found.0
    }
}

//! Planners: they look ahead in the emulator and say what to do next.

use std::collections::VecDeque;

use game::Dice;
use rustc_hash::FxHashSet;

use super::objective::atoms;
use super::{Emulator, EmulatorError, Memory, Objective, SavedId};

/// How far and how long is looked ahead.
#[derive(Clone, Copy, Debug)]
pub struct Search {
    /// For how many frames an action is held.
    pub frames: u32,
    /// Actions that may be tried for one decision.
    pub tries: u32,
    /// Actions in a row at most.
    pub horizon: u32,
    /// What is worth an action later.
    pub discount: f64,
}

impl Default for Search {
    /// Five frames an action as in the paper, and as many tries as take about a second.
    fn default() -> Self {
        Self { frames: 5, tries: 1500, horizon: 60, discount: 0.995 }
    }
}

/// A planner: what to do next.
type Plan = fn(&mut dyn Emulator, &Objective, Search, &mut Dice) -> Result<usize, EmulatorError>;

/// A row of the table of planners.
#[derive(Clone, Copy, Debug)]
pub struct PlannerRow {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub help: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// Says what to do next; the emulator is in the same state afterwards.
    pub plan: Plan,
}

const ARCADE: &str = "Bellemare et al., The Arcade Learning Environment, 2013";

/// All planners.
pub const PLANNERS: &[PlannerRow] = &[
    PlannerRow {
        name: "breadth-first",
        help: "all sequences of actions, the shortest first",
        source: ARCADE,
        plan: |emulator, objective, search, dice| breadth(emulator, objective, search, dice, false),
    },
    PlannerRow {
        name: "uct",
        help: "upper confidence bounds on trees of actions",
        source: ARCADE,
        plan: uct,
    },
    PlannerRow {
        name: "iw1",
        help: "the shortest sequences first, without states in which no byte has a new value",
        source: "Lipovetzky, Ramirez and Geffner, Classical Planning with Simulators: Results on the Atari Video Games, 2015",
        plan: |emulator, objective, search, dice| breadth(emulator, objective, search, dice, true),
    },
];

/// A state that can be looked beyond.
struct Open {
    saved: SavedId,
    memory: Memory,
    first: Option<usize>,
    value: f64,
    weight: f64,
    depth: u32,
}

/// Breadth first, only what is new if wanted.
fn breadth(
    emulator: &mut dyn Emulator,
    objective: &Objective,
    search: Search,
    dice: &mut Dice,
    only_new: bool,
) -> Result<usize, EmulatorError> {
    let root = emulator.save()?;
    let memory = emulator.memory()?;
    let mut seen: FxHashSet<u16> = atoms(&memory).collect();
    let mut best = vec![f64::NEG_INFINITY; emulator.actions()];
    let mut open =
        VecDeque::from([Open { saved: root, memory, first: None, value: 0.0, weight: 1.0, depth: 0 }]);
    let mut tries = 0;
    while let Some(state) = open.pop_front() {
        for action in 0..emulator.actions() {
            if tries >= search.tries {
                break;
            }
            tries += 1;
            emulator.restore(state.saved)?;
            let step = emulator.act(action, search.frames)?;
            let memory = emulator.memory()?;
            let first = state.first.unwrap_or(action);
            let value = state.value + state.weight * objective.gain(&state.memory, &memory, step.reward);
            best[first] = best[first].max(value);
            let mut new = false;
            atoms(&memory).for_each(|atom| new |= seen.insert(atom));
            if !step.over && (new || !only_new) && state.depth + 1 < search.horizon {
                let (saved, depth) = (emulator.save()?, state.depth + 1);
                let weight = state.weight * search.discount;
                open.push_back(Open { saved, memory, first: Some(first), value, weight, depth });
            }
        }
        if state.saved != root {
            emulator.forget(state.saved)?;
        }
    }
    emulator.restore(root)?;
    emulator.forget(root)?;
    Ok(largest(&best, dice))
}

/// The place of the largest value; of several, any.
fn largest(values: &[f64], dice: &mut Dice) -> usize {
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let places: Vec<usize> = (0..values.len()).filter(|&place| values[place] == most).collect();
    places.get(dice.below(places.len())).copied().unwrap_or(0)
}

/// What is known of a sequence of actions.
#[derive(Clone, Default)]
struct Node {
    visits: u32,
    sum: f64,
    children: Vec<Option<usize>>,
}

/// How much actions that were tried less are preferred (the paper's constant).
const EXPLORATION: f64 = 0.1;

fn uct(
    emulator: &mut dyn Emulator,
    objective: &Objective,
    search: Search,
    dice: &mut Dice,
) -> Result<usize, EmulatorError> {
    let root = emulator.save()?;
    let begin = emulator.memory()?;
    let count = emulator.actions();
    let node = || Node { visits: 0, sum: 0.0, children: vec![None; count] };
    let mut nodes = vec![node()];
    let mut tries = 0;
    while tries < search.tries {
        emulator.restore(root)?;
        let (mut path, mut at) = (vec![0], Some(0));
        let (mut memory, mut value, mut weight) = (begin, 0.0, 1.0);
        for _ in 0..search.horizon {
            if tries >= search.tries {
                break;
            }
            let action = match at {
                Some(place) => select(&nodes, place, dice),
                None => dice.below(count),
            };
            let step = emulator.act(action, search.frames)?;
            tries += 1;
            let now = emulator.memory()?;
            value += weight * objective.gain(&memory, &now, step.reward);
            memory = now;
            weight *= search.discount;
            if let Some(place) = at {
                at = nodes[place].children[action];
                let child = at.unwrap_or_else(|| {
                    nodes.push(node());
                    nodes.len() - 1
                });
                nodes[place].children[action] = Some(child);
                path.push(child);
            }
            if step.over {
                break;
            }
        }
        for place in path {
            nodes[place].visits += 1;
            nodes[place].sum += value;
        }
    }
    emulator.restore(root)?;
    emulator.forget(root)?;
    let visits: Vec<f64> = nodes[0]
        .children
        .iter()
        .map(|child| child.map_or(-1.0, |child| f64::from(nodes[child].visits) + mean(&nodes[child]) * 1e-6))
        .collect();
    Ok(largest(&visits, dice))
}

fn mean(node: &Node) -> f64 {
    node.sum / f64::from(node.visits.max(1))
}

/// The action of the largest upper confidence bound; what was never tried comes first.
fn select(nodes: &[Node], place: usize, dice: &mut Dice) -> usize {
    let known = || nodes[place].children.iter().flatten().map(|&child| mean(&nodes[child]));
    let (least, most) = (known().fold(f64::INFINITY, f64::min), known().fold(f64::NEG_INFINITY, f64::max));
    let scale = if most > least { most - least } else { 1.0 };
    let log = f64::from(nodes[place].visits.max(1)).ln();
    let bounds: Vec<f64> = nodes[place]
        .children
        .iter()
        .map(|child| match child {
            None => f64::INFINITY,
            Some(child) => {
                let node = &nodes[*child];
                mean(node) / scale + EXPLORATION * (log / f64::from(node.visits.max(1))).sqrt()
            }
        })
        .collect();
    largest(&bounds, dice)
}

#[cfg(test)]
mod tests {
    use super::super::OBJECTIVES;
    use super::super::line::{Line, PRIZE};
    use super::*;

    #[test]
    fn planners_walk_to_the_prize_and_leave_the_game_as_it_was() {
        for planner in PLANNERS {
            let mut line = Line::default();
            let mut dice = Dice::new(1);
            let search = Search { frames: 1, tries: 4000, horizon: 12, discount: 0.9 };
            // Those that draw lots may make a step in vain.
            let most = if planner.name == "uct" { 10 * PRIZE } else { PRIZE };
            let mut over = false;
            for _ in 0..most {
                let before = line.memory();
                let plan = (planner.plan)(&mut line, &(OBJECTIVES[0].make)(), search, &mut dice);
                assert_eq!(line.memory(), before);
                over = line.act(plan.expect("plans"), 1).expect("acts").over;
                if over {
                    break;
                }
            }
            assert!(over, "{}", planner.name);
        }
    }

    #[test]
    fn curiosity_leads_to_what_is_new() {
        let mut line = Line::default();
        let mut objective = (OBJECTIVES[2].make)();
        objective.observe(&line.memory().expect("memory"));
        let search = Search { frames: 1, tries: 300, horizon: 4, discount: 0.9 };
        let action = (PLANNERS[0].plan)(&mut line, &objective, search, &mut Dice::new(2)).expect("plans");
        assert_eq!(action, 1);
    }
}

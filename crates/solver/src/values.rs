//! What each role is sure of in every state.

use game::RoleId;

use crate::graph::{NodeId, Shape, StateGraph};
use crate::{Limits, SolverError};

/// Rounds of play that may come back where it was, before what is known is taken for all there is. Without chance it
/// settles long before.
const MOST_ROUNDS: usize = 100_000;
/// Where dice fall or roles mix their moves, values settle only in the limit: changes below this do not count.
const SETTLED: f32 = 1e-4;

/// What a role is sure of in a state.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Worth {
    /// The goal it gets at least, on average where dice fall or moves are mixed.
    pub value: f32,
    /// How many joint moves that takes at most, on average likewise. Where a role is sure of nothing this tells how long
    /// it holds out.
    pub steps: f32,
}

/// A solved game.
#[derive(Debug)]
pub struct Solution {
    graph: StateGraph,
    /// For each role that is not chance, what it is sure of in each state.
    worths: Vec<Vec<Worth>>,
    comes_back: bool,
}

impl Solution {
    /// Solves a game.
    pub fn new(graph: StateGraph, limits: &Limits<'_>) -> Result<Self, SolverError> {
        let order = graph.order();
        let mut worths = Vec::new();
        for role in (0..graph.roles() as u16).map(RoleId) {
            let chance = graph.chance() == Some(role);
            worths.push(match &order {
                _ if chance => Vec::new(),
                Some(order) => in_order(&graph, role, order),
                None => in_rounds(&graph, role, limits)?,
            });
        }
        Ok(Self { comes_back: order.is_none(), graph, worths })
    }

    /// All states.
    pub fn graph(&self) -> &StateGraph {
        &self.graph
    }

    /// Whether play may come back to a state.
    pub fn comes_back(&self) -> bool {
        self.comes_back
    }

    /// What a role is sure of in every state.
    pub(crate) fn worths(&self, role: RoleId) -> &[Worth] {
        &self.worths[usize::from(role.0)]
    }

    /// What a role is sure of in a state; nothing if the role is chance.
    pub fn worth(&self, node: NodeId, role: RoleId) -> Worth {
        self.worths(role).get(node.0 as usize).copied().unwrap_or_default()
    }
}

/// Backward induction, where play never comes back.
fn in_order(graph: &StateGraph, role: RoleId, order: &[u32]) -> Vec<Worth> {
    let mut worths = vec![Worth::default(); graph.len()];
    for &node in order {
        worths[node as usize] = worth(graph, role, NodeId(node), &worths);
    }
    worths
}

/// What can be reached within no moves, within one, within two, until nothing changes: play without end is worth nothing.
fn in_rounds(graph: &StateGraph, role: RoleId, limits: &Limits<'_>) -> Result<Vec<Worth>, SolverError> {
    let start = |node: u32| match graph.shape(NodeId(node)) {
        Shape::Over(goals) => Worth { value: f32::from(goals[usize::from(role.0)].0), steps: 0.0 },
        _ => Worth::default(),
    };
    let mut worths: Vec<Worth> = (0..graph.len() as u32).map(start).collect();
    let mut changed: Vec<(u32, f32)> = Vec::new();
    for round in 1..=MOST_ROUNDS {
        if (limits.is_over)() {
            return Err(SolverError::OutOfTime(graph.len()));
        }
        for node in 0..graph.len() as u32 {
            if let Shape::Over(_) = graph.shape(NodeId(node)) {
                continue;
            }
            let now = worth(graph, role, NodeId(node), &worths).value;
            if now > worths[node as usize].value + SETTLED {
                changed.push((node, now));
            }
        }
        if changed.is_empty() {
            break;
        }
        for (node, value) in changed.drain(..) {
            worths[node as usize] = Worth { value, steps: round as f32 };
        }
    }
    Ok(worths)
}

/// What a role is sure of in a state, by what it is sure of in those behind it.
fn worth(graph: &StateGraph, role: RoleId, node: NodeId, worths: &[Worth]) -> Worth {
    let behind = graph.successors(node).iter().map(|&next| worths[next as usize]);
    let best = match graph.shape(node) {
        Shape::Over(goals) => {
            return Worth { value: f32::from(goals[usize::from(role.0)].0), steps: 0.0 };
        }
        Shape::One(chooser) if Some(chooser) == graph.chance() => mean(behind),
        Shape::One(chooser) => {
            let first = Worth { value: f32::NAN, steps: 0.0 };
            behind.fold(first, |best, next| {
                let is_better = if chooser == role { is_better(next, best) } else { is_better(best, next) };
                if best.value.is_nan() || is_better { next } else { best }
            })
        }
        Shape::Several(counts) => at_once(graph, role, node, counts, worths),
    };
    Worth { value: best.value, steps: best.steps + 1.0 }
}

/// More is better; what is more than nothing sooner, nothing later.
pub(crate) fn is_better(one: Worth, other: Worth) -> bool {
    if one.value != other.value {
        return one.value > other.value;
    }
    if one.value > 0.0 { one.steps < other.steps } else { one.steps > other.steps }
}

fn mean(worths: impl ExactSizeIterator<Item = Worth>) -> Worth {
    let count = worths.len().max(1) as f32;
    let sum = worths.fold(Worth::default(), |sum, next| Worth {
        value: sum.value + next.value,
        steps: sum.steps + next.steps,
    });
    Worth { value: sum.value / count, steps: sum.steps / count }
}

/// The matrix of a role's moves against all others' together: in each field what it is sure of behind them, on average
/// over what chance does.
pub(crate) fn matrix(
    graph: &StateGraph,
    role: RoleId,
    successors: &[u32],
    counts: &[u16],
    worths: &[Worth],
) -> Vec<Vec<Worth>> {
    let chance = graph.chance().map(|chance| usize::from(chance.0));
    let own = usize::from(role.0);
    let rows = usize::from(counts[own]);
    let draws = chance.map_or(1, |chance| usize::from(counts[chance]));
    let columns = successors.len() / rows / draws;
    let mut fields = vec![vec![Worth::default(); columns]; rows];
    for (number, &next) in successors.iter().enumerate() {
        let (mut rest, mut row, mut column, mut scale) = (number, 0, 0, 1);
        for (place, &count) in counts.iter().enumerate().rev() {
            let count = usize::from(count);
            let digit = rest % count;
            rest /= count;
            if place == own {
                row = digit;
            } else if Some(place) != chance {
                column += digit * scale;
                scale *= count;
            }
        }
        let (field, next) = (&mut fields[row][column], worths[next as usize]);
        field.value += next.value / draws as f32;
        field.steps += next.steps / draws as f32;
    }
    fields
}

/// Where several choose at once.
fn at_once(graph: &StateGraph, role: RoleId, node: NodeId, counts: &[u16], worths: &[Worth]) -> Worth {
    let fields = matrix(graph, role, graph.successors(node), counts, worths);
    // Most states are decided without mixing.
    let worst = |row: &Vec<Worth>| {
        row.iter().copied().reduce(|worst, next| if is_better(worst, next) { next } else { worst })
    };
    let sure =
        fields.iter().filter_map(worst).reduce(|best, next| if is_better(next, best) { next } else { best });
    let columns = fields.first().map_or(0, Vec::len);
    let most = |column: usize| fields.iter().map(|row| row[column].value).fold(f32::MIN, f32::max);
    let cap = (0..columns).map(most).fold(f32::MAX, f32::min);
    let sure = sure.unwrap_or_default();
    if sure.value >= cap {
        return sure;
    }
    let values: Vec<Vec<f64>> =
        fields.iter().map(|row| row.iter().map(|field| f64::from(field.value)).collect()).collect();
    let mixed = bench::ruler::solve(&values);
    let steps = fields.iter().zip(&mixed.rows).map(|(row, part)| {
        let row = row.iter().zip(&mixed.columns).map(|(field, part)| f64::from(field.steps) * part);
        part * row.sum::<f64>()
    });
    Worth { value: mixed.value as f32, steps: steps.sum::<f64>() as f32 }
}

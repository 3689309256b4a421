//! What each role is sure of in every state.

use game::RoleId;

use crate::graph::{Met, NodeId, Shape, StateGraph};
use crate::{Limits, SolverError, retrograde};

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
    /// it holds out, infinite if that is for ever; where play comes back to states and roles do not move in turn, or dice
    /// fall, it is 0 then.
    pub steps: f32,
}

/// A solved game.
#[derive(Debug)]
pub struct Solution {
    graph: StateGraph,
    worths: Worths,
    comes_back: bool,
}

impl Solution {
    /// Solves a game.
    pub fn new(graph: StateGraph, limits: &Limits<'_>) -> Result<Self, SolverError> {
        let order = graph.order(limits)?;
        let worths = match &order {
            Some(order) => in_order(&graph, order, limits)?,
            None if graph.is_in_turn() => retrograde::worths(&graph, limits)?,
            None => in_rounds(&graph, limits)?,
        };
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

    /// What a role is sure of in a state; nothing if the role is chance.
    pub fn worth(&self, at: impl Into<Met>, role: RoleId) -> Worth {
        worth_at(&self.graph, &self.worths, at.into(), role)
    }
}

/// What is known so far: for each role what it is sure of in each state, nothing for chance.
pub(crate) type Worths = Vec<Vec<Worth>>;

fn worth_at(graph: &StateGraph, worths: &Worths, met: Met, role: RoleId) -> Worth {
    let known = &worths[usize::from(graph.role(met, role).0)];
    known.get(met.node.0 as usize).copied().unwrap_or_default()
}

/// The roles that are not chance.
pub(crate) fn players(graph: &StateGraph) -> impl Iterator<Item = RoleId> + use<> {
    let chance = graph.chance();
    (0..graph.roles() as u16).map(RoleId).filter(move |&role| Some(role) != chance)
}

pub(crate) fn nothing_known(graph: &StateGraph) -> Worths {
    let mut worths = vec![Vec::new(); graph.roles()];
    players(graph).for_each(|role| worths[usize::from(role.0)] = vec![Worth::default(); graph.len()]);
    worths
}

/// Backward induction, where play never comes back. All roles at once, as one may be in another's place behind a move.
fn in_order(graph: &StateGraph, order: &[u32], limits: &Limits<'_>) -> Result<Worths, SolverError> {
    let (mut worths, mut work) = (nothing_known(graph), 0);
    for &node in order {
        for role in players(graph) {
            limits.spend(&mut work, graph.successors(NodeId(node)).len() + 1, graph.len())?;
            worths[usize::from(role.0)][node as usize] = worth(graph, role, NodeId(node), &worths);
        }
    }
    Ok(worths)
}

/// What can be reached within no moves, within one, within two, until nothing changes: play without end is worth nothing. For
/// games that come back to states in which roles move at once or dice fall: values are averages then.
fn in_rounds(graph: &StateGraph, limits: &Limits<'_>) -> Result<Worths, SolverError> {
    let mut worths = nothing_known(graph);
    let is_over = |node: u32| matches!(graph.shape(NodeId(node)), Shape::Over(_));
    for node in (0..graph.len() as u32).filter(|&node| is_over(node)) {
        for role in players(graph) {
            worths[usize::from(role.0)][node as usize] = worth(graph, role, NodeId(node), &worths);
        }
    }
    let mut changed: Vec<(RoleId, u32, f32)> = Vec::new();
    let mut work = 0;
    for round in 1..=MOST_ROUNDS {
        for node in (0..graph.len() as u32).filter(|&node| !is_over(node)) {
            for role in players(graph) {
                limits.spend(&mut work, graph.successors(NodeId(node)).len(), graph.len())?;
                let now = worth(graph, role, NodeId(node), &worths).value;
                if now > worths[usize::from(role.0)][node as usize].value + SETTLED {
                    changed.push((role, node, now));
                }
            }
        }
        if changed.is_empty() {
            break;
        }
        for (role, node, value) in changed.drain(..) {
            worths[usize::from(role.0)][node as usize] = Worth { value, steps: round as f32 };
        }
    }
    Ok(worths)
}

/// What a role is sure of in a state, by what it is sure of in those behind it.
fn worth(graph: &StateGraph, role: RoleId, node: NodeId, worths: &Worths) -> Worth {
    let behind = graph.behind(node).map(|met| worth_at(graph, worths, met, role));
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
        Shape::Several(counts) => at_once(graph, role, counts, behind),
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
/// over what chance does. Told is what it is sure of behind each joint move.
pub(crate) fn matrix(
    chance: Option<RoleId>,
    role: RoleId,
    behind: impl ExactSizeIterator<Item = Worth>,
    counts: &[u16],
) -> Vec<Vec<Worth>> {
    let chance = chance.map(|chance| usize::from(chance.0));
    let own = usize::from(role.0);
    let rows = usize::from(counts[own]);
    let draws = chance.map_or(1, |chance| usize::from(counts[chance]));
    let columns = behind.len() / rows / draws;
    let mut fields = vec![vec![Worth::default(); columns]; rows];
    for (number, next) in behind.enumerate() {
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
        let field = &mut fields[row][column];
        field.value += next.value / draws as f32;
        field.steps += next.steps / draws as f32;
    }
    fields
}

/// Where several choose at once.
fn at_once(
    graph: &StateGraph,
    role: RoleId,
    counts: &[u16],
    behind: impl ExactSizeIterator<Item = Worth>,
) -> Worth {
    let fields = matrix(graph.chance(), role, behind, counts);
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

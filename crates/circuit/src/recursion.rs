//! Atoms that depend on each other: the least solution of their equations, as logic without loops.

use std::collections::{BTreeMap, BTreeSet};

use ground::{Budget, GroundError, Progress, Stage};

use crate::Edge;
use crate::nary::Builder;

/// More gates than this for one set of equations are not made.
const MAX_GATES: usize = 30_000_000;

/// One way for an atom to hold: all of `condition`, and all members listed.
#[derive(Clone, Debug)]
pub(crate) struct Way {
    pub condition: Edge,
    pub members: Vec<u32>,
}

/// The least solution of `member = or of its ways`; `None` if it takes too many gates.
pub(crate) fn least_solution(
    ways: &[Vec<Way>],
    builder: &mut Builder,
    budget: &Budget<'_>,
) -> Result<Option<Vec<Edge>>, GroundError> {
    let linear = ways.iter().flatten().all(|way| way.members.len() <= 1);
    let start = builder.gates.len();
    let mut watch = |builder: &Builder| -> Result<bool, GroundError> {
        let bytes = builder.bytes();
        budget.check(&Progress { stage: Stage::Build, items: builder.gates.len(), bytes })?;
        Ok(builder.gates.len() - start <= MAX_GATES)
    };
    if linear { eliminate(ways, builder, &mut watch) } else { unroll(ways, builder, &mut watch) }
}

type Watch<'a> = &'a mut dyn FnMut(&Builder) -> Result<bool, GroundError>;

/// Equations `x = b + sum of a_j x_j` are solved like linear ones, one unknown after the other, the
/// one with the fewest links first. `x = b + a x` has the least solution `x = b`.
fn eliminate(
    ways: &[Vec<Way>],
    builder: &mut Builder,
    watch: Watch<'_>,
) -> Result<Option<Vec<Edge>>, GroundError> {
    let count = ways.len();
    let mut constants = vec![Edge::FALSE; count];
    let mut rows: Vec<BTreeMap<u32, Edge>> = vec![BTreeMap::new(); count];
    let mut users: Vec<BTreeSet<u32>> = vec![BTreeSet::new(); count];
    for (index, list) in ways.iter().enumerate() {
        let mut grouped: BTreeMap<Option<u32>, Vec<Edge>> = BTreeMap::new();
        for way in list {
            grouped.entry(way.members.first().copied()).or_default().push(way.condition);
        }
        for (member, mut conditions) in grouped {
            let sum = builder.or_all(&mut conditions);
            match member {
                None => constants[index] = sum,
                Some(member) if member as usize != index => {
                    rows[index].insert(member, sum);
                    users[member as usize].insert(index as u32);
                }
                Some(_) => {}
            }
        }
    }

    let mut queue: BTreeSet<(usize, u32)> =
        (0..count).map(|index| (rows[index].len() * users[index].len(), index as u32)).collect();
    let mut order = Vec::with_capacity(count);
    while let Some((_, pivot)) = queue.pop_first() {
        order.push(pivot);
        let row = rows[pivot as usize].clone();
        let pivot_users = std::mem::take(&mut users[pivot as usize]);
        let touched: BTreeSet<u32> = pivot_users.iter().chain(row.keys()).copied().collect();
        for &index in &touched {
            queue.remove(&(rows[index as usize].len() * users[index as usize].len(), index));
        }
        for &user in &pivot_users {
            let Some(weight) = rows[user as usize].remove(&pivot) else { continue };
            let direct = builder.gates.and(weight, constants[pivot as usize]);
            constants[user as usize] = builder.gates.or(constants[user as usize], direct);
            for (&member, &edge) in &row {
                if member == user {
                    continue;
                }
                let through = builder.gates.and(weight, edge);
                let entry = rows[user as usize].entry(member).or_insert(Edge::FALSE);
                *entry = builder.gates.or(*entry, through);
                users[member as usize].insert(user);
            }
        }
        for &member in row.keys() {
            users[member as usize].remove(&pivot);
        }
        for &index in &touched {
            queue.insert((rows[index as usize].len() * users[index as usize].len(), index));
        }
        if !watch(builder)? {
            return Ok(None);
        }
    }

    // Each unknown now depends only on those that were eliminated after it.
    let mut solution = vec![Edge::FALSE; count];
    for &pivot in order.iter().rev() {
        let mut terms = vec![constants[pivot as usize]];
        for (&member, &weight) in &rows[pivot as usize] {
            terms.push(builder.gates.and(weight, solution[member as usize]));
        }
        solution[pivot as usize] = builder.or_all(&mut terms);
    }
    Ok(Some(solution))
}

/// Evaluates all equations again and again from "never". No derivation is longer than the number of
/// unknowns, so as many rounds as that are enough, and usually far fewer change anything.
fn unroll(
    ways: &[Vec<Way>],
    builder: &mut Builder,
    watch: Watch<'_>,
) -> Result<Option<Vec<Edge>>, GroundError> {
    let mut solution = vec![Edge::FALSE; ways.len()];
    for round in 0..=ways.len() {
        let mut changed = false;
        // Back and forth: what was found in this round is used in this round.
        for place in 0..ways.len() {
            let index = if round % 2 == 0 { place } else { ways.len() - 1 - place };
            let mut terms = Vec::new();
            for way in &ways[index] {
                let mut factors: Vec<Edge> =
                    way.members.iter().map(|&member| solution[member as usize]).collect();
                factors.push(way.condition);
                terms.push(builder.and_all(&mut factors));
            }
            let value = builder.or_all(&mut terms);
            changed |= value != solution[index];
            solution[index] = value;
        }
        if !changed {
            break;
        }
        if !watch(builder)? {
            return Ok(None);
        }
    }
    Ok(Some(solution))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulate::{evaluate, read};
    use crate::{Gate, Gates};

    /// Random equations, solved as logic and by iteration in every state.
    #[test]
    fn solutions_are_least() {
        let mut seed = 99u32;
        let mut dice = |below: u32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 16) % below
        };
        for trial in 0..100 {
            let mut gates = Gates::new();
            let bases: Vec<Edge> = (0..6).map(|number| gates.base(number)).collect();
            let mut builder = Builder::new(gates, Vec::new());
            // Every other system has conditions on two unknowns at once.
            let most = 1 + trial % 2;
            let ways: Vec<Vec<Way>> = (0..5)
                .map(|_| {
                    (0..1 + dice(4))
                        .map(|_| Way {
                            condition: bases[dice(6) as usize],
                            members: (0..dice(most + 2).min(most)).map(|_| dice(5)).collect(),
                        })
                        .collect()
                })
                .collect();
            let solution = least_solution(&ways, &mut builder, &Budget::unlimited());
            let solution = solution.expect("no budget").expect("small");
            for state in 0..64u32 {
                let values = evaluate(&builder.gates, |gate| match gate {
                    Gate::Base(number) => state >> number & 1 != 0,
                    _ => false,
                });
                let mut expected = [false; 5];
                for _ in 0..5 {
                    for (index, list) in ways.iter().enumerate() {
                        expected[index] |= list.iter().any(|way| {
                            read(&values, way.condition)
                                && way.members.iter().all(|&member| expected[member as usize])
                        });
                    }
                }
                let found: Vec<bool> = solution.iter().map(|&edge| read(&values, edge)).collect();
                assert_eq!(found, expected, "{ways:?} in state {state:06b}");
            }
        }
    }
}

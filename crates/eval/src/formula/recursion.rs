//! Atoms that depend on each other: the least solution of their equations, as formulas without loops.

use std::collections::{BTreeMap, BTreeSet};

use super::{Builder, NEVER};

/// One way for an atom to hold: its condition, and all the others that it needs.
pub(super) struct Way {
    pub(super) condition: u32,
    pub(super) needs: Vec<u32>,
}

/// The least solution of `atom = any of its ways`; `None` if it takes more parts than there may be.
pub(super) fn least_solution(
    equations: Vec<Vec<Way>>,
    builder: &mut Builder,
    most_parts: usize,
) -> Option<Vec<u32>> {
    let is_linear = equations.iter().flatten().all(|way| way.needs.len() <= 1);
    if is_linear {
        eliminate(equations, builder, most_parts)
    } else {
        unroll(&equations, builder, most_parts)
    }
}

/// An atom as the sum of what it needs no other for, and of the others it may need, each with its conditions.
#[derive(Default)]
struct Sum {
    constant: Vec<u32>,
    terms: BTreeMap<u32, Vec<u32>>,
}

/// An unknown by those that are eliminated after it.
struct Solved {
    unknown: u32,
    constant: u32,
    terms: Vec<(u32, u32)>,
}

/// Equations `x = b + sum of a_j x_j` are solved like linear ones, one unknown after the other, the one with the fewest
/// links first. `x = b + a x` has the least solution `x = b`. Sums are put together when their unknown goes, so that
/// they are as flat as can be: norms and neurons take many inputs at once.
fn eliminate(equations: Vec<Vec<Way>>, builder: &mut Builder, most_parts: usize) -> Option<Vec<u32>> {
    let count = equations.len();
    let mut sums: Vec<Sum> = Vec::with_capacity(count);
    let mut users: Vec<BTreeSet<u32>> = vec![BTreeSet::new(); count];
    for (index, ways) in (0..).zip(equations) {
        let mut sum = Sum::default();
        for Way { condition, needs } in ways {
            match needs.first() {
                None => sum.constant.push(condition),
                Some(&need) if need != index => {
                    sum.terms.entry(need).or_default().push(condition);
                    users[need as usize].insert(index);
                }
                Some(_) => {}
            }
        }
        sums.push(sum);
    }
    let links = |sums: &[Sum], users: &[BTreeSet<u32>], index: u32| {
        (sums[index as usize].terms.len() * users[index as usize].len(), index)
    };
    let mut queue: BTreeSet<(usize, u32)> =
        (0..count as u32).map(|index| links(&sums, &users, index)).collect();
    let mut solved: Vec<Solved> = Vec::with_capacity(count);
    while let Some((_, pivot)) = queue.pop_first() {
        let Sum { constant, terms } = std::mem::take(&mut sums[pivot as usize]);
        let constant = builder.any(constant);
        let terms: Vec<(u32, u32)> =
            terms.into_iter().map(|(need, conditions)| (need, builder.any(conditions))).collect();
        let own_users = std::mem::take(&mut users[pivot as usize]);
        let touched: BTreeSet<u32> =
            own_users.iter().copied().chain(terms.iter().map(|term| term.0)).collect();
        for &index in &touched {
            queue.remove(&links(&sums, &users, index));
        }
        for &user in &own_users {
            let Some(conditions) = sums[user as usize].terms.remove(&pivot) else { continue };
            let condition = builder.any(conditions);
            sums[user as usize].constant.push(builder.all(vec![condition, constant]));
            for &(need, through) in terms.iter().filter(|term| term.0 != user) {
                let both = builder.all(vec![condition, through]);
                sums[user as usize].terms.entry(need).or_default().push(both);
                users[need as usize].insert(user);
            }
        }
        for (need, _) in &terms {
            users[*need as usize].remove(&pivot);
        }
        queue.extend(touched.iter().map(|&index| links(&sums, &users, index)));
        solved.push(Solved { unknown: pivot, constant, terms });
        if builder.parts.len() > most_parts {
            return None;
        }
    }
    // Each unknown now depends only on those that were eliminated after it.
    let mut solution = vec![NEVER; count];
    for Solved { unknown, constant, terms } in solved.into_iter().rev() {
        let mut parts = vec![constant];
        for (need, condition) in terms {
            parts.push(builder.all(vec![condition, solution[need as usize]]));
        }
        solution[unknown as usize] = builder.any(parts);
    }
    Some(solution)
}

/// Evaluates all equations again and again from "never". No derivation is longer than the number of unknowns, so as many
/// rounds as that are enough, and usually far fewer change anything.
fn unroll(equations: &[Vec<Way>], builder: &mut Builder, most_parts: usize) -> Option<Vec<u32>> {
    let mut solution = vec![NEVER; equations.len()];
    for _ in 0..=equations.len() {
        let mut changed = false;
        for (place, ways) in equations.iter().enumerate() {
            let mut parts = Vec::with_capacity(ways.len());
            for Way { condition, needs } in ways {
                let needs = needs.iter().map(|&need| solution[need as usize]);
                parts.push(builder.all(needs.chain([*condition]).collect()));
            }
            let value = builder.any(parts);
            changed |= value != solution[place];
            solution[place] = value;
            if builder.parts.len() > most_parts {
                return None;
            }
        }
        if !changed {
            break;
        }
    }
    Some(solution)
}

#[cfg(test)]
mod tests {
    use game::Dice;

    use super::super::Part;
    use super::*;

    /// The least solution where so many facts hold, by taking rounds until nothing is added.
    fn by_hand(equations: &[Vec<Way>], holds: &[bool]) -> Vec<bool> {
        let mut known = vec![false; equations.len()];
        for _ in 0..=equations.len() {
            for (place, ways) in equations.iter().enumerate() {
                known[place] |= ways.iter().any(|way| {
                    holds[way.condition as usize] && way.needs.iter().all(|&need| known[need as usize])
                });
            }
        }
        known
    }

    #[test]
    fn equations_have_their_least_solutions() {
        const FACTS: u32 = 5;
        let mut dice = Dice::new(3);
        for trial in 0..200 {
            let (unknowns, most_needs) = (2 + dice.below(5), 1 + trial % 2);
            let mut builder = Builder::new();
            let facts: Vec<u32> = (0..FACTS).map(|fact| builder.push(Part::Fact(fact))).collect();
            let mut way = || {
                let mut needs: Vec<u32> =
                    (0..dice.below(most_needs + 1)).map(|_| dice.below(unknowns) as u32).collect();
                needs.sort_unstable();
                needs.dedup();
                Way { condition: facts[dice.below(facts.len())], needs }
            };
            let equations: Vec<Vec<Way>> = (0..unknowns).map(|_| (0..3).map(|_| way()).collect()).collect();
            let copy = equations
                .iter()
                .map(|ways| {
                    let copy = |way: &Way| Way { condition: way.condition, needs: way.needs.clone() };
                    ways.iter().map(copy).collect()
                })
                .collect();
            let solution = least_solution(copy, &mut builder, 10_000).expect("few parts");
            for bits in 0..1u32 << FACTS {
                let mut holds: Vec<bool> = Vec::new();
                for part in &builder.parts {
                    holds.push(match part {
                        Part::Fact(fact) => bits >> fact & 1 != 0,
                        Part::Constant(value) => *value,
                        Part::Any(parts) => parts.iter().any(|&part| holds[part as usize]),
                        Part::All(parts) => parts.iter().all(|&part| holds[part as usize]),
                        Part::Not(part) => !holds[*part as usize],
                    });
                }
                let found: Vec<bool> = solution.iter().map(|&part| holds[part as usize]).collect();
                assert_eq!(found, by_hand(&equations, &holds), "trial {trial}");
            }
        }
    }

    #[test]
    fn what_takes_too_many_parts_is_given_up() {
        // Each of many needs any of the others, by a fact of its own.
        let mut builder = Builder::new();
        let mut equations: Vec<Vec<Way>> = Vec::new();
        for own in 0..30u32 {
            let mut ways = Vec::new();
            for other in 0..30 {
                let condition = builder.push(Part::Fact(30 * own + other));
                ways.push(Way { condition, needs: vec![other] });
            }
            equations.push(ways);
        }
        assert!(least_solution(equations, &mut builder, 2_000).is_none());
    }
}

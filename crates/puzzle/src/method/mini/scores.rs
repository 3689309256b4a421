//! Scores that the rules keep: a fact with a number, of which more means a higher goal.

use circuit::{Circuit, Edge, Proof};
use rustc_hash::FxHashMap;

/// Goals with more conditions are not looked at.
const MOST_PARTS: usize = 20_000;

/// The score of a game.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Scores {
    /// Facts of the score and their numbers.
    numbers: FxHashMap<u32, i64>,
}

impl Scores {
    /// The score that the rules define; `None` if they do not.
    ///
    /// It is a relation with one number as its argument that goals ask for: if one goal is higher than another,
    /// so is every number that it asks for. Counters of steps are told apart by that, as a rule: no goal
    /// is higher for a later step.
    pub(super) fn new(circuit: &Circuit) -> Option<Self> {
        let origin = circuit.origin.as_ref()?;
        // By relation, in the order of goals, the numbers that each asks for.
        let mut asked: FxHashMap<&str, Vec<(i64, i64)>> = FxHashMap::default();
        for goal in circuit.roles.first()?.goals.iter().filter(|goal| goal.edge != Edge::FALSE) {
            let tree = origin.goal_proof(0, goal.value, MOST_PARTS)?;
            let mut ranges: FxHashMap<&str, (i64, i64)> = FxHashMap::default();
            for part in tree.parts() {
                let &Proof::Fact(fact, true) = part else { continue };
                let Some((relation, number)) = numbered(&circuit.bases[fact as usize]) else { continue };
                let range = ranges.entry(relation).or_insert((number, number));
                *range = (range.0.min(number), range.1.max(number));
            }
            ranges.into_iter().for_each(|(relation, range)| asked.entry(relation).or_default().push(range));
        }
        let ascending = |ranges: &[(i64, i64)]| ranges.windows(2).all(|pair| pair[0].1 < pair[1].0);
        let mut scores: Vec<(&str, usize)> = asked
            .iter()
            .filter(|(_, ranges)| ranges.len() > 1 && ascending(ranges))
            .map(|(&relation, ranges)| (relation, ranges.len()))
            .collect();
        // The one that most goals ask for; the name makes it the same in every run.
        scores.sort_unstable_by_key(|&(relation, goals)| (std::cmp::Reverse(goals), relation));
        let relation = scores.first()?.0;
        let facts = (0u32..).zip(&circuit.bases);
        let numbers = facts.filter_map(|(fact, text)| {
            numbered(text).filter(|known| known.0 == relation).map(|(_, number)| (fact, number))
        });
        Some(Self { numbers: numbers.collect() })
    }

    /// The score, given the facts that are true.
    pub(super) fn of(&self, facts: &[u32]) -> f64 {
        let numbers = facts.iter().filter_map(|fact| self.numbers.get(fact));
        numbers.max().map_or(f64::NEG_INFINITY, |&number| number as f64)
    }
}

/// The relation and the number of a fact like `(captures 3)`.
fn numbered(fact: &str) -> Option<(&str, i64)> {
    let (relation, number) = fact.strip_prefix('(')?.strip_suffix(')')?.split_once(' ')?;
    Some((relation, number.trim().parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scores(rules: &str) -> (Option<Scores>, Vec<String>) {
        let rules = gdl::normal::read(rules);
        let budget = ground::Budget::unlimited();
        let build = machine::build::circuit(&rules, circuit::Effort::Quick, &budget).expect("a circuit");
        (Scores::new(&build.circuit), build.circuit.bases.clone())
    }

    fn bundled(name: &str) -> String {
        let path = format!("{}/../../games/{name}/rules.kif", env!("CARGO_MANIFEST_DIR"));
        std::fs::read_to_string(path).expect("a bundled game")
    }

    #[test]
    fn scores_are_found_where_rules_keep_them() {
        let (found, bases) = scores(&bundled("hunter"));
        let found = found.expect("pawns that were caught");
        let number = |text: &str| bases.iter().position(|base| base == text).expect("a fact") as u32;
        assert_eq!(found.of(&[number("(caught 3)"), number("(step 5)")]), 3.0);
        assert!(scores(&bundled("hamilton")).0.is_some());
    }

    #[test]
    fn steps_and_places_are_no_scores() {
        for puzzle in ["eight-puzzle", "hanoi", "lights-out", "buttons"] {
            assert_eq!(scores(&bundled(puzzle)).0, None, "{puzzle}");
        }
    }
}

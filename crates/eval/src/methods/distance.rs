//! Fuzzy goals in which a fact that does not hold counts by how far it is (Michulke and Schiffel 2012).

use super::MethodRow;
use super::flux::{MOST_PARTS, calibrate, formulas};
use crate::fluents::{Distances, FluentGraph};
use crate::formula::Formulas;
use crate::fuzzy::{FLUX, Norms, Values, words};
use crate::knowledge::{Group, Knowledge, Learner};
use crate::learn::LearnError;
use crate::lesson::{Lesson, Taught};
use rustc_hash::FxHashMap;
use std::sync::Arc;

pub(super) const ROW: MethodRow = MethodRow {
    name: "distance",
    source: "Michulke and Schiffel 2012",
    help: "fuzzy goals in which facts count by their distance in the fluent graph",
    derived: false,
    learn,
};

/// The goals of a game and how far their facts are from others.
struct Distance {
    facts: Vec<String>,
    formulas: Formulas,
    /// For each fact of the formulas.
    distances: Vec<Distances>,
    norms: Norms,
}

fn learn(lesson: &Lesson<'_>) -> Result<Taught, LearnError> {
    let formulas = formulas(lesson, MOST_PARTS)?;
    let rules = lesson.rules()?;
    let graph = lesson.ground(|budget| {
        let mut ground = ground::ground(rules, budget)?;
        FluentGraph::new(&mut ground, budget)
    })?;
    let graph = graph
        .ok_or_else(|| LearnError::TooLarge("the rules of what comes next are too complex".to_owned()))?;
    let places: FxHashMap<&str, u32> = graph.facts.iter().map(String::as_str).zip(0..).collect();
    let distances: Vec<Distances> = formulas
        .facts
        .iter()
        .map(|fact| places.get(fact.as_str()).map_or_else(Distances::default, |&fact| graph.distances(fact)))
        .collect();
    let farthest = distances.iter().map(|distances| distances.levels.len()).max().unwrap_or(0);
    let told = format!(
        "goals of {} parts by fuzzy logic, {} facts by distances up to {}",
        formulas.parts.len(),
        distances.len(),
        farthest.saturating_sub(1)
    );
    let knowledge = Distance { facts: graph.facts.clone(), formulas, distances, norms: FLUX };
    calibrate(lesson, Arc::new(knowledge), &told)
}

impl Norms {
    /// The value of a fact at a distance: p if it holds, 1 - p if it can never be reached.
    fn at(self, distance: Option<usize>) -> f32 {
        let near = distance.map_or(0.0, |distance| 1.0 / (1.0 + distance as f32));
        1.0 - self.p + (2.0 * self.p - 1.0) * near
    }
}

impl Distance {
    /// What a fact of the formulas is worth in the states of a word.
    fn fact(&self, fact: usize, group: &Group<'_>, word: usize, values: &mut Values) {
        let distances = &self.distances[fact];
        values.fill(self.norms.at(distances.at_most));
        let mut open = u64::MAX;
        for (distance, level) in distances.levels.iter().enumerate() {
            let any = level.iter().fold(0, |any, &fact| any | group.facts[fact as usize][word]);
            let (mut rest, value) = (any & open, self.norms.at(Some(distance)));
            open &= !any;
            while rest != 0 {
                values[rest.trailing_zeros() as usize] = value;
                rest &= rest - 1;
            }
            if open == 0 {
                break;
            }
        }
    }
}

impl Knowledge for Distance {
    fn facts(&self) -> &[String] {
        &self.facts
    }

    fn wants_moves(&self) -> bool {
        false
    }

    fn judge(&self, group: &Group<'_>, out: &mut [f64]) {
        let roles = self.formulas.goals.len();
        let mut known: Vec<Values> = Vec::with_capacity(self.formulas.parts.len());
        for (word, states) in words(group) {
            let fact = |fact: usize, values: &mut Values| self.fact(fact, group, word, values);
            self.norms.evaluate(&self.formulas, fact, &mut known);
            for role in 0..roles {
                let values = self.norms.goals(&self.formulas, role, &known);
                for (state, value) in states.clone().zip(values) {
                    out[state * roles + role] = f64::from(value);
                }
            }
        }
    }

    fn learner(&self) -> Option<&dyn Learner> {
        None
    }

    fn lines(&self) -> Vec<String> {
        let line = |(fact, distances): (&String, &Distances)| {
            let levels: Vec<String> = distances.levels.iter().map(|level| level.len().to_string()).collect();
            format!("{fact}: facts at each distance {}", levels.join(", "))
        };
        self.formulas.facts.iter().zip(&self.distances).map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::derived::{GROUP, Lanes};
    use crate::formula::Part;

    #[test]
    fn values_by_distance_by_hand() {
        assert_eq!(FLUX.at(Some(0)), 0.75);
        assert_eq!((FLUX.at(Some(1)), FLUX.at(None)), (0.5, 0.25));
        assert!((FLUX.at(Some(4)) - 0.35).abs() < 1e-6);
        let formulas = Formulas {
            facts: vec!["there".to_owned()],
            parts: vec![Part::Constant(false), Part::Fact(0)],
            goals: vec![vec![(100, 1)]],
            terminal: 0,
        };
        let distances = vec![Distances { levels: vec![vec![0], vec![1], vec![2]], at_most: None }];
        let facts = ["there", "near", "far"].map(str::to_owned).to_vec();
        let knowledge = Distance { facts, formulas, distances, norms: FLUX };
        // State 0 is near and far, state 1 far, state 2 nowhere.
        let lanes = |bits: u64| -> Lanes { std::array::from_fn(|word| if word == 0 { bits } else { 0 }) };
        let facts: Vec<[u64; GROUP]> = [0b000, 0b001, 0b011].map(lanes).to_vec();
        let mut out = [0.0; 3];
        knowledge.judge(&Group { facts: &facts, moves: &[], states: 3 }, &mut out);
        // A goal that does not hold counts as its t-norm with 1, that the game is not over: itself.
        assert!((out[0] - 0.5).abs() < 1e-3 && (out[1] - 5.0 / 12.0).abs() < 1e-3, "{out:?}");
        assert!((out[2] - 0.25).abs() < 1e-3, "{out:?}");
    }
}

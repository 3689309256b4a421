//! The function of the paper (Walędzik and Mańdziuk 2014, section IV-A-3): the features with the highest minimum of
//! |correlation| and stability, each with the product of the two as its weight, and the mean score as the constant.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::features::Feature;
use crate::function::{Function, Link, RoleFunction, Term};
use crate::observations::Observations;
use crate::positions::Positions;
use crate::statistics::{Statistics, statistics};

/// How features are selected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PaperOptions {
    /// Terms of a function.
    pub terms: usize,
    /// Whether a feature is left out that had the same values everywhere as one that was taken, or their inverse.
    /// The paper takes them all.
    pub distinct: bool,
}

impl Default for PaperOptions {
    fn default() -> Self {
        Self { terms: 30, distinct: false }
    }
}

/// A feature and how good it is, the better the greater.
#[derive(Clone, Debug, PartialEq)]
struct Rated {
    merit: f64,
    /// Its place among the candidates: of equal ones the first counts.
    place: Reverse<usize>,
    feature: Feature,
    correlation: f64,
    stability: f64,
}

impl Eq for Rated {}

impl PartialOrd for Rated {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Rated {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.merit.total_cmp(&other.merit).then(self.place.cmp(&other.place))
    }
}

/// min(|c|, s).
pub fn merit(correlation: f64, stability: f64) -> f64 {
    correlation.abs().min(stability)
}

/// The function that positions suggest.
pub fn function<State>(
    observations: &Observations,
    positions: &Positions<State>,
    roles: &[String],
    options: &PaperOptions,
) -> Function {
    let values = observations.values();
    // Where copies are left out more are wanted to choose from.
    let wanted = if options.distinct { options.terms * 20 } else { options.terms };
    let mut best: Vec<BinaryHeap<Reverse<Rated>>> = vec![BinaryHeap::new(); roles.len()];
    let mut buffer = Vec::new();
    for (place, feature) in observations.candidates.iter().enumerate() {
        let values = read(&values, feature, &mut buffer);
        if values.windows(2).all(|pair| pair[0] == pair[1]) {
            continue;
        }
        let Statistics { stability, correlations, .. } =
            statistics(values, &positions.sequences, &positions.scores);
        for (heap, correlation) in best.iter_mut().zip(correlations) {
            let merit = merit(correlation, stability);
            let rated = Rated { merit, place: Reverse(place), feature, correlation, stability };
            if merit > 0.0 && (heap.len() < wanted || heap.peek().is_some_and(|least| rated > least.0)) {
                heap.push(Reverse(rated));
                if heap.len() > wanted {
                    heap.pop();
                }
            }
        }
    }
    let role = |(role, heap): (usize, BinaryHeap<Reverse<Rated>>)| {
        let mut rated: Vec<Rated> = heap.into_iter().map(|Reverse(rated)| rated).collect();
        rated.sort_by(|one, other| other.cmp(one));
        if options.distinct {
            leave_out_copies(&mut rated, &values);
        }
        rated.truncate(options.terms);
        let term = |rated: Rated| Term {
            counted: observations.counted(rated.feature),
            weight: rated.correlation * rated.stability,
            correlation: rated.correlation,
            stability: Some(rated.stability),
        };
        RoleFunction {
            role: roles[role].clone(),
            terms: rated.into_iter().map(term).collect(),
            constant: positions.means[role],
        }
    };
    Function {
        vocabulary: std::sync::Arc::clone(&observations.vocabulary),
        link: Link::Goals,
        roles: best.into_iter().enumerate().map(role).collect(),
    }
}

/// The values of a feature.
fn read<'a>(values: &'a [Vec<f64>], feature: Feature, buffer: &'a mut Vec<f64>) -> &'a [f64] {
    match feature {
        Feature::Count(one) => &values[one as usize],
        Feature::Difference(one, other) => {
            buffer.clear();
            let pairs = values[one as usize].iter().zip(&values[other as usize]);
            buffer.extend(pairs.map(|(one, other)| one - other));
            buffer
        }
    }
}

/// Leaves out features whose values differ from those of a better one by a constant, or are its inverse.
fn leave_out_copies(rated: &mut Vec<Rated>, values: &[Vec<f64>]) {
    let mut seen: rustc_hash::FxHashSet<Vec<i64>> = rustc_hash::FxHashSet::default();
    let mut buffer = Vec::new();
    rated.retain(|rated| {
        let values = read(values, rated.feature, &mut buffer);
        let first = values.first().copied().unwrap_or(0.0);
        let shifted: Vec<i64> = values.iter().map(|value| (value - first) as i64).collect();
        let is_negative = shifted.iter().find(|value| **value != 0).is_some_and(|value| *value < 0);
        seen.insert(if is_negative { shifted.iter().map(|value| -value).collect() } else { shifted })
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn merit_is_the_lesser() {
        assert_eq!((merit(-0.4, 0.9), merit(0.8, 0.3)), (0.4, 0.3));
    }
}

//! The function of the paper (Walędzik and Mańdziuk 2014, section IV-A-3): the features with the highest minimum of
//! |correlation| and stability, each with the product of the two as its weight, and the mean score as the constant.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::features::Feature;
use crate::function::{Function, Link, RoleFunction, Term};
use crate::observations::Observations;
use crate::positions::Positions;
use crate::statistics::{Statistics, WITHIN, statistics};

/// How features are selected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PaperOptions {
    /// Terms of a function.
    pub terms: usize,
    /// Whether a feature is left out that had the same values everywhere as one that was taken, or their inverse.
    /// The paper takes them all.
    pub distinct: bool,
    /// How much more changes within a sequence count against a feature than those between sequences.
    pub within: f64,
}

impl Default for PaperOptions {
    fn default() -> Self {
        Self { terms: 30, distinct: false, within: WITHIN }
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
            statistics(values, &positions.sequences, &positions.scores, options.within);
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
    use std::sync::Arc;

    use super::*;
    use crate::columns::Columns;
    use crate::features::{Candidates, Expression};
    use crate::vocabulary::{Kind, Vocabulary};

    #[test]
    fn merit_is_the_lesser() {
        assert_eq!((merit(-0.4, 0.9), merit(0.8, 0.3)), (0.4, 0.3));
    }

    /// Two sequences of two positions; (p 1) holds in the last two, (p 2) in the second and the last one.
    fn observed() -> (Observations, Positions<()>) {
        let mut vocabulary = Vocabulary::default();
        let mut columns = Columns::new(4);
        let atoms = [(0, [2, 3]), (1, [1, 3])].map(|(key, states)| {
            let atom = columns.atom(key);
            states.into_iter().for_each(|state| columns.set(atom, state));
            atom
        });
        let (shape, one) = vocabulary.read(Kind::Fact, "(p 1)").expect("a fact");
        let (_, two) = vocabulary.read(Kind::Fact, "(p 2)").expect("a fact");
        let slots = [None, Some(one[0]), Some(two[0])];
        let expressions = slots.map(|slot| Expression { shape, slots: [slot].into_iter().collect() });
        let candidates = Candidates { expressions: expressions.to_vec(), differences: vec![(1, 2)] };
        let observations = Observations {
            vocabulary: Arc::new(vocabulary),
            candidates,
            columns,
            atoms: vec![atoms.to_vec(), vec![atoms[0]], vec![atoms[1]]],
        };
        let positions = Positions {
            states: vec![(); 4],
            depths: vec![0; 4],
            sequences: vec![0..2, 2..4],
            scores: vec![vec![0.0, 0.0, 100.0, 100.0], vec![90.0, 90.0, 10.0, 10.0]],
            means: vec![50.0, 50.0],
            length: 9.0,
        };
        (observations, positions)
    }

    #[test]
    fn a_function_by_hand() {
        let (observations, positions) = observed();
        let roles = ["x".to_owned(), "o".to_owned()];
        let of = |options: PaperOptions| function(&observations, &positions, &roles, &options);
        let all = of(PaperOptions::default());
        assert_eq!(PaperOptions::default().terms, 30);
        // p(1) is 0 0 1 1: it is the score (c = 1) and never changes within a sequence (s = 1).
        // p(?) is 0 1 1 2: c = 100 / sqrt(2 * 10000); TV of 0 and 1 is 1/4, SV too: s = 1 / 11.
        // p(1)-p(2) is 0 -1 1 0: the same c and the same s; of equal ones the simple one comes first.
        // p(2) is 0 1 0 1: c = 0, so it is no term.
        let (c, s) = (0.5f64.sqrt(), 1.0 / 11.0);
        for (role, sign) in [(0, 1.0), (1, -1.0)] {
            let own = &all.roles[role];
            let texts: Vec<String> = own.terms.iter().map(|term| all.write_counted(&term.counted)).collect();
            assert_eq!(texts, ["p(1)", "p(?)", "(p(1)-p(2))"]);
            for (term, (c, s)) in own.terms.iter().zip([(1.0, 1.0), (c, s), (c, s)]) {
                assert!(
                    (term.correlation - sign * c).abs() < 1e-12 && (term.weight - sign * c * s).abs() < 1e-12
                );
                assert!(term.stability.is_some_and(|stability| (stability - s).abs() < 1e-12));
            }
            assert_eq!(own.constant, 50.0, "the mean score");
        }
        // The best ones only.
        assert_eq!(of(PaperOptions { terms: 2, ..PaperOptions::default() }).roles[0].terms.len(), 2);
        // Without changes within sequences everything is stable, and what goes along with the score counts.
        let stable = of(PaperOptions { within: 0.0, ..PaperOptions::default() });
        assert!((stable.roles[0].terms[1].weight - c).abs() < 1e-12);
        // What it says of a state in which both hold, in goals: 50 + 1 * 1 + 2 * c s + 0.
        let atoms = ["(p 1)", "(p 2)"].map(|text| (Kind::Fact, text.to_owned()));
        let counts = all.counts(0, &atoms).zip(&all.roles[0].terms);
        let sum = 50.0 + counts.map(|(count, term)| count * term.weight).sum::<f64>();
        assert!((sum - (51.0 + 2.0 * c * s)).abs() < 1e-12);
        assert!((all.link.value(sum) - sum / 100.0).abs() < 1e-12);
    }
}

//! The expressions that go along most with scores, as numbers that are read off states; maybe each a second time, times
//! how far the game has come.

use crate::knowledge::{Group, TOGETHER};
use crate::learn::LearnError;
use crate::least_squares::least_squares;
use crate::lesson::Lesson;
use crate::observations::Observations;
use crate::positions::Positions;
use crate::sample::Sample;
use crate::statistics::{correlation, variance};
use crate::weighted::Source;
use machine::ErasedState;

/// Expressions that are taken, and those that tell how far the game has come.
const MOST_COUNTS: usize = 80;
const MOST_OF_PHASE: usize = 12;

/// What the square of a weight costs where the phase is fitted.
const RIDGE: f64 = 0.01;

/// Expressions and the phase of the game.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Counts {
    pub(crate) facts: Vec<String>,
    names: Vec<String>,
    /// The facts that each expression counts.
    counted: Vec<Vec<u32>>,
    /// How far the game has come, from 0 to 1: what facts weigh, and a constant.
    phase: (Vec<(u32, f64)>, f64),
    is_phased: bool,
}

impl Counts {
    /// The best expressions for some positions of a game.
    pub(crate) fn new(
        lesson: &Lesson<'_>,
        positions: &Positions<ErasedState>,
        sample: &Sample,
    ) -> Result<Self, LearnError> {
        let observations = Observations::new(&*lesson.game, lesson.rules()?, positions, None, lesson.limits);
        let values = observations.values();
        let merit = |values: &Vec<f64>, targets: &[f64]| correlation(values, targets).abs();
        let of_scores = |values: &Vec<f64>| {
            let merits = sample.scores.iter().map(|scores| merit(values, scores));
            merits.fold(0.0, f64::max)
        };
        let chosen = distinct(&values, &of_scores, MOST_COUNTS);
        lesson.check()?;
        let progress = |depth: &u32| (f64::from(*depth) / sample.length.max(1.0)).min(1.0);
        let progress: Vec<f64> = sample.depths.iter().map(progress).collect();
        let of_phase = distinct(&values, &|values| merit(values, &progress), MOST_OF_PHASE);
        let columns: Vec<&[f64]> = of_phase.iter().map(|&place| values[place].as_slice()).collect();
        let (weights, constant) = least_squares(&columns, &progress, RIDGE);
        let mut of_facts = std::collections::BTreeMap::<u32, f64>::new();
        for (&place, weight) in of_phase.iter().zip(weights) {
            for atom in &observations.atoms[place] {
                *of_facts.entry(atom.0).or_default() += weight;
            }
        }
        let name = |&place: &usize| {
            let expression = &observations.candidates.expressions[place];
            observations.vocabulary.write(expression.shape, &expression.slots)
        };
        let counted = |&place: &usize| observations.atoms[place].iter().map(|atom| atom.0).collect();
        Ok(Self {
            facts: sample.facts.clone(),
            names: chosen.iter().map(name).collect(),
            counted: chosen.iter().map(counted).collect(),
            phase: (of_facts.into_iter().collect(), constant),
            is_phased: false,
        })
    }

    /// The same, and each expression once more times the phase.
    pub(crate) fn phased(&self) -> Self {
        let later = self.names.iter().map(|name| format!("{name} times the phase"));
        let mut names: Vec<String> = self.names.iter().cloned().chain(later).collect();
        names.push("the phase".to_owned());
        Self { names, is_phased: true, ..self.clone() }
    }
}

/// The places of the best values, none of which says the same as another.
fn distinct(values: &[Vec<f64>], merit: &dyn Fn(&Vec<f64>) -> f64, most: usize) -> Vec<usize> {
    let mut rated: Vec<(f64, usize)> = values
        .iter()
        .enumerate()
        .filter(|(_, values)| variance(values) > 0.0)
        .map(|(place, values)| (merit(values), place))
        .collect();
    rated.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
    let mut chosen: Vec<usize> = Vec::new();
    for (merit, place) in rated {
        if chosen.len() == most || merit <= 0.0 {
            break;
        }
        if chosen.iter().all(|&other| correlation(&values[other], &values[place]).abs() < 0.98) {
            chosen.push(place);
        }
    }
    chosen
}

impl Source for Counts {
    fn facts(&self) -> &[String] {
        &self.facts
    }

    fn wants_moves(&self) -> bool {
        false
    }

    fn names(&self) -> &[String] {
        &self.names
    }

    fn read(&self, group: &Group<'_>, out: &mut [f32]) {
        let each = |fact: u32, with: &mut dyn FnMut(usize)| {
            for (word, &bits) in group.facts[fact as usize].iter().enumerate() {
                let mut rest = bits;
                while rest != 0 {
                    with(64 * word + rest.trailing_zeros() as usize);
                    rest &= rest - 1;
                }
            }
        };
        for (counted, room) in self.counted.iter().zip(out.chunks_mut(TOGETHER)) {
            for &fact in counted {
                each(fact, &mut |state| room[state] += 1.0);
            }
        }
        if !self.is_phased {
            return;
        }
        let mut phase = [self.phase.1 as f32; TOGETHER];
        for &(fact, weight) in &self.phase.0 {
            each(fact, &mut |state| phase[state] += weight as f32);
        }
        phase.iter_mut().for_each(|phase| *phase = phase.clamp(0.0, 1.0));
        let (counts, later) = out.split_at_mut(self.counted.len() * TOGETHER);
        let mut later = later.chunks_mut(TOGETHER);
        for (count, room) in counts.chunks(TOGETHER).zip(&mut later) {
            room.iter_mut().zip(count).zip(&phase).for_each(|((value, count), phase)| *value = count * phase);
        }
        if let Some(room) = later.next() {
            room.copy_from_slice(&phase);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_and_phase_by_hand() {
        let counts = Counts {
            facts: ["a", "b", "late"].map(str::to_owned).to_vec(),
            names: vec!["letters".to_owned()],
            counted: vec![vec![0, 1]],
            phase: (vec![(2, 0.5)], 0.25),
            is_phased: false,
        };
        let phased = counts.phased();
        assert_eq!(phased.names, ["letters", "letters times the phase", "the phase"]);
        // State 0 has a and b, state 1 has a and is late.
        let lanes = |bits: u64| std::array::from_fn(|word| if word == 0 { bits } else { 0 });
        let facts: Vec<[u64; 8]> = [0b11, 0b01, 0b10].map(lanes).to_vec();
        let group = Group { facts: &facts, moves: &[], states: 2 };
        let mut out = vec![0.0; 3 * TOGETHER];
        phased.read(&group, &mut out);
        assert_eq!((out[0], out[1]), (2.0, 1.0));
        assert_eq!((out[TOGETHER], out[TOGETHER + 1]), (0.5, 0.75));
        assert_eq!((out[2 * TOGETHER], out[2 * TOGETHER + 1]), (0.25, 0.75));
        let mut out = vec![0.0; TOGETHER];
        counts.read(&group, &mut out);
        assert_eq!((out[0], out[1]), (2.0, 1.0));
    }

    #[test]
    fn what_says_the_same_is_taken_once() {
        let values = vec![vec![1.0, 2.0, 3.0], vec![2.0, 4.0, 6.0], vec![1.0, 0.0, 1.0], vec![5.0; 3]];
        let merit = |values: &Vec<f64>| values[0];
        assert_eq!(distinct(&values, &merit, 9), [1, 2]);
        assert_eq!(distinct(&values, &merit, 1), [1]);
    }
}

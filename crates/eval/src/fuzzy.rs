//! How far goals hold, by fuzzy logic (Schiffel and Thielscher 2007, FluxPlayer).
//!
//! A fact that holds has the value p, one that does not 1 - p. A conjunction is a t-norm of its parts, a disjunction
//! the s-norm that belongs to it, both of Yager's family: S(a, b) = (a^q + b^q)^(1/q), T(a, b) = 1 - S(1 - a, 1 - b).
//! What holds is never worth less than a threshold t above one half, and what does not hold never more than 1 - t, so
//! that long conjunctions keep their meaning.

use crate::formula::{Formulas, Part};
use crate::knowledge::Group;

/// The constants of the family.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Norms {
    /// The value of a fact that holds.
    pub(crate) p: f32,
    /// The exponent: the greater, the nearer the norms are to minimum and maximum.
    pub(crate) q: i32,
    /// What holds is worth at least so much.
    pub(crate) t: f32,
}

/// As published, but for the threshold, which is said to be above one half and at most p.
pub(crate) const FLUX: Norms = Norms { p: 0.75, q: 20, t: 0.6 };

/// States that are looked at together: as many as a word has bits.
pub(crate) const WORD: usize = 64;

/// Values of the states of a word.
pub(crate) type Values = [f32; WORD];

impl Norms {
    /// Yager's sum of powers, taken back to a value.
    fn root(self, sum: f32) -> f32 {
        sum.powf(1.0 / self.q as f32).min(1.0)
    }

    /// The t-norm of values.
    #[cfg(test)]
    pub(crate) fn all(self, values: &[f32]) -> f32 {
        let sum: f32 = values.iter().map(|value| (1.0 - value).powi(self.q)).sum();
        let least = values.iter().copied().fold(1.0, f32::min);
        self.with_threshold(1.0 - self.root(sum), least)
    }

    /// What is above one half in all parts stays above the threshold.
    fn with_threshold(self, value: f32, least: f32) -> f32 {
        if least > 0.5 { value.max(self.t) } else { value }
    }

    /// The values of all parts of some formulas, for the states of one word of a group. `fact` gives the value of a fact.
    pub(crate) fn evaluate(
        self,
        formulas: &Formulas,
        mut fact: impl FnMut(usize, &mut Values),
        out: &mut Vec<Values>,
    ) {
        out.clear();
        for part in &formulas.parts {
            let mut values = [0.0; WORD];
            match part {
                Part::Fact(number) => fact(*number as usize, &mut values),
                Part::Constant(value) => values.fill(f32::from(u8::from(*value))),
                Part::Not(part) => {
                    let inner = &out[*part as usize];
                    values.iter_mut().zip(inner).for_each(|(value, inner)| *value = 1.0 - inner);
                }
                Part::All(parts) => self.join(parts, out, false, &mut values),
                // S(a, b) = 1 - T(1 - a, 1 - b).
                Part::Any(parts) => self.join(parts, out, true, &mut values),
            }
            out.push(values);
        }
    }

    /// The t-norm of parts, or the s-norm where all is inverted.
    fn join(self, parts: &[u32], known: &[Values], inverted: bool, values: &mut Values) {
        let flip = |value: f32| if inverted { 1.0 - value } else { value };
        let (mut sums, mut least) = ([0.0f32; WORD], [1.0f32; WORD]);
        for &part in parts {
            let part = &known[part as usize];
            for ((sum, least), value) in sums.iter_mut().zip(&mut least).zip(part) {
                let value = flip(*value);
                *least = least.min(value);
                *sum += (1.0 - value).powi(self.q);
            }
        }
        for ((value, sum), least) in values.iter_mut().zip(&sums).zip(&least) {
            *value = flip(self.with_threshold(1.0 - self.root(*sum), *least));
        }
    }

    /// The value of a fact in the states of a word: p where it holds, 1 - p where it does not.
    pub(crate) fn of_bits(self, bits: u64, values: &mut Values) {
        for (state, value) in values.iter_mut().enumerate() {
            *value = if bits >> state & 1 != 0 { self.p } else { 1.0 - self.p };
        }
    }

    /// How good states are for a role: the goals that it may reach, each as far as it holds and times its worth, put
    /// together by the sum that belongs to the product: 1 - (1 - a)(1 - b). A goal that holds is to be kept until the
    /// game is over; one that does not is to be reached before.
    pub(crate) fn goals(self, formulas: &Formulas, role: usize, known: &[Values]) -> Values {
        let terminal = &known[formulas.terminal as usize];
        let mut rest = [1.0f32; WORD];
        for &(worth, part) in &formulas.goals[role] {
            if worth == 0 {
                continue;
            }
            let goal = &known[part as usize];
            for ((rest, goal), over) in rest.iter_mut().zip(goal).zip(terminal) {
                let degree = if *goal > 0.5 {
                    1.0 - self.pair(1.0 - goal, 1.0 - over)
                } else {
                    self.pair(*goal, 1.0 - over)
                };
                *rest *= 1.0 - degree * f32::from(worth) / 100.0;
            }
        }
        rest.map(|rest| 1.0 - rest)
    }

    /// The t-norm of two values.
    fn pair(self, one: f32, other: f32) -> f32 {
        let sum = (1.0 - one).powi(self.q) + (1.0 - other).powi(self.q);
        self.with_threshold(1.0 - self.root(sum), one.min(other))
    }
}

/// Goes through a group word by word: the number of the word, and the states in it.
pub(crate) fn words(group: &Group<'_>) -> impl Iterator<Item = (usize, std::ops::Range<usize>)> {
    let states = group.states;
    (0..states.div_ceil(WORD)).map(move |word| (word, word * WORD..((word + 1) * WORD).min(states)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(one: f32, other: f32) -> bool {
        (one - other).abs() < 1e-5
    }

    #[test]
    fn norms_by_hand() {
        // With q = 1 the norm is that of Łukasiewicz: 1 - min(1, 0.25 + 0.25).
        let plain = Norms { p: 0.75, q: 1, t: 0.5 };
        assert!(near(plain.all(&[0.75, 0.75]), 0.5));
        assert!(near(plain.all(&[0.75, 0.25]), 0.0));
        // With q = 2: 1 - sqrt(1/16 + 9/16).
        let square = Norms { p: 0.75, q: 2, t: 0.5 };
        assert!(near(square.all(&[0.75, 0.25]), 1.0 - (10.0f32 / 16.0).sqrt()));
        // What holds in all parts stays above the threshold, whatever their number.
        assert!(near(FLUX.all(&[0.75; 1]), 0.75));
        assert_eq!(FLUX.all(&vec![0.75; 1_000_000]), 0.6);
        // The more parts hold the better, and a part that does not keeps it below one half.
        let some = |holding: usize| {
            let values: Vec<f32> = (0..4).map(|part| if part < holding { 0.75 } else { 0.25 }).collect();
            FLUX.all(&values)
        };
        assert!(some(0) < some(1) && some(1) < some(2) && some(2) < some(3) && some(3) < 0.5);
        assert!(some(4) >= 0.6);
    }

    #[test]
    fn formulas_by_hand() {
        // (a and b) or not c, with q = 1 and without a threshold.
        let norms = Norms { p: 0.75, q: 1, t: 0.5 };
        let parts = vec![
            Part::Fact(0),
            Part::Fact(1),
            Part::Fact(2),
            Part::All(vec![0, 1]),
            Part::Not(2),
            Part::Any(vec![3, 4]),
        ];
        let facts = ["a", "b", "c"].map(str::to_owned).to_vec();
        let formulas = Formulas { facts, parts, goals: vec![vec![(100, 5)]], terminal: 3 };
        // State 0 has a and c, state 1 has all, state 2 has none.
        let bits = [0b011, 0b010, 0b011];
        let mut out = Vec::new();
        norms.evaluate(&formulas, |fact, values| norms.of_bits(bits[fact], values), &mut out);
        // 1 - (0.25 + 0.75) = 0 and 1 - 0.75 = 0.25: the sum is 0.25.
        assert!(near(out[5][0], 0.25));
        // 0.5 and 0.25: 0.75.
        assert!(near(out[5][1], 0.75));
        // 0 and 0.75.
        assert!(near(out[5][2], 0.75));
        // A goal that does not hold: T(0.25, 1 - 0) = 0.25. One that holds: S(0.75, 0.5) = 1.
        let worth = norms.goals(&formulas, 0, &out);
        assert!(near(worth[0], 0.25) && near(worth[1], 1.0), "{} {}", worth[0], worth[1]);
    }
}

//! The abstract game of ClunePlayer (Clune 2007): stable expressions of the rules tell what a state pays, who is in
//! control of it and how near its end is.
//!
//! H = T P + (1 - T) ((50 + 50 C) S_C + P S_P): near the end (T) the payoff P counts, before that control C does as well,
//! each as much as it is stable. All three are linear in the expressions that are stable and go along most with the
//! score, with the number of moves, and with how far the game has come.

use super::MethodRow;
use crate::acceptance::{Accepted, accept};
use crate::features::Feature;
use crate::function::rounded;
use crate::knowledge::{Group, Knowledge, Learner, TOGETHER};
use crate::learn::LearnError;
use crate::least_squares::least_squares;
use crate::lesson::{Lesson, Taught, percent};
use crate::observations::Observations;
use crate::positions::{Positions, SampleOptions};
use crate::sample::Sample;
use crate::statistics::{correlation, mean, stability, variance};
use game::Game;
use std::sync::Arc;

pub(super) const ROW: MethodRow = MethodRow {
    name: "clune",
    source: "Clune 2007",
    help: "stable expressions tell payoff, control and termination, put together as in ClunePlayer",
    derived: false,
    learn,
};

/// Sequences of positions and playouts from each, if nothing else is said.
const SEQUENCES: usize = 1_000;
const PLAYOUTS: u32 = 8;

/// Expressions of a function at most, and how stable they have to be.
const MOST_TERMS: usize = 12;
const LEAST_STABILITY: f64 = 0.3;

/// Candidates above which only expressions are looked at, and no differences.
const MOST_CANDIDATES: usize = 5_000;

/// What the square of a weight of a standardised expression costs.
const RIDGE: f64 = 0.01;

/// A sum over facts.
#[derive(Clone, Debug, Default, PartialEq)]
struct Linear {
    /// What facts weigh.
    weights: Vec<(u32, f64)>,
    constant: f64,
    /// What it was made of, for people.
    terms: Vec<(f64, String)>,
    /// How stable it is.
    stability: f64,
}

/// The functions of all roles.
struct Clune {
    facts: Vec<String>,
    roles: Vec<String>,
    payoff: Vec<Linear>,
    /// How many moves a role has when it has a choice, as a logarithm.
    control: Vec<Linear>,
    /// How much control differs between roles.
    spread: f64,
    termination: Linear,
    /// What the stability of payoff and of control weigh, together 1.
    shares: (f64, f64),
}

fn learn(lesson: &Lesson<'_>) -> Result<Taught, LearnError> {
    let game = &*lesson.game;
    let options = SampleOptions {
        seed: lesson.seed,
        sequences: lesson.samples.unwrap_or(SEQUENCES),
        playouts: lesson.playouts.unwrap_or(PLAYOUTS),
        ..SampleOptions::default()
    };
    let found = Positions::sample(game, &mut game.workspace(), &options, lesson.goes_on)?;
    let positions = found.ok_or(LearnError::Stopped)?;
    if positions.states.is_empty() {
        return Err(LearnError::NoPositions);
    }
    let sample = Sample::new(game, &positions)?;
    if !sample.varies() {
        return Err(LearnError::ConstantScores);
    }
    let observations = Observations::new(game, lesson.rules()?, &positions, None, lesson.limits);
    let study = Study::new(&observations, &positions);
    lesson.check()?;
    let all: Vec<usize> = (0..sample.len()).collect();
    let payoff: Vec<Linear> = sample.scores.iter().map(|scores| study.fit(scores, &all)).collect();
    let roles = sample.roles.len();
    let control: Vec<Linear> = (0..roles)
        .map(|role| {
            let moves = |state: usize| sample.moves[state * roles + role];
            let choosing: Vec<usize> = all.iter().copied().filter(|&state| moves(state) > 1).collect();
            let targets: Vec<f64> = all.iter().map(|&state| f64::from(moves(state).max(1)).ln()).collect();
            study.fit(&targets, &choosing)
        })
        .collect();
    let progress = |depth: &u32| (f64::from(*depth) / sample.length.max(1.0)).min(1.0);
    let progress: Vec<f64> = sample.depths.iter().map(progress).collect();
    let termination = study.fit(&progress, &all);
    let stable = |functions: &[Linear]| mean(&functions.iter().map(|one| one.stability).collect::<Vec<_>>());
    let (of_payoff, of_control) = (stable(&payoff), stable(&control));
    let sum = (of_payoff + of_control).max(1e-9);
    let mut clune = Clune {
        facts: sample.facts.clone(),
        roles: sample.roles.clone(),
        payoff,
        control,
        spread: 1.0,
        termination,
        shares: (of_payoff / sum, of_control / sum),
    };
    clune.spread = clune.measure_spread(&sample);
    if clune.payoff.iter().chain(&clune.control).all(|function| function.weights.is_empty()) {
        return Err(LearnError::NothingFound);
    }
    let apart = Lesson { samples: Some(1_000), seed: lesson.seed.wrapping_add(77), ..lesson.clone() };
    let apart = apart.positions()?.0;
    let clune: Arc<dyn Knowledge> = Arc::new(clune);
    let accepted = if lesson.published {
        Accepted { explained: apart.explained(&*clune), knowledge: clune }
    } else {
        accept(clune, &sample, &apart)?
    };
    let told = format!(
        "payoff, control and termination of {} stable expressions explain {} of the scores of other positions",
        study.values.len(),
        percent(&accepted.explained)
    );
    let mut taught = Taught::knowledge(accepted, told, &sample);
    taught.report.candidates = observations.candidates.len();
    taught.report.expressions = study.values.len();
    Ok(taught)
}

/// Expressions that are stable, and their values.
struct Study<'a, State> {
    observations: &'a Observations,
    positions: &'a Positions<State>,
    features: Vec<Feature>,
    values: Vec<Vec<f64>>,
}

/// TV / (TV + SV) of values that come in sequences.
fn stability_of<State>(values: &[f64], positions: &Positions<State>) -> f64 {
    let firsts: Vec<f64> = positions.sequences.iter().map(|sequence| values[sequence.start]).collect();
    let within: Vec<f64> =
        positions.sequences.iter().map(|sequence| variance(&values[sequence.clone()])).collect();
    // The formula of the other paper weighs what changes within a sequence ten times.
    stability(variance(&firsts), mean(&within), 1.0)
}

impl<'a, State> Study<'a, State> {
    fn new(observations: &'a Observations, positions: &'a Positions<State>) -> Self {
        let simple = observations.values();
        let (mut features, mut values) = (Vec::new(), Vec::new());
        // Differences of large games would not fit into memory.
        let is_large = observations.candidates.len() > MOST_CANDIDATES;
        for feature in observations.candidates.iter() {
            if is_large && matches!(feature, Feature::Difference(..)) {
                continue;
            }
            let own: Vec<f64> = match feature {
                Feature::Count(one) => simple[one as usize].clone(),
                Feature::Difference(one, other) => {
                    let pairs = simple[one as usize].iter().zip(&simple[other as usize]);
                    pairs.map(|(one, other)| one - other).collect()
                }
            };
            if variance(&own) > 0.0 && stability_of(&own, positions) >= LEAST_STABILITY {
                features.push(feature);
                values.push(own);
            }
        }
        Self { observations, positions, features, values }
    }

    /// The function of the expressions that go along most with some targets, as far as some positions tell.
    fn fit(&self, targets: &[f64], states: &[usize]) -> Linear {
        let pick = |values: &[f64]| -> Vec<f64> { states.iter().map(|&state| values[state]).collect() };
        let wanted = pick(targets);
        let level = Linear { constant: mean(&wanted), ..Linear::default() };
        if states.len() < 2 * MOST_TERMS || variance(&wanted) == 0.0 {
            return level;
        }
        let mut rated: Vec<(f64, usize)> = self
            .values
            .iter()
            .enumerate()
            .map(|(place, values)| (correlation(&pick(values), &wanted).abs(), place))
            .collect();
        rated.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
        let (mut columns, mut chosen): (Vec<Vec<f64>>, Vec<(usize, f64)>) = (Vec::new(), Vec::new());
        for (merit, place) in rated {
            if columns.len() == MOST_TERMS || merit == 0.0 {
                break;
            }
            let spread = variance(&self.values[place]).sqrt();
            let column: Vec<f64> = pick(&self.values[place]).iter().map(|value| value / spread).collect();
            // What says the same as one that was taken adds nothing.
            let is_new = columns.iter().all(|other| correlation(other, &column).abs() < 0.95);
            if is_new && variance(&column) > 0.0 {
                columns.push(column);
                chosen.push((place, spread));
            }
        }
        let columns: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
        let (weights, constant) = least_squares(&columns, &wanted, RIDGE);
        let terms: Vec<(f64, usize)> =
            weights.iter().zip(&chosen).map(|(weight, &(place, spread))| (weight / spread, place)).collect();
        self.linear(&terms, constant)
    }

    /// A weighted sum of expressions as one of facts.
    fn linear(&self, terms: &[(f64, usize)], constant: f64) -> Linear {
        let mut weights: std::collections::BTreeMap<u32, f64> = std::collections::BTreeMap::new();
        let mut sums = vec![constant; self.values.first().map_or(0, Vec::len)];
        for &(weight, place) in terms {
            let (one, other) = match self.features[place] {
                Feature::Count(one) => (one, None),
                Feature::Difference(one, other) => (one, Some(other)),
            };
            for (expression, weight) in
                std::iter::once((one, weight)).chain(other.map(|other| (other, -weight)))
            {
                for atom in &self.observations.atoms[expression as usize] {
                    *weights.entry(atom.0).or_default() += weight;
                }
            }
            sums.iter_mut().zip(&self.values[place]).for_each(|(sum, value)| *sum += weight * value);
        }
        let name = |&(weight, place): &(f64, usize)| {
            let counted = self.observations.counted(self.features[place]);
            let write = |expression: &crate::features::Expression| {
                self.observations.vocabulary.write(expression.shape, &expression.slots)
            };
            let less = counted.less.as_ref().map_or_else(String::new, |less| format!(" - {}", write(less)));
            (weight, format!("{}{less}", write(&counted.expression)))
        };
        Linear {
            weights: weights.into_iter().filter(|(_, weight)| *weight != 0.0).collect(),
            constant,
            terms: terms.iter().map(name).collect(),
            stability: if variance(&sums) > 0.0 { stability_of(&sums, self.positions) } else { 0.0 },
        }
    }
}

impl Linear {
    fn read(&self, group: &Group<'_>, out: &mut [f64; TOGETHER]) {
        out.fill(self.constant);
        for &(fact, weight) in &self.weights {
            for (word, &bits) in group.facts[fact as usize].iter().enumerate() {
                let mut rest = bits;
                while rest != 0 {
                    out[64 * word + rest.trailing_zeros() as usize] += weight;
                    rest &= rest - 1;
                }
            }
        }
    }

    fn write(&self) -> String {
        let mut text = rounded(self.constant);
        for (weight, name) in &self.terms {
            text.push_str(&format!(" + {}*({name})", rounded(*weight)));
        }
        text
    }
}

/// H of Clune, all from 0 to 1.
fn together(payoff: f64, control: f64, termination: f64, (of_payoff, of_control): (f64, f64)) -> f64 {
    let before = (0.5 + 0.5 * control) * of_control + payoff * of_payoff;
    (termination * payoff + (1.0 - termination) * before).clamp(0.0, 1.0)
}

impl Clune {
    /// A role's control less that of the others.
    fn lead(&self, control: &[[f64; TOGETHER]], role: usize, state: usize) -> f64 {
        let others = control.iter().enumerate().filter(|(other, _)| *other != role);
        let others: Vec<f64> = others.map(|(_, control)| control[state]).collect();
        control[role][state] - mean(&others)
    }

    /// How far the leads of roles are from 0, as twice their deviation.
    fn measure_spread(&self, sample: &Sample) -> f64 {
        let mut leads = Vec::new();
        sample.groups(&self.facts, |_, group| {
            let control = self.read_all(&self.control, group);
            leads.extend((0..group.states).map(|state| self.lead(&control, 0, state)));
        });
        (2.0 * variance(&leads).sqrt()).max(1e-6)
    }

    fn read_all(&self, functions: &[Linear], group: &Group<'_>) -> Vec<[f64; TOGETHER]> {
        let read = |function: &Linear| {
            let mut values = [0.0; TOGETHER];
            function.read(group, &mut values);
            values
        };
        functions.iter().map(read).collect()
    }
}

impl Knowledge for Clune {
    fn facts(&self) -> &[String] {
        &self.facts
    }

    fn wants_moves(&self) -> bool {
        false
    }

    fn judge(&self, group: &Group<'_>, out: &mut [f64]) {
        let roles = self.roles.len();
        let (payoff, control) = (self.read_all(&self.payoff, group), self.read_all(&self.control, group));
        let mut termination = [0.0; TOGETHER];
        self.termination.read(group, &mut termination);
        for state in 0..group.states {
            let ends = termination[state].clamp(0.0, 1.0);
            for role in 0..roles {
                let lead = if roles > 1 { self.lead(&control, role, state) } else { 0.0 };
                let lead = (lead / self.spread).clamp(-1.0, 1.0);
                let pays = payoff[role][state].clamp(0.0, 1.0);
                out[state * roles + role] = together(pays, lead, ends, self.shares);
            }
        }
    }

    fn learner(&self) -> Option<&dyn Learner> {
        None
    }

    fn lines(&self) -> Vec<String> {
        let (of_payoff, of_control) = self.shares;
        let mut lines = vec![
            format!("H = T P + (1 - T) ((0.5 + 0.5 C) {of_control:.2} + P {of_payoff:.2})"),
            format!("T = {}", self.termination.write()),
        ];
        for ((role, payoff), control) in self.roles.iter().zip(&self.payoff).zip(&self.control) {
            lines.push(format!("{role}: P = {}", payoff.write()));
            lines.push(format!("{role}: log of moves = {}", control.write()));
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::derived::GROUP;

    #[test]
    fn the_parts_are_put_together_as_in_the_paper() {
        // At the end only the payoff counts.
        assert_eq!(together(0.9, -1.0, 1.0, (0.5, 0.5)), 0.9);
        // At the beginning both do: (0.5 + 0.5 * 0.2) * 0.25 + 0.4 * 0.75.
        assert!((together(0.4, 0.2, 0.0, (0.75, 0.25)) - 0.45).abs() < 1e-12);
        // Half way: 0.5 * 0.4 + 0.5 * 0.45.
        assert!((together(0.4, 0.2, 0.5, (0.75, 0.25)) - 0.425).abs() < 1e-12);
    }

    #[test]
    fn a_state_by_hand() {
        let linear = |weights: &[(u32, f64)], constant: f64| Linear {
            weights: weights.to_vec(),
            constant,
            ..Linear::default()
        };
        let clune = Clune {
            facts: ["a", "b"].map(str::to_owned).to_vec(),
            roles: ["x", "o"].map(str::to_owned).to_vec(),
            payoff: vec![linear(&[(0, 0.3)], 0.5), linear(&[(0, -0.3)], 0.5)],
            control: vec![linear(&[(1, 1.0)], 0.0), linear(&[], 0.0)],
            spread: 2.0,
            termination: linear(&[], 0.5),
            shares: (0.5, 0.5),
        };
        // State 0 has a, state 1 has both.
        let lanes = |bits: u64| std::array::from_fn(|word| if word == 0 { bits } else { 0 });
        let facts: Vec<[u64; GROUP]> = [0b11, 0b10].map(lanes).to_vec();
        let mut out = [0.0; 4];
        clune.judge(&Group { facts: &facts, moves: &[], states: 2 }, &mut out);
        // P = 0.8, C = 0: 0.4 + 0.5 * (0.25 + 0.4).
        assert!((out[0] - 0.725).abs() < 1e-12 && (out[1] - 0.275).abs() < 1e-12, "{out:?}");
        // C = 1/2 for x: 0.4 + 0.5 * (0.75 * 0.5 + 0.4).
        assert!((out[2] - 0.7875).abs() < 1e-12 && (out[3] - 0.2125).abs() < 1e-12, "{out:?}");
    }
}

//! A neural network that is built from the goal rules and then trained: C-IL2P (Garcez, Broda and Gabbay 2002) in the
//! generalised form for conjunctions and disjunctions (Michulke and Thielscher 2009).
//!
//! Every part of a goal is a neuron: its weights and its bias are chosen so that its output is at least A_min where the
//! part holds and at most -A_min where it does not, and in between says how far it is from that. Gradients of the
//! error against the scores of playouts move the weights; the network that predicts other positions best is kept.

use super::MethodRow;
use super::flux::formulas;
use crate::acceptance::accept;
use crate::formula::{Formulas, Part};
use crate::fuzzy::{Values, WORD, words};
use crate::knowledge::{Group, Knowledge, Learner};
use crate::learn::LearnError;
use crate::lesson::{Lesson, Taught, percent};
use crate::sample::Sample;
use std::sync::Arc;

pub(super) const ROW: MethodRow = MethodRow {
    name: "c-il2p",
    source: "Michulke and Thielscher 2009",
    help: "a neural network built from the goal rules by C-IL2P and trained on playouts",
    derived: false,
    learn,
};

/// Networks of more neurons than this take too long to train.
const MOST_PARTS: usize = 4_000;

/// The steepness of a neuron.
const STEEPNESS: f32 = 1.0;

/// Times that all positions are gone through, and by what part of an error weights change.
const ROUNDS: usize = 6;
const RATE: f32 = 0.05;

/// A neuron.
#[derive(Clone, Debug, PartialEq)]
enum Neuron {
    /// A fact: 1 where it holds, -1 where it does not.
    Fact(u32),
    /// What never changes.
    Constant(f32),
    /// A part that is not to hold: minus its output.
    Not(u32),
    /// Inputs with their weights, and a bias.
    Sum(Vec<(u32, f32)>, f32),
}

/// A network: what each part of the goals says, and what that says of scores.
#[derive(Clone, Debug)]
struct Network {
    formulas: Formulas,
    neurons: Vec<Neuron>,
    /// For each role its goals and what they are worth, from 0 to 1; for each goal what its output is multiplied with.
    readouts: Vec<Vec<f32>>,
    /// For each role what it has without any goal.
    constants: Vec<f32>,
}

/// The least output of a neuron whose part holds, in a network whose widest neuron has so many inputs: above
/// (k - 1) / (k + 1), so that one input that does not hold outweighs all others. It is one for the whole network: what
/// a narrow neuron says may be an input of a wide one.
fn least_output(inputs: usize) -> f32 {
    let inputs = inputs.max(2) as f32;
    // In the middle between the bound and 1.
    (1.0 + (inputs - 1.0) / (inputs + 1.0)) / 2.0
}

/// The weight of every input of a neuron of so many inputs.
fn weight(inputs: usize, least: f32) -> f32 {
    let count = inputs as f32;
    let logs = (1.0 + least).ln() - (1.0 - least).ln();
    2.0 / STEEPNESS * logs / (count * (least - 1.0) + least + 1.0)
}

/// The output of a neuron: between -1 and 1.
fn output(sum: f32) -> f32 {
    2.0 / (1.0 + (-STEEPNESS * sum).exp()) - 1.0
}

/// A neuron for parts of which all or any have to hold.
fn neuron(parts: &[u32], is_any: bool, least: f32) -> Neuron {
    let count = parts.len();
    let weight = weight(count, least);
    let threshold = (1.0 + least) * (count as f32 - 1.0) / 2.0 * weight;
    let bias = if is_any { threshold } else { -threshold };
    Neuron::Sum(parts.iter().map(|&part| (part, weight)).collect(), bias)
}

/// The neurons of all parts, and the least output of those whose part holds.
fn neurons(parts: &[Part]) -> (Vec<Neuron>, f32) {
    let inputs = |part: &Part| match part {
        Part::Fact(_) | Part::Constant(_) | Part::Not(_) => 1,
        Part::All(parts) | Part::Any(parts) => parts.len(),
    };
    let least = least_output(parts.iter().map(inputs).max().unwrap_or(1));
    let neuron = |part: &Part| match part {
        Part::Fact(fact) => Neuron::Fact(*fact),
        Part::Constant(value) => Neuron::Constant(if *value { 1.0 } else { -1.0 }),
        Part::Not(part) => Neuron::Not(*part),
        Part::All(parts) => neuron(parts, false, least),
        Part::Any(parts) => neuron(parts, true, least),
    };
    (parts.iter().map(neuron).collect(), least)
}

impl Network {
    fn new(formulas: Formulas, sample: &Sample) -> Self {
        let (neurons, _) = neurons(&formulas.parts);
        // A goal that holds moves the value from the mean towards what it is worth.
        let means: Vec<f32> =
            sample.scores.iter().map(|scores| crate::statistics::mean(scores) as f32).collect();
        let readouts = formulas.goals.iter().zip(&means).map(|(goals, mean)| {
            let worth = |goal: &(u8, u32)| (f32::from(goal.0) / 100.0 - mean) / goals.len() as f32;
            goals.iter().map(worth).collect()
        });
        Self { readouts: readouts.collect(), constants: means, neurons, formulas }
    }

    /// The outputs of all neurons in the states of a word.
    fn outputs(&self, group: &Group<'_>, word: usize, out: &mut Vec<Values>) {
        out.clear();
        for neuron in &self.neurons {
            let mut values = [0.0; WORD];
            match neuron {
                Neuron::Fact(fact) => {
                    let bits = group.facts[*fact as usize][word];
                    let each = values.iter_mut().enumerate();
                    each.for_each(|(state, value)| *value = if bits >> state & 1 != 0 { 1.0 } else { -1.0 });
                }
                Neuron::Constant(value) => values.fill(*value),
                Neuron::Not(part) => values = out[*part as usize].map(|value| -value),
                Neuron::Sum(inputs, bias) => {
                    values.fill(*bias);
                    for &(part, weight) in inputs {
                        let own = values.iter_mut().zip(&out[part as usize]);
                        own.for_each(|(sum, value)| *sum += weight * value);
                    }
                    values = values.map(output);
                }
            }
            out.push(values);
        }
    }

    /// What outputs say of a role's score.
    fn value(&self, role: usize, outputs: &[Values]) -> Values {
        let mut values = [self.constants[role]; WORD];
        for (&(_, part), worth) in self.formulas.goals[role].iter().zip(&self.readouts[role]) {
            let own = values.iter_mut().zip(&outputs[part as usize]);
            own.for_each(|(value, output)| *value += worth * (1.0 + output));
        }
        values
    }

    /// Moves the weights against the gradient of the square error over the states of a word.
    fn train(&mut self, outputs: &[Values], targets: &[Vec<f64>], states: std::ops::Range<usize>) {
        let count = states.len() as f32;
        let mut blames: Vec<Values> = vec![[0.0; WORD]; self.neurons.len()];
        for (role, targets) in targets.iter().enumerate().take(self.readouts.len()) {
            let values = self.value(role, outputs);
            let mut errors = [0.0f32; WORD];
            for ((error, value), state) in errors.iter_mut().zip(values).zip(states.clone()) {
                *error = value - targets[state] as f32;
            }
            for (place, &(_, part)) in self.formulas.goals[role].iter().enumerate() {
                let worth = self.readouts[role][place];
                let output = &outputs[part as usize];
                for (blame, error) in blames[part as usize].iter_mut().zip(&errors) {
                    *blame += error * worth;
                }
                let slope: f32 =
                    errors.iter().zip(output).map(|(error, output)| error * (1.0 + output)).sum();
                self.readouts[role][place] -= RATE * slope / count;
            }
            self.constants[role] -= RATE * errors.iter().sum::<f32>() / count;
        }
        for place in (0..self.neurons.len()).rev() {
            let mut blame = blames[place];
            match &mut self.neurons[place] {
                Neuron::Fact(_) | Neuron::Constant(_) => {}
                Neuron::Not(part) => {
                    let own = blames[*part as usize].iter_mut().zip(&blame);
                    own.for_each(|(inner, blame)| *inner -= blame);
                }
                Neuron::Sum(inputs, bias) => {
                    // The slope of the output is (1 - y^2) / 2 times the steepness.
                    for (blame, output) in blame.iter_mut().zip(&outputs[place]) {
                        *blame *= STEEPNESS * (1.0 - output * output) / 2.0;
                    }
                    for (part, weight) in inputs.iter_mut() {
                        let input = &outputs[*part as usize];
                        let own = blames[*part as usize].iter_mut().zip(&blame);
                        own.for_each(|(inner, blame)| *inner += *weight * blame);
                        let slope: f32 = blame.iter().zip(input).map(|(blame, input)| blame * input).sum();
                        *weight -= RATE * slope / count;
                    }
                    *bias -= RATE * blame.iter().sum::<f32>() / count;
                }
            }
        }
    }
}

fn learn(lesson: &Lesson<'_>) -> Result<Taught, LearnError> {
    let formulas = formulas(lesson, MOST_PARTS)?;
    let (known, apart) = lesson.positions()?;
    let mut network = Network::new(formulas, &known);
    let judges = lesson.positions_to_choose_by()?;
    let untrained = judges.explained(&network);
    let mut best = (untrained.clone(), network.clone(), 0);
    let mut outputs = Vec::new();
    for round in 1..=ROUNDS {
        lesson.check()?;
        known.groups(&network.formulas.facts.clone(), |first, group| {
            for (word, states) in words(group) {
                network.outputs(group, word, &mut outputs);
                network.train(&outputs, &known.scores, first + states.start..first + states.end);
            }
        });
        let explained = judges.explained(&network);
        let sum = |parts: &[f64]| parts.iter().sum::<f64>();
        if sum(&explained) > sum(&best.0) {
            best = (explained, network.clone(), round);
        }
    }
    let (_, network, rounds) = best;
    let neurons = network.neurons.len();
    let accepted = accept(Arc::new(network), &known, &apart)?;
    let told = format!(
        "a network of {neurons} neurons, trained {rounds} times on {} positions, explains {} of the scores of others \
         (untrained {})",
        known.len(),
        percent(&accepted.explained),
        percent(&untrained)
    );
    Ok(Taught::knowledge(accepted, told, &known))
}

impl Knowledge for Network {
    fn facts(&self) -> &[String] {
        &self.formulas.facts
    }

    fn wants_moves(&self) -> bool {
        false
    }

    fn judge(&self, group: &Group<'_>, out: &mut [f64]) {
        let roles = self.readouts.len();
        let mut outputs = Vec::with_capacity(self.neurons.len());
        for (word, states) in words(group) {
            self.outputs(group, word, &mut outputs);
            for role in 0..roles {
                let values = self.value(role, &outputs);
                for (state, value) in states.clone().zip(values) {
                    out[state * roles + role] = f64::from(value).clamp(0.0, 1.0);
                }
            }
        }
    }

    fn learner(&self) -> Option<&dyn Learner> {
        None
    }

    fn lines(&self) -> Vec<String> {
        let sums = self.neurons.iter().filter(|neuron| matches!(neuron, Neuron::Sum(..))).count();
        let mut lines = vec![format!(
            "{} neurons, {sums} of them with weights, over {} facts",
            self.neurons.len(),
            self.formulas.facts.len()
        )];
        for (role, (goals, readouts)) in self.formulas.goals.iter().zip(&self.readouts).enumerate() {
            for (goal, worth) in goals.iter().zip(readouts) {
                lines.push(format!("role {}: goal {} weighs {worth:.3}", role + 1, goal.0));
            }
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_by_hand() {
        // Two inputs: A_min is above 1/3, here 2/3; W = 2 (ln 5/3 - ln 1/3) / (2 (-1/3) + 5/3) = 2 ln 5.
        assert!((least_output(2) - 2.0 / 3.0).abs() < 1e-6);
        assert!((weight(2, 2.0 / 3.0) - 2.0 * 5f32.ln()).abs() < 1e-5);
        assert_eq!(output(0.0), 0.0);
        assert!((output(3f32.ln()) - 0.5).abs() < 1e-6);
    }

    #[test]
    fn neurons_say_what_rules_say() {
        for count in [2, 3, 7] {
            let parts: Vec<u32> = (0..count).collect();
            let least = least_output(count as usize);
            for is_any in [false, true] {
                let Neuron::Sum(inputs, bias) = neuron(&parts, is_any, least) else { panic!("a sum") };
                // Inputs that barely hold and barely do not, as neurons below give them.
                for holding in 0..=count {
                    let value = |part: u32| if part < holding { least } else { -least };
                    let sum: f32 = inputs.iter().map(|&(part, weight)| weight * value(part)).sum();
                    let holds = if is_any { holding > 0 } else { holding == count };
                    let said = output(sum + bias);
                    if holds {
                        assert!(said >= least - 1e-3, "{count} {is_any} {holding}: {said}");
                    } else {
                        assert!(said <= -least + 1e-3, "{count} {is_any} {holding}: {said}");
                    }
                }
            }
        }
    }

    #[test]
    fn narrow_neurons_below_wide_ones_say_what_rules_say() {
        // All of twenty, each of which is any of two facts; and the other way round.
        for outer_is_any in [false, true] {
            let whole =
                |is_any: bool, parts: Vec<u32>| if is_any { Part::Any(parts) } else { Part::All(parts) };
            let mut parts: Vec<Part> = (0..40).map(Part::Fact).collect();
            parts.extend((0..20).map(|pair| whole(!outer_is_any, vec![2 * pair, 2 * pair + 1])));
            parts.push(whole(outer_is_any, (40..60).collect()));
            parts.push(Part::Not(60));
            let formulas = Formulas {
                facts: (0..40).map(|fact| fact.to_string()).collect(),
                parts,
                goals: Vec::new(),
                terminal: 0,
            };
            let (neurons, least) = neurons(&formulas.parts);
            let network = Network { formulas, neurons, readouts: Vec::new(), constants: Vec::new() };
            // One fact of each pair, but maybe for one pair that has none or both.
            for odd in 0..=20 {
                for of_odd in [0b00u64, 0b11] {
                    let bits =
                        (0..20).map(|pair| if pair == odd { of_odd } else { 1 } << (2 * pair)).sum::<u64>();
                    let facts: Vec<_> = (0..40)
                        .map(|fact| std::array::from_fn(|word| if word == 0 { bits >> fact & 1 } else { 0 }))
                        .collect();
                    let group = Group { facts: &facts, moves: &[], states: 1 };
                    let mut outputs = Vec::new();
                    network.outputs(&group, 0, &mut outputs);
                    let holds = network
                        .formulas
                        .holding(|fact| bits >> fact.parse::<u32>().expect("a number") & 1 != 0);
                    for (part, holds) in holds.into_iter().enumerate() {
                        let said = outputs[part][0];
                        let agrees = if holds { said >= least - 1e-3 } else { said <= 1e-3 - least };
                        assert!(agrees, "part {part}, {odd}, {of_odd:b}: {said}, {least}");
                    }
                }
            }
        }
    }
}

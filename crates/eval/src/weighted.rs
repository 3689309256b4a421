//! Features of any kind with weights that are learnt from positions: logistic regression, judged by positions kept
//! apart.

use std::sync::Arc;

use parking_lot::RwLock;

use crate::acceptance::accept;
use crate::function::{Link, rounded};
use crate::knowledge::{Group, Knowledge, Learner, TOGETHER};
use crate::learn::LearnError;
use crate::lesson::{Lesson, Taught, percent};
use crate::logistic::{Model, Row, best_of_ridges, logit};
use crate::sample::Sample;
use crate::statistics::{mean, variance};

/// Numbers that are read off states.
pub(crate) trait Source: Send + Sync {
    /// The facts that they are read off.
    fn facts(&self) -> &[String];

    /// Whether they are read off how many moves the roles have.
    fn wants_moves(&self) -> bool;

    /// What they are called.
    fn names(&self) -> &[String];

    /// The numbers of all states of a group: feature after feature, room for [`TOGETHER`] states each.
    fn read(&self, group: &Group<'_>, out: &mut [f32]);
}

/// Features with weights.
pub(crate) struct Weighted {
    source: Arc<dyn Source>,
    roles: Vec<String>,
    /// For each feature what is taken off it and what it is divided by before it is weighted.
    scales: Vec<(f64, f64)>,
    models: Vec<Model>,
    tuning: RwLock<Tuning>,
}

/// Weights that go on learning during play, and how well they and those of before foretold what searches found.
#[derive(Clone, Debug, Default)]
struct Tuning {
    models: Vec<Model>,
    /// Positions so far, and the sums of square errors: of the weights of before, and of those that learn.
    positions: usize,
    errors: (f64, f64),
}

/// Positions before which tuned weights are not used, and by what part of an error they change.
const TUNED_AFTER: usize = 4;
const TUNING_RATE: f64 = 0.1;

/// What the square of a weight costs, the most first.
const RIDGES: [f64; 4] = [100.0, 20.0, 4.0, 1.0];

/// Learns the weights of features, and tells how far they explain positions that were not learnt from; an error if they
/// do no better than the constant.
pub(crate) fn learn(lesson: &Lesson<'_>, source: Box<dyn Source>, what: &str) -> Result<Taught, LearnError> {
    let (known, apart) = lesson.positions()?;
    let features = source.names().len();
    let accepted = accept(Arc::new(weigh(lesson, source, &known)?), &known, &apart)?;
    let told = format!(
        "{what}: {features} features, weighted by {} positions, explain {} of the scores of others",
        known.len(),
        percent(&accepted.explained)
    );
    let mut taught = Taught::knowledge(accepted, told, &known);
    taught.report.candidates = taught.report.atoms;
    Ok(taught)
}

/// The weights that some positions suggest.
pub(crate) fn weigh(
    lesson: &Lesson<'_>,
    source: Box<dyn Source>,
    known: &Sample,
) -> Result<Weighted, LearnError> {
    if source.names().is_empty() {
        return Err(LearnError::NoFeatures);
    }
    let values = values(&*source, known);
    let scales: Vec<(f64, f64)> =
        values.iter().map(|values| (mean(values), variance(values).sqrt())).collect();
    let row = |state: usize| -> Row {
        let varied = (0..).zip(values.iter().zip(&scales)).filter(|(_, (_, (_, spread)))| *spread > 1e-9);
        let scaled = varied
            .map(|(place, (values, &(centre, spread)))| (place, ((values[state] - centre) / spread) as f32));
        scaled.collect()
    };
    let rows: Vec<Row> = (0..known.len()).map(row).collect();
    let mut models = Vec::new();
    for (role, scores) in known.scores.iter().enumerate() {
        lesson.check()?;
        let is_chance = known.chance == Some(role);
        models.push(if is_chance || variance(scores) == 0.0 {
            Model { weights: vec![0.0; values.len()], constant: logit(mean(scores)) }
        } else {
            best_of_ridges(&RIDGES, &rows, scores, values.len(), lesson.goes_on)
        });
    }
    let (source, roles) = (source.into(), known.roles.clone());
    Ok(Weighted { source, roles, scales, models, tuning: RwLock::default() })
}

/// The values of features in all positions, feature after feature.
pub(crate) fn values(source: &dyn Source, sample: &Sample) -> Vec<Vec<f64>> {
    let count = source.names().len();
    let mut values = vec![vec![0.0; sample.len()]; count];
    let mut room = vec![0.0f32; count * TOGETHER];
    sample.groups(source.facts(), |first, group| {
        room.fill(0.0);
        source.read(group, &mut room);
        for (values, room) in values.iter_mut().zip(room.chunks(TOGETHER)) {
            let own = values[first..first + group.states].iter_mut().zip(room);
            own.for_each(|(value, read)| *value = f64::from(*read));
        }
    });
    values
}

impl Weighted {
    /// The same with weights that are moved towards what some positions are to be worth, by a part of the error: one
    /// step for each position, role by role.
    pub(crate) fn moved(&self, sample: &Sample, targets: &[Vec<f64>], rate: f64) -> Self {
        let values = values(&*self.source, sample);
        let mut models = self.models.clone();
        for (role, model) in models.iter_mut().enumerate() {
            for (state, target) in targets[role].iter().enumerate() {
                let scaled = self.scaled(values.iter().map(|values| values[state]));
                step(model, &scaled, *target, rate);
            }
        }
        let (roles, scales) = (self.roles.clone(), self.scales.clone());
        Self { source: Arc::clone(&self.source), roles, scales, models, tuning: RwLock::default() }
    }

    /// The features of a state, each less its mean and in units of its deviation.
    fn scaled(&self, values: impl Iterator<Item = f64>) -> Vec<f64> {
        let scale = |(value, &(centre, spread)): (f64, &(f64, f64))| {
            if spread > 1e-9 { (value - centre) / spread } else { 0.0 }
        };
        values.zip(&self.scales).map(scale).collect()
    }
}

/// What a model says of a state.
fn value(model: &Model, scaled: &[f64]) -> f64 {
    let sum: f64 = scaled.iter().zip(&model.weights).map(|(value, weight)| value * weight).sum();
    Link::Logistic.value(model.constant + sum)
}

/// Moves a model towards what a state is to be worth.
fn step(model: &mut Model, scaled: &[f64], target: f64, rate: f64) {
    let error = target - value(model, scaled);
    // Many features of one state share the error.
    let step = rate * error / (1.0 + scaled.iter().map(|value| value * value).sum::<f64>()).sqrt();
    model.weights.iter_mut().zip(scaled).for_each(|(weight, value)| *weight += step * value);
    model.constant += step;
}

impl Tuning {
    /// Whether weights that went on learning have foretold more than those of before.
    fn is_better(&self) -> bool {
        self.positions >= TUNED_AFTER && self.errors.1 < self.errors.0
    }
}

impl Knowledge for Weighted {
    fn facts(&self) -> &[String] {
        self.source.facts()
    }

    fn wants_moves(&self) -> bool {
        self.source.wants_moves()
    }

    fn judge(&self, group: &Group<'_>, out: &mut [f64]) {
        let roles = self.roles.len();
        let mut room = vec![0.0f32; self.scales.len() * TOGETHER];
        self.source.read(group, &mut room);
        let tuning = self.tuning.read();
        let models = if tuning.is_better() { &tuning.models } else { &self.models };
        for (role, model) in models.iter().enumerate() {
            let mut sums = [0.0f64; TOGETHER];
            for ((room, weight), &(centre, spread)) in
                room.chunks(TOGETHER).zip(&model.weights).zip(&self.scales)
            {
                if *weight != 0.0 && spread > 1e-9 {
                    let factor = weight / spread;
                    let own = sums.iter_mut().zip(room);
                    own.for_each(|(sum, value)| *sum += factor * (f64::from(*value) - centre));
                }
            }
            for (state, sum) in sums.iter().enumerate().take(group.states) {
                out[state * roles + role] = Link::Logistic.value(model.constant + sum);
            }
        }
    }

    fn learner(&self) -> Option<&dyn Learner> {
        Some(self)
    }

    fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (role, model) in self.roles.iter().zip(&self.models) {
            lines.push(format!("{role}: {} in log odds, and", rounded(model.constant)));
            let mut terms: Vec<(f64, usize)> =
                model.weights.iter().copied().zip(0..).filter(|(weight, _)| *weight != 0.0).collect();
            terms.sort_by(|one, other| other.0.abs().total_cmp(&one.0.abs()));
            for (weight, place) in terms {
                let (centre, spread) = self.scales[place];
                lines.push(format!(
                    "  {} * ({} - {}) / {}",
                    rounded(weight),
                    self.source.names()[place],
                    rounded(centre),
                    rounded(spread)
                ));
            }
        }
        lines
    }
}

impl Learner for Weighted {
    fn tune(&self, group: &Group<'_>, targets: &[f64]) {
        let roles = self.roles.len();
        let mut room = vec![0.0f32; self.scales.len() * TOGETHER];
        self.source.read(group, &mut room);
        let mut tuning = self.tuning.write();
        if tuning.models.is_empty() {
            tuning.models.clone_from(&self.models);
        }
        for state in 0..group.states {
            let scaled = self.scaled(room.chunks(TOGETHER).map(|values| f64::from(values[state])));
            for (role, target) in targets[state * roles..(state + 1) * roles].iter().enumerate() {
                // First it is asked, and then it is told: what it foretells it has not seen.
                let (before, now) =
                    (value(&self.models[role], &scaled), value(&tuning.models[role], &scaled));
                tuning.errors.0 += (before - target).powi(2);
                tuning.errors.1 += (now - target).powi(2);
                step(&mut tuning.models[role], &scaled, *target, TUNING_RATE);
            }
            tuning.positions += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::Columns;

    struct Letters;

    impl Source for Letters {
        fn facts(&self) -> &[String] {
            static FACTS: std::sync::LazyLock<Vec<String>> =
                std::sync::LazyLock::new(|| vec!["a".to_owned()]);
            &FACTS
        }

        fn wants_moves(&self) -> bool {
            false
        }

        fn names(&self) -> &[String] {
            self.facts()
        }

        fn read(&self, group: &Group<'_>, out: &mut [f32]) {
            (0..group.states).for_each(|state| out[state] = f32::from(u8::from(group.has(0, state))));
        }
    }

    #[test]
    fn weights_move_towards_targets() {
        let mut columns = Columns::new(2);
        let atom = columns.atom(0);
        columns.set(atom, 0);
        let sample = Sample {
            facts: vec!["a".to_owned()],
            columns,
            scores: vec![vec![1.0, 0.0]],
            moves: vec![1, 1],
            depths: vec![0, 0],
            length: 1.0,
            roles: vec!["you".to_owned()],
            chance: None,
        };
        // The feature is 1 and -1 when it is scaled; the weight is 0, so both states are worth one half.
        let model = Model { weights: vec![0.0], constant: 0.0 };
        let scales = vec![(0.5, 0.5)];
        let tuning = RwLock::default();
        let (source, roles) = (Arc::new(Letters), sample.roles.clone());
        let weighted = Weighted { source, roles, scales, models: vec![model], tuning };
        assert_eq!(sample.judge(&weighted), [0.5, 0.5]);
        let moved = weighted.moved(&sample, &[vec![1.0, 0.5]], 2f64.sqrt());
        // The error of the first is one half: 1.414 * 0.5 / sqrt(1 + 1) = 0.5 for the weight and for the constant; then
        // the second is worth 1 / (1 + e^0) = 0.5, as it should be.
        assert!(
            (moved.models[0].weights[0] - 0.5).abs() < 1e-9 && (moved.models[0].constant - 0.5).abs() < 1e-9
        );
        let values = sample.judge(&moved);
        assert!(values[0] > 0.7 && (values[1] - 0.5).abs() < 1e-6, "{values:?}");
    }

    #[test]
    fn tuned_weights_are_used_only_if_they_foretell_more() {
        let lanes = |bits: u64| std::array::from_fn(|word| if word == 0 { bits } else { 0 });
        let of = |bits: u64, targets: &dyn Fn(usize) -> f64, times: usize| {
            let model = Model { weights: vec![0.0], constant: 0.0 };
            let weighted = Weighted {
                source: Arc::new(Letters),
                roles: vec!["you".to_owned()],
                scales: vec![(0.5, 0.5)],
                models: vec![model],
                tuning: RwLock::default(),
            };
            let facts = [lanes(bits)];
            let group = Group { facts: &facts, moves: &[], states: 1 };
            (0..times).for_each(|time| weighted.tune(&group, &[targets(time)]));
            let mut out = [0.0];
            weighted.judge(&group, &mut out);
            out[0]
        };
        // Whoever has it always wins: after some games that is known, but not after one.
        assert!(of(1, &|_| 1.0, 40) > 0.7);
        assert_eq!(of(1, &|_| 1.0, 1), 0.5);
        // What comes by turns cannot be foretold: the weights of before stay.
        assert_eq!(of(1, &|time| f64::from(time as u8 % 2), 40), 0.5);
    }
}

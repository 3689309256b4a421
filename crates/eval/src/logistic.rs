//! Logistic regression with a ridge, by Newton's method: each step solves a weighted least-squares problem by
//! conjugate gradients (Lin, Weng and Keerthi 2008).

use crate::function::Link;
use crate::statistics::mean;

/// What is counted in an example: which, and how many.
pub(crate) type Row = Vec<(u32, f32)>;

/// Weights and a constant.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Model {
    pub(crate) weights: Vec<f64>,
    pub(crate) constant: f64,
}

/// Steps of Newton's method, and of conjugate gradients in each.
const STEPS: usize = 6;
const INNER_STEPS: usize = 20;

/// The part of the gradient at which it is small enough.
const SMALL: f64 = 1e-3;

/// The log odds of a value from 0 to 1.
pub(crate) fn logit(value: f64) -> f64 {
    let value = value.clamp(0.01, 0.99);
    (value / (1.0 - value)).ln()
}

impl Model {
    /// A model that says the mean of some targets.
    pub(crate) fn constant(weights: usize, targets: &[f64]) -> Self {
        Self { weights: vec![0.0; weights], constant: logit(mean(targets)) }
    }

    fn sum(&self, row: &Row) -> f64 {
        self.constant
            + row.iter().map(|&(place, count)| self.weights[place as usize] * f64::from(count)).sum::<f64>()
    }

    /// What it says of an example.
    pub(crate) fn value(&self, row: &Row) -> f64 {
        Link::Logistic.value(self.sum(row))
    }

    /// The mean square error over some examples.
    pub(crate) fn error(&self, rows: &[&Row], targets: &[f64]) -> f64 {
        let errors: Vec<f64> =
            rows.iter().zip(targets).map(|(row, target)| (self.value(row) - target).powi(2)).collect();
        mean(&errors)
    }
}

/// Examples to learn from. Targets are from 0 to 1.
pub(crate) struct Examples<'a> {
    pub(crate) rows: &'a [&'a Row],
    pub(crate) targets: &'a [f64],
    /// What the square of a weight costs.
    pub(crate) ridge: f64,
    /// Ends the work where it is when it says no.
    pub(crate) goes_on: &'a dyn Fn() -> bool,
}

impl Examples<'_> {
    /// The model that fits best, from another one on.
    pub(crate) fn fit(&self, mut model: Model) -> Model {
        let mut loss = self.loss(&model);
        let mut first = None;
        for _ in 0..STEPS {
            let said: Vec<f64> = self.rows.iter().map(|row| model.value(row)).collect();
            let residuals: Vec<f64> =
                said.iter().zip(self.targets).map(|(said, target)| said - target).collect();
            let curvature: Vec<f64> = said.iter().map(|said| (said * (1.0 - said)).max(1e-4)).collect();
            let mut gradient = self.sum_up(&residuals, model.weights.len());
            let own = gradient.iter_mut().zip(&model.weights);
            own.for_each(|(gradient, weight)| *gradient += self.ridge * weight);
            let size = norm(&gradient);
            if size <= SMALL * *first.get_or_insert(size) || size == 0.0 || !(self.goes_on)() {
                break;
            }
            let direction = self.solve(&curvature, &gradient);
            // Newton's step may be too long.
            let mut length = 1.0;
            let better = std::iter::from_fn(|| {
                let tried = moved(&model, &direction, length);
                length /= 2.0;
                Some((self.loss(&tried), tried))
            });
            match better.take(6).find(|(tried_loss, _)| *tried_loss < loss) {
                Some((less, tried)) => (loss, model) = (less, tried),
                None => break,
            }
        }
        model
    }

    /// Minus the log likelihood, and the ridge.
    fn loss(&self, model: &Model) -> f64 {
        let of = |(row, target): (&&Row, &f64)| {
            let sum = model.sum(row);
            // ln(1 + e^sum) - target * sum, without overflow.
            sum.max(0.0) + (-sum.abs()).exp().ln_1p() - target * sum
        };
        let squares: f64 = model.weights.iter().map(|weight| weight * weight).sum();
        self.rows.iter().zip(self.targets).map(of).sum::<f64>() + 0.5 * self.ridge * squares
    }

    /// The counts of all examples, each times a factor of the example; the last number is the constant's.
    fn sum_up(&self, factors: &[f64], weights: usize) -> Vec<f64> {
        let mut sums = vec![0.0; weights + 1];
        for (row, factor) in self.rows.iter().zip(factors) {
            row.iter().for_each(|&(place, count)| sums[place as usize] += factor * f64::from(count));
            sums[weights] += factor;
        }
        sums
    }

    /// The direction in which the quadratic model of the loss is least.
    fn solve(&self, curvature: &[f64], gradient: &[f64]) -> Vec<f64> {
        let weights = gradient.len() - 1;
        let mut diagonal = vec![self.ridge + 1e-9; weights];
        diagonal.push(1e-9);
        for (row, curvature) in self.rows.iter().zip(curvature) {
            for &(place, count) in *row {
                diagonal[place as usize] += curvature * f64::from(count * count);
            }
            diagonal[weights] += curvature;
        }
        let apply = |vector: &[f64]| {
            let along = |(row, curvature): (&&Row, &f64)| {
                let sum: f64 =
                    row.iter().map(|&(place, count)| vector[place as usize] * f64::from(count)).sum();
                curvature * (sum + vector[weights])
            };
            let factors: Vec<f64> = self.rows.iter().zip(curvature).map(along).collect();
            let mut product = self.sum_up(&factors, weights);
            product.iter_mut().zip(vector).take(weights).for_each(|(sum, own)| *sum += self.ridge * own);
            product
        };
        let mut solution = vec![0.0; gradient.len()];
        let mut rest: Vec<f64> = gradient.iter().map(|part| -part).collect();
        let scale = |rest: &[f64]| -> Vec<f64> { rest.iter().zip(&diagonal).map(|(r, d)| r / d).collect() };
        let mut scaled = scale(&rest);
        let mut direction = scaled.clone();
        let mut product = dot(&rest, &scaled);
        let enough = 0.1 * norm(&rest);
        for _ in 0..INNER_STEPS {
            let applied = apply(&direction);
            let bend = dot(&direction, &applied);
            if bend <= 0.0 || !(self.goes_on)() {
                break;
            }
            let length = product / bend;
            solution.iter_mut().zip(&direction).for_each(|(part, step)| *part += length * step);
            rest.iter_mut().zip(&applied).for_each(|(part, step)| *part -= length * step);
            if norm(&rest) <= enough {
                break;
            }
            scaled = scale(&rest);
            let next = dot(&rest, &scaled);
            let kept = next / product;
            product = next;
            direction.iter_mut().zip(&scaled).for_each(|(part, step)| *part = step + kept * *part);
        }
        solution
    }
}

fn moved(model: &Model, direction: &[f64], length: f64) -> Model {
    let steps = model.weights.iter().zip(direction);
    Model {
        weights: steps.map(|(weight, step)| weight + length * step).collect(),
        constant: model.constant + length * direction.last().copied().unwrap_or(0.0),
    }
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

fn norm(vector: &[f64]) -> f64 {
    dot(vector, vector).sqrt()
}

/// One example in so many is not learnt from: it says which ridge is best. They are taken from everywhere, as examples may
/// come in the order of the game.
const APART: usize = 5;

/// The best model: of several ridges, the strongest first, the one counts that predicts a part of the examples best
/// that is not learnt from.
pub(crate) fn best_of_ridges(
    ridges: &[f64],
    rows: &[Row],
    targets: &[f64],
    features: usize,
    goes_on: &dyn Fn() -> bool,
) -> Model {
    let (mut tests, mut examples) = ((Vec::new(), Vec::new()), (Vec::new(), Vec::new()));
    for (place, (row, &target)) in rows.iter().zip(targets).enumerate() {
        let part = if place % APART == APART - 1 { &mut tests } else { &mut examples };
        part.0.push(row);
        part.1.push(target);
    }
    let (rows, targets) = (&examples.0[..], &examples.1[..]);
    let mut model = Model::constant(features, targets);
    let mut best = (model.error(&tests.0, &tests.1), model.clone());
    for &ridge in ridges {
        model = Examples { rows, targets, ridge, goes_on }.fit(model);
        let error = model.error(&tests.0, &tests.1);
        if error < best.0 {
            best = (error, model.clone());
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use game::Dice;

    use super::*;

    #[test]
    fn weights_are_those_that_made_the_targets() {
        let mut dice = Dice::new(1);
        let (mut rows, mut targets) = (Vec::new(), Vec::new());
        for _ in 0..4_000 {
            let counts: [usize; 3] = std::array::from_fn(|_| dice.below(4));
            let row: Row =
                (0..).zip(counts).filter(|one| one.1 > 0).map(|(place, n)| (place, n as f32)).collect();
            // The third means nothing.
            let value = Link::Logistic.value(0.8 * counts[0] as f64 - 0.5 * counts[1] as f64 - 0.3);
            rows.push(row);
            targets.push(if dice.unit() < value { 1.0 } else { 0.0 });
        }
        let rows: Vec<&Row> = rows.iter().collect();
        let fit = |ridge| {
            Examples { rows: &rows, targets: &targets, ridge, goes_on: &|| true }
                .fit(Model::constant(3, &targets))
        };
        let model = fit(1.0);
        for (weight, expected) in model.weights.iter().zip([0.8, -0.5, 0.0]) {
            assert!((weight - expected).abs() < 0.1, "{model:?}");
        }
        assert!((model.constant + 0.3).abs() < 0.2, "{model:?}");
        assert!(model.error(&rows, &targets) < Model::constant(3, &targets).error(&rows, &targets));
        // A high ridge leaves nothing but the constant.
        assert!(fit(1e6).weights.iter().all(|weight| weight.abs() < 0.01));
    }

    #[test]
    fn without_a_feature_the_constant_is_the_mean() {
        let row = Row::new();
        let rows = [&row; 4];
        let targets = [1.0, 1.0, 1.0, 0.0];
        let model = Examples { rows: &rows, targets: &targets, ridge: 1.0, goes_on: &|| true }
            .fit(Model::constant(0, &[0.5]));
        assert!((Link::Logistic.value(model.constant) - 0.75).abs() < 1e-3, "{model:?}");
    }

    #[test]
    fn the_ridge_is_chosen_by_examples_from_everywhere() {
        // The first part of the game tells nothing, the rest tells all.
        let mut dice = Dice::new(2);
        let (mut rows, mut targets) = (Vec::new(), Vec::new());
        for place in 0..1_000 {
            let counts = dice.below(2);
            rows.push(if counts == 1 { vec![(0, 1.0)] } else { Row::new() });
            targets.push(if place < 250 { f64::from(dice.below(2) as u8) } else { counts as f64 });
        }
        let model = best_of_ridges(&[1e4, 1.0], &rows, &targets, 1, &|| true);
        assert!(model.weights[0] > 2.0, "{model:?}");
    }
}

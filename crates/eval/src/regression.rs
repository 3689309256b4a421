//! A function by regularised logistic regression over the expressions of the rules, on many positions.
//!
//! A position has hundreds of expressions that count something in it, wide ones and narrow ones: `cell(?,?,wp)` and
//! `cell(c,3,wp)` both count the pawn on c3. The wide ones are learnt first, as most positions have them, and the
//! narrow ones say what is different there. Weights are learnt by stochastic gradients with a rate of its own for each
//! weight (Duchi, Hazan and Singer 2011). A part of the positions is kept apart, and the function is used only if it
//! predicts those better than their mean score.

use std::sync::Arc;

use game::{Decisive, Describe, Dice, PlayOptions, Simulator};
use gdl::normal::NormalRules;

use crate::bound::Bound;
use crate::derived::Derived;
use crate::features::{Feature, FeatureLimits};
use crate::function::{Function, Link, RoleFunction, Term};
use crate::learn::{LearnError, Learnt, explained, report};
use crate::observations::Observations;
use crate::positions::{Positions, SampleOptions};
use crate::statistics::{correlation, mean, variance};

/// How the regression is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RegressionOptions {
    /// Positions at most; fewer are looked at where a step of the game takes long.
    pub positions: usize,
    /// Playouts from each.
    pub playouts: u32,
    /// Times that every position is learnt from.
    pub rounds: usize,
    /// How fast weights change.
    pub rate: f64,
    /// How much large weights cost.
    pub ridge: f64,
    /// The same seed gives the same function.
    pub seed: u64,
    /// Playouts that are longer are cut.
    pub steps: u32,
    /// How many expressions there may be.
    pub limits: FeatureLimits,
}

impl Default for RegressionOptions {
    fn default() -> Self {
        Self {
            positions: 20_000,
            playouts: 4,
            rounds: 8,
            rate: 0.05,
            ridge: 1e-4,
            seed: 1,
            steps: 2_000,
            limits: FeatureLimits::default(),
        }
    }
}

/// Gates that may be worked out to get positions and their scores: about a second's worth.
const GATES: f64 = 2e10;

/// The fewest positions that are worth learning from.
const FEWEST: usize = 2_000;

/// One position in so many is kept apart.
const APART: usize = 5;

/// The part of what there is to explain that a function has to explain to be used.
const LEAST_EXPLAINED: f64 = 0.01;

/// What expressions count in a position, as far as they count anything.
pub(crate) type Row = Vec<(u32, f32)>;

/// The function that many positions suggest; and how much of the scores of positions kept apart it explains, role
/// by role.
pub fn learn_by_regression<G: Simulator + Describe + 'static>(
    game: &Arc<G>,
    rules: &NormalRules,
    derived: Option<&Derived>,
    options: &RegressionOptions,
    goes_on: &dyn Fn() -> bool,
) -> Result<(Learnt, Vec<f64>), LearnError> {
    let (known, apart) = positions(&**game, options, goes_on)?.ok_or(LearnError::Stopped)?;
    if known.states.is_empty() || apart.states.is_empty() {
        return Err(LearnError::NoPositions);
    }
    if known.scores.iter().all(|scores| variance(scores) == 0.0) {
        return Err(LearnError::ConstantScores);
    }
    // Differences are sums already.
    let observations = Observations::new(&**game, rules, &known, derived, options.limits);
    if observations.candidates.is_empty() {
        return Err(LearnError::NoFeatures);
    }
    let rows = rows(&observations);
    let mut roles = Vec::new();
    for (role, name) in game.roles().iter().enumerate() {
        if !goes_on() {
            return Err(LearnError::Stopped);
        }
        let scores = &known.scores[role];
        let model = (variance(scores) > 0.0
            && game.chance().map(|chance| usize::from(chance.0)) != Some(role))
        .then(|| fit(&rows, scores, observations.atoms.len(), options));
        let constant = logit(mean(scores) / 100.0);
        roles.push(match model {
            Some(model) => role_function(name, &observations, &rows, scores, &model),
            None => RoleFunction { role: name.clone(), terms: Vec::new(), constant },
        });
    }
    let vocabulary = Arc::clone(&observations.vocabulary);
    let function = Arc::new(Function { vocabulary, link: Link::Logistic, roles });
    let explained = explained(&Bound::new(Arc::clone(game), Arc::clone(&function), derived), &apart)?;
    if explained.iter().all(|part| *part < LEAST_EXPLAINED) {
        return Err(LearnError::NoBetter);
    }
    Ok((Learnt { function, report: report(&observations, &known) }, explained))
}

/// Positions to learn from, and others to judge by.
fn positions<G: Simulator>(
    game: &G,
    options: &RegressionOptions,
    goes_on: &dyn Fn() -> bool,
) -> Result<Option<(Positions<G::State>, Positions<G::State>)>, LearnError> {
    let mut workspace = game.workspace();
    let decisive = [Decisive::WinsAndStops, Decisive::None].into_iter();
    let decisive = decisive
        .into_iter()
        .find(|&decisive| game.supports(&PlayOptions { decisive, ..PlayOptions::default() }));
    let sample = SampleOptions {
        playouts: options.playouts,
        seed: options.seed,
        steps: options.steps,
        decisive: decisive.unwrap_or_default(),
        ..SampleOptions::default()
    };
    // A step of all lanes costs as much for few as for many: positions are made four steps apart.
    let cost = game.step_cost() * game.lanes() as f64;
    let affordable = if cost.is_finite() { GATES / (8.0 * cost.max(1.0)) } else { FEWEST as f64 };
    let count = (affordable as usize).clamp(FEWEST, options.positions.max(FEWEST));
    let known = Positions::scatter(game, &mut workspace, count, &sample, goes_on)?;
    let other = SampleOptions { seed: sample.seed.wrapping_add(1 << 20), ..sample };
    let apart = Positions::scatter(game, &mut workspace, count / APART, &other, goes_on)?;
    Ok(known.zip(apart))
}

/// What expressions count in each position.
fn rows(observations: &Observations) -> Vec<Row> {
    let columns = &observations.columns;
    let mut rows: Vec<Row> = vec![Vec::new(); columns.states()];
    let (mut counter, mut counts) = (Default::default(), Vec::new());
    for (place, atoms) in (0..).zip(&observations.atoms) {
        if atoms.is_empty() {
            continue;
        }
        columns.count(atoms, &mut counter, &mut counts);
        // What is the same everywhere is part of the constant.
        if counts.windows(2).all(|pair| pair[0] == pair[1]) {
            continue;
        }
        for (row, &count) in rows.iter_mut().zip(&counts) {
            if count != 0.0 {
                row.push((place, count as f32));
            }
        }
    }
    rows
}

/// Weights of expressions and a constant.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Model {
    pub(crate) weights: Vec<f64>,
    pub(crate) constant: f64,
}

pub(crate) fn logit(value: f64) -> f64 {
    let value = value.clamp(0.01, 0.99);
    (value / (1.0 - value)).ln()
}

/// Learns weights for scores from 0 to 100.
pub(crate) fn fit(rows: &[Row], scores: &[f64], expressions: usize, options: &RegressionOptions) -> Model {
    let mut model = Model { weights: vec![0.0; expressions], constant: logit(mean(scores) / 100.0) };
    // The sum of squared gradients of each weight, and of the constant.
    let (mut squares, mut constant_square) = (vec![1e-6; expressions], 1e-6);
    let mut order: Vec<u32> = (0..rows.len() as u32).collect();
    let mut dice = Dice::stream(options.seed, 7);
    for _ in 0..options.rounds {
        for place in (1..order.len()).rev() {
            order.swap(place, dice.below(place + 1));
        }
        for &index in &order {
            let row = &rows[index as usize];
            let sum: f64 =
                row.iter().map(|&(place, count)| model.weights[place as usize] * f64::from(count)).sum();
            let error = Link::Logistic.value(sum + model.constant) - scores[index as usize] / 100.0;
            constant_square += error * error;
            model.constant -= options.rate * error / constant_square.sqrt();
            for &(place, count) in row {
                let weight = &mut model.weights[place as usize];
                let gradient = error * f64::from(count) + options.ridge * *weight;
                let square = &mut squares[place as usize];
                *square += gradient * gradient;
                *weight -= options.rate * gradient / square.sqrt();
            }
        }
    }
    model
}

/// The terms of a model, those first that make most of a difference.
fn role_function(
    name: &str,
    observations: &Observations,
    rows: &[Row],
    scores: &[f64],
    model: &Model,
) -> RoleFunction {
    let mut values: Vec<Vec<f64>> = vec![Vec::new(); model.weights.len()];
    for (index, row) in rows.iter().enumerate() {
        for &(place, count) in row {
            let values = &mut values[place as usize];
            values.resize(index, 0.0);
            values.push(f64::from(count));
        }
    }
    let mut terms: Vec<(f64, Term)> = Vec::new();
    for ((place, weight), mut values) in (0..).zip(&model.weights).zip(values) {
        if values.is_empty() {
            continue;
        }
        values.resize(rows.len(), 0.0);
        let term = Term {
            counted: observations.counted(Feature::Count(place)),
            weight: *weight,
            correlation: correlation(&values, scores),
            stability: None,
        };
        terms.push((weight.abs() * variance(&values).sqrt(), term));
    }
    terms.sort_by(|one, other| other.0.total_cmp(&one.0));
    let terms = terms.into_iter().map(|(_, term)| term).collect();
    RoleFunction { role: name.to_owned(), terms, constant: model.constant }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_those_that_made_the_scores() {
        let mut dice = Dice::new(1);
        let (mut rows, mut scores) = (Vec::new(), Vec::new());
        for _ in 0..4_000 {
            let counts: [usize; 3] = std::array::from_fn(|_| dice.below(4));
            let row: Row =
                (0..).zip(counts).filter(|one| one.1 > 0).map(|(place, n)| (place, n as f32)).collect();
            // The third means nothing.
            let value = Link::Logistic.value(0.8 * counts[0] as f64 - 0.5 * counts[1] as f64 - 0.3);
            rows.push(row);
            scores.push(if dice.unit() < value { 100.0 } else { 0.0 });
        }
        let model = fit(&rows, &scores, 3, &RegressionOptions { rounds: 30, ..RegressionOptions::default() });
        for (weight, expected) in model.weights.iter().zip([0.8, -0.5, 0.0]) {
            assert!((weight - expected).abs() < 0.1, "{model:?}");
        }
        assert!((model.constant + 0.3).abs() < 0.2, "{model:?}");
    }
}

//! A function by regularised logistic regression over the expressions of the rules, on many positions.
//!
//! A position has hundreds of expressions that count something in it, wide ones and narrow ones: `cell(?,?,wp)` and
//! `cell(c,3,wp)` both count the pawn on c3. The wide ones are learnt first, as most positions have them, and the
//! narrow ones say what is different there. Other positions are kept apart, and the function is used only if it predicts
//! those better than their mean score.

use std::sync::Arc;

use game::{Decisive, Describe, Job, Outcomes, PlayOptions, Simulator};
use gdl::normal::NormalRules;

use crate::bound::Bound;
use crate::derived::Derived;
use crate::features::{Feature, FeatureLimits};
use crate::function::{Function, Link, RoleFunction, Term};
use crate::learn::{LearnError, Learnt, explained, report};
use crate::logistic::{Model, Row, best_of_ridges, logit};
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
    /// The same seed gives the same function.
    pub seed: u64,
    /// Playouts that are longer are cut.
    pub steps: u32,
    /// How many expressions there may be.
    pub limits: FeatureLimits,
}

impl Default for RegressionOptions {
    fn default() -> Self {
        Self { positions: 10_000, playouts: 16, seed: 1, steps: 2_000, limits: FeatureLimits::default() }
    }
}

/// Gates of 512 lanes that may be worked out to get positions and their scores: about half a second's worth, and some
/// seconds' where the circuit is so large that it does not stay in the caches.
const GATES: f64 = 1e9;

/// Steps of a playout that getting a position takes as long as, about.
const POSITION_STEPS: f64 = 40.0;

/// The fewest positions that are worth learning from.
const FEWEST: usize = 1_000;

/// Counts that are looked at in all, at most.
const MOST_ENTRIES: usize = 4_000_000;

/// What the square of a weight costs, the most first.
const RIDGES: [f64; 4] = [300.0, 60.0, 12.0, 2.0];

/// One position in so many is kept apart.
const APART: usize = 5;

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
    let mut roles: Vec<RoleFunction> = Vec::new();
    for (role, name) in game.roles().iter().enumerate() {
        if !goes_on() {
            return Err(LearnError::Stopped);
        }
        let scores = &known.scores[role];
        if let Some(opposite) = opposite(&known.scores, role) {
            roles.push(inverse(&roles[opposite], name));
            continue;
        }
        let model = (variance(scores) > 0.0
            && game.chance().map(|chance| usize::from(chance.0)) != Some(role))
        .then(|| {
            let targets: Vec<f64> = scores.iter().map(|score| score / 100.0).collect();
            best_of_ridges(&RIDGES, &rows, &targets, observations.atoms.len(), goes_on)
        });
        let constant = logit(mean(scores) / 100.0);
        roles.push(match model {
            Some(model) => role_function(name, &observations, &rows, scores, &model),
            None => RoleFunction { role: name.clone(), terms: Vec::new(), constant },
        });
    }
    if !goes_on() {
        return Err(LearnError::Stopped);
    }
    let vocabulary = Arc::clone(&observations.vocabulary);
    let function = Function { vocabulary, link: Link::Logistic, roles };
    let judge = |function: &Function| {
        explained(&Bound::new(Arc::clone(game), Arc::new(function.clone()), derived), &apart)
    };
    let function = function.clone().accepted(&judge(&function)?, &known.means)?;
    let explained = judge(&function)?;
    Ok((Learnt { function: Arc::new(function), report: report(&observations, &known) }, explained))
}

/// A role before another that wins whatever that one loses.
fn opposite(scores: &[Vec<f64>], role: usize) -> Option<usize> {
    let is_opposite = |other: &usize| {
        let mut sums = scores[*other].iter().zip(&scores[role]).map(|(one, other)| one + other);
        sums.all(|sum| (sum - 100.0).abs() < 1e-9)
    };
    (0..role).find(is_opposite)
}

/// The function of who wins what another loses.
fn inverse(of: &RoleFunction, name: &str) -> RoleFunction {
    let term = |term: &Term| Term { weight: -term.weight, correlation: -term.correlation, ..term.clone() };
    RoleFunction { role: name.to_owned(), terms: of.terms.iter().map(term).collect(), constant: -of.constant }
}

/// Positions to learn from, and others to judge by.
type Two<State> = (Positions<State>, Positions<State>);

fn positions<G: Simulator>(
    game: &G,
    options: &RegressionOptions,
    goes_on: &dyn Fn() -> bool,
) -> Result<Option<Two<G::State>>, LearnError> {
    let mut workspace = game.workspace();
    let decisive = [Decisive::WinsAndStops, Decisive::None].into_iter();
    let decisive = decisive
        .into_iter()
        .find(|&decisive| game.supports(&PlayOptions { decisive, ..PlayOptions::default() }));
    let sample = SampleOptions {
        seed: options.seed,
        steps: options.steps,
        decisive: decisive.unwrap_or_default(),
        ..SampleOptions::default()
    };
    let (count, playouts) = affordable(game, &mut workspace, options)?;
    let sample = SampleOptions { playouts, ..sample };
    let known = Positions::scatter(game, &mut workspace, count, &sample, goes_on)?;
    let other = SampleOptions { seed: sample.seed.wrapping_add(1 << 20), ..sample };
    let apart = Positions::scatter(game, &mut workspace, count / APART, &other, goes_on)?;
    Ok(known.zip(apart))
}

/// How many positions there is time for, and how many playouts from each: rather fewer playouts than positions.
fn affordable<G: Simulator>(
    game: &G,
    workspace: &mut G::Workspace,
    options: &RegressionOptions,
) -> Result<(usize, u32), LearnError> {
    let (initial, mut outcomes) = (game.initial(), Outcomes::default());
    let play = PlayOptions { seed: options.seed, most_steps: options.steps, ..PlayOptions::default() };
    game.play(workspace, &[Job::new(&initial, LENGTH_PLAYOUTS)], &play, &mut outcomes)?;
    let lengths: u32 = (0..outcomes.len()).map(|playout| outcomes.length(playout)).sum();
    // From the middle of a game on.
    let length = f64::from(lengths) / f64::from(2 * LENGTH_PLAYOUTS);
    let (mut playouts, cost) = (options.playouts.max(1), game.step_cost());
    loop {
        let of_one = cost * (POSITION_STEPS + f64::from(playouts) * length);
        let count = if of_one.is_finite() { (GATES / of_one.max(1.0)) as usize } else { 0 };
        if count >= options.positions || playouts == 1 {
            return Ok((count.clamp(FEWEST.min(options.positions), options.positions), playouts));
        }
        playouts /= 2;
    }
}

/// Playouts that tell how long games are.
const LENGTH_PLAYOUTS: u32 = 64;

/// What expressions count in each position.
fn rows(observations: &Observations) -> Vec<Row> {
    let columns = &observations.columns;
    let mut rows: Vec<Row> = vec![Vec::new(); columns.states()];
    let (mut counter, mut counts, mut entries) = (Default::default(), Vec::new(), 0);
    // Where there are too many the last ones are left out; those with wildcards in front come first.
    for (place, atoms) in (0..).zip(&observations.atoms) {
        if atoms.is_empty() {
            continue;
        }
        columns.count(atoms, &mut counter, &mut counts);
        // What is the same everywhere is part of the constant.
        if counts.windows(2).all(|pair| pair[0] == pair[1]) {
            continue;
        }
        entries += counts.iter().filter(|count| **count != 0.0).count();
        if entries > MOST_ENTRIES {
            break;
        }
        for (row, &count) in rows.iter_mut().zip(&counts) {
            if count != 0.0 {
                row.push((place, count as f32));
            }
        }
    }
    rows
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

//! From rules and a machine to a function.

use std::sync::Arc;

use engine::Evaluator;
use game::{Describe, RuleFault, Simulator};
use gdl::normal::NormalRules;

use crate::derived::Derived;
use crate::features::FeatureLimits;
use crate::function::Function;
use crate::observations::Observations;
use crate::paper::{self, PaperOptions};
use crate::positions::{Positions, SampleOptions};
use crate::statistics::variance;

/// How a function is made.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct LearnOptions {
    /// Which positions are looked at.
    pub sample: SampleOptions,
    /// How many candidates there may be.
    pub limits: FeatureLimits,
    /// How features are selected.
    pub paper: PaperOptions,
}

/// A function and how it came about.
#[derive(Clone, Debug)]
pub struct Learnt {
    /// The function.
    pub function: Arc<Function>,
    /// What it was selected from.
    pub report: Report,
}

/// How a function came about.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// Candidate features.
    pub candidates: usize,
    /// Those that are no differences.
    pub expressions: usize,
    /// Atoms that were met.
    pub atoms: usize,
    /// Sequences of positions.
    pub sequences: usize,
    /// Positions.
    pub positions: usize,
    /// The mean length of a random game.
    pub length: f64,
}

/// Why there is no function.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LearnError {
    /// No sequence of positions could be had.
    #[error("random games end before two positions can be compared: there is nothing to learn from")]
    NoPositions,
    /// Nothing in the rules can be counted.
    #[error("no expression of the rules is about what is true in states: there are no features")]
    NoFeatures,
    /// Every playout ends alike.
    #[error("all playouts give every role the same score: no feature can tell better states from worse")]
    ConstantScores,
    /// The function predicts positions that it was not learnt from no better than a constant.
    #[error("it predicts positions that it has not seen no better than a constant: it is not used")]
    NoBetter,
    /// Nothing moves and is taken.
    #[error("nothing was seen to stand on cells, to move and to be taken: there are no pieces")]
    NoPieces,
    /// The machine does not know the rules that it was made of.
    #[error("there are no rules to read: the game was not made of a rule sheet")]
    NoRules,
    /// The rules are too large or too complex for a method.
    #[error("the rules are too large for it: {0}")]
    TooLarge(String),
    /// No feature goes along with the score.
    #[error("no feature goes along with a score and lasts from move to move")]
    NothingFound,
    /// Someone said to stop.
    #[error("it was told to stop before it was done")]
    Stopped,
    /// The rules are at fault.
    #[error(transparent)]
    Rules(#[from] RuleFault),
}

/// The function of the paper.
pub fn learn<G: Simulator + Describe>(
    game: &G,
    rules: &NormalRules,
    derived: Option<&Derived>,
    options: &LearnOptions,
    goes_on: &dyn Fn() -> bool,
) -> Result<Learnt, LearnError> {
    let sampled = Positions::sample(game, &mut game.workspace(), &options.sample, goes_on)?;
    let positions = sampled.ok_or(LearnError::Stopped)?;
    if positions.states.is_empty() {
        return Err(LearnError::NoPositions);
    }
    let varies = |scores: &Vec<f64>| scores.windows(2).any(|pair| pair[0] != pair[1]);
    if !positions.scores.iter().any(varies) {
        return Err(LearnError::ConstantScores);
    }
    let observations = Observations::new(game, rules, &positions, derived, options.limits);
    if observations.candidates.is_empty() {
        return Err(LearnError::NoFeatures);
    }
    let function = paper::function(&observations, &positions, game.roles(), &options.paper);
    if function.is_constant() {
        return Err(LearnError::NothingFound);
    }
    Ok(Learnt { function: Arc::new(function), report: report(&observations, &positions) })
}

/// How far a function explains the scores of positions: 1 - (its mean square error) / (that of the mean score), for each
/// role. 1 is all there is, 0 is no better than the constant, and below that it misleads.
pub fn explained<State>(
    evaluator: &dyn Evaluator<State>,
    positions: &Positions<State>,
) -> Result<Vec<f64>, RuleFault> {
    let states: Vec<&State> = positions.states.iter().collect();
    let roles = positions.scores.len();
    let mut values = vec![0.0; states.len() * roles];
    evaluator.evaluate(&states, &mut values)?;
    let of = |(role, scores): (usize, &Vec<f64>)| {
        let said = values.iter().skip(role).step_by(roles);
        let errors: f64 = said.zip(scores).map(|(value, score)| (100.0 * value - score).powi(2)).sum();
        let all = variance(scores) * scores.len() as f64;
        if all > 0.0 { 1.0 - errors / all } else { 0.0 }
    };
    Ok(positions.scores.iter().enumerate().map(of).collect())
}

pub(crate) fn report<State>(observations: &Observations, positions: &Positions<State>) -> Report {
    Report {
        candidates: observations.candidates.len(),
        expressions: observations.candidates.expressions.len(),
        atoms: observations.columns.keys().len(),
        sequences: positions.sequences.len(),
        positions: positions.states.len(),
        length: positions.length,
    }
}

//! From rules and a machine to a function.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use game::{Describe, RuleFault, Simulator};
use gdl::normal::NormalRules;

use crate::derived::Derived;
use crate::features::FeatureLimits;
use crate::function::Function;
use crate::observations::Observations;
use crate::paper::{self, PaperOptions};
use crate::positions::{Positions, SampleOptions};

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
    stop: Option<&AtomicBool>,
) -> Result<Learnt, LearnError> {
    let sampled = Positions::sample(game, &mut game.workspace(), &options.sample, stop)?;
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

fn report<State>(observations: &Observations, positions: &Positions<State>) -> Report {
    Report {
        candidates: observations.candidates.len(),
        expressions: observations.candidates.expressions.len(),
        atoms: observations.columns.keys().len(),
        sequences: positions.sequences.len(),
        positions: positions.states.len(),
        length: positions.length,
    }
}

//! Which evaluation an engine uses, by its parameters, and how it is got ready.

use std::sync::Arc;

use engine::{Evaluator, Parameter, Settings, Typed};
use game::{Describe, Simulator};
use gdl::normal::NormalRules;

use crate::bound::Bound;
use crate::function::Function;
use crate::learn::{LearnError, LearnOptions, learn};
use crate::pieces::{PieceOptions, learn_pieces};
use crate::positions::SampleOptions;
use crate::regression::{RegressionOptions, learn_by_regression};

const SOURCE: &str = "Walędzik and Mańdziuk 2014";

/// What values states.
pub static EVALUATION: Typed<&'static str> = Typed::<&'static str>::word(
    "evaluation",
    "none",
    &["none", "null", "paper", "regression", "pieces"],
    SOURCE,
    "what values states: nothing, a draw always, features of the rules as in the paper or by regression, or pieces",
);

/// How often a playout is stopped.
pub static STOP: Typed<f64> = Typed::<f64>::real(
    "evaluation_stop",
    0.1,
    0.0,
    1.0,
    SOURCE,
    "with an evaluation, the probability with which a playout is stopped in each of its states and judged there",
);

/// After how many steps a playout is stopped.
pub static STOP_STEPS: Typed<u32> = Typed::<u32>::whole(
    "evaluation_steps",
    2000,
    0,
    1_000_000,
    "ours",
    "with an evaluation, steps after which every playout is stopped and judged",
);

/// How a function is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// None is.
    None,
    /// Every state is a draw.
    Null,
    /// As in the paper.
    Paper,
    /// By regression.
    Regression,
    /// By the numbers of pieces.
    Pieces,
}

/// What an engine was asked to use.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// How the function is made.
    pub method: Method,
    /// The probability with which a playout is stopped in each state.
    pub stop: f64,
    /// Steps after which it is stopped.
    pub steps: u32,
}

/// A function that is ready to be asked.
pub struct Prepared<State> {
    /// Who is asked.
    pub evaluator: Arc<dyn Evaluator<State>>,
    /// What is asked.
    pub function: Arc<Function>,
    /// How it came about, in a line.
    pub told: String,
}

impl<State> std::fmt::Debug for Prepared<State> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Prepared").field("told", &self.told).finish_non_exhaustive()
    }
}

impl Choice {
    /// The rows of the parameters.
    pub fn rows() -> Vec<Parameter> {
        vec![EVALUATION.row(), STOP.row(), STOP_STEPS.row()]
    }

    /// What some settings ask for.
    pub fn read(settings: &Settings) -> Self {
        let method = match settings.of(&EVALUATION) {
            "null" => Method::Null,
            "paper" => Method::Paper,
            "regression" => Method::Regression,
            "pieces" => Method::Pieces,
            _ => Method::None,
        };
        Self { method, stop: settings.of(&STOP), steps: settings.of(&STOP_STEPS) }
    }

    /// Makes the function for a game; `None` if none is asked for. Ends early, with
    /// [`LearnError::Stopped`], when `goes_on` says so.
    pub fn prepare<G: Simulator + Describe + 'static>(
        &self,
        game: &Arc<G>,
        rules: Option<&NormalRules>,
        seed: u64,
        goes_on: &dyn Fn() -> bool,
    ) -> Result<Option<Prepared<G::State>>, LearnError> {
        let (function, told) = match self.method {
            Method::None => return Ok(None),
            Method::Null => {
                (Arc::new(Function::constant(game.roles(), 0.5)), "every state counts as a draw".to_owned())
            }
            Method::Paper => {
                let rules = rules.ok_or(LearnError::NoRules)?;
                let sample = SampleOptions { seed, ..SampleOptions::default() };
                let options = LearnOptions { sample, ..LearnOptions::default() };
                let learnt = learn(&**game, rules, None, &options, goes_on)?;
                let told = format!("a sum of the best of {} features", learnt.report.candidates);
                (learnt.function, told)
            }
            Method::Regression => {
                let rules = rules.ok_or(LearnError::NoRules)?;
                let options = RegressionOptions { seed, ..RegressionOptions::default() };
                let (learnt, explained) = learn_by_regression(game, rules, None, &options, goes_on)?;
                let parts: Vec<String> =
                    explained.iter().map(|part| format!("{:.0}%", 100.0 * part)).collect();
                let told = format!(
                    "a regression over {} positions explains {} of the scores of others",
                    learnt.report.positions,
                    parts.join(", ")
                );
                (learnt.function, told)
            }
            Method::Pieces => {
                let options = PieceOptions { seed, ..PieceOptions::default() };
                let (function, pieces) = learn_pieces(&**game, &options, goes_on)?;
                let names: Vec<&str> = pieces.iter().map(|piece| piece.text.as_str()).collect();
                (Arc::new(function), format!("the numbers of {}", names.join(", ")))
            }
        };
        let evaluator = Arc::new(Bound::new(Arc::clone(game), Arc::clone(&function), None));
        Ok(Some(Prepared { evaluator, function, told }))
    }
}

//! Which evaluation an engine uses, by its parameters, and how it is got ready.

use std::sync::Arc;

use engine::{Evaluator, Parameter, Settings, Typed};
use game::{Describe, Simulator};
use gdl::normal::NormalRules;

use crate::knowledge::Tuner;
use crate::learn::LearnError;
use crate::lesson::Lesson;
use crate::methods::{self, MethodRow};

const SOURCE: &str = "Walędzik and Mańdziuk 2014";

/// What values states.
pub static EVALUATION: Typed<&'static str> = Typed::<&'static str>::word(
    "evaluation",
    methods::NONE,
    methods::NAMES,
    "Walędzik and Mańdziuk 2014; others by their names in docs/results/knowledge.md",
    "what values states: nothing, or a method that learns it before play, as `ludens evaluate --method` shows it",
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

/// Whether it goes on learning.
pub static TUNING: Typed<bool> = Typed::<bool>::flag(
    "evaluation_tuning",
    false,
    "ours",
    "with an evaluation by weighted features of states (`phases`, `td`, `flux`, `distance`, `patterns`, `gifl`, `mobility`, \
     `proximity`, `larg`), whether the weights go on learning from what the search finds, and are used once they foretell \
     that better; others do not go on learning",
);

/// Whether functions look at more than facts.
pub static DERIVED: Typed<bool> = Typed::<bool>::flag(
    "evaluation_derived",
    false,
    SOURCE,
    "with the evaluation `paper` or `regression`, whether expressions are also about what the rules derive, such as lines \
     and legal moves",
);

/// What an engine was asked to use.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// How the function is made; nothing is valued without one.
    pub method: Option<&'static MethodRow>,
    /// The probability with which a playout is stopped in each state.
    pub stop: f64,
    /// Steps after which it is stopped.
    pub steps: u32,
    /// Whether it goes on learning during play.
    pub tuning: bool,
    /// Whether expressions are also about what the rules derive.
    pub derived: bool,
}

/// A function that is ready to be asked.
pub struct Prepared<State> {
    /// Who is asked.
    pub evaluator: Arc<dyn Evaluator<State>>,
    /// Who goes on learning, if that is asked for and possible.
    pub tuner: Option<Arc<dyn Tuner<State>>>,
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
        vec![EVALUATION.row(), STOP.row(), STOP_STEPS.row(), TUNING.row(), DERIVED.row()]
    }

    /// What some settings ask for.
    pub fn read(settings: &Settings) -> Self {
        let method = methods::find(settings.of(&EVALUATION));
        let (stop, steps) = (settings.of(&STOP), settings.of(&STOP_STEPS));
        Self { method, stop, steps, tuning: settings.of(&TUNING), derived: settings.of(&DERIVED) }
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
        let Some(method) = self.method else { return Ok(None) };
        let lesson = Lesson::new(game, rules, seed, goes_on);
        let derived = match self.derived && method.derived {
            true => Some(lesson.derive()?),
            false => None,
        };
        let taught = (method.learn)(&Lesson { derived: derived.as_ref(), ..lesson })?;
        let evaluator = taught.judgement.bind(game, derived.as_ref());
        let tuner = taught.judgement.tuner(game).filter(|_| self.tuning);
        let mut told = taught.told;
        if self.derived && !method.derived {
            told.push_str(&format!("; `{}` does not look at what is derived", method.name));
        }
        if self.tuning && tuner.is_none() {
            told.push_str(&format!("; `{}` does not go on learning during play", method.name));
        }
        Ok(Some(Prepared { evaluator, tuner, told }))
    }
}

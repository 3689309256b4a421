//! What a method has to learn from, and what comes of it.

use std::sync::Arc;

use engine::Evaluator;
use game::{Decisive, Describe, Game, PlayOptions, Simulator};
use gdl::normal::NormalRules;
use ground::{Budget, GroundError};
use machine::{ErasedGame, ErasedState};

use crate::acceptance::Accepted;
use crate::bound::Bound;
use crate::derived::Derived;
use crate::features::FeatureLimits;
use crate::function::Function;
use crate::knowledge::{Knowledge, Known, Tuner};
use crate::learn::{LearnError, Report};
use crate::paper::PaperOptions;
use crate::positions::{Positions, SampleOptions, SequenceOptions};
use crate::sample::Sample;

/// What a method has to learn from.
#[derive(Clone)]
pub struct Lesson<'a> {
    /// The game, on any machine.
    pub game: Arc<ErasedGame>,
    /// Its rules, if they are known.
    pub rules: Option<&'a NormalRules>,
    /// What the rules derive, if that is to be looked at.
    pub derived: Option<&'a Derived>,
    /// The same seed gives the same.
    pub seed: u64,
    /// Positions or sequences of them; the method's own number if nothing is said.
    pub samples: Option<usize>,
    /// Playouts from each; the method's own number if nothing is said.
    pub playouts: Option<u32>,
    /// What a sequence of them is, where the paper's way is followed.
    pub sequence: SequenceOptions,
    /// How many features there may be.
    pub limits: FeatureLimits,
    /// How features are selected, where the paper's way is followed.
    pub paper: PaperOptions,
    /// Whether functions that can be made without learning are wanted as they were published, even if they foretell nothing:
    /// to be looked at, not to be played by.
    pub published: bool,
    /// Ends the work with [`LearnError::Stopped`] when it says no.
    pub goes_on: &'a dyn Fn() -> bool,
}

/// What values states.
#[derive(Clone)]
pub enum Judgement {
    /// A weighted sum of features.
    Function(Arc<Function>),
    /// Knowledge of any kind.
    Knowledge(Arc<dyn Knowledge>),
}

impl Judgement {
    /// Who goes on learning during play on a machine, if it does at all.
    pub fn tuner<G: Simulator + 'static>(&self, game: &Arc<G>) -> Option<Arc<dyn Tuner<G::State>>> {
        match self {
            Judgement::Function(_) => None,
            Judgement::Knowledge(knowledge) => {
                knowledge.learner()?;
                Some(Arc::new(Known::new(Arc::clone(game), Arc::clone(knowledge))))
            }
        }
    }

    /// The same on a machine.
    pub fn bind<G: Simulator + 'static>(
        &self,
        game: &Arc<G>,
        derived: Option<&Derived>,
    ) -> Arc<dyn Evaluator<G::State>> {
        match self {
            Judgement::Function(function) => {
                Arc::new(Bound::new(Arc::clone(game), Arc::clone(function), derived))
            }
            Judgement::Knowledge(knowledge) => Arc::new(Known::new(Arc::clone(game), Arc::clone(knowledge))),
        }
    }
}

/// What a method has learnt.
#[derive(Clone)]
pub struct Taught {
    /// What values states.
    pub judgement: Judgement,
    /// How it came about, in a line.
    pub told: String,
    /// From what.
    pub report: Report,
    /// How far it explains the scores of positions that it has not seen, role by role, if that was looked at.
    pub explained: Option<Vec<f64>>,
}

impl Taught {
    /// Knowledge of some positions.
    pub(crate) fn knowledge(accepted: Accepted, told: String, sample: &Sample) -> Self {
        let Accepted { knowledge, explained } = accepted;
        let report = Report {
            positions: sample.len(),
            sequences: sample.len(),
            length: sample.length,
            atoms: knowledge.facts().len(),
            ..Report::default()
        };
        Self { judgement: Judgement::Knowledge(knowledge), told, report, explained: Some(explained) }
    }
}

/// Positions that a method learns from if nothing else is said, and playouts from each.
const POSITIONS: usize = 4_000;
const PLAYOUTS: u32 = 8;

/// One position in so many is kept apart to judge by.
const APART: usize = 4;

/// Bytes that grounding may take.
const GROUND_BYTES: usize = 1 << 30;

impl<'a> Lesson<'a> {
    /// A lesson with the methods' own numbers.
    pub fn new<G: Simulator + Describe + 'static>(
        game: &Arc<G>,
        rules: Option<&'a NormalRules>,
        seed: u64,
        goes_on: &'a dyn Fn() -> bool,
    ) -> Self {
        Self {
            game: Arc::new(ErasedGame::new(Arc::clone(game))),
            rules,
            derived: None,
            seed,
            samples: None,
            playouts: None,
            sequence: SequenceOptions::default(),
            limits: FeatureLimits::default(),
            paper: PaperOptions::default(),
            published: false,
            goes_on,
        }
    }

    /// The rules, which some methods cannot do without.
    pub(crate) fn rules(&self) -> Result<&'a NormalRules, LearnError> {
        self.rules.ok_or(LearnError::NoRules)
    }

    /// What the rules derive.
    pub(crate) fn derive(&self) -> Result<Derived, LearnError> {
        let rules = self.rules()?;
        self.ground(|budget| Derived::new(rules, budget))
    }

    /// Grounds something, as long as the work goes on.
    pub(crate) fn ground<T>(
        &self,
        work: impl FnOnce(&Budget<'_>) -> Result<T, GroundError>,
    ) -> Result<T, LearnError> {
        let progress = |_: &ground::Progress| (self.goes_on)();
        let budget = Budget { bytes: GROUND_BYTES, progress: &progress, ..Budget::unlimited() };
        work(&budget).map_err(|error| match error {
            GroundError::Stopped => LearnError::Stopped,
            other => LearnError::TooLarge(other.to_string()),
        })
    }

    /// Positions to learn from and others to judge by, scattered over random games.
    pub(crate) fn positions(&self) -> Result<(Sample, Sample), LearnError> {
        let (_, known, apart) = self.positions_and_states()?;
        Ok((known, apart))
    }

    /// Positions by which one of several things that were learnt is chosen: what is chosen is judged by others.
    pub(crate) fn positions_to_choose_by(&self) -> Result<Sample, LearnError> {
        let count = self.samples.unwrap_or(POSITIONS) / APART;
        let (_, sample) = self.scattered(count.max(1), self.seed.wrapping_add(2 << 20))?;
        if sample.is_empty() { Err(LearnError::NoPositions) } else { Ok(sample) }
    }

    /// The same with the states to learn from, for who has more to ask of them.
    pub(crate) fn positions_and_states(
        &self,
    ) -> Result<(Positions<ErasedState>, Sample, Sample), LearnError> {
        let count = self.samples.unwrap_or(POSITIONS);
        let (states, known) = self.scattered(count, self.seed)?;
        let (_, apart) = self.scattered((count / APART).max(1), self.seed.wrapping_add(1 << 20))?;
        if known.is_empty() || apart.is_empty() {
            return Err(LearnError::NoPositions);
        }
        if !known.varies() {
            return Err(LearnError::ConstantScores);
        }
        Ok((states, known, apart))
    }

    fn scattered(&self, count: usize, seed: u64) -> Result<(Positions<ErasedState>, Sample), LearnError> {
        let game = &*self.game;
        let decisive = [Decisive::WinsAndStops, Decisive::None]
            .into_iter()
            .find(|&decisive| game.supports(&PlayOptions { decisive, ..PlayOptions::default() }));
        let options = SampleOptions {
            seed,
            playouts: self.playouts.unwrap_or(PLAYOUTS),
            decisive: decisive.unwrap_or_default(),
            ..SampleOptions::default()
        };
        let found = Positions::scatter(game, &mut game.workspace(), count, &options, self.goes_on)?;
        let positions = found.ok_or(LearnError::Stopped)?;
        let sample = Sample::new(game, &positions)?;
        Ok((positions, sample))
    }

    /// Ends the work if it is to end.
    pub(crate) fn check(&self) -> Result<(), LearnError> {
        if (self.goes_on)() { Ok(()) } else { Err(LearnError::Stopped) }
    }
}

/// In percent, role by role.
pub(crate) fn percent(parts: &[f64]) -> String {
    let parts: Vec<String> = parts.iter().map(|part| format!("{:.0}%", 100.0 * part)).collect();
    parts.join(", ")
}

//! Tree search whose settings race on the start clock.

use std::sync::atomic::Ordering;
use std::time::Duration;

use engine::{Budget, Decision, Engine, Event, Settings, Stop, Typed};
use eval::{Choice, methods};
use game::{Describe, RoleId, RuleFault, Simulator};
use machine::MachineKind;
use search::Parameters;
use search::mcts::Totals;
use search::mcts::policy::Policies;

use super::mcts::{NAME, TreeSearch};
use crate::race::{Heuristic, Race, Tuning};

/// For how long settings race.
pub(super) static RACE: Typed<f64> = Typed::<f64>::real(
    "race",
    0.0,
    0.0,
    60.0,
    "ours",
    "seconds at most in which settings race on the start clock, and then some during play; 0 plays as it is told",
);

/// The race has one part in so many of the time before the first move at most: it may be that this move is due.
const PARTS: u32 = 2;

/// Learning what pieces are worth has one part in so many of that at most.
const LEARNING_PART: u32 = 8;

/// What is left for the tree of the match, the rest being for the searches of the race.
pub(super) fn memory_beside_race(memory: u32) -> u32 {
    (memory - memory / 8).max(1)
}

pub(super) struct Raced<G: Simulator + Describe> {
    pub(super) tree: TreeSearch<G>,
    /// The usual settings.
    settings: Settings,
    policies: Policies,
    seed: u64,
    stage: RaceStage<G>,
    tuning: Option<Tuning<G>>,
    /// The role that is played.
    role: Option<RoleId>,
    turns: u64,
    /// Calls to think in this turn.
    calls: u64,
    text: Option<String>,
    events: Vec<Event>,
}

enum RaceStage<G: Simulator> {
    Waiting,
    Running(Box<Race<G>>),
    Over,
}

impl<G: Simulator + Describe + 'static> Raced<G> {
    pub(super) fn new(tree: TreeSearch<G>, settings: Settings, policies: Policies, seed: u64) -> Self {
        Self {
            tree,
            settings,
            policies,
            seed,
            stage: RaceStage::Waiting,
            tuning: None,
            role: None,
            turns: 0,
            calls: 0,
            text: None,
            events: Vec::new(),
        }
    }

    fn tell(&mut self, text: String) {
        self.events.push(Event::Said { engine: NAME, text: text.clone() });
        self.text = Some(text);
    }

    /// Races as long as there is time for it; why it stopped before the race was over.
    fn race(&mut self, budget: &Budget<'_>) -> Option<Stop> {
        let (until, turn_ends) = (budget.until?, budget.turn_ends?);
        // The first thing is to have something to play.
        if budget.simulations.is_some() || self.calls == 1 {
            return None;
        }
        if let RaceStage::Waiting = self.stage {
            let now = (budget.clock)();
            let most = Duration::from_secs_f64(self.settings.of(&RACE));
            let ends = now + most.min(turn_ends.saturating_sub(now) / PARTS);
            let pieces = self.pieces(budget, now + ends.saturating_sub(now) / LEARNING_PART);
            let search = &self.tree.search;
            let (game, state) = (search.game(), search.state());
            let usual = (&self.settings, &self.policies, self.seed);
            let begun = Race::begin(game, &state, usual, pieces.as_ref(), budget.clock, ends);
            // A fault of the rules is found again when it matters.
            self.stage = match begun.ok().flatten() {
                Some(race) => RaceStage::Running(Box::new(race)),
                None => {
                    self.tell(
                        "kept the usual settings: there is no time for a race, or nothing to choose".into(),
                    );
                    RaceStage::Over
                }
            };
        }
        while let RaceStage::Running(race) = &mut self.stage {
            if race.is_over() {
                self.conclude();
                return None;
            }
            if budget.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
                return Some(Stop::Told);
            }
            if (budget.clock)() >= until {
                return Some(Stop::Time);
            }
            if race.step(budget).is_err() {
                self.stage = RaceStage::Over;
            }
        }
        None
    }

    /// Goes on with what the race says, if there was one.
    fn conclude(&mut self) {
        let RaceStage::Running(race) = std::mem::replace(&mut self.stage, RaceStage::Over) else { return };
        let verdict = race.end();
        self.tell(verdict.text);
        self.tuning = verdict.tuning;
        if let Some(parameters) = verdict.parameters {
            self.change_to(parameters);
        }
        if let Some(heuristic) = verdict.heuristic {
            self.tree.search.set_heuristic(heuristic);
        }
    }

    /// What states are worth by the pieces there, if the game has some; learnt in the time there is.
    fn pieces(&self, budget: &Budget<'_>, until: Duration) -> Option<Heuristic<G>> {
        let is_told = || budget.stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
        let goes_on = || !is_told() && (budget.clock)() < until;
        let choice = Choice { method: methods::find("pieces"), ..Choice::read(&self.settings) };
        let prepared = choice.prepare(self.tree.search.game(), None, self.seed, &goes_on);
        prepared.ok().flatten().map(|prepared| prepared.evaluator)
    }

    fn change_to(&mut self, parameters: Parameters) {
        if let Some(tuning) = &mut self.tuning {
            tuning.plays(&parameters);
        }
        let memory = memory_beside_race(parameters.memory);
        if !self.tree.search.retune(Parameters { memory, ..parameters }) {
            self.tree.before = Totals::default();
        }
    }
}

impl<G: Simulator + Describe + 'static> Engine for Raced<G> {
    fn think(&mut self, budget: &Budget<'_>) -> Result<Stop, RuleFault> {
        self.calls += 1;
        if self.turns <= 1
            && let Some(stop) = self.race(budget)
        {
            return Ok(stop);
        }
        if self.calls == 2
            && budget.simulations.is_none()
            && let Some(tuning) = &mut self.tuning
            && let Ok(Some((parameters, text))) = tuning.spend(budget)
        {
            self.tell(text);
            self.change_to(parameters);
        }
        self.tree.think(budget)
    }

    fn decide(&mut self, role: RoleId) -> Result<Option<Decision>, RuleFault> {
        self.role = Some(role);
        let decision = self.tree.decide(role)?;
        Ok(decision.map(|decision| Decision { tuning: self.text.clone(), ..decision }))
    }

    fn advance(&mut self, joint: &[String]) -> Result<bool, RuleFault> {
        self.turns = self.turns.max(1);
        if let (Some(tuning), Some(role)) = (&mut self.tuning, self.role)
            && let Some(advice) = self.tree.search.advice(role)
        {
            tuning.remember(&self.tree.search, &advice);
        }
        self.tree.advance(joint)
    }

    fn begin_turn(&mut self) {
        self.turns += 1;
        self.calls = 0;
        if self.turns > 1 {
            self.conclude();
        }
        self.tree.begin_turn();
    }

    fn events(&mut self) -> Vec<Event> {
        let mut events = std::mem::take(&mut self.events);
        events.append(&mut self.tree.events());
        events
    }

    fn machine(&self) -> MachineKind {
        self.tree.machine()
    }
}

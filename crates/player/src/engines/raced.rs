//! Tree search whose settings race on the start clock.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use alphabeta::Judge;
use engine::{Budget, Decision, Engine, Event, Settings, Stop, Typed};
use eval::{Choice, methods};
use game::{Describe, RoleId, RuleFault, Simulator};
use machine::MachineKind;
use search::Parameters;
use search::mcts::policy::Policies;
use search::mcts::{Search, Totals};

use super::mcts::{NAME, TreeSearch};
use super::mtdf::LookAhead;
use crate::race::{self, Heuristic, Learnt, Race, Rivalry, Setting, Tuning};
use crate::team::HELPERS;

/// For how long settings race.
pub(super) static RACE: Typed<f64> = Typed::<f64>::real(
    "race",
    0.0,
    0.0,
    60.0,
    "ours",
    "seconds at most in which settings race on the start clock, and then some during play; 0 plays as it is told",
);

/// Whether what was learnt of states runs.
pub(super) static RACE_EVALUATION: Typed<bool> = Typed::<bool>::flag(
    "race_evaluation",
    true,
    "ours",
    "whether settings that value states by what was learnt before run in the race, those that look ahead among them, where \
     playouts do not take pieces (`captures`)",
);

/// The race has so much of the time before the first move at most, as it may be that this move is due; and more of both if
/// somebody is on the way to be chosen.
const PART: f64 = 0.5;
const LATEST_PART: f64 = 0.75;
/// The part of the most seconds that a race has if nobody is.
const USUAL_PART: f64 = 2.0 / 3.0;

/// Learning what states are worth has one part in so many of that at most.
const LEARNING_PART: u32 = 8;

/// MiB of a tree that is no longer asked.
const IDLE_MEMORY: u32 = 16;

/// What is left for the tree of the match, the rest being for the searches of the race.
pub(super) fn memory_beside_race(memory: u32) -> u32 {
    (memory - memory / 8).max(1)
}

pub(super) struct Raced<G: Simulator + Describe> {
    pub(super) tree: TreeSearch<G>,
    /// Who thinks in place of the tree, if the race says so.
    ahead: Option<LookAhead<G>>,
    /// The usual settings.
    settings: Settings,
    policies: Policies,
    seed: u64,
    stage: RaceStage<G>,
    tuning: Option<Tuning<G>>,
    rivalry: Option<Rivalry<G>>,
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
            ahead: None,
            settings,
            policies,
            seed,
            stage: RaceStage::Waiting,
            tuning: None,
            rivalry: None,
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
            let left = turn_ends.saturating_sub(now);
            let ends = now + most.mul_f64(USUAL_PART).min(left.mul_f64(PART));
            let latest = now + most.min(left.mul_f64(LATEST_PART));
            let learnt = self.learn(budget, now + ends.saturating_sub(now) / LEARNING_PART);
            let search = &self.tree.search;
            let (game, state) = (search.game(), search.state());
            let usual = (&self.settings, &self.policies, self.seed);
            let begun = Race::begin(game, &state, usual, &learnt, budget.clock, (ends, latest));
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
        self.rivalry = verdict.rivalry;
        verdict.chosen.into_iter().for_each(|setting| self.play(setting));
    }

    /// Plays in this way from now on.
    fn play(&mut self, setting: Setting<G>) {
        let Setting { parameters, heuristic, looks_ahead } = setting;
        match heuristic {
            Some(heuristic) if looks_ahead => self.look_ahead(&parameters, heuristic),
            heuristic => {
                self.grow(parameters);
                heuristic.into_iter().for_each(|heuristic| self.tree.search.set_heuristic(heuristic));
            }
        }
    }

    /// Grows a tree with these parameters from now on: the one there is, unless somebody else thought in its place.
    fn grow(&mut self, parameters: Parameters) {
        let Some(mut ahead) = self.ahead.take() else { return self.change_to(parameters) };
        self.events.append(&mut ahead.events());
        let search = &self.tree.search;
        let memory = memory_beside_race(parameters.memory);
        let (game, state) = (Arc::clone(search.game()), search.state());
        self.tree.search = Search::new(game, state, Parameters { memory, ..parameters }, self.seed);
        self.tree.before = Totals::default();
    }

    /// What states are worth by the methods that settings of a race ask for; learnt in the time there is.
    fn learn(&self, budget: &Budget<'_>, until: Duration) -> Learnt<G> {
        // Helpers grow trees and do not learn.
        if !self.settings.of(&RACE_EVALUATION) || self.settings.of(&HELPERS) > 0 {
            return Vec::new();
        }
        // Playouts that take what they can know of pieces too. Who counts them in place of that wins while there is hardly
        // time for playouts, as in a race, and loses with that of a match.
        if self.tree.search.takes() {
            return Vec::new();
        }
        let is_told = || budget.stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
        let goes_on = || !is_told() && (budget.clock)() < until;
        let (game, rules) = (self.tree.search.game(), self.tree.evaluation.rules.as_deref());
        let learn = |name: &'static str| {
            let choice = Choice { method: methods::find(name), ..Choice::read(&self.settings) };
            let prepared = choice.prepare(game, rules, self.seed, &goes_on);
            prepared.ok().flatten().map(|prepared| (name, prepared.evaluator))
        };
        race::methods().into_iter().filter_map(learn).collect()
    }

    /// Looks ahead to a depth from now on, with the memory that the tree had.
    fn look_ahead(&mut self, parameters: &Parameters, heuristic: Heuristic<G>) {
        self.events.append(&mut self.tree.events());
        let search = &self.tree.search;
        let (game, state) = (Arc::clone(search.game()), search.state());
        let idle = Parameters { memory: IDLE_MEMORY, threads: 1, ..parameters.clone() };
        self.tree.search = Search::new(Arc::clone(&game), state.clone(), idle, self.seed);
        self.tree.before = Totals::default();
        let bytes = (memory_beside_race(parameters.memory) as usize) << 20;
        let options = race::look_ahead_options(bytes, parameters.threads as usize);
        let role = self.role.unwrap_or(RoleId(0));
        let judge = Judge::Ready(heuristic);
        let search = alphabeta::Search::new(&game, state, role, judge, options, self.seed);
        self.ahead = Some(LookAhead::new(search, self.tree.kind));
    }

    /// Who thinks.
    fn mind(&mut self) -> &mut dyn Engine {
        match &mut self.ahead {
            Some(ahead) => ahead,
            None => &mut self.tree,
        }
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
        if self.calls == 2
            && budget.simulations.is_none()
            && let Some(rivalry) = &mut self.rivalry
            && let Some((setting, text)) = rivalry.spend(&self.tree.search.state(), budget)?
        {
            self.tell(text);
            self.play(setting);
        }
        self.mind().think(budget)
    }

    fn decide(&mut self, role: RoleId) -> Result<Option<Decision>, RuleFault> {
        self.role = Some(role);
        let decision = self.mind().decide(role)?;
        Ok(decision.map(|decision| Decision { tuning: self.text.clone(), ..decision }))
    }

    fn advance(&mut self, joint: &[String]) -> Result<bool, RuleFault> {
        self.turns = self.turns.max(1);
        if let (Some(tuning), Some(role)) = (&mut self.tuning, self.role)
            && let Some(advice) = self.tree.search.advice(role)
        {
            tuning.remember(&self.tree.search, &advice);
        }
        // The tree is asked where the game stands, whoever thinks.
        let stands = self.tree.advance(joint)?;
        Ok(stands && self.ahead.as_mut().map_or(Ok(true), |ahead| ahead.advance(joint))?)
    }

    fn begin_turn(&mut self) {
        self.turns += 1;
        self.calls = 0;
        if self.turns > 1 {
            self.conclude();
        }
        self.mind().begin_turn();
    }

    fn events(&mut self) -> Vec<Event> {
        let mut events = std::mem::take(&mut self.events);
        events.append(&mut self.mind().events());
        events
    }

    fn machine(&self) -> MachineKind {
        self.tree.machine()
    }
}

#[cfg(test)]
mod tests {
    use alphabeta::evaluators::Even;
    use game::Game;
    use machine::batch::BatchMachine;

    use super::*;
    use crate::engines::evaluation::Evaluation;
    use crate::race::test_game;

    fn raced(name: &str) -> Raced<BatchMachine> {
        let policies = Policies::standard();
        let row = super::super::mcts::row(policies.clone());
        let mut settings = Settings::new(row.parameters);
        settings.preset("memory", "32").expect("a number");
        let parameters = Parameters::read(&settings, &policies);
        let game = test_game(name);
        let machine = machine::Machine::from(Arc::clone(&game));
        let clock: engine::Clock = Arc::new(|| Duration::ZERO);
        let seat = engine::Seat {
            machine: &machine,
            history: &[],
            settings: &settings,
            seed: 1,
            clock: &clock,
            helpers: None,
        };
        let search = Search::new(Arc::clone(&game), game.initial(), parameters, 1);
        let tree = TreeSearch::new(search, machine.kind(), Evaluation::new(&seat));
        Raced::new(tree, settings, policies, 1)
    }

    #[test]
    fn pieces_are_learnt_where_playouts_do_not_take_them() {
        let learnt = |name: &str, captures: bool| {
            let mut raced = raced(name);
            let parameters = Parameters { captures, ..raced.tree.search.parameters().clone() };
            raced.change_to(parameters);
            let methods = raced.learn(&Budget::simulations(1), Duration::from_secs(1));
            methods.into_iter().map(|(name, _)| name).collect::<Vec<_>>()
        };
        assert_eq!(learnt("breakthrough", false), ["pieces"]);
        assert!(learnt("breakthrough", true).is_empty());
        // The rules of checkers make one take: there playouts do nothing of their own.
        assert_eq!(learnt("checkers", true), ["pieces"]);
    }

    #[test]
    fn who_looks_ahead_plays_on_in_place_of_the_tree() {
        let mut raced = raced("tic-tac-toe");
        let joint = |role: u16, text: &str| match role {
            0 => [text.to_owned(), "noop".to_owned()],
            _ => ["noop".to_owned(), text.to_owned()],
        };
        let mut moves = 0;
        for turn in 0.. {
            let role = RoleId(turn % 2);
            // In the middle of the game, so that what was played before must be known.
            if turn == 2 {
                let parameters = raced.tree.search.parameters().clone();
                raced.look_ahead(&parameters, Arc::new(Even));
            }
            // And back again, with the memory that the tree had.
            if turn == 5 {
                let parameters = Parameters { memory: 32, ..raced.tree.search.parameters().clone() };
                raced.grow(parameters);
                assert_eq!(raced.tree.search.parameters().memory, memory_beside_race(32));
            }
            raced.begin_turn();
            let Some(_) = raced.decide(role).expect("no fault") else { break };
            raced.think(&Budget::simulations(20_000)).expect("no fault");
            let decision = raced.decide(role).expect("no fault").expect("the game goes on");
            assert_eq!(decision.engine, if (2..5).contains(&turn) { "mtdf" } else { "mcts" });
            assert!(raced.advance(&joint(role.0, &decision.text)).expect("no fault"));
            moves += 1;
        }
        assert_eq!(moves, 9, "both play as well as can be");
    }
}

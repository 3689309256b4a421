//! Monte Carlo tree search.

use std::sync::Arc;

use engine::{Budget, Decision, Engine, EngineRow, Event, Seat, Stop, Thought, find_moves, replay};
use eval::{Choice, Tuner};
use game::{Describe, RoleId, RuleFault, Simulator};
use machine::{MachineKind, Visitor};
use search::mcts::policy::Policies;
use search::mcts::{LeafPlayer, Search, Stopping, Totals};
use search::{Parallel, Parameters};

use super::ending::{self, SOLVE, Solving};
use super::evaluation::Evaluation;
use super::finish::{ENDGAME, Finish};
use super::raced::{RACE, RACE_EVALUATION, Raced, memory_beside_race};
use crate::team::{EXCHANGE, HELPERS, HelpedLeaves, Listener, TEAM, Team, TeamSeat, local_helpers};

pub(super) const NAME: &str = "mcts";

/// Tree search with some policies: the standard ones and maybe more.
pub fn row(policies: Policies) -> EngineRow {
    EngineRow {
        name: NAME,
        help: "Monte Carlo tree search, in games of any kind",
        source: "Finnsson and Björnsson 2008",
        revision: 2,
        parameters: [
            Parameters::rows(&policies),
            Choice::rows(),
            vec![
                RACE.row(),
                RACE_EVALUATION.row(),
                ENDGAME.row(),
                SOLVE.row(),
                HELPERS.row(),
                TEAM.row(),
                EXCHANGE.row(),
            ],
        ]
        .concat(),
        demands: Vec::new(),
        fallback: None,
        make: Arc::new(move |seat| {
            let parameters = Parameters::read(seat.settings, &policies);
            Ok(seat.machine.visit_fast(Begin { seat, parameters, policies: &policies })?)
        }),
    }
}

/// Begins a search in the position of a match.
struct Begin<'a, 'b> {
    seat: &'a Seat<'b>,
    parameters: Parameters,
    policies: &'a Policies,
}

impl Visitor<'_> for Begin<'_, '_> {
    type Answer = Result<Box<dyn Engine>, RuleFault>;

    fn visit<G: Simulator + Describe + 'static>(self, game: &Arc<G>) -> Self::Answer {
        let Seat { machine, history, seed, settings, .. } = *self.seat;
        let state = replay(&**game, &mut game.workspace(), history)?;
        let helpers = settings.of(&HELPERS);
        let is_root = settings.of(&TEAM) == "root";
        // Made in the middle of a match it comes too late for a race; without lanes a race takes too long. Who wins
        // it may learn from playouts, which helpers that play out leaves do not tell of.
        let is_late = !history.is_empty() || (helpers > 0 && !is_root);
        let evaluation = Evaluation::new(self.seat);
        // What was asked to be valued by is not raced against.
        let is_free = evaluation.choice.method.is_none();
        let races = settings.of(&RACE) > 0.0 && !is_late && is_free && game.lanes() > 1;
        let mut parameters = self.parameters;
        let listener = (helpers > 0).then(|| listen(self.seat, helpers, &mut parameters, is_root));
        if races {
            parameters.memory = memory_beside_race(parameters.memory);
        }
        // What an evaluation says is backed up once there is one; a tree without it is smaller.
        let implicit = parameters.implicit;
        if evaluation.choice.method.is_some() {
            parameters.implicit = 0.0;
        }
        let most_nodes = settings.of(&ENDGAME) as usize;
        let solving = settings.of(&SOLVE);
        let table = ending::memory(parameters.memory);
        if solving > 0.0 {
            parameters.memory = (parameters.memory - table).max(1);
        }
        let memory = parameters.memory;
        let mut search = Search::new(Arc::clone(game), state.clone(), parameters.clone(), seed);
        let mut events = Vec::new();
        if let Some(listener) = listener.as_ref().filter(|_| !is_root) {
            let described = Arc::clone(game);
            let words: Arc<dyn Fn(_) -> _ + Send + Sync> = Arc::new(move |id| described.move_text(id));
            let leaves: Arc<dyn LeafPlayer> = Arc::new(HelpedLeaves::new(listener, words, game.role_count()));
            if !search.add_leaf_players((0..helpers).map(|_| Arc::clone(&leaves))) {
                let text = "helpers cannot play out leaves for this policy, which learns from playouts; \
                            `team=root` gives them trees of their own";
                events.push(Event::Said { engine: NAME, text: text.to_owned() });
            }
        }
        let tree = TreeSearch { implicit, events, ..TreeSearch::new(search, machine.kind(), evaluation) };
        let inner: Box<dyn Engine> = match races {
            true => Box::new(Raced::new(tree, settings.clone(), self.policies.clone(), seed)),
            false => Box::new(tree),
        };
        // A role alone, or one that sees not everything, has nobody to be seen through by here.
        let whole: Box<dyn Engine> = match most_nodes > 0 && game.role_count() > 1 {
            true => Box::new(Finish::new(inner, game, state, most_nodes, seed)?),
            false => inner,
        };
        let whole = if solving > 0.0 { Solving::around(whole, self.seat, solving, table)? } else { whole };
        let Some(listener) = listener else { return Ok(whole) };
        let (history, settings, clock) = (history.to_vec(), settings.clone(), Arc::clone(self.seat.clock));
        let seat = TeamSeat { history, settings, memory, parameters, seed, clock, is_root };
        Ok(Box::new(Team::new(whole, listener, seat)))
    }
}

/// A line to helpers. Those in this process share the memory, if they have trees of their own.
fn listen(seat: &Seat<'_>, helpers: u32, parameters: &mut Parameters, is_root: bool) -> Arc<Listener> {
    let line = match seat.helpers {
        Some(source) => source.helpers.line(&source.rules, seat.machine),
        None => {
            if is_root {
                parameters.memory = (parameters.memory / (helpers + 1)).max(MEMORY_LEAST);
            }
            local_helpers(helpers as usize, seat.machine, seat.clock)
        }
    };
    if !is_root {
        parameters.parallel = Parallel::Tree;
    }
    Listener::open(line, helpers as usize, Arc::clone(seat.clock))
}

/// MiB that every tree has.
const MEMORY_LEAST: u32 = 16;

pub(super) struct TreeSearch<G: Simulator + Describe> {
    pub(super) search: Search<G>,
    pub(super) kind: MachineKind,
    pub(super) before: Totals,
    /// What is to be done before thinking, once there are lanes to do it in.
    pub(super) evaluation: Evaluation,
    /// The part of what it says that is backed up as minimax does.
    implicit: f64,
    /// Who learns what searches found, move by move.
    tuner: Option<Arc<dyn Tuner<G::State>>>,
    events: Vec<Event>,
}

impl<G: Simulator + Describe> TreeSearch<G> {
    /// A search, and what it is still to learn; nothing is backed up as minimax does.
    pub(super) fn new(search: Search<G>, kind: MachineKind, evaluation: Evaluation) -> Self {
        let (before, events) = (Totals::default(), Vec::new());
        Self { search, kind, before, evaluation, implicit: 0.0, tuner: None, events }
    }
}

impl<G: Simulator + Describe + 'static> TreeSearch<G> {
    /// Makes the evaluation ready, if that is still to be done.
    fn prepare(&mut self, budget: &Budget<'_>) {
        let game = Arc::clone(self.search.game());
        let Some(prepared) = self.evaluation.prepare(NAME, &game, budget, &mut self.events) else { return };
        let Choice { stop: probability, steps, .. } = self.evaluation.choice;
        self.tuner = prepared.tuner;
        if self.implicit > 0.0 {
            let parameters = self.search.parameters().clone();
            if !self.search.retune(Parameters { implicit: self.implicit, ..parameters }) {
                self.before = Totals::default();
            }
            self.search.set_heuristic(Arc::clone(&prepared.evaluator));
        }
        self.search.guide(Arc::clone(&prepared.evaluator));
        if probability > 0.0 || steps < self.search.parameters().steps {
            self.search.stop_playouts(prepared.evaluator, Stopping { probability, steps });
        }
    }
}

impl<G: Simulator + Describe + 'static> TreeSearch<G> {
    /// Tells the evaluation what the search found the position to be worth.
    fn tune(&mut self) -> Result<(), RuleFault> {
        let Some(tuner) = &self.tuner else { return Ok(()) };
        // Without a simulation of its own a search has found nothing.
        if self.search.totals().simulations == self.before.simulations {
            return Ok(());
        }
        let Some(advice) = self.search.advice(RoleId(0)) else { return Ok(()) };
        let values: Vec<f64> = advice.values.iter().map(|value| (value / 100.0).clamp(0.0, 1.0)).collect();
        tuner.tune(&self.search.state(), &values)
    }
}

impl<G: Simulator + Describe + 'static> Engine for TreeSearch<G> {
    fn think(&mut self, budget: &Budget<'_>) -> Result<Stop, RuleFault> {
        self.prepare(budget);
        self.search.run(budget)
    }

    fn decide(&mut self, role: RoleId) -> Result<Option<Decision>, RuleFault> {
        self.search.play_for(role);
        // Without a simulation the moves are not listed yet.
        self.search.run(&Budget::simulations(0))?;
        let Some(advice) = self.search.advice(role) else { return Ok(None) };
        let game = self.search.game();
        let (now, before) = (self.search.totals(), self.before);
        let simulations = now.simulations - before.simulations;
        let thought = |candidate: &search::mcts::Candidate| Thought {
            text: game.move_text(candidate.id),
            value: candidate.value,
            visits: candidate.visits,
            likelihood: candidate.likelihood,
            proven: (candidate.bounds.lower, candidate.bounds.upper),
        };
        let best = advice.best();
        let value = if best.visits > 0 { best.value } else { advice.values[usize::from(role.0)] };
        let (text, spelling) = (game.move_text(best.id), game.move_spelling(best.id));
        Ok(Some(Decision {
            value: Some(value),
            proven: advice.is_proven(),
            unthought: simulations == 0 && advice.candidates.len() > 1 && !advice.is_proven(),
            simulations,
            playouts: now.playouts - before.playouts,
            steps: now.steps - before.steps,
            nodes: advice.nodes,
            bytes: advice.bytes,
            depth: advice.depth,
            recycled: now.recycled - before.recycled,
            longest_pause: now.longest_pause,
            line: advice
                .line
                .iter()
                .map(|joint| joint.iter().map(|&id| game.move_text(id)).collect())
                .collect(),
            moves: advice.candidates.iter().map(thought).collect(),
            ..Decision::plain(text, spelling, NAME, self.kind)
        }))
    }

    fn advance(&mut self, joint: &[String]) -> Result<bool, RuleFault> {
        let Some(joint) = find_moves(&**self.search.game(), joint) else { return Ok(false) };
        self.tune()?;
        self.search.advance(&joint)?;
        Ok(true)
    }

    fn begin_turn(&mut self) {
        self.before = self.search.totals();
        self.search.forget_pauses();
    }

    fn events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events)
    }

    fn machine(&self) -> MachineKind {
        self.kind
    }
}

//! Looking ahead to a depth: MTD(f) over alpha-beta.

use std::sync::Arc;

use alphabeta::{Options, Search, Work, evaluators};
use engine::{Budget, Decision, Demand, Engine, EngineRow, Event, Seat, Stop, Thought, find_moves, replay};
use game::{Describe, Goal, RoleId, RuleFault, Simulator};
use machine::{MachineKind, Visitor};

use super::evaluation::Evaluation;
use super::mcts;

const NAME: &str = "mtdf";

pub(super) fn row() -> EngineRow {
    EngineRow {
        name: NAME,
        help: "MTD(f): alpha-beta deeper and deeper, one role against all others, leaves evaluated many at a time",
        source: "Walędzik and Mańdziuk 2014; Plaat et al. 1996",
        revision: 1,
        parameters: [Options::rows(), vec![eval::EVALUATION.row(), eval::DERIVED.row()]].concat(),
        demands: vec![Demand::NoChance],
        fallback: Some(mcts::NAME),
        make: Arc::new(|seat| Ok(seat.machine.visit_fast(Begin { seat })?)),
    }
}

/// Begins a search in the position of a match.
struct Begin<'a, 'b> {
    seat: &'a Seat<'b>,
}

impl Visitor<'_> for Begin<'_, '_> {
    type Answer = Result<Box<dyn Engine>, RuleFault>;

    fn visit<G: Simulator + Describe + 'static>(self, game: &Arc<G>) -> Self::Answer {
        let Seat { machine, history, settings, seed, .. } = *self.seat;
        let state = replay(&**game, &mut game.workspace(), history)?;
        // Until a function is learnt from the rules, or where that is not possible.
        let judge = evaluators::chosen(game, settings, seed);
        let search = Search::new(game, state, RoleId(0), judge, Options::read(settings), seed);
        let evaluation = Some(Evaluation::new(self.seat));
        Ok(Box::new(LookAhead { evaluation, ..LookAhead::new(search, machine.kind()) }))
    }
}

pub(super) struct LookAhead<G: Simulator + Describe> {
    /// It thinks for whoever was asked for last: a role is asked for before each turn.
    search: Search<G>,
    kind: MachineKind,
    before: Work,
    /// What is still to be learnt.
    evaluation: Option<Evaluation>,
    events: Vec<Event>,
}

impl<G: Simulator + Describe> LookAhead<G> {
    /// A search that knows what states are worth.
    pub(super) fn new(search: Search<G>, kind: MachineKind) -> Self {
        Self { search, kind, before: Work::default(), evaluation: None, events: Vec::new() }
    }
}

impl<G: Simulator + Describe + 'static> Engine for LookAhead<G> {
    fn think(&mut self, budget: &Budget<'_>) -> Result<Stop, RuleFault> {
        let game = Arc::clone(self.search.game());
        let evaluation = self.evaluation.as_mut();
        let prepared =
            evaluation.and_then(|evaluation| evaluation.prepare(NAME, &game, budget, &mut self.events));
        if let Some(prepared) = prepared {
            self.search.set_evaluator(prepared.evaluator);
        }
        self.search.run(budget)
    }

    fn decide(&mut self, role: RoleId) -> Result<Option<Decision>, RuleFault> {
        self.search.set_role(role);
        let Some(advice) = self.search.advice()? else { return Ok(None) };
        let game = self.search.game();
        let work = self.search.work();
        let goal = |value: f64| value * f64::from(Goal::MOST.0);
        let thought = |candidate: &alphabeta::Candidate| Thought {
            text: game.move_text(candidate.id),
            value: goal(candidate.value.or(advice.value).unwrap_or_default()),
            visits: u32::try_from(candidate.positions).unwrap_or(u32::MAX),
            likelihood: None,
            proven: (candidate.proven.least.0, candidate.proven.most.0),
        };
        let best = &advice.candidates[advice.best];
        let is_forced = advice.candidates.len() == 1;
        let proven = is_forced || (advice.is_proven() && advice.is_finished);
        let (text, spelling) = (game.move_text(best.id), game.move_spelling(best.id));
        let (nodes, bytes) = advice.remembered;
        let texts = |joint: &Vec<_>| joint.iter().map(|&id| game.move_text(id)).collect();
        Ok(Some(Decision {
            value: advice.value.map(goal),
            proven,
            unthought: advice.value.is_none() && !proven,
            simulations: work.positions - self.before.positions,
            steps: work.positions - self.before.positions,
            nodes,
            bytes,
            depth: u32::from(advice.depth),
            line: advice.line.iter().map(texts).collect(),
            moves: advice.candidates.iter().map(thought).collect(),
            ..Decision::plain(text, spelling, NAME, self.kind)
        }))
    }

    fn advance(&mut self, joint: &[String]) -> Result<bool, RuleFault> {
        let Some(joint) = find_moves(&**self.search.game(), joint) else { return Ok(false) };
        self.search.advance(&joint)?;
        Ok(true)
    }

    fn begin_turn(&mut self) {
        self.before = self.search.work();
    }

    fn events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events)
    }

    fn machine(&self) -> MachineKind {
        self.kind
    }
}

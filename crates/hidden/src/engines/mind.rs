//! What an engine of this crate thinks with: a belief, a solver where the game is small, a search where it is not.

use std::sync::Arc;

use engine::{Budget, Decision, Possible, Stop, Thought};
use game::{Describe, Dice, MoveId, RoleId, RuleFault, Simulator};
use machine::MachineKind;

use super::solver::{Answer, Solver};
use super::{Manner, Plan};
use crate::search::MoveStatistics;
use crate::{Belief, BeliefCounts, Keys, Nested, Sampling, Search, SearchOptions, read_step};

/// Games in which so many moves are valued in a simulation, about, are short.
const NESTED_SIZE: f64 = 60.0;
/// Simulations of a search that take as long as one in which players think, about.
const NESTED_WEIGHT: u64 = 20;

pub(super) struct Mind<G: Simulator + Describe> {
    belief: Belief<G>,
    search: Search,
    nested: Option<Nested>,
    /// Whether the present belief is thought about by players within simulations, if that is decided.
    nests: Option<bool>,
    sampling: Option<Sampling>,
    solver: Option<Solver<G>>,
    /// What the solver says of the present belief.
    answer: Option<Answer>,
    manner: Manner,
    dice: Dice,
    /// Where in a mixture of moves this turn's is, 0 to 1.
    lot: f64,
    /// Calls to think in this turn.
    calls: u64,
    counts: BeliefCounts,
    /// Steps that were taken into account: up to the turn before, and since then.
    steps_before: u64,
    steps_since: u64,
    said: Vec<String>,
}

impl<G: Simulator + Describe> Mind<G> {
    pub(super) fn new(belief: Belief<G>, plan: Plan) -> Self {
        let (game, role) = (Arc::clone(belief.game()), belief.role());
        let keys = if plan.manner == Manner::Determinised { Keys::Positions } else { Keys::Views };
        let options = SearchOptions {
            keys,
            exploration: plan.curiosity,
            most_nodes: plan.search_nodes,
            ..SearchOptions::default()
        };
        let solver = match plan.manner {
            Manner::Best => Some(Solver::new(game, role, plan.solved_nodes, true)),
            Manner::Equilibrium => Some(Solver::new(game, role, plan.solved_nodes, false)),
            _ => None,
        };
        let mut dice = Dice::stream(plan.seed, 1);
        Self {
            belief,
            search: Search::new(options, Dice::stream(plan.seed, 2).bits()),
            nests: None,
            nested: matches!(plan.manner, Manner::Nested | Manner::Best)
                .then(|| Nested::new(plan.curiosity, Dice::stream(plan.seed, 3).bits())),
            sampling: (plan.manner == Manner::Sampled)
                .then(|| Sampling::new(plan.search_nodes, Dice::stream(plan.seed, 4).bits())),
            solver,
            answer: None,
            manner: plan.manner,
            lot: dice.unit(),
            dice,
            calls: 0,
            counts: BeliefCounts::default(),
            steps_before: 0,
            steps_since: 0,
            said: Vec::new(),
        }
    }

    pub(super) fn role(&self) -> RoleId {
        self.belief.role()
    }

    /// What there is to tell since it was asked last.
    pub(super) fn said(&mut self) -> Vec<String> {
        std::mem::take(&mut self.said)
    }

    pub(super) fn begin_turn(&mut self) {
        self.search.begin_turn();
        self.nested.iter_mut().for_each(Nested::begin_turn);
        self.lot = self.dice.unit();
        self.calls = 0;
        self.steps_since = self.counts.steps - self.steps_before;
        self.steps_before = self.counts.steps;
    }

    /// Takes a step into account, by its texts; `false` if it does not agree with anything held for possible.
    pub(super) fn advance(&mut self, told: &[String]) -> Result<bool, RuleFault> {
        let step = read_step(&**self.belief.game(), self.role(), told);
        self.forget();
        self.solver.iter_mut().for_each(Solver::advance);
        let mut agrees = self.belief.advance(step)?;
        if !agrees && self.is_plain() {
            // It is in haste, and has not looked further yet.
            agrees = self.belief.recover()?;
        }
        self.note_counts();
        Ok(agrees)
    }

    /// What was thought about another belief.
    fn forget(&mut self) {
        self.answer = None;
        self.nests = None;
        self.nested.iter_mut().for_each(Nested::clear);
        self.sampling.iter_mut().for_each(Sampling::clear);
    }

    /// Looks on for positions that agree with all that was told.
    fn recover(&mut self) -> Result<(), RuleFault> {
        if self.belief.may_recover() && self.belief.recover()? {
            self.forget();
            self.said.push("positions were found that agree with all that was told".to_owned());
        }
        self.note_counts();
        Ok(())
    }

    /// Tells what happened to the belief.
    fn note_counts(&mut self) {
        let counts = self.belief.counts();
        if counts.rebuilt > self.counts.rebuilt {
            self.said.push(format!(
                "no position that was held for possible agrees with what was told; {} others were found",
                self.belief.particles().len()
            ));
        }
        if counts.replaced > self.counts.replaced {
            self.said.push("what was answered cannot have been played; another move was".to_owned());
        }
        if counts.lost > self.counts.lost {
            self.said.push(
                "nothing agrees with what was told; a part of it is left out of account for now".to_owned(),
            );
        }
        self.counts = counts;
    }

    /// Whether it only wants to know what is legal.
    fn is_plain(&self) -> bool {
        matches!(self.manner, Manner::Any | Manner::First)
    }

    /// What is legal to the role, which is asked for a move.
    fn legal(&mut self) -> Result<Vec<MoveId>, RuleFault> {
        let legal = self.belief.legal()?;
        self.note_counts();
        Ok(legal)
    }

    pub(super) fn think(&mut self, budget: &Budget<'_>) -> Result<Stop, RuleFault> {
        self.calls += 1;
        let mut watch = budget.watch();
        loop {
            self.recover()?;
            let stop = self.think_once(budget)?;
            // Positions that do not agree with what was told prove nothing: who has no more to think about looks on.
            if stop != Stop::Proven || !self.belief.may_recover() {
                return Ok(stop);
            }
            if let Some(stop) = watch.is_over(0) {
                return Ok(stop);
            }
        }
    }

    /// Thinks about what is held for possible now.
    fn think_once(&mut self, budget: &Budget<'_>) -> Result<Stop, RuleFault> {
        if self.is_plain() || self.legal()?.len() < 2 {
            return Ok(Stop::Proven);
        }
        // By turns, as long as it is not clear whether the game can be solved: a move is needed in any case.
        let solves = budget.until.is_none() || !self.calls.is_multiple_of(2);
        if let Some(solver) = self.solver.as_mut().filter(|_| solves) {
            match solver.think(&mut self.belief, budget)? {
                (Some(answer), stop) => {
                    self.answer = Some(answer);
                    if let Some(stop) = stop {
                        return Ok(stop);
                    }
                }
                (None, Some(stop)) => return Ok(stop),
                (None, None) => {
                    self.said.extend(solver.why());
                    if solver.has_given_up() {
                        self.solver = None;
                    }
                }
            }
        }
        if let Some(sampling) = &mut self.sampling {
            let stop = sampling.think(&mut self.belief, budget)?;
            let role = self.belief.role();
            let average = self.belief.view().and_then(|view| sampling.average(role, view));
            self.answer = average.map(|(moves, shares, _)| Answer::mixture(moves, &shares));
            return Ok(stop);
        }
        match (self.nests()?, &mut self.nested) {
            // By turns, until they have tried every move: a search knows something much sooner.
            (true, Some(nested))
                if budget.simulations.is_none() && !nested.has_tried_all() && self.calls % 2 == 1 =>
            {
                self.search.think(&mut self.belief, budget)
            }
            (true, Some(nested)) => {
                // A simulation of theirs is many playouts.
                let weight = if self.manner == Manner::Nested { 1 } else { NESTED_WEIGHT };
                let simulations = budget.simulations.map(|most| most.div_ceil(weight));
                nested.think(&mut self.belief, &Budget { simulations, ..*budget })
            }
            _ => self.search.think(&mut self.belief, budget),
        }
    }

    /// Whether players within simulations think about the present belief: they know what information is worth, which a search
    /// learns in long games only, but take others to move at random, which matters less in short ones, and least where
    /// nobody answers a move because all move at once.
    fn nests(&mut self) -> Result<bool, RuleFault> {
        if let Some(known) = self.nests {
            return Ok(known);
        }
        let nests = match (&mut self.nested, self.manner) {
            (Some(nested), Manner::Best) => {
                nested.size(&mut self.belief)? <= NESTED_SIZE && !nested.takes_turns(&mut self.belief)?
            }
            (nested, _) => nested.is_some(),
        };
        self.nests = Some(nests);
        Ok(nests)
    }

    /// What is held for possible.
    fn possible(&self) -> Possible {
        let agrees = self.belief.agrees();
        Possible {
            positions: if agrees { self.belief.particles().len() } else { 0 },
            is_all: self.belief.is_exact(),
            recovered: self.counts.rebuilt,
            inconsistent: if agrees { 0 } else { self.steps_since.max(1) },
        }
    }

    pub(super) fn decide(
        &mut self,
        name: &'static str,
        kind: MachineKind,
    ) -> Result<Option<Decision>, RuleFault> {
        let legal = self.legal()?;
        let Some(&first) = legal.first() else { return Ok(None) };
        let any = |lot: f64| legal[((lot * legal.len() as f64) as usize).min(legal.len() - 1)];
        let searched = self.search.moves(&self.belief);
        let nested = self
            .nested
            .as_ref()
            .filter(|nested| self.nests == Some(true) && (nested.has_tried_all() || searched.is_empty()));
        let tried = nested.map_or(searched, Nested::moves).to_vec();
        let nested_simulations = self.nested.as_ref().map_or(0, Nested::simulations);
        let simulations = match &self.sampling {
            Some(sampling) => sampling.samples(),
            None => self.search.simulations() + nested_simulations,
        };
        let tried: Vec<&MoveStatistics> = tried.iter().filter(|each| legal.contains(&each.id)).collect();
        let most = tried
            .iter()
            .max_by(|one, two| one.visits.cmp(&two.visits).then(one.mean().total_cmp(&two.mean())));
        let game = Arc::clone(self.belief.game());
        let (mut value, mut thought) = (None, true);
        let id = match (&self.answer, most) {
            _ if legal.len() == 1 || self.manner == Manner::First => first,
            (Some(answer), _) => {
                value = answer.value;
                answer.pick(self.lot).filter(|id| legal.contains(id)).unwrap_or(first)
            }
            (None, Some(most)) if most.visits > 0 => {
                value = Some(100.0 * most.mean());
                most.id
            }
            _ => {
                thought = false;
                any(self.lot)
            }
        };
        let moves = tried.iter().map(|each| Thought {
            text: game.move_text(each.id),
            value: 100.0 * each.mean(),
            visits: each.visits,
            likelihood: None,
            proven: (0, 100),
        });
        Ok(Some(Decision {
            value,
            proven: self.answer.as_ref().is_some_and(|answer| answer.is_proven) && self.belief.agrees(),
            unthought: !thought && legal.len() > 1,
            simulations,
            playouts: simulations,
            nodes: self.search.len(),
            depth: self.search.depth(),
            moves: moves.collect(),
            possible: Some(self.possible()),
            ..Decision::plain(game.move_text(id), game.move_spelling(id), name, kind)
        }))
    }
}

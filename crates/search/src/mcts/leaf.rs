//! What leaves are worth: by playouts, or by what an evaluator says of them.

use std::ops::Range;
use std::sync::Arc;

use engine::Evaluator;
use game::{Dice, Expansions, Game, Goal, Job, Outcomes, PlayOptions, RuleFault, Simulator};

use super::guided::GuidedPlayouts;
use super::paths::Leaf;

/// How the worth of a leaf is found.
#[derive(Clone)]
pub enum LeafEvaluation<State> {
    /// By playing on from there to the end.
    Playouts,
    /// By an evaluator; ends of the game are known without it.
    Evaluated(Arc<dyn Evaluator<State>>),
    /// By playing on, and where playouts are stopped by an evaluator.
    Stopped(Arc<dyn Evaluator<State>>, Stopping),
}

/// When playouts are stopped, to be judged there by an evaluator.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stopping {
    /// The probability with which one is stopped in each of its states, the first one among them.
    pub probability: f64,
    /// Steps after which one is stopped whatever the dice say.
    pub steps: u32,
}

impl Stopping {
    /// After how many steps a playout is stopped.
    pub(crate) fn draw(&self, dice: &mut Dice) -> u32 {
        if self.probability <= 0.0 {
            return self.steps;
        }
        // In state k with probability (1 - p)^k p.
        let steps = (1.0 - dice.unit()).ln() / (1.0 - self.probability).ln();
        if steps.is_finite() { self.steps.min(steps as u32) } else { 0 }
    }
}

impl<State> std::fmt::Debug for LeafEvaluation<State> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(match self {
            LeafEvaluation::Playouts => "Playouts",
            LeafEvaluation::Evaluated(_) => "Evaluated",
            LeafEvaluation::Stopped(..) => "Stopped",
        })
    }
}

/// What is backed up as minimax does.
#[derive(Clone)]
pub(crate) enum Heuristic<State> {
    /// The goals that the rules give to a state although the game is not over there.
    GoalsThere,
    /// What an evaluator says.
    Evaluated(Arc<dyn Evaluator<State>>),
}

impl<State> Heuristic<State> {
    /// What states are worth, role by role.
    pub(crate) fn judge<G: Game<State = State>>(
        &self,
        game: &G,
        workspace: &mut G::Workspace,
        states: &[&State],
    ) -> Result<Vec<f64>, RuleFault> {
        let mut values = vec![0.0; states.len() * game.role_count()];
        match self {
            _ if states.is_empty() => {}
            Heuristic::Evaluated(evaluator) => evaluate(&**evaluator, states, &mut values)?,
            Heuristic::GoalsThere => {
                let mut goals = Vec::new();
                for (state, values) in states.iter().zip(values.chunks_mut(game.role_count())) {
                    game.goals(workspace, state, &mut goals)?;
                    let goals = goals.iter().map(|goal| f64::from(goal.value().0));
                    values.iter_mut().zip(goals).for_each(|(value, goal)| *value = goal);
                }
            }
        }
        Ok(values)
    }
}

/// What the leaves of a batch are worth, leaf by leaf in their order.
#[derive(Debug, Default)]
pub(crate) struct LeafValues {
    pub(crate) outcomes: Outcomes,
    /// Playouts for each visit of a leaf; 0 where leaves were evaluated.
    playouts: u32,
    roles: usize,
    /// Whether a playout that was cut counts as a draw.
    cut_is_draw: bool,
    /// Of each leaf, role by role; of each playout where playouts are stopped, if it was.
    estimates: Vec<f64>,
    /// Whether estimates are those of playouts.
    are_stopped: bool,
    /// Whether the game is over there.
    is_over: Vec<bool>,
    expansions: Expansions,
}

impl LeafValues {
    /// Begins with no leaf, each of which will have so many playouts a visit; `cut_is_draw` if one that is
    /// cut counts as a draw.
    pub(crate) fn begin(&mut self, roles: usize, playouts: u32, cut_is_draw: bool) {
        self.cut_is_draw = cut_is_draw;
        self.roles = roles;
        self.playouts = playouts;
        self.outcomes.reset(roles, 0);
        self.estimates.clear();
        self.are_stopped = false;
        self.is_over.clear();
    }

    /// Plays from leaves to the end, maybe guided.
    pub(crate) fn play<G: Simulator>(
        &mut self,
        game: &G,
        workspace: &mut G::Workspace,
        (jobs, options): (&[Job<'_, G::State>], &PlayOptions<'_>),
        guided: Option<GuidedPlayouts<'_, G::State>>,
    ) -> Result<(), RuleFault> {
        match guided {
            None => game.play(workspace, jobs, options, &mut self.outcomes),
            Some(guided) => {
                let (outcomes, mut cut) = (&mut self.outcomes, Vec::new());
                guided.play_to(game, workspace, (jobs, options), &[], outcomes, &mut cut)
            }
        }
    }

    /// Plays from leaves, maybe guided, and has playouts judged where they are stopped.
    pub(crate) fn play_and_judge<G: Simulator>(
        &mut self,
        game: &G,
        workspace: &mut G::Workspace,
        (jobs, options): (&[Job<'_, G::State>], &PlayOptions<'_>),
        (evaluator, stopping): (&dyn Evaluator<G::State>, Stopping),
        guided: Option<GuidedPlayouts<'_, G::State>>,
    ) -> Result<(), RuleFault> {
        let playouts: u32 = jobs.iter().map(|job| job.playouts).sum();
        // Dice that no playout has.
        let mut dice = Dice::stream(options.seed, 3 << 32);
        let limits: Vec<u32> = (0..playouts).map(|_| stopping.draw(&mut dice)).collect();
        let mut cut = Vec::new();
        let outcomes = &mut self.outcomes;
        match guided {
            None => game.play_to(workspace, jobs, options, &limits, outcomes, &mut cut)?,
            Some(guided) => {
                guided.play_to(game, workspace, (jobs, options), &limits, outcomes, &mut cut)?;
            }
        }
        let states: Vec<&G::State> = cut.iter().map(|(_, state)| state).collect();
        let mut values = vec![0.0; states.len() * self.roles];
        if !states.is_empty() {
            evaluate(evaluator, &states, &mut values)?;
        }
        self.are_stopped = true;
        self.estimates.resize(self.outcomes.len() * self.roles, f64::NAN);
        for ((playout, _), values) in cut.iter().zip(values.chunks(self.roles)) {
            self.estimates[*playout as usize * self.roles..][..self.roles].copy_from_slice(values);
        }
        Ok(())
    }

    /// What a playout was judged to be worth where it was stopped.
    fn judged(&self, playout: usize) -> Option<&[f64]> {
        let values = self.estimates.get(playout * self.roles..(playout + 1) * self.roles)?;
        (self.are_stopped && values.first().is_some_and(|value| !value.is_nan())).then_some(values)
    }

    /// Has leaves evaluated.
    pub(crate) fn evaluate<G: Simulator>(
        &mut self,
        game: &G,
        workspace: &mut G::Workspace,
        states: &[&G::State],
        evaluator: &dyn Evaluator<G::State>,
    ) -> Result<(), RuleFault> {
        self.playouts = 0;
        let roles = self.roles;
        game.expand_all(workspace, states, &mut self.expansions)?;
        self.is_over.extend(self.expansions.iter().map(|choices| choices.is_terminal()));
        let open: Vec<usize> = (0..states.len()).filter(|&leaf| !self.is_over[leaf]).collect();
        let open_states: Vec<&G::State> = open.iter().map(|&leaf| states[leaf]).collect();
        let mut values = vec![0.0; open.len() * roles];
        if !open.is_empty() {
            evaluate(evaluator, &open_states, &mut values)?;
        }
        self.estimates.resize(states.len() * roles, 0.0);
        for (&leaf, values) in open.iter().zip(values.chunks(roles)) {
            self.estimates[leaf * roles..][..roles].copy_from_slice(values);
        }
        let mut readings = Vec::new();
        for leaf in (0..states.len()).filter(|&leaf| self.is_over[leaf]) {
            game.goals(workspace, states[leaf], &mut readings)?;
            for (value, reading) in self.estimates[leaf * roles..].iter_mut().zip(&readings) {
                *value = f64::from(reading.value().0);
            }
        }
        Ok(())
    }

    /// What leaves were evaluated to, role by role.
    pub(crate) fn estimates(&self) -> &[f64] {
        &self.estimates
    }

    /// How many playouts a visit of a leaf has; one where leaves are evaluated.
    pub(crate) fn playouts_a_visit(&self) -> u32 {
        self.playouts.max(1)
    }

    /// What a playout brought the roles.
    pub(crate) fn goals(&self, playout: usize) -> impl Iterator<Item = f64> + '_ {
        goals_of(&self.outcomes, playout, self.cut_is_draw)
    }

    /// Goes through the leaves from the first one.
    pub(crate) fn read(&self) -> Reader<'_> {
        Reader { values: self, next: 0 }
    }
}

/// Goes through the leaves of a batch.
pub(crate) struct Reader<'a> {
    values: &'a LeafValues,
    /// The next playout, or the next leaf where they were evaluated.
    next: usize,
}

impl<'a> Reader<'a> {
    /// The next leaf's.
    pub(crate) fn next(&mut self, leaf: &Leaf) -> LeafValue<'a> {
        let (values, first) = (self.values, self.next);
        if values.playouts == 0 {
            self.next += 1;
            let estimates = &values.estimates[first * values.roles..][..values.roles];
            return LeafValue::Evaluated { estimates, is_over: values.is_over[first] };
        }
        self.next += (values.playouts * leaf.visits) as usize;
        LeafValue::Played { values, range: first..self.next }
    }
}

/// What one leaf is worth.
pub(crate) enum LeafValue<'a> {
    Played { values: &'a LeafValues, range: Range<usize> },
    Evaluated { estimates: &'a [f64], is_over: bool },
}

impl LeafValue<'_> {
    /// The mean over its playouts, each discounted by its length: by 1 where `discounts` has none. An
    /// estimate is taken as it is.
    pub(crate) fn mean(&self, discounts: &[f64], values: &mut [f64]) {
        match self {
            LeafValue::Played { values: played, range } => {
                mean_goals(played, range.clone(), discounts, values);
            }
            LeafValue::Evaluated { estimates, .. } => values.copy_from_slice(estimates),
        }
    }

    /// The goals reached, if the game is over there.
    pub(crate) fn final_goals(&self) -> Option<smallvec::SmallVec<[u8; 8]>> {
        match self {
            LeafValue::Played { values: LeafValues { outcomes, .. }, range } => {
                let first = range.start;
                let is_over = outcomes.length(first) == 0 && !outcomes.is_cut(first);
                is_over.then(|| outcomes.goals(first).iter().map(|goal| goal.0).collect())
            }
            LeafValue::Evaluated { estimates, is_over } => {
                is_over.then(|| estimates.iter().map(|goal| goal.round() as u8).collect())
            }
        }
    }

    /// A playout whose outcome is certain from the start on, though the game is not over there.
    pub(crate) fn settled(&self) -> Option<usize> {
        match self {
            LeafValue::Played { values: LeafValues { outcomes, .. }, range } => {
                let is_settled = outcomes.is_settled(range.start) && !outcomes.is_cut(range.start);
                is_settled.then_some(range.start)
            }
            LeafValue::Evaluated { .. } => None,
        }
    }

    /// Its playouts; none where it was evaluated.
    pub(crate) fn playouts(&self) -> Range<usize> {
        match self {
            LeafValue::Played { range, .. } => range.clone(),
            LeafValue::Evaluated { .. } => 0..0,
        }
    }
}

/// What an evaluator says, in goals.
fn evaluate<State>(
    evaluator: &dyn Evaluator<State>,
    states: &[&State],
    values: &mut [f64],
) -> Result<(), RuleFault> {
    evaluator.evaluate(states, values)?;
    values.iter_mut().for_each(|value| *value *= f64::from(Goal::MOST.0));
    Ok(())
}

/// The mean goals of some playouts, each discounted by its length: 1 where `discounts` has none.
fn mean_goals(played: &LeafValues, range: Range<usize>, discounts: &[f64], values: &mut [f64]) {
    values.fill(0.0);
    let share = 1.0 / range.len() as f64;
    for playout in range {
        let length = played.outcomes.length(playout) as usize;
        let weight = share * discounts.get(length).or(discounts.last()).copied().unwrap_or(1.0);
        if let Some(judged) = played.judged(playout) {
            values.iter_mut().zip(judged).for_each(|(value, goal)| *value += goal * weight);
            continue;
        }
        for (value, goal) in values.iter_mut().zip(goals_of(&played.outcomes, playout, played.cut_is_draw)) {
            *value += goal * weight;
        }
    }
}

/// What a playout brought the roles: its goals, or a draw if it was cut and that is one.
fn goals_of(outcomes: &Outcomes, playout: usize, cut_is_draw: bool) -> impl Iterator<Item = f64> + '_ {
    let is_draw = cut_is_draw && outcomes.is_cut(playout);
    outcomes.goals(playout).iter().map(move |goal| if is_draw { DRAW } else { f64::from(goal.0) })
}

/// What a draw is worth to every role.
pub(crate) const DRAW: f64 = 50.0;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn playouts_are_stopped_as_often_as_they_should_be() {
        let stopping = Stopping { probability: 0.1, steps: 50 };
        let mut dice = Dice::new(1);
        let drawn: Vec<u32> = (0..100_000).map(|_| stopping.draw(&mut dice)).collect();
        let part = |steps: u32| drawn.iter().filter(|drawn| **drawn == steps).count() as f64 / 1e5;
        // 0.1, 0.09, 0.081, and 0.9 to the power of 50 for all that go further.
        for (steps, expected) in [(0, 0.1), (1, 0.09), (2, 0.081), (50, 0.9f64.powi(50))] {
            assert!((part(steps) - expected).abs() < 0.005, "{steps}: {}", part(steps));
        }
        assert_eq!(Stopping { probability: 1.0, steps: 50 }.draw(&mut dice), 0);
        assert_eq!(Stopping { probability: 0.0, steps: 50 }.draw(&mut dice), 50);
    }
}

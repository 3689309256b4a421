//! How playouts choose their moves, as a description that a machine can look at.
//!
//! A description has parts: what moves are worth, what that depends on, and how one is drawn. A machine
//! says which descriptions it plays in its own way ([`Simulator::supports`](crate::Simulator::supports));
//! all others are played one state at a time, by [`play_one_by_one`](crate::play_one_by_one), which is
//! also what the machine's own way is checked against.

use std::any::Any;
use std::fmt;

use crate::{Dice, FactId, Goal, MoveId, MoveWorth, RoleId};

/// How a playout chooses its moves.
#[derive(Clone, Copy, Debug, Default)]
pub struct Policy<'a> {
    /// What moves are worth.
    pub weights: Weights<'a>,
    /// How one is drawn.
    pub sampler: Sampler,
}

impl Policy<'_> {
    /// How many joint moves before a choice it depends on.
    pub fn moves_before(&self) -> usize {
        match self.weights {
            Weights::InContext(Context::LastMove, _) => 1,
            Weights::InContext(Context::LastTwoMoves, _) => 2,
            Weights::InContext(Context::State | Context::NextStates, _)
            | Weights::Equal
            | Weights::ByMove(_) => 0,
        }
    }
}

/// What moves are worth.
#[derive(Clone, Copy, Debug, Default)]
pub enum Weights<'a> {
    /// All the same.
    #[default]
    Equal,
    /// By role and move, whatever the position.
    ByMove(&'a MoveWorth),
    /// Asked for in every choice, as it depends on more than role and move.
    InContext(Context, &'a dyn ContextWorth),
}

/// What the worth of a move depends on, beside its role.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Context {
    /// The joint move before.
    LastMove,
    /// The two joint moves before.
    LastTwoMoves,
    /// The state.
    State,
    /// The states that moves lead to.
    NextStates,
}

/// How a move is drawn from those that are legal.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Sampler {
    /// All are equally likely.
    #[default]
    Uniform,
    /// The one of most worth; with probability `epsilon` any. Moves of equal worth are equally likely
    /// where that costs nothing, otherwise the first listed is taken.
    EpsilonGreedy {
        /// From 0 to 1.
        epsilon: f32,
    },
    /// A move of worth `w` in proportion to `exp(w / temperature)`.
    Gibbs {
        /// Above 0: the higher, the more random.
        temperature: f32,
    },
    /// A move in proportion to its worth, which is not below 0.
    Roulette,
}

/// Where a role chooses.
#[derive(Clone, Copy)]
pub struct Choice<'a> {
    /// Who chooses.
    pub role: RoleId,
    /// The number of roles.
    pub roles: usize,
    /// From these.
    pub legal: &'a [MoveId],
    /// The joint moves that led here, one after the other, one move a role: at least as many as the context
    /// asks for, unless the beginning is nearer or unknown.
    pub before: &'a [MoveId],
    /// The state as the machine has it: who was made for a machine knows its type.
    pub state: &'a dyn Any,
    /// The facts of the state, ascending, where the context asks for the state or the next ones.
    pub facts: &'a [FactId],
    /// What moves lead to, where the context asks for that.
    pub ahead: Option<&'a dyn Ahead>,
    /// A number from 0 to 1, drawn where the context asks for the next states: for who now and then does
    /// otherwise.
    pub roll: f64,
}

impl<'a> Choice<'a> {
    /// A choice of which nothing is known but the moves before it.
    pub fn new(role: RoleId, roles: usize, legal: &'a [MoveId], before: &'a [MoveId]) -> Self {
        Self { role, roles, legal, before, state: &(), facts: &[], ahead: None, roll: 0.0 }
    }
}

/// What a role's moves lead to, if every other role makes its first legal move. Moves are told by their
/// places among the legal ones. A move whose rules are at fault leads nowhere.
pub trait Ahead {
    /// The facts there, ascending, put in place of what is there.
    fn facts(&self, place: usize, out: &mut Vec<FactId>);
    /// How many legal moves each role has there; `None` where the game is over.
    fn mobility(&self, place: usize) -> Option<Vec<usize>>;
    /// What the rules give the roles there, whether the game is over or not.
    fn goals(&self, place: usize) -> Option<Vec<Goal>>;
    /// How far the role's highest goal holds there, from 0 to 1, where the machine can tell.
    fn degree(&self, place: usize) -> Option<f64>;
}

impl fmt::Debug for Choice<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Choice")
            .field("role", &self.role)
            .field("legal", &self.legal)
            .field("before", &self.before)
            .finish_non_exhaustive()
    }
}

/// What moves are worth where that depends on more than role and move.
pub trait ContextWorth: fmt::Debug + Send + Sync {
    /// The worth of each legal move in order, put at the end of `worth`. A move of infinite worth is made
    /// whatever the sampler.
    fn worth(&self, choice: &Choice<'_>, worth: &mut Vec<f32>);
}

/// Chooses for one role, by a policy.
#[derive(Clone, Debug, Default)]
pub struct Chooser {
    worth: Vec<f32>,
}

impl Chooser {
    /// A move.
    pub fn choose(&mut self, policy: &Policy<'_>, choice: &Choice<'_>, dice: &mut Dice) -> MoveId {
        let legal = choice.legal;
        if legal.len() == 1 {
            return legal[0];
        }
        if policy.sampler == Sampler::Uniform {
            return legal[dice.below(legal.len())];
        }
        let worth = &mut self.worth;
        worth.clear();
        match policy.weights {
            Weights::Equal => worth.resize(legal.len(), 1.0),
            Weights::ByMove(known) => worth.extend(legal.iter().map(|&id| known.of(choice.role, id))),
            Weights::InContext(_, known) => known.worth(choice, worth),
        }
        // Who is asked may have answered for fewer.
        worth.resize(legal.len(), 0.0);
        if let Some(place) = worth.iter().position(|worth| *worth == f32::INFINITY) {
            return legal[place];
        }
        legal[draw(policy.sampler, worth, dice)]
    }
}

/// The place of a move, given what each is worth.
fn draw(sampler: Sampler, worth: &mut [f32], dice: &mut Dice) -> usize {
    match sampler {
        Sampler::Uniform => dice.below(worth.len()),
        Sampler::EpsilonGreedy { epsilon } => {
            if dice.unit() < f64::from(epsilon) {
                return dice.below(worth.len());
            }
            let best = worth.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let ties = (0..worth.len()).filter(|&place| worth[place] == best);
            let chosen = dice.below(ties.clone().count().max(1));
            ties.clone().nth(chosen).unwrap_or(0)
        }
        Sampler::Gibbs { temperature } => {
            let best = worth.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            roulette(worth, |worth| f64::from((worth - best) / temperature).exp(), dice)
        }
        Sampler::Roulette => {
            if worth.iter().all(|worth| *worth <= 0.0) {
                return dice.below(worth.len());
            }
            roulette(worth, |worth| f64::from(worth.max(0.0)), dice)
        }
    }
}

/// A place, in proportion to the weights.
fn roulette(worth: &[f32], weight: impl Fn(f32) -> f64, dice: &mut Dice) -> usize {
    let mut rest = dice.unit() * worth.iter().map(|&worth| weight(worth)).sum::<f64>();
    for (place, &worth) in worth.iter().enumerate() {
        rest -= weight(worth);
        if rest < 0.0 {
            return place;
        }
    }
    worth.len() - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shares(policy: &Policy<'_>, legal: &[MoveId], before: &[MoveId]) -> Vec<f64> {
        let mut dice = Dice::new(1);
        let mut counts = vec![0.0; legal.len()];
        let choice = Choice::new(RoleId(0), 1, legal, before);
        for _ in 0..20_000 {
            let chosen = Chooser::default().choose(policy, &choice, &mut dice);
            counts[legal.iter().position(|&id| id == chosen).expect("a legal move")] += 1.0 / 20_000.0;
        }
        counts
    }

    fn worth_of(moves: &[f32], unseen: f32) -> MoveWorth {
        let mut worth = MoveWorth::new(unseen);
        moves.iter().zip(0..).for_each(|(&value, id)| worth.set(RoleId(0), MoveId(id), value));
        worth
    }

    fn assert_near(shares: &[f64], expected: &[f64]) {
        for (share, expected) in shares.iter().zip(expected) {
            assert!((share - expected).abs() < 0.015, "{shares:?}");
        }
    }

    #[test]
    fn gibbs_weighs_by_the_exponential() {
        let worth = worth_of(&[0.0, 10.0, 20.0], 20.0);
        let sampler = Sampler::Gibbs { temperature: 10.0 };
        let policy = Policy { weights: Weights::ByMove(&worth), sampler };
        let weights = [1.0, 1f64.exp(), 2f64.exp(), 2f64.exp()];
        let sum: f64 = weights.iter().sum();
        let shares = shares(&policy, &[MoveId(0), MoveId(1), MoveId(2), MoveId(9)], &[]);
        assert_near(&shares, &weights.map(|weight| weight / sum));
    }

    #[test]
    fn greedy_deviates_as_often_as_told() {
        let worth = worth_of(&[5.0, 7.0, 7.0, 1.0], 0.0);
        let sampler = Sampler::EpsilonGreedy { epsilon: 0.4 };
        let policy = Policy { weights: Weights::ByMove(&worth), sampler };
        let legal: Vec<MoveId> = (0..4).map(MoveId).collect();
        assert_near(&shares(&policy, &legal, &[]), &[0.1, 0.4, 0.4, 0.1]);
    }

    #[test]
    fn the_wheel_is_divided_by_worth() {
        let legal: Vec<MoveId> = (0..4).map(MoveId).collect();
        for (moves, expected) in [([1.0, 0.0, 3.0, 4.0], [0.125, 0.0, 0.375, 0.5]), ([0.0; 4], [0.25; 4])] {
            let worth = worth_of(&moves, 0.0);
            let policy = Policy { weights: Weights::ByMove(&worth), sampler: Sampler::Roulette };
            assert_near(&shares(&policy, &legal, &[]), &expected);
        }
    }

    /// The move after the last one is worth most.
    #[derive(Debug)]
    struct Successor;

    impl ContextWorth for Successor {
        fn worth(&self, choice: &Choice<'_>, worth: &mut Vec<f32>) {
            let last = choice.before.last().map_or(0, |id| id.0);
            worth.extend(choice.legal.iter().map(|id| if id.0 == last + 1 { 1.0 } else { 0.0 }));
        }
    }

    #[test]
    fn what_happened_before_counts() {
        let sampler = Sampler::EpsilonGreedy { epsilon: 0.0 };
        let policy = Policy { weights: Weights::InContext(Context::LastMove, &Successor), sampler };
        let legal: Vec<MoveId> = (0..3).map(MoveId).collect();
        assert_near(&shares(&policy, &legal, &[MoveId(1)]), &[0.0, 0.0, 1.0]);
        assert_near(&shares(&policy, &legal, &[MoveId(0)]), &[0.0, 1.0, 0.0]);
    }

    /// The move after the last one has to be made.
    #[derive(Debug)]
    struct Forced;

    impl ContextWorth for Forced {
        fn worth(&self, choice: &Choice<'_>, worth: &mut Vec<f32>) {
            let last = choice.before.last().map_or(0, |id| id.0);
            worth.extend(choice.legal.iter().map(|id| if id.0 == last + 1 { f32::INFINITY } else { 1.0 }));
        }
    }

    #[test]
    fn infinite_worth_is_not_a_matter_of_chance() {
        let legal: Vec<MoveId> = (0..3).map(MoveId).collect();
        for sampler in [Sampler::EpsilonGreedy { epsilon: 0.9 }, Sampler::Gibbs { temperature: 1.0 }] {
            let policy = Policy { weights: Weights::InContext(Context::LastMove, &Forced), sampler };
            assert_near(&shares(&policy, &legal, &[MoveId(1)]), &[0.0, 0.0, 1.0]);
            assert_near(&shares(&policy, &legal, &[MoveId(7)]), &[1.0 / 3.0; 3]);
        }
    }
}

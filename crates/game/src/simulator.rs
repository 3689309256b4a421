//! Many states at once: what a search asks of a machine.
//!
//! A machine that handles one state at a time answers by going through them; a batch machine takes
//! hundreds in one sweep. Both give the same answers to [`Simulator::expand_all`] and
//! [`Simulator::apply_all`]; the playouts of [`Simulator::play`] agree in distribution only, as each
//! machine draws its random numbers in its own way. The same machine with the same seed plays the
//! same playouts.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::{Dice, Expansion, Expansions, Game, GoalReading, MoveId, MoveWorth, Outcomes, RoleId, RuleFault};

/// A state and how many playouts begin there.
#[derive(Debug)]
pub struct Job<'a, State> {
    /// Where they begin.
    pub start: &'a State,
    /// How many.
    pub playouts: u32,
}

impl<State> Clone for Job<'_, State> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<State> Copy for Job<'_, State> {}

/// How a playout chooses its moves.
#[derive(Clone, Copy, Debug, Default)]
pub enum Policy<'a> {
    /// All legal moves are equally likely.
    #[default]
    Uniform,
    /// The move of most worth; with probability `epsilon` any legal one instead. Moves of equal
    /// worth are equally likely where that costs nothing, otherwise the first listed is taken.
    Greedy {
        /// The worth of each move to its role.
        worth: &'a MoveWorth,
        /// From 0 to 1.
        epsilon: f32,
    },
    /// A move of worth `w` is chosen in proportion to `exp(w / temperature)`.
    Gibbs {
        /// The worth of each move to its role.
        worth: &'a MoveWorth,
        /// Above 0: the higher, the more random.
        temperature: f32,
    },
}

/// How playouts are played.
#[derive(Clone, Copy, Debug)]
pub struct PlayOptions<'a> {
    /// The same seed gives the same playouts.
    pub seed: u64,
    /// Playouts that have not ended after so many joint moves are cut there; their goals are those
    /// of the state they were cut in.
    pub most_steps: u32,
    /// How moves are chosen.
    pub policy: Policy<'a>,
    /// Whether [`Outcomes::moves`] is wanted.
    pub record_moves: bool,
    /// Cuts all playouts where they are when it is set.
    pub stop: Option<&'a AtomicBool>,
}

impl PlayOptions<'_> {
    /// Whether someone said to stop.
    pub fn is_stopped(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
}

impl Default for PlayOptions<'_> {
    fn default() -> Self {
        Self { seed: 0, most_steps: 10_000, policy: Policy::Uniform, record_moves: false, stop: None }
    }
}

/// A game that answers for many states in one call.
pub trait Simulator: Game {
    /// So many playouts cost hardly more than one.
    fn lanes(&self) -> usize {
        1
    }

    /// About how many gates one step of one playout takes when all lanes are in use, the same on
    /// every computer; infinite if playouts are not cheaper by the dozen.
    fn step_cost(&self) -> f64 {
        f64::INFINITY
    }

    /// About how many bytes a state holds besides its own size.
    fn state_bytes(&self) -> usize {
        0
    }

    /// Terminality and legal moves of each state, in order.
    fn expand_all(
        &self,
        workspace: &mut Self::Workspace,
        states: &[&Self::State],
        out: &mut Expansions,
    ) -> Result<(), RuleFault> {
        out.begin(self.role_count());
        states.iter().try_for_each(|state| out.push(|out| self.expand(workspace, state, out)))
    }

    /// The successor of each state: `joints` has one move per role for state after state.
    fn apply_all(
        &self,
        workspace: &mut Self::Workspace,
        states: &[&Self::State],
        joints: &[MoveId],
        out: &mut Vec<Self::State>,
    ) -> Result<(), RuleFault> {
        out.clear();
        for (state, joint) in states.iter().zip(joints.chunks(self.role_count())) {
            out.push(self.apply(workspace, state, joint)?);
        }
        Ok(())
    }

    /// Plays all playouts of some jobs.
    fn play(
        &self,
        workspace: &mut Self::Workspace,
        jobs: &[Job<'_, Self::State>],
        options: &PlayOptions<'_>,
        out: &mut Outcomes,
    ) -> Result<(), RuleFault> {
        play_one_by_one(self, workspace, jobs, options, out)
    }
}

/// [`Simulator::play`] for a machine that handles one state at a time.
pub fn play_one_by_one<G: Game + ?Sized>(
    game: &G,
    workspace: &mut G::Workspace,
    jobs: &[Job<'_, G::State>],
    options: &PlayOptions<'_>,
    out: &mut Outcomes,
) -> Result<(), RuleFault> {
    out.reset(game.role_count(), jobs.iter().map(|job| job.playouts as usize).sum());
    let starts = jobs.iter().flat_map(|job| std::iter::repeat_n(job.start, job.playouts as usize));
    let mut expansion = Expansion::new();
    let mut joint = Vec::new();
    let mut made: Vec<(RoleId, MoveId)> = Vec::new();
    let mut goals: Vec<GoalReading> = Vec::new();
    for (playout, start) in starts.enumerate() {
        let mut dice = Dice::stream(options.seed, playout as u64);
        let mut state = start.clone();
        let mut length = 0;
        made.clear();
        let cut = loop {
            game.expand(workspace, &state, &mut expansion)?;
            if expansion.is_terminal() {
                break false;
            }
            if length == options.most_steps || options.is_stopped() {
                break true;
            }
            if let Some(role) = expansion.stuck_role() {
                return Err(RuleFault::NoLegalMove(role));
            }
            joint.clear();
            let roles = (0..).map(RoleId).zip(expansion.by_role());
            joint.extend(roles.map(|(role, legal)| choose(&options.policy, role, legal, &mut dice)));
            if options.record_moves {
                made.extend((0..).map(RoleId).zip(joint.iter().copied()));
            }
            state = game.apply(workspace, &state, &joint)?;
            length += 1;
        };
        out.set_length(playout, length, cut);
        game.goals(workspace, &state, &mut goals)?;
        for (role, reading) in goals.iter().enumerate() {
            out.raise(playout, role, reading.value());
        }
        made.sort_unstable();
        made.dedup();
        for &(role, id) in &made {
            out.moves.add(role, id, 1, u64::from(goals[usize::from(role.0)].value().0));
        }
    }
    Ok(())
}

/// Chooses among the legal moves of one role.
pub fn choose(policy: &Policy<'_>, role: RoleId, legal: &[MoveId], dice: &mut Dice) -> MoveId {
    match *policy {
        _ if legal.len() == 1 => legal[0],
        Policy::Uniform => legal[dice.below(legal.len())],
        Policy::Greedy { worth, epsilon } => {
            if dice.unit() < f64::from(epsilon) {
                return legal[dice.below(legal.len())];
            }
            let best = legal.iter().map(|&id| worth.of(role, id)).fold(f32::NEG_INFINITY, f32::max);
            let ties = legal.iter().filter(|&&id| worth.of(role, id) == best);
            let chosen = dice.below(ties.clone().count());
            ties.copied().nth(chosen).unwrap_or(legal[0])
        }
        Policy::Gibbs { worth, temperature } => {
            let best = legal.iter().map(|&id| worth.of(role, id)).fold(f32::NEG_INFINITY, f32::max);
            let weight = |id: MoveId| f64::from((worth.of(role, id) - best) / temperature).exp();
            let mut rest = dice.unit() * legal.iter().map(|&id| weight(id)).sum::<f64>();
            for &id in legal {
                rest -= weight(id);
                if rest < 0.0 {
                    return id;
                }
            }
            legal[legal.len() - 1]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shares(policy: &Policy<'_>, legal: &[MoveId]) -> Vec<f64> {
        let mut dice = Dice::new(1);
        let mut counts = vec![0.0; legal.len()];
        for _ in 0..20_000 {
            let chosen = choose(policy, RoleId(0), legal, &mut dice);
            counts[legal.iter().position(|&id| id == chosen).expect("a legal move")] += 1.0 / 20_000.0;
        }
        counts
    }

    fn worth_of(moves: &[f32], unseen: f32) -> MoveWorth {
        let mut worth = MoveWorth::new(unseen);
        moves.iter().zip(0..).for_each(|(&value, id)| worth.set(RoleId(0), MoveId(id), value));
        worth
    }

    #[test]
    fn gibbs_weighs_by_the_exponential() {
        let worth = worth_of(&[0.0, 10.0, 20.0], 20.0);
        let policy = Policy::Gibbs { worth: &worth, temperature: 10.0 };
        let shares = shares(&policy, &[MoveId(0), MoveId(1), MoveId(2), MoveId(9)]);
        let weights = [1.0, 1f64.exp(), 2f64.exp(), 2f64.exp()];
        let sum: f64 = weights.iter().sum();
        for (share, weight) in shares.iter().zip(weights) {
            assert!((share - weight / sum).abs() < 0.015, "{shares:?}");
        }
    }

    #[test]
    fn greedy_deviates_as_often_as_told() {
        let worth = worth_of(&[5.0, 7.0, 7.0, 1.0], 0.0);
        let policy = Policy::Greedy { worth: &worth, epsilon: 0.4 };
        let legal: Vec<MoveId> = (0..4).map(MoveId).collect();
        for (share, expected) in shares(&policy, &legal).iter().zip([0.1, 0.4, 0.4, 0.1]) {
            assert!((share - expected).abs() < 0.015, "{share} {expected}");
        }
    }
}

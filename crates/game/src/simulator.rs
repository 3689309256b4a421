//! Many states at once: what a search asks of a machine.
//!
//! A machine that handles one state at a time answers by going through them; a batch machine takes
//! hundreds in one sweep. Both give the same answers to [`Simulator::expand_all`] and
//! [`Simulator::apply_all`]; the playouts of [`Simulator::play`] agree in distribution only, as each
//! machine draws its random numbers in its own way. The same machine with the same seed plays the
//! same playouts.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::{
    Decisive, Expansions, FactId, Game, Likeness, Merging, MoveId, Outcomes, Outlook, Policy, RoleId,
    RuleFault, play_one_by_one, play_one_by_one_to,
};

/// A state and how many playouts begin there.
#[derive(Debug)]
pub struct Job<'a, State> {
    /// Where they begin.
    pub start: &'a State,
    /// How many.
    pub playouts: u32,
    /// The joint moves that led to the start, one after the other: as many as the policy's context asks for,
    /// if they are known. Without them a playout begins out of context.
    pub before: &'a [MoveId],
}

impl<'a, State> Job<'a, State> {
    /// Playouts from a state whatever led there.
    pub fn new(start: &'a State, playouts: u32) -> Self {
        Self { start, playouts, before: &[] }
    }
}

impl<State> Clone for Job<'_, State> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<State> Copy for Job<'_, State> {}

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
    /// How far moves that decide are looked for: the policy chooses among what is left.
    pub decisive: Decisive,
    /// Whether who can take something of another's has to, where no move decides. Only machines that support it in
    /// their lanes know how.
    pub captures: bool,
    /// Whether [`Outcomes::moves`] is wanted.
    pub record_moves: bool,
    /// Whether [`Outcomes::sequences`] is wanted.
    pub record_sequences: bool,
    /// Whether [`Outcomes::made`] is wanted; then [`Outcomes::moves`] is too.
    pub record_made: bool,
    /// Whether [`Outcomes::choices`] is wanted; then [`Outcomes::sequences`] has to be too.
    pub record_choices: bool,
    /// Whether [`Outcomes::facts`] is wanted; then [`Outcomes::sequences`] has to be too.
    pub record_facts: bool,
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
        Self {
            seed: 0,
            most_steps: 10_000,
            policy: Policy::default(),
            decisive: Decisive::None,
            captures: false,
            record_moves: false,
            record_sequences: false,
            record_made: false,
            record_choices: false,
            record_facts: false,
            stop: None,
        }
    }
}

/// A game that answers for many states in one call.
pub trait Simulator: Game {
    /// So many playouts cost hardly more than one.
    fn lanes(&self) -> usize;

    /// Whether it plays in this way in its lanes. What it does not is played one state at a time, so a
    /// machine without lanes supports nothing.
    fn supports(&self, options: &PlayOptions<'_>) -> bool;

    /// About how many gates one step of one playout takes when all lanes are in use, the same on
    /// every computer; infinite if playouts are not cheaper by the dozen.
    fn step_cost(&self) -> f64;

    /// About how many bytes a state holds besides its own size.
    fn state_bytes(&self) -> usize;

    /// The facts that are true in a state, ascending, put in place of what is there. The same fact always has
    /// the same number.
    fn list_facts(&self, state: &Self::State, out: &mut Vec<FactId>);

    /// A fact as canonical text.
    fn fact_text(&self, fact: FactId) -> String;

    /// How far the highest goal of a role holds in a state, from 0 to 1: a rule as far as its conditions do on
    /// average, an atom as far as the best of its rules, and a little more the more facts speak for it, which tells those
    /// apart that hold equally far. `None` if the machine cannot tell.
    fn goal_degree(&self, state: &Self::State, role: RoleId) -> Option<f64>;

    /// Which states need not be told apart; `None` if all have to be, or if the machine cannot tell.
    fn likeness(&self, _merging: Merging) -> Option<Arc<dyn Likeness<Self::State>>> {
        None
    }

    /// What roles can still get in a state, known without a search; `None` if the machine cannot tell.
    fn outlook(&self) -> Option<Arc<dyn Outlook<Self::State>>> {
        None
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

    /// Plays as [`Simulator::play`], but each playout is cut after so many steps at most: `limits` has a number for
    /// each. The states in which playouts were cut are put in place of what is in `cut`, ascending by the numbers
    /// of the playouts.
    fn play_to(
        &self,
        workspace: &mut Self::Workspace,
        jobs: &[Job<'_, Self::State>],
        options: &PlayOptions<'_>,
        limits: &[u32],
        out: &mut Outcomes,
        cut: &mut Vec<(u32, Self::State)>,
    ) -> Result<(), RuleFault> {
        cut.clear();
        let mut cut_at = |playout, state| cut.push((playout, state));
        play_one_by_one_to(self, workspace, jobs, options, limits, out, &mut cut_at)
    }
}

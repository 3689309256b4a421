//! What a role holds for possible: positions that agree with all it did and was told.
//!
//! After every step each position is carried on by all joint moves that agree with what was told, as long as
//! that is not too many; then the belief is exact, and how likely a position is follows from the rules, everybody else
//! being taken to move at random. Where there are too many, some are drawn by weight. If few or none of those that were
//! drawn agree with what is told later, others are looked for from the beginning (`rebuild.rs`). Schofield,
//! Cerexhe and Thielscher 2012 (HyperPlay) call such positions with their past hypergames.
//!
//! What was told is never forgotten. If nothing is found that agrees with all of it in the work of a step, positions
//! that agree with a part have to do for a while, and [`Belief::recover`] looks on. And what a role has answered is not what it
//! was told: if nothing agrees with a move that nobody has confirmed, it was not made.

use std::sync::Arc;

use circuit::Circuit;
use game::{Describe, Dice, Expansion, Game, MoveId, RoleId, RuleFault, Simulator};
use machine::{Machine, MachineKind};
use rustc_hash::FxHashMap;

use crate::rebuild::Descent;
use crate::view::{Step, View, Views};

/// A position that may be the true one.
#[derive(Clone, Debug)]
pub struct Particle<State> {
    /// The position.
    pub state: State,
    /// What each role knows there.
    pub views: Box<[View]>,
    /// How likely it is, compared with others.
    pub weight: f64,
}

/// What happened to a belief.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BeliefCounts {
    /// Steps that were taken into account.
    pub steps: u64,
    /// The fewest positions that were held after a step.
    pub fewest: usize,
    /// Joint moves that were tried.
    pub tried: u64,
    /// Those that did not agree with what was told.
    pub rejected: u64,
    /// How often none was left, and positions had to be looked for from the beginning.
    pub rebuilt: u64,
    /// How often few were left, and others were looked for.
    pub refilled: u64,
    /// How often a solver was asked, as nothing else had found enough, and the positions it found.
    pub solver_calls: u64,
    /// Positions that it found.
    pub solver_positions: u64,
    /// How often what was answered cannot have been made.
    pub replaced: u64,
    /// How often none was found that agreed with all that was told, so that something was left out of account.
    pub lost: u64,
}

/// What a role holds for possible.
pub struct Belief<G: Game> {
    pub(crate) game: Arc<G>,
    pub(crate) role: RoleId,
    pub(crate) workspace: G::Workspace,
    pub(crate) views: Views,
    /// What each role knows at the beginning.
    pub(crate) first_views: Vec<View>,
    pub(crate) steps: Vec<Step>,
    pub(crate) particles: Vec<Particle<G::State>>,
    pub(crate) most: usize,
    pub(crate) dice: Dice,
    pub(crate) is_exact: bool,
    /// Whether they agree with all that was told.
    pub(crate) agrees: bool,
    /// How often it is still tried to find some that do.
    pub(crate) recoveries: u32,
    /// A search for one that does, as far as it has come: what it has tried is not tried again in later steps.
    pub(crate) descent: Option<Descent<G::State>>,
    /// For so many of the first steps what was answered need not have been made.
    pub(crate) doubted: usize,
    /// The game as a circuit, for a solver.
    #[cfg_attr(not(feature = "sat"), allow(dead_code))]
    pub(crate) circuit: Option<Arc<Circuit>>,
    /// Whether anybody else has had a choice.
    pub(crate) others_chose: bool,
    /// Joint moves that may be tried in a step.
    pub(crate) effort: u64,
    /// Whether one position is needed soon rather than many.
    pub(crate) is_hasty: bool,
    /// Steps before which few positions are taken for all there are.
    pub(crate) refill_at: usize,
    /// Whether positions in which the game is over were left out since the last step.
    pub(crate) is_open: bool,
    pub(crate) counts: BeliefCounts,
}

/// Joint moves that are tried in a step, for all positions together, unless somebody says otherwise.
const EFFORT: u64 = 200_000;
/// The same on a machine that evaluates the rules for every state.
const SLOW_EFFORT: u64 = 10_000;
/// Part of that for who needs some position soon.
const HASTE: u64 = 20;
/// So often it is tried after a step to find positions that agree with everything.
pub(crate) const RECOVERIES: u32 = 32;
/// With fewer positions than these others are looked for, unless they are all.
pub(crate) const FEW: usize = 16;

impl<G: Game> std::fmt::Debug for Belief<G> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Belief")
            .field("role", &self.role)
            .field("particles", &self.particles.len())
            .field("is_exact", &self.is_exact)
            .field("counts", &self.counts)
            .finish_non_exhaustive()
    }
}

impl<G: Simulator + Describe> Belief<G> {
    /// What a role knows at the beginning: everything. It will hold no more positions than given.
    pub fn new(game: Arc<G>, role: RoleId, most: usize, seed: u64) -> Self {
        let mut views = Views::default();
        let first_views = views.begin(game.role_count());
        let first = Particle { state: game.initial(), views: first_views.clone().into(), weight: 1.0 };
        Self {
            workspace: game.workspace(),
            role,
            views,
            first_views,
            steps: Vec::new(),
            particles: vec![first],
            most: most.max(1),
            dice: Dice::new(seed),
            is_exact: true,
            agrees: true,
            recoveries: 0,
            descent: None,
            doubted: 0,
            circuit: None,
            others_chose: false,
            effort: EFFORT,
            is_hasty: false,
            refill_at: 0,
            is_open: false,
            counts: BeliefCounts::default(),
            game,
        }
    }

    /// The same with the game as a circuit, so that a solver can look for positions where nothing else finds any.
    #[must_use]
    pub fn with_circuit(mut self, circuit: Option<Arc<Circuit>>) -> Self {
        self.circuit = circuit;
        self
    }

    /// The same with so many joint moves tried in a step: on slow machines it should be few.
    #[must_use]
    pub fn with_effort(mut self, effort: u64) -> Self {
        self.effort = effort.max(64);
        self
    }

    /// The same with what a machine has for it: the circuit, and as many joint moves as it can try in a step.
    #[must_use]
    pub fn suited_to(self, machine: &Machine) -> Self {
        let belief = self.with_circuit(machine.circuit().cloned());
        if machine.kind() == MachineKind::Reference { belief.with_effort(SLOW_EFFORT) } else { belief }
    }

    /// The same for who needs some position soon rather than many: a step only leads on those that are there. If none of them
    /// agrees with what was told, [`Belief::recover`] looks for others.
    #[must_use]
    pub fn in_haste(mut self) -> Self {
        self.is_hasty = true;
        let effort = self.effort / HASTE;
        self.with_effort(effort)
    }

    /// The positions held for possible; their weights add up to 1. There is always one.
    pub fn particles(&self) -> &[Particle<G::State>] {
        &self.particles
    }

    /// Whether these are all there are.
    pub fn is_exact(&self) -> bool {
        self.is_exact
    }

    /// Whether somebody else may have had a choice: how likely positions are then depends on how it plays, of which a belief
    /// knows nothing.
    pub fn others_chose(&self) -> bool {
        self.others_chose
    }

    /// What happened to it.
    pub fn counts(&self) -> BeliefCounts {
        self.counts
    }

    /// What the role knows. Several views are possible after a step that was missed; the likeliest counts.
    pub fn view(&self) -> Option<View> {
        let mut weights: Vec<(View, f64)> = Vec::new();
        for particle in &self.particles {
            let view = particle.views[usize::from(self.role.0)];
            match weights.iter_mut().find(|(known, _)| *known == view) {
                Some((_, weight)) => *weight += particle.weight,
                None => weights.push((view, particle.weight)),
            }
        }
        weights.iter().max_by(|one, two| one.1.total_cmp(&two.1)).map(|(view, _)| *view)
    }

    /// All steps so far.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Whose belief it is.
    pub fn role(&self) -> RoleId {
        self.role
    }

    /// The game.
    pub fn game(&self) -> &Arc<G> {
        &self.game
    }

    /// A position, drawn by weight.
    pub fn draw(&mut self) -> &Particle<G::State> {
        let mut rest = self.dice.unit();
        let last = self.particles.len() - 1;
        let place = self.particles.iter().position(|particle| {
            rest -= particle.weight;
            rest < 0.0
        });
        &self.particles[place.unwrap_or(last)]
    }

    /// The role is asked for a move: the game is not over. Positions in which it is are left out, and others
    /// looked for if it is over in all.
    fn leave_out_ends(&mut self) -> Result<(), RuleFault> {
        if std::mem::replace(&mut self.is_open, true) {
            return Ok(());
        }
        let mut expansion = Expansion::new();
        let mut open = Vec::with_capacity(self.particles.len());
        for particle in &self.particles {
            self.game.expand(&mut self.workspace, &particle.state, &mut expansion)?;
            if !expansion.is_terminal() {
                open.push(particle.clone());
            }
        }
        if !self.is_exact {
            open = self.look_further(open, true)?;
        }
        if open.is_empty() && self.doubt_answers() {
            open = self.look_further(open, true)?;
            self.counts.replaced += u64::from(!open.is_empty());
        }
        // Where nothing goes on the game is over, whoever asks.
        if !open.is_empty() {
            self.keep(open);
        }
        Ok(())
    }

    /// The legal moves of the role, which is asked for one, by what it holds for possible; empty if the game is
    /// over in all positions. In a game in which roles can tell their legal moves they are those of any of them.
    pub fn legal(&mut self) -> Result<Vec<MoveId>, RuleFault> {
        self.leave_out_ends()?;
        let mut expansion = Expansion::new();
        let heaviest =
            |one: &&Particle<G::State>, two: &&Particle<G::State>| one.weight.total_cmp(&two.weight);
        if let Some(likely) = self.particles.iter().max_by(heaviest) {
            self.game.expand(&mut self.workspace, &likely.state, &mut expansion)?;
            if !expansion.is_terminal() {
                return Ok(expansion.legal(self.role).to_vec());
            }
        }
        for particle in &self.particles {
            self.game.expand(&mut self.workspace, &particle.state, &mut expansion)?;
            if !expansion.is_terminal() {
                return Ok(expansion.legal(self.role).to_vec());
            }
        }
        Ok(Vec::new())
    }

    /// Takes a step into account. `false` if nothing was found that agrees with all that was told: then a part of it is left out of
    /// account for now.
    pub fn advance(&mut self, step: Step) -> Result<bool, RuleFault> {
        self.steps.push(step.clone());
        self.counts.steps += 1;
        self.is_open = false;
        let before = std::mem::take(&mut self.particles);
        let (own, told) = (step.own.likely(), step.told.as_deref());
        let mut found = self.carry_on(&before, own, told)?;
        // What follows from positions that did not agree will do if there is nothing else.
        let rest = if self.agrees { Vec::new() } else { std::mem::take(&mut found) };
        let is_certain = self.is_exact;
        // Who is in haste looks on once it is known what is legal.
        if !is_certain && !self.is_hasty {
            found = self.look_further(found, false)?;
        }
        if found.is_empty() && (is_certain || !self.is_hasty) {
            found = self.doubt(&before, told)?;
        }
        let agrees = !found.is_empty();
        if !agrees {
            self.counts.lost += u64::from(self.agrees);
            self.recoveries = if is_certain && self.doubted == 0 { 0 } else { RECOVERIES };
            self.is_exact = false;
            found = rest;
            for (own, told) in [(own, None), (None, None)] {
                if found.is_empty() {
                    found = self.carry_on(&before, own, told)?;
                }
            }
            if found.is_empty() {
                // The game is over wherever it may be.
                found = before;
            }
        }
        self.agrees = agrees;
        self.keep(found);
        let held = self.particles.len();
        self.counts.fewest = if self.counts.steps == 1 { held } else { held.min(self.counts.fewest) };
        Ok(agrees)
    }

    /// Keeps as many positions as there may be, drawn by weight, and makes the weights add up to 1.
    pub(crate) fn keep(&mut self, mut found: Vec<Particle<G::State>>) {
        let mut total: f64 = found.iter().map(|particle| particle.weight).sum();
        if found.len() > self.most {
            self.is_exact = false;
            // By an even comb over the weights: who is heavy is kept several times, as one of more weight.
            let stride = total / self.most as f64;
            let mut next = self.dice.unit() * stride;
            let mut passed = 0.0;
            let mut kept = Vec::with_capacity(self.most);
            for mut particle in found {
                passed += particle.weight;
                let mut hits = 0u32;
                while next < passed {
                    next += stride;
                    hits += 1;
                }
                if hits > 0 {
                    particle.weight = f64::from(hits);
                    kept.push(particle);
                }
            }
            found = kept;
            total = found.iter().map(|particle| particle.weight).sum();
        }
        for particle in &mut found {
            particle.weight /= total.max(f64::MIN_POSITIVE);
        }
        self.particles = found;
    }

    /// Begins to number views anew when there are too many; whether it did. What was remembered by them is of
    /// no use then.
    pub fn renumber_views(&mut self, most: usize) -> bool {
        if self.views.len() <= most {
            return false;
        }
        let mut fresh = Views::default();
        let mut known: FxHashMap<View, View> = FxHashMap::default();
        for view in self.particles.iter_mut().flat_map(|particle| particle.views.iter_mut()) {
            *view = *known.entry(*view).or_insert_with(|| fresh.fresh());
        }
        // Views of positions that are looked for from the beginning are others from now on.
        self.first_views = fresh.begin(self.game.role_count());
        self.views = fresh;
        true
    }
}

//! Positions that agree with all that was told, looked for from the beginning: depth first, in random order, with
//! what was found to lead nowhere remembered; and by a solver (`constraints.rs`) where that finds too few. If there is
//! time enough, one is found if there is any.
//!
//! Where there is none at all, a search that is kept for the whole match comes first. It stands on a way that agrees with the
//! steps so far; later steps lead it on or back, and what it has tried is never tried again: what does not agree with a
//! step does not agree because of another one either. Draws from the beginning then find others, which are less alike.

use std::sync::Arc;

use game::{Describe, Expansion, MoveId, RuleFault, Simulator};
use rustc_hash::FxHashSet;

use crate::belief::{Belief, FEW, Particle};
use crate::carrying::{Gathered, options};
use crate::view::{Own, advance_views, tell};

/// Joint moves of a position that are drawn if there are more.
const MOST_JOINTS: u64 = 5_000;
/// So many are looked for where there is none: from there on there are enough to go on with.
const WANTED: usize = 64;
/// Steps for which it is believed that there are no more positions than were found.
const PATIENCE: usize = 4;
/// Gates of all steps together up to which a solver is asked for a few positions more, and for any at all.
#[cfg(feature = "sat")]
const GATES_FOR_MORE: usize = 300_000;
#[cfg(feature = "sat")]
const GATES_FOR_ANY: usize = 3_000_000;

/// What leads nowhere: positions after so many steps.
type Dead<State> = FxHashSet<(usize, State)>;

/// A search for one way through all steps, as far as it has come.
pub(crate) struct Descent<State> {
    /// The joint moves that led to the last level; one more once a way was found.
    way: Vec<Vec<MoveId>>,
    levels: Vec<Level<State>>,
}

/// A position on the way, and the joint moves that are still to be tried there.
struct Level<State> {
    state: State,
    joints: Vec<Vec<MoveId>>,
    /// Whether all joint moves are tried, and not only some that were drawn.
    is_whole: bool,
}

impl<G: Simulator + Describe> Belief<G> {
    /// Adds positions that agree with all steps to those found if these are few or none; with `open` such in which
    /// the game goes on.
    pub(crate) fn look_further(
        &mut self,
        found: Vec<Particle<G::State>>,
        open: bool,
    ) -> Result<Vec<Particle<G::State>>, RuleFault> {
        let few = FEW.min(self.most);
        let is_due = found.is_empty() || self.steps.len() >= self.refill_at;
        let is_enough = found.len() >= if self.is_hasty { 1 } else { few };
        if is_enough || self.steps.is_empty() || !is_due {
            return Ok(found);
        }
        let before = found.len();
        let (wanted, quota) = match before == 0 && !self.is_hasty {
            true => (WANTED.min(self.most), self.effort),
            false => (few, self.effort / 4),
        };
        match before {
            0 => self.counts.rebuilt += 1,
            _ => self.counts.refilled += 1,
        }
        // What is added is as likely as what is there, as far as one knows.
        let total: f64 = found.iter().map(|particle| particle.weight).sum();
        let share = if before == 0 { 1.0 } else { total / before as f64 };
        let mut gathered = Gathered::new();
        for Particle { state, views, weight } in found {
            gathered.add(state, views, weight);
        }
        if before == 0 {
            self.look_on(&mut gathered, open)?;
        }
        self.search_back(&mut gathered, open, wanted, quota, share)?;
        #[cfg(feature = "sat")]
        if gathered.particles.len() < if self.is_hasty { 1 } else { few } {
            self.solve(&mut gathered, open, few, share)?;
        }
        if gathered.particles.len() == before {
            self.refill_at = self.steps.len() + PATIENCE;
        }
        Ok(gathered.particles)
    }

    /// Adds positions found depth first.
    fn search_back(
        &mut self,
        gathered: &mut Gathered<G::State>,
        open: bool,
        wanted: usize,
        quota: u64,
        share: f64,
    ) -> Result<(), RuleFault> {
        let mut dead = Dead::default();
        let mut left = quota;
        // The same position may be found again and again: that is how likely it is.
        for _ in 0..2 * wanted {
            if left == 0 || gathered.particles.len() >= wanted {
                break;
            }
            let mut for_one = (quota / 8).min(left);
            let before = for_one;
            let mut descent = self.begin_descent()?;
            let way = self.descend(&mut descent, &mut dead, &mut for_one, open)?;
            left -= before - for_one;
            match way {
                Some(way) => self.add_way(gathered, &way, share)?,
                // All there is was tried.
                None if for_one > 0 => break,
                None => {}
            }
        }
        self.counts.tried += quota - left;
        Ok(())
    }

    /// Adds where some joint moves lead from the beginning.
    fn add_way(
        &mut self,
        gathered: &mut Gathered<G::State>,
        way: &[Vec<MoveId>],
        share: f64,
    ) -> Result<(), RuleFault> {
        let game = Arc::clone(&self.game);
        let (mut state, mut views) = (game.initial(), self.first_views.clone());
        for joint in way {
            advance_views(&*game, &mut self.workspace, &state, joint, &mut self.views, &mut views)?;
            state = game.apply(&mut self.workspace, &state, joint)?;
        }
        gathered.add(state, views.into(), share);
        Ok(())
    }

    /// Adds positions found by a solver. What it says is made sure of, move by move.
    #[cfg(feature = "sat")]
    fn solve(
        &mut self,
        gathered: &mut Gathered<G::State>,
        open: bool,
        wanted: usize,
        share: f64,
    ) -> Result<(), RuleFault> {
        use crate::constraints::{agreeing, known_steps};
        let Some(circuit) = self.circuit.clone() else { return Ok(()) };
        let known: Vec<_> =
            self.steps.iter().enumerate().map(|(place, step)| (self.own(place), &step.told)).collect();
        let Some(steps) = known_steps(&*self.game, &circuit, self.role, &known) else { return Ok(()) };
        let most = if gathered.particles.is_empty() { GATES_FOR_ANY } else { GATES_FOR_MORE };
        self.counts.solver_calls += 1;
        let role = usize::from(self.role.0);
        let more = wanted - gathered.particles.len();
        let ways = agreeing(&circuit, role, &steps, open, more, most, &mut self.dice);
        for way in ways {
            if let Some(way) = self.checked(&circuit, &way)? {
                self.counts.solver_positions += 1;
                self.add_way(gathered, &way, share)?;
            }
        }
        Ok(())
    }

    /// The moves of a way that a solver found, if they are legal and tell the role what it was told.
    #[cfg(feature = "sat")]
    fn checked(
        &mut self,
        circuit: &circuit::Circuit,
        way: &[Vec<usize>],
    ) -> Result<Option<Vec<Vec<MoveId>>>, RuleFault> {
        let game = Arc::clone(&self.game);
        let (mut state, mut checked) = (game.initial(), Vec::with_capacity(way.len()));
        let (mut expansion, mut told) = (Expansion::new(), Vec::new());
        for (numbers, step) in way.iter().zip(&self.steps) {
            let named = game.role_ids().zip(circuit.roles.iter().zip(numbers));
            let joint: Option<Vec<MoveId>> =
                named.map(|(role, (moves, &number))| game.find_move(role, &moves.moves[number])).collect();
            let Some(joint) = joint else { return Ok(None) };
            game.expand(&mut self.workspace, &state, &mut expansion)?;
            let is_legal = |(legal, id): (&[MoveId], &MoveId)| legal.contains(id);
            if expansion.is_terminal() || !expansion.by_role().zip(&joint).all(is_legal) {
                return Ok(None);
            }
            tell(&*game, &mut self.workspace, &state, &joint, self.role, &mut told)?;
            if step.told.as_ref().is_some_and(|expected| *expected != told) {
                return Ok(None);
            }
            state = game.apply(&mut self.workspace, &state, &joint)?;
            checked.push(joint);
        }
        Ok(Some(checked))
    }

    /// Goes on with the search that is kept for the whole match, and adds the position that it finds, if it does.
    fn look_on(&mut self, gathered: &mut Gathered<G::State>, open: bool) -> Result<(), RuleFault> {
        let mut descent = match self.descent.take() {
            Some(descent) => descent,
            None => self.begin_descent()?,
        };
        let mut quota = self.effort;
        let way = self.descend(&mut descent, &mut Dead::default(), &mut quota, open)?;
        self.counts.tried += self.effort - quota;
        // Without a way and with some quota left everything was tried: it begins anew, as moves may have been drawn.
        self.descent = (way.is_some() || quota == 0).then_some(descent);
        if let Some(way) = way {
            self.add_way(gathered, &way, 1.0)?;
        }
        Ok(())
    }

    fn begin_descent(&mut self) -> Result<Descent<G::State>, RuleFault> {
        let state = self.game.initial();
        let (joints, is_whole) = self.candidates(&state, 0)?;
        Ok(Descent { way: Vec::new(), levels: vec![Level { state, joints, is_whole }] })
    }

    /// One way through all steps, as joint moves; `None` if there is none, or the quota is used up.
    fn descend(
        &mut self,
        descent: &mut Descent<G::State>,
        dead: &mut Dead<G::State>,
        quota: &mut u64,
        open: bool,
    ) -> Result<Option<Vec<Vec<MoveId>>>, RuleFault> {
        let game = Arc::clone(&self.game);
        let Descent { way, levels } = descent;
        let (mut told, mut expansion) = (Vec::new(), Expansion::new());
        if let (Some(last), Some(made)) = (levels.last(), way.last().filter(|_| way.len() == levels.len())) {
            // It has found a way before, which later steps lead on. Without any another one is wanted.
            if way.len() < self.steps.len() {
                let state = game.apply(&mut self.workspace, &last.state, made)?;
                let (joints, is_whole) = self.candidates(&state, way.len())?;
                levels.push(Level { state, joints, is_whole });
            } else {
                way.pop();
            }
        }
        while let Some(level) = levels.last_mut() {
            let depth = way.len();
            if *quota == 0 {
                return Ok(None);
            }
            let Some(joint) = level.joints.pop() else {
                if level.is_whole {
                    dead.insert((depth, level.state.clone()));
                }
                levels.pop();
                way.pop();
                continue;
            };
            *quota -= 1;
            if let Some(expected) = &self.steps[depth].told {
                tell(&*game, &mut self.workspace, &level.state, &joint, self.role, &mut told)?;
                if told != *expected {
                    continue;
                }
            }
            let next = game.apply(&mut self.workspace, &level.state, &joint)?;
            if dead.contains(&(depth + 1, next.clone())) {
                continue;
            }
            if depth + 1 == self.steps.len() {
                if open {
                    game.expand(&mut self.workspace, &next, &mut expansion)?;
                    if expansion.is_terminal() {
                        continue;
                    }
                }
                way.push(joint);
                return Ok(Some(way.clone()));
            }
            way.push(joint);
            let (joints, is_whole) = self.candidates(&next, depth + 1)?;
            levels.push(Level { state: next, joints, is_whole });
        }
        Ok(None)
    }

    /// The joint moves that may have been made in a position, in random order; and whether these are all.
    fn candidates(&mut self, state: &G::State, depth: usize) -> Result<(Vec<Vec<MoveId>>, bool), RuleFault> {
        let mut expansion = Expansion::new();
        self.game.expand(&mut self.workspace, state, &mut expansion)?;
        if expansion.is_terminal() || expansion.stuck_role().is_some() {
            return Ok((Vec::new(), true));
        }
        let roles = self.game.role_count();
        let Some(options) = options(&expansion, self.role, self.own(depth), roles) else {
            return Ok((Vec::new(), true));
        };
        let count = options.iter().map(|legal| legal.len() as u64).fold(1, u64::saturating_mul);
        let is_whole = count <= MOST_JOINTS;
        let dice = &mut self.dice;
        let mut joints: Vec<Vec<MoveId>> = match is_whole {
            true => (0..count)
                .map(|mut rest| {
                    let pick = |legal: &Vec<MoveId>| {
                        let place = rest % legal.len() as u64;
                        rest /= legal.len() as u64;
                        legal[place as usize]
                    };
                    options.iter().map(pick).collect()
                })
                .collect(),
            false => (0..MOST_JOINTS)
                .map(|_| options.iter().map(|legal| legal[dice.below(legal.len())]).collect())
                .collect(),
        };
        for place in (1..joints.len()).rev() {
            joints.swap(place, dice.below(place + 1));
        }
        if let Own::Answered(answered) = self.steps[depth].own {
            // Tried first: most answers reach their host.
            joints.sort_by_key(|joint| joint[usize::from(self.role.0)] == answered);
        }
        Ok((joints, is_whole))
    }
}

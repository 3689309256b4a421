//! Positions that agree with all that was told, looked for from the beginning: depth first, in random order, with
//! what was found to lead nowhere remembered. If there is time enough, one is found if there is any.

use std::sync::Arc;

use game::{Describe, Expansion, MoveId, RuleFault, Simulator};
use rustc_hash::FxHashSet;

use crate::belief::{Belief, Gathered, Particle, options};
use crate::view::{advance_views, tell};

/// Joint moves that may be tried for one position that is looked for, and for all together.
const TRIED_FOR_ONE: u64 = 50_000;
const TRIED_FOR_ALL: u64 = 400_000;
/// Joint moves of a position that are drawn if there are more.
const MOST_JOINTS: u64 = 5_000;
/// So many are looked for: from there on there are enough to go on with.
const WANTED: usize = 64;

/// What leads nowhere: positions after so many steps.
type Dead<State> = FxHashSet<(usize, State)>;

impl<G: Simulator + Describe> Belief<G> {
    /// Looks for positions that agree with all steps; with `open` for those in which the game goes on.
    pub(crate) fn rebuild(&mut self, open: bool) -> Result<Vec<Particle<G::State>>, RuleFault> {
        let mut gathered = Gathered::new();
        if self.steps.is_empty() {
            return Ok(gathered.particles);
        }
        let mut dead = Dead::default();
        let mut left = TRIED_FOR_ALL;
        for _ in 0..WANTED.min(self.most) {
            let mut quota = TRIED_FOR_ONE.min(left);
            let before = quota;
            let way = self.descend(&mut dead, &mut quota, open)?;
            left -= before - quota;
            match way {
                Some(way) => {
                    let mut state = self.game.initial();
                    let mut views = self.first_views.clone();
                    let game = Arc::clone(&self.game);
                    for joint in &way {
                        advance_views(
                            &*game,
                            &mut self.workspace,
                            &state,
                            joint,
                            &mut self.views,
                            &mut views,
                        )?;
                        state = game.apply(&mut self.workspace, &state, joint)?;
                    }
                    gathered.add(state, views.into(), 1.0);
                }
                // All there is was tried, or time is short.
                None if quota > 0 || left == 0 => break,
                None => {}
            }
            if left == 0 {
                break;
            }
        }
        self.counts.tried += TRIED_FOR_ALL - left;
        Ok(gathered.particles)
    }

    /// One way through all steps, as joint moves; `None` if there is none, or the quota is used up.
    fn descend(
        &mut self,
        dead: &mut Dead<G::State>,
        quota: &mut u64,
        open: bool,
    ) -> Result<Option<Vec<Vec<MoveId>>>, RuleFault> {
        struct Level<State> {
            state: State,
            joints: Vec<Vec<MoveId>>,
            is_whole: bool,
        }
        let game = Arc::clone(&self.game);
        let mut way: Vec<Vec<MoveId>> = Vec::new();
        let mut levels: Vec<Level<G::State>> = Vec::new();
        let begin = game.initial();
        let (joints, is_whole) = self.candidates(&begin, 0)?;
        levels.push(Level { state: begin, joints, is_whole });
        let (mut told, mut expansion) = (Vec::new(), Expansion::new());
        while let Some(level) = levels.last_mut() {
            let depth = way.len();
            let Some(joint) = level.joints.pop() else {
                if level.is_whole {
                    dead.insert((depth, level.state.clone()));
                }
                levels.pop();
                way.pop();
                continue;
            };
            if *quota == 0 {
                return Ok(None);
            }
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
                return Ok(Some(way));
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
        let Some(options) = options(&expansion, self.role, self.steps[depth].own, roles) else {
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
        Ok((joints, is_whole))
    }
}

//! A step of all positions that are held for possible: joint moves that agree with what was told, many in one call.

use std::sync::Arc;

use game::{Describe, Expansion, MoveId, PerceptId, RoleId, RuleFault, Simulator};
use rustc_hash::FxHashMap;

use crate::belief::{Belief, Particle};
use crate::view::{View, advance_views, tell};

/// Joint moves of one position that are tried one after the other; of more than these some are drawn.
const MOST_JOINTS: u64 = 20_000;
/// Steps that are handed to the machine in one call.
const CHUNK: usize = 512;

/// Positions by what they are and what roles know there: equal ones are one, of their weight together.
pub(crate) struct Gathered<State> {
    pub(crate) particles: Vec<Particle<State>>,
    places: FxHashMap<(State, Box<[View]>), usize>,
}

impl<State: Clone + Eq + std::hash::Hash> Gathered<State> {
    pub(crate) fn new() -> Self {
        Self { particles: Vec::new(), places: FxHashMap::default() }
    }

    pub(crate) fn add(&mut self, state: State, views: Box<[View]>, weight: f64) {
        let next = self.particles.len();
        let place = *self.places.entry((state.clone(), views.clone())).or_insert(next);
        match self.particles.get_mut(place) {
            Some(known) => known.weight += weight,
            None => self.particles.push(Particle { state, views, weight }),
        }
    }
}

impl<G: Simulator + Describe> Belief<G> {
    /// All positions, or many of them, that follow by joint moves which agree with the own move and what was told.
    pub(crate) fn carry_on(
        &mut self,
        before: &[Particle<G::State>],
        own: Option<MoveId>,
        told: Option<&[PerceptId]>,
    ) -> Result<Vec<Particle<G::State>>, RuleFault> {
        let game = Arc::clone(&self.game);
        let mut gathered = Gathered::new();
        let mut expansion = Expansion::new();
        let roles = game.role_count();
        let (mut sources, mut joints, mut shares) = (Vec::new(), Vec::new(), Vec::new());
        let fair = (self.effort / before.len().max(1) as u64).clamp(8, MOST_JOINTS);
        for particle in before {
            game.expand(&mut self.workspace, &particle.state, &mut expansion)?;
            if expansion.is_terminal() || expansion.stuck_role().is_some() {
                continue;
            }
            let options = options(&expansion, self.role, own, roles);
            let Some(options) = options else { continue };
            let chance = game.chance();
            let is_other = |role: RoleId| role != self.role && chance != Some(role);
            let mut deciders = game.role_ids().zip(expansion.by_role());
            self.others_chose |= deciders.any(|(role, legal)| legal.len() > 1 && is_other(role));
            let count = options.iter().map(|legal| legal.len() as u64).fold(1, u64::saturating_mul);
            let share = particle.weight / count.min(fair) as f64;
            let mut push = |joint: &mut dyn Iterator<Item = MoveId>| {
                sources.push(particle);
                joints.extend(joint);
                shares.push(share);
            };
            if count <= fair {
                for number in 0..count {
                    let mut rest = number;
                    push(&mut options.iter().map(|legal| {
                        let place = rest % legal.len() as u64;
                        rest /= legal.len() as u64;
                        legal[place as usize]
                    }));
                }
            } else {
                self.is_exact = false;
                for _ in 0..fair {
                    let dice = &mut self.dice;
                    push(&mut options.iter().map(|legal| legal[dice.below(legal.len())]));
                }
            }
            if sources.len() >= CHUNK {
                self.follow(&sources, &joints, &shares, told, &mut gathered)?;
                sources.clear();
                joints.clear();
                shares.clear();
            }
        }
        self.follow(&sources, &joints, &shares, told, &mut gathered)?;
        Ok(gathered.particles)
    }

    /// Gathers what follows by those joint moves that agree with what was told.
    fn follow(
        &mut self,
        sources: &[&Particle<G::State>],
        joints: &[MoveId],
        shares: &[f64],
        told: Option<&[PerceptId]>,
        gathered: &mut Gathered<G::State>,
    ) -> Result<(), RuleFault> {
        let game = Arc::clone(&self.game);
        let roles = game.role_count();
        self.counts.tried += sources.len() as u64;
        let (mut kept, mut kept_joints) = (Vec::new(), Vec::new());
        for start in (0..sources.len()).step_by(CHUNK) {
            let end = (start + CHUNK).min(sources.len());
            let chunk = &joints[start * roles..end * roles];
            let agrees = self.agree(&sources[start..end], chunk, told)?;
            for (offset, joint) in chunk.chunks(roles).enumerate().filter(|(offset, _)| agrees[*offset]) {
                kept.push(start + offset);
                kept_joints.extend_from_slice(joint);
            }
        }
        self.counts.rejected += (sources.len() - kept.len()) as u64;
        let states: Vec<&G::State> = kept.iter().map(|&place| &sources[place].state).collect();
        let mut next = Vec::new();
        game.apply_all(&mut self.workspace, &states, &kept_joints, &mut next)?;
        for ((state, &place), joint) in next.into_iter().zip(&kept).zip(kept_joints.chunks(roles)) {
            let mut views = sources[place].views.clone();
            advance_views(
                &*game,
                &mut self.workspace,
                &sources[place].state,
                joint,
                &mut self.views,
                &mut views,
            )?;
            gathered.add(state, views, shares[place]);
        }
        Ok(())
    }

    /// Whether what the role is told by each joint move is what it was told.
    fn agree(
        &mut self,
        sources: &[&Particle<G::State>],
        joints: &[MoveId],
        told: Option<&[PerceptId]>,
    ) -> Result<Vec<bool>, RuleFault> {
        let Some(told) = told else { return Ok(vec![true; sources.len()]) };
        let roles = self.game.role_count();
        if self.game.has_percepts() {
            let states: Vec<&G::State> = sources.iter().map(|particle| &particle.state).collect();
            let mut all = Vec::new();
            self.game.observe_all(&mut self.workspace, &states, joints, self.role, &mut all)?;
            return Ok(all.iter().map(|each| each[..] == *told).collect());
        }
        let mut each = Vec::new();
        let mut agrees = Vec::with_capacity(sources.len());
        for (particle, joint) in sources.iter().zip(joints.chunks(roles)) {
            tell(&*self.game, &mut self.workspace, &particle.state, joint, self.role, &mut each)?;
            agrees.push(each[..] == *told);
        }
        Ok(agrees)
    }
}

/// The moves that each role may have made; `None` if the own move was not legal.
pub(crate) fn options(
    expansion: &Expansion,
    role: RoleId,
    own: Option<MoveId>,
    roles: usize,
) -> Option<Vec<Vec<MoveId>>> {
    let of = |each: u16| match own.filter(|_| RoleId(each) == role) {
        Some(own) => expansion.legal(role).contains(&own).then(|| vec![own]),
        None => Some(expansion.legal(RoleId(each)).to_vec()),
    };
    (0..roles as u16).map(of).collect()
}

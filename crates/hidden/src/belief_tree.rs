//! Games in which one role decides, solved over all beliefs that it may come to have.
//!
//! What the role does changes what it knows as well as what is so, and both are what a belief holds: so the best
//! move of a belief is the one after which the beliefs that may follow are worth most on average, each with its
//! own best move. That values information for exactly what it is worth. A belief that was solved once is known
//! wherever it occurs again.

use std::hash::{Hash, Hasher};

use game::{Describe, Expansion, MoveId, PerceptId, RoleId, RuleFault, Simulator};
use rustc_hash::{FxHashMap, FxHasher};

use crate::view::tell;

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Halt {
    /// The rules are at fault.
    Rules(RuleFault),
    /// Somebody said to stop; what was found is kept.
    Stopped,
    /// There are more beliefs than may be looked at.
    TooLarge,
    /// Somebody else decides, or what is legal depends on what the role cannot know.
    Unsuited,
}

impl From<RuleFault> for Halt {
    fn from(fault: RuleFault) -> Self {
        Halt::Rules(fault)
    }
}

/// Positions and how likely they are; the likelihoods add up to 1.
type Weighted<State> = Vec<(State, f64)>;

/// What is known of beliefs.
#[derive(Clone, Debug)]
pub struct BeliefTree {
    /// Whose beliefs they are.
    role: RoleId,
    solved: FxHashMap<u128, f64>,
    work: u64,
    most_work: u64,
}

impl BeliefTree {
    /// Nothing is known yet. No more steps of positions will be looked at than given.
    pub fn new(role: RoleId, most_work: u64) -> Self {
        Self { role, solved: FxHashMap::default(), work: 0, most_work }
    }

    /// How many beliefs are solved.
    pub fn len(&self) -> usize {
        self.solved.len()
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.solved.is_empty()
    }

    /// What each move is worth, 0 to 1, to who holds some positions for possible; nothing if the game is over in
    /// all of them. `go_on` is asked now and then.
    pub fn moves<G: Simulator + Describe>(
        &mut self,
        game: &G,
        workspace: &mut G::Workspace,
        belief: &[(G::State, f64)],
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Vec<(MoveId, f64)>, Halt> {
        let Some(open) = self.open(game, workspace, belief)? else { return Ok(Vec::new()) };
        let mut worth = Vec::new();
        for &id in &open.moves {
            let value = self.after(game, workspace, &open, id, go_on)?;
            worth.push((id, open.ended + value));
        }
        Ok(worth)
    }

    /// What a belief is worth.
    fn value<G: Simulator + Describe>(
        &mut self,
        game: &G,
        workspace: &mut G::Workspace,
        belief: &[(G::State, f64)],
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<f64, Halt> {
        let key = key(belief);
        if let Some(&known) = self.solved.get(&key) {
            return Ok(known);
        }
        if self.work > self.most_work {
            return Err(Halt::TooLarge);
        }
        if !go_on() {
            return Err(Halt::Stopped);
        }
        let value = match self.open(game, workspace, belief)? {
            None => self.ended(game, workspace, belief)?,
            Some(open) => {
                let mut best = f64::NEG_INFINITY;
                for &id in &open.moves {
                    best = best.max(self.after(game, workspace, &open, id, go_on)?);
                }
                open.ended + best
            }
        };
        self.solved.insert(key, value);
        Ok(value)
    }

    /// What is worth what in positions in which the game is over.
    fn ended<G: Simulator + Describe>(
        &mut self,
        game: &G,
        workspace: &mut G::Workspace,
        belief: &[(G::State, f64)],
    ) -> Result<f64, Halt> {
        let mut goals = Vec::new();
        let mut value = 0.0;
        for (state, weight) in belief {
            game.goals(workspace, state, &mut goals)?;
            value += weight * f64::from(goals[usize::from(self.role.0)].value().0) / 100.0;
        }
        Ok(value)
    }

    /// The part of a belief in which the game goes on; `None` if it does nowhere.
    fn open<G: Simulator + Describe>(
        &mut self,
        game: &G,
        workspace: &mut G::Workspace,
        belief: &[(G::State, f64)],
    ) -> Result<Option<Open<G::State>>, Halt> {
        let mut expansion = Expansion::new();
        let (mut over, mut positions, mut moves) = (Vec::new(), Vec::new(), None);
        for (state, weight) in belief {
            game.expand(workspace, state, &mut expansion)?;
            if expansion.is_terminal() {
                over.push((state.clone(), *weight));
                continue;
            }
            if let Some(role) = expansion.stuck_role() {
                return Err(RuleFault::NoLegalMove(role).into());
            }
            let legal = expansion.legal(self.role).to_vec();
            if *moves.get_or_insert_with(|| legal.clone()) != legal {
                return Err(Halt::Unsuited);
            }
            let mut joints = vec![Vec::new()];
            for (role, legal) in game.role_ids().zip(expansion.by_role()) {
                let is_open = role == self.role || game.chance() == Some(role);
                if legal.len() > 1 && !is_open {
                    return Err(Halt::Unsuited);
                }
                // The place of the own move is kept for it.
                let options = if role == self.role { &legal[..1] } else { legal };
                let longer = |joint: &Vec<MoveId>| -> Vec<Vec<MoveId>> {
                    let with = |&id: &MoveId| joint.iter().copied().chain([id]).collect();
                    options.iter().map(with).collect()
                };
                joints = joints.iter().flat_map(longer).collect();
            }
            positions.push((state.clone(), *weight, joints));
        }
        let Some(moves) = moves else { return Ok(None) };
        let ended = self.ended(game, workspace, &over)?;
        Ok(Some(Open { ended, moves, positions }))
    }

    /// What the game is worth after a move, as far as it goes on.
    fn after<G: Simulator + Describe>(
        &mut self,
        game: &G,
        workspace: &mut G::Workspace,
        open: &Open<G::State>,
        own: MoveId,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<f64, Halt> {
        let mut told = Vec::new();
        let mut parts: Vec<Vec<(G::State, f64)>> = Vec::new();
        let mut places: FxHashMap<Vec<PerceptId>, usize> = FxHashMap::default();
        for (state, weight, joints) in &open.positions {
            let share = weight / joints.len() as f64;
            for joint in joints {
                self.work += 1;
                let mut joint = joint.clone();
                joint[usize::from(self.role.0)] = own;
                tell(game, workspace, state, &joint, self.role, &mut told)?;
                let next = game.apply(workspace, state, &joint)?;
                let place = *places.entry(told.clone()).or_insert_with(|| {
                    parts.push(Vec::new());
                    parts.len() - 1
                });
                parts[place].push((next, share));
            }
        }
        let mut value = 0.0;
        for part in parts {
            let (belief, weight) = merged(part);
            value += weight * self.value(game, workspace, &belief, go_on)?;
        }
        Ok(value)
    }
}

/// A belief as far as the game goes on in it.
struct Open<State> {
    /// What the rest is worth.
    ended: f64,
    /// The moves of the role.
    moves: Vec<MoveId>,
    /// Each position, how likely it is, and the joint moves there but for the own one.
    positions: Vec<(State, f64, Vec<Vec<MoveId>>)>,
}

/// Equal positions are one; the likelihoods add up to 1. And what they added up to before.
fn merged<State: Eq + Hash + Clone>(part: Weighted<State>) -> (Weighted<State>, f64) {
    let mut places: FxHashMap<State, usize> = FxHashMap::default();
    let mut belief: Weighted<State> = Vec::new();
    let mut total = 0.0;
    for (state, weight) in part {
        total += weight;
        let next = belief.len();
        match *places.entry(state.clone()).or_insert(next) {
            place if place == next => belief.push((state, weight)),
            place => belief[place].1 += weight,
        }
    }
    belief.iter_mut().for_each(|(_, weight)| *weight /= total);
    (belief, total)
}

/// A number for a belief that does not depend on the order of its positions. Of 128 bits: no two of them will
/// ever have the same.
fn key<State: Hash>(belief: &[(State, f64)]) -> u128 {
    let of = |(state, weight): &(State, f64), seed: u64| {
        let mut hasher = FxHasher::default();
        seed.hash(&mut hasher);
        state.hash(&mut hasher);
        // The same likelihood may have been reached by other roundings.
        ((weight * 1e9).round() as u64).hash(&mut hasher);
        mixed(hasher.finish())
    };
    let sum = |seed| belief.iter().fold(0u64, |sum, each| sum.wrapping_add(of(each, seed)));
    u128::from(sum(0x9e37_79b9_7f4a_7c15)) << 64 | u128::from(sum(0xd134_2543_de82_ef95))
}

fn mixed(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

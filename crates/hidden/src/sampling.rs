//! Regret by samples: counterfactual regret minimisation for games too large to be laid out.
//!
//! Every sample is one course of the game. Whoever learns from it tries moves off its way now and then, the others play as they
//! do, and what the course brought is weighed by how much likelier it is in play than among samples (outcome sampling
//! of Lanctot et al. 2009). What is played on average approaches an equilibrium in games of two in which one loses
//! what the other wins, if samples begin at the beginning. From later positions, drawn from a belief, it is what
//! would be played if everybody knew how likely these are.

use std::sync::Arc;

use engine::{Budget, Stop};
use game::{Describe, Dice, Expansion, MoveId, RoleId, RuleFault, Simulator};
use rustc_hash::FxHashMap;

use crate::Belief;
use crate::view::{View, Views, advance_views};

/// How often who learns tries any move.
const EXPLORATION: f64 = 0.6;

/// What is known of the moves of a role that knows something.
#[derive(Clone, Debug)]
struct Learned {
    moves: Vec<MoveId>,
    regrets: Vec<f64>,
    sums: Vec<f64>,
    visits: u32,
}

/// A choice on the way: who made it and where, which one, how likely it was in play and among samples.
struct Choice {
    role: RoleId,
    node: Option<u32>,
    place: usize,
    played: f64,
    sampled: f64,
    shares: Vec<f64>,
}

/// A way to play, as far as it is learnt from samples.
#[derive(Debug)]
pub struct Sampling {
    nodes: Vec<Learned>,
    places: FxHashMap<(RoleId, View), u32>,
    most_nodes: usize,
    dice: Dice,
    samples: u64,
}

impl Sampling {
    /// Nothing is known yet. No more information sets will be remembered than given.
    pub fn new(most_nodes: usize, seed: u64) -> Self {
        Self {
            nodes: Vec::new(),
            places: FxHashMap::default(),
            most_nodes,
            dice: Dice::new(seed),
            samples: 0,
        }
    }

    /// Samples so far.
    pub fn samples(&self) -> u64 {
        self.samples
    }

    /// Information sets that are remembered.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.places.clear();
        self.samples = 0;
    }

    /// What is played on average where a role knows something: moves, their shares, and how often it was there.
    pub fn average(&self, role: RoleId, view: View) -> Option<(&[MoveId], Vec<f64>, u32)> {
        let node = &self.nodes[*self.places.get(&(role, view))? as usize];
        Some((&node.moves, shares_of(&node.sums), node.visits))
    }

    /// Thinks about a belief.
    pub fn think<G: Simulator + Describe>(
        &mut self,
        belief: &mut Belief<G>,
        budget: &Budget<'_>,
    ) -> Result<Stop, RuleFault> {
        let game = Arc::clone(belief.game());
        let mut watch = budget.watch();
        let mut done = 0;
        loop {
            if let Some(stop) = watch.is_over(done) {
                return Ok(stop);
            }
            if belief.renumber_views(4 * self.most_nodes) {
                self.clear();
            }
            let drawn = belief.draw();
            let (state, now) = (drawn.state.clone(), drawn.views.clone());
            self.learn(&*game, &mut belief.workspace, &mut belief.views, &state, &now)?;
            done += 1;
        }
    }

    /// One sample from a position; every role that decides there learns in turn.
    pub fn learn<G: Describe>(
        &mut self,
        game: &G,
        workspace: &mut G::Workspace,
        views: &mut Views,
        state: &G::State,
        now: &[View],
    ) -> Result<(), RuleFault> {
        let deciders: Vec<RoleId> = game.role_ids().filter(|role| game.chance() != Some(*role)).collect();
        let learner = deciders[self.samples as usize % deciders.len().max(1)];
        self.samples += 1;
        let (choices, goals) = self.course(game, workspace, views, state, now, learner)?;
        self.update(&choices, learner, goals[usize::from(learner.0)]);
        Ok(())
    }

    /// A course of the game to its end: all choices, and what each role gets, 0 to 1.
    fn course<G: Describe>(
        &mut self,
        game: &G,
        workspace: &mut G::Workspace,
        views: &mut Views,
        state: &G::State,
        now: &[View],
        learner: RoleId,
    ) -> Result<(Vec<Choice>, Vec<f64>), RuleFault> {
        let (mut state, mut now) = (state.clone(), now.to_vec());
        let (mut expansion, mut choices) = (Expansion::new(), Vec::new());
        let mut joint = Vec::with_capacity(now.len());
        // Where nothing more is remembered, views need not be numbered either.
        let mut is_known = true;
        loop {
            game.expand(workspace, &state, &mut expansion)?;
            if expansion.is_terminal() {
                break;
            }
            if let Some(role) = expansion.stuck_role() {
                return Err(RuleFault::NoLegalMove(role));
            }
            joint.clear();
            for (role, legal) in game.role_ids().zip(expansion.by_role()) {
                if legal.len() == 1 || game.chance() == Some(role) {
                    joint.push(legal[self.dice.below(legal.len())]);
                    continue;
                }
                let node = match is_known {
                    true => self.node(role, now[usize::from(role.0)], legal),
                    false => None,
                };
                is_known &= node.is_some();
                let choice = self.choose(role, node, legal.len(), role == learner);
                joint.push(legal[choice.place]);
                choices.push(choice);
            }
            if is_known {
                advance_views(game, workspace, &state, &joint, views, &mut now)?;
            }
            state = game.apply(workspace, &state, &joint)?;
        }
        let mut goals = Vec::new();
        game.goals(workspace, &state, &mut goals)?;
        let goals = goals.iter().map(|goal| f64::from(goal.value().0) / 100.0).collect();
        Ok((choices, goals))
    }

    /// Where a role knows something; `None` if there is no room, or its moves are others.
    fn node(&mut self, role: RoleId, view: View, legal: &[MoveId]) -> Option<u32> {
        let next = self.nodes.len() as u32;
        let known = self.places.get(&(role, view)).copied();
        if let Some(node) = known {
            return (self.nodes[node as usize].moves == legal).then_some(node);
        }
        if self.nodes.len() >= self.most_nodes {
            return None;
        }
        self.places.insert((role, view), next);
        let none = vec![0.0; legal.len()];
        self.nodes.push(Learned { moves: legal.to_vec(), regrets: none.clone(), sums: none, visits: 0 });
        Some(next)
    }

    fn choose(&mut self, role: RoleId, node: Option<u32>, count: usize, learns: bool) -> Choice {
        let shares = match node {
            Some(node) => shares_of(&self.nodes[node as usize].regrets),
            None => vec![1.0 / count as f64; count],
        };
        let explored = |share: f64| match learns {
            true => EXPLORATION / count as f64 + (1.0 - EXPLORATION) * share,
            false => share,
        };
        let mut rest = self.dice.unit();
        let found = shares.iter().position(|&share| {
            rest -= explored(share);
            rest < 0.0
        });
        // Rounding may leave a little: the likeliest takes it.
        let likeliest = || (0..count).reduce(|one, two| if shares[two] > shares[one] { two } else { one });
        let place = found.or_else(likeliest).unwrap_or(0);
        Choice { role, node, place, played: shares[place], sampled: explored(shares[place]), shares }
    }

    /// Learns from a course.
    fn update(&mut self, choices: &[Choice], learner: RoleId, goal: f64) {
        let sampled: f64 = choices.iter().map(|choice| choice.sampled).product();
        // How likely the course is from behind each choice on, as all play.
        let mut after = 1.0;
        let mut tails = vec![0.0; choices.len()];
        for (tail, choice) in tails.iter_mut().zip(choices).rev() {
            *tail = after;
            after *= choice.played;
        }
        let (mut own, mut others, mut reached) = (1.0, 1.0, 1.0);
        for (choice, tail) in choices.iter().zip(tails) {
            if choice.role == learner {
                if let Some(node) = choice.node {
                    let node = &mut self.nodes[node as usize];
                    node.visits += 1;
                    // Half of the most there is to get is in the middle: what differs from it counts.
                    let weight = (goal - 0.5) * others / sampled;
                    for (place, regret) in node.regrets.iter_mut().enumerate() {
                        let taken = if place == choice.place { tail } else { 0.0 };
                        *regret += weight * (taken - tail * choice.played);
                    }
                    for (sum, share) in node.sums.iter_mut().zip(&choice.shares) {
                        *sum += own / reached * share;
                    }
                }
                own *= choice.played;
            } else {
                others *= choice.played;
            }
            reached *= choice.sampled;
        }
    }
}

/// Shares by what weighs more than nothing; equal ones if nothing does.
fn shares_of(weights: &[f64]) -> Vec<f64> {
    let total: f64 = weights.iter().map(|weight| weight.max(0.0)).sum();
    let equal = 1.0 / weights.len().max(1) as f64;
    let share = |weight: &f64| if total > 0.0 { weight.max(0.0) / total } else { equal };
    weights.iter().map(share).collect()
}

//! Ways to choose where several roles choose at once, beside each by its own statistics: one after the other
//! (sequential UCT), by exponential weights (Exp3), and by regrets (regret matching); after Tak, Lanctot and
//! Winands (2014) and Lanctot, Lisý and Winands (2014).
//!
//! What they know of a node is kept beside the tree, by the link of the node. Paths down read it, and it learns
//! when a batch has ended. Where there is no room for it, or there are more joint moves than numbers, each role
//! chooses by its own statistics as usual. Rewards are from 0 to 1 here.

mod exp3;
mod mixing;
mod regret;
mod sequential;

use std::hash::Hash;

use game::Dice;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::paths::{Paths, StepId};
use super::returns::Returns;
use super::tree::{NodeId, Status, Tree};
use crate::{Parameters, Simultaneous};
use exp3::Weights;
pub(crate) use mixing::{draw, normalised};
use regret::{Cells, Regrets};
use sequential::{Prefix, Replies};

/// A place among the moves of each role.
pub(crate) type JointPlaces = SmallVec<[u32; 4]>;

/// About how many bytes a number of a table takes.
const NUMBER_BYTES: usize = 16;

/// What a choice was made with: of each role how likely the move was.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct JointChoice {
    pub(crate) places: JointPlaces,
    likelihoods: SmallVec<[f64; 4]>,
}

/// The choices of a batch, and what is under way in it.
#[derive(Debug, Default)]
pub(crate) struct JointTrail {
    choices: Vec<(StepId, JointChoice)>,
    /// Visits by node, what was chosen before, and place.
    begun: FxHashMap<(u64, Prefix, usize), u32>,
}

impl JointTrail {
    pub(crate) fn clear(&mut self) {
        self.choices.clear();
        self.begun.clear();
    }

    /// Notes by which step a choice was followed.
    pub(crate) fn note(&mut self, step: StepId, choice: JointChoice) {
        self.choices.push((step, choice));
    }
}

/// What a method knows of one node.
#[derive(Debug)]
enum Known {
    Weights(Vec<Weights>),
    Regrets(Vec<Regrets>, Cells),
    Replies(Replies),
}

impl Known {
    fn new(method: Simultaneous, counts: &[usize]) -> Self {
        match method {
            Simultaneous::Exp3 => Known::Weights(counts.iter().map(|&count| Weights::new(count)).collect()),
            Simultaneous::RegretMatching => {
                Known::Regrets(counts.iter().map(|&count| Regrets::new(count)).collect(), Cells::default())
            }
            // Without a method nothing is known of any node.
            Simultaneous::Sequential | Simultaneous::Decoupled => Known::Replies(Replies::default()),
        }
    }

    /// How many numbers it holds.
    fn numbers(&self) -> usize {
        match self {
            Known::Weights(roles) => roles.iter().map(Weights::numbers).sum(),
            Known::Regrets(roles, cells) => {
                roles.iter().map(Regrets::numbers).sum::<usize>() + cells.len() * (2 + roles.len())
            }
            Known::Replies(replies) => replies.numbers(),
        }
    }
}

/// What a method knows of the nodes of a tree in which several roles choose.
#[derive(Debug)]
pub(crate) struct JointTables {
    method: Simultaneous,
    /// The part of choices that are made at random.
    random_part: f64,
    chance: Option<usize>,
    /// The role that chooses first, where one chooses after the other.
    first: usize,
    tables: FxHashMap<u64, Known>,
    numbers: usize,
    most_numbers: usize,
}

impl JointTables {
    /// Without any table; `None` if roles choose by their own statistics.
    pub(crate) fn new(parameters: &Parameters, chance: Option<usize>) -> Option<Self> {
        let is_used = parameters.simultaneous != Simultaneous::Decoupled;
        is_used.then(|| Self {
            method: parameters.simultaneous,
            random_part: parameters.simultaneous_random,
            chance,
            first: 0,
            tables: FxHashMap::default(),
            numbers: 0,
            // A quarter of what the tree may have.
            most_numbers: ((parameters.memory as usize) << 18) / NUMBER_BYTES,
        })
    }

    /// Lets a role choose first where one chooses after the other: those that know its move are its worst case.
    /// What was learnt in another order is of no use.
    pub(crate) fn put_first(&mut self, role: usize) {
        if self.method == Simultaneous::Sequential && self.first != role {
            self.first = role;
            self.tables.clear();
            self.numbers = 0;
        }
    }

    /// The roles in the order in which they choose.
    fn order(&self, roles: usize) -> impl Iterator<Item = usize> + use<> {
        let first = self.first;
        std::iter::once(first).chain((0..roles).filter(move |&role| role != first))
    }

    /// Chooses for all roles, which have so many moves, in a node; `None` if each is to choose by its own
    /// statistics. `constant` is the factor of exploration with so many moves.
    pub(crate) fn choose(
        &self,
        node: u64,
        counts: &[usize],
        constant: impl Fn(usize) -> f64,
        trail: &mut JointTrail,
        dice: &mut Dice,
    ) -> Option<JointChoice> {
        let known = self.tables.get(&node);
        if known.is_none() && self.numbers >= self.most_numbers || Prefix::of_all(counts).is_none() {
            return None;
        }
        if self.method == Simultaneous::Sequential {
            return self.choose_in_turn(node, known, counts, constant, trail, dice);
        }
        let mut choice = JointChoice { places: SmallVec::new(), likelihoods: SmallVec::new() };
        for (role, &count) in counts.iter().enumerate() {
            let (place, likelihood) = match known {
                // Nothing is known, or nobody chooses.
                _ if count == 1 || self.chance == Some(role) => (dice.below(count), 1.0 / count as f64),
                None => (dice.below(count), 1.0 / count as f64),
                Some(known) => {
                    let strategy = self.sampled(known, role, count);
                    let place = draw(&strategy, dice.unit());
                    (place, strategy[place])
                }
            };
            choice.places.push(place as u32);
            choice.likelihoods.push(likelihood);
        }
        Some(choice)
    }

    /// How likely each move of a role is tried.
    fn sampled(&self, known: &Known, role: usize, count: usize) -> Vec<f64> {
        let own = match known {
            Known::Weights(weights) => return weights[role].strategy(self.random_part),
            Known::Regrets(regrets, _) => regrets[role].strategy(),
            Known::Replies(_) => vec![1.0 / count as f64; count],
        };
        let random = self.random_part / count as f64;
        own.into_iter().map(|part| (1.0 - self.random_part) * part + random).collect()
    }

    fn choose_in_turn(
        &self,
        node: u64,
        known: Option<&Known>,
        counts: &[usize],
        constant: impl Fn(usize) -> f64,
        trail: &mut JointTrail,
        dice: &mut Dice,
    ) -> Option<JointChoice> {
        let replies = known.and_then(|known| match known {
            Known::Replies(replies) => Some(replies),
            _ => None,
        });
        let mut places: JointPlaces = SmallVec::from_elem(0, counts.len());
        let mut before = Prefix::NOTHING;
        for role in self.order(counts.len()) {
            let count = counts[role];
            let begun = |place| trail.begun.get(&(node, before, place)).copied().unwrap_or(0);
            let place = match self.chance == Some(role) {
                true => dice.below(count),
                false => sequential::choose(replies, before, count, constant(count), begun, dice),
            };
            *trail.begun.entry((node, before, place)).or_default() += 1;
            places[role] = place as u32;
            before = before.then(place, count)?;
        }
        Some(JointChoice { places, likelihoods: SmallVec::new() })
    }

    /// Learns from the choices of a batch, given what the steps brought.
    pub(crate) fn learn<State: Eq + Hash>(
        &mut self,
        tree: &Tree<State>,
        paths: &Paths,
        trail: &JointTrail,
        returns: &Returns,
    ) {
        for (id, choice) in &trail.choices {
            let step = paths.step(*id);
            // Those that led nowhere were taken back.
            if step.visits == 0 {
                continue;
            }
            let Some(counts) = counts(tree, step.node) else { continue };
            let part = 1.0 / (100.0 * f64::from(step.visits));
            let rewards: SmallVec<[f64; 4]> = returns.of(id.index()).iter().map(|sum| sum * part).collect();
            self.learn_one(tree.link(step.node).key(), &counts, choice, &rewards);
        }
    }

    fn learn_one(&mut self, node: u64, counts: &[usize], choice: &JointChoice, rewards: &[f64]) {
        if self.numbers >= self.most_numbers && !self.tables.contains_key(&node) {
            return;
        }
        let order: SmallVec<[usize; 4]> = self.order(counts.len()).collect();
        let mut is_new = false;
        let known = self.tables.entry(node).or_insert_with(|| {
            is_new = true;
            Known::new(self.method, counts)
        });
        let before = if is_new { 0 } else { known.numbers() };
        let places = &choice.places;
        match known {
            Known::Weights(weights) => {
                for (role, weights) in weights.iter_mut().enumerate() {
                    let likelihood = choice.likelihoods.get(role).copied().unwrap_or(1.0);
                    weights.learn(places[role] as usize, rewards[role], likelihood, self.random_part);
                }
            }
            Known::Regrets(regrets, cells) => {
                for (role, regrets) in regrets.iter_mut().enumerate() {
                    if self.chance != Some(role) && counts[role] > 1 {
                        let others = |place| cells.mean(counts, places, role, place);
                        regrets.learn(places[role] as usize, rewards[role], others);
                    }
                }
                cells.add(counts, places, rewards);
            }
            Known::Replies(replies) => {
                let mut before = Some(Prefix::NOTHING);
                for role in order {
                    let (place, count) = (places[role] as usize, counts[role]);
                    let Some(known) = before else { break };
                    replies.learn(known, place, count, rewards[role]);
                    before = known.then(place, count);
                }
            }
        }
        self.numbers += known.numbers().saturating_sub(before);
    }

    /// How a role mixes its moves in a node, over all visits; `None` if the method does not mix, or nothing is
    /// known.
    pub(crate) fn strategy(&self, node: u64, role: usize) -> Option<Vec<f64>> {
        match self.tables.get(&node)? {
            Known::Weights(weights) => Some(weights.get(role)?.mean_strategy(self.random_part)),
            Known::Regrets(regrets, _) => Some(regrets.get(role)?.mean_strategy()),
            Known::Replies(_) => None,
        }
    }

    /// Forgets what is known of nodes that are gone, after a move of the match; all if it takes too much.
    pub(crate) fn tidy<State: Eq + Hash>(&mut self, tree: &Tree<State>) {
        if 2 * self.numbers >= self.most_numbers {
            self.tables.clear();
        }
        self.tables.retain(|&key, _| tree.is_current_key(key));
        self.numbers = self.tables.values().map(Known::numbers).sum();
    }
}

/// How many moves each role has in an open node in which several choose.
pub(crate) fn counts<State: Eq + Hash>(tree: &Tree<State>, node: NodeId) -> Option<SmallVec<[usize; 4]>> {
    let Status::Open { block, mover: None } = tree.node(node).status() else { return None };
    let block = tree.block(block);
    Some((0..tree.roles()).map(|role| block.edges(role).len()).collect())
}

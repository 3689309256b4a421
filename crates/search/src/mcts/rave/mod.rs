//! Rapid action value estimation: how a move fared in all simulations through a node in which its role made
//! it at any later time (Gelly and Silver 2007; in general game playing Finnsson and Björnsson 2010).
//!
//! A node has a table of all moves made below it. With a reference of 0 a node uses its own table: that is
//! RAVE. Otherwise a node with fewer visits than the reference uses the table of the nearest node above it
//! with as many: generalized RAVE (Cazenave 2015). Values are discounted as the means are that they are
//! mixed with.

use std::hash::Hash;

use game::{MoveId, RoleId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::descend::Trail;
use super::leaf::LeafValues;
use super::paths::{End, Leaf, Paths, StepId};
use super::tree::{NodeId, Status, Tree};
use crate::{Parameters, Rave};

/// About how many bytes a row of a table takes.
const ROW_BYTES: usize = 40;

/// How a move fared.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct RaveValue {
    pub(crate) visits: u32,
    sum: f64,
}

impl RaveValue {
    pub(crate) fn mean(self) -> f64 {
        self.sum / f64::from(self.visits.max(1))
    }
}

/// How the moves made below a node fared, by role and move.
#[derive(Clone, Debug, Default)]
pub(crate) struct RaveTable {
    rows: FxHashMap<(RoleId, MoveId), RaveValue>,
}

impl RaveTable {
    /// How a move fared; `None` if it was not made.
    pub(crate) fn of(&self, role: RoleId, id: MoveId) -> Option<RaveValue> {
        self.rows.get(&(role, id)).copied()
    }

    /// Adds simulations in which a role made a move.
    pub(crate) fn add(&mut self, role: RoleId, id: MoveId, times: u32, value: f64) {
        let row = self.rows.entry((role, id)).or_default();
        row.visits = row.visits.saturating_add(times);
        row.sum += f64::from(times) * value;
    }
}

/// The tables of a tree.
#[derive(Debug)]
pub(crate) struct RaveTables {
    tables: FxHashMap<u64, RaveTable>,
    reference: u32,
    discount: f64,
    /// Whose moves are drawn: nobody chooses by what they brought.
    chance: Option<usize>,
    rows: usize,
    most_rows: usize,
    /// The moves made from a node on, while a simulation is learnt from.
    made: FxHashSet<(RoleId, MoveId)>,
}

impl RaveTables {
    /// Without any table; `None` if they are not asked for.
    pub(crate) fn new(parameters: &Parameters, chance: Option<usize>) -> Option<Self> {
        let is_used = parameters.rave != Rave::Off;
        is_used.then(|| Self {
            tables: FxHashMap::default(),
            reference: parameters.rave_reference,
            discount: parameters.discount,
            chance,
            rows: 0,
            // A quarter of what the tree may have.
            most_rows: ((parameters.memory as usize) << 18) / ROW_BYTES,
            made: FxHashSet::default(),
        })
    }

    /// The table that counts in a node, come to by a step.
    pub(crate) fn used_in<State: Eq + Hash>(
        &self,
        tree: &Tree<State>,
        node: NodeId,
        paths: &Paths,
        step: Option<StepId>,
    ) -> Option<&RaveTable> {
        let table = |node: NodeId| self.tables.get(&tree.link(node).key());
        if self.reference == 0 {
            return table(node);
        }
        let nodes = std::iter::once(node).chain(paths.up(step).map(|step| paths.step(step).node));
        let mut known = nodes.filter(|&node| tree.node(node).visits().1 >= self.reference);
        // Without any that is known well enough, the root is known best.
        known.find_map(table).or_else(|| table(tree.root()))
    }

    /// Learns from all simulations of a batch.
    pub(crate) fn learn<State: Eq + Hash>(&mut self, tree: &Tree<State>, trail: &Trail, values: &LeafValues) {
        let mut reader = values.read();
        let mut goals = vec![0.0; tree.roles()];
        for leaf in &trail.leaves {
            match leaf.end {
                End::New | End::Again => {
                    for playout in reader.next(leaf).playouts() {
                        let outcomes = &values.outcomes;
                        let length = i32::try_from(outcomes.length(playout)).unwrap_or(i32::MAX);
                        let weight = self.discount.powi(length);
                        let reached = values.goals(playout).map(|goal| weight * goal);
                        goals.iter_mut().zip(reached).for_each(|(goal, reached)| *goal = reached);
                        let chance = self.chance;
                        let is_chance = |role: RoleId| chance == Some(usize::from(role.0));
                        self.made.clear();
                        self.made.extend(outcomes.made.of(playout).filter(|(role, _)| !is_chance(*role)));
                        self.learn_one(tree, trail, leaf, &goals, 1);
                    }
                }
                // Games that end inside the tree teach as much as those that are played out.
                End::Proven => {
                    let node = tree.node(leaf.node);
                    goals.iter_mut().enumerate().for_each(|(role, goal)| *goal = node.mean(role));
                    self.made.clear();
                    self.learn_one(tree, trail, leaf, &goals, leaf.visits * values.playouts_a_visit());
                }
                End::Unlisted | End::Waiting | End::Nowhere => {}
            }
        }
    }

    /// Learns from simulations through a leaf that are alike, given the moves made below it and what the
    /// leaf is worth.
    fn learn_one<State: Eq + Hash>(
        &mut self,
        tree: &Tree<State>,
        trail: &Trail,
        leaf: &Leaf,
        goals: &[f64],
        times: u32,
    ) {
        let mut made = std::mem::take(&mut self.made);
        let mut weight = 1.0;
        for id in trail.paths.up(leaf.step) {
            let step = trail.paths.step(id);
            weight *= self.discount;
            let node = tree.node(step.node);
            let Status::Open { block, mover } = node.status() else { continue };
            for (index, &place) in trail.paths.places(step).iter().enumerate() {
                let role = mover.map_or(index, usize::from);
                if self.chance != Some(role) {
                    made.insert((RoleId(role as u16), tree.edges(block, role).id(place as usize)));
                }
            }
            let key = tree.link(step.node).key();
            let Some(table) = self.table(key, node.visits().1, step.node == tree.root()) else { continue };
            let before = table.rows.len();
            for &(role, id) in &made {
                table.add(role, id, times, weight * goals[usize::from(role.0)]);
            }
            let more = table.rows.len() - before;
            self.rows += more;
        }
        self.made = made;
    }

    /// The table of a node with some visits, if it has one or is to have one: one that others refer to is
    /// begun when half of the visits are there, and none while memory is short.
    fn table(&mut self, key: u64, visits: u32, is_root: bool) -> Option<&mut RaveTable> {
        let is_wanted = is_root || 2 * visits >= self.reference;
        if self.rows >= self.most_rows || !is_wanted {
            return self.tables.get_mut(&key);
        }
        Some(self.tables.entry(key).or_default())
    }

    /// Forgets the tables of nodes that are gone, after a move of the match; all if they take too much.
    pub(crate) fn tidy<State: Eq + Hash>(&mut self, tree: &Tree<State>) {
        if 2 * self.rows >= self.most_rows {
            self.tables.clear();
        } else {
            self.tables.retain(|&key, _| tree.is_current_key(key));
        }
        self.rows = self.tables.values().map(|table| table.rows.len()).sum();
    }
}

/// What part the RAVE value has where a node has some visits: as much as the mean where these are `k`.
pub(crate) fn share_by_schedule(k: f64, node_visits: u32) -> f64 {
    (k / (3.0 * f64::from(node_visits) + k)).sqrt()
}

/// What part the RAVE value has that makes the expected error least, if it is wrong by a bias: by how often
/// the move was made below the node, and in it.
pub(crate) fn share_by_error(bias: f64, rave_visits: u32, visits: u32) -> f64 {
    let (all, own) = (f64::from(rave_visits), f64::from(visits));
    if all == 0.0 { 0.0 } else { all / (all + own + bias * all * own) }
}

/// The correlation of pairs of numbers; `None` where there are too few, or nothing varies.
pub(crate) fn correlation(pairs: impl Iterator<Item = (f64, f64)> + Clone) -> Option<f64> {
    const FEWEST: usize = 3;
    let count = pairs.clone().count();
    if count < FEWEST {
        return None;
    }
    let sums = pairs.clone().fold((0.0, 0.0), |sums, pair| (sums.0 + pair.0, sums.1 + pair.1));
    let means = (sums.0 / count as f64, sums.1 / count as f64);
    let (mut first, mut second, mut both) = (0.0, 0.0, 0.0);
    for (one, other) in pairs.map(|pair| (pair.0 - means.0, pair.1 - means.1)) {
        first += one * one;
        second += other * other;
        both += one * other;
    }
    (first > 0.0 && second > 0.0).then(|| both / (first * second).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_those_of_the_papers() {
        // sqrt(1000 / (3 * 1000 + 1000)) = 1/2.
        assert_eq!(share_by_schedule(1000.0, 1000), 0.5);
        assert_eq!(share_by_schedule(1000.0, 0), 1.0);
        // 30 / (30 + 10 + 0.1 * 300) = 30/70.
        assert!((share_by_error(0.1, 30, 10) - 3.0 / 7.0).abs() < 1e-12);
        assert_eq!(share_by_error(1e-7, 5, 0), 1.0);
        assert_eq!(share_by_error(1e-7, 0, 5), 0.0);
    }

    #[test]
    fn correlation_needs_three_that_differ() {
        let of = |pairs: &[(f64, f64)]| correlation(pairs.iter().copied());
        assert_eq!(of(&[(1.0, 2.0), (2.0, 4.0)]), None);
        assert_eq!(of(&[(1.0, 2.0), (1.0, 4.0), (1.0, 3.0)]), None);
        assert!((of(&[(1.0, 2.0), (2.0, 4.0), (3.0, 6.0)]).expect("they differ") - 1.0).abs() < 1e-12);
        // Deviations (-1, 0, 1) and (-1, 1, 0): 1 / sqrt(2 * 2).
        assert!((of(&[(0.0, 0.0), (1.0, 2.0), (2.0, 1.0)]).expect("they differ") - 0.5).abs() < 1e-12);
    }

    #[test]
    fn tables_keep_means_by_role() {
        let mut table = RaveTable::default();
        table.add(RoleId(0), MoveId(3), 1, 100.0);
        table.add(RoleId(0), MoveId(3), 1, 50.0);
        table.add(RoleId(1), MoveId(3), 1, 10.0);
        let of = |role| table.of(RoleId(role), MoveId(3)).map(|value| (value.visits, value.mean()));
        assert_eq!((of(0), of(1), of(2)), (Some((2, 75.0)), Some((1, 10.0)), None));
    }
}

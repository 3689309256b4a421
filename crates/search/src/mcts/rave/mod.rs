//! Rapid action value estimation: how a move fared in all simulations through a node in which its role made
//! it at any later time (Gelly and Silver 2007; in general game playing Finnsson and Björnsson 2010).
//!
//! A node has a table of all moves made below it. With a reference of 0 a node uses its own table: that is
//! RAVE. Otherwise a node with fewer visits than the reference uses the table of the nearest node above it
//! with as many: generalized RAVE (Cazenave 2015). Values are discounted as the means are that they are
//! mixed with.

mod lesson;

use std::hash::Hash;

use game::{Columns, MoveId, RoleId};
use rustc_hash::FxHashMap;

use super::descend::Trail;
use super::leaf::LeafValues;
use super::paths::{End, Leaf, Paths, StepId};
use super::returns::powers;
use super::tree::{NodeId, Status, Tree};
use crate::{Parameters, Rave};
use lesson::Lesson;

/// How a move fared.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct RaveValue {
    pub(crate) visits: u32,
    mean: f32,
}

impl RaveValue {
    pub(crate) fn mean(self) -> f64 {
        f64::from(self.mean)
    }

    /// Adds simulations that were worth so much on average.
    fn add(&mut self, times: u32, value: f64) {
        self.visits = self.visits.saturating_add(times);
        self.mean += ((value - self.mean()) * f64::from(times) / f64::from(self.visits)) as f32;
    }
}

/// How the moves made below a node fared, column by column.
#[derive(Clone, Debug, Default)]
struct Row {
    values: Vec<RaveValue>,
}

impl Row {
    fn add(&mut self, column: usize, times: u32, value: f64) {
        if column >= self.values.len() {
            self.values.resize(column + 1, RaveValue::default());
        }
        self.values[column].add(times, value);
    }
}

/// The table of a node, to be read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RaveTable<'a> {
    row: &'a Row,
    columns: &'a Columns,
}

impl RaveTable<'_> {
    /// How a move fared; `None` if it was not made.
    pub(crate) fn of(&self, role: RoleId, id: MoveId) -> Option<RaveValue> {
        let value = *self.row.values.get(self.columns.find(role, id)?)?;
        (value.visits > 0).then_some(value)
    }
}

/// The tables of a tree.
#[derive(Debug)]
pub(crate) struct RaveTables {
    columns: Columns,
    rows: FxHashMap<u64, Row>,
    reference: u32,
    discount: f64,
    /// Powers of the discount.
    discounts: Vec<f64>,
    /// Whose moves are drawn: nobody chooses by what they brought.
    chance: Option<usize>,
    /// Values that all rows may have together.
    most_values: usize,
    lesson: Lesson,
}

impl RaveTables {
    /// Without any table; `None` if they are not asked for.
    pub(crate) fn new(parameters: &Parameters, chance: Option<usize>) -> Option<Self> {
        let is_used = parameters.rave != Rave::Off;
        is_used.then(|| Self {
            columns: Columns::default(),
            rows: FxHashMap::default(),
            reference: parameters.rave_reference,
            discount: parameters.discount,
            discounts: powers(parameters.discount),
            chance,
            // A quarter of what the tree may have.
            most_values: ((parameters.memory as usize) << 18) / size_of::<RaveValue>(),
            lesson: Lesson::default(),
        })
    }

    /// The table that counts in a node, come to by a step.
    pub(crate) fn used_in<State: Eq + Hash>(
        &self,
        tree: &Tree<State>,
        node: NodeId,
        paths: &Paths,
        step: Option<StepId>,
    ) -> Option<RaveTable<'_>> {
        let table = |node: NodeId| {
            let row = self.rows.get(&tree.link(node).key())?;
            Some(RaveTable { row, columns: &self.columns })
        };
        if self.reference == 0 {
            return table(node);
        }
        let nodes = std::iter::once(node).chain(paths.up(step).map(|step| paths.step(step).node));
        let mut known = nodes.filter(|&node| tree.node(node).visits().1 >= self.reference);
        // Without any that is known well enough, the root is known best.
        known.find_map(table).or_else(|| table(tree.root()))
    }

    /// Learns from all simulations of a batch. What playouts lose by their lengths counts on average over those that ended
    /// alike: which of them made a move is not asked for it.
    pub(crate) fn learn<State: Eq + Hash>(&mut self, tree: &Tree<State>, trail: &Trail, values: &LeafValues) {
        let paths = &trail.paths;
        let mut lesson = std::mem::take(&mut self.lesson);
        lesson.begin(values.outcomes.len(), paths.len());
        let mut reader = values.read();
        for leaf in &trail.leaves {
            match leaf.end {
                End::New | End::Again => {
                    let playouts = reader.next(leaf).playouts();
                    if let Some(step) = leaf.step {
                        lesson.add_leaf(step, playouts, self.discount);
                    }
                }
                End::Proven => self.learn_end(tree, paths, leaf, leaf.visits * values.playouts_a_visit()),
                End::Unlisted | End::Waiting | End::Nowhere => {}
            }
        }
        lesson.go_up(paths, self.discount);
        lesson.read(values, &mut self.columns, &self.discounts, self.chance);
        for step in paths.last_first() {
            let node = paths.step(step).node;
            let key = tree.link(node).key();
            if self.learns(key, tree.node(node).visits().1, node == tree.root()) {
                lesson.enrol(step, key);
            }
        }
        for step in paths.last_first() {
            self.moves_of(tree, paths, step, |column| lesson.add_tree_move(paths, step, column));
        }
        for pupil in 0..lesson.pupils.len() {
            let row = self.rows.entry(lesson.pupils[pupil].key).or_default();
            row.values.resize(self.columns.len(), RaveValue::default());
            lesson.teach(pupil, &self.columns, |column, times, value| row.add(column, times, value));
        }
        self.lesson = lesson;
    }

    /// Games that end inside the tree teach as much as those that are played out.
    fn learn_end<State: Eq + Hash>(&mut self, tree: &Tree<State>, paths: &Paths, leaf: &Leaf, times: u32) {
        let mut made: Vec<usize> = Vec::new();
        let mut weight = 1.0;
        for step in paths.up(leaf.step) {
            weight *= self.discount;
            self.moves_of(tree, paths, step, |column| {
                if !made.contains(&column) {
                    made.push(column);
                }
            });
            let node = paths.step(step).node;
            let key = tree.link(node).key();
            if !self.learns(key, tree.node(node).visits().1, node == tree.root()) {
                continue;
            }
            let row = self.rows.entry(key).or_default();
            for &column in &made {
                let goal = tree.node(leaf.node).mean(usize::from(self.columns.role(column).0));
                row.add(column, times, weight * goal);
            }
        }
    }

    /// The columns of the moves that were chosen in a step.
    fn moves_of<State: Eq + Hash>(
        &mut self,
        tree: &Tree<State>,
        paths: &Paths,
        step: StepId,
        mut tell: impl FnMut(usize),
    ) {
        let step = paths.step(step);
        let Status::Open { block, mover } = tree.node(step.node).status() else { return };
        for (index, &place) in paths.places(step).iter().enumerate() {
            let role = mover.map_or(index, usize::from);
            if self.chance != Some(role) {
                let id = tree.edges(block, role).id(place as usize);
                tell(self.columns.of(RoleId(role as u16), id));
            }
        }
    }

    /// Whether a node with some visits has a table, or is to have one: one that others refer to is
    /// begun when half of the visits are there, and none while memory is short.
    fn learns(&self, key: u64, visits: u32, is_root: bool) -> bool {
        let is_wanted = is_root || 2 * visits >= self.reference;
        let has_room = self.rows.len() * self.columns.len().max(1) < self.most_values;
        is_wanted && has_room || self.rows.contains_key(&key)
    }

    /// Forgets the tables of nodes that are gone, after a move of the match; all if they take too much.
    pub(crate) fn tidy<State: Eq + Hash>(&mut self, tree: &Tree<State>) {
        if 2 * self.rows.len() * self.columns.len() >= self.most_values {
            self.rows.clear();
        } else {
            self.rows.retain(|&key, _| tree.is_current_key(key));
        }
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
        let (mut row, mut columns) = (Row::default(), Columns::default());
        for (role, value) in [(0, 100.0), (0, 50.0), (1, 10.0)] {
            row.add(columns.of(RoleId(role), MoveId(3)), 1, value);
        }
        let table = RaveTable { row: &row, columns: &columns };
        let of = |role| table.of(RoleId(role), MoveId(3)).map(|value| (value.visits, value.mean()));
        assert_eq!((of(0), of(1), of(2)), (Some((2, 75.0)), Some((1, 10.0)), None));
    }
}

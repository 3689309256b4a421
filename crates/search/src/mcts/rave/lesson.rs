//! What a batch teaches, 64 playouts at a time: the playouts through a node are bits, those in which a move was made are bits,
//! and those that ended with a goal are bits, so that counting is and, or, and how many bits are set.

use game::Columns;
use rustc_hash::FxHashMap;

use crate::mcts::leaf::LeafValues;
use crate::mcts::paths::{Paths, StepId};

/// What is known of a batch while it is learnt from; kept from batch to batch for its room.
#[derive(Debug, Default)]
pub(super) struct Lesson {
    /// Words of all playouts.
    words: usize,
    /// The playouts that came through each step, and the sum of what they lose by the steps from its node to the leaf.
    steps: Vec<u64>,
    weights: Vec<f64>,
    /// The node of each step, as a place among the pupils.
    owners: Vec<Option<u32>>,
    pub(super) pupils: Vec<Pupil>,
    by_key: FxHashMap<u64, u32>,
    /// Of each role, the goals that playouts ended with.
    ends: Vec<Vec<Ended>>,
    /// The moves of playouts: column, and place among the words of all of them.
    made: Vec<(usize, usize)>,
    made_bits: Vec<u64>,
    /// The moves that were made in the tree below a node: playouts by column.
    tree_bits: Vec<u64>,
    is_in_tree: Vec<bool>,
    touched: Vec<usize>,
}

/// A node whose table learns.
#[derive(Debug)]
pub(super) struct Pupil {
    pub(super) key: u64,
    /// The playouts that came through it.
    playouts: Vec<u64>,
    /// What they lose by the steps to the leaf, summed.
    weight: f64,
    /// The moves made in the tree below it, by column and step.
    tree_moves: Vec<(usize, StepId)>,
}

/// The playouts that ended with a goal of a role.
#[derive(Debug)]
struct Ended {
    goal: f64,
    /// What the goal is worth to them, each being discounted by its length: sum and number.
    worth: (f64, u32),
    playouts: Vec<u64>,
}

impl Lesson {
    /// Begins a batch of so many playouts on so many steps.
    pub(super) fn begin(&mut self, playouts: usize, steps: usize) {
        self.words = playouts.div_ceil(64).max(1);
        self.steps.clear();
        self.steps.resize(steps * self.words, 0);
        self.weights.clear();
        self.weights.resize(steps, 0.0);
        self.owners.clear();
        self.owners.resize(steps, None);
        self.pupils.clear();
        self.by_key.clear();
        self.ends.clear();
        self.made.clear();
        self.made_bits.clear();
    }

    /// Says which playouts began behind a step.
    pub(super) fn add_leaf(&mut self, step: StepId, playouts: std::ops::Range<usize>, discount: f64) {
        self.weights[step.index()] += playouts.len() as f64 * discount;
        let words = &mut self.steps[step.index() * self.words..][..self.words];
        playouts.for_each(|playout| words[playout / 64] |= 1 << (playout % 64));
    }

    /// All playouts are known by the last steps: says it of the steps before.
    pub(super) fn go_up(&mut self, paths: &Paths, discount: f64) {
        for id in paths.last_first() {
            let Some(before) = paths.step(id).before else { continue };
            let (earlier, own) = self.steps.split_at_mut(id.index() * self.words);
            let earlier = &mut earlier[before.index() * self.words..][..self.words];
            earlier.iter_mut().zip(own).for_each(|(earlier, own)| *earlier |= *own);
            self.weights[before.index()] += discount * self.weights[id.index()];
        }
    }

    /// Says that the node of a step learns.
    pub(super) fn enrol(&mut self, step: StepId, key: u64) {
        let next = self.pupils.len() as u32;
        let place = *self.by_key.entry(key).or_insert(next);
        if place == next {
            let playouts = vec![0; self.words];
            self.pupils.push(Pupil { key, playouts, weight: 0.0, tree_moves: Vec::new() });
        }
        let pupil = &mut self.pupils[place as usize];
        let own = &self.steps[step.index() * self.words..][..self.words];
        pupil.playouts.iter_mut().zip(own).for_each(|(all, own)| *all |= own);
        pupil.weight += self.weights[step.index()];
        self.owners[step.index()] = Some(place);
    }

    /// Says that a move was made in a step: below its node and all before.
    pub(super) fn add_tree_move(&mut self, paths: &Paths, step: StepId, column: usize) {
        for above in paths.up(Some(step)) {
            if let Some(place) = self.owners[above.index()] {
                self.pupils[place as usize].tree_moves.push((column, step));
            }
        }
    }

    /// Reads what playouts ended with, and which moves they had.
    pub(super) fn read(
        &mut self,
        values: &LeafValues,
        columns: &mut Columns,
        discounts: &[f64],
        chance: Option<usize>,
    ) {
        let words = self.words;
        for playout in 0..values.outcomes.len() {
            let length = values.outcomes.length(playout) as usize;
            let weight = discounts.get(length).or(discounts.last()).copied().unwrap_or(1.0);
            for (role, goal) in values.goals(playout).enumerate() {
                if role >= self.ends.len() {
                    self.ends.resize_with(role + 1, Vec::new);
                }
                let ends = &mut self.ends[role];
                let place = ends.iter().position(|end| end.goal == goal).unwrap_or_else(|| {
                    ends.push(Ended { goal, worth: (0.0, 0), playouts: vec![0; words] });
                    ends.len() - 1
                });
                let end = &mut ends[place];
                end.worth = (end.worth.0 + weight * goal, end.worth.1 + 1);
                end.playouts[playout / 64] |= 1 << (playout % 64);
            }
        }
        for (role, id, bits) in values.outcomes.made.iter() {
            if chance != Some(usize::from(role.0)) {
                self.made.push((columns.of(role, id), self.made_bits.len()));
                self.made_bits.extend_from_slice(bits);
                self.made_bits.resize(self.made_bits.len() + words - bits.len(), 0);
            }
        }
    }

    /// Goes through the moves that were made below a node: column, in how many playouts, and what these were worth on
    /// average to who made it.
    pub(super) fn teach(&mut self, pupil: usize, columns: &Columns, mut learn: impl FnMut(usize, u32, f64)) {
        let words = self.words;
        let pupil = &self.pupils[pupil];
        let Some(first) = pupil.playouts.iter().position(|word| *word != 0) else { return };
        let end = words - pupil.playouts.iter().rev().take_while(|word| **word == 0).count();
        let through = &pupil.playouts[first..end];
        let count: u32 = through.iter().map(|word| word.count_ones()).sum();
        let weight = pupil.weight / f64::from(count);
        let ends = &self.ends;
        let mut count = |column: usize, bits: &[u64]| {
            let common = |other: &[u64]| -> u32 {
                let words = bits.iter().zip(through).zip(other);
                words.map(|((bits, through), other)| (bits & through & other).count_ones()).sum()
            };
            let times: u32 =
                bits.iter().zip(through).map(|(bits, through)| (bits & through).count_ones()).sum();
            if times > 0 {
                let worth = ends[usize::from(columns.role(column).0)]
                    .iter()
                    .filter(|end| end.worth.0 != 0.0)
                    .map(|end| {
                        f64::from(common(&end.playouts[first..])) * end.worth.0 / f64::from(end.worth.1)
                    });
                learn(column, times, weight * worth.sum::<f64>() / f64::from(times));
            }
        };
        self.is_in_tree.resize(columns.len(), false);
        self.tree_bits.resize(columns.len() * words, 0);
        for &(column, step) in &pupil.tree_moves {
            let bits = &mut self.tree_bits[column * words..][..words];
            if !std::mem::replace(&mut self.is_in_tree[column], true) {
                bits.fill(0);
                self.touched.push(column);
            }
            let step = &self.steps[step.index() * words..][..words];
            bits.iter_mut().zip(step).for_each(|(bits, step)| *bits |= step);
        }
        for &(column, place) in &self.made {
            let made = &self.made_bits[place..][..words];
            if self.is_in_tree[column] {
                let bits = &mut self.tree_bits[column * words..][..words];
                bits.iter_mut().zip(made).for_each(|(bits, made)| *bits |= made);
            } else {
                count(column, &made[first..end]);
            }
        }
        for column in self.touched.drain(..) {
            self.is_in_tree[column] = false;
            count(column, &self.tree_bits[column * words..][first..end]);
        }
    }
}

#[cfg(test)]
mod tests {
    use game::{Goal, MoveId, RoleId};

    use super::*;
    use crate::mcts::tree::NodeId;

    #[test]
    fn moves_count_once_in_every_playout_below_a_node() {
        // Two paths from node 1: moves 7 and 8 to two playouts, move 5 to a third one.
        let mut paths = Paths::default();
        let first = paths.push(NodeId(1), None, 2, &[0]);
        let second = paths.push(NodeId(2), Some(first), 2, &[0]);
        let other = paths.push(NodeId(1), None, 1, &[1]);
        let mut values = LeafValues::default();
        values.begin(1, 1, false);
        values.outcomes.reset(1, 3);
        for (playout, goal) in [(0, 100), (1, 0), (2, 50)] {
            values.outcomes.raise(playout, 0, Goal(goal));
        }
        // Move 5 is made in the first and, a second time, in the third.
        values.outcomes.made.push(0, RoleId(0), MoveId(5));
        values.outcomes.made.push(2, RoleId(0), MoveId(5));
        let (mut lesson, mut columns) = (Lesson::default(), Columns::default());
        lesson.begin(3, paths.len());
        lesson.add_leaf(second, 0..2, 1.0);
        lesson.add_leaf(other, 2..3, 1.0);
        lesson.go_up(&paths, 1.0);
        lesson.read(&values, &mut columns, &[1.0], None);
        for (step, key) in [(first, 1), (second, 2), (other, 1)] {
            lesson.enrol(step, key);
        }
        for (step, id) in [(first, 7), (second, 8), (other, 5)] {
            lesson.add_tree_move(&paths, step, columns.of(RoleId(0), MoveId(id)));
        }
        let mut taught = |key: u64| {
            let pupil = lesson.pupils.iter().position(|pupil| pupil.key == key).expect("it learns");
            let mut found = Vec::new();
            lesson.teach(pupil, &columns, |column, times, value| found.push((column, times, value)));
            let of = |id: u32| {
                let column = columns.find(RoleId(0), MoveId(id)).expect("it was made");
                found.iter().find(|row| row.0 == column).map(|row| (row.1, row.2))
            };
            [of(5), of(7), of(8)]
        };
        assert_eq!(taught(1), [Some((2, 75.0)), Some((2, 50.0)), Some((2, 50.0))]);
        assert_eq!(taught(2), [Some((1, 100.0)), None, Some((2, 50.0))]);
    }
}

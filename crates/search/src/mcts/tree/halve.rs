//! Counting on: numbers of visits have room for some thousand millions, which a long search makes.

use std::hash::Hash;

use super::{NodeId, Status, Tree};
use crate::sync::{AtomicU64, Ordering};

/// Visits of the root at which all numbers are halved. A visit may come through a node more than once
/// where positions repeat, so there is room for some times as many.
const MOST_VISITS: u32 = 1 << 29;

/// Halves visits begun and ended, and takes as much of what they brought as is left of them. Where there
/// were some visits, some stay.
fn halve(visits: &AtomicU64, sums: &[AtomicU64]) {
    let old = visits.load(Ordering::Relaxed);
    let (begun, ended) = (old as u32, (old >> 32) as u32);
    let (fewer_begun, fewer_ended) = (begun.div_ceil(2), ended.div_ceil(2));
    visits.store(u64::from(fewer_begun) | u64::from(fewer_ended) << 32, Ordering::Relaxed);
    let part = f64::from(fewer_ended) / f64::from(ended.max(1));
    for sum in sums {
        let less = sum.load(Ordering::Relaxed) as i64 as f64 * part;
        sum.store(less as i64 as u64, Ordering::Relaxed);
    }
}

impl<State: Eq + Hash> Tree<State> {
    /// Whether visits could soon no longer be counted.
    pub(crate) fn is_worn(&self) -> bool {
        self.node(self.root()).visits().0 >= MOST_VISITS
    }

    /// Halves all visits, and what they brought: means and proportions stay what they are.
    pub(crate) fn halve(&mut self) {
        for id in (1..self.nodes.end()).map(NodeId) {
            let node = self.node(id);
            halve(node.visits_word(), node.sums());
            if let Status::Open { block, .. } = node.status() {
                let edges = self.shape.all_edges(&self.blocks, block);
                edges.iter().for_each(|edge| halve(edge.visits_word(), edge.sums()));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use game::{Expansion, MoveId};

    use super::super::{Shape, Stock, UNIT};
    use super::*;

    #[test]
    fn means_stay_when_numbers_are_halved() {
        crate::sync::tried(halve_all);
    }

    fn halve_all() {
        let mut tree = Tree::new(0u32, Shape::new(2, true), true, 0);
        assert!(tree.grow(8, 8, usize::MAX));
        let mut expansion = Expansion::new();
        expansion.begin(false);
        (0..3).for_each(|id| expansion.push(MoveId(id)));
        expansion.end_role();
        expansion.push(MoveId(9));
        expansion.end_role();
        let root = tree.root();
        assert!(tree.node(root).claim());
        assert!(tree.open(root, expansion.choices(), &mut Stock::default()));
        let Status::Open { block, .. } = tree.node(root).status() else { panic!("it is open") };
        assert!(!tree.is_worn());
        {
            let mut held = tree.node(root).hold(false);
            held.begin_visits(MOST_VISITS);
            held.end_visits(MOST_VISITS - 3);
            held.set_mean(1, 62.5);
            let edges = tree.edges(block, 0);
            edges.get(0).begin_visits(MOST_VISITS - 1, &held);
            edges.get(0).end_visits(MOST_VISITS - 4, &held);
            edges.get(0).add_worth(1, (62.5 * UNIT) as i64 * i64::from(MOST_VISITS - 4), &held);
            edges.get(0).add_square(1 << 40, &held);
            edges.get(1).begin_visits(1, &held);
            edges.get(1).end_visits(1, &held);
            edges.get(1).add_worth(0, 100 * UNIT as i64, &held);
        }
        assert!(tree.is_worn());
        tree.halve();
        assert!(!tree.is_worn());
        let node = tree.node(root);
        assert_eq!(node.visits(), (MOST_VISITS / 2, MOST_VISITS / 2 - 1));
        assert!((node.mean(1) - 62.5).abs() < 1e-6);
        let edges = tree.edges(block, 0);
        assert_eq!(edges.get(0).visits(), (MOST_VISITS / 2, MOST_VISITS / 2 - 2));
        let mean = edges.get(0).worth(1) as f64 / UNIT / f64::from(MOST_VISITS / 2 - 2);
        assert!((mean - 62.5).abs() < 1e-6, "{mean}");
        assert!(edges.get(0).squares().abs_diff(1 << 39) < 1 << 20);
        // One visit is not half a visit, and none is none.
        assert_eq!((edges.get(1).visits(), edges.get(1).worth(0)), ((1, 1), 100 * UNIT as i64));
        assert_eq!(edges.get(2).visits(), (0, 0));
    }
}

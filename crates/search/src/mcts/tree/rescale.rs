//! Counting on: sums have room for some hundred million visits, which a long search makes.

use super::block::Block;
use super::node_lock::NodeLock;
use super::worth;
use crate::sync::{AtomicU64, Ordering};

/// Visits of a node at which its numbers are halved. A visit may come through a node more than once where
/// positions repeat, so there is room for some times as many.
pub(crate) const MOST_VISITS: u32 = 1 << 25;

/// How many of some visits are left. Where there were some, some stay.
fn half(visits: u32) -> u32 {
    visits.div_ceil(2)
}

/// Takes as much of what visits brought as is left of them.
fn rescale_sums(words: &[AtomicU64], before: u32, after: u32) {
    let part = f64::from(after) / f64::from(before.max(1));
    for word in words {
        let old = word.load(Ordering::Relaxed);
        let less = worth::sum(old) as f64 * part;
        word.store(worth::with_sum(old, less as i64), Ordering::Relaxed);
    }
}

impl NodeLock<'_> {
    /// Whether there are so many visits that they could soon no longer be counted.
    #[inline]
    pub(crate) fn is_worn(&self) -> bool {
        self.visits().0 >= MOST_VISITS
    }

    /// Halves the visits of a node and of its moves that ended, and what they brought: means and proportions
    /// stay what they are. Visits that were begun and have not ended stay as many, so that they can end.
    #[cold]
    pub(crate) fn rescale(&mut self, block: Block<'_>) {
        let (begun, ended) = self.visits();
        let roles = self.node().worth_words().len();
        let fewer = half(ended);
        rescale_sums(self.node().worth_words(), ended, fewer);
        self.set_visits(fewer + (begun - ended), fewer);
        for edge in block.all() {
            let (begun, ended) = edge.visits();
            let fewer = half(ended);
            rescale_sums(edge.worth_words(roles), ended, fewer);
            if block.squares {
                edge.rescale_squares(roles, f64::from(fewer) / f64::from(ended.max(1)));
            }
            let visits = u64::from(fewer + begun.wrapping_sub(ended)) | u64::from(fewer) << 32;
            edge.visits_word().store(visits, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use game::{Expansion, MoveId};

    use super::super::{Kept, Shape, Status, Stock, Tree, UNIT};
    use super::*;

    #[test]
    fn means_stay_when_numbers_are_halved() {
        crate::sync::tried(halve);
    }

    fn halve() {
        let mut tree = Tree::new(
            0u32,
            Shape::new(2, Kept { squares: true, heuristic: true, ..Kept::default() }),
            true,
            None,
            0,
        );
        tree.make_room(8, 200, usize::MAX);
        let mut expansion = Expansion::new();
        expansion.begin(false);
        (0..3).for_each(|id| expansion.push(MoveId(id)));
        expansion.end_role();
        expansion.push(MoveId(9));
        expansion.end_role();
        let root = tree.root();
        assert!(tree.node(root).claim());
        let mut stock = Stock::default();
        assert!(tree.open(root, expansion.choices()));
        let block = || match tree.node(root).status() {
            Status::Open { block, .. } => tree.block(block),
            other => panic!("it is {other:?}"),
        };
        {
            let mut lock = tree.node(root).lock(false);
            lock.begin_visits(MOST_VISITS - 1);
            assert!(!lock.is_worn(), "not yet");
            lock.begin_visits(1);
            lock.end_visits(MOST_VISITS - 3);
            lock.set_mean(1, 62.5);
            let Status::Open { block: start, .. } = tree.node(root).status() else { panic!("it is open") };
            let start = tree.reserve(root, &lock, start, 2, &mut stock);
            let edges = tree.edges(start, 0);
            let first = edges.get_or_insert(0, &lock).expect("there is room");
            first.begin_visits(MOST_VISITS - 1, &lock);
            first.end_visits(MOST_VISITS - 4, &lock);
            first.add_worth(1, (62.5 * UNIT) as i64 * i64::from(MOST_VISITS - 4), &lock);
            first.add_square(2, 1 << 40, &lock);
            first.set_heuristic(1, 30.0, &lock);
            let second = edges.get_or_insert(1, &lock).expect("there is room");
            second.begin_visits(1, &lock);
            second.end_visits(1, &lock);
            second.add_worth(0, 100 * UNIT as i64, &lock);
            assert!(lock.is_worn());
            lock.rescale(block());
            assert!(!lock.is_worn());
        }
        let node = tree.node(root);
        // Three are under way, as they were.
        assert_eq!(node.visits(), (MOST_VISITS / 2 + 2, MOST_VISITS / 2 - 1));
        assert!((node.mean(1) - 62.5).abs() < 1e-6);
        let edges = block().edges(0);
        let first = edges.get(0).expect("it was tried");
        assert_eq!(first.visits(), (MOST_VISITS / 2 + 1, MOST_VISITS / 2 - 2));
        let mean = first.worth(1) as f64 / UNIT / f64::from(MOST_VISITS / 2 - 2);
        assert!((mean - 62.5).abs() < 1e-6, "{mean}");
        assert!(first.squares(2).abs_diff(1 << 39) < 1 << 20);
        assert_eq!((first.heuristic(0), first.heuristic(1)), (None, Some(30.0)), "it is no sum");
        // One visit is not half a visit, and none is none.
        let second = edges.get(1).expect("it was tried");
        assert_eq!((second.visits(), second.worth(0)), ((1, 1), 100 * UNIT as i64));
        assert!(edges.get(2).is_none());
    }
}

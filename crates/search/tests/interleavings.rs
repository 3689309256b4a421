//! The shared tree under many interleavings of threads.
//!
//! The tree's own source is built here with atomics whose order of execution a scheduler decides,
//! at random but repeatably: every run tries another interleaving.

#[allow(dead_code, unreachable_pub, unused_imports)]
#[path = "../src/mcts/tree/mod.rs"]
mod tree;

mod sync {
    pub(crate) use shuttle::sync::atomic::{AtomicU32, AtomicU64, Ordering};

    pub(crate) fn pause(_tries: u32) {
        shuttle::thread::yield_now();
    }

    pub(crate) fn fetch(_word: &AtomicU64) {}

    pub(crate) fn tried(test: fn()) {
        shuttle::check_random(test, 5);
    }
}

use std::sync::Arc;

use game::{Expansion, MoveId};
use tree::{Bounds, NodeId, Shape, Status, Stock, Tree};

const ROLES: usize = 2;
const THREADS: usize = 3;
const INTERLEAVINGS: usize = 400;

/// A tree whose root has two moves of the first role.
fn grown() -> Tree<u32> {
    let mut tree = Tree::new(0, Shape::new(ROLES, false), true, 0);
    let mut expansion = Expansion::new();
    expansion.begin(false);
    expansion.push(MoveId(10));
    expansion.push(MoveId(11));
    expansion.end_role();
    expansion.push(MoveId(20));
    expansion.end_role();
    assert!(tree.grow(16, 8, usize::MAX));
    assert!(tree.node(tree.root()).claim());
    assert!(tree.open(tree.root(), expansion.choices(), &mut Stock::default()));
    tree
}

/// Runs something in several threads on one tree, under many interleavings, and looks at the tree.
fn try_out(work: fn(&Tree<u32>, usize), look: fn(&Tree<u32>)) {
    shuttle::check_random(
        move || {
            let tree = Arc::new(grown());
            let threads: Vec<_> = (0..THREADS)
                .map(|thread| {
                    let tree = Arc::clone(&tree);
                    shuttle::thread::spawn(move || work(&tree, thread))
                })
                .collect();
            threads.into_iter().for_each(|thread| thread.join().expect("no thread fails"));
            look(&tree);
        },
        INTERLEAVINGS,
    );
}

fn settle(tree: &Tree<u32>, node: NodeId, state: u32) -> Option<NodeId> {
    tree.settle(node, state, tree.hash(&state))
}

fn block(tree: &Tree<u32>) -> u32 {
    match tree.node(tree.root()).status() {
        Status::Open { block, mover } => {
            assert_eq!(mover, Some(0));
            block
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn sums_are_those_of_the_moves() {
    let work = |tree: &Tree<u32>, thread: usize| {
        let root = tree.node(tree.root());
        for round in 0..3 {
            let edge = tree.edges(block(tree), 0).get((thread + round) % 2);
            let mut held = root.hold(false);
            held.begin_visits(1);
            edge.begin_visits(1, &held);
            drop(held);
            let mut held = root.hold(false);
            let ended = edge.end_visits(1, &held);
            for role in 0..ROLES {
                let worth = i64::from(ended) * (7 + role as i64 + thread as i64);
                held.add_to_sum(role, edge.set_worth(role, worth, &held));
            }
            held.end_visits(1);
        }
    };
    try_out(work, |tree| {
        let root = tree.node(tree.root());
        let edges = tree.edges(block(tree), 0);
        for role in 0..ROLES {
            assert_eq!(root.sum(role), edges.iter().map(|edge| edge.worth(role)).sum::<i64>());
        }
        let all = 3 * THREADS as u32;
        assert_eq!(root.visits(), (all, all));
        assert_eq!(edges.iter().map(|edge| edge.visits().0).sum::<u32>(), all);
        assert_eq!(edges.iter().map(|edge| edge.visits().1).sum::<u32>(), all);
    });
}

#[test]
fn one_child_and_one_node_for_a_position() {
    let work = |tree: &Tree<u32>, _: usize| {
        let edge = tree.edges(block(tree), 0).get(0);
        let new = tree.new_node(&mut Stock::default()).expect("there is room");
        if edge.link(new).is_ok() {
            assert_eq!(settle(tree, new, 7), None);
        } else {
            let other = tree.new_node(&mut Stock::default()).expect("there is room");
            // Another node of the same position: one of the two stands for it.
            let known = settle(tree, other, 8);
            tree.edges(block(tree), 0).get(1).relink(Some(known.unwrap_or(other)));
        }
    };
    try_out(work, |tree| {
        let child = tree.edges(block(tree), 0).get(0).child().expect("it is linked");
        assert_eq!(tree.state(child), Some(&7));
        let probe = |state: u32| {
            let node = tree.new_node(&mut Stock::default()).expect("there is room");
            settle(tree, node, state).expect("it is known")
        };
        assert_eq!(probe(7), child);
        assert_eq!(Some(probe(8)), tree.edges(block(tree), 0).get(1).child());
    });
}

#[test]
fn moves_are_listed_once() {
    let work = |tree: &Tree<u32>, thread: usize| {
        let child = NodeId(2);
        if thread == 0 {
            let new = tree.new_node(&mut Stock::default()).expect("there is room");
            assert_eq!(new, child);
        }
        if tree.node(child).claim() {
            let mut expansion = Expansion::new();
            expansion.begin(false);
            expansion.push(MoveId(30 + thread as u32));
            expansion.end_role();
            expansion.push(MoveId(40));
            expansion.end_role();
            assert!(tree.open(child, expansion.choices(), &mut Stock::default()));
        }
        if let Status::Open { block, .. } = tree.node(child).status() {
            assert!((30..33).contains(&tree.edges(block, 0).get(0).id().0), "what is open is complete");
            assert_eq!(tree.edges(block, 1).get(0).id(), MoveId(40));
        }
    };
    try_out(work, |tree| assert!(matches!(tree.node(NodeId(2)).status(), Status::Open { .. })));
}

#[test]
fn proofs_only_grow() {
    let work = |tree: &Tree<u32>, thread: usize| {
        let root = tree.node(tree.root());
        let proofs = [(10, 100), (0, 60), (30, 90)];
        let (lower, upper) = proofs[thread];
        for role in 0..ROLES {
            root.narrow(role, Bounds { lower, upper });
            let known = root.bounds(role);
            assert!(known.lower >= lower && known.upper <= upper);
        }
    };
    try_out(work, |tree| {
        for role in 0..ROLES {
            assert_eq!(tree.node(tree.root()).bounds(role), Bounds { lower: 30, upper: 60 });
        }
    });
}

#[test]
fn means_are_read_as_they_are() {
    fn work(tree: &Tree<u32>, thread: usize) {
        let root = tree.node(tree.root());
        for visits in 1..4 {
            if thread == 0 {
                let (sum, visits) = root.sum_and_visits(1);
                assert_eq!(sum, 7 * i64::from(visits));
            } else {
                let mut held = root.hold(false);
                held.begin_visits(visits);
                held.add_to_sum(1, 7 * i64::from(visits));
                held.end_visits(visits);
            }
        }
    }
    try_out(work, |tree| assert_eq!(tree.node(tree.root()).sum_and_visits(1), (7 * 12, 12)));
}

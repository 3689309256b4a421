//! The shared tree under many interleavings of threads.
//!
//! The tree's own source is built here with atomics whose order of execution a scheduler decides,
//! at random but repeatably: every run tries another interleaving.

#[allow(dead_code, unreachable_pub, unused_imports)]
#[path = "../src/mcts/tree/mod.rs"]
mod tree;

mod sync {
    pub(crate) use shuttle::sync::atomic::{AtomicU32, AtomicU64, Ordering, fence};

    #[derive(Debug, Default)]
    pub(crate) struct Mutex<T>(shuttle::sync::Mutex<T>);

    impl<T> Mutex<T> {
        pub(crate) fn lock(&self) -> shuttle::sync::MutexGuard<'_, T> {
            self.0.lock().expect("no thread fails")
        }

        pub(crate) fn get_mut(&mut self) -> &mut T {
            self.0.get_mut().expect("no thread fails")
        }
    }

    pub(crate) fn pause(_tries: u32) {
        shuttle::thread::yield_now();
    }

    pub(crate) fn fetch(_word: &AtomicU64) {}

    #[derive(Debug)]
    pub(crate) struct Memory(Box<[AtomicU64]>);

    impl Memory {
        pub(crate) fn zeroed(count: usize) -> Self {
            Self((0..count).map(|_| AtomicU64::new(0)).collect())
        }

        pub(crate) fn in_large_pages(count: usize) -> Self {
            Self::zeroed(count)
        }
    }

    impl std::ops::Deref for Memory {
        type Target = [AtomicU64];

        fn deref(&self) -> &[AtomicU64] {
            &self.0
        }
    }

    pub(crate) fn tried(test: fn()) {
        shuttle::check_random(test, 5);
    }
}

use std::sync::Arc;

use game::{Expansion, MoveId};
use tree::{Bounds, Edge, Kept, NodeId, NodeLock, Shape, Status, Stock, Tree};

const ROLES: usize = 2;
const THREADS: usize = 3;
const INTERLEAVINGS: usize = 400;

/// A tree whose root has two moves of the first role.
fn grown() -> Tree<u32> {
    let mut tree = Tree::new(0, Shape::new(ROLES, Kept::default()), true, None, 0);
    let mut expansion = Expansion::new();
    expansion.begin(false);
    expansion.push(MoveId(10));
    expansion.push(MoveId(11));
    expansion.end_role();
    expansion.push(MoveId(20));
    expansion.end_role();
    tree.make_room(300, 256, usize::MAX);
    assert!(tree.node(tree.root()).claim());
    assert!(tree.open(tree.root(), expansion.choices()));
    let mut stock = Stock::default();
    let lock = tree.node(tree.root()).lock(true);
    let block = tree.reserve(tree.root(), &lock, block(&tree), 2, &mut stock);
    (0..2).for_each(|place| assert!(tree.edges(block, 0).get_or_insert(place, &lock).is_some()));
    drop(lock);
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

fn edge(tree: &Tree<u32>, place: usize) -> Edge<'_> {
    tree.edges(block(tree), 0).get(place).expect("it was tried")
}

#[test]
fn sums_are_those_of_the_moves() {
    let work = |tree: &Tree<u32>, thread: usize| {
        let root = tree.node(tree.root());
        for round in 0..3 {
            let edge = edge(tree, (thread + round) % 2);
            let mut lock = root.lock(false);
            lock.begin_visits(1);
            edge.begin_visits(1, &lock);
            drop(lock);
            let mut lock = root.lock(false);
            let ended = edge.end_visits(1, &lock);
            for role in 0..ROLES {
                let worth = i64::from(ended) * (7 + role as i64 + thread as i64);
                lock.add_to_sum(role, edge.set_worth(role, worth, &lock));
            }
            lock.end_visits(1);
        }
    };
    try_out(work, |tree| {
        let root = tree.node(tree.root());
        let edges = tree.block(block(tree));
        for role in 0..ROLES {
            assert_eq!(root.sum(role), edges.all().map(|edge| edge.worth(role)).sum::<i64>());
        }
        let all = 3 * THREADS as u32;
        assert_eq!(root.visits(), (all, all));
        assert_eq!(edges.all().map(|edge| edge.visits().0).sum::<u32>(), all);
        assert_eq!(edges.all().map(|edge| edge.visits().1).sum::<u32>(), all);
    });
}

/// Links a move of the root to a new node, unless someone did before; what it leads to.
fn link(tree: &Tree<u32>, place: usize, stock: &mut Stock) -> (NodeId, bool) {
    let lock = tree.node(tree.root()).lock(false);
    let edge = edge(tree, place);
    match tree.follow(edge.link()) {
        Some(child) => (child, false),
        None => {
            let child = tree.new_node(stock).expect("there is room");
            edge.set_link(tree.link(child), &lock);
            (child, true)
        }
    }
}

#[test]
fn one_child_and_one_node_for_a_position() {
    let work = |tree: &Tree<u32>, _: usize| {
        let mut stock = Stock::default();
        let (child, is_new) = link(tree, 0, &mut stock);
        if is_new {
            assert_eq!(settle(tree, child, 7), None);
        } else {
            let other = tree.new_node(&mut stock).expect("there is room");
            // Another node of the same position: one of the two stands for it.
            let known = settle(tree, other, 8);
            let lock = tree.node(tree.root()).lock(false);
            edge(tree, 1).set_link(tree.link(known.unwrap_or(other)), &lock);
        }
    };
    try_out(work, |tree| {
        let child = |place| tree.follow(edge(tree, place).link()).expect("it is linked");
        assert_eq!(tree.state(child(0)), Some(&7));
        let probe = |state: u32| {
            let node = tree.new_node(&mut Stock::default()).expect("there is room");
            settle(tree, node, state).expect("it is known")
        };
        assert_eq!((probe(7), probe(8)), (child(0), child(1)));
    });
}

/// Lists two moves of the first role for a node.
fn open(tree: &Tree<u32>, id: NodeId, first: u32) -> bool {
    let mut expansion = Expansion::new();
    expansion.begin(false);
    (0..6).for_each(|place| expansion.push(MoveId(first + place)));
    expansion.end_role();
    expansion.push(MoveId(40));
    expansion.end_role();
    tree.open(id, expansion.choices())
}

#[test]
fn moves_are_listed_once() {
    let work = |tree: &Tree<u32>, thread: usize| {
        let (child, _) = link(tree, 0, &mut Stock::default());
        if tree.node(child).claim() {
            assert!(open(tree, child, 100 * thread as u32));
        }
        if let Status::Open { block, .. } = tree.node(child).status() {
            let first = tree.edges(block, 0).id(0).0;
            assert_eq!(tree.edges(block, 0).id(1), MoveId(first + 1), "what is open is complete");
            assert_eq!(tree.edges(block, 1).id(0), MoveId(40));
        }
    };
    try_out(work, |tree| {
        let child = tree.follow(edge(tree, 0).link()).expect("it is linked");
        assert!(matches!(tree.node(child).status(), Status::Open { .. }));
    });
}

/// Tries a move of the first role.
fn try_move<'a>(
    tree: &'a Tree<u32>,
    id: NodeId,
    lock: &NodeLock<'_>,
    place: usize,
    stock: &mut Stock,
) -> Option<Edge<'a>> {
    let Status::Open { block, .. } = tree.node(id).status() else { return None };
    let block = tree.reserve(id, lock, block, 1, stock);
    tree.edges(block, 0).get_or_insert(place, lock)
}

#[test]
fn blocks_grow_while_others_read_them() {
    let work = |tree: &Tree<u32>, thread: usize| {
        let mut stock = Stock::default();
        stock.prepare(tree.age(), true);
        let (child, _) = link(tree, 0, &mut stock);
        if tree.node(child).claim() {
            assert!(open(tree, child, 100));
        }
        for round in 0..3 {
            let Status::Open { block, .. } = tree.node(child).status() else { continue };
            // The list may be read while others try moves.
            let list = tree.edges(block, 0);
            let mut lock = tree.node(child).lock(false);
            let place = 2 * round + thread % 2;
            let edge = try_move(tree, child, &lock, place, &mut stock).expect("there is room");
            edge.begin_visits(1, &lock);
            lock.begin_visits(1);
            drop(lock);
            (0..6).for_each(|place| assert_eq!(list.id(place), MoveId(100 + place as u32)));
        }
        tree.take_retired(&mut stock);
    };
    try_out(work, |tree| {
        let child = tree.follow(edge(tree, 0).link()).expect("it is linked");
        let Status::Open { block, .. } = tree.node(child).status() else { panic!("it is open") };
        let visits: u32 = tree.block(block).all().map(|edge| edge.visits().0).sum();
        assert_eq!(visits, tree.node(child).visits().0, "no visit is lost");
    });
}

/// Threads that work on the tree in batches, and make room when they need it, as a search does.
#[test]
fn recycling_waits_for_batches() {
    shuttle::check_random(
        || {
            let mut tree = grown();
            tree.limit_nodes(300);
            let tree = Arc::new(shuttle::sync::RwLock::new(tree));
            let threads: Vec<_> = (0..THREADS)
                .map(|thread| {
                    let tree = Arc::clone(&tree);
                    shuttle::thread::spawn(move || {
                        let mut stock = Stock::default();
                        for round in 0..6 {
                            let room = tree.read().expect("no thread fails").has_room(100, 0, 0);
                            if !room {
                                tree.write().expect("no thread fails").make_room(100, 0, 0);
                            }
                            let tree = tree.read().expect("no thread fails");
                            stock.prepare(tree.age(), true);
                            batch(&tree, thread, round, &mut stock);
                            tree.take_retired(&mut stock);
                        }
                    })
                })
                .collect();
            threads.into_iter().for_each(|thread| thread.join().expect("no thread fails"));
            let mut tree = tree.write().expect("no thread fails");
            assert!(tree.upkeep().recycled > 0);
            tree.check();
        },
        INTERLEAVINGS / 4,
    );
}

/// Follows a move of the root to a child with a position of its own, and tries a move there.
fn batch(tree: &Tree<u32>, thread: usize, round: usize, stock: &mut Stock) {
    let place = (thread + round) % 2;
    let (child, is_new) = link(tree, place, stock);
    // Nodes are used up.
    for spare in 0..40 {
        let Some(spare_node) = tree.new_node(stock) else { break };
        let state = (1000 * thread + 100 * round + spare + 10) as u32;
        if settle(tree, spare_node, state).is_some() {
            tree.retire(spare_node, stock);
        }
    }
    if is_new && settle(tree, child, place as u32 + 1).is_some() {
        return;
    }
    let Some(&state) = tree.state(child) else { return };
    assert_eq!(state, place as u32 + 1, "a link never leads to what a node became");
    if tree.node(child).claim() {
        open(tree, child, 100 * state);
    }
    if let Status::Open { block, .. } = tree.node(child).status() {
        assert_eq!(tree.edges(block, 0).id(3), MoveId(100 * state + 3));
        let mut lock = tree.node(child).lock(false);
        lock.begin_visits(1);
        if let Some(edge) = try_move(tree, child, &lock, round, stock) {
            edge.begin_visits(1, &lock);
            edge.end_visits(1, &lock);
        }
        lock.end_visits(1);
    }
}

#[test]
fn proofs_only_grow() {
    let work = |tree: &Tree<u32>, thread: usize| {
        let root = tree.node(tree.root());
        let proofs = [(10, 100), (0, 60), (30, 90)];
        let (lower, upper) = proofs[thread];
        for role in 0..ROLES {
            root.lock(false).narrow(role, Bounds { lower, upper });
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
                let mut lock = root.lock(false);
                lock.begin_visits(visits);
                lock.add_to_sum(1, 7 * i64::from(visits));
                lock.end_visits(visits);
            }
        }
    }
    try_out(work, |tree| assert_eq!(tree.node(tree.root()).sum_and_visits(1), (7 * 12, 12)));
}

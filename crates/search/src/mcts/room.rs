//! Room in a tree for the nodes and moves of the next batches.

use std::hash::Hash;

use parking_lot::RwLock;

use super::tree::{NODES_AHEAD, Tree};

/// Batches that room is made for at a time where there are several threads.
const BATCHES_AHEAD: usize = 16;

/// Words for the moves that a batch may list.
pub(super) fn words<State: Eq + Hash>(tree: &Tree<State>, leaves: u32, moves: usize) -> usize {
    tree.words_for(leaves as usize, moves)
}

/// Makes room for some batches of each of several threads, unless there is room for one of each.
pub(super) fn make_room<State: Eq + Hash>(
    tree: &RwLock<Tree<State>>,
    leaves: u32,
    moves: usize,
    memory: usize,
    threads: usize,
) {
    let nodes = (leaves + NODES_AHEAD) as usize * threads;
    {
        let tree = tree.read();
        if tree.has_room(nodes, words(&tree, leaves, moves) * threads, memory) {
            return;
        }
    }
    // Whoever does this waits for the batches of the others, so it is done for several at once.
    let mut tree = tree.write();
    let words = words(&tree, leaves, moves) * threads;
    // Where memory is little it is not all to be kept free.
    let batches = (tree.len() / (8 * nodes)).clamp(1, BATCHES_AHEAD);
    tree.make_room(nodes * batches, words * batches, memory);
}

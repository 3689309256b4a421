//! Choosing one of the legal moves in every lane, as logic.
//!
//! The legal moves are counted by a tree of adders. Random bits give a number below the count:
//! as many bits as the largest legal number has, drawn again where they exceed it. A lane in which
//! all draws fail does nothing in this sweep and tries again in the next, so every legal move has
//! exactly the same probability. The number is then led down the tree, and the leaf where it
//! arrives is the move.

use ::circuit::{Edge, Gates};

/// How many moves the leaves of the tree hold.
const GROUP: usize = 3;

/// A choice among moves in the making.
pub(super) struct Selection {
    leaves: Vec<Edge>,
    nodes: Vec<Node>,
    root: usize,
    /// The number of the move, valid where the draw was accepted.
    number: Vec<Edge>,
    /// The draw was accepted.
    pub(super) accepted: Edge,
    /// There is nothing to choose from.
    pub(super) none: Edge,
}

struct Node {
    /// How many leaves are below.
    size: usize,
    /// How many of them are legal, in binary, the lowest bit first.
    count: Vec<Edge>,
    kind: Kind,
}

#[derive(Clone, Copy)]
enum Kind {
    /// Leaves from here on.
    Group(usize),
    Split(usize, usize),
}

impl Selection {
    /// Counts, and draws a number below the count. `random` gives a fresh random input.
    pub(super) fn new(
        gates: &mut Gates,
        leaves: Vec<Edge>,
        tries: usize,
        random: &mut impl FnMut(&mut Gates) -> Edge,
    ) -> Self {
        let mut nodes = Vec::new();
        let groups = leaves.len().div_ceil(GROUP);
        let root = build(gates, &leaves, 0..groups, &mut nodes);
        let count = nodes[root].count.clone();
        // The largest legal number: the count less one.
        let mut borrow = Edge::TRUE;
        let mut largest = Vec::new();
        for &bit in &count {
            largest.push(gates.xor(bit, borrow));
            borrow = gates.and(borrow, !bit);
        }
        largest.truncate(bits(leaves.len() - 1));
        // Random bits count up to the highest bit of the largest number.
        let mut mask = largest.clone();
        for bit in (1..mask.len()).rev() {
            mask[bit - 1] = gates.or(mask[bit - 1], mask[bit]);
        }
        let mut number: Vec<Edge> = Vec::new();
        let mut accepted = Edge::TRUE;
        for attempt in 0..if mask.is_empty() { 0 } else { tries } {
            for (bit, &mask) in mask.iter().enumerate() {
                let word = random(gates);
                let drawn = gates.and(word, mask);
                if attempt == 0 {
                    number.push(drawn);
                } else {
                    number[bit] = choose(gates, accepted, number[bit], drawn);
                }
            }
            accepted = !is_less(gates, &largest, &number);
        }
        Self { leaves, nodes, root, number, accepted, none: borrow }
    }

    /// The chosen move, one of the leaves, in the lanes of `root`; elsewhere none.
    pub(super) fn descend(&self, gates: &mut Gates, root: Edge) -> Vec<Edge> {
        let mut level = vec![(self.root, root)];
        let mut number = self.number.clone();
        loop {
            let largest = level.iter().map(|&(node, _)| self.nodes[node].size).max().unwrap_or(1);
            number.truncate(bits(largest - 1));
            if level.iter().all(|&(node, _)| matches!(self.nodes[node].kind, Kind::Group(_))) {
                break;
            }
            // How many are on the left, of whichever node the lane has come to.
            let mut left_count: Vec<Edge> = Vec::new();
            for &(node, here) in &level {
                if let Kind::Split(left, _) = self.nodes[node].kind {
                    for (bit, &count) in self.nodes[left].count.iter().enumerate() {
                        if left_count.len() <= bit {
                            left_count.push(Edge::FALSE);
                        }
                        let part = gates.and(here, count);
                        left_count[bit] = gates.or(left_count[bit], part);
                    }
                }
            }
            let (rest, goes_left) = subtract(gates, &number, &left_count);
            for (bit, rest) in rest.into_iter().enumerate().take(number.len()) {
                number[bit] = choose(gates, goes_left, number[bit], rest);
            }
            level = level
                .into_iter()
                .flat_map(|(node, here)| match self.nodes[node].kind {
                    Kind::Split(left, right) => {
                        vec![(left, gates.and(here, goes_left)), (right, gates.and(here, !goes_left))]
                    }
                    Kind::Group(_) => vec![(node, here)],
                })
                .collect();
        }
        let mut chosen = vec![Edge::FALSE; self.leaves.len()];
        let digit = |bit: usize| number.get(bit).copied().unwrap_or(Edge::FALSE);
        let (low, high) = (digit(0), digit(1));
        for (node, here) in level {
            let Kind::Group(first) = self.nodes[node].kind else { continue };
            let leaves = &self.leaves[first..first + self.nodes[node].size];
            // The first if the number is 0 and it is legal; the second if the number is what the
            // first left over; else the last.
            let mut open = here;
            for (index, &leaf) in leaves[..leaves.len() - 1].iter().enumerate() {
                let matches = if index == 0 {
                    gates.and(!low, !high)
                } else {
                    let differs = gates.xor(low, leaves[0]);
                    gates.and(!differs, !high)
                };
                let taken = gates.and(leaf, matches);
                chosen[first + index] = gates.and(here, taken);
                open = gates.and(open, !chosen[first + index]);
            }
            chosen[first + leaves.len() - 1] = open;
        }
        chosen
    }
}

fn build(gates: &mut Gates, leaves: &[Edge], groups: std::ops::Range<usize>, nodes: &mut Vec<Node>) -> usize {
    let node = if groups.len() <= 1 {
        let first = groups.start * GROUP;
        let here = &leaves[first..leaves.len().min(first + GROUP)];
        Node { size: here.len(), count: population(gates, here), kind: Kind::Group(first) }
    } else {
        let middle = groups.start + groups.len() / 2;
        let left = build(gates, leaves, groups.start..middle, nodes);
        let right = build(gates, leaves, middle..groups.end, nodes);
        let size = nodes[left].size + nodes[right].size;
        let (left_count, right_count) = (nodes[left].count.clone(), nodes[right].count.clone());
        let mut count = add(gates, &left_count, &right_count);
        count.truncate(bits(size));
        Node { size, count, kind: Kind::Split(left, right) }
    };
    nodes.push(node);
    nodes.len() - 1
}

/// The number of binary digits.
fn bits(number: usize) -> usize {
    (usize::BITS - number.leading_zeros()) as usize
}

/// `yes` where the condition holds, `no` elsewhere.
pub(super) fn choose(gates: &mut Gates, condition: Edge, yes: Edge, no: Edge) -> Edge {
    let differs = gates.xor(yes, no);
    let change = gates.and(condition, differs);
    gates.xor(no, change)
}

/// The sum and the carry of three bits.
pub(super) fn full_adder(gates: &mut Gates, a: Edge, b: Edge, c: Edge) -> (Edge, Edge) {
    let half = gates.xor(a, b);
    let sum = gates.xor(half, c);
    let (both, carried) = (gates.and(a, b), gates.and(half, c));
    (sum, gates.or(both, carried))
}

/// The sum of two numbers, one bit longer than the longer.
pub(super) fn add(gates: &mut Gates, left: &[Edge], right: &[Edge]) -> Vec<Edge> {
    let digit = |number: &[Edge], bit: usize| number.get(bit).copied().unwrap_or(Edge::FALSE);
    let mut carry = Edge::FALSE;
    let mut sum = Vec::new();
    for bit in 0..left.len().max(right.len()) {
        let (digit, next) = full_adder(gates, digit(left, bit), digit(right, bit), carry);
        sum.push(digit);
        carry = next;
    }
    sum.push(carry);
    sum
}

/// How many of the edges are true, in binary.
pub(super) fn population(gates: &mut Gates, edges: &[Edge]) -> Vec<Edge> {
    let mut columns = vec![edges.to_vec()];
    let mut count = Vec::new();
    let mut weight = 0;
    while weight < columns.len() {
        let mut column = std::mem::take(&mut columns[weight]);
        column.reverse();
        while column.len() > 1 {
            let (a, b) = (column.pop().unwrap_or_default(), column.pop().unwrap_or_default());
            let (sum, carry) = full_adder(gates, a, b, column.pop().unwrap_or_default());
            column.insert(0, sum);
            if columns.len() <= weight + 1 {
                columns.push(Vec::new());
            }
            columns[weight + 1].push(carry);
        }
        count.push(column.pop().unwrap_or_default());
        weight += 1;
    }
    count.truncate(bits(edges.len()));
    count
}

/// The difference of two numbers and whether it is negative.
fn subtract(gates: &mut Gates, left: &[Edge], right: &[Edge]) -> (Vec<Edge>, Edge) {
    let digit = |number: &[Edge], bit: usize| number.get(bit).copied().unwrap_or(Edge::FALSE);
    let mut borrow = Edge::FALSE;
    let mut difference = Vec::new();
    for bit in 0..left.len().max(right.len()) {
        let (a, b) = (digit(left, bit), digit(right, bit));
        let differs = gates.xor(a, b);
        difference.push(gates.xor(differs, borrow));
        // Where they differ the right decides, else what came before.
        borrow = choose(gates, differs, b, borrow);
    }
    (difference, borrow)
}

/// Whether one number is less than another.
fn is_less(gates: &mut Gates, left: &[Edge], right: &[Edge]) -> Edge {
    let mut less = Edge::FALSE;
    for (&a, &b) in left.iter().zip(right) {
        let differs = gates.xor(a, b);
        less = choose(gates, differs, b, less);
    }
    less
}

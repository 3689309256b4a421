//! From the leaves back up to the root.

use std::hash::Hash;

use super::prove::Prover;
use super::returns::Returns;
use super::tree::{Block, Bounds, Edges, Held, Node, Status, Tree, UNIT};
use super::ways::{Leaf, Step, StepId, Ways};
use crate::Backup;

/// What backing up needs to know.
pub(crate) struct BackUp<'a, State> {
    pub(crate) tree: &'a Tree<State>,
    pub(crate) backup: Backup,
    pub(crate) discount: f64,
    pub(crate) prove: bool,
    pub(crate) squares: bool,
    pub(crate) nature: Option<usize>,
    pub(crate) alone: bool,
}

/// How a step was made, and what is known of the node it was made from.
#[derive(Clone, Copy)]
struct Way<'a> {
    /// The places of the moves, the mover's or those of all roles.
    places: &'a [u32],
    /// All moves of the node.
    block: Block<'a>,
    /// Those of the mover.
    edges: Option<Edges<'a>>,
    /// The number of the step.
    index: usize,
    mover: Option<u16>,
    /// Whether all is proven of the node.
    known: bool,
}

impl<State: Eq + Hash> BackUp<'_, State> {
    /// Ends the visits of a leaf that is worth `values` (0 to 100) to the roles.
    pub(crate) fn leaf(&self, leaf: &Leaf, values: &[f64]) {
        let node = self.tree.node(leaf.node);
        let mut held = node.hold(self.alone);
        if self.prove && node.is_proven() {
            return held.cancel_visits(leaf.visits);
        }
        for (role, &value) in values.iter().enumerate() {
            held.add_to_sum(role, (value * f64::from(leaf.visits) * UNIT) as i64);
        }
        held.end_visits(leaf.visits);
    }

    /// Ends the visits of a leaf of which all is known. They bring what it is worth; the leaf learns
    /// nothing from them, so that its numbers never change again and others may rely on them.
    pub(crate) fn known_leaf(&self, leaf: &Leaf, values: &mut [f64]) {
        let node = self.tree.node(leaf.node);
        node.hold(self.alone).cancel_visits(leaf.visits);
        values.iter_mut().enumerate().for_each(|(role, value)| *value = node.mean(role));
    }

    /// Whether what leaves bring is added up along their ways. In a graph a move's worth is that of the
    /// node behind it, unless several roles choose.
    pub(crate) fn needs_returns(&self, ways: &Ways) -> bool {
        self.backup == Backup::Path || self.squares || ways.has_joint_moves()
    }

    /// Ends the visits of all steps, given what the leaves brought to the last of them.
    pub(crate) fn steps(&self, ways: &Ways, returns: &mut Returns) {
        let pass_on = self.needs_returns(ways);
        if !self.alone {
            // Other threads have been here since: what is asked for ahead comes all at once.
            ways.last_first().for_each(|id| self.fetch(ways, id));
        }
        let mut ids = ways.last_first().filter(|&id| ways.step(id).visits > 0).peekable();
        while let Some(id) = ids.next() {
            let node = self.tree.node(ways.step(id).node);
            let mut held = node.hold(self.alone);
            // While it is held its moves stay where they are.
            let Status::Open { block, mover } = node.status() else { continue };
            let block = self.tree.block(block);
            let edges = mover.map(|mover| block.edges(usize::from(mover)));
            let mut next = Some(id);
            // Another thread may have proven it since: then it is worth what was proven for good.
            let known = self.prove && node.is_proven();
            // The steps from a node follow each other: it is held once for all of them.
            while let Some(id) = next {
                let step = ways.step(id);
                let way = Way { places: ways.places(step), block, edges, index: id.index(), mover, known };
                self.step(step, way, returns, &mut held);
                if pass_on {
                    returns.pass_on(id.index(), step, self.discount);
                }
                // A move may lead back to the node itself.
                held.show_visits();
                next = ids.next_if(|&next| ways.step(next).node == step.node);
            }
        }
    }

    /// Asks for what ending the visits of a step will change.
    #[inline]
    fn fetch(&self, ways: &Ways, id: StepId) {
        let node = self.tree.node(ways.step(id).node);
        node.fetch();
        self.tree.fetch_moves(ways.step(id).node);
    }

    fn step(&self, step: &Step, way: Way<'_>, returns: &Returns, held: &mut Held<'_>) {
        let tree = self.tree;
        let values = returns.of(way.index);
        let add_to_node = |role: usize, change: i64| {
            if !way.known {
                held.add_to_sum(role, change);
            }
        };
        for (index, &place) in way.places.iter().enumerate() {
            let role = way.mover.map_or(index, usize::from);
            let edges = way.edges.unwrap_or_else(|| way.block.edges(role));
            let Some(edge) = edges.get(place as usize) else { continue };
            let ended = edge.end_visits(step.visits, held);
            if self.squares {
                edge.add_square(returns.squares[way.index * returns.roles + role] as u64, held);
            }
            match (way.mover, self.backup, tree.follow(edge.link())) {
                // A move's worth is that of the node behind it, whoever came there.
                (Some(_), Backup::Graph, Some(child)) => {
                    // What is held by this thread is not waited for.
                    let alone = self.alone || child == step.node;
                    let child = tree.node(child);
                    // Where all is known the mean was set, once and for all: the goal discounted by its
                    // distance.
                    let is_known = self.prove && child.is_proven();
                    for role in 0..tree.roles() {
                        let mean = self.mean(child, role, alone, is_known);
                        let worth = self.discount * mean * f64::from(ended);
                        add_to_node(role, edge.set_worth(role, worth as i64, held));
                    }
                }
                (Some(_), ..) => {
                    for (role, &value) in values.iter().enumerate() {
                        edge.add_worth(role, (value * UNIT) as i64, held);
                        add_to_node(role, (value * UNIT) as i64);
                    }
                }
                (None, ..) => {
                    let value = (values[role] * UNIT) as i64;
                    edge.add_worth(role, value, held);
                    add_to_node(role, value);
                }
            }
        }
        if way.known { held.cancel_visits(step.visits) } else { held.end_visits(step.visits) }
    }

    /// Proves what follows from the goals of a leaf where the game is over.
    pub(crate) fn game_over(&self, leaf: &Leaf, ways: &Ways, goals: impl Iterator<Item = u8>) {
        let node = self.tree.node(leaf.node);
        node.set_status(Status::Over);
        if node.hold(self.alone).narrow_all(goals.map(Bounds::exact)) {
            self.spread_proof(leaf, ways);
        }
    }

    /// Carries what is newly proven of a leaf up as far as it is news.
    pub(crate) fn spread_proof(&self, leaf: &Leaf, ways: &Ways) {
        if !self.prove {
            return;
        }
        let Self { tree, nature, discount, alone, .. } = *self;
        let prover = Prover { tree, nature, discount, alone };
        for id in ways.up(leaf.step) {
            if !prover.improve(ways.step(id).node) {
                return;
            }
        }
    }

    /// The mean of a role's goals in a node, in [`UNIT`]s, as far as proofs allow it.
    #[inline]
    fn mean(&self, node: Node<'_>, role: usize, alone: bool, is_known: bool) -> f64 {
        let (sum, visits) =
            if alone || is_known { (node.sum(role), node.visits().1) } else { node.sum_and_visits(role) };
        let mean = sum as f64 / f64::from(visits.max(1));
        if !self.prove || is_known {
            return mean;
        }
        let bounds = node.bounds(role);
        mean.clamp(f64::from(bounds.lower) * UNIT, f64::from(bounds.upper) * UNIT)
    }
}

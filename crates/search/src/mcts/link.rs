//! Where the steps of visits lead: new nodes, and new links to nodes.

use std::hash::Hash;

use game::MoveId;

use super::descend::{Descent, Trail, Visit};
use super::paths::{End, Leaf, Paths, Step};
use super::tree::{Block, Edge, NodeId, NodeLock, Status, Stock, Tree, joint_number};

impl<State: Eq + Hash> Descent<'_, State> {
    /// Makes a new node where a step led to one that was recycled, unless someone did before: then the
    /// visit goes on there.
    pub(super) fn renew(&self, visit: &Visit, trail: &mut Trail) -> Option<Visit> {
        let tree = self.tree;
        let step = trail.paths.step(visit.step?);
        let (parent, visits) = (step.node, visit.visits);
        let lock = tree.node(parent).lock(self.alone);
        let child = match self.child_of(step, &trail.paths) {
            Some(child) => Some((child, false)),
            None => self.link_new(step, &trail.paths, visits, &lock, &mut trail.stock).map(|new| (new, true)),
        };
        drop(lock);
        match child {
            Some((child, false)) => return Some(visit.at(child)),
            Some((child, true)) => trail.leaves.push(visit.at(child).end(End::New)),
            None => {
                // It comes no further than to the node before: what is taken back is counted there.
                tree.node(parent).lock(self.alone).begin_visits(visits);
                trail.leaves.push(Leaf { node: parent, ..visit.end(End::Nowhere) });
            }
        }
        None
    }

    /// Where a step leads now.
    fn child_of(&self, step: &Step, paths: &Paths) -> Option<NodeId> {
        let Status::Open { block, mover } = self.tree.node(step.node).status() else { return None };
        let (block, places) = (self.tree.block(block), paths.places(step));
        let link = match mover {
            Some(mover) => block.edges(usize::from(mover)).get(places[0] as usize)?.link(),
            None => self.tree.joint_link(&block, number_of(&block, places)?)?.link(),
        };
        self.tree.follow(link)
    }

    /// Makes a new node and links a step to it.
    fn link_new(
        &self,
        step: &Step,
        paths: &Paths,
        visits: u32,
        lock: &NodeLock<'_>,
        stock: &mut Stock,
    ) -> Option<NodeId> {
        let Status::Open { block, mover } = self.tree.node(step.node).status() else { return None };
        let child = self.tree.new_node(stock)?;
        self.tree.node(child).set_begun(visits);
        let places = paths.places(step);
        match mover {
            Some(mover) => {
                let edge = self.tree.edges(block, usize::from(mover)).get(places[0] as usize)?;
                self.seed(child, edge);
                edge.set_link(self.tree.link(child), lock);
            }
            None => self.link_joint(step.node, places, child, lock, stock),
        }
        Some(child)
    }

    /// Links a joint move to a new node, which begins with what was proven of an earlier one.
    pub(super) fn link_joint(
        &self,
        parent: NodeId,
        places: &[u32],
        child: NodeId,
        lock: &NodeLock<'_>,
        stock: &mut Stock,
    ) {
        let Status::Open { block, .. } = self.tree.node(parent).status() else { return };
        let number = number_of(&self.tree.block(block), places);
        let joint = number.and_then(|number| self.tree.try_joint(parent, lock, number, stock));
        // Where there is no room it is not linked: the table finds it.
        if let Some(joint) = joint {
            if self.prove {
                let roles = 0..self.tree.roles();
                self.tree.node(child).lock(true).narrow_all(roles.map(|role| joint.bounds(role)));
            }
            joint.set_link(self.tree.link(child), lock);
        }
    }

    /// A new node begins with what the move that leads there knows of an earlier one.
    fn seed(&self, child: NodeId, edge: Edge<'_>) {
        if edge.visits().1 > 0 {
            self.tree.seed(child, edge, self.graph_discount, self.prove);
        }
    }
}

/// The number of a joint move, given the places of all roles' moves.
pub(super) fn number_of(block: &Block<'_>, places: &[u32]) -> Option<u64> {
    let moves = places.iter().enumerate();
    joint_number(moves.map(|(role, &place)| (place as usize, block.edges(role).len())))
}

/// The joint move of a step, as a machine takes it, appended to `out`.
pub(crate) fn joint_move<State: Eq + Hash>(
    tree: &Tree<State>,
    paths: &Paths,
    step: &Step,
    out: &mut Vec<MoveId>,
) {
    let Status::Open { block, mover } = tree.node(step.node).status() else { return };
    let (block, places) = (tree.block(block), paths.places(step));
    out.extend((0..tree.roles()).map(|role| {
        let place = match mover {
            None => places[role],
            Some(mover) if usize::from(mover) == role => places[0],
            // It has but one.
            Some(_) => 0,
        };
        block.id(role, place as usize)
    }));
}

/// Links a step to another node, which stands for the same position.
pub(crate) fn relink<State: Eq + Hash>(
    tree: &Tree<State>,
    paths: &Paths,
    step: &Step,
    child: NodeId,
    alone: bool,
) {
    let lock = tree.node(step.node).lock(alone);
    let Status::Open { block, mover } = tree.node(step.node).status() else { return };
    let (block, places) = (tree.block(block), paths.places(step));
    match mover {
        Some(mover) => {
            if let Some(edge) = block.edges(usize::from(mover)).get(places[0] as usize) {
                edge.set_link(tree.link(child), &lock);
            }
        }
        None => {
            let joint = number_of(&block, places).and_then(|number| tree.joint_link(&block, number));
            if let Some(joint) = joint {
                joint.set_link(tree.link(child), &lock);
            }
        }
    }
}

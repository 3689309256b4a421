//! What is known of the moves of one position, said of those of another that is like it.

use std::hash::Hash;

use game::{Likeness, MoveId};

use super::block::Block;
use super::edges::Edge;
use super::{Bounds, Link, NodeId, Status, Stock, Tree, joint_number};
use crate::sync::Ordering;

/// The place of each move of a role in the block of a position, by its place in that of another.
type Places = Vec<Option<usize>>;

impl<State: Eq + Hash> Tree<State> {
    /// Gives an open node that was never visited what is known of a node whose position is like its own, move by move:
    /// visits, what they brought, proofs and where moves lead. Nobody else is at work, and there is room.
    pub(crate) fn take_over(&self, id: NodeId, from: Link, stock: &mut Stock) {
        let Some(known) = self.follow(Some(from)).filter(|&known| known != id) else { return };
        let (Some(likeness), Some(old), Some(new)) = (&self.likeness, self.state(known), self.state(id))
        else {
            return;
        };
        let statuses = (self.node(known).status(), self.node(id).status());
        let (Status::Open { block: there, mover }, Status::Open { block: here, mover: same }) = statuses
        else {
            return;
        };
        if mover != same || self.node(id).visits() != (0, 0) {
            return;
        }
        let lock = self.node(id).lock(true);
        let there = self.block(there);
        let here = self.reserve(id, &lock, here, there.tried(), stock);
        let places: Vec<Places> = (0..self.roles())
            .map(|role| places(&**likeness, old, new, &there, &self.block(here), role))
            .collect();
        let roles = mover.map_or(0..self.roles(), |mover| usize::from(mover)..usize::from(mover) + 1);
        for role in roles {
            for (edge, place) in there.edges(role).iter().zip(&places[role]) {
                let (Some(edge), Some(place)) = (edge, *place) else { continue };
                if let Some(own) = self.edges(here, role).get_or_insert(place, &lock) {
                    own.copy(edge);
                }
            }
        }
        if mover.is_none() {
            for (number, child, bounds) in self.joint_moves(&there) {
                let moved = number.iter().enumerate().map(|(role, &place)| {
                    Some((*places[role].get(place)?.as_ref()?, self.edges(here, role).len()))
                });
                let moved: Option<Vec<(usize, usize)>> = moved.collect();
                let number = moved.and_then(|moved| joint_number(moved.into_iter()));
                if let Some(link) = number.and_then(|number| self.try_joint(id, &lock, number, stock)) {
                    link.set_link(child, &lock);
                    (0..).zip(bounds).for_each(|(role, bounds)| link.set_bounds(role, bounds, &lock));
                }
            }
        }
        drop(lock);
        let (node, known) = (self.node(id), self.node(known));
        node.seed(known.visits().1, (0..self.roles()).map(|role| known.sum(role)));
        node.lock(true).narrow_all((0..self.roles()).map(|role| known.bounds(role)));
    }

    /// The joint moves of a block that lead somewhere: the places of the roles' moves, where they lead, and what is proven
    /// of that.
    fn joint_moves(&self, block: &Block<'_>) -> Vec<(Vec<usize>, Link, Vec<Bounds>)> {
        let counts: Vec<usize> = (0..self.roles()).map(|role| block.edges(role).len()).collect();
        let links = self.links(block).into_iter().flat_map(super::links::Links::all);
        let read = |link: super::JointLink<'_>| {
            let bounds = (0..self.roles()).map(|role| link.bounds(role)).collect();
            Some((link.places(&counts), link.link()?, bounds))
        };
        links.filter_map(read).collect()
    }
}

fn places<State>(
    likeness: &dyn Likeness<State>,
    old: &State,
    new: &State,
    there: &Block<'_>,
    here: &Block<'_>,
    role: usize,
) -> Places {
    let (there, here) = (there.edges(role), here.edges(role));
    let moves: Vec<MoveId> = (0..there.len()).map(|place| there.id(place)).collect();
    let mut images = Vec::with_capacity(moves.len());
    likeness.images(old, new, &moves, &mut images);
    images.into_iter().map(|id| here.find(id)).collect()
}

impl Edge<'_> {
    /// Takes all that is known of another.
    fn copy(self, other: Edge<'_>) {
        for (own, other) in self.words().iter().zip(other.words()) {
            own.store(other.load(Ordering::Relaxed), Ordering::Relaxed);
        }
    }
}

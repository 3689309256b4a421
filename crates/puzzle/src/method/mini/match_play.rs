//! What is asked of the method between simulations: moves in a match, and the cost of its tables.

use game::{Goal, MoveId};

use super::{Asked, Edge, Facts, Index, Mini, Transpositions};

impl<G: Facts> Mini<G> {
    /// How many nodes the tree has.
    pub fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// What is scored here, if the game is over.
    pub fn end(&self) -> Option<Goal> {
        self.nodes[self.root as usize].end
    }

    /// Follows a move; the tree below it is kept. `false` if it cannot be made.
    pub fn advance(&mut self, id: MoveId) -> bool {
        let root = &self.nodes[self.root as usize];
        let Some(edge) = root.edges.iter().find(|edge| edge.id == id) else { return false };
        let child = match edge.child {
            Some(child) => Some(child),
            None => {
                let next = self.game.apply(&mut self.workspace, &root.state, &[id]);
                next.ok().and_then(|next| self.add(next, Some(self.root)))
            }
        };
        child.into_iter().for_each(|child| self.root = child);
        child.is_some()
    }

    /// The move that the average scores speak for, one move further on than those of the moves
    /// themselves: the effective quality of MiNI-Player where only one role has a choice.
    pub fn effective_move(&self) -> Option<MoveId> {
        let average = |edge: &Edge| edge.sum / f64::from(edge.visits.max(1));
        let quality = |edge: &Edge| {
            let child = edge.child.map(|child| &self.nodes[child as usize]);
            let below = child.into_iter().flat_map(|child| &child.edges).filter(|edge| edge.visits > 0);
            let best = below.map(average).max_by(f64::total_cmp);
            // Ties are broken by how moves did wherever they were made.
            (best.unwrap_or_else(|| average(edge)), self.knowledge.mean(edge.id))
        };
        let better = |a: &&Edge, b: &&Edge| {
            let (a, b) = (quality(a), quality(b));
            a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1))
        };
        self.nodes[self.root as usize].edges.iter().max_by(better).map(|edge| edge.id)
    }

    /// Notes all nodes of the tree in a table of some kind and finds them again: for measuring what
    /// a table costs. Says how many nodes were found in all; two states taken for one make it more.
    pub fn exercise(&self, kind: Transpositions) -> usize {
        let mut index = Index::new(&*self.game, kind);
        let of = |node: u32| &self.nodes[node as usize].state;
        let mut hashes: Vec<u64> = Vec::with_capacity(self.nodes.len());
        for (number, node) in (0u32..).zip(&self.nodes) {
            let before = node.parent.map(|parent| (of(parent), hashes[parent as usize]));
            let hash = index.hash(&*self.game, &node.state, before);
            hashes.push(hash);
            let asked = Asked { state: &node.state, hash, legal: node.edges.len() };
            index.add(&*self.game, &asked, number, of);
        }
        let asked = |(node, &hash): (&super::Node<G::State>, &u64)| {
            let asked = Asked { state: &node.state, hash, legal: node.edges.len() };
            index.same(&*self.game, &asked, of).len()
        };
        self.nodes.iter().zip(&hashes).map(asked).sum()
    }
}

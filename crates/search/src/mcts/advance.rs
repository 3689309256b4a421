//! From one position of a match to the next.

use std::hash::Hash;

use game::{MoveId, RuleFault, Simulator};

use super::judgement::child_at;
use super::search::Search;
use super::tree::{Link, NodeId, Status, Stock, Tree};

impl<G: Simulator> Search<G> {
    /// Follows a joint move that was made. What the tree has below it is kept; the rest makes way for new
    /// nodes in time. It takes no time.
    pub fn advance(&mut self, joint: &[MoveId]) -> Result<(), RuleFault> {
        let mut likes = Vec::new();
        for (tree, policy) in self.trees.iter_mut().zip(&mut self.policies) {
            let tree = tree.get_mut();
            let state = tree.state(tree.root()).cloned().unwrap_or_else(|| self.game.initial());
            let next = self.game.apply(self.workers[0].get_mut().workspace(), &state, joint)?;
            // A position that is only like it has other moves: they are given what is known of their images.
            let kept = child_of(tree, joint).filter(|&child| tree.state(child) == Some(&next));
            let mut like = None;
            match kept.filter(|_| self.parameters.keep) {
                Some(child) => tree.move_root(child),
                None if self.parameters.keep => like = tree.plant(next),
                None => tree.restart(next),
            }
            likes.push(like);
            policy.get_mut().age();
        }
        if likes.iter().any(Option::is_some) {
            self.take_over(&likes)?;
        }
        self.solver.iter_mut().for_each(|solver| solver.get_mut().advance());
        self.hopes = None;
        for (tree, rave) in self.trees.iter_mut().zip(&mut self.rave) {
            rave.get_mut().tidy(tree.get_mut());
        }
        for (tree, joint) in self.trees.iter_mut().zip(&mut self.joint) {
            joint.get_mut().tidy(tree.get_mut());
        }
        if let Some(guidance) = &mut self.guidance {
            for (tree, tables) in self.trees.iter_mut().zip(&mut guidance.tables) {
                tables.get_mut().tidy(tree.get_mut());
            }
        }
        self.turn += 1;
        self.end_turn();
        Ok(())
    }

    /// Gives new roots what is known of positions that are like theirs.
    fn take_over(&mut self, likes: &[Option<Link>]) -> Result<(), RuleFault> {
        self.open_roots()?;
        let (memory, moves) = (self.memory(), self.most_moves);
        for (tree, like) in self.trees.iter_mut().zip(likes) {
            let (tree, Some(like)) = (tree.get_mut(), *like) else { continue };
            // As for the root itself, some memory there is.
            tree.make_room(0, 2 * tree.words_for(1, moves), memory);
            let mut stock = Stock::default();
            stock.prepare(tree.age(), false);
            tree.take_over(tree.root(), like, &mut stock);
            tree.take_retired(&mut stock);
        }
        Ok(())
    }
}

fn child_of<State: Eq + Hash>(tree: &Tree<State>, joint: &[MoveId]) -> Option<NodeId> {
    let root = tree.root();
    let Status::Open { block, .. } = tree.node(root).status() else { return None };
    let place = |(role, &id): (usize, &MoveId)| tree.edges(block, role).find(id);
    let places: Vec<usize> = joint.iter().enumerate().map(place).collect::<Option<_>>()?;
    child_at(tree, root, &places)
}

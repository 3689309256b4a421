//! A tree of sequences of actions without states (an open loop): where chance falls differently, the
//! same actions lead to the same node.

use vgdl::Action;

/// A node, by its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NodeId(u32);

/// No node.
const NONE: u32 = u32::MAX;

#[derive(Clone, Debug)]
struct Node<T> {
    parent: u32,
    children: [u32; Action::ALL.len()],
    data: T,
}

/// A tree with data in each node.
#[derive(Clone, Debug)]
pub(crate) struct Tree<T> {
    nodes: Vec<Node<T>>,
}

impl<T: Default + Clone> Tree<T> {
    /// A root alone.
    pub(crate) fn new() -> Self {
        let mut tree = Self { nodes: Vec::new() };
        tree.clear();
        tree
    }

    /// Makes it a root alone.
    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
        self.push(NONE, T::default());
    }

    fn push(&mut self, parent: u32, data: T) -> u32 {
        self.nodes.push(Node { parent, children: [NONE; Action::ALL.len()], data });
        (self.nodes.len() - 1) as u32
    }

    /// The root.
    pub(crate) const ROOT: NodeId = NodeId(0);

    /// The node behind an action, if there is one.
    pub(crate) fn child(&self, node: NodeId, action: Action) -> Option<NodeId> {
        let child = self.nodes[node.0 as usize].children[action as usize];
        (child != NONE).then_some(NodeId(child))
    }

    /// Adds a node behind an action.
    pub(crate) fn add(&mut self, node: NodeId, action: Action) -> NodeId {
        let child = self.push(node.0, T::default());
        self.nodes[node.0 as usize].children[action as usize] = child;
        NodeId(child)
    }

    /// All nodes behind a node, and the actions that lead there.
    pub(crate) fn children(&self, node: NodeId) -> impl Iterator<Item = (Action, NodeId)> + '_ {
        let children = self.nodes[node.0 as usize].children;
        Action::ALL.into_iter().zip(children).filter(|(_, child)| *child != NONE).map(|(a, c)| (a, NodeId(c)))
    }

    pub(crate) fn parent(&self, node: NodeId) -> Option<NodeId> {
        let parent = self.nodes[node.0 as usize].parent;
        (parent != NONE).then_some(NodeId(parent))
    }

    pub(crate) fn data(&self, node: NodeId) -> &T {
        &self.nodes[node.0 as usize].data
    }

    pub(crate) fn data_mut(&mut self, node: NodeId) -> &mut T {
        &mut self.nodes[node.0 as usize].data
    }

    /// The data of all nodes.
    pub(crate) fn all_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.nodes.iter_mut().map(|node| &mut node.data)
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Keeps what is behind an action only, with that node as the root.
    pub(crate) fn reroot(&mut self, action: Action) {
        let Some(from) = self.child(Self::ROOT, action) else { return self.clear() };
        let old = std::mem::take(&mut self.nodes);
        let mut open = vec![(from.0, NONE, 0)];
        while let Some((node, parent, slot)) = open.pop() {
            let Node { children, data, .. } = &old[node as usize];
            let new = self.push(parent, data.clone());
            if parent != NONE {
                self.nodes[parent as usize].children[slot] = new;
            }
            for (slot, &child) in children.iter().enumerate().filter(|(_, child)| **child != NONE) {
                open.push((child, new, slot));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rerooting_keeps_what_is_behind_the_action() {
        let mut tree: Tree<u32> = Tree::new();
        let left = tree.add(Tree::<u32>::ROOT, Action::Left);
        let right = tree.add(Tree::<u32>::ROOT, Action::Right);
        *tree.data_mut(left) = 1;
        *tree.data_mut(right) = 2;
        let up = tree.add(left, Action::Up);
        *tree.data_mut(up) = 3;
        tree.reroot(Action::Left);
        assert_eq!((tree.len(), *tree.data(Tree::<u32>::ROOT)), (2, 1));
        let up = tree.child(Tree::<u32>::ROOT, Action::Up).expect("kept");
        assert_eq!((*tree.data(up), tree.parent(up)), (3, Some(Tree::<u32>::ROOT)));
        tree.reroot(Action::Down);
        assert_eq!((tree.len(), *tree.data(Tree::<u32>::ROOT)), (1, 0));
    }
}

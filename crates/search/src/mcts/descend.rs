//! From the root down to a leaf.

use std::hash::Hash;

use game::{Dice, MoveId};

use super::policy::Guide;
use super::select::{Chooser, choose_untried};
use super::tree::{Joint, NodeId, Status, Tree};

/// One step down: the node, and the moves made there as a range of [`Paths::edges`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) node: NodeId,
    first_edge: u32,
    edges: u16,
}

/// The ways down of a batch, one after the other.
#[derive(Debug, Default)]
pub(crate) struct Paths {
    steps: Vec<Step>,
    /// Move numbers: the mover's, or those of all roles.
    edges: Vec<u32>,
}

impl Paths {
    pub(crate) fn clear(&mut self) {
        self.steps.clear();
        self.edges.clear();
    }

    pub(crate) fn end(&self) -> u32 {
        self.steps.len() as u32
    }

    pub(crate) fn steps(&self, leaf: &Leaf) -> &[Step] {
        &self.steps[leaf.first_step as usize..leaf.end_step as usize]
    }

    pub(crate) fn edges(&self, step: &Step) -> &[u32] {
        &self.edges[step.first_edge as usize..][..usize::from(step.edges)]
    }
}

/// What is to be done at the end of a way down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// A new node: its position is to be worked out and played out.
    New,
    /// A node that was played out before: its moves are to be listed, then one more step.
    Unlisted,
    /// A node whose moves are being listed, for another way down of this batch or by another thread.
    Waiting,
    /// A node that is to be played out once more.
    Again,
    /// All is known there.
    Proven,
    /// It leads nowhere now: someone else is at work there, or there is no room.
    Nowhere,
}

/// The end of a way down.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leaf {
    pub(crate) node: NodeId,
    pub(crate) end: End,
    pub(crate) first_step: u32,
    pub(crate) end_step: u32,
}

/// What descending needs to know.
pub(crate) struct Descent<'a, State> {
    pub(crate) tree: &'a Tree<State>,
    pub(crate) chooser: &'a Chooser,
    pub(crate) guide: &'a Guide,
    pub(crate) most_depth: u32,
    pub(crate) nature: Option<usize>,
    pub(crate) prove: bool,
    /// Whether no other thread is at work.
    pub(crate) alone: bool,
}

impl<State: Eq + Hash> Descent<'_, State> {
    /// Goes down from the root, marking the way by visits.
    pub(crate) fn descend(&self, paths: &mut Paths, dice: &mut Dice) -> Leaf {
        let root = self.tree.root();
        self.tree.node(root).begin_visit(self.alone);
        let first_step = paths.end();
        let leaf = Leaf { node: root, end: End::Again, first_step, end_step: first_step };
        self.go_on(leaf, paths, dice)
    }

    /// Goes down from the node of a leaf whose moves are listed by now. Only the last way down in
    /// `paths` can be made longer; another one is copied to the end first.
    pub(crate) fn resume(&self, leaf: Leaf, paths: &mut Paths, dice: &mut Dice) -> Leaf {
        let first_step = paths.end();
        paths.steps.extend_from_within(leaf.first_step as usize..leaf.end_step as usize);
        self.go_on(Leaf { first_step, end_step: paths.end(), ..leaf }, paths, dice)
    }

    /// Another new node beside that of a leaf, by another move of the same role not tried yet: as
    /// good as going down once more when the tree is large, and much cheaper.
    pub(crate) fn beside(&self, leaf: &Leaf, paths: &mut Paths, dice: &mut Dice) -> Option<Leaf> {
        let tree = self.tree;
        let (first, last) = (leaf.first_step as usize, leaf.end_step as usize - 1);
        let parent = paths.steps[last].node;
        let Status::Open { block, mover: Some(mover) } = tree.node(parent).status() else { return None };
        let edges = tree.edges(block, usize::from(mover));
        if self.nature == Some(usize::from(mover)) || edges.iter().all(|edge| edge.visits().0 > 0) {
            return None;
        }
        let number = edges.number(choose_untried(edges, self.guide, dice));
        let (Some(child), true) = link_new(tree, |child| tree.edge(number).link(child)) else { return None };
        let first_step = paths.end();
        paths.steps.extend_from_within(first..last);
        let first_edge = paths.edges.len() as u32;
        paths.edges.push(number);
        paths.steps.push(Step { node: parent, first_edge, edges: 1 });
        let new = Leaf { node: child, end: End::New, first_step, end_step: paths.end() };
        tree.node(child).begin_visit(self.alone);
        for step in paths.steps(&new) {
            tree.node(step.node).begin_visit(self.alone);
            for &number in paths.edges(step) {
                tree.edge(number).begin_visit(self.alone);
            }
        }
        Some(new)
    }

    fn go_on(&self, mut leaf: Leaf, paths: &mut Paths, dice: &mut Dice) -> Leaf {
        // A position that comes again on the way down would be met for ever. It is enough to look
        // for one node, taken anew whenever the way has doubled (Brent's way of finding cycles).
        let mut mark = leaf.node;
        let mut next_mark = 1;
        loop {
            let node = self.tree.node(leaf.node);
            leaf.end_step = paths.end();
            let depth = leaf.end_step - leaf.first_step;
            if self.prove && node.is_proven() && depth > 0 {
                leaf.end = End::Proven;
                return leaf;
            }
            match node.status() {
                Status::Open { block, mover } => {
                    let Some(next) = self.step(leaf.node, block, mover, paths, dice) else {
                        leaf.end = End::Nowhere;
                        return leaf;
                    };
                    let (child, is_new) = next;
                    let repeats = child == mark;
                    if depth >= next_mark {
                        mark = child;
                        next_mark = 2 * depth;
                    }
                    leaf.node = child;
                    self.tree.node(child).begin_visit(self.alone);
                    if is_new || repeats {
                        leaf.end_step = paths.end();
                        leaf.end = if is_new { End::New } else { End::Again };
                        return leaf;
                    }
                }
                // Without a visit that ended it is in this batch or another thread's.
                Status::Leaf if node.visits().1 == 0 && depth > 0 || depth >= self.most_depth => {
                    leaf.end = End::Again;
                    return leaf;
                }
                Status::Leaf => {
                    leaf.end = if node.claim() { End::Unlisted } else { End::Waiting };
                    return leaf;
                }
                Status::Claimed => {
                    leaf.end = End::Waiting;
                    return leaf;
                }
                Status::Over => {
                    leaf.end = End::Proven;
                    return leaf;
                }
            }
        }
    }

    /// One step: the child and whether it is new; `None` if there is no room for it.
    fn step(
        &self,
        id: NodeId,
        block: u32,
        mover: Option<u16>,
        paths: &mut Paths,
        dice: &mut Dice,
    ) -> Option<(NodeId, bool)> {
        let tree = self.tree;
        let first_edge = paths.edges.len() as u32;
        let mut choose = |role: usize| {
            let edges = tree.edges(block, role);
            let place = if self.nature == Some(role) {
                dice.below(edges.len())
            } else {
                self.chooser.choose(tree, id, edges, role, self.guide, dice)
            };
            edges.number(place)
        };
        let (child, is_new) = if let Some(mover) = mover {
            let number = choose(usize::from(mover));
            paths.edges.push(number);
            let edge = tree.edge(number);
            match edge.child() {
                Some(child) => (Some(child), false),
                None => link_new(tree, |child| edge.link(child)),
            }
        } else {
            paths.edges.extend((0..tree.roles()).map(&mut choose));
            let joint = joint_of(tree, &paths.edges[first_edge as usize..]);
            match tree.joints().child(id, &joint) {
                Some(child) => (Some(child), false),
                None => link_new(tree, |child| tree.joints().link(id, &joint, child)),
            }
        };
        let edges = (paths.edges.len() as u32 - first_edge) as u16;
        let Some(child) = child else {
            paths.edges.truncate(first_edge as usize);
            return None;
        };
        for &number in &paths.edges[first_edge as usize..] {
            tree.edge(number).begin_visit(self.alone);
        }
        paths.steps.push(Step { node: id, first_edge, edges });
        Some((child, is_new))
    }

    /// Takes back the marks of a way down that led nowhere.
    pub(crate) fn cancel(&self, leaf: &Leaf, paths: &Paths) {
        self.tree.node(leaf.node).cancel_visit(self.alone);
        for step in paths.steps(leaf) {
            self.tree.node(step.node).cancel_visit(self.alone);
            for &number in paths.edges(step) {
                self.tree.edge(number).cancel_visit(self.alone);
            }
        }
    }
}

/// Makes a new child and links it; if someone was faster, theirs.
fn link_new<State: Eq + Hash>(
    tree: &Tree<State>,
    link: impl FnOnce(NodeId) -> Result<(), NodeId>,
) -> (Option<NodeId>, bool) {
    let Some(child) = tree.new_node() else { return (None, false) };
    match link(child) {
        Ok(()) => (Some(child), true),
        Err(other) => (Some(other), false),
    }
}

/// The moves behind the numbers of all roles.
fn joint_of<State: Eq + Hash>(tree: &Tree<State>, numbers: &[u32]) -> Joint {
    numbers.iter().map(|&number| tree.edge(number).id()).collect()
}

/// The joint move of a step, as a machine takes it, appended to `out`.
pub(crate) fn joint_move<State: Eq + Hash>(
    tree: &Tree<State>,
    paths: &Paths,
    step: &Step,
    out: &mut Vec<MoveId>,
) {
    let Status::Open { block, mover } = tree.node(step.node).status() else { return };
    let numbers = paths.edges(step);
    match mover {
        None => out.extend(joint_of(tree, numbers)),
        Some(mover) => out.extend((0..tree.roles()).map(|role| {
            if role == usize::from(mover) {
                tree.edge(numbers[0]).id()
            } else {
                tree.edges(block, role).get(0).id()
            }
        })),
    }
}

/// Links the last step of a way down to another node, which stands for the same position.
pub(crate) fn relink<State: Eq + Hash>(tree: &Tree<State>, paths: &Paths, leaf: &Leaf, child: NodeId) {
    let Some(step) = paths.steps(leaf).last() else { return };
    let Status::Open { mover, .. } = tree.node(step.node).status() else { return };
    match mover {
        Some(_) => tree.edge(paths.edges(step)[0]).relink(Some(child)),
        None => tree.joints().relink(step.node, &joint_of(tree, paths.edges(step)), child),
    }
}

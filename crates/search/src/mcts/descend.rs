//! From the root down to leaves, many visits at a time.

use std::hash::Hash;

use game::{Dice, MoveId};

use super::policy::Guide;
use super::select::{Chooser, Fork};
use super::shares::Shares;
use super::tree::{Held, Joint, NodeId, Status, Stock, Tree};
use super::ways::{End, Leaf, Step, StepId, Ways};

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

/// Where descending leaves its marks.
#[derive(Debug, Default)]
pub(crate) struct Trail {
    pub(crate) ways: Ways,
    pub(crate) leaves: Vec<Leaf>,
    open: Vec<Visit>,
    /// What was open a level above.
    level: Vec<Visit>,
    shares: Shares,
    pub(crate) stock: Stock,
}

impl Trail {
    pub(crate) fn clear(&mut self) {
        self.ways.clear();
        self.leaves.clear();
    }
}

/// Visits that have come to a node together.
#[derive(Clone, Copy, Debug)]
struct Visit {
    node: NodeId,
    visits: u32,
    step: Option<StepId>,
    depth: u32,
    /// A position that comes again on the way down would be met for ever. It is enough to look for
    /// one node, taken anew whenever the way has doubled (Brent's way of finding cycles).
    mark: NodeId,
    next_mark: u32,
    /// Whether the node counts them already.
    counted: bool,
}

impl Visit {
    fn begin(node: NodeId, visits: u32, step: Option<StepId>, depth: u32, counted: bool) -> Self {
        Self { node, visits, step, depth, mark: node, next_mark: depth.max(1), counted }
    }

    fn end(&self, end: End) -> Leaf {
        Leaf { node: self.node, end, visits: self.visits, step: self.step, depth: self.depth }
    }
}

impl<State: Eq + Hash> Descent<'_, State> {
    /// Goes down from the root with some visits, marking the ways by them.
    pub(crate) fn descend(&self, visits: u32, trail: &mut Trail, dice: &mut Dice) {
        let root = self.tree.root();
        trail.open.push(Visit::begin(root, visits, None, 0, false));
        self.go_on(trail, dice);
    }

    /// Goes on from the node of a leaf, whose moves are listed by now.
    pub(crate) fn resume(&self, leaf: &Leaf, trail: &mut Trail, dice: &mut Dice) {
        trail.open.push(Visit::begin(leaf.node, leaf.visits, leaf.step, leaf.depth, true));
        self.go_on(trail, dice);
    }

    /// Brings all open visits to their leaves, level by level.
    fn go_on(&self, trail: &mut Trail, dice: &mut Dice) {
        let mut level = std::mem::take(&mut trail.level);
        while !trail.open.is_empty() {
            std::mem::swap(&mut level, &mut trail.open);
            // The tree is larger than the caches near the processor, and other threads have been here
            // since. What is asked for ahead comes all at once; in the work itself each would wait for
            // the one before.
            level.iter().for_each(|visit| self.tree.node(visit.node).fetch());
            level.iter().for_each(|visit| self.fetch_moves(visit.node));
            for visit in level.drain(..) {
                self.go_down(&visit, trail, dice);
            }
        }
        trail.level = level;
    }

    /// Asks for the moves of a node, if one role chooses there.
    #[inline]
    fn fetch_moves(&self, id: NodeId) {
        if let Status::Open { block, mover: Some(mover) } = self.tree.node(id).status() {
            self.tree.edges(block, usize::from(mover)).fetch();
        }
    }

    /// One step, unless the node is a leaf.
    fn go_down(&self, visit: &Visit, trail: &mut Trail, dice: &mut Dice) {
        let node = self.tree.node(visit.node);
        let mut held = node.hold(self.alone);
        if !visit.counted {
            held.begin_visits(visit.visits);
        }
        if self.prove && visit.depth > 0 && node.is_proven() {
            return trail.leaves.push(visit.end(End::Proven));
        }
        let end = match node.status() {
            Status::Open { block, mover } => {
                let before = trail.leaves.len();
                match mover.map(usize::from) {
                    Some(mover) if self.nature != Some(mover) => {
                        self.part(visit, &held, (block, mover), trail, dice);
                    }
                    mover => self.go_one_by_one(visit, &held, (block, mover), trail, dice),
                }
                drop(held);
                // One node is held at a time.
                for leaf in trail.leaves[before..].iter().filter(|leaf| leaf.end == End::Again) {
                    self.tree.node(leaf.node).hold(self.alone).begin_visits(leaf.visits);
                }
                return;
            }
            // Without a visit that ended it is in this batch or another thread's.
            Status::Leaf if held.visits().1 == 0 && visit.depth > 0 || visit.depth >= self.most_depth => {
                End::Again
            }
            Status::Leaf if node.claim() => End::Unlisted,
            Status::Leaf | Status::Claimed => End::Waiting,
            Status::Over => End::Proven,
        };
        trail.leaves.push(visit.end(end));
    }

    /// One step of visits that part where one role chooses.
    fn part(
        &self,
        visit: &Visit,
        held: &Held<'_>,
        (block, mover): (u32, usize),
        trail: &mut Trail,
        dice: &mut Dice,
    ) {
        let tree = self.tree;
        let edges = tree.edges(block, mover);
        let fork = Fork { tree, held, edges, role: mover, guide: self.guide };
        if visit.visits == 1 {
            let place = self.chooser.choose(&fork, dice);
            self.follow(visit, held, 1, edges.number(place), trail);
            return;
        }
        let mut shares = std::mem::take(&mut trail.shares);
        self.chooser.share_out(&fork, visit.visits, dice, &mut shares);
        for (place, visits) in shares.given() {
            self.follow(visit, held, visits, edges.number(place), trail);
        }
        trail.shares = shares;
    }

    /// Some of the visits go on by a move of the only role that chooses.
    fn follow(&self, visit: &Visit, held: &Held<'_>, visits: u32, number: u32, trail: &mut Trail) {
        let edge = self.tree.edge(number);
        let (child, is_new) = match edge.child() {
            Some(child) => (Some(child), false),
            None => link_new(self.tree, &mut trail.stock, visits, |child| edge.link(child)),
        };
        let Some(child) = child else {
            trail.leaves.push(Leaf { visits, ..visit.end(End::Nowhere) });
            return;
        };
        edge.begin_visits(visits, held);
        let step = trail.ways.push(visit.node, visit.step, visits, &[number]);
        arrive(visit, visits, step, child, is_new, trail);
    }

    /// One step of visits where several roles choose, or chance does.
    fn go_one_by_one(
        &self,
        visit: &Visit,
        held: &Held<'_>,
        (block, mover): (u32, Option<usize>),
        trail: &mut Trail,
        dice: &mut Dice,
    ) {
        let tree = self.tree;
        let mut choose = |role: usize| {
            let edges = tree.edges(block, role);
            let fork = Fork { tree, held, edges, role, guide: self.guide };
            let by_chance = self.nature == Some(role);
            let place = if by_chance { dice.below(edges.len()) } else { self.chooser.choose(&fork, dice) };
            edges.number(place)
        };
        for _ in 0..visit.visits {
            if let Some(mover) = mover {
                self.follow(visit, held, 1, choose(mover), trail);
                continue;
            }
            let numbers: smallvec::SmallVec<[u32; 4]> = (0..tree.roles()).map(&mut choose).collect();
            let joint = joint_of(tree, &numbers);
            let (child, is_new) = match tree.joints().child(visit.node, &joint) {
                Some(child) => (Some(child), false),
                None => {
                    link_new(tree, &mut trail.stock, 1, |child| tree.joints().link(visit.node, &joint, child))
                }
            };
            let Some(child) = child else {
                trail.leaves.push(Leaf { visits: 1, ..visit.end(End::Nowhere) });
                continue;
            };
            numbers.iter().for_each(|&number| tree.edge(number).begin_visits(1, held));
            let step = trail.ways.push(visit.node, visit.step, 1, &numbers);
            arrive(visit, 1, step, child, is_new, trail);
        }
    }

    /// Takes back the marks of ways down that led nowhere.
    pub(crate) fn cancel(&self, leaf: &Leaf, ways: &mut Ways) {
        self.tree.node(leaf.node).hold(self.alone).cancel_visits(leaf.visits);
        let mut next = leaf.step;
        while let Some(id) = next {
            let step = ways.step_mut(id);
            step.visits -= leaf.visits;
            next = step.before;
            let step = ways.step(id);
            let mut held = self.tree.node(step.node).hold(self.alone);
            held.cancel_visits(leaf.visits);
            for &number in ways.edges(step) {
                self.tree.edge(number).cancel_visits(leaf.visits, &held);
            }
        }
    }
}

/// Visits come to a child.
fn arrive(from: &Visit, visits: u32, step: StepId, child: NodeId, is_new: bool, trail: &mut Trail) {
    let repeats = child == from.mark;
    let (mark, next_mark) =
        if from.depth >= from.next_mark { (child, 2 * from.depth) } else { (from.mark, from.next_mark) };
    let depth = from.depth + 1;
    let visit = Visit { node: child, visits, step: Some(step), depth, mark, next_mark, counted: false };
    if is_new || repeats {
        trail.leaves.push(visit.end(if is_new { End::New } else { End::Again }));
    } else {
        trail.open.push(visit);
    }
}

/// Makes a new child for some visits and links it; if someone was faster, theirs.
fn link_new<State: Eq + Hash>(
    tree: &Tree<State>,
    stock: &mut Stock,
    visits: u32,
    link: impl FnOnce(NodeId) -> Result<(), NodeId>,
) -> (Option<NodeId>, bool) {
    let Some(child) = tree.new_node(stock) else { return (None, false) };
    tree.node(child).set_begun(visits);
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
    ways: &Ways,
    step: &Step,
    out: &mut Vec<MoveId>,
) {
    let Status::Open { block, mover } = tree.node(step.node).status() else { return };
    let numbers = ways.edges(step);
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

/// Links a step to another node, which stands for the same position.
pub(crate) fn relink<State: Eq + Hash>(tree: &Tree<State>, ways: &Ways, step: &Step, child: NodeId) {
    let Status::Open { mover, .. } = tree.node(step.node).status() else { return };
    match mover {
        Some(_) => tree.edge(ways.edges(step)[0]).relink(Some(child)),
        None => tree.joints().relink(step.node, &joint_of(tree, ways.edges(step)), child),
    }
}

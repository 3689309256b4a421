//! From the root down to leaves, many visits at a time.

use std::hash::Hash;
use std::sync::Arc;

use game::{Dice, MoveId};
use parking_lot::RwLock;
use smallvec::SmallVec;

use super::guided::{MoveTables, MoveValues};
use super::joint::{self, JointTables, JointTrail};
use super::link::number_of;
use super::paths::{End, Leaf, Paths, StepId};
use super::policy::Guide;
use super::rave::RaveTables;
use super::select::{Chooser, Fork};
use super::sequences::way_to;
use super::tree::{Edge, Edges, Link, NodeId, NodeLock, Status, Stock, Tree};
use super::visit_allocation::VisitAllocation;

/// What descending needs to know.
pub(crate) struct Descent<'a, State> {
    pub(crate) tree: &'a Tree<State>,
    pub(crate) chooser: &'a Chooser,
    pub(crate) guide: &'a Guide,
    pub(crate) most_depth: u32,
    pub(crate) chance: Option<usize>,
    pub(crate) prove: bool,
    /// What a value loses from a node to a move that leads there, where a move is worth what the node is.
    pub(crate) graph_discount: Option<f64>,
    /// Whether no other thread is at work.
    pub(crate) alone: bool,
    /// How moves fared that were made later.
    pub(crate) rave: Option<&'a RaveTables>,
    /// What an evaluator says of where moves lead.
    pub(crate) advice: Option<&'a RwLock<MoveTables>>,
    /// What is known where several roles choose, unless each chooses by its own statistics.
    pub(crate) joint: Option<&'a JointTables>,
    /// The only move tried at the root, by its place.
    pub(crate) only_move: Option<usize>,
}

/// Where descending leaves its marks.
#[derive(Debug, Default)]
pub(crate) struct Trail {
    pub(crate) paths: Paths,
    pub(crate) leaves: Vec<Leaf>,
    open: Vec<Visit>,
    /// What was open a level above.
    level: Vec<Visit>,
    allocation: VisitAllocation,
    /// What was chosen by other methods where several roles choose.
    pub(crate) joint: JointTrail,
    pub(crate) stock: Stock,
}

impl Trail {
    pub(crate) fn clear(&mut self) {
        self.paths.clear();
        self.leaves.clear();
        self.joint.clear();
    }
}

/// Visits that have come to a node together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Visit {
    pub(super) node: NodeId,
    /// How it was linked, if that was not looked at yet: it may lead nowhere by now.
    pub(super) link: Option<Link>,
    pub(super) visits: u32,
    pub(super) step: Option<StepId>,
    depth: u32,
    /// A position that comes again on the path down would be met for ever. It is enough to look for
    /// one node, taken anew whenever the way has doubled (Brent's way of finding cycles).
    mark: NodeId,
    next_mark: u32,
    /// Whether the node counts them already.
    counted: bool,
}

impl Visit {
    /// The same visits, come to another node.
    pub(super) fn at(&self, node: NodeId) -> Self {
        Self { node, link: None, ..*self }
    }

    fn begin(node: NodeId, visits: u32, step: Option<StepId>, depth: u32, counted: bool) -> Self {
        Self { node, link: None, visits, step, depth, mark: node, next_mark: depth.max(1), counted }
    }

    pub(super) fn end(&self, end: End) -> Leaf {
        Leaf { node: self.node, end, visits: self.visits, step: self.step, depth: self.depth }
    }
}

impl<State: Eq + Hash> Descent<'_, State> {
    /// Goes down from the root with some visits, marking the paths by them.
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
            level.iter().for_each(|visit| self.tree.fetch_moves(visit.node));
            for visit in level.drain(..) {
                self.go_down(&visit, trail, dice);
            }
        }
        trail.level = level;
    }

    /// One step, unless the node is a leaf.
    fn go_down(&self, visit: &Visit, trail: &mut Trail, dice: &mut Dice) {
        let mut visit = *visit;
        if visit.link.is_some_and(|link| !self.tree.is_current(link)) {
            match self.renew(&visit, trail) {
                Some(known) => visit = known,
                None => return,
            }
        }
        let visit = &visit;
        let node = self.tree.node(visit.node);
        let mut lock = node.lock(self.alone);
        if !visit.counted {
            lock.begin_visits(visit.visits);
        }
        if self.prove && visit.depth > 0 && node.is_proven() {
            return trail.leaves.push(visit.end(End::Proven));
        }
        let end = match node.status() {
            Status::Open { block, mover } => {
                let before = trail.leaves.len();
                if lock.is_worn() {
                    lock.rescale(self.tree.block(block));
                }
                match mover.map(usize::from) {
                    Some(mover) if self.chance != Some(mover) => {
                        self.part(visit, &lock, (block, mover), trail, dice);
                    }
                    Some(mover) => {
                        let moves = self.tree.edges(block, mover).len();
                        let room = moves.min(visit.visits as usize);
                        let block = self.tree.reserve(visit.node, &lock, block, room, &mut trail.stock);
                        let edges = self.tree.edges(block, mover);
                        for _ in 0..visit.visits {
                            self.follow(visit, &lock, 1, (edges, dice.below(moves)), trail);
                        }
                    }
                    None => self.go_one_by_one(visit, &lock, trail, dice),
                }
                drop(lock);
                // One node is locked at a time.
                for leaf in trail.leaves[before..].iter().filter(|leaf| leaf.end == End::Again) {
                    self.tree.node(leaf.node).lock(self.alone).begin_visits(leaf.visits);
                }
                return;
            }
            // Without a visit that ended it is in this batch or another thread's; without a position too.
            Status::Leaf
                if visit.depth >= self.most_depth
                    || visit.depth > 0 && (lock.visits().1 == 0 || self.tree.state(visit.node).is_none()) =>
            {
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
        lock: &NodeLock<'_>,
        (block, mover): (u32, usize),
        trail: &mut Trail,
        dice: &mut Dice,
    ) {
        let tree = self.tree;
        let edges = tree.edges(block, mover);
        if let Some(place) = self.only_move.filter(|_| visit.node == tree.root()) {
            return self.follow(visit, lock, visit.visits, (edges, place), trail);
        }
        let rave = self.rave.and_then(|rave| rave.used_in(tree, visit.node, &trail.paths, visit.step));
        let goal_at_end = |edge: Edge<'_>| self.goal_at_end(edge, mover);
        let before = self.before(visit, &trail.paths);
        let advice = self.advice(visit.node);
        let fork = Fork {
            lock,
            edges,
            role: mover,
            guide: self.guide,
            before: &before,
            roles: tree.roles(),
            rave,
            advised: advice.as_ref().map(|advice| advice.of(mover)),
            goal_at_end: &goal_at_end,
        };
        if visit.visits == 1 {
            let place = self.chooser.choose(&fork, dice);
            let is_ready = edges.is_tried(place) || edges.has_room(1);
            let edges = match is_ready {
                true => edges,
                false => tree.edges(tree.reserve(visit.node, lock, block, 1, &mut trail.stock), mover),
            };
            self.follow(visit, lock, 1, (edges, place), trail);
            return;
        }
        let mut allocation = std::mem::take(&mut trail.allocation);
        self.chooser.allocate_visits(&fork, visit.visits, dice, &mut allocation);
        // Of those that were never tried no more than this.
        let untried = edges.untried_count().min(visit.visits as usize);
        let edges = match edges.has_room(untried) {
            true => edges,
            false => tree.edges(tree.reserve(visit.node, lock, block, untried, &mut trail.stock), mover),
        };
        for (place, visits) in allocation.given() {
            self.follow(visit, lock, visits, (edges, place), trail);
        }
        trail.allocation = allocation;
    }

    /// The joint moves that led to a node, as many as the guide asks for.
    fn before(&self, visit: &Visit, paths: &Paths) -> Vec<MoveId> {
        let mut before = Vec::new();
        match self.guide.moves_before() {
            0 => {}
            most => way_to(self.tree, paths, visit.step, most, &mut before),
        }
        before
    }

    /// What an evaluator says of the moves of a node.
    fn advice(&self, node: NodeId) -> Option<Arc<MoveValues>> {
        self.advice?.read().of(self.tree.link(node).key()).cloned()
    }

    /// A role's goal behind a move, if the game is over there.
    fn goal_at_end(&self, edge: Edge<'_>, role: usize) -> Option<u8> {
        let node = self.tree.node(self.tree.follow(edge.link())?);
        (node.status() == Status::Over).then(|| node.bounds(role).lower)
    }

    /// Some of the visits go on by a move of the only role that chooses.
    fn follow(
        &self,
        visit: &Visit,
        lock: &NodeLock<'_>,
        visits: u32,
        (edges, place): (Edges<'_>, usize),
        trail: &mut Trail,
    ) {
        let tree = self.tree;
        let edge = edges.get_or_insert(place, lock);
        let link = edge.and_then(|edge| match edge.link() {
            Some(link) => Some((link, false)),
            None => {
                let child = tree.new_node(&mut trail.stock)?;
                tree.node(child).set_begun(visits);
                edge.set_link(tree.link(child), lock);
                Some((tree.link(child), true))
            }
        });
        let (Some(edge), Some((link, is_new))) = (edge, link) else {
            trail.leaves.push(Leaf { visits, ..visit.end(End::Nowhere) });
            return;
        };
        edge.begin_visits(visits, lock);
        let step = trail.paths.push(visit.node, visit.step, visits, &[place as u32]);
        self.arrive(visit, visits, step, (link, is_new), trail);
    }

    /// One step of visits where several roles choose.
    fn go_one_by_one(&self, visit: &Visit, lock: &NodeLock<'_>, trail: &mut Trail, dice: &mut Dice) {
        let tree = self.tree;
        for _ in 0..visit.visits {
            let Status::Open { block, .. } = tree.node(visit.node).status() else { return };
            let constant = |moves: usize| f64::from(self.chooser.constant(moves));
            let choice = self.joint.and_then(|known| {
                let counts = joint::counts(tree, visit.node)?;
                known.choose(tree.link(visit.node).key(), &counts, constant, &mut trail.joint, dice)
            });
            let before = self.before(visit, &trail.paths);
            let advice = self.advice(visit.node);
            let choose = |role: usize| {
                let edges = tree.edges(block, role);
                let rave =
                    self.rave.and_then(|rave| rave.used_in(tree, visit.node, &trail.paths, visit.step));
                let fork = Fork {
                    lock,
                    edges,
                    role,
                    guide: self.guide,
                    before: &before,
                    roles: tree.roles(),
                    rave,
                    advised: advice.as_ref().map(|advice| advice.of(role)),
                    // Where a move leads depends on the others'.
                    goal_at_end: &|_| None,
                };
                let by_chance = self.chance == Some(role);
                let place =
                    if by_chance { dice.below(edges.len()) } else { self.chooser.choose(&fork, dice) };
                place as u32
            };
            let places: SmallVec<[u32; 4]> = match &choice {
                Some(choice) => choice.places.clone(),
                None => (0..tree.roles()).map(choose).collect(),
            };
            let known = number_of(&tree.block(block), &places)
                .and_then(|number| tree.joint_link(&tree.block(block), number)?.link());
            let block = tree.reserve(visit.node, lock, block, tree.roles(), &mut trail.stock);
            let mut try_move = |(role, &place): (usize, &u32)| {
                tree.edges(block, role).get_or_insert(place as usize, lock).is_some()
            };
            let has_edges = places.iter().enumerate().all(&mut try_move);
            let link = match known {
                _ if !has_edges => None,
                Some(link) => Some((link, false)),
                None => tree.new_node(&mut trail.stock).map(|child| {
                    tree.node(child).set_begun(1);
                    self.link_joint(visit.node, &places, child, lock, &mut trail.stock);
                    (tree.link(child), true)
                }),
            };
            let Some((link, is_new)) = link else {
                trail.leaves.push(Leaf { visits: 1, ..visit.end(End::Nowhere) });
                continue;
            };
            self.for_each_edge(visit.node, &places, |edge| edge.begin_visits(1, lock));
            let step = trail.paths.push(visit.node, visit.step, 1, &places);
            if let Some(choice) = choice {
                trail.joint.note(step, choice);
            }
            self.arrive(visit, 1, step, (link, is_new), trail);
        }
    }

    /// Visits come to a child.
    fn arrive(
        &self,
        from: &Visit,
        visits: u32,
        step: StepId,
        (link, is_new): (Link, bool),
        trail: &mut Trail,
    ) {
        let child = link.id;
        let repeats = child == from.mark && self.tree.is_current(link);
        let (mark, next_mark) =
            if from.depth >= from.next_mark { (child, 2 * from.depth) } else { (from.mark, from.next_mark) };
        let (depth, step) = (from.depth + 1, Some(step));
        let link = Some(link).filter(|_| !is_new);
        let visit = Visit { node: child, link, visits, step, depth, mark, next_mark, counted: false };
        if is_new || repeats {
            trail.leaves.push(visit.end(if is_new { End::New } else { End::Again }));
        } else {
            trail.open.push(visit);
        }
    }

    /// What is known of the moves of a step.
    fn for_each_edge(&self, id: NodeId, places: &[u32], mut each: impl FnMut(Edge<'_>)) {
        let Status::Open { block, mover } = self.tree.node(id).status() else { return };
        let block = self.tree.block(block);
        for (index, &place) in places.iter().enumerate() {
            let role = mover.map_or(index, usize::from);
            block.edges(role).get(place as usize).into_iter().for_each(&mut each);
        }
    }

    /// Takes back the marks of paths down that led nowhere.
    pub(crate) fn cancel(&self, leaf: &Leaf, paths: &mut Paths) {
        self.tree.node(leaf.node).lock(self.alone).cancel_visits(leaf.visits);
        let mut next = leaf.step;
        while let Some(id) = next {
            let step = paths.step_mut(id);
            step.visits -= leaf.visits;
            next = step.before;
            let step = paths.step(id);
            let mut lock = self.tree.node(step.node).lock(self.alone);
            lock.cancel_visits(leaf.visits);
            self.for_each_edge(step.node, paths.places(step), |edge| edge.cancel_visits(leaf.visits, &lock));
        }
    }
}

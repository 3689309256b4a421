//! Proven values: what is known of a node from what is known of its children.

use std::hash::Hash;

use smallvec::{SmallVec, smallvec};

use super::Bounds;
use super::tree::{Block, Edge, NodeId, NodeLock, Status, Tree, UNIT, joint_number};

/// Nodes in which several roles choose among more joint moves than this are not proven.
const MOST_JOINT_MOVES: usize = 2_000;

/// What is known of all roles.
pub(crate) type AllBounds = SmallVec<[Bounds; 4]>;

/// A place among the moves of each role.
type Places = SmallVec<[usize; 4]>;

/// What proving needs to know.
pub(crate) struct Prover<'a, State> {
    pub(crate) tree: &'a Tree<State>,
    /// The role that moves at random.
    pub(crate) chance: Option<usize>,
    pub(crate) discount: f64,
    /// Whether no other thread is at work.
    pub(crate) alone: bool,
}

impl<State: Eq + Hash> Prover<'_, State> {
    /// Narrows what is proven of a node by its children; whether that is news.
    pub(crate) fn improve(&self, id: NodeId) -> bool {
        let node = self.tree.node(id);
        // From here on until all is told nobody adds to it, and its moves stay where they are.
        let mut lock = node.lock(self.alone);
        let Status::Open { block, mover } = node.status() else { return false };
        let block = self.tree.block(block);
        let (bounds, joint) = match mover {
            Some(role) => (self.of_one(&block, usize::from(role), Some(&lock)), None),
            None => {
                let joint = self.joint(&block, Some(&lock));
                (joint.as_ref().map(|joint| joint.bounds(self.chance)), joint)
            }
        };
        let Some(bounds) = bounds else { return false };
        let known = |(role, &bounds): (usize, &Bounds)| node.bounds(role).intersect(bounds);
        let known: AllBounds = bounds.iter().enumerate().map(known).collect();
        if !node.is_proven() && known.iter().all(|bounds| bounds.is_exact()) {
            let values = match mover {
                Some(role) => self.value_of_one(known[usize::from(role)], &block, usize::from(role)),
                None => joint.map(|joint| joint.values(self, &known)),
            };
            for (role, value) in values.iter().flatten().enumerate() {
                lock.set_mean(role, value * self.discount);
            }
        }
        lock.narrow_all(known.iter().copied())
    }

    /// What the moves of an open node prove of it; nothing where there are too many joint moves.
    pub(crate) fn of_node(&self, id: NodeId) -> AllBounds {
        let unknown = || smallvec![Bounds::UNKNOWN; self.tree.roles()];
        let Status::Open { block, mover } = self.tree.node(id).status() else { return unknown() };
        let block = self.tree.block(block);
        let bounds = match mover {
            Some(role) => self.of_one(&block, usize::from(role), None),
            None => self.joint(&block, None).map(|joint| joint.bounds(self.chance)),
        };
        bounds.unwrap_or_else(unknown)
    }

    /// What is proven of each move of a role in an open node, whatever the others do.
    pub(crate) fn of_moves(&self, id: NodeId, role: usize) -> Vec<Bounds> {
        let Status::Open { block, mover } = self.tree.node(id).status() else { return Vec::new() };
        let block = self.tree.block(block);
        let unknown = || vec![Bounds::UNKNOWN; block.edges(role).len()];
        match mover.map(usize::from) {
            Some(mover) if mover == role => {
                let edges = block.edges(role).iter();
                edges.map(|edge| edge.map_or(Bounds::UNKNOWN, |edge| self.behind(edge, role))).collect()
            }
            // It has no choice: its one move leads wherever the mover goes.
            Some(_) => unknown(),
            None => self
                .joint(&block, None)
                .map_or_else(unknown, |joint| joint.outcomes(&joint.free()).swap_remove(role)),
        }
    }

    /// Whether the goals of all roles are known behind every joint move of an open node.
    pub(crate) fn all_behind_is_proven(&self, id: NodeId) -> bool {
        let Status::Open { block, .. } = self.tree.node(id).status() else { return false };
        let joint = self.joint(&self.tree.block(block), None);
        joint.is_some_and(|joint| joint.bounds.iter().all(|bounds| bounds.is_exact()))
    }

    /// What is proven of a role's goal behind a move.
    fn behind(&self, edge: Edge<'_>, role: usize) -> Bounds {
        self.tree.bounds_behind(edge.link(), edge.bounds(role), role)
    }

    /// One role decides. It gets the best it can have. The others get what the moves leave them that it
    /// may choose: its proven best moves if it has such, else all that may be as good. What is proven of
    /// the children is remembered by the moves, if the node is locked.
    fn of_one(&self, block: &Block<'_>, role: usize, lock: Option<&NodeLock<'_>>) -> Option<AllBounds> {
        let roles = self.tree.roles();
        let edges = block.edges(role);
        // What is known of each role behind each move.
        let mut known: SmallVec<[Bounds; 32]> = SmallVec::with_capacity(edges.len() * roles);
        for edge in edges.iter() {
            let Some(edge) = edge else {
                known.extend((0..roles).map(|_| Bounds::UNKNOWN));
                continue;
            };
            for role in 0..roles {
                let (stored, bounds) = (edge.bounds(role), self.behind(edge, role));
                if let Some(lock) = lock.filter(|_| stored != bounds) {
                    edge.set_bounds(role, bounds, lock);
                }
                known.push(bounds);
            }
        }
        let behind = |place: usize, role: usize| known[place * roles + role];
        let hull = |role: usize, places: &mut dyn Iterator<Item = usize>| {
            places.map(|place| behind(place, role)).reduce(Bounds::hull).unwrap_or(Bounds::UNKNOWN)
        };
        let all = 0..edges.len();
        if self.chance == Some(role) {
            return Some((0..roles).map(|role| hull(role, &mut all.clone())).collect());
        }
        let own = all.clone().map(|place| behind(place, role)).reduce(best)?;
        let proven_best = |place: &usize| behind(*place, role).lower >= own.upper;
        let not_worse = |place: &usize| behind(*place, role).upper >= own.lower;
        let decided = own.is_exact();
        let other = |other: usize| match other {
            _ if other == role => own,
            _ if decided => hull(other, &mut all.clone().filter(proven_best)),
            _ => hull(other, &mut all.clone().filter(not_worse)),
        };
        Some((0..roles).map(other).collect())
    }

    /// What a proven node in which one role decides is worth to all: what the move is that it makes.
    /// Of equal goals it takes the one reached soonest, and if all is lost, the one that costs the others
    /// most time. So a proven win comes nearer with every move. Chance makes them all.
    fn value_of_one(&self, own: Bounds, block: &Block<'_>, role: usize) -> Option<SmallVec<[f64; 4]>> {
        let roles = 0..self.tree.roles();
        let moves = block.edges(role).iter().flatten();
        if self.chance == Some(role) {
            let count = moves.clone().count().max(1) as f64;
            let mean = |role| moves.clone().map(|edge| self.value_behind(edge, role)).sum::<f64>() / count;
            return Some(roles.map(mean).collect());
        }
        let best = moves.filter(|&edge| self.behind(edge, role) == own).max_by(|&a, &b| {
            let others = |edge| self.value_behind_to_others(edge, role);
            self.value_behind(a, role)
                .total_cmp(&self.value_behind(b, role))
                .then(others(b).total_cmp(&others(a)))
        })?;
        Some(roles.map(|role| self.value_behind(best, role)).collect())
    }

    /// Whether the goals of all roles behind a move are known.
    pub(crate) fn is_proven_behind(&self, edge: Edge<'_>) -> bool {
        (0..self.tree.roles()).all(|role| self.behind(edge, role).is_exact())
    }

    /// What the node behind a move is worth to a role, 0 to 100. If it was recycled, what it was worth
    /// when the move was made last, as far as proofs allow it.
    pub(crate) fn value_behind(&self, edge: Edge<'_>, role: usize) -> f64 {
        if let Some(child) = self.tree.follow(edge.link()) {
            return self.value(child, role);
        }
        let bounds = edge.bounds(role);
        let seen = edge.worth(role) as f64 / UNIT / f64::from(edge.visits().1.max(1)) / self.discount;
        seen.clamp(f64::from(bounds.lower), f64::from(bounds.upper))
    }

    /// What the node behind a move is worth to all but one role together.
    pub(crate) fn value_behind_to_others(&self, edge: Edge<'_>, role: usize) -> f64 {
        (0..self.tree.roles())
            .filter(|&other| other != role)
            .map(|other| self.value_behind(edge, other))
            .sum()
    }

    /// What a node is worth to a role, 0 to 100, as far as proofs allow it.
    pub(crate) fn value(&self, id: NodeId, role: usize) -> f64 {
        let node = self.tree.node(id);
        let mean = node.mean(role);
        if node.is_proven() {
            return mean;
        }
        let bounds = node.bounds(role);
        mean.clamp(f64::from(bounds.lower), f64::from(bounds.upper))
    }

    /// The joint moves of a node in which several roles decide, unless there are too many. What is proven of
    /// the children is remembered by the links, if the node is locked.
    fn joint(&self, block: &Block<'_>, lock: Option<&NodeLock<'_>>) -> Option<JointMoves> {
        let tree = self.tree;
        let counts: Places = (0..tree.roles()).map(|role| block.edges(role).len()).collect();
        let all = counts.iter().try_fold(1usize, |product, &count| product.checked_mul(count))?;
        if all > MOST_JOINT_MOVES {
            return None;
        }
        let mut moves = JointMoves { counts, children: Vec::with_capacity(all), bounds: Vec::new() };
        for number in 0..all {
            let places = moves.places(number);
            let number = joint_number(places.iter().copied().zip(moves.counts.iter().copied()));
            let link = number.and_then(|number| tree.joint_link(block, number));
            moves.children.push(link.and_then(|link| tree.follow(link.link())));
            for role in 0..tree.roles() {
                let bounds = link.map_or(Bounds::UNKNOWN, |link| {
                    let bounds = tree.bounds_behind(link.link(), link.bounds(role), role);
                    if let Some(lock) = lock {
                        link.set_bounds(role, bounds, lock);
                    }
                    bounds
                });
                moves.bounds.push(bounds);
            }
        }
        Some(moves)
    }
}

/// The better one for who decides between two.
fn best(a: Bounds, b: Bounds) -> Bounds {
    Bounds { lower: a.lower.max(b.lower), upper: a.upper.max(b.upper) }
}

/// The joint moves of a node in which several roles decide at once, by number.
struct JointMoves {
    /// The moves of each role.
    counts: Places,
    children: Vec<Option<NodeId>>,
    /// What is known of each role behind each joint move.
    bounds: Vec<Bounds>,
}

/// Which moves each role may make.
type Allowed = Vec<Vec<bool>>;

impl JointMoves {
    fn places(&self, number: usize) -> Places {
        let mut rest = number;
        let mut place = |&count: &usize| {
            let place = rest % count;
            rest /= count;
            place
        };
        self.counts.iter().map(&mut place).collect()
    }

    /// All moves of all roles.
    fn free(&self) -> Allowed {
        self.counts.iter().map(|&count| vec![true; count]).collect()
    }

    /// The numbers of the joint moves that consist of allowed moves, and the places of these.
    fn numbers<'a>(&'a self, allowed: &'a Allowed) -> impl Iterator<Item = (usize, Places)> + 'a {
        let all = (0..self.children.len()).map(|number| (number, self.places(number)));
        all.filter(|(_, places)| places.iter().enumerate().all(|(role, &place)| allowed[role][place]))
    }

    /// Per role and move, from the worst to the best that the replies allowed leave.
    fn outcomes(&self, allowed: &Allowed) -> Vec<Vec<Bounds>> {
        let roles = self.counts.len();
        let none = Bounds { lower: 100, upper: 0 };
        let mut outcomes: Vec<Vec<Bounds>> = self.counts.iter().map(|&count| vec![none; count]).collect();
        for (number, places) in self.numbers(allowed) {
            for (role, &place) in places.iter().enumerate() {
                let outcome = &mut outcomes[role][place];
                *outcome = outcome.hull(self.bounds[number * roles + role]);
            }
        }
        outcomes
    }

    /// What is known of each role. It can be sure of the best of its moves' worst outcomes, and can
    /// hope for no more than the best outcome of all. Who is sure of all it can hope for makes one of the
    /// moves that give it that, so the others need not reckon with the rest.
    fn bounds(&self, chance: Option<usize>) -> AllBounds {
        self.narrowed(chance).0
    }

    fn narrowed(&self, chance: Option<usize>) -> (AllBounds, Allowed) {
        let roles = self.counts.len();
        let mut allowed = self.free();
        let mut known: AllBounds = smallvec![Bounds::UNKNOWN; roles];
        let mut decided: SmallVec<[bool; 4]> = smallvec![false; roles];
        loop {
            let outcomes = self.outcomes(&allowed);
            let possible = |role: usize| {
                let moves = outcomes[role].iter().zip(&allowed[role]);
                moves.filter(|(_, allowed)| **allowed).map(|(bounds, _)| *bounds)
            };
            for role in (0..roles).filter(|&role| !decided[role]) {
                // Who moves at random is sure of nothing but the worst.
                let all = possible(role).reduce(if chance == Some(role) { Bounds::hull } else { best });
                known[role] = all.unwrap_or(Bounds::UNKNOWN);
            }
            let next =
                (0..roles).find(|&role| !decided[role] && chance != Some(role) && known[role].is_exact());
            let Some(role) = next else { return (known, allowed) };
            decided[role] = true;
            for (place, allowed) in allowed[role].iter_mut().enumerate() {
                *allowed &= outcomes[role][place].lower >= known[role].upper;
            }
        }
    }

    /// What a proven node is worth to each role: the worst that the moves leave it which may be made.
    fn values<State: Eq + Hash>(&self, prover: &Prover<'_, State>, known: &AllBounds) -> SmallVec<[f64; 4]> {
        let (_, allowed) = self.narrowed(prover.chance);
        let children: Vec<NodeId> =
            self.numbers(&allowed).filter_map(|(number, _)| self.children[number]).collect();
        let exact = |role: usize| f64::from(known[role].lower);
        let worst = |role| children.iter().map(|&child| prover.value(child, role)).reduce(f64::min);
        (0..self.counts.len()).map(|role| worst(role).unwrap_or_else(|| exact(role))).collect()
    }
}

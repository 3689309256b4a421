//! The tree: a node for each way to a state, and one tally for each state, however it was reached.

use std::ops::{Index as At, IndexMut as AtMut};

use game::{Dice, Expansion, Goal, MoveId};

use super::transpositions::{Asked, Index, Transpositions};
use super::{MiniOptions, Worth};
use crate::facts::Facts;
use crate::lanes::PLAYER;

/// A node of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct NodeId(pub(super) u32);

/// The tally of a state: that of all nodes that have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TallyId(pub(super) u32);

/// What simulations through a state scored.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    /// How many there were.
    pub visits: u32,
    /// The sum of their scores.
    pub sum: f64,
    /// The highest of them.
    pub highest: f64,
}

impl Tally {
    /// One more simulation.
    pub fn add(&mut self, score: f64) {
        self.visits = self.visits.saturating_add(1);
        self.sum += score;
        self.highest = self.highest.max(score);
    }

    /// All simulations of another tree.
    pub fn merge(&mut self, other: &Self) {
        self.visits = self.visits.saturating_add(other.visits);
        self.sum += other.sum;
        self.highest = self.highest.max(other.highest);
    }

    /// What a state is worth: `Q` in equation (1), `MAX` in equation (5).
    pub fn worth(&self, worth: Worth) -> f64 {
        match worth {
            Worth::Highest => self.highest,
            Worth::Average => self.sum / f64::from(self.visits.max(1)),
        }
    }

    /// The upper confidence bound of a state below one that had so many visits: equation (1) with
    /// averages, equation (5) with the highest score.
    pub fn bound(&self, worth: Worth, exploration: f64, visits_above: u32) -> f64 {
        let logarithm = f64::from(visits_above.max(1)).ln();
        self.worth(worth) + exploration * (logarithm / f64::from(self.visits.max(1))).sqrt()
    }
}

#[derive(Debug)]
pub(super) struct Node<State> {
    pub(super) state: State,
    /// What it scores, if the game is over.
    pub(super) end: Option<Goal>,
    hash: u64,
    parent: Option<NodeId>,
    pub(super) tally: TallyId,
    pub(super) edges: Vec<Edge>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) id: MoveId,
    pub(super) child: Option<NodeId>,
}

/// Bytes of a node and of its place in a table beside its state and moves, about.
const NODE_BYTES: usize = 200;

#[derive(Debug)]
pub(super) struct Tree<State> {
    nodes: Vec<Node<State>>,
    tallies: Vec<Tally>,
    index: Index,
    /// Where simulations begin.
    pub(super) root: NodeId,
    bytes: usize,
}

impl<State> At<NodeId> for Tree<State> {
    type Output = Node<State>;

    fn index(&self, node: NodeId) -> &Node<State> {
        &self.nodes[node.0 as usize]
    }
}

impl<State> AtMut<NodeId> for Tree<State> {
    fn index_mut(&mut self, node: NodeId) -> &mut Node<State> {
        &mut self.nodes[node.0 as usize]
    }
}

impl<State> Tree<State> {
    pub(super) fn new<G: Facts<State = State>>(game: &G, transpositions: Transpositions) -> Self {
        Self {
            nodes: Vec::new(),
            tallies: Vec::new(),
            index: Index::new(game, transpositions),
            root: NodeId(0),
            bytes: 0,
        }
    }

    /// How many nodes there are.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    pub(super) fn tally(&self, node: NodeId) -> &Tally {
        &self.tallies[self[node].tally.0 as usize]
    }

    /// A node for a state, below another one.
    pub(super) fn add<G: Facts<State = State>>(
        &mut self,
        game: &G,
        state: State,
        expansion: &Expansion,
        end: Option<Goal>,
        parent: Option<NodeId>,
    ) -> NodeId {
        let edge = |&id: &MoveId| Edge { id, child: None };
        let legal = expansion.legal(PLAYER);
        let edges: Vec<Edge> = if end.is_some() { Vec::new() } else { legal.iter().map(edge).collect() };
        self.put(game, Node { state, end, hash: 0, parent, tally: TallyId(0), edges }, Tally::default())
    }

    /// Puts a node into the tree; a state that is not known yet begins with a tally.
    fn put<G: Facts<State = State>>(&mut self, game: &G, mut node: Node<State>, tally: Tally) -> NodeId {
        let number = NodeId(self.nodes.len() as u32);
        let before = node.parent.map(|parent| &self[parent]).map(|parent| (&parent.state, parent.hash));
        node.hash = self.index.hash(game, &node.state, before);
        let nodes = &self.nodes;
        let asked = Asked { state: &node.state, hash: node.hash, legal: node.edges.len() };
        let same = self.index.note(game, &asked, number, |node| &nodes[node.0 as usize].state);
        node.tally = match same {
            Some(same) => self[same].tally,
            None => {
                self.tallies.push(tally);
                TallyId(self.tallies.len() as u32 - 1)
            }
        };
        self.bytes += NODE_BYTES + size_of_val(node.edges.as_slice()) + game.bytes(&node.state);
        self.nodes.push(node);
        number
    }

    /// The edge to follow from a node: one never tried, else the best by upper confidence bounds;
    /// among equals any.
    pub(super) fn select(&self, node: NodeId, options: &MiniOptions, dice: &mut Dice) -> usize {
        let edges = &self[node].edges;
        let untried = edges.iter().filter(|edge| edge.child.is_none()).count();
        if untried > 0 {
            let mut places = (0..edges.len()).filter(|&place| edges[place].child.is_none());
            return places.nth(dice.below(untried)).unwrap_or(0);
        }
        let visits = self.tally(node).visits;
        let bound = |edge: &Edge| {
            edge.child
                .map_or(0.0, |child| self.tally(child).bound(options.worth, options.exploration, visits))
        };
        highest(edges.iter().map(bound), dice).unwrap_or(0)
    }

    /// Adds a score to the states of a path, to each once.
    pub(super) fn update(&mut self, path: &[NodeId], score: f64) {
        let mut tallies: Vec<TallyId> = path.iter().map(|&node| self[node].tally).collect();
        tallies.sort_unstable();
        tallies.dedup();
        tallies.iter().for_each(|tally| self.tallies[tally.0 as usize].add(score));
    }

    /// Lets go of everything that cannot be reached from the root any more.
    pub(super) fn compact<G: Facts<State = State>>(&mut self, game: &G, transpositions: Transpositions) {
        let old = std::mem::replace(self, Self::new(game, transpositions));
        let tallies = old.tallies;
        let mut nodes: Vec<Option<Node<State>>> = old.nodes.into_iter().map(Some).collect();
        // Where a node was, and the node above it with the place of its edge.
        let mut open = vec![(old.root, None)];
        while let Some((place, above)) = open.pop() {
            let Some(node) = nodes[place.0 as usize].take() else { continue };
            let children: Vec<Option<NodeId>> = node.edges.iter().map(|edge| edge.child).collect();
            let tally = tallies[node.tally.0 as usize];
            let parent = above.map(|(parent, _)| parent);
            let number = self.put(game, Node { parent, ..node }, tally);
            for edge in &mut self[number].edges {
                edge.child = None;
            }
            if let Some((parent, edge)) = above {
                let parent: &mut Node<State> = &mut self[parent];
                let edge: usize = edge;
                parent.edges[edge].child = Some(number);
            }
            let children = children.into_iter().enumerate();
            open.extend(children.filter_map(|(edge, child)| Some((child?, Some((number, edge))))));
        }
        self.root = NodeId(0);
    }

    /// Notes all nodes in a table of some kind: how many different states it tells apart.
    pub(super) fn exercise<G: Facts<State = State>>(&self, game: &G, kind: Transpositions) -> usize {
        let mut index = Index::new(game, kind);
        let of = |node: NodeId| &self[node].state;
        let mut hashes: Vec<u64> = Vec::with_capacity(self.nodes.len());
        let mut states = 0;
        for (number, node) in (0u32..).zip(&self.nodes) {
            let before = node.parent.map(|parent| (of(parent), hashes[parent.0 as usize]));
            let hash = index.hash(game, &node.state, before);
            hashes.push(hash);
            let asked = Asked { state: &node.state, hash, legal: node.edges.len() };
            states += usize::from(index.note(game, &asked, NodeId(number), of).is_none());
        }
        states
    }
}

/// The place of the highest of some numbers; among equals any.
pub(super) fn highest(numbers: impl IntoIterator<Item = f64>, dice: &mut Dice) -> Option<usize> {
    let mut best = None;
    let mut ties = 0;
    for (place, number) in numbers.into_iter().enumerate() {
        match best {
            Some((_, most)) if number < most => {}
            Some((_, most)) if number == most => {
                ties += 1;
                if dice.below(ties) == 0 {
                    best = Some((place, number));
                }
            }
            _ => (best, ties) = (Some((place, number)), 1),
        }
    }
    best.map(|(place, _)| place)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use game::{Describe, Game};
    use machine::circuit::CircuitMachine;

    use super::*;

    /// Switches that can be turned on, in any order.
    const SWITCHES: &str = "(role you) (switch a) (switch b) (switch c)
        (<= (legal you (press ?s)) (switch ?s) (not (true (on ?s))))
        (<= (next (on ?s)) (does you (press ?s))) (<= (next (on ?s)) (true (on ?s)))
        (<= terminal (true (on a)) (true (on b)) (true (on c))) (goal you 50)";

    struct Grown {
        machine: Arc<CircuitMachine>,
        tree: Tree<machine::circuit::CircuitState>,
    }

    impl Grown {
        fn new(kind: Transpositions) -> Self {
            let rules = gdl::normal::read(SWITCHES);
            let budget = ground::Budget::unlimited();
            let build = machine::build::circuit(&rules, circuit::Effort::Quick, &budget).expect("a circuit");
            let machine = Arc::new(CircuitMachine::new(build.circuit));
            let mut grown = Self { tree: Tree::new(&*machine, kind), machine };
            let start = grown.machine.initial();
            grown.add(start, None);
            grown
        }

        fn add(&mut self, state: machine::circuit::CircuitState, parent: Option<NodeId>) -> NodeId {
            let mut expansion = Expansion::new();
            self.machine.expand(&mut self.machine.workspace(), &state, &mut expansion).expect("moves");
            let end = expansion.is_terminal().then_some(Goal(50));
            self.tree.add(&*self.machine, state, &expansion, end, parent)
        }

        /// The nodes of a line of presses from the root.
        fn line(&mut self, presses: &str) -> Vec<NodeId> {
            let mut path = vec![self.tree.root];
            for press in presses.chars() {
                let node = path[path.len() - 1];
                let text = format!("(press {press})");
                let edges = &self.tree[node].edges;
                let place = edges.iter().position(|edge| self.machine.move_text(edge.id) == text);
                let place = place.expect("a legal move");
                let edge = self.tree[node].edges[place];
                let child = edge.child.unwrap_or_else(|| {
                    let state = &self.tree[node].state;
                    let next = self.machine.apply(&mut self.machine.workspace(), state, &[edge.id]);
                    self.add(next.expect("a state"), Some(node))
                });
                self.tree[node].edges[place].child = Some(child);
                path.push(child);
            }
            path
        }
    }

    #[test]
    fn every_parent_of_a_transposed_state_sees_what_it_scored() {
        for kind in [Transpositions::FiveLevels, Transpositions::Zobrist] {
            let mut grown = Grown::new(kind);
            let one = grown.line("ab");
            let other = grown.line("ba");
            assert_ne!(one[2], other[2], "two nodes");
            grown.tree.update(&one, 80.0);
            let seen = grown.tree.tally(other[2]);
            assert_eq!((seen.visits, seen.sum, seen.highest), (1, 80.0, 80.0), "{kind:?}: one state");
            assert_eq!(grown.tree.tally(other[1]).visits, 0, "b alone is another state");
            grown.tree.update(&other, 20.0);
            assert_eq!(*grown.tree.tally(one[2]), Tally { visits: 2, sum: 100.0, highest: 80.0 });
            assert_eq!(grown.tree.tally(grown.tree.root).visits, 2);
            // A node that comes later sees it at once: here c leads to where ab and c lead together.
            let last = grown.line("abc");
            grown.tree.update(&last, 50.0);
            let late = grown.line("cba");
            assert_eq!(grown.tree.tally(late[3]).visits, 1);
        }
        let mut grown = Grown::new(Transpositions::None);
        let (one, other) = (grown.line("ab"), grown.line("ba"));
        grown.tree.update(&one, 80.0);
        assert_eq!(grown.tree.tally(other[2]).visits, 0, "without a table nothing is shared");
    }

    #[test]
    fn what_is_out_of_reach_is_let_go() {
        let mut grown = Grown::new(Transpositions::FiveLevels);
        let line = grown.line("abc");
        grown.tree.update(&line, 70.0);
        grown.line("bca");
        grown.line("acb");
        let bytes = grown.tree.bytes();
        grown.tree.root = line[1];
        let machine = Arc::clone(&grown.machine);
        grown.tree.compact(&*machine, Transpositions::FiveLevels);
        // a; ab, ac; abc, acb.
        assert_eq!(grown.tree.len(), 5);
        assert!(grown.tree.bytes() < bytes);
        let kept = grown.line("bc");
        assert_eq!(grown.tree.len(), 5, "nothing is made anew");
        assert_eq!(kept.iter().map(|&node| grown.tree.tally(node).visits).collect::<Vec<_>>(), [1, 1, 1]);
        let other = grown.line("cb");
        assert_eq!(grown.tree.tally(other[2]).highest, 70.0, "states are still shared");
        assert_eq!(grown.tree.tally(other[1]).visits, 0);
    }

    #[test]
    fn moves_never_tried_come_first_and_then_the_best_bound() {
        let mut grown = Grown::new(Transpositions::FiveLevels);
        let options = MiniOptions { exploration: 1.0, ..MiniOptions::default() };
        let mut dice = Dice::new(1);
        let root = grown.tree.root;
        let two = ["a", "b"].map(|press| grown.line(press));
        two.iter().for_each(|line| grown.tree.update(line, 100.0));
        let chosen = grown.tree.select(root, &options, &mut dice);
        assert!(grown.tree[root].edges[chosen].child.is_none(), "c was never tried");
        let third = grown.line("c");
        let lines = [two[0].clone(), two[1].clone(), third];
        for (line, score) in lines.iter().zip([30.0, 160.0, 10.0]) {
            grown.tree.update(line, score);
        }
        let chosen = grown.tree.select(root, &options, &mut dice);
        let child = grown.tree[root].edges[chosen].child.expect("a child");
        assert_eq!(child, lines[1][1], "it scored most");
    }
}

//! Symmetries of a coloured graph, by singling out nodes (individualisation and refinement, after
//! McKay, 1981): a first path singles out one node after the other until all have colours of their
//! own; another path that makes other choices and ends with the same colours tells a permutation,
//! which is then checked link by link.

use rustc_hash::FxHashMap;

use super::colours::{Colouring, Mark};
use super::graph::{Graph, Kind};

/// More symmetries than this are not collected: these generate enough of them.
const MOST_GENERATORS: usize = 64;
/// Wrong turns on the way to one symmetry.
const MOST_WRONG_TURNS: usize = 4;
/// Nodes that are singled out at most.
const MOST_LEVELS: usize = 1_000;
/// Links looked at between two looks at the clock.
const WORK_BETWEEN: usize = 20_000;

/// How long to look.
#[derive(Clone, Copy)]
pub(super) struct Limits<'a> {
    /// Links looked at.
    pub(super) work: usize,
    /// Whether there is no more time.
    pub(super) is_over: &'a dyn Fn() -> bool,
}

/// What was found.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// Permutations of the nodes, none of which follows from the others at once.
    pub(super) generators: Vec<Vec<u32>>,
    /// How many symmetries they generate at least; more than a number can hold counts as its most.
    pub(super) order: u64,
    /// Whether everything was tried.
    pub(super) complete: bool,
}

/// A choice on the first path.
#[derive(Clone, Copy, Debug)]
struct Level {
    node: u32,
    /// The colour it had, as had all that might have been chosen.
    colour: u64,
    /// What became of the colours.
    trace: u64,
    /// The moment before it was singled out.
    before: Mark,
}

/// Looks for symmetries that move facts of colour `movable`, or roles.
pub(super) fn search(graph: &Graph, movable: u32, limits: &Limits<'_>) -> Found {
    let mut walk = Walk {
        colouring: Colouring::new(graph, limits.work),
        movable: graph.facts.iter().map(|&(node, _)| node).collect(),
        levels: Vec::new(),
        deciding: 0,
        chosen: Vec::new(),
        leaf: FxHashMap::default(),
        asked: 0,
        over: false,
        graph,
        limits,
    };
    walk.movable
        .retain(|&node| matches!(graph.kinds[node as usize], Kind::Fact(colour, _) if colour == movable));
    walk.movable.extend(&graph.roles);
    if !walk.first_path() {
        return Found { order: 1, ..Found::default() };
    }
    walk.symmetries()
}

struct Walk<'a> {
    graph: &'a Graph,
    limits: &'a Limits<'a>,
    colouring: Colouring<'a>,
    /// The facts and roles that are to be mapped onto each other.
    movable: Vec<u32>,
    levels: Vec<Level>,
    /// How many of the levels single out one of these; the rest only complete the permutation.
    deciding: usize,
    /// What was chosen on the other path in place of what was on the first.
    chosen: Vec<(u32, u32)>,
    /// The node of each colour at the end of the first path.
    leaf: FxHashMap<u64, u32>,
    /// The work done when time was last asked for.
    asked: usize,
    over: bool,
}

impl Walk<'_> {
    fn is_over(&mut self) -> bool {
        if self.colouring.work >= self.asked + WORK_BETWEEN {
            self.asked = self.colouring.work;
            self.over |= (self.limits.is_over)();
        }
        self.over |= self.colouring.work > self.limits.work;
        self.over
    }

    /// Singles out nodes until all have different colours; says whether that was possible.
    fn first_path(&mut self) -> bool {
        // Of those that can be chosen, the fewest; of several such, those of the least colour.
        let choose = |walk: &Self| {
            let several = walk
                .movable
                .iter()
                .map(|&node| (walk.colouring.size(node), walk.colouring.colour(node), node));
            several.filter(|&(size, ..)| size > 1).min().map(|(.., node)| node)
        };
        while let Some(node) = choose(self) {
            if self.levels.len() == MOST_LEVELS || self.is_over() {
                return false;
            }
            self.descend(node);
        }
        self.deciding = self.levels.len();
        for node in 0..self.graph.len() as u32 {
            while self.colouring.size(node) > 1 {
                if self.levels.len() == MOST_LEVELS || self.is_over() {
                    return false;
                }
                self.descend(node);
            }
        }
        self.leaf = (0..self.graph.len() as u32).map(|node| (self.colouring.colour(node), node)).collect();
        self.leaf.len() == self.graph.len()
    }

    fn descend(&mut self, node: u32) {
        let (colour, before) = (self.colouring.colour(node), self.colouring.mark());
        let trace = self.colouring.single_out(node);
        self.levels.push(Level { node, colour, trace, before });
    }

    /// From the last choice to the first, tries what else could have been chosen. All symmetries
    /// found before leave the choices above alone, so that the orbits tell what is known already.
    fn symmetries(&mut self) -> Found {
        let mut found = Found { order: 1, complete: true, ..Found::default() };
        let mut orbits = Orbits::new(self.graph.len());
        for level in (0..self.deciding).rev() {
            let Level { node, colour, before, .. } = self.levels[level];
            self.colouring.undo(before);
            let cell: Vec<u32> =
                self.movable.iter().copied().filter(|&node| self.colouring.colour(node) == colour).collect();
            let mut failed: Vec<u32> = Vec::new();
            for &other in &cell {
                if self.is_over() || found.generators.len() == MOST_GENERATORS {
                    found.complete = false;
                    break;
                }
                let hopeless = failed.iter().any(|&failed| orbits.root(failed) == orbits.root(other));
                if hopeless || orbits.root(other) == orbits.root(node) {
                    continue;
                }
                let mut wrong_turns = MOST_WRONG_TURNS;
                match self.other_path(level, other, &mut wrong_turns) {
                    Some(image) => {
                        (0..).zip(&image).for_each(|(node, &image)| orbits.join(node, image));
                        found.generators.push(image);
                    }
                    None => {
                        found.complete &= wrong_turns > 0;
                        failed.push(other);
                    }
                }
                self.colouring.undo(before);
            }
            let reached = cell.iter().filter(|&&other| orbits.root(other) == orbits.root(node)).count();
            found.order = found.order.saturating_mul(reached as u64);
        }
        found
    }

    /// Singles out another node at a level and goes on to the end; the permutation that leads from
    /// the first path to this one, if it is a symmetry.
    fn other_path(&mut self, level: usize, other: u32, wrong_turns: &mut usize) -> Option<Vec<u32>> {
        let before = self.colouring.mark();
        self.chosen.push((self.levels[level].node, other));
        let same = self.colouring.single_out(other) == self.levels[level].trace;
        let image = if same { self.below(level + 1, wrong_turns) } else { None };
        self.chosen.pop();
        if image.is_none() {
            self.colouring.undo(before);
            *wrong_turns = wrong_turns.saturating_sub(1);
        }
        image
    }

    fn below(&mut self, level: usize, wrong_turns: &mut usize) -> Option<Vec<u32>> {
        let Some(&Level { node, colour, .. }) = self.levels.get(level) else { return self.permutation() };
        // What stays where it is makes simple symmetries; so does what is exchanged for what took its
        // place.
        let exchanged = self.chosen.iter().find(|&&(_, to)| to == node).map(|&(from, _)| from);
        for simple in [Some(node), exchanged].into_iter().flatten() {
            if self.colouring.colour(simple) == colour
                && let Some(image) = self.other_path(level, simple, wrong_turns)
            {
                return Some(image);
            }
        }
        let all: Vec<u32> =
            if level < self.deciding { self.movable.clone() } else { (0..self.graph.len() as u32).collect() };
        for other in all {
            if *wrong_turns == 0 || self.is_over() {
                return None;
            }
            if ![Some(node), exchanged].contains(&Some(other))
                && self.colouring.colour(other) == colour
                && let Some(image) = self.other_path(level, other, wrong_turns)
            {
                return Some(image);
            }
        }
        None
    }

    /// Each node of the first path is mapped to the node that has its colour now.
    fn permutation(&self) -> Option<Vec<u32>> {
        let mut image = vec![u32::MAX; self.graph.len()];
        for node in 0..self.graph.len() as u32 {
            let from = *self.leaf.get(&self.colouring.colour(node))?;
            image[from as usize] = node;
        }
        let all = image.iter().all(|&node| node != u32::MAX);
        (all && self.graph.is_symmetry(&image)).then_some(image)
    }
}

/// Sets of nodes that are mapped onto each other.
struct Orbits(Vec<u32>);

impl Orbits {
    fn new(nodes: usize) -> Self {
        Self((0..nodes as u32).collect())
    }

    fn root(&mut self, mut node: u32) -> u32 {
        while self.0[node as usize] != node {
            self.0[node as usize] = self.0[self.0[node as usize] as usize];
            node = self.0[node as usize];
        }
        node
    }

    fn join(&mut self, one: u32, two: u32) {
        let (one, two) = (self.root(one), self.root(two));
        self.0[one as usize] = two;
    }
}

//! Colour refinement: nodes of one colour get different ones as soon as their neighbours tell them
//! apart (after Weisfeiler and Leman, 1968). Colours are hashes of how they came about, so that
//! colourings of the same graph can be compared: what could be mapped onto each other has equal
//! colours, whatever the numbers of the nodes.

use rustc_hash::FxHashMap;

use super::graph::Graph;

/// A colouring that can be refined and taken back.
#[derive(Debug)]
pub(super) struct Colouring<'a> {
    graph: &'a Graph,
    colours: Vec<u64>,
    /// How many nodes have each colour.
    sizes: FxHashMap<u64, u32>,
    /// Nodes that were given another colour, with the one they had.
    trail: Vec<(u32, u64)>,
    /// What links from nodes of new colours add up to.
    sums: Vec<u64>,
    /// Links that were looked at.
    pub(super) work: usize,
    /// Beyond this nothing is refined any more; what is found then is not to be relied on.
    most_work: usize,
}

/// A moment to which a colouring can go back.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark(usize);

impl<'a> Colouring<'a> {
    /// The coarsest colouring in which no two nodes of a colour have different neighbours.
    pub(super) fn new(graph: &'a Graph, most_work: usize) -> Self {
        let colours: Vec<u64> = graph.kinds.iter().map(|kind| mix(1, hash_of(kind))).collect();
        let mut sizes = FxHashMap::default();
        colours.iter().for_each(|&colour| *sizes.entry(colour).or_insert(0) += 1);
        let sums = vec![0; graph.len()];
        let mut colouring = Self { graph, colours, sizes, trail: Vec::new(), sums, work: 0, most_work };
        colouring.refine((0..graph.len() as u32).collect());
        colouring.trail.clear();
        colouring
    }

    /// The colour of a node.
    pub(super) fn colour(&self, node: u32) -> u64 {
        self.colours[node as usize]
    }

    /// How many nodes have the colour of a node.
    pub(super) fn size(&self, node: u32) -> u32 {
        self.sizes[&self.colours[node as usize]]
    }

    /// Now.
    pub(super) fn mark(&self) -> Mark {
        Mark(self.trail.len())
    }

    /// Goes back to a moment.
    pub(super) fn undo(&mut self, mark: Mark) {
        while self.trail.len() > mark.0
            && let Some((node, colour)) = self.trail.pop()
        {
            self.count(node, colour);
            self.colours[node as usize] = colour;
        }
    }

    /// Gives a node a colour of its own and refines. The number says what became of it: it is the
    /// same for nodes that can be mapped onto each other.
    pub(super) fn single_out(&mut self, node: u32) -> u64 {
        self.recolour(node, mix(self.colour(node), 2));
        self.refine(vec![node])
    }

    /// Moves a node from the count of its colour to that of another.
    fn count(&mut self, node: u32, colour: u64) {
        let old = self.colours[node as usize];
        if let Some(size) = self.sizes.get_mut(&old) {
            *size -= 1;
            if *size == 0 {
                self.sizes.remove(&old);
            }
        }
        *self.sizes.entry(colour).or_insert(0) += 1;
    }

    fn recolour(&mut self, node: u32, colour: u64) {
        self.count(node, colour);
        self.trail.push((node, self.colours[node as usize]));
        self.colours[node as usize] = colour;
    }

    /// Spreads the news of changed nodes until nothing changes any more.
    fn refine(&mut self, mut changed: Vec<u32>) -> u64 {
        let mut trace = 0;
        let mut touched: Vec<u32> = Vec::new();
        let mut parts: FxHashMap<(u64, u64), u32> = FxHashMap::default();
        while !changed.is_empty() && self.work <= self.most_work {
            for &node in &changed {
                let links = self.graph.links(node);
                self.work += links.len() + 1;
                for &(to, link) in links {
                    let sum = &mut self.sums[to as usize];
                    if *sum == 0 {
                        touched.push(to);
                    }
                    // Never 0, or hardly ever: then a node is listed twice, which is mended below.
                    *sum = sum.wrapping_add(mix(self.colours[node as usize], link as u64 + 3));
                }
            }
            touched.sort_unstable();
            touched.dedup();
            parts.clear();
            for &node in &touched {
                *parts.entry((self.colours[node as usize], self.sums[node as usize])).or_insert(0) += 1;
            }
            changed.clear();
            let mut fresh = Vec::new();
            for &node in &touched {
                let (colour, sum) = (self.colours[node as usize], self.sums[node as usize]);
                // Where all of a colour have heard the same they stay alike.
                if parts[&(colour, sum)] < self.sizes[&colour] {
                    fresh.push((node, mix(colour, sum)));
                }
                self.sums[node as usize] = 0;
            }
            let mut news = 0u64;
            for (node, colour) in fresh {
                self.recolour(node, colour);
                news = news.wrapping_add(mix(colour, 5));
                changed.push(node);
            }
            touched.clear();
            trace = mix(trace, news);
        }
        trace
    }
}

fn hash_of(value: impl std::hash::Hash) -> u64 {
    use std::hash::BuildHasher;
    rustc_hash::FxBuildHasher.hash_one(value)
}

/// Two numbers as one, with all bits at work.
fn mix(one: u64, two: u64) -> u64 {
    let mut mixed = (one ^ two.wrapping_mul(0x9E37_79B9_7F4A_7C15)).wrapping_add(0x632B_E59B_D9B4_E019);
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ mixed >> 31
}

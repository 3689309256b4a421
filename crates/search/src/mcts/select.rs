//! Choosing a move inside the tree.

use std::sync::LazyLock;

use game::Dice;

use super::policy::Guide;
use super::tree::{Edges, Node, NodeId, Tree, UNIT};
use crate::{Backup, Parameters, Selection};

/// How moves are chosen, with what is needed in every choice worked out.
#[derive(Clone, Debug)]
pub(crate) struct Chooser {
    selection: Selection,
    exploration: f32,
    prove: bool,
    by_mean: bool,
}

impl Chooser {
    pub(crate) fn new(parameters: &Parameters) -> Self {
        let Parameters { selection, exploration, prove, backup, .. } = *parameters;
        Self { selection, exploration: exploration as f32, prove, by_mean: backup == Backup::Path }
    }

    /// The place of the move that a role tries in an open node.
    pub(crate) fn choose<State: Eq + std::hash::Hash>(
        &self,
        tree: &Tree<State>,
        id: NodeId,
        edges: Edges<'_>,
        role: usize,
        guide: &Guide,
        dice: &mut Dice,
    ) -> usize {
        if edges.len() == 1 {
            return 0;
        }
        if self.selection == Selection::Uniform {
            return dice.below(edges.len());
        }
        let node = tree.node(id);
        let Some(best) = self.best(node, edges, role, |_| true) else {
            return choose_untried(edges, guide, dice);
        };
        // Looking behind every move would be slow, looking behind the best one is not: it is where
        // the search goes next anyway.
        let matters = |place| may_matter(tree, node, edges, role, place, self.by_mean);
        if !self.prove || matters(best) {
            return best;
        }
        self.best(node, edges, role, matters).unwrap_or(best)
    }

    /// The place of the best of the moves that are allowed; `None` if one was never tried.
    #[inline]
    fn best(
        &self,
        node: Node<'_>,
        edges: Edges<'_>,
        role: usize,
        allowed: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        let (visits, ended) = node.visits();
        let roots = &*ROOTS;
        let log = roots.log(visits.max(2));
        let factor = self.exploration * log.sqrt();
        // What a move is worth none of whose visits has ended.
        let usual = node.sum(role) as f32 / (ended.max(1) as f32 * UNIT as f32);
        let mut best = (f32::NEG_INFINITY, 0);
        for (place, edge) in edges.iter().enumerate() {
            let (begun, ended) = edge.visits();
            if begun == 0 {
                return None;
            }
            let mean = if ended == 0 { usual } else { edge.worth(role) as f32 * roots.share(ended) };
            let mut bonus = factor * roots.inverse_root(begun);
            if self.selection == Selection::Tuned {
                bonus *= tuned(mean, edge.squares(), ended, begun, log).sqrt();
            }
            let score = mean + bonus;
            if score > best.0 && allowed(place) {
                best = (score, place);
            }
        }
        Some(best.1)
    }
}

/// Numbers that are needed all the time: divisions and roots take as long as a dozen lookups.
struct Roots {
    shares: Box<[f32; KNOWN]>,
    inverse_roots: Box<[f32; KNOWN]>,
    logs: Box<[f32; KNOWN]>,
}

/// Beyond this the numbers are worked out: few moves have so many visits.
const KNOWN: usize = 2048;

static ROOTS: LazyLock<Roots> = LazyLock::new(|| {
    let table = |of: fn(u32) -> f32| Box::new(std::array::from_fn(|number| of(number as u32)));
    Roots { shares: table(share), inverse_roots: table(inverse_root), logs: table(log) }
});

fn share(visits: u32) -> f32 {
    1.0 / (visits.max(1) as f32 * UNIT as f32)
}

fn inverse_root(visits: u32) -> f32 {
    1.0 / (visits.max(1) as f32).sqrt()
}

fn log(visits: u32) -> f32 {
    (visits.max(1) as f32).ln()
}

impl Roots {
    #[inline]
    fn share(&self, visits: u32) -> f32 {
        self.shares.get(visits as usize).copied().unwrap_or_else(|| share(visits))
    }

    #[inline]
    fn inverse_root(&self, visits: u32) -> f32 {
        self.inverse_roots.get(visits as usize).copied().unwrap_or_else(|| inverse_root(visits))
    }

    #[inline]
    fn log(&self, visits: u32) -> f32 {
        self.logs.get(visits as usize).copied().unwrap_or_else(|| log(visits))
    }
}

/// The variance that UCB1-tuned puts in place of 1, on a scale where 1/4 is the largest possible.
fn tuned(mean: f32, squares: u64, ended: u32, begun: u32, log: f32) -> f32 {
    let mean = mean / 100.0;
    let squares = squares as f32 / 10_000.0 / ended.max(1) as f32;
    let variance = (squares - mean * mean).max(0.0) + (2.0 * log / begun.max(1) as f32).sqrt();
    variance.min(0.25)
}

/// Whether a move can still change what its role can get: it may be better than what is proven.
/// Where the value of a node is the mean of what was tried, the move that is proven matters too.
fn may_matter<State: Eq + std::hash::Hash>(
    tree: &Tree<State>,
    node: Node<'_>,
    edges: Edges<'_>,
    role: usize,
    place: usize,
    by_mean: bool,
) -> bool {
    let Some(child) = edges.get(place).child() else { return true };
    let proven = node.bounds(role).lower;
    let behind = tree.node(child).bounds(role);
    behind.upper > proven || by_mean && proven > 0 && behind.lower == proven
}

/// The place of a move not tried yet; there must be one.
pub(crate) fn choose_untried(edges: Edges<'_>, guide: &Guide, dice: &mut Dice) -> usize {
    let mut places =
        edges.iter().enumerate().filter(|(_, edge)| edge.visits().0 == 0).map(|(place, _)| place);
    let untried = places.clone().count();
    if untried == 1 {
        return places.next().unwrap_or(0);
    }
    match guide {
        Guide::None => places.nth(dice.below(untried)).unwrap_or(0),
        Guide::Gibbs { worth, unseen, temperature } => {
            let value = |place: usize| {
                worth.get(edges.get(place).id().0 as usize).copied().unwrap_or(*unseen) / temperature
            };
            let best = places.clone().map(value).fold(f32::NEG_INFINITY, f32::max);
            let weight = |place: usize| f64::from((value(place) - best).exp());
            let mut rest = dice.unit() * places.clone().map(weight).sum::<f64>();
            let mut last = 0;
            for place in places {
                last = place;
                rest -= weight(place);
                if rest < 0.0 {
                    break;
                }
            }
            last
        }
    }
}

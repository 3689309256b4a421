//! Choosing a move inside the tree.

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
        let untried = edges.iter().filter(|edge| edge.visits().0 == 0).count();
        if untried > 0 {
            return choose_untried(edges, untried, guide, dice);
        }
        let node = tree.node(id);
        let best = self.best(node, edges, role, |_| true);
        // Looking behind every move would be slow, looking behind the best one is not: it is where
        // the search goes next anyway.
        let matters = |place| may_matter(tree, node, edges, role, place, self.by_mean);
        if !self.prove || matters(best) { best } else { self.best(node, edges, role, matters) }
    }

    fn best(&self, node: Node<'_>, edges: Edges<'_>, role: usize, allowed: impl Fn(usize) -> bool) -> usize {
        let (visits, ended) = node.visits();
        let log = (visits.max(2) as f32).ln();
        let factor = self.exploration * self.exploration * log;
        // What a move is worth none of whose visits has ended.
        let usual = node.sum(role) as f32 / (ended.max(1) as f32);
        let mut best = (f32::NEG_INFINITY, 0);
        for (place, edge) in edges.iter().enumerate() {
            let (begun, ended) = edge.visits();
            let mean = if ended == 0 { usual } else { edge.worth(role) as f32 / ended as f32 } / UNIT as f32;
            let spread = match self.selection {
                Selection::Tuned => tuned(mean, edge.squares(), ended, begun, log),
                _ => 1.0,
            };
            let score = mean + (factor * spread / begun.max(1) as f32).sqrt();
            if score > best.0 && allowed(place) {
                best = (score, place);
            }
        }
        best.1
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

fn choose_untried(edges: Edges<'_>, untried: usize, guide: &Guide, dice: &mut Dice) -> usize {
    let mut places =
        edges.iter().enumerate().filter(|(_, edge)| edge.visits().0 == 0).map(|(place, _)| place);
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

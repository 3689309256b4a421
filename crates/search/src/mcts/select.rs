//! Choosing a move inside the tree.

use game::Dice;

use super::gauge::{Gauge, ROOTS};
use super::policy::Guide;
use super::shares::{Shares, highest};
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

/// Where a role chooses.
pub(crate) struct Fork<'a, State> {
    pub(crate) tree: &'a Tree<State>,
    pub(crate) id: NodeId,
    /// Its moves.
    pub(crate) edges: Edges<'a>,
    pub(crate) role: usize,
    /// For moves not tried yet.
    pub(crate) guide: &'a Guide,
}

impl Chooser {
    pub(crate) fn new(parameters: &Parameters) -> Self {
        let Parameters { selection, exploration, prove, backup, .. } = *parameters;
        Self { selection, exploration: exploration as f32, prove, by_mean: backup == Backup::Path }
    }

    /// The place of the move that a role tries in an open node.
    pub(crate) fn choose<State: Eq + std::hash::Hash>(
        &self,
        fork: &Fork<'_, State>,
        dice: &mut Dice,
    ) -> usize {
        let &Fork { tree, id, edges, role, guide } = fork;
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
        let matters = |place| may_matter(fork, place, self.by_mean);
        if !self.prove || matters(best) {
            return best;
        }
        self.best(node, edges, role, matters).unwrap_or(best)
    }

    /// Shares some visits of a node out among the moves of a role, as if one after the other chose.
    /// They are already counted in the node, not yet in the moves.
    pub(crate) fn share_out<State: Eq + std::hash::Hash>(
        &self,
        fork: &Fork<'_, State>,
        visits: u32,
        dice: &mut Dice,
        shares: &mut Shares,
    ) {
        let &Fork { tree, id, edges, role, guide } = fork;
        shares.clear(edges.len());
        if edges.len() == 1 {
            return shares.give(0, visits);
        }
        if self.selection == Selection::Uniform {
            return (0..visits).for_each(|_| shares.give(dice.below(edges.len()), 1));
        }
        let gauge = self.gauge(tree.node(id), role);
        let untried = edges.iter().filter(|edge| edge.visits().0 == 0).count();
        let first = visits.min(untried as u32);
        for _ in 0..first {
            let is_free = |place: usize| edges.get(place).visits().0 == 0 && shares.counts[place] == 0;
            let place = choose_among(edges, guide, dice, is_free);
            shares.give(place, 1);
        }
        shares.measure(&gauge, edges);
        let matters = |place| !self.prove || may_matter(fork, place, self.by_mean);
        let mut left = visits - first;
        let (likeliest, ..) = highest(&shares.scores);
        let many = 2 * edges.len() as u32;
        if left > many {
            let idle = (0..edges.len()).filter(|&place| shares.counts[place] == 0 && !matters(place));
            idle.for_each(|place| shares.scores[place] = f32::NEG_INFINITY);
        }
        while left > 0 {
            if left > many && !gauge.tuned {
                left -= shares.give_many(&gauge, left);
            }
            let (place, score, second) = highest(&shares.scores);
            if score == f32::NEG_INFINITY {
                // None of them matters.
                return shares.give(likeliest, left);
            }
            if shares.counts[place] == 0 && !matters(place) {
                shares.scores[place] = f32::NEG_INFINITY;
                continue;
            }
            // It stays the best until its score is down to that of the second.
            let given =
                if gauge.tuned { 1 } else { shares.visits_above(&gauge, place, second).clamp(1, left) };
            shares.give(place, given);
            shares.scores[place] = if gauge.tuned {
                gauge.score(edges.get(place), shares.counts[place])
            } else {
                shares.means[place] + gauge.bonus(shares.begun[place] + shares.counts[place])
            };
            left -= given;
        }
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
        let gauge = self.gauge(node, role);
        let mut best = (f32::NEG_INFINITY, 0);
        for (place, edge) in edges.iter().enumerate() {
            if edge.visits().0 == 0 {
                return None;
            }
            let score = gauge.score(edge, 0);
            if score > best.0 && allowed(place) {
                best = (score, place);
            }
        }
        Some(best.1)
    }

    #[inline]
    fn gauge(&self, node: Node<'_>, role: usize) -> Gauge {
        let (visits, ended) = node.visits();
        let roots = &**ROOTS;
        let log = roots.log(visits.max(2));
        Gauge {
            roots,
            role,
            log,
            factor: self.exploration * log.sqrt(),
            usual: node.sum(role) as f32 / (ended.max(1) as f32 * UNIT as f32),
            tuned: self.selection == Selection::Tuned,
        }
    }
}

/// Whether a move can still change what its role can get: it may be better than what is proven.
/// Where the value of a node is the mean of what was tried, the move that is proven matters too.
fn may_matter<State: Eq + std::hash::Hash>(fork: &Fork<'_, State>, place: usize, by_mean: bool) -> bool {
    let &Fork { tree, id, edges, role, .. } = fork;
    let Some(child) = edges.get(place).child() else { return true };
    let proven = tree.node(id).bounds(role).lower;
    let behind = tree.node(child).bounds(role);
    behind.upper > proven || by_mean && proven > 0 && behind.lower == proven
}

/// The place of a move not tried yet; there must be one.
fn choose_untried(edges: Edges<'_>, guide: &Guide, dice: &mut Dice) -> usize {
    choose_among(edges, guide, dice, |place| edges.get(place).visits().0 == 0)
}

/// The place of one of the moves that are allowed; there must be one.
fn choose_among(
    edges: Edges<'_>,
    guide: &Guide,
    dice: &mut Dice,
    is_allowed: impl Fn(usize) -> bool + Clone,
) -> usize {
    let mut places = (0..edges.len()).filter(|&place| is_allowed(place));
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

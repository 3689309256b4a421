//! Choosing a move inside the tree.

use std::sync::LazyLock;

use game::Dice;

use super::policy::Guide;
use super::tree::{Edge, Edges, Node, NodeId, Tree, UNIT};
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
        let node = tree.node(id);
        let untried = edges.iter().filter(|edge| edge.visits().0 == 0).count();
        let first = visits.min(untried as u32);
        for _ in 0..first {
            let is_free = |place: usize| edges.get(place).visits().0 == 0 && shares.counts[place] == 0;
            let place = choose_among(edges, guide, dice, is_free);
            shares.give(place, 1);
        }
        let gauge = self.gauge(node, role);
        shares
            .scores
            .extend(edges.iter().enumerate().map(|(place, edge)| gauge.score(edge, shares.counts[place])));
        let matters = |place| !self.prove || may_matter(fork, place, self.by_mean);
        let mut left = visits - first;
        let mut fallback = None;
        while left > 0 {
            let (place, score, second) = highest(&shares.scores);
            if score == f32::NEG_INFINITY {
                // None of them matters.
                return shares.give(fallback.unwrap_or(place), left);
            }
            if shares.counts[place] == 0 && !matters(place) {
                fallback.get_or_insert(place);
                shares.scores[place] = f32::NEG_INFINITY;
                continue;
            }
            // It stays the best until its score is down to that of the second.
            let edge = edges.get(place);
            let given = gauge.visits_above(edge, shares.counts[place], second).min(left);
            shares.give(place, given);
            shares.scores[place] = gauge.score(edge, shares.counts[place]);
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

/// What the score of a node's moves depends on beside themselves.
struct Gauge {
    roots: &'static Roots,
    role: usize,
    log: f32,
    factor: f32,
    /// What a move is worth none of whose visits has ended.
    usual: f32,
    tuned: bool,
}

impl Gauge {
    /// The upper confidence bound of a move, with some visits more than it knows of.
    #[inline]
    fn score(&self, edge: Edge<'_>, more: u32) -> f32 {
        let (begun, ended) = edge.visits();
        let begun = begun + more;
        let mean = self.mean(edge, ended);
        let mut bonus = self.factor * self.roots.inverse_root(begun);
        if self.tuned {
            bonus *= tuned(mean, edge.squares(), ended, begun, self.log).sqrt();
        }
        mean + bonus
    }

    /// How many visits, at least one, a move takes until its score falls to a limit: the bonus falls
    /// with the root of the visits.
    #[inline]
    fn visits_above(&self, edge: Edge<'_>, more: u32, limit: f32) -> u32 {
        if self.tuned {
            return 1;
        }
        let (begun, ended) = edge.visits();
        let root = self.factor / (limit - self.mean(edge, ended));
        // Where the mean alone is above the limit it takes all, also if there is no limit.
        if root > 0.0 { ((root * root) as u32).saturating_sub(begun + more).max(1) } else { u32::MAX }
    }

    #[inline]
    fn mean(&self, edge: Edge<'_>, ended: u32) -> f32 {
        if ended == 0 { self.usual } else { edge.worth(self.role) as f32 * self.roots.share(ended) }
    }
}

/// The place and value of the first highest score, and the value of the next.
fn highest(scores: &[f32]) -> (usize, f32, f32) {
    let (mut place, mut best, mut second) = (0, f32::NEG_INFINITY, f32::NEG_INFINITY);
    for (here, &score) in scores.iter().enumerate() {
        second = second.max(score.min(best));
        if score > best {
            (place, best) = (here, score);
        }
    }
    (place, best, second)
}

/// How visits are shared out among moves.
#[derive(Debug, Default)]
pub(crate) struct Shares {
    counts: Vec<u32>,
    scores: Vec<f32>,
}

impl Shares {
    fn clear(&mut self, moves: usize) {
        self.counts.clear();
        self.counts.resize(moves, 0);
        self.scores.clear();
    }

    fn give(&mut self, place: usize, visits: u32) {
        self.counts[place] += visits;
    }

    /// The moves that got visits, by place, and how many.
    pub(crate) fn given(&self) -> impl Iterator<Item = (usize, u32)> {
        self.counts.iter().copied().enumerate().filter(|&(_, visits)| visits > 0)
    }
}

/// Numbers that are needed all the time: divisions and roots take as long as a dozen lookups.
struct Roots {
    shares: [f32; KNOWN],
    inverse_roots: [f32; KNOWN],
    logs: [f32; KNOWN],
}

/// Beyond this the numbers are worked out: few moves have so many visits.
const KNOWN: usize = 2048;

static ROOTS: LazyLock<Box<Roots>> = LazyLock::new(|| {
    let table = |of: fn(u32) -> f32| std::array::from_fn(|number| of(number as u32));
    Box::new(Roots { shares: table(share), inverse_roots: table(inverse_root), logs: table(log) })
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

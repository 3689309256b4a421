//! Choosing a move inside the tree.

use game::{Choice, Dice, MoveId, RoleId};

use super::policy::{Guide, GuideWorth};
use super::rave::RaveTable;
use super::terms::Terms;
use super::tree::{Edge, Edges, NodeLock, UNIT};
use super::ucb::{ROOTS, Roots, Ucb};
use super::visit_allocation::VisitAllocation;
use crate::{Backup, Parameters, Selection};

/// What is left of C at least, however many moves there are.
const LEAST_PART: f32 = 0.5;

/// How moves are chosen, with what is needed in every choice worked out.
#[derive(Clone, Debug)]
pub(crate) struct Chooser {
    selection: Selection,
    exploration: f32,
    breadth: usize,
    prove: bool,
    by_mean: bool,
    implicit: f32,
    /// What counts beside mean and bonus.
    terms: Option<Terms>,
}

/// Where a role chooses.
pub(crate) struct Fork<'a> {
    pub(crate) lock: &'a NodeLock<'a>,
    /// The moves it chooses from.
    pub(crate) edges: Edges<'a>,
    pub(crate) role: usize,
    /// For moves not tried yet.
    pub(crate) guide: &'a Guide,
    /// The joint moves that led here, as many as the guide asks for.
    pub(crate) before: &'a [MoveId],
    pub(crate) roles: usize,
    /// How moves fared that were made later.
    pub(crate) rave: Option<RaveTable<'a>>,
    /// What an evaluator says of where the moves lead, in order.
    pub(crate) advised: Option<&'a [f32]>,
    /// The role's goal behind a move, if the game is over there.
    pub(crate) goal_at_end: &'a dyn Fn(Edge<'_>) -> Option<u8>,
}

impl Chooser {
    pub(crate) fn new(parameters: &Parameters) -> Self {
        let Parameters { selection, exploration, breadth, prove, backup, implicit, .. } = *parameters;
        Self {
            selection,
            exploration: exploration as f32,
            breadth: breadth as usize,
            prove,
            by_mean: backup == Backup::Path,
            implicit: implicit as f32,
            terms: Terms::new(parameters),
        }
    }

    /// The place of the move that a role tries in an open node.
    pub(crate) fn choose(&self, fork: &Fork<'_>, dice: &mut Dice) -> usize {
        let &Fork { lock, edges, role, .. } = fork;
        if edges.len() == 1 {
            return 0;
        }
        if self.selection == Selection::Uniform {
            return dice.below(edges.len());
        }
        if self.prove && lock.node().is_proven() {
            return self.choose_in_proven(fork, dice);
        }
        if let Some(terms) = &self.terms {
            return terms.choose(self, fork, dice);
        }
        let Some(best) = self.best(&self.ucb(lock, role, edges.len()), edges, |_| true) else {
            return choose_untried(fork, dice);
        };
        let matters = |place| may_matter(fork, place, self.by_mean);
        if !self.prove || matters(best) {
            return best;
        }
        self.best(&self.ucb(lock, role, edges.len()), edges, matters).unwrap_or(best)
    }

    /// The place of a move in a root that is proven, which is searched for the sake of who waits for a
    /// mistake of others. Its own visits are no longer counted, those of its moves are.
    #[inline(never)]
    fn choose_in_proven(&self, fork: &Fork<'_>, dice: &mut Dice) -> usize {
        let &Fork { lock, edges, role, .. } = fork;
        let visits = edges.iter().flatten().map(|edge| edge.visits().0).sum();
        let ucb = self.ucb_after(visits, lock, role, edges.len());
        let best = self.best(&ucb, edges, |_| true);
        best.unwrap_or_else(|| choose_untried(fork, dice))
    }

    /// Gives some visits of a node out among the moves of a role, as if one after the other chose.
    /// They are already counted in the node, not yet in the moves.
    pub(crate) fn allocate_visits(
        &self,
        fork: &Fork<'_>,
        visits: u32,
        dice: &mut Dice,
        allocation: &mut VisitAllocation,
    ) {
        let &Fork { lock, edges, role, .. } = fork;
        allocation.clear(edges.len());
        if edges.len() == 1 {
            return allocation.give(0, visits);
        }
        if self.selection == Selection::Uniform {
            return (0..visits).for_each(|_| allocation.give(dice.below(edges.len()), 1));
        }
        if let Some(terms) = &self.terms {
            return terms.allocate(self, fork, visits, dice, allocation);
        }
        let first = visits.min(edges.untried_count() as u32);
        if first > 0 {
            allocate_untried(fork, first, dice, allocation);
        }
        if first == visits {
            return;
        }
        let ucb = self.ucb(lock, role, edges.len());
        allocation.measure(&ucb, edges);
        let matters = |place| !self.prove || may_matter(fork, place, self.by_mean);
        let score = |place, given| edges.get(place).map_or(f32::INFINITY, |edge| ucb.score(edge, given));
        allocation.hand_out(&ucb, visits - first, matters, score);
    }

    /// The place of the best of the moves that are allowed; `None` if there is none, or if a move was
    /// never tried.
    #[inline]
    fn best(&self, ucb: &Ucb, edges: Edges<'_>, allowed: impl Fn(usize) -> bool) -> Option<usize> {
        match edges.side_by_side() {
            Some(all) => highest(ucb, all, allowed),
            None => highest(ucb, edges.all_tried()?, allowed),
        }
    }

    /// The part of C that is left with so many moves. Until it is known to be worse a move is tried in
    /// proportion to the square of C, so with this all of them together are tried as often as a few.
    #[inline]
    fn part(&self, roots: &Roots, moves: usize) -> f32 {
        if moves <= self.breadth {
            return 1.0;
        }
        let fewest = self.breadth as f32;
        (fewest.sqrt() * roots.inverse_root(moves as u32)).max(LEAST_PART)
    }

    /// C where a role has so many moves.
    pub(crate) fn constant(&self, moves: usize) -> f32 {
        self.exploration * self.part(&ROOTS, moves)
    }

    /// Whether a move can still change what its role can get.
    pub(crate) fn matters(&self, fork: &Fork<'_>, place: usize) -> bool {
        !self.prove || may_matter(fork, place, self.by_mean)
    }

    #[inline]
    fn ucb(&self, lock: &NodeLock<'_>, role: usize, moves: usize) -> Ucb {
        self.ucb_after(lock.visits().0, lock, role, moves)
    }

    #[inline]
    fn ucb_after(&self, visits: u32, lock: &NodeLock<'_>, role: usize, moves: usize) -> Ucb {
        let ended = lock.visits().1;
        let roots = &**ROOTS;
        let log = roots.log(visits.max(2));
        Ucb {
            roots,
            role,
            log,
            factor: self.exploration * self.part(roots, moves) * log.sqrt(),
            usual: lock.node().sum(role) as f32 / (ended.max(1) as f32 * UNIT as f32),
            tuned: self.selection == Selection::Tuned,
            roles: lock.node().roles(),
            implicit: self.implicit,
        }
    }
}

/// The place of the move with the highest score that is allowed.
#[inline]
fn highest<'a>(
    ucb: &Ucb,
    edges: impl Iterator<Item = Edge<'a>>,
    allowed: impl Fn(usize) -> bool,
) -> Option<usize> {
    let mut best = (f32::NEG_INFINITY, None);
    for (place, edge) in edges.enumerate() {
        let score = ucb.score(edge, 0);
        if score > best.0 && allowed(place) {
            best = (score, Some(place));
        }
    }
    best.1
}

/// Whether a move can still change what its role can get: it may be better than what is proven.
/// Where the value of a node is the mean of what was tried, the move that is proven matters too.
#[inline(never)] // It is seldom asked, and would be in the way of what is done all the time.
fn may_matter(fork: &Fork<'_>, place: usize, by_mean: bool) -> bool {
    let &Fork { lock, edges, role, .. } = fork;
    let Some(edge) = edges.get(place) else { return true };
    let proven = lock.node().bounds(role).lower;
    // As it was when the move was made last, or another one that led to a proof: looking behind every
    // move would be slow.
    let behind = edge.bounds(role);
    behind.upper > proven || by_mean && proven > 0 && behind.lower == proven
}

/// What a guide takes the moves of a role to be worth, in order; `None` if it says nothing.
pub(crate) fn guided(fork: &Fork<'_>) -> Option<Vec<f32>> {
    let &Fork { edges, guide, before, roles, .. } = fork;
    let role = RoleId(fork.role as u16);
    let ids = (0..edges.len()).map(|place| edges.id(place));
    match guide {
        Guide::None => None,
        Guide::Gibbs { worth: GuideWorth::ByMove(worth), .. } => {
            Some(ids.map(|id| worth.of(role, id)).collect())
        }
        Guide::Gibbs { worth: GuideWorth::AfterMoves(_, known), .. } => {
            let legal: Vec<MoveId> = ids.collect();
            let mut worth = Vec::with_capacity(legal.len());
            known.worth(&Choice::new(role, roles, &legal, before), &mut worth);
            worth.resize(legal.len(), 0.0);
            Some(worth)
        }
    }
}

/// The place of a move that was never tried, by the guide; there must be one.
#[inline(never)]
fn choose_untried(fork: &Fork<'_>, dice: &mut Dice) -> usize {
    match fork.guide {
        Guide::None => fork.edges.untried().draw(dice),
        Guide::Gibbs { .. } => choose_among(fork, dice, |place| !fork.edges.is_tried(place)),
    }
}

/// Gives a visit each to some moves that were never tried, by the guide; there must be so many.
#[inline(never)]
fn allocate_untried(fork: &Fork<'_>, visits: u32, dice: &mut Dice, allocation: &mut VisitAllocation) {
    let mut untried = fork.edges.untried();
    for _ in 0..visits {
        let place = match fork.guide {
            Guide::None => untried.draw(dice),
            Guide::Gibbs { .. } => {
                choose_among(fork, dice, |place| allocation.counts[place] == 0 && !fork.edges.is_tried(place))
            }
        };
        allocation.give(place, 1);
    }
}

/// The place of one of the moves that are allowed, by the guide; there must be one.
pub(crate) fn choose_among(
    fork: &Fork<'_>,
    dice: &mut Dice,
    is_allowed: impl Fn(usize) -> bool + Clone,
) -> usize {
    let mut places = (0..fork.edges.len()).filter(|&place| is_allowed(place));
    let untried = places.clone().count();
    if untried == 1 {
        return places.next().unwrap_or(0);
    }
    let (Guide::Gibbs { temperature, .. }, Some(worth)) = (fork.guide, guided(fork)) else {
        return places.nth(dice.below(untried)).unwrap_or(0);
    };
    if let Some(forced) = places.clone().find(|&place| worth[place] == f32::INFINITY) {
        return forced;
    }
    let value = |place: usize| worth[place] / temperature;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_moves_are_explored_less() {
        let part = |breadth, moves| {
            Chooser::new(&Parameters { breadth, ..Parameters::default() }).part(&ROOTS, moves)
        };
        assert_eq!([1, 8].map(|moves| part(8, moves)), [1.0, 1.0]);
        assert!((part(8, 16) - 0.5f32.sqrt()).abs() < 1e-6);
        assert_eq!([32, 500, 5_000].map(|moves| part(8, moves)), [0.5; 3]);
        assert_eq!(part(Parameters::default().breadth, 5_000), 1.0);
    }
}

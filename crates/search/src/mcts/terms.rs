//! What may count in the choice of a move inside the tree, beside its mean and the bonus: one function each.
//!
//! Without any of them moves are chosen as in `select.rs`. With one of them each visit chooses for itself, with the
//! visits that were handed out before it counted: what moves are worth is worked out once, their bonus each time.

use game::{Dice, RoleId};

use super::policy::Guide;
use super::rave::{self, RaveTable};
use super::select::{Chooser, Fork, choose_among, guided};
use super::tree::{Edge, UNIT};
use super::visit_allocation::VisitAllocation;
use crate::{Parameters, Rave, Selection, Td, Untried};

/// What counts beside mean and bonus.
#[derive(Clone, Debug)]
pub(crate) struct Terms {
    roulette: bool,
    rave: Rave,
    k: f64,
    bias: f64,
    least_correlation: f64,
    margin: f64,
    untried: Untried,
    sufficiency: f64,
    prior_visits: f64,
    /// Visits that moves begin with where an evaluator says what they are worth.
    advised_visits: u32,
    /// Whether they are tried in the order of what it says.
    advised_order: bool,
    implicit: f64,
    /// The part of the temporal-difference value.
    difference: f64,
}

/// Where a node stands.
struct Standing<'a> {
    visits: u32,
    /// What a move is worth of which nothing is known.
    usual: f64,
    /// What is used of RAVE.
    rave: Option<RaveTable<'a>>,
    /// What the guide takes moves to be worth, if that counts.
    priors: Option<Vec<f32>>,
}

impl Terms {
    /// What parameters ask for; `None` if that is nothing.
    pub(crate) fn new(parameters: &Parameters) -> Option<Self> {
        let terms = Self {
            roulette: parameters.selection == Selection::Roulette,
            rave: parameters.rave,
            k: parameters.rave_k,
            bias: parameters.rave_bias,
            least_correlation: parameters.rave_correlation,
            margin: parameters.rave_margin,
            untried: parameters.untried,
            sufficiency: parameters.sufficiency,
            prior_visits: f64::from(parameters.prior_visits),
            advised_visits: parameters.evaluation_prior,
            advised_order: parameters.evaluation_order,
            implicit: parameters.implicit,
            difference: match parameters.td {
                Td::Off => 0.0,
                Td::Single | Td::Merged => parameters.td_weight,
                // It takes the place of the mean.
                Td::Weighted => 1.0,
            },
        };
        let is_used = terms.roulette
            || terms.rave != Rave::Off
            || terms.untried != Untried::First
            || terms.sufficiency < 100.0
            || terms.prior_visits > 0.0
            || terms.advised_visits > 0
            || terms.advised_order
            || terms.difference > 0.0;
        is_used.then_some(terms)
    }

    /// The place of the move that a role tries.
    pub(crate) fn choose(&self, chooser: &Chooser, fork: &Fork<'_>, dice: &mut Dice) -> usize {
        match self.first(fork, fork.edges.untried_count(), |place| !fork.edges.is_tried(place), dice) {
            Some(place) => place,
            None => self.rank(chooser, fork, &[]).pick(self, chooser, fork, dice),
        }
    }

    /// Gives some visits out, as if one after the other chose.
    pub(crate) fn allocate(
        &self,
        chooser: &Chooser,
        fork: &Fork<'_>,
        visits: u32,
        dice: &mut Dice,
        allocation: &mut VisitAllocation,
    ) {
        let edges = fork.edges;
        let mut free = edges.untried_count();
        let mut left = visits;
        while left > 0 {
            let is_free = |place: usize| allocation.counts[place] == 0 && !edges.is_tried(place);
            let Some(place) = self.first(fork, free, is_free, dice) else { break };
            free -= usize::from(is_free(place));
            allocation.give(place, 1);
            left -= 1;
        }
        if left == 0 {
            return;
        }
        let mut ranking = self.rank(chooser, fork, &allocation.counts);
        for _ in 0..left {
            let place = ranking.pick(self, chooser, fork, dice);
            ranking.give(place);
            allocation.give(place, 1);
        }
    }

    /// The move tried, if it does not depend on what moves are worth with their bonus.
    fn first(
        &self,
        fork: &Fork<'_>,
        free: usize,
        is_free: impl Fn(usize) -> bool + Clone,
        dice: &mut Dice,
    ) -> Option<usize> {
        // What begins with visits is not tried for the first time.
        if free > 0 && self.untried == Untried::First && self.advised(fork).is_none() {
            return Some(self.try_one(fork, dice, is_free));
        }
        self.roulette.then(|| spin(fork, dice))
    }

    /// The place of a move not tried yet among those that are allowed: by what an evaluator says, if that is asked for,
    /// else by the guide.
    fn try_one(&self, fork: &Fork<'_>, dice: &mut Dice, is_free: impl Fn(usize) -> bool + Clone) -> usize {
        let Some(advised) = fork.advised.filter(|_| self.advised_order) else {
            return choose_among(fork, dice, is_free);
        };
        let places = || (0..advised.len()).filter(|&place| is_free(place));
        let best = places().map(|place| advised[place]).fold(f32::NEG_INFINITY, f32::max);
        choose_among(fork, dice, |place| is_free(place) && advised[place] == best)
    }

    /// What an evaluator says of the moves, if they begin with visits that are worth that.
    fn advised<'a>(&self, fork: &Fork<'a>) -> Option<&'a [f32]> {
        fork.advised.filter(|_| self.advised_visits > 0)
    }

    /// What moves score, given what was handed out before.
    fn rank(&self, chooser: &Chooser, fork: &Fork<'_>, given: &[u32]) -> Ranking {
        let &Fork { lock, edges, role, .. } = fork;
        let (visits, ended) = lock.visits();
        let usual = lock.node().sum(role) as f64 / (f64::from(ended.max(1)) * UNIT);
        let exploration = self.exploration(fork, f64::from(chooser.constant(edges.len())));
        let advised = self.advised(fork);
        let more = advised.map_or(0, |_| self.advised_visits);
        let all = f64::from(visits) + f64::from(more) * edges.len() as f64;
        let factor = exploration * all.max(2.0).ln().sqrt();
        let rave = fork.rave.filter(|table| self.may_trust(fork, table));
        let priors = if self.prior_visits > 0.0 { guided(fork) } else { None };
        let standing = Standing { visits: ended, usual, rave, priors };
        let mut given = given.iter().copied();
        let ranked = edges.iter().enumerate().map(|(place, edge)| {
            let given = given.next().unwrap_or(0);
            let begun = edge.map_or(0, |edge| edge.visits().0) + given + more;
            let value = self.value(fork, (place, edge), &standing);
            let is_free = given == 0 && edge.is_none() && advised.is_none();
            Ranked { value, begun, score: value + bonus(factor, begun), is_free, is_idle: false }
        });
        let moves: Vec<Ranked> = ranked.collect();
        Ranking { free: moves.iter().filter(|one| one.is_free).count(), factor, moves }
    }

    /// C, or nothing where a move is good enough.
    fn exploration(&self, fork: &Fork<'_>, constant: f64) -> f64 {
        if self.sufficiency >= 100.0 {
            return constant;
        }
        let means = fork.edges.iter().flatten().filter_map(|edge| mean(edge, fork.role));
        sufficient(constant, self.sufficiency, means)
    }

    /// Whether what a RAVE table says agrees with what is known of the moves of a node, as far as it is.
    fn may_trust(&self, fork: &Fork<'_>, table: &RaveTable<'_>) -> bool {
        if self.least_correlation <= -1.0 {
            return true;
        }
        let role = RoleId(fork.role as u16);
        let pairs = fork.edges.iter().enumerate().filter_map(|(place, edge)| {
            Some((mean(edge?, fork.role)?, table.of(role, fork.edges.id(place))?.mean()))
        });
        rave::correlation(pairs).is_none_or(|known| known >= self.least_correlation)
    }

    /// What a move is worth: its mean with a prior, then what temporal differences, heuristic minimax and
    /// RAVE say of it, each by its part.
    fn value(
        &self,
        fork: &Fork<'_>,
        (place, edge): (usize, Option<Edge<'_>>),
        standing: &Standing<'_>,
    ) -> f64 {
        let role = fork.role;
        let ended = edge.map_or(0, |edge| edge.visits().1);
        let mut value = edge.and_then(|edge| mean(edge, role)).unwrap_or(standing.usual);
        if let Some(priors) = &standing.priors {
            let prior = f64::from(priors[place].clamp(0.0, 100.0));
            value = with_prior(value, ended, prior, self.prior_visits);
        }
        if let Some(advised) = self.advised(fork) {
            value = with_prior(value, ended, f64::from(advised[place]), f64::from(self.advised_visits));
        }
        if self.difference > 0.0
            && let Some(known) = edge.and_then(|edge| edge.difference(role, fork.roles))
        {
            value = mix(value, f64::from(known.value), self.difference);
        }
        if self.implicit > 0.0
            && let Some(known) = edge.and_then(|edge| edge.heuristic(role))
        {
            value = mix(value, f64::from(known), self.implicit);
        }
        let id = || fork.edges.id(place);
        if let Some(known) = standing.rave.and_then(|table| table.of(RoleId(role as u16), id()))
            && (known.mean() - standing.usual).abs() <= self.margin
        {
            let share = match self.rave {
                Rave::Off => 0.0,
                Rave::Schedule => rave::share_by_schedule(self.k, standing.visits),
                Rave::Error => rave::share_by_error(self.bias, known.visits, ended),
            };
            value = mix(value, known.mean(), share);
        }
        value
    }
}

/// What a move scores, and what came of that.
struct Ranked {
    value: f64,
    begun: u32,
    score: f64,
    /// Whether nobody tried it yet, those to whom it was handed out included.
    is_free: bool,
    /// Whether it cannot change anything any more.
    is_idle: bool,
}

/// What all moves of a node score.
struct Ranking {
    moves: Vec<Ranked>,
    free: usize,
    /// C times the root of the logarithm of the visits.
    factor: f64,
}

impl Ranking {
    /// The place of the best move that may change something.
    fn pick(&mut self, terms: &Terms, chooser: &Chooser, fork: &Fork<'_>, dice: &mut Dice) -> usize {
        let mut best = (f64::NEG_INFINITY, None);
        let mut any = (f64::NEG_INFINITY, 0);
        for (place, one) in self.moves.iter_mut().enumerate() {
            if one.is_free && terms.untried != Untried::Valued {
                continue;
            }
            any = if one.score > any.0 { (one.score, place) } else { any };
            if one.score > best.0 && !one.is_idle {
                one.is_idle = !chooser.matters(fork, place);
                if !one.is_idle {
                    best = (one.score, Some(place));
                }
            }
        }
        let (free, all) = (self.free, self.moves.len());
        if free > 0 && terms.untried == Untried::Urgency && best.0 < urgency(self.factor, free, all) {
            let is_free = |place: usize| self.moves[place].is_free;
            return match fork.guide {
                Guide::None if !terms.advised_order => (0..all).find(|&place| is_free(place)).unwrap_or(0),
                _ => terms.try_one(fork, dice, is_free),
            };
        }
        best.1.unwrap_or(any.1)
    }

    /// One visit more.
    fn give(&mut self, place: usize) {
        let one = &mut self.moves[place];
        self.free -= usize::from(std::mem::take(&mut one.is_free));
        one.begun += 1;
        one.score = one.value + bonus(self.factor, one.begun);
    }
}

/// The bonus of a move that was begun so often.
fn bonus(factor: f64, begun: u32) -> f64 {
    factor / f64::from(begun.max(1)).sqrt()
}

/// The mean of a move; `None` before a visit has ended.
fn mean(edge: Edge<'_>, role: usize) -> Option<f64> {
    let (_, ended) = edge.visits();
    (ended > 0).then(|| edge.worth(role) as f64 / (f64::from(ended) * UNIT))
}

/// A value with a part of another.
fn mix(value: f64, other: f64, part: f64) -> f64 {
    (1.0 - part) * value + part * other
}

/// A mean over some visits with a prior that counts as so many more.
fn with_prior(mean: f64, visits: u32, prior: f64, prior_visits: f64) -> f64 {
    let visits = f64::from(visits);
    (mean * visits + prior * prior_visits) / (visits + prior_visits)
}

/// The sufficiency threshold (Gudmundsson and Björnsson 2013): nothing is explored where a move has more.
fn sufficient(constant: f64, threshold: f64, mut means: impl Iterator<Item = f64>) -> f64 {
    if means.any(|mean| mean > threshold) { 0.0 } else { constant }
}

/// What a move has to score so that no untried one comes first (Finnsson 2012).
fn urgency(factor: f64, untried: usize, all: usize) -> f64 {
    50.0 + factor * untried as f64 / all as f64
}

/// Roulette wheel selection (Tong 2013): a move in proportion to its mean. A win at once is taken; in place
/// of a loss at once any move is.
fn spin(fork: &Fork<'_>, dice: &mut Dice) -> usize {
    let (edges, role) = (fork.edges, fork.role);
    let over = |place: usize| edges.get(place).and_then(|edge| (fork.goal_at_end)(edge));
    let places = 0..edges.len();
    if let Some(win) = places.clone().find(|&place| over(place) == Some(100)) {
        return win;
    }
    let weight = |place: usize| edges.get(place).and_then(|edge| mean(edge, role)).unwrap_or(0.0).max(0.0);
    let mut rest = dice.unit() * places.clone().map(weight).sum::<f64>();
    let mut drawn = dice.below(edges.len());
    if rest > 0.0 {
        for place in places {
            rest -= weight(place);
            if rest < 0.0 {
                drawn = place;
                break;
            }
        }
    }
    if over(drawn) == Some(0) { dice.below(edges.len()) } else { drawn }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_those_of_the_papers() {
        // Half of the moves untried, C sqrt(ln N) = 40: 50 + 40/2.
        assert_eq!(urgency(40.0, 3, 6), 70.0);
        assert_eq!(sufficient(40.0, 80.0, [79.0, 80.0].into_iter()), 40.0);
        assert_eq!(sufficient(40.0, 80.0, [10.0, 81.0].into_iter()), 0.0);
        // 10 visits of 40 and 5 that say 100: 900/15.
        assert_eq!(with_prior(40.0, 10, 100.0, 5.0), 60.0);
        assert_eq!(with_prior(40.0, 0, 100.0, 5.0), 100.0);
        assert_eq!(mix(40.0, 80.0, 0.25), 50.0);
    }

    #[test]
    fn nothing_counts_unless_it_is_asked_for() {
        assert!(Terms::new(&Parameters::default()).is_none());
        assert!(Terms::new(&Parameters { rave: Rave::Schedule, ..Parameters::default() }).is_some());
        assert!(Terms::new(&Parameters { sufficiency: 80.0, ..Parameters::default() }).is_some());
    }
}

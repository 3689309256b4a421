//! What may count in the choice of a move inside the tree, beside its mean and the bonus: one function each.
//!
//! Without any of them moves are chosen as in `select.rs`, many visits at a time. With one of them each visit
//! chooses for itself, with the visits that were handed out before it counted.

use game::{Dice, RoleId};

use super::policy::Guide;
use super::rave::{self, RaveTable};
use super::select::{Chooser, Fork, choose_among, guided};
use super::tree::{Edge, UNIT};
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
    implicit: f64,
    /// The part of the temporal-difference value.
    difference: f64,
}

/// Where a node stands.
struct Standing<'a> {
    visits: u32,
    /// C times the root of the logarithm of the visits.
    factor: f64,
    /// What a move is worth of which nothing is known.
    usual: f64,
    /// What is used of RAVE.
    rave: Option<&'a RaveTable>,
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
            || terms.implicit > 0.0
            || terms.difference > 0.0;
        is_used.then_some(terms)
    }

    /// The place of the move that a role tries, given what was handed out before.
    pub(crate) fn choose(&self, chooser: &Chooser, fork: &Fork<'_>, given: &[u32], dice: &mut Dice) -> usize {
        let &Fork { lock, edges, role, .. } = fork;
        let given = |place: usize| given.get(place).copied().unwrap_or(0);
        let is_free = |place: usize| given(place) == 0 && !edges.is_tried(place);
        let free = (0..edges.len()).filter(|&place| is_free(place)).count();
        if free > 0 && self.untried == Untried::First {
            return choose_among(fork, dice, is_free);
        }
        if self.roulette {
            return spin(fork, dice);
        }
        let (visits, ended) = lock.visits();
        let usual = lock.node().sum(role) as f64 / (f64::from(ended.max(1)) * UNIT);
        let exploration = self.exploration(fork, f64::from(chooser.constant(edges.len())));
        let factor = exploration * f64::from(visits.max(2)).ln().sqrt();
        let rave = fork.rave.filter(|table| self.may_trust(fork, table));
        let priors = if self.prior_visits > 0.0 { guided(fork) } else { None };
        let standing = Standing { visits: ended, factor, usual, rave, priors };
        let score = |place: usize| {
            let edge = edges.get(place);
            let begun = edge.map_or(0, |edge| edge.visits().0) + given(place);
            self.value(fork, place, &standing) + standing.factor / f64::from(begun.max(1)).sqrt()
        };
        let mut best = (f64::NEG_INFINITY, None);
        let mut any = (f64::NEG_INFINITY, 0);
        for place in (0..edges.len()).filter(|&place| self.untried == Untried::Valued || !is_free(place)) {
            let score = score(place);
            any = if score > any.0 { (score, place) } else { any };
            if score > best.0 && chooser.matters(fork, place) {
                best = (score, Some(place));
            }
        }
        if free > 0
            && self.untried == Untried::Urgency
            && best.0 < urgency(standing.factor, free, edges.len())
        {
            return match fork.guide {
                Guide::None => (0..edges.len()).find(|&place| is_free(place)).unwrap_or(0),
                Guide::Gibbs { .. } => choose_among(fork, dice, is_free),
            };
        }
        best.1.unwrap_or(any.1)
    }

    /// C, or nothing where a move is good enough.
    fn exploration(&self, fork: &Fork<'_>, constant: f64) -> f64 {
        let means = fork.edges.iter().flatten().filter_map(|edge| mean(edge, fork.role));
        sufficient(constant, self.sufficiency, means)
    }

    /// Whether what a RAVE table says agrees with what is known of the moves of a node, as far as it is.
    fn may_trust(&self, fork: &Fork<'_>, table: &RaveTable) -> bool {
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
    fn value(&self, fork: &Fork<'_>, place: usize, standing: &Standing<'_>) -> f64 {
        let &Fork { edges, role, .. } = fork;
        let (edge, id) = (edges.get(place), edges.id(place));
        let owner = RoleId(role as u16);
        let ended = edge.map_or(0, |edge| edge.visits().1);
        let mut value = edge.and_then(|edge| mean(edge, role)).unwrap_or(standing.usual);
        if let Some(priors) = &standing.priors {
            let prior = f64::from(priors[place].clamp(0.0, 100.0));
            value = with_prior(value, ended, prior, self.prior_visits);
        }
        if self.difference > 0.0
            && let Some(known) = edge.and_then(|edge| edge.difference(role))
        {
            value = mix(value, f64::from(known.value), self.difference);
        }
        if self.implicit > 0.0
            && let Some(known) = edge.and_then(|edge| edge.implicit(role))
        {
            value = mix(value, f64::from(known.value), self.implicit);
        }
        if let Some(known) = standing.rave.and_then(|table| table.of(owner, id))
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

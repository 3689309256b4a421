//! Ordered domains: relations of two constants that lead from one to the next, such as `(succ 1 2)`.

use gdl::keyword;
use gdl::normal::{NormalRules, NormalTerm};
use rustc_hash::FxHashMap;

/// The orders that rules write down.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Orders {
    /// The place of each constant in each order.
    places: Vec<FxHashMap<String, usize>>,
}

/// Constants that an order has at least.
const SHORTEST: usize = 3;

impl Orders {
    /// Finds them: facts of two arguments, in which nothing has two successors or two predecessors, and which do not go
    /// round.
    pub(crate) fn new(rules: &NormalRules) -> Self {
        let mut relations: FxHashMap<_, Vec<(&str, &str)>> = FxHashMap::default();
        for rule in rules.rules.iter().filter(|rule| rule.body.is_empty()) {
            if let [NormalTerm::Constant(one), NormalTerm::Constant(other)] = &rule.head.arguments[..] {
                let is_keyword = (rule.head.name.0 as usize) < keyword::NAMES.len();
                if !is_keyword {
                    let pair = (rules.symbols.name(*one), rules.symbols.name(*other));
                    relations.entry(rule.head.name).or_default().push(pair);
                }
            }
        }
        let mut names: Vec<_> = relations.into_iter().collect();
        names.sort_by_key(|(name, _)| name.0);
        let mut orders = Self::default();
        for (_, pairs) in names {
            orders.add(&pairs);
        }
        orders
    }

    fn add(&mut self, pairs: &[(&str, &str)]) {
        let next: FxHashMap<&str, &str> = pairs.iter().copied().collect();
        let before: FxHashMap<&str, &str> = pairs.iter().map(|&(one, other)| (other, one)).collect();
        if next.len() != pairs.len() || before.len() != pairs.len() {
            return;
        }
        let firsts: Vec<&str> =
            pairs.iter().map(|pair| pair.0).filter(|one| !before.contains_key(one)).collect();
        for first in firsts {
            let chain = std::iter::successors(Some(first), |one| next.get(one).copied());
            let places: FxHashMap<String, usize> = chain.map(str::to_owned).zip(0..).collect();
            if places.len() >= SHORTEST && !self.places.contains(&places) {
                self.places.push(places);
            }
        }
    }

    /// The order that has a place for all of some constants, if there is one.
    pub(crate) fn covering<'a>(&self, constants: impl Iterator<Item = &'a str> + Clone) -> Option<usize> {
        let covers =
            |places: &FxHashMap<String, usize>| constants.clone().all(|one| places.contains_key(one));
        self.places.iter().position(covers)
    }

    /// The place of a constant in an order.
    pub(crate) fn place(&self, order: usize, constant: &str) -> Option<usize> {
        self.places[order].get(constant).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chains_are_orders_and_rings_are_not() {
        let rules = gdl::normal::read(
            "(role you) (succ 1 2) (succ 2 3) (succ 3 4) (opponent a b) (opponent b a) (turn n e) (turn e s) (turn s n)
             (like 1 2) (like 1 3) (like 3 4) (likewise 2 1)",
        );
        let orders = Orders::new(&rules);
        assert_eq!(orders.places.len(), 1);
        let order = orders.covering(["2", "4"].into_iter()).expect("an order");
        assert_eq!(
            (orders.place(order, "1"), orders.place(order, "4"), orders.place(order, "a")),
            (Some(0), Some(3), None)
        );
        assert_eq!(orders.covering(["2", "n"].into_iter()), None);
    }
}

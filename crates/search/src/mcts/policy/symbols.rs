//! Statistical symbols counting of MiNI-Player: how the numbers of facts of each relation, and of each symbol at
//! each place of a relation, go along with a role's goals.

use game::FactId;
use rustc_hash::FxHashMap;

use super::FactNames;

/// Simulations before anything is concluded, and after which it is concluded anew.
const LEARNING: u32 = 200;

/// Weaker correlations do not count.
const LEAST_CORRELATION: f64 = 0.1;

/// What is counted, and how that went along with the goals of the roles.
#[derive(Debug, Default)]
pub(super) struct Symbols {
    /// The number of each thing that is counted: a relation, or a symbol at a place of it.
    numbers: FxHashMap<(String, usize, String), usize>,
    /// For each fact the things that it adds to.
    counted_in: FxHashMap<FactId, Vec<usize>>,
    simulations: u32,
    /// Of each thing the sums of its mean count a state and of the square.
    counts: Vec<(f64, f64)>,
    roles: Vec<Role>,
}

#[derive(Debug, Default)]
struct Role {
    sum: f64,
    squares: f64,
    /// Of each thing the sum of its product with the goal.
    products: Vec<f64>,
    /// What each thing is worth, once that was concluded.
    weights: Vec<f64>,
}

impl Symbols {
    /// The things that a fact adds to.
    fn things(&mut self, fact: FactId, names: &dyn FactNames) -> &[usize] {
        let numbers = &mut self.numbers;
        self.counted_in.entry(fact).or_insert_with(|| {
            let text = names.text(fact);
            let symbols: Vec<&str> = text.split(['(', ')', ' ']).filter(|one| !one.is_empty()).collect();
            let relation = symbols.first().copied().unwrap_or("");
            let mut number = |place: usize, symbol: &str| {
                let next = numbers.len();
                *numbers.entry((relation.to_owned(), place, symbol.to_owned())).or_insert(next)
            };
            let mut things = vec![number(0, "")];
            things.extend(symbols.iter().enumerate().skip(1).map(|(place, symbol)| number(place, symbol)));
            things
        })
    }

    /// Learns from the states of a simulation and the goals that it brought.
    pub(super) fn learn<'a>(
        &mut self,
        states: impl Iterator<Item = &'a [FactId]>,
        goals: impl Iterator<Item = f64>,
        names: &dyn FactNames,
    ) {
        let (mut counted, mut steps): (FxHashMap<usize, f64>, f64) = (FxHashMap::default(), 0.0);
        for facts in states {
            steps += 1.0;
            for &fact in facts {
                self.things(fact, names).iter().for_each(|&thing| *counted.entry(thing).or_default() += 1.0);
            }
        }
        self.counts.resize(self.numbers.len(), (0.0, 0.0));
        counted.values_mut().for_each(|count| *count /= steps);
        for (&thing, count) in &counted {
            self.counts[thing].0 += count;
            self.counts[thing].1 += count * count;
        }
        for (role, goal) in goals.enumerate() {
            if role >= self.roles.len() {
                self.roles.resize_with(role + 1, Role::default);
            }
            let role = &mut self.roles[role];
            role.sum += goal;
            role.squares += goal * goal;
            role.products.resize(self.counts.len(), 0.0);
            counted.iter().for_each(|(&thing, count)| role.products[thing] += count * goal);
        }
        self.simulations += 1;
        if self.simulations.is_multiple_of(LEARNING) {
            self.conclude();
        }
    }

    /// Gives every thing its weight: its correlation with the goal, for a count that varies as goals do.
    fn conclude(&mut self) {
        let all = f64::from(self.simulations);
        let spread = |sum: f64, squares: f64| (squares / all - (sum / all).powi(2)).max(0.0).sqrt();
        for role in &mut self.roles {
            let of_goals = spread(role.sum, role.squares);
            let weight = |(&(sum, squares), &product): (&(f64, f64), &f64)| {
                let of_count = spread(sum, squares);
                // What never changes says nothing.
                if of_count * of_goals < 1e-9 {
                    return 0.0;
                }
                let correlation = (product / all - sum / all * role.sum / all) / (of_count * of_goals);
                if correlation.abs() < LEAST_CORRELATION { 0.0 } else { correlation / of_count }
            };
            role.weights = self.counts.iter().zip(&role.products).map(weight).collect();
        }
    }

    /// What a state is worth to a role; `None` before anything was concluded.
    pub(super) fn worth(&self, role: usize, facts: &[FactId]) -> Option<f64> {
        let weights = &self.roles.get(role).filter(|role| !role.weights.is_empty())?.weights;
        let things = facts.iter().filter_map(|fact| self.counted_in.get(fact)).flatten();
        Some(things.filter_map(|&thing| weights.get(thing)).sum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Facts 0 to 2 are pieces, 9 is a counter.
    #[derive(Debug)]
    struct Texts;

    impl FactNames for Texts {
        fn text(&self, fact: FactId) -> String {
            if fact.0 == 9 { "(step 1)".to_owned() } else { format!("(piece {} white)", fact.0) }
        }
    }

    #[test]
    fn what_goes_along_with_goals_is_worth_something() {
        let mut symbols = Symbols::default();
        for round in 0..LEARNING {
            // One piece loses, two win; the counter is always there.
            let (facts, goal): (&[FactId], f64) = match round % 2 {
                0 => (&[FactId(0), FactId(9)], 0.0),
                _ => (&[FactId(0), FactId(1), FactId(9)], 100.0),
            };
            assert_eq!(symbols.worth(0, facts), None, "too early");
            symbols.learn([facts].into_iter(), [goal, 100.0 - goal].into_iter(), &Texts);
        }
        let of = |role, facts: &[u32]| {
            let facts: Vec<FactId> = facts.iter().map(|&fact| FactId(fact)).collect();
            symbols.worth(role, &facts).expect("it was concluded")
        };
        // A piece counts as a piece and as white, each with correlation 1 and spread 1/2; the second piece also as
        // the symbol 1, which goes along as much.
        assert!((of(0, &[0]) - 4.0).abs() < 1e-9);
        assert!((of(0, &[1]) - 6.0).abs() < 1e-9);
        assert!((of(1, &[1]) + 6.0).abs() < 1e-9, "what is good for one is bad for the other");
        assert_eq!(of(0, &[9]), 0.0);
    }
}

//! Arbitration (Gudmundsson and Björnsson 2011): near the end of the clock, where the two best moves are
//! close, all that is left goes to the better one. If it stays as good it is played, else the other.

use std::hash::Hash;
use std::time::Duration;

use game::Simulator;

use super::advice::Candidate;
use super::search::Search;
use super::tree::{Status, Tree, UNIT};
use crate::{Budget, Parameters};

/// The two moves, by their places at the root.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Arbitration {
    pub(crate) role: usize,
    /// The better one.
    pub(crate) tested: usize,
    other: usize,
    /// What it was worth when it began.
    before: f64,
}

impl Arbitration {
    /// Begins, if the best two of some moves are close: their means, by place.
    fn between(role: usize, means: &[Option<f64>], margin: f64) -> Option<Self> {
        let mut known: Vec<(usize, f64)> =
            means.iter().enumerate().filter_map(|(place, mean)| Some((place, (*mean)?))).collect();
        known.sort_by(|one, other| other.1.total_cmp(&one.1));
        let [(tested, before), (other, second), ..] = known[..] else { return None };
        (before - second <= margin).then_some(Self { role, tested, other, before })
    }

    /// Begins at the root of a tree, if one role chooses there.
    pub(crate) fn at_root<State: Eq + Hash>(tree: &Tree<State>, margin: f64) -> Option<Self> {
        let Status::Open { block, mover: Some(mover) } = tree.node(tree.root()).status() else { return None };
        let role = usize::from(mover);
        let means: Vec<Option<f64>> = tree
            .edges(block, role)
            .iter()
            .map(|edge| {
                let edge = edge?;
                let (_, ended) = edge.visits();
                (ended > 0).then(|| edge.worth(role) as f64 / (f64::from(ended) * UNIT))
            })
            .collect();
        Self::between(role, &means, margin)
    }

    /// Which move to play, where otherwise `chosen` would be. What is proven comes first.
    pub(crate) fn verdict(&self, candidates: &[Candidate], chosen: usize) -> usize {
        let is_open = |place: usize| candidates.get(place).is_some_and(|one| !one.bounds.is_exact());
        let is_one_of_both = chosen == self.tested || chosen == self.other;
        if !is_one_of_both || !is_open(self.tested) || !is_open(self.other) {
            return chosen;
        }
        if candidates[self.tested].value >= self.before { self.tested } else { self.other }
    }
}

/// Whether what is left of a turn is for arbitration.
pub(crate) fn is_due(parameters: &Parameters, budget: &Budget<'_>, done: u64, begun: Duration) -> bool {
    let part = parameters.arbitration;
    if part <= 0.0 {
        return false;
    }
    if let Some(all) = budget.simulations {
        return done as f64 >= (1.0 - part) * all as f64;
    }
    let left = |ends: Duration| ends.saturating_sub((budget.clock)());
    budget.turn_ends.is_some_and(|ends| left(ends) <= ends.saturating_sub(begun).mul_f64(part))
}

impl<G: Simulator> Search<G> {
    /// Begins to test the better of two close moves, if it is time.
    pub(super) fn arbitrate(&self, tree: usize, budget: &Budget<'_>, done: u64) {
        let begun = self.turn_began.unwrap_or_default();
        if !is_due(&self.parameters, budget, done, begun) {
            return;
        }
        if self.arbitrations[tree].lock().is_some() {
            return;
        }
        // Who waits for the tree holds nothing that is asked for by who has it.
        let begun = Arbitration::at_root(&self.trees[tree].read(), self.parameters.arbitration_margin);
        let mut current = self.arbitrations[tree].lock();
        *current = current.or(begun);
    }
}

#[cfg(test)]
mod tests {
    use game::MoveId;

    use super::super::Bounds;
    use super::*;

    fn candidate(value: f64) -> Candidate {
        let bounds = Bounds::UNKNOWN;
        Candidate { id: MoveId(0), visits: 10, value, to_others: 0.0, hope: 0.0, likelihood: None, bounds }
    }

    #[test]
    fn the_better_one_has_to_stand_the_test() {
        let means = [Some(40.0), Some(61.0), None, Some(60.0)];
        assert_eq!(Arbitration::between(0, &means, 0.5), None, "they are not close");
        let test = Arbitration::between(0, &means, 2.0).expect("they are close");
        assert_eq!((test.tested, test.other), (1, 3));
        let verdict =
            |value| test.verdict(&[candidate(40.0), candidate(value), candidate(0.0), candidate(60.0)], 3);
        assert_eq!((verdict(61.0), verdict(60.9)), (1, 3));
        assert_eq!(test.verdict(&[candidate(70.0), candidate(50.0)], 0), 0, "another one is chosen");
    }

    #[test]
    fn it_is_due_at_the_end() {
        let parameters = Parameters { arbitration: 0.2, ..Parameters::default() };
        let due = |done| is_due(&parameters, &Budget::simulations(100), done, Duration::ZERO);
        assert_eq!([79, 80].map(due), [false, true]);
        let clock = || Duration::from_secs(8);
        let turn = |ends| Budget {
            turn_ends: Some(Duration::from_secs(ends)),
            ..Budget::until(&clock, Duration::from_secs(9))
        };
        let due = |ends| is_due(&parameters, &turn(ends), 0, Duration::ZERO);
        assert_eq!([10, 11].map(due), [true, false]);
        assert!(!is_due(&Parameters::default(), &turn(10), 0, Duration::ZERO));
    }
}

//! How different two states are, fact by fact.

use game::Game;
use machine::circuit::{CircuitMachine, CircuitState};
use machine::reference::Reference;

/// A game whose states can be compared fact by fact.
pub trait Facts: Game {
    /// How many facts are true in the first state only, and in the second only.
    fn differences(&self, first: &Self::State, second: &Self::State) -> (u32, u32);
}

impl Facts for CircuitMachine {
    fn differences(&self, first: &CircuitState, second: &CircuitState) -> (u32, u32) {
        let words = first.words().iter().zip(second.words());
        words.fold((0, 0), |(only_first, only_second), (one, two)| {
            (only_first + (one & !two).count_ones(), only_second + (two & !one).count_ones())
        })
    }
}

impl Facts for Reference {
    fn differences(&self, first: &Self::State, second: &Self::State) -> (u32, u32) {
        let (first, second) = (self.facts(first), self.facts(second));
        // Both are sorted.
        let missing = |from: &[String], of: &[String]| {
            of.iter().filter(|fact| from.binary_search(fact).is_err()).count() as u32
        };
        (missing(&second, &first), missing(&first, &second))
    }
}

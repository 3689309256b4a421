//! What can be said of states fact by fact.

use std::hash::BuildHasher;

use circuit::Circuit;
use game::{Describe, Dice};
use machine::circuit::{CircuitMachine, CircuitState};
use machine::reference::Reference;
use rustc_hash::{FxBuildHasher, FxHashMap};

/// A game whose states can be looked at fact by fact.
pub trait Facts: Describe {
    /// How many facts are true in the first state only, and in the second only.
    fn differences(&self, first: &Self::State, second: &Self::State) -> (u32, u32);

    /// For each relation that has facts in a state, how many they are and what their symbols add up
    /// to, in an order that is the same for all states.
    fn census(&self, codes: &mut Codes, state: &Self::State, out: &mut Vec<(u32, u64)>);

    /// A hash of a state; from that of the state before it, if that is known, by what has changed.
    fn hash(&self, codes: &Codes, state: &Self::State, before: Option<(&Self::State, u64)>) -> u64;

    /// The rules as gates, if there are any.
    fn gates(&self) -> Option<&Circuit>;

    /// The numbers of the facts that are true, where facts have numbers.
    fn numbers(&self, state: &Self::State, out: &mut Vec<u32>);

    /// Bytes of a state, about.
    fn bytes(&self, state: &Self::State) -> usize;
}

/// Bytes of a state of the reference reasoner, about: a number for each of some dozen facts.
const REFERENCE_STATE: usize = 256;

/// What is known of facts before any state is.
#[derive(Debug, Default)]
pub struct Codes {
    /// By the number of the fact.
    facts: Vec<Code>,
    relations: usize,
    symbols: Symbols,
}

/// The numbers of symbols, from 1 on in the order in which they are met.
#[derive(Debug, Default)]
struct Symbols(FxHashMap<String, u16>);

#[derive(Clone, Copy, Debug)]
struct Code {
    relation: u32,
    /// What its symbols add up to.
    symbols: u64,
    /// Drawn by chance (after Zobrist, 1970).
    key: u64,
}

impl Codes {
    /// The codes of a game's facts.
    pub fn new<G: Facts>(game: &G) -> Self {
        let Some(circuit) = game.gates() else { return Self::default() };
        let mut relations: FxHashMap<&str, u32> = FxHashMap::default();
        let mut dice = Dice::new(circuit.bases.len() as u64);
        let mut numbers = Symbols::default();
        let mut facts = Vec::new();
        for fact in &circuit.bases {
            let (name, symbols) = numbers.sum(fact);
            let next = relations.len() as u32;
            let relation = *relations.entry(name).or_insert(next);
            facts.push(Code { relation, symbols, key: dice.bits() });
        }
        Self { facts, relations: relations.len(), symbols: numbers }
    }
}

impl Symbols {
    /// The number of a symbol; there are as many as 16 bits have.
    fn number(&mut self, symbol: &str) -> u16 {
        match self.0.get(symbol) {
            Some(&number) => number,
            None => {
                let number = (self.0.len() as u16).wrapping_add(1);
                self.0.insert(symbol.to_owned(), number);
                number
            }
        }
    }

    /// The relation of a fact, and what it adds to the hash of its relation: the number of each symbol,
    /// doubled as often as its place says (equation (6) of MiNI-Player's paper).
    fn sum<'a>(&mut self, fact: &'a str) -> (&'a str, u64) {
        let mut symbols = fact.split(['(', ')', ' ']).filter(|symbol| !symbol.is_empty());
        let relation = symbols.next().unwrap_or("");
        let sum = (1u32..).zip(symbols).fold(0u64, |sum, (place, symbol)| {
            sum.wrapping_add(u64::from(self.number(symbol)).wrapping_shl(place))
        });
        (relation, sum)
    }
}

/// The places of the bits of words.
fn bits(words: impl Iterator<Item = u64>) -> impl Iterator<Item = usize> {
    words.enumerate().flat_map(|(place, mut word)| {
        std::iter::from_fn(move || {
            let bit = (word != 0).then(|| place * 64 + word.trailing_zeros() as usize);
            word &= word.wrapping_sub(1);
            bit
        })
    })
}

impl Facts for CircuitMachine {
    fn differences(&self, first: &CircuitState, second: &CircuitState) -> (u32, u32) {
        let words = first.words().iter().zip(second.words());
        words.fold((0, 0), |(only_first, only_second), (one, two)| {
            (only_first + (one & !two).count_ones(), only_second + (two & !one).count_ones())
        })
    }

    fn census(&self, codes: &mut Codes, state: &CircuitState, out: &mut Vec<(u32, u64)>) {
        out.clear();
        out.resize(codes.relations, (0, 0));
        for fact in bits(state.words().iter().copied()) {
            let code = codes.facts[fact];
            let relation = &mut out[code.relation as usize];
            *relation = (relation.0 + 1, relation.1.wrapping_add(code.symbols));
        }
    }

    fn hash(&self, codes: &Codes, state: &CircuitState, before: Option<(&CircuitState, u64)>) -> u64 {
        let key = |hash: u64, fact: usize| hash ^ codes.facts[fact].key;
        match before {
            None => bits(state.words().iter().copied()).fold(0, key),
            Some((before, hash)) => {
                let words = state.words().iter().zip(before.words());
                bits(words.map(|(now, then)| now ^ then)).fold(hash, key)
            }
        }
    }

    fn gates(&self) -> Option<&Circuit> {
        Some(self.circuit())
    }

    fn numbers(&self, state: &CircuitState, out: &mut Vec<u32>) {
        out.clear();
        out.extend(bits(state.words().iter().copied()).map(|fact| fact as u32));
    }

    fn bytes(&self, state: &CircuitState) -> usize {
        size_of_val(state.words())
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

    fn census(&self, codes: &mut Codes, state: &Self::State, out: &mut Vec<(u32, u64)>) {
        // Facts are sorted, so that those of a relation follow each other.
        out.clear();
        let mut last = String::new();
        for fact in self.facts(state) {
            let (relation, sum) = codes.symbols.sum(&fact);
            match out.last_mut() {
                Some(entry) if relation == last => *entry = (entry.0 + 1, entry.1.wrapping_add(sum)),
                _ => {
                    out.push((1, sum));
                    relation.clone_into(&mut last);
                }
            }
        }
    }

    fn hash(&self, _: &Codes, state: &Self::State, _: Option<(&Self::State, u64)>) -> u64 {
        FxBuildHasher.hash_one(state)
    }

    fn gates(&self) -> Option<&Circuit> {
        None
    }

    fn numbers(&self, _: &Self::State, out: &mut Vec<u32>) {
        out.clear();
    }

    fn bytes(&self, _: &Self::State) -> usize {
        REFERENCE_STATE
    }
}

#[cfg(test)]
mod tests {
    use game::Game;

    use super::*;

    #[test]
    fn hashes_of_relations_are_sums_of_numbered_symbols() {
        // By equation (6), symbols being numbered as they are met: 1 is 1, b is 2, 2 is 3, x is 4.
        let mut symbols = Symbols::default();
        assert_eq!(symbols.sum("(cell 1 1 b)"), ("cell", 2 + 4 + 8 * 2));
        assert_eq!(symbols.sum("(cell 1 2 x)"), ("cell", 2 + 4 * 3 + 8 * 4));
        assert_eq!(symbols.sum("(step 2)"), ("step", 2 * 3));
        assert_eq!(symbols.sum("over"), ("over", 0));
    }

    #[test]
    fn every_relation_has_a_hash_of_its_own() {
        let rules = "(role you) (init (at 1 a)) (init (at 2 a)) (init (step 1)) (legal you wait)
            (<= (next (at 2 ?x)) (true (at 1 ?x))) (<= (next (at 1 ?x)) (true (at 2 ?x)))
            (<= (next (step 2)) (true (step 1))) (<= terminal (true (step 2))) (goal you 0)";
        let rules = gdl::normal::read(rules);
        let reference = Reference::new(&rules, Default::default()).expect("rules that can be played");
        let (mut codes, mut census) = (Codes::new(&reference), Vec::new());
        reference.census(&mut codes, &reference.initial(), &mut census);
        // 1 is 1, a is 2, 2 is 3: (at 1 a) is 2 + 8, (at 2 a) is 6 + 8, (step 1) is 2.
        assert_eq!(census, [(2, 24), (1, 2)]);
    }
}

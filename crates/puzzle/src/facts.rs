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
    fn census(&self, codes: &Codes, state: &Self::State, out: &mut Vec<(u32, u64)>);

    /// A hash of a state; from that of the state before it, if that is known, by what has changed.
    fn hash(&self, codes: &Codes, state: &Self::State, before: Option<(&Self::State, u64)>) -> u64;

    /// The rules as gates, if there are any.
    fn gates(&self) -> Option<&Circuit>;

    /// The numbers of the facts that are true, where facts have numbers.
    fn numbers(&self, state: &Self::State, out: &mut Vec<u32>);
}

/// What is known of facts before any state is.
#[derive(Debug, Default)]
pub struct Codes {
    /// By the number of the fact.
    facts: Vec<Code>,
    relations: usize,
}

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
        let mut facts = Vec::new();
        for fact in &circuit.bases {
            let (name, symbols) = symbols(fact);
            let next = relations.len() as u32;
            let relation = *relations.entry(name).or_insert(next);
            facts.push(Code { relation, symbols, key: dice.bits() });
        }
        Self { facts, relations: relations.len() }
    }
}

/// The relation of a fact, and the sum of the codes of its symbols, each doubled as often as its
/// place says.
fn symbols(fact: &str) -> (&str, u64) {
    let mut symbols = fact.split(['(', ')', ' ']).filter(|symbol| !symbol.is_empty());
    let relation = symbols.next().unwrap_or("");
    let sum = (1u32..).zip(symbols).fold(0u64, |sum, (place, symbol)| {
        let code = FxBuildHasher.hash_one(symbol) & 0xffff;
        sum.wrapping_add(code << place.min(40))
    });
    (relation, sum)
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

    fn census(&self, codes: &Codes, state: &CircuitState, out: &mut Vec<(u32, u64)>) {
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

    fn census(&self, _: &Codes, state: &Self::State, out: &mut Vec<(u32, u64)>) {
        // Facts are sorted, so that those of a relation follow each other.
        out.clear();
        let mut last = String::new();
        for fact in self.facts(state) {
            let (relation, sum) = symbols(&fact);
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
}

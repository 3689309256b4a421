//! A function on a machine: what it says of states.
//!
//! A weighted sum of counts is a sum over atoms, each with the weights of all the terms that count it. So a state
//! is valued by going through what is true in it; what is derived is worked out for hundreds of states at once.

use std::any::Any;
use std::sync::Arc;

use engine::Evaluator;
use game::{FactId, RuleFault, Simulator};
use machine::circuit::CircuitState;
use parking_lot::RwLock;
use rustc_hash::FxHashMap;

use crate::derived::{Derived, GROUP, Lanes, Program};
use crate::function::{Function, Link};
use crate::vocabulary::Kind;

/// States that are valued together.
const TOGETHER: usize = 64 * GROUP;

/// What a fact means to a function.
#[derive(Clone, Debug, Default)]
struct Meaning {
    /// What it adds to each role's sum; nothing if there are none.
    weights: Vec<f64>,
    /// Which input of the program for derived atoms it is.
    input: Option<u32>,
}

/// A function that can be asked.
pub struct Bound<G: Simulator> {
    game: Arc<G>,
    link: Link,
    constants: Vec<f64>,
    facts: Facts,
    derived: Option<DerivedSum>,
    function: Arc<Function>,
}

enum Facts {
    /// Of a machine whose states are bits.
    Bits(Bits),
    /// As they are met.
    Met(RwLock<FxHashMap<FactId, Arc<Meaning>>>),
}

/// What bits mean. Most functions are sums over facts, asked of every leaf of a search: their weights are side by side.
struct Bits {
    /// What each fact adds to each role's sum.
    weights: Vec<f64>,
    /// Of each word, which bits add anything.
    weighted: Vec<u64>,
    /// Which input of the program for derived atoms each fact is.
    inputs: Vec<Option<u32>>,
    /// Of each word, which bits are inputs; nothing without a program.
    is_input: Vec<u64>,
}

impl Bits {
    fn new(meanings: &[Meaning], roles: usize) -> Self {
        let mask = |is_set: &dyn Fn(&Meaning) -> bool| -> Vec<u64> {
            let word = |facts: &[Meaning]| -> u64 {
                facts.iter().enumerate().map(|(bit, one)| u64::from(is_set(one)) << bit).sum()
            };
            meanings.chunks(64).map(word).collect()
        };
        let mut weights = vec![0.0; meanings.len() * roles];
        for (weights, meaning) in weights.chunks_mut(roles.max(1)).zip(meanings) {
            weights.iter_mut().zip(&meaning.weights).for_each(|(weight, own)| *weight = *own);
        }
        Self {
            weights,
            weighted: mask(&|meaning| !meaning.weights.is_empty()),
            inputs: meanings.iter().map(|meaning| meaning.input).collect(),
            is_input: mask(&|meaning| meaning.input.is_some()),
        }
    }

    /// Adds up the weights of a state's facts.
    fn add(&self, words: &[u64], sums: &mut [f64]) {
        for_each_bit(words, &self.weighted, |fact| {
            let weights = &self.weights[fact * sums.len()..][..sums.len()];
            sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += weight);
        });
    }
}

/// Goes through the bits that are set in both.
#[inline]
fn for_each_bit(words: &[u64], masks: &[u64], mut with: impl FnMut(usize)) {
    for (number, (word, mask)) in words.iter().zip(masks).enumerate() {
        let mut rest = word & mask;
        while rest != 0 {
            with(64 * number + rest.trailing_zeros() as usize);
            rest &= rest - 1;
        }
    }
}

/// The part of a function that looks at what is derived.
struct DerivedSum {
    program: Program,
    inputs: FxHashMap<String, u32>,
    /// What each output adds to each role's sum.
    weights: Vec<Vec<f64>>,
}

impl<G: Simulator> std::fmt::Debug for Bound<G> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Bound").field("function", &self.function).finish_non_exhaustive()
    }
}

impl<G: Simulator> Bound<G> {
    /// A function on a machine; `derived` is what the function was learnt with, if it looks at that.
    pub fn new(game: Arc<G>, function: Arc<Function>, derived: Option<&Derived>) -> Self {
        let derived = derived.filter(|_| function.looks_at_derived()).map(|derived| {
            let weighted = derived.atoms().enumerate();
            let weighted =
                weighted.filter_map(|(place, text)| Some((place, function.weights(Kind::Derived, text)?)));
            let (places, weights): (Vec<usize>, Vec<Vec<f64>>) = weighted.unzip();
            let program = derived.only(&places);
            let inputs = program.facts().iter().cloned().zip(0..).collect();
            DerivedSum { program, inputs, weights }
        });
        let mut bound = Self {
            link: function.link,
            constants: function.roles.iter().map(|role| role.constant).collect(),
            facts: Facts::Met(RwLock::default()),
            derived,
            function,
            game,
        };
        let initial = bound.game.initial();
        if let Some(words) = words(&initial) {
            let count = words.len() * 64;
            let meanings: Vec<Meaning> = (0..count as u32).map(|fact| bound.meaning(FactId(fact))).collect();
            bound.facts = Facts::Bits(Bits::new(&meanings, bound.constants.len()));
        }
        bound
    }

    /// The function.
    pub fn function(&self) -> &Arc<Function> {
        &self.function
    }

    fn meaning(&self, fact: FactId) -> Meaning {
        let text = self.game.fact_text(fact);
        Meaning {
            weights: self.function.weights(Kind::Fact, &text).unwrap_or_default(),
            input: self.derived.as_ref().and_then(|derived| derived.inputs.get(&text).copied()),
        }
    }

    /// Adds up the weights of a state's facts, and tells which inputs of the program for derived atoms they are.
    fn add_facts(
        &self,
        state: &G::State,
        listed: &mut Vec<FactId>,
        sums: &mut [f64],
        mut with: impl FnMut(u32),
    ) {
        match &self.facts {
            Facts::Bits(bits) => {
                let words = words(state).unwrap_or_default();
                bits.add(words, sums);
                for_each_bit(words, &bits.is_input, |fact| bits.inputs[fact].into_iter().for_each(&mut with));
            }
            Facts::Met(met) => {
                self.game.list_facts(state, listed);
                for &fact in &*listed {
                    let known = met.read().get(&fact).cloned();
                    let known = known.unwrap_or_else(|| {
                        let meaning = Arc::new(self.meaning(fact));
                        met.write().insert(fact, Arc::clone(&meaning));
                        meaning
                    });
                    sums.iter_mut().zip(&known.weights).for_each(|(sum, weight)| *sum += weight);
                    known.input.into_iter().for_each(&mut with);
                }
            }
        }
    }
}

impl<G: Simulator> Evaluator<G::State> for Bound<G> {
    fn evaluate(&self, states: &[&G::State], out: &mut [f64]) -> Result<(), RuleFault> {
        let roles = self.constants.len();
        let (mut listed, mut values, mut lanes) = (Vec::new(), Vec::<Lanes>::new(), Vec::new());
        for (states, out) in states.chunks(TOGETHER).zip(out.chunks_mut(TOGETHER * roles)) {
            if let Some(derived) = &self.derived {
                values.clear();
                values.resize(derived.program.facts().len(), [0; GROUP]);
            }
            for (lane, (state, sums)) in states.iter().zip(out.chunks_mut(roles)).enumerate() {
                sums.copy_from_slice(&self.constants);
                self.add_facts(state, &mut listed, sums, |input| {
                    values[input as usize][lane / 64] |= 1 << (lane % 64);
                });
            }
            if let Some(derived) = &self.derived {
                derived.program.run(&mut values, &mut lanes);
                for (lanes, weights) in lanes.iter().zip(&derived.weights) {
                    for (lane, sums) in out.chunks_mut(roles).enumerate() {
                        if lanes[lane / 64] >> (lane % 64) & 1 != 0 {
                            sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += weight);
                        }
                    }
                }
            }
            out.iter_mut().take(states.len() * roles).for_each(|value| *value = self.link.value(*value));
        }
        Ok(())
    }
}

/// The bits of a state, if that is what it is.
fn words<State: 'static>(state: &State) -> Option<&[u64]> {
    (state as &dyn Any).downcast_ref::<CircuitState>().map(CircuitState::words)
}

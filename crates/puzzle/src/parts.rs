//! Parts of a game that can be looked at on their own: facts whose future depends on nothing but
//! themselves and the moves, such as a single piece of a cube.

use circuit::{Circuit, Edge};
use rustc_hash::FxHashMap;

use crate::Space;
use crate::logic::{Logic, UNKNOWN};
use crate::needs::{Need, Needs};

/// Parts with more facts or states are not looked at.
const MOST_FACTS: usize = 128;
const MOST_STATES: usize = 4_096;
/// Gates that are looked at in all, about.
const MOST_WORK: usize = 50_000_000;

/// No such state.
pub(crate) const NONE: u16 = u16::MAX;

/// A part: all its states, and where each move leads.
#[derive(Debug)]
pub(crate) struct Part {
    /// The facts, each with a number; the sum of the numbers of those that are true tells the state.
    facts: Vec<(u32, u64)>,
    states: FxHashMap<u64, u16>,
    /// For each move the state after each state, [`NONE`] where the move is not legal.
    after: Vec<Vec<u16>>,
    /// Whether what the goal needs of this part is there, in each state.
    met: Vec<bool>,
}

impl Part {
    /// How many states there are.
    pub(crate) fn len(&self) -> usize {
        self.met.len()
    }

    /// The state of the part within a state of the game, [`NONE`] if it was never met.
    pub(crate) fn state(&self, words: &[u64]) -> u16 {
        let holds = |fact: u32| words[fact as usize / 64] >> (fact % 64) & 1;
        let sum = self.facts.iter().fold(0u64, |sum, &(fact, number)| sum.wrapping_add(number * holds(fact)));
        self.states.get(&sum).copied().unwrap_or(NONE)
    }

    /// For each move the state after each state.
    pub(crate) fn after(&self) -> &[Vec<u16>] {
        &self.after
    }

    /// Whether what the goal needs is there.
    pub(crate) fn is_met(&self, state: usize) -> bool {
        self.met[state]
    }
}

/// The parts that the highest goal needs something of. What is needed of several parts together is
/// left out: whatever is said of the parts is then less than what is true of the game.
pub(crate) fn parts(space: &Space) -> Vec<Part> {
    let circuit = space.circuit();
    let needs = Needs::new(circuit, space.ceiling().0);
    let mut work = MOST_WORK;
    let mut closures = Closures::new(circuit);
    let mut groups: Vec<(Vec<u32>, Vec<Edge>)> = Vec::new();
    for Need { edge, .. } in &needs.all {
        let Some(facts) = closures.of(circuit.support(*edge), &mut work) else { continue };
        // A part within another one adds to what that one needs.
        match groups.iter_mut().find(|(other, _)| other.len() >= facts.len() && contains(other, &facts)) {
            Some((_, edges)) => edges.push(*edge),
            None => groups.push((facts, vec![*edge])),
        }
    }
    groups.iter().filter_map(|(facts, edges)| explore(space, facts, edges, &mut work)).collect()
}

/// Whether sorted facts are all among others.
fn contains(all: &[u32], some: &[u32]) -> bool {
    some.iter().all(|fact| all.binary_search(fact).is_ok())
}

/// Sets of facts with all they depend on.
struct Closures<'a> {
    circuit: &'a Circuit,
    autonomous: Vec<bool>,
    supports: FxHashMap<u32, Vec<u32>>,
}

impl<'a> Closures<'a> {
    fn new(circuit: &'a Circuit) -> Self {
        Self { circuit, autonomous: circuit.autonomous(), supports: FxHashMap::default() }
    }

    /// The facts with all that their future depends on; `None` if these are many, or run by
    /// themselves: time is not a matter of parts.
    fn of(&mut self, facts: Vec<u32>, work: &mut usize) -> Option<Vec<u32>> {
        let mut all = facts;
        let mut done = 0;
        while let Some(&fact) = all.get(done) {
            if all.len() > MOST_FACTS || self.autonomous[fact as usize] {
                return None;
            }
            if !self.supports.contains_key(&fact) {
                *work = work.checked_sub(self.circuit.gates.len() / 16 + 1)?;
                self.supports.insert(fact, self.circuit.support(self.circuit.next[fact as usize]));
            }
            for other in &self.supports[&fact] {
                if !all.contains(other) {
                    all.push(*other);
                }
            }
            done += 1;
        }
        all.sort_unstable();
        (!all.is_empty()).then_some(all)
    }
}

/// All states of a part that can be reached from where it is now, if that does not take too long.
fn explore(space: &Space, facts: &[u32], needs: &[Edge], work: &mut usize) -> Option<Part> {
    let circuit = space.circuit();
    let role = &circuit.roles[0];
    let moves = role.moves.len();
    let outputs = facts.iter().map(|&fact| circuit.next[fact as usize]);
    let mut logic =
        Logic::new(circuit, outputs.chain(role.legal.iter().copied()).chain(needs.iter().copied()));
    let now = facts.iter().enumerate();
    let start =
        now.fold(0u128, |bits, (place, &fact)| bits | u128::from(space.start().get(fact as usize)) << place);
    let mut states = vec![start];
    let mut known: FxHashMap<u128, u16> = [(start, 0)].into_iter().collect();
    let mut after: Vec<Vec<u16>> = vec![Vec::new(); moves];
    let mut met = Vec::new();
    let mut done = 0;
    while done < states.len() {
        let chunk: Vec<u128> = states[done..states.len().min(done + 64)].to_vec();
        done += chunk.len();
        for (number, after) in (0u32..).zip(&mut after) {
            *work = work.checked_sub(logic.cone.len())?;
            logic.evaluate(Some(number), |fact| match facts.binary_search(&fact) {
                Err(_) => UNKNOWN,
                Ok(place) => {
                    let lanes = chunk.iter().enumerate();
                    let high =
                        lanes.fold(0, |high, (lane, state)| high | ((state >> place & 1) as u64) << lane);
                    [!high, high]
                }
            });
            let legal = logic.possible(role.legal[number as usize], true);
            for lane in 0..chunk.len() {
                let next = facts.iter().enumerate().fold(0u128, |bits, (place, &fact)| {
                    let possible = logic.possible(circuit.next[fact as usize], true);
                    bits | u128::from(possible >> lane & 1) << place
                });
                if legal >> lane & 1 == 0 {
                    after.push(NONE);
                    continue;
                }
                let count = states.len();
                let place = *known.entry(next).or_insert_with(|| {
                    states.push(next);
                    count as u16
                });
                after.push(place);
            }
        }
        if states.len() > MOST_STATES {
            return None;
        }
        // Needs do not depend on moves.
        let possible = |need: &Edge| logic.possible(*need, true);
        let all = needs.iter().fold(u64::MAX, |all, need| all & possible(need));
        met.extend((0..chunk.len()).map(|lane| all >> lane & 1 != 0));
    }
    let mut dice = game::Dice::new(facts.len() as u64);
    let numbers: Vec<(u32, u64)> = facts.iter().map(|&fact| (fact, dice.bits() | 1)).collect();
    let sum = |state: u128| {
        let numbers = numbers.iter().enumerate();
        numbers.fold(0u64, |sum, (place, (_, number))| sum.wrapping_add(number * (state >> place & 1) as u64))
    };
    let places: FxHashMap<u64, u16> = (0..).zip(&states).map(|(place, &state)| (sum(state), place)).collect();
    // Two states with the same sum: so unlikely that the part can be done without.
    (places.len() == states.len()).then_some(Part { facts: numbers, states: places, after, met })
}

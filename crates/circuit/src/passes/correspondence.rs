//! Finds facts that are equal, or opposite, in every reachable state, and reads them from one.
//!
//! Random play suggests which facts go together; induction proves it: they are equal at the
//! beginning and, if all that is suggested holds in a state, it holds in the next.

use ground::{Budget, GroundError, Progress, Stage};
use rustc_hash::FxHashMap;

use crate::rewrite::{Replacement, Use, rewrite};
use crate::{Circuit, Edge, Gate};

/// Steps of random play, in 64 games at once.
const STEPS: usize = 48;
/// Rounds of refinement in which what fails is grouped anew; later it is given up.
const PATIENT_ROUNDS: usize = 6;

/// Merges what is always equal or opposite. Returns how many facts are read from another.
pub(crate) fn merge(circuit: &Circuit, budget: &Budget<'_>) -> Result<(Circuit, usize), GroundError> {
    let mut class: Vec<u64> = signatures(circuit, budget)?;
    let mut round = 0;
    loop {
        budget.check(&Progress {
            stage: Stage::Simplify,
            items: circuit.gates.len(),
            bytes: circuit.gates.bytes() * 2,
        })?;
        let mut first: FxHashMap<u64, u32> = FxHashMap::default();
        let mut replacement = Replacement::none(circuit);
        let mut merged = 0;
        for (base, &class) in class.iter().enumerate() {
            let leader = *first.entry(class).or_insert(base as u32);
            if leader as usize != base {
                let inverted = circuit.initial[base] != circuit.initial[leader as usize];
                replacement.bases[base] = Use::Same(leader, inverted);
                merged += 1;
            }
        }
        if merged == 0 {
            return Ok((rewrite(circuit, &replacement), 0));
        }
        let rewritten = rewrite(circuit, &replacement);
        let mut failed: FxHashMap<(u64, Edge), u64> = FxHashMap::default();
        for (base, class) in class.iter_mut().enumerate() {
            let Use::Same(leader, inverted) = replacement.bases[base] else { continue };
            let next = if inverted { !rewritten.next[base] } else { rewritten.next[base] };
            if next != rewritten.next[leader as usize] {
                let fresh = (round as u64) << 48 | 1 << 63 | base as u64;
                let group = if round < PATIENT_ROUNDS {
                    *failed.entry((*class, next)).or_insert(fresh)
                } else {
                    failed.insert((*class, next), fresh);
                    fresh
                };
                *class = group;
            }
        }
        if failed.is_empty() {
            return Ok((rewritten, merged));
        }
        round += 1;
    }
}

/// A number for each fact that is the same for facts that were equal, or opposite, all through some
/// random play.
fn signatures(circuit: &Circuit, budget: &Budget<'_>) -> Result<Vec<u64>, GroundError> {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let spread = |value: bool| if value { u64::MAX } else { 0 };
    let initial: Vec<u64> = circuit.initial.iter().map(|&value| spread(value)).collect();
    let mut state = initial.clone();
    let mut signature = vec![0u64; state.len()];
    let mut does: Vec<Vec<u64>> = circuit.roles.iter().map(|role| vec![0; role.moves.len()]).collect();
    let mut values = vec![0u64; circuit.gates.len()];
    for step in 0..STEPS {
        budget.check(&Progress { stage: Stage::Simplify, items: step, bytes: circuit.gates.bytes() })?;
        sweep(circuit, &state, &does, &mut values);
        for (role, does) in circuit.roles.iter().zip(&mut does) {
            choose(role.legal.iter().map(|&edge| read(&values, edge)), does, &mut random);
        }
        let terminal = read(&values, circuit.terminal);
        sweep(circuit, &state, &does, &mut values);
        for (base, &edge) in circuit.next.iter().enumerate() {
            state[base] = (read(&values, edge) & !terminal) | (initial[base] & terminal);
            let word = state[base] ^ initial[base];
            signature[base] =
                (signature[base].rotate_left(5) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 1;
        }
    }
    Ok(signature)
}

/// One move per lane, uniformly enough: the first legal one after a random place.
fn choose(legal: impl Iterator<Item = u64>, does: &mut [u64], random: &mut Random) {
    let legal: Vec<u64> = legal.collect();
    does.fill(0);
    if legal.is_empty() {
        return;
    }
    let mut open = u64::MAX;
    let start = random.next() as usize % legal.len();
    for offset in 0..2 * legal.len() {
        let place = (start + offset) % legal.len();
        // Not every lane takes what comes first.
        let willing = if offset < legal.len() { random.next() } else { u64::MAX };
        let taken = legal[place] & open & willing;
        does[place] |= taken;
        open &= !taken;
        if open == 0 {
            break;
        }
    }
}

fn sweep(circuit: &Circuit, state: &[u64], does: &[Vec<u64>], values: &mut [u64]) {
    for (id, gate) in circuit.gates.iter() {
        values[id.0 as usize] = match gate {
            Gate::False => 0,
            Gate::Base(number) => state[number as usize],
            Gate::Does(role, number) => does[role as usize][number as usize],
            Gate::And(left, right) => read(values, left) & read(values, right),
            Gate::Xor(left, right) => read(values, left) ^ read(values, right),
        };
    }
}

fn read(values: &[u64], edge: Edge) -> u64 {
    let value = values[edge.gate().0 as usize];
    if edge.is_inverted() { !value } else { value }
}

/// A small generator (xorshift): good enough to make suggestions.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

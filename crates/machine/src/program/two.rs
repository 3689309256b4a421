//! Mapping to operations with two inputs: and, and-not, or, exclusive-or.

use circuit::{Gate, GateId};
use rustc_hash::FxHashMap;

use super::network::Network;
use super::schedule::{Logic, Program, Value};
use super::table;

/// One operation per gate. Inversions cost nothing within: a gate whose inputs are both inverted
/// becomes an `or` and is kept inverted itself. Only outputs may need an operation more.
pub(crate) fn map_two(network: &Network<'_>) -> Program {
    let cone = network.cone();
    let mut sources = Vec::new();
    // For each gate, its value and whether the value is the gate's inverse.
    let mut kept: Vec<(Value, bool)> = vec![(0, false); network.gates.len()];
    for &id in &cone {
        let gate = network.gates.get(id);
        if matches!(gate, Gate::Base(_) | Gate::Does(..)) {
            kept[id.0 as usize] = (sources.len() as Value, false);
            sources.push((network.input)(gate));
        }
    }
    let mut operations: Vec<Logic> = Vec::new();
    for &id in &cone {
        let (logic, inverted) = match network.gates.get(id) {
            Gate::And(left, right) => {
                let (a, a_inverted) = kept[left.gate().0 as usize];
                let (b, b_inverted) = kept[right.gate().0 as usize];
                match (left.is_inverted() != a_inverted, right.is_inverted() != b_inverted) {
                    (false, false) => (Logic::new(table::AND, &[a, b]), false),
                    (false, true) => (Logic::new(table::WITHOUT, &[a, b]), false),
                    (true, false) => (Logic::new(table::LACKING, &[a, b]), false),
                    (true, true) => (Logic::new(table::OR, &[a, b]), true),
                }
            }
            Gate::Xor(left, right) => {
                let (a, a_inverted) = kept[left.gate().0 as usize];
                let (b, b_inverted) = kept[right.gate().0 as usize];
                let inverted = left.is_inverted() ^ a_inverted ^ right.is_inverted() ^ b_inverted;
                (Logic::new(table::XOR, &[a, b]), inverted)
            }
            _ => continue,
        };
        kept[id.0 as usize] = ((sources.len() + operations.len()) as Value, inverted);
        operations.push(logic);
    }
    let outputs = finish(network, sources.len(), &mut operations, |id| kept[id.0 as usize]);
    Program::new(sources, &operations, &outputs)
}

/// The values of the outputs: constants, copies and inverses are added as operations.
pub(super) fn finish(
    network: &Network<'_>,
    sources: usize,
    operations: &mut Vec<Logic>,
    kept: impl Fn(GateId) -> (Value, bool),
) -> Vec<(Value, super::Place)> {
    let mut made: FxHashMap<Logic, Value> = FxHashMap::default();
    let mut outputs = Vec::with_capacity(network.outputs.len());
    for &(edge, place) in &network.outputs {
        let logic = if edge.is_constant() {
            Logic::new(if edge.is_inverted() { table::TRUE } else { table::FALSE }, &[])
        } else {
            let (value, inverted) = kept(edge.gate());
            if edge.is_inverted() != inverted {
                Logic::new(table::NOT, &[value])
            } else if (value as usize) < sources {
                // A copy, so that places may trade contents.
                Logic::new(table::COPY, &[value])
            } else {
                outputs.push((value, place));
                continue;
            }
        };
        let value = *made.entry(logic).or_insert_with(|| {
            operations.push(logic);
            (sources + operations.len() - 1) as Value
        });
        outputs.push((value, place));
    }
    outputs
}

//! Programs: operations in an order of execution.

use super::network::{Area, Place};
use super::table;

/// A value within a program: a source, or the result of an operation.
pub(crate) type Value = u32;

/// One operation on up to three values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Logic {
    /// Its truth table over the inputs A, B, C.
    pub(crate) table: u8,
    /// How many inputs count: 0 to 3.
    pub(crate) arity: u8,
    pub(crate) inputs: [Value; 3],
}

impl Logic {
    pub(crate) fn new(table: u8, inputs: &[Value]) -> Self {
        let mut all = [0; 3];
        all[..inputs.len()].copy_from_slice(inputs);
        Self { table, arity: inputs.len() as u8, inputs: all }
    }

    pub(crate) fn inputs(&self) -> &[Value] {
        &self.inputs[..self.arity as usize]
    }
}

/// One step of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Computes a value.
    Logic { output: Value, logic: Logic },
    /// Writes a value to memory.
    Store { value: Value, place: Place },
}

/// A straight-line program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Program {
    /// Where values `0..sources.len()` are read.
    pub(crate) sources: Vec<Place>,
    pub(crate) steps: Vec<Step>,
    /// The number of values.
    pub(crate) values: usize,
}

impl Program {
    /// Puts operations in order and places the stores. Operation `i` computes value
    /// `sources.len() + i` and uses only values before it; no output is a source.
    pub(crate) fn new(sources: Vec<Place>, operations: &[Logic], outputs: &[(Value, Place)]) -> Self {
        let values = sources.len() + operations.len();
        let order = depth_first(sources.len(), operations, outputs);
        let mut defined = vec![0u32; values];
        let mut last_use = vec![0u32; sources.len()];
        for (position, &operation) in order.iter().enumerate() {
            defined[sources.len() + operation as usize] = position as u32;
            for &input in operations[operation as usize].inputs() {
                if (input as usize) < sources.len() {
                    last_use[input as usize] = position as u32;
                }
            }
        }
        // An output that overwrites a source waits for the source's last use.
        let mut overwritten = rustc_hash::FxHashMap::default();
        for (source, place) in sources.iter().enumerate().filter(|(_, place)| place.area == Area::Block) {
            overwritten.insert(*place, last_use[source]);
        }
        let mut stores: Vec<(u32, Value, Place)> = outputs
            .iter()
            .map(|&(value, place)| {
                let free = overwritten.get(&place).copied().unwrap_or(0);
                (defined[value as usize].max(free), value, place)
            })
            .collect();
        stores.sort_by_key(|store| store.0);
        let mut stores = stores.into_iter().peekable();
        let mut steps = Vec::with_capacity(order.len() + outputs.len());
        for (position, &operation) in order.iter().enumerate() {
            let output = sources.len() as u32 + operation;
            steps.push(Step::Logic { output, logic: operations[operation as usize] });
            while let Some((_, value, place)) = stores.next_if(|store| store.0 == position as u32) {
                steps.push(Step::Store { value, place });
            }
        }
        Self { sources, steps, values }
    }

    /// How many operations there are, copies and constants not counted.
    pub(crate) fn operation_count(&self) -> usize {
        let counts = |step: &&Step| matches!(step, Step::Logic { logic, .. } if logic.arity > 0 && logic.table != table::COPY);
        self.steps.iter().filter(counts).count()
    }

    /// The number of slots touched in an area.
    pub(crate) fn extent(&self, area: Area) -> u32 {
        let stores = self.steps.iter().filter_map(|step| match step {
            Step::Store { place, .. } => Some(place),
            Step::Logic { .. } => None,
        });
        let touched = self.sources.iter().chain(stores).filter(|place| place.area == area);
        touched.map(|place| place.slot + 1).max().unwrap_or(0)
    }
}

/// The operations in depth-first order from the outputs: what is computed is soon used.
fn depth_first(sources: usize, operations: &[Logic], outputs: &[(Value, Place)]) -> Vec<u32> {
    let mut order = Vec::with_capacity(operations.len());
    let mut done = vec![false; operations.len()];
    let mut stack: Vec<(u32, u8)> = Vec::new();
    for &(value, _) in outputs {
        let root = value - sources as u32;
        if done[root as usize] {
            continue;
        }
        stack.push((root, 0));
        while let Some(top) = stack.last_mut() {
            let (operation, next) = *top;
            let inputs = operations[operation as usize].inputs();
            if done[operation as usize] {
                stack.pop();
            } else if let Some(&input) = inputs.get(next as usize) {
                top.1 += 1;
                if input as usize >= sources && !done[input as usize - sources] {
                    stack.push((input - sources as u32, 0));
                }
            } else {
                done[operation as usize] = true;
                order.push(operation);
                stack.pop();
            }
        }
    }
    order
}

//! When the values of a program are used.

use crate::program::{Program, Step, Value};

/// There is no further use.
pub(super) const NEVER: u32 = u32::MAX;

/// For each value the steps that use it, and which of them are still to come.
pub(super) struct Uses {
    /// The uses of value `v` are `steps[cursor[v]..end[v]]`, ascending.
    steps: Vec<u32>,
    cursor: Vec<u32>,
    end: Vec<u32>,
}

impl Uses {
    pub(super) fn new(program: &Program) -> Self {
        let mut end = vec![0u32; program.values + 1];
        let inputs = |step: &Step| match step {
            Step::Logic { logic, .. } => (logic.inputs, logic.arity as usize),
            Step::Store { value, .. } => ([*value, 0, 0], 1),
        };
        for step in &program.steps {
            let (values, count) = inputs(step);
            values[..count].iter().for_each(|&value| end[value as usize + 1] += 1);
        }
        for value in 0..program.values {
            end[value + 1] += end[value];
        }
        let cursor: Vec<u32> = end[..program.values].to_vec();
        let mut fill = cursor.clone();
        let mut steps = vec![0; end[program.values] as usize];
        for (position, step) in program.steps.iter().enumerate() {
            let (values, count) = inputs(step);
            for &value in &values[..count] {
                steps[fill[value as usize] as usize] = position as u32;
                fill[value as usize] += 1;
            }
        }
        Self { steps, cursor, end: fill }
    }

    /// The step that uses a value next.
    pub(super) fn next(&self, value: Value) -> u32 {
        let (cursor, end) = (self.cursor[value as usize], self.end[value as usize]);
        if cursor < end { self.steps[cursor as usize] } else { NEVER }
    }

    /// Moves past the uses at a step.
    pub(super) fn consume(&mut self, position: u32, values: &[Value]) {
        for &value in values {
            while self.next(value) == position {
                self.cursor[value as usize] += 1;
            }
        }
    }
}

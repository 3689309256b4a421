//! The portable way to run a program, and the oracle of the compiler.

use super::network::Area;
use super::schedule::{Program, Step, Value};
use super::table;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum Operation {
    False,
    True,
    Copy,
    Not,
    And,
    /// Left without right.
    Without,
    Or,
    Xor,
    /// Reads random word `left`.
    Draw,
    /// Writes event word `output`.
    Report,
}

/// One operation on slots of the block.
#[derive(Clone, Copy, Debug)]
struct Instruction {
    operation: Operation,
    output: u32,
    left: u32,
    right: u32,
}

/// A program of operations with two inputs, its values in slots of the block.
#[derive(Clone, Debug)]
pub(crate) struct Interpreted {
    instructions: Vec<Instruction>,
    /// Slots of the block in use, scratch included.
    pub(crate) block_slots: u32,
}

impl Interpreted {
    /// Prepares a program; `scratch` is the first slot of the block that is free for its use.
    pub(crate) fn new(program: &Program, scratch: u32) -> Self {
        let mut remaining = vec![0u32; program.values];
        for step in &program.steps {
            match step {
                Step::Logic { logic, .. } => {
                    logic.inputs().iter().for_each(|&input| remaining[input as usize] += 1);
                }
                Step::Store { value, .. } => remaining[*value as usize] += 1,
            }
        }
        const NOWHERE: u32 = u32::MAX;
        let mut slots = vec![NOWHERE; program.values];
        for (source, place) in program.sources.iter().enumerate() {
            if place.area == Area::Block {
                slots[source] = place.slot;
            }
        }
        let mut prepared = Self {
            instructions: Vec::with_capacity(program.steps.len()),
            block_slots: scratch.max(program.extent(Area::Block)),
        };
        let mut free: Vec<u32> = Vec::new();
        let mut take = |free: &mut Vec<u32>| {
            free.pop().unwrap_or_else(|| {
                prepared.block_slots += 1;
                prepared.block_slots - 1
            })
        };
        let mut instructions = Vec::with_capacity(program.steps.len());
        let is_scratch =
            |value: Value| program.sources.get(value as usize).is_none_or(|place| place.area != Area::Block);
        for step in &program.steps {
            let (inputs, output) = match step {
                Step::Logic { logic, output } => (logic.inputs(), Some(*output)),
                Step::Store { value, .. } => (std::slice::from_ref(value), None),
            };
            for &input in inputs {
                if slots[input as usize] == NOWHERE {
                    let slot = take(&mut free);
                    slots[input as usize] = slot;
                    let word = program.sources[input as usize].slot;
                    let operation = Operation::Draw;
                    instructions.push(Instruction { operation, output: slot, left: word, right: 0 });
                }
            }
            let slot = |index: usize| inputs.get(index).map_or(0, |&input| slots[input as usize]);
            let (left, right) = (slot(0), slot(1));
            for &input in inputs {
                remaining[input as usize] -= 1;
                if remaining[input as usize] == 0 && is_scratch(input) {
                    free.push(slots[input as usize]);
                }
            }
            let instruction = match step {
                Step::Logic { logic, .. } => {
                    let (operation, left, right) = match logic.table {
                        table::FALSE => (Operation::False, left, right),
                        table::TRUE => (Operation::True, left, right),
                        table::COPY => (Operation::Copy, left, right),
                        table::NOT => (Operation::Not, left, right),
                        table::AND => (Operation::And, left, right),
                        table::WITHOUT => (Operation::Without, left, right),
                        table::LACKING => (Operation::Without, right, left),
                        table::OR => (Operation::Or, left, right),
                        table::XOR => (Operation::Xor, left, right),
                        other => unreachable!("table {other:02x} is not among those of two inputs"),
                    };
                    let slot = take(&mut free);
                    slots[output.unwrap_or(0) as usize] = slot;
                    Instruction { operation, output: slot, left, right }
                }
                Step::Store { place, .. } => {
                    let operation =
                        if place.area == Area::Events { Operation::Report } else { Operation::Copy };
                    Instruction { operation, output: place.slot, left, right }
                }
            };
            instructions.push(instruction);
        }
        prepared.instructions = instructions;
        prepared
    }

    /// Runs it once with few words a slot: without branches, because with so little work per
    /// instruction the time goes into guessing the next operation wrong.
    pub(crate) fn run_narrow<const N: usize>(&self, block: &mut [u64], random: &[u64], events: &mut [u64]) {
        let block = block.as_chunks_mut::<N>().0;
        let random = random.as_chunks::<N>().0;
        let events = events.as_chunks_mut::<N>().0;
        for instruction in &self.instructions {
            let output = instruction.output as usize;
            let left = instruction.left as usize;
            match instruction.operation {
                Operation::Draw => block[output] = random[left],
                Operation::Report => events[output] = block[left],
                operation => {
                    let [both, first, second, constant] = NORMAL_FORMS[operation as usize];
                    let form = |a: u64, b: u64| (a & b & both) ^ (a & first) ^ (b & second) ^ constant;
                    block[output] = join(&block[left], &block[instruction.right as usize], form);
                }
            }
        }
    }

    /// Runs it once with `N` words a slot.
    pub(crate) fn run<const N: usize>(&self, block: &mut [u64], random: &[u64], events: &mut [u64]) {
        let block = block.as_chunks_mut::<N>().0;
        let random = random.as_chunks::<N>().0;
        let events = events.as_chunks_mut::<N>().0;
        for instruction in &self.instructions {
            let output = instruction.output as usize;
            let left = instruction.left as usize;
            let right = instruction.right as usize;
            match instruction.operation {
                Operation::And => block[output] = join(&block[left], &block[right], |a, b| a & b),
                Operation::Without => block[output] = join(&block[left], &block[right], |a, b| a & !b),
                Operation::Or => block[output] = join(&block[left], &block[right], |a, b| a | b),
                Operation::Xor => block[output] = join(&block[left], &block[right], |a, b| a ^ b),
                Operation::Copy => block[output] = block[left],
                Operation::Not => block[output] = block[left].map(|word| !word),
                Operation::False => block[output] = [0; N],
                Operation::True => block[output] = [u64::MAX; N],
                Operation::Draw => block[output] = random[left],
                Operation::Report => events[output] = block[left],
            }
        }
    }
}

/// Every operation as `(a and b and m) xor (a and n) xor (b and o) xor p`, in the order of
/// [`Operation`].
const NORMAL_FORMS: [[u64; 4]; 8] = {
    const ALL: u64 = u64::MAX;
    [
        [0, 0, 0, 0],
        [0, 0, 0, ALL],
        [0, ALL, 0, 0],
        [0, ALL, 0, ALL],
        [ALL, 0, 0, 0],
        [ALL, ALL, 0, 0],
        [ALL, ALL, ALL, 0],
        [0, ALL, ALL, 0],
    ]
};

#[inline(always)]
fn join<const N: usize>(left: &[u64; N], right: &[u64; N], operation: impl Fn(u64, u64) -> u64) -> [u64; N] {
    std::array::from_fn(|index| operation(left[index], right[index]))
}

//! From programs to instructions: which value is in which register, and when.
//!
//! Registers are given up as Belady would: the value whose next use is farthest leaves first.
//! Values that are in memory anyway (sources, values stored before) leave without a store.

use super::instruction::{Instruction, Operand, Pair, Register};
use super::uses::{NEVER, Uses};
use crate::program::{Area, Logic, Place, Program, Step, Value, table};

/// What the target offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Resources {
    /// The number of vector registers.
    pub(crate) registers: u8,
    /// Whether there is an instruction for any function of three operands.
    pub(crate) triples: bool,
}

/// The instructions of a program, and the slots of the block they use.
#[derive(Clone, Debug)]
pub(crate) struct Allocation {
    pub(crate) instructions: Vec<Instruction>,
    /// Where each segment ends, in instructions. Nothing is in a register between two segments.
    pub(crate) segments: Vec<usize>,
    /// The first slot of the block that holds values of the program and nothing else.
    pub(crate) scratch: u32,
    pub(crate) block_slots: u32,
}

/// A value of a program was wanted and was nowhere: the program or the allocator is at fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum AllocateError {
    #[error("value {0} is neither in a register nor in memory")]
    Lost(Value),
    #[error("no register is left for value {0}")]
    NoRegister(Value),
    #[error("no instruction has the operands of value {0}")]
    NoInstruction(Value),
}

const NO_REGISTER: u8 = u8::MAX;
/// A value used again within so many steps is worth a register; others stay in memory.
const SOON: u32 = 60;

/// Assigns registers; `scratch` is the first slot of the block that is free for use. A segment ends
/// after about `segment_length` instructions.
pub(crate) fn allocate(
    program: &Program,
    resources: Resources,
    scratch: u32,
    segment_length: usize,
) -> Result<Allocation, AllocateError> {
    let mut allocator = Allocator::new(program, resources, scratch);
    let scratch = allocator.block_slots;
    let mut segments = Vec::new();
    for (position, step) in program.steps.iter().enumerate() {
        if allocator.instructions.len() - segments.last().unwrap_or(&0) >= segment_length {
            allocator.empty_registers();
            segments.push(allocator.instructions.len());
        }
        match step {
            Step::Logic { output, logic } => allocator.compute(position as u32, *output, logic)?,
            Step::Store { value, place } => allocator.store(position as u32, *value, *place)?,
        }
    }
    segments.push(allocator.instructions.len());
    let Allocator { instructions, block_slots, .. } = allocator;
    Ok(Allocation { instructions, segments, scratch, block_slots })
}

struct Allocator {
    resources: Resources,
    instructions: Vec<Instruction>,
    block_slots: u32,
    free_slots: Vec<u32>,
    /// What each register holds.
    holds: Vec<Option<Value>>,
    /// Where each value is: in a register, in memory, or both.
    register: Vec<Register>,
    memory: Vec<Option<Place>>,
    is_scratch: Vec<bool>,
    uses: Uses,
    /// The register of ones, once there is a use for it.
    ones: Option<Register>,
}

impl Allocator {
    fn new(program: &Program, resources: Resources, scratch: u32) -> Self {
        let mut memory = vec![None; program.values];
        memory.iter_mut().zip(&program.sources).for_each(|(memory, &place)| *memory = Some(place));
        let inverts = |step: &Step| matches!(step, Step::Logic { logic, .. } if logic.table == table::NOT);
        let needs_ones = !resources.triples && program.steps.iter().any(inverts);
        let registers = resources.registers - u8::from(needs_ones);
        let mut allocator = Self {
            resources,
            instructions: Vec::with_capacity(program.steps.len() * 2),
            block_slots: scratch.max(program.extent(Area::Block)),
            free_slots: Vec::new(),
            holds: vec![None; registers as usize],
            register: vec![NO_REGISTER; program.values],
            memory,
            is_scratch: vec![false; program.values],
            uses: Uses::new(program),
            ones: None,
        };
        if needs_ones {
            allocator.ones = Some(registers);
            allocator.instructions.push(Instruction::Ones { to: registers });
        }
        allocator
    }

    fn next_use(&self, value: Value) -> u32 {
        self.uses.next(value)
    }

    /// A register for a value that holds nothing and is not in `pinned` (a bit set).
    fn take_register(&mut self, wanted: Value, pinned: u32) -> Result<Register, AllocateError> {
        let (mut choice, mut worth) = (None, 0);
        for (register, held) in self.holds.iter().enumerate() {
            if pinned >> register & 1 != 0 {
                continue;
            }
            let Some(value) = *held else { return Ok(register as Register) };
            // Farthest first; at equal distance, one that needs no store.
            let key = u64::from(self.next_use(value)) * 2 + u64::from(self.memory[value as usize].is_some());
            if key >= worth {
                (choice, worth) = (Some(register as Register), key);
            }
        }
        let choice = choice.ok_or(AllocateError::NoRegister(wanted))?;
        self.spill(choice);
        Ok(choice)
    }

    fn spill(&mut self, register: Register) {
        let Some(value) = self.holds[register as usize].take() else { return };
        self.register[value as usize] = NO_REGISTER;
        if self.next_use(value) != NEVER && self.memory[value as usize].is_none() {
            let slot = self.free_slots.pop().unwrap_or_else(|| {
                self.block_slots += 1;
                self.block_slots - 1
            });
            let place = Place::block(slot);
            self.memory[value as usize] = Some(place);
            self.is_scratch[value as usize] = true;
            self.instructions.push(Instruction::Store { from: register, to: place });
        }
    }

    /// Leaves all values in memory.
    fn empty_registers(&mut self) {
        (0..self.holds.len()).for_each(|register| self.spill(register as Register));
    }

    fn hold(&mut self, register: Register, value: Value) {
        self.holds[register as usize] = Some(value);
        self.register[value as usize] = register;
    }

    fn place(&self, value: Value) -> Result<Place, AllocateError> {
        self.memory[value as usize].ok_or(AllocateError::Lost(value))
    }

    fn load(&mut self, value: Value, pinned: u32) -> Result<Register, AllocateError> {
        let from = self.place(value)?;
        let to = self.take_register(value, pinned)?;
        self.instructions.push(Instruction::Load { to, from });
        self.hold(to, value);
        Ok(to)
    }

    /// Frees the register of a value that is not used any more. Its slot is freed only after the
    /// instruction that reads it, or a spill before that instruction could overwrite it.
    fn release_register(&mut self, value: Value) {
        let register = self.register[value as usize];
        if self.next_use(value) == NEVER && register != NO_REGISTER {
            self.holds[register as usize] = None;
            self.register[value as usize] = NO_REGISTER;
        }
    }

    fn release(&mut self, value: Value) {
        self.release_register(value);
        if self.next_use(value) == NEVER
            && self.is_scratch[value as usize]
            && let Some(place) = self.memory[value as usize].take()
        {
            self.free_slots.push(place.slot);
        }
    }

    fn store(&mut self, position: u32, value: Value, place: Place) -> Result<(), AllocateError> {
        let mut register = self.register[value as usize];
        if register == NO_REGISTER {
            register = self.load(value, 0)?;
        }
        self.instructions.push(Instruction::Store { from: register, to: place });
        self.uses.consume(position, &[value]);
        self.release(value);
        Ok(())
    }

    /// Brings the inputs into registers, all but at most one that may stay in memory.
    fn fetch(
        &mut self,
        inputs: &[Value],
        may_stay: impl Fn(usize) -> bool,
    ) -> Result<([Operand; 3], u32), AllocateError> {
        let mut operands = [Operand::Register(0); 3];
        let mut pinned = 0u32;
        for &input in inputs {
            let register = self.register[input as usize];
            if register != NO_REGISTER {
                pinned |= 1 << register;
            }
        }
        let mut stays: Option<usize> = None;
        for (index, &input) in inputs.iter().enumerate() {
            let next = self.next_use(input);
            let absent = self.register[input as usize] == NO_REGISTER;
            let far = stays.is_none_or(|other| next > self.next_use(inputs[other]));
            if absent && may_stay(index) && far && !inputs[..index].contains(&input) {
                stays = Some(index);
            }
        }
        for (index, &input) in inputs.iter().enumerate() {
            if stays == Some(index) {
                operands[index] = Operand::Memory(self.place(input)?);
                continue;
            }
            let mut register = self.register[input as usize];
            if register == NO_REGISTER {
                register = self.load(input, pinned)?;
                pinned |= 1 << register;
            }
            operands[index] = Operand::Register(register);
        }
        Ok((operands, pinned))
    }

    fn compute(&mut self, position: u32, output: Value, logic: &Logic) -> Result<(), AllocateError> {
        let inputs = logic.inputs();
        self.uses.consume(position, inputs);
        let rarely: [bool; 3] = std::array::from_fn(|index| {
            inputs.get(index).is_some_and(|&input| {
                let next = self.next_use(input);
                next == NEVER || next > position + SOON
            })
        });
        let to = match (logic.arity, logic.table) {
            (0, _) => self.constant(output, logic.table == table::TRUE)?,
            (1, _) => self.unary(output, inputs[0], logic.table == table::NOT)?,
            (2, _) => match pair_of(logic.table) {
                Some((operation, swapped)) => self.pair(output, operation, swapped, inputs, rarely)?,
                None => self.triple(output, logic.table, inputs, rarely)?,
            },
            _ => self.triple(output, logic.table, inputs, rarely)?,
        };
        inputs.iter().for_each(|&input| self.release(input));
        self.hold(to, output);
        Ok(())
    }

    fn constant(&mut self, output: Value, value: bool) -> Result<Register, AllocateError> {
        let to = self.take_register(output, 0)?;
        self.instructions.push(if value {
            Instruction::Ones { to }
        } else {
            Instruction::Pair { operation: Pair::Xor, to, left: to, right: Operand::Register(to) }
        });
        Ok(to)
    }

    fn unary(&mut self, output: Value, input: Value, inverts: bool) -> Result<Register, AllocateError> {
        if !inverts && self.register[input as usize] == NO_REGISTER {
            let from = self.place(input)?;
            let to = self.take_register(output, 0)?;
            self.instructions.push(Instruction::Load { to, from });
            return Ok(to);
        }
        let (operands, pinned) = self.fetch(&[input], |_| true)?;
        self.release_register(input);
        let to = self.take_register(output, if self.next_use(input) == NEVER { 0 } else { pinned })?;
        self.instructions.push(match (operands[0], inverts, self.ones) {
            (Operand::Register(from), false, _) => Instruction::Move { to, from },
            (right, true, Some(left)) => Instruction::Pair { operation: Pair::Xor, to, left, right },
            // Inverts C, whatever A and B are.
            (third, _, _) => Instruction::Triple { table: 0x55, to, second: to, third },
        });
        Ok(to)
    }

    fn pair(
        &mut self,
        output: Value,
        operation: Pair,
        swapped: bool,
        inputs: &[Value],
        rarely: [bool; 3],
    ) -> Result<Register, AllocateError> {
        let ordered = if swapped { [inputs[1], inputs[0]] } else { [inputs[0], inputs[1]] };
        let rarely = if swapped { [rarely[1], rarely[0]] } else { [rarely[0], rarely[1]] };
        let commutes = operation != Pair::AndNot;
        let (mut operands, _) = self.fetch(&ordered, |index| rarely[index] && (commutes || index == 1))?;
        if matches!(operands[0], Operand::Memory(_)) {
            operands.swap(0, 1);
        }
        // The result may overwrite an operand that dies here, but no other.
        ordered.iter().for_each(|&input| self.release_register(input));
        let mut pinned = 0;
        for operand in &operands[..2] {
            if let Operand::Register(register) = operand
                && self.holds[*register as usize].is_some()
            {
                pinned |= 1 << register;
            }
        }
        let to = self.take_register_keeping(output, pinned, &operands[..2])?;
        let left = register(operands[0]).ok_or(AllocateError::NoInstruction(output))?;
        self.instructions.push(Instruction::Pair { operation, to, left, right: operands[1] });
        Ok(to)
    }

    /// A register for a result whose operands have been released already: spilling must not
    /// touch the operands, and operands that died come first.
    fn take_register_keeping(
        &mut self,
        output: Value,
        pinned: u32,
        operands: &[Operand],
    ) -> Result<Register, AllocateError> {
        for operand in operands {
            if let Operand::Register(register) = *operand
                && self.holds[register as usize].is_none()
            {
                return Ok(register);
            }
        }
        self.take_register(output, pinned)
    }

    fn triple(
        &mut self,
        output: Value,
        table: u8,
        inputs: &[Value],
        rarely: [bool; 3],
    ) -> Result<Register, AllocateError> {
        if !self.resources.triples {
            return Err(AllocateError::NoInstruction(output));
        }
        let (operands, pinned) = self.fetch(inputs, |index| rarely[index])?;
        // First: an operand that dies in its register, as it is overwritten; last: one in memory.
        let mut order = [0, 1, 2];
        let count = inputs.len();
        order[..count].sort_by_key(|&index| match operands[index] {
            Operand::Memory(_) => 2,
            Operand::Register(_) => i32::from(self.next_use(inputs[index]) != NEVER),
        });
        let register = |operand: Operand| register(operand).ok_or(AllocateError::NoInstruction(output));
        let first = register(operands[order[0]])?;
        let dies = self.next_use(inputs[order[0]]) == NEVER;
        let to = if dies {
            first
        } else {
            let to = self.take_register(output, pinned)?;
            self.instructions.push(Instruction::Move { to, from: first });
            to
        };
        // With two inputs, the second stands for the unused third as well.
        let (second, third) = if count == 3 {
            (register(operands[order[1]])?, operands[order[2]])
        } else {
            (to, operands[order[1]])
        };
        let places = if count == 3 { order } else { [order[0], 2, order[1]] };
        self.instructions.push(Instruction::Triple { table: permute(table, places), to, second, third });
        Ok(to)
    }
}

fn register(operand: Operand) -> Option<Register> {
    match operand {
        Operand::Register(register) => Some(register),
        Operand::Memory(_) => None,
    }
}

/// The table after input `places[i]` has become input `i`.
fn permute(table: u8, places: [usize; 3]) -> u8 {
    (0..8usize).fold(0, |permuted, index| {
        let old = (0..3).fold(0, |old, new| old | (index >> (2 - new) & 1) << (2 - places[new]));
        permuted | (table >> old & 1) << index
    })
}

/// The instruction of a table of two inputs, and whether the inputs trade places.
fn pair_of(of: u8) -> Option<(Pair, bool)> {
    match of {
        table::AND => Some((Pair::And, false)),
        table::LACKING => Some((Pair::AndNot, false)),
        table::WITHOUT => Some((Pair::AndNot, true)),
        table::OR => Some((Pair::Or, false)),
        table::XOR => Some((Pair::Xor, false)),
        _ => None,
    }
}

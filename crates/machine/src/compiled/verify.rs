//! The last look at instructions before they become bytes that are run.
//!
//! Machine code is the one thing here that no bound checks at run time. So whatever an instruction names
//! is compared with what there is, once, in every build: registers with those of the target, places with
//! the [`Extents`]. What is read must have been written before: a register within the segment, a scratch
//! slot within the sweep.

use super::allocate::{Allocation, Resources};
use super::instruction::{Instruction, Operand, Pair, Register};
use super::memory::Extents;
use crate::program::{Area, Place};

/// Why instructions are not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Flaw {
    #[error("instruction {instruction} names register {register}, of which there is none")]
    NoRegister { instruction: usize, register: Register },
    #[error("instruction {instruction} reads register {register}, to which nothing was written")]
    EmptyRegister { instruction: usize, register: Register },
    #[error(
        "instruction {instruction} overwrites register {register}, which was read from an earlier segment"
    )]
    SharedRegister { instruction: usize, register: Register },
    #[error("instruction {instruction} names {place:?}, beyond the end of the area")]
    OutOfBounds { instruction: usize, place: Place },
    #[error("instruction {instruction} reads what is written only, or writes what is read only: {place:?}")]
    WrongWay { instruction: usize, place: Place },
    #[error("instruction {instruction} reads {place:?}, to which nothing was written")]
    EmptySlot { instruction: usize, place: Place },
    #[error("instruction {instruction} has three operands, which the target does not")]
    NoTriples { instruction: usize },
    #[error("the segments do not cover the instructions")]
    Segments,
}

/// Looks at all instructions of an allocation.
pub(super) fn verify(allocation: &Allocation, resources: Resources, extents: &Extents) -> Result<(), Flaw> {
    let Allocation { instructions, segments, scratch, block_slots } = allocation;
    let ascending = segments.is_sorted() && segments.last() == Some(&instructions.len());
    if !ascending || *block_slots as usize > extents.block_slots {
        return Err(Flaw::Segments);
    }
    let mut verifier = Verifier {
        resources,
        extents,
        scratch: *scratch,
        written: vec![false; block_slots.saturating_sub(*scratch) as usize],
        full: 0,
        ones: 0,
        carried: 0,
        relied: 0,
        instruction: 0,
    };
    let mut begin = 0;
    for &end in segments {
        verifier.begin_segment();
        for instruction in &instructions[begin..end] {
            verifier.look(instruction)?;
            verifier.instruction += 1;
        }
        begin = end;
    }
    Ok(())
}

struct Verifier<'a> {
    resources: Resources,
    extents: &'a Extents,
    /// The first slot of the block that is the program's own.
    scratch: u32,
    /// Which of its own slots have been written.
    written: Vec<bool>,
    /// The registers that were written in this segment, one bit each.
    full: u64,
    /// The registers that hold nothing but ones, whatever the vector.
    ones: u64,
    /// Those that did when the segment began, and those of them that were read since.
    carried: u64,
    relied: u64,
    /// The number of the instruction that is looked at.
    instruction: usize,
}

impl Verifier<'_> {
    /// A segment is run for one vector after the other: no values pass from segment to segment in
    /// registers, only constants.
    fn begin_segment(&mut self) {
        (self.full, self.relied, self.carried) = (0, 0, self.ones);
    }

    fn look(&mut self, instruction: &Instruction) -> Result<(), Flaw> {
        match *instruction {
            Instruction::Load { to, from } => {
                self.read_place(from)?;
                self.write(to)
            }
            Instruction::Store { from, to } => {
                self.read(from)?;
                self.write_place(to)
            }
            Instruction::Move { to, from } => {
                self.read(from)?;
                self.write(to)
            }
            Instruction::Ones { to } => {
                let bit = self.bit(to)?;
                self.full |= bit;
                self.ones |= bit;
                Ok(())
            }
            // What it was does not matter: the result is zero.
            Instruction::Pair { operation: Pair::Xor, to, left, right: Operand::Register(right) }
                if left == right =>
            {
                self.bit(left)?;
                self.write(to)
            }
            Instruction::Pair { to, left, right, .. } => {
                self.read(left)?;
                self.read_operand(right)?;
                self.write(to)
            }
            Instruction::Triple { table, to, second, third } => {
                if !self.resources.triples {
                    return Err(Flaw::NoTriples { instruction: self.instruction });
                }
                // Operands that the table does not ask for may hold anything.
                self.bit(second)?;
                if table >> 4 != table & 0x0f {
                    self.read(to)?;
                }
                if table >> 2 & 0x33 != table & 0x33 {
                    self.read(second)?;
                }
                match third {
                    Operand::Register(third) if table >> 1 & 0x55 == table & 0x55 => {
                        self.bit(third)?;
                    }
                    third => self.read_operand(third)?,
                }
                self.write(to)
            }
        }
    }

    fn bit(&self, register: Register) -> Result<u64, Flaw> {
        if register >= self.resources.registers {
            return Err(Flaw::NoRegister { instruction: self.instruction, register });
        }
        Ok(1 << register)
    }

    fn read(&mut self, register: Register) -> Result<(), Flaw> {
        let bit = self.bit(register)?;
        if self.full & bit == 0 {
            if self.carried & bit == 0 {
                return Err(Flaw::EmptyRegister { instruction: self.instruction, register });
            }
            self.relied |= bit;
        }
        Ok(())
    }

    fn write(&mut self, register: Register) -> Result<(), Flaw> {
        let bit = self.bit(register)?;
        if self.relied & bit != 0 {
            // The next vector would find something else there.
            return Err(Flaw::SharedRegister { instruction: self.instruction, register });
        }
        self.full |= bit;
        self.ones &= !bit;
        Ok(())
    }

    fn read_operand(&mut self, operand: Operand) -> Result<(), Flaw> {
        match operand {
            Operand::Register(register) => self.read(register),
            Operand::Memory(place) => self.read_place(place),
        }
    }

    fn read_place(&self, place: Place) -> Result<(), Flaw> {
        let instruction = self.instruction;
        let slots = match place.area {
            Area::Block => self.extents.block_slots,
            Area::Random => self.extents.random_slots,
            Area::Events => return Err(Flaw::WrongWay { instruction, place }),
        };
        if place.slot as usize >= slots {
            return Err(Flaw::OutOfBounds { instruction, place });
        }
        match self.own(place) {
            Some(own) if !self.written[own] => Err(Flaw::EmptySlot { instruction, place }),
            _ => Ok(()),
        }
    }

    fn write_place(&mut self, place: Place) -> Result<(), Flaw> {
        let instruction = self.instruction;
        let slots = match place.area {
            Area::Block => self.extents.block_slots,
            Area::Events => self.extents.event_slots,
            Area::Random => return Err(Flaw::WrongWay { instruction, place }),
        };
        if place.slot as usize >= slots {
            return Err(Flaw::OutOfBounds { instruction, place });
        }
        if let Some(own) = self.own(place) {
            self.written[own] = true;
        }
        Ok(())
    }

    /// Which of the program's own slots a place is.
    fn own(&self, place: Place) -> Option<usize> {
        let own = place.slot.checked_sub(self.scratch).filter(|_| place.area == Area::Block)? as usize;
        (own < self.written.len()).then_some(own)
    }
}

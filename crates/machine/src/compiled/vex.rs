//! Instructions as bytes for AVX2: 16 registers of 128 or 256 bits.

use super::instruction::{Instruction, Operand, Pair, Register};
use super::machine_code::{Addressing, Encoder};

/// Writes VEX-encoded instructions.
pub(super) struct Vex {
    /// 0 for 128 bits, 1 for 256.
    pub(super) length: u8,
    pub(super) addressing: Addressing,
}

/// The mandatory prefix of an instruction, as VEX has it.
const PREFIX_66: u8 = 1;
const PREFIX_F3: u8 = 2;

impl Encoder for Vex {
    fn encode(&self, code: &mut Vec<u8>, instruction: &Instruction) {
        match *instruction {
            Instruction::Load { to, from } => {
                self.emit(code, PREFIX_F3, 0x6f, to, 0, Operand::Memory(from));
            }
            Instruction::Store { from, to } => {
                self.emit(code, PREFIX_F3, 0x7f, from, 0, Operand::Memory(to));
            }
            Instruction::Move { to, from } => {
                self.emit(code, PREFIX_66, 0x6f, to, 0, Operand::Register(from));
            }
            Instruction::Ones { to } => self.emit(code, PREFIX_66, 0x76, to, to, Operand::Register(to)),
            Instruction::Pair { operation, to, left, right } => {
                let opcode = opcode(operation);
                // A low register last saves a byte.
                match right {
                    Operand::Register(right) if operation != Pair::AndNot && right >= 8 && left < 8 => {
                        self.emit(code, PREFIX_66, opcode, to, right, Operand::Register(left));
                    }
                    _ => self.emit(code, PREFIX_66, opcode, to, left, right),
                }
            }
            Instruction::Triple { .. } => unreachable!("AVX2 has no functions of three operands"),
        }
    }
}

impl Vex {
    fn emit(
        &self,
        code: &mut Vec<u8>,
        prefix: u8,
        opcode: u8,
        register: Register,
        second: u8,
        last: Operand,
    ) {
        let high = |register: Register| (!register >> 3) & 1;
        let rest = (!second & 15) << 3 | self.length << 2 | prefix;
        match last {
            Operand::Register(last) if last >= 8 => {
                // Three bytes: R, X and B inverted, map 0F.
                code.extend([0xc4, high(register) << 7 | 1 << 6 | high(last) << 5 | 1, rest]);
            }
            _ => code.extend([0xc5, high(register) << 7 | rest]),
        }
        code.push(opcode);
        match last {
            Operand::Register(last) => code.push(0xc0 | (register & 7) << 3 | (last & 7)),
            Operand::Memory(place) => self.addressing.emit(code, register, place, 1),
        }
    }
}

pub(super) fn opcode(operation: Pair) -> u8 {
    match operation {
        Pair::And => 0xdb,
        Pair::AndNot => 0xdf,
        Pair::Or => 0xeb,
        Pair::Xor => 0xef,
    }
}

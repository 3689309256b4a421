//! Instructions as bytes for AVX-512: 32 registers of 128 or 512 bits, functions of three operands.

use super::instruction::{Instruction, Operand, Register};
use super::machine_code::{Addressing, Encoder};
use super::vex::opcode;

/// Writes EVEX-encoded instructions.
pub(super) struct Evex {
    /// 0 for 128 bits, 2 for 512.
    pub(super) length: u8,
    pub(super) addressing: Addressing,
}

const PREFIX_66: u8 = 1;
const PREFIX_F3: u8 = 2;
const MAP_0F: u8 = 1;
const MAP_0F3A: u8 = 3;
const TERNARY_LOGIC: u8 = 0x25;

impl Encoder for Evex {
    fn encode(&self, code: &mut Vec<u8>, instruction: &Instruction) {
        match *instruction {
            Instruction::Load { to, from } => {
                self.emit(code, (PREFIX_F3, MAP_0F, 0x6f), to, 0, Operand::Memory(from));
            }
            Instruction::Store { from, to } => {
                self.emit(code, (PREFIX_F3, MAP_0F, 0x7f), from, 0, Operand::Memory(to));
            }
            Instruction::Move { to, from } => {
                self.emit(code, (PREFIX_66, MAP_0F, 0x6f), to, 0, Operand::Register(from));
            }
            Instruction::Ones { to } => self.ternary(code, 0xff, to, to, Operand::Register(to)),
            Instruction::Pair { operation, to, left, right } => {
                self.emit(code, (PREFIX_66, MAP_0F, opcode(operation)), to, left, right);
            }
            Instruction::Triple { table, to, second, third } => self.ternary(code, table, to, second, third),
        }
    }
}

impl Evex {
    fn ternary(&self, code: &mut Vec<u8>, table: u8, to: Register, second: Register, third: Operand) {
        self.emit(code, (PREFIX_66, MAP_0F3A, TERNARY_LOGIC), to, second, third);
        code.push(table);
    }

    /// `kind` is prefix, map and opcode.
    fn emit(&self, code: &mut Vec<u8>, kind: (u8, u8, u8), register: Register, second: u8, last: Operand) {
        let (prefix, map, opcode) = kind;
        let inverted = |register: Register, bit: u8| (!register >> bit) & 1;
        let (x, b) = match last {
            Operand::Register(last) => (inverted(last, 4), inverted(last, 3)),
            Operand::Memory(_) => (1, 1),
        };
        const WIDE: u8 = 1 << 7; // 64-bit elements: without masks it makes no difference.
        code.extend([
            0x62,
            inverted(register, 3) << 7 | x << 6 | b << 5 | inverted(register, 4) << 4 | map,
            WIDE | (!second & 15) << 3 | 1 << 2 | prefix,
            self.length << 5 | inverted(second, 4) << 3,
            opcode,
        ]);
        match last {
            Operand::Register(last) => code.push(0xc0 | (register & 7) << 3 | (last & 7)),
            Operand::Memory(place) => self.addressing.emit(code, register, place, 16 << self.length),
        }
    }
}

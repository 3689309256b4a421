//! Straight-line bitwise programs: what all fast machines run.
//!
//! A [`Network`] says which gates are wanted, where their inputs are read and where their outputs
//! are written. Mapping turns it into a [`Program`] of operations with two inputs (portable and
//! AVX2) or three (AVX-512); the interpreter runs a program on any machine, the compiler turns it
//! into machine code.

mod import;
mod interpret;
mod network;
mod schedule;
mod three;
mod two;

pub(crate) use import::import;
pub(crate) use interpret::Interpreted;
pub(crate) use network::{Area, Network, Place, Rows};
pub(crate) use schedule::{Logic, Program, Step, Value};
pub(crate) use three::map_three;
pub(crate) use two::map_two;

/// The truth table of an operation on inputs A, B and C: bit `4A + 2B + C`, as AVX-512 has it.
pub(crate) mod table {
    pub(crate) const FALSE: u8 = 0x00;
    pub(crate) const TRUE: u8 = 0xff;
    pub(crate) const COPY: u8 = 0xf0;
    pub(crate) const NOT: u8 = 0x0f;
    pub(crate) const AND: u8 = 0xc0;
    /// A without B.
    pub(crate) const WITHOUT: u8 = 0x30;
    /// B without A.
    pub(crate) const LACKING: u8 = 0x0c;
    pub(crate) const OR: u8 = 0xfc;
    pub(crate) const XOR: u8 = 0x3c;
}

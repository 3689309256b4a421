//! Vector instructions as the compiler sees them, before they become bytes.

use crate::program::Place;

/// A vector register.
pub(crate) type Register = u8;

/// Where an instruction finds its last operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operand {
    Register(Register),
    Memory(Place),
}

/// An operation on two operands that every vector unit has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pair {
    And,
    /// Right without left.
    AndNot,
    Or,
    Xor,
}

/// One instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Instruction {
    Load {
        to: Register,
        from: Place,
    },
    Store {
        from: Register,
        to: Place,
    },
    Move {
        to: Register,
        from: Register,
    },
    Ones {
        to: Register,
    },
    Pair {
        operation: Pair,
        to: Register,
        left: Register,
        right: Operand,
    },
    /// Any function of three operands, the first of which is overwritten (AVX-512 only).
    Triple {
        table: u8,
        to: Register,
        second: Register,
        third: Operand,
    },
}

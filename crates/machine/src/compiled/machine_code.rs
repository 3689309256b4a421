//! The compiler: a network in, machine code out.

use super::Target;
use super::allocate::{AllocateError, Allocation, Resources, allocate};
use super::evex::Evex;
use super::instruction::{Instruction, Register};
use super::memory::{ExecutableCode, Extents};
use super::verify::{Flaw, verify};
use super::vex::Vex;
use crate::program::{Area, Network, Place, Program, Rows, map_three, map_two};

/// About so many instructions are a segment: what they touch should stay in the first cache until
/// they have been run for all vectors. Short in tests, so that small programs have several.
pub(super) const SEGMENT: usize = if cfg!(test) { 50 } else { 500 };

/// A compiled program.
#[derive(Debug)]
pub(super) struct MachineCode {
    pub(super) code: ExecutableCode,
    pub(super) extents: Extents,
    /// The size of the code.
    pub(super) bytes: usize,
    /// The vector instructions of one vector's sweep.
    pub(super) instructions: usize,
    /// The operations it was made of.
    pub(super) operations: usize,
}

/// Why there is no machine code. The interpreter does the work then.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum CompileError {
    #[error("this processor does not have the target, or the target no vectors of that width")]
    Unavailable,
    #[error("the program is too large")]
    TooLarge,
    #[error("the operating system gives no executable memory")]
    Refused,
    #[error(transparent)]
    Allocate(#[from] AllocateError),
    #[error(transparent)]
    Flaw(#[from] Flaw),
}

impl CompileError {
    /// Whether the compiler is at fault, and not the circumstances.
    pub(super) fn is_fault(self) -> bool {
        matches!(self, Self::Allocate(_) | Self::Flaw(_))
    }
}

/// Writes instructions as bytes.
pub(super) trait Encoder {
    fn encode(&self, code: &mut Vec<u8>, instruction: &Instruction);
}

/// How places become addresses.
#[derive(Clone, Copy, Debug)]
pub(super) struct Addressing {
    pub(super) slot_bytes: i32,
}

impl Addressing {
    /// Writes register and address; displacements of one byte count in units of `scale`.
    pub(super) fn emit(&self, code: &mut Vec<u8>, register: Register, place: Place, scale: i32) {
        // The areas come in rdi, rsi and rdx.
        let base = match place.area {
            Area::Block => 7,
            Area::Random => 6,
            Area::Events => 2,
        };
        let displacement = place.slot as i32 * self.slot_bytes;
        let fields = (register & 7) << 3 | base;
        if displacement == 0 {
            code.push(fields);
        } else if displacement % scale == 0 && (-128..128).contains(&(displacement / scale)) {
            code.extend([0x40 | fields, (displacement / scale) as i8 as u8]);
        } else {
            code.push(0x80 | fields);
            code.extend(displacement.to_le_bytes());
        }
    }
}

/// What the instructions of a target may use.
pub(super) fn resources(target: Target) -> Resources {
    match target {
        Target::Avx512 => Resources { registers: 32, triples: true },
        _ => Resources { registers: 16, triples: false },
    }
}

/// The instructions of a network for a target, and the program they came from.
pub(super) fn instructions(
    network: &Network<'_>,
    target: Target,
    scratch: u32,
    segment_length: usize,
) -> Result<(Allocation, Program), AllocateError> {
    let program = if target == Target::Avx512 { map_three(network) } else { map_two(network) };
    Ok((allocate(&program, resources(target), scratch, segment_length)?, program))
}

/// The bytes of a function that runs the instructions again and again. With several vectors a slot,
/// every segment (they end at `segments`) is run for all vectors before the next one is fetched.
pub(super) fn encode(
    instructions: &[Instruction],
    segments: &[usize],
    target: Target,
    words: usize,
    rows: Rows,
) -> Vec<u8> {
    let addressing = Addressing { slot_bytes: words as i32 * 8 };
    let vector_words = vector_words(target, words);
    let encoder: &dyn Encoder = match target {
        Target::Avx512 => &Evex { length: if vector_words == 8 { 2 } else { 0 }, addressing },
        _ => &Vex { length: if vector_words == 4 { 1 } else { 0 }, addressing },
    };
    let has_several = words > vector_words;
    let vector_bytes = vector_words as u8 * 8;
    let mut code = Vec::with_capacity(instructions.len() * 8);
    if has_several {
        // imul r9, r8, vector: how far the areas move on in a segment.
        code.extend([0x4d, 0x6b, 0xc8, vector_bytes]);
    }
    let sweep = code.len();
    let mut begin = 0;
    for &end in segments {
        if has_several {
            code.extend([0x44, 0x89, 0xc0]); // mov eax, r8d
        }
        let segment = code.len();
        instructions[begin..end].iter().for_each(|instruction| encoder.encode(&mut code, instruction));
        if has_several {
            for area in [0xc7, 0xc6, 0xc2] {
                code.extend([0x48, 0x83, area, vector_bytes]); // add rdi, vector; rsi; rdx
            }
            code.extend([0xff, 0xc8]); // dec eax
            jump_back(&mut code, segment);
            for area in [0xcf, 0xce, 0xca] {
                code.extend([0x4c, 0x29, area]); // sub rdi, r9; rsi; rdx
            }
        }
        begin = end;
    }
    // add rsi, row; add rdx, row: on to the next rows of random words and events.
    for (opcode, slots) in [(0xc6, rows.random), (0xc2, rows.events)] {
        if slots > 0 {
            code.extend([0x48, 0x81, opcode]);
            code.extend((slots as i32 * addressing.slot_bytes).to_le_bytes());
        }
    }
    code.extend([0x48, 0xff, 0xc9]); // dec rcx
    jump_back(&mut code, sweep);
    code.extend([0xc5, 0xf8, 0x77, 0xc3]); // vzeroupper; ret
    code
}

/// jnz, to a place before.
fn jump_back(code: &mut Vec<u8>, to: usize) {
    code.extend([0x0f, 0x85]);
    let distance = to as i32 - (code.len() as i32 + 4);
    code.extend(distance.to_le_bytes());
}

/// The words of a vector if a slot has so many.
fn vector_words(target: Target, words: usize) -> usize {
    target.vector_words().min(words)
}

/// Compiles a network.
pub(super) fn compile(
    network: &Network<'_>,
    target: Target,
    words: usize,
    scratch: u32,
) -> Result<MachineCode, CompileError> {
    let vector_words = vector_words(target, words);
    let fits = match target {
        Target::Avx512 => vector_words == 8 || vector_words == 2,
        Target::Avx2 => vector_words == 4 || vector_words == 2,
        Target::Portable => false,
    };
    if !fits || !words.is_multiple_of(vector_words) || !target.is_available() {
        return Err(CompileError::Unavailable);
    }
    let segment = if words > vector_words { SEGMENT } else { usize::MAX };
    let (allocation, program) = instructions(network, target, scratch, segment)?;
    // Displacements are signed 32-bit numbers.
    let largest = allocation.block_slots.max(network.rows.random).max(network.rows.events) as usize;
    i32::try_from(largest * words * 8).map_err(|_| CompileError::TooLarge)?;
    let extents = Extents {
        words,
        vector_words,
        block_slots: allocation.block_slots as usize,
        random_slots: network.rows.random as usize,
        event_slots: network.rows.events as usize,
    };
    verify(&allocation, resources(target), &extents)?;
    let bytes = encode(&allocation.instructions, &allocation.segments, target, words, network.rows);
    let code = ExecutableCode::new(&bytes, extents).ok_or(CompileError::Refused)?;
    Ok(MachineCode {
        code,
        extents,
        bytes: bytes.len(),
        instructions: allocation.instructions.len(),
        operations: program.operation_count(),
    })
}

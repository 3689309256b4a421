//! The bytes of instructions against those of an assembler. The processor need not have them:
//! they are only compared.
#![allow(unsafe_code)] // To look at what the assembler left in the program.

use super::Target;
use super::instruction::{Instruction, Operand, Pair};
use super::machine_code::encode;
use crate::program::{Place, Rows};

/// A function that gives the bytes of assembled text, found between two labels.
macro_rules! assembled {
    ($name:ident, $start:ident, $end:ident, $($line:literal),+ $(,)?) => {
        std::arch::global_asm!(
            concat!(".globl ", stringify!($start)),
            concat!(".globl ", stringify!($end)),
            concat!(stringify!($start), ":"),
            $($line,)+
            concat!(stringify!($end), ":"),
        );
        fn $name() -> &'static [u8] {
            unsafe extern "C" {
                static $start: u8;
                static $end: u8;
            }
            let (start, end) = (&raw const $start, &raw const $end);
            // SAFETY: both labels are in one run of bytes that the assembler wrote.
            unsafe { std::slice::from_raw_parts(start, end.offset_from(start) as usize) }
        }
    };
}

fn pair(operation: Pair, to: u8, left: u8, right: Operand) -> Instruction {
    Instruction::Pair { operation, to, left, right }
}

fn triple(table: u8, to: u8, second: u8, third: Operand) -> Instruction {
    Instruction::Triple { table, to, second, third }
}

use Operand::{Memory, Register};

assembled!(
    avx2_256,
    ludens_test_avx2_256_start,
    ludens_test_avx2_256_end,
    "vmovdqu ymm3, [rdi]",
    "vmovdqu ymm13, [rsi + 96]",
    "vmovdqu ymm9, [rdi + 32000]",
    "vmovdqu [rdx + 64], ymm15",
    "vmovdqu [rdi + 160], ymm1",
    ".byte 0xc4, 0xc1, 0x7d, 0x6f, 0xd6", // vmovdqa ymm2, ymm14: assemblers may store instead
    "vpcmpeqd ymm15, ymm15, ymm15",
    "vpand ymm1, ymm2, ymm3",
    "vpand ymm9, ymm10, ymm11",
    "vpandn ymm9, ymm10, ymm1",
    "vpandn ymm1, ymm2, ymm12",
    "vpor ymm4, ymm12, [rdi + 2240]",
    "vpxor ymm14, ymm0, [rsi + 32]",
    "vpxor ymm4, ymm12, ymm2",
    "add rsi, 0x12345600",
    "add rdx, 0x1234560",
    "dec rcx",
    ".byte 0x0f, 0x85, 0x75, 0xff, 0xff, 0xff",
    "vzeroupper",
    "ret",
);

assembled!(
    avx2_two_vectors,
    ludens_test_avx2_two_vectors_start,
    ludens_test_avx2_two_vectors_end,
    "imul r9, r8, 32",
    "mov eax, r8d",
    "vmovdqu ymm3, [rdi + 64]",
    "add rdi, 32",
    "add rsi, 32",
    "add rdx, 32",
    "dec eax",
    ".byte 0x0f, 0x85, 0xe7, 0xff, 0xff, 0xff",
    "sub rdi, r9",
    "sub rsi, r9",
    "sub rdx, r9",
    "mov eax, r8d",
    "vmovdqu [rdi + 128], ymm3",
    "add rdi, 32",
    "add rsi, 32",
    "add rdx, 32",
    "dec eax",
    ".byte 0x0f, 0x85, 0xe4, 0xff, 0xff, 0xff",
    "sub rdi, r9",
    "sub rsi, r9",
    "sub rdx, r9",
    "dec rcx",
    ".byte 0x0f, 0x85, 0xaa, 0xff, 0xff, 0xff",
    "vzeroupper",
    "ret",
);

assembled!(
    avx2_128,
    ludens_test_avx2_128_start,
    ludens_test_avx2_128_end,
    "vmovdqu xmm3, [rdi + 112]",
    "vmovdqu [rdi + 128], xmm15",
    "vpand xmm9, xmm10, xmm11",
    "vpandn xmm1, xmm2, [rdi + 144]",
);

assembled!(
    avx512_512,
    ludens_test_avx512_512_start,
    ludens_test_avx512_512_end,
    "vmovdqu64 zmm3, [rdi]",
    "vmovdqu64 zmm29, [rsi + 192]",
    "vmovdqu64 zmm9, [rdi + 8128]",
    "vmovdqu64 zmm19, [rdi + 8192]",
    "vmovdqu64 [rdx + 128], zmm31",
    "vmovdqu64 [rdi + 67108864], zmm8",
    "vmovdqa64 zmm2, zmm30",
    "vmovdqa64 zmm18, zmm13",
    "vpternlogq zmm21, zmm21, zmm21, 255",
    "vpandq zmm1, zmm2, zmm3",
    "vpandq zmm17, zmm26, zmm11",
    "vpandnq zmm9, zmm10, zmm25",
    "vporq zmm4, zmm28, [rdi + 4480]",
    "vpxorq zmm30, zmm16, [rsi + 64]",
    "vpternlogq zmm1, zmm2, zmm3, 0x96",
    "vpternlogq zmm31, zmm30, zmm29, 0xe8",
    "vpternlogq zmm15, zmm16, zmm8, 0xca",
    "vpternlogq zmm20, zmm20, [rdi + 19200], 0x55",
);

assembled!(
    avx512_128,
    ludens_test_avx512_128_start,
    ludens_test_avx512_128_end,
    "vmovdqu64 xmm29, [rdi + 112]",
    "vmovdqu64 [rdi + 3200], xmm8",
    "vpandnq xmm9, xmm10, xmm25",
    "vpternlogq xmm31, xmm3, [rdi + 80], 0xe8",
);

#[test]
fn avx2_of_256_bits() {
    let code = [
        Instruction::Load { to: 3, from: Place::block(0) },
        Instruction::Load { to: 13, from: Place::random(3) },
        Instruction::Load { to: 9, from: Place::block(1000) },
        Instruction::Store { from: 15, to: Place::events(2) },
        Instruction::Store { from: 1, to: Place::block(5) },
        Instruction::Move { to: 2, from: 14 },
        Instruction::Ones { to: 15 },
        pair(Pair::And, 1, 2, Register(3)),
        pair(Pair::And, 9, 10, Register(11)),
        pair(Pair::AndNot, 9, 10, Register(1)),
        pair(Pair::AndNot, 1, 2, Register(12)),
        pair(Pair::Or, 4, 12, Memory(Place::block(70))),
        pair(Pair::Xor, 14, 0, Memory(Place::random(1))),
        // Written with the low register last, which is shorter.
        pair(Pair::Xor, 4, 2, Register(12)),
    ];
    let expected = avx2_256();
    let rows = Rows { random: 0x12345600 / 32, events: 0x1234560 / 32 };
    let bytes = encode(&code, &[code.len()], Target::Avx2, 4, rows);
    // The jump leads back to the beginning, whatever the length of the code.
    let jump = bytes.len() - 8;
    let mut expected = expected.to_vec();
    let length = expected.len();
    assert_eq!(length, bytes.len());
    assert_eq!(i32::from_le_bytes(bytes[jump..jump + 4].try_into().unwrap()), -(jump as i32 + 4));
    expected[jump..jump + 4].copy_from_slice(&bytes[jump..jump + 4]);
    assert_eq!(bytes, expected);
}

#[test]
fn every_segment_is_run_for_all_vectors() {
    let code = [
        Instruction::Load { to: 3, from: Place::block(1) },
        Instruction::Store { from: 3, to: Place::block(2) },
    ];
    let bytes = encode(&code, &[1, 2], Target::Avx2, 8, Rows::default());
    assert_eq!(bytes, avx2_two_vectors());
}

#[test]
fn avx2_of_128_bits() {
    let code = [
        Instruction::Load { to: 3, from: Place::block(7) },
        Instruction::Store { from: 15, to: Place::block(8) },
        pair(Pair::And, 9, 10, Register(11)),
        pair(Pair::AndNot, 1, 2, Memory(Place::block(9))),
    ];
    let expected = avx2_128();
    let bytes = encode(&code, &[code.len()], Target::Avx2, 2, Rows::default());
    assert_eq!(&bytes[..expected.len()], expected);
}

#[test]
fn avx512_of_512_bits() {
    let code = [
        Instruction::Load { to: 3, from: Place::block(0) },
        Instruction::Load { to: 29, from: Place::random(3) },
        Instruction::Load { to: 9, from: Place::block(127) },
        Instruction::Load { to: 19, from: Place::block(128) },
        Instruction::Store { from: 31, to: Place::events(2) },
        Instruction::Store { from: 8, to: Place::block(1 << 20) },
        Instruction::Move { to: 2, from: 30 },
        Instruction::Move { to: 18, from: 13 },
        Instruction::Ones { to: 21 },
        pair(Pair::And, 1, 2, Register(3)),
        pair(Pair::And, 17, 26, Register(11)),
        pair(Pair::AndNot, 9, 10, Register(25)),
        pair(Pair::Or, 4, 28, Memory(Place::block(70))),
        pair(Pair::Xor, 30, 16, Memory(Place::random(1))),
        triple(0x96, 1, 2, Register(3)),
        triple(0xe8, 31, 30, Register(29)),
        triple(0xca, 15, 16, Register(8)),
        triple(0x55, 20, 20, Memory(Place::block(300))),
    ];
    let expected = avx512_512();
    let bytes = encode(&code, &[code.len()], Target::Avx512, 8, Rows::default());
    assert_eq!(&bytes[..expected.len()], expected);
}

#[test]
fn avx512_of_128_bits() {
    let code = [
        Instruction::Load { to: 29, from: Place::block(7) },
        Instruction::Store { from: 8, to: Place::block(200) },
        pair(Pair::AndNot, 9, 10, Register(25)),
        triple(0xe8, 31, 3, Memory(Place::block(5))),
    ];
    let expected = avx512_128();
    let bytes = encode(&code, &[code.len()], Target::Avx512, 2, Rows::default());
    // Where a shorter encoding exists the assembler takes it; ours is always the long one.
    assert_eq!(&bytes[..expected.len()], expected);
}

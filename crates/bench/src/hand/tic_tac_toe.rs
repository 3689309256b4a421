//! Tic-tac-toe: nine bits a side, lines looked up in a table of 512 bits.

use super::{Deposit, Ending, Generator, HandTally};

const LINES: [u64; 8] = {
    let lines = [0o7u64, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
    let mut table = [0u64; 8];
    let mut board = 0;
    while board < 512 {
        let mut line = 0;
        while line < 8 {
            if board & lines[line] == lines[line] {
                table[(board >> 6) as usize] |= 1 << (board & 63);
            }
            line += 1;
        }
        board += 1;
    }
    table
};

#[inline(always)]
pub(super) fn play<D: Deposit>(generator: &mut Generator, playouts: u64) -> HandTally {
    let mut tally = HandTally::default();
    for _ in 0..playouts {
        // One random number a game, its digits in mixed radix: 9, 8, 7 and so on.
        let mut fraction = generator.bits();
        let (mut own, mut other, mut moves) = (0u64, 0u64, 0u32);
        let ending = loop {
            let empty = !(own | other) & 0x1ff;
            if empty == 0 {
                break Ending::Draw;
            }
            let product = u128::from(fraction) * u128::from(9 - moves);
            fraction = product as u64;
            own |= D::pick(empty, (product >> 64) as u32);
            moves += 1;
            if LINES[(own >> 6) as usize] >> (own & 63) & 1 != 0 {
                break Ending::last_mover_wins(moves);
            }
            std::mem::swap(&mut own, &mut other);
        };
        tally.add(moves, ending);
    }
    tally
}

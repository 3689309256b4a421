//! Connect four: seven bits a column, the seventh always empty, so that shifts do not wrap.

use super::{Deposit, Ending, Generator, HandTally};

const BOTTOM: u64 = 1 | 1 << 7 | 1 << 14 | 1 << 21 | 1 << 28 | 1 << 35 | 1 << 42;
const BOARD: u64 = BOTTOM * 0x3f;

#[inline(always)]
fn has_four(stones: u64) -> bool {
    let across = stones & stones >> 7;
    let upright = stones & stones >> 1;
    let rising = stones & stones >> 8;
    let falling = stones & stones >> 6;
    (across & across >> 14 | upright & upright >> 2 | rising & rising >> 16 | falling & falling >> 12) != 0
}

#[inline(always)]
pub(super) fn play<D: Deposit>(generator: &mut Generator, playouts: u64) -> HandTally {
    let mut tally = HandTally::default();
    for _ in 0..playouts {
        let (mut own, mut other, mut moves) = (0u64, 0u64, 0u32);
        let ending = loop {
            // Adding one to a column carries past its stones to the first empty cell.
            let open = ((own | other) + BOTTOM) & BOARD;
            if open == 0 {
                break Ending::Draw;
            }
            own |= D::pick(open, generator.below(open.count_ones()));
            moves += 1;
            if has_four(own) {
                break Ending::last_mover_wins(moves);
            }
            std::mem::swap(&mut own, &mut other);
        };
        tally.add(moves, ending);
    }
    tally
}

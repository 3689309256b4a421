//! Breakthrough: the board is turned every move, so that the side to move always moves up.

use super::{Deposit, Ending, Generator, HandTally};

const LEFT: u64 = 0x0101_0101_0101_0101;
const RIGHT: u64 = LEFT << 7;

/// Without a branch: which way is taken cannot be predicted.
#[inline(always)]
fn choose(condition: bool, yes: u64, no: u64) -> u64 {
    let mask = u64::from(condition).wrapping_neg();
    yes & mask | no & !mask
}

#[inline(always)]
pub(super) fn play<D: Deposit>(generator: &mut Generator, playouts: u64) -> HandTally {
    let mut tally = HandTally::default();
    for _ in 0..playouts {
        let (mut own, mut other, mut moves) = (0xffffu64, 0xffffu64 << 48, 0u32);
        let ending = loop {
            let straight = own << 8 & !(own | other);
            let left = (own & !LEFT) << 7 & !own;
            let right = (own & !RIGHT) << 9 & !own;
            let (straights, lefts) = (straight.count_ones(), left.count_ones());
            let all = straights + lefts + right.count_ones();
            let choice = generator.below(all);
            let (past_straight, past_left) = (choice >= straights, choice >= straights + lefts);
            let targets = choose(past_left, right, choose(past_straight, left, straight));
            let index = choice - u32::from(past_straight) * straights - u32::from(past_left) * lefts;
            let distance = 8 - u32::from(past_straight) + 2 * u32::from(past_left);
            let target = D::pick(targets, index);
            own ^= target | target >> distance;
            other &= !target;
            moves += 1;
            if target >> 56 != 0 || other == 0 {
                break Ending::last_mover_wins(moves);
            }
            (own, other) = (other.swap_bytes(), own.swap_bytes());
        };
        tally.add(moves, ending);
    }
    tally
}

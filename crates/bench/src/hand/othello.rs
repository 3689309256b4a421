//! Othello: rays filled in parallel (Kogge and Stone), eight directions two at a time.

use super::{Deposit, Ending, Generator, HandTally};

/// All but the first and last file: rays to the sides and across do not wrap.
const INNER: u64 = 0x7e7e_7e7e_7e7e_7e7e;

/// Stones of `through` in rays from `from`, both ways along one distance.
#[inline(always)]
fn rays(from: u64, through: u64, distance: u32) -> (u64, u64) {
    let (mut up, mut down) = (through & from << distance, through & from >> distance);
    up |= through & up << distance;
    down |= through & down >> distance;
    let up_pairs = through & through << distance;
    let down_pairs = up_pairs >> distance;
    up |= up_pairs & up << (2 * distance);
    down |= down_pairs & down >> (2 * distance);
    up |= up_pairs & up << (2 * distance);
    down |= down_pairs & down >> (2 * distance);
    (up, down)
}

#[inline(always)]
fn legal(own: u64, other: u64) -> u64 {
    let inner = other & INNER;
    let ends = |through: u64, distance: u32| {
        let (up, down) = rays(own, through, distance);
        up << distance | down >> distance
    };
    (ends(inner, 1) | ends(other, 8) | ends(inner, 7) | ends(inner, 9)) & !(own | other)
}

#[inline(always)]
fn flipped(own: u64, other: u64, placed: u64) -> u64 {
    let inner = other & INNER;
    let enclosed = |through: u64, distance: u32| {
        let (up, down) = rays(placed, through, distance);
        let up_closed = u64::from(up << distance & own != 0).wrapping_neg();
        let down_closed = u64::from(down >> distance & own != 0).wrapping_neg();
        up & up_closed | down & down_closed
    };
    enclosed(inner, 1) | enclosed(other, 8) | enclosed(inner, 7) | enclosed(inner, 9)
}

/// How a position is looked at.
pub(super) trait Position {
    /// The squares where a stone may be placed.
    fn legal(&mut self, own: u64, other: u64) -> u64;
    /// The stones that one placed stone turns; asked after `legal` of the same position.
    fn flipped(&mut self, own: u64, other: u64, placed: u64) -> u64;
}

/// In ordinary registers.
struct Words;

impl Position for Words {
    #[inline(always)]
    fn legal(&mut self, own: u64, other: u64) -> u64 {
        legal(own, other)
    }

    #[inline(always)]
    fn flipped(&mut self, own: u64, other: u64, placed: u64) -> u64 {
        flipped(own, other, placed)
    }
}

#[inline(always)]
pub(super) fn play<D: Deposit>(generator: &mut Generator, playouts: u64) -> HandTally {
    play_games::<D, _>(&mut Words, generator, playouts)
}

#[inline(always)]
pub(super) fn play_games<D: Deposit, P: Position>(
    position: &mut P,
    generator: &mut Generator,
    playouts: u64,
) -> HandTally {
    let mut tally = HandTally::default();
    for _ in 0..playouts {
        let (mut own, mut other) = (1u64 << 28 | 1 << 35, 1u64 << 27 | 1 << 36);
        let (mut moves, mut passed) = (0u32, false);
        let ending = loop {
            let open = position.legal(own, other);
            if open == 0 {
                if passed {
                    // The pass that ended the game was not made.
                    moves -= 1;
                    let (own, other) = (own.count_ones(), other.count_ones());
                    // After an odd number of moves the second is to move; the pass undone, the
                    // one to move now is the one who moved last but one.
                    let first = if moves & 1 == 1 { own } else { other };
                    let second = own + other - first;
                    break match first.cmp(&second) {
                        std::cmp::Ordering::Greater => Ending::FirstWins,
                        std::cmp::Ordering::Less => Ending::SecondWins,
                        std::cmp::Ordering::Equal => Ending::Draw,
                    };
                }
                passed = true;
            } else {
                passed = false;
                let placed = D::pick(open, generator.below(open.count_ones()));
                let flips = position.flipped(own, other, placed);
                own ^= flips | placed;
                other ^= flips;
            }
            moves += 1;
            std::mem::swap(&mut own, &mut other);
        };
        tally.add(moves, ending);
    }
    tally
}

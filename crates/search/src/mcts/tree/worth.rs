//! What is known of a role's goal, in one word: a sum over visits above, proven bounds below.
//!
//! Sums have 48 bits: enough for [`super::rescale::MOST_VISITS`] visits and more.

use super::bounds::Bounds;

/// Goals are summed in units of 2^-14.
pub(crate) const UNIT: f64 = (1u64 << 14) as f64;

const SHIFT: u32 = 16;

/// The sum of the goals, in [`UNIT`]s.
#[inline]
pub(super) fn sum(word: u64) -> i64 {
    word as i64 >> SHIFT
}

/// The word with another sum.
#[inline]
pub(super) fn with_sum(word: u64, sum: i64) -> u64 {
    (sum as u64) << SHIFT | word & 0xffff
}

/// What is added to the word to add something to the sum.
#[inline]
pub(super) fn difference(difference: i64) -> u64 {
    (difference as u64) << SHIFT
}

/// What is proven.
#[inline]
pub(super) fn bounds(word: u64) -> Bounds {
    Bounds::unpack(word as u16)
}

/// The word with something else proven.
#[inline]
pub(super) fn with_bounds(word: u64, bounds: Bounds) -> u64 {
    word & !0xffff | u64::from(bounds.pack())
}

#[cfg(test)]
mod tests {
    use super::super::rescale::MOST_VISITS;
    use super::*;

    #[test]
    fn sums_and_bounds_leave_each_other_alone() {
        let most = (100.0 * UNIT) as i64 * i64::from(MOST_VISITS);
        for known in [Bounds::UNKNOWN, Bounds::exact(100), Bounds { lower: 30, upper: 70 }] {
            let mut word = with_bounds(with_sum(0, most), known);
            assert_eq!((sum(word), bounds(word)), (most, known));
            // There is room for some more.
            word = word.wrapping_add(difference(most / 2)).wrapping_add(difference(-7));
            assert_eq!((sum(word), bounds(word)), (most + most / 2 - 7, known));
            assert_eq!(sum(with_sum(word, 5)), 5);
        }
        assert_eq!((sum(0), bounds(0)), (0, Bounds::UNKNOWN));
    }
}

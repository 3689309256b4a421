//! The generator of random numbers that games are played with.

/// The linear congruential generator of `java.util.Random`, as its documentation gives it.
///
/// ```
/// let mut random = vgdl::JavaRandom::new(42);
/// assert_eq!(random.next_int(10), 0);
/// assert_eq!(random.next_int(10), 3);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JavaRandom {
    state: u64,
}

const MULTIPLIER: u64 = 0x5_DEEC_E66D;
const MASK: u64 = (1 << 48) - 1;

impl JavaRandom {
    /// The generator of a seed.
    pub fn new(seed: i64) -> Self {
        Self { state: (seed as u64 ^ MULTIPLIER) & MASK }
    }

    /// The 48 bits of its state.
    pub fn state(&self) -> u64 {
        self.state
    }

    #[inline]
    fn next(&mut self, bits: u32) -> u32 {
        self.state = (self.state.wrapping_mul(MULTIPLIER).wrapping_add(0xB)) & MASK;
        (self.state >> (48 - bits)) as u32
    }

    /// A number from 0 to `bound`, `bound` left out; 0 for a bound of 0.
    #[inline]
    pub fn next_int(&mut self, bound: u32) -> u32 {
        if bound.is_power_of_two() {
            return ((u64::from(bound) * u64::from(self.next(31))) >> 31) as u32;
        }
        if bound == 0 {
            return 0;
        }
        loop {
            let bits = self.next(31);
            let value = bits % bound;
            if bits - value <= (1 << 31) - bound {
                return value;
            }
        }
    }

    /// A number from 0 to 1, 1 left out, of 24 bits.
    #[inline]
    pub fn next_float(&mut self) -> f32 {
        self.next(24) as f32 / (1 << 24) as f32
    }

    /// A number from 0 to 1, 1 left out, of 53 bits.
    #[inline]
    pub fn next_double(&mut self) -> f64 {
        let high = u64::from(self.next(26)) << 27;
        let low = u64::from(self.next(27));
        (high + low) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_numbers_of_a_seed_are_those_of_the_documented_generator() {
        // 0 XOR the multiplier, one step: 48 bits whose upper 32 are the well-known -1155484576.
        let mut random = JavaRandom::new(0);
        assert_eq!(random.next(32) as i32, -1_155_484_576);
        assert_eq!(random.next(32) as i32, -723_955_400);
        let mut random = JavaRandom::new(0);
        assert_eq!(random.next_double(), 0.730_967_787_376_657);
        assert_eq!(JavaRandom::new(7).state(), 25_214_903_914);
    }

    #[test]
    fn bounds_are_kept_and_nothing_is_drawn_for_a_bound_of_none() {
        let mut random = JavaRandom::new(5);
        for bound in 1..50 {
            assert!(random.next_int(bound) < bound);
        }
        assert!((0.0..1.0).contains(&random.next_float()));
        let before = random;
        assert_eq!(random.next_int(0), 0);
        assert_eq!(random, before);
    }
}

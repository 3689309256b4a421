//! Random numbers, inlined: a call would cost more than the game.

/// Xoshiro256++ (Blackman and Vigna).
pub(super) struct Generator {
    state: [u64; 4],
}

impl Generator {
    pub(super) fn new(seed: u64) -> Self {
        let mut dice = game::Dice::new(seed);
        Self { state: std::array::from_fn(|_| dice.bits()) }
    }

    #[inline(always)]
    pub(super) fn bits(&mut self) -> u64 {
        let state = &mut self.state;
        let result = state[0].wrapping_add(state[3]).rotate_left(23).wrapping_add(state[0]);
        let shifted = state[1] << 17;
        state[2] ^= state[0];
        state[3] ^= state[1];
        state[1] ^= state[2];
        state[0] ^= state[3];
        state[2] ^= shifted;
        state[3] = state[3].rotate_left(45);
        result
    }

    /// A number below a bound, all equally likely but for a part in 2^32.
    #[inline(always)]
    pub(super) fn below(&mut self, bound: u32) -> u32 {
        (((self.bits() >> 32) * u64::from(bound)) >> 32) as u32
    }
}

//! States as bits.

use smallvec::SmallVec;

/// Words of a state that need no memory of their own.
const IN_PLACE: usize = 4;

/// Which base propositions are true, one bit each. Small games keep them in place: a search holds
/// and copies very many states.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CircuitState(SmallVec<[u64; IN_PLACE]>);

impl CircuitState {
    /// The state of these truth values.
    pub fn from_bits(bits: impl ExactSizeIterator<Item = bool>) -> Self {
        let mut words = SmallVec::from_elem(0u64, bits.len().div_ceil(64));
        bits.enumerate().for_each(|(index, bit)| words[index / 64] |= u64::from(bit) << (index % 64));
        Self(words)
    }

    /// The state of these words, 64 propositions each.
    pub fn from_words(words: &[u64]) -> Self {
        Self(SmallVec::from_slice(words))
    }

    /// A state of so many words in which nothing is true, to be written over.
    pub(crate) fn zeros(words: usize) -> Self {
        Self(SmallVec::from_elem(0, words))
    }

    /// About how many bytes a state of so many base propositions takes besides its own size.
    pub(crate) fn bytes_apart(bases: usize) -> usize {
        let words = bases.div_ceil(64);
        // Memory is handed out in pieces of sixteen bytes, with a few that say how long they are.
        if words <= IN_PLACE { 0 } else { (words * 8 + 8).next_multiple_of(16) }
    }

    /// Whether a base proposition is true.
    pub fn get(&self, base: usize) -> bool {
        self.0[base / 64] >> (base % 64) & 1 != 0
    }

    /// The bits, 64 a word.
    pub fn words(&self) -> &[u64] {
        &self.0
    }

    /// The bits, to be written over.
    pub(crate) fn words_mut(&mut self) -> &mut [u64] {
        &mut self.0
    }
}

impl std::fmt::Debug for CircuitState {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let bits = (0..self.0.len() * 64).filter(|&base| self.get(base));
        out.debug_set().entries(bits).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_states_have_memory_of_their_own() {
        for bases in [1usize, 256, 257, 2_000] {
            let state = CircuitState::zeros(bases.div_ceil(64));
            assert_eq!(state.0.spilled(), CircuitState::bytes_apart(bases) > 0, "{bases}");
            if state.0.spilled() {
                assert!(CircuitState::bytes_apart(bases) >= 8 * state.words().len());
            }
        }
    }
}

//! States as bits.

use smallvec::SmallVec;

/// Which base propositions are true, one bit each. Small games keep them in place: a search holds
/// and copies very many states.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CircuitState(SmallVec<[u64; 4]>);

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

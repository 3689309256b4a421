//! Memory for vectors.

use std::ops::{Deref, DerefMut};

/// Words that begin at a multiple of 64 bytes, so that no vector straddles two cache lines.
#[derive(Debug)]
pub(crate) struct AlignedWords {
    words: Vec<u64>,
    offset: usize,
    length: usize,
}

const ALIGNMENT: usize = 64;

impl AlignedWords {
    /// Zeros.
    pub(crate) fn new(length: usize) -> Self {
        let words = vec![0u64; length + ALIGNMENT / 8];
        let offset = words.as_ptr().align_offset(ALIGNMENT).min(ALIGNMENT / 8);
        Self { words, offset, length }
    }
}

impl Clone for AlignedWords {
    fn clone(&self) -> Self {
        let mut clone = Self::new(self.length);
        clone.copy_from_slice(self);
        clone
    }
}

impl Deref for AlignedWords {
    type Target = [u64];
    fn deref(&self) -> &[u64] {
        &self.words[self.offset..self.offset + self.length]
    }
}

impl DerefMut for AlignedWords {
    fn deref_mut(&mut self) -> &mut [u64] {
        &mut self.words[self.offset..self.offset + self.length]
    }
}

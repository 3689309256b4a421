//! Chunks of memory that begin with a cache line.

use crate::sync::{AtomicU64, Memory};

/// Words of two cache lines, which are fetched together.
const LINE: usize = 16;

/// So many zeros, to begin with.
#[derive(Debug)]
pub(super) struct Words {
    memory: Memory,
    first: usize,
    count: usize,
}

impl Words {
    /// The words of one more chunk beside those there are: the first is small for who needs little, all
    /// others are in large pages.
    pub(super) fn after(chunks: &[Self], count: usize) -> Self {
        let memory = match chunks.is_empty() {
            true => Memory::zeroed(count + LINE - 1),
            false => Memory::in_large_pages(count + LINE - 1),
        };
        let first = memory.as_ptr().align_offset(8 * LINE).min(LINE - 1);
        Self { memory, first, count }
    }

    /// Some of them.
    #[inline]
    pub(super) fn get(&self, first: usize, count: usize) -> &[AtomicU64] {
        debug_assert!(first + count <= self.count);
        &self.memory[self.first + first..self.first + first + count]
    }

    /// All from one on.
    #[inline]
    pub(super) fn from(&self, first: usize) -> &[AtomicU64] {
        &self.memory[self.first + first..self.first + self.count]
    }
}

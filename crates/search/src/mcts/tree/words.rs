//! Memory of the tree: words in chunks, handed out in pieces that never cross a chunk.
//!
//! Growing and clearing need exclusive access; handing out and reading do not. Pieces are not given
//! back one by one: what is no longer needed is left behind when the tree is copied (see
//! `collect`).

use crate::sync::{AtomicU32, AtomicU64, Ordering};

/// Words of a chunk. The largest piece that can be had.
pub(crate) const CHUNK: u32 = 1 << CHUNK_BITS;
#[cfg(not(test))]
const CHUNK_BITS: u32 = 18;
// Small, so that tests cross chunks.
#[cfg(test)]
const CHUNK_BITS: u32 = 12;

/// Words that many threads read and change.
#[derive(Debug, Default)]
pub(crate) struct Words {
    chunks: Vec<Box<[AtomicU64]>>,
    next: AtomicU32,
}

impl Words {
    /// By how many bytes [`Words::grow`] makes it larger.
    pub(crate) const CHUNK_BYTES: usize = CHUNK as usize * 8;

    /// A piece that was handed out.
    #[inline]
    pub(crate) fn piece(&self, start: u32, length: usize) -> &[AtomicU64] {
        let first = (start % CHUNK) as usize;
        &self.chunks[(start / CHUNK) as usize][first..first + length]
    }

    /// One word of a piece that was handed out.
    #[inline]
    pub(crate) fn word(&self, index: u32) -> &AtomicU64 {
        &self.chunks[(index / CHUNK) as usize][(index % CHUNK) as usize]
    }

    /// Hands out a piece of zeros, if there is room.
    pub(crate) fn allocate(&self, length: usize) -> Option<u32> {
        let length = u32::try_from(length).ok().filter(|&length| length <= CHUNK)?;
        let mut next = self.next.load(Ordering::Relaxed);
        loop {
            if next > u32::MAX - 2 * CHUNK {
                return None;
            }
            let start = Self::place_after(next, length as usize);
            let end = start.checked_add(length)?;
            if end as usize > self.chunks.len() * CHUNK as usize {
                return None;
            }
            match self.next.compare_exchange_weak(next, end, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return Some(start),
                Err(now) => next = now,
            }
        }
    }

    /// The words that can still be handed out, at least.
    pub(crate) fn free(&self) -> usize {
        (self.chunks.len() * CHUNK as usize).saturating_sub(self.used())
    }

    /// The words handed out, with what was left over at the ends of chunks.
    pub(crate) fn used(&self) -> usize {
        self.next.load(Ordering::Relaxed) as usize
    }

    /// The bytes held.
    pub(crate) fn bytes(&self) -> usize {
        self.chunks.len() * Self::CHUNK_BYTES
    }

    /// Makes room for more.
    pub(crate) fn grow(&mut self) {
        self.chunks.push((0..CHUNK).map(|_| AtomicU64::new(0)).collect());
    }

    /// Takes back everything from `end` on; the memory is kept.
    pub(crate) fn truncate(&mut self, end: u32) {
        let (mut first, old) = (end, self.next.load(Ordering::Relaxed));
        while first < old {
            let count = (old - first).min(CHUNK - first % CHUNK);
            let words = self.piece(first, count as usize);
            words.iter().for_each(|word| word.store(0, Ordering::Relaxed));
            first += count;
        }
        self.next = AtomicU32::new(end);
    }

    /// Where a piece would go if everything before `next` was handed out.
    pub(crate) fn place_after(next: u32, length: usize) -> u32 {
        if next % CHUNK + length as u32 <= CHUNK { next } else { (next / CHUNK + 1) * CHUNK }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_do_not_cross_chunks() {
        crate::sync::tried(cross_chunks);
    }

    fn cross_chunks() {
        let mut words = Words::default();
        assert_eq!(words.allocate(1), None);
        words.grow();
        words.grow();
        let first = words.allocate(CHUNK as usize - 3);
        assert_eq!(first, Some(0));
        assert_eq!(words.allocate(4), Some(CHUNK));
        assert_eq!(words.allocate(CHUNK as usize), None);
        assert_eq!(words.allocate(CHUNK as usize + 1), None);
        words.word(CHUNK + 1).store(7, Ordering::Relaxed);
        words.truncate(0);
        assert_eq!(words.allocate(CHUNK as usize), Some(0));
        assert_eq!(words.word(CHUNK + 1).load(Ordering::Relaxed), 0);
    }
}

//! Memory for what is known of moves: pieces of many sizes that are given back one by one.
//!
//! Growing, clearing and moving pieces need exclusive access; handing out, taking back and reading do
//! not. The first word of a piece says in its low half whose it is.

use super::NodeId;
use super::pages::{CHUNK, Move, PAGE, Pages, Piece};
use super::words::Words;
use crate::sync::{AtomicU32, AtomicU64, Mutex, Ordering};

/// Words in pieces, which many threads read and change.
#[derive(Debug)]
pub(crate) struct Slab {
    chunks: Vec<Words>,
    pages: Mutex<Pages>,
    /// Words that are not in use.
    free: AtomicU32,
    /// Pages that are not in use.
    empty: AtomicU32,
}

impl Slab {
    pub(crate) const PAGE_WORDS: usize = PAGE;
    pub(crate) const PAGE_BYTES: usize = PAGE * 8;

    pub(crate) fn new() -> Self {
        Self {
            chunks: Vec::new(),
            pages: Mutex::default(),
            free: AtomicU32::new(0),
            empty: AtomicU32::new(0),
        }
    }

    /// The words from one on, to the end of its chunk.
    #[inline]
    pub(crate) fn from(&self, start: u32) -> &[AtomicU64] {
        self.chunks[start as usize / CHUNK].from(start as usize % CHUNK)
    }

    /// Hands out a piece, if there is room. It is not cleared.
    pub(crate) fn allocate(&self, words: usize) -> Option<Piece> {
        let mut pages = self.pages.lock();
        let piece = pages.allocate(words);
        self.count(&pages);
        piece
    }

    /// Takes back a piece that nobody reads any more.
    pub(crate) fn give_back(&self, start: u32) {
        let mut pages = self.pages.lock();
        pages.free(start);
        self.count(&pages);
    }

    /// How many pieces are in use.
    #[cfg(test)]
    pub(super) fn pieces(&self) -> usize {
        self.pages.lock().pieces()
    }

    fn count(&self, pages: &Pages) {
        let free = u32::try_from(pages.free_words()).unwrap_or(u32::MAX);
        self.free.store(free, Ordering::Relaxed);
        self.empty.store(pages.empty_count() as u32, Ordering::Relaxed);
    }

    /// The words that are not in use.
    #[inline]
    pub(crate) fn free_words(&self) -> usize {
        self.free.load(Ordering::Relaxed) as usize
    }

    pub(crate) fn empty_pages(&self) -> usize {
        self.empty.load(Ordering::Relaxed) as usize
    }

    /// All words, in use or not.
    pub(crate) fn words(&self) -> usize {
        self.pages.lock().len() * PAGE
    }

    /// The bytes held.
    pub(crate) fn bytes(&self) -> usize {
        self.words() * 8
    }

    /// Makes room for one more page; `false` if there can be no more.
    pub(crate) fn grow(&mut self) -> bool {
        let pages = self.pages.get_mut();
        if (pages.len() + 1) * PAGE > u32::MAX as usize {
            return false;
        }
        if pages.push() {
            self.chunks.push(Words::after(&self.chunks, CHUNK));
        }
        self.count(&self.pages.lock());
        true
    }

    /// Takes everything back; the memory is kept.
    pub(crate) fn clear(&mut self) {
        self.pages.get_mut().clear();
        self.count(&self.pages.lock());
    }

    /// Empties a page by moving its pieces to others; how many, or `None` if that was not possible.
    /// `moved` is told whose piece it is, where it was and where it is now.
    pub(crate) fn compact(&mut self, moved: &mut dyn FnMut(&Slab, NodeId, u32, u32)) -> Option<usize> {
        let moves = self.pages.get_mut().compact()?;
        self.copy(&moves, moved);
        Some(moves.len())
    }

    /// Makes room for the longest piece that could not be had lately, if that is possible; how many
    /// pieces were moved for it.
    pub(crate) fn make_span(&mut self, moved: &mut dyn FnMut(&Slab, NodeId, u32, u32)) -> usize {
        let moves = self.pages.get_mut().make_span();
        self.copy(&moves, moved);
        moves.len()
    }

    fn copy(&self, moves: &[Move], moved: &mut dyn FnMut(&Slab, NodeId, u32, u32)) {
        for Move { from, to } in moves {
            let (old, new) = (self.from(*from), &self.from(to.start)[..to.words]);
            for (old, new) in old.iter().zip(new) {
                new.store(old.load(Ordering::Relaxed), Ordering::Relaxed);
            }
            moved(self, NodeId(new[0].load(Ordering::Relaxed) as u32), *from, to.start);
        }
        self.count(&self.pages.lock());
    }
}

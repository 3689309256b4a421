//! Which parts of a memory are in use: pieces of many sizes that are given back one by one.
//!
//! Memory is divided into pages. A page has pieces of one size, so that what is given back is of use to
//! the next who needs that size; a page of which nothing is in use is of use to all. The sizes are an
//! eighth apart. What is larger than half a page has whole pages, side by side in one chunk.

/// Words of a page.
pub(super) const PAGE: usize = 1 << PAGE_BITS;
#[cfg(not(test))]
const PAGE_BITS: u32 = 12;
// Small, so that tests cross pages.
#[cfg(test)]
const PAGE_BITS: u32 = 9;

/// Pages of a chunk: bits of a word.
pub(super) const PAGES: usize = if cfg!(test) { 8 } else { 64 };

/// The words of a chunk: the largest piece that can be had.
pub(super) const CHUNK: usize = PAGE * PAGES;

/// The smallest size, and how many sizes there are until they have doubled.
const SMALLEST: usize = 8;
const STEPS: usize = 8;

/// Words that say which pieces of a page are in use.
const MAP: usize = (PAGE / SMALLEST).div_ceil(64);

/// The number of the smallest size for so many words.
fn class_of(words: usize) -> usize {
    if words <= SMALLEST {
        return 0;
    }
    let bits = (words - 1).ilog2() as usize - 3;
    bits * STEPS + ((words - 1) >> bits) - 7
}

/// The words of a size.
pub(super) fn class_words(class: usize) -> usize {
    if class == 0 {
        return SMALLEST;
    }
    ((class - 1) % STEPS + SMALLEST + 1) << ((class - 1) / STEPS)
}

/// A piece that was handed out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    /// The number of its first word.
    pub(crate) start: u32,
    /// Its words, at least as many as were asked for.
    pub(crate) words: usize,
}

/// A piece that is to be copied to where another one was handed out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Move {
    pub(super) from: u32,
    pub(super) to: Piece,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    Nothing,
    /// Pieces of one size.
    Pieces(u8),
    /// One piece of so many pages begins here.
    Span(u8),
    /// The piece of an earlier page goes on here.
    Rest,
}

#[derive(Clone, Debug)]
pub(super) struct Page {
    pub(super) used_for: Use,
    /// Pieces in use.
    pub(super) count: u16,
    /// Its place among the pages of its size that have room; none if it has not.
    pub(super) place: u32,
    /// Which pieces are in use.
    pub(super) taken: [u64; MAP],
}

pub(super) const NO_PLACE: u32 = u32::MAX;
const EMPTY: Page = Page { used_for: Use::Nothing, count: 0, place: NO_PLACE, taken: [0; MAP] };

/// What pages are used for.
#[derive(Debug, Default)]
pub(super) struct Pages {
    pub(super) pages: Vec<Page>,
    /// Of each chunk, which pages are empty.
    pub(super) empty: Vec<u64>,
    /// No chunk before this has an empty page.
    first_empty: usize,
    pub(super) empty_count: usize,
    /// Of each size, the pages with room.
    pub(super) with_room: Vec<Vec<u32>>,
    /// Of each size, the pieces that are not in use.
    pub(super) free: Vec<usize>,
    /// Words of these.
    loose: usize,
    /// Pages in a row that were asked for and could not be had.
    pub(super) wanted: usize,
}

impl Pages {
    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.pages.len()
    }

    /// How many pieces are in use.
    #[cfg(test)]
    pub(super) fn pieces(&self) -> usize {
        let pieces = |page: &Page| match page.used_for {
            Use::Span(_) => 1,
            _ => usize::from(page.count),
        };
        self.pages.iter().map(pieces).sum()
    }

    pub(super) fn empty_count(&self) -> usize {
        self.empty_count
    }

    /// Words that are not in use.
    pub(super) fn free_words(&self) -> usize {
        self.loose + self.empty_count * PAGE
    }

    /// One more page; whether it is the first of a chunk.
    pub(super) fn push(&mut self) -> bool {
        let next = self.pages.len();
        self.pages.push(EMPTY);
        let is_first = next.is_multiple_of(PAGES);
        if is_first {
            self.empty.push(0);
        }
        self.set_empty(next);
        is_first
    }

    pub(super) fn clear(&mut self) {
        let count = self.pages.len();
        *self = Self::default();
        for _ in 0..count {
            self.push();
        }
    }

    pub(super) fn allocate(&mut self, words: usize) -> Option<Piece> {
        if words > PAGE / 2 {
            return self.allocate_span(words.div_ceil(PAGE));
        }
        let class = class_of(words);
        if self.with_room.len() <= class {
            self.with_room.resize(class + 1, Vec::new());
            self.free.resize(class + 1, 0);
        }
        let size = class_words(class);
        let index = match self.with_room[class].last() {
            Some(&index) => index as usize,
            None => {
                let index = self.take_run(1)?;
                self.pages[index] = Page { used_for: Use::Pieces(class as u8), ..EMPTY };
                self.count_free(class, PAGE / size);
                self.offer(index, class);
                index
            }
        };
        let page = &mut self.pages[index];
        let word = page.taken.iter().position(|&taken| taken != u64::MAX)?;
        let piece = word * 64 + page.taken[word].trailing_ones() as usize;
        page.taken[word] |= 1 << (piece % 64);
        page.count += 1;
        let is_full = usize::from(page.count) == PAGE / size;
        self.free[class] -= 1;
        self.loose -= size;
        if is_full {
            self.withdraw(index, class);
        }
        Some(Piece { start: (index * PAGE + piece * size) as u32, words: size })
    }

    fn allocate_span(&mut self, pages: usize) -> Option<Piece> {
        if pages > PAGES {
            return None;
        }
        let Some(first) = self.take_run(pages) else {
            self.wanted = self.wanted.max(pages);
            return None;
        };
        self.pages[first..first + pages].fill(Page { used_for: Use::Rest, ..EMPTY });
        self.pages[first].used_for = Use::Span(pages as u8);
        Some(Piece { start: (first * PAGE) as u32, words: pages * PAGE })
    }

    /// Takes back a piece.
    pub(super) fn free(&mut self, start: u32) {
        let (index, offset) = (start as usize / PAGE, start as usize % PAGE);
        let page = &mut self.pages[index];
        match page.used_for {
            Use::Span(pages) => (index..index + usize::from(pages)).for_each(|page| self.set_empty(page)),
            Use::Pieces(class) => {
                let class = usize::from(class);
                let piece = offset / class_words(class);
                page.taken[piece / 64] &= !(1 << (piece % 64));
                page.count -= 1;
                let (is_empty, was_full) = (page.count == 0, page.place == NO_PLACE);
                self.count_free(class, 1);
                if is_empty {
                    self.abandon(index, class);
                } else if was_full {
                    self.offer(index, class);
                }
            }
            Use::Nothing | Use::Rest => debug_assert!(false, "nothing was handed out at {start}"),
        }
    }

    /// Takes some empty pages side by side.
    fn take_run(&mut self, pages: usize) -> Option<usize> {
        if self.empty_count < pages {
            return None;
        }
        for chunk in self.first_empty..self.empty.len() {
            if pages == 1 {
                self.first_empty = chunk;
            }
            // Where a bit is left, so many pages from there on are empty.
            let runs = (1..pages).fold(self.empty[chunk], |runs, page| runs & self.empty[chunk] >> page);
            if runs != 0 {
                let first = runs.trailing_zeros() as usize;
                let taken = (u64::MAX >> (64 - pages)) << first;
                self.empty[chunk] &= !taken;
                self.empty_count -= pages;
                return Some(chunk * PAGES + first);
            }
        }
        None
    }

    pub(super) fn set_empty(&mut self, index: usize) {
        self.pages[index] = EMPTY;
        self.empty[index / PAGES] |= 1 << (index % PAGES);
        self.empty_count += 1;
        self.first_empty = self.first_empty.min(index / PAGES);
    }

    /// Gives up a page of which no piece is in use.
    pub(super) fn abandon(&mut self, index: usize, class: usize) {
        let pieces = PAGE / class_words(class);
        self.free[class] -= pieces;
        self.loose -= pieces * class_words(class);
        if self.pages[index].place != NO_PLACE {
            self.withdraw(index, class);
        }
        self.set_empty(index);
    }

    pub(super) fn count_free(&mut self, class: usize, pieces: usize) {
        self.free[class] += pieces;
        self.loose += pieces * class_words(class);
    }

    /// A page has room.
    pub(super) fn offer(&mut self, index: usize, class: usize) {
        self.pages[index].place = self.with_room[class].len() as u32;
        self.with_room[class].push(index as u32);
    }

    /// A page has no room.
    pub(super) fn withdraw(&mut self, index: usize, class: usize) {
        let place = std::mem::replace(&mut self.pages[index].place, NO_PLACE) as usize;
        self.with_room[class].swap_remove(place);
        if let Some(&other) = self.with_room[class].get(place) {
            self.pages[other as usize].place = place as u32;
        }
    }
}

#[cfg(test)]
mod tests {
    use game::Dice;

    use super::*;

    #[test]
    fn sizes_fit_and_are_an_eighth_apart() {
        for words in 1..PAGE / 2 {
            let size = class_words(class_of(words));
            assert!(size >= words && size <= words.max(8) * 9 / 8 + 1, "{size} for {words}");
            assert_eq!(class_of(size), class_of(words));
        }
    }

    #[test]
    fn what_is_given_back_is_handed_out_again() {
        let mut pages = Pages::default();
        assert_eq!((0..16).filter(|_| pages.push()).count(), 16 / PAGES);
        let all = pages.free_words();
        let mut dice = Dice::new(1);
        let mut owned: Vec<(Piece, u32)> = Vec::new();
        let mut owner = vec![0u32; 16 * PAGE];
        for round in 1..40_000u32 {
            if dice.below(5) < 2 || pages.free_words() < all / 4 {
                if !owned.is_empty() {
                    let (piece, name) = owned.swap_remove(dice.below(owned.len()));
                    let words = &mut owner[piece.start as usize..][..piece.words];
                    assert!(words.iter().all(|&word| word == name));
                    words.fill(0);
                    pages.free(piece.start);
                }
            } else {
                let words = 1 + dice.below(if round % 100 == 0 { 3 * PAGE } else { 60 });
                if let Some(piece) = pages.allocate(words) {
                    assert!(piece.words >= words && piece.start as usize % CHUNK + piece.words <= CHUNK);
                    let words = &mut owner[piece.start as usize..][..piece.words];
                    assert!(words.iter().all(|&word| word == 0), "nobody has it");
                    words.fill(round);
                    owned.push((piece, round));
                }
            }
            if round % 50 == 0 {
                let moves =
                    if round % 100 == 0 { pages.make_span() } else { pages.compact().unwrap_or_default() };
                for Move { from, to } in moves {
                    let (piece, name) =
                        owned.iter_mut().find(|(piece, _)| piece.start == from).expect("known");
                    owner[from as usize..][..to.words].fill(0);
                    let words = &mut owner[to.start as usize..][..to.words];
                    assert!(words.iter().all(|&word| word == 0), "nobody has it");
                    words.fill(*name);
                    *piece = to;
                }
            }
        }
        owned.iter().for_each(|(piece, _)| pages.free(piece.start));
        assert_eq!((pages.free_words(), pages.empty_count()), (all, 16));
    }

    #[test]
    fn a_long_piece_is_had_after_others_made_room() {
        let mut pages = Pages::default();
        assert_eq!((0..PAGES).filter(|_| pages.push()).count(), 1);
        let pieces: Vec<Piece> = std::iter::from_fn(|| pages.allocate(PAGE / 4)).collect();
        // One piece is left in every page.
        pieces
            .iter()
            .enumerate()
            .filter(|(place, _)| place % 4 != 1)
            .for_each(|(_, piece)| pages.free(piece.start));
        assert_eq!(pages.allocate(3 * PAGE), None);
        while pages.empty_count() < 6 {
            assert!(pages.compact().is_some());
        }
        pages.make_span();
        assert!(pages.allocate(3 * PAGE).is_some());
    }
}

//! Emptying pages by moving what is in them.

use super::pages::{Move, NO_PLACE, PAGE, PAGES, Page, Pages, Use, class_words};

/// Pages of a size that are looked at for the one least in use.
const LOOKED_AT: usize = 16;

impl Pages {
    /// Empties a page of the size of which most words are not in use, by moving its pieces to other
    /// pages of that size; `None` if that is not possible. What is moved is to be copied.
    pub(super) fn compact(&mut self) -> Option<Vec<Move>> {
        // The pages that are left get fuller by it: of one size, there are pieces enough for a page.
        let class = (0..self.with_room.len()).max_by_key(|&class| self.free[class] * class_words(class))?;
        let with_room = self.with_room[class].iter().take(LOOKED_AT);
        let index = *with_room.min_by_key(|&&index| self.pages[index as usize].count)? as usize;
        (self.free[class] >= PAGE / class_words(class)).then(|| self.evacuate(index, class))
    }

    /// Makes room for the longest piece that could not be had lately, if that is possible.
    pub(super) fn make_span(&mut self) -> Vec<Move> {
        let wanted = std::mem::take(&mut self.wanted);
        if wanted == 0 || self.empty_count < 2 * wanted {
            return Vec::new();
        }
        let movable = |page: &Page| matches!(page.used_for, Use::Nothing | Use::Pieces(_));
        let pieces = |run: &[Page]| run.iter().map(|page| usize::from(page.count)).sum::<usize>();
        let starts = (0..self.pages.len().saturating_sub(wanted - 1))
            .filter(|start| start / PAGES == (start + wanted - 1) / PAGES)
            .filter(|&start| self.pages[start..start + wanted].iter().all(movable));
        let Some(first) = starts.min_by_key(|&start| pieces(&self.pages[start..start + wanted])) else {
            return Vec::new();
        };
        // So that nothing is moved into them.
        for index in (first..first + wanted).filter(|&index| self.pages[index].used_for == Use::Nothing) {
            self.empty[index / PAGES] &= !(1 << (index % PAGES));
            self.empty_count -= 1;
        }
        let mut moves = Vec::new();
        for index in first..first + wanted {
            match self.pages[index].used_for {
                Use::Pieces(class) => {
                    moves.extend(self.evacuate(index, usize::from(class)));
                    self.empty[index / PAGES] &= !(1 << (index % PAGES));
                    self.empty_count -= usize::from(self.pages[index].used_for == Use::Nothing);
                }
                Use::Nothing | Use::Span(_) | Use::Rest => {}
            }
        }
        (first..first + wanted)
            .filter(|&index| self.pages[index].used_for == Use::Nothing)
            .collect::<Vec<_>>()
            .into_iter()
            .for_each(|index| self.set_empty(index));
        moves
    }

    /// Moves all pieces of a page elsewhere, as far as there is room.
    fn evacuate(&mut self, index: usize, class: usize) -> Vec<Move> {
        if self.pages[index].place != NO_PLACE {
            self.withdraw(index, class);
        }
        let size = class_words(class);
        let mut moves = Vec::new();
        for piece in 0..PAGE / size {
            if self.pages[index].taken[piece / 64] >> (piece % 64) & 1 != 0 {
                let Some(to) = self.allocate(size) else {
                    // There is always room for what is left: where it is.
                    self.offer(index, class);
                    return moves;
                };
                moves.push(Move { from: (index * PAGE + piece * size) as u32, to });
                self.pages[index].taken[piece / 64] &= !(1 << (piece % 64));
                self.pages[index].count -= 1;
                self.count_free(class, 1);
            }
        }
        self.abandon(index, class);
        moves
    }
}

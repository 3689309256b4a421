//! Which sprites are near: every sprite is kept in the cell of its top left corner.
//!
//! A ring of cells around the level holds what is outside. As long as no sprite reaches over its
//! cell, whoever shares a pixel with a sprite is in the same cell; as long as none reaches down,
//! it is in the same row.

use super::{NONE, Play, Rect, Slot, flag};

/// How cells are numbered: row by row, with the ring, and with a margin before and behind so that
/// the neighbours of every cell are cells.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cells {
    stride: usize,
    margin: usize,
    /// Cells are found by multiplication: 2 to the power of 40 by the block, rounded up.
    inverse: u64,
    block: i32,
    /// One past the last pixel of the ring, counted from its first.
    right: i32,
    bottom: i32,
}

const SHIFT: u32 = 40;

impl Cells {
    /// For a level of this many cells with sides of `block` pixels; `block` is below 2000, and so
    /// are the numbers of columns and rows.
    pub(crate) fn new(width: i32, height: i32, block: i32) -> Self {
        let stride = width as usize + 2;
        Self {
            stride,
            margin: stride + 1,
            inverse: (1u64 << SHIFT) / block as u64 + 1,
            block,
            right: (width + 2) * block,
            bottom: (height + 2) * block,
        }
    }

    /// How many cells there are.
    pub(crate) fn count(&self) -> usize {
        (self.bottom / self.block) as usize * self.stride + 2 * self.margin
    }

    /// The number of a column or row, and the pixels before it ends.
    #[inline]
    fn divide(&self, at: i32, end: i32) -> (usize, i32) {
        let within = at.saturating_add(self.block).clamp(0, end - 1);
        let number = (within as u64 * self.inverse) >> SHIFT;
        (number as usize, (number as i32 + 1) * self.block - within)
    }

    /// The cell of a rectangle's corner, and how it reaches over it.
    #[inline]
    fn locate(&self, rect: &Rect) -> (usize, u16) {
        let (column, left) = self.divide(rect.x, self.right);
        let (row, above) = self.divide(rect.y, self.bottom);
        let mut flags = 0;
        if rect.w > left {
            flags |= flag::REACHES_RIGHT;
        }
        if rect.h > above {
            flags |= flag::REACHES_DOWN;
        }
        (self.margin + row * self.stride + column, flags)
    }
}

/// The types in a cell, folded into one word.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mask {
    all: u64,
    /// Those that reach over the cell.
    reaching: u64,
}

/// A block of cells, both ends included.
#[derive(Clone, Copy, Debug)]
struct Block {
    /// The first cell of the first row.
    first: usize,
    columns: usize,
    rows: usize,
}

impl Play<'_> {
    pub(crate) fn enter_cell(&mut self, slot: Slot) {
        let (cell, reach) = self.level.cells.locate(&self.state.sprites[slot as usize].rect);
        self.link(slot, cell, reach);
    }

    fn link(&mut self, slot: Slot, cell: usize, reach: u16) {
        let head = std::mem::replace(&mut self.state.cells[cell], slot);
        let sprite = &mut self.state.sprites[slot as usize];
        sprite.cell = cell as u32;
        sprite.cell_next = head;
        sprite.cell_previous = NONE;
        let bit = 1 << (sprite.kind.0 & 63);
        self.state.masks[cell].all |= bit;
        if reach != 0 {
            self.state.masks[cell].reaching |= bit;
        }
        sprite.flags = sprite.flags & !(flag::REACHES_RIGHT | flag::REACHES_DOWN) | reach;
        self.state.reaching_right += u32::from(reach & flag::REACHES_RIGHT != 0);
        self.state.reaching_down += u32::from(reach & flag::REACHES_DOWN != 0);
        if head != NONE {
            self.state.sprites[head as usize].cell_previous = slot;
        }
    }

    pub(crate) fn leave_cell(&mut self, slot: Slot) {
        let sprite = &self.state.sprites[slot as usize];
        let (cell, next, previous) = (sprite.cell as usize, sprite.cell_next, sprite.cell_previous);
        self.state.reaching_right -= u32::from(sprite.is(flag::REACHES_RIGHT));
        self.state.reaching_down -= u32::from(sprite.is(flag::REACHES_DOWN));
        if next != NONE {
            self.state.sprites[next as usize].cell_previous = previous;
        }
        match previous {
            NONE => self.state.cells[cell] = next,
            previous => self.state.sprites[previous as usize].cell_next = next,
        }
        let mut mask = Mask::default();
        let mut at = self.state.cells[cell];
        while at != NONE {
            let other = &self.state.sprites[at as usize];
            let bit = 1 << (other.kind.0 & 63);
            mask.all |= bit;
            if other.is(flag::REACHES_RIGHT | flag::REACHES_DOWN) {
                mask.reaching |= bit;
            }
            at = other.cell_next;
        }
        self.state.masks[cell] = mask;
    }

    /// Puts a sprite somewhere else.
    #[inline]
    pub(crate) fn place(&mut self, slot: Slot, rect: Rect) {
        let sprite = &mut self.state.sprites[slot as usize];
        if sprite.rect == rect {
            return;
        }
        if self.rules.kind(sprite.kind).inert {
            self.state.groups[sprite.kind.number()].displaced = true;
        }
        sprite.rect = rect;
        let (cell, reach) = self.level.cells.locate(&rect);
        let reached = sprite.flags & (flag::REACHES_RIGHT | flag::REACHES_DOWN);
        if cell == sprite.cell as usize && reach == reached {
            return;
        }
        self.leave_cell(slot);
        self.link(slot, cell, reach);
    }

    /// The cells in which whoever meets the sprite has its corner.
    #[inline]
    fn around(&self, slot: Slot) -> Block {
        let sprite = &self.state.sprites[slot as usize];
        let left = usize::from(self.state.reaching_right > 0);
        let up = usize::from(self.state.reaching_down > 0);
        Block {
            first: sprite.cell as usize - left - up * self.level.cells.stride,
            columns: 1 + left + usize::from(sprite.is(flag::REACHES_RIGHT)),
            rows: 1 + up + usize::from(sprite.is(flag::REACHES_DOWN)),
        }
    }

    /// The same for any rectangle, and for levels with sprites that are larger than a cell.
    fn around_rect(&self, rect: &Rect) -> Block {
        let cells = &self.level.cells;
        let corner = |x: i32, y: i32| (cells.divide(x, cells.right).0, cells.divide(y, cells.bottom).0);
        let (left, top) = corner(
            rect.x.saturating_sub(self.level.widest - 1),
            rect.y.saturating_sub(self.level.highest - 1),
        );
        let (right, bottom) = corner(rect.right().saturating_sub(1), rect.bottom().saturating_sub(1));
        Block {
            first: cells.margin + top * cells.stride + left,
            columns: right.saturating_sub(left) + 1,
            rows: bottom.saturating_sub(top) + 1,
        }
    }

    /// Whether a sprite could meet any of the types of `bits`.
    #[inline]
    pub(crate) fn may_meet(&self, slot: Slot, bits: u64) -> bool {
        if self.level.oversized {
            return true;
        }
        let sprite = &self.state.sprites[slot as usize];
        let cell = sprite.cell as usize;
        let alone = sprite.cell_next == NONE && sprite.cell_previous == NONE;
        if !alone && self.state.masks[cell].all & bits != 0 {
            return true;
        }
        if self.state.reaching_right == 0 && self.state.reaching_down == 0 {
            return false;
        }
        let block = self.around(slot);
        (0..block.rows).any(|row| {
            let first = block.first + row * self.level.cells.stride;
            (first..first + block.columns).any(|other| other != cell && self.mask(cell, other) & bits != 0)
        })
    }

    /// The types of a cell that can meet something in another: of cells before it only those that
    /// reach over.
    #[inline]
    fn mask(&self, cell: usize, other: usize) -> u64 {
        let mask = &self.state.masks[other];
        // A cell to the right of or below this one is met by reaching over, whoever is in it; the
        // one above to the right needs both, which the sprites themselves are asked.
        if other < cell { mask.reaching } else { mask.all }
    }

    /// Appends every sprite that has a rank, is older than `limit`, is not `slot` and meets it; the
    /// number before it sorts them by rank, then by age.
    #[inline]
    pub(crate) fn gather(&self, slot: Slot, bits: u64, ranks: &[u8], limit: u32, out: &mut Vec<(u64, Slot)>) {
        let rect = self.state.sprites[slot as usize].rect;
        let block = if self.level.oversized { self.around_rect(&rect) } else { self.around(slot) };
        self.gather_block(block, slot, &rect, bits, ranks, limit, out);
    }

    /// The same for a rectangle in the sprite's place.
    pub(crate) fn gather_rect(
        &self,
        slot: Slot,
        rect: &Rect,
        bits: u64,
        ranks: &[u8],
        limit: u32,
        out: &mut Vec<(u64, Slot)>,
    ) {
        self.gather_block(self.around_rect(rect), slot, rect, bits, ranks, limit, out);
    }

    #[allow(clippy::too_many_arguments)]
    fn gather_block(
        &self,
        block: Block,
        slot: Slot,
        rect: &Rect,
        bits: u64,
        ranks: &[u8],
        limit: u32,
        out: &mut Vec<(u64, Slot)>,
    ) {
        let mut row = block.first;
        for _ in 0..block.rows {
            for cell in row..row + block.columns {
                if self.state.masks[cell].all & bits == 0 {
                    continue;
                }
                let mut at = self.state.cells[cell];
                while at != NONE {
                    let other = &self.state.sprites[at as usize];
                    let rank = ranks[other.kind.number()];
                    if rank != u8::MAX && at != slot && other.id < limit && rect.intersects(&other.rect) {
                        out.push((u64::from(rank) << 32 | u64::from(other.id), at));
                    }
                    at = other.cell_next;
                }
            }
            row += self.level.cells.stride;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_found_as_by_division_also_outside_of_the_level() {
        for block in [1, 2, 3, 10, 26, 266, 999, 1000] {
            let cells = Cells::new(7, 5, block);
            for x in -3 * block..10 * block {
                let (column, left) = cells.divide(x, cells.right);
                assert_eq!(column as i32, (x.div_euclid(block) + 1).clamp(0, 8), "{x} by {block}");
                if (-block..8 * block).contains(&x) {
                    assert_eq!(left, block - x.rem_euclid(block));
                }
            }
        }
    }
}

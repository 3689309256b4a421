//! Which sprites are near: every sprite is kept in the cell of its top left corner.
//!
//! A ring of cells around the level holds what is outside. As long as no sprite reaches over its
//! cell, whoever shares a pixel with a sprite is in the same cell.

use super::{NONE, Play, Rect, Slot, flag};

/// A block of cells, both ends included.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block {
    left: usize,
    right: usize,
    top: usize,
    bottom: usize,
}

impl Play<'_> {
    #[inline]
    fn column(&self, x: i32) -> usize {
        (x.div_euclid(self.level.block).clamp(-1, self.level.width) + 1) as usize
    }

    #[inline]
    fn row(&self, y: i32) -> usize {
        (y.div_euclid(self.level.block).clamp(-1, self.level.height) + 1) as usize
    }

    #[inline]
    fn stride(&self) -> usize {
        self.level.width as usize + 2
    }

    pub(crate) fn enter_cell(&mut self, slot: Slot) {
        let block = self.level.block;
        let rect = self.state.sprites[slot as usize].rect;
        let cell = self.row(rect.y) * self.stride() + self.column(rect.x);
        let within = rect.x.rem_euclid(block).saturating_add(rect.w) <= block
            && rect.y.rem_euclid(block).saturating_add(rect.h) <= block;
        let head = std::mem::replace(&mut self.state.cells[cell], slot);
        let sprite = &mut self.state.sprites[slot as usize];
        sprite.cell = cell as u32;
        sprite.cell_next = head;
        sprite.cell_previous = NONE;
        if within {
            sprite.flags &= !flag::OVERLAPS;
        } else {
            sprite.flags |= flag::OVERLAPS;
            self.state.overlapping += 1;
        }
        self.state.masks[cell] |= 1 << (sprite.kind.0 & 63);
        if head != NONE {
            self.state.sprites[head as usize].cell_previous = slot;
        }
    }

    pub(crate) fn leave_cell(&mut self, slot: Slot) {
        let sprite = self.state.sprites[slot as usize];
        let cell = sprite.cell as usize;
        if sprite.is(flag::OVERLAPS) {
            self.state.overlapping -= 1;
        }
        if sprite.cell_next != NONE {
            self.state.sprites[sprite.cell_next as usize].cell_previous = sprite.cell_previous;
        }
        match sprite.cell_previous {
            NONE => self.state.cells[cell] = sprite.cell_next,
            previous => self.state.sprites[previous as usize].cell_next = sprite.cell_next,
        }
        let mut mask = 0;
        let mut at = self.state.cells[cell];
        while at != NONE {
            let other = &self.state.sprites[at as usize];
            mask |= 1 << (other.kind.0 & 63);
            at = other.cell_next;
        }
        self.state.masks[cell] = mask;
    }

    /// Puts a sprite somewhere else.
    pub(crate) fn place(&mut self, slot: Slot, rect: Rect) {
        let sprite = &self.state.sprites[slot as usize];
        if sprite.rect == rect {
            return;
        }
        if self.rules.kind(sprite.kind).inert {
            self.state.groups[sprite.kind.number()].displaced = true;
        }
        self.leave_cell(slot);
        self.state.sprites[slot as usize].rect = rect;
        self.enter_cell(slot);
    }

    /// The cells in which whoever meets the rectangle has its corner.
    #[inline]
    pub(crate) fn around(&self, rect: &Rect) -> Block {
        Block {
            left: self.column(rect.x.saturating_sub(self.level.widest - 1)),
            right: self.column(rect.right().saturating_sub(1)),
            top: self.row(rect.y.saturating_sub(self.level.highest - 1)),
            bottom: self.row(rect.bottom().saturating_sub(1)),
        }
    }

    /// Appends every sprite of the block that has a rank, is older than `limit`, is not `slot` and
    /// meets `rect`; the number before it sorts them by rank, then by age.
    pub(crate) fn gather(
        &self,
        slot: Slot,
        rect: &Rect,
        bits: u64,
        ranks: &[u8],
        limit: u32,
        out: &mut Vec<(u64, Slot)>,
    ) {
        let alone = self.state.overlapping == 0 && !self.state.sprites[slot as usize].is(flag::OVERLAPS);
        if alone && *rect == self.state.sprites[slot as usize].rect {
            let cell = self.state.sprites[slot as usize].cell as usize;
            if self.state.masks[cell] & bits != 0 {
                self.gather_cell(cell, slot, rect, ranks, limit, out);
            }
            return;
        }
        let block = self.around(rect);
        for row in block.top..=block.bottom {
            for column in block.left..=block.right {
                let cell = row * self.stride() + column;
                if self.state.masks[cell] & bits != 0 {
                    self.gather_cell(cell, slot, rect, ranks, limit, out);
                }
            }
        }
    }

    fn gather_cell(
        &self,
        cell: usize,
        slot: Slot,
        rect: &Rect,
        ranks: &[u8],
        limit: u32,
        out: &mut Vec<(u64, Slot)>,
    ) {
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
}

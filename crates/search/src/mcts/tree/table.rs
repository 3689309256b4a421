//! Which node stands for a position: a table of node numbers.
//!
//! Positions are compared in full; part of the hash beside the number spares most comparisons. The table
//! grows bucket by bucket (linear hashing, Litwin 1980), so that growing never takes long. A position is
//! looked for in one bucket only; where that is full it is not entered, and found by nobody. The entries of
//! a bucket are at its beginning, without gaps.

use super::NodeId;
use super::words::Words;
use crate::sync::{AtomicU64, Ordering};

/// Places of a bucket: two cache lines.
const PLACES: usize = 16;

/// Places for each node at least.
const ROOM: usize = 2;

/// Buckets of a chunk: a large page of memory, which is used little by little.
const CHUNK: usize = if cfg!(test) { 8 } else { 1 << 14 };

/// Buckets at first.
const FIRST: usize = if cfg!(test) { 8 } else { 1 << 11 };

/// Finds nodes by the hash of their position.
#[derive(Debug)]
pub(crate) struct Table {
    chunks: Vec<Words>,
    /// The buckets when it had last doubled: a power of two.
    doubled: usize,
    /// How many of these have been split since.
    split: usize,
}

/// The part of a hash that is kept in the table, which also says in which bucket it belongs.
fn tag(hash: u64) -> usize {
    (hash >> 32) as usize
}

impl Table {
    pub(crate) fn new() -> Self {
        Self { chunks: vec![Words::after(&[], CHUNK * PLACES)], doubled: FIRST, split: 0 }
    }

    /// How many nodes fit.
    pub(crate) fn room(&self) -> usize {
        (self.doubled + self.split) * PLACES / ROOM
    }

    pub(crate) fn bytes(&self) -> usize {
        (self.doubled + self.split) * PLACES * 8
    }

    /// The bytes that it will have when it has grown to have room for some nodes.
    pub(crate) fn bytes_for(nodes: usize) -> usize {
        (nodes * ROOM).div_ceil(PLACES).max(FIRST) * PLACES * 8
    }

    #[inline]
    fn bucket_of(&self, tag: usize) -> usize {
        let bucket = tag & (self.doubled - 1);
        if bucket < self.split { tag & (2 * self.doubled - 1) } else { bucket }
    }

    #[inline]
    fn places(&self, bucket: usize) -> &[AtomicU64] {
        self.chunks[bucket / CHUNK].get(bucket % CHUNK * PLACES, PLACES)
    }

    /// What is at two places where a position is looked for, one of each cache line.
    #[inline]
    pub(crate) fn look(&self, hash: u64) -> u64 {
        let places = self.places(self.bucket_of(tag(hash)));
        places[0].load(Ordering::Relaxed) ^ places[PLACES / 2].load(Ordering::Relaxed)
    }

    /// Finds the node of a position. `same` compares positions.
    #[cfg(test)]
    pub(crate) fn find(&self, hash: u64, mut same: impl FnMut(NodeId) -> bool) -> Option<NodeId> {
        for place in self.places(self.bucket_of(tag(hash))) {
            let found = place.load(Ordering::Acquire);
            if found == 0 {
                return None;
            }
            if found >> 32 == hash >> 32 && same(NodeId(found as u32)) {
                return Some(NodeId(found as u32));
            }
        }
        None
    }

    /// Finds the node of a position, or enters `new` for it. Entries are taken away only when nobody else
    /// is at work: so two threads that enter the same position try the same place, and one finds what
    /// the other entered.
    pub(crate) fn find_or_insert(
        &self,
        hash: u64,
        new: NodeId,
        mut same: impl FnMut(NodeId) -> bool,
    ) -> Option<NodeId> {
        let entry = hash & !0xffff_ffff | u64::from(new.0);
        for place in self.places(self.bucket_of(tag(hash))) {
            let mut found = place.load(Ordering::Acquire);
            if found == 0 {
                match place.compare_exchange(0, entry, Ordering::Release, Ordering::Acquire) {
                    Ok(_) => return None,
                    Err(now) => found = now,
                }
            }
            if found >> 32 == hash >> 32 && same(NodeId(found as u32)) {
                return Some(NodeId(found as u32));
            }
        }
        None
    }

    /// Takes a node out, if it was entered.
    pub(crate) fn remove(&mut self, hash: u64, id: NodeId) {
        let entry = hash & !0xffff_ffff | u64::from(id.0);
        let places = self.places(self.bucket_of(tag(hash)));
        let count = places.iter().take_while(|place| place.load(Ordering::Relaxed) != 0).count();
        let entered = places[..count].iter().find(|place| place.load(Ordering::Relaxed) == entry);
        if let Some(place) = entered {
            // The last one fills the gap.
            let last = &places[count - 1];
            place.store(last.load(Ordering::Relaxed), Ordering::Relaxed);
            last.store(0, Ordering::Relaxed);
        }
    }

    /// Shows all nodes that were entered, and their part of the hash.
    #[cfg(test)]
    pub(super) fn check(&self, mut look: impl FnMut(NodeId, u64)) {
        for bucket in 0..self.doubled + self.split {
            let mut gap = false;
            for entry in self.places(bucket).iter().map(|place| place.load(Ordering::Relaxed)) {
                gap |= entry == 0;
                if entry != 0 {
                    assert!(!gap, "entries have no gaps between them");
                    assert_eq!(self.bucket_of(tag(entry)), bucket);
                    look(NodeId(entry as u32), entry >> 32);
                }
            }
        }
    }

    /// Makes room for some more nodes: one bucket becomes two.
    pub(crate) fn grow(&mut self) {
        let (from, to) = (self.split, self.doubled + self.split);
        if to / CHUNK == self.chunks.len() {
            self.chunks.push(Words::after(&self.chunks, CHUNK * PLACES));
        }
        let (old, new) = (self.places(from), self.places(to));
        let (mut stay, mut go) = (old.iter(), new.iter());
        for place in old {
            let entry = place.load(Ordering::Relaxed);
            place.store(0, Ordering::Relaxed);
            let target = if tag(entry) & self.doubled == 0 { stay.next() } else { go.next() };
            // There are as many places as entries.
            if let Some(target) = target.filter(|_| entry != 0) {
                target.store(entry, Ordering::Relaxed);
            }
        }
        self.split += 1;
        if self.split == self.doubled {
            (self.doubled, self.split) = (2 * self.doubled, 0);
        }
    }

    /// Forgets everything; the memory is kept.
    pub(crate) fn clear(&mut self) {
        for bucket in 0..self.doubled + self.split {
            self.places(bucket).iter().for_each(|place| place.store(0, Ordering::Relaxed));
        }
        (self.doubled, self.split) = (FIRST, 0);
    }
}

#[cfg(test)]
mod tests {
    use game::Dice;

    use super::*;

    #[test]
    fn what_is_entered_is_found_until_it_is_taken_out() {
        crate::sync::tried(enter_and_take_out);
    }

    fn enter_and_take_out() {
        let mut table = Table::new();
        let mut dice = Dice::new(3);
        let mut hashes: Vec<u64> = vec![0];
        let mut entered = 0;
        for id in 1..200u32 {
            while table.room() < id as usize {
                table.grow();
            }
            hashes.push(dice.bits());
            let hash = hashes[id as usize];
            assert_eq!(table.find_or_insert(hash, NodeId(id), |_| true), None);
            entered += u32::from(table.find(hash, |_| true) == Some(NodeId(id)));
            if id % 3 == 0 {
                table.remove(hashes[id as usize / 2], NodeId(id / 2));
                assert_eq!(table.find(hashes[id as usize / 2], |_| true), None);
            }
        }
        assert!(entered > 190, "hardly a bucket is full: {entered}");
        let found = |id: &u32| table.find(hashes[*id as usize], |_| true) == Some(NodeId(*id));
        assert!((100..200).filter(found).count() > 90);
        table.clear();
        assert!(hashes.iter().all(|&hash| table.find(hash, |_| true).is_none()));
    }

    #[test]
    fn positions_of_the_same_hash_are_told_apart() {
        crate::sync::tried(tell_apart);
    }

    fn tell_apart() {
        let table = Table::new();
        let hash = 5 << 40 | 7;
        assert_eq!(table.find_or_insert(hash, NodeId(1), |_| true), None);
        assert_eq!(table.find_or_insert(hash, NodeId(2), |_| false), None);
        assert_eq!(table.find_or_insert(hash, NodeId(3), |id| id == NodeId(2)), Some(NodeId(2)));
        assert_eq!(table.find(hash, |id| id == NodeId(1)), Some(NodeId(1)));
    }
}

//! Where joint moves lead when several roles have a choice.
//!
//! The links of a node are a small hash table in a piece of memory of their own, which its block knows.
//! A joint move is known by one number. They are read and changed by who holds the node, or by who is
//! alone.
//!
//! ```text
//! owner and capacity | how many | joint move, child, bounds | joint move, child, bounds | ...
//! ```

use super::block::Shape;
use super::bounds::Bounds;
use super::node_lock::NodeLock;
use super::{Link, NodeId};
use crate::sync::{AtomicU64, Ordering};

const OWNER: usize = 0;
const CAPACITY_SHIFT: u32 = 32;
const CAPACITY: u64 = 0x3fff_ffff;
/// Said in the first word of a piece that has links, not moves.
const ARE_LINKS: u64 = 1 << 62;
const COUNT: usize = 1;
const FIRST: usize = 2;

/// Links that there is room for at first.
pub(super) const FEWEST: usize = 4;

/// Bounds of so many roles in a word.
const BOUNDS_A_WORD: usize = 4;

/// The words of a link.
fn stride(shape: Shape) -> usize {
    2 + shape.roles.div_ceil(BOUNDS_A_WORD)
}

const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// The number of a joint move, given the place of each role's move and how many it has: none if there are
/// more joint moves than numbers. Such a joint move is never linked.
pub(crate) fn joint_number(moves: impl Iterator<Item = (usize, usize)>) -> Option<u64> {
    // Zero is for "none".
    let number = |number: u64, (place, count): (usize, usize)| {
        number.checked_mul(count as u64)?.checked_add(place as u64)
    };
    let mut moves = moves;
    moves.try_fold(0, number)?.checked_add(1)
}

/// Whether a piece has links, by its first word.
pub(super) fn are_links(first: u64) -> bool {
    first & ARE_LINKS != 0
}

/// The links of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Links<'a> {
    words: &'a [AtomicU64],
    /// Words of a link.
    stride: usize,
    capacity: usize,
}

impl<'a> Links<'a> {
    /// The words for so many links; a power of two.
    pub(super) fn words_for(shape: Shape, capacity: usize) -> usize {
        FIRST + capacity * stride(shape)
    }

    /// Writes a table without links.
    pub(super) fn write(words: &'a [AtomicU64], shape: Shape, owner: NodeId, capacity: usize) -> Self {
        let first = u64::from(owner.0) | (capacity as u64) << CAPACITY_SHIFT | ARE_LINKS;
        let words = &words[..Self::words_for(shape, capacity)];
        words.iter().for_each(|word| word.store(0, Ordering::Relaxed));
        words[OWNER].store(first, Ordering::Relaxed);
        Self::new(words, shape)
    }

    /// The links at the beginning of some words.
    pub(super) fn new(words: &'a [AtomicU64], shape: Shape) -> Self {
        let capacity = (words[OWNER].load(Ordering::Relaxed) >> CAPACITY_SHIFT & CAPACITY) as usize;
        Self { words, stride: stride(shape), capacity }
    }

    pub(super) fn capacity(&self) -> usize {
        self.capacity
    }

    /// Whether one more should go to a larger table.
    pub(super) fn is_full(&self) -> bool {
        self.count() * 4 >= self.capacity * 3
    }

    fn count(&self) -> usize {
        self.words[COUNT].load(Ordering::Relaxed) as usize
    }

    fn at(&self, place: usize) -> JointLink<'a> {
        let first = FIRST + place * self.stride;
        JointLink(&self.words[first..first + self.stride])
    }

    fn home(&self, number: u64) -> usize {
        (number.wrapping_mul(SPREAD) >> 32) as usize & (self.capacity - 1)
    }

    pub(super) fn find(&self, number: u64) -> Option<JointLink<'a>> {
        let home = self.home(number);
        for step in 0..self.capacity {
            let link = self.at((home + step) & (self.capacity - 1));
            match link.number() {
                0 => return None,
                found if found == number => return Some(link),
                _ => {}
            }
        }
        None
    }

    /// Makes a link for a joint move that has none. Without room it takes the place of another.
    pub(super) fn insert(&self, number: u64) -> JointLink<'a> {
        let home = self.home(number);
        let places = (0..self.capacity).map(|step| self.at((home + step) & (self.capacity - 1)));
        let free = places.into_iter().find(|link| link.number() == 0);
        if free.is_some() {
            self.words[COUNT].store(self.count() as u64 + 1, Ordering::Relaxed);
        }
        let link = free.unwrap_or_else(|| self.at(home));
        link.0.iter().for_each(|word| word.store(0, Ordering::Relaxed));
        link.0[0].store(number, Ordering::Relaxed);
        link
    }

    /// All links there are.
    pub(super) fn all(self) -> impl Iterator<Item = JointLink<'a>> {
        (0..self.capacity).map(move |place| self.at(place)).filter(|link| link.number() != 0)
    }

    /// Copies all links to a larger table.
    pub(super) fn copy_to(self, larger: &Links<'_>) {
        for link in self.all() {
            let new = larger.insert(link.number());
            for (new, old) in new.0.iter().zip(link.0) {
                new.store(old.load(Ordering::Relaxed), Ordering::Relaxed);
            }
        }
    }
}

/// Where one joint move leads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JointLink<'a>(&'a [AtomicU64]);

impl JointLink<'_> {
    fn number(self) -> u64 {
        self.0[0].load(Ordering::Relaxed)
    }

    /// The place of each role's move, given how many each has: what [`joint_number`] was made of.
    pub(super) fn places(self, counts: &[usize]) -> Vec<usize> {
        let mut rest = self.number().saturating_sub(1);
        let mut places: Vec<usize> = Vec::with_capacity(counts.len());
        for &count in counts.iter().rev() {
            places.push((rest % count.max(1) as u64) as usize);
            rest /= count.max(1) as u64;
        }
        places.reverse();
        places
    }

    pub(crate) fn link(self) -> Option<Link> {
        Link::unpack(self.0[1].load(Ordering::Relaxed))
    }

    pub(crate) fn set_link(self, link: Link, _lock: &NodeLock<'_>) {
        self.0[1].store(link.pack(), Ordering::Relaxed);
    }

    /// What was proven of a role's goal behind it, when that was looked at last.
    pub(crate) fn bounds(self, role: usize) -> Bounds {
        let word = self.0[2 + role / BOUNDS_A_WORD].load(Ordering::Relaxed);
        Bounds::unpack((word >> (16 * (role % BOUNDS_A_WORD))) as u16)
    }

    /// Remembers what is proven of a role's goal behind it.
    pub(crate) fn set_bounds(self, role: usize, bounds: Bounds, _lock: &NodeLock<'_>) {
        let (word, shift) = (&self.0[2 + role / BOUNDS_A_WORD], 16 * (role % BOUNDS_A_WORD));
        let old = word.load(Ordering::Relaxed) & !(0xffff << shift);
        word.store(old | u64::from(bounds.pack()) << shift, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::super::Kept;
    use super::*;
    use crate::sync::Memory;

    #[test]
    fn joint_moves_have_numbers() {
        let mut numbers: Vec<_> =
            (0..3).flat_map(|a| (0..4).map(move |b| joint_number([(a, 3), (b, 4)].into_iter()))).collect();
        assert!(numbers.iter().all(|number| number.is_some_and(|number| number > 0)));
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), 12);
        assert_eq!(joint_number((0..70).map(|_| (1, 2))), None);
        assert_eq!(joint_number((0..64).map(|_| (1, 2))), None);
    }

    #[test]
    fn links_are_found_again() {
        crate::sync::tried(find_again);
    }

    fn find_again() {
        let shape = Shape::new(3, Kept::default());
        let mut memory = Memory::zeroed(Links::words_for(shape, FEWEST));
        let mut capacity = FEWEST;
        Links::write(&memory, shape, NodeId(9), capacity);
        for number in 1..40 {
            let links = Links::new(&memory, shape);
            assert!(links.find(number).is_none());
            if links.is_full() {
                capacity *= 2;
                let larger = Memory::zeroed(Links::words_for(shape, capacity));
                links.copy_to(&Links::write(&larger, shape, NodeId(9), capacity));
                memory = larger;
            }
            Links::new(&memory, shape).insert(number);
        }
        let links = Links::new(&memory, shape);
        assert!((1..40).all(|number| links.find(number).is_some()));
        assert_eq!(links.all().count(), 39);
        // Where there is no more room another one is forgotten.
        (40..100).for_each(|number| assert!(links.insert(number).link().is_none()));
        assert!(links.find(99).is_some() && links.all().count() == capacity);
    }
}

//! What proof-number search remembers of positions, in a bounded piece of memory that is taken bit by bit.

use std::hash::{BuildHasher, Hash};

use rustc_hash::FxBuildHasher;

/// Positions that share a place: the one with the least work behind it makes way.
const WAYS: usize = 4;

/// Positions of a segment. Segments are made when they are first needed, so that nobody waits for memory.
const SEGMENT: usize = 256;

/// So hard that it is done with: what stands for infinity.
pub(super) const INFINITE: u32 = u32::MAX / 4;

/// How hard it is to prove that the attacker wins, and that it does not: the least number of positions that
/// would have to turn out well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numbers {
    pub(super) proof: u32,
    pub(super) disproof: u32,
    /// Steps to the win, where it is proven.
    pub(super) steps: u32,
}

impl Numbers {
    pub(super) fn proven(steps: u32) -> Self {
        Self { proof: 0, disproof: INFINITE, steps }
    }

    pub(super) const DISPROVEN: Self = Self { proof: INFINITE, disproof: 0, steps: 0 };
}

#[derive(Clone, Debug)]
struct Slot<State> {
    state: State,
    numbers: Numbers,
    work: u32,
}

type Segment<State> = Box<[Option<Slot<State>>]>;

/// A table of positions.
#[derive(Debug)]
pub(super) struct Table<State> {
    segments: Vec<Option<Segment<State>>>,
}

impl<State: Eq + Hash> Table<State> {
    /// A table of so many bytes, if a state holds some besides its own size.
    pub(super) fn new(bytes: usize, state_bytes: usize) -> Self {
        let segment = SEGMENT * (size_of::<Option<Slot<State>>>() + state_bytes);
        let count = (bytes / segment).max(1);
        Self { segments: (0..1usize << count.ilog2()).map(|_| None).collect() }
    }

    /// The segment of a state and the first of its places there.
    fn place(&self, state: &State) -> (usize, usize) {
        let hash = FxBuildHasher.hash_one(state).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let segment = (hash >> 32) as usize & (self.segments.len() - 1);
        (segment, (hash >> 20) as usize % (SEGMENT / WAYS) * WAYS)
    }

    /// What is known of a state.
    pub(super) fn get(&self, state: &State) -> Option<Numbers> {
        let (segment, first) = self.place(state);
        let slots = &self.segments[segment].as_ref()?[first..first + WAYS];
        slots.iter().flatten().find(|slot| slot.state == *state).map(|slot| slot.numbers)
    }

    /// Remembers a state, after so much work on it.
    pub(super) fn set(&mut self, state: State, numbers: Numbers, work: u32) {
        let (segment, first) = self.place(&state);
        let segment = self.segments[segment].get_or_insert_with(|| (0..SEGMENT).map(|_| None).collect());
        let slots = &mut segment[first..first + WAYS];
        let known = slots.iter().position(|slot| slot.as_ref().is_some_and(|slot| slot.state == state));
        let work_of = |slot: &Option<Slot<State>>| slot.as_ref().map_or(0, |slot| slot.work);
        let least = (0..WAYS).min_by_key(|&way| work_of(&slots[way])).unwrap_or(0);
        let way = known.unwrap_or(least);
        let before = if known.is_some() { work_of(&slots[way]) } else { 0 };
        slots[way] = Some(Slot { state, numbers, work: before.saturating_add(work.max(1)) });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn much_work_is_kept_and_memory_is_bounded() {
        let mut table: Table<u64> = Table::new(1 << 16, 0);
        let numbers = |proof| Numbers { proof, disproof: 7, steps: 0 };
        table.set(5, numbers(3), 1000);
        for state in 100..100_000 {
            table.set(state, numbers(1), 1);
        }
        assert_eq!(table.get(&5), Some(numbers(3)));
        assert_eq!(table.get(&6), None);
        let slots: usize = table.segments.iter().flatten().map(|segment| segment.len()).sum();
        assert!(slots * size_of::<Option<Slot<u64>>>() <= 1 << 16);
        table.set(5, numbers(2), 1);
        assert_eq!(table.get(&5), Some(numbers(2)));
    }
}

//! What is remembered of positions, in a bounded piece of memory that is taken bit by bit and shared by threads.
//!
//! A position is compared in full: two with the same hash never take each other's place in a proof.

use std::hash::{BuildHasher, Hash};
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};

use game::RoleId;
use parking_lot::Mutex;
use rustc_hash::FxBuildHasher;

use crate::value::Proven;

/// Positions that share a place.
const WAYS: usize = 4;

/// Positions of a segment. Segments are made when they are first needed, so that nobody waits for memory.
const SEGMENT: usize = 256;

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Entry {
    /// Bounds of its worth to this depth.
    pub(crate) lower: f64,
    pub(crate) upper: f64,
    pub(crate) depth: u16,
    pub(crate) proven: Proven,
    /// The places of the role's best move and of the best reply to it.
    pub(crate) best: (u16, u16),
}

/// Which position of whose view, and where it belongs.
#[derive(Debug)]
pub(crate) struct Key<'a, State> {
    state: &'a State,
    role: RoleId,
    hash: u64,
}

impl<State> Clone for Key<'_, State> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<State> Copy for Key<'_, State> {}

#[derive(Clone, Debug)]
struct Slot<State> {
    state: State,
    role: RoleId,
    /// When it was written: old ones make way.
    age: u8,
    /// Which evaluator the bounds rest on.
    epoch: u8,
    entry: Entry,
}

type Segment<State> = Box<[Option<Slot<State>>]>;

/// A table of positions.
#[derive(Debug)]
pub(crate) struct Table<State> {
    segments: Vec<Mutex<Option<Segment<State>>>>,
    age: AtomicU8,
    epoch: AtomicU8,
    count: AtomicUsize,
    /// Bytes of a position.
    position_bytes: usize,
}

impl<State: Eq + Hash + Clone> Table<State> {
    /// A table of so many bytes, if a state holds some besides its own size.
    pub(crate) fn new(bytes: usize, state_bytes: usize) -> Self {
        let position_bytes = size_of::<Option<Slot<State>>>() + state_bytes;
        let count = (bytes / (SEGMENT * position_bytes)).max(1);
        Self {
            segments: (0..1usize << count.ilog2()).map(|_| Mutex::new(None)).collect(),
            age: AtomicU8::new(0),
            epoch: AtomicU8::new(0),
            count: AtomicUsize::new(0),
            position_bytes,
        }
    }

    /// Where a position belongs.
    pub(crate) fn key<'a>(&self, state: &'a State, role: RoleId) -> Key<'a, State> {
        let hash = FxBuildHasher.hash_one(state).wrapping_add(u64::from(role.0));
        Key { state, role, hash: hash.wrapping_mul(0x9E37_79B9_7F4A_7C15) }
    }

    fn place(&self, key: Key<'_, State>) -> (&Mutex<Option<Segment<State>>>, usize) {
        let segment = (key.hash >> 32) as usize & (self.segments.len() - 1);
        (&self.segments[segment], (key.hash >> 20) as usize % (SEGMENT / WAYS) * WAYS)
    }

    /// What is known of a position.
    pub(crate) fn get(&self, key: Key<'_, State>) -> Option<Entry> {
        let (segment, first) = self.place(key);
        let segment = segment.lock();
        let slots = &segment.as_ref()?[first..first + WAYS];
        let slot = slots.iter().flatten().find(|slot| slot.role == key.role && slot.state == *key.state)?;
        let mut entry = slot.entry;
        if slot.epoch != self.epoch.load(Ordering::Relaxed) && !entry.proven.is_settled() {
            // The bounds rest on another evaluator.
            entry = Entry { lower: f64::NEG_INFINITY, upper: f64::INFINITY, depth: 0, ..entry };
        }
        Some(entry)
    }

    /// Remembers a position: bounds of the same depth are put together, and proofs always.
    pub(crate) fn set(&self, key: Key<'_, State>, entry: Entry) {
        let (age, epoch) = (self.age.load(Ordering::Relaxed), self.epoch.load(Ordering::Relaxed));
        let (segment, first) = self.place(key);
        let mut segment = segment.lock();
        let segment = segment.get_or_insert_with(|| (0..SEGMENT).map(|_| None).collect());
        let slots = &mut segment[first..first + WAYS];
        let is_it = |slot: &Slot<State>| slot.role == key.role && slot.state == *key.state;
        if let Some(slot) = slots.iter_mut().flatten().find(|slot| is_it(slot)) {
            let known = &mut slot.entry;
            let proven = known.proven.both(entry.proven);
            if slot.epoch == epoch && known.depth == entry.depth {
                let (lower, upper) = (known.lower.max(entry.lower), known.upper.min(entry.upper));
                // Where they contradict each other the newer ones count.
                let agrees = lower <= upper;
                let (lower, upper) = if agrees { (lower, upper) } else { (entry.lower, entry.upper) };
                *known = Entry { lower, upper, ..entry };
            } else if slot.epoch != epoch || known.depth < entry.depth || entry.proven.is_settled() {
                *known = entry;
            }
            slot.entry.proven = proven;
            (slot.age, slot.epoch) = (age, epoch);
            return;
        }
        // The least deep one makes way, and old ones before new ones.
        let worth = |slot: &Option<Slot<State>>| match slot {
            None => 0,
            Some(slot) => 1 + u32::from(slot.entry.depth) + (u32::from(slot.age == age) << 16),
        };
        let Some(slot) = slots.iter_mut().min_by_key(|slot| worth(slot)) else { return };
        match slot {
            Some(slot) => {
                // The memory of the state is used again.
                slot.state.clone_from(key.state);
                (slot.role, slot.age, slot.epoch, slot.entry) = (key.role, age, epoch, entry);
            }
            None => {
                self.count.fetch_add(1, Ordering::Relaxed);
                *slot = Some(Slot { state: key.state.clone(), role: key.role, age, epoch, entry });
            }
        }
    }

    /// What was written so far is old.
    pub(crate) fn grow_old(&self) {
        self.age.fetch_add(1, Ordering::Relaxed);
    }

    /// Another evaluator is asked from now on: only what is proven stays.
    pub(crate) fn forget_estimates(&self) {
        self.epoch.fetch_add(1, Ordering::Relaxed);
    }

    /// Positions in it.
    pub(crate) fn len(&self) -> usize {
        self.count.load(Ordering::Relaxed)
    }

    /// Bytes in use, about.
    pub(crate) fn bytes(&self) -> usize {
        self.len() * self.position_bytes
    }
}

#[cfg(test)]
mod tests {
    use game::Goal;

    use super::*;

    fn entry(lower: f64, upper: f64, depth: u16) -> Entry {
        Entry { lower, upper, depth, proven: Proven::NOTHING, best: (0, 0) }
    }

    const ROLE: RoleId = RoleId(0);

    /// A state that hashes like every other one.
    #[derive(Clone, Debug, PartialEq, Eq)]
    struct Alike(u32);

    impl Hash for Alike {
        fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
            state.write_u32(1);
        }
    }

    #[test]
    fn positions_of_one_hash_are_told_apart() {
        let table: Table<Alike> = Table::new(1 << 16, 0);
        let won = Entry { proven: Proven::exactly(Goal(100)), ..entry(1.0, 1.0, 3) };
        table.set(table.key(&Alike(1), ROLE), won);
        assert_eq!(table.get(table.key(&Alike(2), ROLE)), None);
        for number in 2..100 {
            table.set(table.key(&Alike(number), ROLE), entry(0.0, 0.0, 1));
            assert!(
                table.get(table.key(&Alike(number), ROLE)).is_some_and(|entry| !entry.proven.is_settled())
            );
        }
        assert_eq!(table.get(table.key(&Alike(1), ROLE)), Some(won), "what is deep stays");
        assert_eq!(table.get(table.key(&Alike(1), RoleId(1))), None, "each role has its own view");
    }

    #[test]
    fn memory_is_bounded_and_used_again() {
        let table: Table<u64> = Table::new(1 << 16, 0);
        for state in 0..100_000u64 {
            table.set(table.key(&state, ROLE), entry(0.2, 0.3, 1));
        }
        assert!(table.bytes() <= 1 << 16 && table.len() > 200, "{}", table.bytes());
    }

    #[test]
    fn old_positions_make_way() {
        let table: Table<Alike> = Table::new(1 << 16, 0);
        (0..4).for_each(|number| table.set(table.key(&Alike(number), ROLE), entry(0.0, 1.0, 9)));
        table.grow_old();
        (4..8).for_each(|number| table.set(table.key(&Alike(number), ROLE), entry(0.0, 1.0, 1)));
        assert!((0..4).all(|number| table.get(table.key(&Alike(number), ROLE)).is_none()));
        assert!((4..8).all(|number| table.get(table.key(&Alike(number), ROLE)).is_some()));
    }

    #[test]
    fn bounds_of_one_depth_are_put_together_and_proofs_outlive_evaluators() {
        let table: Table<u64> = Table::new(1 << 16, 0);
        let key = table.key(&5, ROLE);
        table.set(key, entry(0.2, f64::INFINITY, 4));
        let sure = Proven { least: Goal(50), most: Goal(100) };
        table.set(key, Entry { proven: sure, ..entry(f64::NEG_INFINITY, 0.7, 4) });
        assert_eq!(table.get(key), Some(Entry { proven: sure, ..entry(0.2, 0.7, 4) }));
        table.set(key, entry(0.6, 0.6, 2));
        assert_eq!(
            table.get(key),
            Some(Entry { proven: sure, ..entry(0.2, 0.7, 4) }),
            "the deeper one stays"
        );
        table.forget_estimates();
        let known = table.get(key).expect("an entry");
        assert_eq!((known.depth, known.proven), (0, sure));
        table.set(key, entry(0.6, 0.6, 2));
        assert_eq!(table.get(key), Some(Entry { proven: sure, ..entry(0.6, 0.6, 2) }));
    }
}

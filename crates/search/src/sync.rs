//! Where the shared tree takes its atomics and locks from. A test that tries out interleavings puts others in
//! their place.

use std::ops::Deref;

use memmap2::{MmapMut, MmapRaw};

pub(crate) use parking_lot::Mutex;
pub(crate) use std::sync::atomic::{AtomicU32, AtomicU64, Ordering, fence};

/// Waits a moment for another thread; longer when it was in vain before.
pub(crate) fn pause(tries: u32) {
    // Who holds something does so for a fraction of a microsecond, unless it was put to sleep.
    if tries < 100 { std::hint::spin_loop() } else { std::thread::yield_now() }
}

/// Asks for the cache line of a word that will be changed soon, without waiting for it.
///
/// A line that another processor has changed is fetched once this way, to be owned; reading it first
/// would fetch it twice.
#[inline]
#[allow(unsafe_code)] // There is no other way to ask; nothing is read or written.
pub(crate) fn fetch(word: &AtomicU64) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: a hint that changes no register, no flag and no memory, and where a processor does not
    // know it, it does nothing.
    unsafe {
        std::arch::asm!(
            "prefetchw [{place}]",
            place = in(reg) std::ptr::from_ref(word),
            options(nostack, preserves_flags, readonly),
        );
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = word;
}

/// Words that many threads read and change; zeros at first.
pub(crate) struct Memory {
    words: *mut [AtomicU64],
    /// Where they are, if not where the allocator puts things.
    mapping: Option<MmapRaw>,
}

/// Large pages of memory have so many bytes, where there are any.
const LARGE_PAGE: usize = 2 << 20;

impl Memory {
    /// Memory comes from the system as it is first used, so that many zeros take no time.
    pub(crate) fn zeroed(count: usize) -> Self {
        // An atomic number has the size, the alignment and the valid values of the plain one (the assertion
        // below has the alignment, which is not promised).
        let words = Box::into_raw(vec![0u64; count].into_boxed_slice()) as *mut [AtomicU64];
        Self { words, mapping: None }
    }

    /// In large pages if the system has them: what is read here and there is then found sooner. It comes
    /// from the system in such pages, so it should be used from the beginning to the end.
    pub(crate) fn in_large_pages(count: usize) -> Self {
        let bytes = count * size_of::<AtomicU64>();
        if bytes < LARGE_PAGE {
            return Self::zeroed(count);
        }
        let Ok(mapping) = MmapMut::map_anon(bytes + LARGE_PAGE).map(MmapRaw::from) else {
            return Self::zeroed(count);
        };
        let skipped = mapping.as_ptr().align_offset(LARGE_PAGE).min(LARGE_PAGE);
        #[cfg(target_os = "linux")]
        // Without them it works as well.
        let _ = mapping.advise_range(memmap2::Advice::HugePage, skipped, bytes);
        let first = mapping.as_mut_ptr().wrapping_add(skipped).cast::<AtomicU64>();
        Self { words: std::ptr::slice_from_raw_parts_mut(first, count), mapping: Some(mapping) }
    }
}

impl Deref for Memory {
    type Target = [AtomicU64];

    #[inline]
    #[allow(unsafe_code)] // The words are not in a box, as large pages are not the allocator's.
    fn deref(&self) -> &[AtomicU64] {
        // SAFETY: the words are those of a box that was turned into a pointer, or inside a mapping of zeros,
        // aligned and not longer than it is. Both are ours as long as this value, and nobody has a mutable
        // reference to them.
        unsafe { &*self.words }
    }
}

impl Drop for Memory {
    #[allow(unsafe_code)]
    fn drop(&mut self) {
        if self.mapping.is_none() {
            // SAFETY: it was a box of plain numbers of the same layout, and nobody else has it.
            drop(unsafe { Box::from_raw(self.words as *mut [u64]) });
        }
    }
}

// SAFETY: all that is reached by the pointer are atomic numbers that this value alone owns.
#[allow(unsafe_code)]
unsafe impl Send for Memory {}
#[allow(unsafe_code)]
// SAFETY: as above.
unsafe impl Sync for Memory {}

impl std::fmt::Debug for Memory {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{} words", self.len())
    }
}

const _: () = assert!(align_of::<AtomicU64>() == align_of::<u64>());

/// Runs a test of shared memory: here as it is, elsewhere under many interleavings.
#[cfg(test)]
pub(crate) fn tried(test: fn()) {
    test();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_zero_and_keeps_what_is_stored() {
        let large = LARGE_PAGE / size_of::<AtomicU64>();
        for count in [1, 100, large - 1, large, large + 15, 3 * large] {
            for memory in [Memory::zeroed(count), Memory::in_large_pages(count)] {
                assert_eq!(memory.len(), count);
                assert!(memory.iter().all(|word| word.load(Ordering::Relaxed) == 0));
                memory[count - 1].store(7, Ordering::Relaxed);
                std::thread::scope(|scope| {
                    scope.spawn(|| memory[0].fetch_add(2, Ordering::Relaxed));
                });
                let sum: u64 = memory.iter().map(|word| word.load(Ordering::Relaxed)).sum();
                assert_eq!(sum, 9);
            }
        }
    }
}

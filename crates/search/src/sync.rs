//! Where the shared tree takes its atomics and locks from. A test that tries out interleavings puts others in
//! their place.

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

/// So many zeros. Memory comes from the system as it is first used, so that many take no time.
#[allow(unsafe_code)] // There is no other way to have them from the system without writing them.
pub(crate) fn zeroed(count: usize) -> Box<[AtomicU64]> {
    let zeros = Box::into_raw(vec![0u64; count].into_boxed_slice());
    // SAFETY: an atomic number has the size, the alignment and the valid values of the plain one (the
    // assertion below has the alignment, which is not promised), and nobody else has the box.
    unsafe { Box::from_raw(zeros as *mut [AtomicU64]) }
}

const _: () = assert!(align_of::<AtomicU64>() == align_of::<u64>());

/// Runs a test of shared memory: here as it is, elsewhere under many interleavings.
#[cfg(test)]
pub(crate) fn tried(test: fn()) {
    test();
}

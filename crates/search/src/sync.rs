//! Where the shared tree takes its atomics from. A test that tries out interleavings puts others in
//! their place.

pub(crate) use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Waits a moment for another thread; longer when it was in vain before.
pub(crate) fn pause(tries: u32) {
    // Who holds something does so for a fraction of a microsecond, unless it was put to sleep.
    if tries < 100 { std::hint::spin_loop() } else { std::thread::yield_now() }
}

/// Runs a test of shared memory: here as it is, elsewhere under many interleavings.
#[cfg(test)]
pub(crate) fn tried(test: fn()) {
    test();
}

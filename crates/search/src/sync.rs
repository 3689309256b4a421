//! Where the shared tree takes its atomics from. A test that tries out interleavings puts others in
//! their place.

pub(crate) use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Runs a test of shared memory: here as it is, elsewhere under many interleavings.
#[cfg(test)]
pub(crate) fn tried(test: fn()) {
    test();
}

//! What engines have in common: what they may use of the machine they run on. Each engine that uses one of
//! these lists it among its parameters; who starts it gives it its share, unless it was told what to take.

use crate::Typed;

/// Threads to think with.
pub static THREADS: Typed<u32> = Typed::<u32>::whole("threads", 1, 1, 256, "ours", "threads");

/// MiB to think with.
pub static MEMORY: Typed<u32> = Typed::<u32>::whole(
    "memory",
    1024,
    16,
    1_000_000,
    "ours",
    "MiB for the tree; when they are full the least visited part is forgotten",
);

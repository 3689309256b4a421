//! Machine code in memory, and the call into it. All unsafe code of the machines is here.
//!
//! What makes it sound:
//! - Pages are writable or executable, never both: they are filled before they become executable
//!   and never written again.
//! - The code is a function `extern "sysv64" fn(block, random, events, sweeps, vectors)` that keeps
//!   the stack as it is and changes only vector registers, its argument registers, `rax` and `r9`,
//!   all of which the caller saves in that convention. It touches nothing but the three areas, within
//!   the [`Extents`] that come with it: `verify` compares every place that an instruction names with
//!   them, in every build, and [`ExecutableCode::run`] compares them with what it is given. The one
//!   maker of such code is `machine_code`, our compiler.
//! - The code uses only instructions of the target it was made for, and the compiler refuses a
//!   target that the processor does not have.
#![allow(unsafe_code)]

/// Runs some work, compiled for AVX2 if the processor has it. What is to profit must be inlined.
#[inline]
pub(crate) fn vectorized<T>(work: impl FnOnce() -> T) -> T {
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn with_features<T>(work: impl FnOnce() -> T) -> T {
        work()
    }
    if super::Target::Avx2.is_available()
        && std::arch::is_x86_feature_detected!("bmi1")
        && std::arch::is_x86_feature_detected!("bmi2")
        && std::arch::is_x86_feature_detected!("popcnt")
    {
        // SAFETY: the processor has these features.
        return unsafe { with_features(work) };
    }
    work()
}

/// How much of each area one sweep touches.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extents {
    /// Words per slot.
    pub(super) words: usize,
    /// Words per vector, of which a slot has one or several.
    pub(super) vector_words: usize,
    pub(super) block_slots: usize,
    pub(super) random_slots: usize,
    pub(super) event_slots: usize,
}

/// Executable pages.
#[derive(Debug)]
pub(super) struct ExecutableCode {
    start: *mut libc::c_void,
    length: usize,
    extents: Extents,
}

// SAFETY: the pages are never written after `new`, and running them touches no shared state but
// the areas given to `run`.
unsafe impl Send for ExecutableCode {}
// SAFETY: as above.
unsafe impl Sync for ExecutableCode {}

impl ExecutableCode {
    /// Makes the compiler's bytes executable; `None` if the operating system refuses.
    pub(super) fn new(bytes: &[u8], extents: Extents) -> Option<Self> {
        let length = bytes.len().next_multiple_of(4096);
        // SAFETY: an anonymous mapping at an address of the system's choice disturbs nothing.
        let start = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                length,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
                -1,
                0,
            )
        };
        if start == libc::MAP_FAILED {
            return None;
        }
        let code = Self { start, length, extents };
        // SAFETY: the mapping is writable, at least as long as `bytes`, and nobody else's.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), start.cast(), bytes.len()) };
        // SAFETY: the range is the mapping just made.
        let refused = unsafe { libc::mprotect(start, length, libc::PROT_READ | libc::PROT_EXEC) };
        (refused == 0).then_some(code)
    }

    /// Runs sweeps of the first lanes: as many vectors as they are in.
    ///
    /// # Panics
    /// If an area is too small.
    pub(super) fn run(
        &self,
        block: &mut [u64],
        random: &[u64],
        events: &mut [u64],
        sweeps: usize,
        lanes: usize,
    ) {
        let Extents { words, vector_words, block_slots, random_slots, event_slots } = self.extents;
        assert!(block.len() >= words * block_slots, "the block is too small");
        assert!(random.len() >= words * random_slots * sweeps, "too few random words");
        assert!(events.len() >= words * event_slots * sweeps, "no room for the events");
        let vectors = lanes.div_ceil(vector_words * 64).min(words / vector_words);
        if sweeps == 0 || vectors == 0 {
            return;
        }
        type Function = unsafe extern "sysv64" fn(*mut u64, *const u64, *mut u64, u64, u64);
        // SAFETY: the compiler's bytes are such a function.
        let function: Function = unsafe { std::mem::transmute(self.start) };
        // SAFETY: it stays within its extents, which were compared with the areas above.
        unsafe {
            function(block.as_mut_ptr(), random.as_ptr(), events.as_mut_ptr(), sweeps as u64, vectors as u64);
        }
    }
}

impl Drop for ExecutableCode {
    fn drop(&mut self) {
        // SAFETY: the mapping is ours and nobody can run it any more.
        unsafe { libc::munmap(self.start, self.length) };
    }
}

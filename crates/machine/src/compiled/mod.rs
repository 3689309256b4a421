//! Programs as machine code.
//!
//! A small compiler of our own: programs are straight lines of bitwise operations on vectors, so
//! there is nothing to it but register allocation and encoding, and it uses the full width of
//! AVX-512 and AVX2. The interpreter is the fallback on other processors and the oracle in tests.

mod aligned;
#[cfg(all(target_arch = "x86_64", unix))]
mod allocate;
#[cfg(all(test, target_arch = "x86_64", unix))]
mod encoding_tests;
#[cfg(all(target_arch = "x86_64", unix))]
mod evex;
mod executable;
#[cfg(all(target_arch = "x86_64", unix))]
mod instruction;
#[cfg(all(target_arch = "x86_64", unix))]
mod machine_code;
#[cfg(all(target_arch = "x86_64", unix))]
mod memory;
#[cfg(test)]
mod tests;
#[cfg(all(target_arch = "x86_64", unix))]
mod uses;
#[cfg(all(target_arch = "x86_64", unix))]
mod verify;
#[cfg(all(test, target_arch = "x86_64", unix))]
mod verify_tests;
#[cfg(all(target_arch = "x86_64", unix))]
mod vex;

pub(crate) use aligned::AlignedWords;
pub(crate) use executable::Executable;
#[cfg(all(target_arch = "x86_64", unix))]
pub(crate) use memory::vectorized;

/// Runs some work.
#[cfg(not(all(target_arch = "x86_64", unix)))]
pub(crate) fn vectorized<T>(work: impl FnOnce() -> T) -> T {
    work()
}

/// A way of running programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// Machine code for AVX-512: 512 lanes a vector.
    Avx512,
    /// Machine code for AVX2: 256 lanes a vector.
    Avx2,
    /// The interpreter, on any processor.
    Portable,
}

impl Target {
    /// All targets, the fastest first.
    pub const ALL: [Target; 3] = [Target::Avx512, Target::Avx2, Target::Portable];

    /// Whether this processor has it.
    pub fn is_available(self) -> bool {
        match self {
            #[cfg(all(target_arch = "x86_64", unix))]
            Target::Avx512 => {
                std::arch::is_x86_feature_detected!("avx512f")
                    && std::arch::is_x86_feature_detected!("avx512vl")
            }
            #[cfg(all(target_arch = "x86_64", unix))]
            Target::Avx2 => std::arch::is_x86_feature_detected!("avx2"),
            #[cfg(not(all(target_arch = "x86_64", unix)))]
            Target::Avx512 | Target::Avx2 => false,
            Target::Portable => true,
        }
    }

    /// The fastest that this processor has.
    pub fn detect() -> Target {
        Self::ALL.into_iter().find(|target| target.is_available()).unwrap_or(Target::Portable)
    }

    /// The lanes of one vector, in words of 64.
    pub(crate) fn vector_words(self) -> usize {
        match self {
            Target::Avx512 | Target::Portable => 8,
            Target::Avx2 => 4,
        }
    }
}

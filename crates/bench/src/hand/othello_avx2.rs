//! Othello with four directions in one vector: the other four are the same shifts the other way.

use std::arch::x86_64::*;

use super::othello::{Position, play_games};
use super::{Generator, HandTally};

const INNER: i64 = 0x7e7e_7e7e_7e7e_7e7e;

/// Rays through the other's stones in all eight directions.
#[derive(Clone, Copy)]
struct Rays {
    distance: __m256i,
    twice: __m256i,
    through: __m256i,
    up_pairs: __m256i,
    down_pairs: __m256i,
}

#[target_feature(enable = "avx2")]
#[inline]
fn rays_through(other: u64) -> Rays {
    let distance = _mm256_setr_epi64x(1, 7, 8, 9);
    let inner = _mm256_setr_epi64x(INNER, INNER, -1, INNER);
    let through = _mm256_and_si256(_mm256_set1_epi64x(other as i64), inner);
    let up_pairs = _mm256_and_si256(through, _mm256_sllv_epi64(through, distance));
    Rays {
        distance,
        twice: _mm256_add_epi64(distance, distance),
        through,
        up_pairs,
        down_pairs: _mm256_srlv_epi64(up_pairs, distance),
    }
}

impl Rays {
    /// The other's stones in unbroken rows from some stones, upwards and downwards.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn fill(&self, from: u64) -> (__m256i, __m256i) {
        let from = _mm256_set1_epi64x(from as i64);
        let mut up = _mm256_and_si256(self.through, _mm256_sllv_epi64(from, self.distance));
        let mut down = _mm256_and_si256(self.through, _mm256_srlv_epi64(from, self.distance));
        up = _mm256_or_si256(up, _mm256_and_si256(self.through, _mm256_sllv_epi64(up, self.distance)));
        down = _mm256_or_si256(down, _mm256_and_si256(self.through, _mm256_srlv_epi64(down, self.distance)));
        for _ in 0..2 {
            up = _mm256_or_si256(up, _mm256_and_si256(self.up_pairs, _mm256_sllv_epi64(up, self.twice)));
            down =
                _mm256_or_si256(down, _mm256_and_si256(self.down_pairs, _mm256_srlv_epi64(down, self.twice)));
        }
        (up, down)
    }
}

/// All four words in one.
#[target_feature(enable = "avx2")]
#[inline]
fn union(words: __m256i) -> u64 {
    let half = _mm_or_si128(_mm256_castsi256_si128(words), _mm256_extracti128_si256::<1>(words));
    _mm_cvtsi128_si64(_mm_or_si128(half, _mm_unpackhi_epi64(half, half))) as u64
}

/// The rays of the position at hand are kept from `legal` to `flipped`.
struct Vectors {
    rays: Rays,
}

impl Position for Vectors {
    #[inline(always)]
    fn legal(&mut self, own: u64, other: u64) -> u64 {
        // SAFETY: only `play` makes one, which runs where there is AVX2.
        unsafe {
            self.rays = rays_through(other);
            let (up, down) = self.rays.fill(own);
            let up = _mm256_sllv_epi64(up, self.rays.distance);
            let down = _mm256_srlv_epi64(down, self.rays.distance);
            union(_mm256_or_si256(up, down)) & !(own | other)
        }
    }

    #[inline(always)]
    fn flipped(&mut self, own: u64, _other: u64, placed: u64) -> u64 {
        // SAFETY: as above.
        unsafe {
            let own = _mm256_set1_epi64x(own as i64);
            let (up, down) = self.rays.fill(placed);
            let up_end = _mm256_and_si256(own, _mm256_sllv_epi64(up, self.rays.distance));
            let down_end = _mm256_and_si256(own, _mm256_srlv_epi64(down, self.rays.distance));
            let zero = _mm256_setzero_si256();
            let up = _mm256_andnot_si256(_mm256_cmpeq_epi64(up_end, zero), up);
            let down = _mm256_andnot_si256(_mm256_cmpeq_epi64(down_end, zero), down);
            union(_mm256_or_si256(up, down))
        }
    }
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
pub(super) fn play(generator: &mut Generator, playouts: u64) -> HandTally {
    let mut position = Vectors { rays: rays_through(0) };
    play_games::<super::dispatch::Bmi2, _>(&mut position, generator, playouts)
}

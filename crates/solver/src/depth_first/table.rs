//! What is known of positions: bounds of their value. It has a size and forgets what was least work.

/// Positions of a bucket: those of one word take a cache line.
const PLACES: usize = 4;

/// What a role gets from a position at least and at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bounds {
    pub(super) least: u8,
    pub(super) most: u8,
}

impl Bounds {
    pub(super) const UNKNOWN: Self = Self { least: 0, most: u8::MAX };

    /// With the answer to whether the value is at least so much.
    pub(super) fn with(self, answer: bool, value: u8) -> Self {
        match answer {
            true => Self { least: self.least.max(value), ..self },
            false => Self { most: self.most.min(value - 1), ..self },
        }
    }

    /// Whether the value is at least so much, if that is known.
    pub(super) fn is_at_least(self, value: u8) -> Option<bool> {
        if self.least >= value {
            return Some(true);
        }
        (self.most < value).then_some(false)
    }
}

/// Positions and their bounds. Positions are compared in full, so nothing is ever taken from another one.
#[derive(Debug)]
pub(super) struct Table {
    /// For each place a word that tells what is known, zero if it is empty, and the words of the position.
    words: Vec<u64>,
    width: usize,
    buckets: usize,
}

impl Table {
    /// A table for positions of so many words.
    pub(super) fn new(words: usize, bytes: usize) -> Self {
        let width = words + 1;
        let buckets = (bytes / (8 * width * PLACES)).max(1);
        Self { words: vec![0; buckets * PLACES * width], width, buckets }
    }

    fn bucket(&self, hash: u64) -> usize {
        let hash = hash.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        ((u128::from(hash) * self.buckets as u128) >> 64) as usize * PLACES * self.width
    }

    /// What is known of a position.
    pub(super) fn find(&self, hash: u64, row: &[u64]) -> Bounds {
        let start = self.bucket(hash);
        let places = self.words[start..start + PLACES * self.width].chunks_exact(self.width);
        let found = places.into_iter().find(|place| place[0] != 0 && place[1..] == *row);
        found.map_or(Bounds::UNKNOWN, |place| bounds(place[0]))
    }

    /// Writes down what is known of a position, and how much work it was.
    pub(super) fn put(&mut self, hash: u64, row: &[u64], bounds: Bounds, work: u64) {
        let (start, width) = (self.bucket(hash), self.width);
        let bucket = &mut self.words[start..start + PLACES * width];
        let same = bucket.chunks_exact(width).position(|place| place[0] != 0 && place[1..] == *row);
        let least = || (0..PLACES).min_by_key(|place| bucket[place * width] >> 16);
        let Some(place) = same.or_else(least) else { return };
        let place = &mut bucket[place * width..(place + 1) * width];
        // Work is never nothing, so neither is the word.
        place[0] = work.max(1) << 16 | u64::from(bounds.most) << 8 | u64::from(bounds.least);
        place[1..].copy_from_slice(row);
    }

    pub(super) fn bytes(&self) -> usize {
        self.words.len() * 8
    }
}

fn bounds(word: u64) -> Bounds {
    Bounds { least: word as u8, most: (word >> 8) as u8 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_least_work_is_forgotten() {
        let mut table = Table::new(1, 0);
        for work in 1..=5 {
            table.put(0, &[work], Bounds::UNKNOWN.with(true, work as u8), 10 - work);
        }
        let known = |row| table.find(0, &[row]);
        assert_eq!(known(4), Bounds::UNKNOWN);
        assert!([1, 2, 3, 5].iter().all(|&row| known(row) == Bounds::UNKNOWN.with(true, row as u8)));
        assert_eq!(known(0), Bounds::UNKNOWN);
    }
}

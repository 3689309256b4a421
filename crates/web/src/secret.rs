//! Words that nobody guesses.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// Keyed by the system's own randomness. The hash is a keyed function that nobody can foretell without the key, so
/// its values for 1, 2, 3, .. are as good as drawn.
static KEYS: LazyLock<[RandomState; 2]> = LazyLock::new(|| [RandomState::new(), RandomState::new()]);
static NEXT: AtomicU64 = AtomicU64::new(0);

const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

/// A new word of so many letters, five bits each.
pub(crate) fn word(letters: usize) -> String {
    let mut out = String::with_capacity(letters);
    while out.len() < letters {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let bits = KEYS.iter().fold(0, |bits, key| {
            let mut hasher = key.build_hasher();
            hasher.write_u64(number);
            bits ^ hasher.finish()
        });
        // Twelve letters of each number.
        let drawn = (0..12).map(|at| char::from(LETTERS[(bits >> (5 * at)) as usize & 31]));
        out.extend(drawn.take(letters - out.len()));
    }
    out
}

/// Whether two words are the same, without telling by the time it takes where they differ.
pub(crate) fn same(one: &str, two: &str) -> bool {
    let differences =
        one.bytes().zip(two.bytes()).fold(0, |differences, (one, two)| differences | (one ^ two));
    one.len() == two.len() && differences == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_differ() {
        let words: std::collections::HashSet<String> = (0..1000).map(|_| word(26)).collect();
        assert_eq!(words.len(), 1000);
        assert!(words.iter().all(|word| word.len() == 26));
        assert!(same("abc", "abc") && !same("abc", "abd") && !same("abc", "ab"));
    }
}

//! How moves are numbered.

use std::ops::Range;

use ::circuit::Circuit;
use game::{Expansion, Expansions, MoveId, RoleId};

/// Numbers the moves of all roles: role after role, each in canonical order.
#[derive(Clone, Debug)]
pub struct MoveNumbers {
    /// Where each role's moves begin, and one more for the end.
    starts: Vec<u32>,
    /// Where the moves of each role are in a row of bits: words and which of their bits.
    pieces: Vec<Vec<(usize, u64)>>,
}

impl MoveNumbers {
    /// The numbers of a circuit's moves.
    pub fn new(circuit: &Circuit) -> Self {
        let mut starts = vec![0];
        for role in &circuit.roles {
            starts.push(starts[starts.len() - 1] + role.moves.len() as u32);
        }
        let pieces = starts.windows(2).map(|role| pieces(role[0] as usize + 1, role[1] as usize + 1));
        Self { pieces: pieces.collect(), starts }
    }

    /// The number of moves of all roles.
    pub fn count(&self) -> usize {
        self.starts[self.starts.len() - 1] as usize
    }

    /// All roles.
    pub fn roles(&self) -> impl Iterator<Item = RoleId> + use<> {
        (0..self.starts.len() as u16 - 1).map(RoleId)
    }

    /// The move of a role with a number among the role's.
    pub fn id(&self, role: RoleId, number: u32) -> MoveId {
        MoveId(self.starts[role.0 as usize] + number)
    }

    /// The moves of a role.
    pub fn range(&self, role: RoleId) -> Range<u32> {
        self.starts[role.0 as usize]..self.starts[role.0 as usize + 1]
    }

    /// Lists the legal moves of a row of bits, given word by word: the first bit says whether the
    /// game is over, move `id` is bit `id + 1`.
    pub(crate) fn list(&self, row: impl Fn(usize) -> u64, out: &mut Expansion) {
        let is_over = row(0) & 1 != 0;
        out.begin(is_over);
        if is_over {
            return;
        }
        for pieces in &self.pieces {
            for &(word, mask) in pieces {
                // Where there are many moves, few are legal.
                let bits = row(word) & mask;
                if bits != 0 {
                    // Move 0 is bit 1.
                    out.push_bits((word as u32 * 64).wrapping_sub(1), bits);
                }
            }
            out.end_role();
        }
    }

    /// Adds such a row to a list of many. Inlined, to be compiled for the same processor as the caller.
    #[inline(always)]
    pub(crate) fn add(&self, row: &[u64], out: &mut Expansions) {
        let is_over = row[0] & 1 != 0;
        let open = if is_over { 0 } else { u64::MAX };
        if let &[row] = row {
            let count = |pieces: &Vec<(usize, u64)>| match pieces[..] {
                [(_, mask)] => (row & mask & open).count_ones(),
                _ => 0,
            };
            let bytes = (self.count() + 1).div_ceil(8);
            let counts = self.pieces.iter().map(count);
            return out.push_few_bits(is_over, 0u32.wrapping_sub(1), row & !1 & open, bytes, counts);
        }
        // Move 0 is bit 1.
        let words = std::iter::once(row[0] & !1 & open).chain(row[1..].iter().map(|word| word & open));
        let count = |&(word, mask): &(usize, u64)| (row[word] & mask & open).count_ones();
        let counts = self.pieces.iter().map(|pieces| pieces.iter().map(count).sum());
        out.push_bits(is_over, 0u32.wrapping_sub(1), words, counts);
    }

    /// Whose move it is, and its number among the role's.
    pub fn split(&self, id: MoveId) -> (RoleId, u32) {
        let role = self.starts.partition_point(|&start| start <= id.0) - 1;
        (RoleId(role as u16), id.0 - self.starts[role])
    }
}

/// The words of a row in which the bits from `start` to before `end` are, and which bits.
fn pieces(start: usize, end: usize) -> Vec<(usize, u64)> {
    let below = |bit: usize| if bit >= 64 { u64::MAX } else { (1u64 << bit) - 1 };
    let mask = |word: usize| below(end - word * 64) & !below(start.saturating_sub(word * 64));
    (start / 64..end.div_ceil(64)).map(|word| (word, mask(word))).filter(|piece| piece.1 != 0).collect()
}

/// A term as the circuit writes it: lower case, single blanks.
pub(super) fn canonical(text: &str) -> String {
    let mut canonical = String::with_capacity(text.len());
    for token in text.replace('(', " ( ").replace(')', " ) ").split_whitespace() {
        if !(canonical.is_empty() || canonical.ends_with('(') || token == ")") {
            canonical.push(' ');
        }
        canonical.push_str(&token.to_lowercase());
    }
    canonical
}

#[cfg(test)]
mod tests {
    use super::canonical;

    #[test]
    fn case_and_blanks_do_not_matter() {
        assert_eq!(canonical(" ( Mark 1  (f X)) "), "(mark 1 (f x))");
        assert_eq!(canonical("Ärger"), "ärger");
        assert_eq!(canonical("NOOP"), "noop");
    }
}

//! How moves are numbered.

use std::ops::Range;

use ::circuit::Circuit;
use game::{Expansion, MoveId, RoleId};

/// Numbers the moves of all roles: role after role, each in canonical order.
#[derive(Clone, Debug)]
pub struct MoveNumbers {
    /// Where each role's moves begin, and one more for the end.
    starts: Vec<u32>,
}

impl MoveNumbers {
    /// The numbers of a circuit's moves.
    pub fn new(circuit: &Circuit) -> Self {
        let mut starts = vec![0];
        for role in &circuit.roles {
            starts.push(starts[starts.len() - 1] + role.moves.len() as u32);
        }
        Self { starts }
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

    /// Lists the legal moves of a row of bits: the first says whether the game is over, move `id`
    /// is bit `id + 1`.
    pub(crate) fn list(&self, row: &[u64], out: &mut Expansion) {
        out.begin(row[0] & 1 != 0);
        if row[0] & 1 != 0 {
            return;
        }
        for role in self.roles() {
            let range = self.range(role);
            let (start, end) = (range.start as usize + 1, range.end as usize + 1);
            let words = start / 64..end.div_ceil(64);
            for (word, &bits) in words.clone().zip(&row[words]) {
                let below = |bit: usize| if bit >= 64 { u64::MAX } else { (1u64 << bit) - 1 };
                let first = word * 64;
                let mut bits = bits & below(end - first) & !below(start.saturating_sub(first));
                while bits != 0 {
                    out.push(MoveId((first + bits.trailing_zeros() as usize - 1) as u32));
                    bits &= bits - 1;
                }
            }
            out.end_role();
        }
    }

    /// Whose move it is, and its number among the role's.
    pub fn split(&self, id: MoveId) -> (RoleId, u32) {
        let role = self.starts.partition_point(|&start| start <= id.0) - 1;
        (RoleId(role as u16), id.0 - self.starts[role])
    }
}

/// A term as the circuit writes it: lower case, single blanks.
pub(super) fn canonical(text: &str) -> String {
    let mut canonical = String::with_capacity(text.len());
    for token in text.replace('(', " ( ").replace(')', " ) ").split_whitespace() {
        if !(canonical.is_empty() || canonical.ends_with('(') || token == ")") {
            canonical.push(' ');
        }
        canonical.push_str(&token.to_ascii_lowercase());
    }
    canonical
}

#[cfg(test)]
mod tests {
    use super::canonical;

    #[test]
    fn case_and_blanks_do_not_matter() {
        assert_eq!(canonical(" ( Mark 1  (f X)) "), "(mark 1 (f x))");
        assert_eq!(canonical("NOOP"), "noop");
    }
}

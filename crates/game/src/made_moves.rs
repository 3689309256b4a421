//! Which moves playouts had, as bits: whoever counts them over many playouts goes through words of 64 of them.

use crate::{Columns, MoveId, RoleId};

/// Which moves each playout had: in no order, and each move of a role once.
#[derive(Clone, Debug, Default)]
pub struct MadeMoves {
    /// Words of 64 playouts that each move has.
    words: usize,
    columns: Columns,
    /// Column by column.
    bits: Vec<u64>,
}

impl MadeMoves {
    /// Forgets all.
    pub fn clear(&mut self) {
        self.columns.clear();
        self.bits.clear();
        self.words = 0;
    }

    /// Says that a role made a move in a playout.
    pub fn push(&mut self, playout: usize, role: RoleId, id: MoveId) {
        self.add(playout / 64, role, id, 1 << (playout % 64));
    }

    /// Says in which of 64 playouts, given by the number of their word, a role made a move.
    pub fn add(&mut self, word: usize, role: RoleId, id: MoveId, playouts: u64) {
        if playouts == 0 {
            return;
        }
        if word >= self.words {
            self.widen(word + 1);
        }
        let column = self.columns.of(role, id);
        self.bits.resize(self.columns.len() * self.words, 0);
        self.bits[column * self.words + word] |= playouts;
    }

    /// Adds other playouts, the first of which gets a number.
    pub(crate) fn append(&mut self, first: usize, other: &Self) {
        for (role, id, bits) in other.iter() {
            playouts(bits).for_each(|playout| self.push(first + playout, role, id));
        }
    }

    /// All moves that were made, and in which playouts: playout `p` is bit `p % 64` of word `p / 64`.
    pub fn iter(&self) -> impl Iterator<Item = (RoleId, MoveId, &[u64])> {
        let bits = self.bits.chunks_exact(self.words.max(1));
        self.columns.moves().iter().zip(bits).map(|(&(role, id), bits)| (role, id, bits))
    }

    /// The moves of a playout; none if they were not asked for.
    pub fn of(&self, playout: usize) -> impl Iterator<Item = (RoleId, MoveId)> + '_ {
        let is_made =
            move |bits: &[u64]| bits.get(playout / 64).is_some_and(|word| word >> (playout % 64) & 1 != 0);
        self.iter().filter(move |(.., bits)| is_made(bits)).map(|(role, id, _)| (role, id))
    }

    /// Makes room for more playouts.
    fn widen(&mut self, words: usize) {
        let mut bits = vec![0; self.columns.len() * words];
        let old = self.bits.chunks_exact(self.words.max(1));
        bits.chunks_exact_mut(words).zip(old).for_each(|(new, old)| new[..old.len()].copy_from_slice(old));
        (self.words, self.bits) = (words, bits);
    }

    /// All there is, in one order.
    fn sorted(&self) -> Vec<(RoleId, MoveId, Vec<usize>)> {
        let mut all: Vec<_> =
            self.iter().map(|(role, id, bits)| (role, id, playouts(bits).collect())).collect();
        all.sort_unstable();
        all
    }
}

/// The same moves in the same playouts, in whatever order they were told.
impl PartialEq for MadeMoves {
    fn eq(&self, other: &Self) -> bool {
        self.sorted() == other.sorted()
    }
}

/// The numbers of the bits that are set.
fn playouts(bits: &[u64]) -> impl Iterator<Item = usize> + '_ {
    bits.iter().enumerate().flat_map(|(word, &bits)| {
        let rest = std::iter::successors(Some(bits), |bits| Some(bits & bits.wrapping_sub(1)));
        rest.take_while(|bits| *bits != 0).map(move |bits| 64 * word + bits.trailing_zeros() as usize)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(rows: &[(usize, u16, u32)]) -> MadeMoves {
        let mut made = MadeMoves::default();
        rows.iter().for_each(|&(playout, role, id)| made.push(playout, RoleId(role), MoveId(id)));
        made
    }

    fn moves(made: &MadeMoves, playout: usize) -> Vec<(u16, u32)> {
        let mut moves: Vec<_> = made.of(playout).map(|(role, id)| (role.0, id.0)).collect();
        moves.sort_unstable();
        moves
    }

    #[test]
    fn moves_are_found_by_playout_in_whatever_order_they_came() {
        let rows = [(2, 0, 7), (0, 1, 3), (130, 0, 7), (2, 1, 1), (0, 0, 9), (2, 1, 1)];
        let made = of(&rows);
        assert_eq!(moves(&made, 0), [(0, 9), (1, 3)]);
        assert_eq!(moves(&made, 1), []);
        assert_eq!(moves(&made, 2), [(0, 7), (1, 1)]);
        assert_eq!(moves(&made, 130), [(0, 7)]);
        let mut reversed = rows;
        reversed.reverse();
        assert_eq!(made, of(&reversed));
        assert_ne!(made, of(&rows[1..]));
    }

    #[test]
    fn other_playouts_come_after_these() {
        let mut made = of(&[(60, 0, 7)]);
        made.append(61, &of(&[(2, 0, 7), (3, 1, 4)]));
        assert_eq!(made, of(&[(60, 0, 7), (63, 0, 7), (64, 1, 4)]));
        made.clear();
        assert_eq!(made, MadeMoves::default());
        made.push(1, RoleId(1), MoveId(4));
        assert_eq!(moves(&made, 1), [(1, 4)]);
    }
}

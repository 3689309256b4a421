//! What can be done in each of many positions, in one list.

use crate::{Expansion, MoveId, RoleId};

/// What can be done in a position, as it stands in an [`Expansion`] or among [`Expansions`].
#[derive(Clone, Copy, Debug)]
pub struct Choices<'a> {
    pub(crate) terminal: bool,
    /// The moves, among others.
    pub(crate) moves: &'a [MoveId],
    /// Where those of the first role begin.
    pub(crate) start: u32,
    /// Where those of each role end.
    pub(crate) ends: &'a [u32],
}

impl<'a> Choices<'a> {
    /// Whether the game is over.
    pub fn is_terminal(self) -> bool {
        self.terminal
    }

    /// The legal moves of a role, in canonical order; none if the game is over.
    #[inline]
    pub fn legal(self, role: RoleId) -> &'a [MoveId] {
        let index = role.0 as usize;
        let Some(&end) = self.ends.get(index) else { return &[] };
        let start = if index == 0 { self.start } else { self.ends[index - 1] };
        &self.moves[start as usize..end as usize]
    }

    /// The legal moves of each role in turn.
    #[inline]
    pub fn by_role(self) -> impl Iterator<Item = &'a [MoveId]> {
        (0..self.ends.len() as u16).map(move |role| self.legal(RoleId(role)))
    }

    /// The number of legal moves of all roles.
    pub fn len(self) -> usize {
        (self.ends.last().copied().unwrap_or(self.start) - self.start) as usize
    }

    /// Whether nobody can do anything.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The first role that has no legal move although the game goes on.
    pub fn stuck_role(self) -> Option<RoleId> {
        if self.terminal {
            return None;
        }
        self.by_role().position(<[MoveId]>::is_empty).map(|role| RoleId(role as u16))
    }

    /// The number of joint moves.
    pub fn joint_count(self) -> u64 {
        if self.terminal {
            return 0;
        }
        let starts = std::iter::once(&self.start).chain(self.ends);
        let counts = self.ends.iter().zip(starts).map(|(end, start)| u64::from(end - start));
        counts.fold(1, u64::saturating_mul)
    }
}

impl PartialEq for Choices<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.terminal == other.terminal && (self.terminal || self.by_role().eq(other.by_role()))
    }
}

impl Eq for Choices<'_> {}

/// What can be done in each of many positions.
///
/// All moves are in one list, one position after the other: it is written from its beginning to its
/// end, and kept and filled again and again. Lists of their own would lie all over the memory.
#[derive(Clone, Debug, Default)]
pub struct Expansions {
    roles: usize,
    terminal: Vec<bool>,
    /// The moves, and room for more behind them.
    moves: Vec<MoveId>,
    /// Where the moves of each role end in `moves`, position after position.
    ends: Vec<u32>,
    /// For positions that are looked at one by one.
    single: Expansion,
}

impl Expansions {
    /// None, to be filled.
    pub fn new() -> Self {
        Self::default()
    }

    /// Starts over, for a game of so many roles.
    pub fn begin(&mut self, roles: usize) {
        self.roles = roles;
        self.terminal.clear();
        self.ends.clear();
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.terminal.len()
    }

    /// Whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.terminal.is_empty()
    }

    /// What can be done in a position.
    ///
    /// # Panics
    /// If there are not so many.
    #[inline]
    pub fn get(&self, index: usize) -> Choices<'_> {
        let first = index * self.roles;
        Choices {
            terminal: self.terminal[index],
            moves: &self.moves,
            start: if first == 0 { 0 } else { self.ends[first - 1] },
            ends: &self.ends[first..first + self.roles],
        }
    }

    /// What can be done in each position.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Choices<'_>> {
        (0..self.len()).map(|index| self.get(index))
    }

    /// Adds a position that is looked at alone.
    pub fn push<Fault>(
        &mut self,
        look: impl FnOnce(&mut Expansion) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        look(&mut self.single)?;
        let choices = self.single.choices();
        self.terminal.push(choices.terminal);
        let mut end = self.ends.last().copied().unwrap_or(0);
        self.moves.truncate(end as usize);
        for role in 0..self.roles as u16 {
            let legal = if choices.terminal { &[] } else { choices.legal(RoleId(role)) };
            self.moves.extend_from_slice(legal);
            end += legal.len() as u32;
            self.ends.push(end);
        }
        Ok(())
    }

    /// Adds a position whose moves are bits of words, bit 0 of the first being move `first`. The roles
    /// come one after the other, each with as many moves as `counts` says.
    // Inlined, to be compiled for the same processor as the caller. By words, not by roles: where a list
    // ends is hard to guess for a processor, and every wrong guess costs as much as several moves.
    #[inline(always)]
    pub fn push_bits(
        &mut self,
        terminal: bool,
        first: u32,
        words: impl Iterator<Item = u64>,
        counts: impl Iterator<Item = u32>,
    ) {
        let start = self.ends.last().copied().unwrap_or(0);
        let mut end = start as usize;
        let mut first = first;
        for mut word in words {
            if self.moves.len() < end + 64 {
                self.moves.resize(2 * (end + 64), MoveId(0));
            }
            let moves = &mut self.moves[end..end + 64];
            let mut count = 0;
            while word != 0 {
                moves[count] = MoveId(first.wrapping_add(word.trailing_zeros()));
                count += 1;
                word &= word - 1;
            }
            end += count;
            first = first.wrapping_add(64);
        }
        self.end_roles(terminal, start, end, counts);
    }

    /// The same for few bits, all in the first `bytes` bytes of a word: a table has the moves of each
    /// byte, so there is no end of a list to be guessed.
    ///
    /// # Panics
    /// If there are more than eight bytes in a word.
    #[inline(always)]
    pub fn push_few_bits(
        &mut self,
        terminal: bool,
        first: u32,
        word: u64,
        bytes: usize,
        counts: impl Iterator<Item = u32>,
    ) {
        let start = self.ends.last().copied().unwrap_or(0);
        let from = start as usize;
        if self.moves.len() < from + 64 {
            self.moves.resize(2 * (from + 64), MoveId(0));
        }
        let moves = &mut self.moves[from..from + 64];
        let (mut first, mut count) = (first, 0);
        for byte in &word.to_le_bytes()[..bytes] {
            let places = &PLACES[usize::from(*byte)];
            // Eight are written whatever their number, in one go: the next byte writes over those that are
            // none.
            if let Some(room) = moves[count..].first_chunk_mut::<8>() {
                *room = places.map(|place| MoveId(first.wrapping_add(u32::from(place))));
            }
            count += byte.count_ones() as usize;
            first = first.wrapping_add(8);
        }
        let end = from + count;
        self.end_roles(terminal, start, end, counts);
    }

    /// Says where the moves of each role end.
    #[inline(always)]
    fn end_roles(&mut self, terminal: bool, start: u32, end: usize, counts: impl Iterator<Item = u32>) {
        self.terminal.push(terminal);
        let mut role_end = start;
        for count in counts {
            role_end += count;
            self.ends.push(role_end);
        }
        debug_assert_eq!(role_end as usize, end, "each move is some role's");
    }
}

/// The places of the bits that are set in each byte.
static PLACES: [[u8; 8]; 256] = {
    let mut places = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut count) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 != 0 {
                places[byte][count] = bit;
                count += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    places
};

#[cfg(test)]
mod tests {
    use super::*;

    fn lists(expansions: &Expansions) -> Vec<(bool, Vec<Vec<u32>>)> {
        let ids = |legal: &[MoveId]| legal.iter().map(|id| id.0).collect();
        expansions
            .iter()
            .map(|choices| (choices.is_terminal(), choices.by_role().map(ids).collect()))
            .collect()
    }

    fn push(expansions: &mut Expansions, terminal: bool, legal: [&[u32]; 2]) {
        let look = |expansion: &mut Expansion| {
            expansion.begin(terminal);
            for legal in legal {
                legal.iter().for_each(|&id| expansion.push(MoveId(id)));
                expansion.end_role();
            }
            Ok::<(), ()>(())
        };
        assert_eq!(expansions.push(look), Ok(()));
    }

    #[test]
    fn moves_and_bits_are_listed_alike() {
        let mut expansions = Expansions::new();
        // Twice: what was there before does not count.
        for _ in 0..2 {
            expansions.begin(2);
            push(&mut expansions, false, [&[0, 2], &[3]]);
            for (over, words, counts) in [
                (false, [0b11, 0b1], [1, 2]),
                (true, [0, 0], [0, 0]),
                (false, [0b1010, 0], [2, 0]),
                (false, [1 << 63 | 0b10, u64::MAX], [2, 64]),
            ] {
                expansions.push_bits(over, 7, words.into_iter(), counts.into_iter());
            }
            push(&mut expansions, true, [&[1], &[4]]);
            push(&mut expansions, false, [&[], &[4]]);
            let expected = [
                (false, vec![vec![0, 2], vec![3]]),
                (false, vec![vec![7], vec![8, 71]]),
                (true, vec![vec![], vec![]]),
                (false, vec![vec![8, 10], vec![]]),
                (false, vec![vec![8, 70], (71..135).collect()]),
                (true, vec![vec![], vec![]]),
                (false, vec![vec![], vec![4]]),
            ];
            assert_eq!(lists(&expansions), expected);
        }
        assert_eq!(expansions.get(3).stuck_role(), Some(RoleId(1)));
        assert_eq!(expansions.get(2).stuck_role(), None);
        assert_eq!((expansions.get(4).joint_count(), expansions.get(4).len()), (128, 66));
        assert_eq!(expansions.get(2), expansions.get(5));
        assert_ne!(expansions.get(1), expansions.get(0));
    }

    #[test]
    fn few_bits_are_listed_as_many_are() {
        let mut dice = crate::Dice::new(5);
        let (mut many, mut few) = (Expansions::new(), Expansions::new());
        many.begin(2);
        few.begin(2);
        for round in 0..500 {
            let bytes = round % 9;
            let within = if bytes == 8 { u64::MAX } else { (1 << (8 * bytes)) - 1 };
            let sparse = if round % 2 == 0 { u64::MAX } else { dice.bits() & dice.bits() };
            let word = dice.bits() & within & sparse;
            let first_role = (word & 0xffff).count_ones();
            let counts = [first_role, word.count_ones() - first_role];
            many.push_bits(false, u32::MAX, [word].into_iter(), counts.into_iter());
            few.push_few_bits(false, u32::MAX, word, bytes, counts.into_iter());
        }
        assert_eq!(lists(&many), lists(&few));
    }

    #[test]
    fn a_fault_adds_nothing() {
        let mut expansions = Expansions::new();
        expansions.begin(1);
        assert_eq!(expansions.push(|_| Err("fault")), Err("fault"));
        assert!(expansions.is_empty());
    }
}

//! The small vocabulary: roles, moves, goals, and the legal moves of a position.

use crate::Choices;

/// A role, by its place in joint moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RoleId(pub u16);

/// A move, numbered by the machine that gave it out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MoveId(pub u32);

/// A fact that may be true in a state, numbered by the machine that gave it out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FactId(pub u32);

/// Something that a role may be told, numbered by the machine that gave it out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PerceptId(pub u32);

/// A goal value, 0 to 100.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Goal(pub u8);

impl Goal {
    /// The highest goal that rules may give.
    pub const MOST: Self = Self(100);
}

/// What the goal rules say about one role in one state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum GoalReading {
    /// Nothing: usual before the end, a fault of the game at the end.
    #[default]
    None,
    /// One value, as it should be.
    One(Goal),
    /// Several values, a fault of the game at the end. The highest counts.
    Several {
        /// The highest of them.
        highest: Goal,
        /// The lowest of them.
        lowest: Goal,
    },
}

impl GoalReading {
    /// The value that counts: no goal counts 0, of several the highest.
    pub fn value(self) -> Goal {
        match self {
            GoalReading::None => Goal(0),
            GoalReading::One(goal) => goal,
            GoalReading::Several { highest, .. } => highest,
        }
    }

    /// Adds a value to what was read so far.
    pub fn add(&mut self, goal: Goal) {
        *self = match *self {
            GoalReading::None => GoalReading::One(goal),
            GoalReading::One(known) if known == goal => GoalReading::One(goal),
            GoalReading::One(known) => {
                GoalReading::Several { highest: known.max(goal), lowest: known.min(goal) }
            }
            GoalReading::Several { highest, lowest } => {
                GoalReading::Several { highest: highest.max(goal), lowest: lowest.min(goal) }
            }
        };
    }
}

/// What can be done in a position: terminality, and the legal moves of every role.
///
/// Kept and filled again and again, so that looking at a position costs no allocation.
#[derive(Clone, Debug, Default)]
pub struct Expansion {
    terminal: bool,
    /// The moves, and room for more behind them.
    moves: Vec<MoveId>,
    /// How many moves there are.
    count: usize,
    /// Where each role's moves end in `moves`.
    ends: Vec<u32>,
}

/// For each byte the numbers of its bits that are set, in order; what follows them does not matter.
static PLACES: [[u32; 8]; 256] = {
    let mut places = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut rest, mut count) = (byte as u32, 0);
        while rest != 0 {
            places[byte][count] = rest.trailing_zeros();
            rest &= rest - 1;
            count += 1;
        }
        byte += 1;
    }
    places
};

/// How many bits of each byte are set: processors have an instruction for it, but not all of them.
static COUNTS: [u8; 256] = {
    let mut counts = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        counts[byte] = byte.count_ones() as u8;
        byte += 1;
    }
    counts
};

/// Room for the moves of a word of bits, and for what is written behind them.
const ROOM: usize = 64 + 8;

impl PartialEq for Expansion {
    fn eq(&self, other: &Self) -> bool {
        self.terminal == other.terminal
            && self.moves[..self.count] == other.moves[..other.count]
            && self.ends == other.ends
    }
}

impl Eq for Expansion {}

impl Expansion {
    /// An empty one, to be filled.
    pub fn new() -> Self {
        Self::default()
    }

    /// Starts over with a position that is, or is not, terminal.
    pub fn begin(&mut self, terminal: bool) {
        self.terminal = terminal;
        self.count = 0;
        self.ends.clear();
    }

    /// Adds a move of the role that is being listed.
    pub fn push(&mut self, id: MoveId) {
        if self.count == self.moves.len() {
            self.moves.resize((2 * self.count).max(16), MoveId(0));
        }
        self.moves[self.count] = id;
        self.count += 1;
    }

    /// Adds moves of the role that is being listed: those whose bits are set, bit 0 being `first`.
    #[inline]
    pub fn push_bits(&mut self, first: u32, mut bits: u64) {
        if self.moves.len() < self.count + ROOM {
            self.moves.resize(2 * self.count + ROOM, MoveId(0));
        }
        // A byte at a time, and always eight moves, of which those that count stay: how many there
        // are is hard to guess for a processor, and a wrong guess costs more than a few moves.
        let Some(room) = self.moves[self.count..].first_chunk_mut::<ROOM>() else { return };
        let (mut first, mut count) = (first, 0);
        while bits != 0 {
            let places = &PLACES[bits as usize & 255];
            let eight = &mut room[count & 63..(count & 63) + 8];
            eight.iter_mut().zip(places).for_each(|(id, place)| *id = MoveId(first.wrapping_add(*place)));
            count += COUNTS[bits as usize & 255] as usize;
            first = first.wrapping_add(8);
            bits >>= 8;
        }
        self.count += count;
    }

    /// The moves listed so far for the role that is being listed, to be put in order.
    pub fn open_role_mut(&mut self) -> &mut [MoveId] {
        let start = self.ends.last().copied().unwrap_or(0) as usize;
        &mut self.moves[start..self.count]
    }

    /// Ends the list of one role and begins that of the next.
    pub fn end_role(&mut self) {
        self.ends.push(self.count as u32);
    }

    /// What can be done, as it is listed here.
    #[inline]
    pub fn choices(&self) -> Choices<'_> {
        Choices { terminal: self.terminal, moves: &self.moves, start: 0, ends: &self.ends }
    }

    /// Whether the game is over.
    pub fn is_terminal(&self) -> bool {
        self.terminal
    }

    /// The legal moves of a role, in canonical order; none if the game is over.
    pub fn legal(&self, role: RoleId) -> &[MoveId] {
        self.choices().legal(role)
    }

    /// The legal moves of each role in turn.
    pub fn by_role(&self) -> impl Iterator<Item = &[MoveId]> {
        self.choices().by_role()
    }

    /// The first role that has no legal move although the game goes on.
    pub fn stuck_role(&self) -> Option<RoleId> {
        self.choices().stuck_role()
    }

    /// The number of joint moves.
    pub fn joint_count(&self) -> u64 {
        self.choices().joint_count()
    }

    /// All joint moves, the last role's moves changing fastest.
    pub fn joint_moves(&self) -> JointMoves<'_> {
        let open = !self.terminal && self.by_role().all(|moves| !moves.is_empty());
        JointMoves { expansion: self, digits: vec![0; self.ends.len()], open }
    }
}

/// The iterator of [`Expansion::joint_moves`].
#[derive(Debug)]
pub struct JointMoves<'a> {
    expansion: &'a Expansion,
    digits: Vec<usize>,
    open: bool,
}

impl Iterator for JointMoves<'_> {
    type Item = Vec<MoveId>;

    fn next(&mut self) -> Option<Vec<MoveId>> {
        if !self.open {
            return None;
        }
        let joint = self.expansion.by_role().zip(&self.digits).map(|(moves, &digit)| moves[digit]).collect();
        self.open = false;
        for role in (0..self.digits.len()).rev() {
            self.digits[role] += 1;
            if self.digits[role] < self.expansion.legal(RoleId(role as u16)).len() {
                self.open = true;
                break;
            }
            self.digits[role] = 0;
        }
        Some(joint)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joint_moves_are_counted_like_a_number() {
        let mut expansion = Expansion::new();
        expansion.begin(false);
        for moves in [&[1, 2][..], &[5], &[7, 8]] {
            moves.iter().for_each(|&id| expansion.push(MoveId(id)));
            expansion.end_role();
        }
        let joints: Vec<Vec<u32>> =
            expansion.joint_moves().map(|joint| joint.iter().map(|id| id.0).collect()).collect();
        assert_eq!(joints, [[1, 5, 7], [1, 5, 8], [2, 5, 7], [2, 5, 8]]);
        assert_eq!(expansion.joint_count(), 4);
        assert_eq!(expansion.stuck_role(), None);
    }

    #[test]
    fn bits_are_moves() {
        let mut expansion = Expansion::new();
        expansion.begin(false);
        expansion.push_bits(10, 0b10_1101);
        expansion.push_bits(74, 0);
        expansion.push_bits(138, 1 << 63 | 1);
        expansion.end_role();
        expansion.push_bits(u32::MAX, u64::MAX << 1);
        expansion.end_role();
        let listed = |role: u16| expansion.legal(RoleId(role)).iter().map(|id| id.0).collect::<Vec<u32>>();
        assert_eq!(listed(0), [10, 12, 13, 15, 138, 201]);
        assert_eq!(listed(1), (0..63).collect::<Vec<u32>>());
    }

    #[test]
    fn what_was_listed_before_does_not_count() {
        let mut again = Expansion::new();
        again.push_bits(0, u64::MAX);
        again.begin(false);
        again.push(MoveId(3));
        again.push_bits(8, 2);
        let mut fresh = Expansion::new();
        fresh.push_bits(0, 1 << 3 | 1 << 9);
        assert_eq!(again, fresh);
        fresh.push(MoveId(0));
        assert_ne!(again, fresh);
    }

    #[test]
    fn goals_that_contradict_are_kept_apart() {
        let mut reading = GoalReading::None;
        assert_eq!(reading.value(), Goal(0));
        reading.add(Goal(50));
        reading.add(Goal(50));
        assert_eq!(reading, GoalReading::One(Goal(50)));
        reading.add(Goal(100));
        assert_eq!(reading.value(), Goal(100));
    }
}

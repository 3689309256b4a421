//! The small vocabulary: roles, moves, goals, and the legal moves of a position.

/// A role, by its place in [`Game::roles`](crate::Game::roles).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RoleId(pub u16);

/// A move, numbered by the machine that gave it out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MoveId(pub u32);

/// A goal value, 0 to 100.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Goal(pub u8);

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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expansion {
    terminal: bool,
    moves: Vec<MoveId>,
    /// Where each role's moves end in `moves`.
    ends: Vec<u32>,
}

impl Expansion {
    /// An empty one, to be filled.
    pub fn new() -> Self {
        Self::default()
    }

    /// Starts over with a position that is, or is not, terminal.
    pub fn begin(&mut self, terminal: bool) {
        self.terminal = terminal;
        self.moves.clear();
        self.ends.clear();
    }

    /// Adds a move of the role that is being listed.
    pub fn push(&mut self, id: MoveId) {
        self.moves.push(id);
    }

    /// Adds moves of the role that is being listed: those whose bits are set, bit 0 being `first`.
    pub fn push_bits(&mut self, first: u32, mut bits: u64) {
        // Four at a time, and what is too much is taken back: how many there are is hard to guess
        // for a processor, and a wrong guess costs more than a few moves.
        let end = self.moves.len() + bits.count_ones() as usize;
        while bits != 0 {
            let four: [MoveId; 4] = std::array::from_fn(|_| {
                let id = MoveId(first.wrapping_add(bits.trailing_zeros()));
                bits &= bits.wrapping_sub(1);
                id
            });
            self.moves.extend_from_slice(&four);
        }
        self.moves.truncate(end);
    }

    /// The moves listed so far for the role that is being listed, to be put in order.
    pub fn open_role_mut(&mut self) -> &mut [MoveId] {
        let start = self.ends.last().copied().unwrap_or(0) as usize;
        &mut self.moves[start..]
    }

    /// Ends the list of one role and begins that of the next.
    pub fn end_role(&mut self) {
        self.ends.push(self.moves.len() as u32);
    }

    /// Whether the game is over.
    pub fn is_terminal(&self) -> bool {
        self.terminal
    }

    /// The legal moves of a role, in canonical order; none if the game is over.
    pub fn legal(&self, role: RoleId) -> &[MoveId] {
        let index = role.0 as usize;
        let Some(&end) = self.ends.get(index) else { return &[] };
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.moves[start as usize..end as usize]
    }

    /// The legal moves of each role in turn.
    pub fn by_role(&self) -> impl Iterator<Item = &[MoveId]> {
        (0..self.ends.len() as u16).map(|role| self.legal(RoleId(role)))
    }

    /// The first role that has no legal move although the game goes on.
    pub fn stuck_role(&self) -> Option<RoleId> {
        if self.terminal {
            return None;
        }
        self.by_role().position(<[MoveId]>::is_empty).map(|role| RoleId(role as u16))
    }

    /// The number of joint moves.
    pub fn joint_count(&self) -> u64 {
        if self.terminal {
            return 0;
        }
        self.by_role().map(|moves| moves.len() as u64).fold(1, u64::saturating_mul)
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
        let listed: Vec<u32> = expansion.legal(RoleId(0)).iter().map(|id| id.0).collect();
        assert_eq!(listed, [10, 12, 13, 15, 138, 201]);
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

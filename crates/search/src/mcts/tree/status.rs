//! How much is known of the moves of a node, in one word.

/// How much is known of the moves of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    /// Nothing yet.
    Leaf,
    /// Someone is about to list them.
    Claimed,
    /// There are none: the game is over.
    Over,
    /// They are in a block. `mover` is the only role with a choice; none if several have one.
    Open { block: u32, mover: Option<u16> },
}

pub(super) const CLAIMED: u64 = 1 << 32;
const OPEN: u64 = 2 << 32;
pub(super) const OVER: u64 = CLAIMED | OPEN;
/// Said of a node that stands for something.
pub(super) const IN_USE: u64 = 4 << 32;
const MOVER_SHIFT: u32 = 35;
const SEVERAL: u64 = 0x1f;
/// How often the number of the node was used before is above all that.
pub(super) const GENERATION_SHIFT: u32 = 40;
/// What stays as it is when moves are listed.
pub(super) const KEPT: u64 = IN_USE | u64::MAX << GENERATION_SHIFT;

/// Roles from this one on do not fit: where one of them alone chooses it is as if several did.
pub(super) const MOST_MOVERS: u16 = SEVERAL as u16;

impl Status {
    pub(super) fn pack(self) -> u64 {
        match self {
            Status::Leaf => 0,
            Status::Claimed => CLAIMED,
            Status::Over => OVER,
            Status::Open { block, mover } => {
                u64::from(block) | OPEN | mover.map_or(SEVERAL, u64::from) << MOVER_SHIFT
            }
        }
    }

    #[inline]
    pub(super) fn unpack(word: u64) -> Self {
        match word & OVER {
            0 => Status::Leaf,
            OVER => Status::Over,
            OPEN => {
                let mover = word >> MOVER_SHIFT & SEVERAL;
                Status::Open { block: word as u32, mover: (mover != SEVERAL).then_some(mover as u16) }
            }
            _ => Status::Claimed,
        }
    }
}

//! A set of states.

use oxidd::bcdd::BCDDFunction;
use oxidd::error::OutOfMemory;
use oxidd::{BooleanFunction, VarNo};

/// Why something is not worked out to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    /// The diagrams have no room.
    #[error("the diagrams have more nodes than there is room for")]
    OutOfMemory,
    /// No more time.
    #[error("the time was over")]
    OutOfTime,
}

impl From<OutOfMemory> for Trouble {
    fn from(_: OutOfMemory) -> Self {
        Trouble::OutOfMemory
    }
}

/// A set of states, as a diagram. Equal sets are equal diagrams, which is seen at once.
#[derive(Clone, PartialEq, Eq)]
pub struct Set(pub(crate) BCDDFunction);

impl std::fmt::Debug for Set {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(if self.is_empty() { "Set(empty)" } else { "Set(..)" })
    }
}

impl Set {
    /// What is in both.
    pub fn and(&self, other: &Set) -> Result<Set, Trouble> {
        Ok(Set(self.0.and(&other.0)?))
    }

    /// What is in one of them at least.
    pub fn or(&self, other: &Set) -> Result<Set, Trouble> {
        Ok(Set(self.0.or(&other.0)?))
    }

    /// What is in this one and not in the other.
    pub fn without(&self, other: &Set) -> Result<Set, Trouble> {
        Ok(Set(other.0.imp_strict(&self.0)?))
    }

    /// What is in one of them alone.
    pub(crate) fn differing(&self, other: &Set) -> Result<Set, Trouble> {
        Ok(Set(self.0.xor(&other.0)?))
    }

    /// All states that are not in it, possible or not.
    pub fn inverted(&self) -> Result<Set, Trouble> {
        Ok(Set(self.0.not()?))
    }

    /// Whether nothing is in it.
    pub fn is_empty(&self) -> bool {
        !self.0.satisfiable()
    }

    /// Whether a state is in it, which is told fact by fact in the order of the variables.
    pub fn has(&self, facts: impl IntoIterator<Item = bool>) -> bool {
        self.0.eval((0..).zip(facts).map(|(place, fact): (VarNo, bool)| (place * 2, fact)))
    }

    /// How many nodes its diagram has.
    pub fn nodes(&self) -> usize {
        use oxidd::Function;
        self.0.node_count()
    }
}

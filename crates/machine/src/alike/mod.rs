//! States that need not be told apart.

mod canonical_form;
mod group;
mod interchange;

use std::hash::BuildHasher;
use std::sync::Arc;

use ::circuit::{Circuit, Roles};
use game::{Likeness, MoveId, RoleId};
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

pub use canonical_form::{CanonicalForm, Pose};

use crate::circuit::CircuitState;

/// Which states are taken for one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reduction {
    /// Those that differ only in facts that decide nothing: no legal move, end or goal ever depends on them.
    pub idle: bool,
    /// Those that are images of each other under a symmetry of the rules that leaves roles and what runs by itself as
    /// they are. Every role gets the same from both.
    pub symmetry: bool,
    /// Also those under a symmetry that exchanges roles, if `symmetry` is wanted: a role gets from one what the role in its
    /// place gets from the other.
    pub exchange: bool,
}

impl Reduction {
    /// All there is.
    pub const ALL: Self = Self { idle: true, symmetry: true, exchange: true };
}

/// What makes states different.
#[derive(Debug)]
pub struct Key {
    /// The facts that count.
    mask: Box<[u64]>,
    canonical: Option<Arc<CanonicalForm>>,
}

impl Key {
    /// What makes the states of a circuit different.
    pub fn new(circuit: &Circuit, reduction: Reduction, is_over: &dyn Fn() -> bool) -> Self {
        let relevant = circuit.relevant();
        let counts = |fact: usize| relevant[fact] || !reduction.idle;
        let mask = CircuitState::from_bits((0..circuit.bases.len()).map(counts));
        // States that are compared by their images have to be without what decides nothing.
        let find = |roles| {
            let wanted = reduction.symmetry && reduction.idle;
            wanted.then(|| canonical(circuit, &relevant, mask.words(), roles, is_over)).flatten()
        };
        let exchanged = reduction.exchange.then(|| find(Roles::Exchanged)).flatten();
        Self { mask: mask.words().into(), canonical: exchanged.or_else(|| find(Roles::Kept)) }
    }

    /// A state without what does not count. A game without facts has states of no words; they get one, so that they can
    /// be counted.
    pub fn reduce(&self, state: &[u64], out: &mut [u64]) {
        out.iter_mut().zip(state.iter().zip(&self.mask)).for_each(|(out, (word, mask))| *out = word & mask);
    }

    /// The hash of such a row, the same for all that are the same.
    pub fn hash(&self, row: &[u64]) -> u64 {
        self.canonical.as_ref().map_or_else(|| FxBuildHasher.hash_one(row), |canonical| canonical.hash(row))
    }

    /// Puts in place of such a row what it has in common with all that it is the same as. Its hash.
    pub fn settle(&self, row: &mut [u64]) -> u64 {
        match &self.canonical {
            Some(canonical) => canonical.settle(row),
            None => FxBuildHasher.hash_one(&*row),
        }
    }

    /// The hash of such a row, and how it lies beside what it has in common with all that it is the same as.
    pub fn pose(&self, row: &[u64]) -> (u64, Pose) {
        match &self.canonical {
            Some(canonical) => canonical.pose(row),
            None => (FxBuildHasher.hash_one(row), Pose::default()),
        }
    }

    /// The role that is in a row of pose `to` what a role is in a row of pose `from` that is the same.
    pub fn role(&self, role: RoleId, from: Pose, to: Pose) -> RoleId {
        self.canonical.as_ref().map_or(role, |canonical| canonical.role(role, from, to))
    }

    /// Whether rows are the same in which roles have exchanged their places.
    pub fn exchanges_roles(&self) -> bool {
        self.canonical.as_ref().is_some_and(|canonical| canonical.exchanges_roles())
    }

    /// Whether two such rows of equal hashes are the same.
    pub fn are_same(&self, one: &[u64], two: &[u64]) -> bool {
        one == two || self.canonical.as_ref().is_some_and(|canonical| canonical.are_symmetric(one, two))
    }

    /// How many symmetries are made use of, the identity included.
    pub fn symmetries(&self) -> u64 {
        self.canonical.as_ref().map_or(1, |canonical| canonical.count())
    }

    /// Whether any two states are taken for one.
    pub fn merges(&self, circuit: &Circuit) -> bool {
        let all = CircuitState::from_bits((0..circuit.bases.len()).map(|_| true));
        self.canonical.is_some() || *all.words() != *self.mask
    }

    fn row(&self, state: &CircuitState) -> SmallVec<[u64; 8]> {
        let words = state.words().iter().zip(&self.mask);
        words.map(|(word, mask)| word & mask).collect()
    }
}

/// The symmetries of a circuit, if there are any and all of them can be made use of.
fn canonical(
    circuit: &Circuit,
    relevant: &[bool],
    mask: &[u64],
    roles: Roles,
    is_over: &dyn Fn() -> bool,
) -> Option<Arc<CanonicalForm>> {
    let autonomous = circuit.autonomous();
    // What decides nothing may go anywhere. What runs by itself is mapped to itself, or to the like where roles are
    // exchanged, as it may say whose turn it is.
    let colour = |fact: u32| match (relevant[fact as usize], autonomous[fact as usize]) {
        (true, true) if roles == Roles::Exchanged => 2,
        (true, true) => 2 + fact,
        (true, false) => 0,
        (false, _) => 1,
    };
    let colours: Vec<u32> = (0..circuit.bases.len() as u32).map(colour).collect();
    let found = circuit.symmetries(&colours, roles, is_over);
    // A state is looked up by any of its images, so all of them have to lead to the same place.
    CanonicalForm::new(&found, mask).filter(|canonical| canonical.are_all(found.order))
}

impl Likeness<CircuitState> for Key {
    fn hash(&self, state: &CircuitState) -> u64 {
        self.hash(&self.row(state))
    }

    fn are_alike(&self, one: &CircuitState, two: &CircuitState) -> bool {
        one == two || self.are_same(&self.row(one), &self.row(two))
    }

    fn images(&self, from: &CircuitState, to: &CircuitState, moves: &[MoveId], out: &mut Vec<MoveId>) {
        let Some(canonical) = self.canonical.as_ref().filter(|_| from != to) else {
            return out.extend(moves);
        };
        let pose = |state| canonical.pose(&self.row(state)).1;
        let (from, to) = (pose(from), pose(to));
        out.extend(moves.iter().map(|&id| canonical.move_of(id, from, to)));
    }
}

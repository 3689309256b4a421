//! What playouts need besides the block of lanes.

use game::Job;

use super::counters::Upright;
use super::notes::Notes;
use super::random::Stream;
use crate::circuit::CircuitState;

/// What a run needs besides the block; kept from call to call, as many are short.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    pub(super) stream: Option<Stream>,
    pub(super) row: Vec<u64>,
    /// Which job each playout belongs to.
    pub(super) owners: Vec<u32>,
    /// The playout of each lane.
    pub(super) playouts: Vec<u32>,
    pub(super) lengths: Upright,
    pub(super) notes: Notes,
    /// With goals apart: the playout whose final state each lane keeps.
    pub(super) kept: Vec<u32>,
    /// With moves recorded: lanes that are over, with their playouts.
    pub(super) done: Vec<(usize, u32)>,
    /// Where playouts have limits of their own: the lanes with their limits, those with the highest first.
    pub(super) limits: Vec<(u32, usize)>,
    /// Lanes that may have come to their own limits.
    pub(super) near_limit: Vec<(u32, usize)>,
    /// The states in which playouts were cut that have limits of their own.
    pub(super) cut: Vec<(u32, CircuitState)>,
    /// Playouts whose outcome is that of another, from a state that is terminal already.
    pub(super) repeated: Vec<(u32, u32)>,
}

impl Scratch {
    /// Says which playout belongs to which job; how many there are.
    pub(super) fn assign(&mut self, jobs: &[Job<'_, CircuitState>]) -> usize {
        self.owners.clear();
        for (job, index) in jobs.iter().zip(0..) {
            self.owners.extend(std::iter::repeat_n(index, job.playouts as usize));
        }
        self.owners.len()
    }
}

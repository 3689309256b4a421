//! Playouts that do not come to their end: the limit of steps, or someone who says to stop.

use game::Outcomes;

use super::play::Stop;
use super::run::{Active, MOST_WORDS, NONE, Run};
use super::scratch::Scratch;
use super::{LANES, lanes, record, set_lanes};
use crate::circuit::CircuitState;

impl Run<'_, '_> {
    /// Cuts all playouts where they are.
    pub(super) fn give_up(&mut self, active: &mut Active, out: &mut Outcomes) {
        if self.once {
            self.read_notes(out);
        }
        self.read_goals(out);
        let (words, bases) = (self.batch.words, self.batch.layout.bases);
        let mut cut: Vec<(u32, CircuitState)> = Vec::new();
        for lane in set_lanes(&active[..words]) {
            let playout = self.scratch.playouts[lane];
            out.set_length(playout as usize, self.scratch.lengths.get(lane), true);
            cut.push((playout, lanes::lane(&self.workspace.block, words, lane, bases)));
            self.scratch.done.push((lane, playout));
        }
        // And those that have not begun.
        for playout in self.scratch.playouts.iter().filter(|playout| **playout != NONE) {
            for later in (*playout as usize + LANES..self.scratch.owners.len()).step_by(LANES) {
                out.set_length(later, 0, true);
                cut.push((later as u32, self.jobs[self.scratch.owners[later] as usize].start.clone()));
            }
        }
        *active = [0; MOST_WORDS];
        self.scratch.playouts.fill(self.scratch.owners.len() as u32);
        let states: Vec<&CircuitState> = cut.iter().map(|(_, state)| state).collect();
        let mut readings = Vec::new();
        self.batch.goals_in_lanes(self.workspace, &states, &mut readings);
        let roles = self.batch.circuit().roles.len();
        for ((playout, _), readings) in cut.iter().zip(readings.chunks(roles)) {
            for (role, reading) in readings.iter().enumerate() {
                out.raise(*playout as usize, role, reading.value());
            }
        }
        self.finish(active, out);
    }

    /// Lanes that have come to the limit: the next sweep tells whether they are at an end, so
    /// their states are put aside.
    pub(super) fn due(&mut self, active: &Active, sweeps: usize) -> Vec<(usize, CircuitState)> {
        let (words, layout) = (self.batch.words, &self.batch.layout);
        let mut mask = *active;
        let mask = &mut mask[..words];
        let is_due = if self.limits.is_some() {
            self.scratch.narrow_to_limits(mask, sweeps)
        } else {
            sweeps >= self.options.most_steps as usize
                && self.scratch.lengths.narrow(mask, self.options.most_steps)
        };
        if !is_due {
            return Vec::new();
        }
        let block = &mut self.workspace.block;
        if self.options.record_moves {
            record::end(block, layout, words, mask);
        }
        set_lanes(mask).map(|lane| (lane, lanes::lane(block, words, lane, layout.bases))).collect()
    }

    /// Cuts the playouts of lanes that have come to the limit and are not at an end; which they are.
    pub(super) fn cut(
        &mut self,
        due: &[(usize, CircuitState)],
        ended: &Active,
        active: &mut Active,
        out: &mut Outcomes,
    ) -> Result<Active, Stop> {
        let mut cut = [0; MOST_WORDS];
        for (lane, state) in due.iter().filter(|(lane, _)| ended[lane / 64] >> (lane % 64) & 1 == 0) {
            // A lane may have come to its end and wait: to be read, or for the sweep of the role whose turn it is.
            let machine = &self.batch.machine;
            if machine.is_terminal(&mut self.workspace.scalar, state) {
                continue;
            }
            let playout = self.scratch.playouts[*lane];
            out.set_length(playout as usize, self.scratch.lengths.get(*lane), true);
            if self.limits.is_some() {
                self.scratch.cut.push((playout, state.clone()));
            }
            let mut readings = Vec::new();
            let goals = game::Game::goals(&**machine, &mut self.workspace.scalar, state, &mut readings);
            goals.map_err(Stop::Fault)?;
            for (role, reading) in readings.iter().enumerate() {
                out.raise(playout as usize, role, reading.value());
            }
            self.leave(*lane, playout, active);
            cut[lane / 64] |= 1 << (lane % 64);
        }
        Ok(cut)
    }
}

impl Scratch {
    /// Says how far the playouts of lanes may go, lane after lane.
    pub(super) fn set_limits(&mut self, limits: &[u32]) {
        self.near_limit.clear();
        self.limits.clear();
        self.limits.extend(limits.iter().copied().zip(0..));
        self.limits.sort_unstable_by(|one, other| other.cmp(one));
    }

    /// Whether some lanes of a mask have come to their own limits; the mask is narrowed to those. No lane has moved
    /// more often than there were sweeps, so few have to be looked at.
    fn narrow_to_limits(&mut self, mask: &mut [u64], sweeps: usize) -> bool {
        while let Some(next) = self.limits.pop_if(|(limit, _)| *limit as usize <= sweeps) {
            self.near_limit.push(next);
        }
        let active = mask.to_vec();
        mask.fill(0);
        let lengths = &self.lengths;
        self.near_limit.retain(|&(limit, lane)| {
            let is_active = active[lane / 64] >> (lane % 64) & 1 != 0;
            if is_active && lengths.get(lane) >= limit {
                mask[lane / 64] |= 1 << (lane % 64);
            }
            is_active
        });
        mask.iter().any(|&word| word != 0)
    }
}

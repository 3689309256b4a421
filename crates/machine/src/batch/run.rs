//! One block of lanes on its way through its playouts.

use game::{Goal, Job, Outcomes, PlayOptions};

use super::greedy::{GROUP, Places};
use super::play::{Mode, Stop};
use super::random::Stream;
use super::scratch::Scratch;
use super::step::{FINISHED, GoalEvent, MOVED};
use super::{BatchMachine, BatchWorkspace, LANES, lanes, record, set_lanes};
use crate::circuit::CircuitState;

pub(super) const NONE: u32 = u32::MAX;
/// Sweeps in which lanes that began together are still much alike.
const BEGINNING: usize = 5;
/// Words of the widest block.
pub(super) const MOST_WORDS: usize = LANES / 64;

/// One block of lanes on its way through its playouts: lane `l` plays playouts `l`, `l + LANES`
/// and so on.
pub(super) struct Run<'a, 'b> {
    pub(super) batch: &'a BatchMachine,
    pub(super) workspace: &'a mut BatchWorkspace,
    pub(super) mode: &'a mut Mode<'b>,
    pub(super) options: &'a PlayOptions<'a>,
    pub(super) jobs: &'a [Job<'a, CircuitState>],
    pub(super) scratch: &'a mut Scratch,
    pub(super) first_lane: usize,
    /// The first words of a slot: those with lanes that have something to play.
    pub(super) busy: usize,
    /// The number of the sweep before which lanes began last, all together.
    pub(super) begun: usize,
    /// Whether no lane has more than one playout.
    pub(super) once: bool,
    /// How far each playout may go, where they have limits of their own: then no lane has more than one.
    pub(super) limits: Option<&'a [u32]>,
}

/// The lanes that are at work.
pub(super) type Active = [u64; MOST_WORDS];

impl Run<'_, '_> {
    pub(super) fn goals(&self) -> &[GoalEvent] {
        match &self.mode {
            Mode::Random(programs) => &programs.goals,
            Mode::Greedy(programs, _) | Mode::Gibbs(programs, _) => &programs.goals,
        }
    }

    /// Says of playouts that made their first move where the outcome is certain that it is; `moved` has the
    /// lanes that moved in the last sweep, not counted yet.
    pub(super) fn note_settled(&mut self, moved: &Active, out: &mut Outcomes) {
        let settled = match &self.mode {
            Mode::Random(programs) => programs.settled,
            Mode::Greedy(programs, _) | Mode::Gibbs(programs, _) => programs.settled,
        };
        let Some(event) = settled else { return };
        let words = self.batch.words;
        let mut first = *moved;
        let row = &self.scratch.row[event * words..];
        first.iter_mut().zip(row).take(self.busy).for_each(|(first, settled)| *first &= settled);
        if self.scratch.lengths.narrow(&mut first[..self.busy], 0) {
            for lane in set_lanes(&first[..self.busy]) {
                out.set_settled(self.scratch.playouts[lane] as usize);
            }
        }
    }

    pub(super) fn play(mut self, out: &mut Outcomes) -> Result<(), Stop> {
        let mut active = self.prepare();
        // Lanes that are through wait at the end, unless there is more for them to play. When they
        // go on must not depend on the lanes beside them.
        let several = !self.once;
        let interval = if self.options.record_moves && !self.batch.goals_apart {
            self.batch.goal_interval.div_ceil(4)
        } else {
            self.batch.goal_interval
        };
        let mut sweeps = 0;
        loop {
            if self.options.is_stopped() {
                self.give_up(&mut active, out);
                return Ok(());
            }
            if active[..self.busy].iter().any(|&word| word != 0) {
                let due = self.due(&active, sweeps);
                self.sweep(sweeps, &active);
                self.check(&active)?;
                if several {
                    self.settle(&due, &mut active, out)?;
                } else {
                    self.note(&due, &mut active, out)?;
                }
            } else if several && self.scratch.done.iter().any(|&(lane, _)| self.has_more(lane)) {
                // Time passes.
                self.draw();
            } else {
                break;
            }
            sweeps += 1;
            if several && sweeps % interval == 0 {
                self.read_goals(out);
                self.harvest(&mut active, out);
                if self.options.record_moves {
                    self.begun = sweeps;
                }
            }
        }
        self.finish(&mut active, out);
        Ok(())
    }

    pub(super) fn finish(&mut self, active: &mut Active, out: &mut Outcomes) {
        if self.once {
            self.read_notes(out);
        }
        self.read_goals(out);
        self.harvest(active, out);
        for (from, to) in self.scratch.repeated.drain(..) {
            out.repeat(from as usize, to as usize);
        }
    }

    fn prepare(&mut self) -> Active {
        let (batch, scratch) = (self.batch, &mut *self.scratch);
        let words = batch.words;
        let (rows, slots) = match &self.mode {
            Mode::Random(programs) => (programs.rows, programs.block_slots()),
            Mode::Greedy(programs, _) | Mode::Gibbs(programs, _) => (programs.rows, programs.block_slots()),
        };
        batch.prepare_block(self.workspace, slots);
        let block = &mut self.workspace.block;
        let lane_count = batch.block_lanes();
        let begun = self.first_lane..scratch.owners.len().min(self.first_lane + lane_count);
        scratch.playouts.clear();
        scratch.playouts.extend(begun.clone().map(|playout| playout as u32));
        scratch.playouts.resize(lane_count, NONE);
        let mut active = [0; MOST_WORDS];
        for (word, active) in active.iter_mut().enumerate().take(self.busy) {
            let lanes = begun.len() - 64 * word;
            *active = if lanes < 64 { (1 << lanes) - 1 } else { u64::MAX };
        }
        // Lanes without playouts idle through whatever they have.
        let states: Vec<&CircuitState> =
            scratch.owners[begun].iter().map(|&owner| self.jobs[owner as usize].start).collect();
        lanes::load(block, words, &states, batch.layout.bases);
        block.copy_within(..batch.layout.bases * words, batch.layout.start * words);
        block[batch.layout.moves * words..(batch.layout.moves + 1) * words].fill(u64::MAX);
        if self.options.record_moves {
            let area = batch.layout.recording..batch.layout.played + batch.layout.move_count;
            block[area.start * words..area.end * words].fill(0);
            record::begin(block, &batch.layout, words, &active[..words]);
        }
        let stream = scratch.stream.get_or_insert_with(|| Stream::new(&batch.refill, words));
        stream.seed(rows.random as usize, self.options.seed, self.first_lane / 64, 64 * self.busy);
        scratch.row.resize(rows.events as usize * words, 0);
        scratch.lengths.reset(self.busy);
        scratch.notes.reset(rows.events as usize, words);
        if let Some(limits) = self.limits {
            let end = limits.len().min(self.first_lane + lane_count);
            scratch.set_limits(&limits[self.first_lane.min(end)..end]);
        }
        scratch.kept.clear();
        scratch.kept.resize(lane_count, NONE);
        scratch.done.clear();
        scratch.repeated.clear();
        active
    }

    /// The random words of a sweep.
    fn draw(&mut self) -> &[u64] {
        self.scratch.stream.as_mut().map_or(&[], |stream| stream.rows(1).1)
    }

    fn sweep(&mut self, number: usize, active: &Active) {
        let (words, layout) = (self.batch.words, &self.batch.layout);
        let block = &mut self.workspace.block;
        let Scratch { stream, row, .. } = &mut *self.scratch;
        let random = stream.as_mut().map_or(&[][..], |stream| stream.rows(1).1);
        let groups = &active[..words].as_chunks::<GROUP>().0[..self.busy.div_ceil(GROUP)];
        // Lanes behind the last active one need not take part.
        let lanes = 64 * active[..self.busy].iter().rposition(|&word| word != 0).map_or(0, |word| word + 1);
        let leap = match &mut *self.mode {
            Mode::Random(programs) => {
                return programs.phase(number).sweep_lanes(block, random, row, 1, lanes);
            }
            Mode::Greedy(programs, greedy) => {
                let extra = random.len() - programs.extra_random * words;
                greedy.draw(block, layout, words, &random[extra..]);
                let (look, leap) = &programs.phases[number % programs.phases.len()];
                look.sweep_lanes(block, random, row, 1, lanes);
                let first_group = self.first_lane / 64 / GROUP;
                for (group, active) in groups.iter().enumerate() {
                    let places = Places::new(layout, words, group);
                    let begins = number < self.begun + BEGINNING;
                    let group = first_group + group;
                    greedy.choose(block.as_chunks_mut::<GROUP>().0, places, active, group, begins);
                }
                leap
            }
            Mode::Gibbs(programs, gibbs) => {
                let (look, leap) = &programs.phases[number % programs.phases.len()];
                look.sweep_lanes(block, random, row, 1, lanes);
                let first_group = self.first_lane / 64 / GROUP;
                for (group, active) in groups.iter().enumerate() {
                    let places = Places::new(layout, words, group);
                    let begins = number < self.begun + BEGINNING;
                    let group = first_group + group;
                    gibbs.choose(block.as_chunks_mut::<GROUP>().0, places, active, group, begins);
                }
                leap
            }
        };
        if self.options.record_moves {
            record::note(block, layout, words, &row[FINISHED * words..(FINISHED + 1) * words]);
        }
        leap.run_lanes(block, lanes);
    }

    fn check(&mut self, active: &Active) -> Result<(), Stop> {
        let (words, layout) = (self.batch.words, &self.batch.layout);
        let reported = |slot: usize| {
            let reported = &self.workspace.block[slot * words..][..self.busy];
            reported.iter().zip(active).any(|(word, active)| word & active != 0)
        };
        if reported(layout.conflict) {
            return Err(Stop::Conflict);
        }
        if reported(layout.stuck)
            && let Some(fault) = self.batch.stuck_fault(self.workspace, &active[..words])
        {
            return Err(Stop::Fault(fault));
        }
        Ok(())
    }

    /// The active lanes that ended in the last sweep, and all that moved.
    pub(super) fn ended_and_moved(&self, active: &Active) -> (Active, Active) {
        // Small arrays: this runs once a sweep, and an allocation would take as long as a sweep.
        let (mut ended, mut moved) = ([0; MOST_WORDS], [0; MOST_WORDS]);
        let (words, row) = (self.batch.words, &self.scratch.row);
        for word in 0..self.busy {
            ended[word] = row[FINISHED * words + word] & active[word];
            moved[word] = row[MOVED * words + word];
        }
        (ended, moved)
    }

    /// Records what has ended and sends its lanes on.
    fn settle(
        &mut self,
        due: &[(usize, CircuitState)],
        active: &mut Active,
        out: &mut Outcomes,
    ) -> Result<(), Stop> {
        let words = self.batch.words;
        let (ended, mut moved) = self.ended_and_moved(active);
        if !self.batch.goals_apart && ended.iter().any(|&word| word != 0) {
            for goal in self.goals() {
                let event = &self.scratch.row[goal.event * words..(goal.event + 1) * words];
                for (word, (&event, &ended)) in event.iter().zip(&ended).enumerate() {
                    for lane in set_lanes(&[event & ended]) {
                        let playout = self.scratch.playouts[word * 64 + lane] as usize;
                        out.raise(playout, goal.role, Goal(goal.value));
                    }
                }
            }
        }
        let mut reset = ended;
        for lane in set_lanes(&ended) {
            let playout = self.scratch.playouts[lane];
            let length = self.scratch.lengths.get(lane);
            out.set_length(playout as usize, length, false);
            if self.batch.goals_apart {
                self.scratch.kept[lane] = playout;
            }
            // The lane has begun anew at the same state; that is right unless this was its last
            // playout from there or the state is terminal itself.
            if length > 0 && self.has_more_of_same(lane) && !self.options.record_moves {
                self.scratch.playouts[lane] += LANES as u32;
                continue;
            }
            while length == 0 && self.has_more_of_same(lane) {
                self.scratch.playouts[lane] += LANES as u32;
                self.scratch.repeated.push((playout, self.scratch.playouts[lane]));
            }
            self.leave(lane, playout, active);
            moved[lane / 64] &= !(1 << (lane % 64));
        }
        let cut = self.cut(due, &ended, active, out)?;
        for word in 0..words {
            reset[word] |= cut[word];
            moved[word] &= !cut[word];
        }
        if reset.iter().any(|&word| word != 0) {
            self.scratch.lengths.clear(&reset[..words]);
        }
        moved.iter_mut().zip(&*active).for_each(|(moved, active)| *moved &= active);
        self.note_settled(&moved, out);
        self.scratch.lengths.add(&moved[..words]);
        Ok(())
    }

    fn has_more(&self, lane: usize) -> bool {
        self.scratch.playouts[lane] as usize + LANES < self.scratch.owners.len()
    }

    fn has_more_of_same(&self, lane: usize) -> bool {
        let playout = self.scratch.playouts[lane] as usize;
        self.scratch.owners.get(playout + LANES) == Some(&self.scratch.owners[playout])
    }

    /// A lane is through with a playout.
    pub(super) fn leave(&mut self, lane: usize, playout: u32, active: &mut Active) {
        active[lane / 64] &= !(1 << (lane % 64));
        if self.options.record_moves {
            self.scratch.done.push((lane, playout));
        } else {
            self.begin_next(lane, active);
        }
    }

    /// Sends a lane to its next playout, if there is one, wherever that begins.
    fn begin_next(&mut self, lane: usize, active: &mut Active) {
        let next = self.scratch.playouts[lane] as usize + LANES;
        let Some(&owner) = self.scratch.owners.get(next) else { return };
        self.scratch.playouts[lane] = next as u32;
        active[lane / 64] |= 1 << (lane % 64);
        let (words, layout) = (self.batch.words, &self.batch.layout);
        let state = self.jobs[owner as usize].start;
        let block = &mut self.workspace.block;
        for slot in [0, layout.start] {
            lanes::set_lane(&mut block[slot * words..], words, lane, state, layout.bases);
        }
        // As after a move: what was drawn for the lane before does not count, nor what it met.
        block[layout.moves * words + lane / 64] |= 1 << (lane % 64);
        for slot in [layout.stuck, layout.conflict] {
            block[slot * words + lane / 64] &= !(1 << (lane % 64));
        }
    }

    /// With moves recorded: adds up the moves of lanes that are through, and sends them on.
    fn harvest(&mut self, active: &mut Active, out: &mut Outcomes) {
        if self.scratch.done.is_empty() || !self.options.record_moves {
            return;
        }
        let (words, layout) = (self.batch.words, &self.batch.layout);
        let done = std::mem::take(&mut self.scratch.done);
        let numbers = self.batch.machine.move_numbers();
        record::harvest(&self.workspace.block, layout, words, numbers, &done, out);
        if self.options.record_made {
            record::list(&self.workspace.block, layout, words, numbers, &done, out);
        }
        let mut begun = [0; MOST_WORDS];
        for &(lane, _) in done.iter().filter(|(lane, _)| self.has_more(*lane)) {
            begun[lane / 64] |= 1 << (lane % 64);
        }
        set_lanes(&begun).for_each(|lane| self.begin_next(lane, active));
        record::begin(&mut self.workspace.block, layout, words, &begun[..words]);
        self.scratch.done = done;
        self.scratch.done.clear();
    }

    /// With goals apart: reads the goals of all final states kept, and lets the lanes end again.
    pub(super) fn read_goals(&mut self, out: &mut Outcomes) {
        if !self.batch.goals_apart {
            return;
        }
        let (words, layout) = (self.batch.words, &self.batch.layout);
        self.batch.goals.run(&mut self.workspace.block);
        let block = &self.workspace.block;
        for (lane, playout) in self.scratch.kept.iter().enumerate().filter(|kept| *kept.1 != NONE) {
            for goal in self.goals() {
                if block[(layout.goals + goal.event) * words + lane / 64] >> (lane % 64) & 1 != 0 {
                    out.raise(*playout as usize, goal.role, Goal(goal.value));
                }
            }
        }
        self.scratch.kept.fill(NONE);
        let pending = layout.pending * words;
        self.workspace.block[pending..pending + words].fill(0);
    }
}

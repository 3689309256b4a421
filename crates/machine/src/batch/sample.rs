//! Very many playouts from one state, as fast as can be.

use std::collections::BTreeMap;

use game::{Game, GoalReading, RuleFault};

use super::counters::{ROWS, Tally};
use super::random::Stream;
use super::step::{FINISHED, GoalEvent, MOVED};
use super::{BatchMachine, BatchWorkspace, LANES, Programs, population};
use crate::circuit::CircuitState;

/// What many playouts from one state came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sample {
    /// Playouts, all played to the end.
    pub playouts: u64,
    /// Joint moves in all of them.
    pub steps: u64,
    /// For each role, how often each goal value was reached. A playout with several values counts
    /// for each, one without any for none.
    pub goal_counts: Vec<BTreeMap<u8, u64>>,
}

impl Sample {
    /// Mean number of joint moves.
    pub fn mean_length(&self) -> f64 {
        self.steps as f64 / self.playouts.max(1) as f64
    }

    /// Mean goal of a role.
    pub fn mean_goal(&self, role: usize) -> f64 {
        let sum: u64 = self.goal_counts[role].iter().map(|(&goal, &count)| u64::from(goal) * count).sum();
        sum as f64 / self.playouts.max(1) as f64
    }
}

/// Why a run was given up.
enum Stop {
    Fault(RuleFault),
    /// An assumption of the plan failed.
    Conflict,
}

impl BatchMachine {
    /// Plays so many uniformly random playouts from a state. Every lane has a
    /// fixed share of them, so short playouts do not count more than long ones. Playouts much
    /// longer than `most_steps` are a fault.
    pub fn sample(
        &self,
        workspace: &mut BatchWorkspace,
        start: &CircuitState,
        playouts: u64,
        seed: u64,
        most_steps: usize,
    ) -> Result<Sample, RuleFault> {
        if self.machine.is_terminal(&mut workspace.scalar, start) {
            return self.sample_of_terminal(workspace, start, playouts);
        }
        let attempt = |workspace: &mut BatchWorkspace, programs: &Programs| {
            let roles = self.circuit().roles.len();
            let mut sample = Sample { goal_counts: vec![BTreeMap::new(); roles], ..Sample::default() };
            for first_lane in (0..LANES).step_by(self.block_lanes()) {
                self.sample_block(
                    workspace,
                    programs,
                    first_lane,
                    start,
                    playouts,
                    seed,
                    most_steps,
                    &mut sample,
                )?;
            }
            Ok(sample)
        };
        let sample = match attempt(workspace, self.main()) {
            Err(Stop::Conflict) => attempt(workspace, self.cautious()),
            done => done,
        };
        sample.map_err(|stop| match stop {
            Stop::Fault(fault) => fault,
            Stop::Conflict => unreachable!("nothing was assumed"),
        })
    }

    #[allow(clippy::too_many_arguments)] // One block of the run above.
    fn sample_block(
        &self,
        workspace: &mut BatchWorkspace,
        programs: &Programs,
        first_lane: usize,
        start: &CircuitState,
        playouts: u64,
        seed: u64,
        most_steps: usize,
        sample: &mut Sample,
    ) -> Result<(), Stop> {
        let words = self.words;
        let events = programs.rows.events as usize;
        self.prepare_block(workspace, programs.block_slots());
        for base in (0..self.layout.bases).filter(|&base| start.get(base)) {
            for slot in [base, self.layout.start + base] {
                workspace.block[slot * words..(slot + 1) * words].fill(u64::MAX);
            }
        }
        let mut stream = Stream::new(&self.refill, words);
        stream.seed(programs.rows.random as usize, seed, first_lane / 64, self.block_lanes());
        let mut tally = Tally::new(&programs.tally, events, words);
        let mut counts = vec![0u64; events];
        let mut goal_counts = vec![0u64; programs.goals.len()];
        let share =
            |lane: usize| playouts / LANES as u64 + u64::from((lane as u64) < playouts % LANES as u64);
        let mut remaining: Vec<u64> = (first_lane..first_lane + self.block_lanes()).map(share).collect();
        let mut active = vec![0u64; words];
        let everyone = vec![u64::MAX; words];

        let mut since_goals = 0;
        let mut number = 0;
        // In bulk, as long as no lane can run out: a lane ends at most one playout a sweep.
        loop {
            let least = remaining.iter().copied().min().unwrap_or(0);
            let sweeps = (least.saturating_sub(1) as usize).min(Tally::LIMIT) / ROWS * ROWS;
            if sweeps < 2 * ROWS {
                break;
            }
            let mut done = 0;
            while done < sweeps {
                let (free, rows) = tally.free_rows();
                let (count, random) = stream.rows(free.min(self.goal_interval - since_goals));
                programs.sweep(&mut workspace.block, random, rows, count, number);
                number += count;
                tally.count(&programs.tally, count);
                done += count;
                self.check(workspace, &everyone)?;
                since_goals += count;
                if since_goals == self.goal_interval {
                    since_goals = 0;
                    self.read_goals(workspace, &programs.goals, &everyone, &mut goal_counts);
                }
            }
            let mut ended = vec![0u64; remaining.len()];
            tally.read(&programs.tally, |event, digit, words| {
                counts[event] += population(words) << digit;
                if event == FINISHED {
                    super::set_lanes(words).for_each(|lane| ended[lane] += 1 << digit);
                }
            });
            if sweeps > 2 * most_steps && ended.contains(&0) {
                return Err(Stop::Fault(RuleFault::TooLong(most_steps)));
            }
            remaining.iter_mut().zip(&ended).for_each(|(remaining, ended)| *remaining -= ended);
        }

        // Then sweep by sweep, until every lane has played its share.
        for lane in (0..remaining.len()).filter(|&lane| remaining[lane] > 0) {
            active[lane / 64] |= 1 << (lane % 64);
        }
        let most_sweeps = 4 * (most_steps as u64 + 100) * (1 + remaining.iter().copied().max().unwrap_or(0));
        let mut row = vec![0u64; events * words];
        // Lanes whose last state is kept, and counts: all those that ended in bulk.
        let pending = self.layout.pending * words;
        let mut counted = workspace.block[pending..pending + words].to_vec();
        let mut sweeps = 0;
        while active.iter().any(|&word| word != 0) {
            sweeps += 1;
            if sweeps > most_sweeps {
                return Err(Stop::Fault(RuleFault::TooLong(most_steps)));
            }
            let (_, random) = stream.rows(1);
            programs.sweep(&mut workspace.block, random, &mut row, 1, number);
            number += 1;
            self.check(workspace, &active)?;
            let masked = |row: &[u64], event: usize, mask: &[u64]| -> u64 {
                let words_of = row[event * words..(event + 1) * words].iter().zip(mask);
                words_of.map(|(word, mask)| u64::from((word & mask).count_ones())).sum()
            };
            for event in (0..events).filter(|&event| event != MOVED) {
                counts[event] += masked(&row, event, &active);
            }
            for word in 0..words {
                counted[word] |= row[FINISHED * words + word] & active[word];
                let mut ended = row[FINISHED * words + word] & active[word];
                while ended != 0 {
                    let bit = ended.trailing_zeros() as usize;
                    ended &= ended - 1;
                    remaining[word * 64 + bit] -= 1;
                    if remaining[word * 64 + bit] == 0 {
                        active[word] &= !(1 << bit);
                    }
                }
            }
            // What a lane does after its last playout is not counted.
            counts[MOVED] += masked(&row, MOVED, &active);
            since_goals += 1;
            if since_goals == self.goal_interval {
                since_goals = 0;
                self.read_goals(workspace, &programs.goals, &counted, &mut goal_counts);
                counted.fill(0);
            }
        }
        self.read_goals(workspace, &programs.goals, &counted, &mut goal_counts);
        sample.playouts += counts[FINISHED];
        sample.steps += counts[MOVED];
        for (goal, &apart) in programs.goals.iter().zip(&goal_counts) {
            let count = if self.goals_apart { apart } else { counts[goal.event] };
            if count > 0 {
                *sample.goal_counts[goal.role].entry(goal.value).or_default() += count;
            }
        }
        Ok(())
    }

    /// Playouts that are over before they begin.
    fn sample_of_terminal(
        &self,
        workspace: &mut BatchWorkspace,
        state: &CircuitState,
        playouts: u64,
    ) -> Result<Sample, RuleFault> {
        let mut readings = Vec::new();
        self.machine.goals(&mut workspace.scalar, state, &mut readings)?;
        let counts = |reading: &GoalReading| match *reading {
            GoalReading::None => BTreeMap::new(),
            reading => BTreeMap::from([(reading.value().0, playouts)]),
        };
        Ok(Sample { playouts, steps: 0, goal_counts: readings.iter().map(counts).collect() })
    }

    fn check(&self, workspace: &mut BatchWorkspace, active: &[u64]) -> Result<(), Stop> {
        let reported = |slot: usize| {
            let words = &workspace.block[slot * self.words..(slot + 1) * self.words];
            words.iter().zip(active).any(|(word, active)| word & active != 0)
        };
        if reported(self.layout.conflict) {
            return Err(Stop::Conflict);
        }
        if reported(self.layout.stuck)
            && let Some(fault) = self.stuck_fault(workspace, active)
        {
            return Err(Stop::Fault(fault));
        }
        Ok(())
    }

    /// Counts the goals of the final states kept in some lanes, and lets all lanes end again.
    fn read_goals(
        &self,
        workspace: &mut BatchWorkspace,
        goals: &[GoalEvent],
        lanes: &[u64],
        counts: &mut [u64],
    ) {
        if !self.goals_apart {
            return;
        }
        self.goals.run(&mut workspace.block);
        let pending = self.layout.pending * self.words;
        for (goal, count) in goals.iter().zip(counts) {
            let slot = (self.layout.goals + goal.event) * self.words;
            for (word, lanes) in lanes.iter().enumerate() {
                let here = workspace.block[slot + word] & workspace.block[pending + word] & lanes;
                *count += u64::from(here.count_ones());
            }
        }
        workspace.block[pending..pending + self.words].fill(0);
    }
}

//! Playouts from many states, each with its own outcome.

use game::{Game, Goal, RuleFault};

use super::counters::Upright;
use super::step::{FINISHED, GoalEvent, MOVED};
use super::{BatchMachine, BatchWorkspace, LANES, Programs, RankedPrograms, Ranking, lanes, set_lanes};
use crate::circuit::CircuitState;

/// A state and how many playouts begin there.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    /// Where they begin.
    pub start: &'a CircuitState,
    /// How many.
    pub playouts: u32,
}

/// How moves are chosen.
#[derive(Clone, Copy, Debug, Default)]
pub enum Policy<'a> {
    /// All legal moves are equally likely.
    #[default]
    Uniform,
    /// The best by a ranking, now and then a random one.
    Ranked(&'a Ranking),
}

/// How playouts are played.
#[derive(Clone, Copy, Debug)]
pub struct PlayOptions<'a> {
    /// The same seed gives the same playouts, on every target.
    pub seed: u64,
    /// Playouts that have not ended after so many joint moves are cut there.
    pub most_steps: u32,
    /// How moves are chosen.
    pub policy: Policy<'a>,
}

/// What became of playouts, in the order of the jobs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcomes {
    roles: usize,
    lengths: Vec<u32>,
    cut: Vec<bool>,
    goals: Vec<Goal>,
}

impl Outcomes {
    /// The number of playouts.
    pub fn len(&self) -> usize {
        self.lengths.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.lengths.is_empty()
    }

    /// The number of joint moves of a playout.
    pub fn length(&self, playout: usize) -> u32 {
        self.lengths[playout]
    }

    /// Whether a playout was cut: its goals are those of a state that is not terminal.
    pub fn is_cut(&self, playout: usize) -> bool {
        self.cut[playout]
    }

    /// The goals of a playout, role by role: no goal counts 0, of several the highest.
    pub fn goals(&self, playout: usize) -> &[Goal] {
        &self.goals[playout * self.roles..(playout + 1) * self.roles]
    }

    fn reset(&mut self, roles: usize, playouts: usize) {
        self.roles = roles;
        self.lengths.clear();
        self.lengths.resize(playouts, 0);
        self.cut.clear();
        self.cut.resize(playouts, false);
        self.goals.clear();
        self.goals.resize(playouts * roles, Goal(0));
    }

    fn raise(&mut self, playout: usize, role: usize, value: u8) {
        let goal = &mut self.goals[playout * self.roles + role];
        *goal = (*goal).max(Goal(value));
    }

    fn copy(&mut self, from: usize, to: usize) {
        self.lengths[to] = self.lengths[from];
        self.cut[to] = self.cut[from];
        self.goals.copy_within(from * self.roles..(from + 1) * self.roles, to * self.roles);
    }
}

/// The programs of a run.
#[derive(Clone, Copy)]
enum Mode<'a> {
    Uniform(&'a Programs),
    Ranked(&'a RankedPrograms, &'a Ranking),
}

enum Stop {
    Fault(RuleFault),
    Conflict,
}

impl BatchMachine {
    /// Plays all playouts of some jobs.
    pub fn play(
        &self,
        workspace: &mut BatchWorkspace,
        jobs: &[Job<'_>],
        options: &PlayOptions<'_>,
        out: &mut Outcomes,
    ) -> Result<(), RuleFault> {
        // Which job each playout belongs to.
        let owners: Vec<u32> = jobs
            .iter()
            .zip(0..)
            .flat_map(|(job, index)| std::iter::repeat_n(index, job.playouts as usize))
            .collect();
        let mut attempt = |mode: Mode<'_>| {
            out.reset(self.circuit().roles.len(), owners.len());
            let blocks = (0..LANES.min(owners.len())).step_by(self.block_lanes());
            for first_lane in blocks {
                Run::new(self, workspace, mode, options, jobs, &owners, first_lane, out).run()?;
            }
            Ok(())
        };
        let done = match options.policy {
            Policy::Ranked(ranking) => attempt(Mode::Ranked(self.ranked(), ranking)),
            Policy::Uniform => match attempt(Mode::Uniform(&self.main)) {
                Err(Stop::Conflict) => attempt(Mode::Uniform(self.cautious())),
                done => done,
            },
        };
        done.map_err(|stop| match stop {
            Stop::Fault(fault) => fault,
            Stop::Conflict => unreachable!("nothing was assumed"),
        })
    }
}

const NONE: u32 = u32::MAX;
/// Words of the widest block.
const MOST_WORDS: usize = LANES / 64;

/// One block of lanes on its way through its playouts: lane `l` plays playouts `l`, `l + LANES`
/// and so on.
struct Run<'a> {
    batch: &'a BatchMachine,
    workspace: &'a mut BatchWorkspace,
    mode: Mode<'a>,
    options: &'a PlayOptions<'a>,
    jobs: &'a [Job<'a>],
    owners: &'a [u32],
    out: &'a mut Outcomes,
    stream: super::Stream,
    row: Vec<u64>,
    goals: &'a [GoalEvent],
    /// The playout of each lane.
    playouts: Vec<u32>,
    active: Vec<u64>,
    lengths: Upright,
    /// With goals apart: the playout whose final state each lane keeps.
    kept: Vec<u32>,
    /// Playouts whose outcome is that of another, from a state that is terminal already.
    repeated: Vec<(u32, u32)>,
}

impl<'a> Run<'a> {
    #[allow(clippy::too_many_arguments)] // The parts of one call.
    fn new(
        batch: &'a BatchMachine,
        workspace: &'a mut BatchWorkspace,
        mode: Mode<'a>,
        options: &'a PlayOptions<'a>,
        jobs: &'a [Job<'a>],
        owners: &'a [u32],
        first_lane: usize,
        out: &'a mut Outcomes,
    ) -> Self {
        let words = batch.words;
        let (rows, goals, slots) = match mode {
            Mode::Uniform(programs) => (programs.rows, &programs.goals, programs.sweep.block_slots()),
            Mode::Ranked(programs, _) => {
                let slots = programs.look.block_slots().max(programs.leap.block_slots());
                (programs.rows, &programs.goals, slots)
            }
        };
        batch.prepare_block(workspace, slots);
        let lane_count = batch.block_lanes();
        let playouts: Vec<u32> = (first_lane..first_lane + lane_count)
            .map(|lane| if lane < owners.len() { lane as u32 } else { NONE })
            .collect();
        let mut active = vec![0u64; words];
        for word in 0..words {
            // Lanes without playouts idle through those of the first job.
            let states: Vec<&CircuitState> = playouts[word * 64..(word + 1) * 64]
                .iter()
                .map(|&playout| {
                    jobs[owners.get(playout as usize).map_or(owners[0], |&owner| owner) as usize].start
                })
                .collect();
            lanes::load(&mut workspace.block, words, word, &states, batch.layout.bases);
        }
        let bases = batch.layout.bases * words;
        workspace.block.copy_within(..bases, batch.layout.start * words);
        for lane in (0..lane_count).filter(|&lane| playouts[lane] != NONE) {
            active[lane / 64] |= 1 << (lane % 64);
        }
        Self {
            stream: batch.stream(rows, options.seed, first_lane),
            row: vec![0; rows.events as usize * words],
            goals,
            playouts,
            active,
            lengths: Upright::new(words),
            kept: vec![NONE; lane_count],
            repeated: Vec::new(),
            batch,
            workspace,
            mode,
            options,
            jobs,
            owners,
            out,
        }
    }

    fn run(mut self) -> Result<(), Stop> {
        let mut sweeps = 0;
        while self.active.iter().any(|&word| word != 0) {
            let due = self.due();
            self.sweep();
            self.check()?;
            self.settle(&due)?;
            sweeps += 1;
            if sweeps % self.batch.goal_interval == 0 {
                self.read_goals();
            }
        }
        self.read_goals();
        for (from, to) in std::mem::take(&mut self.repeated) {
            self.out.copy(from as usize, to as usize);
        }
        Ok(())
    }

    /// Lanes that have come to the limit: the next sweep tells whether they are at an end, so
    /// their states are put aside.
    fn due(&mut self) -> Vec<(usize, CircuitState)> {
        let mut mask = [0; MOST_WORDS];
        let mask = &mut mask[..self.batch.words];
        mask.copy_from_slice(&self.active);
        if !self.lengths.narrow(mask, self.options.most_steps) {
            return Vec::new();
        }
        let (words, bases) = (self.batch.words, self.batch.layout.bases);
        set_lanes(mask).map(|lane| (lane, lanes::lane(&self.workspace.block, words, lane, bases))).collect()
    }

    fn sweep(&mut self) {
        let extra = super::EPSILON_BITS as usize * self.batch.circuit().roles.len() * self.batch.words;
        let (_, random) = self.stream.rows(1);
        let block = &mut self.workspace.block;
        match self.mode {
            Mode::Uniform(programs) => programs.sweep.sweep(block, random, &mut self.row, 1),
            Mode::Ranked(programs, ranking) => {
                programs.look.sweep(block, random, &mut self.row, 1);
                let layout = &self.batch.layout;
                let areas = [layout.legal, layout.does, layout.moves];
                ranking.apply(block, self.batch.words, areas, &random[random.len() - extra..]);
                programs.leap.run(block);
            }
        }
    }

    fn check(&mut self) -> Result<(), Stop> {
        let (words, layout) = (self.batch.words, &self.batch.layout);
        let reported = |slot: usize| {
            let reported = &self.workspace.block[slot * words..(slot + 1) * words];
            reported.iter().zip(&self.active).any(|(word, active)| word & active != 0)
        };
        if reported(layout.conflict) {
            return Err(Stop::Conflict);
        }
        if reported(layout.stuck)
            && let Some(fault) = self.batch.stuck_fault(self.workspace, &self.active)
        {
            return Err(Stop::Fault(fault));
        }
        Ok(())
    }

    /// Records what has ended and sends its lanes on.
    fn settle(&mut self, due: &[(usize, CircuitState)]) -> Result<(), Stop> {
        let words = self.batch.words;
        // Small arrays: this runs once a sweep, and an allocation would take as long as a sweep.
        let mut ended = [0; MOST_WORDS];
        let mut moved = [0; MOST_WORDS];
        for word in 0..words {
            ended[word] = self.row[FINISHED * words + word] & self.active[word];
            moved[word] = self.row[MOVED * words + word];
        }
        let mut reset = ended;
        if !self.batch.goals_apart {
            for goal in self.goals {
                let event = &self.row[goal.event * words..(goal.event + 1) * words];
                for (word, (&event, &active)) in event.iter().zip(&self.active).enumerate() {
                    let mut lanes = event & active;
                    while lanes != 0 {
                        let lane = word * 64 + lanes.trailing_zeros() as usize;
                        lanes &= lanes - 1;
                        self.out.raise(self.playouts[lane] as usize, goal.role, goal.value);
                    }
                }
            }
        }
        for lane in set_lanes(&ended) {
            let playout = self.playouts[lane] as usize;
            let length = self.lengths.get(lane);
            self.out.lengths[playout] = length;
            if self.batch.goals_apart {
                self.kept[lane] = playout as u32;
            }
            // The lane has begun anew at the same state; that is right unless this was its last
            // playout from there or the state is terminal itself.
            let continues = length > 0 && self.next_of_same_job(lane);
            if continues {
                self.playouts[lane] += LANES as u32;
            } else {
                if length == 0 {
                    while self.next_of_same_job(lane) {
                        self.playouts[lane] += LANES as u32;
                        self.repeated.push((playout as u32, self.playouts[lane]));
                    }
                }
                self.begin_next(lane);
                moved[lane / 64] &= !(1 << (lane % 64));
            }
        }
        for (lane, state) in due.iter().filter(|(lane, _)| ended[lane / 64] >> (lane % 64) & 1 == 0) {
            // With goals apart, a lane may have come to its end and wait to be read.
            let machine = &self.batch.machine;
            if self.batch.goals_apart && machine.is_terminal(&mut self.workspace.scalar, state) {
                continue;
            }
            let playout = self.playouts[*lane] as usize;
            self.out.lengths[playout] = self.options.most_steps;
            self.out.cut[playout] = true;
            let mut readings = Vec::new();
            let goals = self.batch.machine.goals(&mut self.workspace.scalar, state, &mut readings);
            goals.map_err(Stop::Fault)?;
            readings
                .iter()
                .enumerate()
                .for_each(|(role, reading)| self.out.raise(playout, role, reading.value().0));
            self.begin_next(*lane);
            reset[lane / 64] |= 1 << (lane % 64);
            moved[lane / 64] &= !(1 << (lane % 64));
        }
        if reset.iter().any(|&word| word != 0) {
            self.lengths.clear(&reset[..words]);
        }
        moved.iter_mut().zip(&self.active).for_each(|(moved, active)| *moved &= active);
        self.lengths.add(&moved[..words]);
        Ok(())
    }

    fn next_of_same_job(&self, lane: usize) -> bool {
        let playout = self.playouts[lane] as usize;
        self.owners.get(playout + LANES) == Some(&self.owners[playout])
    }

    /// Sends a lane to its next playout, wherever that begins.
    fn begin_next(&mut self, lane: usize) {
        let next = self.playouts[lane] as usize + LANES;
        let Some(&owner) = self.owners.get(next) else {
            self.active[lane / 64] &= !(1 << (lane % 64));
            return;
        };
        self.playouts[lane] = next as u32;
        let (words, layout) = (self.batch.words, &self.batch.layout);
        let state = self.jobs[owner as usize].start;
        for slot in [0, layout.start] {
            lanes::set_lane(&mut self.workspace.block[slot * words..], words, lane, state, layout.bases);
        }
    }

    /// With goals apart: reads the goals of all final states kept, and lets the lanes end again.
    fn read_goals(&mut self) {
        if !self.batch.goals_apart {
            return;
        }
        let (words, layout) = (self.batch.words, &self.batch.layout);
        let block = &mut self.workspace.block;
        self.batch.goals.run(block);
        for (lane, playout) in self.kept.iter_mut().enumerate().filter(|(_, playout)| **playout != NONE) {
            for goal in self.goals {
                if block[(layout.goals + goal.event) * words + lane / 64] >> (lane % 64) & 1 != 0 {
                    self.out.raise(*playout as usize, goal.role, goal.value);
                }
            }
            *playout = NONE;
        }
        let pending = layout.pending * words;
        block[pending..pending + words].fill(0);
    }
}

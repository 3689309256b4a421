//! Playouts from many states, each with its own outcome.

use game::{Dice, Game, Job, MoveWorth, Outcomes, PlayOptions, RuleFault, Sampler, Weights};

use super::gibbs::Gibbs;
use super::greedy::Greedy;
use super::run::Run;
use super::{BatchMachine, BatchWorkspace, LANES, OpenPrograms, Playouts, Programs};
use crate::circuit::CircuitState;

/// The programs of a run, and who makes the choices they leave open.
pub(super) enum Mode<'a> {
    Random(&'a Programs),
    Greedy(&'a OpenPrograms, Greedy),
    Gibbs(&'a OpenPrograms, Gibbs),
}

/// Why a run was given up.
pub(super) enum Stop {
    Fault(RuleFault),
    /// An assumption of the plan failed.
    Conflict,
}

impl BatchMachine {
    /// Plays all playouts of some jobs.
    pub(super) fn play_in_lanes(
        &self,
        workspace: &mut BatchWorkspace,
        jobs: &[Job<'_, CircuitState>],
        options: &PlayOptions<'_>,
        out: &mut Outcomes,
    ) -> Result<(), RuleFault> {
        // Who asks for what is not to be had in lanes was told so.
        let playouts = self.playouts(options.decisive, options.captures).unwrap_or(&self.playouts);
        self.play_by(playouts, workspace, jobs, options, None, out)
    }

    /// Plays all playouts of some jobs, each to its own limit. There are no more of them than lanes.
    pub(super) fn play_to_in_lanes(
        &self,
        workspace: &mut BatchWorkspace,
        jobs: &[Job<'_, CircuitState>],
        options: &PlayOptions<'_>,
        limits: &[u32],
        out: &mut Outcomes,
        cut: &mut Vec<(u32, CircuitState)>,
    ) -> Result<(), RuleFault> {
        let playouts = self.playouts(options.decisive, options.captures).unwrap_or(&self.playouts);
        let limits: Vec<u32> = limits.iter().map(|&limit| limit.min(options.most_steps)).collect();
        self.play_by(playouts, workspace, jobs, options, Some(&limits), out)?;
        cut.append(&mut workspace.play.cut);
        cut.sort_unstable_by_key(|(playout, _)| *playout);
        Ok(())
    }

    /// The same by the programs of some rules.
    pub(super) fn play_by(
        &self,
        rules: &Playouts,
        workspace: &mut BatchWorkspace,
        jobs: &[Job<'_, CircuitState>],
        options: &PlayOptions<'_>,
        limits: Option<&[u32]>,
        out: &mut Outcomes,
    ) -> Result<(), RuleFault> {
        let mut scratch = std::mem::take(&mut workspace.play);
        let playouts = scratch.assign(jobs);
        let mut attempt = |careful: bool| {
            let mut mode = self.mode(rules, options, careful);
            out.reset(self.circuit().roles.len(), playouts);
            scratch.cut.clear();
            let blocks = (0..LANES.min(playouts)).step_by(self.block_lanes());
            for first_lane in blocks {
                let scratch = &mut scratch;
                let run = Run {
                    batch: self,
                    workspace,
                    mode: &mut mode,
                    options,
                    jobs,
                    scratch,
                    first_lane,
                    busy: (playouts - first_lane).min(self.block_lanes()).div_ceil(64),
                    begun: 0,
                    once: playouts <= LANES,
                    limits,
                };
                run.play(out)?;
            }
            Ok(())
        };
        let done = match attempt(false) {
            Err(Stop::Conflict) => attempt(true),
            done => done,
        };
        workspace.play = scratch;
        done.map_err(|stop| match stop {
            Stop::Fault(fault) => fault,
            Stop::Conflict => unreachable!("nothing was assumed"),
        })
    }

    /// The programs for a policy, and its preferences.
    fn mode<'a>(&self, rules: &'a Playouts, options: &PlayOptions<'_>, careful: bool) -> Mode<'a> {
        let numbers = self.machine.move_numbers();
        let equal = MoveWorth::new(0.0);
        let worth = match options.policy.weights {
            Weights::ByMove(worth) => worth,
            // What depends on more is not played in lanes, unless it does not count.
            Weights::Equal | Weights::InContext(..) => &equal,
        };
        let chance = self.chance();
        match options.policy.sampler {
            Sampler::EpsilonGreedy { epsilon } => {
                // Dice that neither lanes nor groups of lanes have.
                let mut dice = Dice::stream(options.seed, 2 << 32);
                let programs = self.open_programs(rules, careful, false);
                let mut greedy = Greedy::new(numbers, worth, epsilon, &mut dice);
                if let Some(role) = chance {
                    let any = Gibbs::new(numbers, &programs.idle, &equal, 1.0, options.seed);
                    greedy.leave_to_chance(role, any);
                }
                Mode::Greedy(programs, greedy)
            }
            Sampler::Gibbs { temperature } => {
                let programs = self.open_programs(rules, careful, true);
                let mut gibbs = Gibbs::new(numbers, &programs.idle, worth, temperature, options.seed);
                if let Some(role) = chance {
                    gibbs.forget(role);
                }
                Mode::Gibbs(programs, gibbs)
            }
            Sampler::Uniform | Sampler::Roulette => {
                Mode::Random(self.random_programs(rules, careful, options.record_moves))
            }
        }
    }
}

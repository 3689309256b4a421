//! Random playouts against the clock.

use std::collections::BTreeMap;
use std::time::Duration;

use bench::hand::{self, HandGame};
use game::{Dice, Expansion, Game, RuleFault};
use machine::batch::{BatchMachine, LANES};
use verify::PlayoutLimits;

use super::answer::Mean;
use crate::process::{cpu_seconds_since, cpu_time};

/// The seed of all playouts.
const SEED: u64 = 1;
/// Clocks are read about this often.
const READING_SECONDS: f64 = 0.002;
/// Calls of the machine in lanes while it is measured.
const CALLS: f64 = 5.0;
/// Playouts a lane should play in one call even if that takes longer.
const LEAST_SHARE: u64 = 8;
/// Playouts of a lane in one call at most: a call that takes next to no time tells nothing, however many
/// there are.
const MOST_SHARE: u64 = 1 << 40;
/// Why a game is not measured.
pub(in crate::commands) const OVER: &str =
    "the first state is terminal: there is no move to be measured, look at the rules for `terminal`";

/// What playouts came to.
#[derive(Clone, Debug, Default)]
pub(in crate::commands) struct Tally {
    pub(in crate::commands) cpu_seconds: f64,
    /// Joint moves, also those of a playout that was cut off by the clock.
    pub(in crate::commands) state_changes: u64,
    /// Playouts to the end.
    pub(in crate::commands) playouts: u64,
    /// Their mean length, or none if there was none.
    pub(super) length: Option<Mean>,
    /// For each role, how often each goal was reached.
    pub(super) goals: Vec<BTreeMap<u8, u64>>,
}

impl Tally {
    /// The mean goal of each role.
    pub(super) fn mean_goals(&self) -> Vec<Option<Mean>> {
        let mean = |counts: &BTreeMap<u8, u64>| {
            let mut moments = Moments::default();
            counts.iter().for_each(|(&goal, &count)| moments.add(f64::from(goal), count));
            // A playout without a goal counts 0.
            moments.count = self.playouts;
            moments.mean()
        };
        self.goals.iter().map(mean).collect()
    }
}

/// Sums over a number of observations.
#[derive(Clone, Copy, Debug, Default)]
struct Moments {
    count: u64,
    sum: f64,
    squares: f64,
}

impl Moments {
    fn add(&mut self, value: f64, times: u64) {
        self.count += times;
        self.sum += value * times as f64;
        self.squares += value * value * times as f64;
    }

    fn mean(&self) -> Option<Mean> {
        let count = self.count as f64;
        let interval = (self.count >= 2).then(|| {
            let variance = ((self.squares - self.sum * self.sum / count) / (count - 1.0)).max(0.0);
            student(self.count - 1) * (variance / count).sqrt()
        });
        (self.count > 0).then(|| Mean { mean: self.sum / count, interval })
    }
}

/// The bound that Student's t passes in one case of twenty.
fn student(freedom: u64) -> f64 {
    const FEW: [f64; 10] = [12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23];
    let few = FEW.get((freedom as usize).saturating_sub(1)).copied();
    few.unwrap_or(1.96 + 2.4 / freedom as f64)
}

/// A clock that is read rarely while time is left.
struct Alarm {
    begin: Duration,
    seconds: f64,
    last: f64,
    /// Calls between readings.
    stride: u32,
    left: u32,
}

impl Alarm {
    fn new(seconds: f64) -> Self {
        Self { begin: cpu_time(), seconds, last: 0.0, stride: 1, left: 1 }
    }

    fn has_rung(&mut self) -> bool {
        self.left -= 1;
        if self.left > 0 {
            return false;
        }
        let now = cpu_seconds_since(self.begin);
        if now - self.last < READING_SECONDS {
            self.stride = (self.stride * 2).min(1 << 16);
        } else if now - self.last > 2.0 * READING_SECONDS {
            self.stride = (self.stride / 2).max(1);
        }
        self.last = now;
        self.left = self.stride;
        now >= self.seconds
    }
}

/// Whether the game is over before it begins.
pub(in crate::commands) fn is_over<G: Game>(game: &G) -> Result<bool, RuleFault> {
    let mut expansion = Expansion::new();
    game.expand(&mut game.workspace(), &game.initial(), &mut expansion)?;
    Ok(expansion.is_terminal())
}

/// Plays one playout after the other for so many processor seconds.
pub(in crate::commands) fn one_by_one<G: Game>(game: &G, seconds: f64) -> Result<Tally, RuleFault> {
    let most_steps = PlayoutLimits::default().steps;
    let mut workspace = game.workspace();
    let initial = game.initial();
    let (mut expansion, mut joint, mut readings) = (Expansion::new(), Vec::new(), Vec::new());
    let mut dice = Dice::new(SEED);
    let mut lengths = Moments::default();
    let mut tally = Tally { goals: vec![BTreeMap::new(); game.role_count()], ..Tally::default() };
    let mut alarm = Alarm::new(seconds);
    'playouts: loop {
        let mut state = initial.clone();
        let mut steps = 0;
        loop {
            if alarm.has_rung() {
                break 'playouts;
            }
            game.expand(&mut workspace, &state, &mut expansion)?;
            if expansion.is_terminal() {
                break;
            }
            if let Some(role) = expansion.stuck_role() {
                return Err(RuleFault::NoLegalMove(role));
            }
            if steps >= most_steps {
                return Err(RuleFault::TooLong(most_steps));
            }
            joint.clear();
            joint.extend(expansion.by_role().map(|legal| legal[dice.below(legal.len())]));
            state = game.apply(&mut workspace, &state, &joint)?;
            steps += 1;
            tally.state_changes += 1;
        }
        game.goals(&mut workspace, &state, &mut readings)?;
        for (counts, reading) in tally.goals.iter_mut().zip(&readings) {
            *counts.entry(reading.value().0).or_default() += 1;
        }
        lengths.add(steps as f64, 1);
    }
    tally.cpu_seconds = cpu_seconds_since(alarm.begin);
    tally.playouts = lengths.count;
    tally.length = lengths.mean();
    Ok(tally)
}

/// Plays in lanes for about so many processor seconds.
pub(in crate::commands) fn in_lanes(machine: &BatchMachine, seconds: f64) -> Result<Tally, RuleFault> {
    let most_steps = PlayoutLimits::default().steps;
    let start = machine.machine().initial();
    let mut workspace = machine.workspace();
    let mut seed = SEED;
    let mut play = |share: u64| {
        seed += 1;
        let begin = cpu_time();
        let sample = machine.sample(&mut workspace, &start, share * LANES as u64, seed, most_steps)?;
        Ok((sample, cpu_seconds_since(begin)))
    };
    // The first call also brings code and tables into the caches.
    let mut share = 1;
    let mut spent = play(share)?.1;
    while spent < seconds / 16.0 && share < MOST_SHARE {
        share *= if spent < seconds / 128.0 { 8 } else { 2 };
        spent = play(share)?.1;
    }
    // Few calls, as lanes that have played their share stand idle at the end of each.
    let per_share = (spent / share as f64).max(1e-9);
    let affordable = |seconds: f64| (seconds / per_share) as u64;
    share = affordable(seconds / CALLS).max(LEAST_SHARE.min(affordable(4.0 * seconds)));
    share = share.clamp(1, MOST_SHARE);
    let roles = machine.machine().role_count();
    let mut tally = Tally { goals: vec![BTreeMap::new(); roles], ..Tally::default() };
    let mut lengths = Moments::default();
    while tally.cpu_seconds < seconds || lengths.count < 2 {
        let (sample, spent) = play(share)?;
        tally.cpu_seconds += spent;
        tally.playouts += sample.playouts;
        tally.state_changes += sample.steps;
        lengths.add(sample.mean_length(), 1);
        for (sum, counts) in tally.goals.iter_mut().zip(&sample.goal_counts) {
            counts.iter().for_each(|(&goal, &count)| *sum.entry(goal).or_default() += count);
        }
    }
    // All calls have the same number of playouts: the mean of their means is that of all.
    tally.length = lengths.mean();
    Ok(tally)
}

/// Runs a hand-written program for about so many processor seconds.
pub(super) fn by_hand(game: HandGame, seconds: f64) -> Tally {
    let mut seed = SEED;
    let mut play = |playouts: u64| {
        seed += 1;
        let begin = cpu_time();
        let tally = hand::play(game, playouts, seed);
        (tally, cpu_seconds_since(begin))
    };
    let mut playouts = 1000;
    while play(playouts).1 < seconds / 16.0 {
        playouts *= 2;
    }
    let mut tally = Tally { goals: vec![BTreeMap::new(); 2], ..Tally::default() };
    let mut lengths = Moments::default();
    while tally.cpu_seconds < seconds {
        let (played, spent) = play(playouts);
        tally.cpu_seconds += spent;
        tally.playouts += played.playouts;
        tally.state_changes += played.moves;
        lengths.add(played.moves as f64 / played.playouts as f64, 1);
        let second_wins = played.playouts - played.first_wins - played.draws;
        for (role, wins) in [played.first_wins, second_wins].into_iter().enumerate() {
            let losses = played.playouts - wins - played.draws;
            for (goal, count) in [(100, wins), (50, played.draws), (0, losses)] {
                *tally.goals[role].entry(goal).or_default() += count;
            }
        }
    }
    tally.length = lengths.mean();
    tally
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_give_the_mean_and_its_interval() {
        let mut moments = Moments::default();
        assert!(moments.mean().is_none());
        moments.add(1.0, 50);
        moments.add(3.0, 50);
        let mean = moments.mean().expect("observations");
        assert_eq!(mean.mean, 2.0);
        assert!((mean.interval.expect("many") - 0.2).abs() < 0.01);
    }

    #[test]
    fn hand_written_programs_share_the_goals_out() {
        let tally = by_hand(HandGame::TicTacToe, 0.01);
        let goals: f64 = tally.mean_goals().iter().flatten().map(|mean| mean.mean).sum();
        assert!((goals - 100.0).abs() < 1e-6, "{goals}");
        assert!(tally.state_changes > 5 * tally.playouts);
    }
}

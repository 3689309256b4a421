//! How many moves the roles have, and what that is worth: learnt from random games, sign and all, for each set of
//! roles that have a choice. Where it says nothing about the end, a position is worth what such positions were worth on
//! average. Mobility is one of the oldest knowledge-free features (Clune 2007; Kaiser 2007).

use std::collections::BTreeMap;
use std::sync::Arc;

use engine::Evaluator;
use game::{Choices, Dice, Expansions, GoalReading, MoveId, RuleFault, Simulator};
use parking_lot::Mutex;

use crate::Learner;
use crate::value::{EVEN, worth_of};

/// Random games that are longer teach nothing.
const MOST_STEPS: u32 = 1_000;

/// Positions of a random game that teach.
const SAMPLES: usize = 8;

/// Positions below which nothing is believed, and standard errors that a slope has to be away from none.
const LEAST_SAMPLES: f64 = 50.0;
const LEAST_ERRORS: f64 = 3.0;

/// Roles that have a choice, a bit each; beyond 64 they share bits.
fn choosers(choices: Choices<'_>) -> u64 {
    let with_choice = choices.by_role().enumerate().filter(|(_, moves)| moves.len() > 1);
    with_choice.fold(0, |bits, (role, _)| bits | 1 << (role % 64))
}

/// How many moves a role has, compared with the others: the difference of logarithms, theirs on average.
fn mobility(choices: Choices<'_>, out: &mut Vec<f64>) {
    out.clear();
    out.extend(choices.by_role().map(|moves| (moves.len().max(1) as f64).ln()));
    let sum: f64 = out.iter().sum();
    let others = (out.len() as f64 - 1.0).max(1.0);
    out.iter_mut().for_each(|own| *own -= (sum - *own) / others);
}

/// Sums of a regression of what is reached on mobility.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    count: f64,
    x: f64,
    y: f64,
    xx: f64,
    xy: f64,
    yy: f64,
}

impl Sums {
    fn add(&mut self, x: f64, y: f64) {
        self.count += 1.0;
        self.x += x;
        self.y += y;
        self.xx += x * x;
        self.xy += x * y;
        self.yy += y * y;
    }

    /// The line through the samples: level where too little is known of its slope.
    fn line(&self) -> Line {
        if self.count < LEAST_SAMPLES {
            return Line { level: EVEN, slope: 0.0, at: 0.0 };
        }
        let (at, level) = (self.x / self.count, self.y / self.count);
        let spread = self.xx / self.count - at * at;
        let together = self.xy / self.count - at * level;
        let rest = (self.yy / self.count - level * level) - together * together / spread.max(1e-9);
        let error = (rest.max(0.0) / (self.count * spread.max(1e-9))).sqrt();
        let slope = if spread > 1e-9 { together / spread } else { 0.0 };
        let slope = if slope.abs() > LEAST_ERRORS * error { slope } else { 0.0 };
        Line { level, slope, at }
    }
}

/// What mobility is worth to a role.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Line {
    level: f64,
    slope: f64,
    /// Where it has its level.
    at: f64,
}

/// Says what states are worth by how many moves the roles have.
pub struct Mobility<G: Simulator> {
    game: Arc<G>,
    /// By who has a choice, role by role.
    lines: BTreeMap<u64, Vec<Line>>,
    scratch: Mutex<Vec<(G::Workspace, Expansions)>>,
}

impl<G: Simulator> std::fmt::Debug for Mobility<G> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Mobility").field("lines", &self.lines).finish_non_exhaustive()
    }
}

impl<G: Simulator> Evaluator<G::State> for Mobility<G> {
    fn evaluate(&self, states: &[&G::State], out: &mut [f64]) -> Result<(), RuleFault> {
        let scratch = self.scratch.lock().pop();
        let (mut workspace, mut expansions) =
            scratch.unwrap_or_else(|| (self.game.workspace(), Expansions::new()));
        self.game.expand_all(&mut workspace, states, &mut expansions)?;
        let mut counts = Vec::new();
        for (choices, values) in expansions.iter().zip(out.chunks_mut(self.game.role_count().max(1))) {
            values.fill(EVEN);
            let Some(lines) = self.lines.get(&choosers(choices)) else { continue };
            mobility(choices, &mut counts);
            for ((value, line), count) in values.iter_mut().zip(lines).zip(&counts) {
                *value = line.level + line.slope * (count - line.at);
            }
        }
        self.scratch.lock().push((workspace, expansions));
        Ok(())
    }
}

/// A random game on its way.
struct Walk<State> {
    state: State,
    steps: u32,
    /// Positions that were kept: who had a choice, and the mobility of each role.
    samples: Vec<(u64, Vec<f64>)>,
}

/// Learns what mobility is worth.
pub struct MobilityLearner<G: Simulator> {
    game: Arc<G>,
    workspace: G::Workspace,
    expansions: Expansions,
    dice: Dice,
    walks: Vec<Walk<G::State>>,
    sums: BTreeMap<u64, Vec<Sums>>,
}

impl<G: Simulator> std::fmt::Debug for MobilityLearner<G> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("MobilityLearner").field("walks", &self.walks.len()).finish_non_exhaustive()
    }
}

impl<G: Simulator> MobilityLearner<G> {
    /// From so many random games.
    pub fn new(game: &Arc<G>, games: u32, seed: u64) -> Self {
        let walk = |_| Walk { state: game.initial(), steps: 0, samples: Vec::new() };
        Self {
            game: Arc::clone(game),
            workspace: game.workspace(),
            expansions: Expansions::new(),
            dice: Dice::stream(seed, 0x6D6F_6269),
            walks: (0..games).map(walk).collect(),
            sums: BTreeMap::new(),
        }
    }

    /// Keeps a position of a random game: each of them as likely as any other.
    fn keep(walk: &mut Walk<G::State>, choices: Choices<'_>, dice: &mut Dice) {
        let place = if walk.samples.len() < SAMPLES {
            walk.samples.push((0, Vec::new()));
            walk.samples.len() - 1
        } else {
            dice.below(walk.steps as usize + 1)
        };
        if let Some((bits, counts)) = walk.samples.get_mut(place) {
            *bits = choosers(choices);
            mobility(choices, counts);
        }
    }

    /// A step of some walks, the last ones; those that are over are done with.
    fn step(&mut self, count: usize) -> Result<(), RuleFault> {
        let first = self.walks.len() - count;
        let states: Vec<&G::State> = self.walks[first..].iter().map(|walk| &walk.state).collect();
        self.game.expand_all(&mut self.workspace, &states, &mut self.expansions)?;
        let mut joints: Vec<MoveId> = Vec::new();
        let mut goals: Vec<GoalReading> = Vec::new();
        let mut goes_on = vec![false; count];
        for (place, choices) in self.expansions.iter().enumerate() {
            let walk = &mut self.walks[first + place];
            if choices.is_terminal() {
                self.game.goals(&mut self.workspace, &walk.state, &mut goals)?;
                for (bits, counts) in &walk.samples {
                    let sums = self.sums.entry(*bits).or_insert_with(|| vec![Sums::default(); counts.len()]);
                    for ((sums, x), goal) in sums.iter_mut().zip(counts).zip(&goals) {
                        sums.add(*x, worth_of(goal.value()));
                    }
                }
            } else if choices.stuck_role().is_none() && walk.steps < MOST_STEPS {
                Self::keep(walk, choices, &mut self.dice);
                walk.steps += 1;
                goes_on[place] = true;
                joints.extend(choices.by_role().map(|moves| moves[self.dice.below(moves.len())]));
            }
        }
        let moving = (0..count).filter(|&place| goes_on[place]);
        let states: Vec<&G::State> = moving.map(|place| &self.walks[first + place].state).collect();
        let mut next = Vec::new();
        self.game.apply_all(&mut self.workspace, &states, &joints, &mut next)?;
        let mut place = 0;
        let mut next = next.into_iter();
        self.walks.retain_mut(|walk| {
            place += 1;
            if place <= first {
                return true;
            }
            if !goes_on[place - 1 - first] {
                return false;
            }
            if let Some(state) = next.next() {
                walk.state = state;
            }
            true
        });
        Ok(())
    }
}

impl<G: Simulator + 'static> Learner<G::State> for MobilityLearner<G> {
    fn work(&mut self) -> Result<Option<Arc<dyn Evaluator<G::State>>>, RuleFault> {
        let count = self.walks.len().min(self.game.lanes());
        if count > 0 {
            self.step(count)?;
        }
        if !self.walks.is_empty() {
            return Ok(None);
        }
        let lines = self.sums.iter().map(|(&bits, sums)| (bits, sums.iter().map(Sums::line).collect()));
        let lines = lines.collect();
        Ok(Some(Arc::new(Mobility { game: Arc::clone(&self.game), lines, scratch: Mutex::new(Vec::new()) })))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_found_with_its_sign() {
        let mut sums = Sums::default();
        for place in 0..100 {
            let x = f64::from(place % 10) / 10.0;
            sums.add(x, 0.8 - 0.5 * x + if place % 3 == 0 { 0.01 } else { -0.005 });
        }
        let line = sums.line();
        assert!((line.slope + 0.5).abs() < 0.02, "{line:?}");
        assert!((line.level + line.slope * (0.2 - line.at) - 0.7).abs() < 0.02, "{line:?}");
        // What says nothing about the result is not believed.
        let mut sums = Sums::default();
        (0..100).for_each(|place| sums.add(f64::from(place % 10), f64::from(place / 10 % 2)));
        assert_eq!(sums.line().slope, 0.0);
        assert_eq!(Sums::default().line(), Line { level: EVEN, slope: 0.0, at: 0.0 });
    }
}

//! What kind of game it is, by games at random from the present position.

use std::fmt;

use game::{Dice, Expansion, GoalReading, Job, Outcomes, PlayOptions, RuleFault, Simulator};

/// Games at most, and steps of one at most.
const GAMES: u64 = 24;
const MOST_STEPS: u32 = 500;
/// Positions whose moves are tried for progression, and playouts before and after each.
const PAIRS: usize = 16;
const PLAYOUTS: u32 = 16;
/// Goals half way that go along less with the result are not stable.
const LEAST_CORRELATION: f64 = 0.3;

/// What kind of game it is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Character {
    /// Roles that decide anything, chance apart.
    pub(crate) deciders: usize,
    pub(crate) has_chance: bool,
    /// The part of positions in which several roles choose.
    pub(crate) at_once: f64,
    /// Whether what the roles got added up to the same in every game.
    pub(crate) is_zero_sum: bool,
    /// Steps of a game.
    pub(crate) length: f64,
    /// Moves of who chooses.
    pub(crate) branching: f64,
    /// The part of moves at random after which games end sooner than before.
    pub(crate) progression: f64,
    /// Whether goals are said before the end, and go along with the result.
    pub(crate) has_stable_goals: bool,
}

impl fmt::Display for Character {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let turns = match self.at_once {
            0.0 => "in turn".to_owned(),
            part => format!("at once in {:.0}% of positions", 100.0 * part),
        };
        write!(out, "{} roles, {turns}", self.deciders)?;
        out.write_str(if self.has_chance { ", chance" } else { "" })?;
        out.write_str(if self.is_zero_sum { ", zero-sum" } else { ", not zero-sum" })?;
        write!(out, ", {:.0} steps, {:.0} moves", self.length, self.branching)?;
        write!(out, ", progression {:.0}%", 100.0 * self.progression)?;
        out.write_str(if self.has_stable_goals { ", stable goals" } else { "" })
    }
}

/// Plays some games, as many as there is time for, and looks at them.
pub(crate) fn read<G: Simulator>(
    game: &G,
    start: &G::State,
    seed: u64,
    has_time: impl Fn() -> bool,
) -> Result<Character, RuleFault> {
    let mut workspace = game.workspace();
    let chance = game.chance().map(|role| usize::from(role.0));
    let (mut expansion, mut readings) = (Expansion::new(), Vec::new());
    let (mut steps, mut positions, mut joint, mut moves, mut choices) = (0u32, 0u32, 0u32, 0usize, 0u32);
    let (mut sums, mut halves, mut results) = (Vec::new(), Vec::new(), Vec::new());
    let mut choosers = vec![false; game.role_count()];
    let mut pairs: Vec<(G::State, G::State)> = Vec::new();
    let mut are_said = true;
    let mut games = 0;
    for number in 0..GAMES {
        if number > 0 && !has_time() {
            break;
        }
        let mut dice = Dice::stream(seed, number);
        let mut state = start.clone();
        let mut goals: Vec<f64> = Vec::new();
        for _ in 0..MOST_STEPS {
            game.goals(&mut workspace, &state, &mut readings)?;
            let one = |reading: &GoalReading| match reading {
                GoalReading::One(goal) => Some(f64::from(goal.0)),
                _ => None,
            };
            let players = readings.iter().enumerate().filter(|(role, _)| chance != Some(*role));
            let now: Option<Vec<f64>> = players.map(|(_, reading)| one(reading)).collect();
            game.expand(&mut workspace, &state, &mut expansion)?;
            are_said &= now.is_some();
            if let Some(now) = &now {
                goals.extend(now.first());
                if expansion.is_terminal() {
                    sums.push(now.iter().sum::<f64>());
                }
            }
            if expansion.is_terminal() {
                break;
            }
            if let Some(role) = expansion.stuck_role() {
                return Err(RuleFault::NoLegalMove(role));
            }
            positions += 1;
            let mut here = 0;
            for (role, legal) in expansion.by_role().enumerate() {
                if legal.len() > 1 && chance != Some(role) {
                    here += 1;
                    (moves, choices) = (moves + legal.len(), choices + 1);
                    choosers[role] = true;
                }
            }
            joint += u32::from(here > 1);
            let made: Vec<_> = expansion.by_role().map(|legal| legal[dice.below(legal.len())]).collect();
            let next = game.apply(&mut workspace, &state, &made)?;
            if pairs.len() < PAIRS && here > 0 && dice.below(4) == 0 {
                pairs.push((state, next.clone()));
            }
            state = next;
            steps += 1;
        }
        games += 1;
        if goals.len() > 2 {
            halves.push(goals[goals.len() / 2]);
            results.push(goals[goals.len() - 1]);
        }
    }
    let mean = |sum: f64, count: u32| sum / f64::from(count.max(1));
    Ok(Character {
        deciders: choosers.iter().filter(|&&chooses| chooses).count(),
        has_chance: chance.is_some(),
        at_once: mean(f64::from(joint), positions),
        is_zero_sum: !sums.is_empty() && sums.iter().all(|sum| *sum == sums[0]),
        length: mean(f64::from(steps), games),
        branching: mean(moves as f64, choices),
        progression: progression(game, &mut workspace, &pairs, seed)?,
        has_stable_goals: are_said && correlation(&halves, &results) >= LEAST_CORRELATION,
    })
}

/// The part of moves after which playouts are shorter than before.
fn progression<G: Simulator>(
    game: &G,
    workspace: &mut G::Workspace,
    pairs: &[(G::State, G::State)],
    seed: u64,
) -> Result<f64, RuleFault> {
    let jobs: Vec<Job<'_, G::State>> = pairs
        .iter()
        .flat_map(|(before, after)| [before, after])
        .map(|state| Job::new(state, PLAYOUTS))
        .collect();
    if jobs.is_empty() {
        return Ok(0.0);
    }
    let options = PlayOptions { seed, most_steps: MOST_STEPS, ..PlayOptions::default() };
    let mut outcomes = Outcomes::default();
    game.play(workspace, &jobs, &options, &mut outcomes)?;
    let playouts = PLAYOUTS as usize;
    let length =
        |job: usize| (job * playouts..(job + 1) * playouts).map(|one| outcomes.length(one)).sum::<u32>();
    let shorter = (0..pairs.len()).filter(|pair| length(2 * pair + 1) < length(2 * pair)).count();
    Ok(shorter as f64 / pairs.len() as f64)
}

/// The correlation of two rows of numbers; 0 where nothing varies.
fn correlation(ones: &[f64], others: &[f64]) -> f64 {
    let count = ones.len().max(1) as f64;
    let mean = |numbers: &[f64]| numbers.iter().sum::<f64>() / count;
    let (one, other) = (mean(ones), mean(others));
    let (mut first, mut second, mut both) = (0.0, 0.0, 0.0);
    for (a, b) in ones.iter().zip(others) {
        first += (a - one) * (a - one);
        second += (b - other) * (b - other);
        both += (a - one) * (b - other);
    }
    if first > 0.0 && second > 0.0 { both / (first * second).sqrt() } else { 0.0 }
}

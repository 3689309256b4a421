//! Early cutoff (Finnsson 2012; Algorithm 1 of Świechowski et al. 2015): playouts end before the game does,
//! where that is known to be fair.
//!
//! Sample playouts from the present position tell. Goals are stable if the rules give every role one in every
//! state, if they change, but little from step to step, and if what they are half way goes along with the result.
//! Then a playout is cut soon after goals begin to change, and counts by the goals where it was cut. Otherwise it
//! is cut a third of the way between the shortest and the longest sample, and counts as a draw.

use game::{Dice, Expansion, Game, GoalReading, RuleFault};

use super::rave::correlation;

/// How playouts are cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cutoff {
    /// Steps after which they are.
    pub(crate) steps: u32,
    /// Whether the goals count where they were, or a draw.
    pub(crate) by_goals: bool,
}

/// Sample playouts.
const SAMPLES: u64 = 30;

/// Steps of a sample at most.
const MOST_STEPS: usize = 500;

/// Goals that change by more than this a step, on average, are not stable.
const MOST_CHANGE: f64 = 10.0;

/// Goals half way that go along less with the result are not stable.
const LEAST_CORRELATION: f64 = 0.3;

/// Where in the interval of the ends playouts are cut.
const PART: f64 = 0.33;

/// The goals of one playout: of each role in each state, from the first to the last; none where the rules do not
/// say one.
type Sample = Vec<Vec<Option<u8>>>;

/// Finds out how playouts from a state are to be cut; `None` if they are not.
pub(crate) fn measure<G: Game>(
    game: &G,
    workspace: &mut G::Workspace,
    state: &G::State,
    seed: u64,
    least: u32,
) -> Result<Option<Cutoff>, RuleFault> {
    let chance = game.chance().map(|role| usize::from(role.0));
    let mut samples = Vec::new();
    for playout in 0..SAMPLES {
        samples.push(sample(game, workspace, state, chance, &mut Dice::stream(seed, playout))?);
    }
    let players = game.role_count() - usize::from(chance.is_some());
    Ok(decide(&samples, players, least))
}

fn sample<G: Game>(
    game: &G,
    workspace: &mut G::Workspace,
    state: &G::State,
    chance: Option<usize>,
    dice: &mut Dice,
) -> Result<Sample, RuleFault> {
    let (mut state, mut sample) = (state.clone(), Vec::new());
    let (mut expansion, mut readings) = (Expansion::new(), Vec::new());
    loop {
        game.goals(workspace, &state, &mut readings)?;
        let players = readings.iter().enumerate().filter(|(role, _)| chance != Some(*role));
        let one = |reading: &GoalReading| match reading {
            GoalReading::One(goal) => Some(goal.0),
            _ => None,
        };
        sample.push(players.map(|(_, reading)| one(reading)).collect());
        game.expand(workspace, &state, &mut expansion)?;
        if expansion.is_terminal() || sample.len() > MOST_STEPS {
            return Ok(sample);
        }
        if let Some(role) = expansion.stuck_role() {
            return Err(RuleFault::NoLegalMove(role));
        }
        let joint: Vec<_> = expansion.by_role().map(|legal| legal[dice.below(legal.len())]).collect();
        state = game.apply(workspace, &state, &joint)?;
    }
}

/// What samples say.
fn decide(samples: &[Sample], players: usize, least: u32) -> Option<Cutoff> {
    let lengths = samples.iter().map(|sample| sample.len() as u32 - 1);
    if let Some(first) = first_stable_change(samples) {
        return Some(Cutoff { steps: (first + players as u32).max(least), by_goals: true });
    }
    let (shortest, longest) = (lengths.clone().min()?, lengths.max()?);
    let interval = f64::from(longest - shortest);
    let cut = shortest + (PART * interval) as u32;
    (longest > shortest).then_some(Cutoff { steps: cut.max(least), by_goals: false })
}

/// After how many steps goals change first, on average; `None` unless they are stable.
fn first_stable_change(samples: &[Sample]) -> Option<u32> {
    let (mut steps, mut changes, mut firsts) = (0.0, 0.0, Vec::new());
    let mut pairs: Vec<(f64, f64)> = Vec::new();
    for sample in samples {
        let goals: Vec<Vec<f64>> = sample
            .iter()
            .map(|goals| goals.iter().map(|goal| goal.map(f64::from)).collect::<Option<Vec<f64>>>())
            .collect::<Option<_>>()?;
        let apart = |(one, next): (&Vec<f64>, &Vec<f64>)| {
            one.iter().zip(next).map(|(one, next)| (one - next).abs()).fold(0.0, f64::max)
        };
        let by_step: Vec<f64> = goals.iter().zip(goals.iter().skip(1)).map(apart).collect();
        steps += by_step.len() as f64;
        changes += by_step.iter().sum::<f64>();
        firsts.extend(by_step.iter().position(|change| *change > 0.0));
        if let (Some(half), Some(last)) = (goals.get(goals.len() / 2), goals.last()) {
            pairs.extend(half.iter().copied().zip(last.iter().copied()));
        }
    }
    let is_calm = changes > 0.0 && changes / steps <= MOST_CHANGE;
    let is_telling = correlation(pairs.into_iter()).is_some_and(|known| known >= LEAST_CORRELATION);
    let first = firsts.iter().sum::<usize>() as f64 / firsts.len().max(1) as f64;
    (is_calm && is_telling).then_some(first.round() as u32 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sample of the goals of one role, and of another that has the rest.
    fn of(goals: &[u8]) -> Sample {
        goals.iter().map(|&goal| vec![Some(goal), Some(100 - goal)]).collect()
    }

    #[test]
    fn stable_goals_are_cut_soon_after_they_change() {
        let samples = [of(&[50, 50, 55, 60, 65]), of(&[50, 50, 45, 40, 35]), of(&[50, 50, 55, 60, 60])];
        // They change with the second step; two players.
        assert_eq!(decide(&samples, 2, 1), Some(Cutoff { steps: 4, by_goals: true }));
        assert_eq!(decide(&samples, 2, 9), Some(Cutoff { steps: 9, by_goals: true }));
    }

    #[test]
    fn otherwise_it_is_cut_in_the_interval_of_ends() {
        // Goals that are decided by the last step alone change too much.
        let sudden = [of(&[0, 0, 0, 100]), of(&[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 100, 0, 100])];
        // From 3 to 12 steps: 3 + 0.33 * 9.
        assert_eq!(decide(&sudden, 2, 1), Some(Cutoff { steps: 5, by_goals: false }));
        // Goals that the rules give at the end only.
        let late: Sample = vec![vec![None, None], vec![Some(100), Some(0)]];
        assert_eq!(decide(&[late.clone(), late], 2, 1), None, "all are as long");
    }
}

//! Seeded random playouts and what many of them say.

use game::{Dice, Expansion, Game, GoalReading, MoveId, RuleFault};

/// How far a playout may go.
#[derive(Clone, Copy, Debug)]
pub struct PlayoutLimits {
    /// Joint moves after which a playout is given up.
    pub steps: usize,
}

impl Default for PlayoutLimits {
    fn default() -> Self {
        Self { steps: 10_000 }
    }
}

/// One playout from a state to the end.
#[derive(Clone, Debug)]
pub struct Playout<State> {
    /// The joint moves.
    pub moves: Vec<Vec<MoveId>>,
    /// The last state.
    pub end: State,
    /// Goals in the last state.
    pub goals: Vec<GoalReading>,
    /// The number of joint moves that could be chosen, summed over the playout.
    pub branching_sum: f64,
}

/// Plays uniformly random moves until the end. The dice are rolled once per role and step, in role
/// order, so that a seed gives the same playout on every machine.
pub fn playout<G: Game>(
    game: &G,
    workspace: &mut G::Workspace,
    start: &G::State,
    dice: &mut Dice,
    limits: PlayoutLimits,
) -> Result<Playout<G::State>, RuleFault> {
    let mut state = start.clone();
    let mut expansion = Expansion::new();
    let mut moves = Vec::new();
    let mut branching_sum = 0.0;
    loop {
        game.expand(workspace, &state, &mut expansion)?;
        if expansion.is_terminal() {
            break;
        }
        if let Some(role) = expansion.stuck_role() {
            return Err(RuleFault::NoLegalMove(role));
        }
        if moves.len() >= limits.steps {
            return Err(RuleFault::TooLong(limits.steps));
        }
        branching_sum += expansion.joint_count() as f64;
        let joint: Vec<MoveId> = expansion.by_role().map(|legal| legal[dice.below(legal.len())]).collect();
        state = game.apply(workspace, &state, &joint)?;
        moves.push(joint);
    }
    let mut goals = Vec::new();
    game.goals(workspace, &state, &mut goals)?;
    Ok(Playout { moves, end: state, goals, branching_sum })
}

/// What a number of playouts say about a game.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Playouts that reached the end.
    pub playouts: u64,
    /// Joint moves in all of them.
    pub steps: u64,
    /// Shortest and longest playout.
    pub shortest: usize,
    /// Longest playout.
    pub longest: usize,
    /// Sum of squares of the lengths.
    pub steps_squared: f64,
    /// Joint moves to choose from, summed over all steps.
    pub branching_sum: f64,
    /// Per role: how often each goal value was reached.
    pub goal_counts: Vec<std::collections::BTreeMap<u8, u64>>,
    /// Ends at which a role had no goal value, or several.
    pub goal_faults: u64,
}

impl Summary {
    /// Mean number of joint moves.
    pub fn mean_length(&self) -> f64 {
        self.steps as f64 / self.playouts.max(1) as f64
    }

    /// Half the width of the 95% confidence interval of the mean length.
    pub fn length_interval(&self) -> f64 {
        half_width(self.steps as f64, self.steps_squared, self.playouts)
    }

    /// Mean number of joint moves to choose from.
    pub fn mean_branching(&self) -> f64 {
        self.branching_sum / self.steps.max(1) as f64
    }

    /// Mean goal of a role.
    pub fn mean_goal(&self, role: usize) -> f64 {
        let sum: u64 = self.goal_counts[role].iter().map(|(&goal, &count)| u64::from(goal) * count).sum();
        sum as f64 / self.playouts.max(1) as f64
    }

    /// Half the width of the 95% confidence interval of a role's mean goal.
    pub fn goal_interval(&self, role: usize) -> f64 {
        let (mut sum, mut squares) = (0.0, 0.0);
        for (&goal, &count) in &self.goal_counts[role] {
            sum += f64::from(goal) * count as f64;
            squares += f64::from(goal) * f64::from(goal) * count as f64;
        }
        half_width(sum, squares, self.playouts)
    }

    /// Adds one playout.
    pub fn add<State>(&mut self, playout: &Playout<State>) {
        let length = playout.moves.len();
        self.shortest = if self.playouts == 0 { length } else { self.shortest.min(length) };
        self.longest = self.longest.max(length);
        self.playouts += 1;
        self.steps += length as u64;
        self.steps_squared += (length as f64) * (length as f64);
        self.branching_sum += playout.branching_sum;
        self.goal_counts.resize_with(playout.goals.len(), Default::default);
        for (counts, reading) in self.goal_counts.iter_mut().zip(&playout.goals) {
            *counts.entry(reading.value().0).or_default() += 1;
        }
        let faulty = |reading: &GoalReading| !matches!(reading, GoalReading::One(_));
        self.goal_faults += u64::from(playout.goals.iter().any(faulty));
    }
}

fn half_width(sum: f64, squares: f64, count: u64) -> f64 {
    if count < 2 {
        return f64::INFINITY;
    }
    let count = count as f64;
    let variance = ((squares - sum * sum / count) / (count - 1.0)).max(0.0);
    1.96 * (variance / count).sqrt()
}

/// Runs playouts from the initial state; playout `i` depends on `(seed, i)` alone.
/// `progress` is called after each and stops the run by returning `false`.
pub fn simulate<G: Game>(
    game: &G,
    workspace: &mut G::Workspace,
    playouts: u64,
    seed: u64,
    limits: PlayoutLimits,
    mut progress: impl FnMut(u64) -> bool,
) -> Result<Summary, RuleFault> {
    let initial = game.initial();
    let mut summary = Summary::default();
    for index in 0..playouts {
        let mut dice = Dice::stream(seed, index);
        summary.add(&playout(game, workspace, &initial, &mut dice, limits)?);
        if !progress(index + 1) {
            break;
        }
    }
    Ok(summary)
}

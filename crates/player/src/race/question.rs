//! Positions to be asked about, and short matches.

use std::sync::Arc;

use engine::Budget;
use game::{Dice, Expansion, MoveId, RoleId, RuleFault, Simulator};
use search::mcts::{Advice, Candidate, Search};

use super::answer;
use super::mind::Mind;

/// Simulations of a move of the game that positions are taken from.
const MOVE_SIMULATIONS: u64 = 64;
/// Steps between two positions at most.
const STRIDE: usize = 4;
/// Moves at random at the beginning of a match, and steps after which it is a draw.
const OPENING: usize = 3;
const LONGEST: usize = 500;
/// A position is asked about only if a move is thought to be so many points worse than the best.
const LEAST_SPREAD: f64 = 1.0;

/// A position, and what its moves are worth by a search that had more time.
#[derive(Clone, Debug)]
pub(super) struct Question<State> {
    state: State,
    role: RoleId,
    best: f64,
    values: Vec<(MoveId, f64)>,
}

/// What a move is worth, as far as that is known.
fn worth(candidate: &Candidate) -> f64 {
    candidate.value.clamp(f64::from(candidate.bounds.lower), f64::from(candidate.bounds.upper))
}

impl<State: Clone> Question<State> {
    /// What a search says of a position; `None` if all moves are about as good.
    pub(super) fn of(advice: &Advice, state: State) -> Option<Self> {
        let best = worth(advice.best());
        let values: Vec<(MoveId, f64)> = advice.candidates.iter().map(|one| (one.id, worth(one))).collect();
        let worst = values.iter().map(|(_, value)| *value).fold(f64::INFINITY, f64::min);
        (best - worst >= LEAST_SPREAD).then_some(Self { state, role: advice.role, best, values })
    }

    /// Has a search say what the moves of a position are worth.
    pub(super) fn answered_by<G: Simulator<State = State>>(
        search: &mut Search<G>,
        state: State,
        role: RoleId,
        seed: u64,
        budget: &Budget<'_>,
    ) -> Result<Option<Self>, RuleFault> {
        let advice = answer(search, &state, role, seed, budget)?;
        Ok(advice.and_then(|advice| Self::of(&advice, state)))
    }

    /// How many points somebody loses by the answer.
    pub(super) fn loss_of<G: Simulator<State = State>>(
        &self,
        mind: &mut Mind<G>,
        seed: u64,
        budget: &Budget<'_>,
    ) -> Result<f64, RuleFault> {
        mind.restart(&self.state, self.role, seed);
        let chosen = mind.think(self.role, budget)?;
        let value = self.values.iter().find(|(id, _)| Some(*id) == chosen).map_or(0.0, |(_, value)| *value);
        Ok((self.best - value).max(0.0))
    }
}

/// A game that positions are taken from, half of its moves at random.
pub(super) struct Walk<G: Simulator> {
    game: Arc<G>,
    start: G::State,
    state: G::State,
    search: Search<G>,
    workspace: G::Workspace,
    dice: Dice,
}

impl<G: Simulator> Walk<G> {
    pub(super) fn new(game: Arc<G>, start: G::State, search: Search<G>, seed: u64) -> Self {
        let workspace = game.workspace();
        Self { game, state: start.clone(), start, search, workspace, dice: Dice::stream(seed, 77) }
    }

    /// The next position in which a role has a choice, and that role. The first one may be where the game stands.
    pub(super) fn next_position(&mut self, budget: &Budget<'_>) -> Result<(G::State, RoleId), RuleFault> {
        let chance = self.game.chance();
        let mut expansion = Expansion::new();
        let mut steps = 1 + self.dice.below(STRIDE);
        // A game of which nobody decides anything is not raced.
        for _ in 0..LONGEST {
            self.game.expand(&mut self.workspace, &self.state, &mut expansion)?;
            if expansion.is_terminal() {
                self.state = self.start.clone();
                continue;
            }
            let choosers: Vec<RoleId> = (0..)
                .map(RoleId)
                .zip(expansion.by_role())
                .filter(|(role, legal)| legal.len() > 1 && chance != Some(*role))
                .map(|(role, _)| role)
                .collect();
            if steps == 0 && !choosers.is_empty() {
                return Ok((self.state.clone(), choosers[self.dice.below(choosers.len())]));
            }
            steps = steps.saturating_sub(1);
            let mut joint: Vec<MoveId> =
                expansion.by_role().map(|legal| legal[self.dice.below(legal.len())]).collect();
            if self.dice.below(2) == 0 {
                let few = Budget { simulations: Some(MOVE_SIMULATIONS), ..*budget };
                for role in choosers {
                    let seed = self.dice.bits();
                    if let Some(advice) = answer(&mut self.search, &self.state, role, seed, &few)? {
                        joint[usize::from(role.0)] = advice.best().id;
                    }
                }
            }
            self.state = self.game.apply(&mut self.workspace, &self.state, &joint)?;
        }
        Ok((self.start.clone(), RoleId(0)))
    }
}

/// A short match of two settings.
pub(super) struct Bout<G: Simulator> {
    game: Arc<G>,
    state: G::State,
    workspace: G::Workspace,
    /// The roles of the two.
    roles: [RoleId; 2],
    dice: Dice,
    steps: usize,
    /// Whether only who has more counts, not how much.
    by_wins: bool,
}

impl<G: Simulator> Bout<G> {
    /// Begins after some moves at random; side 0 gives the first role to the first of the two.
    pub(super) fn new(
        game: Arc<G>,
        start: &G::State,
        (side, by_wins): (usize, bool),
        mut dice: Dice,
    ) -> Result<Self, RuleFault> {
        let chance = game.chance();
        let mut players = (0..game.role_count() as u16).map(RoleId).filter(|role| chance != Some(*role));
        let mut roles = [players.next().unwrap_or(RoleId(0)), players.next().unwrap_or(RoleId(0))];
        roles.rotate_left(side);
        let mut workspace = game.workspace();
        let mut expansion = Expansion::new();
        let mut state = start.clone();
        for _ in 0..dice.below(OPENING + 1) {
            game.expand(&mut workspace, &state, &mut expansion)?;
            if expansion.is_terminal() || expansion.stuck_role().is_some() {
                break;
            }
            let joint: Vec<MoveId> =
                expansion.by_role().map(|legal| legal[dice.below(legal.len())]).collect();
            state = game.apply(&mut workspace, &state, &joint)?;
        }
        Ok(Self { game, state, workspace, roles, dice, steps: 0, by_wins })
    }

    /// One joint move; the part of the points that the first got, 0 to 1, if the match is over.
    pub(super) fn step(
        &mut self,
        first: &mut Mind<G>,
        second: &mut Mind<G>,
        budget: &Budget<'_>,
    ) -> Result<Option<f64>, RuleFault> {
        let mut expansion = Expansion::new();
        self.game.expand(&mut self.workspace, &self.state, &mut expansion)?;
        if expansion.is_terminal() || self.steps >= LONGEST {
            let mut goals = Vec::new();
            self.game.goals(&mut self.workspace, &self.state, &mut goals)?;
            let goal = |role: RoleId| f64::from(goals[usize::from(role.0)].value().0);
            let [own, other] = self.roles.map(goal);
            let points = match self.by_wins {
                true if own == other => 0.5,
                true => f64::from(u8::from(own > other)),
                false => (own - other + 100.0) / 200.0,
            };
            return Ok(Some(if expansion.is_terminal() { points } else { 0.5 }));
        }
        if let Some(role) = expansion.stuck_role() {
            return Err(RuleFault::NoLegalMove(role));
        }
        let dice = &mut self.dice;
        let mut joint: Vec<MoveId> =
            expansion.by_role().map(|legal| legal[dice.below(legal.len())]).collect();
        let length = budget.left();
        let mut both = [first, second];
        for (mind, role) in both.iter_mut().zip(self.roles) {
            if self.steps == 0 {
                mind.restart(&self.state, role, self.dice.bits());
            }
            if expansion.legal(role).len() > 1 {
                // Where both choose, both have all the time.
                let until = length.map(|length| (budget.clock)() + length);
                let budget = Budget { until, ..*budget };
                if let Some(chosen) = mind.think(role, &budget)? {
                    joint[usize::from(role.0)] = chosen;
                }
            }
        }
        // What was learnt is kept, as it is in a match.
        both.into_iter().try_for_each(|mind| mind.advance(&joint))?;
        self.state = self.game.apply(&mut self.workspace, &self.state, &joint)?;
        self.steps += 1;
        Ok(None)
    }
}

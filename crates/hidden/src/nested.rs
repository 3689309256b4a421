//! Moves valued by simulations in which the role goes on by what it will know then.
//!
//! Playouts at random know no use for what is learnt on the way, and a search that takes all positions for seen
//! thinks it has no need of it. Here the role plays on in each simulation as a player of its own would: with a belief that
//! follows what it is told there, and the move that is best by playouts from that belief. What a move teaches is worth
//! what can be made of it, and what it gives away is not. Schofield and Thielscher 2015 (HyperPlay-II) have players within
//! players for all roles; here the others move at random.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use engine::{Budget, Stop};
use game::{Describe, Dice, Expansion, Job, MoveId, Outcomes, PlayOptions, RoleId, RuleFault, Simulator};

use crate::Belief;
use crate::search::MoveStatistics;
use crate::view::tell;

/// Positions that a player within a simulation holds for possible.
const HELD: usize = 40;
/// Playouts for each move of such a player.
const PLAYOUTS: usize = 12;
/// Joint moves that are tried to carry a position on.
const TRIED: usize = 24;
/// Playouts that tell how long a game is.
const LOOKS: usize = 32;
/// Steps of a simulation.
const MOST_STEPS: usize = 400;

/// What moves of the present belief brought.
#[derive(Debug)]
pub struct Nested {
    moves: Vec<MoveStatistics>,
    visits: u32,
    exploration: f64,
    dice: Dice,
    simulations: u64,
}

impl Nested {
    /// Nothing is known yet.
    pub fn new(exploration: f64, seed: u64) -> Self {
        Self { moves: Vec::new(), visits: 0, exploration, dice: Dice::new(seed), simulations: 0 }
    }

    /// The belief has changed.
    pub fn clear(&mut self) {
        self.moves.clear();
        self.visits = 0;
    }

    /// Begins to count simulations anew.
    pub fn begin_turn(&mut self) {
        self.simulations = 0;
    }

    /// Simulations since the turn began.
    pub fn simulations(&self) -> u64 {
        self.simulations
    }

    /// The moves and what they brought.
    pub fn moves(&self) -> &[MoveStatistics] {
        &self.moves
    }

    /// Whether each move was tried: before that nothing is known of some.
    pub fn has_tried_all(&self) -> bool {
        !self.moves.is_empty() && self.moves.iter().all(|each| each.visits > 0)
    }

    /// Thinks about a belief. A simulation may take longer than a turn: one that nobody waits for any more is given up.
    pub fn think<G: Simulator + Describe>(
        &mut self,
        belief: &mut Belief<G>,
        budget: &Budget<'_>,
    ) -> Result<Stop, RuleFault> {
        if self.moves.is_empty() {
            let legal = belief.legal()?;
            self.moves = legal.into_iter().map(|id| MoveStatistics { id, visits: 0, sum: 0.0 }).collect();
        }
        if self.moves.is_empty() {
            return Ok(Stop::Proven);
        }
        let mut watch = budget.watch();
        let mut done = 0;
        loop {
            if let Some(stop) = watch.is_over(done) {
                return Ok(stop);
            }
            let place = self.select();
            let Some(goal) = self.simulate(belief, self.moves[place].id, budget)? else {
                return Ok(Stop::Told);
            };
            self.visits += 1;
            self.moves[place].visits += 1;
            self.moves[place].sum += goal;
            self.simulations += 1;
            done += 1;
        }
    }

    /// About how many moves are valued in one simulation: those of the role, as long as a game at random goes on.
    pub fn size<G: Simulator + Describe>(&mut self, belief: &mut Belief<G>) -> Result<f64, RuleFault> {
        let moves = belief.legal()?.len();
        let game = Arc::clone(belief.game());
        let starts: Vec<G::State> = (0..LOOKS).map(|_| belief.draw().state.clone()).collect();
        let jobs: Vec<Job<'_, G::State>> = starts.iter().map(|state| Job::new(state, 1)).collect();
        let options = PlayOptions { seed: self.dice.bits(), ..PlayOptions::default() };
        let mut outcomes = Outcomes::default();
        game.play(&mut belief.workspace, &jobs, &options, &mut outcomes)?;
        let steps: u64 = (0..outcomes.len()).map(|playout| u64::from(outcomes.length(playout))).sum();
        Ok(moves as f64 * steps as f64 / outcomes.len().max(1) as f64)
    }

    /// Whether others choose while the role has nothing to choose, more often than at the same time: in a game at random.
    pub fn takes_turns<G: Simulator + Describe>(
        &mut self,
        belief: &mut Belief<G>,
    ) -> Result<bool, RuleFault> {
        let (game, role) = (Arc::clone(belief.game()), belief.role());
        let mut state = belief.draw().state.clone();
        let mut expansion = Expansion::new();
        let (mut by_turns, mut at_once) = (0, 0);
        for _ in 0..MOST_STEPS {
            game.expand(&mut belief.workspace, &state, &mut expansion)?;
            if expansion.is_terminal() || expansion.stuck_role().is_some() {
                break;
            }
            let chooses = |each: RoleId| expansion.legal(each).len() > 1;
            if game.role_ids().any(|each| each != role && game.chance() != Some(each) && chooses(each)) {
                *(if chooses(role) { &mut at_once } else { &mut by_turns }) += 1;
            }
            let joint = self.any(&expansion);
            state = game.apply(&mut belief.workspace, &state, &joint)?;
        }
        Ok(by_turns > at_once)
    }

    fn select(&self) -> usize {
        let log = f64::from(self.visits + 1).ln();
        let score = |each: &MoveStatistics| match each.visits {
            0 => f64::INFINITY,
            visits => each.mean() + self.exploration * (log / f64::from(visits)).sqrt(),
        };
        let all = self.moves.iter().enumerate();
        let best = all.max_by(|one, two| score(one.1).total_cmp(&score(two.1)));
        best.map_or(0, |(place, _)| place)
    }

    /// What a move brings in one simulation, 0 to 1; `None` if it was given up.
    fn simulate<G: Simulator + Describe>(
        &mut self,
        belief: &mut Belief<G>,
        first: MoveId,
        budget: &Budget<'_>,
    ) -> Result<Option<f64>, RuleFault> {
        let game = Arc::clone(belief.game());
        let role = belief.role();
        let mut truth = belief.draw().state.clone();
        let mut held: Vec<G::State> = (0..HELD).map(|_| belief.draw().state.clone()).collect();
        let workspace = &mut belief.workspace;
        let (mut expansion, mut own) = (Expansion::new(), Some(first));
        let mut told = Vec::new();
        for _ in 0..MOST_STEPS {
            if is_spent(budget) {
                return Ok(None);
            }
            game.expand(workspace, &truth, &mut expansion)?;
            if expansion.is_terminal() {
                break;
            }
            if let Some(role) = expansion.stuck_role() {
                return Err(RuleFault::NoLegalMove(role));
            }
            let legal = expansion.legal(role).to_vec();
            let mut joint = self.any(&expansion);
            let chosen = own.take().filter(|id| legal.contains(id));
            let chosen = match (chosen, &legal[..]) {
                (Some(id), _) | (None, &[id]) => id,
                _ => self.best(&*game, workspace, &held, &legal, role)?,
            };
            joint[usize::from(role.0)] = chosen;
            tell(&*game, workspace, &truth, &joint, role, &mut told)?;
            held = self.carry_on(&*game, workspace, held, role, chosen, &told)?;
            truth = game.apply(workspace, &truth, &joint)?;
            // What is so is possible.
            held.push(truth.clone());
        }
        let mut goals = Vec::new();
        game.goals(workspace, &truth, &mut goals)?;
        Ok(Some(f64::from(goals[usize::from(role.0)].value().0) / 100.0))
    }

    /// Any joint move.
    fn any(&mut self, expansion: &Expansion) -> Vec<MoveId> {
        expansion.by_role().map(|legal| legal[self.dice.below(legal.len())]).collect()
    }

    /// The move that is best by playouts from positions held for possible.
    fn best<G: Simulator + Describe>(
        &mut self,
        game: &G,
        workspace: &mut G::Workspace,
        held: &[G::State],
        legal: &[MoveId],
        role: RoleId,
    ) -> Result<MoveId, RuleFault> {
        let mut expansion = Expansion::new();
        let mut starts = Vec::with_capacity(legal.len() * PLAYOUTS);
        // The same positions for all moves: what differs is the move.
        let drawn: Vec<usize> = (0..PLAYOUTS).map(|_| self.dice.below(held.len())).collect();
        for &id in legal {
            for &place in &drawn {
                let state = &held[place];
                game.expand(workspace, state, &mut expansion)?;
                if expansion.is_terminal() || !expansion.legal(role).contains(&id) {
                    starts.push(state.clone());
                    continue;
                }
                let mut joint = self.any(&expansion);
                joint[usize::from(role.0)] = id;
                starts.push(game.apply(workspace, state, &joint)?);
            }
        }
        let jobs: Vec<Job<'_, G::State>> = starts.iter().map(|state| Job::new(state, 1)).collect();
        let options = PlayOptions { seed: self.dice.bits(), ..PlayOptions::default() };
        let mut outcomes = Outcomes::default();
        game.play(workspace, &jobs, &options, &mut outcomes)?;
        let worth = |place: usize| -> u32 {
            let playouts = place * PLAYOUTS..(place + 1) * PLAYOUTS;
            playouts.map(|playout| u32::from(outcomes.goals(playout)[usize::from(role.0)].0)).sum()
        };
        let best = (0..legal.len()).reduce(|one, two| if worth(two) > worth(one) { two } else { one });
        Ok(legal[best.unwrap_or(0)])
    }

    /// The positions that follow from those held for possible and agree with what is told.
    fn carry_on<G: Simulator + Describe>(
        &mut self,
        game: &G,
        workspace: &mut G::Workspace,
        held: Vec<G::State>,
        role: RoleId,
        own: MoveId,
        told: &[game::PerceptId],
    ) -> Result<Vec<G::State>, RuleFault> {
        let (mut expansion, mut each) = (Expansion::new(), Vec::new());
        let mut next = Vec::with_capacity(held.len());
        for state in held {
            game.expand(workspace, &state, &mut expansion)?;
            if expansion.is_terminal() || !expansion.legal(role).contains(&own) {
                continue;
            }
            for _ in 0..TRIED {
                let mut joint = self.any(&expansion);
                joint[usize::from(role.0)] = own;
                tell(game, workspace, &state, &joint, role, &mut each)?;
                if each == told {
                    next.push(game.apply(workspace, &state, &joint)?);
                    break;
                }
            }
        }
        Ok(next)
    }
}

/// Whether nobody waits any more for what comes of thinking: someone said so, or the whole turn is over.
fn is_spent(budget: &Budget<'_>) -> bool {
    let is_told = budget.stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
    is_told || budget.turn_ends.is_some_and(|ends| (budget.clock)() >= ends)
}

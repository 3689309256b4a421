//! What is left of a game for two, solved depth first if it seems to be little enough.
//!
//! How much work that is, is foretold: of the longest of some random games from the position on the last move is solved, the
//! last two, the last three, as far as time allows. The work grows from step to step, and the growth is taken to go on to
//! the position itself.

use std::sync::Arc;

use game::{Dice, Expansion, Game, Goal, MoveId, RoleId};
use machine::circuit::{CircuitMachine, CircuitState};

use crate::{DepthFirst, Limits, Reduction, SolverError};

/// Random games, of which the longest is taken: good play lasts.
const GAMES: usize = 16;
/// Random games that are longer tell that what is left is too much.
const MOST_STEPS: usize = 80;
/// Steps over which growth is measured.
const SPAN: usize = 6;
/// Growth is never taken to be less.
const LEAST_GROWTH: f64 = 1.2;

/// What is left of a game, for one of two roles.
#[derive(Debug)]
pub struct Ending {
    machine: Arc<CircuitMachine>,
    role: RoleId,
    bytes: usize,
    /// Its table takes memory, so there is none before it is needed.
    search: Option<DepthFirst>,
    state: CircuitState,
    dice: Dice,
}

/// What is known of a position that was solved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settled {
    /// What the role gets, when both play at best.
    pub value: Goal,
    /// Moves of the role that are known to get it, if it is on turn. Others may get it too.
    pub moves: Vec<MoveId>,
}

impl Ending {
    /// For a role, with a table of so many bytes; `None` for games that are not for two who see everything.
    pub fn new(machine: &Arc<CircuitMachine>, role: RoleId, bytes: usize, seed: u64) -> Option<Self> {
        let is_for_two = machine.role_count() == 2 && machine.chance().is_none();
        let suits = is_for_two && !machine.circuit().has_percepts;
        suits.then(|| Self {
            machine: Arc::clone(machine),
            role,
            bytes,
            search: None,
            state: machine.initial(),
            dice: Dice::new(seed),
        })
    }

    /// Goes on from a position.
    pub fn begin(&mut self, state: CircuitState) {
        self.state = state;
    }

    /// The position.
    pub fn state(&self) -> &CircuitState {
        &self.state
    }

    /// Positions that were looked into so far.
    pub fn positions(&self) -> u64 {
        self.search.as_ref().map_or(0, DepthFirst::positions)
    }

    /// About how many positions it takes to solve this one; infinite if nothing can be said. An error if games of this kind
    /// cannot be solved depth first at all.
    pub fn foretell(&mut self, is_over: &dyn Fn() -> bool) -> Result<f64, SolverError> {
        let mut game: Vec<CircuitState> = Vec::new();
        for _ in 0..GAMES {
            let Some(other) = self.random_game()? else { return Ok(f64::INFINITY) };
            if other.len() > game.len() {
                game = other;
            }
        }
        let steps = game.len() - 1;
        let search = search(&mut self.search, &self.machine, self.role, self.bytes)?;
        let mut work = Vec::with_capacity(steps);
        for state in game.iter().rev().skip(1) {
            let before = search.positions();
            if is_over() {
                break;
            }
            match search.solve(state, is_over) {
                // A bad move of the random game may leave next to nothing to do, so what counts is the most so far.
                Ok(_) => {
                    let here = (search.positions() - before) as f64;
                    work.push(work.last().map_or(here, |&most: &f64| most.max(here)));
                }
                Err(SolverError::OutOfTime(_)) => break,
                Err(error) => return Err(error),
            }
        }
        Ok(extrapolated(&work, steps))
    }

    /// Solves the position; `None` if nothing follows from it for how to play. Who is told that the time is over may ask again.
    pub fn solve(&mut self, is_over: &dyn Fn() -> bool) -> Result<Option<Settled>, SolverError> {
        let search = search(&mut self.search, &self.machine, self.role, self.bytes)?;
        let verdict = search.solve(&self.state, is_over)?;
        // Unless one loses what the other wins nobody has to fear the worst.
        if verdict.sum.is_none() && verdict.value < Goal::MOST {
            return Ok(None);
        }
        let mut moves = search.known_moves(&self.state, verdict.value)?;
        if moves.is_empty() {
            // What was found of them may have been forgotten.
            let line = search.line(&self.state, verdict.value, is_over)?;
            moves.extend(line.first().map(|joint| joint[usize::from(self.role.0)]));
        }
        Ok(Some(Settled { value: verdict.value, moves }))
    }

    /// Whether a move gets what the position is worth.
    pub fn keeps(
        &mut self,
        id: MoveId,
        value: Goal,
        is_over: &dyn Fn() -> bool,
    ) -> Result<bool, SolverError> {
        let search = search(&mut self.search, &self.machine, self.role, self.bytes)?;
        search.keeps(&self.state, id, value, is_over)
    }

    /// The positions of a random game from here on; `None` if it is long.
    fn random_game(&mut self) -> Result<Option<Vec<CircuitState>>, SolverError> {
        let (mut workspace, mut expansion) = (self.machine.workspace(), Expansion::new());
        let mut game = vec![self.state.clone()];
        loop {
            let state = &game[game.len() - 1];
            self.machine.expand(&mut workspace, state, &mut expansion)?;
            if expansion.is_terminal() {
                return Ok(Some(game));
            }
            let is_stuck = expansion.stuck_role().is_some();
            if is_stuck || game.len() > MOST_STEPS {
                return Ok(None);
            }
            let joint: Vec<MoveId> =
                expansion.by_role().map(|legal| legal[self.dice.below(legal.len())]).collect();
            let next = self.machine.apply(&mut workspace, state, &joint)?;
            game.push(next);
        }
    }
}

/// The search, made when it is needed. Images of positions cost more than they save in what is left of a game.
fn search<'a>(
    found: &'a mut Option<DepthFirst>,
    machine: &Arc<CircuitMachine>,
    role: RoleId,
    bytes: usize,
) -> Result<&'a mut DepthFirst, SolverError> {
    if found.is_none() {
        let reduction = Reduction { idle: true, ..Reduction::default() };
        *found = Some(DepthFirst::new(machine, role, reduction, Limits { bytes, is_over: &|| false })?);
    }
    found.as_mut().ok_or(SolverError::NotInTurn)
}

/// The work of the last of so many steps, if that of the first ones is known.
fn extrapolated(work: &[f64], steps: usize) -> f64 {
    if work.len() >= steps {
        return 0.0;
    }
    let Some(&last) = work.last() else { return f64::INFINITY };
    let span = SPAN.min(work.len() - 1);
    if span == 0 {
        return f64::INFINITY;
    }
    let growth = (last / work[work.len() - 1 - span]).powf(1.0 / span as f64).max(LEAST_GROWTH);
    last * growth.powi((steps - work.len()) as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_that_doubles_goes_on_doubling() {
        let doubling: Vec<f64> = (0..8).map(|step| f64::from(1 << step)).collect();
        assert!((extrapolated(&doubling, 10) - 512.0).abs() < 1e-6);
        // All is solved.
        assert_eq!(extrapolated(&doubling, 8), 0.0);
        assert_eq!(extrapolated(&[], 3), f64::INFINITY);
        assert_eq!(extrapolated(&[1.0], 3), f64::INFINITY);
        // Work that seems to stay the same is not trusted.
        assert!((extrapolated(&[5.0, 5.0], 4) - 5.0 * 1.44).abs() < 1e-9);
    }
}

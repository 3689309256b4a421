//! Playouts that take what they can: as far as pieces are found, taking them is good for who takes, and games do not end
//! in more of the same because of it.

use std::sync::Arc;

use ::circuit::{Capture, SeenStep};
use game::{Decisive, Outcomes};

use super::plan::make_plan;
use super::{BatchMachine, Playouts};
use crate::circuit::CircuitState;
use crate::exclusive::Experience;

/// A sweep that prefers captures may have so many times the gates of one that does not.
const MOST_CAPTURE_GROWTH: usize = 2;

/// What is left at least of how much the ends of playouts differ.
const LEAST_SPREAD: f64 = 0.95;

/// Standard errors by which a role has to be better off.
const SURE: f64 = 2.0;

/// With more gates than this it would take too long to find out.
const MOST_CAPTURE_GATES: usize = 35_000;

/// Steps by which it is seen whose pieces are.
const SAMPLED_STEPS: usize = 2_000;

impl BatchMachine {
    /// Playouts in which who can take something of another's has to; `None` if nothing can be taken.
    pub(super) fn make_capturing(&self, level: Decisive) -> Option<Playouts> {
        let before = self.playouts(level, false)?;
        if self.circuit().gates.len() > MOST_CAPTURE_GATES {
            return None;
        }
        let captures = self.circuit().captures(&self.machine.turns().of_circuit(), &self.sample_steps());
        if captures.is_empty() {
            return None;
        }
        let playouts = self.capturing(before, &captures);
        let is_small = self.sweep_size(&playouts) <= MOST_CAPTURE_GROWTH * self.sweep_size(before);
        (is_small && self.is_better_off(before, &captures) && self.tells_as_much(before, &playouts))
            .then_some(playouts)
    }

    fn capturing(&self, before: &Playouts, captures: &[Capture]) -> Playouts {
        let circuit = Arc::new(before.circuit.capturing(captures));
        let plan = make_plan(&self.machine, &circuit, &self.layout, self.goals_apart);
        Playouts::new(circuit, before.settled, plan)
    }

    /// Whether a role that takes what it can does better against others that do not look: in some games it is the
    /// loser who has nothing left to be moved, or the winner.
    fn is_better_off(&self, before: &Playouts, captures: &[Capture]) -> bool {
        let Some(blind) = self.try_out(before) else { return false };
        self.machine
            .turns()
            .of_circuit()
            .iter()
            .filter(|turn| captures.iter().any(|capture| capture.role == turn.role))
            .all(|turn| {
                let own: Vec<Capture> =
                    captures.iter().filter(|capture| capture.role == turn.role).copied().collect();
                let Some(taking) = self.try_out(&self.capturing(before, &own)) else { return false };
                let (blind, taking) = (goals(&blind, turn.role), goals(&taking, turn.role));
                taking.0 - blind.0 > SURE * (taking.1.powi(2) + blind.1.powi(2)).sqrt()
            })
    }

    /// Whether playouts that prefer captures differ from those before, and their ends do so as much: where all pieces
    /// are traded and nobody can win any more, they tell less.
    fn tells_as_much(&self, before: &Playouts, playouts: &Playouts) -> bool {
        let [Some(before), Some(after)] = [before, playouts].map(|playouts| self.try_out(playouts)) else {
            return false;
        };
        after != before && spread(&after) >= LEAST_SPREAD * spread(&before)
    }

    /// Steps of random playouts in which one role had the turn.
    fn sample_steps(&self) -> Vec<SeenStep> {
        let turns = self.machine.turns().of_circuit();
        let bits =
            |state: &CircuitState| (0..self.circuit().bases.len()).map(|base| state.get(base)).collect();
        let step = |(before, after): (&CircuitState, &CircuitState)| {
            let mut movers = turns.iter().filter(|turn| before.get(turn.base as usize) == turn.value);
            let mover = movers.next().filter(|_| movers.next().is_none())?;
            Some(SeenStep { role: mover.role, before: bits(before), after: bits(after) })
        };
        Experience::of_steps(&self.machine, SAMPLED_STEPS).steps().filter_map(step).collect()
    }
}

/// How much the ends of playouts differ: the sum over the roles of how their goals deviate.
fn spread(outcomes: &Outcomes) -> f64 {
    let count = outcomes.len().max(1) as f64;
    let roles = if outcomes.is_empty() { 0 } else { outcomes.goals(0).len() };
    (0..roles).map(|role| goals(outcomes, role).1 * count.sqrt()).sum()
}

/// The mean goal of a role, and its standard error.
fn goals(outcomes: &Outcomes, role: usize) -> (f64, f64) {
    let count = outcomes.len().max(1) as f64;
    let goals = (0..outcomes.len()).map(|playout| f64::from(outcomes.goals(playout)[role].0));
    let mean = goals.clone().sum::<f64>() / count;
    (mean, (goals.map(|goal| (goal - mean).powi(2)).sum::<f64>() / count / count).sqrt())
}

//! Playouts that look for moves that decide, as far as a game allows it and its circuit does not grow too
//! much. Roles must move in turn; where they move at once, nothing is looked for.

use std::sync::Arc;

use ::circuit::{DecisiveLimits, TurnOf};
use game::{Decisive, Game};

use super::plan::make_plan;
use super::step::{Style, Sweep};
use super::{BatchMachine, Playouts};
use crate::exclusive::Experience;

/// A sweep may have so many times the gates of one that does not look. Playouts are shorter and tell more:
/// what is lost in speed is won back.
const MOST_GROWTH: usize = 16;

/// The circuit may grow by so many times, while it is made: what nobody needs is left out later.
const MOST_CIRCUIT_GROWTH: usize = 30;

/// Small circuits may grow to so many gates.
const SMALL: usize = 20_000;

/// Gates that may be looked at while the circuit is made: a fraction of a second.
const MOST_WORK: usize = 30_000_000;

impl BatchMachine {
    /// The programs of playouts that look so far for moves that decide; `None` if there are none.
    pub(super) fn playouts(&self, level: Decisive) -> Option<&Playouts> {
        let (stops, made) = match level {
            Decisive::None => return Some(&self.playouts),
            Decisive::Wins => (false, &self.decisive[0]),
            Decisive::WinsAndStops => (true, &self.decisive[1]),
        };
        made.get_or_init(|| self.make_decisive(stops)).as_ref()
    }

    fn make_decisive(&self, stops: bool) -> Option<Playouts> {
        if stops && self.win_together() {
            return None;
        }
        let turn = |&(role, literal, idle): &crate::exclusive::Turn| TurnOf {
            role,
            base: literal / 2,
            value: literal & 1 == 0,
            idle,
        };
        let turns: Vec<TurnOf> = self.machine.turns().roles.iter().map(turn).collect();
        let gates = (self.circuit().gates.len() * MOST_CIRCUIT_GROWTH).max(SMALL);
        let made = self.circuit().decisive(&turns, stops, DecisiveLimits { gates, work: MOST_WORK })?;
        let circuit = Arc::new(made.circuit);
        let plan = make_plan(&self.machine, &circuit, &self.layout, self.goals_apart);
        let playouts = Playouts::new(circuit, Some(made.settled), plan);
        (self.sweep_size(&playouts) <= MOST_GROWTH * self.sweep_size(&self.playouts)).then_some(playouts)
    }

    /// Gates of a sweep, on average over a round.
    pub(super) fn sweep_size(&self, playouts: &Playouts) -> usize {
        let sweeps = self.sweeps(playouts, &playouts.plan, Style::Random);
        sweeps.iter().map(Sweep::size).sum::<usize>() / sweeps.len().max(1)
    }

    /// Whether two roles were seen to win together: then nobody's win is to be stopped.
    fn win_together(&self) -> bool {
        let mut workspace = self.machine.workspace();
        let mut goals = Vec::new();
        Experience::gather(&self.machine).ends.iter().any(|(_, end)| {
            let read = self.machine.goals(&mut workspace, end, &mut goals);
            read.is_ok() && goals.iter().filter(|goal| goal.value().0 == 100).count() > 1
        })
    }
}

//! All states of a small game, by brute force.

use std::collections::{HashMap, VecDeque};

use game::{Expansion, Game, GoalReading};
use machine::circuit::{CircuitMachine, CircuitState};

/// What all states of a game have in common.
#[derive(Debug, Default)]
pub struct Explored {
    /// Whether a role has no legal move somewhere.
    pub stuck: bool,
    /// The best that the first role can have at an end, if there is one.
    pub best: Option<u8>,
}

/// Looks at all states that can be reached; `None` if there are too many.
pub fn explore(machine: &CircuitMachine, most: usize) -> Option<Explored> {
    let mut workspace = machine.workspace();
    let (mut expansion, mut goals) = (Expansion::new(), Vec::new());
    let mut known: HashMap<CircuitState, ()> = HashMap::from([(machine.initial(), ())]);
    let mut open = VecDeque::from([machine.initial()]);
    let mut found = Explored::default();
    let mut steps = 0u64;
    while let Some(state) = open.pop_front() {
        machine.expand(&mut workspace, &state, &mut expansion).ok()?;
        if expansion.is_terminal() {
            machine.goals(&mut workspace, &state, &mut goals).ok()?;
            let goal = goals.first().copied().map_or(0, |reading: GoalReading| reading.value().0);
            found.best = found.best.max(Some(goal));
            continue;
        }
        found.stuck |= expansion.stuck_role().is_some();
        steps = expansion.joint_count().saturating_add(steps);
        if steps > 20 * most as u64 {
            return None;
        }
        for joint in expansion.joint_moves() {
            let next = machine.apply(&mut workspace, &state, &joint).ok()?;
            if known.insert(next.clone(), ()).is_none() {
                open.push_back(next);
            }
        }
        if known.len() > most {
            return None;
        }
    }
    Some(found)
}

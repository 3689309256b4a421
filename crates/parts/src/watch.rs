//! Whether parts that are over stay as they are.
//!
//! Where a game ends when all its parts are over, the trees take a part that is over for an end: nothing is searched behind it. That
//! is not read off the gates. It is looked at on random walks before a game is taken apart, and again in every position of
//! a match: as soon as one contradicts, the game is no longer searched in parts.

use std::ops::Range;

use game::{Dice, Expansion, Game, GoalReading, MoveId, RuleFault};
use machine::circuit::{CircuitMachine, CircuitState};

use crate::halves::Halves;

/// How far walks go, and how far once the part is over.
const LONGEST_WALK: usize = 200;
const STEPS_AFTER: usize = 8;
/// Walks from each position of a match, in each part.
const WALKS: u64 = 4;

/// What random walks saw of a part that is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Over {
    /// It never was.
    Unseen,
    /// It stayed as it was.
    Stays,
    /// What is seen of it changed.
    Changes,
}

/// What walks from a state see: `ended` ends where the part is over, `going` goes on.
pub(crate) fn walks(
    going: &CircuitMachine,
    ended: &CircuitMachine,
    from: &CircuitState,
    seeds: Range<u64>,
) -> Result<Over, RuleFault> {
    let (mut workspace, mut other) = (going.workspace(), ended.workspace());
    let (mut expansion, mut now) = (Expansion::new(), Vec::new());
    let mut known = Over::Unseen;
    for seed in seeds {
        let mut dice = Dice::new(seed);
        let mut state = from.clone();
        let mut last: Option<(Vec<GoalReading>, usize)> = None;
        for _ in 0..LONGEST_WALK {
            if let Some((seen, left)) = &mut last {
                going.goals(&mut workspace, &state, &mut now)?;
                if now != *seen {
                    return Ok(Over::Changes);
                }
                known = Over::Stays;
                if *left == 0 {
                    break;
                }
                *left -= 1;
            } else if ended.is_terminal(&mut other, &state) {
                let mut seen = Vec::new();
                going.goals(&mut workspace, &state, &mut seen)?;
                last = Some((seen, STEPS_AFTER));
            }
            going.expand(&mut workspace, &state, &mut expansion)?;
            if expansion.is_terminal() {
                break;
            }
            let draw = |legal: &[MoveId]| legal.get(dice.below(legal.len())).copied();
            let Some(joint) = expansion.by_role().map(draw).collect::<Option<Vec<MoveId>>>() else { break };
            state = going.apply(&mut workspace, &state, &joint)?;
        }
    }
    Ok(known)
}

/// Follows a match.
#[derive(Debug)]
pub(crate) struct Watch {
    /// What was seen of each part when it was over, if it is.
    seen: Vec<Option<Vec<GoalReading>>>,
    /// Positions so far: each has walks of its own, the same whenever the match is followed again.
    positions: u64,
}

impl Watch {
    pub(crate) fn new(halves: &Halves) -> Self {
        Self { seen: vec![None; halves.parts.len()], positions: 0 }
    }

    /// Whether parts stay as they are once they are over, as far as the next position of the match shows it.
    pub(crate) fn agrees(&mut self, halves: &Halves, whole: &CircuitState) -> Result<bool, RuleFault> {
        let first = self.positions * WALKS;
        self.positions += 1;
        for (half, seen) in halves.parts.iter().zip(&mut self.seen) {
            let Some(going) = &half.going else { continue };
            let state = half.state(whole);
            if seen.is_some() || half.machine().is_terminal(&mut half.machine().workspace(), &state) {
                let mut now = Vec::new();
                going.goals(&mut going.workspace(), &state, &mut now)?;
                if seen.get_or_insert_with(|| now.clone()) != &now {
                    return Ok(false);
                }
            }
            if walks(going, half.machine(), &state, first..first + WALKS)? == Over::Changes {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

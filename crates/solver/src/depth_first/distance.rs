//! In how many moves a role has what it is sure of.

use game::{Game, Goal};
use machine::circuit::CircuitState;

use super::table::{Bounds, Table};
use super::{DepthFirst, PATIENCE, fresh, joints};
use crate::SolverError;

/// More joint moves are not told: a byte has no room for them.
const MOST_MOVES: u8 = 250;

impl DepthFirst {
    /// In how many joint moves the role has the value of a state that it is sure of: the role hurries, and the others hold out
    /// where that costs them nothing. `None` if it is sure of nothing, or if that takes very many. What is found out about
    /// positions has so many bytes of its own.
    pub fn distance(
        &mut self,
        state: &CircuitState,
        value: Goal,
        bytes: usize,
        is_over: &dyn Fn() -> bool,
    ) -> Result<Option<u32>, SolverError> {
        if value == Goal(0) {
            return Ok(None);
        }
        let words = self.row.len();
        let more = self.values.iter().copied().find(|&other| other > value.0);
        let mut asked =
            Asked { search: self, value: value.0, more, table: Table::new(words, bytes), is_over };
        for left in 0..=MOST_MOVES {
            if asked.has_within(state, left)? {
                return Ok(Some(u32::from(left)));
            }
        }
        Ok(None)
    }
}

/// Whether the role has a goal within some moves, of positions in which it is sure of no more.
struct Asked<'a> {
    search: &'a mut DepthFirst,
    value: u8,
    /// The next goal above it.
    more: Option<u8>,
    /// How many moves it takes at least and at most.
    table: Table,
    is_over: &'a dyn Fn() -> bool,
}

impl Asked<'_> {
    fn has_within(&mut self, state: &CircuitState, left: u8) -> Result<bool, SolverError> {
        let search = &mut *self.search;
        let name = search.name(state);
        let known = self.table.find(name.hash, name.row.words());
        if let Some(over) = known.is_at_least(left.saturating_add(1)) {
            return Ok(!over);
        }
        if search.table.find(name.hash, name.row.words()).is_at_least(self.value) == Some(false) {
            return Ok(false);
        }
        search.positions += 1;
        if search.positions.is_multiple_of(PATIENCE) && (self.is_over)() {
            return Err(SolverError::OutOfTime(search.positions as usize));
        }
        let begin = search.positions;
        let Some(chooser) = search.chooser(state)? else { return Ok(search.value(state)? >= self.value) };
        if left == 0 {
            return Ok(false);
        }
        let is_own = chooser == search.role;
        let mut children: Vec<(i64, CircuitState)> = Vec::new();
        for joint in joints(&search.expansion, chooser) {
            let next = search.machine.apply(&mut search.workspace, state, &joint)?;
            let score = fresh(state, &next).map(|fact| i64::from(search.history[fact])).sum::<i64>();
            children.push((-score, next));
        }
        children.sort_by_key(|&(score, _)| score);
        let mut answer = !is_own;
        for (_, next) in &children {
            let costs = match self.more {
                Some(more) if !is_own => self.search.is_sure(next, more, self.is_over)?,
                _ => false,
            };
            if !costs && self.has_within(next, left - 1)? == is_own {
                answer = is_own;
                break;
            }
        }
        let bounds = match answer {
            true => Bounds { most: known.most.min(left), ..known },
            false => Bounds { least: known.least.max(left + 1), ..known },
        };
        self.table.put(name.hash, name.row.words(), bounds, self.search.positions - begin + 1);
        Ok(answer)
    }
}

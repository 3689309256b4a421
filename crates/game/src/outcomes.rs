//! What became of playouts.

use crate::{FactId, Goal, MadeMoves, MoveId, MoveRecord};

/// What became of playouts, in the order of the jobs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcomes {
    roles: usize,
    lengths: Vec<u32>,
    cut: Vec<bool>,
    settled: Vec<bool>,
    goals: Vec<Goal>,
    /// How moves fared, if that was asked for.
    pub moves: MoveRecord,
    /// The moves of each playout in order, if that was asked for.
    pub sequences: Sequences,
    /// Which moves each playout had, if that was asked for.
    pub made: MadeMoves,
    /// What each role could choose from in each step of the playouts one after the other, if that was asked
    /// for: step after step, role after role.
    pub choices: Lists<MoveId>,
    /// The facts of the state before each step, if that was asked for.
    pub facts: Lists<FactId>,
}

/// Lists one after the other.
#[derive(Clone, Debug, PartialEq)]
pub struct Lists<T> {
    items: Vec<T>,
    /// Where each list ends.
    ends: Vec<usize>,
}

impl<T> Default for Lists<T> {
    fn default() -> Self {
        Self { items: Vec::new(), ends: Vec::new() }
    }
}

impl<T: Clone> Lists<T> {
    /// Forgets all.
    pub fn clear(&mut self) {
        self.truncate(0);
    }

    /// Keeps the first lists.
    pub fn truncate(&mut self, lists: usize) {
        self.ends.truncate(lists);
        self.items.truncate(self.ends.last().copied().unwrap_or(0));
    }

    /// Adds a list.
    pub fn push(&mut self, list: impl IntoIterator<Item = T>) {
        self.items.extend(list);
        self.ends.push(self.items.len());
    }

    /// How many lists there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// A list by its number; an empty one if there is none.
    pub fn get(&self, number: usize) -> &[T] {
        let Some(&end) = self.ends.get(number) else { return &[] };
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.items[start..end]
    }
}

/// The moves of playouts in the order in which they were made.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sequences {
    moves: Vec<MoveId>,
    /// Where those of each playout end.
    ends: Vec<usize>,
}

impl Sequences {
    /// Forgets all.
    pub fn clear(&mut self) {
        self.moves.clear();
        self.ends.clear();
    }

    /// Adds the joint moves of the next playout.
    pub fn push(&mut self, moves: &[MoveId]) {
        self.moves.extend_from_slice(moves);
        self.ends.push(self.moves.len());
    }

    /// How many moves there are before those of a playout.
    pub fn before(&self, playout: usize) -> usize {
        playout.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0)
    }

    /// The joint moves of a playout, one after the other, one move a role; none if they were not asked for.
    pub fn of(&self, playout: usize) -> &[MoveId] {
        let Some(&end) = self.ends.get(playout) else { return &[] };
        let start = playout.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.moves[start..end]
    }
}

impl Outcomes {
    /// Starts over, with room for some playouts of a game with some roles.
    pub fn reset(&mut self, roles: usize, playouts: usize) {
        self.roles = roles;
        self.lengths.clear();
        self.lengths.resize(playouts, 0);
        self.cut.clear();
        self.cut.resize(playouts, false);
        self.settled.clear();
        self.settled.resize(playouts, false);
        self.goals.clear();
        self.goals.resize(playouts * roles, Goal(0));
        self.moves.reset(roles);
        self.sequences.clear();
        self.made.clear();
        self.choices.clear();
        self.facts.clear();
    }

    /// Adds other playouts of the same game after these.
    pub fn append(&mut self, other: &Self) {
        let before = self.len();
        self.lengths.extend_from_slice(&other.lengths);
        self.cut.extend_from_slice(&other.cut);
        self.settled.extend_from_slice(&other.settled);
        self.goals.extend_from_slice(&other.goals);
        for (role, id, fared) in other.moves.iter() {
            self.moves.add(role, id, fared.playouts, fared.goals);
        }
        for playout in 0..other.sequences.ends.len() {
            self.sequences.push(other.sequences.of(playout));
        }
        self.made.append(before, &other.made);
        (0..other.choices.len()).for_each(|list| self.choices.push(other.choices.get(list).iter().copied()));
        (0..other.facts.len()).for_each(|list| self.facts.push(other.facts.get(list).iter().copied()));
    }

    /// The number of playouts.
    pub fn len(&self) -> usize {
        self.lengths.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.lengths.is_empty()
    }

    /// The number of joint moves of a playout; 0 if it began where the game is over.
    pub fn length(&self, playout: usize) -> u32 {
        self.lengths[playout]
    }

    /// Whether a playout was cut: its goals are those of a state that is not terminal.
    pub fn is_cut(&self, playout: usize) -> bool {
        self.cut[playout]
    }

    /// Whether the goals of a playout are those of its start with best play: moves that decide were looked
    /// for ([`Narrowed::is_settled`](crate::Narrowed)), and the first step was one. What is not known of a
    /// start in which nobody chooses alone is not said.
    pub fn is_settled(&self, playout: usize) -> bool {
        self.settled[playout]
    }

    /// Says that a playout began where its outcome is certain.
    pub fn set_settled(&mut self, playout: usize) {
        self.settled[playout] = true;
    }

    /// The goals of a playout, role by role: no goal counts 0, of several the highest.
    pub fn goals(&self, playout: usize) -> &[Goal] {
        &self.goals[playout * self.roles..(playout + 1) * self.roles]
    }

    /// Says how long a playout was, and whether it was cut.
    pub fn set_length(&mut self, playout: usize, length: u32, cut: bool) {
        self.lengths[playout] = length;
        self.cut[playout] = cut;
    }

    /// Says that a role reached a goal in a playout; the highest counts.
    pub fn raise(&mut self, playout: usize, role: usize, goal: Goal) {
        let known = &mut self.goals[playout * self.roles + role];
        *known = (*known).max(goal);
    }

    /// Says that a playout ended like another.
    pub fn repeat(&mut self, from: usize, to: usize) {
        self.lengths[to] = self.lengths[from];
        self.cut[to] = self.cut[from];
        self.goals.copy_within(from * self.roles..(from + 1) * self.roles, to * self.roles);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RoleId;

    #[test]
    fn playouts_are_put_one_after_the_other() {
        let one = |length: u32, goal: u8| {
            let mut outcomes = Outcomes::default();
            outcomes.reset(1, 2);
            outcomes.set_length(1, length, true);
            outcomes.raise(1, 0, Goal(goal));
            outcomes.moves.add(RoleId(0), MoveId(3), 1, u64::from(goal));
            outcomes.sequences.push(&[MoveId(length)]);
            outcomes.made.push(1, RoleId(0), MoveId(3));
            outcomes.choices.push([MoveId(length), MoveId(9)]);
            outcomes
        };
        let mut all = one(4, 50);
        all.append(&one(7, 100));
        assert_eq!((all.len(), all.length(1), all.length(3), all.is_cut(2)), (4, 4, 7, false));
        assert_eq!((all.goals(1), all.goals(3)), (&[Goal(50)][..], &[Goal(100)][..]));
        assert_eq!(all.moves.of(RoleId(0), MoveId(3)).goals, 150);
        assert_eq!(all.sequences.of(1), [MoveId(7)]);
        assert_eq!(all.made.of(3).collect::<Vec<_>>(), [(RoleId(0), MoveId(3))]);
        assert_eq!(all.choices.get(1), [MoveId(7), MoveId(9)]);
    }
}

//! Moves of roles numbered in the order in which they are met, so that what is kept of them is a row of numbers.

use crate::{MoveId, RoleId};

/// Moves that were met, each a column.
#[derive(Clone, Debug, Default)]
pub struct Columns {
    /// By role and the number of a move: its column, and one more; 0 if it has none.
    columns: Vec<Vec<u32>>,
    moves: Vec<(RoleId, MoveId)>,
}

impl Columns {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// Forgets all, and keeps the room.
    pub fn clear(&mut self) {
        for (role, id) in self.moves.drain(..) {
            self.columns[usize::from(role.0)][id.0 as usize] = 0;
        }
    }

    /// The moves, column by column.
    pub fn moves(&self) -> &[(RoleId, MoveId)] {
        &self.moves
    }

    /// Who makes the move of a column.
    pub fn role(&self, column: usize) -> RoleId {
        self.moves[column].0
    }

    /// The column of a move, if it was met.
    pub fn find(&self, role: RoleId, id: MoveId) -> Option<usize> {
        let column = *self.columns.get(usize::from(role.0))?.get(id.0 as usize)?;
        (column as usize).checked_sub(1)
    }

    /// The column of a move.
    pub fn of(&mut self, role: RoleId, id: MoveId) -> usize {
        let (index, number) = (usize::from(role.0), id.0 as usize);
        if index >= self.columns.len() {
            self.columns.resize_with(index + 1, Vec::new);
        }
        let columns = &mut self.columns[index];
        if number >= columns.len() {
            columns.resize(number + 1, 0);
        }
        if columns[number] == 0 {
            self.moves.push((role, id));
            columns[number] = self.moves.len() as u32;
        }
        columns[number] as usize - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_move_of_two_roles_has_two_columns() {
        let mut columns = Columns::default();
        let met = [(1, 7), (0, 7), (1, 7), (0, 2)].map(|(role, id)| columns.of(RoleId(role), MoveId(id)));
        assert_eq!(met, [0, 1, 0, 2]);
        assert_eq!((columns.len(), columns.role(0), columns.role(2)), (3, RoleId(1), RoleId(0)));
        assert_eq!(columns.find(RoleId(0), MoveId(7)), Some(1));
        assert_eq!(columns.find(RoleId(1), MoveId(2)), None);
        columns.clear();
        assert!(columns.is_empty() && columns.find(RoleId(0), MoveId(7)).is_none());
        assert_eq!(columns.of(RoleId(0), MoveId(2)), 0);
    }
}

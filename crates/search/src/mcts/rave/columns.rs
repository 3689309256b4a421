//! Moves of roles by numbers of their own, so that a table is a row of numbers.

use game::{MoveId, RoleId};

/// All moves that were made below any node.
#[derive(Debug, Default)]
pub(crate) struct Columns {
    /// By role and the number of a move: its column, and one more; 0 if it has none.
    columns: Vec<Vec<u32>>,
    /// Who makes the move of each column.
    roles: Vec<RoleId>,
}

impl Columns {
    pub(crate) fn len(&self) -> usize {
        self.roles.len()
    }

    /// The column of a move, if it was ever made.
    pub(crate) fn find(&self, role: RoleId, id: MoveId) -> Option<usize> {
        let column = *self.columns.get(usize::from(role.0))?.get(id.0 as usize)?;
        (column as usize).checked_sub(1)
    }

    /// The column of a move.
    pub(crate) fn of(&mut self, role: RoleId, id: MoveId) -> usize {
        let (index, number) = (usize::from(role.0), id.0 as usize);
        if index >= self.columns.len() {
            self.columns.resize_with(index + 1, Vec::new);
        }
        let columns = &mut self.columns[index];
        if number >= columns.len() {
            columns.resize(number + 1, 0);
        }
        if columns[number] == 0 {
            self.roles.push(role);
            columns[number] = self.roles.len() as u32;
        }
        columns[number] as usize - 1
    }

    /// Who makes the move of a column.
    pub(crate) fn role(&self, column: usize) -> usize {
        usize::from(self.roles[column].0)
    }
}

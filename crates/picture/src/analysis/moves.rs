//! Which cells a move names.

use super::fluent::{Fluent, Sources};
use super::links::Links;
use super::sentence::{Key, Kind};
use crate::plan::{BoardPlan, LayerKind, MovePlan, Path};

/// The moves of the game and the cells they name.
pub(crate) fn moves(sources: &Sources<'_>, boards: &[BoardPlan], links: &Links) -> Vec<MovePlan> {
    sources
        .fluents(Kind::Move, &[])
        .into_iter()
        .map(|action| {
            let finder = Finder { sources, links, action: &action };
            let cells = finder.cells(boards);
            MovePlan { name: action.name.clone(), arity: action.arity, cells }
        })
        .collect()
}

struct Finder<'a> {
    sources: &'a Sources<'a>,
    links: &'a Links,
    action: &'a Fluent,
}

impl Finder<'_> {
    fn cells(&self, boards: &[BoardPlan]) -> Vec<(usize, Vec<Option<Path>>)> {
        let mut cells = Vec::new();
        let mut place = 0;
        while place < self.action.slots.len() {
            let whole = (0..boards.len()).find(|&board| self.names_cell(&boards[board], place));
            if let Some(board) = whole {
                let parts = boards[board].axes.len();
                let path = |at: usize| Some(self.action.slots[at].path.clone());
                cells.push((board, (place..place + parts).map(path).collect()));
                place += parts;
                continue;
            }
            place += 1;
        }
        if cells.is_empty() {
            cells.extend(self.part(boards));
        }
        cells
    }

    /// Whether the address of a cell begins at a place.
    fn names_cell(&self, board: &BoardPlan, place: usize) -> bool {
        let Some(slots) = self.action.slots.get(place..place + board.axes.len()) else { return false };
        let fits = slots.iter().zip(&board.axes).all(|(slot, axis)| fits(&slot.values, axis));
        let linked = |part: usize| self.linked(board, place + part, part);
        fits && (board.axes.len() >= 2 || linked(0)) && (0..board.axes.len()).any(linked)
    }

    /// A column or a row, where that is all a move names.
    fn part(&self, boards: &[BoardPlan]) -> Option<(usize, Vec<Option<Path>>)> {
        let [slot] = &self.action.slots[..] else { return None };
        boards.iter().enumerate().find_map(|(number, board)| {
            let found: Vec<usize> = (0..board.axes.len())
                .filter(|&part| fits(&slot.values, &board.axes[part]) && self.linked(board, 0, part))
                .collect();
            let &[part] = &found[..] else { return None };
            let mut address = vec![None; board.axes.len()];
            address[part] = Some(slot.path.clone());
            Some((number, address))
        })
    }

    /// Whether a place of the move and a part of the address share a variable somewhere.
    fn linked(&self, board: &BoardPlan, place: usize, part: usize) -> bool {
        let symbols = &self.sources.rules.symbols;
        let key = |kind, name: &str, arity| Some(Key { kind, name: symbols.get(name)?, arity });
        let Some(action) = key(Kind::Move, &self.action.name, self.action.arity) else { return false };
        let from = (action, self.action.slots[place].path[0]);
        board.layers.iter().filter(|layer| layer.kind != LayerKind::Sequence).any(|layer| {
            let Some(path) = layer.address.get(part) else { return false };
            key(Kind::Fluent, &layer.name, layer.arity)
                .is_some_and(|fluent| self.links.linked(from, (fluent, path[0])))
        })
    }
}

/// Whether most values lie on an axis.
fn fits(values: &[String], axis: &[String]) -> bool {
    let within = values.iter().filter(|value| axis.contains(value)).count();
    within > 0 && 10 * within >= 7 * values.len()
}

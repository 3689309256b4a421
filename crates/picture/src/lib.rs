//! How a person sees a state: boards and counters, read off its facts as the game's metadata says.
//!
//! [`Picture::read`] turns facts into grids of pieces, which any front end can draw; [`text`] draws
//! them with letters.
//!
//! ```
//! let game = bundled::find("tic-tac-toe")?;
//! let picture = picture::Picture::read(game.metadata()?, &["(cell 1 3 x)".to_owned()]);
//! assert_eq!(picture.grids[0].cells[0][0], ["x"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod text;

use bundled::{Board, Metadata};
use serde::Serialize;

/// A state as a person sees it.
#[derive(Clone, Debug, Serialize)]
pub struct Picture<'a> {
    /// The boards, in the order of the metadata.
    pub grids: Vec<Grid<'a>>,
    /// Labels and values beside them; a value may be missing or come several times.
    pub counters: Vec<(&'a str, Vec<String>)>,
    /// The facts that neither a board nor a counter shows.
    pub other: Vec<String>,
}

/// A board with what stands on it.
#[derive(Clone, Debug, Serialize)]
pub struct Grid<'a> {
    /// How the board looks.
    #[serde(skip)]
    pub board: &'a Board,
    /// By row from the top, then by column from the left: the pieces there, by their names. Mostly
    /// one; none where no fact speaks of the cell.
    pub cells: Vec<Vec<Vec<String>>>,
}

impl<'a> Picture<'a> {
    /// Reads the boards and counters of the metadata off a state's facts (canonical KIF).
    pub fn read(metadata: &'a Metadata, facts: &[String]) -> Self {
        let empty = |board: &'a Board| Grid {
            board,
            cells: vec![vec![Vec::new(); board.columns.len()]; board.rows.len()],
        };
        let mut grids: Vec<Grid<'a>> = metadata.boards.iter().map(empty).collect();
        let mut counters: Vec<(&str, Vec<String>)> =
            metadata.counters.iter().map(|counter| (counter.label.as_str(), Vec::new())).collect();
        let mut other = Vec::new();
        for fact in facts {
            let mut shown = false;
            for grid in &mut grids {
                shown |= grid.put(fact);
            }
            for (counter, (_, values)) in metadata.counters.iter().zip(&mut counters) {
                if let Some(found) = counter.fact.read(fact) {
                    values.extend(found.into_iter().map(|(_, value)| value.to_owned()));
                    shown = true;
                }
            }
            if !shown {
                other.push(fact.clone());
            }
        }
        Self { grids, counters, other }
    }
}

impl Grid<'_> {
    /// Puts what a fact says on the board; `false` if it says nothing of it.
    fn put(&mut self, fact: &str) -> bool {
        let Some(found) = self.board.cell.read(fact) else { return false };
        let value = |name| found.iter().find(|(variable, _)| *variable == name).map(|&(_, value)| value);
        let place = |list: &[String], name| {
            let wanted = value(name)?;
            list.iter().position(|item| item.eq_ignore_ascii_case(wanted))
        };
        let at = (place(&self.board.rows, "row"), place(&self.board.columns, "column"));
        let (Some(row), Some(column)) = at else { return false };
        let Some(piece) = value("piece").or(self.board.piece.as_deref()) else { return false };
        self.cells[row][column].push(piece.to_owned());
        true
    }
}

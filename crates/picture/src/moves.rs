//! Moves as people make them: typed in short, or clicked.

use std::collections::HashMap;

use crate::analysis::Analysis;
use crate::plan::MovePlan;
use crate::term::Term;

/// The cells that a move names at one place: one, or a whole column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedCells {
    /// The number of the board.
    pub board: usize,
    /// The numbers of the cells.
    pub matching: Vec<usize>,
}

/// A cell that was clicked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Click {
    /// The number of the board.
    pub board: usize,
    /// The number of the cell.
    pub cell: usize,
}

/// What clicks mean so far. Numbers are those of the list of legal moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picked {
    /// The move, if the clicks leave but one and name all its cells.
    pub complete: Option<usize>,
    /// All moves that begin like this.
    pub possible: Vec<usize>,
    /// Where to click next.
    pub next: Vec<Click>,
}

/// What a line means. Numbers are those of the list of legal moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Understood {
    /// A move.
    One(usize),
    /// Any of these moves.
    Several(Vec<usize>),
    /// No move; these are the nearest.
    Unknown(Vec<usize>),
}

/// How many moves are suggested for a line that is none.
const SUGGESTIONS: usize = 3;

impl Analysis {
    fn move_plan(&self, action: &Term) -> Option<&MovePlan> {
        self.moves.iter().find(|plan| plan.name == action.name && plan.arity == action.arguments.len())
    }

    /// The cells that a move names, in its order.
    pub fn named_cells(&self, text: &str) -> Vec<NamedCells> {
        let action = Term::read(text);
        let Some(plan) = self.move_plan(&action) else { return Vec::new() };
        let mut cells = Vec::new();
        for (board, address) in &plan.cells {
            let parts: Vec<Option<String>> = address
                .iter()
                .map(|path| path.as_ref().and_then(|path| action.at(path)).map(ToString::to_string))
                .collect();
            let Some(plan) = self.boards.get(*board) else { continue };
            let fits = |cell: &crate::plan::CellPlan| {
                cell.address
                    .iter()
                    .zip(&parts)
                    .all(|(own, part)| part.as_ref().is_none_or(|part| part == own))
            };
            let matching: Vec<usize> = (0..plan.cells.len()).filter(|&at| fits(&plan.cells[at])).collect();
            if !matching.is_empty() {
                cells.push(NamedCells { board: *board, matching });
            }
        }
        cells
    }

    /// What clicks mean, given the legal moves.
    pub fn pick(&self, clicks: &[Click], legal: &[String]) -> Picked {
        let cells: Vec<Vec<NamedCells>> = legal.iter().map(|text| self.named_cells(text)).collect();
        let hit = |named: &NamedCells, click: &Click| {
            named.board == click.board && named.matching.contains(&click.cell)
        };
        let begins = |named: &Vec<NamedCells>| {
            !named.is_empty()
                && clicks.len() <= named.len()
                && named.iter().zip(clicks).all(|(named, click)| hit(named, click))
        };
        let possible: Vec<usize> = (0..legal.len()).filter(|&at| begins(&cells[at])).collect();
        let full: Vec<usize> =
            possible.iter().copied().filter(|&at| cells[at].len() == clicks.len()).collect();
        let complete = match (&full[..], clicks.is_empty()) {
            (&[only], false) if possible.len() == 1 => Some(only),
            _ => None,
        };
        let mut next: Vec<Click> = possible
            .iter()
            .filter_map(|&at| cells[at].get(clicks.len()))
            .flat_map(|named| named.matching.iter().map(|&cell| Click { board: named.board, cell }))
            .collect();
        next.sort_by_key(|click| (click.board, click.cell));
        next.dedup();
        Picked { complete, possible, next }
    }

    /// The shortest way to write a move: its cells where it names some, else its words.
    pub fn notation(&self, text: &str) -> String {
        let action = Term::read(text);
        let named = self.cell_names(&action);
        match self.move_plan(&action) {
            Some(plan) if !named.is_empty() && plan.cells.len() == named.len() => {
                let used: Vec<&Vec<usize>> =
                    plan.cells.iter().flat_map(|(_, address)| address.iter().flatten()).collect();
                let others: Vec<String> = (0..action.arguments.len())
                    .filter(|&at| !used.iter().any(|path| path.first() == Some(&at)))
                    .map(|at| folded(&action.arguments[at].to_string()))
                    .collect();
                let separator = if named.iter().any(|name| name.contains(' ')) { " - " } else { "" };
                let mut parts = vec![named.join(separator)];
                parts.extend(others);
                parts.join(" ")
            }
            _ => folded(text),
        }
    }

    /// The names of the cells of a move, or of its column.
    fn cell_names(&self, action: &Term) -> Vec<String> {
        let Some(plan) = self.move_plan(action) else { return Vec::new() };
        let name = |(board, address): &(usize, Vec<Option<Vec<usize>>>)| {
            let parts: Option<Vec<String>> =
                address.iter().flatten().map(|path| action.at(path).map(ToString::to_string)).collect();
            let parts = parts?;
            if address.iter().any(Option::is_none) {
                return Some(parts.join(" "));
            }
            let board = self.boards.get(*board)?;
            Some(board.cells[*board.find.get(&parts)?].name.clone())
        };
        plan.cells.iter().filter_map(name).collect()
    }

    /// All that can be typed for a move, the shortest first: its notation, its arguments, all of it.
    fn spellings(&self, text: &str) -> Vec<String> {
        let action = Term::read(text);
        let arguments: Vec<String> = action.leaves().iter().map(|leaf| (*leaf).to_owned()).collect();
        let named = self.cell_names(&action);
        let mut all = vec![self.notation(text), folded(text), arguments.join(" ")];
        if !named.is_empty() {
            all.push(named.join(" "));
            all.push(named.join(""));
            all.push(format!("{} {}", action.name, named.join(" ")));
        }
        all.iter().map(|spelling| key(spelling)).collect()
    }

    /// What a line means among the legal moves: the whole move, its cells, its arguments, or any part
    /// that no other move has.
    pub fn understand(&self, typed: &str, legal: &[String]) -> Understood {
        let wanted = key(typed);
        if wanted.is_empty() {
            return Understood::Unknown(Vec::new());
        }
        let whole = |at: &usize| folded(&legal[*at]) == folded(typed);
        if let Some(at) = (0..legal.len()).find(whole) {
            return Understood::One(at);
        }
        let spellings: Vec<Vec<String>> = legal.iter().map(|text| self.spellings(text)).collect();
        let compact = wanted.replace(' ', "");
        let tests: [&dyn Fn(&String) -> bool; 4] = [
            &|spelling| *spelling == wanted,
            &|spelling| spelling.replace(' ', "") == compact,
            &|spelling| spelling.starts_with(&wanted),
            &|spelling| format!(" {spelling}").contains(&format!(" {wanted}")),
        ];
        for test in tests {
            let found: Vec<usize> = (0..legal.len()).filter(|&at| spellings[at].iter().any(test)).collect();
            match found[..] {
                [] => {}
                [only] => return Understood::One(only),
                _ => return Understood::Several(found),
            }
        }
        let distance = |at: &usize| {
            spellings[*at].iter().map(|spelling| strsim::damerau_levenshtein(spelling, &wanted)).min()
        };
        let mut near: Vec<usize> = (0..legal.len()).collect();
        near.sort_by_key(distance);
        near.retain(|at| distance(at).is_some_and(|far| 2 * far <= wanted.chars().count().max(2)));
        near.truncate(SUGGESTIONS);
        Understood::Unknown(near)
    }
}

/// A move without what nobody wants to type.
pub fn folded(text: &str) -> String {
    let plain = text.to_lowercase().replace(['(', ')'], " ");
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What counts in a line.
fn key(text: &str) -> String {
    let plain = folded(text).replace(['-', ',', ':', '>', '/'], " ");
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Numbers for moves that never change: a move keeps the number it was first listed with.
#[derive(Clone, Debug, Default)]
pub struct MoveNumbers {
    numbers: HashMap<String, usize>,
}

impl MoveNumbers {
    /// The number of a move, a new one if it has none.
    pub fn number(&mut self, text: &str) -> usize {
        let next = self.numbers.len() + 1;
        *self.numbers.entry(text.to_owned()).or_insert(next)
    }

    /// The move of a number among the legal ones.
    pub fn find(&self, number: usize, legal: &[String]) -> Option<usize> {
        legal.iter().position(|text| self.numbers.get(text) == Some(&number))
    }
}

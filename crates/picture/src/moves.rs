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
/// Longer lines are no typing errors.
const LONGEST_TYPED: usize = 64;

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

    /// For each legal move the shortest text that no other has.
    pub fn shortest(&self, legal: &[String]) -> Vec<String> {
        let spelled: Vec<[String; 3]> = legal
            .iter()
            .map(|text| {
                let cells = self.cell_names(&Term::read(text));
                let separator = if cells.iter().any(|name| name.contains(' ')) { " - " } else { "" };
                [cells.join(separator), self.notation(text), folded(text)]
            })
            .collect();
        let mut counts: HashMap<(usize, &str), usize> = HashMap::new();
        for texts in &spelled {
            for (level, text) in texts.iter().enumerate() {
                *counts.entry((level, text)).or_default() += 1;
            }
        }
        let unique = |level: usize, text: &str| !text.is_empty() && counts.get(&(level, text)) == Some(&1);
        let shortest = |texts: &[String; 3]| {
            let level = (0..2).find(|&level| unique(level, &texts[level])).unwrap_or(2);
            texts[level].clone()
        };
        spelled.iter().map(shortest).collect()
    }

    /// What a line means if it is all of a move: its words, its cells, its arguments. Parts of moves count for
    /// nothing.
    pub fn understand_whole(&self, typed: &str, legal: &[String]) -> Understood {
        let wanted = key(typed);
        let compact = wanted.replace(' ', "");
        self.find(
            typed,
            legal,
            &[&|spelling| *spelling == wanted, &|spelling| spelling.replace(' ', "") == compact],
        )
        .unwrap_or(Understood::Unknown(Vec::new()))
    }

    /// What a line means among the legal moves: the whole move, its cells, its arguments, or any part
    /// that no other move has.
    pub fn understand(&self, typed: &str, legal: &[String]) -> Understood {
        let whole = self.understand_whole(typed, legal);
        if whole != Understood::Unknown(Vec::new()) {
            return whole;
        }
        let wanted = key(typed);
        let inside = format!(" {wanted}");
        let tests: [&dyn Fn(&String) -> bool; 2] =
            [&|spelling| spelling.starts_with(&wanted), &|spelling| format!(" {spelling}").contains(&inside)];
        self.find(typed, legal, &tests).unwrap_or_else(|| Understood::Unknown(self.near(&wanted, legal)))
    }

    /// The moves that pass the first test that any move passes.
    fn find(&self, typed: &str, legal: &[String], tests: &[&dyn Fn(&String) -> bool]) -> Option<Understood> {
        if key(typed).is_empty() {
            return None;
        }
        if let Some(at) = (0..legal.len()).find(|&at| folded(&legal[at]) == folded(typed)) {
            return Some(Understood::One(at));
        }
        let spellings: Vec<Vec<String>> = legal.iter().map(|text| self.spellings(text)).collect();
        tests.iter().find_map(|test| {
            let passes = |at: &usize| spellings[*at].iter().any(test);
            let found: Vec<usize> = (0..legal.len()).filter(passes).collect();
            match found[..] {
                [] => None,
                [only] => Some(Understood::One(only)),
                _ => Some(Understood::Several(found)),
            }
        })
    }

    /// Moves that are written much like this.
    fn near(&self, wanted: &str, legal: &[String]) -> Vec<usize> {
        let length = wanted.chars().count();
        if length > LONGEST_TYPED {
            return Vec::new();
        }
        let distance = |at: usize| {
            let far = |spelling: &String| strsim::damerau_levenshtein(spelling, wanted);
            self.spellings(&legal[at]).iter().map(far).min().unwrap_or(usize::MAX)
        };
        let mut near: Vec<(usize, usize)> = (0..legal.len()).map(|at| (distance(at), at)).collect();
        near.retain(|(far, _)| 2 * far <= length.max(2));
        near.sort_unstable();
        near.into_iter().take(SUGGESTIONS).map(|(_, at)| at).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    const DROP: &str = "(role red) (role blue) (init (control red)) (col 1) (col 2) (col 3) (row a) (row b)
        (<= (legal ?r (drop ?c)) (true (control ?r)) (open ?c))
        (<= (open ?c) (col ?c) (not (true (cell ?c b red))))
        (<= (next (cell ?c a ?r)) (does ?r (drop ?c)))
        (<= (next (cell ?c b ?r)) (does ?r (drop ?c)) (true (cell ?c a ?s)))
        (<= (next (cell ?c ?x ?r)) (true (cell ?c ?x ?r)))
        (<= terminal (true (cell 1 b ?r))) (<= (goal ?r 50) (role ?r))";

    const WALK: &str = "(role you) (file a) (file b) (rank 1) (rank 2)
        (init (cell a 1 king)) (init (cell a 2 e)) (init (cell b 1 e)) (init (cell b 2 e))
        (<= (legal you (move king ?a ?b ?c ?d)) (true (cell ?a ?b king)) (true (cell ?c ?d e)))
        (<= (next (cell ?c ?d king)) (does you (move king ?a ?b ?c ?d)))
        (<= (next (cell ?a ?b e)) (does you (move king ?a ?b ?c ?d)))
        (<= (next (cell ?x ?y e)) (true (cell ?x ?y e)) (does you (move king ?a ?b ?c ?d))
            (or (distinct ?x ?c) (distinct ?y ?d)))
        (<= terminal (true (cell b 2 king))) (<= (goal you 100) (role you))";

    fn texts(list: &[&str]) -> Vec<String> {
        list.iter().map(|&text| text.to_owned()).collect()
    }

    fn walk() -> (Analysis, Vec<String>) {
        let start = texts(&["(cell a 1 king)", "(cell a 2 e)", "(cell b 1 e)", "(cell b 2 e)"]);
        let analysis = Analysis::new(&gdl::normal::read(WALK), &[start], None);
        let legal = texts(&["(move king a 1 a 2)", "(move king a 1 b 1)", "(move king a 1 b 2)"]);
        (analysis, legal)
    }

    #[test]
    fn moves_are_typed_in_short() {
        let (analysis, legal) = walk();
        assert_eq!(analysis.shortest(&legal), ["a1a2", "a1b1", "a1b2"]);
        for typed in ["a1b2", "a1 b2", "A1-B2", "move king a 1 b 2", "(move king a 1 b 2)", "king a1b2", "b2"]
        {
            assert_eq!(analysis.understand(typed, &legal), Understood::One(2), "{typed}");
        }
        assert_eq!(analysis.understand("a1b", &legal), Understood::Several(vec![1, 2]));
        assert_eq!(analysis.understand("a1b3", &legal), Understood::Unknown(vec![1, 2, 0]));
        assert_eq!(analysis.understand("", &legal), Understood::Unknown(Vec::new()));
    }

    #[test]
    fn moves_are_clicked() {
        let (analysis, legal) = walk();
        let cell = |name: &str| {
            let cell = analysis.boards[0].cells.iter().position(|cell| cell.name == name).expect("a cell");
            Click { board: 0, cell }
        };
        let first = analysis.pick(&[], &legal);
        assert_eq!((first.complete, first.next), (None, vec![cell("a1")]));
        let second = analysis.pick(&[cell("a1")], &legal);
        assert_eq!((second.complete, second.next.len()), (None, 3));
        assert_eq!(analysis.pick(&[cell("a1"), cell("b2")], &legal).complete, Some(2));
        assert_eq!(analysis.pick(&[cell("b2")], &legal).possible, Vec::<usize>::new());
    }

    #[test]
    fn a_column_is_enough_where_that_is_all_a_move_names() {
        let state = texts(&[
            "(cell 1 a red)",
            "(cell 2 a blue)",
            "(cell 2 b red)",
            "(cell 3 a red)",
            "(control red)",
        ]);
        let analysis = Analysis::new(&gdl::normal::read(DROP), &[texts(&["(control red)"]), state], None);
        let legal = texts(&["(drop 1)", "(drop 2)", "(drop 3)"]);
        assert_eq!(analysis.shortest(&legal), ["1", "2", "3"]);
        assert_eq!(analysis.understand("3", &legal), Understood::One(2));
        let column: Vec<usize> = analysis.named_cells("(drop 2)")[0].matching.clone();
        assert_eq!(column.len(), 2);
        assert_eq!(analysis.pick(&[Click { board: 0, cell: column[0] }], &legal).complete, Some(1));
    }

    #[test]
    fn numbers_never_change() {
        let mut numbers = MoveNumbers::default();
        let first = texts(&["a", "b", "c"]);
        assert_eq!(first.iter().map(|text| numbers.number(text)).collect::<Vec<_>>(), [1, 2, 3]);
        let later = texts(&["c", "d"]);
        assert_eq!(later.iter().map(|text| numbers.number(text)).collect::<Vec<_>>(), [3, 4]);
        assert_eq!((numbers.find(3, &later), numbers.find(1, &later)), (Some(0), None));
    }
}

//! Positions in which two choose at once, with what follows from every pair of moves.
//!
//! One position a line: whether one move is as good as any mix (pure) or not (mixed), the role that is asked, the
//! joint moves that lead there (those of a joint move separated by plus signs, joint moves by semicolons), its moves,
//! the other's, and row by row what the role gets, from 0 to 100.

use std::fmt::Write;

use super::matrix::{security, solve};

/// Rounding of values in files.
const NEAR: f64 = 0.01;

/// A position in which two choose at once.
#[derive(Clone, Debug, PartialEq)]
pub struct MatrixPosition {
    /// The joint moves from the beginning.
    pub line: Vec<Vec<String>>,
    /// The role that is asked.
    pub role: usize,
    /// Its moves.
    pub moves: Vec<String>,
    /// The other's.
    pub replies: Vec<String>,
    /// What the role gets with best play after each of its moves and each reply, 0 to 100.
    pub values: Vec<Vec<f64>>,
}

impl MatrixPosition {
    /// What the role gets if both play as well as can be.
    pub fn value(&self) -> f64 {
        solve(&self.values).value
    }

    /// How many points less than that a mix gets in the worst case.
    pub fn loss(&self, mix: &[f64]) -> f64 {
        (self.value() - security(&self.values, mix)).max(0.0)
    }

    /// How much of a mix is on moves of the equilibrium, 0 to 1.
    pub fn right(&self, mix: &[f64]) -> f64 {
        let rows = solve(&self.values).rows;
        rows.iter().zip(mix).filter(|(part, _)| **part > 1e-6).map(|(_, part)| part).sum()
    }

    /// What is sure with each move alone.
    fn securities(&self) -> impl Iterator<Item = f64> {
        self.values.iter().map(|line| line.iter().copied().fold(f64::INFINITY, f64::min))
    }

    /// Whether every move alone is worse than a mix.
    pub fn must_mix(&self) -> bool {
        self.securities().fold(0.0, f64::max) < self.value() - NEAR
    }

    /// What is sure with the worst move.
    pub fn worst_security(&self) -> f64 {
        self.securities().fold(100.0, f64::min)
    }
}

/// Positions of one game in which two choose at once.
#[derive(Clone, Debug, PartialEq)]
pub struct MatrixSet {
    /// The name of the bundled game.
    pub game: String,
    /// The positions.
    pub positions: Vec<MatrixPosition>,
}

/// A line that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line} of the positions of {game}: {what}")]
pub struct MatrixSetError {
    game: String,
    line: usize,
    what: &'static str,
}

impl MatrixSet {
    /// Reads a set.
    pub fn read(game: &str, text: &str) -> Result<Self, MatrixSetError> {
        let lines = text.lines().enumerate().filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
        let positions = lines.map(|(number, line)| {
            read_line(line).map_err(|what| MatrixSetError { game: game.to_owned(), line: number + 1, what })
        });
        Ok(Self { game: game.to_owned(), positions: positions.collect::<Result<_, _>>()? })
    }

    /// Writes a set.
    pub fn write(&self) -> String {
        let mut text = String::new();
        for position in &self.positions {
            let kind = if position.must_mix() { "mixed" } else { "pure" };
            let line: Vec<String> = position.line.iter().map(|joint| joint.join("+")).collect();
            let row =
                |row: &Vec<f64>| row.iter().map(|value| format!("{value:.3}")).collect::<Vec<_>>().join(" ");
            let rows: Vec<String> = position.values.iter().map(row).collect();
            let (moves, replies) = (position.moves.join(";"), position.replies.join(";"));
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "{kind}\t{}\t{}\t{moves}\t{replies}\t{}",
                position.role,
                line.join(";"),
                rows.join(";")
            );
        }
        text
    }
}

fn read_line(line: &str) -> Result<MatrixPosition, &'static str> {
    let parts: Vec<&str> = line.split('\t').collect();
    let [_, role, line, moves, replies, rows] = parts[..] else {
        return Err("wants six fields between tabs");
    };
    let list = |text: &str, mark: char| -> Vec<String> {
        text.split(mark).filter(|text| !text.is_empty()).map(str::to_owned).collect()
    };
    let value = |text: &str| -> Result<f64, &'static str> {
        let value: Option<f64> = text.parse().ok();
        value.filter(|value| (0.0..=100.0).contains(value)).ok_or("wants values from 0 to 100")
    };
    let row = |text: &str| -> Result<Vec<f64>, &'static str> { text.split(' ').map(value).collect() };
    let position = MatrixPosition {
        line: list(line, ';').iter().map(|joint| list(joint, '+')).collect(),
        role: role.parse().map_err(|_| "wants the number of a role")?,
        moves: list(moves, ';'),
        replies: list(replies, ';'),
        values: rows.split(';').map(row).collect::<Result<_, _>>()?,
    };
    let fits = position.values.len() == position.moves.len()
        && position.values.iter().all(|row| row.len() == position.replies.len());
    if fits { Ok(position) } else { Err("wants a row for each move and a value for each reply") }
}

/// All sets of positions in which two choose at once.
pub fn matrix_sets() -> Result<Vec<MatrixSet>, MatrixSetError> {
    Ok(vec![MatrixSet::read("goofspiel", include_str!("../../positions/goofspiel.tsv"))?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_can_be_read() {
        for set in matrix_sets().expect("readable") {
            assert_eq!(MatrixSet::read(&set.game, &set.write()), Ok(set.clone()));
            assert!(set.positions.len() >= 100, "{}", set.game);
            for position in &set.positions {
                let solved = solve(&position.values);
                assert!(position.loss(&solved.rows) < 1e-6 && position.right(&solved.rows) > 0.999);
            }
        }
        let error = MatrixSet::read("x", "pure\t0\t\ta;b\tc\t1 2;3").expect_err("no value").to_string();
        assert_eq!(
            error,
            "line 1 of the positions of x: wants a row for each move and a value for each reply"
        );
    }

    #[test]
    fn losses_are_those_of_the_worst_reply() {
        let position = MatrixPosition {
            line: Vec::new(),
            role: 0,
            moves: vec!["a".to_owned(), "b".to_owned()],
            replies: vec!["c".to_owned(), "d".to_owned()],
            values: vec![vec![100.0, 0.0], vec![20.0, 60.0]],
        };
        assert!(position.must_mix());
        assert!((position.loss(&[0.0, 1.0]) - (300.0 / 7.0 - 20.0)).abs() < 1e-6);
        assert!((position.loss(&[1.0, 0.0]) - 300.0 / 7.0).abs() < 1e-6);
        assert!(position.loss(&[2.0 / 7.0, 5.0 / 7.0]) < 1e-6);
    }
}

//! Sets of positions, as they are written down.
//!
//! One position a line: its kind, the plies after which right moves can be told from wrong ones at the latest, the moves
//! that lead to it (whoever had a choice made them; separated by semicolons), and what each legal move is worth to
//! who is to move, from 0 to 100.

use std::fmt::Write;

/// What makes a position hard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// What is right is seen within some plies.
    Tactical,
    /// Nothing happens for a while: what is right is seen late.
    Quiet,
}

impl Kind {
    fn word(self) -> &'static str {
        match self {
            Kind::Tactical => "tactical",
            Kind::Quiet => "quiet",
        }
    }
}

/// A position whose moves have known values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// What makes it hard.
    pub kind: Kind,
    /// The plies after which right moves can be told from wrong ones.
    pub plies: u32,
    /// The moves from the beginning, of whoever had a choice.
    pub line: Vec<String>,
    /// Each legal move and its worth to who moves, 0 to 100.
    pub values: Vec<(String, u8)>,
}

impl Position {
    /// What the position is worth to who is to move.
    pub fn value(&self) -> u8 {
        self.values.iter().map(|&(_, value)| value).max().unwrap_or(0)
    }

    /// What a move is worth, if it is legal.
    pub fn value_of(&self, text: &str) -> Option<u8> {
        self.values.iter().find(|(known, _)| known == text).map(|&(_, value)| value)
    }
}

/// Positions of one game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionSet {
    /// The name of the bundled game.
    pub game: String,
    /// The positions.
    pub positions: Vec<Position>,
}

/// A line that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line} of the positions of {game}: {what}")]
pub struct SetError {
    game: String,
    line: usize,
    what: &'static str,
}

impl PositionSet {
    /// Reads a set.
    pub fn read(game: &str, text: &str) -> Result<Self, SetError> {
        let lines = text.lines().enumerate().filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
        let positions = lines.map(|(number, line)| {
            read_line(line).map_err(|what| SetError { game: game.to_owned(), line: number + 1, what })
        });
        Ok(Self { game: game.to_owned(), positions: positions.collect::<Result<_, _>>()? })
    }

    /// Writes a set.
    pub fn write(&self) -> String {
        let mut text = String::new();
        for position in &self.positions {
            let values: Vec<String> =
                position.values.iter().map(|(text, value)| format!("{text}={value}")).collect();
            let (kind, plies) = (position.kind.word(), position.plies);
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{kind}\t{plies}\t{}\t{}", position.line.join(";"), values.join(";"));
        }
        text
    }
}

fn read_line(line: &str) -> Result<Position, &'static str> {
    let parts: Vec<&str> = line.split('\t').collect();
    let [kind, plies, moves, values] = parts[..] else { return Err("wants four fields between tabs") };
    let kind = match kind {
        "tactical" => Kind::Tactical,
        "quiet" => Kind::Quiet,
        _ => return Err("wants tactical or quiet"),
    };
    let values = values.split(';').map(|item| {
        let (text, value) = item.split_once('=').ok_or("wants move=value")?;
        let value: u8 = value.parse().ok().filter(|&value| value <= 100).ok_or("wants a value to 100")?;
        Ok((text.to_owned(), value))
    });
    Ok(Position {
        kind,
        plies: plies.parse().map_err(|_| "wants a number of plies")?,
        line: moves.split(';').filter(|text| !text.is_empty()).map(str::to_owned).collect(),
        values: values.collect::<Result<_, &'static str>>()?,
    })
}

macro_rules! files {
    ($($game:literal),* $(,)?) => {
        /// All sets.
        pub fn sets() -> Result<Vec<PositionSet>, SetError> {
            [$(($game, include_str!(concat!("../../positions/", $game, ".tsv")))),*]
                .into_iter()
                .map(|(game, text)| PositionSet::read(game, text))
                .collect()
        }
    };
}

files!["connect-four", "breakthrough-6x5", "dots-and-boxes", "othello"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_can_be_read() {
        for set in sets().expect("readable") {
            assert_eq!(PositionSet::read(&set.game, &set.write()), Ok(set.clone()));
            assert!(set.positions.len() >= 100, "{}", set.game);
            for position in &set.positions {
                let worst = position.values.iter().map(|&(_, value)| value).min();
                assert!(worst < Some(position.value()), "{}: every move is right", set.game);
            }
        }
    }

    #[test]
    fn faults_name_their_line() {
        let error = PositionSet::read("x", "# a note\nquiet\t3\t(drop 1)\t(drop 2)=200").unwrap_err();
        assert_eq!(error.to_string(), "line 2 of the positions of x: wants a value to 100");
    }
}

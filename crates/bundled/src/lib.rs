//! The games that come with Ludens: their rules and what their metadata says of them.
//!
//! The folder `games` at the project's root is embedded when this crate is built, so that the
//! binary needs no files beside it.
//!
//! ```
//! let game = bundled::find("Tic-Tac-Toe")?;
//! assert_eq!(game.name, "tic-tac-toe");
//! assert_eq!(game.metadata()?.players, Some(2));
//! assert!(game.rules.contains("(role "));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod metadata;
mod nearest;
mod pattern;
pub mod video;

use std::sync::{LazyLock, OnceLock};

pub use metadata::{Board, Counter, Metadata, MetadataError, Piece, Shape, TAGS};
pub use pattern::{Pattern, PatternError, PatternPlace};

/// Name, rules and metadata of every game, sorted by name.
static EMBEDDED: &[(&str, &str, &str)] = include!(concat!(env!("OUT_DIR"), "/games.rs"));

static GAMES: LazyLock<Vec<BundledGame>> = LazyLock::new(|| {
    let game = |&(name, rules, metadata)| BundledGame {
        name,
        rules,
        metadata_text: metadata,
        parsed: OnceLock::new(),
    };
    EMBEDDED.iter().map(game).collect()
});

/// A game that comes with Ludens.
#[derive(Debug)]
pub struct BundledGame {
    /// The name of its folder, e.g. `tic-tac-toe`.
    pub name: &'static str,
    /// Its rules.
    pub rules: &'static str,
    /// Its metadata as written.
    pub metadata_text: &'static str,
    parsed: OnceLock<Result<Metadata, MetadataError>>,
}

impl BundledGame {
    /// What its metadata says, read when it is first asked for.
    pub fn metadata(&self) -> Result<&Metadata, MetadataError> {
        let read = || Metadata::parse(&format!("games/{}/metadata.toml", self.name), self.metadata_text);
        self.parsed.get_or_init(read).as_ref().map_err(Clone::clone)
    }
}

/// There is no game of this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no bundled game `{name}`{}", suggestion(nearest))]
pub struct UnknownGame {
    /// What was asked for.
    pub name: String,
    /// Games with names like it, the nearest first.
    pub nearest: Vec<&'static str>,
}

fn suggestion(nearest: &[&str]) -> String {
    match nearest {
        [] => String::new(),
        names => format!("; did you mean `{}`?", names.join("` or `")),
    }
}

/// All bundled games, sorted by name.
pub fn all() -> &'static [BundledGame] {
    &GAMES
}

/// The bundled game of this name or nickname. Case, blanks and hyphens do not matter.
pub fn find(name: &str) -> Result<&'static BundledGame, UnknownGame> {
    let wanted = nearest::letters(name);
    let found = all().iter().find(|game| nearest::letters(game.name) == wanted);
    let known_as = |game: &&BundledGame| {
        game.metadata().is_ok_and(|metadata| {
            metadata.nicknames.iter().any(|nickname| nearest::letters(nickname) == wanted)
        })
    };
    found.or_else(|| all().iter().find(known_as)).ok_or_else(|| UnknownGame {
        name: name.to_owned(),
        nearest: nearest::nearest(name, all().iter().map(|game| game.name)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_however_they_are_written() {
        for name in ["tic-tac-toe", "TicTacToe", "tic tac toe"] {
            assert_eq!(find(name).expect("bundled").name, "tic-tac-toe");
        }
    }

    #[test]
    fn nicknames_are_found_and_are_nobody_elses() {
        for (nickname, name) in
            [("reversi", "othello"), ("Connect 4", "connect-four"), ("draughts", "checkers")]
        {
            assert_eq!(find(nickname).expect("bundled").name, name);
        }
        let mut taken: Vec<String> = all().iter().map(|game| nearest::letters(game.name)).collect();
        for game in all() {
            let metadata = game.metadata().expect("good metadata");
            taken.extend(metadata.nicknames.iter().map(|nickname| nearest::letters(nickname)));
        }
        let count = taken.len();
        taken.sort();
        taken.dedup();
        assert_eq!(taken.len(), count, "a nickname is there twice");
    }

    #[test]
    fn the_nearest_names_are_suggested() {
        let error = find("brakethrough").unwrap_err();
        assert_eq!(error.nearest.first(), Some(&"breakthrough"));
        assert!(error.to_string().contains("did you mean `breakthrough`"), "{error}");
        assert_eq!(find("zzzzzzzzzzzz").unwrap_err().nearest, Vec::<&str>::new());
    }
}

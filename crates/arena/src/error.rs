//! What can keep a tournament from being played.

use std::path::{Path, PathBuf};

/// Why a tournament cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum ArenaError {
    /// A file cannot be read or written.
    #[error("cannot use {}: {why}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        why: String,
    },
    /// A device, a pipe or a folder is no place to keep findings.
    #[error("{} is not a file; findings can be kept in a plain file only: give another one", .0.display())]
    NoFile(PathBuf),
    /// Another process adds matches to the file.
    #[error("another process is writing to {}; wait for it or give another file", .0.display())]
    InUse(PathBuf),
    /// A line of a file is no match.
    #[error("line {number} of {} is not the record of a match ({why}); give another file", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// Which line.
        number: usize,
        /// What is wrong with it.
        why: String,
    },
    /// A line of a file is no trial of an experiment.
    #[error("line {number} of {} is not a trial of an experiment ({why}); give another file", path.display())]
    Trial {
        /// The file.
        path: PathBuf,
        /// Which line.
        number: usize,
        /// What is wrong with it.
        why: String,
    },
    /// A match was to be played elsewhere, and was not.
    #[error("a match could not be played elsewhere: {0}")]
    Elsewhere(String),
    /// A file ends in the middle of a line that is none of ours.
    #[error(
        "{} ends without a newline, and line {number} is not the beginning of a record of ours: nothing was \
         changed; give another file, or remove that line if it is not needed",
        path.display()
    )]
    Rest {
        /// The file.
        path: PathBuf,
        /// Which line.
        number: usize,
    },
    /// Somebody wanted it to end.
    #[error("it was ended before everything was played")]
    Interrupted,
    /// There is no machine for a game.
    #[error("{game} cannot be played: {why}; `ludens check` tells more")]
    Unplayable {
        /// The game.
        game: String,
        /// Why.
        why: String,
    },
    /// A line of moves does not lead to a position in which one role chooses.
    #[error("the moves do not lead to a position of {game} in which one role has a choice")]
    NoPosition {
        /// The game.
        game: String,
    },
    /// The rules of a game fail in play.
    #[error("{game}: {fault}")]
    Rules {
        /// The game.
        game: String,
        /// What went wrong.
        fault: game::RuleFault,
    },
    /// A match with too few or too many players.
    #[error("{game} has {roles} roles: give as many players")]
    Seats {
        /// The game.
        game: String,
        /// How many it has.
        roles: usize,
    },
    /// A player cannot go on.
    #[error(transparent)]
    Player(#[from] player::PlayerError),
    /// No such contestant.
    #[error(transparent)]
    Contestant(#[from] crate::ContestantError),
    /// The match was called off.
    #[error(transparent)]
    Match(#[from] referee::MatchError),
    /// The system gives no thread.
    #[error("there is no thread to play matches with: {0}; use fewer --jobs")]
    NoThread(String),
    /// Something panicked while a match was played.
    #[error("a match has failed, which is a fault of ours: {0}")]
    Panicked(String),
}

impl ArenaError {
    pub(crate) fn file(path: &Path, error: &std::io::Error) -> Self {
        Self::File { path: path.to_owned(), why: error.to_string() }
    }
}

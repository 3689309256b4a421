//! A page on which any game is seen and played, and the server behind it.
//!
//! ```text
//! bytes -http-> Request -routes-> matches, tournaments, games, sheets -> api types -> JSON
//!                        \-> events: "something has changed"
//!                        \-> videos: a thread for each video game, frames as they are asked for
//! Order -conductor (a thread a match)-> referee::Match -> Published -view-> what a visitor may see
//! ```
//!
//! A match is conducted in a thread of its own, by the referee's loop; agents think in threads of theirs and
//! never hold the network up. Whatever happens in a match is kept in SQLite before anybody is told, so that
//! nothing is lost when a page is loaded again or the server starts anew. Who may see and do what is decided in
//! one place, `matches::view`: a page sends its keys along, and is shown what their roles may know.
//!
//! The page is plain modules and one style sheet, embedded as they are written; nothing is loaded from
//! elsewhere.

mod alarm;
pub mod api;
mod error;
mod games;
mod http;
mod matches;
mod routes;
mod secret;
mod sheets;
mod site;
mod tournaments;
mod videos;
mod visitors;
mod words;

pub use error::WebError;
pub use http::listen;
pub use routes::{ROUTES, Route};
pub use site::Site;

use std::path::PathBuf;

/// The description of the interface for programs, as it is served.
pub const OPENAPI: &str = include_str!("../openapi.json");

/// A word for visitors to know: nobody guesses it.
pub fn new_token() -> String {
    secret::word(26)
}

/// How the page is served.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where matches are kept.
    pub database: PathBuf,
    /// What visitors have to send along; everybody is let in without.
    pub token: Option<String>,
    /// Whether only this computer is listened to.
    pub loopback: bool,
    /// Matches that may be conducted at once; others rest in the database.
    pub matches: usize,
    /// Bytes for each match.
    pub memory: usize,
    /// Threads to think with, of all matches together.
    pub threads: usize,
    /// The processor time of the thread that asks: players of video games think by it.
    pub clock: fn() -> std::time::Duration,
}

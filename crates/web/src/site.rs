//! The page and its files, and all that stands behind it.

use std::sync::Arc;

use hyper::{Method, Response, StatusCode};

use crate::Options;
use crate::error::WebError;
use crate::games::Games;
use crate::http::{Guard, Reply, reply};
use crate::matches::{Keeper, Matches};
use crate::routes::Asked;
use crate::tournaments::Tournaments;
use crate::videos::Videos;
use crate::visitors::Visitors;

/// Name, type and text of every file.
const FILES: &[(&str, &str, &str)] = &[
    ("style.css", "text/css; charset=utf-8", include_str!("../assets/style.css")),
    ("icon.svg", "image/svg+xml", include_str!("../assets/icon.svg")),
    script("main.js", include_str!("../assets/main.js")),
    script("api.js", include_str!("../assets/api.js")),
    script("dom.js", include_str!("../assets/dom.js")),
    script("games.js", include_str!("../assets/games.js")),
    script("new.js", include_str!("../assets/new.js")),
    script("match.js", include_str!("../assets/match.js")),
    script("dialogs.js", include_str!("../assets/dialogs.js")),
    script("board.js", include_str!("../assets/board.js")),
    script("insight.js", include_str!("../assets/insight.js")),
    script("seats.js", include_str!("../assets/seats.js")),
    script("matches.js", include_str!("../assets/matches.js")),
    script("write.js", include_str!("../assets/write.js")),
    script("why.js", include_str!("../assets/why.js")),
    script("help.js", include_str!("../assets/help.js")),
    script("arena.js", include_str!("../assets/arena.js")),
    script("tournament.js", include_str!("../assets/tournament.js")),
    script("plots.js", include_str!("../assets/plots.js")),
    script("ended.js", include_str!("../assets/ended.js")),
    script("video.js", include_str!("../assets/video.js")),
    script("screen.js", include_str!("../assets/screen.js")),
];

const fn script(name: &'static str, text: &'static str) -> (&'static str, &'static str, &'static str) {
    (name, "text/javascript; charset=utf-8", text)
}

const PAGE: &str = include_str!("../assets/index.html");

/// The first parts of addresses that are pages.
const PAGES: &[&str] = &["", "new", "match", "matches", "write", "arena", "tournament", "video"];

/// Bytes of a request with rules, of one with records, and of any other.
const RULES_BYTES: usize = 1 << 20;
const RECORDS_BYTES: usize = 16 << 20;
const OTHER_BYTES: usize = 16 << 10;

/// All that stands behind the page.
pub struct Site {
    pub(crate) games: Arc<Games>,
    pub(crate) matches: Matches,
    pub(crate) tournaments: Tournaments,
    pub(crate) videos: Videos,
    pub(crate) visitors: Arc<Visitors>,
    guard: Guard,
}

impl Site {
    /// Opens the database. To be called where a runtime is.
    pub fn new(options: &Options) -> Result<Arc<Self>, WebError> {
        let games = Arc::new(Games::default());
        let keeper = Arc::new(Keeper::new(store::Store::open(&options.database)?)?);
        let runtime = tokio::runtime::Handle::current();
        let videos = Videos::new(options, runtime.clone());
        let matches = Matches::new(options, Arc::clone(&games), Arc::clone(&keeper), runtime);
        let tournaments = Tournaments::new(&keeper, &games, options.memory)?;
        let guard = Guard { token: options.token.clone(), loopback: options.loopback };
        Ok(Arc::new(Self { games, matches, tournaments, videos, visitors: Arc::default(), guard }))
    }

    pub(crate) fn guard(&self) -> &Guard {
        &self.guard
    }

    /// How large the body of a request may be.
    pub(crate) fn largest_body(&self, path: &str) -> usize {
        match path {
            "/api/records" => RECORDS_BYTES,
            "/api/check" | "/api/format" | "/api/look" | "/api/why" | "/api/matches" | "/api/tournaments"
            | "/api/videos" => RULES_BYTES,
            _ => OTHER_BYTES,
        }
    }

    /// A page or a file of it.
    pub(crate) fn page(&self, asked: &Asked) -> Result<Response<Reply>, WebError> {
        if !matches!(asked.method, Method::GET | Method::HEAD) {
            return Err(WebError::Unknown(format!("there is no {} {}", asked.method, asked.path)));
        }
        let path = asked.path.trim_start_matches('/');
        if let Some(name) = path.strip_prefix("assets/")
            && let Some((_, kind, text)) = FILES.iter().find(|(known, ..)| *known == name)
        {
            return Ok(reply(StatusCode::OK, kind, Reply::text(*text)));
        }
        if PAGES.contains(&path.split('/').next().unwrap_or_default()) {
            return Ok(reply(StatusCode::OK, "text/html; charset=utf-8", Reply::text(PAGE)));
        }
        Err(WebError::Unknown("there is no such page; begin at /".to_owned()))
    }
}

//! Which request means what.

mod events;
mod of_match;
mod of_tournament;
mod of_video;

use std::net::IpAddr;
use std::sync::Arc;

use hyper::body::Bytes;
use hyper::{Method, Response, StatusCode};
use serde::de::DeserializeOwned;

use crate::api::{About, AgentInfo, CheckSheet, LoadRecord, Loaded, LookAt, NewMatch, Sheet, WhySheet};
use crate::error::WebError;
use crate::games::Games;
use crate::http::{Reply, json, reply};
use crate::matches;
use crate::site::Site;
use crate::{OPENAPI, sheets, videos, words};

/// A request of the interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Route {
    /// Its method.
    pub method: &'static str,
    /// Its path, with names in braces for parts that differ.
    pub path: &'static str,
}

const fn get(path: &'static str) -> Route {
    Route { method: "GET", path }
}

const fn post(path: &'static str) -> Route {
    Route { method: "POST", path }
}

/// All requests. What is no request of the interface is a page or a file of it.
pub const ROUTES: &[Route] = &[
    get("/api/about"),
    get("/api/openapi.json"),
    get("/api/games"),
    get("/api/games/{game}"),
    get("/api/games/{game}/picture.svg"),
    post("/api/check"),
    post("/api/format"),
    post("/api/look"),
    post("/api/why"),
    get("/api/matches"),
    post("/api/matches"),
    post("/api/records"),
    get("/api/matches/{match}"),
    Route { method: "DELETE", path: "/api/matches/{match}" },
    get("/api/matches/{match}/events"),
    get("/api/matches/{match}/record"),
    get("/api/matches/{match}/positions/{step}"),
    post("/api/matches/{match}/moves"),
    post("/api/matches/{match}/undo"),
    post("/api/matches/{match}/pause"),
    post("/api/matches/{match}/seats"),
    post("/api/matches/{match}/hint"),
    post("/api/matches/{match}/rematch"),
    post("/api/matches/{match}/why"),
    get("/api/ended/{from}"),
    get("/api/tournaments"),
    post("/api/tournaments"),
    get("/api/tournaments/events"),
    get("/api/tournaments/{tournament}"),
    Route { method: "DELETE", path: "/api/tournaments/{tournament}" },
    get("/api/tournaments/{tournament}/matches/{from}"),
    post("/api/tournaments/{tournament}/pause"),
    get("/api/video-games"),
    get("/api/video-games/{game}"),
    post("/api/videos"),
    get("/api/videos/{video}"),
    Route { method: "DELETE", path: "/api/videos/{video}" },
    get("/api/videos/{video}/events"),
    get("/api/videos/{video}/frames/{tick}"),
    get("/api/videos/{video}/record"),
    post("/api/videos/{video}/keys"),
    post("/api/videos/{video}/pace"),
];

/// A request as it came.
pub(crate) struct Asked {
    pub(crate) method: Method,
    pub(crate) path: String,
    pub(crate) keys: Vec<String>,
    pub(crate) body: Bytes,
    pub(crate) from: IpAddr,
}

type Answer = Result<Response<Reply>, WebError>;

impl Asked {
    /// The JSON of the body.
    fn read<T: DeserializeOwned>(&self) -> Result<T, WebError> {
        serde_json::from_slice(&self.body)
            .map_err(|error| WebError::Wrong(format!("this JSON is wrong: {error}")))
    }
}

impl Site {
    /// Answers a request.
    pub(crate) async fn answer(self: &Arc<Self>, asked: Asked) -> Answer {
        let path = asked.path.clone();
        let parts: Vec<&str> = path.split('/').skip(1).collect();
        let Some(&"api") = parts.first() else { return self.page(&asked) };
        let method = if asked.method == Method::HEAD { "GET" } else { asked.method.as_str() };
        match (method, &parts[1..]) {
            ("GET", ["about"]) => json(StatusCode::OK, &self.about()),
            ("GET", ["openapi.json"]) => Ok(reply(StatusCode::OK, "application/json", Reply::text(OPENAPI))),
            ("GET", ["games"]) => json(StatusCode::OK, &Games::list()),
            ("GET", ["games", name]) => {
                let name = (*name).to_owned();
                let details = self.blocking(move |site| Ok(site.games.bundled(&name)?.details())).await?;
                json(StatusCode::OK, &details)
            }
            ("GET", ["games", name, "picture.svg"]) => {
                let name = (*name).to_owned();
                let picture = self.blocking(move |site| site.games.picture(&name)).await?;
                let mut response =
                    reply(StatusCode::OK, "image/svg+xml", Reply::text(picture.as_bytes().to_vec()));
                let hour = hyper::header::HeaderValue::from_static("private, max-age=3600");
                response.headers_mut().insert(hyper::header::CACHE_CONTROL, hour);
                Ok(response)
            }
            ("POST", ["check"]) => {
                let sheet: CheckSheet = asked.read()?;
                let _waiting = self.visitors.wait(asked.from)?;
                json(StatusCode::OK, &self.blocking(move |site| sheets::check(&site.games, &sheet)).await?)
            }
            ("POST", ["format"]) => {
                let sheet: Sheet = asked.read()?;
                json(StatusCode::OK, &self.blocking(move |_| sheets::format(&sheet)).await?)
            }
            ("POST", ["look"]) => {
                let at: LookAt = asked.read()?;
                json(StatusCode::OK, &self.blocking(move |_| Ok(words::look(&at))).await?)
            }
            ("POST", ["why"]) => {
                let why: WhySheet = asked.read()?;
                let _waiting = self.visitors.wait(asked.from)?;
                json(
                    StatusCode::OK,
                    &self.blocking(move |site| words::why_at_first(&site.games, &why)).await?,
                )
            }
            ("GET", ["matches"]) => json(StatusCode::OK, &self.blocking(|site| site.matches.list()).await?),
            ("POST", ["matches"]) => {
                let new: NewMatch = asked.read()?;
                self.visitors.begin(asked.from, 1)?;
                let _waiting = self.visitors.wait(asked.from)?;
                json(StatusCode::CREATED, &self.blocking(move |site| site.matches.create(&new)).await?)
            }
            ("POST", ["records"]) => {
                let load: LoadRecord = asked.read()?;
                let _waiting = self.visitors.wait(asked.from)?;
                let loaded = self.blocking(move |site| site.matches.load(&load)).await?;
                self.visitors.begin(asked.from, loaded.len())?;
                let matches = self.blocking(move |site| site.matches.begin_loaded(loaded)).await?;
                json(StatusCode::CREATED, &Loaded { matches })
            }
            (_, ["matches", id, rest @ ..]) => self.of_match(&asked, method, id, rest).await,
            ("GET", ["ended", from]) => {
                let from = number(from)?;
                json(StatusCode::OK, &self.blocking(move |site| site.tournaments.ended(None, from)).await?)
            }
            (_, ["tournaments", rest @ ..]) => self.of_tournaments(&asked, method, rest).await,
            (_, ["video-games", rest @ ..]) => self.of_video_games(&asked, method, rest).await,
            (_, ["videos", rest @ ..]) => self.of_videos(&asked, method, rest).await,
            _ => Err(nothing(&asked)),
        }
    }

    fn about(&self) -> About {
        About {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            levels: matches::levels(),
            agents: player::AGENTS
                .iter()
                .map(|row| AgentInfo { name: row.name.to_owned(), help: row.help.to_owned() })
                .collect(),
            video_players: videos::players(),
            longest_thought: matches::LONGEST_THOUGHT.as_secs_f64(),
            remote_players: self.guard().loopback,
        }
    }

    /// Does something that takes a while where nobody waits for it.
    async fn blocking<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&Site) -> Result<T, WebError> + Send + 'static,
    ) -> Result<T, WebError> {
        let site = Arc::clone(self);
        let done = tokio::task::spawn_blocking(move || work(&site)).await;
        done.map_err(|error| WebError::Fault(error.to_string()))?
    }
}

/// A number in a path.
fn number(text: &str) -> Result<usize, WebError> {
    text.parse().map_err(|_| WebError::Unknown(format!("`{text}` is no number")))
}

fn nothing(asked: &Asked) -> WebError {
    WebError::Unknown(format!(
        "there is no {} {}; /api/openapi.json lists what there is",
        asked.method, asked.path
    ))
}

fn done() -> Answer {
    Ok(reply(StatusCode::NO_CONTENT, "application/json", Reply::text("")))
}

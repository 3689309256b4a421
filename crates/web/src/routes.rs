//! Which request means what.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use hyper::body::Bytes;
use hyper::{Method, Response, StatusCode};
use serde::de::DeserializeOwned;

use crate::api::{
    About, AgentInfo, Change, CheckSheet, HintWish, LoadRecord, Loaded, Made, MakeMove, NewMatch, Pause,
    Sheet, TakeOver,
};
use crate::error::WebError;
use crate::games::Games;
use crate::http::{Reply, json, reply};
use crate::matches::{self, Access, Live, Look, Published};
use crate::site::Site;
use crate::{OPENAPI, sheets};

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
];

/// A request as it came.
pub(crate) struct Asked {
    pub(crate) method: Method,
    pub(crate) path: String,
    pub(crate) keys: Vec<String>,
    pub(crate) body: Bytes,
    pub(crate) from: IpAddr,
}

/// How often watchers are told that the server is still there.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// Events that may wait for a slow watcher.
const WAITING_EVENTS: usize = 4;

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
            _ => Err(nothing(&asked)),
        }
    }

    /// Requests that are about one match.
    async fn of_match(self: &Arc<Self>, asked: &Asked, method: &str, id: &str, rest: &[&str]) -> Answer {
        let id = id.to_owned();
        let live = self.blocking(move |site| site.matches.open(&id)).await?;
        let gone = || WebError::Conflict("the match was put to rest; try again".to_owned());
        let (version, published) = live.handle.now().await.ok_or_else(gone)?;
        let access = Access::new(&published, &asked.keys);
        let seen = Visit { live, version, published, access };
        match (method, rest) {
            ("GET", []) => json(StatusCode::OK, &seen.show(|look| Ok(look.view())).await?),
            ("GET", ["events"]) => Ok(seen.events()),
            ("GET", ["record"]) => seen.record(),
            ("GET", ["positions", step]) => {
                let unknown = || WebError::Unknown(format!("there is no position `{step}`"));
                let step: usize = step.parse().map_err(|_| unknown())?;
                json(StatusCode::OK, &seen.show(move |look| look.position(step)).await?)
            }
            ("DELETE", []) => {
                seen.must_own()?;
                let id = seen.live.id.clone();
                self.blocking(move |site| site.matches.delete(&id)).await?;
                done()
            }
            ("POST", ["moves"]) => {
                let MakeMove { role, text, turn } = asked.read()?;
                seen.must_play(role)?;
                matches::make_move(&seen.live, role, text, turn).await?;
                done()
            }
            ("POST", ["undo"]) => {
                let why = "who plays alone, or holds the keys of all people, takes moves back";
                let roles = seen.look().undo().ok_or_else(|| WebError::Forbidden(why.to_owned()))?;
                matches::undo(&seen.live, roles).await?;
                done()
            }
            ("POST", ["pause"]) => {
                let Pause { paused } = asked.read()?;
                seen.must_take_part()?;
                matches::pause(&seen.live, paused).await?;
                done()
            }
            ("POST", ["seats"]) => {
                let wish: TakeOver = asked.read()?;
                seen.must_own()?;
                json(StatusCode::OK, &self.matches.take_over(&seen.live, &wish).await?)
            }
            ("POST", ["hint"]) => {
                let HintWish { role, step } = asked.read()?;
                // What an agent would do in the place of others tells nothing new where everybody sees everything.
                if !(seen.access.is_any() && seen.look().sees_all()) {
                    seen.must_play(role)?;
                }
                if role >= seen.live.game.roles().len() || seen.live.game.chance() == Some(role) {
                    return Err(WebError::Wrong("nobody thinks for this role".to_owned()));
                }
                let _waiting = self.visitors.wait(asked.from)?;
                let decision = matches::hint(&seen.live, role, step).await?;
                json(StatusCode::OK, &seen.look().hint(&decision))
            }
            ("POST", ["rematch"]) => {
                seen.must_take_part()?;
                self.visitors.begin(asked.from, 1)?;
                let mut made: Made = self.matches.rematch(&seen.live, &seen.published.terms).await?;
                // The keys of others are theirs.
                made.keys.retain(|key| seen.access.roles.contains(&key.role));
                if !seen.access.owner {
                    made.owner.clear();
                }
                json(StatusCode::CREATED, &made)
            }
            _ => Err(nothing(asked)),
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

fn nothing(asked: &Asked) -> WebError {
    WebError::Unknown(format!(
        "there is no {} {}; /api/openapi.json lists what there is",
        asked.method, asked.path
    ))
}

fn done() -> Answer {
    Ok(reply(StatusCode::NO_CONTENT, "application/json", Reply::text("")))
}

/// A visitor at a match.
struct Visit {
    live: Live,
    version: u64,
    published: Arc<Published>,
    access: Access,
}

impl Visit {
    fn look(&self) -> Look<'_> {
        Look {
            id: &self.live.id,
            version: self.version,
            game: &self.live.game,
            published: &self.published,
            access: self.access.clone(),
        }
    }

    /// Draws where nobody waits for it.
    async fn show<T: Send + 'static>(
        &self,
        draw: impl FnOnce(&Look<'_>) -> Result<T, WebError> + Send + 'static,
    ) -> Result<T, WebError> {
        let (live, version) = (self.live.clone(), self.version);
        let (published, access) = (Arc::clone(&self.published), self.access.clone());
        let work = move || draw(&Visit { live, version, published, access }.look());
        let done = tokio::task::spawn_blocking(work).await;
        done.map_err(|error| WebError::Fault(error.to_string()))?
    }

    fn must_own(&self) -> Result<(), WebError> {
        let why = "only who made the match may do this";
        self.access.owner.then_some(()).ok_or_else(|| WebError::Forbidden(why.to_owned()))
    }

    fn must_take_part(&self) -> Result<(), WebError> {
        let why = "only who takes part may do this";
        self.access.is_any().then_some(()).ok_or_else(|| WebError::Forbidden(why.to_owned()))
    }

    fn must_play(&self, role: usize) -> Result<(), WebError> {
        let why = "you do not play this role";
        let plays = self.access.roles.contains(&role);
        plays.then_some(()).ok_or_else(|| WebError::Forbidden(why.to_owned()))
    }

    /// The record, once nothing in it is secret.
    fn record(&self) -> Answer {
        if !self.look().sees_all() {
            let why =
                "not everybody sees everything in this game; its record is there when the match is over";
            return Err(WebError::Forbidden(why.to_owned()));
        }
        let text = serde_json::to_string_pretty(&*self.published.record);
        let text = text.map_err(|error| WebError::Fault(error.to_string()))?;
        Ok(reply(StatusCode::OK, "application/json", Reply::text(text + "\n")))
    }

    /// Tells of every change, until the match rests or the watcher leaves.
    fn events(&self) -> Response<Reply> {
        let (sender, events) = tokio::sync::mpsc::channel(WAITING_EVENTS);
        let mut version = self.live.handle.watch();
        version.mark_changed();
        // The channel closes when the last who holds the handle lets go of it; watchers must not hold it.
        let resting = Arc::downgrade(&self.live.handle);
        tokio::spawn(async move {
            loop {
                let text = match tokio::time::timeout(HEARTBEAT, version.changed()).await {
                    Ok(Err(_)) => break,
                    Ok(Ok(())) => {
                        let change = Change { version: *version.borrow_and_update() };
                        let Ok(text) = serde_json::to_string(&change) else { break };
                        format!("event: change\ndata: {text}\n\n")
                    }
                    Err(_) => ": still here\n\n".to_owned(),
                };
                if sender.send(Bytes::from(text)).await.is_err() || resting.strong_count() == 0 {
                    break;
                }
            }
        });
        reply(StatusCode::OK, "text/event-stream", Reply::Events(events))
    }
}

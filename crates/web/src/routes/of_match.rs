//! Requests that are about one match.

use std::sync::Arc;

use hyper::{Response, StatusCode};

use super::{Answer, Asked, done, events, nothing, number};
use crate::api::{HintWish, Made, MakeMove, Pause, TakeOver, WhyHere};
use crate::error::WebError;
use crate::http::{Reply, json, reply};
use crate::matches::{self, Access, Live, Look, Published};
use crate::site::Site;

impl Site {
    /// Requests that are about one match.
    pub(super) async fn of_match(
        self: &Arc<Self>,
        asked: &Asked,
        method: &str,
        id: &str,
        rest: &[&str],
    ) -> Answer {
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
                let step = number(step)?;
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
            ("POST", ["why"]) => {
                let WhyHere { step, sentence } = asked.read()?;
                let _waiting = self.visitors.wait(asked.from)?;
                json(StatusCode::OK, &seen.show(move |look| look.why(step, &sentence)).await?)
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
        // The channel closes when the last who holds the handle lets go of it; watchers must not hold it.
        let resting = Arc::downgrade(&self.live.handle);
        events::stream(self.live.handle.watch(), move || resting.strong_count() > 0)
    }
}

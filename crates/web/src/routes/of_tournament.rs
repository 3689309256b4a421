//! Requests that are about tournaments.

use std::sync::Arc;

use hyper::StatusCode;

use super::{Answer, Asked, done, events, nothing, number};
use crate::api::{NewTournament, Pause};
use crate::http::json;
use crate::site::Site;

impl Site {
    pub(super) async fn of_tournaments(
        self: &Arc<Self>,
        asked: &Asked,
        method: &str,
        rest: &[&str],
    ) -> Answer {
        let (keys, from) = (asked.keys.clone(), asked.from);
        match (method, rest) {
            ("GET", []) => json(StatusCode::OK, &self.blocking(|site| site.tournaments.list()).await?),
            ("POST", []) => {
                let wish: NewTournament = asked.read()?;
                self.visitors.begin(from, 1)?;
                let _waiting = self.visitors.wait(from)?;
                let made = self.blocking(move |site| site.tournaments.create(&wish, from)).await?;
                json(StatusCode::CREATED, &made)
            }
            ("GET", ["events"]) => Ok(events::stream(self.tournaments.watch(), || true)),
            ("GET", [id]) => {
                let id = (*id).to_owned();
                json(StatusCode::OK, &self.blocking(move |site| site.tournaments.view(&id, &keys)).await?)
            }
            ("DELETE", [id]) => {
                let id = (*id).to_owned();
                self.blocking(move |site| site.tournaments.delete(&id, &keys)).await?;
                done()
            }
            ("GET", [id, "matches", first]) => {
                let (id, first) = ((*id).to_owned(), number(first)?);
                json(StatusCode::OK, &self.blocking(move |site| site.tournaments.matches(&id, first)).await?)
            }
            ("POST", [id, "pause"]) => {
                let (id, Pause { paused }) = ((*id).to_owned(), asked.read()?);
                self.blocking(move |site| site.tournaments.pause(&id, &keys, paused, from)).await?;
                done()
            }
            _ => Err(nothing(asked)),
        }
    }
}

//! Requests that are about video games.

use std::sync::Arc;

use hyper::StatusCode;

use super::{Answer, Asked, done, events, nothing, number};
use crate::api::{NewVideo, Pace, Press};
use crate::http::json;
use crate::site::Site;
use crate::videos;

impl Site {
    /// Requests for the games that there are.
    pub(super) async fn of_video_games(
        self: &Arc<Self>,
        asked: &Asked,
        method: &str,
        rest: &[&str],
    ) -> Answer {
        match (method, rest) {
            ("GET", []) => json(StatusCode::OK, &self.blocking(|_| Ok(videos::games())).await?),
            ("GET", [name]) => json(StatusCode::OK, &videos::details(name)?),
            _ => Err(nothing(asked)),
        }
    }

    /// Requests for games that are played.
    pub(super) async fn of_videos(self: &Arc<Self>, asked: &Asked, method: &str, rest: &[&str]) -> Answer {
        let id = match (method, rest) {
            ("POST", []) => {
                let new: NewVideo = asked.read()?;
                self.visitors.begin(asked.from, 1)?;
                let _waiting = self.visitors.wait(asked.from)?;
                let made = self.blocking(move |site| site.videos.create(&new)).await?;
                return json(StatusCode::CREATED, &made);
            }
            (_, [id, ..]) => id,
            _ => return Err(nothing(asked)),
        };
        let session = self.videos.find(id)?;
        match (method, &rest[1..]) {
            ("GET", []) => json(StatusCode::OK, &session.view(&asked.keys)),
            ("GET", ["events"]) => {
                let gone = Arc::downgrade(&session);
                Ok(events::stream(session.watch(), move || gone.strong_count() > 0))
            }
            ("GET", ["frames", tick]) => {
                let tick = number(tick)?;
                // States of before are played again, which may take a while.
                let _waiting =
                    if session.is_latest(tick) { None } else { Some(self.visitors.wait(asked.from)?) };
                json(StatusCode::OK, &self.blocking(move |_| Ok(session.frame(tick))).await?)
            }
            ("GET", ["record"]) => json(StatusCode::OK, &session.record()),
            ("POST", ["keys"]) => {
                let press: Press = asked.read()?;
                session.must_own(&asked.keys)?;
                session.press(&press)?;
                done()
            }
            ("POST", ["pace"]) => {
                let pace: Pace = asked.read()?;
                session.must_own(&asked.keys)?;
                session.pace(&pace)?;
                done()
            }
            ("DELETE", []) => {
                session.must_own(&asked.keys)?;
                self.videos.delete(&session);
                done()
            }
            _ => Err(nothing(asked)),
        }
    }
}

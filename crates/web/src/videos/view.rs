//! What is told of a video game, and what can be asked of it.

use vgdl::{Action, Game};
use video::look;
use video::record::word;

use super::session::Seat;
use super::{Session, speed};
use crate::api::{KeyStroke, Pace, Press, VideoFrame, VideoLayer, VideoPlayer, VideoView};
use crate::error::WebError;

/// Ticks that can be asked for at once while a game is paused.
const STEPS: usize = 100;

impl Session {
    /// What does not change.
    pub(crate) fn view(&self, keys: &[String]) -> VideoView {
        let names = &self.brief.players;
        let person = |seat: usize| matches!(self.seats.get(seat), Some(Seat::Person));
        let players = names
            .iter()
            .enumerate()
            .map(|(seat, name)| VideoPlayer { name: name.clone(), person: person(seat) });
        let pixels = |cells: i32| usize::try_from(cells * self.level.block).unwrap_or(0);
        VideoView {
            id: self.id.clone(),
            title: self.title.clone(),
            level: self.brief.level,
            seed: self.brief.seed,
            width: pixels(self.level.width),
            height: pixels(self.level.height),
            players: players.collect(),
            owned: keys.contains(&self.owner),
        }
    }

    pub(crate) fn must_own(&self, keys: &[String]) -> Result<(), WebError> {
        let why = "only who began this game steers it";
        keys.contains(&self.owner).then_some(()).ok_or_else(|| WebError::Forbidden(why.to_owned()))
    }

    /// The state after so many ticks; the last one if there are fewer.
    pub(crate) fn frame(&self, tick: usize) -> VideoFrame {
        let now = self.now.lock();
        let (mut game, rest) = now.film.before(tick);
        let (last, over, paused, speed) = (now.film.last(), now.over, now.paused, now.speed);
        drop(now);
        rest.iter().for_each(|actions| game.advance(actions));
        let tick = tick.min(last);
        let players = 0..self.level.rules.players;
        let results = game.result();
        VideoFrame {
            tick,
            last,
            over,
            paused,
            speed,
            scores: results.iter().map(|(_, score)| *score).collect(),
            outcomes: results.iter().map(|(outcome, _)| word(*outcome).to_owned()).collect(),
            belongings: players.map(|player| look::belongings(&game, player)).collect(),
            layers: self.layers(&game),
        }
    }

    /// What is drawn, from the bottom to the top, for the first person who plays.
    fn layers(&self, game: &Game) -> Vec<VideoLayer> {
        let viewer = self.seats.iter().position(|seat| matches!(seat, Seat::Person)).unwrap_or(0);
        let mut layers: Vec<VideoLayer> = Vec::new();
        for kind in look::drawn(game, viewer) {
            for sprite in look::sprites(game, kind) {
                let colour = look::colour(look::number(&sprite));
                let shape = format!("{:?}", sprite.category).to_lowercase();
                let name = &self.level.rules.kind(kind).name;
                let rect = [sprite.rect.x, sprite.rect.y, sprite.rect.w, sprite.rect.h];
                match layers.last_mut() {
                    Some(layer) if layer.name == *name && layer.shape == shape => layer.places.extend(rect),
                    _ => layers.push(VideoLayer { name: name.clone(), shape, colour, places: rect.to_vec() }),
                }
            }
        }
        layers
    }

    /// Whether the state after a tick is at hand.
    pub(crate) fn is_latest(&self, tick: usize) -> bool {
        tick >= self.now.lock().film.last()
    }

    /// Keys are pressed or let go.
    pub(crate) fn press(&self, press: &Press) -> Result<(), WebError> {
        if !matches!(self.seats.get(press.player), Some(Seat::Person)) {
            return Err(WebError::Conflict("nobody plays this avatar by keys".to_owned()));
        }
        let mut now = self.now.lock();
        for KeyStroke { key, down } in &press.keys {
            let action = match key.as_str() {
                "up" => Action::Up,
                "left" => Action::Left,
                "down" => Action::Down,
                "right" => Action::Right,
                "use" => Action::Use,
                other => {
                    let told = format!("there is no key `{other}`; keys are up, left, down, right and use");
                    return Err(WebError::Wrong(told));
                }
            };
            if *down { now.keys[press.player].press(action) } else { now.keys[press.player].release(action) }
        }
        Ok(())
    }

    /// How it goes on.
    pub(crate) fn pace(&self, pace: &Pace) -> Result<(), WebError> {
        let wished = speed(pace.speed)?;
        let mut now = self.now.lock();
        now.speed = wished.unwrap_or(now.speed);
        if let Some(paused) = pace.paused {
            now.paused = paused;
            now.steps = 0;
            now.keys.iter_mut().for_each(video::Keys::clear);
        }
        now.steps = (now.steps + pace.steps).min(STEPS);
        drop(now);
        self.tell();
        Ok(())
    }
}

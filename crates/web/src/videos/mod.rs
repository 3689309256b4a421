//! Video games that are played or watched on the page.

mod film;
mod session;
mod view;

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use parking_lot::{Condvar, Mutex};
use tokio::sync::{Semaphore, watch};
use vgdl::{Game, Level, Rules, SourceFile};
use video::Keys;
use video::record::Recording;

use crate::Options;
use crate::api::{AgentInfo, MadeVideo, NewVideo, VideoGameDetails, VideoGameInfo};
use crate::error::WebError;
use crate::secret;
use film::Film;
pub(crate) use session::Session;
use session::{Now, Seat, Thinking};

/// Letters of the id of a game that is played, and of the key of who began it.
const ID_LETTERS: usize = 16;
const KEY_LETTERS: usize = 26;
/// Ticks a second if nothing else is wished, and what can be wished.
const SPEED: f64 = 25.0;
const SPEEDS: std::ops::RangeInclusive<f64> = 1.0..=60.0;
/// The word for whoever sits at the keyboard.
const PERSON: &str = "person";

/// The bundled video games.
pub(crate) fn games() -> Vec<VideoGameInfo> {
    let game = |game: bundled::video::VideoGame| VideoGameInfo {
        name: game.name.to_owned(),
        set: game.set.to_owned(),
        // The first line of a description says what the game is.
        description: game.rules.lines().next().unwrap_or_default().trim_start_matches('#').trim().to_owned(),
        players: read(game.rules).players,
        levels: game.levels.len(),
    };
    bundled::video::all().map(game).collect()
}

/// A bundled video game.
pub(crate) fn details(name: &str) -> Result<VideoGameDetails, WebError> {
    let game = bundled(name)?;
    Ok(VideoGameDetails {
        name: game.name.to_owned(),
        rules: game.rules.to_owned(),
        levels: game.levels.iter().map(|level| (*level).to_owned()).collect(),
    })
}

/// The players of video games.
pub(crate) fn players() -> Vec<AgentInfo> {
    let registry = video::players::registry();
    let info = |row: &video::PlayerRow| AgentInfo { name: row.name.to_owned(), help: row.help.to_owned() };
    registry.rows().iter().map(info).collect()
}

fn bundled(name: &str) -> Result<bundled::video::VideoGame, WebError> {
    let unknown = || {
        let near = bundled::video::nearest(name).map(|near| format!("; did you mean `{near}`?"));
        WebError::Unknown(format!("there is no video game `{name}`{}", near.unwrap_or_default()))
    };
    bundled::video::find(name).ok_or_else(unknown)
}

fn read(rules: &str) -> Rules {
    vgdl::compile(&vgdl::parse(&SourceFile::new("rules", rules)).description).rules
}

/// All video games that are played, or were and are still looked at.
pub(crate) struct Videos {
    live: Mutex<HashMap<String, Arc<Session>>>,
    most: usize,
    thinking: Thinking,
}

impl Videos {
    pub(crate) fn new(options: &Options, runtime: tokio::runtime::Handle) -> Self {
        let places = Arc::new(Semaphore::new(options.threads.max(1)));
        let thinking = Thinking { places, runtime, clock: options.clock };
        Self { live: Mutex::default(), most: options.matches.max(1), thinking }
    }

    /// Begins a game, or shows one that was recorded.
    pub(crate) fn create(&self, new: &NewVideo) -> Result<MadeVideo, WebError> {
        let record = new.record.as_deref().map(serde_json::from_str::<Recording>).transpose();
        let record =
            record.map_err(|error| WebError::Wrong(format!("this is no record of a video game: {error}")))?;
        let brief = match &record {
            Some(record) => Recording { actions: Vec::new(), ..record.clone() },
            None => wished(new),
        };
        let level = Arc::new(load(&brief)?);
        let wanted = level.rules.players;
        let start = Game::new(Arc::clone(&level), brief.seed as i64);
        let (film, seats) = match &record {
            Some(record) => {
                let ticks = record.ticks(wanted).map_err(|error| WebError::Wrong(error.to_string()))?;
                let long = || WebError::Wrong("it takes too long to play this game again".to_owned());
                (Film::replay(start, &ticks).ok_or_else(long)?, Vec::new())
            }
            None => (Film::new(start), seats(&new.players, wanted)?),
        };
        let names = seats.iter().map(Seat::name).collect();
        let session = Arc::new(Session {
            id: secret::word(ID_LETTERS),
            owner: secret::word(KEY_LETTERS),
            title: brief.game.clone(),
            brief: if record.is_some() { brief } else { Recording { players: names, ..brief } },
            now: Mutex::new(Now {
                film,
                keys: vec![Keys::new(level.rules.key_handling); wanted],
                paused: new.paused,
                steps: 0,
                speed: speed(new.speed)?.unwrap_or(SPEED),
                asked: Instant::now(),
                over: record.is_some(),
            }),
            level,
            seats,
            version: watch::channel(1).0,
            wake: Condvar::new(),
            stopped: AtomicBool::new(false),
        });
        self.keep(&session)?;
        if record.is_none() {
            session.begin(self.thinking.clone())?;
        }
        Ok(MadeVideo { id: session.id.clone(), owner: session.owner.clone() })
    }

    /// Makes room for a game: one that nobody looks at any more is given up.
    fn keep(&self, session: &Arc<Session>) -> Result<(), WebError> {
        let mut live = self.live.lock();
        if live.len() >= self.most {
            let idle = live.values().filter(|other| !other.is_wanted());
            let oldest = idle.min_by_key(|other| other.now.lock().asked).map(|other| other.id.clone());
            let Some(oldest) = oldest.and_then(|id| live.remove(&id)) else {
                let told = format!("{} video games are being played at once; come back later", self.most);
                return Err(WebError::Busy(told));
            };
            oldest.stop();
        }
        live.insert(session.id.clone(), Arc::clone(session));
        Ok(())
    }

    /// The game of an id.
    pub(crate) fn find(&self, id: &str) -> Result<Arc<Session>, WebError> {
        let session = self.live.lock().get(id).cloned();
        let gone =
            || WebError::Unknown("this game was put away; begin it anew, or load its record".to_owned());
        let session = session.ok_or_else(gone)?;
        session.now.lock().asked = Instant::now();
        Ok(session)
    }

    pub(crate) fn delete(&self, session: &Session) {
        self.live.lock().remove(&session.id);
        session.stop();
    }
}

impl Drop for Videos {
    /// Threads end.
    fn drop(&mut self) {
        self.live.lock().values().for_each(|session| session.stop());
    }
}

/// The record of a game that is wanted, as far as it is known.
fn wished(new: &NewVideo) -> Recording {
    let own = || new.rules.as_ref().map(|_| "your game".to_owned());
    let seed = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let seed = seed.map_or(1, |time| time.as_millis() as u64);
    Recording {
        game: new.game.clone().or_else(own).unwrap_or_default(),
        rules: new.rules.clone(),
        level_text: new.level_text.clone(),
        level: new.level,
        seed: new.seed.unwrap_or(seed),
        players: Vec::new(),
        actions: Vec::new(),
    }
}

/// The level of a record, with its rules.
fn load(brief: &Recording) -> Result<Level, WebError> {
    let (rules, level) = match (&brief.rules, &brief.level_text) {
        (Some(rules), Some(level)) => (rules.clone(), level.clone()),
        (None, None) => {
            let game = bundled(&brief.game)?;
            let level = game.levels.get(brief.level);
            let last = game.levels.len().saturating_sub(1);
            let level =
                level.ok_or_else(|| WebError::Wrong(format!("{} has levels 0 to {last}", game.name)))?;
            (game.rules.to_owned(), (*level).to_owned())
        }
        _ => return Err(WebError::Wrong("give the name of a game, or rules with a level".to_owned())),
    };
    let source = SourceFile::new("rules", rules);
    let parsed = vgdl::parse(&source);
    let checked = vgdl::compile(&parsed.description);
    let mut findings = parsed.diagnostics;
    findings.extend(checked.diagnostics);
    if let Some(error) = findings.iter().find(|finding| finding.is_error()) {
        let line = source.line_column(error.span.start).line;
        return Err(WebError::Wrong(format!("line {line} of the rules: {}", error.message)));
    }
    let loaded = Level::load(Arc::new(checked.rules), &SourceFile::new("level", level));
    match loaded.diagnostics.iter().find(|finding| finding.is_error()) {
        Some(error) => Err(WebError::Wrong(format!("the level: {}", error.message))),
        None => Ok(loaded.level),
    }
}

fn seats(wished: &[String], wanted: usize) -> Result<Vec<Seat>, WebError> {
    if wished.len() != wanted {
        let told = format!("this game is for {wanted}, but {} players were given", wished.len());
        return Err(WebError::Wrong(told));
    }
    let registry = video::players::registry();
    let seat = |name: &String| match name.as_str() {
        PERSON => Ok(Seat::Person),
        name => registry.read(name).map(Seat::Agent).map_err(|error| WebError::Wrong(error.to_string())),
    };
    wished.iter().map(seat).collect()
}

/// A speed, if that makes sense.
fn speed(wished: Option<f64>) -> Result<Option<f64>, WebError> {
    match wished {
        Some(speed) if !SPEEDS.contains(&speed) => {
            Err(WebError::Wrong(format!("give {} to {} ticks a second", SPEEDS.start(), SPEEDS.end())))
        }
        other => Ok(other),
    }
}

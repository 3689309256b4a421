//! Matches that are played on the page.

mod clock;
mod conductor;
mod handle;
mod keeper;
mod mind;
mod orders;
mod records;
mod remote;
mod seat;
mod view;

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use parking_lot::Mutex;
use referee::MatchRecord;
use tokio::sync::oneshot;

use crate::Options;
use crate::api::{Made, MatchSummary, NewMatch, RoleKey, SeatWish, TakeOver, TakenOver};
use crate::error::WebError;
use crate::games::{Games, ReadyGame};
use crate::secret;
use conductor::Brief;
use handle::Handle;
pub(crate) use handle::Published;
pub(crate) use keeper::Keeper;
use mind::Workshop;
use orders::Order;
pub(crate) use seat::{LONGEST_THOUGHT, levels};
use seat::{Seat, Terms};
pub(crate) use view::{Access, Look};

/// Letters of the id of a match: 80 bits.
const ID_LETTERS: usize = 16;
/// Letters of the key of who made a match.
const KEY_LETTERS: usize = 26;
/// Matches of a file that are shown.
const LOADED: usize = 50;
/// Matches in the list.
const LISTED: usize = 200;
/// Letters of a title.
const LONGEST_TITLE: usize = 80;
/// The longest that people may have for a move.
const LONGEST_CLOCK: Duration = Duration::from_secs(24 * 60 * 60);
/// Hostile terms are nested deep. Only what is used of it is taken.
const STACK_BYTES: usize = 64 << 20;

/// Milliseconds since 1970.
pub(crate) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis() as u64)
}

/// A match that is being conducted, and its game.
#[derive(Clone)]
pub(crate) struct Live {
    pub(crate) id: String,
    pub(crate) handle: Arc<Handle>,
    pub(crate) game: Arc<ReadyGame>,
}

/// All matches.
pub(crate) struct Matches {
    live: Mutex<HashMap<String, Live>>,
    games: Arc<Games>,
    keeper: Arc<Keeper>,
    workshop: Arc<Workshop>,
    most: usize,
    remote_players: bool,
    runtime: tokio::runtime::Handle,
}

impl Matches {
    pub(crate) fn new(
        options: &Options,
        games: Arc<Games>,
        keeper: Arc<Keeper>,
        runtime: tokio::runtime::Handle,
    ) -> Self {
        Self {
            live: Mutex::default(),
            games,
            keeper,
            workshop: Arc::new(Workshop::new(options.threads, options.memory)),
            most: options.matches.max(1),
            remote_players: options.loopback,
            runtime,
        }
    }

    /// Makes a match and begins it.
    pub(crate) fn create(&self, new: &NewMatch) -> Result<Made, WebError> {
        let game = self.game(new.game.as_deref(), new.rules.as_deref(), new.title.as_deref())?;
        let seats = self.seats(&game, &new.seats)?;
        let terms = Terms {
            game: game.name.clone(),
            rules: new.rules.clone(),
            title: game.title.clone(),
            seats,
            owner: secret::word(KEY_LETTERS),
            seed: new.seed.unwrap_or_else(now),
            paused: new.paused,
            rematch: None,
            chosen: Vec::new(),
            play_clock: play_clock(new.play_clock)?,
        };
        self.begin(terms, MatchRecord::default(), &game)
    }

    fn game(
        &self,
        name: Option<&str>,
        rules: Option<&str>,
        title: Option<&str>,
    ) -> Result<Arc<ReadyGame>, WebError> {
        match (name, rules) {
            (Some(name), None) => self.games.bundled(name),
            (None, Some(rules)) => {
                let title = title.map(str::trim).filter(|title| !title.is_empty()).unwrap_or("Your game");
                let title: String =
                    title.chars().filter(|letter| !letter.is_control()).take(LONGEST_TITLE).collect();
                self.games.given(rules, &title)
            }
            _ => Err(WebError::Wrong("give the name of a game, or rules".to_owned())),
        }
    }

    fn seats(&self, game: &ReadyGame, wishes: &[SeatWish]) -> Result<Vec<Seat>, WebError> {
        let (roles, chance) = (game.roles(), game.chance());
        let choosing = roles.len() - usize::from(chance.is_some());
        if wishes.len() != choosing {
            let told =
                format!("this game has {choosing} roles to play, but {} players were given", wishes.len());
            return Err(WebError::Wrong(told));
        }
        let mut wishes = wishes.iter();
        let mut seats = Vec::with_capacity(roles.len());
        for role in 0..roles.len() {
            seats.push(match wishes.as_slice().first() {
                Some(wish) if chance != Some(role) => {
                    wishes.next();
                    self.seat(wish)?
                }
                _ => Seat::Chance,
            });
        }
        Ok(seats)
    }

    fn seat(&self, wish: &SeatWish) -> Result<Seat, WebError> {
        if matches!(wish, SeatWish::Remote { .. }) && !self.remote_players {
            // Visitors must not have this computer talk to others for them.
            let told = "players on the network can be invited on the computer itself only";
            return Err(WebError::Forbidden(told.to_owned()));
        }
        Seat::new(wish)
    }

    /// Keeps a new match and begins it.
    fn begin(&self, terms: Terms, record: MatchRecord, game: &Arc<ReadyGame>) -> Result<Made, WebError> {
        let id = secret::word(ID_LETTERS);
        let record = MatchRecord { match_id: id.clone(), start_time: now(), ..record };
        self.keeper.try_keep(&id, &terms, &record)?;
        let made = made(&id, &terms);
        self.conduct(&id, terms, record, game)?;
        Ok(made)
    }

    fn conduct(
        &self,
        id: &str,
        terms: Terms,
        record: MatchRecord,
        game: &Arc<ReadyGame>,
    ) -> Result<Live, WebError> {
        let mut live = self.live.lock();
        // Somebody else may have been faster.
        if let Some(live) = live.get(id).filter(|live| !live.handle.is_resting()) {
            return Ok(live.clone());
        }
        live.retain(|_, live| !live.handle.is_resting());
        if live.len() >= self.most {
            let idle = live.values().find(|live| !live.handle.is_wanted()).map(|live| live.id.clone());
            let Some(idle) = idle else {
                let told = format!("{} matches are being played at once; come back later", self.most);
                return Err(WebError::Busy(told));
            };
            if let Some(idle) = live.remove(&idle) {
                idle.handle.order(Order::End);
            }
        }
        let (sender, orders) = channel();
        let handle = Arc::new(Handle::new(sender.clone()));
        let brief = Brief {
            id: id.to_owned(),
            game: Arc::clone(game),
            terms,
            record,
            workshop: Arc::clone(&self.workshop),
            keeper: Arc::clone(&self.keeper),
            handle: Arc::clone(&handle),
            orders,
            sender,
            runtime: self.runtime.clone(),
        };
        let work = move || {
            let (terms, handle) = (brief.terms.clone(), Arc::clone(&brief.handle));
            if catch_unwind(AssertUnwindSafe(|| conductor::run(brief))).is_err() {
                handle.broken(&terms, "the match could not go on, which is a fault of ours".to_owned());
                handle.rests();
            }
        };
        let thread = std::thread::Builder::new().name("match".to_owned()).stack_size(STACK_BYTES).spawn(work);
        thread.map_err(|error| WebError::Busy(format!("there is no thread for the match: {error}")))?;
        let new = Live { id: id.to_owned(), handle, game: Arc::clone(game) };
        live.insert(id.to_owned(), new.clone());
        Ok(new)
    }

    /// The match of an id, awake.
    pub(crate) fn open(&self, id: &str) -> Result<Live, WebError> {
        if let Some(live) = self.live.lock().get(id).filter(|live| !live.handle.is_resting()) {
            return Ok(live.clone());
        }
        let (terms, record, game) = match self.keeper.find(id)? {
            Some((terms, record)) => {
                let game = self.game(terms.game.as_deref(), terms.rules.as_deref(), Some(&terms.title))?;
                (terms, record, game)
            }
            None => self.ended(id)?,
        };
        self.conduct(id, terms, record, &game)
    }

    /// The matches that were played last.
    pub(crate) fn list(&self) -> Result<Vec<MatchSummary>, WebError> {
        let summary = |(open, terms): (store::OpenMatch, Terms)| MatchSummary {
            id: open.id,
            title: terms.title,
            players: terms.seats.iter().filter(|seat| **seat != Seat::Chance).map(Seat::player).collect(),
            turn: open.record.moves.len(),
            over: open.record.is_completed || open.record.is_aborted,
            goals: open.record.goal_values,
            changed: open.changed,
        };
        Ok(self.keeper.latest(LISTED)?.into_iter().map(summary).collect())
    }

    /// The same once more, with the same keys.
    pub(crate) async fn rematch(&self, live: &Live, terms: &Terms) -> Result<Made, WebError> {
        if let Some(id) = &terms.rematch {
            return Ok(made(id, terms));
        }
        let again = Terms {
            seed: terms.seed.wrapping_add(1),
            paused: false,
            rematch: None,
            chosen: Vec::new(),
            ..terms.clone()
        };
        let made = self.begin(again, MatchRecord::default(), &live.game)?;
        let id = made.id.clone();
        tell(live, |reply| Order::Rematch { id, reply }).await?;
        Ok(made)
    }

    pub(crate) fn delete(&self, id: &str) -> Result<bool, WebError> {
        if let Some(live) = self.live.lock().remove(id) {
            live.handle.order(Order::End);
        }
        self.keeper.forget(id)
    }

    pub(crate) async fn take_over(&self, live: &Live, wish: &TakeOver) -> Result<TakenOver, WebError> {
        if wish.role >= live.game.roles().len() {
            return Err(WebError::Wrong(format!("there is no role {}", wish.role)));
        }
        let seat = self.seat(&wish.seat)?;
        let key = seat.key().map(str::to_owned);
        let role = wish.role;
        tell(live, |reply| Order::TakeOver { role, seat, reply }).await?;
        Ok(TakenOver { key })
    }
}

/// The seconds that people have for a move, if that makes sense.
fn play_clock(seconds: Option<f64>) -> Result<Option<f64>, WebError> {
    let sensible = |seconds: &f64| (1.0..=LONGEST_CLOCK.as_secs_f64()).contains(seconds);
    match seconds {
        Some(seconds) if !sensible(&seconds) => {
            let most = LONGEST_CLOCK.as_secs();
            Err(WebError::Wrong(format!("give people 1 to {most} seconds for a move")))
        }
        other => Ok(other),
    }
}

impl Drop for Matches {
    /// Conductors end, and let go of the database.
    fn drop(&mut self) {
        for live in self.live.lock().values() {
            live.handle.order(Order::End);
        }
    }
}

/// A match and the keys to it.
fn made(id: &str, terms: &Terms) -> Made {
    let keys = terms.seats.iter().enumerate();
    let keys = keys.filter_map(|(role, seat)| seat.key().map(|key| RoleKey { role, key: key.to_owned() }));
    Made { id: id.to_owned(), owner: terms.owner.clone(), keys: keys.collect() }
}

/// Tells the conductor of a match something and waits until it is done.
async fn tell<T>(
    live: &Live,
    order: impl FnOnce(oneshot::Sender<Result<T, WebError>>) -> Order,
) -> Result<T, WebError> {
    let (reply, answer) = oneshot::channel();
    let resting = || WebError::Conflict("the match was put to rest; try again".to_owned());
    if !live.handle.order(order(reply)) {
        return Err(resting());
    }
    answer.await.map_err(|_| resting())?
}

/// Makes a move.
pub(crate) async fn make_move(live: &Live, role: usize, text: String, turn: usize) -> Result<(), WebError> {
    tell(live, |reply| Order::Move { role, text, turn, reply }).await
}

/// Takes the last choice of one of these roles back.
pub(crate) async fn undo(live: &Live, roles: Vec<usize>) -> Result<(), WebError> {
    tell(live, |reply| Order::Undo { roles, reply }).await
}

/// Has the match rest or go on.
pub(crate) async fn pause(live: &Live, paused: bool) -> Result<(), WebError> {
    tell(live, |reply| Order::Pause { paused, reply }).await
}

/// Asks an agent.
pub(crate) async fn hint(
    live: &Live,
    role: usize,
    step: Option<usize>,
) -> Result<player::Decision, WebError> {
    tell(live, |reply| Order::Hint { role, step, reply }).await
}

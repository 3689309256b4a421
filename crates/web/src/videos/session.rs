//! A video game that is played: a thread of its own, in which players think and time passes.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use engine::Budget;
use parking_lot::{Condvar, Mutex};
use tokio::runtime::Handle;
use tokio::sync::{Semaphore, watch};
use vgdl::{Action, Game, Level};
use video::bout::{self, Conditions};
use video::record::{Recording, written};
use video::{Keys, Made, Player, World};

use super::film::Film;
use crate::error::WebError;

/// A game that nobody looks at rests after this time.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often a game that rests looks whether somebody is there again.
const LOOK: Duration = Duration::from_millis(250);

/// Who sits before an avatar.
pub(super) enum Seat {
    Person,
    Agent(Made),
}

impl Seat {
    pub(super) fn name(&self) -> String {
        match self {
            Seat::Person => "you".to_owned(),
            Seat::Agent(made) => made.name(),
        }
    }
}

/// What changes in a session.
pub(super) struct Now {
    pub(super) film: Film,
    pub(super) keys: Vec<Keys>,
    pub(super) paused: bool,
    /// Ticks that are played although it is paused.
    pub(super) steps: usize,
    /// Ticks a second.
    pub(super) speed: f64,
    /// When somebody last asked for something.
    pub(super) asked: Instant,
    /// Whether nothing more is played.
    pub(super) over: bool,
}

/// A game that is played, or was.
pub(crate) struct Session {
    pub(super) id: String,
    pub(super) owner: String,
    pub(super) title: String,
    pub(super) level: Arc<Level>,
    pub(super) seats: Vec<Seat>,
    /// The record of it, without what was done.
    pub(super) brief: Recording,
    pub(super) now: Mutex<Now>,
    pub(super) version: watch::Sender<u64>,
    pub(super) wake: Condvar,
    pub(super) stopped: AtomicBool,
}

/// What players need to think.
#[derive(Clone)]
pub(super) struct Thinking {
    /// Players that think at the same time.
    pub(super) places: Arc<Semaphore>,
    pub(super) runtime: Handle,
    /// The processor time of a thread.
    pub(super) clock: fn() -> Duration,
}

/// Somebody at a keyboard, who does whatever the keys say.
struct Person {
    session: Arc<Session>,
    seat: usize,
}

impl Player for Person {
    fn prepare(&mut self, _: &World, _: &Budget<'_>) {}

    fn act(&mut self, _: &World, _: &Budget<'_>) -> Action {
        self.session.now.lock().keys[self.seat].take()
    }
}

impl Session {
    /// Tells watchers that something has changed.
    pub(super) fn tell(&self) {
        self.version.send_modify(|version| *version += 1);
        self.wake.notify_all();
    }

    /// Versions as they come.
    pub(crate) fn watch(&self) -> watch::Receiver<u64> {
        self.version.subscribe()
    }

    pub(super) fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
        self.tell();
    }

    /// Whether somebody watches, or asked for something lately.
    pub(super) fn is_wanted(&self) -> bool {
        self.version.receiver_count() > 0 || self.now.lock().asked.elapsed() < PATIENCE
    }

    /// What was played so far.
    pub(crate) fn record(&self) -> Recording {
        let actions = written(self.now.lock().film.ticks(), self.seats.len());
        Recording { actions, ..self.brief.clone() }
    }

    /// Waits until the next tick is due.
    fn wait(&self, last: Instant) -> ControlFlow<()> {
        let mut now = self.now.lock();
        loop {
            if self.stopped.load(Ordering::Relaxed) {
                return ControlFlow::Break(());
            }
            let idle = self.version.receiver_count() == 0 && now.asked.elapsed() > PATIENCE;
            let due = last + Duration::from_secs_f64(1.0 / now.speed);
            if idle || now.paused && now.steps == 0 {
                self.wake.wait_for(&mut now, LOOK);
            } else if !now.paused && Instant::now() < due {
                self.wake.wait_until(&mut now, due);
            } else {
                now.steps = now.steps.saturating_sub(1);
                return ControlFlow::Continue(());
            }
        }
    }

    /// Plays the game to its end, or until it is stopped.
    fn play(self: &Arc<Self>, thinking: &Thinking) {
        let seed = self.brief.seed;
        let player = |(seat, who): (usize, &Seat)| -> Box<dyn Player> {
            match who {
                Seat::Person => Box::new(Person { session: Arc::clone(self), seat }),
                Seat::Agent(made) => made.player(seed.wrapping_add(seat as u64)),
            }
        };
        let mut players: Vec<_> = self.seats.iter().enumerate().map(player).collect();
        let agents = self.seats.iter().any(|seat| matches!(seat, Seat::Agent(_)));
        let mut place = None;
        let mut last = Instant::now();
        let mut listen = |game: &Game, actions: &[Action]| {
            drop(place.take());
            if !actions.is_empty() {
                let mut now = self.now.lock();
                now.film.add(game, actions);
                now.over = game.state().is_over();
                drop(now);
                self.tell();
            }
            self.wait(last)?;
            last = Instant::now();
            if agents {
                let free = thinking.runtime.block_on(Arc::clone(&thinking.places).acquire_owned());
                place = free.ok();
            }
            ControlFlow::Continue(())
        };
        bout::play(&self.level, &mut players, seed, Conditions::default(), &thinking.clock, &mut listen);
        self.now.lock().over = true;
        self.tell();
    }

    /// Plays the game in a thread of its own.
    pub(super) fn begin(self: &Arc<Self>, thinking: Thinking) -> Result<(), WebError> {
        let session = Arc::clone(self);
        let thread =
            std::thread::Builder::new().name("video".to_owned()).spawn(move || session.play(&thinking));
        let told = |error| WebError::Busy(format!("there is no thread for the game: {error}"));
        thread.map(drop).map_err(told)
    }
}

//! A game from the first tick to the last.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use engine::Budget;
use game::Dice;
use vgdl::{Action, Game, Level, Outcome};

use crate::{Player, World};

/// How much a player may think.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allowance {
    /// Time, by the caller's clock.
    Time(Duration),
    /// Ticks of forward models.
    Ticks(u64),
}

impl Allowance {
    /// Whether something took longer than it may. Ticks are counted by who thinks.
    fn is_exceeded(self, spent: Duration) -> bool {
        matches!(self, Allowance::Time(allowed) if spent > allowed)
    }
}

/// How much players may think.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conditions {
    /// Before the first tick.
    pub prepare: Allowance,
    /// In every tick.
    pub tick: Allowance,
    /// An answer that takes longer than this ends the game for whoever gave it, and so does a preparation that
    /// takes longer than it may; nobody is disqualified if there is no limit.
    pub limit: Option<Duration>,
}

impl Default for Conditions {
    /// As in the competition: a second, then 40 ms.
    fn default() -> Self {
        Self {
            prepare: Allowance::Time(Duration::from_secs(1)),
            tick: Allowance::Time(Duration::from_millis(40)),
            limit: None,
        }
    }
}

/// The part of the time that players do not know of, so that their last thought ends in time.
const RESERVE: f64 = 0.05;

/// How a game went.
#[derive(Clone, Debug, PartialEq)]
pub struct Bout {
    /// What it was for each player, and its score.
    pub results: Vec<(Outcome, f64)>,
    /// Ticks that were played.
    pub ticks: i32,
    /// Answers that came too late; nothing was done in those ticks.
    pub late: u64,
    /// The time of the longest answer.
    pub longest: Duration,
    /// Who thought for far too long; the game ended with that.
    pub disqualified: Vec<bool>,
    /// Whether the caller broke it off.
    pub broken_off: bool,
}

/// The score of who was disqualified (the GVG-AI framework).
pub const DISQUALIFIED_SCORE: f64 = -1000.0;

/// Plays a game. `listen` hears of every state, the first included, and of what led there.
pub fn play(
    level: &Arc<Level>,
    players: &mut [Box<dyn Player>],
    seed: u64,
    conditions: Conditions,
    clock: &(dyn Fn() -> Duration + Sync),
    listen: &mut dyn FnMut(&Game, &[Action]) -> ControlFlow<()>,
) -> Bout {
    let mut game = Game::new(level.clone(), seed as i64);
    let mut dice = Dice::stream(seed, 1);
    let count = level.rules.players;
    let mut bout = Bout {
        results: Vec::new(),
        ticks: 0,
        late: 0,
        longest: Duration::ZERO,
        disqualified: vec![false; count],
        broken_off: listen(&game, &[]).is_break(),
    };
    for (place, player) in players.iter_mut().enumerate().take(count) {
        let world = World::new(&game, place, dice.bits());
        let begin = clock();
        player.prepare(&world, &budget(conditions.prepare, clock));
        let late = conditions.prepare.is_exceeded(clock().saturating_sub(begin));
        bout.disqualified[place] = late && conditions.limit.is_some();
    }
    while !game.state().is_over() && !bout.broken_off && !bout.disqualified.contains(&true) {
        let mut actions = vec![Action::Nil; count];
        for (place, player) in players.iter_mut().enumerate().take(count) {
            if !game.asks(place) {
                continue;
            }
            let world = World::new(&game, place, dice.bits());
            let begin = clock();
            let action = player.act(&world, &budget(conditions.tick, clock));
            let spent = clock().saturating_sub(begin);
            bout.longest = bout.longest.max(spent);
            if conditions.tick.is_exceeded(spent) {
                bout.late += 1;
                bout.disqualified[place] = conditions.limit.is_some_and(|limit| spent > limit);
            } else {
                actions[place] = action;
            }
        }
        game.advance(&actions);
        bout.ticks += 1;
        bout.broken_off = listen(&game, &actions).is_break();
    }
    bout.results = game.result();
    for (result, _) in
        bout.results.iter_mut().zip(&bout.disqualified).filter(|(_, disqualified)| **disqualified)
    {
        *result = (Outcome::Lost, DISQUALIFIED_SCORE);
    }
    bout
}

fn budget<'a>(allowance: Allowance, clock: &'a (dyn Fn() -> Duration + Sync)) -> Budget<'a> {
    match allowance {
        Allowance::Time(time) => Budget::until(clock, clock() + time.mul_f64(1.0 - RESERVE)),
        Allowance::Ticks(ticks) => Budget { clock, ..Budget::simulations(ticks) },
    }
}

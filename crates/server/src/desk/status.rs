//! What the desk shows of itself: for the page, as JSON, and for Prometheus.

use std::fmt::Write;
use std::sync::atomic::Ordering;

use serde::Serialize;

use super::Desk;
use super::seat::{Phase, Seat};

/// What the player is doing.
#[derive(Clone, Debug, Serialize)]
pub struct Status {
    /// Its name.
    pub name: String,
    /// Who thinks.
    pub agent: String,
    /// Seconds since it started.
    pub seconds: f64,
    /// Matches it takes at once.
    pub most_matches: usize,
    /// The matches, by their ids.
    pub matches: Vec<MatchStatus>,
    /// Everything that is counted.
    pub counters: Vec<(&'static str, u64)>,
}

/// What it is doing in one match.
#[derive(Clone, Debug, Serialize)]
pub struct MatchStatus {
    /// The match.
    pub match_id: String,
    /// The role.
    pub role: String,
    /// `building`, `thinking` or `waiting`.
    pub phase: &'static str,
    /// Joint moves made.
    pub turn: usize,
    /// Seconds to prepare.
    pub start_clock: f64,
    /// Seconds for each move.
    pub play_clock: f64,
    /// Seconds of the play clock that are kept back.
    pub margin: f64,
    /// Seconds since the host was heard.
    pub silence: f64,
    /// What the last position was worth, 0 to 100.
    pub value: Option<f64>,
    /// Simulations of the last turn.
    pub simulations: u64,
    /// And how many a second.
    pub simulations_per_second: f64,
    /// The last move sent.
    pub reply: Option<String>,
    /// What is expected to happen.
    pub line: Vec<String>,
}

impl Desk {
    /// What the player is doing.
    pub fn status(&self) -> Status {
        let mut matches: Vec<MatchStatus> =
            self.seats.lock().values().map(|seat| self.match_status(seat)).collect();
        matches.sort_by(|a, b| a.match_id.cmp(&b.match_id));
        Status {
            name: self.options.name.clone(),
            agent: self.options.agent.clone(),
            seconds: self.now().as_secs_f64(),
            most_matches: self.options.matches,
            matches,
            counters: self.counters.all().into_iter().map(|(name, _, value)| (name, value)).collect(),
        }
    }

    fn match_status(&self, seat: &Seat) -> MatchStatus {
        let view = seat.shared.view.lock().clone();
        let phase = match &*seat.shared.phase.borrow() {
            Phase::Building => "building",
            Phase::Ready if view.thinking => "thinking",
            _ => "waiting",
        };
        MatchStatus {
            match_id: seat.match_id.clone(),
            role: seat.role.clone(),
            phase,
            turn: view.turn,
            start_clock: seat.start_clock.as_secs_f64(),
            play_clock: seat.play_clock.as_secs_f64(),
            margin: self.margin.of(seat.play_clock, seat.replaced()).as_secs_f64(),
            silence: seat.silence(self.now()).as_secs_f64(),
            value: view.value,
            simulations: view.simulations,
            simulations_per_second: view.simulations_per_second,
            reply: view.reply,
            line: view.line,
        }
    }

    /// The text that Prometheus reads.
    pub fn metrics(&self) -> String {
        let mut out = String::new();
        let mut metric = |name: &str, kind: &str, help: &str, value: u64| {
            let _ = writeln!(out, "# HELP ludens_{name} {help}\n# TYPE ludens_{name} {kind}");
            let _ = writeln!(out, "ludens_{name} {value}");
        };
        for (name, help, value) in self.counters.all() {
            metric(&format!("{name}_total"), "counter", help, value);
        }
        metric("matches", "gauge", "Matches in progress.", self.seats.lock().len() as u64);
        let brains = self.brains.load(Ordering::Relaxed) as u64;
        metric("brains", "gauge", "Threads of matches, those that are ending included.", brains);
        out
    }
}

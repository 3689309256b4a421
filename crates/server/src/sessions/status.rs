//! What the player shows of itself: for the page, as JSON, and for Prometheus.

use std::fmt::Write;
use std::sync::atomic::Ordering;

use serde::Serialize;

use super::session::{Phase, Session, View};
use super::{Caller, Sessions};

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
    /// Matches in progress.
    pub playing: usize,
    /// Those of them that whoever asks began, by their ids.
    pub matches: Vec<MatchStatus>,
    /// Helpers on the network that were heard of lately.
    pub helpers: usize,
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
    /// Seconds to prepare.
    pub start_clock: f64,
    /// Seconds for each move.
    pub play_clock: f64,
    /// Seconds of the play clock that are kept back.
    pub margin: f64,
    /// Seconds since the host was heard.
    pub silence: f64,
    /// What its worker shows.
    #[serde(flatten)]
    pub view: View,
}

impl Sessions {
    /// What the player is doing, in all matches.
    pub fn status(&self) -> Status {
        self.status_where(|_| true)
    }

    /// What the player is doing, as far as it is the caller's business: nobody else is told the name of a match,
    /// or what is thought of it.
    pub fn status_for(&self, caller: Caller) -> Status {
        self.status_where(|session| caller.may_speak_of(session.owner))
    }

    fn status_where(&self, shown: impl Fn(&Session) -> bool) -> Status {
        let sessions = self.sessions.lock();
        let playing = sessions.len();
        let shown = sessions.values().filter(|session| shown(session));
        let mut matches: Vec<MatchStatus> = shown.map(|session| self.match_status(session)).collect();
        drop(sessions);
        matches.sort_by(|a, b| a.match_id.cmp(&b.match_id));
        Status {
            name: self.options.name.clone(),
            agent: self.options.agent.to_string(),
            seconds: self.now().as_secs_f64(),
            most_matches: self.options.matches,
            playing,
            matches,
            helpers: self.helpers(),
            counters: self.counters.all().into_iter().map(|(name, _, value)| (name, value)).collect(),
        }
    }

    fn helpers(&self) -> usize {
        self.helpers.as_ref().map_or(0, |count| count())
    }

    fn match_status(&self, session: &Session) -> MatchStatus {
        let view = session.shared.view.lock().clone();
        let phase = match &*session.shared.phase.borrow() {
            Phase::Building => "building",
            Phase::Ready if view.thinking => "thinking",
            _ => "waiting",
        };
        MatchStatus {
            match_id: session.match_id.clone(),
            role: session.role.clone(),
            phase,
            start_clock: session.start_clock.as_secs_f64(),
            play_clock: session.play_clock.as_secs_f64(),
            margin: self.margin.of(session.play_clock, session.replaced()).as_secs_f64(),
            silence: session.silence(self.now()).as_secs_f64(),
            view,
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
        metric("matches", "gauge", "Matches in progress.", self.sessions.lock().len() as u64);
        let workers = self.workers.load(Ordering::Relaxed) as u64;
        metric("workers", "gauge", "Threads of matches, those that are ending included.", workers);
        let seats = self.options.matches.saturating_sub(self.seats.free()) as u64;
        metric("seats", "gauge", "Matches that hold memory, those that are ending included.", seats);
        metric(
            "helpers",
            "gauge",
            "Helpers on the network that were heard of lately.",
            self.helpers() as u64,
        );
        out
    }
}

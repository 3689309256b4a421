//! Room for matches: as many as were allowed, shared by those who ask, and none for hosts that are gone.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use super::Sessions;
use super::caller::Owner;
use super::counters::count;
use super::session::{MatchKey, Session};

type Matches = HashMap<MatchKey, Arc<Session>>;

impl Sessions {
    /// Whether somebody gets no match more.
    pub(super) fn is_full(&self, sessions: &Matches, owner: Owner) -> bool {
        sessions.len() >= self.options.matches || self.has_its_share(sessions, owner)
    }

    fn has_its_share(&self, sessions: &Matches, owner: Owner) -> bool {
        let Some(sharers) = owner.sharers() else { return false };
        let own = sessions.values().filter(|session| session.owner.sharers() == Some(sharers)).count();
        own >= self.options.matches_per_address
    }

    /// Makes room for a match; `None` if there is none.
    pub(super) fn make_room(&self, sessions: &mut Matches, key: &MatchKey) -> Option<()> {
        self.give_up_silent(sessions);
        if let Some(old) = sessions.remove(key) {
            // The host has begun anew.
            count(&self.counters.matches_given_up);
            old.end();
        }
        // A host that died must not keep others waiting: the match longest silent makes room. Who has its
        // share can only take the place of its own.
        if self.has_its_share(sessions, key.owner) {
            self.give_up_one(sessions, |session| session.owner.sharers() == key.owner.sharers())?;
        }
        if sessions.len() >= self.options.matches {
            self.give_up_one(sessions, |_| true)?;
        }
        Some(())
    }

    /// Gives up the match that was silent for longest, if a host that still plays would have spoken.
    fn give_up_one(&self, sessions: &mut Matches, which: impl Fn(&Session) -> bool) -> Option<()> {
        let now = self.now();
        let is_overdue = |session: &&Arc<Session>| session.silence(now) > session.patience();
        let candidates = sessions.values().filter(|session| which(session)).filter(is_overdue);
        let oldest = candidates.max_by_key(|session| session.silence(now)).cloned()?;
        count(&self.counters.matches_given_up);
        sessions.remove(&oldest.key());
        oldest.end();
        Some(())
    }

    fn give_up_silent(&self, sessions: &mut Matches) {
        let now = self.now();
        sessions.retain(|_, session| {
            let alive = session.silence(now) <= self.options.longest_silence;
            if !alive {
                count(&self.counters.matches_given_up);
                session.end();
            }
            alive
        });
    }

    /// Gives up matches whose hosts have been silent for long. To be called every [`Sessions::sweep_period`].
    pub fn sweep(&self) {
        self.give_up_silent(&mut self.sessions.lock());
    }

    /// How often silent matches are to be looked for.
    pub fn sweep_period(&self) -> Duration {
        const LONGEST: Duration = Duration::from_secs(30);
        const SHORTEST: Duration = Duration::from_millis(10);
        (self.options.longest_silence / 4).clamp(SHORTEST, LONGEST)
    }
}

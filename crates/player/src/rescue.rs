//! A move where no machine gives one in time.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use engine::Decision;
use gdl::normal::NormalRules;
use machine::MachineKind;

use crate::Player;
use crate::emergency::Emergency;

/// Who a move is by that was found without a machine.
const EMERGENCY: &str = "emergency";
/// The part of a turn, and the most of it, that is kept for finding one.
const RESCUE_PART: u32 = 4;
const MOST_RESCUE: Duration = Duration::from_millis(500);

impl Player {
    /// When to begin to look for a move without a machine, if there has to be one by some time.
    pub(crate) fn time_to_rescue(&self, until: Duration) -> Duration {
        until.saturating_sub((until.saturating_sub(self.now()) / RESCUE_PART).min(MOST_RESCUE))
    }

    /// Whether there is neither a thought nor a legal move, and nobody knows that there is none.
    pub(crate) fn knows_nothing(&self) -> bool {
        let published = self.board.published.lock();
        let is_thought = published.turn == self.turn && published.decision.is_some();
        let is_listed = published.listed_after(self.moves).is_some_and(|listed| listed.fault.is_none());
        // Without a machine nothing was listed.
        let is_listed = is_listed && self.stock.best().is_some();
        !is_thought && !is_listed && published.failure.is_none()
    }

    /// A legal move of the present position without any machine, looked for until a time. Where the rules say who sees what,
    /// only the first position is known without one.
    pub(crate) fn rescue(&mut self, until: Duration, stop: &AtomicBool) -> Option<Decision> {
        if self.moves > 0 && self.stock.rules().is_some_and(NormalRules::has_percepts) {
            return None;
        }
        if self.emergency.is_none() {
            self.emergency = self.stock.rules().map(Emergency::new);
        }
        let pending = self.pending.iter().map(|pending| pending.joint.clone());
        let history: Vec<Vec<String>> = self.joints.iter().cloned().chain(pending).collect();
        let clock = &self.clock;
        let may_go_on = || clock.now() < until && !stop.load(Ordering::Relaxed);
        let spelling = self.emergency.as_mut()?.legal(self.role, &history, &may_go_on)?;
        let plain = Decision::plain(spelling.to_lowercase(), spelling, EMERGENCY, MachineKind::Reference);
        Some(Decision { unthought: true, ..plain })
    }
}

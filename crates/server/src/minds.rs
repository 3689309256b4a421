//! The minds that need nothing but the rules.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use game::{Dice, Game, PlayoutLimits};

use crate::desk::Track;
use crate::{Mind, MindError, MindMaker, Setup, Thought};

/// The names of the minds.
pub fn names() -> &'static [&'static str] {
    &["random", "sampling"]
}

/// The maker of the minds with this name.
pub fn maker(name: &str) -> Option<MindMaker> {
    match name {
        "random" => Some(Arc::new(|setup| Box::new(Sampling::new(setup, false)))),
        "sampling" => Some(Arc::new(|setup| Box::new(Sampling::new(setup, true)))),
        _ => None,
    }
}

/// Plays each of its moves out at random and takes the one that fared best on average; or, without
/// playing out, any move.
pub(crate) struct Sampling {
    setup: Setup,
    track: Option<Track>,
    dice: Dice,
    plays_out: bool,
}

impl Sampling {
    pub(crate) fn new(setup: Setup, plays_out: bool) -> Self {
        Self { track: None, dice: Dice::new(setup.seed), plays_out, setup }
    }

    fn track(&mut self) -> Result<&mut Track, MindError> {
        if self.track.is_none() {
            self.track = Some(Track::new(&self.setup.rules, self.setup.memory)?);
        }
        self.track.as_mut().ok_or(MindError::NotReady)
    }
}

impl Mind for Sampling {
    fn prepare(&mut self, _until: Duration, _stop: &AtomicBool) -> Result<(), MindError> {
        self.track().map(|_| ())
    }

    fn fallback(&mut self) -> Result<String, MindError> {
        let role = self.setup.role;
        let count = self.track()?.legal(role).len();
        let drawn = self.dice.below(count);
        let track = self.track()?;
        track.legal(role).get(drawn).map(|&id| track.spelling(id)).ok_or(MindError::NoMove)
    }

    fn choose(&mut self, until: Duration, stop: &AtomicBool) -> Result<Thought, MindError> {
        if !self.plays_out {
            return Ok(Thought { reply: self.fallback()?, ..Thought::default() });
        }
        let role = self.setup.role;
        let clock = Arc::clone(&self.setup.clock);
        let mut dice = Dice::new(self.dice.bits());
        let track = self.track()?;
        let own = track.legal(role).to_vec();
        if own.is_empty() {
            return Err(MindError::NoMove);
        }
        let mut sums = vec![(0.0, 0u64); own.len()];
        let mut simulations = 0;
        while own.len() > 1 && clock() < until && !stop.load(Ordering::Relaxed) {
            let at = simulations as usize % own.len();
            let Some(after) = track.after(role, own[at], &mut dice)? else { break };
            let limits = PlayoutLimits { steps: 1000 };
            simulations += 1;
            let (game, workspace) = track.parts();
            // A playout without end says nothing.
            let Ok(played) = game::playout(game, workspace, &after, &mut dice, limits) else { continue };
            sums[at].0 += f64::from(played.goals[role].value().0);
            sums[at].1 += 1;
        }
        let mean = |&(sum, count): &(f64, u64)| if count == 0 { 0.0 } else { sum / count as f64 };
        let best = (0..own.len()).max_by(|&a, &b| mean(&sums[a]).total_cmp(&mean(&sums[b]))).unwrap_or(0);
        let value = (sums[best].1 > 0).then(|| mean(&sums[best]));
        Ok(Thought { reply: track.game().move_spelling(own[best]), value, simulations, line: Vec::new() })
    }

    fn advance(&mut self, joint: &[String]) -> Result<(), MindError> {
        self.track()?.advance(joint)
    }
}

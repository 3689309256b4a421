//! Some settings in a race, what is known of them, and when that is enough.

use game::Simulator;
use search::Parameters;

use super::candidate::Candidate;
use super::evidence::Evidence;
use super::mind::Mind;
use super::{Heuristic, Setting};

/// Standard errors by which settings must be better to be chosen: the best of some is taken, so less would often
/// be chance.
pub(crate) const SURE: f64 = 2.0;
/// The same by matches.
pub(super) const SURE_OF_MATCHES: f64 = 2.5;
/// The least standard error that is believed: of points lost in an answer, and of the points of a match.
pub(crate) const LEAST_LOSS_ERROR: f64 = 0.25;
pub(super) const LEAST_POINT_ERROR: f64 = 0.05;
/// Matches that settings must have played to be chosen by them, if they are the best of a few. In chess one takes a second.
pub(super) const FEWEST_MATCHES: usize = 6;
/// So few. Of twice as many somebody is twice as likely to win all matches by luck, which one more match makes up for.
const FEW: usize = 4;
/// Standard errors and matches after which the rest of the time is better spent on thinking.
const BEYOND_DOUBT: f64 = 4.0;
const ENOUGH_MATCHES: usize = 16;
/// Matches after which who does not lead is out.
const TRIAL_MATCHES: usize = 6;
/// Points of a match above one half by which somebody is on the way to be chosen.
pub(super) const PROMISING: f64 = 0.25;

/// Some settings in the race.
pub(crate) struct Runner<G: Simulator> {
    pub(super) candidate: &'static Candidate,
    /// With the memory of the match.
    pub(super) parameters: Parameters,
    /// What says what states are worth, if it asks.
    pub(super) heuristic: Option<Heuristic<G>>,
    pub(super) mind: Mind<G>,
    /// How many points fewer than the usual settings it lost by an answer.
    pub(super) gains: Evidence,
    /// Points of matches against the usual settings, less a half.
    pub(super) points: Evidence,
}

impl<G: Simulator> Runner<G> {
    /// Whether anything is known of how good it is.
    pub(super) fn is_judged(&self) -> bool {
        self.gains.count() > 0 || self.points.count() > 0
    }

    /// Whether it has begun and is to play on before anybody else does.
    pub(super) fn is_on_trial(&self) -> bool {
        let played = self.points.count();
        played % 2 == 1 || played > 0 && played < TRIAL_MATCHES && !self.is_out()
    }

    /// Whether its matches so far are too bad for more of them.
    pub(super) fn is_out(&self) -> bool {
        are_too_bad(&self.points)
    }

    /// Whether its matches leave no doubt, so that the rest of the time is better spent on thinking.
    pub(super) fn is_settled(&self) -> bool {
        self.points.count() >= ENOUGH_MATCHES && self.points.sureness(LEAST_POINT_ERROR) >= BEYOND_DOUBT
    }

    /// How it plays a match.
    pub(super) fn setting(&self) -> Setting<G> {
        let (parameters, heuristic) = (self.parameters.clone(), self.heuristic.clone());
        Setting { parameters, heuristic, looks_ahead: self.candidate.looks_ahead }
    }
}

/// Whether points of matches are too bad for more of them: the first pair was not drawn level, or as many as may be enough
/// brought no lead.
pub(super) fn are_too_bad(points: &Evidence) -> bool {
    let (played, mean) = (points.count(), points.mean());
    played >= 2 && mean <= -PROMISING || played >= TRIAL_MATCHES && mean <= 0.0
}

/// Matches that the best of so many rivals must have played to be chosen.
pub(super) fn fewest_matches(rivals: usize) -> usize {
    FEWEST_MATCHES + rivals.div_ceil(FEW).next_power_of_two().ilog2() as usize
}

/// How sure it is that settings are better than the usual ones; `None` if that is not enough, or if they played fewer
/// matches than they have to.
pub(super) fn sureness(gains: &Evidence, points: &Evidence, fewest: usize) -> Option<f64> {
    let (sureness, least) = match points.count() {
        0 => (gains.sureness(LEAST_LOSS_ERROR), SURE),
        few if few < fewest => return None,
        _ => (points.sureness(LEAST_POINT_ERROR), SURE_OF_MATCHES),
    };
    (sureness >= least).then_some(sureness)
}

/// What is known of a runner, in words.
pub(super) fn record<G: Simulator>(runner: &Runner<G>) -> String {
    let mut text = runner.candidate.name.to_owned();
    if runner.gains.count() > 1 {
        let (mean, error) = (runner.gains.mean(), runner.gains.error());
        text += &format!(" lost {mean:.1} \u{b1} {error:.1} points fewer an answer");
    }
    if runner.points.count() > 0 {
        let count = runner.points.count() as f64;
        text += &format!(", {:.1} of {count} in matches", (runner.points.mean() + 0.5) * count);
    }
    text
}

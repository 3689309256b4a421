//! The sequential probability ratio test: play until it is clear which of two claims holds.
//!
//! The claims are about the difference in Elo between two players: `elo0` or less against `elo1` or
//! more. Wald (1945) stops when the logarithm of the likelihood ratio leaves an interval given by the
//! errors that are allowed. How often which score comes is unknown, so under each claim the most
//! likely distribution with that mean takes its place (the generalised test; Van den Bergh describes
//! it for chess programs): `p / (1 + x (score - mean))`, with the one `x` that gives the mean.
//!
//! Scores may be any numbers from 0 to 1. Fed with the mean scores of pairs of matches with
//! exchanged roles it is the pentanomial test of fishtest.

use crate::statistics::{Tally, expected_score};

/// What is tested and how sure it has to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// The claim that there is no such gain, in Elo points.
    pub elo0: f64,
    /// The claim that there is a gain, in Elo points; above `elo0`.
    pub elo1: f64,
    /// The share of wrong decisions for the gain.
    pub alpha: f64,
    /// The share of wrong decisions against it.
    pub beta: f64,
}

/// Where a test stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Not clear yet.
    Open,
    /// The gain is accepted.
    Gain,
    /// The gain is rejected.
    NoGain,
}

/// Something cannot be tested.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SprtError {
    /// The claims are not in order.
    #[error("a test needs two bounds in Elo points, the lower one first, as `0,20`")]
    Bounds,
    /// A claim that no number of matches can tell from certainty.
    #[error("bounds in Elo points have to lie between -{MOST_ELO} and {MOST_ELO}, as `0,20`")]
    Range,
    /// An error probability out of range.
    #[error("the share of wrong decisions has to be above 0 and below 0.5, as `0.05`")]
    Errors,
}

/// The greatest difference that is tested. There one match in 100,000 is lost; far beyond, the
/// expected score is rounded to 1, the ratio is no number, and nothing would ever be decided.
const MOST_ELO: f64 = 2000.0;

/// Counts below which a score is taken to be possible though it never came.
const UNSEEN: f64 = 1e-3;

impl Sprt {
    /// A test of two claims with the same share of wrong decisions either way.
    pub fn new(elo0: f64, elo1: f64, error: f64) -> Result<Self, SprtError> {
        if !(elo0.is_finite() && elo1.is_finite() && elo0 < elo1) {
            return Err(SprtError::Bounds);
        }
        if elo0 < -MOST_ELO || elo1 > MOST_ELO {
            return Err(SprtError::Range);
        }
        if !(error > 0.0 && error < 0.5) {
            return Err(SprtError::Errors);
        }
        Ok(Self { elo0, elo1, alpha: error, beta: error })
    }

    /// The logarithms of the ratio at which the gain is rejected and accepted.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The logarithm of the likelihood ratio after some scores.
    pub fn log_ratio(&self, scores: &Tally) -> f64 {
        if scores.is_empty() {
            return 0.0;
        }
        // Half a point is always possible, as are the extremes: else a run of one score alone could
        // have no distribution with the mean that a claim wants.
        let mut counts: Vec<(f64, f64)> =
            scores.scores().map(|(score, count)| (score, count as f64)).collect();
        for score in [0.0, 0.5, 1.0] {
            if !counts.iter().any(|&(known, _)| known == score) {
                counts.push((score, UNSEEN));
            }
        }
        let total: f64 = counts.iter().map(|&(_, count)| count).sum();
        let tilts = [self.elo0, self.elo1].map(|elo| {
            let mean = expected_score(elo);
            (mean, tilt(&counts, mean))
        });
        let [(mean0, tilt0), (mean1, tilt1)] = tilts;
        let term = |&(score, count): &(f64, f64)| {
            count * ((1.0 + tilt0 * (score - mean0)) / (1.0 + tilt1 * (score - mean1))).ln()
        };
        // Counts that were made up must not lend weight.
        scores.len() as f64 / total * counts.iter().map(term).sum::<f64>()
    }

    /// Where the test stands after some scores.
    pub fn verdict(&self, scores: &Tally) -> Verdict {
        let (low, high) = self.bounds();
        match self.log_ratio(scores) {
            ratio if ratio >= high => Verdict::Gain,
            ratio if ratio <= low => Verdict::NoGain,
            _ => Verdict::Open,
        }
    }
}

/// The `x` for which the tilted distribution `p / (1 + x (score - mean))` has the wanted mean, by
/// halving: the sum below falls as `x` grows.
fn tilt(counts: &[(f64, f64)], mean: f64) -> f64 {
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    for _ in 0..100 {
        let middle = (low + high) / 2.0;
        let excess: f64 = counts
            .iter()
            .map(|&(score, count)| count * (score - mean) / (1.0 + middle * (score - mean)))
            .sum();
        if excess > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(counts: [u64; 5]) -> Tally {
        let mut tally = Tally::default();
        for (score, count) in [0.0, 0.25, 0.5, 0.75, 1.0].into_iter().zip(counts) {
            (0..count).for_each(|_| tally.add(score));
        }
        tally
    }

    #[test]
    fn ratios_are_those_that_fishtest_published() {
        // Tests of Stockfish's public pull requests 3098, 3209, 2971, 2493 and 2951 (2020): bounds in
        // Elo, pairs of games by score, the logarithm of the ratio as printed.
        for (elo0, elo1, counts, published) in [
            (-0.25, 1.25, [491, 7345, 29693, 7670, 465], 2.96),
            (0.25, 1.25, [53, 2220, 21459, 2445, 47], 2.97),
            (-0.25, 1.25, [253, 4282, 17604, 4431, 286], 2.94),
            (-0.5, 1.5, [17, 253, 1042, 337, 39], 2.96),
            (0.25, 1.75, [11, 407, 3238, 513, 11], 2.93),
            (-1.0, 3.0, [424, 2948, 5832, 3045, 460], 2.94),
            (0.0, 2.0, [1284, 17437, 55536, 18085, 1292], 2.94),
            (-0.5, 1.5, [59, 754, 2467, 865, 75], 2.95),
        ] {
            let test = Sprt::new(elo0, elo1, 0.05).expect("bounds");
            let ratio = test.log_ratio(&pairs(counts));
            assert!((ratio - published).abs() < 0.006, "{counts:?}: {ratio} {published}");
        }
    }

    #[test]
    fn bounds_are_those_of_wald() {
        let (low, high) = Sprt::new(0.0, 5.0, 0.05).expect("bounds").bounds();
        assert!((low + 2.944).abs() < 0.001 && (high - 2.944).abs() < 0.001);
    }

    #[test]
    fn clear_results_end_a_test_soon() {
        let test = Sprt::new(0.0, 20.0, 0.05).expect("bounds");
        assert_eq!(test.verdict(&Tally::default()), Verdict::Open);
        assert_eq!(test.verdict(&pairs([0, 0, 1, 2, 1])), Verdict::Open);
        assert_eq!(test.verdict(&pairs([0, 2, 10, 30, 60])), Verdict::Gain);
        assert_eq!(test.verdict(&pairs([60, 30, 10, 2, 0])), Verdict::NoGain);
        // Only wins, and only losses.
        assert_eq!(test.verdict(&pairs([0, 0, 0, 0, 60])), Verdict::Gain);
        assert_eq!(test.verdict(&pairs([60, 0, 0, 0, 0])), Verdict::NoGain);
    }

    #[test]
    fn errors_are_as_rare_as_promised() {
        // Pairs of a player that is exactly as good as one claim or the other says.
        let test = Sprt::new(0.0, 60.0, 0.05).expect("bounds");
        for (elo, wrong) in [(0.0, Verdict::Gain), (60.0, Verdict::NoGain)] {
            let mut faults = 0;
            for run in 0..200 {
                let mut dice = game::Dice::stream(7, run);
                let mut tally = Tally::default();
                let verdict = loop {
                    let mut win = || f64::from(u8::from(dice.unit() < expected_score(elo)));
                    tally.add((win() + win()) / 2.0);
                    match test.verdict(&tally) {
                        Verdict::Open => {}
                        verdict => break verdict,
                    }
                };
                faults += usize::from(verdict == wrong);
            }
            // Ten are expected; twenty-two come once in some thousand runs.
            assert!(faults <= 22, "{faults} of 200 wrong at {elo}");
        }
    }

    #[test]
    fn nonsense_is_refused() {
        assert_eq!(Sprt::new(5.0, 0.0, 0.05), Err(SprtError::Bounds));
        assert_eq!(Sprt::new(f64::NAN, 0.0, 0.05), Err(SprtError::Bounds));
        assert_eq!(Sprt::new(0.0, f64::INFINITY, 0.05), Err(SprtError::Bounds));
        assert_eq!(Sprt::new(5.0, 5.0, 0.05), Err(SprtError::Bounds));
        assert_eq!(Sprt::new(0.0, 1e9, 0.05), Err(SprtError::Range));
        assert_eq!(Sprt::new(-2000.5, 0.0, 0.05), Err(SprtError::Range));
        assert!(SprtError::Range.to_string().contains("between -2000 and 2000"));
        assert_eq!(Sprt::new(0.0, 5.0, 0.0), Err(SprtError::Errors));
    }

    #[test]
    fn the_widest_bounds_still_decide() {
        for (elo0, elo1) in [(-MOST_ELO, MOST_ELO), (0.0, MOST_ELO), (-MOST_ELO, 0.0), (1999.0, MOST_ELO)] {
            let test = Sprt::new(elo0, elo1, 0.05).expect("bounds");
            for counts in
                [[0, 0, 0, 0, 1], [1, 0, 0, 0, 0], [0, 0, 1, 0, 0], [3, 0, 1, 0, 3], [0, 0, 0, 0, 5000]]
            {
                let ratio = test.log_ratio(&pairs(counts));
                assert!(ratio.is_finite(), "{elo0} {elo1} {counts:?}: {ratio}");
            }
        }
        let test = Sprt::new(0.0, MOST_ELO, 0.05).expect("bounds");
        assert_eq!(test.verdict(&pairs([0, 5, 10, 5, 0])), Verdict::NoGain);
        assert_eq!(test.verdict(&pairs([0, 0, 0, 0, 100])), Verdict::Gain);
    }
}

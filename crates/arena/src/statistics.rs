//! Scores and how sure one can be of them.

use std::collections::BTreeMap;

/// The two-sided 95% point of the normal distribution.
const NORMAL_95: f64 = 1.959_964;

/// Scores from 0 (lost) to 1 (won), counted. Scores are kept in thousandths, so that equal ones
/// meet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    counts: BTreeMap<u16, u64>,
}

/// A share with the half-width of its 95% confidence interval, both from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    /// The mean score.
    pub mean: f64,
    /// Half the width of the interval.
    pub interval: f64,
}

impl Tally {
    /// Adds a score; beyond 0 and 1 the nearest of them is meant.
    pub fn add(&mut self, score: f64) {
        *self.counts.entry((score.clamp(0.0, 1.0) * 1000.0).round() as u16).or_default() += 1;
    }

    /// Adds all scores of another tally.
    pub fn extend(&mut self, other: &Tally) {
        for (&score, &count) in &other.counts {
            *self.counts.entry(score).or_default() += count;
        }
    }

    /// The scores of the other side of a match.
    pub fn inverted(&self) -> Tally {
        Tally { counts: self.counts.iter().map(|(&score, &count)| (1000 - score, count)).collect() }
    }

    /// How many scores there are.
    pub fn len(&self) -> u64 {
        self.counts.values().sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// Each score and how often it came, ascending.
    pub fn scores(&self) -> impl Iterator<Item = (f64, u64)> {
        self.counts.iter().map(|(&score, &count)| (f64::from(score) / 1000.0, count))
    }

    /// How often the score was above, at, and below one half: wins, draws, losses.
    pub fn wins_draws_losses(&self) -> [u64; 3] {
        let mut found = [0; 3];
        for (&score, &count) in &self.counts {
            found[match score.cmp(&500) {
                std::cmp::Ordering::Greater => 0,
                std::cmp::Ordering::Equal => 1,
                std::cmp::Ordering::Less => 2,
            }] += count;
        }
        found
    }

    /// The mean with its interval, from the variance that was seen; `None` without scores.
    ///
    /// Results that are all alike do not make it certain: the variance is at least what it would be
    /// had one more match ended at the other extreme.
    pub fn share(&self) -> Option<Share> {
        let count = self.len() as f64;
        if count == 0.0 {
            return None;
        }
        let mean = self.scores().map(|(score, times)| score * times as f64).sum::<f64>() / count;
        let squares = self.scores().map(|(score, times)| (score - mean).powi(2) * times as f64).sum::<f64>();
        let least = count / (count + 1.0).powi(2) * mean.max(1.0 - mean).powi(2);
        let variance = (squares / (count - 1.0).max(1.0)).max(least);
        Some(Share { mean, interval: NORMAL_95 * (variance / count).sqrt() })
    }
}

impl Share {
    /// Both in per cent: `91.2 ± 3.4`.
    pub fn per_cent(&self) -> String {
        format!("{:.1} ± {:.1}", 100.0 * self.mean, 100.0 * self.interval)
    }

    /// The lower end of the interval.
    pub fn low(&self) -> f64 {
        (self.mean - self.interval).max(0.0)
    }

    /// The upper end of the interval.
    pub fn high(&self) -> f64 {
        (self.mean + self.interval).min(1.0)
    }
}

/// The expected score of a player that many Elo points ahead.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// By how many Elo points a player with this expected score is ahead; infinite at 0 and 1.
pub fn elo(score: f64) -> f64 {
    -400.0 * (1.0 / score - 1.0).log10()
}

/// By how many Elo points a player is ahead, with the ends of the 95% interval, and how likely it is that it is
/// ahead at all.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct EloAnswer {
    /// The difference; none if all matches were won or all lost.
    pub difference: Option<f64>,
    /// The lower end; none if it is without bound.
    pub low: Option<f64>,
    /// The upper end; none if it is without bound.
    pub high: Option<f64>,
    /// The likelihood of superiority, from 0 to 1: that the expected score is above one half.
    pub superiority: f64,
}

impl EloAnswer {
    /// What a share means in Elo points.
    pub fn new(share: Share) -> Self {
        let points = |score: f64| Some(elo(score)).filter(|points| points.is_finite());
        // Half of one standard normal variable lies below its error function's argument.
        let deviations = (share.mean - 0.5) / (share.interval / NORMAL_95).max(f64::MIN_POSITIVE);
        Self {
            difference: points(share.mean),
            low: points(share.low()),
            high: points(share.high()),
            superiority: normal(deviations),
        }
    }
}

impl std::fmt::Display for EloAnswer {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let points = |value: Option<f64>, without: &str| {
            value.map_or_else(|| without.to_owned(), |value| format!("{:+.0}", value.round() + 0.0))
        };
        let without = if self.superiority > 0.5 { "+∞" } else { "-∞" };
        let middle = points(self.difference, without);
        write!(
            out,
            "{middle} Elo ({} to {}), superior with {:.1}%",
            points(self.low, "-∞"),
            points(self.high, "+∞"),
            100.0 * self.superiority
        )
    }
}

/// The share of a normal distribution below so many standard deviations: Abramowitz and Stegun 1964, 26.2.17, which is
/// exact to seven digits.
fn normal(deviations: f64) -> f64 {
    const WEIGHTS: [f64; 5] = [0.319_381_530, -0.356_563_782, 1.781_477_937, -1.821_255_978, 1.330_274_429];
    let part = 1.0 / (1.0 + 0.231_641_9 * deviations.abs());
    let sum = WEIGHTS.iter().rev().fold(0.0, |sum, weight| (sum + weight) * part);
    let above = sum * (-deviations * deviations / 2.0).exp() / std::f64::consts::TAU.sqrt();
    if deviations < 0.0 { above } else { 1.0 - above }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(wins: u64, draws: u64, losses: u64) -> Tally {
        let mut tally = Tally::default();
        for (score, times) in [(1.0, wins), (0.5, draws), (0.0, losses)] {
            (0..times).for_each(|_| tally.add(score));
        }
        tally
    }

    #[test]
    fn intervals_are_those_of_the_paper() {
        // Finnsson and Björnsson 2008, Tables 1 and 2: 250 matches a cell. Without draws 20.0%
        // has the interval 4.97, 47.6% has 6.20 and 90.0% has 3.73.
        for (wins, interval) in [(50, 4.97), (119, 6.20), (225, 3.73)] {
            let share = tally(wins, 0, 250 - wins).share().expect("scores");
            assert!((100.0 * share.mean - wins as f64 / 2.5).abs() < 1e-9);
            assert!((100.0 * share.interval - interval).abs() < 0.02, "{share:?} {interval}");
        }
        // Draws narrow it: 54.4% has 5.77 where wins and losses alone would have 6.18.
        assert!(tally(100, 72, 78).share().expect("scores").interval < 0.0577);
    }

    #[test]
    fn nothing_is_certain() {
        let share = tally(10, 0, 0).share().expect("scores");
        assert!(share.mean == 1.0 && share.interval > 0.1, "{share:?}");
        assert!(tally(100, 0, 0).share().expect("scores").interval < 0.03);
        assert_eq!(Tally::default().share(), None);
        assert_eq!((share.high(), share.per_cent().starts_with("100.0 ± ")), (1.0, true));
    }

    #[test]
    fn scores_are_counted() {
        let mut all = tally(3, 2, 1);
        all.extend(&tally(1, 0, 1));
        all.add(0.75);
        assert_eq!((all.len(), all.wins_draws_losses()), (9, [5, 2, 2]));
        assert_eq!(all.scores().collect::<Vec<_>>(), [(0.0, 2), (0.5, 2), (0.75, 1), (1.0, 4)]);
    }

    #[test]
    fn superiority_is_that_of_the_normal_distribution() {
        for (deviations, below) in [(0.0, 0.5), (1.0, 0.841_344_7), (-1.959_964, 0.025), (3.0, 0.998_650_1)] {
            assert!((normal(deviations) - below).abs() < 1e-6, "{deviations}");
        }
        let answer = EloAnswer::new(tally(60, 0, 40).share().expect("scores"));
        assert!((answer.difference.expect("some") - 70.4).abs() < 0.1, "{answer:?}");
        assert!((0.97..0.99).contains(&answer.superiority), "{answer:?}");
        assert!(answer.low.expect("some") > 0.0 && answer.high.expect("some") < 150.0, "{answer:?}");
        let other = EloAnswer::new(tally(40, 0, 60).share().expect("scores"));
        assert!((answer.superiority + other.superiority - 1.0).abs() < 1e-6);
        assert!(answer.to_string().starts_with("+70 Elo (+"), "{answer}");
        // What was never lost has no upper end.
        let all = EloAnswer::new(tally(5, 0, 0).share().expect("scores"));
        assert_eq!((all.difference, all.high), (None, None));
        assert!(all.to_string().starts_with("+∞ Elo (") && all.superiority > 0.95, "{all}");
        assert!(EloAnswer::new(tally(1, 2, 1).share().expect("scores")).to_string().starts_with("+0 Elo (-"));
    }

    #[test]
    fn elo_and_score_are_inverse() {
        for points in [-300.0, -10.0, 0.0, 63.0, 402.0] {
            assert!((elo(expected_score(points)) - points).abs() < 1e-9);
        }
        // The table of the international chess federation gives 0.76 for 200 points.
        assert!((expected_score(200.0) - 0.76).abs() < 0.001);
    }
}

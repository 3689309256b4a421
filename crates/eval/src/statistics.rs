//! What the values of a feature over many positions say of it (Walędzik and Mańdziuk 2014, section IV-A-2).

use std::ops::Range;

/// Of a feature.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Statistics {
    /// The mean over all positions.
    pub mean: f64,
    /// The variance over all positions.
    pub variance: f64,
    /// The least value.
    pub least: f64,
    /// The greatest value.
    pub greatest: f64,
    /// TV / (TV + 10 SV), if `within` is the paper's: how little it changes from move to move.
    pub stability: f64,
    /// With each role's score.
    pub correlations: Vec<f64>,
}

/// How much more changes within a sequence count than those between sequences, as the paper has it.
pub const WITHIN: f64 = 10.0;

/// The mean of some numbers; 0 if there are none.
pub fn mean(values: &[f64]) -> f64 {
    if values.is_empty() { 0.0 } else { values.iter().sum::<f64>() / values.len() as f64 }
}

/// The mean square distance to the mean; 0 if there are no numbers.
pub fn variance(values: &[f64]) -> f64 {
    let centre = mean(values);
    mean_of(values.iter().map(|value| (value - centre) * (value - centre)))
}

fn mean_of(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len();
    if count == 0 { 0.0 } else { values.sum::<f64>() / count as f64 }
}

/// Pearson's correlation; 0 where one of them does not vary.
pub fn correlation(xs: &[f64], ys: &[f64]) -> f64 {
    let (x_mean, y_mean) = (mean(xs), mean(ys));
    let (mut xx, mut yy, mut xy) = (0.0, 0.0, 0.0);
    for (x, y) in xs.iter().zip(ys) {
        let (x, y) = (x - x_mean, y - y_mean);
        xx += x * x;
        yy += y * y;
        xy += x * y;
    }
    if xx <= f64::EPSILON || yy <= f64::EPSILON { 0.0 } else { xy / (xx * yy).sqrt() }
}

/// TV / (TV + 10 SV), of the total variance and the average variance within sequences, which counts `weight` times
/// (10 in the paper); 0 where nothing varies in total.
pub fn stability(total: f64, within: f64, weight: f64) -> f64 {
    if total <= 0.0 { 0.0 } else { total / (total + weight * within) }
}

/// What values say that come in sequences; `scores` are those of each position, role after role, and `weight` is what changes
/// within a sequence count.
pub fn statistics(
    values: &[f64],
    sequences: &[Range<usize>],
    scores: &[Vec<f64>],
    weight: f64,
) -> Statistics {
    let firsts: Vec<f64> = sequences.iter().map(|sequence| values[sequence.start]).collect();
    let within: Vec<f64> = sequences.iter().map(|sequence| variance(&values[sequence.clone()])).collect();
    Statistics {
        mean: mean(values),
        variance: variance(values),
        least: values.iter().copied().fold(f64::INFINITY, f64::min),
        greatest: values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        stability: stability(variance(&firsts), mean(&within), weight),
        correlations: scores.iter().map(|scores| correlation(values, scores)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(one: f64, other: f64) -> bool {
        (one - other).abs() < 1e-12
    }

    #[test]
    fn formulas_are_those_of_the_paper() {
        assert!(near(mean(&[1.0, 2.0, 6.0]), 3.0));
        // (4 + 1 + 9) / 3.
        assert!(near(variance(&[1.0, 2.0, 6.0]), 14.0 / 3.0));
        assert!(near(correlation(&[1.0, 2.0, 3.0], &[10.0, 20.0, 30.0]), 1.0));
        assert!(near(correlation(&[1.0, 2.0, 3.0], &[3.0, 2.0, 1.0]), -1.0));
        // Means 2 and 2: products -1, 0, 0 with squares 2 and 2... (-1)(-1) + 0 + (1)(0) = 1 of sqrt(2 * 2).
        assert!(near(correlation(&[1.0, 2.0, 3.0], &[1.0, 3.0, 2.0]), 0.5));
        assert_eq!(correlation(&[1.0, 1.0], &[0.0, 5.0]), 0.0);
        assert!(near(stability(2.0, 0.3, WITHIN), 0.4));
        assert_eq!((stability(0.0, 1.0, WITHIN), stability(3.0, 0.0, WITHIN)), (0.0, 1.0));
    }

    #[test]
    fn a_feature_by_hand() {
        // Two sequences of two positions: 1 3 | 5 5.
        let values = [1.0, 3.0, 5.0, 5.0];
        let scores = vec![vec![0.0, 0.0, 100.0, 100.0], vec![100.0, 100.0, 0.0, 0.0]];
        let found = statistics(&values, &[0..2, 2..4], &scores, WITHIN);
        assert!(near(found.mean, 3.5) && near(found.variance, (6.25 + 0.25 + 2.25 + 2.25) / 4.0));
        assert_eq!((found.least, found.greatest), (1.0, 5.0));
        // TV of 1 and 5 is 4; SV is the mean of 1 and 0.
        assert!(near(found.stability, 4.0 / 9.0));
        // Deviations -2.5 -0.5 1.5 1.5 with -1 -1 1 1: 6 / sqrt(11 * 4).
        assert!(near(found.correlations[0], 6.0 / 44f64.sqrt()));
        assert!(near(found.correlations[1], -6.0 / 44f64.sqrt()));
    }
}

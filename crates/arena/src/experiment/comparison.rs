//! Ours beside what was published, both with their intervals.

use crate::statistics::Share;

/// How ours compares with what was published, looked at from both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// They do not differ by more than both intervals allow.
    Alike,
    /// Ours is higher.
    Higher,
    /// Ours is lower.
    Lower,
}

/// Compares a share with a published one and its interval, both in per cent. They differ if the difference is larger
/// than its own 95% interval.
pub(super) fn compare(ours: Share, published: (f64, f64)) -> Comparison {
    let difference = 100.0 * ours.mean - published.0;
    if difference.abs() <= (100.0 * ours.interval).hypot(published.1) {
        Comparison::Alike
    } else if difference > 0.0 {
        Comparison::Higher
    } else {
        Comparison::Lower
    }
}

impl Comparison {
    /// As it stands in tables.
    pub(super) fn sign(self) -> &'static str {
        match self {
            Comparison::Alike => "=",
            Comparison::Higher => "+",
            Comparison::Lower => "-",
        }
    }

    /// A sentence about a place where they differ; none where they do not.
    pub(super) fn sentence(self, place: &str, ours: Share, published: (f64, f64)) -> Option<String> {
        let how = match self {
            Comparison::Alike => return None,
            Comparison::Higher => "higher",
            Comparison::Lower => "lower",
        };
        let (mean, interval) = published;
        Some(format!("{place}: {} is {how} than the published {mean:.1} ± {interval:.1}", ours.per_cent()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_and_both_intervals_count() {
        let share = |mean: f64, interval: f64| Share { mean: mean / 100.0, interval: interval / 100.0 };
        // The interval of the difference of ± 3 and ± 4 is ± 5.
        for (ours, comparison) in [
            (share(54.9, 3.0), Comparison::Alike),
            (share(45.1, 3.0), Comparison::Alike),
            (share(55.1, 3.0), Comparison::Higher),
            (share(44.9, 3.0), Comparison::Lower),
        ] {
            assert_eq!(compare(ours, (50.0, 4.0)), comparison, "{ours:?}");
        }
        let ours = share(91.8, 2.3);
        let published = (71.4, 5.08);
        assert_eq!(
            compare(ours, published).sentence("Checkers", ours, published).as_deref(),
            Some("Checkers: 91.8 ± 2.3 is higher than the published 71.4 ± 5.1")
        );
        assert_eq!(Comparison::Alike.sentence("Checkers", ours, published), None);
    }
}

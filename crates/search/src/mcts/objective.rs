//! What a role wants where two play: its own goal, or more than the other gets (Finnsson and Björnsson 2008).

use crate::Objective;

/// What the other's goal counts where it only breaks ties: less than a point of one's own.
const TIE: f64 = 1.0 / 200.0;

/// Turns what roles get into what they want. Where not two decide everybody wants its own goal.
pub(crate) fn apply(objective: Objective, chance: Option<usize>, values: &mut [f64]) {
    let mut deciders = (0..values.len()).filter(|&role| chance != Some(role));
    let (Some(one), Some(other), None) = (deciders.next(), deciders.next(), deciders.next()) else { return };
    let (first, second) = (values[one], values[other]);
    let wanted = |own: f64, others: f64| match objective {
        Objective::Own => own,
        Objective::OwnThenOthers => (1.0 - TIE) * own + TIE * (100.0 - others),
        Objective::Difference => (own - others + 100.0) / 2.0,
    };
    (values[one], values[other]) = (wanted(first, second), wanted(second, first));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(objective: Objective, chance: Option<usize>, mut values: Vec<f64>) -> Vec<f64> {
        apply(objective, chance, &mut values);
        values
    }

    #[test]
    fn two_may_want_the_difference() {
        assert_eq!(of(Objective::Own, None, vec![80.0, 40.0]), [80.0, 40.0]);
        assert_eq!(of(Objective::Difference, None, vec![80.0, 40.0]), [70.0, 30.0]);
        assert_eq!(of(Objective::Difference, Some(1), vec![80.0, 7.0, 40.0]), [70.0, 7.0, 30.0]);
        assert_eq!(of(Objective::Difference, None, vec![80.0, 40.0, 0.0]), [80.0, 40.0, 0.0]);
    }

    #[test]
    fn what_the_other_gets_breaks_ties_only() {
        let own = |own, other| of(Objective::OwnThenOthers, None, vec![own, other])[0];
        assert_eq!(own(80.0, 40.0), 79.6 + 0.3);
        assert!(own(50.0, 0.0) > own(50.0, 100.0));
        assert!(own(51.0, 100.0) > own(50.0, 0.0));
    }
}

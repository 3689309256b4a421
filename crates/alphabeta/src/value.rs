//! What positions are worth, to a depth and for sure.

use game::Goal;

/// What is proven of what a role gets: at least this and at most that, whatever the others do. It rests on ends of
/// the game alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proven {
    /// The role can be sure of it.
    pub least: Goal,
    /// The others can see to it that it is no more.
    pub most: Goal,
}

impl Proven {
    /// Nothing is known.
    pub const NOTHING: Self = Self { least: Goal(0), most: Goal::MOST };

    /// The end of a game.
    pub const fn exactly(goal: Goal) -> Self {
        Self { least: goal, most: goal }
    }

    /// Whether all is known.
    pub fn is_settled(self) -> bool {
        self.least == self.most
    }

    /// Of a choice of the role: it takes the better one.
    #[must_use]
    pub(crate) fn or(self, other: Self) -> Self {
        Self { least: self.least.max(other.least), most: self.most.max(other.most) }
    }

    /// Of a choice of the others: they take the worse one.
    #[must_use]
    pub(crate) fn and(self, other: Self) -> Self {
        Self { least: self.least.min(other.least), most: self.most.min(other.most) }
    }

    /// Both hold.
    #[must_use]
    pub(crate) fn both(self, other: Self) -> Self {
        let least = self.least.max(other.least);
        Self { least, most: self.most.min(other.most).max(least) }
    }
}

/// What a search of a position found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Found {
    /// Its worth to a depth, from 0 to 1: a bound where it is outside the window.
    pub(crate) value: f64,
    pub(crate) proven: Proven,
}

/// The middle, which distance brings everything nearer to.
pub(crate) const EVEN: f64 = 0.5;

/// What estimates are kept within, so that the end of a game counts for more.
pub(crate) const SURE: std::ops::RangeInclusive<f64> = 0.01..=0.99;

/// What a goal is worth.
pub(crate) fn worth_of(goal: Goal) -> f64 {
    f64::from(goal.0) / f64::from(Goal::MOST.0)
}

/// An estimate as it counts, whatever an evaluator says.
pub(crate) fn sane(estimate: f64) -> f64 {
    if estimate.is_nan() { EVEN } else { estimate.clamp(*SURE.start(), *SURE.end()) }
}

/// How values change from a position to the one before it: a step nearer to the middle, so that wins come sooner and
/// losses later.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Discount(pub(crate) f64);

impl Discount {
    /// A value as it counts one step before.
    pub(crate) fn before(self, value: f64) -> f64 {
        if self.0 == 1.0 { value } else { EVEN + (value - EVEN) * self.0 }
    }

    /// An answer to a window as it counts one step before, where the window has these bounds: what is outside of the one
    /// is outside of the other. Rounding alone may bring it inside, and a bound would be taken for a value.
    pub(crate) fn before_in(self, answer: f64, window: (f64, f64), bounds: (f64, f64)) -> f64 {
        let value = self.before(answer);
        if answer <= window.0 {
            value.min(bounds.0)
        } else if answer >= window.1 {
            value.max(bounds.1)
        } else {
            value
        }
    }

    /// What counts as this one step before.
    pub(crate) fn after(self, value: f64) -> f64 {
        if self.0 == 1.0 { value } else { EVEN + (value - EVEN) / self.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_proven_of_choices() {
        let proven = |least, most| Proven { least: Goal(least), most: Goal(most) };
        assert_eq!(proven(0, 50).or(proven(30, 100)), proven(30, 100));
        assert_eq!(proven(0, 50).and(proven(30, 100)), proven(0, 50));
        assert_eq!(proven(0, 50).both(proven(30, 100)), proven(30, 50));
        assert!(Proven::exactly(Goal(70)).is_settled());
    }

    #[test]
    fn steps_bring_values_nearer_to_the_middle() {
        let discount = Discount(0.9);
        assert!((discount.before(1.0) - 0.95).abs() < 1e-12);
        assert!((discount.before(0.0) - 0.05).abs() < 1e-12);
        assert!((discount.after(discount.before(0.3)) - 0.3).abs() < 1e-12);
        assert_eq!(Discount(1.0).before(0.1 + 0.2), 0.1 + 0.2);
        assert_eq!((sane(f64::NAN), sane(7.0)), (0.5, 0.99));
    }

    #[test]
    fn rounding_brings_no_bound_into_a_window() {
        let discount = Discount(0.97);
        let (mut above, mut below) = (0, 0);
        for number in 1..1000 {
            let bounds = (f64::from(number) / 1000.0, f64::from(number) / 1000.0 + 0.01);
            let window = (discount.after(bounds.0), discount.after(bounds.1));
            above += i32::from(discount.before(window.0) > bounds.0);
            below += i32::from(discount.before(window.1) < bounds.1);
            assert!(discount.before_in(window.0, window, bounds) <= bounds.0);
            assert!(discount.before_in(window.1, window, bounds) >= bounds.1);
            let within = (window.0 + window.1) / 2.0;
            assert_eq!(discount.before_in(within, window, bounds), discount.before(within));
        }
        assert!(above > 0 && below > 0, "rounded alone some come out inside: {above} {below}");
    }
}

//! With which windows alpha-beta is called until the value of a position is known.

/// Calls of alpha-beta for one value, at most: evaluators that contradict themselves could ask for more for ever.
const MOST_CALLS: u32 = 100;

/// Which windows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DriverKind {
    /// In the middle of what is still possible: Figure 3.
    Bisection,
    /// Around the last value, then around what was answered, in growing steps: MTD(f) as it was first described.
    Guess,
    /// A wide one around the last value, opened where that does not do: aspiration.
    Aspiration,
}

/// Finds the value of a position by calls of alpha-beta. Between two calls it can be left and taken up.
#[derive(Clone, Debug, PartialEq)]
pub struct Driver {
    kind: DriverKind,
    /// The width of a narrow window, and half the width of a wide one.
    epsilon: f64,
    width: f64,
    /// The value is within these.
    lower: f64,
    upper: f64,
    /// Where a narrow window is to be.
    aim: Option<f64>,
    step: f64,
    calls: u32,
}

impl Driver {
    /// The least and the most that anything is worth.
    const RANGE: (f64, f64) = (0.0, 1.0);

    /// One that knows nothing but maybe a value that is near: `epsilon` is the width of a narrow window, `width` half
    /// the width of a wide one.
    pub fn new(kind: DriverKind, epsilon: f64, width: f64, guess: Option<f64>) -> Self {
        let (lower, upper) = Self::RANGE;
        let aim = guess.filter(|_| kind != DriverKind::Bisection);
        Self { kind, epsilon, width, lower, upper, aim, step: 0.0, calls: 0 }
    }

    /// The next window.
    pub fn window(&self) -> (f64, f64) {
        let middle = (self.upper + self.lower) / 2.0;
        match (self.kind, self.aim) {
            (DriverKind::Aspiration, Some(aim)) => {
                // A side that was opened stays open.
                let alpha = if self.upper < Self::RANGE.1 { -1.0 } else { aim - self.width };
                let beta = if self.lower > Self::RANGE.0 { 2.0 } else { aim + self.width };
                (alpha, beta)
            }
            (DriverKind::Aspiration, None) => (-1.0, 2.0),
            (_, aim) => {
                let bound = aim.unwrap_or(middle) + self.epsilon / 2.0;
                (bound - self.epsilon, bound)
            }
        }
    }

    /// Takes the answer to the last window; the value, once it is known.
    pub fn tell(&mut self, answer: f64) -> Option<f64> {
        let (alpha, beta) = self.window();
        self.calls += 1;
        if alpha < answer && answer < beta {
            return Some(answer);
        }
        if answer < beta {
            self.upper = answer;
        } else {
            self.lower = answer;
        }
        // The answers contradict each other: tables and evaluators may.
        if self.lower > self.upper || self.calls >= MOST_CALLS {
            return Some(answer);
        }
        if self.kind == DriverKind::Guess {
            let middle = (self.upper + self.lower) / 2.0;
            let aim = if answer < beta {
                (answer - self.step).max(middle)
            } else {
                (answer + self.step).min(middle)
            };
            self.aim = Some(aim);
            self.step = (self.step * 2.0).max(self.epsilon);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fail-soft alpha-beta of a position of one value knows no more than that it is outside the window.
    fn answer(value: f64, slack: f64, (alpha, beta): (f64, f64)) -> f64 {
        if value <= alpha {
            (value + slack).min(alpha)
        } else if value >= beta {
            (value - slack).max(beta)
        } else {
            value
        }
    }

    #[test]
    fn figure_three_step_by_step() {
        // f+ = 1, f- = 0, epsilon = 0.1: b = 0.55.
        let mut driver = Driver::new(DriverKind::Bisection, 0.1, 0.0, Some(0.9));
        let near = |(one, other): (f64, f64), expected: (f64, f64)| {
            assert!((one - expected.0).abs() < 1e-12 && (other - expected.1).abs() < 1e-12, "{one} {other}");
        };
        near(driver.window(), (0.45, 0.55));
        // g = 0.4 < b: f+ = 0.4, b = 0.25.
        assert_eq!(driver.tell(0.4), None);
        near(driver.window(), (0.15, 0.25));
        // g = 0.3 >= b: f- = 0.3, b = 0.4.
        assert_eq!(driver.tell(0.3), None);
        near(driver.window(), (0.3, 0.4));
        assert_eq!(driver.tell(0.32), Some(0.32));
    }

    #[test]
    fn every_driver_finds_every_value() {
        for kind in [DriverKind::Bisection, DriverKind::Guess, DriverKind::Aspiration] {
            for guess in [None, Some(0.0), Some(0.37), Some(1.0)] {
                for slack in [0.0, 0.05, 1.0] {
                    for value in [0.0, 0.001, 0.3333, 0.5, 0.77, 1.0] {
                        let mut driver = Driver::new(kind, 0.01, 0.05, guess);
                        let mut calls = 0;
                        let found = loop {
                            calls += 1;
                            if let Some(found) = driver.tell(answer(value, slack, driver.window())) {
                                break found;
                            }
                        };
                        assert!((found - value).abs() < 1e-12, "{kind:?} {guess:?} {slack} {value}: {found}");
                        assert!(calls <= 20, "{kind:?} {guess:?} {slack} {value}: {calls}");
                    }
                }
            }
        }
    }

    #[test]
    fn contradictions_come_to_an_end() {
        for kind in [DriverKind::Bisection, DriverKind::Guess, DriverKind::Aspiration] {
            let mut driver = Driver::new(kind, 0.01, 0.05, Some(0.4));
            let mut answers = 0;
            loop {
                answers += 1;
                let (alpha, beta) = driver.window();
                // Outside of every window, now on this side and now on that.
                if driver.tell(if answers % 2 == 0 { alpha - 0.1 } else { beta + 0.1 }).is_some() {
                    break;
                }
                assert!(answers <= MOST_CALLS, "{kind:?}");
            }
        }
    }
}

//! Clocks as messages write them: whole seconds.

use std::time::Duration;

/// A clock that a message does not tell: the shortest that hosts use. One known host counts the
/// length of its messages in characters, so that rules with letters beyond ASCII arrive without
/// their end; who is early then loses little, who is late loses the move.
pub const ASSUMED_CLOCK: Duration = Duration::from_secs(1);

/// Longer clocks are cut to this, about eleven days: sums with them never overflow.
pub const LONGEST_CLOCK: Duration = Duration::from_secs(1_000_000);

/// Reads seconds; `None` if the word is no number. Fractions are taken, what is below zero is zero.
pub(crate) fn read(word: &str) -> Option<Duration> {
    let seconds: f64 = word.parse().ok()?;
    if seconds.is_nan() {
        return None;
    }
    Some(Duration::from_secs_f64(seconds.clamp(0.0, LONGEST_CLOCK.as_secs_f64())))
}

/// Writes seconds: whole ones as hosts do, others with their fraction.
pub(crate) fn write(clock: Duration) -> String {
    if clock.subsec_nanos() == 0 { clock.as_secs().to_string() } else { clock.as_secs_f64().to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_every_kind() {
        assert_eq!(read("10"), Some(Duration::from_secs(10)));
        assert_eq!(read("0.5"), Some(Duration::from_millis(500)));
        assert_eq!(read("-3"), Some(Duration::ZERO));
        assert_eq!(read("1e300"), Some(LONGEST_CLOCK));
        assert_eq!(read("inf"), Some(LONGEST_CLOCK));
        assert_eq!(read("nan"), None);
        assert_eq!(read("soon"), None);
        assert_eq!(write(Duration::from_millis(1500)), "1.5");
    }
}

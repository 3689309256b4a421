//! Who did best, by the rules of the competition.

/// The points of the first, the second, ..
pub const POINTS: [u32; 10] = [25, 18, 15, 12, 10, 8, 6, 4, 2, 1];

/// How one player did in one game, over all its levels and runs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    /// Games played.
    pub played: u32,
    /// Games won.
    pub won: u32,
    /// Scores of all games together.
    pub score: f64,
    /// Ticks of all games together.
    pub ticks: u64,
}

impl Tally {
    /// Adds a game.
    pub fn add(&mut self, won: bool, score: f64, ticks: u64) {
        self.played += 1;
        self.won += u32::from(won);
        self.score += score;
        self.ticks += ticks;
    }

    /// Adds games of another tally.
    pub fn extend(&mut self, other: &Tally) {
        self.played += other.played;
        self.won += other.won;
        self.score += other.score;
        self.ticks += other.ticks;
    }

    /// More victories first, then more points, then less time.
    fn compare(&self, other: &Tally) -> std::cmp::Ordering {
        let score = other.score.total_cmp(&self.score);
        other.won.cmp(&self.won).then(score).then(self.ticks.cmp(&other.ticks))
    }
}

/// The points of each player in one game. Those who are equal in everything share the better place.
///
/// ```
/// use video::standings::{Tally, points};
/// let tally = |won, score| Tally { played: 10, won, score, ticks: 500 };
/// assert_eq!(points(&[tally(3, 1.0), tally(5, 0.0), tally(3, 2.0)]), [15, 25, 18]);
/// ```
pub fn points(tallies: &[Tally]) -> Vec<u32> {
    let place = |tally: &Tally| tallies.iter().filter(|other| other.compare(tally).is_lt()).count();
    tallies.iter().map(|tally| POINTS.get(place(tally)).copied().unwrap_or(0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_decides_last_and_equals_share_a_place() {
        let tally = |won, score, ticks| Tally { played: 1, won, score, ticks };
        let rows = [tally(1, 5.0, 100), tally(1, 5.0, 90), tally(1, 5.0, 100), tally(0, 9.0, 1)];
        assert_eq!(points(&rows), [18, 25, 18, 12]);
        assert_eq!(points(&[tally(0, 0.0, 0); 12])[11], 25);
        let many: Vec<Tally> = (0..12).map(|won| tally(won, 0.0, 0)).collect();
        assert_eq!(points(&many), [0, 0, 1, 2, 4, 6, 8, 10, 12, 15, 18, 25]);
    }
}

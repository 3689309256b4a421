//! How strong players are, by all matches that are known: Glicko-2 (Glickman 2012). A rating period is a day (UTC) in
//! which matches began: all of them count at once, so in which order they were played or are given changes nothing.
//! Who does not play in a period is less well known after it.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use serde::Serialize;
use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, confidence_interval, glicko2_rating_period};

use crate::MatchRecord;

/// How strong a player is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rating {
    /// Who.
    pub player: String,
    /// The rating; 1500 is where everybody begins.
    pub rating: f64,
    /// The 95% confidence interval.
    pub interval: [f64; 2],
    /// Matches it rests on.
    pub matches: u64,
}

/// Milliseconds of a rating period.
const PERIOD: u64 = 24 * 3600 * 1000;

/// What a player did in a period: how it fared against others by their names, and in how many matches.
#[derive(Default)]
struct Met<'r> {
    others: Vec<(&'r str, Ordering)>,
    matches: u64,
}

/// The ratings of all who met somebody in these matches, the strongest first. The host (`chance`) is nobody.
pub fn ratings<'r>(records: impl Iterator<Item = &'r MatchRecord>) -> Vec<Rating> {
    let mut periods: BTreeMap<u64, BTreeMap<&str, Met<'_>>> = BTreeMap::new();
    for record in records.filter(|record| record.is_completed) {
        let seats = record.player_names_from_host.iter().zip(&record.goal_values);
        let seats: Vec<(&str, u8)> =
            seats.map(|(name, &goal)| (name.as_str(), goal)).filter(|(name, _)| *name != "chance").collect();
        let period = periods.entry(record.start_time / PERIOD).or_default();
        for &(name, goal) in &seats {
            let others = seats.iter().filter(|(other, _)| *other != name);
            let others: Vec<(&str, Ordering)> =
                others.map(|&(other, theirs)| (other, goal.cmp(&theirs))).collect();
            if !others.is_empty() {
                let met = period.entry(name).or_default();
                met.others.extend(others);
                met.matches += 1;
            }
        }
    }
    let mut known: BTreeMap<&str, (Glicko2Rating, u64)> = BTreeMap::new();
    for mut period in periods.into_values() {
        for name in period.keys() {
            known.entry(name).or_insert((Glicko2Rating::new(), 0));
        }
        let before = known.clone();
        for (name, (rating, matches)) in &mut known {
            let mut met = period.remove(name).unwrap_or_default();
            // Sums of the same numbers in another order differ in their last bits.
            met.others.sort_unstable();
            let met_ratings: Vec<(Glicko2Rating, Outcomes)> =
                met.others.iter().map(|(other, fared)| (before[other].0, outcome(*fared))).collect();
            *rating = glicko2_rating_period(rating, &met_ratings, &Glicko2Config::new());
            *matches += met.matches;
        }
    }
    let mut all: Vec<Rating> = known
        .into_iter()
        .map(|(player, (rating, matches))| {
            let (low, high) = confidence_interval(&rating);
            Rating { player: player.to_owned(), rating: rating.rating, interval: [low, high], matches }
        })
        .collect();
    all.sort_by(|one, two| two.rating.total_cmp(&one.rating).then_with(|| one.player.cmp(&two.player)));
    all
}

fn outcome(fared: Ordering) -> Outcomes {
    match fared {
        Ordering::Greater => Outcomes::WIN,
        Ordering::Equal => Outcomes::DRAW,
        Ordering::Less => Outcomes::LOSS,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(players: &[&str], goals: &[u8]) -> MatchRecord {
        MatchRecord {
            player_names_from_host: players.iter().map(|&name| name.to_owned()).collect(),
            goal_values: goals.to_vec(),
            is_completed: true,
            ..MatchRecord::default()
        }
    }

    #[test]
    fn who_wins_more_often_is_rated_higher_and_more_matches_are_surer() {
        let mut records = vec![record(&["a", "chance", "b"], &[100, 0, 0]); 8];
        records.push(record(&["a", "b"], &[0, 100]));
        records.push(record(&["c", "c"], &[100, 0]));
        let few = ratings(records[..2].iter());
        let all = ratings(records.iter());
        assert_eq!(all.iter().map(|rating| rating.player.as_str()).collect::<Vec<_>>(), ["a", "b"]);
        let width = |rating: &Rating| rating.interval[1] - rating.interval[0];
        assert!(all[0].rating > 1600.0 && width(&all[0]) < width(&few[0]), "{all:?} {few:?}");
        assert!(all[0].interval[0] < all[0].rating && all[0].rating < all[0].interval[1]);
        assert_eq!(all[0].matches, 9);
    }

    #[test]
    fn the_order_of_the_matches_of_a_day_changes_nothing() {
        let level = [record(&["a", "b"], &[100, 0]), record(&["a", "b"], &[0, 100])];
        let rated = ratings(level.iter());
        assert_eq!((rated[0].rating, rated[0].interval), (rated[1].rating, rated[1].interval), "{rated:?}");
        let mut records: Vec<MatchRecord> = (0..30)
            .map(|number| {
                let players = [["a", "b"], ["c", "a"], ["b", "d"]][number % 3];
                record(&players, &[(number * 7 % 101) as u8, (number * 31 % 101) as u8])
            })
            .collect();
        let in_order = ratings(records.iter());
        records.reverse();
        records.swap(3, 17);
        assert_eq!(ratings(records.iter()), in_order);
    }

    #[test]
    fn days_count_one_after_the_other_whatever_comes_first() {
        let on = |day: u64, record: MatchRecord| MatchRecord { start_time: day * PERIOD, ..record };
        let days = [on(1, record(&["a", "b"], &[100, 0])), on(2, record(&["b", "c"], &[100, 0]))];
        let rated = ratings(days.iter());
        assert_eq!(ratings(days.iter().rev()), rated);
        // Who was not there on the second day is rated as on the first, and less well known.
        let of = |rated: &[Rating], name: &str| rated.iter().find(|one| one.player == name).cloned();
        let [first, then] = [ratings(days[..1].iter()), rated].map(|rated| of(&rated, "a").expect("rated"));
        assert_eq!((first.rating, first.matches), (then.rating, then.matches));
        assert!(then.interval[0] < first.interval[0]);
    }
}

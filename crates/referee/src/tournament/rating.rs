//! How strong players are, by all matches that are known: Glicko-2 (Glickman 2012), each match a rating period of its
//! own in which everybody has met everybody else of it. Matches count in the order in which they are given, so
//! whoever asks gives them in an order that is the same every time.

use std::collections::HashMap;

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

/// The ratings of all who met somebody in these matches, the strongest first. The host (`chance`) is nobody.
pub fn ratings<'r>(records: impl Iterator<Item = &'r MatchRecord>) -> Vec<Rating> {
    let mut known: HashMap<&str, (Glicko2Rating, u64)> = HashMap::new();
    let config = Glicko2Config::new();
    for record in records.filter(|record| record.is_completed) {
        let seats = record.player_names_from_host.iter().zip(&record.goal_values);
        let seats: Vec<(&str, u8)> =
            seats.map(|(name, &goal)| (name.as_str(), goal)).filter(|(name, _)| *name != "chance").collect();
        let before: Vec<Glicko2Rating> = seats
            .iter()
            .map(|(name, _)| known.get(name).map_or_else(Glicko2Rating::new, |known| known.0))
            .collect();
        for (own, &(name, goal)) in seats.iter().enumerate() {
            let others = seats.iter().zip(&before).filter(|((other, _), _)| *other != name);
            let met: Vec<(Glicko2Rating, Outcomes)> =
                others.map(|((_, theirs), rating)| (*rating, outcome(goal, *theirs))).collect();
            if met.is_empty() {
                continue;
            }
            let after = glicko2_rating_period(&before[own], &met, &config);
            let entry = known.entry(name).or_insert((after, 0));
            *entry = (after, entry.1 + 1);
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

fn outcome(own: u8, other: u8) -> Outcomes {
    match own.cmp(&other) {
        std::cmp::Ordering::Greater => Outcomes::WIN,
        std::cmp::Ordering::Equal => Outcomes::DRAW,
        std::cmp::Ordering::Less => Outcomes::LOSS,
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
}

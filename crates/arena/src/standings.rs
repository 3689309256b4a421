//! What matches say: who scored how much against whom, game by game.

use serde::Serialize;

use crate::statistics::{EloAnswer, Share, Tally};
use crate::{Effort, MatchRecord};

/// The results of one game, or of several together.
#[derive(Clone, Debug, Default)]
pub struct Standings {
    players: Vec<String>,
    /// By player and opponent: the scores of the player.
    against: Vec<Vec<Tally>>,
    /// By player: its goals as shares of 100.
    goals: Vec<Tally>,
    effort: Vec<Effort>,
    matches: u64,
    moves: u64,
    cut: u64,
}

/// A share as it is told in JSON, in per cent.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ShareAnswer {
    /// The mean.
    pub mean: f64,
    /// Half the width of the 95% confidence interval.
    pub interval: f64,
    /// Wins, draws and losses.
    pub wins_draws_losses: [u64; 3],
    /// The same in Elo points.
    pub elo: EloAnswer,
}

impl Standings {
    /// Counts the matches of a game; of all games without one.
    pub fn count(players: &[String], game: Option<&str>, records: &[MatchRecord]) -> Self {
        let size = players.len();
        let mut standings = Self {
            players: players.to_vec(),
            against: vec![vec![Tally::default(); size]; size],
            goals: vec![Tally::default(); size],
            effort: vec![Effort::default(); size],
            matches: 0,
            moves: 0,
            cut: 0,
        };
        for record in records.iter().filter(|record| game.is_none_or(|game| game == record.key.game)) {
            standings.add(record);
        }
        standings
    }

    fn add(&mut self, record: &MatchRecord) {
        self.matches += 1;
        self.moves += record.moves.len() as u64;
        self.cut += u64::from(record.cut);
        let place = |seat: &String| self.players.iter().position(|player| player == seat);
        let seats: Vec<Option<usize>> = record.key.seats.iter().map(place).collect();
        for ((&seat, &goal), effort) in seats.iter().zip(&record.goals).zip(&record.effort) {
            let Some(player) = seat else { continue };
            self.goals[player].add(f64::from(goal) / 100.0);
            self.effort[player].add(effort);
        }
        let mut present: Vec<usize> = seats.into_iter().flatten().collect();
        present.sort_unstable();
        present.dedup();
        if let [one, two] = present[..] {
            for (player, opponent) in [(one, two), (two, one)] {
                if let Some(score) = record.score(&self.players[player]) {
                    self.against[player][opponent].add(score);
                }
            }
        }
    }

    /// The number of matches.
    pub fn matches(&self) -> u64 {
        self.matches
    }

    /// How many of them were broken off.
    pub fn cut(&self) -> u64 {
        self.cut
    }

    /// The mean number of joint moves of a match.
    pub fn mean_length(&self) -> f64 {
        self.moves as f64 / self.matches.max(1) as f64
    }

    /// A player's scores against another, by their places.
    pub fn against(&self, player: usize, opponent: usize) -> &Tally {
        &self.against[player][opponent]
    }

    /// A player's scores against all others.
    pub fn total(&self, player: usize) -> Tally {
        let mut total = Tally::default();
        self.against[player].iter().for_each(|tally| total.extend(tally));
        total
    }

    /// A player's goals, as shares of 100.
    pub fn goals(&self, player: usize) -> Option<Share> {
        self.goals[player].share()
    }

    /// How much a player thought.
    pub fn effort(&self, player: usize) -> &Effort {
        &self.effort[player]
    }
}

impl ShareAnswer {
    /// What a tally says; none without scores.
    pub fn new(tally: &Tally) -> Option<Self> {
        let share = tally.share()?;
        Some(Self {
            mean: 100.0 * share.mean,
            interval: 100.0 * share.interval,
            wins_draws_losses: tally.wins_draws_losses(),
            elo: EloAnswer::new(share),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::example;

    #[test]
    fn scores_are_told_apart_by_opponent_and_game() {
        let players = ["a", "b", "c"].map(str::to_owned);
        let records = [
            example("g", &["a", "b"], 0, &[100, 0]),
            MatchRecord { cut: true, ..example("g", &["b", "a"], 1, &[50, 50]) },
            example("g", &["c", "a"], 0, &[100, 0]),
            example("h", &["a", "b"], 0, &[0, 100]),
        ];
        let standings = Standings::count(&players, Some("g"), &records);
        assert_eq!((standings.matches(), standings.cut(), standings.mean_length()), (3, 1, 1.0));
        assert_eq!(standings.against(0, 1).share().expect("scores").mean, 0.75);
        assert_eq!(standings.total(0).wins_draws_losses(), [1, 1, 1]);
        assert_eq!(standings.goals(0).expect("goals").mean, 0.5);
        assert_eq!(standings.effort(1).simulations, 600);
        let all = Standings::count(&players, None, &records);
        assert_eq!(ShareAnswer::new(all.against(1, 0)).expect("scores").wins_draws_losses, [1, 1, 1]);
        assert_eq!(ShareAnswer::new(all.against(1, 2)), None);
    }
}

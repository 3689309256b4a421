//! What came out of many matches.

use serde::Serialize;

use crate::MatchRecord;

/// How often a player had trouble.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TroubleCounts {
    /// Answers that came too late (TO).
    pub late: u64,
    /// Answers that were no legal move (IL).
    pub illegal: u64,
    /// Requests that did not arrive (CE).
    pub unreachable: u64,
}

impl TroubleCounts {
    /// Whether there was none.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// What one player reached.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Standing {
    /// Who.
    pub player: String,
    /// Completed matches, counted once for each role played.
    pub matches: u64,
    /// The mean of the goals; none without matches.
    pub mean_goal: Option<f64>,
    /// Half the width of the 95% confidence interval of the mean; none for less than two matches.
    pub interval: Option<f64>,
    /// Matches in which no other role reached as much.
    pub first: u64,
    /// Matches in which another role reached as much, and none more.
    pub shared: u64,
    /// Trouble, in all matches.
    pub trouble: TroubleCounts,
}

/// What each of the players reached. Records name their players; those of the host are left out.
pub fn standings<'r>(
    players: &[String],
    records: impl Iterator<Item = &'r MatchRecord> + Clone,
) -> Vec<Standing> {
    let standing = |player: &String| {
        let mut goals = Vec::new();
        let mut standing = Standing {
            player: player.clone(),
            matches: 0,
            mean_goal: None,
            interval: None,
            first: 0,
            shared: 0,
            trouble: TroubleCounts::default(),
        };
        for record in records.clone() {
            let roles = record.player_names_from_host.iter().enumerate();
            for (role, _) in roles.filter(|(_, name)| *name == player) {
                standing.trouble.late += record.count_errors(role, "TO");
                standing.trouble.illegal += record.count_errors(role, "IL");
                standing.trouble.unreachable += record.count_errors(role, "CE");
                let Some(&goal) = record.goal_values.get(role) else { continue };
                goals.push(f64::from(goal));
                let others = record.goal_values.iter().enumerate().filter(|&(other, _)| other != role);
                match others.map(|(_, &goal)| goal).max() {
                    Some(best) if best == goal => standing.shared += 1,
                    Some(best) if best > goal => {}
                    Some(_) => standing.first += 1,
                    None => standing.first += u64::from(goal == 100),
                }
            }
        }
        standing.matches = goals.len() as u64;
        (standing.mean_goal, standing.interval) = mean_with_interval(&goals);
        standing
    };
    players.iter().map(standing).collect()
}

/// The mean and half the width of its 95% confidence interval, by the normal approximation.
pub(crate) fn mean_with_interval(values: &[f64]) -> (Option<f64>, Option<f64>) {
    let count = values.len() as f64;
    if values.is_empty() {
        return (None, None);
    }
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let interval = (values.len() > 1).then(|| 1.96 * (squares / (count - 1.0) / count).sqrt());
    (Some(mean), interval)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(players: [&str; 2], goals: &[u8], errors: [&str; 2]) -> MatchRecord {
        MatchRecord {
            player_names_from_host: players.map(str::to_owned).to_vec(),
            goal_values: goals.to_vec(),
            errors: vec![errors.map(str::to_owned).to_vec()],
            ..MatchRecord::default()
        }
    }

    #[test]
    fn goals_are_counted_by_player_and_not_by_role() {
        let records = [
            record(["a", "b"], &[100, 0], ["", "TO"]),
            record(["b", "a"], &[50, 50], ["IL x", ""]),
            record(["a", "b"], &[], ["", "CE"]),
        ];
        let players = ["a".to_owned(), "b".to_owned()];
        let [first, second] = &standings(&players, records.iter())[..] else { panic!("two players") };
        assert_eq!((first.matches, first.mean_goal, first.first, first.shared), (2, Some(75.0), 1, 1));
        assert!(first.trouble.is_empty());
        assert_eq!(second.trouble, TroubleCounts { late: 1, illegal: 1, unreachable: 1 });
        assert_eq!(second.mean_goal, Some(25.0));
        assert!((first.interval.unwrap() - 1.96 * 25.0).abs() < 1e-9);
    }

    #[test]
    fn without_matches_there_is_no_mean() {
        let none = standings(&["a".to_owned()], std::iter::empty());
        assert_eq!((none[0].mean_goal, none[0].interval), (None, None));
    }
}

//! Whether the roles of a game are worth the same.

use serde::Serialize;

use crate::MatchRecord;

/// What one role brought.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RoleShare {
    /// The role.
    pub role: String,
    /// The mean of its goals.
    pub mean_goal: f64,
    /// Half the width of the 95% confidence interval of the mean; none for less than two matches.
    pub interval: Option<f64>,
    /// The share of all goals that it got, 0 to 100; none if nobody got any.
    pub share: Option<f64>,
    /// Matches in which no other role reached as much.
    pub won: u64,
}

/// How fair a game was.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameFairness {
    /// The game.
    pub game: String,
    /// Completed matches.
    pub matches: u64,
    /// Matches in which no role reached more than all others.
    pub drawn: u64,
    /// Its roles, those of the host left out.
    pub roles: Vec<RoleShare>,
}

/// How fair each game was, in the order in which they come first. Roles of the host (`chance`) are left out.
pub fn fairness<'r>(records: impl Iterator<Item = &'r MatchRecord>) -> Vec<GameFairness> {
    let mut games: Vec<(&str, Vec<&MatchRecord>)> = Vec::new();
    for record in records.filter(|record| record.is_completed && !record.goal_values.is_empty()) {
        match games.iter_mut().find(|(game, _)| *game == record.game_name) {
            Some((_, known)) => known.push(record),
            None => games.push((&record.game_name, vec![record])),
        }
    }
    games.into_iter().map(|(game, records)| of_game(game, &records)).collect()
}

fn of_game(game: &str, records: &[&MatchRecord]) -> GameFairness {
    let roles = records.first().map_or(&[][..], |record| &record.game_role_names[..]);
    let is_open = |role: usize| {
        records
            .iter()
            .any(|record| record.player_names_from_host.get(role).is_some_and(|name| name != "chance"))
    };
    let open: Vec<usize> = (0..roles.len()).filter(|&role| is_open(role)).collect();
    let goal =
        |record: &MatchRecord, role: usize| f64::from(record.goal_values.get(role).copied().unwrap_or(0));
    let winner = |record: &MatchRecord| {
        let best = open.iter().map(|&role| goal(record, role)).fold(f64::MIN, f64::max);
        let mut having = open.iter().filter(|&&role| goal(record, role) == best);
        having.next().copied().filter(|_| having.next().is_none())
    };
    let all: f64 = records.iter().flat_map(|record| open.iter().map(|&role| goal(record, role))).sum();
    let share = |&role: &usize| {
        let goals: Vec<f64> = records.iter().map(|record| goal(record, role)).collect();
        let (mean, interval) = crate::standing::mean_with_interval(&goals);
        RoleShare {
            role: roles[role].clone(),
            mean_goal: mean.unwrap_or(0.0),
            interval,
            share: (all > 0.0).then(|| 100.0 * goals.iter().sum::<f64>() / all),
            won: records.iter().filter(|record| winner(record) == Some(role)).count() as u64,
        }
    };
    GameFairness {
        game: game.to_owned(),
        matches: records.len() as u64,
        drawn: records.iter().filter(|record| winner(record).is_none()).count() as u64,
        roles: open.iter().map(share).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_of_each_role() {
        let record = |goals: [u8; 3]| MatchRecord {
            game_name: "dice".to_owned(),
            game_role_names: ["first", "random", "second"].map(str::to_owned).to_vec(),
            player_names_from_host: ["a", "chance", "b"].map(str::to_owned).to_vec(),
            goal_values: goals.to_vec(),
            is_completed: true,
            ..MatchRecord::default()
        };
        let records = [record([100, 100, 0]), record([50, 0, 50]), record([90, 0, 10])];
        let [game] = &fairness(records.iter())[..] else { panic!("one game") };
        assert_eq!((game.matches, game.drawn, game.roles.len()), (3, 1, 2));
        assert_eq!(
            (game.roles[0].won, game.roles[0].share, game.roles[1].share),
            (2, Some(80.0), Some(20.0))
        );
    }
}

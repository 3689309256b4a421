//! Where a tournament stands, in numbers.

use arena::statistics::{EloAnswer, Tally};
use arena::{MatchRecord, Standings};

use super::contest::Contest;
use crate::api::{CoursePoint, GameStandings, PlayerStanding, ShareView, TournamentSummary, TournamentView};

/// Points of the course.
const POINTS: usize = 60;

pub(super) fn summary(contest: &Contest, done: usize) -> TournamentSummary {
    TournamentSummary {
        id: contest.plan.id.clone(),
        games: contest.plan.games.iter().map(|game| game.title.clone()).collect(),
        players: contest.plan.names(),
        status: contest.status().name().to_owned(),
        done,
        all: contest.all,
        created: contest.created,
    }
}

pub(super) fn view(contest: &Contest, records: &[MatchRecord], owner: bool) -> TournamentView {
    let players = contest.plan.names();
    let plan = &contest.plan;
    let of_game = |game: Option<&str>, title: &str| {
        standings(game, title, &players, &Standings::count(&players, game, records))
    };
    let mut all: Vec<GameStandings> =
        plan.games.iter().map(|game| of_game(Some(&game.name), &game.title)).collect();
    if all.len() > 1 {
        all.push(of_game(None, "All games"));
    }
    TournamentView {
        summary: summary(contest, records.len()),
        fault: contest.state.lock().fault.clone(),
        matches: plan.matches,
        openings: plan.openings,
        gauntlet: plan.gauntlet,
        seed: plan.seed,
        owner,
        standings: all,
        course: course(&players, records),
    }
}

fn standings(game: Option<&str>, title: &str, players: &[String], counted: &Standings) -> GameStandings {
    let standing = |(place, player): (usize, &String)| {
        let effort = counted.effort(place);
        let goal = counted.goals(place);
        PlayerStanding {
            player: player.clone(),
            against: (0..players.len()).map(|other| share(counted.against(place, other))).collect(),
            total: share(&counted.total(place)),
            goal: goal.map(|goal| 100.0 * goal.mean),
            goal_interval: goal.map(|goal| 100.0 * goal.interval),
            simulations_per_second: effort.simulations as f64 / effort.seconds.max(1e-9),
            longest: effort.longest,
        }
    };
    GameStandings {
        game: game.map(str::to_owned),
        title: title.to_owned(),
        matches: counted.matches(),
        mean_length: counted.mean_length(),
        cut: counted.cut(),
        players: players.iter().enumerate().map(standing).collect(),
    }
}

fn share(tally: &Tally) -> Option<ShareView> {
    let share = tally.share()?;
    let elo = EloAnswer::new(share);
    let [wins, draws, losses] = tally.wins_draws_losses();
    Some(ShareView {
        mean: 100.0 * share.mean,
        interval: 100.0 * share.interval,
        wins,
        draws,
        losses,
        elo: elo.difference,
        elo_low: elo.low,
        elo_high: elo.high,
        superiority: elo.superiority,
    })
}

/// The shares after some of the matches, evenly spread; of players without opponents the goals.
fn course(players: &[String], records: &[MatchRecord]) -> Vec<CoursePoint> {
    let points = records.len().min(POINTS);
    let point = |point: usize| {
        let matches = (point * records.len()).div_ceil(points);
        let counted = Standings::count(players, None, &records[..matches]);
        let share = |player: usize| {
            counted.total(player).share().or(counted.goals(player)).map(|share| 100.0 * share.mean)
        };
        CoursePoint { matches, shares: (0..players.len()).map(share).collect() }
    };
    (1..=points).map(point).collect()
}

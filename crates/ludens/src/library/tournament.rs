//! Tournaments: who is better, and how sure that is.

use std::sync::atomic::AtomicBool;

use arena::{Contestant, MatchRules};

use crate::game_with_machine::contestants;
use crate::{Error, Game};

/// A tournament to be played: every two players meet in every game, with roles exchanged.
#[derive(Clone, Debug)]
pub struct Tournament {
    games: Vec<Game>,
    players: Vec<Contestant>,
    matches: u64,
    seed: u64,
    jobs: usize,
}

/// How a tournament came out.
#[derive(Clone, Debug)]
pub struct Standings {
    players: Vec<String>,
    standings: arena::Standings,
}

/// A share of the points in per cent, a draw counting one half.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Share {
    /// The mean.
    pub mean: f64,
    /// Half the width of the 95% confidence interval.
    pub interval: f64,
}

impl Tournament {
    /// A tournament of 100 matches for every two players in every game.
    pub fn new(games: &[Game], players: &[&str]) -> Result<Self, Error> {
        Ok(Self { games: games.to_vec(), players: contestants(players)?, matches: 100, seed: 1, jobs: 1 })
    }

    /// So many matches for every two players in every game.
    #[must_use]
    pub fn matches(self, matches: u64) -> Self {
        Self { matches, ..self }
    }

    /// The seed of chance.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// So many matches at a time.
    #[must_use]
    pub fn jobs(self, jobs: usize) -> Self {
        Self { jobs, ..self }
    }

    /// Plays it.
    pub fn run(&self) -> Result<Standings, Error> {
        let rules = MatchRules::default();
        let grounds: Vec<_> = self.games.iter().map(|game| game.ground().clone()).collect();
        let tournament = arena::Tournament::new(&grounds, &self.players, rules, self.matches, self.seed);
        let play = |fixture: &arena::Fixture, key| {
            let seats: Vec<Contestant> =
                fixture.seats.iter().map(|&player| self.players[player].clone()).collect();
            grounds[fixture.game].play_or_cut(&seats, key, rules, &mut referee::Nobody)
        };
        let outcome = tournament.run::<arena::ArenaError>(
            None,
            self.jobs.max(1),
            &AtomicBool::new(false),
            play,
            |_| (),
        )?;
        let standings = arena::Standings::count(&tournament.players, None, &outcome.records);
        Ok(Standings { players: tournament.players, standings })
    }
}

impl Standings {
    /// The players, as they were written.
    pub fn players(&self) -> &[String] {
        &self.players
    }

    /// What a player got of all points; `None` if there is no such player or it did not play.
    pub fn share(&self, player: &str) -> Option<Share> {
        let place = self.players.iter().position(|name| name == player)?;
        let share = self.standings.total(place).share()?;
        Some(Share { mean: 100.0 * share.mean, interval: 100.0 * share.interval })
    }

    /// The matches played.
    pub fn matches(&self) -> u64 {
        self.standings.matches()
    }
}

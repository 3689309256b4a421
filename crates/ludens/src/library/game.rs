//! A game that is ready to be played.

use std::sync::Arc;
use std::time::{Duration, Instant};

use arena::{Contestant, Ground, MatchKey, MatchRules, Thinking};
use player::{Clock, Decision, Limit, Machines, Setup};

use crate::{Error, Rules};

/// How long building the machines of a game may take, and the bytes of each.
const BUILD_TIME: Duration = Duration::from_secs(60);
const BUILD_BYTES: usize = 4 << 30;

/// What a player without `@` does about a move.
pub(crate) const OTHERWISE: Thinking = Thinking::Simulations(1000);

/// A game whose machines are built: hundreds of times faster than the rules as they stand.
#[derive(Clone, Debug)]
pub struct Game {
    rules: Rules,
    ground: Ground,
}

/// A match that was played.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Played {
    /// The goals, role by role, from 0 to 100.
    pub goals: Vec<u8>,
    /// The joint moves, as the rules spell them.
    pub moves: Vec<Vec<String>>,
    /// What players did wrong.
    pub faults: Vec<String>,
}

impl Game {
    /// Builds the machines of a game; waits for the best one.
    pub fn new(rules: &Rules) -> Result<Self, Error> {
        let ground = Ground::build(rules.name(), rules.normal().clone(), BUILD_TIME, BUILD_BYTES)?;
        Ok(Self { rules: rules.clone(), ground })
    }

    /// Its rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Plays one match with a player for each role, such as `ludens@1000` (simulations a move), `ludens@0.5s` or
    /// `cadia-mast:tau=5`. With counted simulations the same seed gives the same match.
    pub fn play(&self, players: &[&str], seed: u64) -> Result<Played, Error> {
        let players = contestants(players)?;
        let seats = arena::names(&players);
        let key = MatchKey { game: self.rules.name().to_owned(), seats, round: 0, seed };
        let record = self.ground.play(&players, key, MatchRules::default(), &mut referee::Nobody)?;
        Ok(Played { goals: record.goals, moves: record.moves, faults: record.faults })
    }

    /// A player of one role, counted from 0: it answers, and is told what was played.
    pub fn player(&self, role: usize, agent: &str, seed: u64) -> Result<Player, Error> {
        let contestant = Contestant::read(agent, OTHERWISE)?;
        let begin = Instant::now();
        let clock: Clock = Arc::new(move || begin.elapsed());
        let machines =
            Machines::build(self.rules.normal().clone(), BUILD_TIME, BUILD_BYTES, Arc::clone(&clock));
        let setup =
            Setup { machines, role, agent: contestant.agent, seed, ponder: false, clock: Arc::clone(&clock) };
        let mut player = player::Player::new(setup)?;
        player.prepare(None)?;
        Ok(Player { player, clock: ClockOf(clock) })
    }

    pub(crate) fn ground(&self) -> &Ground {
        &self.ground
    }
}

/// Players as they are written.
pub(crate) fn contestants(texts: &[&str]) -> Result<Vec<Contestant>, Error> {
    texts.iter().map(|text| Contestant::read(text, OTHERWISE).map_err(Error::from)).collect()
}

/// Someone who plays one role of a match.
#[derive(Debug)]
pub struct Player {
    player: player::Player,
    clock: ClockOf,
}

struct ClockOf(Clock);

impl std::fmt::Debug for ClockOf {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("Clock")
    }
}

impl Player {
    /// The best move that is found within a time.
    pub fn choose_within(&mut self, time: Duration) -> Result<Decision, Error> {
        let until = Some((self.clock.0)() + time);
        Ok(self.player.choose(Limit { until, simulations: None })?)
    }

    /// The best move after so many simulations: the same seed gives the same move.
    pub fn choose_after(&mut self, simulations: u64) -> Result<Decision, Error> {
        Ok(self.player.choose(Limit::simulations(simulations))?)
    }

    /// Follows a joint move: one move for each role, in their order.
    pub fn advance(&mut self, joint: &[&str]) -> Result<(), Error> {
        Ok(self.player.advance(joint)?)
    }
}

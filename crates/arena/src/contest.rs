//! One match, in this process: the referee's loop, with players who think one after the other.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use game::{Describe, Dice, RoleId, RuleFault, Simulator};
use gdl::normal::NormalRules;
use machine::{Machine, Visitor};
use player::{Clock, Decision, Limit, Machines, Player, PlayerError, Setup};
use referee::{Answer, Clocks, Given, Listener, Match, MatchError, Rulebook, Settings, Step};

use crate::thought::thought_of;
use crate::{ArenaError, Contestant, Effort, Fingerprint, MatchKey, MatchRecord, Thinking};

/// A game that is ready to be played: its machines are built once for all matches.
#[derive(Clone, Debug)]
pub struct Ground {
    name: String,
    pub(crate) machines: Arc<Machines>,
    pub(crate) machine: Machine,
    pub(crate) clock: GroundClock,
    fingerprint: Fingerprint,
    longest_thought: Option<Duration>,
}

#[derive(Clone)]
pub(crate) struct GroundClock(pub(crate) Clock);

impl std::fmt::Debug for GroundClock {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("GroundClock")
    }
}

/// What matches have in common.
#[derive(Clone, Copy, Debug)]
pub struct MatchRules {
    /// How long players may prepare themselves before the first move.
    pub start: Duration,
    /// Joint moves after which a match is broken off.
    pub steps: usize,
    /// Joint moves at the beginning that are drawn: the same in matches of the same seed.
    pub opening: usize,
    /// The moves that thoughts tell of, at most: none keeps files of many matches small.
    pub told_moves: usize,
}

impl Default for MatchRules {
    fn default() -> Self {
        Self { start: Duration::ZERO, steps: 10_000, opening: 0, told_moves: 0 }
    }
}

impl Ground {
    /// Builds the machines of a game and waits for the best one.
    pub fn build(name: &str, rules: NormalRules, time: Duration, bytes: usize) -> Result<Self, ArenaError> {
        let start = Instant::now();
        let clock: Clock = Arc::new(move || start.elapsed());
        let fingerprint = Fingerprint::of_rules(&rules);
        let machines = Machines::build(rules, time, bytes, Arc::clone(&clock));
        let Some(machine) = machines.last() else {
            let why = machines.events().last().map_or_else(String::new, |event| event.what.to_string());
            return Err(ArenaError::Unplayable { game: name.to_owned(), why });
        };
        let (name, clock) = (name.to_owned(), GroundClock(clock));
        Ok(Self { name, machines, machine, clock, fingerprint, longest_thought: None })
    }

    /// Thinking times are taken by another clock than the one on the wall, such as that of the processor.
    pub fn timed_by(self, clock: Clock) -> Self {
        Self { clock: GroundClock(clock), ..self }
    }

    /// For rules of strangers: steps of a match end when the flag is set, and thoughts by simulations take no longer
    /// than this.
    pub fn bounded(self, stop: &Arc<AtomicBool>, longest_thought: Duration) -> Self {
        let machine = self.machine.stopped_by(stop);
        Self { machine, longest_thought: Some(longest_thought), ..self }
    }

    /// The game's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The fingerprint of the rules.
    pub(crate) fn fingerprint(&self) -> &Fingerprint {
        &self.fingerprint
    }

    /// The names of the roles.
    pub fn roles(&self) -> &[String] {
        self.machine.roles()
    }

    /// What it is played with.
    pub fn machine(&self) -> &'static str {
        self.machine.kind().name()
    }

    /// Plays a match with a player for each role, under the eyes of a listener. That it does not end within
    /// the limit of steps is a fault.
    pub fn play(
        &self,
        seats: &[Contestant],
        key: MatchKey,
        rules: MatchRules,
        listener: &mut dyn Listener,
    ) -> Result<MatchRecord, ArenaError> {
        let record = self.play_or_cut(seats, key, rules, listener)?;
        if record.cut {
            let fault = RuleFault::TooLong(rules.steps);
            return Err(ArenaError::Rules { game: self.name.clone(), fault });
        }
        Ok(record)
    }

    /// The same for a match among many: one that does not end is broken off at the limit of steps, and
    /// is a draw. It must not keep the others from being played, now and whenever they are gone on with.
    pub fn play_or_cut(
        &self,
        seats: &[Contestant],
        key: MatchKey,
        rules: MatchRules,
        listener: &mut dyn Listener,
    ) -> Result<MatchRecord, ArenaError> {
        self.machine.visit_fast(Contest { ground: self, seats, key, rules, listener })
    }

    fn conduct<G: Describe>(
        &self,
        game: &G,
        seats: &[Contestant],
        key: MatchKey,
        rules: MatchRules,
        listener: &mut dyn Listener,
    ) -> Result<MatchRecord, ArenaError> {
        let mut players = self.seat(seats, key.seed)?;
        let settings = self.settings(&key, seats, rules);
        let mut effort = vec![Effort::default(); seats.len()];
        let book = Rulebook::default();
        let mut current = Match::new(game, &book, settings, now()).map_err(|fault| self.called_off(fault))?;
        while let Some(step) = current.step() {
            let given = match step {
                Step::Start => self.prepare(&mut players, rules)?,
                Step::Play if current.record().moves.len() < rules.opening => self.draw(&current, key.seed),
                Step::Play => self.ask(&current, &mut players, (seats, rules), &mut effort)?,
                Step::Preview | Step::Stop | Step::Abort => Vec::new(),
            };
            current.take(given, now(), listener);
            if step == Step::Play && !current.is_over() {
                let turn = current.record().moves.len();
                let mut tell =
                    |(role, player): (usize, &mut Player)| player.advance(&current.told(turn, role));
                players.iter_mut().enumerate().try_for_each(&mut tell)?;
            }
        }
        let cut = match current.fault() {
            None => false,
            Some(MatchError::Rules(RuleFault::TooLong(_))) => true,
            Some(fault) => return Err(self.called_off(fault.clone())),
        };
        Ok(MatchRecord::new(key, current.record(), cut, effort))
    }

    fn called_off(&self, error: MatchError) -> ArenaError {
        match error {
            MatchError::Rules(fault) => ArenaError::Rules { game: self.name.clone(), fault },
            other => ArenaError::Match(other),
        }
    }

    fn settings(&self, key: &MatchKey, seats: &[Contestant], rules: MatchRules) -> Settings {
        let times = seats.iter().map(|seat| match seat.thinking {
            Thinking::Time(time) => time,
            Thinking::Simulations(_) => Duration::ZERO,
        });
        Settings {
            match_id: format!("{}.{}.{}", self.name, key.seed, key.round),
            game_name: self.name.clone(),
            players: seats.iter().map(ToString::to_string).collect(),
            human: vec![false; seats.len()],
            clocks: Clocks {
                preview: Duration::ZERO,
                start: rules.start,
                play: times.max().unwrap_or_default(),
            },
            seed: key.seed,
            longest: rules.steps,
            ..Settings::default()
        }
    }

    /// A player for each role.
    fn seat(&self, seats: &[Contestant], seed: u64) -> Result<Vec<Player>, ArenaError> {
        if seats.len() != self.roles().len() {
            return Err(ArenaError::Seats { game: self.name.clone(), roles: self.roles().len() });
        }
        let player = |(role, contestant): (usize, &Contestant)| {
            Player::new(Setup {
                machines: Arc::clone(&self.machines),
                role,
                agent: contestant.agent.clone(),
                seed: Dice::stream(seed, role as u64).bits(),
                ponder: false,
                clock: Arc::clone(&self.clock.0),
            })
        };
        Ok(seats.iter().enumerate().map(player).collect::<Result<_, _>>()?)
    }

    fn prepare(&self, players: &mut [Player], rules: MatchRules) -> Result<Vec<Given>, ArenaError> {
        if !rules.start.is_zero() {
            for player in players.iter_mut() {
                player.prepare(Some((self.clock.0)() + rules.start))?;
            }
        }
        Ok(players.iter().map(|_| Answer::Reply(protocol::READY.to_owned()).into()).collect())
    }

    /// Moves of the opening, which nobody is asked for.
    fn draw<G: Describe>(&self, current: &Match<'_, G>, seed: u64) -> Vec<Given> {
        let turn = current.record().moves.len() as u64;
        let mut dice = Dice::stream(Dice::stream(seed, OPENING).bits(), turn);
        let drawn = |role: usize| {
            if self.machine.chance() == Some(RoleId(role as u16)) {
                return Answer::Hosted.into();
            }
            let mut legal = current.legal(role);
            let at = dice.below(legal.len().max(1));
            match legal.is_empty() {
                true => Answer::Late.into(),
                false => Answer::Reply(legal.swap_remove(at)).into(),
            }
        };
        (0..self.roles().len()).map(drawn).collect()
    }

    /// The moves of all players; who has no choice is not asked.
    fn ask<G: Describe>(
        &self,
        current: &Match<'_, G>,
        players: &mut [Player],
        (seats, rules): (&[Contestant], MatchRules),
        effort: &mut [Effort],
    ) -> Result<Vec<Given>, ArenaError> {
        let choices = current.count_choices();
        let chance = self.machine.chance();
        let ask = |(role, player): (usize, &mut Player)| {
            if choices[role] == 1 {
                return Ok(Answer::Reply(current.legal(role).remove(0)).into());
            }
            if chance == Some(RoleId(role as u16)) {
                // Whoever sits there, chance is not steered.
                return Ok(Answer::Hosted.into());
            }
            let begin = (self.clock.0)();
            let chosen = player.choose(self.limit(seats[role].thinking));
            let seconds = Some((self.clock.0)().saturating_sub(begin).as_secs_f64());
            Ok(match chosen {
                Ok(decision) => {
                    effort[role].add(&effort_of(&decision));
                    let thought = Some(thought_of(&decision, rules.told_moves));
                    Given { answer: Answer::Reply(decision.text), seconds, thought }
                }
                // It is a fault of ours, and what the others played would say nothing.
                Err(error @ PlayerError::Failed(_)) => return Err(error.into()),
                Err(PlayerError::TooLate) => Given { seconds, ..Answer::Late.into() },
                Err(error) => Given { seconds, ..Answer::Unreachable(error.to_string()).into() },
            })
        };
        players.iter_mut().enumerate().map(ask).collect()
    }

    pub(crate) fn limit(&self, thinking: Thinking) -> Limit {
        match thinking {
            Thinking::Simulations(simulations) => Limit {
                until: self.longest_thought.map(|longest| (self.clock.0)() + longest),
                ..Limit::simulations(simulations)
            },
            Thinking::Time(time) => Limit::until((self.clock.0)() + time),
        }
    }
}

/// The stream of chance that openings are drawn from.
const OPENING: u64 = 0x6f70_656e;

/// A match to be played.
struct Contest<'a> {
    ground: &'a Ground,
    seats: &'a [Contestant],
    key: MatchKey,
    rules: MatchRules,
    listener: &'a mut dyn Listener,
}

impl Visitor<'_> for Contest<'_> {
    type Answer = Result<MatchRecord, ArenaError>;

    fn visit<G: Simulator + Describe + 'static>(self, game: &Arc<G>) -> Self::Answer {
        self.ground.conduct(&**game, self.seats, self.key, self.rules, self.listener)
    }
}

/// Milliseconds since 1970.
fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis() as u64)
}

fn effort_of(decision: &Decision) -> Effort {
    let seconds = decision.elapsed.as_secs_f64();
    Effort { decisions: 1, simulations: decision.simulations, seconds, longest: seconds }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::slow::{Gate, Pace, Slow};
    use referee::Nobody;

    fn ground(name: &str) -> Ground {
        build(name, bundled::find(name).expect("bundled").rules)
    }

    fn build(name: &str, text: &str) -> Ground {
        let rules = gdl::normal::read(text);
        Ground::build(name, rules, Duration::from_secs(60), 1 << 30).expect("a machine")
    }

    fn play(ground: &Ground, agents: &[&str], seed: u64) -> MatchRecord {
        let thinking = Thinking::Simulations(60);
        let seats: Vec<Contestant> =
            agents.iter().map(|agent| Contestant::read(agent, thinking).expect("an agent")).collect();
        let key = MatchKey {
            game: ground.name().to_owned(),
            seats: seats.iter().map(ToString::to_string).collect(),
            round: 0,
            seed,
        };
        ground.play(&seats, key, MatchRules::default(), &mut Nobody).expect("a match")
    }

    #[test]
    fn the_same_seed_gives_the_same_match() {
        let ground = ground("tic-tac-toe");
        let agents = ["cadia-uct", "cadia-mast"];
        let (one, two, other) =
            (play(&ground, &agents, 1), play(&ground, &agents, 1), play(&ground, &agents, 2));
        assert_eq!((&one.moves, &one.goals), (&two.moves, &two.goals));
        assert_ne!(one.moves, other.moves);
        assert!(one.faults.is_empty() && one.effort[0].simulations >= 60, "{one:?}");
    }

    #[test]
    fn openings_are_drawn_and_shared() {
        let ground = ground("tic-tac-toe");
        let play = |agent: &str, seed: u64| {
            let seats = vec![Contestant::read(agent, Thinking::Simulations(5)).expect("an agent"); 2];
            let names = seats.iter().map(ToString::to_string).collect();
            let key = MatchKey { game: "tic-tac-toe".to_owned(), seats: names, round: 0, seed };
            let rules = MatchRules { opening: 3, ..MatchRules::default() };
            ground.play(&seats, key, rules, &mut Nobody).expect("a match")
        };
        let openings: Vec<_> = (0..8).map(|seed| play("legal", seed).moves[..3].to_vec()).collect();
        assert!(openings.iter().any(|opening| *opening != openings[0]), "{openings:?}");
        // Whoever plays, the opening is the same; nobody has thought about it.
        let other = play("mc", 5);
        assert_eq!(other.moves[..3], openings[5]);
        assert!(
            other.effort.iter().map(|effort| effort.decisions).sum::<u64>() <= 9 - 3,
            "{:?}",
            other.effort
        );
    }

    #[test]
    fn thinking_beats_chance() {
        let ground = ground("connect-four-small");
        let wins = (0..10)
            .filter(|&seed| play(&ground, &["cadia-uct@400", "random"], seed).goals == [100, 0])
            .count();
        assert!(wins >= 8, "{wins} of 10");
    }

    #[test]
    fn any_number_of_roles_can_play() {
        for (name, seats) in
            [("eight-puzzle", 1), ("three-player-tic-tac-toe", 3), ("rock-paper-scissors", 2)]
        {
            let record = play(&ground(name), &vec!["cadia-uct@20"; seats], 1);
            assert_eq!((record.goals.len(), record.faults.len()), (seats, 0), "{name}");
        }
        let thinking = Thinking::Simulations(1);
        let one = Contestant::read("random", thinking).expect("an agent");
        let key = MatchKey { game: String::new(), seats: Vec::new(), round: 0, seed: 0 };
        let wrong = ground("tic-tac-toe").play(&[one], key, MatchRules::default(), &mut Nobody);
        assert!(wrong.expect_err("two are needed").to_string().contains("2 roles"));
    }

    /// A coin is thrown; who throws it would win by heads.
    const COIN: &str = "(role you) (role random) (init (left 1)) (legal you guess)
        (legal random heads) (legal random tails) (<= (next thrown) (does random heads))
        (<= (next thrown) (does random tails)) (<= (next up) (does random heads))
        (<= terminal (true thrown)) (goal you 50)
        (<= (goal random 100) (true up)) (<= (goal random 0) (not (true up)))";

    #[test]
    fn whoever_sits_there_chance_is_drawn() {
        let ground = build("coin", COIN);
        let heads = (0..40)
            .filter(|&seed| play(&ground, &["legal", "cadia-uct"], seed).moves[0][1] == "heads")
            .count();
        assert!((8..=32).contains(&heads), "{heads} of 40");
    }

    /// Two turns that come again and again, for so many roles.
    fn endless(roles: &[&str]) -> String {
        let role =
            |role: &&str| format!("(role {role})(legal {role} go)(legal {role} stay)(goal {role} 100)");
        let turns =
            "(init one)(<= (next one) (true two))(<= (next two) (true one))(<= terminal (true three))";
        roles.iter().map(role).collect::<String>() + turns
    }

    /// The thread that thinks has gone, and nobody limits the time: whoever waits must be told.
    #[test]
    fn a_player_that_panics_ends_the_match() {
        let ground = ground("tic-tac-toe");
        let game = ground.machine.lanes().expect("a circuit in lanes");
        let pace = Pace { every: 1, answers: 1, panics: true, ..Pace::default() };
        let failing = Slow::new(Arc::clone(game), pace, Gate::new());
        let machines = Machines::of(Arc::new(failing), player::MachineKind::Batch);
        let ground = Ground { machines, ..ground.clone() };
        for seat in ["cadia-uct@50", "cadia-uct@3600s"] {
            let seat = Contestant::read(seat, Thinking::Simulations(1)).expect("an agent");
            let key = MatchKey { game: String::new(), seats: Vec::new(), round: 0, seed: 1 };
            let failed = ground.play(&[seat.clone(), seat], key, MatchRules::default(), &mut Nobody);
            let failed = failed.expect_err("a panic").to_string();
            assert!(failed.contains("a fault in thinking"), "{failed}");
        }
    }

    #[test]
    fn a_match_without_an_end_is_cut() {
        let rules = MatchRules { steps: 7, ..MatchRules::default() };
        for (roles, goals) in [(&["a", "b"][..], &[50, 50][..]), (&["a"], &[0])] {
            let ground = build("endless", &endless(roles));
            let seat = Contestant::read("random", Thinking::Simulations(1)).expect("an agent");
            let seats = vec![seat; roles.len()];
            let names = vec!["random".to_owned(); roles.len()];
            let key = MatchKey { game: "endless".to_owned(), seats: names, round: 0, seed: 1 };
            let record = ground.play_or_cut(&seats, key.clone(), rules, &mut Nobody).expect("a record");
            assert!(record.cut && record.goals == goals && record.moves.len() == 7, "{record:?}");
            let line = serde_json::to_string(&record).expect("JSON");
            assert!(line.contains("\"cut\":["), "{line}");
            let read: MatchRecord = serde_json::from_str(&line).expect("the same");
            assert_eq!((read.cut, read.moves), (record.cut, record.moves));
            let alone = ground.play(&seats, key, rules, &mut Nobody).expect_err("no end");
            assert!(matches!(alone, ArenaError::Rules { fault: RuleFault::TooLong(7), .. }), "{alone}");
        }
    }
}

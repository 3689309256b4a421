//! One match, in this process: players think one after the other, a machine judges.

use std::sync::Arc;
use std::time::{Duration, Instant};

use game::{Describe, Dice, Expansion, Game, GoalReading, MoveId, RoleId, RuleFault, Simulator};
use gdl::normal::NormalRules;
use machine::{Machine, Visitor};
use player::{Clock, Decision, Limit, Machines, Player, Setup};

use crate::{ArenaError, Contestant, Effort, Fingerprint, MatchKey, MatchRecord, Thinking};

/// A game that is ready to be played: its machines are built once for all matches.
#[derive(Clone, Debug)]
pub struct Ground {
    name: String,
    machines: Arc<Machines>,
    machine: Machine,
    clock: WallClock,
    fingerprint: Fingerprint,
}

#[derive(Clone)]
struct WallClock(Clock);

impl std::fmt::Debug for WallClock {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("WallClock")
    }
}

/// What matches have in common.
#[derive(Clone, Copy, Debug)]
pub struct MatchRules {
    /// How long players may prepare themselves before the first move.
    pub start: Duration,
    /// Joint moves after which a match is broken off.
    pub steps: usize,
}

impl Default for MatchRules {
    fn default() -> Self {
        Self { start: Duration::ZERO, steps: 10_000 }
    }
}

/// A turn of a match, for those who watch.
#[derive(Debug)]
pub struct Turn<'a> {
    /// Which one it is, from 1; 0 before the first.
    pub number: usize,
    /// The names of the roles.
    pub roles: &'a [String],
    /// What each role decided; none where it had no choice.
    pub decisions: &'a [Option<Decision>],
    /// The joint move, spelt as in the rules.
    pub joint: &'a [String],
    /// What is true after it.
    pub facts: &'a [String],
    /// The goals, once the match is over.
    pub goals: Option<&'a [u8]>,
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
        Ok(Self { name: name.to_owned(), machines, machine, clock: WallClock(clock), fingerprint })
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

    /// Plays a match with a player for each role, turn by turn under the eyes of `watch`. That it does
    /// not end within the limit of steps is a fault.
    pub fn play(
        &self,
        seats: &[Contestant],
        key: MatchKey,
        rules: MatchRules,
        watch: &mut dyn FnMut(&Turn<'_>) -> Result<(), ArenaError>,
    ) -> Result<MatchRecord, ArenaError> {
        let record = self.play_or_cut(seats, key, rules, watch)?;
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
        watch: &mut dyn FnMut(&Turn<'_>) -> Result<(), ArenaError>,
    ) -> Result<MatchRecord, ArenaError> {
        self.machine.visit(Contest { ground: self, seats, key, rules, watch })
    }

    fn conduct<G: Describe>(
        &self,
        game: &G,
        seats: &[Contestant],
        key: MatchKey,
        rules: MatchRules,
        watch: &mut dyn FnMut(&Turn<'_>) -> Result<(), ArenaError>,
    ) -> Result<MatchRecord, ArenaError> {
        let faulty = |fault: RuleFault| ArenaError::Rules { game: self.name.clone(), fault };
        let mut players = self.seat(seats, key.seed, rules)?;
        let mut dice = Dice::stream(key.seed, seats.len() as u64);
        let (mut workspace, mut expansion) = (game.workspace(), Expansion::new());
        let mut state = game.initial();
        let (mut moves, mut faults) = (Vec::new(), Vec::new());
        let mut effort = vec![Effort::default(); seats.len()];
        let mut turn = Joint::default();
        let (goals, cut) = loop {
            game.expand(&mut workspace, &state, &mut expansion).map_err(faulty)?;
            let facts = game.facts(&state);
            let goals = expansion.is_terminal().then(|| goals(game, &mut workspace, &state)).transpose();
            let goals = goals.map_err(faulty)?;
            watch(&Turn {
                number: moves.len(),
                roles: game.roles(),
                decisions: &turn.decisions,
                joint: &turn.spellings,
                facts: &facts,
                goals: goals.as_deref(),
            })?;
            if let Some(goals) = goals {
                break (goals, false);
            }
            if let Some(role) = expansion.stuck_role() {
                return Err(faulty(RuleFault::NoLegalMove(role)));
            }
            if moves.len() >= rules.steps {
                break (goals_if_cut(seats.len()), true);
            }
            turn = Joint::default();
            for (role, player) in players.iter_mut().enumerate() {
                let legal = expansion.legal(RoleId(role as u16));
                let (id, decision) = if let [only] = legal {
                    (*only, None)
                } else if game.chance() == Some(RoleId(role as u16)) {
                    // Whoever sits there, chance is not steered.
                    (legal[dice.below(legal.len())], None)
                } else {
                    let decision = player.choose(self.limit(seats[role].thinking));
                    let told = decision
                        .as_ref()
                        .ok()
                        .and_then(|told| game.find_move(RoleId(role as u16), &told.text));
                    let id = told.filter(|id| legal.contains(id)).unwrap_or_else(|| {
                        let why = decision
                            .as_ref()
                            .map_or_else(ToString::to_string, |told| format!("`{}` is not legal", told.text));
                        faults.push(format!("move {} of {}: {why}", moves.len() + 1, game.roles()[role]));
                        legal[dice.below(legal.len())]
                    });
                    (id, decision.ok())
                };
                if let Some(decision) = &decision {
                    effort[role].add(&effort_of(decision));
                }
                turn.put(game, id, decision);
            }
            let texts: Vec<&str> = turn.texts.iter().map(String::as_str).collect();
            for player in &mut players {
                player.advance(&texts)?;
            }
            state = game.apply(&mut workspace, &state, &turn.ids).map_err(faulty)?;
            moves.push(std::mem::take(&mut turn.texts));
        };
        let version = env!("CARGO_PKG_VERSION").to_owned();
        Ok(MatchRecord { key, fingerprint: None, cut, goals, moves, effort, faults, version })
    }

    /// The players at the table, prepared.
    fn seat(&self, seats: &[Contestant], seed: u64, rules: MatchRules) -> Result<Vec<Player>, ArenaError> {
        if seats.len() != self.roles().len() {
            return Err(ArenaError::Seats { game: self.name.clone(), roles: self.roles().len() });
        }
        let mut players = Vec::new();
        for (role, contestant) in seats.iter().enumerate() {
            let mut player = Player::new(Setup {
                machines: Arc::clone(&self.machines),
                role,
                agent: contestant.agent.clone(),
                seed: Dice::stream(seed, role as u64).bits(),
                ponder: false,
                clock: Arc::clone(&self.clock.0),
            })?;
            if !rules.start.is_zero() {
                player.prepare(Some((self.clock.0)() + rules.start))?;
            }
            players.push(player);
        }
        Ok(players)
    }

    fn limit(&self, thinking: Thinking) -> Limit {
        match thinking {
            Thinking::Simulations(simulations) => Limit::simulations(simulations),
            Thinking::Time(time) => Limit::until((self.clock.0)() + time),
        }
    }
}

/// A match to be played.
struct Contest<'a> {
    ground: &'a Ground,
    seats: &'a [Contestant],
    key: MatchKey,
    rules: MatchRules,
    watch: &'a mut dyn FnMut(&Turn<'_>) -> Result<(), ArenaError>,
}

impl Visitor<'_> for Contest<'_> {
    type Answer = Result<MatchRecord, ArenaError>;

    fn visit<G: Simulator + Describe + 'static>(self, game: &Arc<G>) -> Self::Answer {
        self.ground.conduct(&**game, self.seats, self.key, self.rules, self.watch)
    }
}

/// A joint move in the making.
#[derive(Default)]
struct Joint {
    ids: Vec<MoveId>,
    texts: Vec<String>,
    spellings: Vec<String>,
    decisions: Vec<Option<Decision>>,
}

impl Joint {
    fn put<G: Describe>(&mut self, game: &G, id: MoveId, decision: Option<Decision>) {
        self.ids.push(id);
        self.texts.push(game.move_text(id));
        self.spellings.push(game.move_spelling(id));
        self.decisions.push(decision);
    }
}

fn effort_of(decision: &Decision) -> Effort {
    let seconds = decision.elapsed.as_secs_f64();
    Effort { decisions: 1, simulations: decision.simulations, seconds, longest: seconds }
}

fn goals<G: Game>(game: &G, workspace: &mut G::Workspace, state: &G::State) -> Result<Vec<u8>, RuleFault> {
    let mut readings: Vec<GoalReading> = Vec::new();
    game.goals(workspace, state, &mut readings)?;
    Ok(readings.into_iter().map(|reading| reading.value().0).collect())
}

/// A draw; who plays alone has reached nothing. What the rules say of a state that is not terminal
/// means nothing.
fn goals_if_cut(roles: usize) -> Vec<u8> {
    vec![if roles == 1 { 0 } else { 50 }; roles]
}

#[cfg(test)]
mod tests {
    use super::*;

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
        ground.play(&seats, key, MatchRules::default(), &mut |_| Ok(())).expect("a match")
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
        let wrong = ground("tic-tac-toe").play(&[one], key, MatchRules::default(), &mut |_| Ok(()));
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

    #[test]
    fn a_match_without_an_end_is_cut() {
        let rules = MatchRules { steps: 7, ..MatchRules::default() };
        for (roles, goals) in [(&["a", "b"][..], &[50, 50][..]), (&["a"], &[0])] {
            let ground = build("endless", &endless(roles));
            let seat = Contestant::read("random", Thinking::Simulations(1)).expect("an agent");
            let seats = vec![seat; roles.len()];
            let key = MatchKey { game: "endless".to_owned(), seats: Vec::new(), round: 0, seed: 1 };
            let record = ground.play_or_cut(&seats, key.clone(), rules, &mut |_| Ok(())).expect("a record");
            assert!(record.cut && record.goals == goals && record.moves.len() == 7, "{record:?}");
            let line = serde_json::to_string(&record).expect("JSON");
            assert!(line.contains("\"cut\":true"), "{line}");
            let read: MatchRecord = serde_json::from_str(&line).expect("the same");
            assert_eq!((read.cut, read.moves), (record.cut, record.moves));
            let alone = ground.play(&seats, key, rules, &mut |_| Ok(())).expect_err("no end");
            assert!(matches!(alone, ArenaError::Rules { fault: RuleFault::TooLong(7), .. }), "{alone}");
        }
    }
}

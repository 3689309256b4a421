//! An answer by the limit, however slow the machine is.
//!
//! What would be late is told from what is slow by calls that do not end before the answer is there:
//! whoever waits for one waits ten seconds and is found out, on a busy computer as on an idle one.

mod slow;

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use game::{Describe, Dice, Expansion, Game, MoveId, RoleId};
use machine::batch::BatchMachine;
use player::{AGENTS, AgentSpec, Clock, Limit, MachineKind, Machines, Player, PlayerError, Setup};
use proptest::prelude::*;

use crate::slow::{Gate, Pace, Slow};

/// Wide, as computers are busy at times; narrow beside a call that hangs.
const TOLERANCE: Duration = Duration::from_secs(2);

/// A game on a machine that is not slow.
fn truth(name: &str) -> Arc<BatchMachine> {
    let text = bundled::find(name).expect("a bundled game").rules;
    let rules = gdl::normal::read(text);
    let machine = Machines::build(rules, Duration::from_secs(60), 1 << 30, clock()).last();
    Arc::clone(machine.expect("a machine").lanes().expect("small enough for lanes"))
}

/// Small games: in turn with a long history, in turn with a short one, all at once.
fn games() -> &'static [Arc<BatchMachine>] {
    static GAMES: OnceLock<Vec<Arc<BatchMachine>>> = OnceLock::new();
    GAMES.get_or_init(|| ["connect-four-small", "tic-tac-toe", "rock-paper-scissors"].map(truth).to_vec())
}

fn clock() -> Clock {
    let start = Instant::now();
    Arc::new(move || start.elapsed())
}

/// A part of a match.
#[derive(Clone, Debug)]
struct Case {
    game: usize,
    role: usize,
    agent: String,
    ponder: bool,
    pace: Pace,
    /// Milliseconds to prepare, if any.
    start: Option<u64>,
    /// Moves made before anybody thinks.
    before: usize,
    /// Milliseconds of each turn.
    turns: Vec<u64>,
    seed: u64,
}

fn case(everything: bool, least: u64) -> impl Strategy<Value = Case> {
    let agent = (0..AGENTS.len(), 1..=3u32).prop_map(|(agent, threads)| {
        let agent = &AGENTS[agent];
        let with_threads = format!("{}:threads={threads}", agent.name);
        if with_threads.parse::<AgentSpec>().is_ok() { with_threads } else { agent.name.to_owned() }
    });
    let pace =
        (0..4u64, 1..40usize, 1..=3usize, any::<u64>()).prop_map(move |(delay, every, answers, seed)| Pace {
            delay: Duration::from_millis(delay),
            every,
            answers,
            everything,
            seed,
            panics: false,
        });
    let turns = prop::collection::vec(least..least + 60, 3..7);
    let rest = (prop::option::of(0..50u64), 0..10usize, turns, any::<u64>());
    (0..games().len(), 0..2usize, agent, any::<bool>(), pace, rest).prop_map(
        |(game, role, agent, ponder, pace, (start, before, turns, seed))| Case {
            game,
            role,
            agent,
            ponder,
            pace,
            start,
            before,
            turns,
            seed,
        },
    )
}

/// The match as the host sees it.
struct Host {
    game: Arc<BatchMachine>,
    state: <BatchMachine as Game>::State,
    expansion: Expansion,
    dice: Dice,
}

impl Host {
    fn new(game: &Arc<BatchMachine>, seed: u64) -> Self {
        let (game, state) = (Arc::clone(game), game.initial());
        let mut host = Self { game, state, expansion: Expansion::new(), dice: Dice::new(seed) };
        host.look();
        host
    }

    fn look(&mut self) {
        let mut workspace = self.game.workspace();
        self.game.expand(&mut workspace, &self.state, &mut self.expansion).expect("no fault");
    }

    /// Makes a move of one role and any of the others; their texts.
    fn make(&mut self, own: Option<(usize, MoveId)>) -> Vec<String> {
        let dice = &mut self.dice;
        let any = |legal: &[MoveId], dice: &mut Dice| legal[dice.below(legal.len())];
        let mut joint: Vec<MoveId> = self.expansion.by_role().map(|legal| any(legal, dice)).collect();
        if let Some((role, id)) = own {
            joint[role] = id;
        }
        self.state = self.game.apply(&mut self.game.workspace(), &self.state, &joint).expect("no fault");
        self.look();
        joint.iter().map(|&id| self.game.move_text(id)).collect()
    }
}

/// Plays a part of a match; how many calls hung, or what went wrong.
fn play(case: &Case) -> Result<usize, TestCaseError> {
    let game = &games()[case.game];
    let gate = Gate::new();
    let slow = Arc::new(Slow::new(Arc::clone(game), case.pace, Arc::clone(&gate)));
    let clock = clock();
    let mut player = Player::new(Setup {
        machines: Machines::of(slow, MachineKind::Reference),
        role: case.role,
        agent: case.agent.parse().expect("an agent"),
        seed: case.seed,
        ponder: case.ponder,
        clock: Arc::clone(&clock),
    })
    .expect("a thread");
    let mut host = Host::new(game, case.seed);
    let outcome = turns(case, &mut player, &mut host, &gate, &clock);
    // The player's threads end only when their calls do.
    gate.open();
    drop(player);
    outcome.map(|()| gate.hung())
}

fn turns(
    case: &Case,
    player: &mut Player,
    host: &mut Host,
    gate: &Gate,
    clock: &Clock,
) -> Result<(), TestCaseError> {
    let in_time = |until: Duration| {
        let late = clock().saturating_sub(until);
        gate.answered();
        prop_assert!(late < TOLERANCE, "{:?} late", late);
        prop_assert_eq!((gate.waited_for(), gate.by_caller()), (0, 0));
        Ok(())
    };
    if let Some(start) = case.start {
        let until = clock() + Duration::from_millis(start);
        prop_assert_eq!(player.prepare(Some(until)), Ok(()));
        in_time(until)?;
    }
    for _ in 0..case.before {
        let before = host.state.clone();
        let joint = host.make(None);
        if host.expansion.is_terminal() {
            host.state = before;
            host.look();
            break;
        }
        player.advance(&joint).expect("legal moves");
    }
    for &turn in &case.turns {
        let until = clock() + Duration::from_millis(turn);
        let answer = player.choose(Limit::until(until));
        in_time(until)?;
        let role = RoleId(case.role as u16);
        let own = match answer {
            Ok(decision) => {
                let id = host.game.find_move(role, &decision.text);
                let id = id.filter(|id| host.expansion.legal(role).contains(id));
                prop_assert!(id.is_some(), "{} is not legal", decision.text);
                id
            }
            Err(PlayerError::TooLate) if case.pace.everything => None,
            Err(error) => return Err(TestCaseError::fail(error.to_string())),
        };
        let joint = host.make(own.map(|id| (case.role, id)));
        player.advance(&joint).expect("legal moves");
        if host.expansion.is_terminal() {
            break;
        }
    }
    Ok(())
}

/// A smaller case is no clearer, and every try takes the time of a match.
fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, max_shrink_iters: 0, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config(24))]

    /// Whatever call hangs, the caller has its answer by the limit, if only that there is none.
    #[test]
    fn nothing_holds_an_answer_up(case in case(true, 5)) {
        play(&case)?;
    }

    /// If the way to a position is not blocked there is a move, and a legal one, though every thought is.
    #[test]
    fn there_is_a_legal_move_however_slow_thinking_is(case in case(false, 120)) {
        play(&case)?;
    }
}

/// Else the properties would say nothing.
#[test]
fn calls_do_hang() {
    let pace = Pace { every: 1, answers: 2, seed: 1, ..Pace::default() };
    let case = Case {
        game: 0,
        role: 0,
        agent: "ludens".to_owned(),
        ponder: true,
        pace,
        start: Some(20),
        before: 4,
        turns: vec![200; 4],
        seed: 1,
    };
    let hung = play(&case).expect("answers in time");
    assert!(hung > 0);
}

/// A panic in a thread of the player is told to whoever waits, however long that would be, and the match
/// goes on with any legal moves.
#[test]
fn a_panic_is_told_and_the_match_goes_on() {
    for limit in [Limit::simulations(50), Limit::until(Duration::from_secs(3600))] {
        let pace = Pace { every: 1, answers: 1, panics: true, ..Pace::default() };
        let slow = Arc::new(Slow::new(Arc::clone(&games()[1]), pace, Gate::new()));
        let (machines, agent) = (Machines::of(slow, MachineKind::Reference), "mc".parse().expect("an agent"));
        let setup = Setup { machines, role: 0, agent, seed: 1, ponder: true, clock: clock() };
        let mut player = Player::new(setup).expect("a thread");
        let failed = player.choose(limit).expect_err("a panic");
        assert_eq!(failed, PlayerError::Failed("a fault in thinking".to_owned()));
        let first = player.choose(limit).expect("any move").text;
        assert!(first.starts_with("(mark "), "{first}");
        player.advance(&[first.as_str(), "noop"]).expect("legal moves");
        assert_eq!(player.choose(limit).expect("any move").text, "noop");
    }
}

//! Whole matches between agents, on real machines.

use std::sync::Arc;
use std::time::{Duration, Instant};

use game::{Describe, Expansion, Game, MoveId, RoleId};
use player::{AGENTS, AgentSpec, Clock, Followed, Limit, Machines, Player, PlayerError, Setup, Told};

fn clock() -> Clock {
    let start = Instant::now();
    Arc::new(move || start.elapsed())
}

fn machines(name: &str, clock: &Clock) -> Arc<Machines> {
    machines_of(bundled::find(name).expect("a bundled game").rules, clock)
}

fn machines_of(text: &str, clock: &Clock) -> Arc<Machines> {
    let rules = gdl::normal::read(text);
    Machines::build(rules, Duration::from_secs(60), 1 << 30, Arc::clone(clock))
}

fn player(machines: &Arc<Machines>, role: usize, agent: &str, clock: &Clock, ponder: bool) -> Player {
    let setup = Setup {
        machines: Arc::clone(machines),
        role,
        agent: agent.parse().expect("an agent"),
        seed: role as u64,
        ponder,
        clock: Arc::clone(clock),
    };
    let mut player = Player::new(setup).expect("a thread");
    player.prepare(None).expect("it can be played");
    player
}

/// Plays a match of a bundled game; the moves made and the goals.
fn play(
    name: &str,
    agents: &[&str],
    limit: impl Fn(&Clock) -> Limit,
    ponder: bool,
) -> (Vec<Vec<String>>, Vec<u8>) {
    play_by(bundled::find(name).expect("a bundled game").rules, agents, limit, ponder)
}

/// Plays a match by rules, under a host to whom the case of letters matters.
fn play_by(
    text: &str,
    agents: &[&str],
    limit: impl Fn(&Clock) -> Limit,
    ponder: bool,
) -> (Vec<Vec<String>>, Vec<u8>) {
    let clock = clock();
    let machines = machines_of(text, &clock);
    let last = machines.last().expect("a machine");
    let truth = Arc::clone(last.lanes().expect("small enough for lanes").machine());
    let mut players: Vec<Player> = agents
        .iter()
        .enumerate()
        .map(|(role, agent)| player(&machines, role, agent, &clock, ponder))
        .collect();
    let mut workspace = truth.workspace();
    let mut state = truth.initial();
    let mut expansion = Expansion::new();
    let mut moves = Vec::new();
    loop {
        truth.expand(&mut workspace, &state, &mut expansion).expect("it can be expanded");
        if expansion.is_terminal() {
            break;
        }
        let joint: Vec<String> = players
            .iter_mut()
            .map(|player| player.choose(limit(&clock)).expect("there is a move").spelling)
            .collect();
        let ids: Vec<_> = joint
            .iter()
            .enumerate()
            .map(|(role, text)| {
                let role = RoleId(role as u16);
                let spelled = |id: &&MoveId| truth.move_spelling(**id) == *text;
                let id = expansion.legal(role).iter().find(spelled);
                *id.unwrap_or_else(|| panic!("`{text}` is not the spelling of a legal move"))
            })
            .collect();
        state = truth.apply(&mut workspace, &state, &ids).expect("it can be played");
        players.iter_mut().for_each(|player| player.advance(&joint).expect("it can be followed"));
        moves.push(joint);
    }
    for player in &mut players {
        assert_eq!(player.choose(Limit::simulations(1)), Err(PlayerError::Over));
    }
    let mut goals = Vec::new();
    truth.goals(&mut workspace, &state, &mut goals).expect("there are goals");
    (moves, goals.iter().map(|goal| goal.value().0).collect())
}

#[test]
fn every_agent_plays_games_of_every_kind() {
    for agent in AGENTS {
        for (name, roles) in [
            ("connect-four-small", 2),
            ("rock-paper-scissors", 2),
            ("three-player-tic-tac-toe", 3),
            ("hanoi", 1),
        ] {
            let agents = vec![agent.name; roles];
            let (moves, _) = play(name, &agents, |_| Limit::simulations(20), false);
            assert!(!moves.is_empty(), "{name}");
        }
    }
}

/// Two say a word in turn, three times.
const LOUD: &str = "(role xPlayer) (role OPlayer) (init (turn xPlayer)) (init (left 3))
    (succ 0 1) (succ 1 2) (succ 2 3) (word Yes) (word nO)
    (<= (legal ?r (sayWord ?w)) (true (turn ?r)) (word ?w))
    (<= (legal ?r NoOp) (role ?r) (not (true (turn ?r))))
    (<= (next (turn OPlayer)) (true (turn xPlayer))) (<= (next (turn xPlayer)) (true (turn OPlayer)))
    (<= (next (left ?m)) (true (left ?n)) (succ ?m ?n))
    (<= (next (said ?r ?w)) (does ?r (sayWord ?w))) (<= (next (said ?r ?w)) (true (said ?r ?w)))
    (<= terminal (true (left 0)))
    (<= (goal ?r 100) (true (said ?r Yes))) (<= (goal ?r 0) (role ?r) (not (true (said ?r Yes))))";

#[test]
fn moves_leave_in_the_spelling_of_the_rules() {
    for agent in AGENTS {
        let (moves, goals) = play_by(LOUD, &[agent.name; 2], |_| Limit::simulations(20), false);
        assert_eq!((moves.len(), goals.len()), (3, 2));
        let words = ["(sayWord Yes)", "(sayWord nO)"];
        for (turn, joint) in moves.iter().enumerate() {
            assert!(words.contains(&&*joint[turn % 2]) && joint[1 - turn % 2] == "NoOp", "{joint:?}");
        }
    }
}

#[test]
fn many_moves_and_many_roles_need_no_special_treatment() {
    let (moves, _) = play("big-choice", &["ludens", "random"], |_| Limit::simulations(40), false);
    assert!(!moves.is_empty());
    let (moves, goals) = play("chinese-checkers-six", &["ludens"; 6], |_| Limit::simulations(2), false);
    assert!(!moves.is_empty() && goals.len() == 6);
}

#[test]
fn limits_by_simulations_repeat_a_match() {
    for agent in ["cadia-mast", "ludens"] {
        let once = play("breakthrough", &[agent, "mc"], |_| Limit::simulations(30), false);
        let again = play("breakthrough", &[agent, "mc"], |_| Limit::simulations(30), false);
        assert_eq!(once, again);
    }
}

#[test]
fn thinking_beats_chance() {
    let (_, goals) = play("connect-four", &["random", "ludens"], |_| Limit::simulations(300), false);
    assert_eq!(goals, [0, 100]);
}

#[test]
fn pondering_and_clocks_go_together() {
    let limit = |clock: &Clock| Limit::until(clock() + Duration::from_millis(50));
    let (moves, _) = play("tic-tac-toe", &["ludens", "cadia-uct"], limit, true);
    assert!((5..=9).contains(&moves.len()));
}

/// Whether the tree grows after a move by more than what is asked for: a simulation makes a node at most.
/// One is asked for again and again, as often as it takes to find that others' time is used.
fn thought_on_others_time(ponder: bool, tries: usize) -> bool {
    let clock = clock();
    let machines = machines("connect-four", &clock);
    let mut player = player(&machines, 0, "ludens", &clock, ponder);
    let first = player.choose(Limit::simulations(100)).expect("a move");
    let mut asked_for = first.simulations;
    player.advance(&[first.text.as_str(), "noop"]).expect("it can be followed");
    (0..tries).any(|_| {
        std::thread::sleep(Duration::from_millis(10));
        let decision = player.choose(Limit::simulations(1)).expect("a move");
        asked_for += decision.simulations;
        decision.nodes as u64 > asked_for + 1000
    })
}

#[test]
fn pondering_thinks_on_others_time() {
    assert!(thought_on_others_time(true, 1000));
    assert!(!thought_on_others_time(false, 20));
}

/// On the plain reasoner a playout of this game takes seconds: an answer that waits for one is far
/// too late. The bound is wide, as a test must not depend on how busy a machine is.
#[test]
fn a_slow_machine_still_answers() {
    let clock = clock();
    let text = bundled::find("amazons").expect("a bundled game").rules;
    let rules = gdl::normal::read(text);
    let machines = Machines::build(rules, Duration::ZERO, 1 << 30, Arc::clone(&clock));
    for ponder in [false, true] {
        let mut player = player(&machines, 0, "ludens", &clock, ponder);
        let begun = clock();
        let decision = player.choose(Limit::until(begun + Duration::from_millis(1500))).expect("a move");
        assert!(clock() - begun < Duration::from_secs(4), "{:?}", clock() - begun);
        assert_eq!(decision.machine, player::MachineKind::Reference);
        player.advance(&[decision.text.as_str(), "noop"]).expect("it can be followed");
        let begun = clock();
        drop(player);
        assert!(clock() - begun < Duration::from_secs(4), "{:?}", clock() - begun);
    }
}

#[test]
fn unknown_moves_are_refused_and_nothing_is_lost() {
    let clock = clock();
    let machines = machines("tic-tac-toe", &clock);
    let mut player = player(&machines, 0, "ludens", &clock, false);
    assert!(matches!(player.advance(&["(mark 9 9)", "noop"]), Err(PlayerError::UnknownMoves(_))));
    assert!(matches!(player.advance(&["(mark 1 1)"]), Err(PlayerError::UnknownMoves(_))));
    player.advance(&["( MARK 1 1 )", "NOOP"]).expect("known moves");
    let decision = player.choose(Limit::simulations(10)).expect("a move");
    assert_eq!(decision.text, "noop");
}

#[test]
fn the_default_agent_is_ours() {
    assert_eq!(AgentSpec::default().to_string(), "ludens");
}

#[test]
fn what_a_host_says_is_followed() {
    let clock = clock();
    let machines = machines("tic-tac-toe", &clock);
    let mut player = player(&machines, 0, "random", &clock, false);
    let told = |x: &str, o: &str| Told::Moves { joint: vec![x.to_owned(), o.to_owned()], turn: None };
    assert_eq!(player.follow(Told::Nothing), Followed::Here);
    player.answered("(mark 1 1)");
    assert_eq!(player.follow(Told::Nothing), Followed::Again("(mark 1 1)".to_owned()));
    // The answer comes back in another spelling.
    assert_eq!(player.follow(told("( MARK 1 1 )", "NOOP")), Followed::Made);
    player.answered("noop");
    assert_eq!(player.follow(told("( MARK 1 1 )", "NOOP")), Followed::Again("noop".to_owned()));
    player.answered("noop");
    assert_eq!(player.follow(told("noop", "(mark 2 2)")), Followed::Made);
    player.answered("(mark 1 2)");
    assert_eq!(player.follow(told("(mark 1 3)", "noop")), Followed::Replaced);
    player.answered("noop");
    // The turn of o was never told of.
    assert_eq!(player.follow(told("(mark 3 3)", "noop")), Followed::Guessed);
    assert_eq!(player.moves_made(), 5);
    for joint in [told("dance", "sing"), told("noop", "(mark 1 1)")] {
        assert_eq!(player.follow(joint), Followed::Impossible);
    }
    assert_eq!(player.follow(Told::Unclear), Followed::Here);
    assert_eq!(player.moves_made(), 5);
    let legal = player.legal_move(Duration::MAX).expect("a move").spelling;
    assert_eq!(legal, "noop");
    assert_eq!(player.choose(Limit::simulations(1)).expect("a move").text, "noop");
}

/// Who thought of the first move, and how many simulations that took.
fn first_thought(name: &str, agent: &str) -> (&'static str, u64) {
    let clock = clock();
    let mut player = player(&machines(name, &clock), 0, agent, &clock, false);
    let decision = player.choose(Limit::simulations(300)).expect("there is a move");
    (decision.engine, decision.simulations)
}

#[test]
fn games_of_parts_have_a_tree_for_each() {
    let (engine, simulations) = first_thought("twin-tic-tac-toe", "ludens");
    assert_eq!(engine, "parts");
    assert!(simulations >= 300, "{simulations}");
    let (_, shared) = first_thought("twin-tic-tac-toe", "ludens:threads=2");
    assert!(shared >= 300, "{shared}");
    assert_eq!(first_thought("twin-tic-tac-toe", "ludens:parts=false").0, "mcts");
    assert_eq!(first_thought("tic-tac-toe", "ludens").0, "mcts");
    // A match between both kinds goes to its end, each move legal.
    let (moves, goals) =
        play("twin-breakthrough", &["ludens", "ludens:parts=false"], |_| Limit::simulations(60), false);
    assert!(moves.len() > 2 && goals.iter().map(|&goal| u32::from(goal)).sum::<u32>() == 100, "{goals:?}");
}

/// A part that seemed to be over goes on late in the match: from when that shows the game is searched with one tree.
#[test]
fn parts_that_turn_out_to_go_on_are_searched_together() {
    let clock = clock();
    let machines = machines_of(include_str!("../../parts/tests/late.kif"), &clock);
    let mut players: Vec<Player> =
        (0..2).map(|role| player(&machines, role, "ludens", &clock, false)).collect();
    let mut engines = Vec::new();
    for _ in 0..30 {
        let decisions: Vec<_> =
            players.iter_mut().map(|player| player.choose(Limit::simulations(20)).expect("a move")).collect();
        let joint: Vec<String> = decisions.iter().map(|decision| decision.text.clone()).collect();
        engines.push(decisions[0].engine);
        players.iter_mut().for_each(|player| player.advance(&joint).expect("it can be followed"));
    }
    let together = engines.iter().position(|engine| *engine == "mcts").expect("it showed");
    assert!((1..=21).contains(&together), "{engines:?}");
    assert!(engines[..together].iter().all(|engine| *engine == "parts"), "{engines:?}");
    assert!(engines[together..].iter().all(|engine| *engine == "mcts"), "{engines:?}");
}

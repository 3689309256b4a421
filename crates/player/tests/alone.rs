//! Agents of the papers where nobody else plays.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use engine::{Budget, Decision, Engine};
use game::RoleId;
use machine::Machine;
use player::{AgentSpec, Clock, Machines};

/// A clock that goes on with every look at it.
fn counting() -> Clock {
    let looks = AtomicU64::new(0);
    Arc::new(move || Duration::from_micros(looks.fetch_add(1, Ordering::Relaxed)))
}

fn machine(rules: &str) -> Machine {
    let begin = Instant::now();
    let clock: Clock = Arc::new(move || begin.elapsed());
    let machines = Machines::build(gdl::normal::read(rules), Duration::from_secs(60), 1 << 30, clock);
    machines.last().expect("a machine")
}

fn bundled_machine(name: &str) -> Machine {
    machine(bundled::find(name).expect("a bundled game").rules)
}

struct Match {
    engine: Box<dyn Engine>,
    clock: Clock,
}

impl Match {
    fn new(machine: &Machine, agent: &str) -> Self {
        let agent: AgentSpec = agent.parse().expect("an agent");
        let clock = counting();
        let made = agent.make(machine, &[], 1, &clock).expect("an engine");
        Self { engine: made.engine, clock }
    }

    /// A turn of some looks at the clock.
    fn think(&mut self, looks: u64) {
        self.engine.begin_turn();
        let until = (self.clock)() + Duration::from_micros(looks);
        let clock = Arc::clone(&self.clock);
        self.engine.think(&Budget::until(&|| clock(), until)).expect("rules without faults");
    }

    /// A turn of some simulations.
    fn simulate(&mut self, simulations: u64) {
        self.engine.begin_turn();
        self.engine.think(&Budget::simulations(simulations)).expect("rules without faults");
    }

    fn decide(&mut self) -> Decision {
        self.engine.decide(RoleId(0)).expect("rules without faults").expect("a move")
    }

    fn advance(&mut self, text: &str) {
        assert!(self.engine.advance(&[text.to_owned()]).expect("rules without faults"));
    }
}

/// A score of 40 is near; 100 takes nine moves through doors of which only the last one leads on.
const FAR: &str = "(role you) (init (at 0)) (door a) (door b) (door c)
    (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8) (succ 8 9)
    (<= (legal you (take ?d)) (door ?d) (not (true lost))) (<= (legal you (take a)) (true lost))
    (legal you leave)
    (<= (next (at ?n)) (true (at ?m)) (succ ?m ?n) (does you (take c)))
    (<= (next lost) (does you (take a))) (<= (next lost) (does you (take b))) (<= (next lost) (true lost))
    (<= (next gone) (does you leave)) (<= terminal (true gone)) (<= terminal (true (at 9)))
    (<= (goal you 100) (true (at 9))) (<= (goal you 40) (true gone))
    (<= (goal you 0) (not (true gone)) (not (true (at 9))))";

#[test]
fn cadia_solves_before_the_first_move_and_follows() {
    let machine = bundled_machine("buttons");
    for agent in ["cadia-uct", "cadia-mast"] {
        let mut game = Match::new(&machine, agent);
        game.think(20_000);
        let mut moves = 0;
        while let Some(decision) = game.engine.decide(RoleId(0)).expect("rules without faults") {
            assert_eq!((decision.engine, decision.value, decision.proven), ("cadia", Some(100.0), true));
            game.advance(&decision.text);
            game.think(10);
            moves += 1;
        }
        assert_eq!(moves, 6);
    }
}

#[test]
fn cadia_with_a_partial_solution_goes_on_in_play() {
    let mut game = Match::new(&machine(FAR), "cadia-uct");
    game.think(10);
    let first = game.decide();
    assert_eq!((first.value, first.proven), (Some(40.0), false));
    game.think(20_000);
    let better = game.decide();
    assert_eq!((better.engine, better.value, &*better.text), ("cadia", Some(100.0), "(take c)"));
    // The line is kept from move to move.
    game.advance("(take c)");
    assert_eq!(game.decide().value, Some(100.0));
    // Off the line tree search plays.
    game.advance("(take a)");
    game.simulate(50);
    assert_eq!(game.decide().engine, "mcts");
}

#[test]
fn cadia_without_a_solution_plays_by_tree_search() {
    let mut game = Match::new(&bundled_machine("eight-puzzle"), "cadia-mast");
    game.think(200);
    game.simulate(60);
    let decision = game.decide();
    assert_eq!(decision.engine, "mcts");
    assert!(decision.simulations >= 60 && !decision.unthought, "{decision:?}");
    // Without a start clock IDA* has half of the first turn.
    let mut game = Match::new(&bundled_machine("eight-puzzle"), "cadia-mast");
    game.simulate(100);
    let decision = game.decide();
    assert_eq!(decision.engine, "mcts");
    assert!((90..=164).contains(&decision.simulations), "{}", decision.simulations);
}

#[test]
fn mini_player_does_not_follow_lines_that_score_nothing() {
    let machine = bundled_machine("untwisty-corridor");
    let mut game = Match::new(&machine, "mini-puzzle");
    game.simulate(40);
    let decision = game.decide();
    assert_eq!((decision.engine, decision.simulations), ("mini", 40));
    assert!(decision.line.is_empty() && !decision.proven, "{decision:?}");
    assert_eq!(decision.value, Some(0.0));
    let visits: u32 = decision.moves.iter().map(|thought| thought.visits).sum();
    assert_eq!(visits, 40);
    // The tree is kept.
    let of_move = decision.moves.iter().find(|thought| thought.text == decision.text).expect("the move");
    let (visits, nodes) = (of_move.visits, decision.nodes);
    game.advance(&decision.text);
    let next = game.decide();
    assert!(next.nodes >= nodes);
    // States that are reached by several doors count for each of them.
    assert!(next.moves.iter().map(|thought| thought.visits).sum::<u32>() >= visits - 1);
}

#[test]
fn parameters_reach_mini_player() {
    let machine = bundled_machine("hunter");
    let visits = |agent: &str| {
        let mut game = Match::new(&machine, agent);
        game.simulate(300);
        game.decide().moves.iter().map(|thought| thought.visits).collect::<Vec<_>>()
    };
    assert_ne!(visits("mini-puzzle:mini_exploration=0"), visits("mini-puzzle:mini_exploration=1000"));
    assert_eq!(visits("mini-puzzle"), visits("mini-puzzle:mini_exploration=100,table=levels"));
    let mut game = Match::new(&machine, "mini-puzzle:threads=3");
    game.simulate(3_000);
    assert_eq!(game.decide().value, Some(87.0));
}

//! The recipes of docs/recipes, followed: a policy, an engine, an agent and a parameter that are no part of
//! the project are added through the registry, and play.

use std::sync::Arc;
use std::time::{Duration, Instant};

use engine::{
    AgentRow, Budget, Decision, Demand, Engine, EngineRow, Event, Registry, Settings, Stop, Typed, Value,
    find_moves, replay,
};
use game::{Describe, Expansion, Game, MoveId, MoveRecord, MoveWorth, RoleId, RuleFault, Sampler};
use machine::{ErasedGame, ErasedState, Machine, MachineKind};
use player::{AgentSpec, Clock, Limit, Machines, Player, Setup, engines};
use search::mcts::policy::{Guide, Needs, Policies, Policy, PolicyRow, Sequence, Style, StyleWeights};

// add-a-policy.md: the move made last in a simulation that was won, or any.

static FAITH: Typed<f64> =
    Typed::<f64>::real("faith", 0.9, 0.0, 1.0, "", "how often the move that won last is made");

const LAST_WINNER: PolicyRow = PolicyRow {
    name: "last-winner",
    help: "the moves of the last simulation that was won",
    source: "",
    parameters: || vec![FAITH.row()],
    make: |settings| {
        Box::new(LastWinner { worth: Arc::new(MoveWorth::new(0.0)), epsilon: 1.0 - settings.of(&FAITH) })
    },
};

#[derive(Debug)]
struct LastWinner {
    worth: Arc<MoveWorth>,
    epsilon: f64,
}

impl Policy for LastWinner {
    fn needs(&self) -> Needs {
        Needs { sequences: true, ..Needs::default() }
    }

    fn learn_playouts(&mut self, _: &MoveRecord) {}

    fn learn_move(&mut self, _: RoleId, _: MoveId, _: u32, _: f64) {}

    fn learn_sequence(&mut self, sequence: &Sequence<'_>) {
        let worth = Arc::make_mut(&mut self.worth);
        for joint in sequence.joints() {
            for ((role, &id), goal) in (0..).map(RoleId).zip(joint).zip(sequence.goals) {
                worth.set(role, id, f32::from(goal.0));
            }
        }
    }

    fn guide(&mut self) -> Guide {
        Guide::None
    }

    fn style(&mut self) -> Style {
        Style {
            weights: StyleWeights::ByMove(Arc::clone(&self.worth)),
            sampler: Sampler::EpsilonGreedy { epsilon: self.epsilon as f32 },
        }
    }

    fn end_batch(&mut self, _: u64) {}

    fn age(&mut self) {}
}

// add-an-engine.md: the last legal move, or another one counted from the end.

static FROM_END: Typed<u32> =
    Typed::<u32>::whole("from_end", 0, 0, 100, "", "how many moves before the last one");

fn last_row() -> EngineRow {
    EngineRow {
        name: "last",
        help: "the last legal move, where two play",
        source: "",
        revision: 1,
        parameters: vec![FROM_END.row()],
        demands: vec![Demand::TwoRoles],
        fallback: Some("mcts"),
        make: Arc::new(|seat| {
            let game = seat.machine.erased();
            let state = replay(&*game, &mut game.workspace(), seat.history)?;
            let from_end = seat.settings.of(&FROM_END) as usize;
            Ok(Box::new(Last { game, state, from_end, kind: seat.machine.kind() }))
        }),
    }
}

struct Last {
    game: Arc<ErasedGame>,
    state: ErasedState,
    from_end: usize,
    kind: MachineKind,
}

impl Engine for Last {
    fn think(&mut self, _: &Budget<'_>) -> Result<Stop, RuleFault> {
        Ok(Stop::Proven)
    }

    fn decide(&mut self, role: RoleId) -> Result<Option<Decision>, RuleFault> {
        let mut expansion = Expansion::new();
        self.game.expand(&mut self.game.workspace(), &self.state, &mut expansion)?;
        if expansion.is_terminal() {
            return Ok(None);
        }
        let legal = expansion.legal(role);
        let place = legal.len().saturating_sub(1 + self.from_end);
        let id = *legal.get(place).ok_or(RuleFault::NoLegalMove(role))?;
        let (text, spelling) = (self.game.move_text(id), self.game.move_spelling(id));
        Ok(Some(Decision::plain(text, spelling, "last", self.kind)))
    }

    fn advance(&mut self, joint: &[String]) -> Result<bool, RuleFault> {
        let Some(joint) = find_moves(&*self.game, joint) else { return Ok(false) };
        self.state = self.game.apply(&mut self.game.workspace(), &self.state, &joint)?;
        Ok(true)
    }

    fn begin_turn(&mut self) {}

    fn events(&mut self) -> Vec<Event> {
        Vec::new()
    }

    fn machine(&self) -> MachineKind {
        self.kind
    }
}

// add-an-agent.md

const AGENT: AgentRow = AgentRow {
    name: "second-last",
    help: "the last legal move but one",
    source: "",
    engine: "last",
    overrides: &[("from_end", "1"), ("batch", "64")],
};

fn registry() -> Arc<Registry> {
    let all = engines::registry_with(Policies::standard().with(LAST_WINNER));
    Arc::new(all.with_engine(last_row()).with_agent(AGENT))
}

fn player(name: &str, agent: &str) -> Player {
    let text = bundled::find(name).expect("a bundled game").rules;
    let rules = gdl::normal::normalize(&gdl::parse(&gdl::SourceFile::new(name, text)).sheet);
    let start = Instant::now();
    let clock: Clock = Arc::new(move || start.elapsed());
    let machines = Machines::build(rules, Duration::from_secs(60), 1 << 30, Arc::clone(&clock));
    let agent = AgentSpec::read(agent, &registry()).expect("an agent");
    let mut player =
        Player::new(Setup { machines, role: 0, agent, seed: 1, ponder: false, clock }).expect("a thread");
    player.prepare(None).expect("it can be played");
    player
}

#[test]
fn a_new_policy_plays_on_lanes_that_do_not_know_it() {
    let mut player = player("tic-tac-toe", "cadia-uct:policy=last-winner,faith=0.5");
    let decision = player.choose(Limit::simulations(200)).expect("a move");
    assert_eq!((decision.engine, decision.machine), ("mcts", MachineKind::Batch));
    assert_eq!((decision.simulations, decision.playouts), (200, 200), "one by one");
    let wrong = AgentSpec::read("cadia-uct:faith=2", &registry()).expect_err("no such value");
    assert_eq!(wrong.to_string(), "`2` is no value for `faith`: 0 to 1");
}

#[test]
fn a_new_engine_and_a_new_agent_play() {
    for (agent, expected) in [("second-last", "(mark 3 2)"), ("second-last:from_end=0", "(mark 3 3)")] {
        let mut player = player("tic-tac-toe", agent);
        let decision = player.choose(Limit::simulations(10)).expect("a move");
        assert_eq!((decision.text.as_str(), decision.engine), (expected, "last"));
        player.advance(&["(mark 3 3)", "noop"]).expect("legal moves");
        assert_eq!(player.choose(Limit::simulations(10)).expect("a move").text, "noop");
        assert!(player.events().is_empty());
    }
}

#[test]
fn who_cannot_play_a_game_says_why_and_another_plays() {
    let mut player = player("eight-puzzle", "second-last");
    let decision = player.choose(Limit::simulations(10)).expect("a move");
    assert_eq!(decision.engine, "mcts");
    let events: Vec<String> = player.events().iter().map(ToString::to_string).collect();
    assert_eq!(
        events,
        ["the engine `last` cannot play this game: it has 1 role, not two; `mcts` plays"],
        "told once"
    );
}

#[test]
fn without_anyone_to_play_the_last_engine_does() {
    let text = bundled::find("tic-tac-toe").expect("a bundled game").rules;
    let rules = gdl::normal::normalize(&gdl::parse(&gdl::SourceFile::new("ttt", text)).sheet);
    let game = machine::reference::Reference::new(&rules, Default::default()).expect("a machine");
    let machine = Machine::of(Arc::new(game), MachineKind::Reference);
    let alone = EngineRow { name: "alone", demands: vec![Demand::OneRole], fallback: None, ..last_row() };
    let agent = AgentRow { name: "alone", engine: "alone", overrides: &[], ..AGENT };
    let registry = registry().as_ref().clone().with_engine(alone).with_agent(agent);
    let refusal = registry.refusal("alone", &machine).expect("it cannot play this");
    assert_eq!(refusal.to_string(), "the engine `alone` cannot play this game: it has 2 roles, not one");
    let spec = AgentSpec::read("alone", &Arc::new(registry)).expect("an agent");
    let clock: Clock = Arc::new(|| Duration::ZERO);
    let made = spec.make(&machine, &[], 1, &clock).expect("somebody plays");
    assert_eq!((made.name, made.events.len()), ("legal", 1));
}

// add-a-parameter.md: the list of defaults is how a change of one is noticed.

#[test]
fn defaults_are_those_that_matches_were_played_with() {
    let known = include_str!("../defaults.txt");
    let mut missing = Vec::new();
    for row in engines::registry().engines() {
        for (parameter, value) in Settings::new(row.parameters.clone()).iter() {
            let line = |value: &str| format!("{} {} {}={value}", row.name, row.revision, parameter.name);
            let now = line(&value.to_string());
            if known.lines().any(|known| known == now) {
                continue;
            }
            let before = line("");
            assert!(
                !known.lines().any(|known| known.starts_with(&before)),
                "`{}` of `{}` has another default: matches of before would be counted with new ones. Count up \
                 the engine's revision, then write new lines to crates/player/defaults.txt",
                parameter.name,
                row.name
            );
            missing.push(now);
        }
    }
    assert!(missing.is_empty(), "add to crates/player/defaults.txt:\n{}", missing.join("\n"));
    assert_eq!(engines::registry().engine("mcts").expect("a row").parameters[0].default, Value::Word("ucb1"));
}

//! The minds there are: the agents of `player`, and a plain one for when everything else fails.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use game::Dice;
use machine::builder::What;
use machine::reference::Reference;
use player::{AgentSpec, Limit, Machines, Player, PlayerError};

use crate::desk::{Follow, Track, follow};
use crate::workshop::Workshop;
use crate::{Mind, MindError, MindMaker, Setup, Thought};

/// The maker of minds that play as an agent does. Threads and memory that the agent's own
/// parameters do not name are those of the match; machines are shared by matches of one game.
pub fn agent(spec: AgentSpec) -> MindMaker {
    let workshop = Workshop::default();
    Arc::new(move |setup| Box::new(Thinker::new(spec.clone(), setup, &workshop)))
}

/// An agent, with the position beside it: agents take joint moves on trust.
struct Thinker {
    setup: Setup,
    machines: Arc<Machines>,
    player: Result<Player, PlayerError>,
    position: Option<Box<dyn Follow>>,
    dice: Dice,
}

impl Thinker {
    fn new(spec: AgentSpec, setup: Setup, workshop: &Workshop) -> Self {
        let machines = workshop.machines(&setup);
        let player = Player::new(player::Setup {
            machines: Arc::clone(&machines),
            role: setup.role,
            agent: shared(spec, &setup),
            seed: setup.seed,
            ponder: setup.ponder,
            clock: Arc::clone(&setup.clock),
        });
        Self { machines, player, position: None, dice: Dice::new(setup.seed), setup }
    }

    /// The position, once there is a machine.
    fn position(&mut self, wait: bool) -> Result<&mut dyn Follow, MindError> {
        if self.position.is_none() {
            let ready = if wait { self.machines.first() } else { self.machines.best() };
            let ready = ready.ok_or_else(|| self.missing_machine())?;
            self.position = Some(follow(&ready)?);
        }
        self.position.as_deref_mut().map_or(Err(MindError::NotReady), |position| Ok(position as _))
    }

    /// Why there is no machine: not yet, or never.
    fn missing_machine(&self) -> MindError {
        let events = self.machines.events();
        let reason = |event: &machine::builder::Event| match &event.what {
            What::NoReference(error) => Some(error.to_string()),
            _ => None,
        };
        let no_circuit = events.iter().any(|event| matches!(event.what, What::NoCircuit(_)));
        match events.iter().find_map(reason) {
            Some(reason) if no_circuit => MindError::Rules(reason),
            _ => MindError::NotReady,
        }
    }

    fn player(&mut self) -> Result<&mut Player, MindError> {
        self.player.as_mut().map_err(|error| MindError::Rules(error.to_string()))
    }
}

/// The agent with its share of the machine.
fn shared(spec: AgentSpec, setup: &Setup) -> AgentSpec {
    let text = spec.to_string();
    let mut spec = spec;
    for (name, value) in [("threads", setup.threads), ("memory", (setup.memory >> 20).max(16))] {
        if !text.contains(&format!("{name}=")) {
            // Agents that do not search have no parameters.
            spec = spec.with(name, &value.to_string()).unwrap_or(spec);
        }
    }
    spec
}

fn mind_error(error: PlayerError) -> MindError {
    match error {
        PlayerError::Over => MindError::NoMove,
        PlayerError::TooLate => MindError::NotReady,
        PlayerError::UnknownMoves(moves) => MindError::NotLegal(moves),
        other => MindError::Rules(other.to_string()),
    }
}

impl Mind for Thinker {
    fn prepare(&mut self, until: Duration, stop: &AtomicBool) -> Result<(), MindError> {
        self.player()?.prepare_unless(Some(until), stop).map_err(mind_error)?;
        self.position(false).map(|_| ())
    }

    fn fallback(&mut self) -> Result<String, MindError> {
        let (role, mut dice) = (self.setup.role, self.dice.clone());
        let drawn = self.position(false)?.any(role, &mut dice).ok_or(MindError::NoMove);
        self.dice = dice;
        drawn
    }

    fn choose(&mut self, until: Duration, stop: &AtomicBool) -> Result<Thought, MindError> {
        let decision = self.player()?.choose_unless(Limit::until(until), stop).map_err(mind_error)?;
        Ok(Thought {
            reply: decision.spelling,
            value: decision.value,
            simulations: decision.simulations,
            unthought: decision.unthought,
            line: decision.line.iter().map(|joint| joint.join(" ")).collect(),
        })
    }

    fn advance(&mut self, joint: &[String]) -> Result<(), MindError> {
        self.position(true)?.advance(joint)?;
        self.player()?.advance(joint).map_err(mind_error)
    }
}

/// Any legal move, by the reference reasoner.
pub(crate) struct Plain {
    setup: Setup,
    position: Option<Track<Reference>>,
    dice: Dice,
}

impl Plain {
    pub(crate) fn new(setup: Setup) -> Self {
        Self { position: None, dice: Dice::new(setup.seed), setup }
    }

    fn position(&mut self) -> Result<&mut Track<Reference>, MindError> {
        if self.position.is_none() {
            self.position = Some(Track::by_reference(&self.setup.rules, self.setup.memory)?);
        }
        self.position.as_mut().ok_or(MindError::NotReady)
    }
}

impl Mind for Plain {
    fn prepare(&mut self, _until: Duration, _stop: &AtomicBool) -> Result<(), MindError> {
        self.position().map(|_| ())
    }

    fn fallback(&mut self) -> Result<String, MindError> {
        let (role, mut dice) = (self.setup.role, self.dice.clone());
        let drawn = self.position()?.any(role, &mut dice).ok_or(MindError::NoMove);
        self.dice = dice;
        drawn
    }

    fn choose(&mut self, _until: Duration, _stop: &AtomicBool) -> Result<Thought, MindError> {
        Ok(Thought { reply: self.fallback()?, ..Thought::default() })
    }

    fn advance(&mut self, joint: &[String]) -> Result<(), MindError> {
        self.position()?.advance(joint)
    }
}

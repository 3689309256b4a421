//! All engines and agents by name.

use crate::settings::{ParameterError, Settings, hint, nearest};
use crate::{Engine, EngineRow, Event, MakeError, Profile, Refusal, Seat};

/// A named agent: an engine, and what differs from its defaults.
#[derive(Clone, Copy, Debug)]
pub struct AgentRow {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub help: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// The engine that thinks for it.
    pub engine: &'static str,
    /// Names of parameters, of the engine or of those that play what it cannot, and their values.
    pub overrides: &'static [(&'static str, &'static str)],
}

/// There is no such row.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no {what} `{name}`{hint}; there are {all}", hint = hint(.near.as_deref()))]
pub struct UnknownName {
    /// What was looked for.
    pub what: &'static str,
    /// By which name.
    pub name: String,
    /// What may have been meant.
    pub near: Option<String>,
    /// All names there are.
    pub all: String,
}

/// An engine that was made, and what there is to tell of that.
pub struct Made {
    /// The engine.
    pub engine: Box<dyn Engine>,
    /// Its name.
    pub name: &'static str,
    /// Which others do not suit the game.
    pub events: Vec<Event>,
}

impl std::fmt::Debug for Made {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Made")
            .field("name", &self.name)
            .field("events", &self.events)
            .finish_non_exhaustive()
    }
}

/// Engines and agents.
#[derive(Clone, Debug)]
pub struct Registry {
    engines: Vec<EngineRow>,
    agents: Vec<AgentRow>,
    /// Who plays what nobody else can.
    last: &'static str,
    /// Engines that go by what their role is told: no other plays a game that hides something. The first of them
    /// does where the engine asked for cannot.
    told: &'static [&'static str],
}

impl Registry {
    /// Engines and agents; `last` is the engine that plays what nobody else can.
    pub fn new(engines: Vec<EngineRow>, agents: Vec<AgentRow>, last: &'static str) -> Self {
        Self { engines, agents, last, told: &[] }
    }

    /// The same with the names of engines that go by what their role is told; the first plays games that hide
    /// something where another was asked for.
    pub fn with_told(mut self, told: &'static [&'static str]) -> Self {
        self.told = told;
        self
    }

    /// The same with one more engine.
    pub fn with_engine(mut self, row: EngineRow) -> Self {
        self.engines.push(row);
        self
    }

    /// The same with one more agent.
    pub fn with_agent(mut self, row: AgentRow) -> Self {
        self.agents.push(row);
        self
    }

    /// All engines.
    pub fn engines(&self) -> &[EngineRow] {
        &self.engines
    }

    /// All agents.
    pub fn agents(&self) -> &[AgentRow] {
        &self.agents
    }

    /// An engine by its name.
    pub fn engine(&self, name: &str) -> Result<&EngineRow, UnknownName> {
        let names = || self.engines.iter().map(|row| row.name);
        self.engines
            .iter()
            .find(|row| row.name == name)
            .ok_or_else(|| UnknownName::new("engine", name, names()))
    }

    /// An agent by its name.
    pub fn agent(&self, name: &str) -> Result<&AgentRow, UnknownName> {
        let names = || self.agents.iter().map(|row| row.name);
        self.agents
            .iter()
            .find(|row| row.name == name)
            .ok_or_else(|| UnknownName::new("agent", name, names()))
    }

    /// An engine, then who plays what it cannot, and so on.
    pub fn chain(&self, engine: &str) -> Vec<&EngineRow> {
        let mut chain: Vec<&EngineRow> = Vec::new();
        let mut next = self.engine(engine).ok();
        while let Some(row) = next.filter(|row| chain.iter().all(|known| known.name != row.name)) {
            chain.push(row);
            next = row.fallback.and_then(|name| self.engine(name).ok());
        }
        chain
    }

    /// What an agent's parameters are: those of its engine and of all that may play in its place.
    pub fn settings(&self, agent: &AgentRow) -> Result<Settings, ParameterError> {
        let rows = self.chain(agent.engine).into_iter().flat_map(|row| row.parameters.clone());
        let mut settings = Settings::new(rows);
        for (name, value) in agent.overrides {
            settings.preset(name, value)?;
        }
        Ok(settings)
    }

    /// Why an engine cannot play a game on a machine; `None` if it can, as far as one can tell beforehand.
    pub fn refusal(&self, engine: &str, machine: &machine::Machine) -> Option<Refusal> {
        self.refusal_of(self.engine(engine).ok()?, &Profile::of(machine))
    }

    fn refusal_of(&self, row: &EngineRow, profile: &Profile) -> Option<Refusal> {
        if profile.has_percepts && !self.told.contains(&row.name) {
            let reason = "it hides something, and the engine needs to know all moves".to_owned();
            return Some(Refusal { engine: row.name, reason });
        }
        row.refusal(profile)
    }

    /// Makes an engine for a match, or who plays the game in its place.
    pub fn make(&self, engine: &str, seat: &Seat<'_>) -> Result<Made, MakeError> {
        let profile = Profile::of(seat.machine);
        let mut events = Vec::new();
        let mut why = String::new();
        let mut chain = self.chain(engine);
        if profile.has_percepts {
            let first = self.told.first().and_then(|name| self.engine(name).ok());
            chain.extend(first.filter(|first| chain.iter().all(|row| row.name != first.name)));
        }
        chain
            .extend(self.engine(self.last).ok().filter(|last| chain.iter().all(|row| row.name != last.name)));
        for (place, row) in chain.iter().enumerate() {
            let refusal = match self.refusal_of(row, &profile) {
                Some(refusal) => refusal,
                None => match (row.make)(seat) {
                    Ok(engine) => return Ok(Made { engine, name: row.name, events }),
                    Err(MakeError::Refused(reason)) => Refusal { engine: row.name, reason },
                    Err(MakeError::Rules(fault)) => return Err(fault.into()),
                },
            };
            why = refusal.to_string();
            if let Some(next) = chain.get(place + 1) {
                events.push(Event::Fallback { refusal, instead: next.name });
            }
        }
        let nobody = || self.engine(engine).err().map_or_else(String::new, |unknown| unknown.to_string());
        Err(MakeError::Refused(if why.is_empty() { nobody() } else { why }))
    }
}

impl UnknownName {
    /// That there is no such row among those of some names.
    pub fn new(what: &'static str, name: &str, names: impl Iterator<Item = &'static str>) -> Self {
        let names: Vec<&str> = names.collect();
        Self {
            what,
            name: name.to_owned(),
            near: nearest(name, names.iter().copied()),
            all: names.join(", "),
        }
    }
}

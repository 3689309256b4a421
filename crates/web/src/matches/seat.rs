//! Who plays a role.

use std::time::Duration;

use player::AgentSpec;
use serde::{Deserialize, Serialize};

use crate::api::{Level, SeatWish};
use crate::error::WebError;
use crate::secret;

/// The longest that an agent may think about a move.
pub(crate) const LONGEST_THOUGHT: Duration = Duration::from_secs(30);
/// Letters of a key: 130 bits.
const KEY_LETTERS: usize = 26;
/// Letters of a name that people give.
const LONGEST_NAME: usize = 40;

/// Who plays a role, as it is kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(crate) enum Seat {
    Person {
        name: String,
        key: String,
    },
    Agent {
        title: String,
        agent: String,
        seconds: f64,
        simulations: Option<u64>,
    },
    Remote {
        address: String,
    },
    Chance,
    /// Nobody: the match comes from a record.
    Record {
        name: String,
    },
}

/// A strength, and what it is.
struct Strength {
    name: &'static str,
    title: &'static str,
    help: &'static str,
    agent: &'static str,
    seconds: f64,
    simulations: Option<u64>,
}

const STRENGTHS: &[Strength] = &[
    Strength {
        name: "random",
        title: "Random",
        help: "any legal move",
        agent: "random",
        seconds: 1.0,
        simulations: None,
    },
    Strength {
        name: "easy",
        title: "Easy",
        help: "a few games in its head",
        agent: "mc",
        seconds: 1.0,
        simulations: Some(40),
    },
    Strength {
        name: "medium",
        title: "Medium",
        help: "looks ahead a little",
        agent: "ludens",
        seconds: 1.0,
        simulations: Some(500),
    },
    Strength {
        name: "strong",
        title: "Strong",
        help: "thinks for a second",
        agent: "ludens",
        seconds: 1.0,
        simulations: None,
    },
    Strength {
        name: "strongest",
        title: "Strongest",
        help: "thinks for five seconds",
        agent: "ludens",
        seconds: 5.0,
        simulations: None,
    },
];

/// The level of hints.
pub(crate) const HINTS: (&str, f64) = ("ludens", 1.5);

/// All levels, the weakest first.
pub(crate) fn levels() -> Vec<Level> {
    let level = |strength: &Strength| Level {
        name: strength.name.to_owned(),
        title: strength.title.to_owned(),
        help: strength.help.to_owned(),
    };
    STRENGTHS.iter().map(level).collect()
}

impl Seat {
    /// The seat that somebody wants, with a new key if it is a person's.
    pub(crate) fn new(wish: &SeatWish) -> Result<Self, WebError> {
        Ok(match wish {
            SeatWish::Person { name } => {
                let name = name.as_deref().map(str::trim).filter(|name| !name.is_empty()).unwrap_or("Person");
                let name = name.chars().filter(|letter| !letter.is_control()).take(LONGEST_NAME).collect();
                Seat::Person { name, key: secret::word(KEY_LETTERS) }
            }
            SeatWish::Agent { level, agent: Some(agent), seconds } => {
                if level.is_some() {
                    return Err(WebError::Wrong("give a level or an agent, not both".to_owned()));
                }
                let spec: Result<AgentSpec, _> = agent.parse();
                spec.map_err(|error| WebError::Wrong(error.to_string()))?;
                let seconds = seconds.unwrap_or(1.0);
                if !(0.05..=LONGEST_THOUGHT.as_secs_f64()).contains(&seconds) {
                    let most = LONGEST_THOUGHT.as_secs();
                    return Err(WebError::Wrong(format!("give seconds from 0.05 to {most}")));
                }
                Seat::Agent { title: agent.clone(), agent: agent.clone(), seconds, simulations: None }
            }
            SeatWish::Agent { level, agent: None, .. } => {
                let wanted = level.as_deref().unwrap_or("strong");
                let found = STRENGTHS.iter().find(|strength| strength.name == wanted);
                let Some(strength) = found else {
                    let names: Vec<&str> = STRENGTHS.iter().map(|strength| strength.name).collect();
                    return Err(WebError::Wrong(format!(
                        "there is no level `{wanted}`; there are {}",
                        names.join(", ")
                    )));
                };
                Seat::Agent {
                    title: strength.title.to_owned(),
                    agent: strength.agent.to_owned(),
                    seconds: strength.seconds,
                    simulations: strength.simulations,
                }
            }
            SeatWish::Remote { address } => {
                let address: server::Address = address
                    .parse()
                    .map_err(|error: server::BadAddress| WebError::Wrong(error.to_string()))?;
                Seat::Remote { address: address.to_string() }
            }
        })
    }

    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Seat::Person { .. } => "person",
            Seat::Agent { .. } => "agent",
            Seat::Remote { .. } => "remote",
            Seat::Chance => "chance",
            Seat::Record { .. } => "record",
        }
    }

    /// How others know who plays.
    pub(crate) fn player(&self) -> String {
        match self {
            Seat::Person { name, .. } | Seat::Record { name } => name.clone(),
            Seat::Agent { title, .. } => title.clone(),
            Seat::Remote { address } => address.clone(),
            Seat::Chance => "chance".to_owned(),
        }
    }

    /// The name in a record.
    pub(crate) fn recorded(&self) -> String {
        match self {
            Seat::Agent { agent, seconds, simulations: None, .. } => format!("{agent}@{seconds}s"),
            Seat::Agent { agent, simulations: Some(simulations), .. } => format!("{agent}@{simulations}"),
            _ => self.player(),
        }
    }

    pub(crate) fn key(&self) -> Option<&str> {
        match self {
            Seat::Person { key, .. } => Some(key),
            _ => None,
        }
    }

    pub(crate) fn is_person(&self) -> bool {
        matches!(self, Seat::Person { .. })
    }
}

/// A match as it is kept beside its record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Terms {
    /// A bundled game by name.
    pub(crate) game: Option<String>,
    /// Or the rules of any other.
    pub(crate) rules: Option<String>,
    pub(crate) title: String,
    pub(crate) seats: Vec<Seat>,
    pub(crate) owner: String,
    pub(crate) seed: u64,
    pub(crate) paused: bool,
    #[serde(default)]
    pub(crate) rematch: Option<String>,
    /// What people have chosen in this turn, while others still choose.
    #[serde(default)]
    pub(crate) chosen: Vec<Option<String>>,
    /// Seconds that people have for a move.
    #[serde(default)]
    pub(crate) play_clock: Option<f64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wishes_are_judged() {
        for strength in STRENGTHS {
            let wish = SeatWish::Agent { level: Some(strength.name.to_owned()), agent: None, seconds: None };
            let Ok(Seat::Agent { agent, .. }) = Seat::new(&wish) else { panic!("{}", strength.name) };
            assert!(agent.parse::<AgentSpec>().is_ok(), "{agent}");
        }
        let agent = |agent: &str, seconds: f64| SeatWish::Agent {
            level: None,
            agent: Some(agent.to_owned()),
            seconds: Some(seconds),
        };
        assert!(Seat::new(&agent("cadia-mast:tau=5", 2.0)).is_ok());
        for wrong in [agent("nobody", 2.0), agent("ludens", 1e9), agent("ludens", f64::NAN)] {
            assert!(Seat::new(&wrong).is_err(), "{wrong:?}");
        }
        assert!(Seat::new(&SeatWish::Remote { address: "nowhere".to_owned() }).is_err());
    }
}

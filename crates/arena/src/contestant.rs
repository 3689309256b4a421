//! Who takes part: an agent and how long it thinks about a move, written `cadia-uct@1000`.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use player::{AgentError, AgentSpec};

/// How long a player thinks about a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Thinking {
    /// A number of simulations: repeatable on any machine.
    Simulations(u64),
    /// A time by the clock on the wall.
    Time(Duration),
}

/// An agent and how long it thinks.
#[derive(Clone, Debug, PartialEq)]
pub struct Contestant {
    /// The agent.
    pub agent: AgentSpec,
    /// Per move.
    pub thinking: Thinking,
}

/// Why a text is no contestant.
#[derive(Debug, thiserror::Error)]
pub enum ContestantError {
    /// No such agent, or a parameter of it is wrong.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// What follows the `@`.
    #[error(
        "`{0}` after `@` is no way to think: write a number of simulations as `1000`, or a time as `1.5s` or `200ms`"
    )]
    Thinking(String),
}

impl fmt::Display for Thinking {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Thinking::Simulations(simulations) => write!(out, "{simulations}"),
            Thinking::Time(time) if time.subsec_millis() == 0 => write!(out, "{}s", time.as_secs()),
            Thinking::Time(time) => write!(out, "{}ms", time.as_millis()),
        }
    }
}

impl FromStr for Thinking {
    type Err = ContestantError;

    fn from_str(text: &str) -> Result<Self, ContestantError> {
        let wrong = || ContestantError::Thinking(text.to_owned());
        let seconds = |number: &str, unit: f64| {
            let number: f64 = number.trim().parse().map_err(|_| wrong())?;
            let time = Duration::try_from_secs_f64(number * unit).map_err(|_| wrong())?;
            if time < Duration::from_millis(1) { Err(wrong()) } else { Ok(Thinking::Time(time)) }
        };
        let text = text.trim();
        if let Some(number) = text.strip_suffix("ms") {
            return seconds(number, 1e-3);
        }
        if let Some(number) = text.strip_suffix('s') {
            return seconds(number, 1.0);
        }
        match text.replace('_', "").parse() {
            Ok(simulations) if simulations > 0 => Ok(Thinking::Simulations(simulations)),
            _ => Err(wrong()),
        }
    }
}

impl Contestant {
    /// Reads `AGENT` or `AGENT@THINKING`; without the latter it thinks as told.
    pub fn read(text: &str, otherwise: Thinking) -> Result<Self, ContestantError> {
        let (agent, thinking) = match text.rsplit_once('@') {
            Some((agent, thinking)) => (agent, thinking.parse()?),
            None => (text, otherwise),
        };
        Ok(Self { agent: agent.trim().parse()?, thinking })
    }
}

impl fmt::Display for Contestant {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}@{}", self.agent, self.thinking)
    }
}

/// The names of contestants in results: as they are written, with a number behind those that come
/// twice.
pub fn names(contestants: &[Contestant]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for contestant in contestants {
        let name = contestant.to_string();
        let numbered = (2..).map(|number| format!("{name}#{number}"));
        let free = std::iter::once(name.clone()).chain(numbered).find(|name| !names.contains(name));
        names.extend(free);
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEFAULT: Thinking = Thinking::Simulations(1000);

    #[test]
    fn what_is_written_is_read() {
        for (text, written) in [
            ("cadia-uct", "cadia-uct@1000"),
            ("cadia-uct@50_000", "cadia-uct@50000"),
            ("cadia-uct@1.5s", "cadia-uct@1500ms"),
            ("cadia-uct@2s", "cadia-uct@2s"),
            ("cadia-uct @ 200ms", "cadia-uct@200ms"),
        ] {
            let contestant = Contestant::read(text, DEFAULT).expect(text);
            assert_eq!(contestant.to_string(), written);
            assert_eq!(Contestant::read(written, DEFAULT).expect(written), contestant);
        }
    }

    #[test]
    fn what_cannot_be_read_is_explained() {
        for text in ["cadia-uct@", "cadia-uct@0", "cadia-uct@-3s", "cadia-uct@soon", "cadia-uct@0ms"] {
            let error = Contestant::read(text, DEFAULT).expect_err(text).to_string();
            assert!(error.contains("200ms"), "{error}");
        }
        assert!(Contestant::read("nobody", DEFAULT).is_err());
    }

    #[test]
    fn the_same_twice_is_told_apart() {
        let one = Contestant::read("cadia-uct", DEFAULT).expect("an agent");
        let names = names(&[one.clone(), one.clone(), one]);
        assert_eq!(names, ["cadia-uct@1000", "cadia-uct@1000#2", "cadia-uct@1000#3"]);
    }
}

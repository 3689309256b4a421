//! The named agents, and how one is written: `cadia-mast:tau=5,threads=2`.

use std::fmt;
use std::str::FromStr;

use search::{Backup, Final, ParameterError, Parameters, PolicyName, Selection};

/// How an agent thinks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Method {
    /// The first legal move.
    Legal,
    /// Any legal move.
    Random,
    /// Monte Carlo tree search.
    Tree,
}

/// How an agent looks for a plan in a one-player game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Planner {
    /// It does not: it plays as in any game.
    None,
    /// Many methods side by side.
    Portfolio,
    /// The method of MiNI-Player, with our table of states.
    Mini,
    /// The same with its own table of five levels.
    MiniLevels,
}

/// A named agent.
#[derive(Clone, Copy)]
pub struct Agent {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub help: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    pub(crate) method: Method,
    /// How it looks for a plan where it plays alone.
    pub(crate) planner: Planner,
    adjust: fn(&mut Parameters),
}

impl fmt::Debug for Agent {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Agent").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Agent {
    /// Its parameters, if it has any.
    pub fn parameters(&self) -> Option<Parameters> {
        let mut parameters = Parameters::default();
        (self.adjust)(&mut parameters);
        (self.method == Method::Tree).then_some(parameters)
    }
}

const CADIA: &str = "Finnsson and Björnsson 2008";

/// What the agents of the CadiaPlayer paper share: plain averages along the path, no proofs.
fn cadia(parameters: &mut Parameters) {
    parameters.backup = Backup::Path;
    parameters.prove = false;
    parameters.fill = false;
}

/// All agents.
pub static AGENTS: &[Agent] = &[
    Agent {
        name: "ludens",
        help: "the default: our best so far; a portfolio of planners where it plays alone",
        source: "",
        method: Method::Tree,
        planner: Planner::Portfolio,
        adjust: |parameters| {
            // More leaves take less time each, but are worth less than a second playout of the same.
            parameters.batch = 128;
            parameters.breadth = 8;
            parameters.discount = 0.999;
            parameters.finally = Final::Visits;
        },
    },
    Agent {
        name: "cadia-uct",
        help: "UCT with opponent models (CP_uct)",
        source: CADIA,
        method: Method::Tree,
        planner: Planner::None,
        adjust: cadia,
    },
    Agent {
        name: "cadia-mast",
        help: "UCT guided by move averages (CP_imp)",
        source: CADIA,
        method: Method::Tree,
        planner: Planner::None,
        adjust: |parameters| {
            cadia(parameters);
            parameters.policy = PolicyName::Mast;
        },
    },
    Agent {
        name: "mc-memory",
        help: "random playouts over a tree that is kept (MC_mem)",
        source: CADIA,
        method: Method::Tree,
        planner: Planner::None,
        adjust: |parameters| {
            cadia(parameters);
            parameters.selection = Selection::Uniform;
        },
    },
    Agent {
        name: "mc",
        help: "random playouts, the move with the best average (MC_org)",
        source: CADIA,
        method: Method::Tree,
        planner: Planner::None,
        adjust: |parameters| {
            cadia(parameters);
            parameters.selection = Selection::Uniform;
            parameters.depth = 1;
            parameters.keep = false;
            parameters.transpositions = false;
        },
    },
    Agent {
        name: "mini-puzzle",
        help: "exploring playouts and the highest score in the tree where it plays alone; else UCT",
        source: "Świechowski, Mańdziuk and Ong 2014",
        method: Method::Tree,
        planner: Planner::Mini,
        adjust: cadia,
    },
    Agent {
        name: "mini-puzzle-levels",
        help: "the same with the paper's table of five levels in place of ours",
        source: "Świechowski, Mańdziuk and Ong 2014",
        method: Method::Tree,
        planner: Planner::MiniLevels,
        adjust: cadia,
    },
    Agent {
        name: "random",
        help: "any legal move",
        source: "",
        method: Method::Random,
        planner: Planner::None,
        adjust: |_| {},
    },
    Agent {
        name: "legal",
        help: "the first legal move",
        source: "",
        method: Method::Legal,
        planner: Planner::None,
        adjust: |_| {},
    },
];

/// An agent that cannot be understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AgentError {
    /// There is no such agent.
    #[error("there is no agent `{0}`; there are {list}", list = names())]
    Unknown(String),
    /// Something that is not `name=value`.
    #[error("`{0}` is no parameter: write name=value, as in `cadia-mast:tau=5,threads=2`")]
    NoValue(String),
    /// The agent has no parameters.
    #[error("the agent `{0}` has no parameters")]
    NoParameters(&'static str),
    /// A parameter does not fit.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
}

fn names() -> String {
    AGENTS.iter().map(|agent| agent.name).collect::<Vec<_>>().join(", ")
}

/// An agent and its parameters.
#[derive(Clone, Debug)]
pub struct AgentSpec {
    agent: &'static Agent,
    parameters: Parameters,
    text: String,
}

impl AgentSpec {
    /// The agent.
    pub fn agent(&self) -> &'static Agent {
        self.agent
    }

    /// Its parameters.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// The same agent with another value of a parameter.
    pub fn with(&self, name: &str, value: &str) -> Result<Self, AgentError> {
        let separator = if self.text.contains(':') { ',' } else { ':' };
        format!("{}{separator}{name}={value}", self.text).parse()
    }
}

impl Default for AgentSpec {
    fn default() -> Self {
        let agent = &AGENTS[0];
        Self { agent, parameters: agent.parameters().unwrap_or_default(), text: agent.name.to_owned() }
    }
}

impl fmt::Display for AgentSpec {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text)
    }
}

impl PartialEq for AgentSpec {
    fn eq(&self, other: &Self) -> bool {
        self.agent.name == other.agent.name && self.parameters == other.parameters
    }
}

impl FromStr for AgentSpec {
    type Err = AgentError;

    fn from_str(text: &str) -> Result<Self, AgentError> {
        let text = text.trim();
        let (name, list) = text.split_once(':').unwrap_or((text, ""));
        let agent = AGENTS.iter().find(|agent| agent.name == name);
        let agent = agent.ok_or_else(|| AgentError::Unknown(name.to_owned()))?;
        let mut parameters = agent.parameters().unwrap_or_default();
        for item in list.split(',').map(str::trim).filter(|item| !item.is_empty()) {
            let (name, value) = item.split_once('=').ok_or_else(|| AgentError::NoValue(item.to_owned()))?;
            if agent.method != Method::Tree {
                return Err(AgentError::NoParameters(agent.name));
            }
            parameters.set(name.trim(), value.trim())?;
        }
        Ok(Self { agent, parameters, text: text.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agent_is_a_name_and_parameters() {
        let spec: AgentSpec = "cadia-mast:tau=5, threads=2".parse().expect("an agent");
        assert_eq!((spec.parameters().tau, spec.parameters().threads), (5.0, 2));
        assert_eq!(spec.parameters().policy, PolicyName::Mast);
        assert_eq!(spec.with("tau", "7").expect("a value").parameters().tau, 7.0);
        let plain: AgentSpec = "mc".parse().expect("an agent");
        assert_eq!(plain.with("threads", "2").expect("a value").to_string(), "mc:threads=2");
    }

    #[test]
    fn faults_say_what_to_do() {
        let fault = |text: &str| text.parse::<AgentSpec>().unwrap_err().to_string();
        assert!(fault("cadia").contains("cadia-uct"));
        assert!(fault("random:tau=1").contains("no parameters"));
        assert!(fault("ludens:tau").contains("name=value"));
        assert!(fault("ludens:speed=1").contains("no parameter `speed`"));
        assert!(fault("ludens:tau=0").contains("0.01 to 10000"));
    }
}

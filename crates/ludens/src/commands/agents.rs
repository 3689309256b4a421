//! `ludens agents`

use std::io::Write;
use std::process::ExitCode;

use engine::{AgentRow, EngineRow, Parameter, Registry, Settings, Value};
use search::mcts::policy::{Policies, PolicyRow};
use serde::Serialize;

use crate::output::Output;
use crate::table::Table;

/// List the agents, the engines they think with, and all parameters with their defaults and sources
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  ludens agents\n  ludens agents cadia-mast\n  ludens agents --json\n\nAn agent is \
                        written with the parameters that differ: cadia-mast:tau=5,threads=2"
)]
pub(crate) struct Arguments {
    /// Only this agent, with the values of all its parameters
    agent: Option<String>,

    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Answer {
    agents: Vec<AgentAnswer>,
    engines: Vec<EngineAnswer>,
    policies: Vec<PolicyAnswer>,
}

#[derive(Serialize)]
struct AgentAnswer {
    agent: &'static str,
    help: &'static str,
    source: &'static str,
    /// Its engine, and who plays what that cannot.
    engines: Vec<&'static str>,
    parameters: Vec<ParameterAnswer>,
}

#[derive(Serialize)]
struct EngineAnswer {
    engine: &'static str,
    help: &'static str,
    source: &'static str,
    revision: u32,
    /// Who plays what it cannot.
    fallback: Option<&'static str>,
    parameters: Vec<ParameterAnswer>,
}

#[derive(Serialize)]
struct PolicyAnswer {
    policy: &'static str,
    help: &'static str,
    source: &'static str,
    parameters: Vec<&'static str>,
}

#[derive(Serialize)]
struct ParameterAnswer {
    parameter: &'static str,
    aliases: &'static [&'static str],
    value: String,
    default: String,
    range: String,
    help: &'static str,
    source: &'static str,
}

impl Arguments {
    pub(crate) fn run(self, output: &mut Output) -> anyhow::Result<ExitCode> {
        let registry = player::engines::registry();
        let wanted: Vec<&AgentRow> = match &self.agent {
            None => registry.agents().iter().collect(),
            Some(name) => vec![registry.agent(name)?],
        };
        // The engines that think for these agents.
        let thinks = |row: &&EngineRow| {
            wanted.iter().any(|agent| registry.chain(agent.engine).iter().any(|one| one.name == row.name))
        };
        let engines: Vec<&EngineRow> = registry.engines().iter().filter(thinks).collect();
        if self.json {
            let agents = wanted.iter().map(|agent| AgentAnswer::new(registry, agent));
            output.json(&Answer {
                agents: agents.collect::<Result<_, _>>()?,
                engines: engines.iter().map(|row| EngineAnswer::new(row)).collect(),
                policies: Policies::standard().rows().iter().map(PolicyAnswer::new).collect(),
            })?;
            return Ok(ExitCode::SUCCESS);
        }
        let mut table = Table::new(&["agent", "what it does", "engine", "differs by", "source"]);
        for agent in &wanted {
            let differs = differences(&registry.settings(agent)?);
            table.row([agent.name, agent.help, agent.engine, &differs, agent.source].map(str::to_owned));
        }
        table.write(output)?;
        writeln!(output)?;
        let mut table = Table::new(&["engine", "what it does", "plays what it cannot", "source"]);
        for row in &engines {
            table.row([row.name, row.help, row.fallback.unwrap_or(""), row.source].map(str::to_owned));
        }
        table.write(output)?;
        let rows = engines.iter().flat_map(|row| row.parameters.clone());
        let settings = match &wanted[..] {
            [one] => registry.settings(one)?,
            _ => Settings::new(rows),
        };
        if settings.is_empty() {
            return Ok(ExitCode::SUCCESS);
        }
        if settings.get("policy").is_some() {
            writeln!(output)?;
            let mut table = Table::new(&["policy", "what it does", "its parameters", "source"]);
            for row in Policies::standard().rows() {
                let parameters = PolicyAnswer::new(row).parameters.join(", ");
                table.row([row.name, row.help, &parameters, row.source].map(str::to_owned));
            }
            table.write(output)?;
        }
        writeln!(output)?;
        let mut table =
            Table::new(&["parameter", "value", "may be", "of", "what it does", "once called", "source"]);
        for (row, value) in settings.iter() {
            let has = |engine: &&&EngineRow| engine.parameters.iter().any(|own| own.name == row.name);
            let of: Vec<&str> = engines.iter().filter(has).map(|engine| engine.name).collect();
            let cells = [
                row.name,
                &value.to_string(),
                &row.range.to_string(),
                &of.join(", "),
                row.help,
                &row.aliases.join(", "),
                row.source,
            ];
            table.row(cells.map(str::to_owned));
        }
        table.write(output)?;
        writeln!(output, "\nWrite an agent with what is to differ: cadia-mast:tau=5,threads=2")?;
        Ok(ExitCode::SUCCESS)
    }
}

/// The parameters in which an agent differs from the defaults.
fn differences(settings: &Settings) -> String {
    if settings.is_empty() {
        return "has no parameters".to_owned();
    }
    let differing = settings.iter().filter(|(row, value)| *value != row.default);
    let texts: Vec<String> = differing.map(|(row, value)| format!("{}={value}", row.name)).collect();
    texts.join(", ")
}

impl AgentAnswer {
    fn new(registry: &Registry, agent: &AgentRow) -> anyhow::Result<Self> {
        let settings = registry.settings(agent)?;
        Ok(Self {
            agent: agent.name,
            help: agent.help,
            source: agent.source,
            engines: registry.chain(agent.engine).iter().map(|row| row.name).collect(),
            parameters: settings.iter().map(|(row, value)| ParameterAnswer::new(row, value)).collect(),
        })
    }
}

impl EngineAnswer {
    fn new(row: &EngineRow) -> Self {
        let parameter = |row: &Parameter| ParameterAnswer::new(row, row.default);
        Self {
            engine: row.name,
            help: row.help,
            source: row.source,
            revision: row.revision,
            fallback: row.fallback,
            parameters: row.parameters.iter().map(parameter).collect(),
        }
    }
}

impl PolicyAnswer {
    fn new(row: &PolicyRow) -> Self {
        let parameters = (row.parameters)().iter().map(|row| row.name).collect();
        Self { policy: row.name, help: row.help, source: row.source, parameters }
    }
}

impl ParameterAnswer {
    fn new(row: &Parameter, value: Value) -> Self {
        Self {
            parameter: row.name,
            aliases: row.aliases,
            value: value.to_string(),
            default: row.default.to_string(),
            range: row.range.to_string(),
            help: row.help,
            source: row.source,
        }
    }
}

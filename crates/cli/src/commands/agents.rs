//! `ludens agents`

use std::io::Write;
use std::process::ExitCode;

use anyhow::bail;
use player::{AGENTS, Agent};
use search::{PARAMETERS, Parameters};
use serde::Serialize;

use crate::output::Output;
use crate::table::Table;

/// List the agents, their parameters, defaults and sources
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
struct AgentAnswer {
    agent: &'static str,
    help: &'static str,
    source: &'static str,
    parameters: Vec<ParameterAnswer>,
}

#[derive(Serialize)]
struct ParameterAnswer {
    parameter: &'static str,
    value: String,
    range: &'static str,
    help: &'static str,
    source: &'static str,
}

impl Arguments {
    pub(crate) fn run(self, output: &mut Output) -> anyhow::Result<ExitCode> {
        let wanted: Vec<&Agent> = match &self.agent {
            None => AGENTS.iter().collect(),
            Some(name) => match AGENTS.iter().find(|agent| agent.name == name) {
                Some(agent) => vec![agent],
                None => bail!("there is no agent `{name}`; `ludens agents` lists them"),
            },
        };
        if self.json {
            output.json(&wanted.into_iter().map(AgentAnswer::new).collect::<Vec<_>>())?;
            return Ok(ExitCode::SUCCESS);
        }
        let mut table = Table::new(&["agent", "what it does", "differs by", "source"]);
        for agent in &wanted {
            let row = [agent.name, agent.help, &differences(agent), agent.source];
            table.row(row.map(str::to_owned));
        }
        table.write(output)?;
        writeln!(output)?;
        let parameters = match &wanted[..] {
            [one] => match one.parameters() {
                Some(parameters) => parameters,
                None => return Ok(ExitCode::SUCCESS),
            },
            _ => Parameters::default(),
        };
        let mut table = Table::new(&["parameter", "value", "may be", "what it does", "source"]);
        for row in PARAMETERS {
            let value = row.value(&parameters);
            table.row([row.name, &value, row.range, row.help, row.source].map(str::to_owned));
        }
        table.write(output)?;
        writeln!(output, "\nWrite an agent with what is to differ: cadia-mast:tau=5,threads=2")?;
        Ok(ExitCode::SUCCESS)
    }
}

/// The parameters in which an agent differs from the defaults.
fn differences(agent: &Agent) -> String {
    let Some(parameters) = agent.parameters() else { return "has no parameters".to_owned() };
    let usual = Parameters::default();
    let differing = PARAMETERS.iter().filter(|row| row.value(&parameters) != row.value(&usual));
    let texts: Vec<String> =
        differing.map(|row| format!("{}={}", row.name, row.value(&parameters))).collect();
    texts.join(", ")
}

impl AgentAnswer {
    fn new(agent: &Agent) -> Self {
        let parameters = agent.parameters().map(|parameters| {
            let answer = |row: &'static search::Parameter| ParameterAnswer {
                parameter: row.name,
                value: row.value(&parameters),
                range: row.range,
                help: row.help,
                source: row.source,
            };
            PARAMETERS.iter().map(answer).collect()
        });
        Self {
            agent: agent.name,
            help: agent.help,
            source: agent.source,
            parameters: parameters.unwrap_or_default(),
        }
    }
}

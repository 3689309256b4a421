//! `ludens show`

use std::io::Write;
use std::process::ExitCode;

use anyhow::bail;
use clap::ValueEnum;
use gdl::normal::print_normal_rule;
use gdl::print_rule;
use serde::Serialize;

use super::stages;
use crate::arguments::GameArguments;
use crate::circuits::BuildArguments;
use crate::input;
use crate::output::Output;
use crate::video_games::Texts;

/// Show what becomes of a rule sheet, stage by stage
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  ludens show tic-tac-toe\n  ludens show my-game.kif --stage normal\n  \
                        ludens show nim --stage rules --json\n  ludens show nim --stage ground\n  \
                        ludens show nim --stage circuit --dot | dot -Tsvg > nim.svg")]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArguments,

    /// The stage
    #[arg(long, value_enum, default_value_t)]
    stage: Stage,

    /// Answer in JSON
    #[arg(long)]
    json: bool,

    /// What `--json` was called
    #[arg(long, value_enum, default_value_t, hide = true)]
    format: Format,

    /// Draw the circuit as a graph for Graphviz
    #[arg(long)]
    dot: bool,

    #[command(flatten)]
    build: BuildArguments,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum Stage {
    /// The rules as read, one a line in canonical spelling
    #[default]
    Rules,
    /// The rules as reasoners work on them: bodies that are plain conjunctions
    Normal,
    /// The rules without variables, one a line: `head <- body`
    Ground,
    /// The circuit: its size after every pass, then its gates and outputs
    Circuit,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// One rule a line
    #[default]
    Text,
    /// A list with the place of each rule
    Json,
}

#[derive(Serialize)]
struct Answer {
    game: String,
    stage: &'static str,
    rules: Vec<RuleAnswer>,
}

#[derive(Serialize)]
struct RuleAnswer {
    line: usize,
    text: String,
}

impl Arguments {
    pub(crate) fn run(self, output: &mut Output) -> anyhow::Result<ExitCode> {
        output.as_written()?;
        if self.dot && self.stage != Stage::Circuit {
            bail!("`--dot` draws circuits: `--stage circuit` goes with it");
        }
        let json = self.json || self.format == Format::Json;
        if let Some(texts) = Texts::find(&self.game.game)? {
            if self.stage != Stage::Rules || json {
                bail!("a video game is shown as its rules, as text");
            }
            output.write_all(vgdl::format(&texts.rules).as_bytes())?;
            return Ok(ExitCode::SUCCESS);
        }
        let game = input::load(&self.game.game, self.game.reading.mode())?;
        let line = |span: gdl::Span| game.source.line_column(span.start).line;
        let sheet = &game.parsed.sheet;
        let (stage, rules): (_, Vec<RuleAnswer>) = match self.stage {
            Stage::Rules => {
                let answer = |rule: &gdl::Rule| RuleAnswer {
                    line: line(rule.span),
                    text: print_rule(&sheet.symbols, rule),
                };
                ("rules", sheet.rules.iter().map(answer).collect())
            }
            Stage::Normal => {
                let answer = |rule: &gdl::normal::NormalRule| RuleAnswer {
                    line: line(rule.span),
                    text: print_normal_rule(&game.rules.symbols, rule),
                };
                ("normal", game.rules.rules.iter().map(answer).collect())
            }
            Stage::Ground => {
                stages::ground(&game, self.build, json, output)?;
                return Ok(ExitCode::SUCCESS);
            }
            Stage::Circuit => {
                stages::circuit(&game, self.build, json, self.dot, output)?;
                return Ok(ExitCode::SUCCESS);
            }
        };
        match json {
            false => rules.iter().try_for_each(|rule| writeln!(output, "{}", rule.text))?,
            true => output.json(&Answer { game: game.name.clone(), stage, rules })?,
        }
        Ok(ExitCode::SUCCESS)
    }
}

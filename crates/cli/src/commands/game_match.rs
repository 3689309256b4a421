//! `ludens match`

use std::io::Write;
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::bail;
use arena::{Contestant, MatchKey, MatchRecord, Thinking};
use referee::{Event, Listener, Thought};
use serde::Serialize;

use crate::arguments::GameArguments;
use crate::contests::{ThinkingArguments, contestants};
use crate::input::{self, LoadedGame};
use crate::output::Output;
use crate::position::Drawing;
use crate::table::grouped;

/// Let agents play one match and show every position
///
/// Each move comes with what the agent expects of it, the moves it thinks best from there on, and how
/// many simulations a second it made.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  ludens match connect-four\n  ludens match breakthrough --players ludens,cadia-uct \
                        --play-clock 2\n  ludens match tic-tac-toe --players cadia-mast:tau=5,random --simulations 500\n  \
                        ludens match my-game.kif --players ludens@5s,mc@1s --json\n\nPlayers are given in the order of the \
                        roles; one player takes all of them. `ludens agents` lists the agents."
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArguments,

    /// The player of each role: AGENT, AGENT:PARAMETER=VALUE,.. with @SIMULATIONS, @SECONDSs or @MILLISECONDSms
    #[arg(long, value_name = "A,B,..", value_delimiter = ',', default_value = "ludens")]
    players: Vec<String>,

    #[command(flatten)]
    thinking: ThinkingArguments,

    /// Show the facts of each position even if there is a board
    #[arg(long)]
    facts: bool,

    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

/// A turn as it is told in JSON.
#[derive(Serialize)]
struct TurnAnswer {
    moves: Vec<String>,
    /// None where a role had no choice.
    decisions: Vec<Option<Thought>>,
}

#[derive(Serialize)]
struct Answer {
    game: String,
    roles: Vec<String>,
    players: Vec<String>,
    seed: u64,
    turns: Vec<TurnAnswer>,
    goals: Vec<u8>,
    faults: Vec<String>,
}

impl Arguments {
    pub(crate) fn run(self, output: &mut Output) -> anyhow::Result<ExitCode> {
        let thinking = self.thinking.thinking(Thinking::Time(Duration::from_secs(1)));
        let players = contestants(&self.players, thinking)?;
        let game = input::load(&self.game.game, self.game.reading.mode())?;
        let ground = self.thinking.ground(&game)?;
        let roles = ground.roles().to_vec();
        let seats: Vec<Contestant> = match &players[..] {
            [one] => vec![one.clone(); roles.len()],
            all if all.len() == roles.len() => all.to_vec(),
            all => bail!(
                "{} has {} roles ({}), but {} players were given; give one for each, or one for all",
                game.title(),
                roles.len(),
                roles.join(", "),
                all.len()
            ),
        };
        let names: Vec<String> = seats.iter().map(ToString::to_string).collect();
        let seed = self.thinking.seed;
        let key = MatchKey { game: game.name.clone(), seats: names.clone(), round: 0, seed };
        if !self.json {
            write_heading(output, &game, &roles, &names)?;
        }
        let decisions = vec![None; roles.len()];
        let (json, facts) = (self.json, self.facts);
        let mut printer =
            Printer { game: &game, json, facts, output, decisions, turns: Vec::new(), failure: None };
        let played = ground.play(&seats, key, self.thinking.rules(), &mut printer);
        let Printer { turns, failure, .. } = printer;
        if let Some(failure) = failure {
            return Err(failure.into());
        }
        if self.json {
            // What was played is told even if the match was broken off.
            let (goals, faults) = match &played {
                Ok(record) => (record.goals.clone(), record.faults.clone()),
                Err(error) => (Vec::new(), vec![error.to_string()]),
            };
            let (game, players) = (game.name.clone(), names);
            output.json(&Answer { game, roles, players, seed, turns, goals, faults })?;
            played?;
        } else {
            write_end(output, &roles, &names, &played?)?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Shows a match as it goes on, or keeps it for the end.
struct Printer<'a> {
    game: &'a LoadedGame,
    json: bool,
    facts: bool,
    output: &'a mut Output,
    /// What the roles thought in this turn.
    decisions: Vec<Option<Thought>>,
    turns: Vec<TurnAnswer>,
    /// Why nothing more can be shown.
    failure: Option<std::io::Error>,
}

impl Listener for Printer<'_> {
    fn hear(&mut self, event: &Event, record: &referee::MatchRecord) -> ControlFlow<()> {
        self.failure = self.tell(event, &record.game_role_names).err();
        if self.failure.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl Printer<'_> {
    fn tell(&mut self, event: &Event, roles: &[String]) -> std::io::Result<()> {
        match event {
            Event::TurnBegun { .. } => self.decisions.fill(None),
            Event::Answered { role, thought, .. } => self.decisions[*role].clone_from(thought),
            Event::Moved { moves, .. } if self.json => {
                self.turns.push(TurnAnswer { moves: moves.clone(), decisions: self.decisions.clone() });
            }
            Event::Moved { turn, moves } => self.write_moves(*turn, roles, moves)?,
            Event::Position { facts, .. } if !self.json => {
                let drawing = Drawing { metadata: self.game.metadata.as_ref(), facts_too: self.facts };
                drawing.write(self.output, facts)?;
                self.output.flush()?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Who does what and why; those without a choice are left out while others have one.
    fn write_moves(&mut self, turn: usize, roles: &[String], moves: &[String]) -> std::io::Result<()> {
        let choosing = self.decisions.iter().any(Option::is_some);
        let number = self.output.bold(&format!("Move {turn}:"));
        let told: Vec<String> = roles
            .iter()
            .zip(moves)
            .zip(&self.decisions)
            .filter(|(_, decision)| !choosing || decision.is_some())
            .map(|((role, spelling), _)| format!("{role} {spelling}"))
            .collect();
        writeln!(self.output, "\n{number} {}", told.join(", "))?;
        for (role, decision) in roles.iter().zip(&self.decisions) {
            let Some(decision) = decision else { continue };
            let thoughts = self.output.styled("2", &thoughts(role, decision));
            writeln!(self.output, "{thoughts}")?;
        }
        Ok(())
    }
}

fn write_heading(
    output: &mut Output,
    game: &LoadedGame,
    roles: &[String],
    names: &[String],
) -> std::io::Result<()> {
    game.write_title(output)?;
    if let Some(metadata) = &game.metadata {
        writeln!(output, "{}", metadata.description)?;
    }
    let seats: Vec<String> = roles.iter().zip(names).map(|(role, name)| format!("{role}: {name}")).collect();
    writeln!(output, "\n{}", seats.join("   "))
}

/// What an agent thinks of its move, on two lines.
fn thoughts(role: &str, decision: &Thought) -> String {
    let Some(value) = decision.value else { return format!("  {role} does not think") };
    let certainty = if decision.proven { " (proven best)" } else { "" };
    let seconds = decision.seconds;
    let line: Vec<String> = decision.line.iter().take(8).map(|joint| joint_text(joint)).collect();
    format!(
        "  {role} expects {value:.1}{certainty}; {} simulations in {seconds:.2} s ({}/s), {} nodes, depth {}, {} machine\n  \
         best line: {}",
        grouped(decision.simulations),
        grouped(decision.simulations_per_second as u64),
        grouped(decision.nodes as u64),
        decision.depth,
        decision.machine,
        line.join(" ")
    )
}

/// A joint move of a line: without those who only wait, if anybody does more.
fn joint_text(joint: &[String]) -> String {
    let active: Vec<&str> = joint.iter().map(String::as_str).filter(|text| *text != "noop").collect();
    if active.is_empty() { "noop".to_owned() } else { active.join("+") }
}

fn write_end(
    output: &mut Output,
    roles: &[String],
    names: &[String],
    record: &MatchRecord,
) -> anyhow::Result<()> {
    let goal = |((role, name), goal): ((&String, &String), &u8)| format!("{role} ({name}) {goal}");
    let goals: Vec<String> = roles.iter().zip(names).zip(&record.goals).map(goal).collect();
    let goals = output.bold(&goals.join(", "));
    writeln!(output, "\nThe match is over. Goals: {goals}")?;
    for fault in &record.faults {
        writeln!(output, "{fault}; a legal move was drawn by lot")?;
    }
    Ok(())
}

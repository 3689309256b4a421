//! `ludens match`

use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::bail;
use arena::{ArenaError, Contestant, MatchKey, MatchRecord, Thinking, Turn};
use player::Decision;
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
    decisions: Vec<Option<DecisionAnswer>>,
}

#[derive(Serialize)]
struct DecisionAnswer {
    value: Option<f64>,
    proven: bool,
    simulations: u64,
    simulations_per_second: f64,
    unthought: bool,
    nodes: usize,
    depth: u32,
    bytes: usize,
    recycled: u64,
    longest_pause_seconds: f64,
    line: Vec<Vec<String>>,
    machine: String,
    seconds: f64,
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
        let mut turns = Vec::new();
        if !self.json {
            write_heading(output, &game, &roles, &names)?;
        }
        let mut watch = |turn: &Turn<'_>| -> Result<(), ArenaError> {
            if self.json {
                turns.extend((turn.number > 0).then(|| TurnAnswer::new(turn)));
                return Ok(());
            }
            self.show(output, &game, turn).map_err(ArenaError::Watcher)
        };
        let played = ground.play(&seats, key, self.thinking.rules(), &mut watch);
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

    fn show(&self, output: &mut Output, game: &LoadedGame, turn: &Turn<'_>) -> std::io::Result<()> {
        if turn.number > 0 {
            write_moves(output, turn)?;
        }
        Drawing { metadata: game.metadata.as_ref(), facts_too: self.facts }.write(output, turn.facts)?;
        output.flush()
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

/// Who does what and why; those without a choice are left out while others have one.
fn write_moves(output: &mut Output, turn: &Turn<'_>) -> std::io::Result<()> {
    let choosing = turn.decisions.iter().any(Option::is_some);
    let number = output.bold(&format!("Move {}:", turn.number));
    let moves = turn.roles.iter().zip(turn.joint).zip(turn.decisions);
    let told: Vec<String> = moves
        .filter(|(_, decision)| !choosing || decision.is_some())
        .map(|((role, spelling), _)| format!("{role} {spelling}"))
        .collect();
    writeln!(output, "\n{number} {}", told.join(", "))?;
    for (role, decision) in turn.roles.iter().zip(turn.decisions) {
        let Some(decision) = decision else { continue };
        let thoughts = output.styled("2", &thoughts(role, decision));
        writeln!(output, "{thoughts}")?;
    }
    Ok(())
}

/// What an agent thinks of its move, on two lines.
fn thoughts(role: &str, decision: &Decision) -> String {
    let Some(value) = decision.value else { return format!("  {role} does not think") };
    let certainty = if decision.proven { " (proven best)" } else { "" };
    let seconds = decision.elapsed.as_secs_f64();
    let line: Vec<String> = decision.line.iter().take(8).map(|joint| joint_text(joint)).collect();
    format!(
        "  {role} expects {value:.1}{certainty}; {} simulations in {seconds:.2} s ({}/s), {} nodes, depth {}, {} machine, \
         longest pause {:.1} ms\n  best line: {}",
        grouped(decision.simulations),
        grouped((decision.simulations as f64 / seconds.max(1e-9)) as u64),
        grouped(decision.nodes as u64),
        decision.depth,
        decision.machine,
        1e3 * decision.longest_pause.as_secs_f64(),
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

impl TurnAnswer {
    fn new(turn: &Turn<'_>) -> Self {
        let decision = |decision: &Option<Decision>| decision.as_ref().map(DecisionAnswer::new);
        Self { moves: turn.joint.to_vec(), decisions: turn.decisions.iter().map(decision).collect() }
    }
}

impl DecisionAnswer {
    fn new(decision: &Decision) -> Self {
        let seconds = decision.elapsed.as_secs_f64();
        Self {
            value: decision.value,
            proven: decision.proven,
            simulations: decision.simulations,
            simulations_per_second: decision.simulations as f64 / seconds.max(1e-9),
            unthought: decision.unthought,
            nodes: decision.nodes,
            depth: decision.depth,
            bytes: decision.bytes,
            recycled: decision.recycled,
            longest_pause_seconds: decision.longest_pause.as_secs_f64(),
            line: decision.line.clone(),
            machine: decision.machine.to_string(),
            seconds,
        }
    }
}

//! `ludens match`

use std::io::Write;
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::bail;
use arena::{Contestant, MatchKey, MatchRecord, MatchRules, Thinking};
use referee::{Event, Listener};

use crate::arguments::GameArguments;
use crate::contests::{ThinkingArguments, contestants};
use crate::input;
use crate::output::Output;
use crate::printer::{MOST_MOVES, Printer};

/// Let agents play one match and show every position
///
/// Each move comes with what the agent expects of it, the moves it thinks best from there on, and how
/// many simulations a second it made.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  ludens match connect-four\n  ludens match breakthrough --players ludens,cadia-uct \
                        --play-clock 2\n  ludens match tic-tac-toe --players cadia-mast:tau=5,random --simulations 500\n  \
                        ludens match my-game.kif --players ludens@5s,mc@1s --json\n  ludens match othello --start-clock 10 --explain\n\nPlayers are given in the order of the \
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

    /// Say with every move which moves were looked at, what kind of game the agent found it to be, and which settings it chose
    /// for it and why; otherwise settings are told when they change
    #[arg(long)]
    explain: bool,

    /// Answer in JSON: the record of the match, as `ludens replay` reads it
    #[arg(long)]
    json: bool,
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
        let told_moves = if self.explain { MOST_MOVES } else { 0 };
        let rules = MatchRules { told_moves, ..self.thinking.rules() };
        let mut last = None;
        let played = if self.json {
            ground.play(&seats, key, rules, &mut keep(&mut last))
        } else {
            let mut printer = Printer::new(&game, self.facts, output);
            printer.explains = self.explain;
            printer.write_heading()?;
            let seats_told: Vec<String> =
                roles.iter().zip(&names).map(|(role, name)| format!("{role}: {name}")).collect();
            printer.write_line(&format!("\n{}", seats_told.join("   ")))?;
            let played = ground.play(&seats, key, rules, &mut printer);
            printer.finish()?;
            played
        };
        if self.json {
            // What was played is told even if the match was broken off.
            if let Some(mut record) = last {
                let faults = match &played {
                    Ok(record) => record.faults.clone(),
                    Err(error) => vec![error.to_string()],
                };
                record.ludens.get_or_insert_default().faults = faults;
                output.json(&record)?;
            }
            played?;
        } else {
            write_end(output, &roles, &names, &played?)?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Keeps the record as it is at the end.
fn keep(last: &mut Option<referee::MatchRecord>) -> impl Listener {
    move |event: &Event, record: &referee::MatchRecord| {
        if let Event::Ended { .. } = event {
            *last = Some(record.clone());
        }
        ControlFlow::Continue(())
    }
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

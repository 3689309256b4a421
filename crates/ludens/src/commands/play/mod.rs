//! `ludens play`

pub(crate) mod lines;
mod opinion;
mod opponents;
mod saved;
mod session;
pub(crate) mod words;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::bail;
use player::AgentSpec;
use referee::Rulebook;

use crate::arguments::GameArguments;
use crate::failure::Unbuildable;
use crate::input;
use crate::output::Output;
use lines::Lines;
use session::Session;
use words::Word;

/// Play against an agent in the terminal
///
/// Type a move as you would say it (`3`, `e2e4`, `d 4`), its number, or any part of it that no other move has.
/// `?` asks the agent for a hint, `undo` takes your last move back, `help` lists the rest.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  ludens play tic-tac-toe\n  ludens play connect-four --role yellow --play-clock 5\n  \
                        ludens play breakthrough --players cadia-mast --resume game.json"
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArguments,

    /// Your role; the first if none is given
    #[arg(long)]
    role: Option<String>,

    /// The agent that plays the other roles
    #[arg(long, value_name = "AGENT", alias = "agent", default_value = "ludens")]
    players: AgentSpec,

    /// Seconds that the agent thinks about each move
    #[arg(long, value_name = "S", alias = "seconds", default_value_t = 2.0)]
    play_clock: f64,

    /// Go on with a game that was saved
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,

    /// The seed of chance
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Mebibytes of memory for the rules and for each player
    #[arg(long, value_name = "MIB", default_value_t = 1024, value_parser = clap::value_parser!(u64).range(16..=1 << 20))]
    memory: u64,
}

impl Arguments {
    pub(crate) fn run(self, output: &mut Output) -> anyhow::Result<ExitCode> {
        if !(0.001..=3600.0).contains(&self.play_clock) {
            bail!("--play-clock {}: give seconds from 0.001 to 3600", self.play_clock);
        }
        if self.game.game == input::STANDARD_INPUT {
            bail!("the standard input is for your moves; give the rules as a file");
        }
        let game = input::load(&self.game.game, self.game.reading.mode())?;
        let bytes = usize::try_from(self.memory << 20).unwrap_or(usize::MAX);
        let limits = datalog::Limits { bytes, ..Default::default() };
        let machine = machine::reference::Reference::new(&game.rules, limits).map_err(Unbuildable)?;
        let seconds = Duration::from_secs_f64(self.play_clock);
        let opponents = opponents::Opponents::new(&game, self.players.clone(), seconds, bytes, self.seed);
        let book = Rulebook::default();
        let mut session = Session::new(&game, &machine, &book, self.role.as_deref(), opponents, self.seed)?;
        if let Some(path) = &self.resume {
            session.resume(path)?;
        }
        session.tell_rules(output)?;
        writeln!(output, "You play {}. Type a move, `?` for a hint or `help`.", session.role_name())?;
        let mut lines = Lines::new();
        session.go_on(output)?;
        loop {
            let prompt = if session.is_over() { "rematch, undo, save FILE or quit> " } else { "your move> " };
            writeln!(output)?;
            let Some(line) = lines.next(prompt, output)? else { break };
            match session.read(&line) {
                Ok(Word::Quit) => break,
                Ok(word) => session.obey(word, output)?,
                Err(complaint) => {
                    let words: Vec<String> = complaint.split_whitespace().map(str::to_owned).collect();
                    for line in crate::pictures::lines(&words, output.width) {
                        writeln!(output, "{line}")?;
                    }
                }
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

//! `ludens referee`

mod answer;
pub(crate) mod seats;
pub(crate) mod tournament;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::ValueEnum;
use protocol::Manner;
use referee::{Clocks, PerceptForm};

use crate::arguments::GameArguments;
use crate::failure::{FAULTY, Unbuildable};
use crate::input;
use crate::output::Output;

/// Conduct matches between players and record them
///
/// Players are asked over HTTP, as the known hosts ask them, or play in this process. What they do
/// wrong is recorded (TO: late, IL: illegal, CE: not reached) and a random legal move is made for
/// them.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  ludens referee tic-tac-toe --players localhost:9147 --players localhost:9148\n  \
                  ludens referee connect-four --players localhost:9147 --players agent:cadia-mast --matches 20 \
                  --db matches.db\n  ludens referee hanoi --players random --play-clock 1 --records records\n\n\
                  With --db the same command goes on where an earlier one was ended; more --matches are added.\n\n\
                  Exit code: 0 if all matches were finished without trouble, 1 if a player or the game caused \
                  any, 2 if the command could not be carried out."
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArguments,

    /// A player: host:port, agent:NAME with parameters if wanted, or random; once for each role or more.
    /// TOKEN@host:port sends a token along, @host:port the one in LUDENS_TOKEN
    #[arg(long, alias = "player", value_name = "PLAYER", required = true)]
    players: Vec<String>,

    /// How many matches; players exchange roles from one to the next
    #[arg(long, short = 'n', default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    matches: u64,

    /// Matches at a time
    #[arg(long, alias = "at-once", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1000))]
    jobs: u16,

    /// Seconds to prepare
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0)]
    start_clock: f64,

    /// Seconds for each move; hosts give a second of grace
    #[arg(long, value_name = "SECONDS", default_value_t = 5.0)]
    play_clock: f64,

    /// Seconds to look at the rules before each match; 0 sends no PREVIEW
    #[arg(long, value_name = "SECONDS", default_value_t = 0.0)]
    preview_clock: f64,

    /// Tell the players other names, drawn anew for each match
    #[arg(long)]
    scramble: bool,

    /// Every player keeps its role
    #[arg(long)]
    no_rotation: bool,

    /// How messages are written
    #[arg(long, value_enum, default_value_t)]
    manner: MannerName,

    /// How players are told what they see, in games of GDL-II
    #[arg(long, value_enum, default_value_t)]
    percepts: PerceptsName,

    /// The seed of chance: the role random, and moves made for players
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Keep the matches in this SQLite database
    #[arg(long, value_name = "FILE")]
    db: Option<PathBuf>,

    /// Write the record of each match to a file in this folder
    #[arg(long, value_name = "FOLDER")]
    records: Option<PathBuf>,

    /// Seconds to wait for players that do not answer yet
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0)]
    wait: f64,

    /// Mebibytes of memory for the rules, and for each match of a player in this process
    #[arg(long, value_name = "MIB", default_value_t = 1024, value_parser = clap::value_parser!(u64).range(16..=1 << 20))]
    memory: u64,

    /// Joint moves after which a match is called off
    #[arg(long, default_value_t = 10_000)]
    steps: usize,

    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

/// How messages are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum MannerName {
    /// Single blanks
    #[default]
    Plain,
    /// Blanks around parentheses, as the reference host writes
    Spaced,
    /// In upper case, as an older host writes
    Upper,
}

impl From<MannerName> for Manner {
    fn from(name: MannerName) -> Self {
        match name {
            MannerName::Plain => Manner::Plain,
            MannerName::Spaced => Manner::Spaced,
            MannerName::Upper => Manner::UpperCase,
        }
    }
}

/// How PLAY tells what is seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum PerceptsName {
    /// The turn, the own move, then what was seen
    #[default]
    Turn,
    /// What was seen in the place of the moves, as an older host does
    List,
}

impl From<PerceptsName> for PerceptForm {
    fn from(name: PerceptsName) -> Self {
        match name {
            PerceptsName::Turn => PerceptForm::Turn,
            PerceptsName::List => PerceptForm::List,
        }
    }
}

/// The longest clock that can be asked for: a day.
const LONGEST_SECONDS: f64 = 86_400.0;

fn seconds(name: &str, value: f64) -> anyhow::Result<Duration> {
    if !(0.0..=LONGEST_SECONDS).contains(&value) {
        bail!("--{name} {value}: give seconds from 0 to {LONGEST_SECONDS}");
    }
    Ok(Duration::from_secs_f64(value))
}

impl Arguments {
    pub(crate) fn run(self, output: &mut Output) -> anyhow::Result<ExitCode> {
        let game = input::load(&self.game.game, self.game.reading.mode())?;
        let clocks = Clocks {
            preview: seconds("preview-clock", self.preview_clock)?,
            start: seconds("start-clock", self.start_clock)?,
            play: seconds("play-clock", self.play_clock)?,
        };
        let bytes = usize::try_from(self.memory << 20).unwrap_or(usize::MAX);
        let limits = datalog::Limits { bytes, ..Default::default() };
        let machine = machine::reference::Reference::new(&game.rules, limits).map_err(Unbuildable)?;
        let seats = seats::read(&self.players, usize::from(self.jobs), bytes, self.seed)?;
        if let Some(folder) = &self.records {
            std::fs::create_dir_all(folder)
                .with_context(|| format!("cannot make the folder {}", folder.display()))?;
        }
        let wait = seconds("wait", self.wait)?;
        let cores = std::thread::available_parallelism().map_or(2, usize::from).max(2);
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(cores).enable_all().build();
        let runtime = runtime.context("cannot start")?;
        let tournament = tournament::Tournament::new(&self, &game, machine, seats, clocks)?;
        let answer = runtime.block_on(async {
            tournament.wait_for_players(wait).await?;
            tournament.play().await
        });
        // Brains of players in this process may still be thinking; they are not waited for.
        runtime.shutdown_background();
        let answer = answer?;
        if self.json {
            output.json(&answer)?;
        } else {
            game.write_title(output)?;
            answer.write(output)?;
        }
        Ok(if answer.is_clean() { ExitCode::SUCCESS } else { ExitCode::from(FAULTY) })
    }
}

//! `ludens video watch`

use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use vgdl::{Action, Game};
use video::bout;
use video::record::word;

use super::thinking::ThinkingArguments;
use super::{recordings, screen};
use crate::failure::tell;
use crate::output::Output;
use crate::process::thread_cpu_time;
use crate::video_games::VideoGame;

/// Watch a player play a video game, or a game that was recorded
///
/// On a terminal the picture moves; elsewhere every tick is written below the one before.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  ludens video watch lantern\n  ludens video watch zelda.txt --level 2 --player mcts\n  \
                  ludens video match lantern --json > game.json\n  ludens video watch --replay game.json --speed 60\n  \
                  ludens video watch zelda.txt --replay results.jsonl --number 12"
)]
pub(crate) struct Arguments {
    /// The game; a record of a bundled one, or one that `video match --json` wrote, needs none
    #[arg(required_unless_present = "replay")]
    game: Option<String>,

    /// The number of the level
    #[arg(long, default_value_t = 0)]
    level: usize,

    /// The player: NAME or NAME:PARAMETER=VALUE,..
    #[arg(long, value_name = "PLAYER", default_value = "ludens-video")]
    player: String,

    /// Show a game that was played: a record of `video match --json`, or results of `video tournament --out`
    #[arg(long, value_name = "FILE", conflicts_with_all = ["level", "player"])]
    replay: Option<PathBuf>,

    /// Which game of the file
    #[arg(long, value_name = "N", default_value_t = 1, requires = "replay")]
    number: usize,

    #[command(flatten)]
    thinking: ThinkingArguments,

    /// Ticks a second at most
    #[arg(long, default_value_t = 20.0)]
    speed: f64,
}

/// Shows a game tick by tick, no faster than it should.
struct Show<'a> {
    output: &'a mut Output,
    moving: bool,
    pause: Duration,
    last: Instant,
    end: String,
}

impl<'a> Show<'a> {
    fn begin(output: &'a mut Output, speed: f64) -> anyhow::Result<Self> {
        let pause = Duration::try_from_secs_f64(1.0 / speed);
        let pause = pause.ok().filter(|pause| *pause < Duration::from_secs(60));
        let pause = pause.with_context(|| format!("`{speed}` is no speed; give --speed ticks a second"))?;
        let moving = output.colour;
        if moving {
            // A screen of its own, without a cursor.
            write!(output, "\x1b[?1049h\x1b[?25l")?;
        }
        Ok(Self { output, moving, pause, last: Instant::now(), end: String::new() })
    }

    fn state(&mut self, game: &Game) -> std::io::Result<()> {
        if self.moving {
            std::thread::sleep(self.pause.saturating_sub(self.last.elapsed()));
        }
        self.last = Instant::now();
        let (home, clear) = if self.moving { ("\x1b[H", "\x1b[K") } else { ("", "") };
        let picture = screen::draw(game, 0, self.moving);
        self.end = screen::status(game, 0);
        writeln!(self.output, "{home}{picture}{}{clear}", self.end)?;
        self.output.flush()
    }

    fn finish(self) -> std::io::Result<()> {
        if self.moving {
            write!(self.output, "\x1b[?25h\x1b[?1049l")?;
            writeln!(self.output, "{}", self.end)?;
        }
        Ok(())
    }
}

impl Arguments {
    pub(crate) fn run(self, output: &mut Output) -> anyhow::Result<ExitCode> {
        match (&self.replay, &self.game) {
            (Some(file), _) => self.replay(file, output)?,
            (None, Some(game)) => self.watch(game, output)?,
            (None, None) => bail!("give a game, or --replay FILE"),
        }
        Ok(ExitCode::SUCCESS)
    }

    fn watch(&self, game: &str, output: &mut Output) -> anyhow::Result<()> {
        let game = VideoGame::find(game)?;
        let level = game.level(self.level)?;
        let made = video::players::registry().read(&self.player)?;
        let seeds = (0..game.rules.players as u64).map(|seat| self.thinking.seed.wrapping_add(seat));
        let mut players: Vec<_> = seeds.map(|seed| made.player(seed)).collect();
        let conditions = self.thinking.conditions()?;
        let mut show = Show::begin(output, self.speed)?;
        let mut shown = Ok(());
        let mut listen = |game: &Game, _: &[Action]| {
            shown = show.state(game);
            if shown.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        bout::play(level, &mut players, self.thinking.seed, conditions, &thread_cpu_time, &mut listen);
        show.finish()?;
        Ok(shown?)
    }

    fn replay(&self, file: &Path, output: &mut Output) -> anyhow::Result<()> {
        let kept = recordings::read(file, self.number)?;
        let recording = &kept.recording;
        let (game, number) = match &self.game {
            Some(name) => (VideoGame::find(name)?, recording.level),
            None => VideoGame::of_recording(recording)?,
        };
        let level = game.level(number)?;
        let ticks = recording.ticks(game.rules.players)?;
        let mut play = recording.start(level);
        let mut show = Show::begin(output, self.speed)?;
        let mut shown = show.state(&play);
        for actions in &ticks {
            if shown.is_err() {
                break;
            }
            play.advance(actions);
            shown = show.state(&play);
        }
        show.finish()?;
        shown?;
        let ended = play.result().first().map(|&(outcome, score)| (word(outcome).to_owned(), score));
        if let (Some(then), Some(now)) = (kept.outcome, ended)
            && then != now
        {
            tell(
                "warning",
                &format!(
                    "the record says {} with {} points: this is not the game that was recorded",
                    then.0, then.1
                ),
            );
        }
        Ok(())
    }
}

//! `ludens video watch`

use std::io::Write;
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use vgdl::{Action, Game};
use video::bout;

use super::screen;
use super::thinking::ThinkingArguments;
use crate::output::Output;
use crate::process::thread_cpu_time;
use crate::video_games::VideoGame;

/// Watch a player play a video game
///
/// On a terminal the picture moves; elsewhere every tick is written below the one before.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  ludens video watch lantern\n  ludens video watch zelda.txt --level 2 --player mcts"
)]
pub(crate) struct Arguments {
    /// The game
    game: String,

    /// The number of the level
    #[arg(long, default_value_t = 0)]
    level: usize,

    /// The player: NAME or NAME:PARAMETER=VALUE,..
    #[arg(long, value_name = "PLAYER", default_value = "ludens-video")]
    player: String,

    #[command(flatten)]
    thinking: ThinkingArguments,

    /// Ticks a second at most
    #[arg(long, default_value_t = 20.0)]
    speed: f64,
}

impl Arguments {
    pub(crate) fn run(self, output: &mut Output) -> anyhow::Result<ExitCode> {
        let game = VideoGame::find(&self.game)?;
        let level = game.level(self.level)?;
        let made = video::players::registry().read(&self.player)?;
        let mut players: Vec<_> =
            (0..game.rules.players).map(|seat| made.player(self.thinking.seed + seat as u64)).collect();
        let moving = output.colour;
        if moving {
            // A screen of its own, without a cursor.
            write!(output, "\x1b[?1049h\x1b[?25l")?;
        }
        let pause = Duration::try_from_secs_f64(1.0 / self.speed).unwrap_or_default();
        let mut last = Instant::now();
        let mut failure = None;
        let mut end = String::new();
        let mut listen = |game: &Game, _: &[Action]| {
            let wait = pause.saturating_sub(last.elapsed());
            if moving {
                std::thread::sleep(wait);
            }
            last = Instant::now();
            let home = if moving { "\x1b[H" } else { "" };
            let picture = screen::draw(game, 0, moving);
            end = screen::status(game, 0);
            let clear = if moving { "\x1b[K" } else { "" };
            let shown = writeln!(output, "{home}{picture}{end}{clear}").and_then(|()| output.flush());
            match shown {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    failure = Some(error);
                    ControlFlow::Break(())
                }
            }
        };
        let conditions = self.thinking.conditions()?;
        bout::play(level, &mut players, self.thinking.seed, conditions, &thread_cpu_time, &mut listen);
        if moving {
            write!(output, "\x1b[?25h\x1b[?1049l")?;
            writeln!(output, "{end}")?;
        }
        match failure {
            Some(error) => Err(error.into()),
            None => Ok(ExitCode::SUCCESS),
        }
    }
}

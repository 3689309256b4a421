//! `ludens video picture`

use std::io::Write;
use std::ops::ControlFlow;
use std::process::ExitCode;

use vgdl::{Action, Category, Game};
use video::{bout, look};

use super::thinking::ThinkingArguments;
use crate::output::Output;
use crate::process::thread_cpu_time;
use crate::video_games::VideoGame;

/// Draw a state of a video game as a picture (SVG)
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  ludens video picture lantern > lantern.svg\n  \
                        ludens video picture balloons --level 3 --ticks 80 --player olets > balloons.svg")]
pub(crate) struct Arguments {
    /// The game
    game: String,

    /// The number of the level
    #[arg(long, default_value_t = 0)]
    level: usize,

    /// Ticks that are played before
    #[arg(long, default_value_t = 0)]
    ticks: i32,

    /// The player: NAME or NAME:PARAMETER=VALUE,..
    #[arg(long, value_name = "PLAYER", default_value = "ludens-video")]
    player: String,

    #[command(flatten)]
    thinking: ThinkingArguments,
}

/// Pixels of a cell in a picture.
const CELL: f64 = 24.0;

impl Arguments {
    pub(crate) fn run(self, output: &mut Output) -> anyhow::Result<ExitCode> {
        let game = VideoGame::find(&self.game)?;
        let level = game.level(self.level)?;
        let made = video::players::registry().read(&self.player)?;
        let seats = 0..game.rules.players as u64;
        let mut players: Vec<_> =
            seats.map(|seat| made.player(self.thinking.seed.wrapping_add(seat))).collect();
        let mut picture = String::new();
        let mut listen = |game: &Game, _: &[Action]| {
            if game.state().tick() < self.ticks - 1 && !game.state().is_over() {
                return ControlFlow::Continue(());
            }
            picture = draw(game);
            ControlFlow::Break(())
        };
        let conditions = self.thinking.conditions()?;
        bout::play(level, &mut players, self.thinking.seed, conditions, &thread_cpu_time, &mut listen);
        output.write_all(picture.as_bytes())?;
        Ok(ExitCode::SUCCESS)
    }
}

/// A state as SVG.
fn draw(game: &Game) -> String {
    let level = game.level();
    let scale = CELL / f64::from(level.block.max(1));
    let (width, height) = (f64::from(level.width) * CELL, f64::from(level.height) * CELL);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#1b1b1f\"/>\n"
    );
    for kind in look::drawn(game, 0) {
        for sprite in look::sprites(game, kind) {
            let [x, y, w, h] = [sprite.rect.x, sprite.rect.y, sprite.rect.w, sprite.rect.h]
                .map(|side| f64::from(side) * scale);
            let fill = look::colour(look::number(&sprite));
            // What stays fills its cell; what moves is round, and avatars are the roundest.
            let (inset, round) = match sprite.category {
                Category::Static => (0.0, 0.0),
                Category::Portal => (1.0, 3.0),
                Category::Avatar => (2.0, w / 2.0),
                _ => (3.0, w / 4.0),
            };
            svg.push_str(&format!(
                "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"{round:.1}\" fill=\"{fill}\"/>\n",
                x + inset,
                y + inset,
                (w - 2.0 * inset).max(1.0),
                (h - 2.0 * inset).max(1.0),
            ));
        }
    }
    svg.push_str("</svg>\n");
    svg
}

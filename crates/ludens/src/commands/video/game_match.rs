//! `ludens video match`

use std::io::Write;
use std::ops::ControlFlow;
use std::process::ExitCode;

use anyhow::bail;
use serde::Serialize;
use vgdl::{Action, Game, Outcome};
use video::bout;

use super::thinking::ThinkingArguments;
use crate::output::Output;
use crate::process::thread_cpu_time;
use crate::video_games::VideoGame;

/// Let a player play one game, and tell how it ended
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  ludens video match lantern --player olets\n  \
                        ludens video match zelda.txt --level 2 --player mcts:depth=20 --seed 7 --json")]
pub(crate) struct Arguments {
    /// The game
    game: String,

    /// The number of the level
    #[arg(long, default_value_t = 0)]
    level: usize,

    /// The player, or one for each avatar: NAME or NAME:PARAMETER=VALUE,.. (give the option again)
    #[arg(long, value_name = "PLAYER", default_value = "ludens-video")]
    player: Vec<String>,

    #[command(flatten)]
    thinking: ThinkingArguments,

    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Answer {
    game: String,
    level: usize,
    players: Vec<String>,
    seed: u64,
    thinking: String,
    results: Vec<ResultAnswer>,
    ticks: i32,
    /// Answers that came too late.
    late: u64,
    longest_milliseconds: f64,
    /// What the first player did, a letter each.
    actions: String,
}

#[derive(Serialize)]
struct ResultAnswer {
    outcome: &'static str,
    score: f64,
}

/// The word for an outcome.
pub(super) fn word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Won => "won",
        Outcome::Lost => "lost",
        Outcome::Open => "open",
    }
}

/// The letter of an action.
fn letter(action: Action) -> char {
    match action {
        Action::Nil => '.',
        Action::Up => 'u',
        Action::Left => 'l',
        Action::Down => 'd',
        Action::Right => 'r',
        Action::Use => 'x',
    }
}

impl Arguments {
    pub(crate) fn run(self, output: &mut Output) -> anyhow::Result<ExitCode> {
        let game = VideoGame::find(&self.game)?;
        let level = game.level(self.level)?;
        let registry = video::players::registry();
        let mut made = Vec::new();
        for text in &self.player {
            made.push(registry.read(text)?);
        }
        let seats = game.rules.players;
        if made.len() != 1 && made.len() != seats {
            bail!("{} is for {seats} players; give --player once, or once for each", game.name);
        }
        let mut players: Vec<_> = (0..seats)
            .map(|seat| made[seat.min(made.len() - 1)].player(self.thinking.seed.wrapping_add(seat as u64)))
            .collect();
        let mut actions = String::new();
        let mut listen = |_: &Game, done: &[Action]| {
            actions.extend(done.first().map(|&action| letter(action)));
            ControlFlow::Continue(())
        };
        let conditions = self.thinking.conditions()?;
        let bout =
            bout::play(level, &mut players, self.thinking.seed, conditions, &thread_cpu_time, &mut listen);
        let answer = Answer {
            game: game.name.clone(),
            level: self.level,
            players: made.iter().map(video::Made::name).collect(),
            seed: self.thinking.seed,
            thinking: self.thinking.label(),
            results: bout
                .results
                .iter()
                .map(|&(outcome, score)| ResultAnswer { outcome: word(outcome), score })
                .collect(),
            ticks: bout.ticks,
            late: bout.late,
            longest_milliseconds: 1e3 * bout.longest.as_secs_f64(),
            actions,
        };
        if self.json {
            output.json(&answer)?;
            return Ok(ExitCode::SUCCESS);
        }
        for (seat, result) in answer.results.iter().enumerate() {
            let player = &answer.players[seat.min(answer.players.len() - 1)];
            writeln!(
                output,
                "{player} {} {} level {} with {} points in {} ticks",
                result.outcome, answer.game, answer.level, result.score, answer.ticks
            )?;
        }
        if answer.late > 0 {
            writeln!(output, "{} answers came too late", answer.late)?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

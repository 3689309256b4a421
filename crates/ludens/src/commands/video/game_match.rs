//! `ludens video match`

use std::io::Write;
use std::ops::ControlFlow;
use std::process::ExitCode;

use anyhow::bail;
use serde::Serialize;
use vgdl::{Action, Game};
use video::bout;
use video::record::{Recording, word, written};

use super::thinking::ThinkingArguments;
use crate::output::Output;
use crate::process::thread_cpu_time;
use crate::video_games::VideoGame;

/// Let a player play one game, and tell how it ended
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  ludens video match lantern --player olets\n  \
                        ludens video match zelda.txt --level 2 --player mcts:depth=20 --seed 7 --json > game.json\n\n\
                        --json writes a record with what every player did; `ludens video watch --replay` shows it.")]
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

/// A record that `ludens video watch --replay` reads, and how the game went.
#[derive(Serialize)]
struct Answer {
    #[serde(flatten)]
    recording: Recording,
    thinking: String,
    results: Vec<ResultAnswer>,
    ticks: i32,
    /// Answers that came too late.
    late: u64,
    longest_milliseconds: f64,
}

#[derive(Serialize)]
struct ResultAnswer {
    outcome: &'static str,
    score: f64,
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
        let mut ticks: Vec<Vec<Action>> = Vec::new();
        let mut listen = |_: &Game, done: &[Action]| {
            ticks.extend((!done.is_empty()).then(|| done.to_vec()));
            ControlFlow::Continue(())
        };
        let conditions = self.thinking.conditions()?;
        let bout =
            bout::play(level, &mut players, self.thinking.seed, conditions, &thread_cpu_time, &mut listen);
        let (rules, level_text) = match &game.given {
            Some((rules, levels)) => (Some(rules.clone()), levels.get(self.level).cloned()),
            None => (None, None),
        };
        let recording = Recording {
            game: game.name.clone(),
            rules,
            level_text,
            level: self.level,
            seed: self.thinking.seed,
            players: (0..seats).map(|seat| made[seat.min(made.len() - 1)].name()).collect(),
            actions: written(&ticks, seats),
        };
        let answer = Answer {
            recording,
            thinking: self.thinking.label(),
            results: bout
                .results
                .iter()
                .map(|&(outcome, score)| ResultAnswer { outcome: word(outcome), score })
                .collect(),
            ticks: bout.ticks,
            late: bout.late,
            longest_milliseconds: 1e3 * bout.longest.as_secs_f64(),
        };
        if self.json {
            output.json(&answer)?;
            return Ok(ExitCode::SUCCESS);
        }
        for (player, result) in answer.recording.players.iter().zip(&answer.results) {
            writeln!(
                output,
                "{player} {} {} level {} with {} points in {} ticks",
                result.outcome, game.name, self.level, result.score, answer.ticks
            )?;
        }
        if answer.late > 0 {
            writeln!(output, "{} answers came too late", answer.late)?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

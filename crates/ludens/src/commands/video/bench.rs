//! `ludens video bench`

use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::bail;
use serde::Serialize;
use vgdl::{Game, JavaRandom, Level, Model, Outcome};

use crate::output::Output;
use crate::process::{cpu_seconds_since, cpu_time};
use crate::table::{Table, grouped};
use crate::video_games::VideoGame;

/// Measure the forward model: random rollouts from the first state of level 0
///
/// Figures are ticks a second of processor time, copies of the first state included. Where the speed of the
/// GVG-AI framework in Java is known, the ratio stands beside them.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  ludens video bench training\n  ludens video bench games/*/zelda.txt aliens.txt --seconds 2"
)]
pub(crate) struct Arguments {
    /// The games
    #[arg(required = true, value_name = "GAME")]
    games: Vec<String>,

    /// Seconds of processor time for each figure
    #[arg(long, default_value_t = 1.0)]
    seconds: f64,

    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

/// Games of the GVG-AI framework, and its ticks per second of processor time: rollouts of ten ticks,
/// rollouts to the end. Uniformly random actions from the first state of level 0, one core.
const JAVA: [(&str, f64, f64); 10] = [
    ("aliens", 42_500.0, 42_064.0),
    ("sokoban", 75_800.0, 86_667.0),
    ("zelda", 31_400.0, 31_021.0),
    ("boulderdash", 6_468.0, 8_125.0),
    ("pacman", 4_133.0, 8_407.0),
    ("frogs", 18_852.0, 16_063.0),
    ("missilecommand", 38_800.0, 62_907.0),
    ("survivezombies", 56_000.0, 32_613.0),
    ("butterflies", 24_000.0, 36_515.0),
    ("portals", 30_091.0, 47_161.0),
];

#[derive(Serialize)]
struct Row {
    game: String,
    bytes_per_state: usize,
    copies_per_second: f64,
    short: Rollouts,
    /// Of ten ticks, compared with Java.
    short_ratio: Option<f64>,
    long: Rollouts,
    /// To the end, compared with Java.
    long_ratio: Option<f64>,
}

/// What rollouts came to.
#[derive(Serialize)]
struct Rollouts {
    ticks_per_second: f64,
    mean_length: f64,
    won: f64,
    mean_score: f64,
}

impl Arguments {
    pub(crate) fn run(self, output: &mut Output) -> anyhow::Result<ExitCode> {
        if !(self.seconds > 0.0 && self.seconds < 1e6) {
            bail!("`{}` is no time to measure", self.seconds);
        }
        let mut rows = Vec::new();
        for word in &self.games {
            for game in VideoGame::find_all(word)? {
                rows.push(self.measure(&game)?);
            }
        }
        if self.json {
            output.json(&rows)?;
        } else {
            write(&rows, output)?;
        }
        Ok(ExitCode::SUCCESS)
    }

    fn measure(&self, game: &VideoGame) -> anyhow::Result<Row> {
        let level = game.level(0)?;
        let java = JAVA.iter().find(|row| row.0 == game.name);
        let (short, long) = (self.rollouts(level, 10), self.rollouts(level, vgdl::MAX_TICKS as usize));
        Ok(Row {
            game: game.name.clone(),
            bytes_per_state: Game::new(level.clone(), 1).state().bytes(),
            copies_per_second: self.copies(level),
            short_ratio: java.map(|row| short.ticks_per_second / row.1),
            short,
            long_ratio: java.map(|row| long.ticks_per_second / row.2),
            long,
        })
    }

    /// Plays rollouts of at most `depth` ticks.
    fn rollouts(&self, level: &Arc<Level>, depth: usize) -> Rollouts {
        let root = Game::new(level.clone(), 1).model(1);
        let mut model: Model = root.clone();
        let mut random = JavaRandom::new(2);
        let players = level.rules.players;
        let (mut ticks, mut wins, mut score, mut played) = (0u64, 0u64, 0.0, 0u64);
        let begin = cpu_time();
        loop {
            for _ in 0..(2000 / depth).max(1) {
                model.clone_from(&root);
                played += 1;
                model.reseed(i64::from(random.next_int(1 << 30)));
                for _ in 0..depth {
                    let any = |player: usize, random: &mut JavaRandom| {
                        let actions = model.state().actions(level, player);
                        let which = random.next_int(actions.len() as u32) as usize;
                        actions.get(which).copied().unwrap_or_default()
                    };
                    if model.state().is_over() {
                        break;
                    }
                    let actions = [
                        any(0, &mut random),
                        if players > 1 { any(1, &mut random) } else { Default::default() },
                    ];
                    model.advance(&actions[..players]);
                    ticks += 1;
                }
                wins += u64::from(model.state().outcome(0) == Outcome::Won);
                score += model.state().score(0);
            }
            let spent = cpu_seconds_since(begin);
            if spent > self.seconds {
                let count = played as f64;
                return Rollouts {
                    ticks_per_second: ticks as f64 / spent,
                    mean_length: ticks as f64 / count,
                    won: wins as f64 / count,
                    mean_score: score / count,
                };
            }
        }
    }

    /// Copies of the first state per second.
    fn copies(&self, level: &Arc<Level>) -> f64 {
        let root = Game::new(level.clone(), 1).model(1);
        let mut model: Model = root.clone();
        let begin = cpu_time();
        let mut copies = 0u64;
        loop {
            for _ in 0..1000 {
                std::hint::black_box(&mut model).clone_from(std::hint::black_box(&root));
                copies += 1;
            }
            let spent = cpu_seconds_since(begin);
            if spent > self.seconds / 4.0 {
                return copies as f64 / spent;
            }
        }
    }
}

fn write(rows: &[Row], output: &mut Output) -> anyhow::Result<()> {
    let mut table = Table::new(&[
        "game",
        ">10 ticks",
        ">of Java",
        ">to the end",
        ">of Java",
        ">copies/s",
        ">KiB/state",
        ">length",
        ">won",
        ">score",
    ]);
    let ratio = |ratio: Option<f64>| ratio.map_or_else(|| "-".to_owned(), |ratio| format!("{ratio:.1}x"));
    for row in rows {
        table.row([
            row.game.clone(),
            grouped(row.short.ticks_per_second as u64),
            ratio(row.short_ratio),
            grouped(row.long.ticks_per_second as u64),
            ratio(row.long_ratio),
            grouped(row.copies_per_second as u64),
            format!("{:.1}", row.bytes_per_state as f64 / 1024.0),
            format!("{:.1}", row.long.mean_length),
            format!("{:.3}", row.long.won),
            format!("{:.2}", row.long.mean_score),
        ]);
    }
    table.write(output)?;
    let ratios: Vec<f64> = rows.iter().flat_map(|row| [row.short_ratio, row.long_ratio]).flatten().collect();
    if !ratios.is_empty() {
        let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp();
        let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
        writeln!(output, "geometric mean {mean:.1} times Java, least {least:.1}")?;
    }
    Ok(())
}

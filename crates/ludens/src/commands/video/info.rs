//! `ludens info` for video games.

use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;

use serde::Serialize;
use vgdl::{Category, Game, JavaRandom, Level, Outcome};

use crate::output::Output;
use crate::table::Table;
use crate::video_games::VideoGame;

#[derive(Serialize)]
struct Answer {
    game: String,
    players: usize,
    types: Vec<TypeAnswer>,
    effects: usize,
    terminations: usize,
    levels: Vec<LevelAnswer>,
}

#[derive(Serialize)]
struct TypeAnswer {
    name: String,
    class: Option<&'static str>,
    below: Vec<String>,
}

#[derive(Serialize)]
struct LevelAnswer {
    level: usize,
    width: i32,
    height: i32,
    pixels_per_cell: i32,
    sprites: usize,
    moving: usize,
    bytes_per_state: usize,
    /// What random playouts show.
    mean_ticks: f64,
    won: f64,
    mean_score: f64,
}

/// Tells what is known of a video game.
pub(crate) fn info(
    game: &VideoGame,
    playouts: u64,
    seed: u64,
    json: bool,
    output: &mut Output,
) -> anyhow::Result<ExitCode> {
    let rules = &game.rules;
    let types = rules.types().map(|id| {
        let kind = rules.kind(id);
        let above = kind.lineage.iter().filter(|other| **other != id);
        TypeAnswer {
            name: kind.name.clone(),
            class: kind.class.map(vgdl::SpriteClass::name),
            below: above.map(|other| rules.kind(*other).name.clone()).collect(),
        }
    });
    let level = |(number, level): (usize, &Arc<Level>)| level_answer(number, level, playouts, seed);
    let answer = Answer {
        game: game.name.clone(),
        players: rules.players,
        types: types.collect(),
        effects: rules.effects.len(),
        terminations: rules.terminations.len(),
        levels: game.levels.iter().enumerate().map(level).collect(),
    };
    if json {
        output.json(&answer)?;
    } else {
        answer.write(output)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn level_answer(number: usize, level: &Arc<Level>, playouts: u64, seed: u64) -> LevelAnswer {
    let start = Game::new(level.clone(), seed as i64);
    let sprites = || level.rules.types().flat_map(|id| start.state().sprites_of(level, id));
    let (mut ticks, mut wins, mut score) = (0u64, 0u64, 0.0);
    let mut random = JavaRandom::new(seed as i64);
    for playout in 0..playouts {
        let mut play = Game::new(level.clone(), seed.wrapping_add(playout) as i64);
        while !play.state().is_over() {
            let any = |player: usize, random: &mut JavaRandom| {
                let actions = play.state().actions(level, player);
                let which = random.next_int(actions.len() as u32) as usize;
                actions.get(which).copied().unwrap_or_default()
            };
            let actions: Vec<_> = (0..level.rules.players).map(|player| any(player, &mut random)).collect();
            play.advance(&actions);
            ticks += 1;
        }
        wins += u64::from(play.state().outcome(0) == Outcome::Won);
        score += play.state().score(0);
    }
    let count = playouts.max(1) as f64;
    LevelAnswer {
        level: number,
        width: level.width,
        height: level.height,
        pixels_per_cell: level.block,
        sprites: sprites().count(),
        moving: sprites().filter(|sprite| sprite.category != Category::Static).count(),
        bytes_per_state: start.state().bytes(),
        mean_ticks: ticks as f64 / count,
        won: wins as f64 / count,
        mean_score: score / count,
    }
}

impl Answer {
    fn write(&self, output: &mut Output) -> anyhow::Result<()> {
        let title = output.bold(&self.game);
        writeln!(output, "{title}")?;
        let players =
            if self.players == 1 { "one player".to_owned() } else { format!("{} players", self.players) };
        writeln!(
            output,
            "A video game for {players}: {} types of sprites, {} effects, {} ways to end\n",
            self.types.len(),
            self.effects,
            self.terminations
        )?;
        let mut table = Table::new(&["type", "class", "below"]);
        for kind in &self.types {
            table.row([kind.name.clone(), kind.class.unwrap_or("-").to_owned(), kind.below.join(", ")]);
        }
        table.write(output)?;
        writeln!(output)?;
        let mut table = Table::new(&[
            "level",
            ">cells",
            ">sprites",
            ">not static",
            ">KiB/state",
            ">random ticks",
            ">won",
            ">score",
        ]);
        for level in &self.levels {
            table.row([
                level.level.to_string(),
                format!("{} x {}", level.width, level.height),
                level.sprites.to_string(),
                level.moving.to_string(),
                format!("{:.1}", level.bytes_per_state as f64 / 1024.0),
                format!("{:.1}", level.mean_ticks),
                format!("{:.2}", level.won),
                format!("{:.2}", level.mean_score),
            ]);
        }
        if !table.is_empty() {
            table.write(output)?;
        }
        Ok(())
    }
}

//! How fast the forward model is: random rollouts from the first state of a level, copies
//! included, in ticks per second of cpu time.
//!
//! `cargo run --release -p vgdl --example speed -- FOLDER [GAME..]`, with a folder of games.
#![allow(clippy::print_stdout)]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustix::time::{ClockId, clock_gettime};
use vgdl::{Action, Game, JavaRandom, Level, Model, Outcome, SourceFile};

/// Games, and ticks per cpu second of the reference framework in Java: rollouts of ten ticks, and
/// rollouts to the end.
const GAMES: [(&str, f64, f64); 10] = [
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

/// Seconds of cpu time a figure takes.
const BUDGET: f64 = 1.0;

fn cpu() -> f64 {
    let now = clock_gettime(ClockId::ProcessCPUTime);
    now.tv_sec as f64 + now.tv_nsec as f64 * 1e-9
}

fn load(folder: &Path, game: &str) -> Option<Arc<Level>> {
    let read = |name: String| {
        let bytes = std::fs::read(folder.join(&name)).ok()?;
        SourceFile::from_bytes(name, &bytes).ok()
    };
    let rules = vgdl::compile(&vgdl::parse(&read(format!("{game}.txt"))?).description).rules;
    Some(Arc::new(Level::load(Arc::new(rules), &read(format!("{game}_lvl0.txt"))?).level))
}

/// What rollouts came to.
struct Rollouts {
    /// Ticks per cpu second.
    speed: f64,
    /// Ticks of a rollout.
    length: f64,
    /// How many of them were won.
    wins: f64,
    /// Their score.
    score: f64,
}

/// Plays rollouts of at most `depth` ticks.
fn rollouts(level: &Arc<Level>, depth: usize) -> Rollouts {
    let root = Game::new(level.clone(), 1).model(1);
    let mut model: Model = root.clone();
    let mut random = JavaRandom::new(2);
    let (mut ticks, mut wins, mut score, mut played) = (0u64, 0u64, 0.0, 0u64);
    let start = cpu();
    loop {
        for _ in 0..(2000 / depth).max(1) {
            model.clone_from(&root);
            played += 1;
            model.reseed(i64::from(random.next_int(1 << 30)));
            for _ in 0..depth {
                let actions = model.state().actions(level, 0);
                if actions.is_empty() {
                    break;
                }
                let action: Action = actions[random.next_int(actions.len() as u32) as usize];
                model.advance(&[action]);
                ticks += 1;
            }
            wins += u64::from(model.state().outcome(0) == Outcome::Won);
            score += model.state().score(0);
        }
        let spent = cpu() - start;
        if spent > BUDGET {
            let played = played as f64;
            return Rollouts {
                speed: ticks as f64 / spent,
                length: ticks as f64 / played,
                wins: wins as f64 / played,
                score: score / played,
            };
        }
    }
}

/// Copies per cpu second of the first state.
fn copies(level: &Arc<Level>) -> f64 {
    let root = Game::new(level.clone(), 1).model(1);
    let mut model: Model = root.clone();
    let start = cpu();
    let mut copies = 0u64;
    while cpu() - start < BUDGET / 4.0 {
        for _ in 0..1000 {
            std::hint::black_box(&mut model).clone_from(std::hint::black_box(&root));
            copies += 1;
        }
    }
    copies as f64 / (cpu() - start)
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let Some(folder) = arguments.next().map(PathBuf::from) else {
        println!("give the folder with the games");
        return;
    };
    let only: Vec<String> = arguments.collect();
    println!("game              10 ticks   of Java  to the end   of Java  copies/s   length   wins   score");
    let (mut product, mut count) = (1.0f64, 0);
    for (game, short, long) in GAMES {
        if !only.is_empty() && !only.iter().any(|name| name == game) {
            continue;
        }
        let Some(level) = load(&folder, game) else {
            println!("{game:16} is not there");
            continue;
        };
        let (ten, end) = (rollouts(&level, 10), rollouts(&level, 2000));
        println!(
            "{game:16} {:9.0} {:8.1}x {:11.0} {:8.1}x {:9.0} {:8.1} {:6.3} {:7.2}",
            ten.speed,
            ten.speed / short,
            end.speed,
            end.speed / long,
            copies(&level),
            end.length,
            end.wins,
            end.score
        );
        product *= ten.speed / short * end.speed / long;
        count += 2;
    }
    if count > 0 {
        println!("geometric mean {:.1}x", product.powf(1.0 / f64::from(count)));
    }
}

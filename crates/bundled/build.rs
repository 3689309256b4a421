//! Embeds every game of the folder `games`: its rules and its metadata.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let variable = |name| env::var_os(name).ok_or_else(|| io::Error::other(format!("{name} is not set")));
    let folder = Path::new(&variable("CARGO_MANIFEST_DIR")?).join("../../games").canonicalize()?;
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut games: Vec<PathBuf> =
        fs::read_dir(&folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    games.sort();
    let mut table = String::from("&[\n");
    for game in games {
        let Some(name) = game.file_name().and_then(|name| name.to_str()) else { continue };
        let (rules, metadata) = (game.join("rules.kif"), game.join("metadata.toml"));
        // A game that is being written has only one of its files; a test of this crate tells of it.
        if rules.is_file() && metadata.is_file() {
            writeln!(table, "    ({name:?}, include_str!({rules:?}), include_str!({metadata:?})),")
                .map_err(io::Error::other)?;
        }
    }
    table.push_str("]\n");
    let out = Path::new(&variable("OUT_DIR")?).to_owned();
    fs::write(out.join("games.rs"), table)?;
    fs::write(out.join("video.rs"), video_games(&folder.join("video"))?)
}

/// The sets of video games, as the competition has them.
const SETS: [&str; 3] = ["training", "validation", "test"];

/// Set, name, rules and levels of every video game, sorted by name within its set.
fn video_games(folder: &Path) -> io::Result<String> {
    let mut table = String::from("&[\n");
    for set in SETS {
        let mut games: Vec<PathBuf> =
            fs::read_dir(folder.join(set))?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
        games.sort();
        for game in games {
            let Some(name) = game.file_name().and_then(|name| name.to_str()) else { continue };
            let rules = game.join("rules.vgdl");
            let levels = (0..).map(|number| game.join(format!("level-{number}.txt")));
            let levels: Vec<String> = levels
                .take_while(|path| path.is_file())
                .map(|path| format!("include_str!({path:?})"))
                .collect();
            if rules.is_file() {
                let levels = levels.join(", ");
                writeln!(table, "    ({set:?}, {name:?}, include_str!({rules:?}), &[{levels}]),")
                    .map_err(io::Error::other)?;
            }
        }
    }
    table.push_str("]\n");
    Ok(table)
}

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
    fs::write(Path::new(&variable("OUT_DIR")?).join("games.rs"), table)
}

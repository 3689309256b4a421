//! Games and traces that are not part of the project. Each test uses some of this.
#![allow(dead_code, clippy::print_stdout)]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use vgdl::{Level, Rules, SourceFile};

/// The folder with `games`, `games2p` and `traces`, if there is one: `vgdl` in `../shared` beside
/// the workspace, or in `LUDENS_CORPUS`.
pub(crate) fn folder() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let folder = std::env::var_os("LUDENS_CORPUS").map_or(beside, PathBuf::from).join("vgdl");
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: no {}", folder.display());
    None
}

pub(crate) fn read(path: &Path) -> SourceFile {
    let bytes = std::fs::read(path).unwrap_or_else(|fault| panic!("{}: {fault}", path.display()));
    SourceFile::from_bytes(path.display().to_string(), &bytes).expect("small")
}

pub(crate) fn rules(path: &Path) -> Arc<Rules> {
    Arc::new(vgdl::compile(&vgdl::parse(&read(path)).description).rules)
}

pub(crate) fn level(rules: &Arc<Rules>, path: &Path) -> Arc<Level> {
    Arc::new(Level::load(rules.clone(), &read(path)).level)
}

/// The names of all games of a folder.
pub(crate) fn games(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .expect("a folder")
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter_map(|name| name.strip_suffix(".txt").map(str::to_owned))
        .filter(|name| !name.contains("_lvl") && name != "LICENSE")
        .collect();
    names.sort();
    names
}

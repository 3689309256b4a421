//! Games and traces that are not part of the project.
#![allow(clippy::print_stdout)]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use vgdl::{Level, SourceFile};

/// The folder with `games` and `traces`, if there is one: `vgdl` in `../shared` beside the workspace, or in
/// `LUDENS_CORPUS`.
pub(crate) fn folder() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let folder = std::env::var_os("LUDENS_CORPUS").map_or(beside, PathBuf::from).join("vgdl");
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: no {}", folder.display());
    None
}

fn read(path: &Path) -> SourceFile {
    let bytes = std::fs::read(path).unwrap_or_else(|fault| panic!("{}: {fault}", path.display()));
    SourceFile::from_bytes(path.display().to_string(), &bytes).expect("small")
}

/// A level of a game.
pub(crate) fn level(rules: &Path, level: &Path) -> Arc<Level> {
    let rules = vgdl::compile(&vgdl::parse(&read(rules)).description).rules;
    Arc::new(Level::load(Arc::new(rules), &read(level)).level)
}

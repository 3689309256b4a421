//! Finding video games and their levels.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};
use gdl::SourceFile;
use vgdl::{Level, Rules};

use crate::failure::tell;
use crate::input;

/// A video game with its levels.
pub(super) struct VideoGame {
    pub(super) name: String,
    pub(super) rules: Arc<Rules>,
    pub(super) levels: Vec<Arc<Level>>,
}

impl VideoGame {
    /// Finds a game by its path.
    pub(super) fn find(game: &str) -> anyhow::Result<Self> {
        let mut path = PathBuf::from(game);
        if path.is_dir() {
            path = path.join("rules.vgdl");
        }
        let source = input::read_sheet(&path.to_string_lossy())?;
        let levels = levels_beside(&path)?;
        Self::new(name_of(&path), &source, &levels)
    }

    fn new(name: String, source: &SourceFile, levels: &[SourceFile]) -> anyhow::Result<Self> {
        let parsed = vgdl::parse(source);
        let checked = vgdl::compile(&parsed.description);
        let findings = parsed.diagnostics.iter().chain(&checked.diagnostics);
        let count = findings.filter(|finding| finding.is_error()).count();
        if count > 0 {
            let faults = if count == 1 { "a fault".to_owned() } else { format!("{count} faults") };
            tell("warning", &format!("{name} has {faults}; `ludens check` shows what is left out"));
        }
        let rules = Arc::new(checked.rules);
        if levels.is_empty() {
            bail!(
                "{name} has no levels; put them beside it as NAME_lvl0.txt, or level-0.txt for a rules.vgdl"
            );
        }
        let load = |level: &SourceFile| Arc::new(Level::load(rules.clone(), level).level);
        Ok(Self { name, levels: levels.iter().map(load).collect(), rules })
    }

    /// A level by its number.
    pub(super) fn level(&self, number: usize) -> anyhow::Result<&Arc<Level>> {
        let last = self.levels.len() - 1;
        self.levels.get(number).with_context(|| format!("{} has levels 0 to {last}", self.name))
    }
}

/// The name of a game, by its path.
fn name_of(path: &Path) -> String {
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let folder = path.parent().and_then(Path::file_name);
    match folder {
        Some(folder) if stem == "rules" => folder.to_string_lossy().into_owned(),
        _ => stem,
    }
}

/// The levels beside a description, in the order of their numbers.
fn levels_beside(path: &Path) -> anyhow::Result<Vec<SourceFile>> {
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let mut levels = Vec::new();
    for number in 0.. {
        let name =
            if stem == "rules" { format!("level-{number}.txt") } else { format!("{stem}_lvl{number}.txt") };
        let level = path.with_file_name(name);
        if !level.is_file() {
            break;
        }
        levels.push(input::read_sheet(&level.to_string_lossy())?);
    }
    Ok(levels)
}

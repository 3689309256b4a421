//! Finding video games and their levels.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};
use gdl::SourceFile;
use language::is_video_game;
use vgdl::{Level, Rules};
use video::record::Recording;

use crate::failure::tell;
use crate::input;

/// A video game with its levels.
pub(crate) struct VideoGame {
    pub(crate) name: String,
    pub(crate) rules: Arc<Rules>,
    pub(crate) levels: Vec<Arc<Level>>,
    /// The description and the levels as they are written, unless they came with Ludens.
    pub(crate) given: Option<(String, Vec<String>)>,
}

/// A description and its levels, as they are written.
pub(crate) struct Texts {
    /// The name of the game.
    pub(crate) name: String,
    pub(crate) rules: SourceFile,
    pub(crate) levels: Vec<SourceFile>,
}

impl Texts {
    /// The texts of a video game, if that is what a name or path means. Other games may have its name: they come first.
    pub(crate) fn find(game: &str) -> anyhow::Result<Option<Self>> {
        let path = described(game);
        if game == input::STANDARD_INPUT {
            return Ok(None);
        }
        if !path.is_file() {
            return Ok(if bundled::find(game).is_ok() { None } else { Self::bundled(game) });
        }
        let rules = input::read_sheet(&path.to_string_lossy())?;
        if !is_video_game(&rules) {
            return Ok(None);
        }
        Ok(Some(Self { name: rules.name().to_owned(), rules, levels: levels_beside(&path)? }))
    }

    /// The texts of a bundled video game.
    fn bundled(name: &str) -> Option<Self> {
        let path = Path::new(name);
        if path.components().count() != 1 || path.extension().is_some() {
            return None;
        }
        let found = bundled::video::find(name)?;
        let rules = SourceFile::new(format!("{}/rules.vgdl", found.name), found.rules);
        let level = |(number, text): (usize, &&str)| {
            SourceFile::new(format!("{}/level-{number}.txt", found.name), *text)
        };
        let levels = found.levels.iter().enumerate().map(level).collect();
        Some(Self { name: found.name.to_owned(), rules, levels })
    }
}

/// The path of a description; a folder stands for the rules in it.
fn described(game: &str) -> PathBuf {
    let path = PathBuf::from(game);
    if path.is_dir() { path.join("rules.vgdl") } else { path }
}

impl VideoGame {
    /// Finds a game by the name of a bundled one or by its path.
    pub(crate) fn find(game: &str) -> anyhow::Result<Self> {
        if let Some(texts) = Texts::bundled(game) {
            return Self { given: None, ..Self::new(texts.name, &texts.rules, &texts.levels) }.playable();
        }
        let path = described(game);
        if !path.is_file() {
            let near = bundled::video::nearest(game).map(|near| format!("; did you mean `{near}`?"));
            bail!(
                "there is no video game `{game}`, and no file{}",
                near.unwrap_or_else(|| "; `ludens video games` lists the bundled ones".to_owned())
            );
        }
        let source = input::read_sheet(&path.to_string_lossy())?;
        Self::new(name_of(&path), &source, &levels_beside(&path)?).playable()
    }

    /// The game and the level that a recording is of.
    pub(crate) fn of_recording(recording: &Recording) -> anyhow::Result<(Self, usize)> {
        let (Some(rules), Some(level)) = (&recording.rules, &recording.level_text) else {
            let game = Self::find(&recording.game).context("give the game before --replay")?;
            return Ok((game, recording.level));
        };
        let source = SourceFile::new("rules of the record", rules.as_str());
        let level = SourceFile::new("level of the record", level.as_str());
        Ok((Self::new(recording.game.clone(), &source, &[level]), 0))
    }

    /// All games that a word means: a set of bundled games, or one game.
    pub(crate) fn find_all(word: &str) -> anyhow::Result<Vec<Self>> {
        let set = bundled::video::set(word);
        match &set[..] {
            [] => Ok(vec![Self::find(word)?]),
            names => names.iter().map(|name| Self::find(name)).collect(),
        }
    }

    /// A game with its levels, as far as they can be read.
    pub(crate) fn new(name: String, source: &SourceFile, levels: &[SourceFile]) -> Self {
        let parsed = vgdl::parse(source);
        let checked = vgdl::compile(&parsed.description);
        let findings = parsed.diagnostics.iter().chain(&checked.diagnostics);
        let count = findings.filter(|finding| finding.is_error()).count();
        if count > 0 {
            let faults = if count == 1 { "a fault".to_owned() } else { format!("{count} faults") };
            tell("warning", &format!("{name} has {faults}; `ludens check` shows what is left out"));
        }
        let rules = Arc::new(checked.rules);
        let load = |level: &SourceFile| Arc::new(Level::load(rules.clone(), level).level);
        let texts = levels.iter().map(|level| level.text().to_owned()).collect();
        let given = Some((source.text().to_owned(), texts));
        Self { name, levels: levels.iter().map(load).collect(), rules, given }
    }

    fn playable(self) -> anyhow::Result<Self> {
        if self.levels.is_empty() {
            bail!(
                "{} has no levels; put them beside it as NAME_lvl0.txt, or level-0.txt for a rules.vgdl",
                self.name
            );
        }
        Ok(self)
    }

    /// A level by its number.
    pub(crate) fn level(&self, number: usize) -> anyhow::Result<&Arc<Level>> {
        let last = self.levels.len() - 1;
        self.levels.get(number).with_context(|| format!("{} has levels 0 to {last}", self.name))
    }
}

/// The name of a game, by its path.
fn name_of(path: &Path) -> String {
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    match path.parent().and_then(Path::file_name) {
        Some(folder) if stem == "rules" => folder.to_string_lossy().into_owned(),
        _ => stem,
    }
}

/// The levels beside a description, in the order of their numbers.
fn levels_beside(path: &Path) -> anyhow::Result<Vec<SourceFile>> {
    let path = described(&path.to_string_lossy());
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

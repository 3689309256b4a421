//! Reading rule sheets and other files, with bounds and clear errors.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use bundled::Metadata;
use gdl::normal::{NormalRules, normalize};
use gdl::{MAX_SOURCE_BYTES, Mode, Parsed, SourceFile, SourceTooLarge};

use crate::failure::{FaultyGame, tell};
use crate::output::Output;
use crate::report;

/// The name that stands for the standard input.
pub(crate) const STANDARD_INPUT: &str = "-";

/// The most that is read of a trace or other file once it is decompressed.
const MAX_FILE_BYTES: u64 = 1 << 30;

/// A rule sheet, ready to be played.
pub(crate) struct LoadedGame {
    /// The bundled name, or the file's.
    pub(crate) name: String,
    /// The text.
    pub(crate) source: SourceFile,
    /// The sheet.
    pub(crate) parsed: Parsed,
    /// Its normal form.
    pub(crate) rules: NormalRules,
    /// What else is known of the game.
    pub(crate) metadata: Option<Metadata>,
}

/// Loads a game for playing. Lenient: rules that cannot be used are left out and told of on the
/// standard error. Strict: a sheet with errors is refused.
pub(crate) fn load(game: &str, mode: Mode) -> anyhow::Result<LoadedGame> {
    let (name, source, metadata) = find(game)?;
    let parsed = gdl::parse(&source);
    if mode == Mode::Strict {
        let findings = gdl::check(&source, &parsed, Mode::Strict);
        let errors: Vec<_> = findings.into_iter().filter(gdl::Diagnostic::is_error).collect();
        if !errors.is_empty() {
            for error in errors.iter().take(report::MAX_SHOWN) {
                tell("error", &report::line(&source, error));
            }
            let message = format!("{name} breaks the specification in {} places", errors.len());
            return Err(FaultyGame(message + "; `ludens check` shows them, `--lenient` plays on").into());
        }
    }
    let rules = normalize(&parsed.sheet);
    let unread = parsed
        .diagnostics
        .iter()
        .filter(|finding| finding.code.severity(Mode::Lenient) == gdl::Severity::Error);
    for finding in unread.take(report::MAX_SHOWN) {
        // A rule may be kept although something in it could not be read.
        let kept = parsed
            .sheet
            .rules
            .iter()
            .any(|rule| rule.span.start <= finding.span.start && finding.span.end <= rule.span.end);
        let outcome = if kept { "the rest of the rule is kept" } else { "it is left out" };
        tell("warning", &format!("{}; {outcome}", report::line(&source, finding)));
    }
    for fault in rules.faults.iter().take(report::MAX_SHOWN) {
        let place = report::place(&source, fault.span);
        tell("warning", &format!("{place}: {}; the rule is left out", fault.message));
    }
    Ok(LoadedGame { name, source, parsed, rules, metadata })
}

/// The text of a game, the name it goes by, and its metadata if there is any.
pub(crate) fn find(game: &str) -> anyhow::Result<(String, SourceFile, Option<Metadata>)> {
    if game == STANDARD_INPUT {
        return Ok(("standard input".to_owned(), read_sheet(game)?, None));
    }
    let path = Path::new(game);
    let looks_like_path = path.extension().is_some() || path.components().count() > 1;
    if !looks_like_path {
        match bundled::find(game) {
            Ok(found) => {
                let source = SourceFile::new(format!("games/{}/rules.kif", found.name), found.rules);
                return Ok((found.name.to_owned(), source, Some(found.metadata()?.clone())));
            }
            Err(unknown) if !path.exists() => {
                bail!("{unknown} (nor is there a file of that name; `ludens games` lists the bundled games)");
            }
            Err(_) => {}
        }
    }
    // The folder of a game stands for the rules in it.
    let inside = path.join("rules.kif");
    let path = if path.is_dir() && inside.is_file() { inside } else { path.to_owned() };
    let source = read_sheet(&path.to_string_lossy())?;
    let metadata = metadata_beside(&path);
    Ok((source.name().to_owned(), source, metadata))
}

/// The metadata beside a file `rules.kif`, if it can be used.
fn metadata_beside(rules: &Path) -> Option<Metadata> {
    if rules.file_name()? != "rules.kif" {
        return None;
    }
    let path: PathBuf = rules.with_file_name("metadata.toml");
    let text = std::fs::read_to_string(&path).ok()?;
    match Metadata::parse(&path.display().to_string(), &text) {
        Ok(metadata) => Some(metadata),
        Err(error) => {
            tell("warning", &error.to_string());
            None
        }
    }
}

/// Reads a rule sheet from a file, or from the standard input.
pub(crate) fn read_sheet(path: &str) -> anyhow::Result<SourceFile> {
    if path == STANDARD_INPUT {
        let bytes = read_up_to(io::stdin().lock(), MAX_SOURCE_BYTES as u64 + 1);
        let bytes = bytes.context("cannot read the standard input")?;
        return Ok(SourceFile::from_bytes("standard input", &bytes)?);
    }
    let file = open(Path::new(path))?;
    let size = file.metadata().map_or(0, |metadata| metadata.len());
    if size > MAX_SOURCE_BYTES as u64 {
        return Err(SourceTooLarge { name: path.to_owned(), bytes: size as usize }.into());
    }
    let bytes = read_up_to(file, MAX_SOURCE_BYTES as u64 + 1);
    let bytes = bytes.with_context(|| format!("cannot read {path}"))?;
    Ok(SourceFile::from_bytes(path, &bytes)?)
}

/// Reads a file that may be compressed with gzip.
pub(crate) fn read_maybe_compressed(path: &Path) -> anyhow::Result<Vec<u8>> {
    let shown = path.display();
    let bytes =
        read_up_to(open(path)?, MAX_FILE_BYTES + 1).with_context(|| format!("cannot read {shown}"))?;
    let bytes = if is_compressed(&bytes) { decompress(&bytes, &shown.to_string())? } else { bytes };
    if bytes.len() as u64 > MAX_FILE_BYTES {
        bail!("{shown} holds more than {} MiB", MAX_FILE_BYTES >> 20);
    }
    Ok(bytes)
}

fn is_compressed(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0x1f, 0x8b])
}

/// What was compressed with gzip; others are told its name if it is damaged.
pub(crate) fn decompress(bytes: &[u8], name: &str) -> anyhow::Result<Vec<u8>> {
    let decoder = flate2::read::MultiGzDecoder::new(bytes);
    read_up_to(decoder, MAX_FILE_BYTES + 1)
        .with_context(|| format!("cannot decompress {name}: it is damaged or cut off"))
}

fn open(path: &Path) -> anyhow::Result<File> {
    let shown = path.display();
    if path.is_dir() {
        bail!("{shown} is a folder; give the path of a file");
    }
    File::open(path).with_context(|| format!("cannot open {shown}"))
}

fn read_up_to(reader: impl Read, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}

impl LoadedGame {
    /// The name as people write it.
    pub(crate) fn title(&self) -> &str {
        self.metadata.as_ref().map_or(&self.name, |metadata| &metadata.name)
    }

    /// Writes a heading with the name.
    pub(crate) fn write_title(&self, output: &mut Output) -> io::Result<()> {
        use std::io::Write;
        let title = output.bold(self.title());
        writeln!(output, "{title}")
    }
}

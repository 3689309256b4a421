//! Small sheets with faults: each must give exactly the findings that its markers name.

use std::collections::BTreeMap;
use std::path::Path;

use gdl::{CODES, Code, Diagnostic, Mode, SourceFile, check, parse};

use crate::markers::{difference, expectation, marks};

/// Codes from here on are found by playing, not by reading.
pub(crate) const FIRST_BY_SIMULATION: Code = Code::NoLegalMove;

fn sheets() -> Vec<SourceFile> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/broken");
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder exists")
        .map(|entry| entry.expect("it is readable").path())
        .collect();
    paths.sort();
    let read = |path: &std::path::PathBuf| {
        let name = path.file_name().expect("it is a file").to_string_lossy().into_owned();
        SourceFile::from_bytes(name, &std::fs::read(path).expect("it is readable")).expect("it is small")
    };
    paths.iter().filter(|path| path.extension().is_some_and(|end| end == "kif")).map(read).collect()
}

#[test]
fn every_broken_sheet_gives_its_findings() {
    let mut failures = String::new();
    for source in sheets() {
        let expected = match expectation(&source) {
            Ok(expected) => expected,
            Err(fault) => {
                failures += &format!("== {}: {fault}\n", source.name());
                continue;
            }
        };
        let findings = check(&source, &parse(&source), expected.mode);
        for finding in &findings {
            assert!(is_well_told(&source, finding), "{}: {finding:?}", source.name());
        }
        if let Some(report) = difference(&source, &expected.marks, &marks(&findings, None)) {
            failures += &format!("== {}\n{report}", source.name());
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

/// A message, a help, and places inside the text.
fn is_well_told(source: &SourceFile, finding: &Diagnostic) -> bool {
    let length = source.text().len() as u32;
    let spans = std::iter::once(finding.span).chain(finding.labels.iter().map(|label| label.span));
    !finding.message.is_empty()
        && finding.help.as_ref().is_some_and(|help| !help.is_empty())
        && spans.into_iter().all(|span| span.start <= span.end && span.end <= length)
}

#[test]
fn every_code_is_covered_in_several_ways() {
    let mut sheets_with: BTreeMap<Code, usize> = BTreeMap::new();
    let sheets = sheets();
    assert!(sheets.len() >= 60, "{} sheets", sheets.len());
    for source in &sheets {
        let expected = expectation(source).expect("all codes exist");
        let mut codes: Vec<_> = expected.marks.iter().map(|mark| mark.code).collect();
        codes.dedup();
        codes.into_iter().for_each(|code| *sheets_with.entry(code).or_default() += 1);
    }
    for row in CODES.iter().filter(|row| row.code < FIRST_BY_SIMULATION) {
        // Notes are not compared in broken sheets; their pages show them.
        let is_note = row.code.severity(Mode::Strict) < gdl::Severity::Warning;
        let count = sheets_with.get(&row.code).copied().unwrap_or_default();
        assert!(is_note || count >= 2, "{} is in {count} broken sheets", row.name);
    }
}

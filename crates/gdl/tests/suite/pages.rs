//! Every code has a page in `docs/gdl`, and what the page shows is so.

use std::collections::BTreeSet;
use std::path::PathBuf;

use gdl::{CODES, CodeInfo, Mode, SourceFile, check, parse};

use crate::broken::FIRST_BY_SIMULATION;
use crate::markers::{difference, expectation, marks};

fn folder() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "..", "..", "docs", "gdl"].iter().collect()
}

/// A fenced block: the words after its fence, and its text.
struct Block {
    words: Vec<String>,
    source: SourceFile,
}

fn blocks(name: &str, page: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<(Vec<String>, String)> = None;
    for line in page.lines() {
        match (&mut open, line.strip_prefix("```")) {
            (Some(_), Some(_)) => {
                let (words, text) = open.take().expect("it is open");
                let bytes = match words.iter().any(|word| word == "escaped") {
                    true => unescape(&text),
                    false => text.into_bytes(),
                };
                blocks.push(Block {
                    words,
                    source: SourceFile::from_bytes(name, &bytes).expect("it is small"),
                });
            }
            (Some((_, text)), None) => *text += &format!("{line}\n"),
            (None, Some(words)) => {
                open = Some((words.split_whitespace().map(str::to_owned).collect(), String::new()));
            }
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "{name}: a block is not closed");
    blocks
}

/// `\xEF` stands for the byte EF: a page itself is always UTF-8.
fn unescape(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut parts = text.split("\\x");
    bytes.extend(parts.next().unwrap_or_default().bytes());
    for part in parts {
        bytes.push(u8::from_str_radix(&part[..2], 16).expect("two digits follow"));
        bytes.extend(part[2..].bytes());
    }
    bytes
}

fn page(row: &CodeInfo) -> String {
    let path = folder().join(row.name).with_extension("md");
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn there_is_a_page_for_every_code_and_no_other() {
    let pages: BTreeSet<String> = std::fs::read_dir(folder())
        .expect("the folder exists")
        .map(|entry| entry.expect("it is readable").file_name().to_string_lossy().into_owned())
        .collect();
    let mut expected: BTreeSet<String> = CODES.iter().map(|row| format!("{}.md", row.name)).collect();
    expected.insert("README.md".to_owned());
    assert_eq!(pages, expected);
}

#[test]
fn titles_and_severities_are_those_of_the_table() {
    let index = std::fs::read_to_string(folder().join("README.md")).expect("it exists");
    for row in CODES {
        let (name, title, strict, lenient) = (row.name, row.title, row.strict.name(), row.lenient.name());
        let begins = format!("# `{name}`: {title}\n\nStrict: {strict}. Lenient: {lenient}.\n");
        assert!(page(row).starts_with(&begins), "{name}.md should begin:\n{begins}");
        let line = format!("| [`{name}`]({name}.md) | {title} | {strict} | {lenient} |");
        assert!(index.contains(&line), "README.md should have:\n{line}");
    }
}

#[test]
fn every_page_shows_its_code_and_mends_it() {
    let mut failures = String::new();
    for row in CODES.iter().filter(|row| row.code < FIRST_BY_SIMULATION) {
        let page = page(row);
        let blocks = blocks(row.name, &page);
        let with = |word: &str| -> Vec<&Block> {
            blocks.iter().filter(|block| block.words.iter().any(|other| other == word)).collect()
        };
        let (failing, passing) = (with("fail"), with("pass"));
        if failing.is_empty() || passing.is_empty() || failing.len() + passing.len() != blocks.len() {
            failures += &format!("== {}: the blocks should be `kif fail` and `kif pass`\n", row.name);
        }
        for block in failing {
            let expected = expectation(&block.source).expect("all codes exist");
            let findings = check(&block.source, &parse(&block.source), Mode::Strict);
            let found = marks(&findings, Some(row.code));
            if let Some(report) = difference(&block.source, &expected.marks, &found) {
                failures += &format!("== {}\n{report}", row.name);
            }
            if !expected.marks.iter().all(|mark| mark.code == row.code) || expected.marks.is_empty() {
                failures += &format!("== {}: its sheet should show this code and no other\n", row.name);
            }
        }
        for block in passing {
            let findings = check(&block.source, &parse(&block.source), Mode::Strict);
            if let Some(report) = difference(&block.source, &[], &marks(&findings, Some(row.code))) {
                failures += &format!("== {}, mended\n{report}", row.name);
            }
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

/// Every change that is offered for a sheet of a page takes a finding of its code away.
#[test]
fn fixes_mend_what_the_pages_show() {
    let mut applied = BTreeSet::new();
    for row in CODES.iter().filter(|row| row.code < FIRST_BY_SIMULATION) {
        for block in blocks(row.name, &page(row)) {
            let findings = check(&block.source, &parse(&block.source), Mode::Strict);
            for finding in &findings {
                let Some(fix) = &finding.fix else { continue };
                let mended = SourceFile::new(row.name, fix.apply(block.source.text()));
                let after = check(&mended, &parse(&mended), Mode::Strict);
                let count =
                    |all: &[gdl::Diagnostic]| all.iter().filter(|one| one.code == finding.code).count();
                let text = mended.text();
                assert!(count(&after) < count(&findings), "{}: {}\n{text}", finding.code, fix.title);
                applied.insert(finding.code.name());
            }
        }
    }
    let expected = [
        "duplicate_rule",
        "negated_compound",
        "nested_and",
        "reserved_head",
        "rule_without_body",
        "unbound_role",
        "unclosed_parenthesis",
        "undefined_relation",
        "unexpected_parenthesis",
        "unknown_role",
    ];
    for name in expected {
        assert!(applied.contains(name), "no page shows a fix of {name}: {applied:?}");
    }
}

#[test]
fn pages_of_codes_by_simulation_have_two_sheets() {
    for row in CODES.iter().filter(|row| row.code >= FIRST_BY_SIMULATION) {
        let blocks = blocks(row.name, &page(row));
        let words: Vec<_> = blocks.iter().map(|block| block.words.join(" ")).collect();
        assert_eq!(words, ["kif simulate", "kif simulate"], "{}", row.name);
        for block in blocks {
            let findings = check(&block.source, &parse(&block.source), Mode::Strict);
            let expected = expectation(&block.source).expect("all codes exist");
            let report = difference(&block.source, &expected.marks, &marks(&findings, None));
            assert!(report.is_none(), "{}: {}", row.name, report.unwrap_or_default());
        }
    }
}

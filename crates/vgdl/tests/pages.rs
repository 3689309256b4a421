//! Every code has a page in `docs/vgdl`, and what the page shows is so.

use std::path::PathBuf;
use std::sync::Arc;

use vgdl::{CODES, Diagnostic, Level, SourceFile};

fn folder() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "..", "..", "docs", "vgdl"].iter().collect()
}

/// Words after the fence of a block, and its text.
fn blocks(page: &str) -> Vec<(String, String)> {
    let mut blocks = Vec::new();
    for part in page.split("\n```").skip(1).step_by(2) {
        // A level without cells has no line.
        let (words, text) = part.split_once('\n').unwrap_or((part, ""));
        blocks.push((words.to_owned(), format!("{text}\n")));
    }
    blocks
}

/// `\xE9` stands for the byte E9: a page itself is always UTF-8.
fn bytes(text: &str) -> Vec<u8> {
    let mut parts = text.split("\\x");
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        bytes.push(u8::from_str_radix(&part[..2], 16).expect("two digits"));
        bytes.extend(part[2..].bytes());
    }
    bytes
}

fn of_description(text: &str) -> Vec<Diagnostic> {
    let parsed = vgdl::parse(&SourceFile::from_bytes("page", &bytes(text)).expect("small"));
    let checked = vgdl::compile(&parsed.description);
    parsed.diagnostics.into_iter().chain(checked.diagnostics).collect()
}

fn of_level(description: &str, text: &str) -> Vec<Diagnostic> {
    let rules = vgdl::compile(&vgdl::parse(&SourceFile::new("page", description)).description).rules;
    Level::load(Arc::new(rules), &SourceFile::new("level", text)).diagnostics
}

#[test]
fn every_code_has_a_page_that_shows_it_and_how_to_mend_it() {
    let readme = std::fs::read_to_string(folder().join("README.md")).expect("a list");
    let mut shown = 0;
    for row in CODES {
        let path = folder().join(format!("{}.md", row.name));
        let page = std::fs::read_to_string(&path).unwrap_or_else(|_| panic!("{} has no page", row.name));
        assert!(page.starts_with(&format!("# `{}`: {}\n", row.name, row.title)), "{}", row.name);
        assert!(page.contains(&format!("Severity: {}.", row.severity.name())), "{}", row.name);
        let line = format!("| [`{0}`]({0}.md) | {1} | {2} |", row.name, row.title, row.severity.name());
        assert!(readme.contains(&line), "the list lacks {line}");
        let blocks = blocks(&page);
        let description =
            blocks.iter().rfind(|(words, _)| words == "vgdl pass").map(|(_, text)| text.as_str());
        for (words, text) in &blocks {
            let found = match words.split(' ').next() {
                Some("level") => of_level(description.expect("a description"), text),
                _ => of_description(text),
            };
            let hit = found.iter().any(|one| one.code == row.code);
            let fails = words.contains(" fail");
            assert_eq!(hit, fails, "{}: {words}: {found:?}", row.name);
            assert!(fails || !found.iter().any(Diagnostic::is_error), "{}: {found:?}", row.name);
            shown += usize::from(fails);
        }
    }
    assert!(shown >= CODES.len() - 2, "{shown} codes are shown");
    let pages = std::fs::read_dir(folder()).expect("a folder").count();
    assert_eq!(pages, CODES.len() + 1, "a page is of no code");
}

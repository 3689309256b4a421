//! What must hold for every rule sheet there is: the public ones, where they are at hand, and our
//! own in `games/`.
//!
//! The public sheets are not part of the project. `LUDENS_CORPUS` names the folder that holds
//! them in `games/`; without it the folder `shared` beside the project is tried.

use std::path::{Path, PathBuf};

use gdl::normal::normalize;
use gdl::{Mode, Scrambler, SourceFile, TokenKind, check, format, parse, print_sheet, tokenize};

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        match path.is_dir() {
            true => files(&path, found),
            false if path.extension().is_some_and(|end| end == "kif") => found.push(path),
            false => {}
        }
    }
}

/// All sheets at hand.
fn sheets() -> Vec<SourceFile> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let corpus = match std::env::var_os("LUDENS_CORPUS") {
        Some(folder) => PathBuf::from(folder),
        None => PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared")),
    };
    let mut paths = Vec::new();
    files(&corpus.join("games"), &mut paths);
    if paths.is_empty() {
        println!("skipped for the public sheets: there are none in {}", corpus.display());
    }
    files(&root.join("games"), &mut paths);
    paths.sort();
    let read = |path: PathBuf| {
        let bytes = std::fs::read(&path).expect("it is readable");
        SourceFile::from_bytes(path.display().to_string(), &bytes).expect("sheets are small")
    };
    paths.into_iter().map(read).collect()
}

fn reparsed(text: String) -> gdl::RuleSheet {
    parse(&SourceFile::new("printed", text)).sheet
}

#[test]
fn no_sheet_is_refused_by_a_player() {
    for source in sheets() {
        let parsed = parse(&source);
        let findings = check(&source, &parsed, Mode::Lenient);
        let error = findings.iter().find(|finding| finding.is_error());
        assert!(error.is_none(), "{}: {error:?}", source.name());
        assert!(normalize(&parsed.sheet).faults.is_empty(), "{}", source.name());
    }
}

#[test]
fn printing_and_parsing_are_inverse() {
    for source in sheets() {
        let sheet = parse(&source).sheet;
        let printed = print_sheet(&sheet);
        let again = reparsed(printed.clone());
        assert!(again.same_rules(&sheet), "{}", source.name());
        assert_eq!(print_sheet(&again), printed, "{}", source.name());
    }
}

#[test]
fn scrambling_can_be_undone() {
    for source in sheets() {
        let sheet = parse(&source).sheet;
        let scrambler = Scrambler::new(&sheet.symbols, 42);
        let scrambled = scrambler.scramble_sheet(&sheet);
        assert!(!scrambled.same_rules(&sheet), "{}", source.name());
        assert!(scrambler.unscramble_sheet(&scrambled).same_rules(&sheet), "{}", source.name());
        let text = print_sheet(&scrambled);
        assert!(reparsed(text.clone()).same_rules(&scrambled), "{}", source.name());
        assert_eq!(scrambler.scramble_text(&print_sheet(&sheet)), text, "{}", source.name());
        assert_eq!(scrambler.unscramble_text(&text), print_sheet(&sheet), "{}", source.name());
        // The same faults under other names.
        let codes = |text: String| {
            let source = SourceFile::new("t", text);
            let findings = check(&source, &parse(&source), Mode::Strict);
            findings.into_iter().map(|finding| finding.code).collect::<Vec<_>>()
        };
        assert_eq!(codes(text), codes(print_sheet(&sheet)), "{}", source.name());
    }
}

#[test]
fn formatting_keeps_words_comments_and_rules() {
    for source in sheets() {
        let tidy = format(&source).expect("its parentheses match");
        assert_eq!(words(&tidy), words(source.text()), "{}", source.name());
        assert!(!tidy.contains('\r'), "{}", source.name());
        assert!(tidy.lines().all(|line| line.trim_end() == line), "{}", source.name());
        assert!(!tidy.contains("\n\n\n") && !tidy.starts_with('\n'), "{}", source.name());
        let tidy = SourceFile::new("tidy", tidy);
        assert!(parse(&tidy).sheet.same_rules(&parse(&source).sheet), "{}", source.name());
        assert_eq!(format(&tidy).expect("its parentheses match"), tidy.text(), "{}", source.name());
    }
}

/// The tokens of a text, comments without blanks at their ends.
pub(crate) fn words(text: &str) -> Vec<(TokenKind, &str)> {
    tokenize(text).map(|token| (token.kind, text[token.span.range()].trim_end())).collect()
}

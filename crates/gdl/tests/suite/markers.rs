//! Sheets that say themselves what is wrong with them.
//!
//! A comment of carets marks a place in the last line above it that is no marker, and names the
//! code that is to be found there:
//!
//! ```text
//! (<= (p ?x) (q ?y))
//! ;      ^^ unsafe_rule
//! ```
//!
//! The semicolon hides the first column, so a place that begins there is written as the number of
//! its columns: `;<4 unexpected_parenthesis`. Columns count characters. A sheet is judged in
//! strict mode, unless it says `; mode: lenient`.

use gdl::{CODES, Code, Diagnostic, Mode, Severity, SourceFile, Span};

/// A finding as a test compares it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Mark {
    pub(crate) span: Span,
    pub(crate) code: Code,
}

/// What the comments of a sheet ask for.
pub(crate) struct Expectation {
    pub(crate) marks: Vec<Mark>,
    pub(crate) mode: Mode,
}

/// Reads the markers of a sheet.
pub(crate) fn expectation(source: &SourceFile) -> Result<Expectation, String> {
    let mut marks = Vec::new();
    let mut mode = Mode::Strict;
    // Where the marked line begins, and its text.
    let mut marked = (0, "");
    let mut offset = 0;
    for line in source.text().split_inclusive('\n') {
        let text = line.trim_end_matches(['\n', '\r']);
        if text.starts_with("; mode: lenient") {
            mode = Mode::Lenient;
        } else if let Some((columns, code)) = marker(text) {
            let code = find_code(code).ok_or(format!("there is no code {code}"))?;
            let column = |number: usize| {
                let mut starts = marked.1.char_indices().map(|(at, _)| at).chain([marked.1.len()]);
                starts.nth(number).map(|at| marked.0 + at).ok_or(format!("a marker of {code} is too long"))
            };
            marks.push(Mark { span: Span::new(column(columns.start)?, column(columns.end)?), code });
        } else {
            marked = (offset, text);
        }
        offset += line.len();
    }
    marks.sort();
    Ok(Expectation { marks, mode })
}

fn find_code(name: &str) -> Option<Code> {
    CODES.iter().find(|row| row.name == name).map(|row| row.code)
}

/// The columns and the code of a marker, `None` for any other line.
fn marker(line: &str) -> Option<(std::ops::Range<usize>, &str)> {
    let rest = line.strip_prefix(';')?;
    if let Some(rest) = rest.strip_prefix('<') {
        let (length, code) = rest.split_once(' ')?;
        return Some((0..length.parse().ok()?, code.trim()));
    }
    let carets = rest.trim_start_matches(' ');
    let start = line.len() - carets.len();
    let code = carets.trim_start_matches('^');
    let length = carets.len() - code.len();
    (length > 0).then(|| (start..start + length, code.trim()))
}

/// The findings to compare: warnings, errors and whatever has a code of interest.
pub(crate) fn marks(findings: &[Diagnostic], interest: Option<Code>) -> Vec<Mark> {
    let mut marks: Vec<_> = findings
        .iter()
        .filter(|finding| finding.severity >= Severity::Warning || Some(finding.code) == interest)
        .map(|finding| Mark { span: finding.span, code: finding.code })
        .collect();
    marks.sort();
    marks
}

/// What differs, as the markers that would have to stand in the sheet.
pub(crate) fn difference(source: &SourceFile, expected: &[Mark], found: &[Mark]) -> Option<String> {
    if expected == found {
        return None;
    }
    let mut report = String::new();
    for (title, list, others) in [("not found", expected, found), ("not expected", found, expected)] {
        for mark in list.iter().filter(|mark| !others.contains(mark)) {
            let at = source.line_column(mark.span.start);
            let length = source.slice(mark.span).chars().count();
            let marker = match at.column {
                1 => format!(";<{length} {}", mark.code.name()),
                column => format!(";{}{} {}", " ".repeat(column - 2), "^".repeat(length), mark.code.name()),
            };
            let line = source.text().lines().nth(at.line - 1).unwrap_or_default();
            report += &format!("{title}, line {}:\n{line}\n{marker}\n", at.line);
        }
    }
    if report.is_empty() {
        report = "the same finding a different number of times\n".to_owned();
    }
    Some(report)
}

#[test]
fn markers_are_read() {
    let text = "(p ?x)\n;^ list_as_name\n;<6 unsafe_rule\n;   ^^ unsafe_rule\n; ^ is no marker of a code\n";
    let source = SourceFile::new("t", text.lines().take(4).collect::<Vec<_>>().join("\n"));
    let expected = expectation(&source).expect("all codes exist");
    let places: Vec<_> = expected.marks.iter().map(|mark| (mark.span.start, mark.span.end)).collect();
    assert_eq!(places, [(0, 6), (1, 2), (4, 6)]);
    assert!(expectation(&SourceFile::new("t", text)).is_err());
}

//! Diagnostics for people, drawn by miette, and for programs, as JSON.

use gdl::{Label, Severity, SourceFile, Span};
use language::Finding;
use miette::{GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteError, MietteSpanContents};
use miette::{SourceCode, SourceSpan, SpanContents};
use serde::Serialize;

/// How many diagnostics of one file are drawn; nobody reads the second hundred.
pub(crate) const MAX_SHOWN: usize = 100;

/// Snippets with longer lines are not drawn.
const MAX_LINE_BYTES: usize = 500;

/// `file:line:column`
pub(crate) fn place(source: &SourceFile, span: Span) -> String {
    let at = source.line_column(span.start);
    format!("{}:{}:{}", source.name(), at.line, at.column)
}

/// A diagnostic on one line.
pub(crate) fn line(source: &SourceFile, diagnostic: impl Into<Finding>) -> String {
    let diagnostic = diagnostic.into();
    format!("{}: {} [{}]", place(source, diagnostic.span), diagnostic.message, diagnostic.code)
}

/// A diagnostic with the lines of the sheet that it is about.
pub(crate) fn draw(source: &SourceFile, diagnostic: &Finding, colour: bool) -> String {
    let theme = if colour { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
    let handler = GraphicalReportHandler::new_themed(theme).with_links(false).with_width(100);
    let snippet = Snippet(source);
    let shown = Shown { diagnostic, source: snippet.is_drawable(diagnostic).then_some(snippet) };
    let mut text = String::new();
    match handler.render_report(&mut text, &shown) {
        Ok(()) => text,
        Err(_) => format!("{}: {}\n", diagnostic.severity.name(), line(source, diagnostic)),
    }
}

/// A diagnostic as miette wants it.
#[derive(Debug)]
struct Shown<'a> {
    diagnostic: &'a Finding,
    source: Option<Snippet<'a>>,
}

impl std::fmt::Display for Shown<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(&self.diagnostic.message)
    }
}

impl std::error::Error for Shown<'_> {}

impl miette::Diagnostic for Shown<'_> {
    fn code<'a>(&'a self) -> Option<Box<dyn std::fmt::Display + 'a>> {
        Some(Box::new(&self.diagnostic.code))
    }

    fn severity(&self) -> Option<miette::Severity> {
        Some(match self.diagnostic.severity {
            Severity::Note => miette::Severity::Advice,
            Severity::Warning => miette::Severity::Warning,
            Severity::Error => miette::Severity::Error,
        })
    }

    fn help<'a>(&'a self) -> Option<Box<dyn std::fmt::Display + 'a>> {
        self.diagnostic.help.as_ref().map(|help| Box::new(help) as Box<dyn std::fmt::Display>)
    }

    fn url<'a>(&'a self) -> Option<Box<dyn std::fmt::Display + 'a>> {
        self.diagnostic.page.as_ref().map(|page| Box::new(page) as Box<dyn std::fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.source.as_ref().map(|source| source as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let diagnostic = self.diagnostic;
        let first = LabeledSpan::new_primary_with_span(None, miette_span(diagnostic.span));
        let others = diagnostic
            .labels
            .iter()
            .map(|label| LabeledSpan::new_with_span(Some(label.message.clone()), miette_span(label.span)));
        Some(Box::new(std::iter::once(first).chain(others)))
    }
}

fn miette_span(span: Span) -> SourceSpan {
    (span.start as usize, span.len()).into()
}

/// Lines of a sheet. Unlike miette's own source code it does not count all lines from the start
/// for every diagnostic, which takes minutes for a sheet of 50 MB.
#[derive(Debug)]
struct Snippet<'a>(&'a SourceFile);

impl Snippet<'_> {
    /// Where the line begins that holds a place, and where it ends.
    fn line(&self, at: usize) -> (usize, usize) {
        let text = self.0.text().as_bytes();
        let at = at.min(text.len());
        let start = text[..at].iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
        let end =
            text[at..].iter().position(|&byte| byte == b'\n').map_or(text.len(), |newline| at + newline);
        (start, end)
    }

    fn is_drawable(&self, diagnostic: &Finding) -> bool {
        let spans = diagnostic.labels.iter().map(|label| label.span).chain([diagnostic.span]);
        let mut ends = spans.flat_map(|span| [span.start as usize, span.end as usize]);
        ends.all(|at| {
            let (start, end) = self.line(at);
            end - start <= MAX_LINE_BYTES
        }) && diagnostic.span.len() <= 20 * MAX_LINE_BYTES
    }
}

impl SourceCode for Snippet<'_> {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let text = self.0.text();
        if span.offset() + span.len() > text.len() {
            return Err(MietteError::OutOfBounds);
        }
        // Without lines before it, miette wants to know where the span itself begins.
        let mut start = if before == 0 { span.offset() } else { self.line(span.offset()).0 };
        for _ in 0..before {
            let line = self.line(start.saturating_sub(1));
            // Long lines around a place say little.
            if start == 0 || line.1 - line.0 > MAX_LINE_BYTES {
                break;
            }
            start = line.0;
        }
        let mut end = self.line(span.offset() + span.len()).1;
        for _ in 0..after {
            let line = self.line((end + 1).min(text.len()));
            if end >= text.len() || line.1 - line.0 > MAX_LINE_BYTES {
                break;
            }
            end = line.1;
        }
        let data = &text.as_bytes()[start..end];
        let lines = data.iter().filter(|&&byte| byte == b'\n').count() + 1;
        let first = self.0.line_column(start as u32);
        let name = self.0.name().to_owned();
        let whole = (start, end - start).into();
        Ok(Box::new(MietteSpanContents::new_named(
            name,
            data,
            whole,
            first.line - 1,
            first.column - 1,
            lines,
        )))
    }
}

/// A diagnostic for programs.
#[derive(Serialize)]
pub(crate) struct DiagnosticJson {
    code: String,
    severity: &'static str,
    message: String,
    place: PlaceJson,
    labels: Vec<LabelJson>,
    help: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    page: Option<String>,
}

#[derive(Serialize)]
struct LabelJson {
    message: String,
    place: PlaceJson,
}

/// Lines and columns count from 1, columns in characters; bytes from 0.
#[derive(Serialize)]
struct PlaceJson {
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
    start_byte: u32,
    end_byte: u32,
}

impl PlaceJson {
    fn new(source: &SourceFile, span: Span) -> Self {
        let (start, end) = (source.line_column(span.start), source.line_column(span.end));
        Self {
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
            start_byte: span.start,
            end_byte: span.end,
        }
    }
}

impl DiagnosticJson {
    pub(crate) fn new(source: &SourceFile, diagnostic: &Finding) -> Self {
        let label = |label: &Label| LabelJson {
            message: label.message.clone(),
            place: PlaceJson::new(source, label.span),
        };
        Self {
            code: diagnostic.code.clone(),
            severity: diagnostic.severity.name(),
            message: diagnostic.message.clone(),
            place: PlaceJson::new(source, diagnostic.span),
            labels: diagnostic.labels.iter().map(label).collect(),
            help: diagnostic.help.clone(),
            page: diagnostic.page.clone(),
        }
    }
}

//! What is told about a rule sheet, independent of how it is drawn.

use crate::{Code, Span};

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// Worth knowing; the sheet means what it says.
    Note,
    /// The sheet can be played, but breaks the specification or is probably not what was meant.
    Warning,
    /// The sheet is not a game description as it stands.
    Error,
}

impl Severity {
    /// `error`, `warning` or `note`.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// By which measure a sheet is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Mode {
    /// By the specification: the default of `check`.
    #[default]
    Strict,
    /// By what can be played: what a player must accept from a match host.
    Lenient,
}

/// A second place that explains the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What is to be seen there.
    pub message: String,
}

/// A change of the text that mends a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What it does, in a few words.
    pub title: String,
    /// What is written in place of what; the spans do not overlap.
    pub edits: Vec<Edit>,
}

/// A piece of the text and what to write instead of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// What is replaced; an empty span inserts.
    pub span: Span,
    /// The new text.
    pub text: String,
}

impl Edit {
    /// Writes `text` in place of a span.
    pub fn new(span: Span, text: impl Into<String>) -> Self {
        Self { span, text: text.into() }
    }
}

impl Fix {
    /// A change in several places.
    pub fn new(title: impl Into<String>, edits: Vec<Edit>) -> Self {
        Self { title: title.into(), edits }
    }

    /// The text after the change. Edits outside of the text are left out.
    pub fn apply(&self, text: &str) -> String {
        let mut edits: Vec<&Edit> = self.edits.iter().collect();
        edits.sort_by_key(|edit| edit.span);
        let mut changed = text.to_owned();
        for edit in edits.iter().rev() {
            if changed.get(edit.span.range()).is_some() {
                changed.replace_range(edit.span.range(), &edit.text);
            }
        }
        changed
    }
}

/// One finding about a rule sheet.
///
/// ```
/// use gdl::{Code, Diagnostic, Mode, Severity, Span};
/// let finding = Diagnostic::new(Code::GoalValue, Span::new(9, 12), "the goal value `win` is not a number")
///     .with_help("write a number from 0 to 100");
/// assert_eq!(finding.severity, Severity::Error);
/// assert_eq!(finding.in_mode(Mode::Lenient).severity, Severity::Warning);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Which rule is broken; its documentation has a page of this name.
    pub code: Code,
    /// How bad it is in the mode asked for.
    pub severity: Severity,
    /// What is wrong, in one sentence.
    pub message: String,
    /// Where.
    pub span: Span,
    /// Other places that belong to it.
    pub labels: Vec<Label>,
    /// What to do about it.
    pub help: Option<String>,
    /// How the text can be changed so that it is gone, where that is plain.
    pub fix: Option<Fix>,
}

impl Diagnostic {
    /// A finding with the severity its code has in strict mode.
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self {
            code,
            severity: code.severity(Mode::Strict),
            message: message.into(),
            span,
            labels: Vec::new(),
            help: None,
            fix: None,
        }
    }

    /// Adds what to do about it.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds a second place.
    #[must_use]
    pub fn with_label(mut self, span: Span, message: impl Into<String>) -> Self {
        self.labels.push(Label { span, message: message.into() });
        self
    }

    /// Adds a change that mends it.
    #[must_use]
    pub fn with_fix(mut self, title: impl Into<String>, edits: Vec<Edit>) -> Self {
        self.fix = Some(Fix::new(title, edits));
        self
    }

    /// Sets the severity to what the code has in `mode`.
    #[must_use]
    pub fn in_mode(mut self, mode: Mode) -> Self {
        self.severity = self.code.severity(mode);
        self
    }

    /// Whether the sheet is refused because of this.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

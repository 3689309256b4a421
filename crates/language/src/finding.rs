//! A diagnostic of any language that games are written in.

use gdl::{Fix, Label, Severity, Span};

/// What is told about a text, whichever language it is in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Which rule is broken, such as `gdl::unsafe_rule`.
    pub code: String,
    /// How bad it is.
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
    /// Where there is more about it.
    pub page: Option<String>,
}

impl From<&gdl::Diagnostic> for Finding {
    fn from(found: &gdl::Diagnostic) -> Self {
        Self {
            code: found.code.to_string(),
            severity: found.severity,
            message: found.message.clone(),
            span: found.span,
            labels: found.labels.clone(),
            help: found.help.clone(),
            fix: found.fix.clone(),
            page: Some(format!("docs/gdl/{}.md", found.code.name())),
        }
    }
}

impl From<&vgdl::Diagnostic> for Finding {
    fn from(found: &vgdl::Diagnostic) -> Self {
        Self {
            code: found.code.to_string(),
            severity: found.severity,
            message: found.message.clone(),
            span: found.span,
            labels: found.labels.clone(),
            help: found.help.clone(),
            fix: found.fix.clone(),
            page: Some(format!("docs/vgdl/{}.md", found.code.name())),
        }
    }
}

impl From<&Finding> for Finding {
    fn from(found: &Finding) -> Self {
        found.clone()
    }
}

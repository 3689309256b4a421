//! What is told about a description or a level, independent of how it is drawn.

use gdl::{Edit, Fix, Label, Severity, Span};

use super::Code;

/// One finding.
///
/// ```
/// use vgdl::{Code, Diagnostic, Severity, Span};
/// let finding = Diagnostic::new(Code::UnknownClass, Span::new(4, 9), "there is no class `Misile`")
///     .with_help("did you mean `Missile`?");
/// assert_eq!(finding.severity, Severity::Error);
/// assert_eq!(finding.code.to_string(), "vgdl::unknown_class");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Which rule is broken.
    pub code: Code,
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
}

impl Diagnostic {
    /// A finding with the severity of its code.
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self {
            code,
            severity: code.info().severity,
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

    /// Adds the name that was probably meant, and the change that writes it.
    #[must_use]
    pub(crate) fn with_meant(mut self, name: &str) -> Self {
        self.fix = Some(Fix::new(format!("write `{name}`"), vec![Edit::new(self.span, name)]));
        self.with_help(format!("did you mean `{name}`?"))
    }

    /// Adds a second place.
    #[must_use]
    pub fn with_label(mut self, span: Span, message: impl Into<String>) -> Self {
        self.labels.push(Label { span, message: message.into() });
        self
    }

    /// Whether the description cannot be played because of this.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// The name of `known` that `name` probably stands for.
pub(crate) fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (name.len() / 3).clamp(1, 3);
    known
        .map(|other| (distance(name, other), other))
        .filter(|&(far, _)| far <= limit)
        .min()
        .map(|(_, other)| other)
}

/// How many letters must be changed, added or left out.
fn distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().flat_map(char::to_lowercase).collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (line, letter) in left.chars().flat_map(char::to_lowercase).enumerate() {
        let mut corner = row[0];
        row[0] = line + 1;
        for column in 0..right.len() {
            let changed = corner + usize::from(letter != right[column]);
            corner = row[column + 1];
            row[column + 1] = changed.min(row[column] + 1).min(corner + 1);
        }
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_found_and_far_ones_are_not() {
        let known = ["Missile", "Immovable", "Chaser"];
        assert_eq!(nearest("Misile", known.into_iter()), Some("Missile"));
        assert_eq!(nearest("missile", known.into_iter()), Some("Missile"));
        assert_eq!(nearest("Zebra", known.into_iter()), None);
    }
}

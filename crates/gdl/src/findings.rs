//! Collects findings without letting a hostile sheet fill the memory with them.

use crate::code::{CODES, Code};
use crate::diagnostic::Diagnostic;

/// How many findings of one code are listed. A sheet of 50 MB can have millions of one kind, and
/// nobody reads the second thousand.
pub(crate) const MAX_PER_CODE: usize = 500;

/// The findings of one pass; of each code the first [`MAX_PER_CODE`] are kept.
pub(crate) struct Findings {
    list: Vec<Diagnostic>,
    counts: [usize; CODES.len()],
}

impl Default for Findings {
    fn default() -> Self {
        Self { list: Vec::new(), counts: [0; CODES.len()] }
    }
}

impl Findings {
    /// Whether one more finding of this code would still be listed: lets a check skip costly
    /// explanations that nobody would see.
    pub(crate) fn has_room(&self, code: Code) -> bool {
        self.counts[code as usize] < MAX_PER_CODE
    }

    /// Counts a finding and keeps it if there is room; `build` runs only then.
    pub(crate) fn add(&mut self, code: Code, build: impl FnOnce() -> Diagnostic) {
        if self.has_room(code) {
            let diagnostic = build();
            debug_assert_eq!(diagnostic.code, code);
            self.list.push(diagnostic);
        }
        self.counts[code as usize] += 1;
    }

    /// All that was kept. Where more was found, the last of its code says how many.
    pub(crate) fn finish(mut self) -> Vec<Diagnostic> {
        for (row, &count) in CODES.iter().zip(&self.counts) {
            if count > MAX_PER_CODE
                && let Some(last) = self.list.iter_mut().rfind(|diagnostic| diagnostic.code == row.code)
            {
                let more = count - MAX_PER_CODE;
                let help = last.help.take().map_or(String::new(), |help| help + "; ");
                last.help = Some(format!("{help}{more} more of this kind are not listed"));
            }
        }
        self.list
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Span;

    #[test]
    fn the_list_is_bounded_and_says_so() {
        let mut findings = Findings::default();
        for at in 0..MAX_PER_CODE + 7 {
            findings.add(Code::EmptyList, || {
                Diagnostic::new(Code::EmptyList, Span::new(at, at + 2), "empty").with_help("remove it")
            });
        }
        let list = findings.finish();
        assert_eq!(list.len(), MAX_PER_CODE);
        assert_eq!(list[0].help.as_deref(), Some("remove it"));
        let last = list.last().and_then(|diagnostic| diagnostic.help.as_deref());
        assert_eq!(last, Some("remove it; 7 more of this kind are not listed"));
    }
}

//! Source text, places in it, and lenient decoding of the bytes it comes from.

/// The largest rule sheet that is read; real ones stay below 100 KB, hostile ones do not.
pub const MAX_SOURCE_BYTES: usize = 64 << 20;

/// A range of bytes in a [`SourceFile`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The span from `start` up to, not including, `end`.
    pub fn new(start: usize, end: usize) -> Self {
        Self { start: start as u32, end: end as u32 }
    }

    /// The smallest span that holds both.
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// Number of bytes covered.
    pub fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    /// Whether the span covers nothing.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// The span as a range, for slicing.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A place as people count: both from 1, the column in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineColumn {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

/// The error of [`SourceFile::from_bytes`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{name} has {bytes} bytes; a rule sheet may have at most {MAX_SOURCE_BYTES}")]
pub struct SourceTooLarge {
    /// Name of the source.
    pub name: String,
    /// Its size.
    pub bytes: usize,
}

/// A rule sheet's text with the name it is reported under.
#[derive(Clone, Debug)]
pub struct SourceFile {
    name: String,
    text: String,
    line_starts: Vec<u32>,
    invalid_utf8: Vec<Span>,
}

impl SourceFile {
    /// A source from text that is already decoded.
    ///
    /// Text beyond [`MAX_SOURCE_BYTES`] is cut off; use [`SourceFile::from_bytes`] for
    /// input from outside, which reports it instead.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let mut text = text.into();
        if text.len() > MAX_SOURCE_BYTES {
            text.truncate(text.floor_char_boundary(MAX_SOURCE_BYTES));
        }
        let line_starts = std::iter::once(0)
            .chain(text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n').map(|(at, _)| at as u32 + 1))
            .collect();
        Self { name: name.into(), text, line_starts, invalid_utf8: Vec::new() }
    }

    /// Decodes bytes leniently: what is not UTF-8 becomes U+FFFD and its place is remembered.
    /// Old sheets have Latin-1 letters in their comments.
    pub fn from_bytes(name: impl Into<String>, bytes: &[u8]) -> Result<Self, SourceTooLarge> {
        let name = name.into();
        if bytes.len() > MAX_SOURCE_BYTES {
            return Err(SourceTooLarge { name, bytes: bytes.len() });
        }
        let mut text = String::with_capacity(bytes.len());
        let mut invalid = Vec::new();
        for chunk in bytes.utf8_chunks() {
            text.push_str(chunk.valid());
            if !chunk.invalid().is_empty() {
                let start = text.len();
                text.push(char::REPLACEMENT_CHARACTER);
                invalid.push(Span::new(start, text.len()));
            }
        }
        if text.len() > MAX_SOURCE_BYTES {
            return Err(SourceTooLarge { name, bytes: text.len() });
        }
        // A byte order mark is not part of the first symbol.
        if text.starts_with('\u{feff}') {
            text.replace_range(..3, "   ");
        }
        let mut source = Self::new(name, text);
        source.invalid_utf8 = invalid;
        Ok(source)
    }

    /// The name it is reported under.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text of a span.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or("")
    }

    /// Where bytes were not UTF-8.
    pub fn invalid_utf8(&self) -> &[Span] {
        &self.invalid_utf8
    }

    /// The line and column of a byte offset.
    ///
    /// ```
    /// let source = gdl::SourceFile::new("inline", "(role white)\n(role black)");
    /// let place = source.line_column(19);
    /// assert_eq!((place.line, place.column), (2, 7));
    /// ```
    pub fn line_column(&self, offset: u32) -> LineColumn {
        let line = self.line_starts.partition_point(|&start| start <= offset) - 1;
        let start = self.line_starts[line] as usize;
        let end = self.text.floor_char_boundary((offset as usize).min(self.text.len()));
        LineColumn { line: line + 1, column: self.text[start..end].chars().count() + 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_from_one_and_in_characters() {
        let source = SourceFile::new("t", "ab\r\nßx\n");
        assert_eq!(source.line_column(0), LineColumn { line: 1, column: 1 });
        assert_eq!(source.line_column(4), LineColumn { line: 2, column: 1 });
        assert_eq!(source.line_column(6), LineColumn { line: 2, column: 2 });
    }

    #[test]
    fn invalid_bytes_are_replaced_and_remembered() {
        let source = SourceFile::from_bytes("t", b"; L\xefs\n(role a)").expect("small");
        assert_eq!(source.text(), "; L\u{fffd}s\n(role a)");
        assert_eq!(source.invalid_utf8(), [Span::new(3, 6)]);
    }

    #[test]
    fn a_byte_order_mark_is_blank() {
        let source = SourceFile::from_bytes("t", "\u{feff}(role a)".as_bytes()).expect("small");
        assert_eq!(source.text(), "   (role a)");
    }
}

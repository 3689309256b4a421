//! Places as editors count: lines and columns from 0, columns in units of an encoding.

use gdl::Span;

/// What a column counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// Bytes.
    Utf8,
    /// Units of 16 bits: what editors use that were not asked.
    #[default]
    Utf16,
}

/// A place in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// From 0.
    pub line: u32,
    /// From 0, in units of the encoding.
    pub column: u32,
}

/// Where the lines of a text begin.
#[derive(Clone, Debug)]
pub struct Lines {
    starts: Vec<u32>,
    encoding: Encoding,
}

impl Lines {
    /// Finds the lines of a text. A line ends with `\n`, `\r\n` or `\r`.
    ///
    /// ```
    /// use language::{Encoding, Lines, Position};
    /// let text = "a\nß?x";
    /// let lines = Lines::new(text, Encoding::Utf16);
    /// assert_eq!(lines.position(text, 4), Position { line: 1, column: 1 });
    /// assert_eq!(lines.offset(text, Position { line: 1, column: 1 }), 4);
    /// ```
    pub fn new(text: &str, encoding: Encoding) -> Self {
        let bytes = text.as_bytes();
        let ends = |(at, &byte): (usize, &u8)| match byte {
            b'\n' => Some(at as u32 + 1),
            b'\r' if bytes.get(at + 1) != Some(&b'\n') => Some(at as u32 + 1),
            _ => None,
        };
        let starts = std::iter::once(0).chain(bytes.iter().enumerate().filter_map(ends)).collect();
        Self { starts, encoding }
    }

    /// The place of a byte.
    pub fn position(&self, text: &str, offset: u32) -> Position {
        let line = self.starts.partition_point(|&start| start <= offset).saturating_sub(1);
        let start = self.starts[line] as usize;
        let end = text.floor_char_boundary((offset as usize).min(text.len())).max(start);
        let before = text.get(start..end).unwrap_or_default();
        let column = match self.encoding {
            Encoding::Utf8 => before.len(),
            Encoding::Utf16 => before.chars().map(char::len_utf16).sum(),
        };
        Position { line: line as u32, column: column as u32 }
    }

    /// The byte at a place; a place beyond the end of a line is that end.
    pub fn offset(&self, text: &str, position: Position) -> u32 {
        let Some(&start) = self.starts.get(position.line as usize) else { return text.len() as u32 };
        let end = self.starts.get(position.line as usize + 1).map_or(text.len(), |&next| next as usize);
        let line = text.get(start as usize..end).unwrap_or_default().trim_end_matches(['\n', '\r']);
        let mut column = 0;
        for (at, letter) in line.char_indices() {
            if column >= position.column {
                return start + at as u32;
            }
            column += match self.encoding {
                Encoding::Utf8 => letter.len_utf8() as u32,
                Encoding::Utf16 => letter.len_utf16() as u32,
            };
        }
        start + line.len() as u32
    }

    /// The places where a span begins and ends.
    pub fn range(&self, text: &str, span: Span) -> (Position, Position) {
        (self.position(text, span.start), self.position(text, span.end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_leads_back() {
        let text = "ab\r\nß𝄞x\n\ry\n";
        for encoding in [Encoding::Utf8, Encoding::Utf16] {
            let lines = Lines::new(text, encoding);
            for (at, letter) in text.char_indices().filter(|(_, letter)| !matches!(letter, '\n' | '\r')) {
                let position = lines.position(text, at as u32);
                assert_eq!(lines.offset(text, position), at as u32, "{letter} {position:?}");
            }
        }
        let lines = Lines::new(text, Encoding::Utf16);
        assert_eq!(lines.position(text, 10), Position { line: 1, column: 3 });
        // What lies outside is the nearest place there is.
        assert_eq!(lines.offset(text, Position { line: 0, column: 99 }), 2);
        assert_eq!(lines.offset(text, Position { line: 99, column: 0 }), text.len() as u32);
        assert_eq!(lines.position(text, 99).line, 4);
    }
}

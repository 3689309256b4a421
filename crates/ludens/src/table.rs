//! Plain tables.

use std::io::{self, Write};

use unicode_width::UnicodeWidthStr;

use crate::fold::in_column;
use crate::output::Output;

/// Columns of words are made no narrower than this.
const LEAST_WORDS: usize = 10;

/// Rows of cells under headings. A heading that begins with `>` is for a column of numbers, which
/// are set to the right.
pub(crate) struct Table {
    headings: Vec<(String, bool)>,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn new(headings: &[&str]) -> Self {
        let heading = |text: &&str| match text.strip_prefix('>') {
            Some(text) => (text.to_owned(), true),
            None => ((*text).to_owned(), false),
        };
        Self { headings: headings.iter().map(heading).collect(), rows: Vec::new() }
    }

    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    pub(crate) fn write(&self, output: &mut Output) -> io::Result<()> {
        let whole = self.widths();
        let room = if output.has_to_fit() { output.width } else { usize::MAX };
        match self.squeezed(whole, room) {
            Some(widths) => self.write_rows(output, &widths),
            None => self.write_blocks(output),
        }
    }

    fn titles(&self) -> Vec<String> {
        self.headings.iter().map(|(text, _)| text.clone()).collect()
    }

    /// The width of each column.
    fn widths(&self) -> Vec<usize> {
        let titles = self.titles();
        let width = |column: usize| {
            let cells = self.rows.iter().chain([&titles]).filter_map(|row| row.get(column));
            cells.map(|cell| cell.width()).max().unwrap_or(0)
        };
        (0..titles.len()).map(width).collect()
    }

    /// Widths that fit, the widest columns of words made narrower; none if that is not possible.
    fn squeezed(&self, mut widths: Vec<usize>, room: usize) -> Option<Vec<usize>> {
        let titles = self.titles();
        let longest_word = |column: usize| {
            let cells = self.rows.iter().chain([&titles]).filter_map(|row| row.get(column));
            cells.flat_map(|cell| cell.split(' ')).map(UnicodeWidthStr::width).max().unwrap_or(0)
        };
        let least: Vec<usize> = (0..widths.len())
            .map(|column| match self.headings[column].1 {
                true => widths[column],
                false => widths[column].min(longest_word(column).max(LEAST_WORDS)),
            })
            .collect();
        let gaps = 2 * widths.len().saturating_sub(1);
        while widths.iter().sum::<usize>() + gaps > room {
            let widest = (0..widths.len()).filter(|&column| widths[column] > least[column]);
            let widest = widest.max_by_key(|&column| widths[column])?;
            widths[widest] -= 1;
        }
        Some(widths)
    }

    fn write_rows(&self, output: &mut Output, widths: &[usize]) -> io::Result<()> {
        for line in self.lines(&self.titles(), widths) {
            let line = output.bold(&line);
            writeln!(output, "{line}")?;
        }
        for line in self.rows.iter().flat_map(|row| self.lines(row, widths)) {
            writeln!(output, "{line}")?;
        }
        Ok(())
    }

    /// Where the columns do not fit: each row as a block, a line for each cell.
    fn write_blocks(&self, output: &mut Output) -> io::Result<()> {
        let wide = self.headings.iter().skip(1).map(|(text, _)| text.width()).max().unwrap_or(0);
        for row in &self.rows {
            let mut cells = self.headings.iter().zip(row);
            let title = cells.next().map_or("", |(_, cell)| cell);
            let title = output.bold(title);
            writeln!(output, "{title}")?;
            for ((heading, _), cell) in cells.filter(|(_, cell)| !cell.is_empty()) {
                let blanks = " ".repeat(wide - heading.width());
                writeln!(output, "  {heading}{blanks}  {cell}")?;
            }
        }
        Ok(())
    }

    /// A row as one line, or more where cells are wider than their columns.
    fn lines(&self, cells: &[String], widths: &[usize]) -> Vec<String> {
        let folded: Vec<Vec<String>> =
            cells.iter().zip(widths).map(|(cell, &width)| in_column(cell, width)).collect();
        let height = folded.iter().map(Vec::len).max().unwrap_or(0);
        let part = |at: usize| -> Vec<String> {
            folded.iter().map(|lines| lines.get(at).cloned().unwrap_or_default()).collect()
        };
        (0..height).map(|at| self.line(&part(at), widths)).collect()
    }

    fn line(&self, cells: &[String], widths: &[usize]) -> String {
        let mut line = String::new();
        for ((cell, &width), (_, number)) in cells.iter().zip(widths).zip(&self.headings) {
            let blanks = " ".repeat(width.saturating_sub(cell.width()));
            let (before, after) = if *number { (blanks.as_str(), "") } else { ("", blanks.as_str()) };
            line.push_str(&format!("{before}{cell}{after}  "));
        }
        line.truncate(line.trim_end().len());
        line
    }
}

/// A number with a thin grouping of its digits: 12 345.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1_234_567), "1 234 567");
    }

    #[test]
    fn wide_columns_of_words_are_made_narrower() {
        let mut table = Table::new(&["name", "what it is", ">count"]);
        table.row(["one", "a long description of many words", "12 345"].map(str::to_owned));
        let widths = table.squeezed(table.widths(), 30).expect("it fits");
        assert_eq!(widths, [4, 16, 6]);
        let lines = table.lines(&table.rows[0], &widths);
        assert_eq!(lines[0], "one   a long            12 345");
        assert_eq!(lines[1], "      description of");
        assert_eq!(lines[2], "      many words");
        assert!(table.squeezed(table.widths(), 20).is_none(), "numbers stay whole");
        assert_eq!(table.squeezed(table.widths(), usize::MAX), Some(table.widths()));
    }

    #[test]
    fn numbers_stand_to_the_right() {
        let mut table = Table::new(&["name", ">count"]);
        table.row(["a".to_owned(), "1".to_owned()]);
        assert_eq!(table.line(&table.rows[0], &[4, 5]), "a         1");
    }
}

//! Plain tables.

use std::io::{self, Write};

use unicode_width::UnicodeWidthStr;

use crate::output::Output;

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
        let headings: Vec<String> = self.headings.iter().map(|(text, _)| text.clone()).collect();
        let width = |column: usize| {
            let cells = self.rows.iter().chain([&headings]).filter_map(|row| row.get(column));
            cells.map(|cell| cell.width()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..headings.len()).map(width).collect();
        let line = self.line(&headings, &widths);
        let line = output.bold(&line);
        writeln!(output, "{line}")?;
        for row in &self.rows {
            writeln!(output, "{}", self.line(row, &widths))?;
        }
        Ok(())
    }

    fn line(&self, cells: &[String], widths: &[usize]) -> String {
        let mut line = String::new();
        for ((cell, &width), (_, number)) in cells.iter().zip(widths).zip(&self.headings) {
            let blanks = " ".repeat(width - cell.width());
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
    fn numbers_stand_to_the_right() {
        let mut table = Table::new(&["name", ">count"]);
        table.row(["a".to_owned(), "1".to_owned()]);
        assert_eq!(table.line(&table.rows[0], &[4, 5]), "a         1");
    }
}

//! The standard output: buffered, with colours on a terminal only, and without a panic when the
//! reader goes away.

use std::io::{self, BufWriter, IsTerminal, Write};

use serde::Serialize;

use crate::fold::fold;

/// Where a command writes its answer.
pub(crate) struct Output {
    writer: BufWriter<io::Stdout>,
    /// The line that is being written, where lines are folded.
    line: Vec<u8>,
    /// Whether lines are folded to fit the terminal.
    folds: bool,
    /// Whether escape codes are welcome.
    pub(crate) colour: bool,
    /// The columns that a line may have.
    pub(crate) width: usize,
}

/// The columns of lines that go to a file.
const DEFAULT_WIDTH: usize = 80;

/// The columns of the terminal: as it says, else as `COLUMNS` says.
pub(crate) fn terminal_width() -> usize {
    #[cfg(unix)]
    for end in [rustix::stdio::stdout(), rustix::stdio::stderr()] {
        if let Ok(size) = rustix::termios::tcgetwinsize(end)
            && size.ws_col > 0
        {
            return usize::from(size.ws_col).clamp(20, 400);
        }
    }
    let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    columns.map_or(DEFAULT_WIDTH, |columns: usize| columns.clamp(20, 400))
}

impl Output {
    pub(crate) fn standard() -> Self {
        let stdout = io::stdout();
        // See no-color.org.
        let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let colour = stdout.is_terminal() && !unwanted;
        let folds = stdout.is_terminal();
        let writer = BufWriter::new(stdout);
        Self { writer, line: Vec::new(), folds, colour, width: terminal_width() }
    }

    /// From here on lines are written as they are: they are code, or pictures.
    pub(crate) fn as_written(&mut self) -> io::Result<()> {
        self.folds = false;
        self.put_rest()
    }

    /// Whether a person looks at it, so that it has to fit.
    pub(crate) fn has_to_fit(&self) -> bool {
        self.folds
    }

    /// Writes whole lines, folded.
    fn put_lines(&mut self) -> io::Result<()> {
        while let Some(end) = self.line.iter().position(|&byte| byte == b'\n') {
            let line: Vec<u8> = self.line.drain(..=end).collect();
            let text = String::from_utf8_lossy(&line[..end]);
            for part in fold(&text, self.width) {
                writeln!(self.writer, "{part}")?;
            }
        }
        Ok(())
    }

    /// Writes the beginning of a line, such as a question.
    fn put_rest(&mut self) -> io::Result<()> {
        let rest = std::mem::take(&mut self.line);
        self.writer.write_all(&rest)
    }

    /// Writes a value as indented JSON and a newline.
    pub(crate) fn json(&mut self, value: &impl Serialize) -> anyhow::Result<()> {
        self.put_rest()?;
        serde_json::to_writer_pretty(&mut self.writer, value)?;
        writeln!(self.writer)?;
        Ok(())
    }

    /// The text in bold, if colours are welcome.
    pub(crate) fn bold(&self, text: &str) -> String {
        self.styled("1", text)
    }

    /// The text in an ANSI style, if colours are welcome.
    pub(crate) fn styled(&self, style: &str, text: &str) -> String {
        if self.colour { format!("\x1b[{style}m{text}\x1b[0m") } else { text.to_owned() }
    }

    /// Makes sure that everything is written.
    pub(crate) fn finish(&mut self) -> anyhow::Result<()> {
        Ok(self.flush()?)
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.folds {
            return self.writer.write(bytes);
        }
        self.line.extend_from_slice(bytes);
        self.put_lines()?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.put_rest()?;
        self.writer.flush()
    }
}

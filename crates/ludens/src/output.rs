//! The standard output: buffered, with colours on a terminal only, and without a panic when the
//! reader goes away.

use std::io::{self, BufWriter, IsTerminal, Write};

use serde::Serialize;

/// Where a command writes its answer.
pub(crate) struct Output {
    writer: BufWriter<io::Stdout>,
    /// Whether escape codes are welcome.
    pub(crate) colour: bool,
    /// The columns that a line may have.
    pub(crate) width: usize,
}

/// The columns of lines that go to a file.
const DEFAULT_WIDTH: usize = 80;

/// The columns of the terminal: as it says, else as `COLUMNS` says.
fn terminal_width() -> usize {
    #[cfg(unix)]
    if let Ok(size) = rustix::termios::tcgetwinsize(rustix::stdio::stdout())
        && size.ws_col > 0
    {
        return usize::from(size.ws_col).clamp(20, 400);
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
        Self { writer: BufWriter::new(stdout), colour, width: terminal_width() }
    }

    /// Writes a value as indented JSON and a newline.
    pub(crate) fn json(&mut self, value: &impl Serialize) -> anyhow::Result<()> {
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
        Ok(self.writer.flush()?)
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

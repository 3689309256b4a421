//! Lines that a person types: edited and remembered in a terminal, plain from anywhere else.

use std::io::{self, BufRead, IsTerminal, Write};

use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;

use crate::output::Output;

/// Where lines come from.
pub(crate) enum Lines {
    /// A terminal, with history.
    Terminal(Box<DefaultEditor>),
    /// A file or a pipe.
    Plain(io::Lines<io::StdinLock<'static>>),
}

impl Lines {
    pub(crate) fn new() -> Self {
        let terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
        match terminal.then(DefaultEditor::new) {
            Some(Ok(editor)) => Lines::Terminal(Box::new(editor)),
            // A terminal that cannot be set up is read as a file is.
            _ => Lines::Plain(io::stdin().lock().lines()),
        }
    }

    /// The next line; nothing at the end, or when the person has had enough.
    pub(crate) fn next(&mut self, prompt: &str, output: &mut Output) -> anyhow::Result<Option<String>> {
        output.flush()?;
        match self {
            Lines::Terminal(editor) => match editor.readline(prompt) {
                Ok(line) => {
                    // A line that cannot be remembered was read all the same.
                    let _ = editor.add_history_entry(&line);
                    Ok(Some(line))
                }
                Err(ReadlineError::Eof | ReadlineError::Interrupted) => Ok(None),
                Err(error) => Err(error.into()),
            },
            Lines::Plain(lines) => {
                write!(output, "{prompt}")?;
                output.flush()?;
                let line = lines.next().transpose()?;
                // What was typed is not seen, so that the answer would stand beside the question.
                writeln!(output)?;
                Ok(line)
            }
        }
    }
}

//! Drawing a position on the terminal.

use std::io::{self, Write};

use bundled::Metadata;
use picture::Picture;

use crate::output::Output;

/// How positions of a game are drawn: its boards if there are any, otherwise its facts.
#[derive(Clone, Copy)]
pub(crate) struct Drawing<'a> {
    /// What is known of the game.
    pub(crate) metadata: Option<&'a Metadata>,
    /// Show all facts even if there is a board.
    pub(crate) facts_too: bool,
}

impl Drawing<'_> {
    /// Draws the position with these facts, after an empty line.
    pub(crate) fn write(&self, output: &mut Output, facts: &[String]) -> io::Result<()> {
        writeln!(output)?;
        let picture = self.metadata.map(|metadata| Picture::read(metadata, facts));
        if let Some(picture) = &picture {
            output.write_all(picture::text::draw(picture, output.colour).as_bytes())?;
        }
        let other = match &picture {
            Some(picture) if !picture.grids.is_empty() && !self.facts_too => return Ok(()),
            Some(picture) if !self.facts_too => &picture.other[..],
            _ => facts,
        };
        for line in wrapped(other, 100) {
            writeln!(output, "{line}")?;
        }
        Ok(())
    }
}

/// Facts side by side, on lines of at most `width` characters where that is possible.
pub(crate) fn wrapped(facts: &[String], width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for fact in facts {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 2 + fact.chars().count() <= width => {
                line.push_str("  ");
                line.push_str(fact);
            }
            _ => lines.push(fact.clone()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_wrapped() {
        let facts = ["(a b)", "(c d)", "e"].map(str::to_owned);
        assert_eq!(wrapped(&facts, 12), ["(a b)  (c d)", "e"]);
        assert_eq!(wrapped(&facts, 3).len(), 3);
    }
}

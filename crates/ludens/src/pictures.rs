//! How the states of a game are drawn: boards found in its rules and in a little play.

use std::io::{self, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::bail;
use game::{Describe, Simulator};
use machine::{Limits, Visitor, Wanted};
use picture::moves::Understood;
use picture::text::TextOptions;
use picture::{Analysis, Highlights};

use crate::input::LoadedGame;
use crate::output::Output;

/// The time that looking at a game may take before it is drawn.
const SAMPLING: Duration = Duration::from_millis(1_500);

/// Meets states in random play, the initial one first.
struct Sample;

impl Visitor<'_> for Sample {
    type Answer = Vec<Vec<String>>;

    fn visit<G: Simulator + Describe + 'static>(self, game: &Arc<G>) -> Self::Answer {
        let begin = Instant::now();
        let mut workspace = game.workspace();
        let go_on = || begin.elapsed() < SAMPLING;
        let states = verify::sample(&**game, &mut workspace, verify::SampleLimits::default(), 1, &go_on);
        states.iter().map(|state| game.facts(state)).collect()
    }
}

/// How the states of a game are drawn. Where it cannot be played, the rules have to do.
pub(crate) fn analysis(game: &LoadedGame) -> Analysis {
    let machine = machine::from_rules(&game.rules, Wanted::Reference, &Limits::generous());
    let states = machine.map(|machine| machine.visit(Sample)).unwrap_or_default();
    Analysis::new(&game.rules, &states, game.metadata.as_ref())
}

/// Draws a position, after an empty line; with all its facts if wanted.
pub(crate) fn write(
    output: &mut Output,
    analysis: &Analysis,
    facts: &[String],
    highlights: &Highlights,
    facts_too: bool,
) -> io::Result<()> {
    writeln!(output)?;
    let options = TextOptions { colour: output.colour, width: output.width };
    let picture = analysis.picture(facts, highlights);
    output.write_all(picture::text::draw(&picture, &options).as_bytes())?;
    if facts_too {
        for line in wrapped(facts, output.width) {
            writeln!(output, "{line}")?;
        }
    }
    Ok(())
}

/// The move that is meant.
pub(crate) fn choose(
    analysis: &Analysis,
    wanted: &str,
    legal: &[String],
    role: &str,
) -> anyhow::Result<usize> {
    let list = |found: &[usize]| found.iter().map(|&at| legal[at].as_str()).collect::<Vec<_>>().join(", ");
    match analysis.understand(wanted, legal) {
        Understood::One(at) => Ok(at),
        Understood::Several(found) => bail!("`{wanted}` of {role} may be one of {}", list(&found)),
        Understood::Unknown(near) if near.is_empty() => {
            bail!("{role} has no move `{wanted}` here; legal are {}", legal.join(", "))
        }
        Understood::Unknown(near) => {
            bail!("{role} has no move `{wanted}` here; did you mean {}?", list(&near))
        }
    }
}

/// Words as lines of at most `width` characters.
pub(crate) fn lines(words: &[String], width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.clone()),
        }
    }
    lines
}

/// Texts side by side, on lines of at most `width` characters where that is possible.
pub(crate) fn wrapped(texts: &[String], width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for text in texts {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 2 + text.chars().count() <= width => {
                line.push_str("  ");
                line.push_str(text);
            }
            _ => lines.push(text.clone()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_wrapped() {
        let facts = ["(a b)", "(c d)", "e"].map(str::to_owned);
        assert_eq!(wrapped(&facts, 12), ["(a b)  (c d)", "e"]);
        assert_eq!(wrapped(&facts, 3).len(), 3);
    }
}

//! What the circuit of a game shows about its structure.

use std::io::Write;

use circuit::{Circuit, Composition, Link};
use machine::alike::{Key, Reduction};
use serde::Serialize;

use crate::output::Output;
use crate::table::Table;

/// The structure of a game, as far as its gates show it.
#[derive(Serialize)]
pub(crate) struct Structure {
    /// Facts that run by themselves, whatever is done: step counters, whose turn it is.
    running_by_themselves: usize,
    /// Facts that decide nothing.
    idle: usize,
    /// Symmetries of the rules that can be made use of, the identity included.
    symmetries: u64,
    /// The same with those that exchange roles.
    symmetries_of_roles: u64,
    /// Parts that do not interact.
    parts: Vec<Part>,
    /// How moves are put together from what is done in the parts: `parallel`, `serial` or `mixed`; null with one part, or
    /// if that was too much to find out.
    composition: Option<&'static str>,
    /// How what ends the parts ends the game: `all`, `any`, `one`, `none` or `mixed`.
    terminal: &'static str,
    /// The same of the highest goal of each role.
    goals: Vec<&'static str>,
}

#[derive(Serialize)]
struct Part {
    facts: usize,
    /// Some of them.
    examples: Vec<String>,
    /// For each role how many different things it can do there.
    actions: Vec<usize>,
}

/// Facts that are shown of each part.
const MOST_EXAMPLES: usize = 3;
/// Parts that are shown one by one.
const MOST_SHOWN: usize = 12;

impl Structure {
    pub(crate) fn of(circuit: &Circuit) -> Self {
        let parts = circuit.parts();
        let relevant = circuit.relevant();
        let composition = |composition| match composition {
            Composition::Parallel => "parallel",
            Composition::Serial => "serial",
            Composition::Mixed => "mixed",
        };
        let part = |(place, facts): (usize, &Vec<u32>)| Part {
            facts: facts.len(),
            examples: facts
                .iter()
                .take(MOST_EXAMPLES)
                .map(|&fact| circuit.bases[fact as usize].clone())
                .collect(),
            actions: parts.actions.iter().flatten().map(|role| role.actions[place].len()).collect(),
        };
        let symmetries =
            |exchange| Key::new(circuit, Reduction { exchange, ..Reduction::ALL }, &|| false).symmetries();
        Self {
            symmetries: symmetries(false),
            symmetries_of_roles: symmetries(true),
            running_by_themselves: parts.shared.len(),
            idle: relevant.iter().filter(|&&relevant| !relevant).count(),
            parts: parts.facts.iter().enumerate().map(part).collect(),
            composition: parts.composition().filter(|_| parts.are_several()).map(composition),
            terminal: link(parts.terminal),
            goals: parts.goals.iter().map(|&goal| link(goal)).collect(),
        }
    }

    pub(crate) fn write(&self, roles: &[&str], output: &mut Output) -> anyhow::Result<()> {
        writeln!(
            output,
            "structure    {} facts run by themselves, {} decide nothing",
            self.running_by_themselves, self.idle
        )?;
        let exchanging = match self.symmetries_of_roles {
            all if all > self.symmetries => format!(", {all} with those that exchange roles"),
            _ => String::new(),
        };
        writeln!(output, "symmetries   {}{exchanging}", self.symmetries)?;
        if self.parts.len() < 2 {
            writeln!(output, "parts        one: everything hangs together")?;
            return Ok(());
        }
        let composition = match self.composition {
            Some("parallel") => "in every step something is done in each, whatever is done in the others",
            Some("serial") => "in every step something is done in one of them",
            Some(_) => "what is done in one restricts what can be done in others",
            None => "how moves act on them was too much to find out",
        };
        writeln!(output, "parts        {} that do not interact; {composition}", self.parts.len())?;
        writeln!(output, "end          {}", in_words(self.terminal))?;
        for (role, goal) in roles.iter().zip(&self.goals) {
            writeln!(output, "goal         of {role}: {}", in_words(goal))?;
        }
        writeln!(output)?;
        let mut table = Table::new(&[">part", ">facts", ">actions", "for example"]);
        for (number, part) in self.parts.iter().take(MOST_SHOWN).enumerate() {
            let actions: Vec<String> = part.actions.iter().map(usize::to_string).collect();
            table.row([
                (number + 1).to_string(),
                part.facts.to_string(),
                actions.join(", "),
                part.examples.join(" "),
            ]);
        }
        table.write(output)?;
        if self.parts.len() > MOST_SHOWN {
            writeln!(output, "and {} more", self.parts.len() - MOST_SHOWN)?;
        }
        Ok(())
    }
}

fn link(link: Link) -> &'static str {
    match link {
        Link::None => "none",
        Link::One => "one",
        Link::All => "all",
        Link::Any => "any",
        Link::Mixed => "mixed",
    }
}

fn in_words(link: &str) -> &'static str {
    match link {
        "none" => "decided by what runs by itself",
        "one" => "a matter of one part",
        "all" => "asks for all parts (conjunctive)",
        "any" => "one part is enough (disjunctive)",
        _ => "takes the parts together in another way",
    }
}

//! A match as it is shown while it goes on.

use std::collections::HashMap;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::time::Duration;

use picture::{Analysis, Highlights};
use referee::{Event, Listener, MatchRecord, MoveThought, Thought};

use crate::input::LoadedGame;
use crate::output::Output;
use crate::pictures;
use crate::table::grouped;

/// Moves that are told of, at most.
pub(crate) const MOST_MOVES: usize = 8;

/// Shows every position of a match, what is played there and why.
pub(crate) struct Printer<'a> {
    game: &'a LoadedGame,
    analysis: Analysis,
    last: Vec<String>,
    before: Vec<String>,
    facts: bool,
    /// How long to wait after each position.
    pub(crate) delay: Duration,
    /// Whether every move comes with the moves that were looked at, and which settings were chosen and why.
    pub(crate) explains: bool,
    /// What each role told of its settings last: it is told again when it changes.
    told: HashMap<String, String>,
    output: &'a mut Output,
    /// How many moves the roles have in this turn, and what they think.
    choices: Vec<usize>,
    decisions: Vec<Option<Thought>>,
    /// Why nothing more can be shown.
    failure: Option<io::Error>,
}

impl Listener for Printer<'_> {
    fn hear(&mut self, event: &Event, record: &MatchRecord) -> ControlFlow<()> {
        self.failure = self.tell(event, &record.game_role_names).err();
        if self.failure.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl<'a> Printer<'a> {
    /// Shows boards where there are any, and the facts as well if wanted.
    pub(crate) fn new(game: &'a LoadedGame, facts: bool, output: &'a mut Output) -> Self {
        let (choices, decisions) = (Vec::new(), Vec::new());
        let (analysis, last, before) = (pictures::analysis(game), Vec::new(), Vec::new());
        Self {
            game,
            analysis,
            last,
            before,
            facts,
            delay: Duration::ZERO,
            explains: false,
            told: HashMap::new(),
            output,
            choices,
            decisions,
            failure: None,
        }
    }

    /// Shows what is played.
    pub(crate) fn write_heading(&mut self) -> io::Result<()> {
        self.game.write_title(self.output)?;
        match &self.game.metadata {
            Some(metadata) => self.write_line(&metadata.description),
            None => Ok(()),
        }
    }

    /// Writes a line.
    pub(crate) fn write_line(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.output, "{line}")
    }

    /// Says whether everything could be shown.
    pub(crate) fn finish(self) -> io::Result<()> {
        self.failure.map_or(Ok(()), Err)
    }

    fn tell(&mut self, event: &Event, roles: &[String]) -> io::Result<()> {
        match event {
            Event::TurnBegun { choices, .. } => {
                self.choices.clone_from(choices);
                self.decisions = vec![None; roles.len()];
            }
            Event::Answered { role, thought, .. } => self.decisions[*role].clone_from(thought),
            Event::Moved { turn, moves } => {
                self.last = moves.iter().map(|text| text.to_lowercase()).collect();
                self.write_moves(*turn, roles, moves)?;
            }
            Event::Position { facts, .. } => {
                let before = std::mem::replace(&mut self.before, facts.clone());
                let highlights = Highlights { last: self.last.clone(), before, ..Highlights::default() };
                pictures::write(self.output, &self.analysis, facts, &highlights, self.facts)?;
                self.output.flush()?;
                std::thread::sleep(self.delay);
            }
            Event::Begun | Event::Trouble { .. } | Event::Ended { .. } => {}
        }
        Ok(())
    }

    /// Who does what and why; those without a choice are left out while others have one.
    fn write_moves(&mut self, turn: usize, roles: &[String], moves: &[String]) -> io::Result<()> {
        let choosing = self.choices.iter().any(|&choices| choices > 1);
        let number = self.output.bold(&format!("Move {turn}:"));
        let told: Vec<String> = roles
            .iter()
            .zip(moves)
            .zip(&self.choices)
            .filter(|&(_, &choices)| !choosing || choices > 1)
            .map(|((role, spelling), _)| format!("{role} {spelling}"))
            .collect();
        writeln!(self.output, "\n{number} {}", told.join(", "))?;
        for (role, decision) in roles.iter().zip(&self.decisions) {
            let Some(decision) = decision else { continue };
            let mut text = thoughts(role, decision);
            if self.explains {
                text.push_str(&moves_text(decision));
            }
            if let Some(tuning) = &decision.tuning
                && (self.explains || self.told.get(role) != Some(tuning))
            {
                text.push_str(&format!("\n  {role} {tuning}"));
                self.told.insert(role.clone(), tuning.clone());
            }
            let text = self.output.styled("2", &text);
            writeln!(self.output, "{text}")?;
        }
        Ok(())
    }
}

/// A goal as people say it.
pub(crate) fn goal_name(goal: u8) -> String {
    match goal {
        100 => "win".to_owned(),
        50 => "draw".to_owned(),
        0 => "loss".to_owned(),
        goal => goal.to_string(),
    }
}

/// What an agent thinks of its move, on two lines.
fn thoughts(role: &str, decision: &Thought) -> String {
    let Some(value) = decision.value else { return format!("  {role} does not think") };
    // A value without anything behind it says nothing.
    if decision.unthought {
        return format!("  {role} had no time to think");
    }
    let expected = match decision.proven_goal {
        Some(goal) => format!("has a proven {}", goal_name(goal)),
        None if decision.proven => format!("expects {value:.1} (proven best)"),
        None => format!("expects {value:.1}"),
    };
    let seconds = decision.seconds;
    let line: Vec<String> = decision.line.iter().take(8).map(|joint| joint_text(joint)).collect();
    let positions =
        decision.positions.map(|held| format!(", {} positions are possible", grouped(held as u64)));
    let positions = positions.unwrap_or_default();
    format!(
        "  {role} {expected}; {} simulations in {seconds:.2} s ({}/s), {} nodes, depth {}, {} machine, \
         longest pause {:.1} ms{positions}\n  best line: {}",
        grouped(decision.simulations),
        grouped(decision.simulations_per_second as u64),
        grouped(decision.nodes as u64),
        decision.depth,
        decision.machine,
        1e3 * decision.longest_pause_seconds,
        line.join(" ")
    )
}

/// The moves that were looked at most, a line each.
fn moves_text(decision: &Thought) -> String {
    let line = |thought: &MoveThought| {
        let proven = thought.proven.map(|goal| format!(", a proven {}", goal_name(goal))).unwrap_or_default();
        let (visits, value) = (grouped(u64::from(thought.visits)), thought.value);
        format!("\n    {}: {visits} visits, expects {value:.1}{proven}", thought.text)
    };
    decision.moves.iter().map(line).collect()
}

/// A joint move of a line: without those who only wait, if anybody does more.
fn joint_text(joint: &[String]) -> String {
    let active: Vec<&str> = joint.iter().map(String::as_str).filter(|text| *text != "noop").collect();
    if active.is_empty() { "noop".to_owned() } else { active.join("+") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_told_with_what_is_behind_it() {
        let thought = Thought { value: Some(49.3), simulations: 10, ..Thought::default() };
        assert!(thoughts("x", &thought).starts_with("  x expects 49.3; 10 simulations"));
        let proven = Thought { proven: true, proven_goal: Some(50), ..thought.clone() };
        assert!(thoughts("x", &proven).starts_with("  x has a proven draw; "), "{}", thoughts("x", &proven));
        let best = Thought { proven: true, ..thought.clone() };
        assert!(thoughts("x", &best).starts_with("  x expects 49.3 (proven best); "));
        assert_eq!(thoughts("x", &Thought { unthought: true, ..thought }), "  x had no time to think");
        assert_eq!(thoughts("x", &Thought::default()), "  x does not think");
    }

    #[test]
    fn moves_are_told_with_visits_and_values() {
        let moved =
            |text: &str, visits, proven| MoveThought { text: text.to_owned(), value: 61.25, visits, proven };
        let moves = vec![moved("(mark 2 2)", 1234, None), moved("(mark 1 1)", 5, Some(0))];
        let told = moves_text(&Thought { moves, ..Thought::default() });
        let wanted = "\n    (mark 2 2): 1\u{202f}234 visits, expects 61.2\n    \
                      (mark 1 1): 5 visits, expects 61.2, a proven loss";
        assert_eq!(told.replace(' ', "\u{202f}"), wanted.replace(' ', "\u{202f}"));
    }
}

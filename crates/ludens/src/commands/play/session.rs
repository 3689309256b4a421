//! A game between a person and agents.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, bail};
use game::{Describe, Game, RoleId};
use machine::reference::Reference;
use player::Decision;
use referee::{Answer, Given, Match, Nobody, Rulebook, Settings};

use super::opponents::Opponents;
use super::saved::SavedGame;
use super::words::Word;
use crate::input::LoadedGame;
use crate::machines::called_off;
use crate::output::Output;
use crate::position::{Drawing, wrapped};
use crate::process::now;

/// Moves listed without being asked for.
const LISTED: usize = 60;

pub(crate) struct Session<'g> {
    game: &'g LoadedGame,
    machine: &'g Reference,
    current: Match<'g, Reference>,
    role: usize,
    opponents: Opponents,
    /// The numbers of turns in which the person chose.
    chosen: Vec<usize>,
}

impl<'g> Session<'g> {
    pub(crate) fn new(
        game: &'g LoadedGame,
        machine: &'g Reference,
        book: &'g Rulebook,
        role: Option<&str>,
        opponents: Opponents,
        seed: u64,
    ) -> anyhow::Result<Self> {
        let roles = machine.roles();
        let role = match role {
            None => 0,
            Some(name) => match roles.iter().position(|known| known.eq_ignore_ascii_case(name)) {
                Some(role) => role,
                None => bail!("there is no role `{name}`; there are {}", roles.join(", ")),
            },
        };
        let settings =
            Settings { game_name: game.name.clone(), seed, longest: usize::MAX, ..Settings::default() };
        let current = Match::new(machine, book, settings, now());
        let current = current.map_err(called_off(machine))?;
        let mut session = Self { game, machine, current, role, opponents, chosen: Vec::new() };
        let ready = roles.iter().map(|_| Answer::Hosted.into()).collect();
        session.take(ready)?;
        Ok(session)
    }

    pub(crate) fn role_name(&self) -> &str {
        self.current.role(self.role)
    }

    fn history(&self) -> &[Vec<String>] {
        &self.current.record().moves
    }

    /// Gives the referee what everybody has answered; fails if the game has a fault.
    fn take(&mut self, given: Vec<Given>) -> anyhow::Result<()> {
        self.current.take(given, now(), &mut Nobody);
        self.current.fault().map_or(Ok(()), |fault| Err(called_off(self.machine)(fault.clone())))
    }

    pub(crate) fn is_over(&self) -> bool {
        self.current.is_over()
    }

    /// The person's legal moves.
    pub(crate) fn legal(&self) -> Vec<String> {
        self.current.legal(self.role)
    }

    /// Shows the position; plays on while the person has no choice.
    pub(crate) fn go_on(&mut self, output: &mut Output) -> anyhow::Result<()> {
        loop {
            self.show(output, false)?;
            if self.is_over() {
                return self.tell_end(output);
            }
            let legal = self.legal();
            if legal.len() > 1 {
                return self.list(&legal, output);
            }
            self.turn(&legal[0].clone(), output)?;
        }
    }

    /// Does what the person wants.
    pub(crate) fn obey(&mut self, word: Word, output: &mut Output) -> anyhow::Result<()> {
        match word {
            Word::Move(place) => {
                let own = self.legal()[place].clone();
                self.chosen.push(self.history().len());
                self.turn(&own, output)?;
                self.go_on(output)?;
            }
            Word::Hint => {
                let decision = self.think(output)?;
                writeln!(output, "{}", opinion(&decision))?;
            }
            Word::View => {
                let decision = self.think(output)?;
                write_view(&decision, output)?;
            }
            Word::Undo => self.undo(output)?,
            Word::Moves => self.list(&self.legal(), output)?,
            Word::Board => self.show(output, false)?,
            Word::Facts => self.show(output, true)?,
            Word::Save(path) => match self.save(Path::new(&path)) {
                Ok(()) => writeln!(output, "saved; go on with --resume {path}")?,
                Err(error) => writeln!(output, "{error:#}")?,
            },
            Word::Help => writeln!(output, "{HELP}")?,
            Word::Quit => {}
        }
        Ok(())
    }

    fn think(&mut self, output: &mut Output) -> anyhow::Result<Decision> {
        output.flush()?;
        let told = self.told(self.role);
        self.opponents.ask(self.role, &told)
    }

    /// What a role was told of all steps so far.
    fn told(&self, role: usize) -> Vec<Vec<String>> {
        (1..=self.history().len()).map(|turn| self.current.told(turn, role)).collect()
    }

    /// Makes a move of the person, and those of all others.
    fn turn(&mut self, own: &str, output: &mut Output) -> anyhow::Result<()> {
        let mut given: Vec<Given> = Vec::new();
        output.flush()?;
        for (role, choices) in self.current.count_choices().into_iter().enumerate() {
            let name = self.current.role(role);
            given.push(if role == self.role {
                Answer::Reply(own.to_owned()).into()
            } else if choices == 1 || self.machine.chance() == Some(RoleId(role as u16)) {
                Answer::Hosted.into()
            } else {
                let told = self.told(role);
                let decision = self.opponents.ask(role, &told)?;
                let value = decision.value.map_or_else(String::new, |value| format!(" (expects {value:.0})"));
                let saying = format!("{name} plays {}{value}", decision.spelling);
                if !self.machine.has_percepts() {
                    writeln!(output, "\n{}", output.bold(&saying))?;
                }
                Answer::Reply(decision.text).into()
            });
        }
        self.make(given)
    }

    /// Makes a joint move of which every part has to be legal.
    fn make(&mut self, given: Vec<Given>) -> anyhow::Result<()> {
        self.take(given)?;
        let record = self.current.record();
        let trouble =
            record.errors.last().into_iter().flatten().enumerate().find(|(_, entry)| !entry.is_empty());
        if let Some((role, _)) = trouble {
            bail!("{} has made a move that is not legal", self.current.role(role));
        }
        let (current, turn) = (&self.current, record.moves.len());
        self.opponents.advance(|role| current.told(turn, role))
    }

    /// Goes back to where the person last chose.
    fn undo(&mut self, output: &mut Output) -> anyhow::Result<()> {
        let Some(turn) = self.chosen.pop() else {
            writeln!(output, "there is nothing to take back")?;
            return Ok(());
        };
        self.current.take_back(turn).map_err(called_off(self.machine))?;
        self.opponents.forget();
        self.go_on(output)
    }

    fn save(&self, path: &Path) -> anyhow::Result<()> {
        let (game, role) = (self.game.name.clone(), self.role_name().to_owned());
        SavedGame { game, role, moves: self.history().to_vec() }.write(path)
    }

    /// Goes on with a game that was saved.
    pub(crate) fn resume(&mut self, path: &Path) -> anyhow::Result<()> {
        let saved = SavedGame::read(path, &self.game.name)?;
        let role = self.machine.roles().iter().position(|name| *name == saved.role);
        self.role = role.with_context(|| format!("there is no role `{}`", saved.role))?;
        for (number, joint) in saved.moves.into_iter().enumerate() {
            if self.legal().len() > 1 {
                self.chosen.push(number);
            }
            let given = joint.into_iter().map(|text| Answer::Reply(text).into()).collect();
            self.make(given).with_context(|| {
                format!("{}: the moves of turn {} are not legal", path.display(), number + 1)
            })?;
        }
        Ok(())
    }

    /// Shows the position. Where not everybody sees everything, a person sees what its role is told, and the position
    /// at the end.
    fn show(&self, output: &mut Output, facts: bool) -> anyhow::Result<()> {
        if self.machine.has_percepts() && !self.is_over() {
            let told = self.current.told(self.history().len(), self.role);
            let seen = told.get(1..).filter(|seen| !seen.is_empty());
            let seen = seen.map_or_else(|| "nothing".to_owned(), |seen| seen.join(" "));
            writeln!(output, "\nyou see: {seen}")?;
            return Ok(());
        }
        let drawing = Drawing { metadata: self.game.metadata.as_ref(), facts_too: facts };
        Ok(drawing.write(output, self.current.facts())?)
    }

    fn list(&self, legal: &[String], output: &mut Output) -> anyhow::Result<()> {
        let numbered = |(at, text): (usize, &String)| format!("{} {text}", at + 1);
        let moves: Vec<String> = legal.iter().enumerate().map(numbered).take(LISTED).collect();
        writeln!(output)?;
        for line in wrapped(&moves, 100) {
            writeln!(output, "{line}")?;
        }
        if legal.len() > LISTED {
            writeln!(
                output,
                "and {} more; type a part of a move to see those that have it",
                legal.len() - LISTED
            )?;
        }
        Ok(())
    }

    fn tell_end(&self, output: &mut Output) -> anyhow::Result<()> {
        let roles = self.machine.roles().iter().zip(self.current.goals().unwrap_or_default());
        let goals: Vec<String> = roles.map(|(role, goal)| format!("{role} {goal}")).collect();
        let goals = output.bold(&goals.join(", "));
        writeln!(output, "\nThe game is over. Goals: {goals}")?;
        Ok(())
    }
}

const HELP: &str = "\
a number, a move or a part of one   make that move
?  (hint)                           what the agent would do in your place
view (v)                            what it thinks of each of your moves
undo (u)                            take your last move back
moves (m), board (b), facts         show the moves, the board, everything that is true
save FILE                           keep the game; `ludens play GAME --resume FILE` goes on with it
quit (q)                            end";

/// A decision in one line.
fn opinion(decision: &Decision) -> String {
    let value = decision.value.map_or_else(String::new, |value| format!(", expecting {value:.1}"));
    let proven = if decision.proven { ", proven" } else { "" };
    let line: Vec<String> = decision.line.iter().take(6).map(|joint| joint.join(" ")).collect();
    let line = if line.is_empty() { String::new() } else { format!("\n  then {}", line.join(" | ")) };
    format!("play {}{value}{proven} ({} simulations){line}", decision.spelling, decision.simulations)
}

/// What is thought of each move, the best first.
fn write_view(decision: &Decision, output: &mut Output) -> anyhow::Result<()> {
    writeln!(output, "{}", opinion(decision))?;
    let mut moves = decision.moves.clone();
    moves.sort_by_key(|thought| std::cmp::Reverse(thought.visits));
    let mut table = crate::table::Table::new(&["move", ">expected", ">simulations"]);
    for thought in moves.iter().take(20) {
        table.row([thought.text.clone(), format!("{:.1}", thought.value), thought.visits.to_string()]);
    }
    if !table.is_empty() {
        table.write(output)?;
    }
    Ok(())
}

//! A game between a person and agents.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, bail};
use game::{Describe, Dice, Expansion, Game, MoveId, RoleId, RuleFault};
use machine::reference::{Reference, ReferenceState, ReferenceWorkspace};
use player::Decision;

use super::opponents::Opponents;
use super::saved::SavedGame;
use super::words::Word;
use crate::input::LoadedGame;
use crate::machines::faulty;
use crate::output::Output;
use crate::position::{Drawing, wrapped};

/// Moves listed without being asked for.
const LISTED: usize = 60;

pub(crate) struct Session<'g> {
    game: &'g LoadedGame,
    machine: &'g Reference,
    role: usize,
    opponents: Opponents,
    dice: Dice,
    workspace: ReferenceWorkspace,
    states: Vec<ReferenceState>,
    history: Vec<Vec<String>>,
    /// The numbers of turns in which the person chose.
    chosen: Vec<usize>,
    expansion: Expansion,
}

impl<'g> Session<'g> {
    pub(crate) fn new(
        game: &'g LoadedGame,
        machine: &'g Reference,
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
        let mut session = Self {
            game,
            machine,
            role,
            opponents,
            dice: Dice::new(seed),
            workspace: machine.workspace(),
            states: vec![machine.initial()],
            history: Vec::new(),
            chosen: Vec::new(),
            expansion: Expansion::new(),
        };
        session.look()?;
        Ok(session)
    }

    pub(crate) fn role_name(&self) -> &str {
        &self.machine.roles()[self.role]
    }

    fn state(&self) -> &ReferenceState {
        // There is always the initial one.
        &self.states[self.states.len() - 1]
    }

    fn look(&mut self) -> anyhow::Result<()> {
        let state = self.state().clone();
        let machine = self.machine;
        machine.expand(&mut self.workspace, &state, &mut self.expansion).map_err(faulty(machine))?;
        match self.expansion.stuck_role() {
            Some(role) => Err(faulty(machine)(RuleFault::NoLegalMove(role))),
            None => Ok(()),
        }
    }

    pub(crate) fn is_over(&self) -> bool {
        self.expansion.is_terminal()
    }

    /// The person's legal moves.
    pub(crate) fn legal(&self) -> Vec<String> {
        let legal = self.expansion.legal(RoleId(self.role as u16));
        legal.iter().map(|&id| self.machine.move_spelling(id)).collect()
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
                self.chosen.push(self.history.len());
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
        self.opponents.ask(self.role, &self.history)
    }

    /// Makes a move of the person, and those of all others.
    fn turn(&mut self, own: &str, output: &mut Output) -> anyhow::Result<()> {
        let mut joint: Vec<MoveId> = Vec::new();
        let mut told = Vec::new();
        output.flush()?;
        for (role, name) in self.machine.roles().iter().enumerate() {
            let id = RoleId(role as u16);
            let legal = self.expansion.legal(id).to_vec();
            let find = |text: &str| self.machine.find_move(id, text).filter(|found| legal.contains(found));
            let chosen = if role == self.role {
                find(own)
            } else if legal.len() == 1 {
                Some(legal[0])
            } else if self.machine.chance() == Some(id) {
                Some(legal[self.dice.below(legal.len())])
            } else {
                let decision = self.opponents.ask(role, &self.history)?;
                let value = decision.value.map_or_else(String::new, |value| format!(" (expects {value:.0})"));
                told.push(format!("{name} plays {}{value}", decision.spelling));
                find(&decision.text)
            };
            joint.push(chosen.with_context(|| format!("{name} has made a move that is not legal"))?);
        }
        for line in told {
            writeln!(output, "\n{}", output.bold(&line))?;
        }
        self.make(&joint)
    }

    fn make(&mut self, joint: &[MoveId]) -> anyhow::Result<()> {
        let texts: Vec<String> = joint.iter().map(|&id| self.machine.move_spelling(id)).collect();
        let state = self.state().clone();
        let machine = self.machine;
        let next = machine.apply(&mut self.workspace, &state, joint).map_err(faulty(machine))?;
        self.opponents.advance(&texts)?;
        self.states.push(next);
        self.history.push(texts);
        self.look()
    }

    /// Goes back to where the person last chose.
    fn undo(&mut self, output: &mut Output) -> anyhow::Result<()> {
        let Some(turn) = self.chosen.pop() else {
            writeln!(output, "there is nothing to take back")?;
            return Ok(());
        };
        self.states.truncate(turn + 1);
        self.history.truncate(turn);
        self.opponents.forget();
        self.look()?;
        self.go_on(output)
    }

    fn save(&self, path: &Path) -> anyhow::Result<()> {
        let (game, role) = (self.game.name.clone(), self.role_name().to_owned());
        SavedGame { game, role, moves: self.history.clone() }.write(path)
    }

    /// Goes on with a game that was saved.
    pub(crate) fn resume(&mut self, path: &Path) -> anyhow::Result<()> {
        let saved = SavedGame::read(path, &self.game.name)?;
        let role = self.machine.roles().iter().position(|name| *name == saved.role);
        self.role = role.with_context(|| format!("there is no role `{}`", saved.role))?;
        for (number, joint) in saved.moves.iter().enumerate() {
            let find = |(role, text): (usize, &String)| {
                let role = RoleId(role as u16);
                let id = self.machine.find_move(role, text);
                id.filter(|id| self.expansion.legal(role).contains(id))
            };
            let ids: Option<Vec<MoveId>> = joint.iter().enumerate().map(find).collect();
            let ids = ids.filter(|ids| ids.len() == self.machine.role_count());
            let Some(ids) = ids else {
                bail!("{}: the moves of turn {} are not legal", path.display(), number + 1);
            };
            if self.expansion.legal(RoleId(self.role as u16)).len() > 1 {
                self.chosen.push(number);
            }
            self.make(&ids)?;
        }
        Ok(())
    }

    fn show(&self, output: &mut Output, facts: bool) -> anyhow::Result<()> {
        let drawing = Drawing { metadata: self.game.metadata.as_ref(), facts_too: facts };
        Ok(drawing.write(output, &self.machine.facts(self.state()))?)
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

    fn tell_end(&mut self, output: &mut Output) -> anyhow::Result<()> {
        let state = self.state().clone();
        let (machine, mut goals) = (self.machine, Vec::new());
        machine.goals(&mut self.workspace, &state, &mut goals).map_err(faulty(machine))?;
        let goals: Vec<String> = machine
            .roles()
            .iter()
            .zip(&goals)
            .map(|(role, reading)| format!("{role} {}", reading.value().0))
            .collect();
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

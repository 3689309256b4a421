//! A game between a person and agents.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, bail};
use game::{Describe, Game, RoleId};
use machine::reference::Reference;
use picture::moves::MoveNumbers;
use picture::{Analysis, Highlights};
use player::Decision;
use referee::{Answer, Given, Match, Nobody, Rulebook, Settings, recorded_facts};

use super::opinion::{expectation, opinion, write_view};
use super::opponents::Opponents;
use super::saved;
use super::words::{Reader, Word};
use crate::input::LoadedGame;
use crate::machines::called_off;
use crate::output::Output;
use crate::pictures::{self, wrapped};
use crate::process::now;

/// Moves listed without being asked for.
const LISTED: usize = 60;

pub(crate) struct Session<'g> {
    game: &'g LoadedGame,
    machine: &'g Reference,
    analysis: Analysis,
    current: Match<'g, Reference>,
    role: usize,
    opponents: Opponents,
    /// The numbers of turns in which the person chose.
    chosen: Vec<usize>,
    numbers: MoveNumbers,
    seed: u64,
    book: &'g Rulebook,
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
        let players: Vec<String> = (0..roles.len())
            .map(|other| if other == role { "you".to_owned() } else { opponents.name() })
            .collect();
        let current = begin(game, machine, book, &players, role, seed)?;
        let analysis = pictures::analysis(game);
        let mut session = Self {
            game,
            machine,
            analysis,
            current,
            role,
            opponents,
            chosen: Vec::new(),
            numbers: MoveNumbers::default(),
            seed,
            book,
        };
        session.prepare()?;
        Ok(session)
    }

    fn prepare(&mut self) -> anyhow::Result<()> {
        let ready = self.machine.roles().iter().map(|_| Answer::Hosted.into()).collect();
        self.take(ready)
    }

    /// What a line of the person means.
    pub(crate) fn read(&self, line: &str) -> Result<Word, String> {
        let legal = self.legal();
        let (analysis, numbers) = (&self.analysis, &self.numbers);
        Reader { analysis, legal: &legal, numbers, over: self.is_over() }.read(line)
    }

    /// Says what the game is about.
    pub(crate) fn tell_rules(&self, output: &mut Output) -> anyhow::Result<()> {
        self.game.write_title(output)?;
        let width = output.width;
        if let Some(metadata) =
            self.game.metadata.as_ref().filter(|metadata| !metadata.description.is_empty())
        {
            let words: Vec<String> = metadata.description.split_whitespace().map(str::to_owned).collect();
            for line in crate::pictures::lines(&words, width) {
                writeln!(output, "{line}")?;
            }
        }
        let roles = self.machine.roles();
        let whose = match roles.len() {
            1 => "a game for one".to_owned(),
            count => format!("{count} roles: {}", roles.join(", ")),
        };
        writeln!(output, "{whose}")?;
        Ok(())
    }

    /// Begins anew.
    fn rematch(&mut self, output: &mut Output) -> anyhow::Result<()> {
        self.seed = self.seed.wrapping_add(1);
        let players = self.current.record().player_names_from_host.clone();
        self.current = begin(self.game, self.machine, self.book, &players, self.role, self.seed)?;
        self.opponents.forget();
        self.chosen.clear();
        self.prepare()?;
        self.go_on(output)
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
        if self.is_over() { Vec::new() } else { self.current.legal(self.role) }
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
            Word::Hint | Word::View if self.is_over() => writeln!(output, "the game is over")?,
            Word::Hint => {
                let decision = self.think(output)?;
                writeln!(output, "{}", opinion(&decision, &self.analysis, output.width))?;
            }
            Word::View => {
                let decision = self.think(output)?;
                write_view(&decision, &self.analysis, output)?;
            }
            Word::Undo => self.undo(output)?,
            Word::Moves => {
                let legal = self.legal();
                self.list(&legal, output)?;
            }
            Word::Board => self.show(output, false)?,
            Word::Facts => self.show(output, true)?,
            Word::Save(path) => match self.save(Path::new(&path)) {
                Ok(()) => writeln!(output, "saved; go on with --resume {path}")?,
                Err(error) => writeln!(output, "{error:#}")?,
            },
            Word::Rules => self.tell_rules(output)?,
            Word::Rematch => self.rematch(output)?,
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
                let value = expectation(&decision).map_or_else(String::new, |told| format!(" ({told})"));
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
        saved::write(path, self.current.record())
    }

    /// Goes on with a game that was saved.
    pub(crate) fn resume(&mut self, path: &Path) -> anyhow::Result<()> {
        let saved = saved::read(path, &self.game.name, self.machine.roles())?;
        if let Some(role) = saved.role {
            self.role = role;
        }
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
            return self.show_own(output);
        }
        let record = self.current.record();
        let last = record.moves.last().into_iter().flatten().map(|text| text.to_lowercase()).collect();
        let before = record.moves.len().checked_sub(1).and_then(|turn| record.states.get(turn));
        let before = before.map_or_else(Vec::new, |state| recorded_facts(state));
        let highlights = Highlights { last, before, legal: self.legal(), ..Highlights::default() };
        pictures::write(output, &self.analysis, self.current.facts(), &highlights, facts)?;
        Ok(())
    }

    /// What the role may see of the position, as far as metadata says who sees what.
    fn show_own(&self, output: &mut Output) -> anyhow::Result<()> {
        let (Some(metadata), Some(role)) = (&self.game.metadata, self.machine.roles().get(self.role)) else {
            return Ok(());
        };
        let shown = self.current.facts().iter().filter(|fact| metadata.shows(role, fact));
        let shown: Vec<String> = shown.cloned().collect();
        if !shown.is_empty() {
            pictures::write(output, &self.analysis, &shown, &Highlights::default(), false)?;
        }
        Ok(())
    }

    fn list(&mut self, legal: &[String], output: &mut Output) -> anyhow::Result<()> {
        let texts = self.analysis.shortest(legal);
        let numbers = legal.iter().map(|text| self.numbers.number(text)).collect::<Vec<_>>();
        let numbered = |(text, number): (&String, usize)| format!("#{number} {text}");
        let moves: Vec<String> = texts.iter().zip(numbers).map(numbered).take(LISTED).collect();
        writeln!(output)?;
        for line in wrapped(&moves, output.width) {
            writeln!(output, "{line}")?;
        }
        if legal.len() > LISTED {
            let more = legal.len() - LISTED;
            writeln!(output, "and {more} more; type a part of a move to see those that have it")?;
        }
        Ok(())
    }

    /// Who has won.
    fn tell_end(&self, output: &mut Output) -> anyhow::Result<()> {
        let goals = self.current.goals().unwrap_or_default();
        let (roles, own) = (self.machine.roles(), goals.get(self.role).copied().unwrap_or(0));
        let most = goals.iter().copied().max().unwrap_or(0);
        let best: Vec<&str> = roles
            .iter()
            .zip(goals)
            .filter(|(_, goal)| **goal == most)
            .map(|(role, _)| role.as_str())
            .collect();
        let verdict = match (roles.len(), &best[..]) {
            (1, _) if own >= 100 => "You have reached everything.".to_owned(),
            (1, _) => format!("You have reached {own} of 100."),
            (_, [winner]) if *winner == self.role_name() => "You have won.".to_owned(),
            (_, [winner]) => format!("{winner} has won."),
            (count, several) if several.len() == count => "It is a draw.".to_owned(),
            (_, several) => format!("{} share the win.", several.join(" and ")),
        };
        let told: Vec<String> =
            roles.iter().zip(goals).map(|(role, goal)| format!("{role} {goal}")).collect();
        let verdict = output.bold(&verdict);
        writeln!(output, "\nThe game is over. {verdict} Goals: {}", told.join(", "))?;
        Ok(())
    }
}

/// A match at its beginning.
fn begin<'g>(
    game: &LoadedGame,
    machine: &'g Reference,
    book: &'g Rulebook,
    players: &[String],
    role: usize,
    seed: u64,
) -> anyhow::Result<Match<'g, Reference>> {
    let settings = Settings {
        match_id: format!("{}.{seed}", game.name),
        game_name: game.name.clone(),
        players: players.to_vec(),
        human: (0..players.len()).map(|other| other == role).collect(),
        seed,
        longest: usize::MAX,
        ..Settings::default()
    };
    Match::new(machine, book, settings, now()).map_err(called_off(machine))
}

const HELP: &str = "\
a move, or a part    make it: 3, e2e4, d 4, or all of it
a number like #3     the same; it never changes its meaning
? (hint)             what the agent would do in your place
view (v)             what it thinks of each of your moves
undo (u)             take your last move back
moves (m)            the moves
board (b)            the board
facts                everything that is true
rules                what the game is about
save FILE            keep it; `play GAME --resume FILE` goes
                     on with it, `replay FILE` shows it
rematch              begin anew
quit (q)             end";

//! A person at the terminal, who is asked as any player is.

use std::collections::HashMap;
use std::io::Write;
use std::time::Instant;

use game::{Describe, Expansion, Game, MoveId, RoleId};
use gdl::SourceFile;
use gdl::normal::normalize;
use machine::reference::Reference;
use picture::moves::MoveNumbers;
use picture::{Analysis, Highlights};
use protocol::{ABORTED, BUSY, DONE, Info, News, READY, Request, Start, Status};
use server::Question;
use tokio::sync::mpsc::UnboundedReceiver;

use crate::commands::play::lines::Lines;
use crate::commands::play::words::{Reader, Word};
use crate::input::LoadedGame;
use crate::output::Output;
use crate::pictures::{self, wrapped};

/// Terms of a hostile game are printed recursively; only what is used of this is taken.
const STACK_BYTES: usize = 256 << 20;

/// Lets a person answer what is asked, one question after the other.
pub(super) fn sit_down(name: String, questions: UnboundedReceiver<Question>) -> std::io::Result<()> {
    let run = move || {
        let mut output = Output::standard();
        let mut person = Person { name, lines: Lines::new(), matches: HashMap::new() };
        // Whoever has had enough is gone, and the host finds nobody there.
        let _ = person.answer_all(questions, &mut output);
    };
    std::thread::Builder::new().name("person".to_owned()).stack_size(STACK_BYTES).spawn(run)?;
    Ok(())
}

struct Person {
    name: String,
    lines: Lines,
    matches: HashMap<String, Table>,
}

/// A match, as far as the person was told of it.
struct Table {
    machine: Reference,
    analysis: Analysis,
    role: usize,
    state: <Reference as Game>::State,
    last: Vec<String>,
    before: Vec<String>,
}

impl Person {
    fn answer_all(
        &mut self,
        mut questions: UnboundedReceiver<Question>,
        output: &mut Output,
    ) -> anyhow::Result<()> {
        while let Some(question) = questions.blocking_recv() {
            let Question { message, until, is_past, reply } = question;
            let until = (!is_past).then_some(until);
            let Some(text) = self.answer(&message, until, output)? else { return Ok(()) };
            if until.is_some_and(|until| Instant::now() > until) {
                writeln!(output, "That was too late; a move was drawn by lot.")?;
            }
            output.flush()?;
            let _ = reply.send(text);
        }
        Ok(())
    }

    /// What the person says; nothing if it has left. Turns without a time were played already.
    fn answer(
        &mut self,
        message: &str,
        until: Option<Instant>,
        output: &mut Output,
    ) -> anyhow::Result<Option<String>> {
        Ok(Some(match Request::parse(message) {
            Ok(Request::Info) => Info { name: self.name.clone(), status: Status::Available }.to_string(),
            Ok(Request::Preview { .. }) => READY.to_owned(),
            Ok(Request::Start(start)) => self.begin(start, output)?,
            Ok(Request::Play { match_id, news }) => match self.matches.get_mut(&match_id) {
                None => BUSY.to_owned(),
                Some(table) => {
                    table.follow(news);
                    let Some(until) = until else { return Ok(Some("noop".to_owned())) };
                    let seconds = until.saturating_duration_since(Instant::now()).as_secs();
                    return table.choose(seconds, &mut self.lines, output);
                }
            },
            Ok(Request::Stop { match_id, news }) => {
                if let Some(mut table) = self.matches.remove(&match_id) {
                    table.follow(news);
                    table.show(output)?;
                    writeln!(output, "The match is over.")?;
                }
                DONE.to_owned()
            }
            Ok(Request::Abort { match_id }) => {
                self.matches.remove(&match_id);
                ABORTED.to_owned()
            }
            Err(error) => error.to_string(),
        }))
    }

    fn begin(&mut self, start: Start, output: &mut Output) -> anyhow::Result<String> {
        let source = SourceFile::new("START", start.rules);
        let parsed = gdl::parse(&source);
        let rules = normalize(&parsed.sheet);
        let name = start.match_id.clone();
        let game = LoadedGame { name, source, parsed, rules, metadata: None };
        let Ok(machine) = Reference::new(&game.rules, datalog::Limits::default()) else {
            return Ok(BUSY.to_owned());
        };
        let role = machine.roles().iter().position(|role| role.eq_ignore_ascii_case(&start.role));
        let Some(role) = role else { return Ok(BUSY.to_owned()) };
        let clock = start.play_clock.as_secs_f64();
        let title = output.bold(&format!("{}: the match {} begins", self.name, start.match_id));
        writeln!(output, "\n{title}. You play {}, with {clock} s for each move.", start.role)?;
        let table = Table {
            analysis: pictures::analysis(&game),
            state: machine.initial(),
            machine,
            role,
            last: Vec::new(),
            before: Vec::new(),
        };
        self.matches.insert(start.match_id, table);
        Ok(READY.to_owned())
    }
}

impl Table {
    /// Goes to where the host says the match is.
    fn follow(&mut self, news: News) {
        let Some(joint) = news.joint(self.machine.role_count()) else { return };
        let find = |(role, text): (usize, &String)| self.machine.find_move(RoleId(role as u16), text);
        let ids: Option<Vec<MoveId>> = joint.iter().enumerate().map(find).collect();
        let Some(ids) = ids else { return };
        let mut workspace = self.machine.workspace();
        if let Ok(next) = self.machine.apply(&mut workspace, &self.state, &ids) {
            self.before = self.machine.facts(&self.state);
            self.last = joint.iter().map(|text| text.to_lowercase()).collect();
            self.state = next;
        }
    }

    fn legal(&self) -> Vec<String> {
        let mut expansion = Expansion::new();
        let mut workspace = self.machine.workspace();
        if self.machine.expand(&mut workspace, &self.state, &mut expansion).is_err() {
            return Vec::new();
        }
        let legal = expansion.legal(RoleId(self.role as u16));
        legal.iter().map(|&id| self.machine.move_spelling(id)).collect()
    }

    fn show(&self, output: &mut Output) -> anyhow::Result<()> {
        let highlights = Highlights {
            last: self.last.clone(),
            before: self.before.clone(),
            legal: self.legal(),
            ..Highlights::default()
        };
        pictures::write(output, &self.analysis, &self.machine.facts(&self.state), &highlights, false)?;
        Ok(())
    }

    /// The move the person wants; nothing if it has left.
    fn choose(&self, seconds: u64, lines: &mut Lines, output: &mut Output) -> anyhow::Result<Option<String>> {
        let legal = self.legal();
        match &legal[..] {
            [] => return Ok(Some("noop".to_owned())),
            [only] => return Ok(Some(only.clone())),
            _ => {}
        }
        self.show(output)?;
        for line in wrapped(&legal, output.width).iter().take(20) {
            writeln!(output, "{line}")?;
        }
        let numbers = MoveNumbers::default();
        loop {
            let Some(line) = lines.next(&format!("your move ({seconds} s)> "), output)? else {
                return Ok(None);
            };
            let reader = Reader { analysis: &self.analysis, legal: &legal, numbers: &numbers, over: false };
            match reader.read(&line) {
                Ok(Word::Move(place)) => return Ok(Some(legal[place].clone())),
                Ok(Word::Quit) => return Ok(None),
                Ok(Word::Board) => self.show(output)?,
                Ok(_) => writeln!(output, "type a move, `board` or `quit`")?,
                Err(complaint) => writeln!(output, "{complaint}")?,
            }
        }
    }
}

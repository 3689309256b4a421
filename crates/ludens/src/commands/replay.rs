//! `ludens replay`

use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use game::{Describe, MoveId, RoleId};
use machine::Machine;
use picture::{Analysis, Highlights};
use referee::MatchRecord;

use crate::arguments::{MachineArguments, Reading};
use crate::commands::play::lines::Lines;
use crate::input::{self, LoadedGame};
use crate::machines::{Task, faulty, with_machine};
use crate::output::Output;
use crate::records::RECORD;
use crate::{pictures, records};

/// Show a match that was recorded, position by position
///
/// A record is what `match --json`, `arena`, `referee` and `save` in `play` write; older files are read, too.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  ludens replay game.json\n  ludens replay matches.jsonl --number 3 --step 12\n  \
                        ludens replay game.json --game my-game.kif\n\nIn a terminal: return goes on, `b` back, a \
                        number to that step, `q` ends."
)]
pub(crate) struct Arguments {
    /// The file of the record
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The game, if its name in the record does not say where it is
    #[arg(long)]
    game: Option<String>,

    /// Which match of the file
    #[arg(long, value_name = "N", default_value_t = 1)]
    number: usize,

    /// Only the position after so many moves
    #[arg(long, value_name = "N")]
    step: Option<usize>,

    /// Write the record in the form of today to this file, whatever form it had
    #[arg(long, value_name = "FILE")]
    convert: Option<PathBuf>,

    #[command(flatten)]
    reading: Reading,

    #[command(flatten)]
    machine: MachineArguments,
}

impl Arguments {
    pub(crate) fn run(self, output: &mut Output) -> anyhow::Result<ExitCode> {
        self.convert.as_deref().map_or(Ok(()), |path| RECORD.refuse_foreign(path))?;
        let found = records::read(&self.file)?;
        let Some(record) = self.number.checked_sub(1).and_then(|at| found.get(at)) else {
            bail!("{} holds {} matches; give --number 1 to {1}", self.file.display(), found.len());
        };
        if let Some(path) = &self.convert {
            let text = serde_json::to_string_pretty(record)?;
            RECORD.write(path, &(text + "\n"))?;
        }
        let name = self.game.as_deref().unwrap_or(&record.game_name);
        if name.is_empty() {
            bail!("{} does not say which game it is; give --game GAME", self.file.display());
        }
        let game = input::load(name, self.reading.mode()).context("give the game with --game GAME")?;
        let task = Replay { arguments: &self, game: &game, record, output, several: found.len() };
        with_machine(self.machine, &game.rules, None, task)?;
        Ok(ExitCode::SUCCESS)
    }
}

struct Replay<'a> {
    arguments: &'a Arguments,
    game: &'a LoadedGame,
    record: &'a MatchRecord,
    output: &'a mut Output,
    several: usize,
}

impl Task for Replay<'_> {
    type Answer = ();

    fn run<G: Describe>(self, machine: &G, _: &Machine) -> anyhow::Result<()> {
        let states = states(machine, self.record)?;
        let analysis = pictures::analysis(self.game);
        self.game.write_title(self.output)?;
        let record = self.record;
        let players: Vec<String> = machine
            .roles()
            .iter()
            .enumerate()
            .map(|(role, name)| match record.player_names_from_host.get(role) {
                Some(player) if !player.is_empty() => format!("{name}: {player}"),
                _ => name.clone(),
            })
            .collect();
        writeln!(self.output, "{}", players.join("   "))?;
        if self.several > 1 {
            writeln!(self.output, "match {} of {}", self.arguments.number, self.several)?;
        }
        let mut view = View { machine, analysis, states, record, output: self.output };
        if let Some(step) = self.arguments.step {
            let last = view.states.len() - 1;
            if step > last {
                bail!("the match has {last} moves; give --step 0 to {last}");
            }
            return view.show(step);
        }
        if std::io::stdin().is_terminal() && std::io::stdout().is_terminal() {
            view.walk()
        } else {
            view.all()
        }
    }
}

/// The facts of every position, by the moves; a record whose moves are not legal is refused.
fn states<G: Describe>(machine: &G, record: &MatchRecord) -> anyhow::Result<Vec<Vec<String>>> {
    let mut workspace = machine.workspace();
    let mut state = machine.initial();
    let mut states = vec![machine.facts(&state)];
    let mut expansion = game::Expansion::new();
    for (number, joint) in record.moves.iter().enumerate() {
        let turn = number + 1;
        machine.expand(&mut workspace, &state, &mut expansion).map_err(faulty(machine))?;
        if expansion.is_terminal() {
            bail!("the game is over before move {turn} of the record");
        }
        if joint.len() != machine.role_count() {
            bail!("move {turn} of the record has {} parts for {} roles", joint.len(), machine.role_count());
        }
        let mut found: Vec<MoveId> = Vec::new();
        for (role, text) in joint.iter().enumerate() {
            let id = machine.find_move(RoleId(role as u16), text);
            match id.filter(|id| expansion.legal(RoleId(role as u16)).contains(id)) {
                Some(id) => found.push(id),
                None => bail!("move {turn} of the record is not legal: {} {text}", machine.roles()[role]),
            }
        }
        state = machine.apply(&mut workspace, &state, &found).map_err(faulty(machine))?;
        states.push(machine.facts(&state));
    }
    Ok(states)
}

struct View<'a, G> {
    machine: &'a G,
    analysis: Analysis,
    states: Vec<Vec<String>>,
    record: &'a MatchRecord,
    output: &'a mut Output,
}

impl<G: Describe> View<'_, G> {
    fn show(&mut self, step: usize) -> anyhow::Result<()> {
        let last: Vec<String> = match step.checked_sub(1) {
            None => Vec::new(),
            Some(before) => self.record.moves[before].clone(),
        };
        if step > 0 {
            let told: Vec<String> = self
                .machine
                .roles()
                .iter()
                .zip(&last)
                .filter(|(_, text)| last.len() == 1 || !text.eq_ignore_ascii_case("noop"))
                .map(|(role, text)| format!("{role} {text}"))
                .collect();
            let number = self.output.bold(&format!("Move {step} of {}:", self.states.len() - 1));
            writeln!(self.output, "\n{number} {}", told.join(", "))?;
        }
        let highlights = Highlights {
            last: last.iter().map(|text| text.to_lowercase()).collect(),
            before: step.checked_sub(1).map_or_else(Vec::new, |before| self.states[before].clone()),
            ..Highlights::default()
        };
        pictures::write(self.output, &self.analysis, &self.states[step], &highlights, false)?;
        if step + 1 == self.states.len() && !self.record.goal_values.is_empty() {
            let goals = self.machine.roles().iter().zip(&self.record.goal_values);
            let goals: Vec<String> = goals.map(|(role, goal)| format!("{role} {goal}")).collect();
            writeln!(self.output, "\nThe match is over. Goals: {}", goals.join(", "))?;
        }
        Ok(())
    }

    fn all(&mut self) -> anyhow::Result<()> {
        (0..self.states.len()).try_for_each(|step| self.show(step))
    }

    /// Forwards and back as the person likes.
    fn walk(&mut self) -> anyhow::Result<()> {
        let mut lines = Lines::new();
        let (mut step, last) = (0, self.states.len() - 1);
        self.show(step)?;
        while let Some(line) = lines.next(&format!("{step}/{last}> "), self.output)? {
            let wanted = match line.trim() {
                "" | "n" => (step + 1).min(last),
                "b" | "p" => step.saturating_sub(1),
                "q" | "quit" => break,
                number => match number.parse::<usize>() {
                    Ok(number) => number.min(last),
                    Err(_) => {
                        writeln!(self.output, "return goes on, b back, a number to that step, q ends")?;
                        continue;
                    }
                },
            };
            if wanted == step && line.trim().is_empty() {
                break;
            }
            step = wanted;
            self.show(step)?;
        }
        Ok(())
    }
}

//! `ludens draw`

use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use game::{Describe, Dice, Expansion, MoveId};
use machine::Machine;
use picture::svg::SvgOptions;
use picture::{Analysis, Highlights};

use crate::arguments::{MachineArguments, Reading};
use crate::input::{self, LoadedGame};
use crate::machines::{Task, faulty, with_machine};
use crate::output::Output;
use crate::pictures;
use crate::written::{FileKind, PICTURE};

/// Draw a position: in letters, or as SVG into a file
///
/// Boards are found in the rules; a `metadata.toml` beside them may say more. Moves are given as in
/// `ludens play`, one after the other: each is that of the next role with a choice.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  ludens draw chess\n  ludens draw chess --moves e2e4,e7e5 --out chess.svg\n  \
                        ludens draw my-game.kif --random 10\n  ludens draw *.kif --random 20 --gallery pictures"
)]
pub(crate) struct Arguments {
    /// A bundled game, the path of a rule sheet, or -; several with --gallery
    #[arg(value_name = "GAME", required = true)]
    games: Vec<String>,

    /// Moves to make first
    #[arg(long, value_name = "MOVE,..", value_delimiter = ',')]
    moves: Vec<String>,

    /// Random joint moves to make after them
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    random: usize,

    /// The seed of chance
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Write SVG to this file
    #[arg(long, value_name = "FILE", conflicts_with = "gallery")]
    out: Option<PathBuf>,

    /// Write one SVG for each game to this folder, and a page that shows them
    #[arg(long, value_name = "DIR")]
    gallery: Option<PathBuf>,

    /// Do without the metadata of the game
    #[arg(long)]
    no_metadata: bool,

    #[command(flatten)]
    reading: Reading,

    #[command(flatten)]
    machine: MachineArguments,
}

/// Pictures beside each other on the page of all, and how wide each is.
const SHEET_COLUMNS: usize = 12;
const SHEET_SIDE: f32 = 130.0;

/// How the list of what was drawn begins.
const LIST: &str = "# Boards\n\n";

/// What was drawn of a game.
struct Drawn {
    text: String,
    svg: String,
    /// The same without words.
    small: String,
    found: Vec<String>,
}

impl Arguments {
    pub(crate) fn run(self, output: &mut Output) -> anyhow::Result<ExitCode> {
        output.as_written()?;
        if let Some(folder) = &self.gallery {
            return self.gallery(folder, output);
        }
        let [game] = &self.games[..] else { bail!("several games go with --gallery DIR") };
        self.out.as_deref().map_or(Ok(()), |path| PICTURE.refuse_foreign(path))?;
        let drawn = self.draw(game, output.colour, output.width)?;
        match &self.out {
            Some(path) => PICTURE.write(path, &drawn.svg)?,
            None => output.write_all(drawn.text.as_bytes())?,
        }
        Ok(ExitCode::SUCCESS)
    }

    fn draw(&self, game: &str, colour: bool, width: usize) -> anyhow::Result<Drawn> {
        let mut game = input::load(game, self.reading.mode())?;
        if self.no_metadata {
            game.metadata = None;
        }
        let task = Draw { arguments: self, game: &game, colour, width };
        with_machine(self.machine, &game.rules, None, task)
    }

    /// A picture of each game and a page of all; a game that cannot be drawn is told of, and the rest goes on.
    fn gallery(&self, folder: &Path, output: &mut Output) -> anyhow::Result<ExitCode> {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let bar = super::progress_bar(self.games.len() as u64, "games");
        let (all, read_me) = (folder.join("all.svg"), folder.join("README.md"));
        let list = FileKind { what: "a list of boards", is_ours: &|text| text.starts_with(LIST) };
        PICTURE.refuse_foreign(&all)?;
        list.refuse_foreign(&read_me)?;
        let mut page = LIST.to_owned();
        let mut boards = 0;
        let mut pictures = Vec::new();
        for game in &self.games {
            let stem = Path::new(game)
                .file_stem()
                .map_or_else(|| game.clone(), |stem| stem.to_string_lossy().into_owned());
            bar.set_message(stem.clone());
            match self.draw(game, false, output.width) {
                Ok(drawn) => {
                    boards += usize::from(!drawn.found.is_empty());
                    let found =
                        if drawn.found.is_empty() { "no board".to_owned() } else { drawn.found.join("; ") };
                    writeln!(output, "{stem}: {found}")?;
                    let _ = writeln!(page, "## {stem}\n\n{found}\n\n![{stem}]({stem}.svg)\n");
                    let path = folder.join(format!("{stem}.svg"));
                    PICTURE.write(&path, &drawn.svg)?;
                    if !drawn.found.is_empty() {
                        pictures.push((stem, drawn.small));
                    }
                }
                Err(error) => writeln!(output, "{stem}: cannot be drawn: {error:#}")?,
            }
            bar.inc(1);
        }
        bar.finish_and_clear();
        PICTURE.write(&all, &picture::svg::sheet(&pictures, SHEET_COLUMNS, SHEET_SIDE))?;
        list.write(&read_me, &page)?;
        writeln!(
            output,
            "{boards} of {} games have a board; {} shows them",
            self.games.len(),
            read_me.display()
        )?;
        Ok(ExitCode::SUCCESS)
    }
}

struct Draw<'a> {
    arguments: &'a Arguments,
    game: &'a LoadedGame,
    colour: bool,
    width: usize,
}

impl Task for Draw<'_> {
    type Answer = Drawn;

    fn run<G: Describe>(self, machine: &G, _: &Machine) -> anyhow::Result<Drawn> {
        let analysis = pictures::analysis(self.game);
        let (facts, highlights) = self.position(machine, &analysis)?;
        let picture = analysis.picture(&facts, &highlights);
        let options = picture::text::TextOptions { colour: self.colour, width: self.width };
        Ok(Drawn {
            text: picture::text::draw(&picture, &options),
            svg: picture::svg::draw(&picture, &SvgOptions::default()) + "\n",
            small: picture::svg::draw(&picture, &SvgOptions { words: false, ..SvgOptions::default() }),
            found: analysis.describe(),
        })
    }
}

impl Draw<'_> {
    /// The facts after the moves that were asked for.
    fn position<G: Describe>(
        &self,
        machine: &G,
        analysis: &Analysis,
    ) -> anyhow::Result<(Vec<String>, Highlights)> {
        let mut workspace = machine.workspace();
        let mut state = machine.initial();
        let mut expansion = Expansion::new();
        let mut typed = self.arguments.moves.iter().peekable();
        let mut dice = Dice::new(self.arguments.seed);
        let (mut highlights, mut random) =
            (Highlights { step: Some(0), ..Highlights::default() }, self.arguments.random);
        loop {
            machine.expand(&mut workspace, &state, &mut expansion).map_err(faulty(machine))?;
            let done = typed.peek().is_none() && random == 0;
            if done || expansion.is_terminal() || expansion.stuck_role().is_some() {
                break;
            }
            let mut joint: Vec<MoveId> = Vec::new();
            let by_chance = typed.peek().is_none();
            for (role, legal) in expansion.by_role().enumerate() {
                let wanted = if legal.len() > 1 { typed.next() } else { None };
                joint.push(match wanted {
                    _ if legal.len() == 1 => legal[0],
                    None => legal[dice.below(legal.len())],
                    Some(wanted) => {
                        let texts: Vec<String> = legal.iter().map(|&id| machine.move_text(id)).collect();
                        legal[pictures::choose(analysis, wanted, &texts, &machine.roles()[role])?]
                    }
                });
            }
            random -= usize::from(by_chance && random > 0);
            highlights.last = joint.iter().map(|&id| machine.move_text(id)).collect();
            highlights.step = highlights.step.map(|step| step + 1);
            highlights.before = machine.facts(&state);
            state = machine.apply(&mut workspace, &state, &joint).map_err(faulty(machine))?;
        }
        if let Some(left) = typed.next() {
            bail!("the game is over before `{left}`");
        }
        if !expansion.is_terminal() {
            highlights.choices = expansion.by_role().map(<[MoveId]>::len).collect();
        } else {
            let mut goals = Vec::new();
            machine.goals(&mut workspace, &state, &mut goals).map_err(faulty(machine))?;
            highlights.scores = goals.iter().map(|goal| Some(goal.value().0)).collect();
        }
        Ok((machine.facts(&state), highlights))
    }
}

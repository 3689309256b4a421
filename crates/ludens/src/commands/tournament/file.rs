//! The file that describes a tournament. What is wrong in it is told with its place.

use std::collections::HashSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use arena::{Contestant, Thinking};
use referee::Clocks;
use referee::tournament::{Kind, PlanError};
use serde::Deserialize;
use server::Address;
use toml::Spanned;

use crate::tokens;

/// Who an entrant is.
pub(super) enum Who {
    /// An agent in this process, and how it was written.
    Agent(Contestant, String),
    /// A player on the network.
    Http(Address),
    /// A player that connects to us, with this token.
    Connects(String),
    /// Somebody at this terminal.
    Person,
}

impl Who {
    /// In one word.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Who::Agent(..) => "agent",
            Who::Http(_) => "http",
            Who::Connects(_) => "connected",
            Who::Person => "person",
        }
    }
}

/// Somebody who takes part.
pub(super) struct Entrant {
    pub(super) name: String,
    pub(super) who: Who,
}

/// A stage as it is written. Games are places in the list of all games.
pub(super) struct StageOfFile {
    pub(super) kind: Kind,
    pub(super) games: Vec<usize>,
    pub(super) top: Option<usize>,
    pub(super) rounds: usize,
    pub(super) best_of: usize,
    place: Range<usize>,
    game_places: Vec<Range<usize>>,
}

/// A tournament as its file describes it.
pub(super) struct Described {
    pub(super) name: String,
    pub(super) seed: u64,
    pub(super) database: PathBuf,
    pub(super) page: PathBuf,
    pub(super) json: PathBuf,
    pub(super) listen: Option<String>,
    /// The queue whose workers play repeatable matches, and certificates to trust.
    pub(super) cluster: Option<(String, Option<PathBuf>)>,
    pub(super) at_once: usize,
    pub(super) clocks: Clocks,
    pub(super) scramble: bool,
    pub(super) memory: usize,
    pub(super) steps: usize,
    pub(super) entrants: Vec<Entrant>,
    pub(super) stages: Vec<StageOfFile>,
    /// The names or paths of all games, each once.
    pub(super) games: Vec<String>,
    source: Source,
}

/// The text, to tell places in it.
struct Source {
    path: PathBuf,
    text: String,
}

impl Source {
    /// A complaint about a place.
    fn at(&self, place: &Range<usize>, message: impl std::fmt::Display) -> anyhow::Error {
        let before = self.text.get(..place.start).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|&letter| letter != '\n').count() + 1;
        let shown = self.text.lines().nth(line - 1).unwrap_or_default().trim_end();
        let path = self.path.display();
        anyhow::anyhow!("{path}:{line}:{column}: {message}\n  {line} | {shown}")
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileText {
    name: Option<String>,
    seed: Option<u64>,
    database: Option<PathBuf>,
    page: Option<PathBuf>,
    json: Option<PathBuf>,
    listen: Option<String>,
    cluster: Option<String>,
    certificates: Option<PathBuf>,
    at_once: Option<Spanned<usize>>,
    start_clock: Option<Spanned<f64>>,
    play_clock: Option<Spanned<f64>>,
    #[serde(default)]
    scramble: bool,
    memory: Option<Spanned<usize>>,
    steps: Option<usize>,
    entrants: Vec<EntrantText>,
    stages: Vec<StageText>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EntrantText {
    name: Spanned<String>,
    agent: Option<Spanned<String>>,
    http: Option<Spanned<String>>,
    #[serde(default)]
    connect: bool,
    #[serde(default)]
    person: bool,
    token: Option<Spanned<String>>,
    token_env: Option<Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StageText {
    kind: Spanned<String>,
    games: Vec<Spanned<String>>,
    top: Option<usize>,
    rounds: Option<usize>,
    best_of: Option<usize>,
}

const KINDS: [(&str, Kind); 5] = [
    ("preliminaries", Kind::Preliminaries),
    ("round-robin", Kind::RoundRobin),
    ("swiss", Kind::Swiss),
    ("knockout", Kind::Knockout),
    ("double-elimination", Kind::DoubleElimination),
];

/// The longest clock: a day.
const LONGEST_SECONDS: f64 = 86_400.0;

/// Reads a file.
pub(super) fn read(path: &Path) -> anyhow::Result<Described> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let file: FileText = match toml::from_str(&text) {
        Ok(file) => file,
        // It shows the line itself.
        Err(error) => {
            bail!("{}: {}\ndocs/guide/tournament.md has an example", path.display(), error.to_string().trim())
        }
    };
    let source = Source { path: path.to_owned(), text };
    let folder = path.parent().unwrap_or(Path::new(""));
    let beside = |given: &Option<PathBuf>, extension: &str| match given {
        Some(given) => folder.join(given),
        None => path.with_extension(extension),
    };
    let seconds = |clock: &Option<Spanned<f64>>, otherwise: f64| match clock {
        None => Ok(Duration::from_secs_f64(otherwise)),
        Some(clock) if (0.01..=LONGEST_SECONDS).contains(clock.get_ref()) => {
            Ok(Duration::from_secs_f64(*clock.get_ref()))
        }
        Some(clock) => Err(source.at(&clock.span(), format!("give seconds from 0.01 to {LONGEST_SECONDS}"))),
    };
    let number = |given: &Option<Spanned<usize>>, otherwise: usize, least: usize, most: usize| match given {
        None => Ok(otherwise),
        Some(given) if (least..=most).contains(given.get_ref()) => Ok(*given.get_ref()),
        Some(given) => Err(source.at(&given.span(), format!("give a number from {least} to {most}"))),
    };
    let clocks = Clocks {
        preview: Duration::ZERO,
        start: seconds(&file.start_clock, 10.0)?,
        play: seconds(&file.play_clock, 5.0)?,
    };
    let entrants = entrants(&source, &file.entrants, clocks.play)?;
    if file.listen.is_none() && entrants.iter().any(|entrant| matches!(entrant.who, Who::Connects(_))) {
        let place = file.entrants.iter().find(|entrant| entrant.connect).map(|entrant| entrant.name.span());
        let message = "a player that connects needs an address to connect to: add `listen = \"127.0.0.1:9200\"` at the \
                       top, or `\"0.0.0.0:9200\"` for other computers";
        return Err(source.at(&place.unwrap_or(0..0), message));
    }
    let (stages, games) = stages(&source, folder, &file.stages)?;
    let name = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    Ok(Described {
        name: file.name.clone().unwrap_or(name),
        seed: file.seed.unwrap_or(1),
        database: beside(&file.database, "db"),
        page: beside(&file.page, "html"),
        json: beside(&file.json, "json"),
        listen: file.listen.clone(),
        cluster: file
            .cluster
            .clone()
            .map(|address| (address, file.certificates.map(|path| folder.join(path)))),
        at_once: number(&file.at_once, 1, 1, 1000)?,
        clocks,
        scramble: file.scramble,
        memory: number(&file.memory, 1024, 16, 1 << 20)? << 20,
        steps: file.steps.unwrap_or(10_000),
        entrants,
        stages,
        games,
        source,
    })
}

fn entrants(source: &Source, texts: &[EntrantText], play: Duration) -> anyhow::Result<Vec<Entrant>> {
    let mut names = HashSet::new();
    let mut places: Vec<Address> = Vec::new();
    let mut all = Vec::new();
    for text in texts {
        let name = text.name.get_ref().trim().to_owned();
        let here = text.name.span();
        if name.is_empty() || name == "chance" || name.contains(char::is_control) {
            return Err(source.at(&here, "give the entrant a name; `chance` is the host's"));
        }
        if !names.insert(name.clone()) {
            return Err(
                source.at(&here, format!("there are two entrants of the name {name}; give each its own"))
            );
        }
        let token = || -> anyhow::Result<Option<String>> {
            match (&text.token, &text.token_env) {
                (Some(token), _) => {
                    let read = tokens::token(token.get_ref());
                    read.map(Some).map_err(|why| source.at(&token.span(), why))
                }
                (None, Some(variable)) => {
                    let read = tokens::required(variable.get_ref());
                    read.map(Some).map_err(|error| source.at(&variable.span(), error))
                }
                (None, None) => Ok(None),
            }
        };
        let who = match (&text.agent, &text.http, text.connect, text.person) {
            (Some(agent), None, false, false) => {
                let contestant = Contestant::read(agent.get_ref(), Thinking::Time(play));
                Who::Agent(
                    contestant.map_err(|error| source.at(&agent.span(), error))?,
                    agent.get_ref().clone(),
                )
            }
            (None, Some(http), false, false) => {
                let address: Address =
                    http.get_ref().parse().map_err(|error| source.at(&http.span(), error))?;
                if places.iter().any(|known| known.is_same_place(&address)) {
                    return Err(
                        source.at(&http.span(), "another entrant has this address; start a second player")
                    );
                }
                places.push(address.clone());
                Who::Http(address.with_token(token()?))
            }
            (None, None, true, false) => match token()? {
                Some(token) => Who::Connects(token),
                None => {
                    let message = "a player that connects needs a token: `token_env = \"NAME\"` names a variable of the \
                                   environment that has it";
                    return Err(source.at(&here, message));
                }
            },
            (None, None, false, true) => Who::Person,
            _ => {
                let message = "say who it is, in one way: `agent = \"ludens\"`, `http = \"host:port\"`, \
                               `connect = true` or `person = true`";
                return Err(source.at(&here, message));
            }
        };
        all.push(Entrant { name, who });
    }
    if all.iter().filter(|entrant| matches!(entrant.who, Who::Person)).count() > 1 {
        bail!("{}: there is one terminal, so one entrant can be a person", source.path.display());
    }
    Ok(all)
}

fn stages(
    source: &Source,
    folder: &Path,
    texts: &[StageText],
) -> anyhow::Result<(Vec<StageOfFile>, Vec<String>)> {
    let (mut all, mut games): (Vec<StageOfFile>, Vec<String>) = (Vec::new(), Vec::new());
    for text in texts {
        let Some(&(_, kind)) = KINDS.iter().find(|(name, _)| name == text.kind.get_ref()) else {
            let names: Vec<&str> = KINDS.iter().map(|(name, _)| *name).collect();
            let message =
                format!("there is no kind `{}`; there are {}", text.kind.get_ref(), names.join(", "));
            return Err(source.at(&text.kind.span(), message));
        };
        let mut places = Vec::new();
        for game in &text.games {
            let beside = folder.join(game.get_ref());
            let game = if beside.is_file() { beside.display().to_string() } else { game.get_ref().clone() };
            let place = games.iter().position(|known| *known == game).unwrap_or_else(|| {
                games.push(game);
                games.len() - 1
            });
            places.push(place);
        }
        all.push(StageOfFile {
            kind,
            games: places,
            top: text.top,
            rounds: text.rounds.unwrap_or(if kind == Kind::Swiss { 5 } else { 1 }),
            best_of: text.best_of.unwrap_or(match kind {
                Kind::Knockout | Kind::DoubleElimination => 3,
                Kind::Swiss => 2,
                Kind::Preliminaries | Kind::RoundRobin => 1,
            }),
            place: text.kind.span(),
            game_places: text.games.iter().map(Spanned::span).collect(),
        });
    }
    Ok((all, games))
}

impl Described {
    /// A complaint about a game, at the place where it is first named.
    pub(super) fn about_game(&self, game: usize, error: impl std::fmt::Display) -> anyhow::Error {
        let named = self.stages.iter().find_map(|stage| {
            let place = stage.games.iter().position(|&named| named == game)?;
            stage.game_places.get(place)
        });
        self.source.at(named.unwrap_or(&(0..0)), error)
    }

    /// A complaint about how it is to be played.
    pub(super) fn about_plan(&self, error: &PlanError) -> anyhow::Error {
        let stage = |number: usize| self.stages.get(number - 1);
        let whole = |number: usize| stage(number).map(|stage| stage.place.clone());
        let one = |number: usize, game: usize| stage(number)?.game_places.get(game - 1).cloned();
        let place = match *error {
            PlanError::Empty { .. } => None,
            PlanError::NoGames(number) | PlanError::Number { stage: number, .. } => whole(number),
            PlanError::NotForTwo { stage, game, .. } | PlanError::TooManyRoles { stage, game, .. } => {
                one(stage, game)
            }
        };
        self.source.at(&place.unwrap_or(0..0), error)
    }
}

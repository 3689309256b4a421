//! Games that are ready to be played and drawn.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use bundled::Metadata;
use game::{Describe, Simulator};
use gdl::SourceFile;
use gdl::normal::{NormalRules, normalize};
use machine::{Limits, Machine, Visitor, Wanted};
use parking_lot::Mutex;
use picture::svg::{self, SvgOptions};
use picture::{Analysis, Highlights, Picture};

use crate::alarm::Alarm;
use crate::api::{Card, GameDetails, GameSummary};
use crate::error::WebError;

/// The time that reading the rules of a game may take.
const READING: Duration = Duration::from_secs(20);
/// The time that looking at a game may take before it is drawn.
const SAMPLING: Duration = Duration::from_millis(800);
/// Bytes for evaluating the rules.
const BYTES: usize = 256 << 20;
/// Games that are remembered.
const REMEMBERED: usize = 256;

/// A game, ready to be played and drawn.
pub(crate) struct ReadyGame {
    /// The bundled name.
    pub(crate) name: Option<String>,
    pub(crate) title: String,
    pub(crate) description: String,
    pub(crate) source: Arc<str>,
    pub(crate) rules: NormalRules,
    pub(crate) machine: Machine,
    pub(crate) analysis: Analysis,
    /// The initial position, and one met in play.
    initial: Vec<String>,
    later: Option<Vec<String>>,
}

/// Meets states in random play, the initial one first.
struct Sample(Instant);

impl Visitor<'_> for Sample {
    type Answer = Vec<Vec<String>>;

    fn visit<G: Simulator + Describe + 'static>(self, game: &Arc<G>) -> Self::Answer {
        let go_on = || self.0.elapsed() < SAMPLING;
        let limits = verify::SampleLimits::default();
        let states = verify::sample(&**game, &mut game.workspace(), limits, 1, &go_on);
        states.iter().map(|state| game.facts(state)).collect()
    }
}

impl ReadyGame {
    /// Reads rules. Takes up to twenty seconds.
    fn read(
        name: Option<&str>,
        title: &str,
        text: &str,
        metadata: Option<&Metadata>,
    ) -> Result<Self, WebError> {
        let source = SourceFile::from_bytes("rules", text.as_bytes());
        let source = source.map_err(|error| WebError::Wrong(error.to_string()))?;
        let rules = normalize(&gdl::parse(&source).sheet);
        let stop = Arc::new(AtomicBool::new(false));
        let alarm = Alarm::set(READING, &stop);
        let limits = Limits { bytes: BYTES, stop: Some(stop), ..Limits::generous() };
        let made = machine::from_rules(&rules, Wanted::Reference, &limits);
        let machine = made.map_err(|error| WebError::Wrong(format!("this cannot be played: {error}")))?;
        let states = machine.visit_fast(Sample(Instant::now()));
        drop(alarm);
        let analysis = Analysis::new(&rules, &states, metadata);
        let initial = states.first().cloned().unwrap_or_default();
        let later = states.get(MIDDLE.min(states.len().saturating_sub(1))).cloned();
        Ok(Self {
            name: name.map(str::to_owned),
            title: title.to_owned(),
            description: metadata.map_or_else(String::new, |metadata| metadata.description.clone()),
            source: text.into(),
            rules,
            machine,
            analysis,
            initial,
            later,
        })
    }

    pub(crate) fn roles(&self) -> &[String] {
        self.machine.roles()
    }

    pub(crate) fn chance(&self) -> Option<usize> {
        self.machine.chance().map(|role| usize::from(role.0))
    }

    pub(crate) fn hidden(&self) -> bool {
        self.machine.has_percepts()
    }

    /// What is true at the beginning.
    pub(crate) fn initial_facts(&self) -> &[String] {
        &self.initial
    }

    /// The initial position as it is shown.
    pub(crate) fn first_svg(&self) -> String {
        board_svg(&self.analysis.picture(&self.initial, &Highlights::default())).unwrap_or_default()
    }

    /// A small picture: the initial position, or a later one where that is an empty board.
    pub(crate) fn small_picture(&self) -> String {
        let picture = |facts: &[String]| self.analysis.picture(facts, &Highlights::default());
        let first = picture(&self.initial);
        let cells: usize = first.boards.iter().map(|board| board.cells.len()).sum();
        let filled = |picture: &Picture| {
            let cells = picture.boards.iter().flat_map(|board| &board.cells);
            let seen = |cell: &&picture::Cell| {
                cell.things.iter().any(|thing| thing.look.symbol != picture::Symbol::Nothing)
            };
            cells.filter(seen).count()
        };
        let shown = match &self.later {
            Some(later) if filled(&first) * 8 < cells => picture(later),
            _ => first,
        };
        let words = shown.boards.is_empty();
        svg::draw(&shown, &SvgOptions { words, ..SvgOptions::default() })
    }

    pub(crate) fn details(&self) -> GameDetails {
        GameDetails {
            name: self.name.clone().unwrap_or_default(),
            title: self.title.clone(),
            description: self.description.clone(),
            roles: self.roles().to_vec(),
            chance: self.chance(),
            hidden: self.hidden(),
            rules: self.source.to_string(),
            svg: self.first_svg(),
        }
    }
}

/// Which of the states met in play is shown where the first says little.
const MIDDLE: usize = 6;

/// The boards of a picture; none if there are none.
pub(crate) fn board_svg(picture: &Picture) -> Option<String> {
    let options = SvgOptions { words: false, ..SvgOptions::default() };
    (!picture.boards.is_empty()).then(|| svg::draw(picture, &options))
}

/// What is told beside the boards of a picture.
pub(crate) fn cards(picture: &Picture) -> Vec<Card> {
    let rows = |content: &picture::Content| match content {
        picture::Content::Values(values) => values.iter().map(|value| vec![value.clone()]).collect(),
        picture::Content::Pairs(pairs) => {
            pairs.iter().map(|(key, value)| vec![key.clone(), value.clone()]).collect()
        }
        picture::Content::Stacks(stacks) => stacks.clone(),
    };
    let card = |card: &picture::Card| Card { title: card.title.clone(), rows: rows(&card.content) };
    picture.cards.iter().map(card).collect()
}

/// All games: the bundled ones, and those that were given.
#[derive(Default)]
pub(crate) struct Games {
    ready: Mutex<HashMap<Arc<str>, Arc<ReadyGame>>>,
    pictures: Mutex<HashMap<&'static str, Arc<str>>>,
    /// One game is looked at after the other: nobody's list of pictures keeps others from playing.
    looking: Mutex<()>,
}

impl Games {
    /// The list of bundled games.
    pub(crate) fn list() -> Vec<GameSummary> {
        let summary = |game: &bundled::BundledGame| {
            let metadata = game.metadata().ok();
            let text = |of: fn(&Metadata) -> &String| metadata.map(of).cloned().unwrap_or_default();
            let title = text(|metadata| &metadata.name);
            GameSummary {
                name: game.name.to_owned(),
                title: if title.is_empty() { game.name.to_owned() } else { title },
                description: text(|metadata| &metadata.description),
                players: metadata.and_then(|metadata| metadata.players),
                tags: metadata.map_or_else(Vec::new, |metadata| metadata.tags.clone()),
                nicknames: metadata.map_or_else(Vec::new, |metadata| metadata.nicknames.clone()),
            }
        };
        bundled::all().iter().map(summary).collect()
    }

    /// A bundled game by name.
    pub(crate) fn bundled(&self, name: &str) -> Result<Arc<ReadyGame>, WebError> {
        let found = bundled::find(name).map_err(|error| WebError::Unknown(error.to_string()))?;
        let metadata = found.metadata().ok();
        let title = metadata.map(|metadata| metadata.name.as_str()).filter(|title| !title.is_empty());
        let read = || ReadyGame::read(Some(found.name), title.unwrap_or(found.name), found.rules, metadata);
        self.ready(&format!("game {}", found.name), read)
    }

    /// A game by its rules.
    pub(crate) fn given(&self, rules: &str, title: &str) -> Result<Arc<ReadyGame>, WebError> {
        self.ready(&format!("rules {title} {rules}"), || ReadyGame::read(None, title, rules, None))
    }

    fn ready(
        &self,
        key: &str,
        read: impl FnOnce() -> Result<ReadyGame, WebError>,
    ) -> Result<Arc<ReadyGame>, WebError> {
        if let Some(game) = self.ready.lock().get(key) {
            return Ok(Arc::clone(game));
        }
        let game = Arc::new(read()?);
        let mut ready = self.ready.lock();
        if ready.len() >= REMEMBERED {
            // Those that no match plays are read again when they are needed.
            ready.retain(|_, game| Arc::strong_count(game) > 1);
        }
        ready.insert(key.into(), Arc::clone(&game));
        Ok(game)
    }

    /// The small picture of a bundled game.
    pub(crate) fn picture(&self, name: &str) -> Result<Arc<str>, WebError> {
        let found = bundled::find(name).map_err(|error| WebError::Unknown(error.to_string()))?;
        let known = || self.pictures.lock().get(found.name).cloned();
        if let Some(picture) = known() {
            return Ok(picture);
        }
        let _turn = self.looking.lock();
        if let Some(picture) = known() {
            return Ok(picture);
        }
        let picture: Arc<str> = self.bundled(name)?.small_picture().into();
        self.pictures.lock().insert(found.name, Arc::clone(&picture));
        Ok(picture)
    }
}

//! A level: its size, and the state in which it starts.

use std::sync::Arc;

use gdl::{SourceFile, Span};

use crate::language::{Code, Diagnostic};
use crate::rules::Rules;

use super::cells::{Cells, Mask};
use super::paths::{MAX_PATH_CELLS, Paths};
use super::{
    Action, Group, JavaRandom, NONE, Outcome, Play, Player, Scratch, Slot, Sprite, State, TimeEntry,
};

/// The longest side of a window, which decides how large cells are.
const WINDOW: i32 = 800;

/// The most cells of a level along one side.
const MAX_SIDE: usize = 2000;

/// The most cells of a level.
const MAX_CELLS: usize = 250_000;

/// A level of a game, ready to be played.
#[derive(Clone, Debug)]
pub struct Level {
    /// The rules it is played by.
    pub rules: Arc<Rules>,
    /// Cells in a row.
    pub width: i32,
    /// Rows.
    pub height: i32,
    /// Pixels of a cell's side.
    pub block: i32,
    /// The widest sprite in pixels.
    pub(crate) widest: i32,
    /// The highest sprite in pixels.
    pub(crate) highest: i32,
    /// Whether a sprite can be larger than a cell.
    pub(crate) oversized: bool,
    pub(crate) cells: Cells,
    /// Sprites that no rule names: they never change.
    pub(crate) scenery: Vec<Sprite>,
    pub(crate) paths: Option<Paths>,
    pub(crate) start: State,
}

/// A level as far as it could be read, and every fault that was found.
#[derive(Clone, Debug)]
pub struct LoadedLevel {
    /// The level.
    pub level: Level,
    /// The faults, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

impl Level {
    /// Reads a level. Never fails: what cannot be placed is reported and left out.
    ///
    /// ```
    /// use std::sync::Arc;
    /// let text = "BasicGame\n SpriteSet\n  avatar > MovingAvatar\n InteractionSet\n  avatar wall > stepBack\n \
    ///             TerminationSet\n  Timeout limit=9 win=True\n";
    /// let rules = vgdl::compile(&vgdl::parse(&vgdl::SourceFile::new("game", text)).description).rules;
    /// let loaded = vgdl::Level::load(Arc::new(rules), &vgdl::SourceFile::new("level", "www\nwAw\nwww\n"));
    /// assert!(loaded.diagnostics.is_empty());
    /// assert_eq!((loaded.level.width, loaded.level.height, loaded.level.block), (3, 3, 266));
    /// ```
    pub fn load(rules: Arc<Rules>, source: &SourceFile) -> LoadedLevel {
        let mut diagnostics = Vec::new();
        let lines = lines(source, &mut diagnostics);
        let width = lines.first().map_or(0, |line| line.cells.len());
        if width == 0 {
            let span = Span::default();
            diagnostics.push(Diagnostic::new(Code::EmptyLevel, span, "the first line of the level is empty"));
        }
        let (width, height) = (width.max(1) as i32, lines.len().max(1) as i32);
        let block = rules.square_size.unwrap_or((WINDOW / width.max(height)).max(2));
        let side = |factor: f64| ((f64::from(block) * factor) as i32).clamp(1, 1 << 20);
        let widest = rules.kinds.iter().map(|kind| side(kind.width)).max().unwrap_or(block).max(block);
        let highest = rules.kinds.iter().map(|kind| side(kind.height)).max().unwrap_or(block).max(block);
        let cells = Cells::new(width, height, block);
        let start = State::empty(&rules, cells.count());
        let mut level = Self {
            width,
            height,
            block,
            widest,
            highest,
            oversized: widest > block || highest > block,
            cells,
            scenery: Vec::new(),
            paths: None,
            start,
            rules,
        };
        level.fill(&lines, &mut diagnostics);
        level.find_paths();
        LoadedLevel { level, diagnostics }
    }

    pub(crate) fn screen_width(&self) -> i32 {
        self.width.saturating_mul(self.block)
    }

    pub(crate) fn screen_height(&self) -> i32 {
        self.height.saturating_mul(self.block)
    }

    fn fill(&mut self, lines: &[Line], diagnostics: &mut Vec<Diagnostic>) {
        let rules = self.rules.clone();
        let mut state = std::mem::replace(&mut self.start, State::empty(&rules, 0));
        let mut scenery = Vec::new();
        let mut avatars: Vec<(Slot, Span)> = Vec::new();
        let mut play = Play { rules: &rules, level: self, state: &mut state };
        for (row, line) in lines.iter().enumerate() {
            for (column, &(character, span)) in line.cells.iter().enumerate().take(play.level.width as usize)
            {
                let Some(types) = rules.mapping.get(&character) else {
                    if character != ' ' {
                        play.state.messages += 1;
                        let message = format!("`{character}` is not mapped; the cell stays empty");
                        diagnostics.push(Diagnostic::new(Code::UnmappedCharacter, span, message));
                    }
                    continue;
                };
                for &id in types {
                    let (x, y) = (column as i32 * play.level.block, row as i32 * play.level.block);
                    let Some(slot) = play.create(id, x, y, false) else { continue };
                    let kind = rules.kind(id);
                    if kind.scenery {
                        let sprite = play.state.sprites[slot as usize];
                        play.remove(slot);
                        play.state.groups[id.number()].count += 1;
                        play.state.groups[id.number()].displaced = false;
                        scenery.push(sprite);
                    } else if kind.is_avatar {
                        avatars.push((slot, span));
                    }
                }
            }
        }
        for &(slot, span) in avatars.iter().skip(rules.players) {
            play.remove(slot);
            let message = format!("there are {} players; this avatar is left out", rules.players);
            diagnostics.push(Diagnostic::new(Code::SurplusAvatar, span, message));
        }
        play.seat_players(diagnostics);
        self.start = state;
        self.scenery = scenery;
    }

    /// Finds the shortest paths around the obstacles, if the game asks for paths.
    fn find_paths(&mut self) {
        let Some(obstacles) = &self.rules.obstacles else { return };
        let cells = self.width as usize * self.height as usize;
        if cells > MAX_PATH_CELLS {
            return;
        }
        let mut open = vec![true; cells];
        let alive = self.start.sprites.iter().filter(|sprite| !sprite.is(super::flag::FREE));
        for sprite in alive.chain(&self.scenery).filter(|sprite| obstacles.contains(&sprite.kind)) {
            let (x, y) = (sprite.rect.x / self.block, sprite.rect.y / self.block);
            if (0..self.width).contains(&x) && (0..self.height).contains(&y) {
                open[(y * self.width + x) as usize] = false;
            }
        }
        self.paths = Some(Paths::new(self.width, self.height, &open));
    }
}

impl State {
    fn empty(rules: &Rules, cells: usize) -> Self {
        let player = Player { avatar: NONE, score: 0.0, outcome: Outcome::Open, action: Action::Nil };
        let timers = rules
            .time
            .iter()
            .map(|&effect| TimeEntry { next: rules.effects[effect.number()].next, effect, started: false })
            .collect();
        Self {
            sprites: Vec::new(),
            free: Vec::new(),
            groups: vec![Group::EMPTY; rules.kinds.len()],
            cells: vec![NONE; cells],
            masks: vec![Mask::default(); cells],
            live: 0,
            reaching_right: 0,
            reaching_down: 0,
            kills: Vec::new(),
            purses: Vec::new(),
            free_purses: Vec::new(),
            chases: Vec::new(),
            free_chases: Vec::new(),
            magazines: Vec::new(),
            timers,
            shields: Vec::new(),
            pulled: Vec::new(),
            counters: vec![0; rules.counters],
            players: [player; 2],
            events: Vec::new(),
            random: JavaRandom::new(0),
            noise: JavaRandom::new(0),
            tick: -1,
            next_id: 0,
            number: 0,
            messages: rules.logged,
            ended: false,
            can_end: true,
            scratch: Scratch::default(),
        }
    }
}

impl Play<'_> {
    /// Gives each player an avatar: those of the lower types first, the bottom type left out.
    fn seat_players(&mut self, diagnostics: &mut Vec<Diagnostic>) {
        let mut found = Vec::new();
        for &id in self.rules.order.iter().skip(1).rev() {
            let mut slot = self.state.groups[id.number()].head;
            while slot != NONE && self.rules.kind(id).is_avatar {
                found.push(slot);
                slot = self.state.sprites[slot as usize].next;
            }
        }
        found.reverse();
        for (player, &slot) in found.iter().enumerate().take(self.rules.players) {
            self.state.players[player].avatar = slot;
            self.state.sprites[slot as usize].player = player as u8;
        }
        if found.len() < self.rules.players {
            diagnostics.push(
                Diagnostic::new(
                    Code::MissingAvatar,
                    Span::default(),
                    format!("the level has {} avatars for {} players", found.len(), self.rules.players),
                )
                .with_help("put a character that is mapped to an avatar into the level"),
            );
        }
    }
}

/// A line of a level: its characters and where they stand.
struct Line {
    cells: Vec<(char, Span)>,
}

fn lines(source: &SourceFile, diagnostics: &mut Vec<Diagnostic>) -> Vec<Line> {
    let text = source.text();
    let mut lines = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let content = line.strip_suffix('\n').unwrap_or(line);
        let content = content.strip_suffix('\r').unwrap_or(content);
        let place = |(at, cell): (usize, char)| (cell, Span::new(start + at, start + at + cell.len_utf8()));
        let cells: Vec<_> = content.char_indices().map(place).collect();
        let area = lines.first().map_or(cells.len(), |first: &Line| first.cells.len()) * (lines.len() + 1);
        if cells.len() > MAX_SIDE || lines.len() >= MAX_SIDE || area > MAX_CELLS {
            diagnostics.push(Diagnostic::new(
                Code::LevelTooLarge,
                Span::new(start, start + content.len()),
                format!("a level has {MAX_SIDE} columns and rows and {MAX_CELLS} cells at most; the rest is left out"),
            ));
            let mut cells = cells;
            cells.truncate(MAX_SIDE);
            if lines.is_empty() {
                lines.push(Line { cells });
            }
            break;
        }
        lines.push(Line { cells });
        start += line.len();
    }
    lines
}

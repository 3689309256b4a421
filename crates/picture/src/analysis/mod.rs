//! Boards found in the rules.
//!
//! From the rules come the values that each place of a fact may have (`domains`), their order
//! (`order`), and which cells touch (`tables`, `neighbours`). A few states from play tell coordinates
//! from contents (`form`). Fluents that speak of the same cells share a board (`draft`), whose cells are
//! then given places in the plane (`layout`).

mod axes;
mod beside;
mod constants;
mod domains;
mod draft;
mod fluent;
mod form;
mod graph;
mod layout;
mod links;
mod moves;
mod neighbours;
mod order;
mod pairs;
mod refine;
mod sentence;
mod tables;

use std::collections::BTreeMap;

use bundled::Metadata;
use gdl::normal::NormalRules;

use crate::look::{Look, Looks, Symbol};
use crate::plan::{BesidePlan, BoardPlan, LayerKind, MovePlan, Style};
use crate::term::Term;
use constants::Constants;
use draft::{Draft, Frame};
use fluent::{Fluent, Sources};
use form::Form;
use pairs::Pair;
use sentence::Kind;

/// How the states and moves of a game are shown: worked out once, used for every state.
#[derive(Clone, Debug)]
pub struct Analysis {
    pub(crate) roles: Vec<String>,
    pub(crate) boards: Vec<BoardPlan>,
    pub(crate) beside: Vec<BesidePlan>,
    pub(crate) moves: Vec<MovePlan>,
    pub(crate) pairs: Vec<Pair>,
}

/// More boards than this are told as cards: no picture has room for them.
const MAX_BOARDS: usize = 12;

impl Analysis {
    /// Finds the boards of a game. `states` are the facts (canonical KIF) of some states: the initial one
    /// first, then others met in play, the more different the better; without any, less is found. What the
    /// metadata says goes before what is found.
    pub fn new(rules: &NormalRules, states: &[Vec<String>], metadata: Option<&Metadata>) -> Self {
        let states: Vec<Vec<Term>> =
            states.iter().map(|state| state.iter().map(|fact| Term::read(fact)).collect()).collect();
        let mut constants = Constants::default();
        let tables = tables::tables(rules, &mut constants);
        let domains = domains::domains(rules, &tables, &mut constants);
        let sources = Sources::new(rules, &tables, &constants, &domains);
        let mut fluents = sources.fluents(Kind::Fluent, &states);
        let pairs = pairs::pairs(&mut fluents);
        let formed: Vec<(&Fluent, Form)> =
            fluents.iter().map(|fluent| (fluent, form::form(fluent, &sources))).collect();
        let (mut boards, leftover) = find_boards(&formed, &sources);
        let mut beside: Vec<BesidePlan> = formed
            .iter()
            .filter(|(fluent, form)| beside::is_beside(form) || leftover.contains(&fluent.name))
            .filter_map(|(fluent, form)| beside::beside(fluent, form))
            .collect();
        let mut plain = Vec::new();
        if let Some(metadata) = metadata {
            refine::refine(&mut boards, &mut beside, metadata, &fluents);
            plain = metadata.boards.iter().map(|board| board.checkered == Some(false)).collect();
        }
        for (number, board) in boards.iter_mut().enumerate() {
            let values = contents(board, &fluents);
            let looks = Looks::new(&values, &sources.roles);
            for value in values {
                let look = looks.look(&value);
                board.looks.entry(value).or_insert(look);
            }
            board.checkered |= !plain.get(number).copied().unwrap_or(false) && is_checkered(board);
        }
        let links = links::Links::new(rules, &tables);
        let moves = moves::moves(&sources, &boards, &links);
        Self { roles: sources.roles.clone(), boards, beside, moves, pairs }
    }

    /// The names of the roles.
    pub fn roles(&self) -> &[String] {
        &self.roles
    }

    /// Whether there is any board.
    pub fn has_board(&self) -> bool {
        !self.boards.is_empty()
    }

    /// What was found, in a few words each: for lists and tests.
    pub fn describe(&self) -> Vec<String> {
        let board = |board: &BoardPlan| {
            let sides: Vec<String> = board.axes.iter().map(|axis| axis.len().to_string()).collect();
            let layers: Vec<&str> = board.layers.iter().map(|layer| layer.name.as_str()).collect();
            let style = match board.style {
                Style::Square => "squares",
                Style::Hex => "hexagons",
                Style::Point => "points",
            };
            format!("{} {style}, {} cells: {}", sides.join("x"), board.cells.len(), layers.join(", "))
        };
        self.boards.iter().map(board).collect()
    }
}

/// All that may stand on a board.
fn contents(board: &BoardPlan, fluents: &[Fluent]) -> Vec<String> {
    let mut values = Vec::new();
    for layer in &board.layers {
        values.extend(layer.always.clone());
        if matches!(layer.kind, LayerKind::Mark | LayerKind::Edge) {
            values.push(layer.name.clone());
        }
        let own = fluents.iter().find(|fluent| fluent.name == layer.name && fluent.arity == layer.arity);
        let slot = |path: &Vec<usize>| own?.slots.iter().find(|slot| slot.path == *path);
        match &layer.content[..] {
            [path] => values.extend(slot(path).into_iter().flat_map(|slot| slot.values.clone())),
            // Each part is looked at by itself; what was seen together is known by the whole.
            several => {
                let seen = own.into_iter().flat_map(|fluent| fluent.seen.iter().flatten());
                let places: Vec<usize> = several
                    .iter()
                    .filter_map(|path| own?.slots.iter().position(|slot| slot.path == *path))
                    .collect();
                if layer.kind == LayerKind::Sequence {
                    values.extend(several.iter().filter_map(slot).flat_map(|slot| slot.values.clone()));
                } else {
                    values.extend(seen.map(|fact| joined(places.iter().map(|&place| fact[place].as_str()))));
                }
            }
        }
    }
    values.sort();
    values.dedup();
    values.retain(|value| !value.is_empty());
    values
}

/// Several contents of a cell as one name.
pub(crate) fn joined<'v>(parts: impl Iterator<Item = &'v str>) -> String {
    let parts: Vec<&str> = parts.collect();
    match parts[..] {
        [] => String::new(),
        [one] => one.to_owned(),
        _ => format!("(of {})", parts.join(" ")),
    }
}

/// The boards, and the fluents that would have been on some.
fn find_boards(formed: &[(&Fluent, Form)], sources: &Sources<'_>) -> (Vec<BoardPlan>, Vec<String>) {
    let mut drafts: Vec<Draft<'_>> = Vec::new();
    let mut waiting: Vec<Draft<'_>> =
        formed.iter().filter_map(|(fluent, form)| draft::draft(fluent, form)).collect();
    // Those that say most of a board come first, and the others find it there.
    waiting.sort_by_key(|draft| {
        let part = &draft.parts[0];
        let (content, edge) = (!part.content.is_empty(), part.edge);
        std::cmp::Reverse((edge, part.says_all_cells(), content, part.fluent.most()))
    });
    let mut leftover = Vec::new();
    'next: for mut draft in waiting {
        for known in &mut drafts {
            match known.join(draft, sources) {
                Ok(()) => continue 'next,
                Err(back) => draft = back,
            }
        }
        if stands_alone(&draft) {
            drafts.push(draft)
        } else {
            leftover.push(draft.parts[0].fluent.name.clone())
        }
    }
    let mut boards: Vec<BoardPlan> = Vec::new();
    let sides: Vec<Vec<String>> = drafts
        .iter()
        .filter(|draft| matches!(draft.frame, Frame::Grid { .. }))
        .flat_map(|draft| draft.axes.clone())
        .collect();
    drafts.retain(|draft| {
        let marks = draft.parts.iter().all(|part| part.content.is_empty());
        let part_of_side = sides.iter().any(|side| draft.axes[0].iter().all(|value| side.contains(value)));
        let list = draft.parts.len() == 1 && !sources.is_graph(&draft.axes[0]);
        let told = draft.frame == Frame::Track && marks && (part_of_side || list);
        if told {
            leftover.extend(draft.parts.iter().map(|part| part.fluent.name.clone()));
        }
        !told
    });
    for draft in &drafts {
        let Some(mut board) = layout::layout(draft, sources) else {
            leftover.extend(draft.parts.iter().map(|part| part.fluent.name.clone()));
            continue;
        };
        for (layer, part) in board.layers.iter_mut().zip(&draft.parts) {
            layer.empty = layout::empty(layer, draft);
            if part.says_only_that_cells_exist() {
                layer.empty = Some(layer.name.clone());
            }
        }
        boards.push(board);
    }
    // Boards of two coordinates are what one looks at first.
    boards.sort_by_key(|board| {
        std::cmp::Reverse((
            board.axes.len() > 1 || board.style != Style::Square,
            board.layers.iter().any(|layer| layer.kind != LayerKind::Mark),
        ))
    });
    for board in boards.drain(MAX_BOARDS.min(boards.len())..) {
        leftover.extend(board.layers.into_iter().map(|layer| layer.name));
    }
    if boards.len() > 1 {
        for board in &mut boards {
            board.title = board.layers.first().map(|layer| beside::label(&layer.name));
        }
    }
    (boards, leftover)
}

/// Whether a board is worth drawing if nothing else is on it.
fn stands_alone(draft: &Draft<'_>) -> bool {
    let part = &draft.parts[0];
    let most = part.fluent.most();
    let cells: usize = draft.axes.iter().map(Vec::len).product();
    match draft.frame {
        Frame::Track => cells >= 3 && most >= 2 || (most >= 1 && part.content.is_empty() && cells >= 4),
        Frame::Grid { .. } | Frame::Nested => cells >= 4 && (most >= 2 || !part.content.is_empty()),
        Frame::Squares => most >= 2,
        Frame::Rings | Frame::Sequence => true,
    }
}

/// Boards of chess and draughts are light and dark by turns.
fn is_checkered(board: &BoardPlan) -> bool {
    let chess = [
        Symbol::King,
        Symbol::Queen,
        Symbol::Rook,
        Symbol::Bishop,
        Symbol::Knight,
        Symbol::Pawn,
        Symbol::Crowned,
    ];
    let pieces = board.looks.values().any(|look| chess.contains(&look.symbol));
    board.style == Style::Square && board.axes.len() == 2 && pieces
}

/// The looks of names that no value was known for.
pub(crate) fn look_of(board: &BoardPlan, roles: &[String], name: &str) -> Look {
    match board.looks.get(name) {
        Some(look) => look.clone(),
        None => {
            let known: BTreeMap<&String, &Look> = board.looks.iter().collect();
            Looks::new(known.into_keys(), roles).look(name)
        }
    }
}

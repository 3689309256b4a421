//! What metadata says goes before what was found.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use bundled::{Metadata, PatternPlace, Shape};

use super::fluent::Fluent;
use crate::glyphs::visible;
use crate::look::{Look, Symbol};
use crate::plan::{BesidePlan, BoardPlan, Caption, CellPlan, Layer, LayerKind, Path, Style};
use crate::vocabulary;

/// Puts boards and counters of the metadata in place of what was found of the same fluents.
pub(crate) fn refine(
    boards: &mut Vec<BoardPlan>,
    beside: &mut Vec<BesidePlan>,
    metadata: &Metadata,
    fluents: &[Fluent],
) {
    let mut refined: Vec<BoardPlan> = Vec::new();
    for (number, wanted) in metadata.boards.iter().enumerate() {
        let layer = wanted.layer();
        let same = |board: &BoardPlan| match &layer {
            Some(layer) => board.layers.iter().any(|other| {
                other.name == layer.name
                    && other.arity == layer.arity
                    && board.axes.len() == 2
                    && other.address.iter().collect::<BTreeSet<_>>() == layer.address.iter().collect()
            }),
            None => true,
        };
        let at = match &layer {
            Some(_) => boards.iter().position(same),
            None => (number < boards.len()).then_some(0),
        };
        let board = match at {
            Some(at) => Some(boards.remove(at)),
            None => layer.clone().map(|layer| blank(&layer, fluents)),
        };
        let Some(mut board) = board else { continue };
        apply(&mut board, wanted, layer.as_ref(), at.is_some());
        if !board.cells.is_empty() {
            refined.push(board);
        }
    }
    // What the metadata draws its own way is not drawn twice.
    let drawn: BTreeSet<String> =
        refined.iter().flat_map(|board| &board.layers).map(|layer| layer.name.clone()).collect();
    for board in boards.iter_mut() {
        board.layers.retain(|layer| !drawn.contains(&layer.name));
    }
    boards.retain(|board| {
        board.layers.iter().any(|layer| layer.kind != LayerKind::Mark)
            || (metadata.boards.is_empty() && !board.layers.is_empty())
    });
    refined.append(boards);
    *boards = refined;
    let own = |plan: &BesidePlan| match plan {
        BesidePlan::Counter { name, .. }
        | BesidePlan::Table { name, .. }
        | BesidePlan::List { name, .. }
        | BesidePlan::Stacks { name, .. } => name.clone(),
    };
    beside.retain(|plan| !drawn.contains(&own(plan)));
    let mut counters = Vec::new();
    for counter in &metadata.counters {
        let (name, arity) = counter.fact.head();
        let (name, label) = (name.to_owned(), counter.label.clone());
        beside.retain(|plan| own(plan) != name);
        let value = counter.fact.places().into_iter().find_map(|(path, place)| match place {
            PatternPlace::Variable("value") => Some(path),
            _ => None,
        });
        let fixed = counter.fact.places().into_iter().filter_map(|(path, place)| match place {
            PatternPlace::Word(word) => Some((path, word.to_owned())),
            PatternPlace::Variable(_) => None,
        });
        let fixed: Vec<(Path, String)> = fixed.collect();
        counters.extend(value.map(|value| BesidePlan::Counter { name, arity, label, value, fixed }));
    }
    counters.append(beside);
    *beside = counters;
}

/// What the pattern of a board says.
trait PatternLayer {
    fn layer(&self) -> Option<Layer>;
}

impl PatternLayer for bundled::Board {
    fn layer(&self) -> Option<Layer> {
        let pattern = self.cell.as_ref()?;
        let (name, arity) = pattern.head();
        let (mut column, mut row, mut piece, mut fixed) = (None, None, None, Vec::new());
        for (path, place) in pattern.places() {
            match place {
                PatternPlace::Variable("column") => column = Some(path),
                PatternPlace::Variable("row") => row = Some(path),
                PatternPlace::Variable("piece") => piece = Some(path),
                PatternPlace::Variable(_) => {}
                PatternPlace::Word(word) => fixed.push((path, word.to_owned())),
            }
        }
        Some(Layer {
            name: name.to_owned(),
            arity,
            kind: LayerKind::Content,
            address: vec![column?, row?],
            content: piece.into_iter().collect(),
            empty: None,
            fixed,
            always: self.piece.clone(),
            shift: [0.0, 0.0],
        })
    }
}

/// A board of a fluent that no board was found for.
fn blank(layer: &Layer, fluents: &[Fluent]) -> BoardPlan {
    let own = fluents.iter().find(|fluent| fluent.name == layer.name && fluent.arity == layer.arity);
    let values = |path: &Path| {
        let slot = own.and_then(|fluent| fluent.slots.iter().find(|slot| slot.path == *path));
        slot.map_or_else(Vec::new, |slot| {
            slot.order.as_ref().map_or_else(|| slot.values.clone(), |order| order.values.clone())
        })
    };
    BoardPlan {
        title: None,
        style: Style::Square,
        checkered: false,
        blocks: None,
        cells: Vec::new(),
        find: HashMap::new(),
        axes: layer.address.iter().map(values).collect(),
        columns: Vec::new(),
        rows: Vec::new(),
        headings: Vec::new(),
        lines: Vec::new(),
        layers: vec![layer.clone()],
        looks: BTreeMap::new(),
    }
}

/// Changes a board to what is wanted. `found` says whether it is one of the analysis.
fn apply(board: &mut BoardPlan, wanted: &bundled::Board, layer: Option<&Layer>, found: bool) {
    if wanted.title.is_some() {
        board.title.clone_from(&wanted.title);
    }
    if let Some(layer) = layer {
        if found {
            for own in board.layers.iter_mut().filter(|own| own.name == layer.name) {
                own.fixed.clone_from(&layer.fixed);
                own.always.clone_from(&layer.always);
            }
        }
        if !found || !wanted.columns.is_empty() || !wanted.rows.is_empty() {
            lay(board, wanted, layer, found);
        }
    }
    if let Some(shape) = wanted.shape {
        match shape {
            Shape::Square if board.style == Style::Hex => board.style = Style::Square,
            Shape::Square => {}
            Shape::Hex => {
                if board.style != Style::Hex {
                    lean(board);
                }
            }
        }
    }
    if let Some(checkered) = wanted.checkered {
        board.checkered = checkered;
    }
    board.blocks = wanted.blocks;
    for (name, piece) in &wanted.pieces {
        let nothing = piece.glyph.is_empty() || piece.glyph == "·";
        if nothing {
            for layer in &mut board.layers {
                layer.empty.get_or_insert_with(|| name.clone());
            }
        }
        let symbol = match piece.symbol.as_deref() {
            Some(symbol) => vocabulary::symbol(symbol),
            None => vocabulary::symbol_of_glyph(&piece.glyph),
        };
        let symbol = if nothing { Symbol::Nothing } else { symbol.unwrap_or(Symbol::Text) };
        // A hollow letter in a colour near to black is how terminals show white pieces.
        let colour = match piece.rgb() {
            Some(colour) if visible(colour) || !vocabulary::is_hollow(&piece.glyph) => colour,
            _ if vocabulary::is_hollow(&piece.glyph) => vocabulary::WHITE,
            _ => vocabulary::BLACK,
        };
        let look = Look { symbol, colour, text: piece.glyph.clone(), glyph: Some(piece.glyph.clone()) };
        board.looks.insert(name.clone(), look);
    }
}

/// Lays the cells as the metadata has columns and rows, those that exist.
fn lay(board: &mut BoardPlan, wanted: &bundled::Board, layer: &Layer, found: bool) {
    // Addresses are in the order of the fluent that the board was found by.
    let own = board.layers.iter().find(|own| own.name == layer.name);
    let column_first = own.is_none_or(|own| own.address.first() == layer.address.first());
    let (column_axis, row_axis) = if column_first { (0, 1) } else { (1, 0) };
    let known = |axis: usize| board.axes.get(axis).cloned().unwrap_or_default();
    let columns = if wanted.columns.is_empty() { known(column_axis) } else { wanted.columns.clone() };
    let rows = if wanted.rows.is_empty() { known(row_axis) } else { wanted.rows.clone() };
    let before: BTreeSet<Vec<String>> = board.cells.iter().map(|cell| cell.address.clone()).collect();
    let names: HashMap<Vec<String>, String> =
        board.cells.iter().map(|cell| (cell.address.clone(), cell.name.clone())).collect();
    let linked: Vec<(Vec<String>, Vec<String>)> = board
        .lines
        .iter()
        .map(|&(from, to)| (board.cells[from].address.clone(), board.cells[to].address.clone()))
        .collect();
    board.cells.clear();
    for (y, row) in rows.iter().enumerate() {
        for (x, column) in columns.iter().enumerate() {
            let pair = [column.to_lowercase(), row.to_lowercase()];
            let address: Vec<String> =
                if column_first { pair.to_vec() } else { pair.into_iter().rev().collect() };
            let full = before.len() < board.axes.iter().map(Vec::len).product();
            if found && full && !before.contains(&address) {
                continue;
            }
            let at = [x as f32, y as f32];
            let name = names.get(&address).cloned().unwrap_or_else(|| address.join(" "));
            board.cells.push(CellPlan { address, name, at, flat: at });
        }
    }
    let caption = |text: &String, at| Caption { text: text.clone(), at };
    board.columns =
        columns.iter().enumerate().map(|(x, text)| caption(text, [x as f32, rows.len() as f32])).collect();
    board.rows = rows.iter().enumerate().map(|(y, text)| caption(text, [-1.0, y as f32])).collect();
    board.axes = if column_first { vec![columns, rows] } else { vec![rows, columns] };
    board.find = board.cells.iter().enumerate().map(|(at, cell)| (cell.address.clone(), at)).collect();
    let line = |(from, to): &(Vec<String>, Vec<String>)| Some((*board.find.get(from)?, *board.find.get(to)?));
    board.lines = linked.iter().filter_map(line).collect();
    if board.style == Style::Hex {
        lean(board);
    }
}

/// Each row half a cell further to the right than the one above.
fn lean(board: &mut BoardPlan) {
    board.style = Style::Hex;
    for cell in &mut board.cells {
        cell.at[0] = cell.at[0].floor() + cell.at[1] / 2.0;
        cell.flat = cell.at;
    }
    for caption in board.rows.iter_mut().chain(&mut board.columns) {
        caption.at[0] += caption.at[1] / 2.0;
    }
}

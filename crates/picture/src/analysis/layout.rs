//! Where the cells of a board lie.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use rustc_hash::FxHashSet;

use super::axes::{Orientation, orientation};
use super::draft::{Draft, Frame};
use super::fluent::Sources;
use super::{graph, order};
use crate::plan::{BoardPlan, Caption, CellPlan, Layer, LayerKind, Style};
use crate::vocabulary::means_nothing;

/// Boards with more cells are not drawn.
const MAX_CELLS: usize = 2_500;
/// The cells of a row that are written side by side.
const TRACK_WIDTH: usize = 10;

/// The board of a draft; nothing if it would be too large.
pub(crate) fn layout(draft: &Draft<'_>, sources: &Sources<'_>) -> Option<BoardPlan> {
    let cells: usize = draft.axes.iter().map(Vec::len).product();
    if cells == 0 || cells > MAX_CELLS {
        return None;
    }
    let mut board = BoardPlan {
        title: None,
        style: Style::Square,
        checkered: false,
        blocks: None,
        cells: Vec::new(),
        find: HashMap::new(),
        axes: draft.axes.clone(),
        columns: Vec::new(),
        rows: Vec::new(),
        headings: Vec::new(),
        lines: Vec::new(),
        layers: draft.parts.iter().map(|part| part.layer()).collect(),
        looks: BTreeMap::new(),
    };
    match draft.frame {
        Frame::Grid { index } => grid(&mut board, draft, index, sources),
        Frame::Nested => nested(&mut board, draft),
        Frame::Squares => squares(&mut board, draft, sources),
        Frame::Rings => rings(&mut board, draft, sources),
        Frame::Track => track(&mut board, draft, sources),
        Frame::Sequence => {
            track(&mut board, draft, sources);
            let fluent = draft.parts.first()?.fluent;
            let layer = board.layers.first_mut()?;
            layer.kind = LayerKind::Sequence;
            layer.content = fluent.slots.iter().map(|slot| slot.path.clone()).collect();
        }
    }
    board.find = board.cells.iter().enumerate().map(|(at, cell)| (cell.address.clone(), at)).collect();
    Some(board)
}

/// The addresses that exist: those that a fluent always speaks of if there is one, else all.
fn existing(draft: &Draft<'_>) -> Option<FxHashSet<Vec<String>>> {
    let all = draft.parts.iter().find(|part| !part.edge && part.says_all_cells())?;
    let addresses = all.addresses().flatten().map(|address| address.into_iter().cloned().collect());
    Some(addresses.collect())
}

fn name(address: &[&String]) -> String {
    // `c3` as a name of a row or column is told by its number where the rest is the same for all.
    address.iter().map(|part| part.as_str()).collect::<Vec<_>>().join(if address.len() > 2 {
        " "
    } else {
        ""
    })
}

fn cell(address: Vec<String>, name: String, at: [f32; 2]) -> CellPlan {
    CellPlan { address, name, at, flat: at }
}

/// The numbers of values in their order, from the other end if wanted.
fn steps(axis: &[String], reversed: bool) -> Vec<(usize, &String)> {
    let last = axis.len() - 1;
    axis.iter().enumerate().map(|(at, value)| (if reversed { last - at } else { at }, value)).collect()
}

fn grid(board: &mut BoardPlan, draft: &Draft<'_>, index: bool, sources: &Sources<'_>) {
    let skip = usize::from(index);
    let part = &draft.parts[0];
    let lies = orientation(part, part.address[skip], part.address[skip + 1]);
    let [first, second] = [&draft.axes[skip], &draft.axes[skip + 1]];
    let (columns, rows) = if lies.column_first { (first, second) } else { (second, first) };
    let exists = existing(draft);
    let boards: Vec<Option<&String>> =
        if index { draft.axes[0].iter().map(Some).collect() } else { vec![None] };
    let across = (boards.len() as f32).sqrt().ceil() as usize;
    for (number, heading) in boards.iter().enumerate() {
        let [right, down] = [(number % across) as f32, (number / across) as f32];
        let corner = [right * (columns.len() as f32 + 1.0), down * (rows.len() as f32 + 1.5)];
        if let Some(heading) = heading {
            let at = [corner[0] + (columns.len() as f32 - 1.0) / 2.0, corner[1] - 1.0];
            board.headings.push(Caption { text: (*heading).clone(), at });
        }
        for (y, row) in steps(rows, lies.upwards) {
            for (x, column) in steps(columns, false) {
                let pair = if lies.column_first { [column, row] } else { [row, column] };
                let address: Vec<String> = heading.iter().copied().chain(pair).cloned().collect();
                if exists.as_ref().is_some_and(|exists| !exists.contains(&address)) {
                    continue;
                }
                let at = [corner[0] + x as f32, corner[1] + y as f32];
                let name = if short(column) && short(row) && letters(column) != letters(row) {
                    name(&if letters(column) { [column, row] } else { [row, column] })
                } else {
                    format!("{} {}", pair[0], pair[1])
                };
                board.cells.push(cell(address, name, at));
            }
        }
    }
    board.columns = steps(columns, false)
        .into_iter()
        .map(|(x, text)| Caption { text: text.clone(), at: [x as f32, rows.len() as f32] })
        .collect();
    board.rows = steps(rows, lies.upwards)
        .into_iter()
        .map(|(y, text)| Caption { text: text.clone(), at: [-1.0, y as f32] })
        .collect();
    board.rows.sort_by(|left, right| left.at[1].total_cmp(&right.at[1]));
    if !index {
        shape(board, sources, columns.len() * rows.len());
    }
    if board.layers.iter().any(|layer| layer.kind == LayerKind::Edge) {
        board.style = Style::Point;
        between(board, draft, lies);
    }
}

fn letters(value: &str) -> bool {
    value.bytes().all(|byte| byte.is_ascii_alphabetic())
}

fn short(value: &str) -> bool {
    value.len() <= 2
}

/// Things that lie between the points of a grid have one place less each way.
fn between(board: &mut BoardPlan, draft: &Draft<'_>, lies: Orientation) {
    for (layer, part) in board.layers.iter_mut().zip(&draft.parts) {
        if layer.kind != LayerKind::Content || part.address.len() != 2 {
            continue;
        }
        let fewer = part
            .address
            .iter()
            .zip(&draft.axes)
            .all(|(&place, axis)| part.fluent.slots[place].values.len() + 1 == axis.len());
        if fewer {
            layer.shift = [0.5, if lies.upwards { -0.5 } else { 0.5 }];
        }
    }
}

/// Looks for neighbours that make the cells hexagons, or lines between few cells.
fn shape(board: &mut BoardPlan, sources: &Sources<'_>, room: usize) {
    let find: HashMap<&[String], usize> =
        board.cells.iter().enumerate().map(|(at, cell)| (&cell.address[..], at)).collect();
    let relations = sources.cell_relations(2, &|address: &[String]| find.get(address).copied());
    let delta = |&(from, to): &(usize, usize)| {
        let [left, right] = [board.cells[from].at, board.cells[to].at];
        ((right[0] - left[0]) as i32, (right[1] - left[1]) as i32)
    };
    for relation in &relations {
        let deltas: BTreeSet<(i32, i32)> = relation.iter().map(delta).collect();
        let has = |x: i32, y: i32| deltas.contains(&(x, y)) || deltas.contains(&(-x, -y));
        let near = deltas.iter().all(|(x, y)| x.abs() <= 1 && y.abs() <= 1);
        if near && has(1, 0) && has(0, 1) && has(1, 1) != has(1, -1) {
            let lean = if has(1, -1) { 0.5 } else { -0.5 };
            hexagons(board, lean);
            return;
        }
    }
    if 4 * board.cells.len() < 3 * room
        && let Some(lines) = lines(board, &relations)
    {
        board.lines = lines;
        board.style = Style::Point;
    }
}

fn hexagons(board: &mut BoardPlan, lean: f32) {
    board.style = Style::Hex;
    let deepest = board.cells.iter().map(|cell| cell.at[1]).fold(0.0, f32::max);
    let shift = |y: f32| if lean > 0.0 { lean * y } else { -lean * (deepest - y) };
    for cell in &mut board.cells {
        cell.at[0] += shift(cell.at[1]);
        cell.flat = cell.at;
    }
    for row in &mut board.rows {
        row.at[0] += shift(row.at[1]);
    }
    for column in &mut board.columns {
        column.at[0] += shift(column.at[1]);
    }
}

/// Lines between cells in one row, column or diagonal that a relation links with a few others each.
fn lines(board: &BoardPlan, relations: &[FxHashSet<(usize, usize)>]) -> Option<Vec<(usize, usize)>> {
    let count = board.cells.len();
    let good = |relation: &&FxHashSet<(usize, usize)>| {
        let mut degrees = vec![0; count];
        relation.iter().for_each(|&(from, _)| degrees[from] += 1);
        let straight = relation.iter().all(|&(from, to)| {
            let [left, right] = [board.cells[from].at, board.cells[to].at];
            let (x, y) = ((right[0] - left[0]).abs(), (right[1] - left[1]).abs());
            x == 0.0 || y == 0.0 || x == y
        });
        straight && degrees.iter().all(|degree| (1..=8).contains(degree))
    };
    let relation = relations.iter().filter(good).min_by_key(|relation| relation.len())?;
    let mut lines: Vec<(usize, usize)> =
        relation.iter().map(|&(from, to)| (from.min(to), from.max(to))).collect();
    lines.sort_unstable();
    lines.dedup();
    Some(lines)
}

fn nested(board: &mut BoardPlan, draft: &Draft<'_>) {
    let part = &draft.parts[0];
    let [a, b, c, d] = [&draft.axes[0], &draft.axes[1], &draft.axes[2], &draft.axes[3]];
    let outer = orientation(part, part.address[0], part.address[1]);
    let inner = orientation(part, part.address[2], part.address[3]);
    let exists = existing(draft);
    let lay = |lies: Orientation, first: (usize, usize), second: (usize, usize)| {
        let (column, row) = if lies.column_first { (first, second) } else { (second, first) };
        let y = if lies.upwards { row.1 - 1 - row.0 } else { row.0 };
        [column.0 as f32, y as f32]
    };
    let inside = if inner.column_first { [c.len(), d.len()] } else { [d.len(), c.len()] };
    for (i, first) in a.iter().enumerate() {
        for (j, second) in b.iter().enumerate() {
            let far = lay(outer, (i, a.len()), (j, b.len()));
            for (k, third) in c.iter().enumerate() {
                for (l, fourth) in d.iter().enumerate() {
                    let near = lay(inner, (k, c.len()), (l, d.len()));
                    let at = [0, 1].map(|side| far[side] * (inside[side] as f32 + 0.5) + near[side]);
                    let address = [first, second, third, fourth].map(Clone::clone).to_vec();
                    if exists.as_ref().is_none_or(|exists| exists.contains(&address)) {
                        let name = address.join(" ");
                        board.cells.push(cell(address, name, at));
                    }
                }
            }
        }
    }
}

fn squares(board: &mut BoardPlan, draft: &Draft<'_>, sources: &Sources<'_>) {
    let mut lines: BTreeMap<&str, Vec<(u64, &String)>> = BTreeMap::new();
    for value in &draft.axes[0] {
        if let Some((letter, number)) = order::square(value) {
            lines.entry(letter).or_default().push((number, value));
        }
    }
    lines.values_mut().for_each(|line| line.sort_unstable());
    let numbers: BTreeSet<u64> = lines.values().flatten().map(|(number, _)| *number).collect();
    let cells: usize = lines.values().map(Vec::len).sum();
    if cells == lines.len() * numbers.len() {
        // A full rectangle: as on a chessboard.
        for (x, line) in lines.values().enumerate() {
            for (number, value) in line {
                let below = numbers.range(number + 1..).count();
                board.cells.push(cell(vec![(*value).clone()], (*value).clone(), [x as f32, below as f32]));
            }
        }
        return;
    }
    // Rows of different lengths: each is moved to where its neighbours are, else to the middle.
    let place: HashMap<&String, (usize, u64)> = lines
        .values()
        .enumerate()
        .flat_map(|(row, line)| line.iter().map(move |(number, value)| (*value, (row, *number))))
        .collect();
    let names: Vec<&String> = place.keys().copied().collect();
    let find = |name: &[String]| names.iter().position(|value| **value == name[0]);
    let mut leans: BTreeMap<usize, Vec<f32>> = BTreeMap::new();
    for relation in sources.cell_relations(1, &find) {
        for (from, to) in relation {
            let ((row, left), (below, right)) = (place[names[from]], place[names[to]]);
            if below == row + 1 || row == below + 1 {
                let (upper, left, right) =
                    if below > row { (row, left, right) } else { (below, right, left) };
                if left.abs_diff(right) <= 6 {
                    leans.entry(upper).or_default().push(left as f32 - right as f32);
                }
            }
        }
    }
    let (mut offset, mut offsets) = (0.0, BTreeSet::new());
    let known = lines.len() > 1 && (0..lines.len() - 1).all(|row| leans.contains_key(&row));
    for (row, line) in lines.values().enumerate() {
        if known && row > 0 {
            let lean = &leans[&(row - 1)];
            offset += (2.0 * lean.iter().sum::<f32>() / lean.len() as f32).round() / 2.0;
        } else if !known {
            let (first, last) = (line[0].0 as f32, line[line.len() - 1].0 as f32);
            offset = -(first + last) / 2.0;
        }
        offsets.insert((offset * 2.0) as i32);
        for (number, value) in line {
            let at = [*number as f32 + offset, row as f32];
            board.cells.push(cell(vec![(*value).clone()], (*value).clone(), at));
        }
    }
    if offsets.len() > 1 {
        board.style = Style::Hex;
    }
}

fn rings(board: &mut BoardPlan, draft: &Draft<'_>, sources: &Sources<'_>) {
    let exists = existing(draft);
    for (ring, outer) in draft.axes[0].iter().enumerate() {
        for name in &draft.axes[1] {
            let Some((x, y)) = order::compass(name) else { continue };
            let address = vec![outer.clone(), name.clone()];
            if exists.as_ref().is_none_or(|exists| exists.contains(&address)) {
                let far = (ring + 1) as f32;
                let label = format!("{outer} {name}");
                board.cells.push(cell(address, label, [f32::from(x) * far, f32::from(y) * far]));
            }
        }
    }
    board.style = Style::Point;
    let find: HashMap<&[String], usize> =
        board.cells.iter().enumerate().map(|(at, cell)| (&cell.address[..], at)).collect();
    let relations = sources.cell_relations(2, &|address: &[String]| find.get(address).copied());
    board.lines = lines(board, &relations).unwrap_or_default();
}

fn track(board: &mut BoardPlan, draft: &Draft<'_>, sources: &Sources<'_>) {
    let axis = &draft.axes[0];
    let count = axis.len();
    let wide = if count <= TRACK_WIDTH { count } else { count.div_ceil(count.div_ceil(TRACK_WIDTH)) };
    for (number, value) in axis.iter().enumerate() {
        let at = [(number % wide) as f32, (number / wide) as f32 * 2.0];
        board.cells.push(cell(vec![value.clone()], value.clone(), at));
        board.columns.push(Caption { text: value.clone(), at: [at[0], at[1] + 1.0] });
    }
    // What has a content of its own is a place even where places are numbered.
    let places = draft.parts.iter().any(|part| part.content.len() >= 2) || sources.is_graph(axis);
    let edges = if places { sources.graph(axis) } else { None };
    let round = edges.is_some() || (draft.cyclic && count >= 5);
    if round {
        let ring = |number: usize| {
            let turn = number as f32 / count as f32 * std::f32::consts::TAU;
            let radius = (count as f32 / std::f32::consts::TAU * 1.25).max(1.2);
            [radius * turn.sin(), -radius * turn.cos()]
        };
        let mut places: Vec<[f32; 2]> = (0..count).map(ring).collect();
        if let Some(edges) = edges {
            graph::settle(&mut places, &edges);
            board.lines = edges;
            board.style = Style::Point;
        }
        board.cells.iter_mut().zip(places).for_each(|(cell, at)| cell.at = at);
    }
}

/// The content that stands for nothing: by its name, or as it fills most of a board at the start.
pub(crate) fn empty(layer: &Layer, draft: &Draft<'_>) -> Option<String> {
    let part =
        draft.parts.iter().find(|part| part.fluent.name == layer.name && part.fluent.arity == layer.arity)?;
    let &place = part.content.first()?;
    if !part.says_all_cells() && !part.content.is_empty() && part.content.len() > 1 {
        return None;
    }
    let start = part.fluent.seen.first()?;
    let mut counts: BTreeMap<&String, usize> = BTreeMap::new();
    start.iter().for_each(|values| *counts.entry(&values[place]).or_default() += 1);
    let count = |value: &String| counts.get(value).copied().unwrap_or(0);
    let values = &part.fluent.slots[place].values;
    let named = |words: &[&str]| values.iter().find(|value| words.contains(&value.as_str()));
    if let Some(value) = values.iter().find(|value| means_nothing(value)) {
        return Some(value.clone());
    }
    let most = values.iter().max_by_key(|value| count(value))?;
    let fills = part.says_all_cells() && 2 * count(most) > start.len();
    let short = named(&["b", "e", "f", "o", "0", "dot", "n", "z"]);
    match short {
        Some(value) if 3 * count(value) >= start.len() || (*value == "b" && !fills) => {
            part.says_all_cells().then(|| value.clone())
        }
        _ => fills.then(|| most.clone()),
    }
}

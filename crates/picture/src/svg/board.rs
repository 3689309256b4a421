//! One board as SVG.

use std::fmt::Write;

use super::escaped;
use super::things;
use crate::picture::{Board, Cell};
use crate::plan::{Caption, Style};

/// A drawing and its size in pixels.
pub(super) struct Drawn {
    pub(super) body: String,
    pub(super) size: [f32; 2],
}

const LIGHT: &str = "#f3ead6";
const DARK: &str = "#c7a77d";
const PLAIN: &str = "#eef1f5";
const LINE: &str = "#9aa5b4";
const LAST: &str = "#f7d774";
const BLOCK: &str = "#5d6878";

/// Draws a board with its upper left corner at (0, 0).
pub(super) fn draw(board: &Board, number: usize, side: f32) -> Drawn {
    let squeeze = squeeze(board);
    let all = || board.cells.iter().map(|cell| cell.at);
    let least = |side: usize| all().map(|at| at[side]).fold(f32::MAX, f32::min);
    let most = |side: usize| all().map(|at| at[side]).fold(f32::MIN, f32::max);
    let heading = if board.headings.is_empty() { 0.0 } else { 0.6 * side };
    let title = if board.title.is_some() { 22.0 } else { 0.0 };
    let row_names = board.rows.iter().map(|row| row.text.chars().count()).max().unwrap_or(0);
    let lean = |rows: &[Caption]| rows.iter().map(|row| row.at[0]).fold(0.0, f32::min) + 1.0;
    let left =
        if row_names == 0 { 0.0 } else { row_names as f32 * 7.5 + 8.0 - lean(&board.rows).min(0.0) * side };
    let bottom = if board.columns.is_empty() { 0.0 } else { 20.0 };
    let origin = [least(0), least(1)];
    let place = |at: [f32; 2]| {
        [
            left + (at[0] - origin[0] + 0.5) * side,
            title + heading + ((at[1] - origin[1]) * squeeze + 0.5) * side,
        ]
    };
    let extra = if board.style == Style::Hex { 0.16 * side } else { 0.0 };
    let mut size = [
        left + (most(0) - origin[0] + 1.0) * side,
        title + heading + ((most(1) - origin[1]) * squeeze + 1.0) * side + extra + bottom,
    ];
    let mut body = String::new();
    if let Some(text) = &board.title {
        let _ = write!(
            body,
            r#"<text x="{left:.1}" y="14" font-size="14" font-weight="600" fill="currentColor">{}</text>"#,
            escaped(text)
        );
        size[0] = size[0].max(left + text.chars().count() as f32 * 8.5);
    }
    for &(from, to) in &board.lines {
        line(&mut body, place(board.cells[from].at), place(board.cells[to].at), 2.0, LINE);
    }
    for (at, cell) in board.cells.iter().enumerate() {
        let [x, y] = place(cell.at);
        let _ = write!(
            body,
            r#"<g class="cell" data-board="{number}" data-cell="{at}"><title>{}</title>"#,
            escaped(&told(cell))
        );
        ground(&mut body, board, cell, [x, y], side);
        if board.style != Style::Point {
            things::draw(&mut body, cell, [x, y], side, board.style);
        }
        body.push_str("</g>");
    }
    if let Some([columns, rows]) = board.blocks.filter(|_| board.style == Style::Square) {
        let [right, down] = [most(0) + 0.5, most(1) + 0.5];
        let [start, top] = [origin[0] - 0.5, origin[1] - 0.5];
        let mut rule = |from: [f32; 2], to: [f32; 2]| line(&mut body, place(from), place(to), 2.5, BLOCK);
        for at in thick(start, right, columns) {
            rule([at, top], [at, down]);
        }
        for at in thick(top, down, rows) {
            rule([start, at], [right, at]);
        }
    }
    for edge in &board.edges {
        line(
            &mut body,
            place(board.cells[edge.from].at),
            place(board.cells[edge.to].at),
            5.0,
            things::ink(board, &edge.name),
        );
    }
    if board.style == Style::Point {
        for cell in &board.cells {
            things::draw(&mut body, cell, place(cell.at), side, board.style);
        }
    }
    let mut caption = |text: &str, [x, y]: [f32; 2], anchor: &str| {
        let _ = write!(
            body,
            r#"<text x="{x:.1}" y="{y:.1}" font-size="11" text-anchor="{anchor}" fill="currentColor" opacity="0.65">{}</text>"#,
            escaped(text)
        );
    };
    let crowded =
        board.columns.iter().map(|column| column.text.chars().count()).max().unwrap_or(0) as f32 * 6.5 > side;
    for (number, column) in board.columns.iter().enumerate() {
        // Round tracks have their names in the cells' titles only.
        let flat = board.cells.iter().all(|cell| cell.at == cell.flat);
        if flat && !(crowded && number % 2 == 1) {
            let [x, y] = place([column.at[0], column.at[1] - 0.5]);
            caption(&column.text, [x, y + 14.0 + extra], "middle");
        }
    }
    for row in &board.rows {
        let [x, y] = place([row.at[0] + 0.5, row.at[1]]);
        caption(&row.text, [x - 6.0, y + 4.0], "end");
    }
    for heading in &board.headings {
        let [x, y] = place([heading.at[0], heading.at[1] + 0.5]);
        caption(&heading.text, [x, y - 2.0], "middle");
    }
    Drawn { body, size }
}

/// How far apart rows lie, in widths of a cell.
fn squeeze(board: &Board) -> f32 {
    if board.style == Style::Hex {
        return 0.866;
    }
    // Lines that go twice as far along a row as to the next one make triangles, which look best with equal sides.
    let step = |&(from, to): &(usize, usize)| {
        let (from, to) = (board.cells[from].at, board.cells[to].at);
        [(from[0] - to[0]).abs(), (from[1] - to[1]).abs()]
    };
    let steps: Vec<[f32; 2]> = board.lines.iter().map(step).collect();
    let Some(&[_, row]) = steps.iter().find(|step| step[1] > 0.0) else { return 1.0 };
    let fits = |step: &[f32; 2]| *step == [2.0 * row, 0.0] || *step == [row, row];
    let triangles = steps.iter().all(fits) && steps.iter().any(|step| step[1] == 0.0);
    if triangles { 1.732 } else { 1.0 }
}

/// Where thick lines stand, both ends included.
fn thick(from: f32, to: f32, every: u16) -> impl Iterator<Item = f32> {
    let count = ((to - from) / f32::from(every.max(1))).floor() as usize;
    (0..=count).map(move |number| from + number as f32 * f32::from(every.max(1)))
}

fn told(cell: &Cell) -> String {
    let things: Vec<&str> = cell.things.iter().map(|thing| thing.name.as_str()).collect();
    if things.is_empty() { cell.name.clone() } else { format!("{}: {}", cell.name, things.join(", ")) }
}

fn line(body: &mut String, from: [f32; 2], to: [f32; 2], width: f32, colour: &str) {
    let _ = write!(
        body,
        r#"<line x1="{:.1}" y1="{:.1}" x2="{:.1}" y2="{:.1}" stroke="{colour}" stroke-width="{width}" stroke-linecap="round"/>"#,
        from[0], from[1], to[0], to[1]
    );
}

/// The cell itself.
fn ground(body: &mut String, board: &Board, cell: &Cell, [x, y]: [f32; 2], side: f32) {
    let dark = (cell.flat[0] + cell.flat[1]).rem_euclid(2.0) >= 1.0;
    let fill = match () {
        () if cell.last => LAST,
        () if board.checkered && dark => DARK,
        () if board.checkered => LIGHT,
        () => PLAIN,
    };
    match board.style {
        Style::Square => {
            let [left, top] = [x - side / 2.0, y - side / 2.0];
            let _ = write!(
                body,
                r#"<rect x="{left:.1}" y="{top:.1}" width="{side:.1}" height="{side:.1}" fill="{fill}" stroke="{LINE}"/>"#
            );
        }
        Style::Hex => {
            let radius = side * 0.577;
            let corner = |turn: usize| {
                let angle = std::f32::consts::FRAC_PI_3 * turn as f32 + std::f32::consts::FRAC_PI_6;
                format!("{:.1},{:.1}", x + radius * angle.cos(), y + radius * angle.sin())
            };
            let corners: Vec<String> = (0..6).map(corner).collect();
            let _ =
                write!(body, r#"<polygon points="{}" fill="{fill}" stroke="{LINE}"/>"#, corners.join(" "));
        }
        Style::Point => {
            let radius = if cell.last { side * 0.2 } else { side * 0.1 };
            let fill = if cell.last { LAST } else { LINE };
            let _ = write!(
                body,
                r#"<circle cx="{x:.1}" cy="{y:.1}" r="{:.1}" fill="transparent"/><circle cx="{x:.1}" cy="{y:.1}" r="{radius:.1}" fill="{fill}"/>"#,
                side * 0.45
            );
        }
    }
}

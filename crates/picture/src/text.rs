//! Pictures drawn with letters, for a terminal.

use std::collections::BTreeMap;
use std::fmt::Write;

use unicode_width::UnicodeWidthStr;

use crate::glyphs::{told_apart, visible};
use crate::look::Symbol;
use crate::picture::{Board, Card, Cell, Content, Picture, Thing};
use crate::plan::{Caption, Style};

/// How a picture is written.
#[derive(Clone, Copy, Debug)]
pub struct TextOptions {
    /// Whether escape codes for colours are welcome.
    pub colour: bool,
    /// The columns of the terminal.
    pub width: usize,
}

/// What stands for an empty cell.
const EMPTY: &str = "·";
/// What stands for an empty dark cell of a checkered board.
const EMPTY_DARK: &str = ":";

/// Draws a picture.
pub fn draw(picture: &Picture, options: &TextOptions) -> String {
    let drawn: Vec<Vec<Line>> = picture.boards.iter().map(|board| draw_board(board, options)).collect();
    let mut out = String::new();
    for group in side_by_side(drawn, options.width) {
        for line in group {
            out.push_str(line.text.trim_end());
            out.push('\n');
        }
    }
    write_cards(&picture.cards, options, &mut out);
    if out.is_empty() {
        out.push_str("nothing is true here\n");
    }
    out
}

/// A line with escape codes, and how wide it is without them.
#[derive(Clone, Default)]
struct Line {
    text: String,
    width: usize,
}

impl Line {
    fn pad(&mut self, width: usize) {
        if self.width < width {
            self.text.push_str(&" ".repeat(width - self.width));
            self.width = width;
        }
    }

    fn push(&mut self, text: &str, style: &str) {
        self.width += text.width();
        if style.is_empty() {
            self.text.push_str(text);
        } else {
            let _ = write!(self.text, "\x1b[{style}m{text}\x1b[0m");
        }
    }
}

/// Boards that fit stand beside each other.
fn side_by_side(boards: Vec<Vec<Line>>, width: usize) -> Vec<Vec<Line>> {
    let mut rows: Vec<Vec<Line>> = Vec::new();
    for board in boards {
        let wide = board.iter().map(|line| line.width).max().unwrap_or(0);
        if let Some(last) = rows.last_mut() {
            let before = last.iter().map(|line| line.width).max().unwrap_or(0);
            if before + 4 + wide <= width {
                let height = last.len().max(board.len());
                last.resize(height, Line::default());
                for (at, line) in board.into_iter().enumerate() {
                    last[at].pad(before + 4);
                    last[at].text.push_str(&line.text);
                    last[at].width += line.width;
                }
                continue;
            }
        }
        rows.push(board);
    }
    rows
}

/// A cell ready to be drawn.
struct Ink {
    text: String,
    style: String,
}

fn draw_board(board: &Board, options: &TextOptions) -> Vec<Line> {
    let texts = told_apart(&board.looks, options.colour);
    let mut inks: Vec<Ink> =
        board.cells.iter().map(|cell| ink(board, &texts, cell, options.colour)).collect();
    let all = || board.cells.iter().map(|cell| cell.flat[0]);
    let across = all().fold(f32::MIN, f32::max) - all().fold(f32::MAX, f32::min) + 1.0;
    // Names that are too long for the terminal are cut: the cards and `facts` have them whole.
    let room = (options.width.saturating_sub(4) as f32 / across.max(1.0)) as usize;
    for ink in inks.iter_mut().filter(|ink| ink.text.width() + 1 > room.max(2)) {
        ink.text = ink.text.chars().take(room.max(2) - 1).collect();
    }
    let widest = inks.iter().map(|ink| ink.text.width()).max().unwrap_or(1);
    let names = board.columns.iter().map(|column| column.text.width()).max().unwrap_or(0);
    let margin = board.rows.iter().map(|row| row.text.width()).max().map_or(0, |width| width + 2);
    let left = board.cells.iter().map(|cell| cell.flat[0]).fold(f32::MAX, f32::min);
    let right = board.cells.iter().map(|cell| cell.flat[0]).fold(f32::MIN, f32::max);
    let columns = (right - left).max(0.0) + 1.0;
    // Half a cell has to be a whole number of letters, else hexagons do not lean evenly.
    let mut pitch = widest.max(names).max(1) + 1;
    if board.style == Style::Hex && !pitch.is_multiple_of(2) {
        pitch += 1;
    }
    while pitch > widest + 1 && margin + (columns * pitch as f32) as usize > options.width {
        pitch -= 1;
    }
    let x = |at: f32| margin + ((at - left) * pitch as f32).round() as usize;
    let mut rows: BTreeMap<i64, Vec<(usize, &Ink, usize)>> = BTreeMap::new();
    for (number, (cell, ink)) in board.cells.iter().zip(&inks).enumerate() {
        rows.entry((cell.flat[1] * 2.0).round() as i64).or_default().push((x(cell.flat[0]), ink, number));
    }
    let mut captions: BTreeMap<i64, Vec<(usize, &str)>> = BTreeMap::new();
    let names_fit = names < pitch || names == 0;
    let below: Vec<&Caption> = if names_fit { board.columns.iter().collect() } else { Vec::new() };
    for caption in below.into_iter().chain(&board.headings) {
        // Captions in the middle of a cell begin where the cell does.
        let heading = board.headings.iter().any(|other| std::ptr::eq(other, caption));
        let at = if heading { caption.at[0].floor() } else { caption.at[0] };
        captions.entry((caption.at[1] * 2.0).round() as i64).or_default().push((x(at), &caption.text));
    }
    let mut lines: Vec<(i64, Line)> = Vec::new();
    for (row, mut cells) in rows {
        cells.sort_by_key(|(x, ..)| *x);
        let mut line = Line::default();
        if let Some(name) = board.rows.iter().find(|name| (name.at[1] * 2.0).round() as i64 == row) {
            line.push(&" ".repeat(margin - 2 - name.text.width()), "");
            line.push(&name.text, if options.colour { "2" } else { "" });
        }
        for (x, ink, number) in &cells {
            line.pad(*x);
            line.push(&ink.text, &ink.style);
            let linked = board.edges.iter().any(|edge| {
                (edge.from == *number && board.cells[edge.to].flat[0] > board.cells[edge.from].flat[0])
                    || (edge.to == *number && board.cells[edge.from].flat[0] > board.cells[edge.to].flat[0])
            });
            if linked
                && board.edges.iter().any(|edge| {
                    level(board, edge.from, edge.to) && (edge.from == *number || edge.to == *number)
                })
            {
                line.push(&"─".repeat(pitch - ink.text.width().min(pitch - 1)), "");
            }
        }
        lines.push((row, line));
        upright(board, &cells, pitch, row, &mut lines);
    }
    for (row, mut words) in captions {
        words.sort_unstable();
        let mut line = Line::default();
        for (x, text) in words {
            line.pad(x.max(line.width + usize::from(line.width > 0)));
            line.push(text, if options.colour { "2" } else { "" });
        }
        lines.push((row, line));
    }
    lines.sort_by_key(|(row, _)| *row);
    let mut out: Vec<Line> = Vec::new();
    if let Some(title) = &board.title {
        let mut line = Line::default();
        line.push(title, if options.colour { "1" } else { "" });
        out.push(line);
    }
    out.extend(lines.into_iter().map(|(_, line)| line));
    out
}

fn level(board: &Board, from: usize, to: usize) -> bool {
    (board.cells[from].flat[1] - board.cells[to].flat[1]).abs() < 0.1
}

/// A line below a row with the links that lead down, where there are any.
fn upright(board: &Board, cells: &[(usize, &Ink, usize)], _: usize, row: i64, lines: &mut Vec<(i64, Line)>) {
    if board.edges.is_empty() {
        return;
    }
    let mut line = Line::default();
    for &(x, _, number) in cells {
        let down = board.edges.iter().any(|edge| {
            let other = match () {
                () if edge.from == number => edge.to,
                () if edge.to == number => edge.from,
                () => return false,
            };
            board.cells[other].flat[1] > board.cells[number].flat[1] + 0.1
        });
        line.pad(x);
        if down {
            line.push("│", "");
        }
    }
    lines.push((row + 1, line));
}

fn ink(board: &Board, texts: &BTreeMap<String, String>, cell: &Cell, colour: bool) -> Ink {
    let dark = board.checkered && (cell.flat[0] + cell.flat[1]).rem_euclid(2.0) >= 1.0;
    let mut text = String::new();
    let mut rgb = None;
    let mut things: Vec<&Thing> =
        cell.things.iter().filter(|thing| thing.look.symbol != Symbol::Nothing).collect();
    // What is written beside a piece would make all cells wide.
    if things.iter().any(|thing| thing.look.symbol != Symbol::Text) {
        things.retain(|thing| thing.look.symbol != Symbol::Text);
    }
    for thing in things {
        let own = texts.get(&thing.name).cloned();
        text.push_str(
            &own.unwrap_or_else(|| thing.look.glyph.clone().unwrap_or_else(|| thing.look.text.clone())),
        );
        rgb = rgb.or(Some(thing.look.colour));
    }
    let mut style = String::new();
    if text.is_empty() {
        text = if cell.target && colour {
            "•"
        } else if dark {
            EMPTY_DARK
        } else {
            EMPTY
        }
        .to_owned();
        if colour {
            style = if cell.target { "32".to_owned() } else { "2".to_owned() };
        }
    } else if let Some([red, green, blue]) = rgb.filter(|rgb| colour && visible(*rgb)) {
        style = format!("38;2;{red};{green};{blue}");
    }
    if cell.last && colour {
        style = if style.is_empty() || style == "2" { "7".to_owned() } else { format!("{style};7") };
    }
    Ink { text, style }
}

fn write_cards(cards: &[Card], options: &TextOptions, out: &mut String) {
    let mut line = String::new();
    let flush = |line: &mut String, out: &mut String| {
        if !line.is_empty() {
            let _ = writeln!(out, "{line}");
            line.clear();
        }
    };
    for card in cards {
        if let Content::Stacks(stacks) = &card.content {
            flush(&mut line, out);
            for stack in stacks {
                let _ = writeln!(out, "{}: {}", card.title, stack.join(" < "));
            }
            continue;
        }
        let words = match &card.content {
            Content::Values(values) => values.join(", "),
            Content::Pairs(pairs) => {
                let pair = |(key, value): &(String, String)| format!("{key} {value}");
                pairs.iter().map(pair).collect::<Vec<_>>().join(", ")
            }
            Content::Stacks(_) => continue,
        };
        let text = format!("{}: {words}", card.title);
        let wide = line.width() + text.width() + 3;
        if !line.is_empty() && wide > options.width {
            flush(&mut line, out);
        }
        if !line.is_empty() {
            line.push_str(" | ");
        }
        line.push_str(&text);
        if line.width() > options.width {
            wrap(&line, options.width, out);
            line.clear();
        }
    }
    flush(&mut line, out);
}

/// Writes a long line on several, broken between words.
fn wrap(text: &str, width: usize, out: &mut String) {
    let mut line = String::new();
    for word in text.split(' ') {
        if !line.trim().is_empty() && line.width() + 1 + word.width() > width {
            let _ = writeln!(out, "{line}");
            line = "  ".to_owned();
        } else if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    let _ = writeln!(out, "{line}");
}

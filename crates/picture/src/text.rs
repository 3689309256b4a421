//! Pictures drawn with letters, for a terminal.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use bundled::{Board, Piece, Shape};
use unicode_width::UnicodeWidthStr;

use crate::{Grid, Picture};

/// What stands for an empty cell.
const EMPTY: &str = "·";
/// What stands for an empty dark cell of a checkered board.
const EMPTY_DARK: &str = ":";

/// Draws a picture; with escape codes for colours if `colour` is set.
pub fn draw(picture: &Picture<'_>, colour: bool) -> String {
    let mut out = String::new();
    for (index, grid) in picture.grids.iter().enumerate() {
        if index > 0 {
            out.push('\n');
        }
        if let Some(title) = &grid.board.title {
            out.push_str(title);
            out.push('\n');
        }
        draw_grid(grid, colour, &mut out);
    }
    let shown: Vec<String> = picture
        .counters
        .iter()
        .filter(|(_, values)| !values.is_empty())
        .map(|(label, values)| format!("{label}: {}", values.join(", ")))
        .collect();
    if !shown.is_empty() {
        let _ = writeln!(out, "{}", shown.join(" | "));
    }
    out
}

/// A cell ready to be drawn.
struct Ink {
    text: String,
    rgb: Option<[u8; 3]>,
}

fn draw_grid(grid: &Grid<'_>, colour: bool, out: &mut String) {
    let board = grid.board;
    let glyphs = glyphs(board, colour);
    let row = |(row, cells): (usize, &Vec<Vec<String>>)| -> Vec<Ink> {
        cells.iter().enumerate().map(|(at, cell)| ink(board, &glyphs, cell, (row + at) % 2 == 1)).collect()
    };
    let cells: Vec<Vec<Ink>> = grid.cells.iter().enumerate().map(row).collect();
    let texts = cells.iter().flatten().map(|ink| ink.text.width());
    let width = texts.chain(board.columns.iter().map(|name| name.width())).max().unwrap_or(1).max(1);
    let margin = board.rows.iter().map(|name| name.width()).max().unwrap_or(0);
    for (row, (cells, name)) in cells.iter().zip(&board.rows).enumerate() {
        let shift = shift(board.shape, row, width);
        let _ = write!(out, "{}{name}  {}", blanks(margin - name.width()), blanks(shift));
        let last = cells.iter().rposition(|ink| !ink.text.is_empty()).map_or(0, |last| last + 1);
        for (column, ink) in cells[..last].iter().enumerate() {
            let gap = if column + 1 == last { 0 } else { width - ink.text.width() + 1 };
            match ink.rgb.filter(|_| colour) {
                Some([red, green, blue]) => {
                    let _ = write!(out, "\x1b[38;2;{red};{green};{blue}m{}\x1b[0m", ink.text);
                }
                None => out.push_str(&ink.text),
            }
            out.push_str(&blanks(gap));
        }
        out.push('\n');
    }
    let columns: Vec<String> =
        board.columns.iter().map(|name| format!("{name}{}", blanks(width - name.width()))).collect();
    let shift = shift(board.shape, board.rows.len(), width);
    let _ = writeln!(out, "{}  {}{}", blanks(margin), blanks(shift), columns.join(" ").trim_end());
}

/// How far a row stands to the right of the first.
fn shift(shape: Shape, row: usize, width: usize) -> usize {
    match shape {
        Shape::Square => 0,
        Shape::Hex => row * (width + 1) / 2,
    }
}

fn blanks(count: usize) -> String {
    " ".repeat(count)
}

/// What each piece is drawn as. Pieces that would look the same, as red and blue discs do without
/// colours, are told apart by the first letters of their names, or else by the names.
fn glyphs(board: &Board, colour: bool) -> BTreeMap<&str, String> {
    let mut alike: BTreeMap<(&str, Option<[u8; 3]>), Vec<&str>> = BTreeMap::new();
    for (name, piece) in &board.pieces {
        let rgb = visible_colour(piece).filter(|_| colour);
        alike.entry((&piece.glyph, rgb)).or_default().push(name);
    }
    let mut glyphs = BTreeMap::new();
    for ((glyph, _), names) in alike {
        let first = |name: &&str| name.chars().next().unwrap_or('?').to_string();
        let letters: BTreeSet<String> = names.iter().map(first).collect();
        for name in &names {
            let drawn = if names.len() == 1 || glyph.is_empty() {
                glyph.to_owned()
            } else if letters.len() == names.len() {
                first(name)
            } else {
                (*name).to_owned()
            };
            glyphs.insert(*name, drawn);
        }
    }
    glyphs
}

fn ink(board: &Board, glyphs: &BTreeMap<&str, String>, cell: &[String], dark: bool) -> Ink {
    let empty = || if board.checkered && dark { EMPTY_DARK } else { EMPTY }.to_owned();
    let [first, ..] = cell else {
        // Where the metadata says how an empty cell looks, one that no fact speaks of is no part
        // of the board: the corners around a star.
        let says_empty = board.pieces.values().any(|piece| piece.glyph.is_empty() || piece.glyph == EMPTY);
        return Ink { text: if says_empty { String::new() } else { empty() }, rgb: None };
    };
    let text: String = cell.iter().map(|name| glyphs.get(name.as_str()).unwrap_or(name).as_str()).collect();
    if text.is_empty() {
        return Ink { text: empty(), rgb: None };
    }
    Ink { text, rgb: board.pieces.get(first).and_then(visible_colour) }
}

/// The piece's colour, unless it is so near to black, white or grey that it might vanish on the
/// terminal's background.
fn visible_colour(piece: &Piece) -> Option<[u8; 3]> {
    let rgb = piece.rgb()?;
    let (low, high) = (rgb.iter().min()?, rgb.iter().max()?);
    (high - low >= 64).then_some(rgb)
}

#[cfg(test)]
mod tests {
    use bundled::Metadata;

    use super::*;

    fn drawn(board: &str, facts: &[&str], colour: bool) -> String {
        let text = format!(
            "name = 't'\ndescription = ''\nplayers = 1\ntags = []\nsource = ''\nperft_source = ''\n{board}"
        );
        let metadata = Metadata::parse("test", &text).expect("good metadata");
        let facts: Vec<String> = facts.iter().map(|&fact| fact.to_owned()).collect();
        draw(&Picture::read(&metadata, &facts), colour)
    }

    const SQUARE: &str = "[[board]]\nshape = 'square'\ncell = '(cell ?column ?row ?piece)'\n
        columns = ['a', 'b']\nrows = ['2', '1']\n[board.pieces]\nx = { glyph = 'X', colour = '#ff0000' }\n";

    #[test]
    fn a_square_board() {
        let text = drawn(SQUARE, &["(cell a 2 x)", "(cell b 1 o)"], false);
        assert_eq!(text, "2  X ·\n1  · o\n   a b\n");
    }

    #[test]
    fn colours_only_where_asked_for() {
        let text = drawn(SQUARE, &["(cell a 2 x)"], true);
        assert!(text.starts_with("2  \x1b[38;2;255;0;0mX\x1b[0m ·\n"), "{text:?}");
    }

    #[test]
    fn pieces_that_look_alike_are_told_apart() {
        let board = format!(
            "{SQUARE}red = {{ glyph = '●', colour = '#ff0000' }}\nblue = {{ glyph = '●', colour = '#0000ff' }}\n"
        );
        let facts = ["(cell a 2 red)", "(cell b 2 blue)", "(cell a 1 x)"];
        assert_eq!(drawn(&board, &facts, false), "2  r b\n1  X ·\n   a b\n");
        assert!(drawn(&board, &facts, true).contains('●'));
        let facts = ["(cell a 2 red)", "(cell b 2 rose)"];
        assert_eq!(
            drawn(&board.replace("blue", "rose"), &facts, false),
            "2  red  rose\n1  ·    ·\n   a    b\n"
        );
    }

    #[test]
    fn a_hexagonal_board_leans_to_the_right() {
        let text = drawn(&SQUARE.replace("square", "hex"), &["(cell a 2 x)"], false);
        assert_eq!(text, "2  X ·\n1   · ·\n     a b\n");
    }

    #[test]
    fn cells_of_no_fact_are_blank_where_empty_is_said() {
        let board = format!("{SQUARE}e = {{ glyph = '' }}\n");
        assert_eq!(drawn(&board, &["(cell a 2 e)", "(cell b 1 x)"], false), "2  ·\n1    X\n   a b\n");
    }

    #[test]
    fn counters_stand_below() {
        let board = "[[counter]]\nlabel = 'To move'\nfact = '(control ?value)'\n";
        assert_eq!(drawn(board, &["(control white)"], false), "To move: white\n");
    }
}

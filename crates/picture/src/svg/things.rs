//! What stands in a cell, as SVG.

use std::fmt::Write;

use super::escaped;
use crate::look::Symbol;
use crate::picture::{Board, Cell, Thing};
use crate::plan::Style;
use crate::symbols;
use crate::vocabulary::{BLACK, WHITE};

/// The colour of a link by its name.
pub(super) fn ink(board: &Board, name: &str) -> &'static str {
    let colour = board.looks.get(name).map(|look| look.colour);
    match colour {
        Some([0xdc, 0x26, 0x26]) => "#dc2626",
        Some([0x25, 0x63, 0xeb]) => "#2563eb",
        _ => "#334155",
    }
}

fn hex(colour: [u8; 3]) -> String {
    format!("#{:02x}{:02x}{:02x}", colour[0], colour[1], colour[2])
}

/// A line around a colour that can be seen on any ground.
fn outline(colour: [u8; 3]) -> &'static str {
    if colour == BLACK {
        "#0b0f16"
    } else if colour == WHITE {
        "#3b4453"
    } else {
        "#1f2937"
    }
}

/// Where a fluent speaks of one side of a cell: to the right and down, and a sign to write there.
fn border(name: &str) -> Option<([f32; 2], Option<&'static str>)> {
    let ends = |words: &[&str]| words.iter().any(|word| name.ends_with(word));
    let side = if ends(&["north", "above", "_up"]) {
        [0.0, -1.0]
    } else if ends(&["east", "right"]) {
        [1.0, 0.0]
    } else if ends(&["south", "below", "_down"]) {
        [0.0, 1.0]
    } else if ends(&["west", "left"]) {
        [-1.0, 0.0]
    } else {
        return None;
    };
    let has = |word: &str| name.split('_').any(|part| part == word);
    let sign = match (has("gt"), has("lt"), side[0] != 0.0) {
        (true, false, true) => Some("›"),
        (false, true, true) => Some("‹"),
        (true, false, false) => Some("∨"),
        (false, true, false) => Some("∧"),
        _ => None,
    };
    Some((side, sign))
}

/// Draws what stands in a cell around its middle.
pub(super) fn draw(body: &mut String, cell: &Cell, [x, y]: [f32; 2], side: f32, style: Style) {
    let (borders, inside): (Vec<&Thing>, Vec<&Thing>) = cell
        .things
        .iter()
        .filter(|thing| thing.look.symbol != Symbol::Nothing)
        .partition(|thing| border(&thing.name).is_some());
    let whole = |thing: &&&Thing| {
        matches!(thing.look.symbol, Symbol::Block | Symbol::Burnt | Symbol::Lamp | Symbol::Dark)
    };
    for thing in inside.iter().filter(whole) {
        fill(body, thing, [x, y], side, style);
    }
    let mut small: Vec<&&Thing> = inside.iter().filter(|thing| !whole(thing)).collect();
    // What is written beside a piece is written small.
    if small.iter().any(|thing| thing.look.symbol != Symbol::Text) {
        let mut corner = 0.0;
        small.retain(|thing| {
            let written = thing.look.symbol == Symbol::Text;
            if written {
                text(
                    body,
                    &thing.look.text,
                    [x + side * 0.36, y + side * (0.38 - corner)],
                    side * 0.2,
                    "#475569",
                );
                corner += 0.2;
            }
            !written
        });
    }
    let (scale, spread) = match small.len() {
        0 | 1 => (1.0, 0.0),
        2 => (0.62, 0.23),
        _ => (0.5, 0.25),
    };
    for (number, thing) in small.iter().enumerate().take(4) {
        let [right, down] = match small.len() {
            0 | 1 => [0.0, 0.0],
            2 => [if number == 0 { -spread } else { spread }, 0.0],
            _ => [if number % 2 == 0 { -spread } else { spread }, if number < 2 { -spread } else { spread }],
        };
        let at = [x + (right + thing.shift[0]) * side, y + (down + thing.shift[1]) * side];
        symbol(body, thing, at, side * scale);
    }
    if small.len() > 4 {
        let _ = write!(
            body,
            r#"<text x="{:.1}" y="{:.1}" font-size="{:.1}">+{}</text>"#,
            x + side * 0.2,
            y + side * 0.45,
            side * 0.22,
            small.len() - 4
        );
    }
    for thing in borders {
        if let Some((way, sign)) = border(&thing.name) {
            let at = [x + way[0] * side * 0.5, y + way[1] * side * 0.5];
            match sign {
                Some(sign) => text(body, sign, at, side * 0.5, "#b45309"),
                None => {
                    let half = [way[1] * side * 0.5, way[0] * side * 0.5];
                    let _ = write!(
                        body,
                        r##"<line x1="{:.1}" y1="{:.1}" x2="{:.1}" y2="{:.1}" stroke="#334155" stroke-width="4" stroke-linecap="round"/>"##,
                        at[0] - half[0],
                        at[1] - half[1],
                        at[0] + half[0],
                        at[1] + half[1]
                    );
                }
            }
        }
    }
    if cell.target {
        let (radius, opacity) = if inside.is_empty() { (0.13, 0.75) } else { (0.46, 0.0) };
        let _ = write!(
            body,
            r##"<circle class="target" cx="{x:.1}" cy="{y:.1}" r="{:.1}" fill="#16a34a" fill-opacity="{opacity}" stroke="#16a34a" stroke-width="2"/>"##,
            radius * side
        );
    }
}

/// Fills a whole cell: walls, burnt squares, lamps.
fn fill(body: &mut String, thing: &Thing, [x, y]: [f32; 2], side: f32, style: Style) {
    let (colour, opacity) = match thing.look.symbol {
        Symbol::Block => ([0x47, 0x50, 0x5f], 1.0),
        Symbol::Lamp => ([0xfb, 0xd3, 0x4d], 1.0),
        Symbol::Dark => ([0x47, 0x50, 0x5f], 0.85),
        _ => (thing.look.colour, 0.55),
    };
    let half = side * if style == Style::Square { 0.46 } else { 0.36 };
    let _ = write!(
        body,
        r#"<rect x="{:.1}" y="{:.1}" width="{:.1}" height="{:.1}" rx="3" fill="{}" fill-opacity="{opacity}"/>"#,
        x - half,
        y - half,
        2.0 * half,
        2.0 * half,
        hex(colour)
    );
    if thing.look.symbol == Symbol::Burnt {
        let arm = side * 0.22;
        let _ = write!(
            body,
            r##"<path d="M{:.1},{:.1} L{:.1},{:.1} M{:.1},{:.1} L{:.1},{:.1}" stroke="#3b4453" stroke-width="2.5" stroke-linecap="round"/>"##,
            x - arm,
            y - arm,
            x + arm,
            y + arm,
            x + arm,
            y - arm,
            x - arm,
            y + arm
        );
    }
}

fn text(body: &mut String, text: &str, [x, y]: [f32; 2], size: f32, fill: &str) {
    let _ = write!(
        body,
        r#"<text x="{x:.1}" y="{:.1}" font-size="{size:.1}" text-anchor="middle" fill="{fill}">{}</text>"#,
        y + size * 0.36,
        escaped(text)
    );
}

fn symbol(body: &mut String, thing: &Thing, [x, y]: [f32; 2], side: f32) {
    let colour = hex(thing.look.colour);
    let outline = outline(thing.look.colour);
    let width = (side * 0.035).max(1.0);
    match thing.look.symbol {
        Symbol::Disc | Symbol::Crowned => {
            let _ = write!(
                body,
                r#"<circle cx="{x:.1}" cy="{y:.1}" r="{:.1}" fill="{colour}" stroke="{outline}" stroke-width="{width:.1}"/>"#,
                side * if thing.mark { 0.2 } else { 0.38 }
            );
            if thing.look.symbol == Symbol::Crowned {
                let crown = if thing.look.colour == WHITE { "#b45309" } else { "#fde68a" };
                let _ = write!(
                    body,
                    r#"<path transform="translate({x:.1},{y:.1}) scale({:.3})" d="M-22,14 L-24,-12 L-10,2 L0,-18 L10,2 L24,-12 L22,14 Z" fill="{crown}" stroke="{outline}"/>"#,
                    side / 100.0
                );
            }
        }
        Symbol::Ring => {
            let _ = write!(
                body,
                r#"<circle cx="{x:.1}" cy="{y:.1}" r="{:.1}" fill="none" stroke="{colour}" stroke-width="{:.1}"/>"#,
                side * 0.3,
                side * 0.1
            );
        }
        Symbol::Cross => {
            let arm = side * 0.28;
            let _ = write!(
                body,
                r#"<path d="M{:.1},{:.1} L{:.1},{:.1} M{:.1},{:.1} L{:.1},{:.1}" stroke="{colour}" stroke-width="{:.1}" stroke-linecap="round"/>"#,
                x - arm,
                y - arm,
                x + arm,
                y + arm,
                x + arm,
                y - arm,
                x - arm,
                y + arm,
                side * 0.1
            );
        }
        Symbol::Text | Symbol::Nothing => {
            let letters = thing.look.text.chars().count().max(1) as f32;
            let size = side * (0.95 / letters).clamp(0.22, 0.52);
            let fill = if thing.look.colour == WHITE { "#3b4453".to_owned() } else { colour };
            text(body, &thing.look.text, [x, y], size, &fill);
        }
        other => {
            let scale = side / 100.0;
            let _ = write!(
                body,
                r#"<g transform="translate({x:.1},{y:.1}) scale({scale:.3})" fill="{colour}" stroke="{outline}" stroke-width="2.5" stroke-linejoin="round">"#
            );
            for path in symbols::paths(other) {
                let _ = write!(body, r#"<path d="{path}"/>"#);
            }
            body.push_str("</g>");
            let number: String = thing.name.chars().rev().take_while(char::is_ascii_digit).collect();
            if !number.is_empty() && !thing.mark {
                let number: String = number.chars().rev().collect();
                text(body, &number, [x + side * 0.28, y + side * 0.28], side * 0.3, "#111827");
            }
        }
    }
}

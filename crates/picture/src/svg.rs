//! Pictures drawn as SVG: one string without anything loaded from elsewhere.
//!
//! Every cell is a group of class `cell` with `data-board` and `data-cell`, so that a page can tell which
//! one was clicked.

mod board;
mod things;

use std::fmt::Write;

use crate::picture::{Card, Content, Picture};

/// How every picture begins, and how its first tag ends.
const HEAD: &str = r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 "#;
const FONT: &str = r#"font-family="system-ui, 'DejaVu Sans', sans-serif""#;

/// How a picture is drawn.
#[derive(Clone, Copy, Debug)]
pub struct SvgOptions {
    /// The width of a cell in pixels.
    pub cell: f32,
    /// The width that boards beside each other may have, in pixels.
    pub width: f32,
    /// Whether roles, scores and cards are written below the boards.
    pub words: bool,
}

impl Default for SvgOptions {
    fn default() -> Self {
        Self { cell: 44.0, width: 760.0, words: true }
    }
}

const MARGIN: f32 = 12.0;
const GAP: f32 = 24.0;
const LINE: f32 = 20.0;
/// How wide a letter of the words below is, more or less.
const LETTER: f32 = 7.2;

/// Draws a picture.
pub fn draw(picture: &Picture, options: &SvgOptions) -> String {
    let cell = if options.cell.is_finite() { options.cell.clamp(4.0, 400.0) } else { 44.0 };
    let mut body = String::new();
    let (mut x, mut y, mut row_height, mut width) = (MARGIN, MARGIN, 0.0f32, 0.0f32);
    for (number, board) in picture.boards.iter().enumerate() {
        let rows = board.cells.iter().map(|cell| cell.at[1]).fold(0.0, f32::max);
        let drawn = board::draw(board, number, cell.min((700.0 / (rows + 1.0)).max(12.0)));
        if x > MARGIN && x + drawn.size[0] > options.width {
            x = MARGIN;
            y += row_height + GAP;
            row_height = 0.0;
        }
        let _ = write!(body, r#"<g transform="translate({x:.1},{y:.1})">{}</g>"#, drawn.body);
        width = width.max(x + drawn.size[0]);
        x += drawn.size[0] + GAP;
        row_height = row_height.max(drawn.size[1]);
    }
    y += row_height;
    if options.words {
        for line in words(picture, (width.max(320.0) / LETTER) as usize) {
            y += LINE;
            let _ = write!(
                body,
                r#"<text x="{MARGIN}" y="{y:.1}" font-size="13" fill="currentColor">{}</text>"#,
                escaped(&line)
            );
            width = width.max(line.chars().count() as f32 * LETTER + MARGIN);
        }
    }
    let (width, height) = (width + MARGIN, y + MARGIN);
    format!(
        r##"{HEAD}{width:.0} {height:.0}" width="{width:.0}" height="{height:.0}" role="img" color="#1f2937" {FONT}><title>{}</title>{body}</svg>"##,
        escaped(&title(picture))
    )
}

/// Whether a text is a picture as it is drawn here: it begins like one.
pub fn is_ours(text: &str) -> bool {
    let first_tag = text.split('>').next().unwrap_or_default();
    first_tag.starts_with(HEAD) && first_tag.ends_with(FONT)
}

/// Small pictures in rows with their names above, as one: `pictures` are names and what [`draw`] made.
pub fn sheet(pictures: &[(String, String)], columns: usize, side: f32) -> String {
    let columns = columns.max(1);
    let (width, height) = (columns as f32 * side, pictures.len().div_ceil(columns) as f32 * side);
    let mut body = String::new();
    for (number, (name, picture)) in pictures.iter().enumerate() {
        let (x, y) = ((number % columns) as f32 * side, (number / columns) as f32 * side);
        let _ = write!(
            body,
            r#"<text x="{:.1}" y="{:.1}" font-size="9">{}</text>"#,
            x + 3.0,
            y + 10.0,
            escaped(name)
        );
        // The size that it has by itself gives way to that of its place; its view box stays.
        let Some((head, rest)) = picture.split_once(" width=\"") else { continue };
        let Some((_, rest)) = rest.split_once(" role=") else { continue };
        let (left, top, room) = (x + 4.0, y + 14.0, side - 18.0);
        let _ = write!(
            body,
            r#"{head} x="{left:.1}" y="{top:.1}" width="{room:.1}" height="{room:.1}" role={}"#,
            rest.trim_end()
        );
    }
    format!(
        r#"{HEAD}{width:.0} {height:.0}" width="{width:.0}" height="{height:.0}" {FONT}><rect width="100%" height="100%" fill="white"/>{body}</svg>"#
    )
}

fn title(picture: &Picture) -> String {
    let boards = picture.boards.len();
    let step = picture.step.map_or_else(String::new, |step| format!(" after {step} moves"));
    match boards {
        0 => format!("position{step}"),
        1 => format!("board{step}"),
        _ => format!("{boards} boards{step}"),
    }
}

/// What is written below the boards.
fn words(picture: &Picture, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut told: Vec<String> = picture.step.map(|step| format!("step {step}")).into_iter().collect();
    for role in &picture.roles {
        let mut text = role.name.clone();
        if let Some(score) = role.score {
            let _ = write!(text, " {score}");
        }
        if role.to_move {
            text.push_str(" to move");
        }
        if role.score.is_some() || role.to_move {
            told.push(text);
        }
    }
    let last: Vec<String> = picture
        .roles
        .iter()
        .filter_map(|role| Some((role, role.last.as_ref()?)))
        .filter(|(_, last)| *last != "noop")
        .map(|(role, last)| format!("{}: {last}", role.name))
        .collect();
    if !last.is_empty() {
        told.push(format!("last {}", last.join(", ")));
    }
    if !told.is_empty() {
        lines.push(told.join(" · "));
    }
    lines.extend(picture.cards.iter().flat_map(card));
    lines.iter().flat_map(|line| wrapped(line, width.max(20))).collect()
}

fn card(card: &Card) -> Vec<String> {
    match &card.content {
        Content::Values(values) => vec![format!("{}: {}", card.title, values.join(", "))],
        Content::Pairs(pairs) => {
            let pairs: Vec<String> = pairs.iter().map(|(key, value)| format!("{key} {value}")).collect();
            vec![format!("{}: {}", card.title, pairs.join(", "))]
        }
        Content::Stacks(stacks) => {
            stacks.iter().map(|stack| format!("{}: {}", card.title, stack.join(" ‹ "))).collect()
        }
    }
}

fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// A text as it may stand in SVG.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            // Letters that no XML may have.
            letter if letter.is_control() => out.push(' '),
            letter => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_escaped() {
        assert_eq!(escaped("<a & \"b\">\u{1}"), "&lt;a &amp; &quot;b&quot;&gt; ");
    }

    #[test]
    fn pictures_are_put_on_a_sheet() {
        let picture = Picture { boards: Vec::new(), cards: Vec::new(), roles: Vec::new(), step: Some(3) };
        let svg = draw(&picture, &SvgOptions::default());
        assert!(is_ours(&svg));
        let sheet = sheet(&[("a".to_owned(), svg.clone()), ("b".to_owned(), svg)], 2, 100.0);
        assert!(sheet.contains("x=\"104.0\" y=\"14.0\" width=\"82.0\""), "{sheet}");
        assert_eq!((sheet.matches("<svg").count(), sheet.matches("</svg>").count()), (3, 3));
        assert!(is_ours(&sheet) && !is_ours("<svg xmlns=\"http://www.w3.org/2000/svg\"></svg>"));
    }

    #[test]
    fn long_lines_are_broken() {
        assert_eq!(wrapped("aa bb cc", 5), ["aa bb", "cc"]);
    }
}

//! Whatever stands in a text, every question about every place has an answer.

use gdl::{Fix, Span};
use language::{Document, Encoding};

/// The same numbers every time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit.max(1)
    }
}

const SHEET: &str = include_str!("../../../games/tic-tac-toe/rules.kif");
const VIDEO: &str = "BasicGame\n    SpriteSet\n        wall > Immovable\n        me > MovingAvatar\n    InteractionSet\n        \
                     me wall > stepBack\n    TerminationSet\n        Timeout limit=9 win=True\n    LevelMapping\n        w > wall\n";
const PIECES: [&str; 14] =
    ["(", ")", "?", "?x", ";", "\n", "\r\n(", " ", "ß", "𝄞", "(not", "(and ", "\u{0}", "(<= "];

/// A text with a few slips.
fn broken(text: &str, numbers: &mut Numbers) -> String {
    let mut text = text.to_owned();
    for _ in 0..1 + numbers.below(6) {
        let at = text.floor_char_boundary(numbers.below(text.len()));
        let end = text.floor_char_boundary((at + numbers.below(12)).min(text.len()));
        let piece = PIECES[numbers.below(PIECES.len())];
        match numbers.below(3) {
            0 => text.insert_str(at, piece),
            1 => text.replace_range(at..end, ""),
            _ => text.replace_range(at..end, piece),
        }
    }
    text
}

fn ask_everything(document: &Document, at: u32) {
    let text = document.source().text();
    let inside = |span: Span| assert!(text.get(span.range()).is_some(), "{span:?} of {} bytes", text.len());
    document.hover(at).into_iter().for_each(|hover| inside(hover.span));
    document.definitions(at).into_iter().for_each(inside);
    document.references(at).into_iter().for_each(inside);
    document.completions(at).iter().for_each(|completion| inside(completion.span));
    for (_, fix) in document.fixes(Span { start: at, end: at }) {
        fix.edits.iter().for_each(|edit| inside(edit.span));
        Document::new("fixed", fix.apply(text));
    }
    if let Ok(edits) = document.rename(at, "?new").or_else(|_| document.rename(at, "new")) {
        assert!(!edits.is_empty());
        let renamed = Fix::new("", edits).apply(text);
        // Another name changes nothing else: as many findings, and as many rules.
        assert_eq!(Document::new("renamed", renamed).outline().len(), document.outline().len());
    }
    let lines = document.lines(Encoding::Utf16);
    let place = lines.position(text, at);
    assert!(lines.offset(text, place) <= text.len() as u32);
}

#[test]
fn no_text_and_no_place_is_too_strange() {
    let mut numbers = Numbers(7);
    for round in 0..150 {
        let text = broken(if round % 5 == 0 { VIDEO } else { SHEET }, &mut numbers);
        let document = Document::new(if round % 2 == 0 { "a.kif" } else { "b.txt" }, text.clone());
        for entry in document.outline() {
            assert!(text.get(entry.span.range()).is_some() && text.get(entry.head.range()).is_some());
        }
        if let Some(edit) = document.formatting() {
            let tidy = Document::new(document.source().name(), Fix::new("", vec![edit]).apply(&text));
            assert!(tidy.formatting().is_none(), "formatting twice changes nothing:\n{text}");
        }
        for _ in 0..25 {
            ask_everything(&document, numbers.below(text.len() + 3) as u32);
        }
        ask_everything(&document, u32::MAX);
    }
}

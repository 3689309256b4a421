//! What stands for things in a terminal.

use std::collections::{BTreeMap, BTreeSet};

use crate::look::{Look, Symbol};
use crate::vocabulary::WHITE;

/// What stands for a symbol in a terminal; light pieces are hollow.
pub(crate) fn glyph(symbol: Symbol, colour: [u8; 3]) -> Option<&'static str> {
    let light = colour == WHITE;
    let pick = |hollow, full| if light { hollow } else { full };
    Some(match symbol {
        Symbol::Disc => pick("○", "●"),
        Symbol::Crowned => pick("◎", "◉"),
        Symbol::Ring => "O",
        Symbol::Cross => "X",
        Symbol::King => pick("♔", "♚"),
        Symbol::Queen => pick("♕", "♛"),
        Symbol::Rook => pick("♖", "♜"),
        Symbol::Bishop => pick("♗", "♝"),
        Symbol::Knight => pick("♘", "♞"),
        Symbol::Pawn => pick("♙", "♟"),
        Symbol::Block => "█",
        Symbol::Burnt => "×",
        Symbol::Star => "★",
        Symbol::Gem => "◆",
        Symbol::Person => "☺",
        Symbol::Lamp => "☼",
        Symbol::Dark | Symbol::Nothing => "·",
        Symbol::Door => "∩",
        Symbol::Flag => "⚑",
        Symbol::Crate => "■",
        Symbol::Monster | Symbol::Animal | Symbol::Bomb | Symbol::Flame | Symbol::Text => return None,
    })
}

/// Gives things that would look the same in a terminal different texts: by their first letters, else by their
/// short names, else by their names. With colours it is enough that they differ in one of both.
pub(crate) fn told_apart(looks: &BTreeMap<String, Look>, colour: bool) -> BTreeMap<String, String> {
    let drawn = |look: &Look| look.glyph.clone().unwrap_or_else(|| look.text.clone());
    let mut alike: BTreeMap<(String, Option<[u8; 3]>), Vec<&String>> = BTreeMap::new();
    for (name, look) in looks {
        let rgb = Some(look.colour).filter(|_| colour && visible(look.colour));
        alike.entry((drawn(look), rgb)).or_default().push(name);
    }
    let mut texts = BTreeMap::new();
    for ((glyph, _), names) in alike {
        let distinct = |text: &dyn Fn(&String) -> String| {
            names.iter().map(|name| text(name)).collect::<BTreeSet<_>>().len() == names.len()
        };
        let first = |name: &String| name.trim_start_matches('(').chars().take(1).collect::<String>();
        let short = |name: &String| looks[name].text.clone();
        for &name in &names {
            let text = if names.len() == 1 || glyph == "·" {
                glyph.clone()
            } else if distinct(&first) {
                first(name)
            } else if distinct(&short) {
                short(name)
            } else {
                name.clone()
            };
            texts.insert(name.clone(), text);
        }
    }
    texts
}

/// Whether a colour can be seen on a light and on a dark background.
pub(crate) fn visible(colour: [u8; 3]) -> bool {
    let (low, high) = (colour.iter().min(), colour.iter().max());
    low.zip(high).is_some_and(|(low, high)| high - low >= 64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::look::Looks;

    #[test]
    fn what_looks_the_same_is_told_apart() {
        let roles = ["red".to_owned(), "blue".to_owned()];
        let looks = Looks::new(&roles, &roles);
        let looks: BTreeMap<String, Look> =
            roles.iter().map(|role| (role.clone(), looks.look(role))).collect();
        assert_eq!(told_apart(&looks, false)["red"], "r");
        assert_eq!(told_apart(&looks, true)["red"], "●");
    }
}

//! What a player is told of the turn before.

use crate::list::{Item, items};

/// What PLAY and STOP tell of the turn before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// Nothing: there was no turn yet.
    First,
    /// One entry a role, in role order, as the host spells them. An older host of GDL-II sends what
    /// the player sees in the same form: only who knows the game can tell.
    Moves(Vec<String>),
    /// What GDL-II tells: the number of the turn, one's own last move (the host may have replaced
    /// it; none in the first turn) and what was seen.
    Seen {
        /// The number of the turn, from 0.
        turn: u64,
        /// One's own last move.
        last_move: Option<String>,
        /// What was seen.
        percepts: Vec<String>,
    },
}

impl News {
    /// Reads what follows the match id.
    pub(crate) fn read(arguments: &[Item<'_>]) -> News {
        let [first, rest @ ..] = arguments else { return News::First };
        if let (Item::Word(word), [last_move, others @ ..]) = (first, rest)
            && let Ok(turn) = word.parse()
        {
            let percepts = others.first().map_or(Vec::new(), |&item| entries(item));
            let last_move = (!is_nil(*last_move)).then(|| last_move.tidy());
            return News::Seen { turn, last_move, percepts };
        }
        match *first {
            item if is_nil(item) => News::First,
            item => News::Moves(entries(item)),
        }
    }

    /// The moves of all roles in a game with so many; `None` if there are none or not that many.
    ///
    /// Some hosts leave out a pair of parentheses when there is but one role: `(PLAY m (mark 1 1))`.
    pub fn joint(&self, roles: usize) -> Option<Vec<String>> {
        let News::Moves(moves) = self else { return None };
        match moves.len() {
            length if length == roles => Some(moves.clone()),
            _ if roles == 1 => Some(vec![format!("({})", moves.join(" "))]),
            _ => None,
        }
    }
}

/// What follows the match id, on the wire.
impl std::fmt::Display for News {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            News::First => out.write_str("NIL"),
            News::Moves(moves) => write!(out, "({})", moves.join(" ")),
            News::Seen { turn, last_move, percepts } => {
                let last_move = last_move.as_deref().unwrap_or("NIL");
                write!(out, "{turn} {last_move} ({})", percepts.join(" "))
            }
        }
    }
}

fn entries(item: Item<'_>) -> Vec<String> {
    match item {
        item if is_nil(item) => Vec::new(),
        Item::Word(word) => vec![word.to_owned()],
        Item::List(inside) => items(inside).into_iter().map(Item::tidy).collect(),
    }
}

fn is_nil(item: Item<'_>) -> bool {
    match item {
        Item::Word(word) => word.eq_ignore_ascii_case("nil"),
        Item::List(inside) => items(inside).is_empty(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> News {
        News::read(&items(text))
    }

    fn texts(moves: &[&str]) -> Vec<String> {
        moves.iter().map(|&text| text.to_owned()).collect()
    }

    #[test]
    fn the_first_turn_has_several_forms() {
        for text in ["", "NIL", "nil", "()", "( )", "Nil extra"] {
            assert_eq!(read(text), News::First, "{text:?}");
        }
    }

    #[test]
    fn moves_of_all_roles() {
        let news = read("( ( mark 1 1 ) noop ) and more");
        assert_eq!(news, News::Moves(texts(&["(mark 1 1)", "noop"])));
        assert_eq!(news.joint(2), Some(texts(&["(mark 1 1)", "noop"])));
        assert_eq!(news.joint(3), None);
    }

    #[test]
    fn one_role_with_or_without_parentheses() {
        for text in ["((mark 1 1))", "(mark 1 1)"] {
            assert_eq!(read(text).joint(1), Some(texts(&["(mark 1 1)"])), "{text}");
        }
        assert_eq!(read("wait").joint(1), Some(texts(&["wait"])));
    }

    #[test]
    fn what_is_seen_is_told_apart_from_moves() {
        let seen = News::Seen {
            turn: 3,
            last_move: Some("(bet 2)".to_owned()),
            percepts: texts(&["(card 4)", "raised"]),
        };
        assert_eq!(read("3 (bet 2) ((card 4) raised)"), seen);
        assert_eq!(read("0 NIL NIL"), News::Seen { turn: 0, last_move: None, percepts: Vec::new() });
        assert_eq!(read(&seen.to_string()), seen);
        // A single number is a move like any other word.
        assert_eq!(read("(3)").joint(1), Some(texts(&["3"])));
    }
}

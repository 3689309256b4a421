//! Patterns over the facts of a state, such as `(cell ?column ?row ?piece)`.

use serde::{Deserialize, Serialize};

/// A term with variables. It is compared with facts in canonical KIF (lower case, single blanks).
///
/// ```
/// let pattern: bundled::Pattern = "(cell ?column _ ?piece)".parse()?;
/// let found = pattern.read("(cell 1 2 (pawn white))").expect("matches");
/// assert_eq!(found, [("column", "1"), ("piece", "(pawn white)")]);
/// assert_eq!(pattern.read("(control white)"), None);
/// # Ok::<(), bundled::PatternError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Pattern {
    text: String,
    item: Item,
}

/// A pattern that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not a pattern over facts: {what}")]
pub struct PatternError {
    /// The pattern as written.
    pub text: String,
    /// What is wrong with it.
    pub what: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Item {
    /// `_`
    Ignored,
    /// `?name`, kept without the mark.
    Variable(String),
    Word(String),
    List(Vec<Item>),
}

/// Lists deeper than this are no pattern that anybody writes.
const MAX_DEPTH: usize = 32;

impl std::str::FromStr for Pattern {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<Self, PatternError> {
        let spaced = text.to_lowercase().replace('(', " ( ").replace(')', " ) ");
        let mut words = spaced.split_whitespace();
        let read = Item::read(&mut words, MAX_DEPTH).and_then(|item| match words.next() {
            None => Ok(item),
            Some(_) => Err("something follows the first term"),
        });
        let item = read.map_err(|what| PatternError { text: text.to_owned(), what })?;
        Ok(Self { text: text.to_owned(), item })
    }
}

impl TryFrom<String> for Pattern {
    type Error = PatternError;

    fn try_from(text: String) -> Result<Self, PatternError> {
        text.parse()
    }
}

impl From<Pattern> for String {
    fn from(pattern: Pattern) -> String {
        pattern.text
    }
}

impl std::fmt::Display for Pattern {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(&self.text)
    }
}

impl Pattern {
    /// What the variables stand for if the fact has this form, in the order of the pattern.
    pub fn read<'a>(&'a self, fact: &'a str) -> Option<Vec<(&'a str, &'a str)>> {
        let mut found = Vec::new();
        let rest = self.item.matches(fact, &mut found)?;
        rest.is_empty().then_some(found)
    }

    /// The names of the variables, in order.
    pub fn variables(&self) -> Vec<&str> {
        let mut names = Vec::new();
        self.item.variables(&mut names);
        names
    }
}

/// What stands at a place of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatternPlace<'a> {
    /// A word that has to stand there.
    Word(&'a str),
    /// The name of a variable, without its mark.
    Variable(&'a str),
}

impl Pattern {
    /// The name of the facts it speaks of and the number of their arguments.
    pub fn head(&self) -> (&str, usize) {
        match &self.item {
            Item::List(items) => (items.first().map_or("", Item::word), items.len().saturating_sub(1)),
            item => (item.word(), 0),
        }
    }

    /// What has to stand where inside the facts: the way to each place (argument, argument of that
    /// argument) and what the pattern has there. Places where anything may stand are left out.
    pub fn places(&self) -> Vec<(Vec<usize>, PatternPlace<'_>)> {
        let mut places = Vec::new();
        self.item.places(&mut Vec::new(), &mut places);
        places
    }
}

impl Item {
    fn word(&self) -> &str {
        match self {
            Item::Word(word) => word,
            Item::Ignored | Item::Variable(_) | Item::List(_) => "",
        }
    }

    fn places<'a>(&'a self, path: &mut Vec<usize>, places: &mut Vec<(Vec<usize>, PatternPlace<'a>)>) {
        match self {
            Item::Ignored => {}
            Item::Variable(name) => places.push((path.clone(), PatternPlace::Variable(name))),
            Item::Word(word) => places.push((path.clone(), PatternPlace::Word(word))),
            Item::List(items) => {
                for (index, item) in items.iter().enumerate().skip(1) {
                    path.push(index - 1);
                    item.places(path, places);
                    path.pop();
                }
            }
        }
    }

    fn read<'a>(words: &mut impl Iterator<Item = &'a str>, depth: usize) -> Result<Self, &'static str> {
        let word = words.next().ok_or("it is empty")?;
        Self::read_from(word, words, depth)
    }

    fn read_from<'a>(
        word: &str,
        words: &mut impl Iterator<Item = &'a str>,
        depth: usize,
    ) -> Result<Self, &'static str> {
        match word {
            "(" if depth == 0 => Err("it is nested too deep"),
            "(" => {
                let mut items = Vec::new();
                loop {
                    match words.next().ok_or("a parenthesis is not closed")? {
                        ")" if items.is_empty() => return Err("a list is empty"),
                        ")" => return Ok(Item::List(items)),
                        word => items.push(Self::read_from(word, words, depth - 1)?),
                    }
                }
            }
            ")" => Err("a parenthesis closes nothing"),
            "_" => Ok(Item::Ignored),
            word => Ok(match word.strip_prefix('?') {
                Some(name) => Item::Variable(name.to_owned()),
                None => Item::Word(word.to_owned()),
            }),
        }
    }

    fn variables<'a>(&'a self, names: &mut Vec<&'a str>) {
        match self {
            Item::Variable(name) => names.push(name),
            Item::List(items) => items.iter().for_each(|item| item.variables(names)),
            Item::Ignored | Item::Word(_) => {}
        }
    }

    /// Matches the first term of `text` and returns what follows it.
    fn matches<'a>(&'a self, text: &'a str, found: &mut Vec<(&'a str, &'a str)>) -> Option<&'a str> {
        let (term, rest) = text.split_at_checked(first_term(text)?)?;
        match self {
            Item::Ignored => {}
            Item::Variable(name) => found.push((name, term)),
            Item::Word(word) => {
                if term != word {
                    return None;
                }
            }
            Item::List(items) => {
                let mut inside = term.strip_prefix('(')?.strip_suffix(')')?;
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        inside = inside.strip_prefix(' ')?;
                    }
                    inside = item.matches(inside, found)?;
                }
                if !inside.is_empty() {
                    return None;
                }
            }
        }
        Some(rest)
    }
}

/// Where the first term of a canonical text ends.
fn first_term(text: &str) -> Option<usize> {
    if !text.starts_with('(') {
        let end = text.find([' ', ')', '(']).unwrap_or(text.len());
        return (end > 0).then_some(end);
    }
    let mut depth = 0usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return Some(at + 1);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_terms_match_as_a_whole() {
        let pattern: Pattern = "(at (square ?column ?row) ?piece)".parse().unwrap();
        assert_eq!(pattern.variables(), ["column", "row", "piece"]);
        let found = pattern.read("(at (square a 1) (king (of white)))").unwrap();
        assert_eq!(found, [("column", "a"), ("row", "1"), ("piece", "(king (of white))")]);
        for other in ["(at (square a) x)", "(at (square a 1))", "(at (square a 1) x y)", "at", "(at", ""] {
            assert_eq!(pattern.read(other), None, "{other}");
        }
    }

    #[test]
    fn places_are_told() {
        let pattern: Pattern = "(at (square ?column 7) _ ?piece)".parse().unwrap();
        assert_eq!(pattern.head(), ("at", 3));
        let places = pattern.places();
        assert_eq!(places[0], (vec![0, 0], PatternPlace::Variable("column")));
        assert_eq!(places[1], (vec![0, 1], PatternPlace::Word("7")));
        assert_eq!(places[2], (vec![2], PatternPlace::Variable("piece")));
    }

    #[test]
    fn what_is_no_pattern_is_refused() {
        for text in ["", "(", ")", "()", "(a", "a b", &"(".repeat(100)] {
            assert!(text.parse::<Pattern>().is_err(), "{text}");
        }
    }
}

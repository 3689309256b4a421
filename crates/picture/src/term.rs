//! Facts and moves as trees, read from canonical KIF.

use std::fmt;

/// Terms deeper than this are shown as they are written.
const MAX_DEPTH: usize = 64;

/// A word, or a word with arguments.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Term {
    /// The word before the arguments.
    pub(crate) name: String,
    /// The arguments; none for a plain word.
    pub(crate) arguments: Vec<Term>,
}

impl Term {
    /// Reads a term; what is no term, or is nested too deep, becomes one word.
    pub(crate) fn read(text: &str) -> Self {
        let spaced = text.to_lowercase().replace('(', " ( ").replace(')', " ) ");
        let mut words = spaced.split_whitespace();
        let read = words.next().and_then(|word| Self::read_from(word, &mut words, MAX_DEPTH));
        match read.filter(|_| words.next().is_none()) {
            Some(term) => term,
            None => Self { name: text.trim().to_lowercase(), arguments: Vec::new() },
        }
    }

    fn read_from<'a>(word: &str, words: &mut impl Iterator<Item = &'a str>, depth: usize) -> Option<Self> {
        match word {
            "(" => {
                let depth = depth.checked_sub(1)?;
                let name = words.next().filter(|name| !["(", ")"].contains(name))?.to_owned();
                let mut arguments = Vec::new();
                loop {
                    match words.next()? {
                        ")" => return Some(Self { name, arguments }),
                        word => arguments.push(Self::read_from(word, words, depth)?),
                    }
                }
            }
            ")" => None,
            word => Some(Self { name: word.to_owned(), arguments: Vec::new() }),
        }
    }

    /// What stands at a place: the argument of the argument of ..
    pub(crate) fn at(&self, path: &[usize]) -> Option<&Term> {
        path.iter().try_fold(self, |term, &index| term.arguments.get(index))
    }

    /// The plain words inside, from left to right; names of functions are left out.
    pub(crate) fn leaves(&self) -> Vec<&str> {
        if self.arguments.is_empty() {
            return vec![&self.name];
        }
        self.arguments.iter().flat_map(Term::leaves).collect()
    }
}

impl fmt::Display for Term {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.arguments.is_empty() {
            return out.write_str(&self.name);
        }
        write!(out, "({}", self.name)?;
        self.arguments.iter().try_for_each(|argument| write!(out, " {argument}"))?;
        out.write_str(")")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_read_and_written() {
        let term = Term::read("(Cell (at 1 2)  X)");
        assert_eq!(term.to_string(), "(cell (at 1 2) x)");
        assert_eq!(term.at(&[0, 1]).map(ToString::to_string).as_deref(), Some("2"));
        assert_eq!(term.leaves(), ["1", "2", "x"]);
    }

    #[test]
    fn what_is_no_term_is_a_word() {
        for text in ["", "(", "(a", "a b", "(())", &"(a ".repeat(100)] {
            assert!(Term::read(text).arguments.is_empty(), "{text}");
        }
    }
}

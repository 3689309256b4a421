//! The nearest known name, for "did you mean".

use crate::{SymbolId, Symbols};

/// How many names are compared with how many others at most, so that a sheet full of unknown
/// names costs no more than one with a few.
const BUDGET: usize = 200_000;

/// Known names to which unknown ones are compared.
pub(super) struct Similar<'a> {
    /// Each in lower case and as it is spelled.
    known: Vec<(&'a str, &'a str)>,
    budget: usize,
}

impl<'a> Similar<'a> {
    pub(super) fn new(symbols: &'a Symbols, known: impl Iterator<Item = SymbolId>) -> Self {
        let known = known.map(|symbol| (symbols.name(symbol), symbols.spelling(symbol)));
        Self { known: known.collect(), budget: BUDGET }
    }

    /// The known name that a slip of the keyboard most likely meant.
    pub(super) fn to(&mut self, name: &str) -> Option<&'a str> {
        self.budget = self.budget.checked_sub(self.known.len())?;
        let name: Vec<char> = name.chars().take(64).collect();
        // One slip in a short name, two in a longer one.
        let limit = if name.len() < 6 { 1 } else { 2 };
        let candidates = self.known.iter().filter_map(|&(known, spelling)| {
            let distance = distance(&name, known, limit)?;
            (distance > 0).then_some((distance, spelling))
        });
        // The least distance; among equals the first one.
        let nearest = candidates.min_by_key(|&(distance, _)| distance)?;
        Some(nearest.1)
    }
}

/// The number of letters to change, insert, drop or swap, `None` beyond `limit`.
fn distance(name: &[char], known: &str, limit: usize) -> Option<usize> {
    if known.len() > 4 * (name.len() + limit) {
        return None;
    }
    let known: Vec<char> = known.chars().collect();
    // A name that a single slip could turn into any other of its length says nothing.
    if known.len().abs_diff(name.len()) > limit || known.len().min(name.len()) <= limit {
        return None;
    }
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=known.len()).collect();
    for row in 1..=name.len() {
        let mut current = vec![row];
        for column in 1..=known.len() {
            let change = usize::from(name[row - 1] != known[column - 1]);
            let mut best = (last[column - 1] + change).min(last[column] + 1).min(current[column - 1] + 1);
            if row > 1
                && column > 1
                && name[row - 1] == known[column - 2]
                && name[row - 2] == known[column - 1]
            {
                best = best.min(before_last[column - 2] + 1);
            }
            current.push(best);
        }
        before_last = std::mem::replace(&mut last, current);
    }
    last.last().copied().filter(|&distance| distance <= limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nearest(name: &str) -> Option<String> {
        let mut symbols = Symbols::new();
        let known = ["cell", "Control", "adjacent", "x", "row"].map(|name| symbols.intern(name));
        Similar::new(&symbols, known.into_iter()).to(name).map(str::to_owned)
    }

    #[test]
    fn slips_are_recognised() {
        assert_eq!(nearest("cel"), Some("cell".to_owned()));
        assert_eq!(nearest("clel"), Some("cell".to_owned()));
        assert_eq!(nearest("ajdacnet"), Some("adjacent".to_owned()));
        assert_eq!(nearest("contrrol"), Some("Control".to_owned()));
    }

    #[test]
    fn other_names_are_not() {
        assert_eq!(nearest("cell"), None);
        assert_eq!(nearest("y"), None);
        assert_eq!(nearest("column"), None);
        assert_eq!(nearest(""), None);
    }
}

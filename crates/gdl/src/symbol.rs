//! Names, folded to lower case for comparison and kept in their first spelling for printing.

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use crate::keyword;

/// A name: a constant, function, relation or variable (with its `?`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SymbolId(pub u32);

/// The names of one rule sheet. GDL does not distinguish case: `timeOut` and `TIMEOUT` are one
/// symbol, which prints as it was first written.
///
/// ```
/// let mut symbols = gdl::Symbols::new();
/// let symbol = symbols.intern("timeOut");
/// assert_eq!(symbols.intern("TIMEOUT"), symbol);
/// assert_eq!(symbols.spelling(symbol), "timeOut");
/// ```
#[derive(Clone, Debug)]
pub struct Symbols {
    /// Folded name -> first spelling, `None` where that is the folded name itself.
    names: IndexMap<Box<str>, Option<Box<str>>, FxBuildHasher>,
}

impl Default for Symbols {
    fn default() -> Self {
        let mut symbols = Self { names: IndexMap::default() };
        for &name in keyword::NAMES {
            symbols.intern(name);
        }
        symbols
    }
}

impl Symbols {
    /// A table that knows the keywords.
    pub fn new() -> Self {
        Self::default()
    }

    /// The id of a name in any spelling; new names are added.
    pub fn intern(&mut self, spelling: &str) -> SymbolId {
        if spelling.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase()) {
            if let Some(index) = self.names.get_index_of(spelling) {
                return SymbolId(index as u32);
            }
            return SymbolId(self.names.insert_full(spelling.into(), None).0 as u32);
        }
        let folded = spelling.to_lowercase();
        if let Some(index) = self.names.get_index_of(folded.as_str()) {
            return SymbolId(index as u32);
        }
        let original = (folded != spelling).then(|| spelling.into());
        SymbolId(self.names.insert_full(folded.into(), original).0 as u32)
    }

    /// The id of a name in any spelling, if it is known.
    pub fn get(&self, spelling: &str) -> Option<SymbolId> {
        self.names.get_index_of(spelling.to_lowercase().as_str()).map(|index| SymbolId(index as u32))
    }

    /// The name in lower case.
    pub fn name(&self, symbol: SymbolId) -> &str {
        &self.names.get_index(symbol.0 as usize).expect("ids come from this table").0[..]
    }

    /// The name as it was first written.
    pub fn spelling(&self, symbol: SymbolId) -> &str {
        let (name, spelling) = self.names.get_index(symbol.0 as usize).expect("ids come from this table");
        spelling.as_deref().unwrap_or(name)
    }

    /// All symbols, in the order in which they were met.
    pub fn iter(&self) -> impl Iterator<Item = SymbolId> + use<> {
        (0..self.names.len() as u32).map(SymbolId)
    }

    /// Whether the name is a variable.
    pub fn is_variable(&self, symbol: SymbolId) -> bool {
        self.name(symbol).starts_with('?')
    }

    /// How many names there are; ids are below this.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Never: the keywords are always there.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_is_folded_and_the_first_spelling_kept() {
        let mut symbols = Symbols::new();
        let first = symbols.intern("timeOut");
        assert_eq!(symbols.intern("TIMEOUT"), first);
        assert_eq!(symbols.name(first), "timeout");
        assert_eq!(symbols.spelling(first), "timeOut");
        assert_eq!(symbols.get("Timeout"), Some(first));
        assert_ne!(symbols.intern("1"), symbols.intern("01"));
    }
}

//! Ground terms as numbers.

use gdl::normal::NormalTerm;
use gdl::{SymbolId, Symbols};
use indexmap::IndexSet;

/// A ground term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ConstantId(pub(crate) u32);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Shape {
    Word(SymbolId),
    Function(SymbolId, Vec<ConstantId>),
}

/// All ground terms met so far.
#[derive(Default)]
pub(crate) struct Constants {
    shapes: IndexSet<Shape>,
}

impl Constants {
    fn intern(&mut self, shape: Shape) -> ConstantId {
        ConstantId(self.shapes.insert_full(shape).0 as u32)
    }

    pub(crate) fn word(&mut self, word: SymbolId) -> ConstantId {
        self.intern(Shape::Word(word))
    }

    /// The term with values for its variables; nothing while one has none.
    pub(crate) fn ground(&mut self, term: &NormalTerm, values: &[Option<ConstantId>]) -> Option<ConstantId> {
        match term {
            NormalTerm::Variable(variable) => values[*variable as usize],
            NormalTerm::Constant(word) => Some(self.word(*word)),
            NormalTerm::Function(name, arguments) => {
                let arguments: Option<Vec<_>> =
                    arguments.iter().map(|argument| self.ground(argument, values)).collect();
                let shape = Shape::Function(*name, arguments?);
                Some(self.intern(shape))
            }
        }
    }

    /// The name and the arguments of a function.
    pub(crate) fn parts(&self, id: ConstantId) -> Option<(SymbolId, &[ConstantId])> {
        match self.shapes.get_index(id.0 as usize)? {
            Shape::Word(_) => None,
            Shape::Function(name, arguments) => Some((*name, arguments)),
        }
    }

    /// Gives variables the values that make the term this one; `false` if there are none.
    pub(crate) fn matches(
        &mut self,
        term: &NormalTerm,
        id: ConstantId,
        values: &mut [Option<ConstantId>],
    ) -> bool {
        match term {
            NormalTerm::Variable(variable) => *values[*variable as usize].get_or_insert(id) == id,
            NormalTerm::Constant(word) => self.word(*word) == id,
            NormalTerm::Function(name, arguments) => {
                let parts = match self.parts(id) {
                    Some((other, parts)) if other == *name && parts.len() == arguments.len() => {
                        parts.to_vec()
                    }
                    _ => return false,
                };
                arguments.iter().zip(parts).all(|(argument, part)| self.matches(argument, part, values))
            }
        }
    }

    /// The term in canonical KIF.
    pub(crate) fn text(&self, symbols: &Symbols, id: ConstantId) -> String {
        match self.shapes.get_index(id.0 as usize) {
            None => String::new(),
            Some(Shape::Word(word)) => symbols.name(*word).to_owned(),
            Some(Shape::Function(name, arguments)) => {
                let arguments: Vec<String> = arguments.iter().map(|&part| self.text(symbols, part)).collect();
                format!("({} {})", symbols.name(*name), arguments.join(" "))
            }
        }
    }
}

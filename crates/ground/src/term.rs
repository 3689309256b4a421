//! Ground terms, interned: equal terms have equal ids.

use std::hash::BuildHasher;

use gdl::{SymbolId, Symbols};
use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

/// A ground term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct TermId(pub u32);

/// A term with variables of a rule.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Pattern {
    Variable(u32),
    Constant(TermId),
    /// Only in columns whose values have no common shape; elsewhere functions become columns.
    Function(SymbolId, Box<[Pattern]>),
}

impl Pattern {
    pub(crate) fn variables(&self, visit: &mut impl FnMut(u32)) {
        match self {
            Pattern::Variable(variable) => visit(*variable),
            Pattern::Constant(_) => {}
            Pattern::Function(_, arguments) => arguments.iter().for_each(|term| term.variables(visit)),
        }
    }

    pub(crate) fn is_bound(&self, bound: &[bool]) -> bool {
        let mut all = true;
        self.variables(&mut |variable| all &= bound[variable as usize]);
        all
    }
}

/// All ground terms met so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Terms {
    /// Name, and where the arguments lie: none for a constant.
    nodes: Vec<(SymbolId, u32, u32)>,
    arguments: Vec<TermId>,
    /// How deeply functions are nested in each term.
    depths: Vec<u32>,
    deepest: u32,
    known: HashTable<u32>,
}

impl Terms {
    pub(crate) fn constant(&mut self, name: SymbolId) -> TermId {
        self.intern(name, &[])
    }

    pub(crate) fn intern(&mut self, name: SymbolId, arguments: &[TermId]) -> TermId {
        if let Some(known) = self.find(name, arguments) {
            return known;
        }
        let id = self.nodes.len() as u32;
        let start = self.arguments.len() as u32;
        self.arguments.extend_from_slice(arguments);
        self.nodes.push((name, start, arguments.len() as u32));
        let depth = arguments.iter().map(|term| self.depths[term.0 as usize] + 1).max().unwrap_or(0);
        self.depths.push(depth);
        self.deepest = self.deepest.max(depth);
        let (nodes, all) = (&self.nodes, &self.arguments);
        self.known.insert_unique(hash(name, arguments), id, |&other| {
            let (name, start, count) = nodes[other as usize];
            hash(name, &all[start as usize..][..count as usize])
        });
        TermId(id)
    }

    pub(crate) fn find(&self, name: SymbolId, arguments: &[TermId]) -> Option<TermId> {
        let same =
            |&other: &u32| self.nodes[other as usize].0 == name && self.arguments(TermId(other)) == arguments;
        self.known.find(hash(name, arguments), same).map(|&id| TermId(id))
    }

    pub(crate) fn name(&self, term: TermId) -> SymbolId {
        self.nodes[term.0 as usize].0
    }

    pub(crate) fn arguments(&self, term: TermId) -> &[TermId] {
        let (_, start, count) = self.nodes[term.0 as usize];
        &self.arguments[start as usize..][..count as usize]
    }

    /// The term of a pattern whose variables are all bound; new terms are added.
    pub(crate) fn build(&mut self, pattern: &Pattern, bindings: &[TermId]) -> TermId {
        match pattern {
            Pattern::Variable(variable) => bindings[*variable as usize],
            Pattern::Constant(term) => *term,
            Pattern::Function(name, arguments) => {
                let built: Vec<TermId> = arguments.iter().map(|term| self.build(term, bindings)).collect();
                self.intern(*name, &built)
            }
        }
    }

    /// The term of a pattern whose variables are all bound, if there is such a term.
    pub(crate) fn lookup(&self, pattern: &Pattern, bindings: &[TermId]) -> Option<TermId> {
        match pattern {
            Pattern::Variable(variable) => Some(bindings[*variable as usize]),
            Pattern::Constant(term) => Some(*term),
            Pattern::Function(name, arguments) => {
                let built: Option<Vec<TermId>> =
                    arguments.iter().map(|term| self.lookup(term, bindings)).collect();
                self.find(*name, &built?)
            }
        }
    }

    /// How deeply functions are nested in the deepest term.
    pub(crate) fn deepest(&self) -> u32 {
        self.deepest
    }

    pub(crate) fn bytes(&self) -> usize {
        self.nodes.capacity() * 16 + self.arguments.capacity() * 4 + self.known.capacity() * 5
    }

    /// Appends the term as canonical lower-case KIF.
    pub(crate) fn print(&self, symbols: &Symbols, term: TermId, out: &mut String) {
        let arguments = self.arguments(term);
        if arguments.is_empty() {
            out.push_str(symbols.name(self.name(term)));
            return;
        }
        out.push('(');
        out.push_str(symbols.name(self.name(term)));
        for &argument in arguments {
            out.push(' ');
            self.print(symbols, argument, out);
        }
        out.push(')');
    }
}

fn hash(name: SymbolId, arguments: &[TermId]) -> u64 {
    FxBuildHasher.hash_one((name, arguments))
}

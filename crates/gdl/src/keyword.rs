//! The words with a meaning in GDL, as fixed symbol ids.

use crate::SymbolId;

macro_rules! keywords {
    ($($constant:ident = $name:literal, $documentation:literal;)*) => {
        /// All keywords; the position of each is its symbol id.
        pub const NAMES: &[&str] = &[$($name),*];

        /// What each keyword means, by its symbol id.
        pub const HELP: &[&str] = &[$($documentation),*];
        keywords!(@ids 0u32; $($constant $documentation;)*);
    };
    (@ids $id:expr; $constant:ident $documentation:literal; $($rest:tt)*) => {
        #[doc = $documentation]
        pub const $constant: SymbolId = SymbolId($id);
        keywords!(@ids $id + 1; $($rest)*);
    };
    (@ids $id:expr;) => {};
}

keywords! {
    IMPLIED_BY = "<=", "`(<= head body..)`: a rule.";
    NOT = "not", "`(not sentence)`: the sentence does not hold.";
    OR = "or", "`(or a b ..)`: at least one holds.";
    AND = "and", "`(and a b ..)`: all hold.";
    DISTINCT = "distinct", "`(distinct a b)`: the terms differ.";
    ROLE = "role", "`(role r)`: a player of the game, in the order of the facts.";
    BASE = "base", "`(base f)`: what may be true in a state.";
    INPUT = "input", "`(input r m)`: what may be a move of a role.";
    INIT = "init", "`(init f)`: what is true at the beginning.";
    TRUE = "true", "`(true f)`: what is true now.";
    LEGAL = "legal", "`(legal r m)`: what a role may do now.";
    DOES = "does", "`(does r m)`: what a role does now.";
    NEXT = "next", "`(next f)`: what is true after the moves.";
    GOAL = "goal", "`(goal r n)`: what a role has reached, 0 to 100.";
    TERMINAL = "terminal", "`terminal`: the game is over.";
    SEES = "sees", "`(sees r p)`: what a role is told after the moves (GDL-II).";
    RANDOM = "random", "`random`: the role that the match host plays (GDL-II).";
}

/// The relations with a meaning of their own and their number of arguments.
pub const RELATION_ARITIES: &[(SymbolId, usize)] = &[
    (ROLE, 1),
    (BASE, 1),
    (INPUT, 2),
    (INIT, 1),
    (TRUE, 1),
    (LEGAL, 2),
    (DOES, 2),
    (NEXT, 1),
    (GOAL, 2),
    (TERMINAL, 0),
    (SEES, 2),
];

/// The number of arguments a keyword relation takes.
pub fn relation_arity(symbol: SymbolId) -> Option<usize> {
    RELATION_ARITIES.iter().find(|(name, _)| *name == symbol).map(|&(_, arity)| arity)
}

/// Whether the first argument of the relation is a role.
pub fn begins_with_role(symbol: SymbolId) -> bool {
    [LEGAL, GOAL, DOES, INPUT, SEES].contains(&symbol)
}

/// Whether the symbol is a keyword; the scrambler leaves these alone.
pub fn is_keyword(symbol: SymbolId) -> bool {
    (symbol.0 as usize) < NAMES.len()
}

/// Whether the symbol joins literals rather than naming a relation.
pub fn is_connective(symbol: SymbolId) -> bool {
    [IMPLIED_BY, NOT, OR, AND, DISTINCT].contains(&symbol)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_match_names() {
        assert_eq!(NAMES[RANDOM.0 as usize], "random");
        assert_eq!(NAMES[IMPLIED_BY.0 as usize], "<=");
        assert_eq!(NAMES[TERMINAL.0 as usize], "terminal");
        assert_eq!(relation_arity(GOAL), Some(2));
        assert!(!is_keyword(SymbolId(NAMES.len() as u32)));
    }
}

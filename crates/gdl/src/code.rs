//! The one table of all diagnostic codes. Every code has a page in `docs/gdl` with a sheet that
//! shows it and a sheet that mends it; the tests run both.

use crate::{Mode, Severity};

/// A code's row in the table.
#[derive(Clone, Copy, Debug)]
pub struct CodeInfo {
    /// The code.
    pub code: Code,
    /// Its name; diagnostics show it as `gdl::name`, its page is `docs/gdl/name.md`.
    pub name: &'static str,
    /// What it says, in a few words.
    pub title: &'static str,
    /// Severity when judged by the specification.
    pub strict: Severity,
    /// Severity when judged by what can be played.
    pub lenient: Severity,
}

macro_rules! codes {
    ($($code:ident $name:literal $strict:ident $lenient:ident $title:literal;)*) => {
        /// What a [`Diagnostic`](crate::Diagnostic) is about.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Code {
            $(#[doc = $title] $code,)*
        }

        /// All codes: syntax first, then well-formedness, then what simulation shows.
        pub const CODES: &[CodeInfo] = &[
            $(CodeInfo {
                code: Code::$code,
                name: $name,
                title: $title,
                strict: Severity::$strict,
                lenient: Severity::$lenient,
            },)*
        ];
    };
}

codes! {
    // Syntax.
    UnclosedParenthesis "unclosed_parenthesis" Error Error "a parenthesis is never closed";
    UnexpectedParenthesis "unexpected_parenthesis" Error Warning "a closing parenthesis closes nothing";
    NestedTooDeep "nested_too_deep" Error Error "lists are nested too deep";
    InvalidUtf8 "invalid_utf8" Warning Warning "bytes are not UTF-8";
    EmptyList "empty_list" Error Error "an empty list has no meaning";
    ListAsName "list_as_name" Error Error "a list stands where a name is needed";
    VariableAsName "variable_as_name" Error Error "a variable stands where a name is needed";
    MalformedRule "malformed_rule" Error Error "a rule needs a head that is a sentence";
    MalformedLiteral "malformed_literal" Error Error "a connective has the wrong parts";
    RuleWithoutBody "rule_without_body" Warning Note "a rule without a body is a fact";
    NestedAnd "nested_and" Warning Note "`and` is not needed in bodies";
    NegatedCompound "negated_compound" Error Warning "only sentences may be negated";
    TooComplex "too_complex" Error Error "a rule is too large to work with";
    // Well-formedness.
    KeywordArity "keyword_arity" Error Error "a keyword has the wrong number of arguments";
    ArityMismatch "arity_mismatch" Error Warning "a name is used with several arities";
    KeywordAsFunction "keyword_as_function" Warning Warning "a keyword is used as a function";
    ReservedHead "reserved_head" Error Warning "`role`, `true` and `does` are not defined by rules";
    ReservedBody "reserved_body" Error Warning "`init`, `next`, `base` and `input` are not conditions";
    UnsafeRule "unsafe_rule" Error Error "a variable is not bound by the body";
    UnboundRole "unbound_role" Error Warning "a role variable is not bound by the body";
    UnsafeNegation "unsafe_negation" Error Warning "a variable occurs in a negated condition only";
    UnstratifiedNegation "unstratified_negation" Error Warning "a relation depends on its own negation";
    UnrestrictedRecursion "unrestricted_recursion" Error Warning "recursion may build ever larger terms";
    InitialNotStatic "initial_not_static" Error Warning "the start depends on the state of play";
    DependsOnDoes "depends_on_does" Error Warning "what must be known before the moves depends on them";
    MissingRole "missing_role" Error Error "the game has no roles";
    MissingLegal "missing_legal" Error Warning "a role has no legal moves";
    MissingGoal "missing_goal" Error Warning "a role has no goals";
    MissingTerminal "missing_terminal" Error Warning "the game has no end";
    GoalValue "goal_value" Error Warning "a goal is not a number from 0 to 100";
    UndefinedRelation "undefined_relation" Warning Warning "a condition can never hold";
    UnknownRole "unknown_role" Warning Warning "something is said of a role that does not exist";
    UnusedRelation "unused_relation" Note Note "a relation is defined and never used";
    DuplicateRule "duplicate_rule" Warning Note "a rule stands twice";
    UnseenRole "unseen_role" Note Note "a role is never told anything";
    ToldMove "told_move" Note Note "a role is told the move of another";
    // By simulation.
    NoLegalMove "no_legal_move" Error Warning "a role has no legal move before the end";
    NotTerminating "not_terminating" Error Warning "a playout does not end";
    GoalMissing "goal_missing" Error Warning "a role has no goal value at the end";
    GoalAmbiguous "goal_ambiguous" Error Warning "a role has several goal values at the end";
    GoalDecreases "goal_decreases" Note Note "a role's goal value falls during play";
    NotWinnable "not_winnable" Note Note "no playout reached a role's full goal";
    HiddenLegal "hidden_legal" Warning Note "a role cannot tell which of its moves are legal";
    HiddenEnd "hidden_end" Note Note "a role cannot tell whether the game is over";
    OutsideBase "outside_base" Warning Note "a state holds a fact that `base` does not list";
    OutsideInput "outside_input" Warning Note "a legal move is not listed by `input`";
    RuleFault "rule_fault" Error Error "the rules could not be evaluated";
}

impl Code {
    /// The code's row in the table.
    pub fn info(self) -> &'static CodeInfo {
        &CODES[self as usize]
    }

    /// The name without its prefix, e.g. `unsafe_rule`.
    pub fn name(self) -> &'static str {
        self.info().name
    }

    /// How bad it is in a mode.
    pub fn severity(self, mode: Mode) -> Severity {
        match mode {
            Mode::Strict => self.info().strict,
            Mode::Lenient => self.info().lenient,
        }
    }
}

impl std::fmt::Display for Code {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "gdl::{}", self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_in_the_order_of_the_codes() {
        for (index, row) in CODES.iter().enumerate() {
            assert_eq!(row.code as usize, index);
            assert!(row.lenient <= row.strict, "{}: lenient is never stricter", row.name);
        }
    }
}

//! The Game Description Language: from bytes to a checked rule sheet.
//!
//! Data flows through the modules in this order:
//!
//! ```text
//! bytes -source-> SourceFile -lexer-> tokens -expression-> Expression -parser-> RuleSheet
//!       RuleSheet -check-> Vec<Diagnostic>
//!       RuleSheet -normal-> NormalRules (what reasoners work on)
//!       RuleSheet -printer-> canonical text;  RuleSheet -scrambler-> RuleSheet in other names
//!       SourceFile -formatter-> tidy text with its comments
//! ```
//!
//! Nothing here fails on bad input: a parse returns what could be read together with every
//! [`Diagnostic`], so that a designer sees all faults of a sheet in one run. Nothing here does IO.
//!
//! ```
//! let source = gdl::SourceFile::new("inline", "(role white) (<= terminal (true done))");
//! let parsed = gdl::parse(&source);
//! assert!(parsed.diagnostics.is_empty());
//! assert_eq!(parsed.sheet.rules.len(), 2);
//! assert_eq!(gdl::print_rule(&parsed.sheet.symbols, &parsed.sheet.rules[1]), "(<= terminal (true done))");
//! ```

mod check;
mod code;
mod diagnostic;
mod expression;
mod findings;
mod formatter;
pub mod keyword;
mod lexer;
pub mod normal;
mod parser;
mod printer;
mod scrambler;
mod source;
mod symbol;
mod syntax;

pub use check::check;
pub use code::{CODES, Code, CodeInfo};
pub use diagnostic::{Diagnostic, Edit, Fix, Label, Mode, Severity};
pub use expression::{Expression, ExpressionKind, MAX_DEPTH, ParsedExpressions, parse_expressions};
pub use formatter::{LINE_WIDTH, format};
pub use lexer::{Token, TokenKind, tokenize};
pub use parser::{Parsed, parse};
pub use printer::{print_rule, print_sentence, print_sheet, print_term};
pub use scrambler::Scrambler;
pub use source::{LineColumn, MAX_SOURCE_BYTES, SourceFile, SourceTooLarge, Span};
pub use symbol::{SymbolId, Symbols};
pub use syntax::{Literal, LiteralKind, Rule, RuleSheet, Sentence, Term, TermKind};

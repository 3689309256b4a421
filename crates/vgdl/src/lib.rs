//! The Video Game Description Language: from text to a game that is played tick by tick.
//!
//! Data flows through the modules in this order:
//!
//! ```text
//! SourceFile -language-> Description -rules-> Rules -engine-> Level -> Game, Model
//! ```
//!
//! [`parse`] reads the lines, [`compile`] decides what they mean, [`Level`] builds the first state
//! of a level, [`Game`] plays it, and a [`Model`] is a copy of a game's state in which a player can
//! try things out. Games run exactly as in the GVG-AI framework: the same order of evaluation, the
//! same generator of random numbers, the same rounding. Nothing here does IO, and nothing here
//! fails on bad input: a description is read as far as it can be, together with every
//! [`Diagnostic`].

mod engine;
mod language;
mod ontology;
mod rules;

pub use engine::*;
pub use gdl::{Label, LineColumn, Severity, SourceFile, Span};
pub use language::{
    CODES, Code, CodeInfo, Description, Diagnostic, InteractionLine, MappingLine, Parameter, Parsed,
    SpriteLine, TerminationLine, Value, Word, format, parse,
};
pub use ontology::{EffectClass, Kind, SpriteClass, TerminationClass};
pub use rules::{
    Checked, Condition, Effect, EffectId, KeyHandling, MAX_TYPES, Payload, Physics, ResourceId, Rules,
    SpriteKind, Termination, TypeId, check, compile,
};

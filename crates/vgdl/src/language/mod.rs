//! The language: text to a [`Description`], with every fault found on the way.

mod code;
mod description;
mod diagnostic;
mod formatter;
mod parser;
mod tree;
mod value;

pub use code::{CODES, Code, CodeInfo};
pub use description::{
    Description, InteractionLine, MappingLine, Parameter, SpriteLine, TerminationLine, Word,
};
pub use diagnostic::Diagnostic;
pub(crate) use diagnostic::nearest;
pub use formatter::format;
pub use parser::{Parsed, parse};
pub use value::Value;

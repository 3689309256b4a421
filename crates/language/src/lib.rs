//! What an editor asks about a rule sheet: text and a place in, data out.
//!
//! A [`Document`] is a text that was read once; every question is a method without side effects. What is
//! told is what `ludens check` tells, as both come from the same place. [`why`] answers another kind of
//! question: which rules make a sentence true in a state, or what is missing for it.
//!
//! ```
//! use language::Document;
//! let text = "(role white)\n(legal white wait)\n(<= terminal (true done))\n(init done)\n(goal white 100)\n";
//! let document = Document::new("game.kif", text);
//! assert!(document.findings().is_empty());
//! let place = text.find("done").expect("it is there") as u32;
//! let definitions = document.definitions(place);
//! assert_eq!(document.source().slice(definitions[0]), "done");
//! assert_eq!(definitions[0].start as usize, text.rfind("done").expect("it is there"));
//! ```

mod completion;
mod document;
mod domains;
mod finding;
mod hover;
mod navigation;
mod outline;
mod place;
mod rename;
pub mod why;
mod words;

pub use completion::{Completion, CompletionKind};
pub use document::{Document, Kind, is_video_game};
pub use finding::Finding;
pub use hover::Hover;
pub use outline::{Entry, EntryKind};
pub use place::{Encoding, Lines, Position};
pub use rename::RenameError;
pub use words::{Name, Word};

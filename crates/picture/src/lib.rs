//! How a person sees a game: boards found in the rules, states drawn on them, moves named by their cells.
//!
//! [`Analysis::new`] looks at the rules once. [`Analysis::picture`] then turns the facts of a state into
//! boards and cards that any front end can show; [`text`] draws them with letters, [`svg`] as a picture.
//! [`moves`] understands moves as people type and click them.
//!
//! ```
//! use picture::{Analysis, Highlights, svg, text};
//!
//! let rules = gdl::normal::read(bundled::find("tic-tac-toe")?.rules);
//! let start: Vec<String> = (1..=3)
//!     .flat_map(|x| (1..=3).map(move |y| format!("(cell {x} {y} {})", if x == y { "x" } else { "b" })))
//!     .collect();
//! let analysis = Analysis::new(&rules, &[start.clone()], None);
//! let picture = analysis.picture(&start, &Highlights::default());
//! assert_eq!(picture.boards[0].cells.len(), 9);
//! let letters = text::draw(&picture, &text::TextOptions { colour: false, width: 80 });
//! assert!(letters.contains('X'));
//! assert!(svg::draw(&picture, &svg::SvgOptions::default()).starts_with("<svg"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod analysis;
mod glyphs;
mod look;
pub mod moves;
mod picture;
mod plan;
pub mod svg;
mod symbols;
mod term;
pub mod text;
mod vocabulary;

pub use analysis::Analysis;
pub use look::{Look, Symbol};
pub use picture::{Board, Card, Cell, Content, Edge, Highlights, Picture, RoleLine, Thing};
pub use plan::{Caption, Style};

//! A game's circuit in the languages of other programs: one file each.
//!
//! All of them are written from the same list of definitions (`definition`): what holds, made of what holds in the state and
//! of what is done. Nothing is lost on the way, so that what another program finds out about the text holds for the game.
//!
//! ```
//! use export::Format;
//! let format: Format = "prolog".parse()?;
//! assert_eq!((format, format.name(), format.extension()), (Format::Prolog, "prolog", "pl"));
//! # Ok::<(), export::ExportError>(())
//! ```

mod asp;
mod btor2;
mod cplus;
mod definition;
mod dot;
mod gdl;
mod names;
mod pddl;
mod prolog;

use std::str::FromStr;

use circuit::Circuit;

/// A language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A sheet of ground rules that plays the same.
    Gdl,
    /// Answer set programming, as clingo reads it: answer sets are plays of a length.
    Asp,
    /// The planning domain definition language: domain and problem of a one-player game.
    Pddl,
    /// Prolog, as SWI-Prolog reads it.
    Prolog,
    /// Causal laws of the action language C+.
    CPlus,
    /// A picture of the gates, for Graphviz.
    Dot,
    /// A transition system, as model checkers of hardware read it.
    Btor2,
}

/// Why there is no text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExportError {
    /// There is no such language.
    #[error("there is no format `{0}`; there are gdl, asp, pddl, prolog, cplus, dot and btor2")]
    UnknownFormat(String),
    /// Planners plan for one.
    #[error("pddl is for one player, but the game has {0} roles; asp, prolog and btor2 take any number")]
    NotOnePlayer(usize),
}

impl Format {
    /// All of them.
    pub const ALL: [Format; 7] =
        [Format::Gdl, Format::Asp, Format::Pddl, Format::Prolog, Format::CPlus, Format::Dot, Format::Btor2];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Format::Gdl => "gdl",
            Format::Asp => "asp",
            Format::Pddl => "pddl",
            Format::Prolog => "prolog",
            Format::CPlus => "cplus",
            Format::Dot => "dot",
            Format::Btor2 => "btor2",
        }
    }

    /// How every text of it begins.
    pub fn opening(self) -> &'static str {
        match self {
            Format::Gdl => "; Ground rules, made from a circuit",
            Format::Asp => "% A game as answer sets",
            Format::Pddl => "(define (domain game)",
            Format::Prolog => "% A game as Prolog",
            Format::CPlus => "% A game as causal laws of C+",
            Format::Dot => "digraph game {\n  rankdir=LR;",
            Format::Btor2 => "; A game as a transition system",
        }
    }

    /// How files of it are called.
    pub fn extension(self) -> &'static str {
        match self {
            Format::Gdl => "kif",
            Format::Asp => "lp",
            Format::Pddl => "pddl",
            Format::Prolog => "pl",
            Format::CPlus => "cp",
            Format::Dot => "dot",
            Format::Btor2 => "btor2",
        }
    }
}

impl FromStr for Format {
    type Err = ExportError;

    fn from_str(text: &str) -> Result<Self, ExportError> {
        let found = Self::ALL.into_iter().find(|format| format.name() == text);
        found.ok_or_else(|| ExportError::UnknownFormat(text.to_owned()))
    }
}

/// Writes a game in a language.
pub fn export(circuit: &Circuit, format: Format) -> Result<String, ExportError> {
    Ok(match format {
        Format::Gdl => gdl::write(circuit),
        Format::Asp => asp::write(circuit),
        Format::Pddl => pddl::write(circuit)?,
        Format::Prolog => prolog::write(circuit),
        Format::CPlus => cplus::write(circuit),
        Format::Dot => dot::write(circuit),
        Format::Btor2 => btor2::write(circuit),
    })
}

//! What the analysis finds: how every state of a game is drawn.

use std::collections::{BTreeMap, HashMap};

use crate::look::Look;

/// A way to a place inside a fact.
pub(crate) type Path = Vec<usize>;

/// How the cells of a board are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Style {
    /// Squares side by side.
    Square,
    /// Hexagons.
    Hex,
    /// Points that lines connect.
    Point,
}

/// A cell of a board.
#[derive(Clone, Debug)]
pub(crate) struct CellPlan {
    /// The values that name it in facts.
    pub(crate) address: Vec<String>,
    /// How people name it.
    pub(crate) name: String,
    /// Where its middle is, to the right and down, in widths of a cell.
    pub(crate) at: [f32; 2],
    /// The same where only rows of letters can be written.
    pub(crate) flat: [f32; 2],
}

/// A word beside the cells.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Caption {
    /// What it says.
    pub text: String,
    /// Where its middle is, as cells are placed.
    pub at: [f32; 2],
}

/// What a fluent says of the cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LayerKind {
    /// What stands there.
    Content,
    /// That something is so there; the fluent's name says what.
    Mark,
    /// That two cells are linked; the second address follows the first.
    Edge,
    /// The values of one fact, cell after cell.
    Sequence,
}

/// A fluent on a board.
#[derive(Clone, Debug)]
pub(crate) struct Layer {
    pub(crate) name: String,
    pub(crate) arity: usize,
    pub(crate) kind: LayerKind,
    /// The places that name the cell.
    pub(crate) address: Vec<Path>,
    /// The places that say what is there.
    pub(crate) content: Vec<Path>,
    /// What stands for nothing.
    pub(crate) empty: Option<String>,
    /// Words that have to stand at other places.
    pub(crate) fixed: Vec<(Path, String)>,
    /// What stands there if no place says so.
    pub(crate) always: Option<String>,
    /// How far from the middle of the cell it is drawn.
    pub(crate) shift: [f32; 2],
}

/// A board.
#[derive(Clone, Debug)]
pub(crate) struct BoardPlan {
    pub(crate) title: Option<String>,
    pub(crate) style: Style,
    pub(crate) checkered: bool,
    /// Every how many columns and rows a thick line stands.
    pub(crate) blocks: Option<[u16; 2]>,
    pub(crate) cells: Vec<CellPlan>,
    pub(crate) find: HashMap<Vec<String>, usize>,
    /// The values of each part of an address, in order.
    pub(crate) axes: Vec<Vec<String>>,
    /// Columns from left to right and rows from top to bottom, where there are any.
    pub(crate) columns: Vec<Caption>,
    pub(crate) rows: Vec<Caption>,
    /// Names of boards among several.
    pub(crate) headings: Vec<Caption>,
    /// Cells that a line connects.
    pub(crate) lines: Vec<(usize, usize)>,
    pub(crate) layers: Vec<Layer>,
    /// Looks that were asked for.
    pub(crate) looks: BTreeMap<String, Look>,
}

/// What is shown beside the boards, a fluent each.
#[derive(Clone, Debug)]
pub(crate) enum BesidePlan {
    /// One value.
    Counter { name: String, arity: usize, label: String, value: Path, fixed: Vec<(Path, String)> },
    /// A value for each of several things.
    Table { name: String, arity: usize, label: String, key: Vec<Path>, value: Path },
    /// Several values.
    List { name: String, arity: usize, label: String, value: Path },
    /// Things on top of each other.
    Stacks { name: String, above: Path, below: Path },
}

/// The moves of one name, and which of their places name cells.
#[derive(Clone, Debug)]
pub(crate) struct MovePlan {
    pub(crate) name: String,
    pub(crate) arity: usize,
    /// For each cell that it names: the board, and the way to each part of the address; a part may be
    /// missing, as the row is where discs are dropped.
    pub(crate) cells: Vec<(usize, Vec<Option<Path>>)>,
}

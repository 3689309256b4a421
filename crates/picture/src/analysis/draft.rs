//! Boards while they are put together: fluents that speak of the same cells share one.

use super::fluent::{Fluent, Slot, Sources};
use super::form::{Form, MAX_SIDE};
use crate::plan::{Layer, LayerKind};

/// How the cells of a board are named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Frame {
    /// By two coordinates, maybe after the name of the board.
    Grid { index: bool },
    /// By four coordinates: outside, inside.
    Nested,
    /// By letter and number.
    Squares,
    /// By ring and point of the compass.
    Rings,
    /// By one name.
    Track,
    /// By their place in one fact.
    Sequence,
}

/// What one fluent brings to a board.
pub(crate) struct Part<'a> {
    pub(crate) fluent: &'a Fluent,
    /// The places that name the cell.
    pub(crate) address: Vec<usize>,
    pub(crate) content: Vec<usize>,
    pub(crate) edge: bool,
}

/// A board in the making.
pub(crate) struct Draft<'a> {
    pub(crate) frame: Frame,
    /// The values of each part of an address, in order.
    pub(crate) axes: Vec<Vec<String>>,
    pub(crate) cyclic: bool,
    pub(crate) parts: Vec<Part<'a>>,
}

impl Part<'_> {
    /// The addresses seen, state by state.
    pub(crate) fn addresses(&self) -> impl Iterator<Item = Vec<Vec<&String>>> + '_ {
        self.fluent.seen.iter().map(|state| {
            state.iter().map(|values| self.address.iter().map(|&place| &values[place]).collect()).collect()
        })
    }

    /// Whether about as many cells are spoken of in every state: then it says of each cell what is there, and
    /// there are no others.
    pub(crate) fn says_all_cells(&self) -> bool {
        let counts = || self.fluent.seen.iter().map(Vec::len);
        let (least, most) = (counts().min().unwrap_or(0), counts().max().unwrap_or(0));
        let room: usize = self.address.iter().map(|&place| self.fluent.slots[place].values.len()).product();
        most >= 4 && !self.content.is_empty() && 10 * least >= 9 * most && 4 * most >= room
    }

    /// Whether it only says which cells there are: a mark that nearly all of them have at the start.
    pub(crate) fn says_only_that_cells_exist(&self) -> bool {
        let room: usize = self.address.iter().map(|&place| self.fluent.slots[place].values.len()).product();
        let start = self.fluent.seen.first().map_or(0, Vec::len);
        self.content.is_empty() && !self.edge && start >= 4 && 10 * start >= 6 * room
    }

    fn contents(&self) -> Vec<&String> {
        let mut values: Vec<&String> = match self.content[..] {
            [] => return Vec::new(),
            [place, ..] => self.fluent.slots[place].values.iter().collect(),
        };
        values.sort_unstable();
        values
    }

    pub(crate) fn layer(&self) -> Layer {
        let path = |&place: &usize| self.fluent.slots[place].path.clone();
        let kind = if self.edge {
            LayerKind::Edge
        } else if self.content.is_empty() {
            LayerKind::Mark
        } else {
            LayerKind::Content
        };
        Layer {
            name: self.fluent.name.clone(),
            arity: self.fluent.arity,
            kind,
            address: self.address.iter().map(path).collect(),
            content: self.content.iter().map(path).collect(),
            empty: None,
            fixed: Vec::new(),
            always: None,
            shift: [0.0, 0.0],
        }
    }
}

fn values(slot: &Slot) -> Vec<String> {
    slot.order.as_ref().map_or_else(|| slot.values.clone(), |order| order.values.clone())
}

/// The draft that a fluent would make by itself.
pub(crate) fn draft<'a>(fluent: &'a Fluent, form: &Form) -> Option<Draft<'a>> {
    let (frame, address, content, edge) = match form {
        Form::Grid { index, first, second, content } => {
            let address = index.iter().copied().chain([*first, *second]).collect();
            (Frame::Grid { index: index.is_some() }, address, content.clone(), false)
        }
        Form::Nested { outer, inner, content } => {
            (Frame::Nested, [*outer, *inner].concat(), content.clone(), false)
        }
        Form::Edges { from, to, content } => {
            (Frame::Grid { index: false }, [*from, *to].concat(), content.clone(), true)
        }
        Form::Squares { place, content } => (Frame::Squares, vec![*place], content.clone(), false),
        Form::Rings { ring, compass, content } => {
            (Frame::Rings, vec![*ring, *compass], content.clone(), false)
        }
        Form::Track { place, content } => (Frame::Track, vec![*place], content.clone(), false),
        Form::Sequence => (Frame::Sequence, Vec::new(), Vec::new(), false),
        _ => return None,
    };
    let parts = if edge { &address[..2] } else { &address[..] };
    let mut axes: Vec<Vec<String>> = parts.iter().map(|&place| values(&fluent.slots[place])).collect();
    if edge {
        // Both ends lie on the same board.
        for (axis, &place) in axes.iter_mut().zip(&address[2..]) {
            let more = values(&fluent.slots[place]);
            axis.extend(more.into_iter().filter(|value| !axis.contains(value)).collect::<Vec<_>>());
        }
    }
    if frame == Frame::Sequence {
        axes = vec![(1..=fluent.slots.len()).map(|place| place.to_string()).collect()];
    }
    let cyclic = |&place: &usize| fluent.slots[place].order.as_ref().is_some_and(|order| order.cyclic);
    let cyclic = frame == Frame::Track && address.first().is_some_and(cyclic);
    Some(Draft { frame, axes, cyclic, parts: vec![Part { fluent, address, content, edge }] })
}

impl<'a> Draft<'a> {
    /// Takes in another draft of the same cells; gives it back if it is of others.
    pub(crate) fn join(&mut self, other: Draft<'a>, sources: &Sources<'_>) -> Result<(), Draft<'a>> {
        let same_frame = self.frame == other.frame && self.axes.len() == other.axes.len();
        if !same_frame || self.frame == Frame::Sequence {
            return Err(other);
        }
        let covers = |own: &Vec<String>, others: &Vec<String>| {
            let common = others.iter().filter(|value| own.contains(value)).count();
            10 * common >= 7 * others.len().min(own.len()) && common > 0
        };
        if !self.axes.iter().zip(&other.axes).all(|(own, others)| covers(own, others)) {
            return Err(other);
        }
        // Two fluents that both say of all cells what of the same things is there are two boards.
        let rivals = |part: &Part<'_>, others: &Part<'_>| {
            if part.says_all_cells() && others.says_all_cells() {
                return true;
            }
            let (own, others) = (part.contents(), others.contents());
            let common = others.iter().filter(|value| own.contains(value)).count();
            common > 0 && 2 * common >= own.len().min(others.len())
        };
        let rival = self.parts.iter().any(|part| other.parts.iter().any(|others| rivals(part, others)));
        let widths = self.axes.iter().zip(&other.axes);
        let grown: Option<Vec<Vec<String>>> =
            widths.map(|(own, others)| union(own, others, sources)).collect();
        match grown.filter(|_| !rival) {
            Some(axes)
                if axes.iter().all(|axis| {
                    axis.len() <= MAX_SIDE || self.frame != other.frame || self.axes.len() == 1
                }) =>
            {
                self.axes = axes;
                self.cyclic |= other.cyclic;
                self.parts.extend(other.parts);
                Ok(())
            }
            _ => Err(other),
        }
    }
}

/// All values in one order; nothing if there is none.
fn union(own: &[String], others: &[String], sources: &Sources<'_>) -> Option<Vec<String>> {
    let mut all = own.to_vec();
    all.extend(others.iter().filter(|value| !own.contains(value)).cloned());
    if all.len() == own.len() {
        return Some(all);
    }
    match sources.order(&all) {
        Some(order) => Some(order.values),
        None if sources.order(own).is_none() => Some(all),
        None => None,
    }
}

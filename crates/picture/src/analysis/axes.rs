//! Which coordinate leads to the right and which up or down.

use super::draft::Part;
use super::fluent::Slot;
use super::order;

/// How a board with two coordinates lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Orientation {
    /// Whether the first coordinate is the column.
    pub(crate) column_first: bool,
    /// Whether rows are counted from below.
    pub(crate) upwards: bool,
}

/// What a place is by its names.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Axis {
    Column,
    /// A row counted from above.
    Row,
    /// A row counted from below.
    Height,
}

/// What the name of a variable or of a value says.
fn axis_of(name: &str) -> Option<Axis> {
    let letters = name.trim_end_matches(|letter: char| !letter.is_ascii_alphabetic());
    let is = |words: &[&str]| words.contains(&letters);
    if is(&["x", "xx", "c", "col", "column", "file", "colx"]) || letters.starts_with("col") {
        Some(Axis::Column)
    } else if is(&["y", "yy", "rank"]) {
        Some(Axis::Height)
    } else if is(&["r", "row", "line"]) || letters.starts_with("row") {
        Some(Axis::Row)
    } else {
        None
    }
}

/// What most variables at a place say, else the letters before its values.
fn axis(slot: &Slot) -> Option<Axis> {
    let votes = |wanted: Axis| slot.names.iter().filter(|name| axis_of(name) == Some(wanted)).count();
    let (_, best) = [Axis::Column, Axis::Row, Axis::Height]
        .into_iter()
        .map(|axis| (votes(axis), axis))
        .filter(|(votes, _)| 3 * votes >= slot.names.len() && *votes > 0)
        .max_by_key(|(votes, _)| *votes)
        .unzip();
    let by_value = || {
        let (prefix, _) = order::numbered(slot.values.first()?)?;
        axis_of(prefix).filter(|_| ["x", "y", "r", "row", "col"].contains(&prefix))
    };
    best.or_else(by_value)
}

/// How a board lies by its first part.
pub(crate) fn orientation(part: &Part<'_>, first: usize, second: usize) -> Orientation {
    let slot = |place: usize| &part.fluent.slots[place];
    let letters = |place: usize| {
        slot(place).values.iter().all(|value| value.len() == 1 && value.as_bytes()[0].is_ascii_alphabetic())
    };
    let chess = |column_first| Orientation { column_first, upwards: true };
    if letters(first) && !letters(second) {
        return chess(true);
    }
    if letters(second) && !letters(first) {
        return chess(false);
    }
    match (axis(slot(first)), axis(slot(second))) {
        (Some(Axis::Column), other) => Orientation { column_first: true, upwards: other != Some(Axis::Row) },
        (other, Some(Axis::Column)) => {
            Orientation { column_first: false, upwards: other == Some(Axis::Height) }
        }
        (Some(row), _) => Orientation { column_first: false, upwards: row == Axis::Height },
        (_, Some(row)) => Orientation { column_first: true, upwards: row == Axis::Height },
        (None, None) => by_start(part, first, second),
    }
}

/// Where pieces begin in few rows of many columns, players face each other; else as matrices are written.
fn by_start(part: &Part<'_>, first: usize, second: usize) -> Orientation {
    let spread = |place: usize| {
        let start = part.fluent.seen.first().into_iter().flatten();
        let mut values: Vec<&String> = start.map(|values| &values[place]).collect();
        values.sort_unstable();
        values.dedup();
        values.len()
    };
    let (left, right) = (spread(first), spread(second));
    match left.cmp(&right) {
        std::cmp::Ordering::Greater if right > 0 => Orientation { column_first: true, upwards: true },
        _ => Orientation { column_first: false, upwards: false },
    }
}

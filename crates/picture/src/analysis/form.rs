//! What a fluent is to the eye: a board, a track, a counter, a list.
//!
//! The places with an order are candidates for coordinates. What was seen in play tells coordinates from
//! contents: two facts of a state may agree on a content, but not on the whole address of a cell.

use super::fluent::{Fluent, Sources};
use super::order;

/// How a fluent is shown. Numbers are those of its places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Cells with two coordinates; `index` tells boards apart.
    Grid { index: Option<usize>, first: usize, second: usize, content: Vec<usize> },
    /// Boards whose cells are boards: coordinates outside, then inside.
    Nested { outer: [usize; 2], inner: [usize; 2], content: Vec<usize> },
    /// Lines between cells that are neighbours.
    Edges { from: [usize; 2], to: [usize; 2], content: Vec<usize> },
    /// Cells named by letter and number.
    Squares { place: usize, content: Vec<usize> },
    /// Cells named by a ring and a point of the compass.
    Rings { ring: usize, compass: usize, content: Vec<usize> },
    /// Cells in a row, or the nodes of a graph.
    Track { place: usize, content: Vec<usize> },
    /// Values in the order of the places.
    Sequence,
    /// Things that stand on each other.
    Stacks { above: usize, below: usize },
    /// A value for each of several things.
    Table { key: Vec<usize>, value: usize },
    /// One value.
    Counter { place: usize },
    /// Several values.
    List { place: usize },
    /// True or not.
    Flag,
    /// Anything else.
    Other,
}

/// Boards with more columns or rows are no boards to look at.
pub(crate) const MAX_SIDE: usize = 40;
/// Tracks with more cells are lists.
const MAX_TRACK: usize = 64;

fn is_squares(values: &[String]) -> bool {
    let named: Vec<(&str, u64)> = values.iter().filter_map(|value| order::square(value)).collect();
    let mut letters: Vec<&str> = named.iter().map(|(letter, _)| *letter).collect();
    letters.sort_unstable();
    letters.dedup();
    let mut numbers: Vec<u64> = named.iter().map(|(_, number)| *number).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let enough = values.len() >= 4 && letters.len() >= 2 && numbers.len() >= 2;
    enough && 10 * named.len() >= 8 * values.len() && 2 * named.len() >= letters.len() * 2
}

/// How a fluent is shown.
pub(crate) fn form(fluent: &Fluent, sources: &Sources<'_>) -> Form {
    let count = fluent.slots.len();
    let most = fluent.most();
    if count == 0 {
        return Form::Flag;
    }
    let slot = |place: usize| &fluent.slots[place];
    let others = |used: &[usize]| (0..count).filter(|place| !used.contains(place)).collect::<Vec<_>>();
    let squares = (0..count).find(|&place| slot(place).order.is_none() && is_squares(&slot(place).values));
    if count == 1 {
        let values = &slot(0).values;
        return if squares.is_some() {
            Form::Squares { place: 0, content: Vec::new() }
        } else if slot(0).roles || (most <= 1 && !sources.is_graph(values)) {
            Form::Counter { place: 0 }
        } else if values.len() <= MAX_TRACK {
            Form::Track { place: 0, content: Vec::new() }
        } else {
            Form::List { place: 0 }
        };
    }
    let is_compass = |place: &usize| {
        let values = &slot(*place).values;
        values.len() >= 4 && values.iter().all(|value| order::compass(value).is_some())
    };
    if let Some(compass) = (0..count).find(is_compass)
        && let Some(ring) = (0..count).find(|&place| {
            place != compass && !slot(place).roles && (2..=5).contains(&slot(place).values.len())
        })
        && fluent.is_key(&[ring, compass])
    {
        return Form::Rings { ring, compass, content: others(&[ring, compass]) };
    }
    if let Some(place) = squares.filter(|_| count <= 3) {
        return Form::Squares { place, content: others(&[place]) };
    }
    let small = |place: &usize| slot(*place).values.len() <= MAX_SIDE;
    let ordered: Vec<usize> =
        (0..count).filter(|&place| slot(place).order.is_some() && slot(place).values.len() > 1).collect();
    let sides: Vec<usize> = ordered.iter().copied().filter(small).collect();
    let same_values = (1..count).all(|place| slot(place).values == slot(0).values);
    if count >= 4 && most <= 1 && same_values && slot(0).values.len() >= count {
        return Form::Sequence;
    }
    if let Some(stacks) = stacks(fluent) {
        return stacks;
    }
    let alone = (0..count).find(|&place| most >= 2 && fluent.is_key(&[place]));
    match sides[..] {
        [first, second] if count == 2 => two(fluent, first, second),
        [first, second] => {
            let index = if most < 2 || fluent.is_nearly_key(&[first, second]) || count < 4 {
                None
            } else {
                others(&sides).into_iter().find(|&place| fluent.is_key(&[place, first, second]))
            };
            let used: Vec<usize> = index.into_iter().chain([first, second]).collect();
            Form::Grid { index, first, second, content: others(&used) }
        }
        [_, _, _] => three(fluent, [sides[0], sides[1], sides[2]], alone, &others),
        [a, b, c, d, ..] => four(fluent, [a, b, c, d], &others),
        [only] => {
            let rest = others(&[only]);
            // A value for each thing: scores, numbers of pieces, healths.
            let is_value = rest.iter().any(|&place| slot(place).roles)
                || (!fluent.is_key(&[only]) && fluent.is_key(&rest));
            let cells = most >= 4 && count >= 3 && fluent.is_key(&[only]);
            if is_value && fluent.is_key(&rest) && !cells {
                Form::Table { key: rest, value: only }
            } else {
                Form::Track { place: only, content: rest }
            }
        }
        [] => unordered(fluent, sources, &ordered),
    }
}

/// Things that stand on things of the same kind, each on one and under one.
fn stacks(fluent: &Fluent) -> Option<Form> {
    let [above, below] = &fluent.slots[..] else { return None };
    let number = |value: &String| value.bytes().all(|byte| byte.is_ascii_digit());
    let common = above.values.iter().filter(|value| below.values.contains(value)).count();
    let alike = common >= 3 && 10 * common >= 8 * above.values.len() && !above.values.iter().all(number);
    let apart = fluent.seen.iter().flatten().all(|values| values[0] != values[1]);
    let stacked = alike && apart && !above.roles && fluent.is_key(&[0]) && fluent.is_key(&[1]);
    (stacked && fluent.most() >= 1).then_some(Form::Stacks { above: 0, below: 1 })
}

/// Two places with an order: points of a board, or a value for each cell of a row.
fn two(fluent: &Fluent, first: usize, second: usize) -> Form {
    let cells = fluent.slots[first].values.len();
    let each = fluent.most() >= 2 && fluent.is_key(&[first]);
    let filled =
        fluent.seen.iter().filter(|state| 10 * state.len() >= 8 * cells.min(state.len().max(cells))).count();
    if each && 2 * filled >= fluent.seen.len() {
        return Form::Track { place: first, content: vec![second] };
    }
    Form::Grid { index: None, first, second, content: Vec::new() }
}

fn alike(fluent: &Fluent, left: usize, right: usize) -> bool {
    fluent.slots[left].values == fluent.slots[right].values
}

fn three(
    fluent: &Fluent,
    sides: [usize; 3],
    alone: Option<usize>,
    others: &impl Fn(&[usize]) -> Vec<usize>,
) -> Form {
    let [a, b, c] = sides;
    let grid = |index: Option<usize>, first, second| {
        let used: Vec<usize> = index.into_iter().chain([first, second]).collect();
        Form::Grid { index, first, second, content: others(&used) }
    };
    // A thing that has a place by itself is what stands there.
    if let Some(thing) = alone.filter(|thing| sides.contains(thing)) {
        let [first, second] = match thing {
            thing if thing == a => [b, c],
            thing if thing == b => [a, c],
            _ => [a, b],
        };
        if alike(fluent, first, second) || !alike(fluent, a, b) {
            return grid(None, first, second);
        }
    }
    let pairs = [(a, b), (b, c), (a, c)];
    if let Some(&(first, second)) =
        pairs.iter().find(|&&(first, second)| fluent.is_nearly_key(&[first, second]))
    {
        return grid(None, first, second);
    }
    match (alike(fluent, a, b), alike(fluent, b, c), alike(fluent, a, c)) {
        (false, true, false) => grid(Some(a), b, c),
        (false, false, true) => grid(Some(b), a, c),
        _ => grid(Some(c), a, b),
    }
}

fn four(fluent: &Fluent, sides: [usize; 4], others: &impl Fn(&[usize]) -> Vec<usize>) -> Form {
    let [a, b, c, d] = sides;
    if fluent.most() >= 2 && fluent.is_key(&[a, b]) {
        return Form::Grid { index: None, first: a, second: b, content: others(&[a, b]) };
    }
    let place = |slot: usize, values: &Vec<String>| {
        fluent.slots[slot].order.as_ref()?.values.iter().position(|value| *value == values[slot])
    };
    let far = |values: &Vec<String>, left, right| Some(place(left, values)?.abs_diff(place(right, values)?));
    let neighbours = |values: &Vec<String>| Some(far(values, a, c)? + far(values, b, d)? == 1);
    let mut facts = fluent.seen.iter().flatten().peekable();
    if facts.peek().is_some() && facts.all(|values| neighbours(values) == Some(true)) {
        return Form::Edges { from: [a, b], to: [c, d], content: others(&sides) };
    }
    Form::Nested { outer: [a, b], inner: [c, d], content: others(&sides) }
}

fn unordered(fluent: &Fluent, sources: &Sources<'_>, ordered: &[usize]) -> Form {
    let count = fluent.slots.len();
    let slot = |place: usize| &fluent.slots[place];
    if count == 2 && sources.is_graph(&slot(0).values) {
        return Form::Track { place: 0, content: vec![1] };
    }
    if let [value] = ordered {
        let key = (0..count).filter(|place| place != value).collect();
        return Form::Table { key, value: *value };
    }
    let key: Vec<usize> = (0..count - 1).collect();
    if fluent.most() >= 1 && fluent.is_key(&key) {
        return Form::Table { key, value: count - 1 };
    }
    Form::Other
}

//! How many moves it takes at least to bring groups of parts home, counted back from the goal and
//! kept in tables (pattern databases, after Culberson and Schaeffer, 1998).

use game::Dice;
use smallvec::SmallVec;

use crate::Space;
use crate::parts::{NONE, Part, parts};

/// From here the goal cannot be reached.
const UNREACHABLE: u8 = u8::MAX;

/// The cells of a table.
const MOST_CELLS: usize = 15_000;
/// The tables of groups; parts are in several of them.
const MOST_TABLES: usize = 50;
/// Cells times moves in all tables.
const MOST_WORK: usize = 20_000_000;

/// Distances of groups of parts.
#[derive(Debug)]
pub(crate) struct Distances {
    parts: Vec<Part>,
    tables: Vec<Distance>,
}

/// The distances of one group.
#[derive(Debug)]
struct Distance {
    /// The parts, each with how far apart its states are in the cells.
    parts: Vec<(usize, usize)>,
    cells: Vec<u8>,
}

/// How far the highest goal is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Out of reach.
    Never,
    /// Some way off.
    Within {
        /// At least so many moves.
        least: u8,
        /// The squares of the moves that the groups need, added up: what is far off weighs more.
        squares: u32,
    },
}

impl Distances {
    /// The tables of a space: of each part, and of groups of parts drawn by chance. `None` if the
    /// goal has no parts.
    pub(crate) fn new(space: &Space) -> Option<Self> {
        let parts = parts(space);
        let moves = parts.first()?.after().len().max(1);
        let mut tables: Vec<Distance> = (0..parts.len()).map(|part| Distance::new(&parts, &[part])).collect();
        let most = MOST_TABLES.min(MOST_WORK / MOST_CELLS / moves);
        let mut dice = Dice::new(parts.len() as u64);
        let mut groups: Vec<Vec<usize>> = Vec::new();
        while groups.len() < most {
            let drawn = draw(&parts, &mut dice);
            if drawn.is_empty() {
                break;
            }
            groups.extend(drawn);
        }
        tables.extend(groups.iter().map(|group| Distance::new(&parts, group)));
        Some(Self { parts, tables })
    }

    /// The moves to the highest goal.
    pub(crate) fn judge(&self, state: &[u64]) -> Reach {
        let now: SmallVec<[u16; 32]> = self.parts.iter().map(|part| part.state(state)).collect();
        let (mut least, mut squares) = (0, 0);
        for table in &self.tables {
            if table.parts.iter().any(|&(part, _)| now[part] == NONE) {
                // Not met from the start, so that nothing is known.
                continue;
            }
            let cell: usize = table.parts.iter().map(|&(part, stride)| usize::from(now[part]) * stride).sum();
            let distance = table.cells[cell];
            if distance == UNREACHABLE {
                return Reach::Never;
            }
            least = least.max(distance);
            squares += u32::from(distance) * u32::from(distance);
        }
        Reach::Within { least, squares }
    }
}

/// Cuts the parts, in any order, into groups of several whose table is not too large.
fn draw(parts: &[Part], dice: &mut Dice) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..parts.len()).collect();
    for last in (1..order.len()).rev() {
        order.swap(last, dice.below(last + 1));
    }
    let mut groups: Vec<Vec<usize>> = vec![Vec::new()];
    let mut cells = 1;
    for part in order {
        if cells * parts[part].len() > MOST_CELLS {
            groups.push(Vec::new());
            cells = 1;
        }
        cells *= parts[part].len();
        groups.last_mut().into_iter().for_each(|group| group.push(part));
    }
    groups.retain(|group| group.len() > 1);
    groups
}

impl Distance {
    /// Counts back from the cells in which all parts have what is needed.
    fn new(all: &[Part], group: &[usize]) -> Self {
        let mut size = 1;
        let mut parts = Vec::new();
        for &part in group {
            parts.push((part, size));
            size *= all[part].len();
        }
        let mut cells = vec![UNREACHABLE; size];
        let states =
            |cell: usize| parts.iter().map(move |&(part, stride)| (part, cell / stride % all[part].len()));
        let mut layer: Vec<usize> =
            (0..size).filter(|&cell| states(cell).all(|(part, state)| all[part].is_met(state))).collect();
        layer.iter().for_each(|&cell| cells[cell] = 0);
        let moves = all[group[0]].after().len();
        let before = |number: usize| group.iter().map(move |&part| before(&all[part], number)).collect();
        let before: Vec<Vec<Origins>> = (0..moves).map(before).collect();
        let mut found = Vec::new();
        // Distances beyond what a byte holds count as the most it holds.
        for distance in 1..UNREACHABLE {
            let mut next = Vec::new();
            for &cell in &layer {
                for before in &before {
                    found.clear();
                    found.push(0);
                    // All combinations of the states that the parts may come from.
                    for (place, (_, state)) in states(cell).enumerate() {
                        let (stride, count) = (parts[place].1, found.len());
                        for &origin in &before[place][state] {
                            for index in 0..count {
                                found.push(found[index] + usize::from(origin) * stride);
                            }
                        }
                        found.drain(..count);
                    }
                    for &origin in &found {
                        if cells[origin] == UNREACHABLE {
                            cells[origin] = distance;
                            next.push(origin);
                        }
                    }
                }
            }
            layer = next;
            if layer.is_empty() {
                break;
            }
        }
        if !layer.is_empty() {
            cells.iter_mut().filter(|cell| **cell == UNREACHABLE).for_each(|cell| *cell -= 1);
        }
        Self { parts, cells }
    }
}

/// For each state of a part the states that a move leads there from.
type Origins = Vec<Vec<u16>>;

fn before(part: &Part, number: usize) -> Origins {
    let mut before = vec![Vec::new(); part.len()];
    for (state, &next) in (0..).zip(&part.after()[number]) {
        if next != NONE {
            before[usize::from(next)].push(state);
        }
    }
    before
}

//! Who has to be told when a fact, a move or a conjunction changes.

use ::circuit::Circuit;

use super::super::MoveNumbers;
use super::super::programs::Condition;
use super::logic::{Answer, Input, Logic, Source};
use super::values::Values;

/// A network that is kept up to date: what changes is told to those who read it, and to nobody else.
///
/// All gates are conjunctions, inverted or not where they are read. Answers are gates too, behind the other levels of
/// their part: what is legal and over is the first part, what comes next the second.
#[derive(Debug)]
pub(crate) struct Net {
    /// For each fact, move and gate where its readers begin; one more for the end.
    starts: Vec<u32>,
    readers: Vec<Reader>,
    pub(super) first_move: usize,
    pub(super) first_gate: usize,
    /// The first gate of each level; one more for the end.
    pub(super) levels: Vec<u32>,
    /// The level of each gate.
    pub(super) level_of: Vec<u16>,
    /// How many levels the first part has; its answers are the last of them.
    pub(super) first_part: usize,
    /// The values at the beginning of the game, before any move.
    initial: Values,
}

/// A gate that reads something, or the inverse of it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Reader(u32);

impl Reader {
    fn new(gate: u32, inverted: bool) -> Self {
        Self(gate << 1 | u32::from(inverted))
    }

    pub(super) fn gate(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// One if it reads the inverse.
    pub(super) fn inverted(self) -> u8 {
        (self.0 & 1) as u8
    }
}

/// Where gates are: by parts and levels.
struct Places {
    levels: Vec<u32>,
    /// The level of the answers of each part.
    answers: [usize; 2],
    /// The gate that each conjunction is.
    gates: Vec<u32>,
}

impl Net {
    /// The network of a circuit under a condition, of what comes next only if that is asked for; none if it is too deep.
    pub(crate) fn new(
        circuit: &Circuit,
        numbers: &MoveNumbers,
        condition: Option<&Condition>,
        has_next: bool,
    ) -> Option<Self> {
        let logic = Logic::new(circuit, numbers, condition, has_next);
        let places = Places::new(&logic);
        let levels = places.levels.len() - 1;
        if levels > usize::from(u16::MAX) {
            return None;
        }
        let first_move = circuit.bases.len();
        let first_gate = first_move + numbers.count();
        let source = |input: &Input| match input.source {
            Source::Outside(number) => number,
            Source::Inside(number) => first_gate as u32 + places.gates[number as usize],
        };
        let mut links: Vec<(u32, Reader)> = Vec::new();
        let mut link = |gate: u32, inputs: &[Input]| {
            links.extend(inputs.iter().map(|input| (source(input), Reader::new(gate, input.inverted))));
        };
        for (number, &gate) in places.gates.iter().enumerate() {
            link(gate, logic.inputs_of(number));
        }
        for (answers, level) in logic.answers.iter().zip(places.answers) {
            for (answer, gate) in answers.iter().zip(places.levels[level]..) {
                if let Answer::Of { inputs, .. } = answer {
                    link(gate, inputs);
                }
            }
        }
        let gates = places.levels[levels] as usize;
        let mut level_of = vec![0; gates];
        for level in 0..levels {
            level_of[places.levels[level] as usize..places.levels[level + 1] as usize].fill(level as u16);
        }
        let (starts, readers) = by_source(&links, first_gate + gates);
        let initial = initial(&logic, circuit, first_gate, &places);
        let first_part = places.answers[0] + 1;
        let levels = places.levels;
        Some(Self { starts, readers, first_move, first_gate, levels, level_of, first_part, initial })
    }

    /// The values at the beginning of the game.
    pub(crate) fn initial(&self) -> &Values {
        &self.initial
    }

    /// About how many bytes it takes.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&self.starts[..]) + size_of_val(&self.readers[..]) + size_of_val(&self.level_of[..])
    }

    /// How many levels there are.
    pub(super) fn depth(&self) -> usize {
        self.levels.len() - 1
    }

    pub(super) fn readers_of(&self, source: usize) -> &[Reader] {
        &self.readers[self.starts[source] as usize..self.starts[source + 1] as usize]
    }
}

impl Places {
    fn new(logic: &Logic) -> Self {
        let parts =
            [0..logic.first_part, logic.conjunctions.len().min(logic.first_part)..logic.conjunctions.len()];
        let mut sizes: Vec<u32> = Vec::new();
        let mut first_levels = [0; 2];
        let mut answers = [0; 2];
        for (part, range) in parts.iter().enumerate() {
            first_levels[part] = sizes.len();
            for conjunction in &logic.conjunctions[range.clone()] {
                let level = first_levels[part] + conjunction.level as usize;
                sizes.resize(sizes.len().max(level + 1), 0);
                sizes[level] += 1;
            }
            answers[part] = sizes.len();
            sizes.push(logic.answers[part].len() as u32);
        }
        let mut levels = vec![0];
        levels.extend(sizes.iter().scan(0, |end, size| {
            *end += size;
            Some(*end)
        }));
        let mut free = levels.clone();
        let mut gates = Vec::with_capacity(logic.conjunctions.len());
        for (range, first) in parts.into_iter().zip(first_levels) {
            for conjunction in &logic.conjunctions[range] {
                let free = &mut free[first + conjunction.level as usize];
                gates.push(*free);
                *free += 1;
            }
        }
        Self { levels, answers, gates }
    }
}

/// The readers of each source, and where they begin.
fn by_source(links: &[(u32, Reader)], sources: usize) -> (Vec<u32>, Vec<Reader>) {
    let mut starts = vec![0u32; sources + 1];
    links.iter().for_each(|link| starts[link.0 as usize] += 1);
    let mut start = 0;
    for count in &mut starts {
        start += std::mem::replace(count, start);
    }
    let mut free = starts.clone();
    let mut readers = vec![Reader::default(); links.len()];
    for &(source, reader) in links {
        let free = &mut free[source as usize];
        readers[*free as usize] = reader;
        *free += 1;
    }
    (starts, readers)
}

/// Works out everything for the initial state, without moves.
fn initial(logic: &Logic, circuit: &Circuit, outside: usize, places: &Places) -> Values {
    let mut given = circuit.initial.clone();
    given.resize(outside, false);
    let mut values = Values::new(&places.levels, circuit.bases.len(), circuit.roles.len());
    for (fact, _) in circuit.initial.iter().enumerate().filter(|(_, holds)| **holds) {
        values.state[fact / 64] |= 1 << (fact % 64);
    }
    let failing = |values: &Values, inputs: &[Input]| {
        let holds = |input: &Input| {
            let value = match input.source {
                Source::Outside(number) => given[number as usize],
                Source::Inside(number) => values.holds(places.gates[number as usize] as usize),
            };
            value != input.inverted
        };
        inputs.iter().filter(|input| !holds(input)).count()
    };
    for (number, &gate) in places.gates.iter().enumerate() {
        let failing = failing(&values, logic.inputs_of(number));
        values.set_failing(gate as usize, failing);
    }
    for (part, level) in places.answers.into_iter().enumerate() {
        let mut row = vec![0u64; logic.answers[part].len().div_ceil(64)];
        for (place, answer) in logic.answers[part].iter().enumerate() {
            let gate = places.levels[level] as usize + place;
            let value = match answer {
                Answer::Constant(value) => *value,
                Answer::Of { inputs, inverted } => {
                    let failing = failing(&values, inputs);
                    values.set_failing(gate, failing);
                    values.holds(gate) != *inverted
                }
            };
            row[place / 64] |= u64::from(value) << (place % 64);
        }
        values.rows[part] = row;
    }
    values
}

//! Working out what each move changes.

use ::circuit::{Circuit, Edge, Gate, GateId, Gates};

use super::super::programs::{Condition, under};
use super::{Effects, Mask, Operation, Shift, Starts, Write};
use crate::program::import;

/// Gates that are looked at, at most: where every move may change everything there is nothing to be gained.
const MOST_VISITS: usize = 30_000_000;
/// Words of the table that tells which moves have a say in which gates, at most.
const MOST_WORDS: usize = 8_000_000;
/// Operations that are left, at most.
const MOST_OPERATIONS: usize = 2_000_000;

/// The effects of a role's moves under a condition, where nobody else chooses. `implied` are the literals that hold
/// where each move is legal: twice a fact, and one more if it is false.
pub(super) fn build(
    circuit: &Circuit,
    condition: Option<&Condition>,
    (mover, first): (usize, u32),
    implied: &[Vec<u32>],
) -> Option<Effects> {
    let mut gates = Gates::new();
    let next = under(circuit, condition, &mut gates, &circuit.next);
    let moves = Moves::new(&gates, circuit.roles[mover].moves.len())?;
    let mut effects = Effects { mover, first, ..Effects::default() };
    let mut changes_anyway = vec![false; next.len()];
    let mut target = Gates::new();
    let unmoved = import(&mut target, &gates, &next, |target, gate| match gate {
        Gate::Base(number) => target.base(number),
        _ => Edge::FALSE,
    });
    let mut changed = Vec::new();
    for (fact, edge) in (0..).zip(unmoved) {
        if edge != target.base(fact) {
            changes_anyway[fact as usize] = true;
            changed.push((fact, edge));
        }
    }
    effects.add(&target, &changed);
    let touched = moves.touched(&next);
    let mut images = Images::new(&gates, &moves);
    for (number, touched) in (0..).zip(&touched) {
        let mut target = Gates::new();
        changed.clear();
        for &fact in touched {
            let edge = images.resolve(next[fact as usize], &mut target, number, &implied[number as usize]);
            if changes_anyway[fact as usize] || edge != target.base(fact) {
                changed.push((fact, edge));
            }
        }
        effects.add(&target, &changed);
        if images.visits > MOST_VISITS || effects.operations.len() > MOST_OPERATIONS {
            return None;
        }
    }
    effects.begin();
    Some(effects)
}

/// Which moves have a say in which gates: a row of bits for each.
struct Moves {
    count: usize,
    words: usize,
    rows: Vec<u64>,
}

impl Moves {
    /// None if there are too many.
    fn new(gates: &Gates, count: usize) -> Option<Self> {
        let words = count.div_ceil(64);
        if words * gates.len() > MOST_WORDS {
            return None;
        }
        let mut rows = vec![0; words * gates.len()];
        for (id, gate) in gates.iter() {
            let place = id.0 as usize * words;
            match gate {
                Gate::And(left, right) | Gate::Xor(left, right) => {
                    for word in 0..words {
                        let of = |edge: Edge| rows[edge.gate().0 as usize * words + word];
                        rows[place + word] = of(left) | of(right);
                    }
                }
                Gate::Does(_, number) => rows[place + number as usize / 64] |= 1 << (number % 64),
                Gate::Base(_) | Gate::False => {}
            }
        }
        Some(Self { count, words, rows })
    }

    fn of(&self, id: GateId) -> &[u64] {
        &self.rows[id.0 as usize * self.words..][..self.words]
    }

    /// For each move the facts that it has a say in.
    fn touched(&self, next: &[Edge]) -> Vec<Vec<u32>> {
        let mut touched = vec![Vec::new(); self.count];
        for (fact, edge) in (0..).zip(next) {
            let row = self.of(edge.gate());
            let moves = (0..self.count).filter(|number| row[number / 64] >> (number % 64) & 1 != 0);
            moves.for_each(|number| touched[number].push(fact));
        }
        touched
    }
}

/// What gates have become, for the move that is being worked out.
struct Images<'a> {
    gates: &'a Gates,
    moves: &'a Moves,
    edges: Vec<Edge>,
    /// The move of which that is true.
    of: Vec<u32>,
    open: Vec<GateId>,
    visits: usize,
}

impl<'a> Images<'a> {
    fn new(gates: &'a Gates, moves: &'a Moves) -> Self {
        let (edges, of) = (vec![Edge::FALSE; gates.len()], vec![u32::MAX; gates.len()]);
        Self { gates, moves, edges, of, open: Vec::new(), visits: 0 }
    }

    /// What becomes of an edge for a move and what its being legal tells. As most moves are not made, most conjunctions
    /// are decided by one of their sides, and the other is not looked at.
    fn resolve(&mut self, edge: Edge, target: &mut Gates, number: u32, implied: &[u32]) -> Edge {
        self.open.push(edge.gate());
        while let Some(&id) = self.open.last() {
            self.visits += 1;
            let image = if self.of[id.0 as usize] == number {
                Some(self.edges[id.0 as usize])
            } else {
                self.image_of(id, target, number, implied)
            };
            if let Some(image) = image {
                self.of[id.0 as usize] = number;
                self.edges[id.0 as usize] = image;
                self.open.pop();
            }
        }
        self.known(edge, number).unwrap_or(Edge::FALSE)
    }

    /// What becomes of a gate; none if something else has to be known first, which is then open.
    fn image_of(&mut self, id: GateId, target: &mut Gates, number: u32, implied: &[u32]) -> Option<Edge> {
        Some(match self.gates.get(id) {
            Gate::False => Edge::FALSE,
            Gate::And(left, right) => {
                let has_moves = self.moves.of(left.gate()).iter().any(|&word| word != 0);
                let (first, second) = if has_moves { (left, right) } else { (right, left) };
                match self.ask(first, number)? {
                    Edge::FALSE => Edge::FALSE,
                    first => target.and(first, self.ask(second, number)?),
                }
            }
            Gate::Xor(left, right) => target.xor(self.ask(left, number)?, self.ask(right, number)?),
            Gate::Does(_, other) if other == number => Edge::TRUE,
            Gate::Does(..) => Edge::FALSE,
            Gate::Base(fact) if implied.binary_search(&(2 * fact)).is_ok() => Edge::TRUE,
            Gate::Base(fact) if implied.binary_search(&(2 * fact + 1)).is_ok() => Edge::FALSE,
            Gate::Base(fact) => target.base(fact),
        })
    }

    /// What has become of an edge; where that is not known its gate is open then.
    fn ask(&mut self, edge: Edge, number: u32) -> Option<Edge> {
        let known = self.known(edge, number);
        if known.is_none() {
            self.open.push(edge.gate());
        }
        known
    }

    fn known(&self, edge: Edge, number: u32) -> Option<Edge> {
        let place = edge.gate().0 as usize;
        let image = self.edges[place];
        (self.of[place] == number).then_some(if edge.is_inverted() { !image } else { image })
    }
}

impl Effects {
    /// Begins the lists of the next change.
    fn begin(&mut self) {
        self.starts.push(Starts {
            masks: self.masks.len() as u32,
            shifts: self.shifts.len() as u32,
            loads: self.loads.len() as u32,
            operations: self.operations.len() as u32,
            writes: self.writes.len() as u32,
        });
    }

    /// Adds a change: facts and what they become.
    fn add(&mut self, gates: &Gates, changed: &[(u32, Edge)]) {
        self.begin();
        let mut masks: Vec<Mask> = Vec::new();
        let mut moved: Vec<(u32, u32)> = Vec::new();
        let mut computed: Vec<(u32, Edge)> = Vec::new();
        for &(fact, edge) in changed {
            if !edge.is_constant() {
                match gates.get(edge.gate()) {
                    Gate::Base(from) if !edge.is_inverted() => moved.push((from, fact)),
                    _ => {
                        computed.push((fact, edge));
                        continue;
                    }
                }
            }
            // Facts come in order, so those of a word come together.
            let (word, bit) = (fact / 64, 1 << (fact % 64));
            if masks.last().is_none_or(|mask| mask.word != word) {
                masks.push(Mask { word, keep: u64::MAX, set: 0 });
            }
            if let Some(mask) = masks.last_mut() {
                mask.keep &= !bit;
                mask.set |= if edge == Edge::TRUE { bit } else { 0 };
            }
        }
        self.masks.extend(masks);
        self.add_shifts(moved);
        self.add_operations(gates, &computed);
    }

    /// Adds facts that move, from and to. Those that become several others are in as many shifts.
    fn add_shifts(&mut self, mut moved: Vec<(u32, u32)>) {
        moved.sort_unstable();
        while !moved.is_empty() {
            let begin = self.shifts.len();
            let mut last = None;
            moved.retain(|&(from, to)| {
                if last == Some(from) {
                    return true;
                }
                last = Some(from);
                let (word, bit) = (from / 64, 1u64 << (from % 64));
                if self.shifts[begin..].last().is_none_or(|shift| shift.word != word) {
                    self.shifts.push(Shift { word, target: self.targets.len() as u32, from: 0 });
                }
                if let Some(shift) = self.shifts.last_mut() {
                    shift.from |= bit;
                }
                self.targets.push(to);
                false
            });
        }
    }

    /// Adds facts that are worked out.
    fn add_operations(&mut self, gates: &Gates, computed: &[(u32, Edge)]) {
        let cone = gates.cone(computed.iter().map(|(_, edge)| *edge));
        let mut places = vec![0u32; gates.len()];
        let mut values = 0;
        for &id in &cone {
            if let Gate::Base(fact) = gates.get(id) {
                places[id.0 as usize] = values;
                values += 1;
                self.loads.push(fact);
            }
        }
        for &id in &cone {
            let (left, right, is_xor) = match gates.get(id) {
                Gate::And(left, right) => (left, right, 0),
                Gate::Xor(left, right) => (left, right, 1),
                _ => continue,
            };
            places[id.0 as usize] = values;
            values += 1;
            let [left, right] = [left, right].map(|edge| code(&places, edge));
            self.operations.push(Operation { left, right, is_xor });
        }
        let write = |&(fact, edge): &(u32, Edge)| Write { fact, value: code(&places, edge) };
        self.writes.extend(computed.iter().map(write));
        self.values = self.values.max(values as usize);
    }
}

/// How an operation names the value of an edge.
fn code(places: &[u32], edge: Edge) -> u32 {
    places[edge.gate().0 as usize] << 1 | u32::from(edge.is_inverted())
}

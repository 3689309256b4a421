//! Gates and the edges between them, hash-consed: equal logic is one gate.

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;

/// A gate, by its place in [`Gates`]. Arguments always have smaller ids: the order of ids is an
/// order of evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GateId(pub u32);

/// The value of a gate, or its inverse.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Edge(u32);

#[allow(clippy::derivable_impls)] // "never" is a meaning, not just a zero.
impl Default for Edge {
    fn default() -> Self {
        Edge::FALSE
    }
}

impl Edge {
    /// Never.
    pub const FALSE: Edge = Edge(0);
    /// Always.
    pub const TRUE: Edge = Edge(1);

    /// The value of a gate.
    pub fn new(gate: GateId, inverted: bool) -> Edge {
        Edge(gate.0 << 1 | u32::from(inverted))
    }

    /// The gate it leads from.
    pub fn gate(self) -> GateId {
        GateId(self.0 >> 1)
    }

    /// Whether the gate's value is inverted.
    pub fn is_inverted(self) -> bool {
        self.0 & 1 != 0
    }

    /// Whether it is always or never true.
    pub fn is_constant(self) -> bool {
        self.0 < 2
    }

    /// The edge as a number: twice the gate, plus one if inverted.
    pub fn code(self) -> u32 {
        self.0
    }

    /// The edge of a number.
    pub fn from_code(code: u32) -> Edge {
        Edge(code)
    }
}

impl std::ops::Not for Edge {
    type Output = Edge;
    fn not(self) -> Edge {
        Edge(self.0 ^ 1)
    }
}

impl std::fmt::Debug for Edge {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{}g{}", if self.is_inverted() { "!" } else { "" }, self.0 >> 1)
    }
}

/// What a gate computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Gate {
    /// Gate 0: never true.
    False,
    /// A base proposition, by number.
    Base(u32),
    /// An input proposition: role and the number of the move among the role's.
    Does(u16, u32),
    /// Both.
    And(Edge, Edge),
    /// Exactly one.
    Xor(Edge, Edge),
}

/// The gates of a circuit.
#[derive(Clone, Debug)]
pub struct Gates {
    gates: Vec<Gate>,
    /// Half the hash of each gate, and its number.
    known: HashTable<(u32, u32)>,
}

impl Default for Gates {
    fn default() -> Self {
        Self { gates: vec![Gate::False], known: HashTable::new() }
    }
}

impl Gates {
    /// Only the constant.
    pub fn new() -> Self {
        Self::default()
    }

    /// The gates that some edges need, ascending, without the constant.
    pub fn cone(&self, edges: impl Iterator<Item = Edge>) -> Vec<GateId> {
        let mut needed = vec![false; self.len()];
        let mut highest = 0;
        for edge in edges {
            needed[edge.gate().0 as usize] = true;
            highest = highest.max(edge.gate().0);
        }
        for index in (1..=highest).rev() {
            if needed[index as usize]
                && let Gate::And(left, right) | Gate::Xor(left, right) = self.get(GateId(index))
            {
                needed[left.gate().0 as usize] = true;
                needed[right.gate().0 as usize] = true;
            }
        }
        (1..=highest).filter(|&index| needed[index as usize]).map(GateId).collect()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.gates.len()
    }

    /// Never: the constant is always there.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// What a gate computes.
    pub fn get(&self, gate: GateId) -> Gate {
        self.gates[gate.0 as usize]
    }

    /// All gates in order of evaluation.
    pub fn iter(&self) -> impl Iterator<Item = (GateId, Gate)> + '_ {
        self.gates.iter().enumerate().map(|(index, &gate)| (GateId(index as u32), gate))
    }

    /// A base proposition.
    pub fn base(&mut self, number: u32) -> Edge {
        self.intern(Gate::Base(number))
    }

    /// An input proposition.
    pub fn does(&mut self, role: u16, number: u32) -> Edge {
        self.intern(Gate::Does(role, number))
    }

    /// Both.
    pub fn and(&mut self, left: Edge, right: Edge) -> Edge {
        let (left, right) = if left <= right { (left, right) } else { (right, left) };
        if left == Edge::FALSE || left == !right {
            return Edge::FALSE;
        }
        if left == Edge::TRUE || left == right {
            return right;
        }
        // One level down: x(xy) = xy, x(x'y) = 0, x(xy)' = xy', x(x'y)' = x.
        for (near, far) in [(left, right), (right, left)] {
            let Gate::And(a, b) = self.get(far.gate()) else { continue };
            if near == a || near == b {
                let other = if near == a { b } else { a };
                return if far.is_inverted() { self.and(near, !other) } else { far };
            }
            if near == !a || near == !b {
                return if far.is_inverted() { near } else { Edge::FALSE };
            }
        }
        self.intern(Gate::And(left, right))
    }

    /// At least one.
    pub fn or(&mut self, left: Edge, right: Edge) -> Edge {
        !self.and(!left, !right)
    }

    /// Exactly one. Inversions move to the output.
    pub fn xor(&mut self, left: Edge, right: Edge) -> Edge {
        let inverted = left.is_inverted() != right.is_inverted();
        let (left, right) = (Edge::new(left.gate(), false), Edge::new(right.gate(), false));
        let (left, right) = if left <= right { (left, right) } else { (right, left) };
        let plain = if left == right {
            Edge::FALSE
        } else if left == Edge::FALSE {
            right
        } else {
            self.intern(Gate::Xor(left, right))
        };
        if inverted { !plain } else { plain }
    }

    /// The gates as they were printed, without simplification. `None` if an argument does not come
    /// before its gate, a gate occurs twice or the first is not the constant.
    pub(crate) fn restore(list: &[Gate]) -> Option<Gates> {
        let mut gates = Gates::new();
        if list.first() != Some(&Gate::False) {
            return None;
        }
        for (index, &gate) in list.iter().enumerate().skip(1) {
            let sound = match gate {
                Gate::False => false,
                Gate::Base(_) | Gate::Does(..) => true,
                Gate::And(left, right) | Gate::Xor(left, right) => {
                    (left.gate().0 as usize) < index && (right.gate().0 as usize) < index
                }
            };
            if !sound || gates.intern(gate).gate().0 as usize != index {
                return None;
            }
        }
        Some(gates)
    }

    /// How many bytes they take.
    pub fn bytes(&self) -> usize {
        self.gates.capacity() * size_of::<Gate>() + self.known.capacity() * 9
    }

    fn intern(&mut self, gate: Gate) -> Edge {
        let hash = FxBuildHasher.hash_one(gate);
        let gates = &mut self.gates;
        let entry = self.known.entry(
            spread(hash as u32),
            |&(other, index)| other == hash as u32 && gates[index as usize] == gate,
            |&(other, _)| spread(other),
        );
        let index = match entry {
            hashbrown::hash_table::Entry::Occupied(entry) => entry.get().1,
            hashbrown::hash_table::Entry::Vacant(entry) => {
                let index = gates.len() as u32;
                entry.insert((hash as u32, index));
                gates.push(gate);
                index
            }
        };
        Edge::new(GateId(index), false)
    }
}

/// Half a hash is kept beside each gate, so that the table grows without looking at the gates; the
/// table wants all bits.
fn spread(hash: u32) -> u64 {
    u64::from(hash).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

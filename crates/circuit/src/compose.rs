//! Logic of logic: what edges come to when inputs are replaced by other edges of the same gates. What does
//! not depend on the replaced inputs stays the gate it is, so a small change makes few gates.

use crate::{Edge, Gate, GateId, Gates};

/// Composes edges, as long as that stays within bounds.
#[derive(Debug)]
pub(crate) struct Composer {
    pub(crate) gates: Gates,
    /// The value of gates of which it is known, wherever what is composed is asked for.
    known: Vec<Option<bool>>,
    /// What gates have become in the present composition: counts where the stamp is the present one.
    images: Vec<Edge>,
    stamps: Vec<u32>,
    present: u32,
    most_gates: usize,
    /// Gates that may still be looked at.
    work: usize,
}

/// What does not fit into the bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooLarge;

impl Composer {
    pub(crate) fn new(gates: Gates, most_gates: usize, most_work: usize) -> Self {
        let known = vec![None; gates.len()];
        Self { gates, known, images: Vec::new(), stamps: Vec::new(), present: 0, most_gates, work: most_work }
    }

    /// An edge is true from now on, and whatever that takes.
    pub(crate) fn assume(&mut self, edge: Edge) {
        let mut open = vec![edge];
        while let Some(edge) = open.pop() {
            let index = edge.gate().0 as usize;
            if edge.is_constant() || self.known[index].is_some() {
                continue;
            }
            self.known[index] = Some(!edge.is_inverted());
            if let (Gate::And(left, right), false) = (self.gates.get(edge.gate()), edge.is_inverted()) {
                open.extend([left, right]);
            }
        }
    }

    /// An edge, or what is known of it.
    fn reduce(&self, edge: Edge) -> Edge {
        match self.known.get(edge.gate().0 as usize) {
            Some(Some(value)) if *value != edge.is_inverted() => Edge::TRUE,
            Some(Some(_)) => Edge::FALSE,
            _ => edge,
        }
    }

    /// Begins a composition: inputs become edges.
    pub(crate) fn replace(&mut self, replaced: impl IntoIterator<Item = (GateId, Edge)>) {
        self.images.resize(self.gates.len(), Edge::FALSE);
        self.stamps.resize(self.gates.len(), 0);
        self.present += 1;
        for (id, edge) in replaced {
            self.set(id, edge);
        }
    }

    fn set(&mut self, id: GateId, edge: Edge) {
        self.images[id.0 as usize] = edge;
        self.stamps[id.0 as usize] = self.present;
    }

    fn is_changed(&self, edge: Edge) -> bool {
        self.stamps[edge.gate().0 as usize] == self.present
    }

    /// What an edge has become; `under` says what gates are that have not changed, themselves if it says
    /// nothing.
    pub(crate) fn read(&self, edge: Edge, under: Option<&[Edge]>) -> Edge {
        let index = edge.gate().0 as usize;
        let image = match under {
            _ if self.is_changed(edge) => self.images[index],
            Some(under) => under[index],
            None => return self.reduce(edge),
        };
        self.reduce(if edge.is_inverted() { !image } else { image })
    }

    /// Works out what the gates of a cone have become, given what they are if nothing changes.
    pub(crate) fn run(&mut self, cone: &[GateId], under: Option<&[Edge]>) -> Result<(), TooLarge> {
        self.work = self.work.checked_sub(cone.len()).ok_or(TooLarge)?;
        for &id in cone {
            let (Gate::And(left, right) | Gate::Xor(left, right)) = self.gates.get(id) else { continue };
            if !self.is_changed(left) && !self.is_changed(right) {
                continue;
            }
            let (a, b) = (self.read(left, under), self.read(right, under));
            let image = match self.gates.get(id) {
                Gate::And(..) => self.gates.and(a, b),
                _ => self.gates.xor(a, b),
            };
            let before = under.map_or(Edge::new(id, false), |under| under[id.0 as usize]);
            if image != before {
                self.set(id, image);
            }
        }
        if self.gates.len() > self.most_gates { Err(TooLarge) } else { Ok(()) }
    }

    /// At least one of some edges.
    pub(crate) fn any(&mut self, edges: impl IntoIterator<Item = Edge>) -> Edge {
        edges.into_iter().fold(Edge::FALSE, |any, edge| self.gates.or(any, edge))
    }
}

//! Atoms, literals and the bodies of one atom.

/// An atom that may become true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AtomId(pub u32);

/// An atom or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GroundLiteral(u32);

impl GroundLiteral {
    /// The atom, negated or not.
    pub fn new(atom: AtomId, negated: bool) -> Self {
        GroundLiteral(atom.0 << 1 | u32::from(negated))
    }

    /// The atom.
    pub fn atom(self) -> AtomId {
        AtomId(self.0 >> 1)
    }

    /// Whether the atom must not hold.
    pub fn is_negated(self) -> bool {
        self.0 & 1 != 0
    }
}

/// The bodies of one atom: it holds if all literals of one of them do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bodies {
    pub(crate) literals: Vec<GroundLiteral>,
    /// Where each body ends in `literals`.
    pub(crate) ends: Vec<u32>,
}

impl Bodies {
    /// The bodies in turn.
    pub fn iter(&self) -> impl Iterator<Item = &[GroundLiteral]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.literals[start as usize..end as usize])
    }

    /// One of them.
    pub fn get(&self, body: usize) -> &[GroundLiteral] {
        let start = if body == 0 { 0 } else { self.ends[body - 1] };
        &self.literals[start as usize..self.ends[body] as usize]
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether the atom never holds.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// All literals, body after body.
    pub fn literals(&self) -> &[GroundLiteral] {
        &self.literals
    }

    /// Removes all bodies.
    pub fn clear(&mut self) {
        self.literals.clear();
        self.ends.clear();
    }

    /// How many bytes they take.
    pub fn bytes(&self) -> usize {
        self.literals.capacity() * 4 + self.ends.capacity() * 4
    }

    pub(crate) fn truncate(&mut self, bodies: usize) {
        self.ends.truncate(bodies);
        self.literals.truncate(self.ends.last().map_or(0, |&end| end as usize));
    }
}

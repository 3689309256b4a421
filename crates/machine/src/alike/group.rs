//! Symmetries of rows and the groups they generate.

use circuit::Symmetries;
use rustc_hash::FxHashSet;

/// Where the bit of each fact goes, and whether it is inverted there.
pub(super) type Bits = Vec<(u32, bool)>;

/// A symmetry: what becomes of facts, roles and moves.
#[derive(Clone, Debug)]
pub(super) struct Element {
    pub(super) facts: Bits,
    /// For each role the role it is mapped to.
    pub(super) roles: Vec<u16>,
    /// For each move, role after role, the move it is mapped to.
    pub(super) moves: Vec<u32>,
}

impl Element {
    /// What leaves everything as it is, and generators of the symmetries of rows whose facts are those of `core`.
    pub(super) fn of(symmetries: &Symmetries, core: &[u64]) -> (Self, Vec<Self>) {
        let facts: Bits = (0..symmetries.readings.len() as u32).map(|fact| (fact, false)).collect();
        let (roles, moves) =
            symmetries.generators.first().map_or((0, 0), |first| (first.roles.len(), first.moves.len()));
        let identity = Self { facts, roles: (0..roles as u16).collect(), moves: (0..moves as u32).collect() };
        let holds = |fact: u32| core[fact as usize / 64] >> (fact % 64) & 1 != 0;
        let mut generators = Vec::new();
        'all: for generator in &symmetries.generators {
            let mut facts = identity.facts.clone();
            for fact in (0..facts.len() as u32).filter(|&fact| holds(fact)) {
                let (image, inverted) = symmetries.readings[generator.facts[fact as usize] as usize];
                if !holds(image) {
                    continue 'all;
                }
                facts[fact as usize] = (image, inverted);
            }
            generators.push(Self { facts, roles: generator.roles.clone(), moves: generator.moves.clone() });
        }
        (identity, generators)
    }

    /// First this, then another.
    fn then(&self, next: &Self) -> Self {
        let facts = self.facts.iter().map(|&(image, inverted)| {
            let (image, again) = next.facts[image as usize];
            (image, inverted != again)
        });
        Self {
            facts: facts.collect(),
            roles: self.roles.iter().map(|&role| next.roles[usize::from(role)]).collect(),
            moves: self.moves.iter().map(|&id| next.moves[id as usize]).collect(),
        }
    }

    /// Whether every role is mapped to itself.
    pub(super) fn keeps_roles(&self) -> bool {
        (0..).zip(&self.roles).all(|(role, &image)| role == image)
    }
}

/// The place of each number in a permutation.
pub(super) fn inverse<T: Copy + TryFrom<usize>>(permutation: &[T]) -> Vec<T>
where
    usize: TryFrom<T>,
{
    let mut inverse = permutation.to_vec();
    for (place, &image) in permutation.iter().enumerate() {
        if let (Ok(image), Ok(place)) = (usize::try_from(image), T::try_from(place)) {
            inverse[image] = place;
        }
    }
    inverse
}

/// All elements that generators generate. Those that would make it too many are left out.
pub(super) fn group(identity: Element, generators: &[Element], most: usize) -> Vec<Element> {
    let mut elements = vec![identity];
    let mut taken: Vec<&Element> = Vec::new();
    for generator in generators {
        taken.push(generator);
        match closure(&elements[0], &taken, most) {
            Some(all) => elements = all,
            None => {
                taken.pop();
            }
        }
    }
    elements
}

fn closure(identity: &Element, generators: &[&Element], most: usize) -> Option<Vec<Element>> {
    // Moves that do the same may be exchanged with nothing else: that is no symmetry of its own.
    let name = |element: &Element| (element.facts.clone(), element.roles.clone());
    let mut elements = vec![identity.clone()];
    let mut known: FxHashSet<(Bits, Vec<u16>)> = elements.iter().map(name).collect();
    let mut done = 0;
    while done < elements.len() {
        for generator in generators {
            let product = elements[done].then(generator);
            if known.insert(name(&product)) {
                elements.push(product);
            }
        }
        done += 1;
        if elements.len() > most {
            return None;
        }
    }
    Some(elements)
}

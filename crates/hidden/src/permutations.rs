//! Groups of permutations, as far as branch and bound needs them: which points are alike, and what is left of a group
//! that has to keep a point where it is.

/// A permutation: where each point goes.
pub(crate) type Permutation = Box<[u16]>;

/// A group of permutations, by some that generate it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Group {
    generators: Vec<Permutation>,
    /// The first point of the orbit of each point; without any each is alone.
    first: Vec<u16>,
}

impl Group {
    /// Only what changes nothing, on so many points.
    pub(crate) fn trivial(points: usize) -> Self {
        Self { generators: Vec::new(), first: (0..points as u16).collect() }
    }

    /// Whether nothing else is in it.
    pub(crate) fn is_trivial(&self) -> bool {
        self.generators.is_empty()
    }

    /// The first point that can be brought to this one's place.
    pub(crate) fn first(&self, point: u16) -> u16 {
        self.first.get(usize::from(point)).copied().unwrap_or(point)
    }

    /// Adds a permutation.
    pub(crate) fn add(&mut self, permutation: Permutation) {
        self.join(&permutation);
        self.generators.push(permutation);
    }

    /// Makes one orbit of those that a permutation joins; whether it joins any.
    fn join(&mut self, permutation: &[u16]) -> bool {
        let root = |first: &[u16], mut point: u16| {
            while first[usize::from(point)] != point {
                point = first[usize::from(point)];
            }
            point
        };
        let mut joins = false;
        for (point, &image) in (0..).zip(permutation) {
            let (one, two) = (root(&self.first, point), root(&self.first, image));
            self.first[usize::from(one.max(two))] = one.min(two);
            joins |= one != two;
        }
        for point in 0..self.first.len() {
            self.first[point] = root(&self.first, point as u16);
        }
        joins
    }

    /// What keeps a point where it is, generated as Schreier's lemma says. Of what is generated only that is kept which makes more
    /// points alike: with those the orbits are whole, though not always the group.
    pub(crate) fn stabilizer(&self, point: u16) -> Self {
        let points = self.first.len();
        let mut fixed = Self::trivial(points);
        // A permutation that brings the point to each place of its orbit, and its inverse.
        let mut ways: Vec<Option<(Permutation, Permutation)>> = vec![None; points];
        let identity: Permutation = (0..points as u16).collect();
        ways[usize::from(point)] = Some((identity.clone(), identity));
        let mut orbit = vec![point];
        let mut next = 0;
        while let Some(&from) = orbit.get(next) {
            next += 1;
            for generator in &self.generators {
                let to = generator[usize::from(from)];
                let Some((way, _)) = &ways[usize::from(from)] else { continue };
                let there: Permutation = way.iter().map(|&each| generator[usize::from(each)]).collect();
                match &ways[usize::from(to)] {
                    Some((_, back)) => {
                        let returned: Permutation =
                            there.iter().map(|&each| back[usize::from(each)]).collect();
                        if fixed.join(&returned) {
                            fixed.generators.push(returned);
                        }
                    }
                    None => {
                        let mut back = there.clone();
                        for (place, &image) in (0..).zip(&there) {
                            back[usize::from(image)] = place;
                        }
                        ways[usize::from(to)] = Some((there, back));
                        orbit.push(to);
                    }
                }
            }
        }
        fixed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(points: usize, generators: &[&[u16]]) -> Group {
        let mut group = Group::trivial(points);
        generators.iter().for_each(|each| group.add((*each).into()));
        group
    }

    #[test]
    fn orbits_are_what_can_be_brought_to_each_other() {
        let group = group(5, &[&[1, 0, 2, 3, 4], &[0, 1, 2, 4, 3]]);
        let first: Vec<u16> = (0..5).map(|point| group.first(point)).collect();
        assert_eq!(first, [0, 0, 2, 3, 3]);
        assert!(!group.is_trivial() && Group::trivial(5).is_trivial());
    }

    #[test]
    fn what_keeps_a_corner_of_a_square_turns_it_over() {
        // Corners in a circle: turning and mirroring.
        let square = group(4, &[&[1, 2, 3, 0], &[1, 0, 3, 2]]);
        let fixed = square.stabilizer(0);
        let first: Vec<u16> = (0..4).map(|point| fixed.first(point)).collect();
        assert_eq!(first, [0, 1, 2, 1], "the corner across stays as well");
        assert!(fixed.stabilizer(1).is_trivial());
    }

    #[test]
    fn of_all_permutations_those_are_left_that_keep_a_point() {
        let all = group(6, &[&[1, 0, 2, 3, 4, 5], &[1, 2, 3, 4, 5, 0]]);
        let fixed = all.stabilizer(2);
        let first: Vec<u16> = (0..6).map(|point| fixed.first(point)).collect();
        assert_eq!(first, [0, 0, 2, 0, 0, 0]);
        assert!(fixed.generators.iter().all(|each| each[2] == 2));
    }
}

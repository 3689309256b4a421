//! Moves that are worth the same because a symmetry of what may follow maps one to the other.
//!
//! Positions and moves get colours by what is told of their steps, and finer ones by the colours of each other, until
//! nothing more can be told apart; then one move is singled out after the other on both sides (individualisation and
//! refinement, after McKay 1981). What comes of it is a guess, which is checked step by step.

use crate::belief_tree::mixed;
use crate::transitions::{Moves, Place, Row, Transitions};

/// Guesses that may be wrong before it is left at what was found.
const MOST_FAILURES: usize = 12;
/// Moves that are tried in place of one that was singled out.
const TRIES: usize = 2;

/// For each move, by its place, the first that is worth the same in some positions; `None` if no two are known to be.
pub(crate) fn orbits<State>(
    transitions: &Transitions<State>,
    positions: &[(Place, f64)],
    list: Moves,
) -> Option<Vec<u32>> {
    let table = Table::new(transitions, positions, list)?;
    let begun = table.refined(table.begin());
    let mut first: Vec<u32> = (0..table.moves as u32).collect();
    let mut failures = 0;
    for one in 0..table.moves {
        for other in one + 1..table.moves {
            let is_open = first[one] as usize == one && first[other] as usize == other;
            if !is_open || begun.moves[one] != begun.moves[other] {
                continue;
            }
            match table.guess(&begun, one, other).filter(|guess| table.holds(transitions, guess)) {
                Some(guess) => join(&mut first, &guess.moves),
                None => failures += 1,
            }
            if failures > MOST_FAILURES {
                return Some(first);
            }
        }
    }
    Some(first)
}

/// Moves that are mapped to each other are worth what the first of them is.
fn join(first: &mut [u32], image: &[u32]) {
    let root = |first: &[u32], mut place: u32| {
        while first[place as usize] != place {
            place = first[place as usize];
        }
        place
    };
    for (place, &other) in (0..).zip(image) {
        let (one, two) = (root(first, place), root(first, other));
        first[one.max(two) as usize] = one.min(two);
    }
    for place in 0..first.len() {
        first[place] = root(first, place as u32);
    }
}

/// What can be told apart so far.
#[derive(Clone)]
struct Colours {
    moves: Vec<u64>,
    positions: Vec<u64>,
}

impl Colours {
    /// How many there are.
    fn count(&self) -> usize {
        let count = |colours: &[u64]| {
            let mut all = colours.to_vec();
            all.sort_unstable();
            all.dedup();
            all.len()
        };
        count(&self.moves) + count(&self.positions)
    }

    /// Whether as many have each colour here as there.
    fn are_like(&self, other: &Self) -> bool {
        let is_like = |one: &[u64], two: &[u64]| {
            let (mut one, mut two) = (one.to_vec(), two.to_vec());
            one.sort_unstable();
            two.sort_unstable();
            one == two
        };
        is_like(&self.moves, &other.moves) && is_like(&self.positions, &other.positions)
    }

    /// A move of the largest number that look alike; `None` if none do.
    fn ambiguous(&self) -> Option<usize> {
        let mut all: Vec<(u64, usize)> =
            self.moves.iter().enumerate().map(|(place, &colour)| (colour, place)).collect();
        all.sort_unstable();
        let cells = all.chunk_by(|one, two| one.0 == two.0);
        let largest = cells.max_by_key(|cell| cell.len()).filter(|cell| cell.len() > 1)?;
        Some(largest[0].1)
    }

    fn single_out(&self, place: usize) -> Self {
        let mut single = self.clone();
        single.moves[place] = mixed(single.moves[place] ^ 0x5851_f42d_4c95_7f2d);
        single
    }
}

/// A permutation of moves, and of positions, that may be a symmetry.
struct Guess {
    moves: Vec<u32>,
    positions: Vec<(Place, Place)>,
}

/// The steps from some positions, as far as they can be told apart.
struct Table<'a> {
    list: Moves,
    positions: &'a [(Place, f64)],
    moves: usize,
    /// Position after position.
    entries: Vec<u64>,
}

impl<'a> Table<'a> {
    /// `None` where chance has a part, or positions have other moves.
    fn new<State>(
        transitions: &Transitions<State>,
        positions: &'a [(Place, f64)],
        list: Moves,
    ) -> Option<Self> {
        let moves = transitions.moves(list).len();
        let mut entries = Vec::with_capacity(moves * positions.len());
        for (place, _) in positions {
            let Row::Open { moves, each: 1, outcomes } = transitions.row(*place) else { return None };
            if *moves != list {
                return None;
            }
            for outcome in outcomes {
                let ideal = transitions.ideal(outcome.next)?;
                let worth = ideal.best.to_bits() ^ ideal.other.to_bits().rotate_left(17);
                entries.push(mixed(u64::from(outcome.told.0) ^ mixed(worth)));
            }
        }
        Some(Self { list, positions, moves, entries })
    }

    fn begin(&self) -> Colours {
        let weights = self.positions.iter().map(|(_, weight)| (weight * 1e9).round() as u64);
        Colours { moves: vec![0; self.moves], positions: weights.collect() }
    }

    /// Colours that tell apart what differs in its steps to others that can be told apart.
    fn refined(&self, mut colours: Colours) -> Colours {
        let mut count = colours.count();
        loop {
            let mut moves = vec![0u64; self.moves];
            for (row, &colour) in self.entries.chunks(self.moves).zip(&colours.positions) {
                for (sum, &entry) in moves.iter_mut().zip(row) {
                    *sum = sum.wrapping_add(mixed(entry ^ colour));
                }
            }
            let all = moves.iter_mut().zip(&colours.moves);
            all.for_each(|(sum, &colour)| *sum = mixed(sum.wrapping_add(mixed(colour))));
            let mut positions = Vec::with_capacity(self.positions.len());
            for (row, &colour) in self.entries.chunks(self.moves).zip(&colours.positions) {
                let each = row.iter().zip(&moves).map(|(&entry, &colour)| mixed(entry ^ colour));
                positions.push(mixed(each.fold(mixed(colour), u64::wrapping_add)));
            }
            colours = Colours { moves, positions };
            let now = colours.count();
            if now == count {
                return colours;
            }
            count = now;
        }
    }

    /// A permutation that maps one move to another and goes by colours.
    fn guess(&self, begun: &Colours, one: usize, other: usize) -> Option<Guess> {
        let mut here = self.refined(begun.single_out(one));
        let mut there = self.refined(begun.single_out(other));
        if !here.are_like(&there) {
            return None;
        }
        while let Some(place) = here.ambiguous() {
            let next = self.refined(here.single_out(place));
            let mut alike =
                (0..self.moves).filter(|&other| there.moves[other] == here.moves[place]).take(TRIES);
            there = alike.find_map(|other| {
                let tried = self.refined(there.single_out(other));
                next.are_like(&tried).then_some(tried)
            })?;
            here = next;
        }
        let by_colour = |colours: &[u64]| {
            let mut all: Vec<(u64, usize)> =
                colours.iter().enumerate().map(|(place, &colour)| (colour, place)).collect();
            all.sort_unstable();
            all
        };
        let mut moves = vec![0; self.moves];
        for (one, two) in by_colour(&here.moves).into_iter().zip(by_colour(&there.moves)) {
            moves[one.1] = two.1 as u32;
        }
        let pairs = by_colour(&here.positions).into_iter().zip(by_colour(&there.positions));
        let positions = pairs.map(|(one, two)| (self.positions[one.1].0, self.positions[two.1].0)).collect();
        Some(Guess { moves, positions })
    }

    /// Whether all steps that may follow are mapped to steps of which the same is told.
    fn holds<State>(&self, transitions: &Transitions<State>, guess: &Guess) -> bool {
        const NONE: u32 = u32::MAX;
        let mut image = vec![NONE; transitions.len()];
        let mut source = vec![NONE; transitions.len()];
        let mut open = Vec::new();
        let mut pair = |one: Place, two: Place, open: &mut Vec<(Place, Place)>| {
            let (to, from) = (&mut image[one.0 as usize], &mut source[two.0 as usize]);
            if (*to, *from) == (NONE, NONE) {
                (*to, *from) = (two.0, one.0);
                open.push((one, two));
            }
            (*to, *from) == (two.0, one.0)
        };
        let weight =
            |place: Place| self.positions.iter().find(|(each, _)| *each == place).map(|(_, weight)| *weight);
        let mut is_fine = guess.positions.iter().all(|&(one, two)| {
            let is_as_likely = match (weight(one), weight(two)) {
                (Some(one), Some(two)) => (one - two).abs() < 1e-12,
                _ => false,
            };
            is_as_likely && pair(one, two, &mut open)
        });
        while let Some((one, two)) = open.pop().filter(|_| is_fine) {
            is_fine = match (transitions.row(one), transitions.row(two)) {
                (Row::Over(one), Row::Over(two)) => one == two,
                (
                    Row::Open { moves, each: 1, outcomes },
                    Row::Open { moves: other_moves, each: 1, outcomes: others },
                ) => {
                    let is_same = |(outcome, &place): (&crate::transitions::Outcome, &u32)| {
                        let other = others[place as usize];
                        outcome.told == other.told && pair(outcome.next, other.next, &mut open)
                    };
                    *moves == self.list
                        && *other_moves == self.list
                        && outcomes.iter().zip(&guess.moves).all(is_same)
                }
                _ => false,
            };
        }
        is_fine
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use game::{Game, MoveId, RoleId};
    use machine::{Limits, Target, Wanted};

    use super::*;
    use crate::{Belief, Own, Step};

    #[test]
    fn codes_of_one_colour_are_alike_and_those_of_two() {
        let rules = bundled::find("mastermind-small").expect("a bundled game").rules;
        let machine = machine::from_text(rules, Wanted::Circuit(Target::detect()), &Limits::generous());
        let game = machine.expect("a machine").erased();
        let role = RoleId(0);
        let mut belief = Belief::new(Arc::clone(&game), role, 100, 1);
        let own = Own::Made(game::Describe::find_move(&*game, role, "noop").expect("a move"));
        assert_eq!(belief.advance(Step { own, told: Some(Vec::new()) }), Ok(true));
        let mut transitions = Transitions::new(role, 1_000_000);
        let mut workspace = game.workspace();
        let mut positions = Vec::new();
        for particle in belief.particles() {
            let place = transitions.place(particle.state.clone());
            transitions.explore(&*game, &mut workspace, place, 0, &mut || true).expect("small");
            positions.push((place, particle.weight));
        }
        let Row::Open { moves, .. } = transitions.row(positions[0].0) else { panic!("it goes on") };
        let moves = *moves;
        let first = orbits(&transitions, &positions, moves).expect("nothing is drawn any more");
        let text = |id: &MoveId| game::Describe::move_text(&*game, *id);
        let names: Vec<String> = transitions.moves(moves).iter().map(text).collect();
        let is_one_colour = |name: &str| {
            let words: Vec<&str> = name.trim_matches(['(', ')']).split(' ').collect();
            words[1] == words[2]
        };
        for (place, &first) in first.iter().enumerate() {
            assert_eq!(
                is_one_colour(&names[place]),
                is_one_colour(&names[first as usize]),
                "{names:?} {first}"
            );
        }
        let mut kinds = first.clone();
        kinds.sort_unstable();
        kinds.dedup();
        assert_eq!(kinds.len(), 2, "{names:?} {first:?}");
        // Positions that are not equally likely are not alike, nor are the moves that find them.
        positions[0].1 += 0.01;
        let first = orbits(&transitions, &positions, moves).expect("nothing is drawn any more");
        let mut kinds = first.clone();
        kinds.sort_unstable();
        kinds.dedup();
        assert!(kinds.len() > 2, "{first:?}");
    }
}

//! Games in which one role decides, solved over all beliefs that it may come to have.
//!
//! What the role does changes what it knows as well as what is so, and both are what a belief holds: so the best
//! move of a belief is the one after which the beliefs that may follow are worth most on average, each with its
//! own best move. That values information for exactly what it is worth. A belief that was solved once is known
//! wherever it occurs again; moves that cannot be better than one that is known are not followed (branch and bound), as who
//! would see everything after the next step bounds what a move is worth. Games in which something is hidden and asked about
//! are solved in a faster way (`inquiry.rs`).

use std::hash::Hash;

use game::{Describe, MoveId, RoleId, RuleFault, Simulator};
use rustc_hash::FxHashMap;

use crate::bounding::Bounding;
use crate::inquiry::{Effort, Inquiry};
use crate::questions::{Questions, Set};
use crate::transitions::{MOST_DEPTH, Moves, Place, Row, Told, Transitions};

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Halt {
    /// The rules are at fault.
    Rules(RuleFault),
    /// Somebody said to stop; what was found is kept.
    Stopped,
    /// There is more to look at than may be.
    TooLarge,
    /// Somebody else decides, or what is legal depends on what the role cannot know.
    Unsuited,
}

impl From<RuleFault> for Halt {
    fn from(fault: RuleFault) -> Self {
        Halt::Rules(fault)
    }
}

/// Positions and how likely they are.
type Weighted = Vec<(Place, f64)>;

/// What is known of the worth of a belief.
#[derive(Clone, Copy, Debug)]
struct Worth {
    value: f64,
    /// Whether it is not less than that.
    is_exact: bool,
}

/// What is known of beliefs.
#[derive(Debug)]
pub struct BeliefTree<State> {
    transitions: Transitions<State>,
    known: FxHashMap<u128, Worth>,
    bounding: Bounding,
    /// The game from some belief on, if it is one of questions.
    inquiry: Option<Inquiry>,
    work: u64,
    most_work: u64,
}

/// Looks at outcomes for each step that may be found.
const LOOKS_PER_STEP: u64 = 50;
/// Values that differ by less are equal.
const CLOSE: f64 = 1e-9;

impl<State: Clone + Eq + Hash> BeliefTree<State> {
    /// Nothing is known yet. No more steps of positions will be found than given.
    pub fn new(role: RoleId, most_steps: u64) -> Self {
        Self {
            transitions: Transitions::new(role, most_steps),
            known: FxHashMap::default(),
            bounding: Bounding::default(),
            inquiry: None,
            work: 0,
            most_work: most_steps.saturating_mul(LOOKS_PER_STEP),
        }
    }

    /// The same without an end to how often they are looked at.
    #[must_use]
    pub fn patient(mut self) -> Self {
        self.most_work = u64::MAX;
        self
    }

    /// How many beliefs were looked at.
    pub fn len(&self) -> usize {
        self.known.len() + self.inquiry.as_ref().map_or(0, Inquiry::len)
    }

    /// Whether none was.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many positions were met.
    pub fn positions(&self) -> usize {
        self.transitions.len()
    }

    /// What each move is worth, 0 to 1, to who holds some positions for possible, their likelihoods adding up to 1; nothing if
    /// the game is over in all of them. `go_on` is asked now and then.
    pub fn moves<G: Simulator<State = State> + Describe>(
        &mut self,
        game: &G,
        workspace: &mut G::Workspace,
        belief: &[(State, f64)],
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Vec<(MoveId, f64)>, Halt> {
        let belief = self.read(game, workspace, belief, go_on)?;
        let Some(open) = self.open(&belief)? else { return Ok(Vec::new()) };
        let ids = self.transitions.moves(open.moves).to_vec();
        let mut worth = Vec::new();
        for (place, id) in (0..).zip(ids) {
            let value = match self.inquiry(&open, go_on) {
                Some((set, inquiry, mut effort)) => {
                    open.share() * f64::from(inquiry.worth(&set, place as u16, &mut effort)?) / 100.0
                }
                None => {
                    let (bound, _) = self.bounding.of(&self.transitions, &open.positions, place);
                    self.after(&open, place, bound, f64::NEG_INFINITY, 0, go_on)?.value
                }
            };
            worth.push((id, open.ended + value));
        }
        Ok(worth)
    }

    /// The best move of who holds some positions for possible, and what it is worth; `None` if the game is over in all of them.
    pub fn best<G: Simulator<State = State> + Describe>(
        &mut self,
        game: &G,
        workspace: &mut G::Workspace,
        belief: &[(State, f64)],
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<(MoveId, f64)>, Halt> {
        let belief = self.read(game, workspace, belief, go_on)?;
        let Some(open) = self.open(&belief)? else { return Ok(None) };
        let best = match self.inquiry(&open, go_on) {
            Some((set, inquiry, mut effort)) => {
                let best = inquiry.best(&set, &mut effort)?;
                best.map(|(place, points)| (u32::from(place), open.share() * f64::from(points) / 100.0))
            }
            None => {
                let (worth, best) = self.best_of(&open, f64::NEG_INFINITY, 0, go_on)?;
                best.map(|place| (place, worth.value))
            }
        };
        let ids = self.transitions.moves(open.moves);
        Ok(best.map(|(place, value)| (ids[place as usize], open.ended + value)))
    }

    /// The game as one of questions, if it is one from these positions on.
    fn inquiry<'a>(
        &'a mut self,
        open: &Open,
        go_on: &'a mut dyn FnMut() -> bool,
    ) -> Option<(Set, &'a mut Inquiry, Effort<'a>)> {
        let known = self.inquiry.as_ref().and_then(|inquiry| inquiry.find(&open.positions));
        let set = match known {
            Some(set) => set,
            None => {
                let questions = Questions::read(&self.transitions, &open.positions)?;
                self.inquiry.insert(Inquiry::new(questions)).find(&open.positions)?
            }
        };
        let effort = Effort { done: &mut self.work, most: self.most_work, go_on };
        Some((set, self.inquiry.as_mut()?, effort))
    }

    /// A belief with its positions by number, and all that may follow from them.
    fn read<G: Simulator<State = State> + Describe>(
        &mut self,
        game: &G,
        workspace: &mut G::Workspace,
        belief: &[(State, f64)],
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Weighted, Halt> {
        let mut places: Weighted =
            belief.iter().map(|(state, weight)| (self.transitions.place(state.clone()), *weight)).collect();
        places.sort_by_key(|(place, _)| *place);
        let before = self.transitions.steps();
        for (number, (place, _)) in places.iter().enumerate() {
            self.transitions.explore(game, workspace, *place, 0, go_on)?;
            // What follows from one tells about how much follows from all: far too much need not be tried.
            let each = self.transitions.steps() - before;
            if number == 0 && each.saturating_mul(places.len() as u64) / 2 > self.transitions.most_steps() {
                return Err(Halt::TooLarge);
            }
        }
        Ok(places)
    }

    /// What a belief is worth, if that is more than `floor`.
    fn value(
        &mut self,
        belief: &[(Place, f64)],
        floor: f64,
        depth: usize,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Worth, Halt> {
        let key = key(belief);
        let known = self.known.get(&key).copied();
        if let Some(known) = known.filter(|known| known.is_exact || known.value <= floor + CLOSE) {
            return Ok(known);
        }
        if self.work > self.most_work || depth > MOST_DEPTH {
            return Err(Halt::TooLarge);
        }
        if !go_on() {
            return Err(Halt::Stopped);
        }
        let found = match self.open(belief)? {
            None => Worth { value: self.ended(belief), is_exact: true },
            Some(open) => {
                let (worth, _) = self.best_of(&open, floor - open.ended, depth, go_on)?;
                Worth { value: open.ended + worth.value, ..worth }
            }
        };
        self.known.insert(key, found);
        Ok(found)
    }

    /// The best move, by its place, and what it is worth if that is more than `floor`.
    fn best_of(
        &mut self,
        open: &Open,
        floor: f64,
        depth: usize,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<(Worth, Option<u32>), Halt> {
        let count = self.transitions.moves(open.moves).len();
        self.work += (count * open.positions.len()) as u64;
        let mut bounds: Vec<((f64, u64), u32)> = (0..count as u32)
            .map(|place| (self.bounding.of(&self.transitions, &open.positions, place), place))
            .filter(|((bound, _), _)| *bound > floor + CLOSE)
            .collect();
        bounds.sort_by(|(one, here), (two, there)| {
            two.0.total_cmp(&one.0).then(one.1.cmp(&two.1)).then(here.cmp(there))
        });
        bounds.dedup_by_key(|(bound, _)| bound.1);
        // What was left out is worth no more than the floor.
        let (mut value, mut best, mut upper) = (floor, None, floor);
        for ((bound, _), place) in bounds {
            if bound <= value + CLOSE {
                upper = upper.max(bound);
                break;
            }
            let worth = self.after(open, place, bound, value, depth, go_on)?;
            upper = upper.max(worth.value);
            if worth.is_exact && worth.value > value + CLOSE {
                (value, best) = (worth.value, Some(place));
            }
        }
        let worth = match best {
            Some(_) => Worth { value, is_exact: true },
            None => Worth { value: upper, is_exact: false },
        };
        Ok((worth, best))
    }

    /// What the game is worth after a move, as far as it goes on, if that is more than `floor`.
    fn after(
        &mut self,
        open: &Open,
        place: u32,
        bound: f64,
        floor: f64,
        depth: usize,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Worth, Halt> {
        let mut parts = self.parts(open, place);
        // Where much is uncertain it is soon clear whether a move is as good as it may be.
        parts.sort_by_key(|part| std::cmp::Reverse(part.len()));
        let bounds: Vec<f64> =
            parts.iter().map(|part| self.bounding.of_part(&self.transitions, part)).collect();
        let mut value = bound.min(bounds.iter().sum());
        for (part, bound) in parts.into_iter().zip(bounds) {
            let (belief, weight) = merged(part);
            let others = value - bound;
            let worth = self.value(&belief, (floor - others) / weight, depth + 1, go_on)?;
            value = others + (weight * worth.value).min(bound);
            if !worth.is_exact || value <= floor + CLOSE {
                return Ok(Worth { value: value.min(floor), is_exact: false });
            }
        }
        Ok(Worth { value, is_exact: true })
    }

    /// What may follow from a move, by what is told of it.
    fn parts(&self, open: &Open, place: u32) -> Vec<Weighted> {
        let mut parts: Vec<Weighted> = Vec::new();
        let mut places: FxHashMap<Told, usize> = FxHashMap::default();
        for &(from, weight) in &open.positions {
            let outcomes = self.transitions.outcomes(from, place);
            let share = weight / outcomes.len() as f64;
            for outcome in outcomes {
                let number = *places.entry(outcome.told).or_insert_with(|| {
                    parts.push(Vec::new());
                    parts.len() - 1
                });
                parts[number].push((outcome.next, share));
            }
        }
        parts
    }

    /// What positions in which the game is over are worth.
    fn ended(&self, belief: &[(Place, f64)]) -> f64 {
        let worth = |(place, weight): &(Place, f64)| match self.transitions.row(*place) {
            Row::Over(value) => weight * value,
            _ => 0.0,
        };
        belief.iter().map(worth).sum()
    }

    /// The part of a belief in which the game goes on; `None` if it does nowhere.
    fn open(&self, belief: &[(Place, f64)]) -> Result<Option<Open>, Halt> {
        let (mut positions, mut list) = (Vec::new(), None);
        for &(place, weight) in belief {
            if let Row::Open { moves, .. } = self.transitions.row(place) {
                if *list.get_or_insert(*moves) != *moves {
                    return Err(Halt::Unsuited);
                }
                positions.push((place, weight));
            }
        }
        Ok(list.map(|moves| Open { ended: self.ended(belief), moves, positions }))
    }
}

/// A belief as far as the game goes on in it.
struct Open {
    /// What the rest is worth.
    ended: f64,
    /// The moves of the role.
    moves: Moves,
    /// Each position, and how likely it is.
    positions: Weighted,
}

impl Open {
    /// How likely each position is, where all are equally likely.
    fn share(&self) -> f64 {
        self.positions.first().map_or(0.0, |(_, weight)| *weight)
    }
}

/// Equal positions are one; the likelihoods add up to 1. And what they added up to before.
fn merged(mut part: Weighted) -> (Weighted, f64) {
    part.sort_by_key(|(place, _)| *place);
    part.dedup_by(|other, one| {
        let is_same = one.0 == other.0;
        if is_same {
            one.1 += other.1;
        }
        is_same
    });
    let total: f64 = part.iter().map(|(_, weight)| weight).sum();
    part.iter_mut().for_each(|(_, weight)| *weight /= total);
    (part, total)
}

/// A number for a belief whose positions are in order. Of 128 bits: no two of them will ever have the same.
fn key(belief: &[(Place, f64)]) -> u128 {
    let (mut one, mut two) = (0u64, 1u64);
    for (place, weight) in belief {
        // The same likelihood may have been reached by other roundings.
        let bits = mixed(u64::from(place.0) << 32 ^ (weight * 1e9).round() as u64);
        one = mixed(one ^ bits);
        two = mixed(two.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(bits));
    }
    u128::from(one) << 64 | u128::from(two)
}

/// All bits of a number in all of another.
pub(crate) fn mixed(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests;

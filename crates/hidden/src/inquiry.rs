//! A game of questions, solved: branch and bound over sets of secrets that are still possible.
//!
//! The best question is the one after which what is left is worth most, added up over its answers. A question is
//! followed only if its bound is above what another is known to be worth; bounds look at the numbers of secrets that are left, and
//! then one question further, before anything is worked out. A set that was solved is known wherever it occurs again. Questions
//! that a symmetry of those asked before maps to each other are one.

use std::cmp::Reverse;

use rustc_hash::FxHashMap;

use crate::belief_tree::{Halt, mixed};
use crate::permutations::Group;
use crate::questions::{Points, Questions, Set};

use crate::question_symmetries::QuestionSymmetries;
use crate::transitions::Place;

/// Sets of so many secrets are looked at for symmetries.
const MANY: usize = 48;

/// Less than anything is worth.
const NOTHING: Points = -1;

/// What is known of the worth of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Worth {
    points: Points,
    /// Whether it is not less than that.
    is_exact: bool,
}

impl Worth {
    fn exactly(points: Points) -> Self {
        Self { points, is_exact: true }
    }

    fn at_most(points: Points) -> Self {
        Self { points, is_exact: false }
    }
}

/// How much may be looked at, and who says whether to go on.
pub(crate) struct Effort<'a> {
    pub(crate) done: &'a mut u64,
    pub(crate) most: u64,
    pub(crate) go_on: &'a mut dyn FnMut() -> bool,
}

impl Effort<'_> {
    fn spend(&mut self, work: usize) -> Result<(), Halt> {
        *self.done += work as u64;
        if *self.done > self.most {
            return Err(Halt::TooLarge);
        }
        if !(self.go_on)() {
            return Err(Halt::Stopped);
        }
        Ok(())
    }
}

/// A set that is looked at.
#[derive(Clone, Copy)]
struct Open<'a> {
    asked: usize,
    secrets: &'a [u16],
}

impl<'a> From<&'a Set> for Open<'a> {
    fn from(set: &'a Set) -> Self {
        Self { asked: set.asked, secrets: &set.secrets }
    }
}

/// What is known of a game of questions.
#[derive(Debug)]
pub(crate) struct Inquiry {
    questions: Questions,
    symmetries: QuestionSymmetries,
    known: FxHashMap<u128, Worth>,
    /// Sets that were looked at.
    sets: usize,
}

impl Inquiry {
    pub(crate) fn new(questions: Questions) -> Self {
        Self {
            symmetries: QuestionSymmetries::new(&questions),
            questions,
            known: FxHashMap::default(),
            sets: 0,
        }
    }

    /// How many sets were looked at.
    pub(crate) fn len(&self) -> usize {
        self.sets
    }

    /// Some positions of the game, equally likely ones; `None` if it does not have them.
    pub(crate) fn find(&self, positions: &[(Place, f64)]) -> Option<Set> {
        self.questions.find(positions)
    }

    /// The best question about a set, and what it is worth, added up over all secrets.
    pub(crate) fn best(&mut self, set: &Set, effort: &mut Effort<'_>) -> Result<Option<(u16, Points)>, Halt> {
        let group = self.symmetries(set, effort)?;
        self.best_within(set, &group, effort)
    }

    /// The same by symmetries that keep the set.
    pub(crate) fn best_within(
        &mut self,
        set: &Set,
        group: &Group,
        effort: &mut Effort<'_>,
    ) -> Result<Option<(u16, Points)>, Halt> {
        let open = Open::from(set);
        // Of what is known to be worth so much only the question has to be found.
        let known = self.known.get(&key(open)).filter(|known| known.is_exact);
        let floor = known.map_or(NOTHING, |known| known.points - 1);
        let (worth, best) = self.best_of(open, floor, group, effort)?;
        Ok(best.map(|question| (question, worth.points)))
    }

    /// What a question about a set is worth, added up over all secrets.
    pub(crate) fn worth(
        &mut self,
        set: &Set,
        question: u16,
        effort: &mut Effort<'_>,
    ) -> Result<Points, Halt> {
        let group = self.symmetries(set, effort)?;
        Ok(self.after(Open::from(set), question, NOTHING, &group, effort)?.points)
    }

    /// The symmetries of the whole game; none of a part of it, as they may not keep that part.
    fn symmetries(&mut self, set: &Set, effort: &mut Effort<'_>) -> Result<Group, Halt> {
        if set.asked > 0 || set.secrets.len() < MANY.max(self.questions.secrets()) {
            return Ok(Group::default());
        }
        while self.symmetries.look(&self.questions) {
            effort.spend(self.questions.secrets() * self.questions.count())?;
        }
        Ok(self.symmetries.group().clone())
    }

    /// What a set is worth, if that is more than `floor`.
    fn value(
        &mut self,
        open: Open<'_>,
        floor: Points,
        group: &Group,
        effort: &mut Effort<'_>,
    ) -> Result<Worth, Halt> {
        if let &[only] = open.secrets {
            return Ok(Worth::exactly(self.questions.alone(open.asked, only)));
        }
        let most = self.questions.most(open.asked, open.secrets.len());
        if most <= floor {
            return Ok(Worth::at_most(most));
        }
        let key = key(open);
        let known = self.known.get(&key).copied();
        if let Some(known) = known.filter(|known| known.is_exact || known.points <= floor) {
            return Ok(known);
        }
        effort.spend(open.secrets.len() * self.questions.count())?;
        self.sets += 1;
        let found = match self.is_found_soon(open) {
            true => Worth::exactly(most),
            false => self.best_of(open, floor, group, effort)?.0,
        };
        self.known.insert(key, found);
        Ok(found)
    }

    /// Whether a question that may end the game tells all others apart, so that nothing can be better.
    fn is_found_soon(&self, open: Open<'_>) -> bool {
        let Open { asked, secrets } = open;
        let most = self.questions.most(asked, secrets.len());
        let mut finders = secrets.iter().map(|&secret| self.questions.finder(secret));
        finders.any(|finder| self.questions.if_told_apart(asked, secrets, finder) == Some(most))
    }

    /// What a set is worth at most, looking one question ahead.
    fn look_ahead(&mut self, open: Open<'_>, effort: &mut Effort<'_>) -> Result<Worth, Halt> {
        let Open { asked, secrets } = open;
        let key = key(open);
        if let Some(known) = self.known.get(&key) {
            return Ok(*known);
        }
        let most = self.questions.most(asked, secrets.len());
        if self.is_found_soon(open) {
            return Ok(Worth::exactly(most));
        }
        effort.spend(secrets.len() * self.questions.count())?;
        let mut upper = NOTHING;
        for question in 0..self.questions.count() as u16 {
            upper = upper.max(self.questions.bound(asked, secrets, question));
            if upper == most {
                return Ok(Worth::at_most(most));
            }
        }
        self.known.insert(key, Worth::at_most(upper));
        Ok(Worth::at_most(upper))
    }

    /// The best question, and what it is worth if that is more than `floor`.
    fn best_of(
        &mut self,
        open: Open<'_>,
        floor: Points,
        group: &Group,
        effort: &mut Effort<'_>,
    ) -> Result<(Worth, Option<u16>), Halt> {
        let (mut bounds, mut upper) = (Vec::new(), NOTHING);
        for question in (0..self.questions.count() as u16).filter(|&each| group.first(each) == each) {
            match self.questions.bound(open.asked, open.secrets, question) {
                bound if bound > floor => bounds.push((Reverse(bound), question)),
                bound => upper = upper.max(bound),
            }
        }
        bounds.sort_unstable();
        let (mut best, mut points) = (None, floor);
        for (Reverse(bound), question) in bounds {
            if bound <= points {
                upper = upper.max(bound);
                break;
            }
            let worth = self.after(open, question, points, group, effort)?;
            upper = upper.max(worth.points);
            if worth.is_exact && worth.points > points {
                (points, best) = (worth.points, Some(question));
            }
        }
        let worth = if best.is_some() { Worth::exactly(points) } else { Worth::at_most(upper) };
        Ok((worth, best))
    }

    /// What a set is worth after a question, if that is more than `floor`.
    fn after(
        &mut self,
        open: Open<'_>,
        question: u16,
        floor: Points,
        group: &Group,
        effort: &mut Effort<'_>,
    ) -> Result<Worth, Halt> {
        let asked = open.asked + 1;
        let (mut total, mut parts) = self.questions.parts(open.asked, open.secrets, question);
        // Where much is uncertain it is soon clear whether a question is as good as it may be.
        parts.sort_by_key(|part| Reverse(part.len()));
        let mut bounds = Vec::with_capacity(parts.len());
        for part in &parts {
            bounds.push(match part[..] {
                [only] => Worth::exactly(self.questions.alone(asked, only)),
                _ => Worth::at_most(self.questions.most(asked, part.len())),
            });
        }
        total += bounds.iter().map(|bound| bound.points).sum::<Points>();
        for (part, bound) in parts.iter().zip(&mut bounds).filter(|(_, bound)| !bound.is_exact) {
            if total <= floor {
                return Ok(Worth::at_most(total));
            }
            let ahead = self.look_ahead(Open { asked, secrets: part }, effort)?;
            total -= bound.points - ahead.points;
            *bound = ahead;
        }
        if total <= floor {
            return Ok(Worth::at_most(total));
        }
        let is_large = parts.first().is_some_and(|part| part.len() >= MANY) && !group.is_trivial();
        let fixed = match is_large {
            true => group.stabilizer(question),
            false => Group::default(),
        };
        for (part, bound) in parts.iter().zip(bounds).filter(|(_, bound)| !bound.is_exact) {
            let others = total - bound.points;
            let worth = self.value(Open { asked, secrets: part }, floor - others, &fixed, effort)?;
            total = others + worth.points.min(bound.points);
            if !worth.is_exact || total <= floor {
                return Ok(Worth::at_most(total));
            }
        }
        Ok(Worth::exactly(total))
    }
}

/// A number for a set whose secrets are in order. Of 128 bits: no two of them will ever have the same.
fn key(open: Open<'_>) -> u128 {
    let (mut one, mut two) = (open.asked as u64, !(open.asked as u64));
    for &secret in open.secrets {
        one = mixed(one ^ u64::from(secret));
        two = mixed(two.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(u64::from(secret)));
    }
    u128::from(one) << 64 | u128::from(two)
}

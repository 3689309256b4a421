//! Questions that are worth the same because a symmetry of all answers maps one to the other.
//!
//! Secrets and questions get colours by their answers, and finer ones by the colours of each other, until nothing more can
//! be told apart; then one question is singled out after the other on both sides (individualisation and refinement, after
//! McKay 1981). What comes of it is a guess, which is checked answer by answer.

use crate::belief_tree::mixed;
use crate::permutations::{Group, Permutation};
use crate::questions::Questions;

/// Guesses that may be wrong before it is left at what was found.
const MOST_FAILURES: usize = 12;
/// Questions that are tried in place of one that was singled out.
const TRIES: usize = 2;

/// The symmetries of a game of questions, as far as they were looked for.
#[derive(Debug)]
pub(crate) struct QuestionSymmetries {
    group: Group,
    /// What can be told apart without singling anything out.
    begun: Option<Colours>,
    /// The question that others are compared with, and the next one to be compared.
    one: u16,
    other: u16,
    failures: usize,
}

impl QuestionSymmetries {
    /// None are known yet.
    pub(crate) fn new(questions: &Questions) -> Self {
        Self { group: Group::trivial(questions.count()), begun: None, one: 0, other: 1, failures: 0 }
    }

    /// Those found.
    pub(crate) fn group(&self) -> &Group {
        &self.group
    }

    /// Goes on for a short while; whether there is more to look at.
    pub(crate) fn look(&mut self, questions: &Questions) -> bool {
        let count = questions.count() as u16;
        let begun = self.begun.get_or_insert_with(|| Colours::alike(questions).refined(questions));
        while self.one + 1 < count && self.failures <= MOST_FAILURES {
            let (one, other) = (self.one, self.other);
            (self.one, self.other) = match other + 1 < count {
                true => (one, other + 1),
                false => (one + 1, one + 2),
            };
            let is_open = |question: u16| self.group.first(question) == question;
            let colour = |question: u16| begun.questions[usize::from(question)];
            if other < count && is_open(one) && is_open(other) && colour(one) == colour(other) {
                match begun.guess(questions, one, other).filter(|guess| guess.holds(questions)) {
                    Some(guess) => self.group.add(guess.questions),
                    None => self.failures += 1,
                }
                return true;
            }
        }
        false
    }
}

/// What can be told apart so far.
#[derive(Clone, Debug)]
struct Colours {
    questions: Vec<u64>,
    secrets: Vec<u64>,
}

impl Colours {
    /// Nothing.
    fn alike(questions: &Questions) -> Self {
        Self { questions: vec![0; questions.count()], secrets: vec![0; questions.secrets()] }
    }

    /// How many there are.
    fn count(&self) -> usize {
        let count = |colours: &[u64]| {
            let mut all = colours.to_vec();
            all.sort_unstable();
            all.dedup();
            all.len()
        };
        count(&self.questions) + count(&self.secrets)
    }

    /// Whether as many have each colour here as there.
    fn are_like(&self, other: &Self) -> bool {
        let is_like = |one: &[u64], two: &[u64]| {
            let (mut one, mut two) = (one.to_vec(), two.to_vec());
            one.sort_unstable();
            two.sort_unstable();
            one == two
        };
        is_like(&self.questions, &other.questions) && is_like(&self.secrets, &other.secrets)
    }

    /// A question of the largest number that look alike; `None` if none do.
    fn ambiguous(&self) -> Option<u16> {
        let all = by_colour(&self.questions);
        let cells = all.chunk_by(|one, two| one.0 == two.0);
        let largest = cells.max_by_key(|cell| cell.len()).filter(|cell| cell.len() > 1)?;
        Some(largest[0].1)
    }

    fn single_out(&self, question: u16) -> Self {
        let mut single = self.clone();
        let colour = &mut single.questions[usize::from(question)];
        *colour = mixed(*colour ^ 0x5851_f42d_4c95_7f2d);
        single
    }

    /// Colours that tell apart what differs in its answers with others that can be told apart.
    fn refined(mut self, table: &Questions) -> Self {
        let look = |answer: u8, colour: u64| mixed(u64::from(answer).wrapping_add(colour));
        let mut count = self.count();
        loop {
            let mut secrets: Vec<u64> = self.secrets.iter().map(|&colour| mixed(!colour)).collect();
            let mut questions = Vec::with_capacity(self.questions.len());
            for (question, &colour) in (0..).zip(&self.questions) {
                let row = table.answers(question);
                let sum = row.iter().zip(&self.secrets).map(|(&answer, &secret)| look(answer, secret));
                let fresh = mixed(sum.fold(mixed(colour), u64::wrapping_add));
                for (secret, &answer) in secrets.iter_mut().zip(row) {
                    *secret = secret.wrapping_add(look(answer, fresh));
                }
                questions.push(fresh);
            }
            secrets.iter_mut().for_each(|secret| *secret = mixed(*secret));
            self = Self { questions, secrets };
            let now = self.count();
            if now == count {
                return self;
            }
            count = now;
        }
    }

    /// A permutation that maps one question to another and goes by colours.
    fn guess(&self, table: &Questions, one: u16, other: u16) -> Option<Guess> {
        let mut here = self.single_out(one).refined(table);
        let mut there = self.single_out(other).refined(table);
        if !here.are_like(&there) {
            return None;
        }
        while let Some(question) = here.ambiguous() {
            let next = here.single_out(question).refined(table);
            let colour = here.questions[usize::from(question)];
            let mut alike = (0..).zip(&there.questions).filter(|(_, other)| **other == colour).take(TRIES);
            there = alike.find_map(|(other, _)| {
                let tried = there.single_out(other).refined(table);
                next.are_like(&tried).then_some(tried)
            })?;
            here = next;
        }
        let image = |here: &[u64], there: &[u64]| {
            let mut image: Permutation = vec![0; here.len()].into();
            for (one, two) in by_colour(here).into_iter().zip(by_colour(there)) {
                image[usize::from(one.1)] = two.1;
            }
            image
        };
        Some(Guess {
            questions: image(&here.questions, &there.questions),
            secrets: image(&here.secrets, &there.secrets),
        })
    }
}

/// All colours in order, each with whose it is.
fn by_colour(colours: &[u64]) -> Vec<(u64, u16)> {
    let mut all: Vec<(u64, u16)> = colours.iter().copied().zip(0..).collect();
    all.sort_unstable();
    all
}

/// A permutation of questions, and of secrets, that may be a symmetry.
struct Guess {
    questions: Permutation,
    secrets: Permutation,
}

impl Guess {
    /// Whether every answer is mapped to itself.
    fn holds(&self, table: &Questions) -> bool {
        (0..).zip(&self.questions).all(|(question, &image)| {
            let (row, other) = (table.answers(question), table.answers(image));
            row.iter().zip(&self.secrets).all(|(&answer, &secret)| answer == other[usize::from(secret)])
        })
    }
}

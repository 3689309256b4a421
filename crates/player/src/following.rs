//! Catching up with what a host says: asking again, turns that were missed, moves played in our name.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use engine::Decision;

use crate::Player;
use crate::fallback::{Need, Verdict};

/// What a host says of the turn before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
    /// There was none yet.
    Nothing,
    /// What all roles did.
    Moves {
        /// Their moves in role order, in any case and spacing.
        joint: Vec<String>,
        /// The number of the turn, if the host counts them.
        turn: Option<u64>,
    },
    /// What one's role is told, in a game in which the rules say who sees what.
    Seen {
        /// The number of the turn that begins, if the host counts them.
        turn: Option<u64>,
        /// One's own last move; what was answered if the host does not say.
        own: Option<String>,
        /// What was seen, in any case and spacing.
        percepts: Vec<String>,
    },
    /// Something from which the moves cannot be read.
    Unclear,
}

/// More turns than these are not taken for missed: the host counts in a way of its own.
const MOST_MISSED: usize = 1_000;

/// What came of following a host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Followed {
    /// It has asked before, and is to be given the same answer.
    Again(String),
    /// There was nothing to follow.
    Here,
    /// The moves were made.
    Made,
    /// The moves were made, and one of them in our name is not the one that was answered.
    Replaced,
    /// The moves were made after a turn that was missed and guessed.
    Guessed,
    /// The moves cannot be: the position is as it was.
    Impossible,
    /// Nothing could follow the moves in time. They are taken to be right until it is known.
    Unjudged,
}

/// A joint move that a host spoke of and that was not judged yet.
#[derive(Debug)]
pub(crate) struct Pending {
    pub(crate) joint: Vec<String>,
    /// Whether a turn may have been missed before it.
    may_guess: bool,
    /// Whether the fallback knows of it.
    is_claimed: bool,
}

/// How often it is looked whether somebody still waits.
const MOMENT: Duration = Duration::from_millis(50);

impl Player {
    /// Goes to where a host says the match is. Hosts repeat themselves, leave turns out, play moves in our
    /// name and speak of moves that cannot be: whatever is said, the position is one that the rules allow.
    pub fn follow(&mut self, told: Told) -> Followed {
        self.follow_until(told, Duration::MAX, &AtomicBool::new(false))
    }

    /// As [`Player::follow`], but nothing is waited for beyond a time by the player's clock, or when the flag
    /// is set.
    pub fn follow_until(&mut self, told: Told, until: Duration, stop: &AtomicBool) -> Followed {
        let repeated = if self.told.as_ref() == Some(&told) { self.answer.clone() } else { None };
        self.told = Some(told.clone());
        let joint = match told {
            Told::Nothing => return repeated.map_or(Followed::Here, Followed::Again),
            Told::Unclear => return Followed::Here,
            Told::Seen { turn, own, percepts } => return self.follow_percepts(turn, own, percepts),
            Told::Moves { joint, .. } => joint,
        };
        let own = joint.get(self.role).map(|text| folded(text));
        let is_own = own == self.answer.as_deref().map(folded);
        // The same joint move twice in a row happens, but not with another move than was answered.
        if let (Some(answer), false) = (&repeated, is_own) {
            return Followed::Again(answer.clone());
        }
        if let (Some(answer), false) = (&repeated, self.pending.is_empty()) {
            // It would be made twice.
            return Followed::Again(answer.clone());
        }
        let may_guess = repeated.is_none();
        self.pending.push_back(Pending { joint, may_guess, is_claimed: false });
        let Some(count) = self.settle(until, stop) else { return Followed::Unjudged };
        match (count, repeated) {
            (0, Some(answer)) => Followed::Again(answer),
            (0, None) => Followed::Impossible,
            (1, _) if self.answer.is_some() && !is_own => Followed::Replaced,
            (1, _) => Followed::Made,
            _ => Followed::Guessed,
        }
    }

    /// Takes what the role is told into account. Turns are numbered from 0 or from 1: the first is the one
    /// before which no move was made.
    fn follow_percepts(&mut self, turn: Option<u64>, own: Option<String>, percepts: Vec<String>) -> Followed {
        let again = |answer: &Option<String>| answer.clone().map_or(Followed::Here, Followed::Again);
        if let Some(turn) = turn {
            if own.is_none() && self.moves == 0 {
                self.first_turn = Some(turn);
                return again(&self.answer);
            }
            let made = turn.saturating_sub(self.first_turn.unwrap_or(0)) as usize;
            if made <= self.moves {
                return again(&self.answer);
            }
            let missed = made - self.moves - 1;
            if missed > 0 && missed <= MOST_MISSED {
                // What was answered last was for the first of them; what came of it nobody has said.
                self.step_told(seen(None, self.answered_move(), vec![engine::UNSEEN.to_owned()]));
                self.answer = None;
                for _ in 1..missed {
                    self.step_told(Vec::new());
                }
                self.step_told(seen(own, None, percepts));
                return Followed::Guessed;
            }
        }
        let is_replaced = match (&own, &self.answer) {
            (Some(own), Some(answer)) => folded(own) != folded(answer),
            _ => false,
        };
        self.step_told(seen(own, self.answered_move(), percepts));
        if is_replaced { Followed::Replaced } else { Followed::Made }
    }

    /// What the host was answered, as far as it was there to hear it.
    fn answered_move(&self) -> Option<&str> {
        self.answer.as_deref().filter(|_| self.is_heard)
    }

    fn step_told(&mut self, told: Vec<String>) {
        self.course.follow(told.clone());
        self.made(told);
    }

    /// Has everything judged that a host spoke of; how many joint moves were made for the last of it. `None` if
    /// that took too long: it is asked again in the next turn.
    fn settle(&mut self, until: Duration, stop: &AtomicBool) -> Option<usize> {
        let mut count = 0;
        while let Some(pending) = self.pending.front_mut() {
            if !std::mem::replace(&mut pending.is_claimed, true) {
                self.course.claim(pending.joint.clone(), pending.may_guess);
            }
            let verdict = loop {
                let left = until.saturating_sub(self.clock.now());
                if let Some(verdict) = self.course.verdict(left.min(MOMENT)) {
                    break verdict;
                }
                if left.is_zero() || stop.load(Ordering::Relaxed) {
                    return None;
                }
            };
            let Verdict::Made(made) = verdict else {
                pending.is_claimed = false;
                return None;
            };
            self.pending.pop_front();
            count = made.len();
            made.into_iter().for_each(|joint| self.made(joint));
        }
        Some(count)
    }

    /// Remembers what the host was answered, so that it can be told again and found in what was played.
    pub fn answered(&mut self, text: &str) {
        self.answer = Some(text.to_owned());
        self.is_heard = true;
    }

    /// The host did not wait for the last answer: what was played in its place nobody knows.
    pub fn unheard(&mut self) {
        self.is_heard = false;
    }

    /// Whether the host was answered in this match.
    pub fn has_answered(&self) -> bool {
        self.answer.is_some() || self.moves > 0
    }

    /// Any legal move, waited for until a time by the player's clock: better than none when thinking fails.
    pub fn legal_move(&mut self, until: Duration) -> Option<Decision> {
        if !self.pending.is_empty() {
            // What is legal is known of an earlier position only.
            return None;
        }
        self.course.need(Need::Now);
        let moves = self.moves;
        let never = Default::default();
        self.wait_until(until, &never, |published| published.listed_after(moves).is_some());
        let published = self.board.published.lock();
        published.listed_after(moves)?.decision.clone()
    }
}

/// A step as engines are told it: the own move as the host says or, if it does not, what it was answered.
fn seen(own: Option<String>, answered: Option<&str>, percepts: Vec<String>) -> Vec<String> {
    let unsure = || format!("{} {}", engine::UNSEEN, answered.unwrap_or_default());
    std::iter::once(own.unwrap_or_else(unsure)).chain(percepts).collect()
}

/// A move to be compared: hosts change case and blanks.
fn folded(text: &str) -> String {
    let apart = text.replace('(', " ( ").replace(')', " ) ").to_lowercase();
    apart.split_whitespace().collect::<Vec<_>>().join(" ")
}

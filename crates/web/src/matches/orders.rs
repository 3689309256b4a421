//! What a conductor is told, and what it does then.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use player::Decision;
use referee::{Answer, Given};
use tokio::sync::oneshot;

use super::conductor::{Conductor, STEP};
use super::mind::{Question, thought_of};
use super::remote::Remote;
use super::seat::{HINTS, Seat};
use crate::alarm::Alarm;
use crate::error::WebError;

#[derive(Debug)]
pub(super) enum Choice {
    Decided(Box<Decision>),
    /// A player on the network has answered.
    Replied(Answer),
    Failed(String),
}

type Reply<T> = oneshot::Sender<Result<T, WebError>>;

/// What the conductor is told.
pub(super) enum Order {
    Move {
        role: usize,
        text: String,
        turn: usize,
        reply: Reply<()>,
    },
    Chosen {
        role: usize,
        ticket: u64,
        choice: Choice,
    },
    /// Goes back to before the last choice of one of these roles; of anybody if there are none.
    Undo {
        roles: Vec<usize>,
        reply: Reply<()>,
    },
    Pause {
        paused: bool,
        reply: Reply<()>,
    },
    TakeOver {
        role: usize,
        seat: Seat,
        reply: Reply<()>,
    },
    Hint {
        role: usize,
        step: Option<usize>,
        reply: Reply<Decision>,
    },
    Rematch {
        id: String,
        reply: Reply<()>,
    },
    End,
}

impl Conductor<'_> {
    pub(super) fn obey(&mut self, order: Order) {
        match order {
            Order::Move { role, text, turn, reply } => {
                let made = self.make_move(role, &text, turn);
                self.later(reply, made);
            }
            Order::Chosen { role, ticket, choice } => self.heard(role, ticket, choice),
            Order::Undo { roles, reply } => {
                let undone = self.undo(&roles);
                self.later(reply, undone);
            }
            Order::Pause { paused, reply } => {
                self.brief.terms.paused = paused;
                self.call_back();
                self.later(reply, Ok(()));
            }
            Order::TakeOver { role, seat, reply } => {
                let taken = self.take_over(role, seat);
                self.later(reply, taken);
            }
            Order::Hint { role, step, reply } => self.hint(role, step, reply),
            Order::Rematch { id, reply } => {
                self.brief.terms.rematch = Some(id);
                self.later(reply, Ok(()));
            }
            Order::End => {}
        }
    }

    /// Whoever waits is told once the match is kept and everybody can see what was done.
    fn later(&mut self, reply: Reply<()>, result: Result<(), WebError>) {
        self.replies.push(Box::new(move || answer(reply, result)));
    }

    /// Forgets what was asked.
    fn call_back(&mut self) {
        self.forget.store(true, Ordering::Relaxed);
        self.forget = Arc::default();
        self.asked.fill(None);
    }

    fn make_move(&mut self, role: usize, text: &str, turn: usize) -> Result<(), WebError> {
        let conflict = |why: &str| Err(WebError::Conflict(why.to_owned()));
        if self.current.is_over() {
            return conflict("the match is over");
        }
        if turn != self.current.record().moves.len() {
            return conflict("the match has gone on meanwhile");
        }
        if self.brief.terms.paused {
            return conflict("the match is paused; go on with it first");
        }
        if self.chosen[role].is_some() {
            return conflict("this role has chosen already");
        }
        if !self.current.legal(role).iter().any(|legal| legal.eq_ignore_ascii_case(text)) {
            return Err(WebError::Wrong(format!(
                "`{text}` is not legal now; choose one of the moves listed"
            )));
        }
        self.chosen[role] = Some(Answer::Reply(text.to_owned()).into());
        Ok(())
    }

    fn heard(&mut self, role: usize, ticket: u64, choice: Choice) {
        if self.asked[role] != Some(ticket) {
            return;
        }
        self.asked[role] = None;
        match choice {
            Choice::Decided(decision) => {
                let thought = Some(thought_of(&decision));
                let seconds = Some(decision.elapsed.as_secs_f64());
                self.chosen[role] = Some(Given { answer: Answer::Reply(decision.text), seconds, thought });
            }
            Choice::Replied(answer) => self.chosen[role] = Some(answer.into()),
            Choice::Failed(why) => {
                // The referee draws a move for who has none, and records why.
                tracing::warn!(%why, "an agent has no move");
                self.chosen[role] = Some(Answer::Unreachable(why).into());
            }
        }
    }

    fn undo(&mut self, roles: &[usize]) -> Result<(), WebError> {
        let chose = |turn: &usize| match roles {
            [] => true,
            roles => roles.iter().any(|&role| self.choices[*turn].get(role).is_some_and(|&count| count > 1)),
        };
        let Some(turn) = (0..self.choices.len()).rev().find(chose) else {
            return Err(WebError::Conflict("there is nothing to take back".to_owned()));
        };
        let _alarm = Alarm::set(STEP, &self.stop);
        self.call_back();
        self.chosen.fill(None);
        self.deadline = None;
        self.remotes.fill(Remote::default());
        self.choices.truncate(turn);
        let back = self.current.take_back(turn);
        self.fault = back.err().map(|fault| fault.to_string());
        // Who only watches wants to look, not to see the same again.
        self.brief.terms.paused |= roles.is_empty();
        Ok(())
    }

    fn take_over(&mut self, role: usize, seat: Seat) -> Result<(), WebError> {
        if self.brief.terms.seats[role] == Seat::Chance {
            return Err(WebError::Wrong("nobody can play for chance".to_owned()));
        }
        self.call_back();
        self.chosen[role] = None;
        let before = std::mem::replace(&mut self.brief.terms.seats[role], seat);
        // A player on the network that could not go on is no fault of the match.
        if matches!(before, Seat::Remote { .. }) && self.current.fault().is_none() {
            self.fault = None;
        }
        Ok(())
    }

    fn hint(&mut self, role: usize, step: Option<usize>, reply: Reply<Decision>) {
        let made = self.current.record().moves.len();
        let step = step.unwrap_or(made).min(made);
        let told = self.told(role, step);
        let heard = move |decision: Result<Decision, String>| {
            answer(reply, decision.map_err(|why| WebError::Conflict(format!("there is no hint: {why}"))));
        };
        let (agent, seconds) = HINTS;
        self.mind(role).ask(Question {
            agent: agent.to_owned(),
            seconds,
            simulations: None,
            pace: Duration::ZERO,
            told,
            stop: Arc::default(),
            answer: Box::new(heard),
        });
    }
}

/// Nobody waits for an answer who has left the page.
fn answer<T>(reply: Reply<T>, result: Result<T, WebError>) {
    let _ = reply.send(result);
}

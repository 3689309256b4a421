//! The match from its first request to its last, step by step: the one loop for players in this process, on
//! the network and at the terminal. Whoever carries requests and answers writes
//!
//! ```text
//! while let Some(step) = game_match.step() {
//!     let given = .. what came of asking the players for this step ..;
//!     game_match.take(given, now, listener);
//! }
//! ```

use game::Describe;
use protocol::{READY, Request, reply_is};

use crate::{Answer, Event, Listener, Match, MatchError, Thought, Trouble};

/// What the players are to be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// To look at the rules; nothing depends on the answers.
    Preview,
    /// To prepare themselves.
    Start,
    /// Their moves.
    Play,
    /// Nothing: the match has come to its end.
    Stop,
    /// Nothing: the match was called off.
    Abort,
}

/// What came of asking a player.
#[derive(Clone, Debug, PartialEq)]
pub struct Given {
    /// What it said.
    pub answer: Answer,
    /// How long it took, if it was asked at all.
    pub seconds: Option<f64>,
    /// What it thinks, if it tells.
    pub thought: Option<Thought>,
}

impl From<Answer> for Given {
    fn from(answer: Answer) -> Self {
        Self { answer, seconds: None, thought: None }
    }
}

impl<G: Describe> Match<'_, G> {
    /// What the players are to be asked for next; `None` if there is nothing more to do.
    pub fn step(&self) -> Option<Step> {
        self.step
    }

    /// What is sent to the player of a role in this step.
    pub fn request(&self, role: usize) -> Option<Request> {
        Some(match self.step? {
            Step::Preview => self.preview_request(),
            Step::Start => self.start_request(role),
            Step::Play => self.play_request(role),
            Step::Stop => self.stop_request(role),
            Step::Abort => self.abort_request(),
        })
    }

    /// Why the match was called off.
    pub fn fault(&self) -> Option<&MatchError> {
        self.fault.as_ref()
    }

    /// Takes what came of a step, one entry a role for START and PLAY. Times are milliseconds since 1970.
    pub fn take(&mut self, given: Vec<Given>, now: u64, listener: &mut dyn Listener) {
        let Some(step) = self.step else { return };
        let mut events = Vec::new();
        match step {
            Step::Preview => self.step = Some(Step::Start),
            Step::Stop | Step::Abort => self.step = None,
            Step::Start => self.take_start(given, &mut events),
            Step::Play => self.take_turn(given, now, &mut events),
        }
        for event in events {
            if listener.hear(&event, &self.record).is_break() {
                self.call_off(MatchError::Unwanted);
                return;
            }
        }
    }

    fn take_start(&mut self, given: Vec<Given>, events: &mut Vec<Event>) {
        let trouble: Vec<Option<Trouble>> =
            given.into_iter().map(|given| start_trouble(given.answer)).collect();
        self.started(&trouble);
        events.push(Event::Begun);
        self.tell_trouble(0, events);
        self.tell_position(events);
        self.go_on(events);
    }

    fn take_turn(&mut self, given: Vec<Given>, now: u64, events: &mut Vec<Event>) {
        let turn = self.record.moves.len() + 1;
        let mut answers = Vec::with_capacity(given.len());
        let thoughts: Vec<Option<Thought>> = given.iter().map(|given| given.thought.clone()).collect();
        for (role, Given { answer, seconds, thought }) in given.into_iter().enumerate() {
            events.extend(seconds.map(|seconds| Event::Answered { turn, role, seconds, thought }));
            answers.push(answer);
        }
        let (moves, states) = (self.record.moves.len(), self.record.states.len());
        let outcome = self.turn(&answers, now);
        // What was done before a fault was found is told, too.
        if let Some(made) = self.record.moves.get(moves).cloned() {
            if let Some(details) = &mut self.record.ludens {
                details.thoughts.push(thoughts);
            }
            self.tell_trouble(turn, events);
            events.push(Event::Moved { turn, moves: made });
        }
        if self.record.states.len() > states {
            self.tell_position(events);
        }
        if let Err(fault) = outcome {
            self.call_off(fault);
        }
        self.go_on(events);
    }

    fn tell_trouble(&self, turn: usize, events: &mut Vec<Event>) {
        let entries = self.record.errors.last().into_iter().flatten().enumerate();
        let troubles = entries.filter(|(_, entry)| !entry.is_empty());
        events.extend(troubles.map(|(role, entry)| Event::Trouble { turn, role, trouble: entry.clone() }));
    }

    fn tell_position(&self, events: &mut Vec<Event>) {
        events.push(Event::Position { turn: self.record.moves.len(), facts: self.facts().to_vec() });
    }

    /// Decides what is next.
    fn go_on(&mut self, events: &mut Vec<Event>) {
        if !self.is_over() {
            self.step = Some(Step::Play);
            let choices = self.count_choices();
            events.push(Event::TurnBegun { turn: self.record.moves.len() + 1, choices });
            return;
        }
        self.step = Some(if self.record.is_completed { Step::Stop } else { Step::Abort });
        let fault = self.fault.as_ref().map(ToString::to_string);
        events.push(Event::Ended { goals: self.record.goal_values.clone(), fault });
    }

    fn call_off(&mut self, fault: MatchError) {
        self.abort();
        self.fault.get_or_insert(fault);
        self.step = Some(Step::Abort);
    }
}

/// What a START's answer is recorded as. Hosts go on in every case.
fn start_trouble(answer: Answer) -> Option<Trouble> {
    match answer {
        Answer::Hosted => None,
        Answer::Reply(reply) if reply_is(&reply, READY) => None,
        Answer::Reply(reply) => Some(Trouble::Illegal(reply.trim().to_owned())),
        Answer::Late => Some(Trouble::TimeOut),
        Answer::Unreachable(why) => Some(Trouble::Connection(why)),
    }
}

//! Going on with a match that was recorded and not ended.

use game::{Describe, MoveId, RoleId};

use crate::{Event, Match, MatchError, MatchRecord, PerceptForm, Rulebook, Settings, Step};

/// Why a record cannot be gone on with.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ResumeError {
    /// The game has a fault.
    #[error(transparent)]
    Match(#[from] MatchError),
    /// The record is of other rules.
    #[error("turn {turn} of the match {match_id} has a move that is not legal; the rules have changed since")]
    Foreign {
        /// Which match.
        match_id: String,
        /// The turn, from 1.
        turn: usize,
    },
}

impl<'g, G: Describe> Match<'g, G> {
    /// A match where its record ends: with the same seed everything that chance does afterwards is as if the match had
    /// never been interrupted. Who plays has to be told where it stands.
    pub fn resume(
        game: &'g G,
        book: &'g Rulebook,
        settings: Settings,
        record: &MatchRecord,
        now: u64,
    ) -> Result<Self, ResumeError> {
        let mut resumed = Match::new(game, book, settings, now)?;
        for (number, moves) in record.moves.iter().enumerate() {
            let time = record.state_times.get(number + 1).copied().unwrap_or(now);
            let foreign = || ResumeError::Foreign { match_id: record.match_id.clone(), turn: number + 1 };
            let joint = resumed.recorded(moves).ok_or_else(foreign)?;
            resumed.again(&joint, time)?;
        }
        let own = &mut resumed.record;
        own.start_time = record.start_time;
        if let (Some(first), Some(&time)) = (own.state_times.first_mut(), record.state_times.first()) {
            *first = time;
        }
        own.errors.clone_from(&record.errors);
        own.errors.truncate(own.moves.len() + 1);
        if let (Some(details), Some(kept)) = (&mut own.ludens, &record.ludens) {
            details.thoughts.clone_from(&kept.thoughts);
            details.thoughts.truncate(own.moves.len());
        }
        resumed.step = match () {
            () if resumed.record.is_completed => Some(Step::Stop),
            // Nobody has been asked to prepare yet.
            () if record.errors.is_empty() => resumed.step,
            () => Some(Step::Play),
        };
        Ok(resumed)
    }

    /// The joint move of these texts, if it is legal here.
    fn recorded(&self, moves: &[String]) -> Option<Vec<MoveId>> {
        if self.is_over() || moves.len() != self.role_count() {
            return None;
        }
        let find = |(role, text): (usize, &String)| {
            let role = RoleId(role as u16);
            self.game.find_move(role, text).filter(|id| self.expansion.legal(role).contains(id))
        };
        moves.iter().enumerate().map(find).collect()
    }

    /// Whether a PLAY that is sent twice could be taken for two turns: nothing in it says which turn it is of, and the
    /// same could happen once more.
    pub fn is_repeatable(&self) -> bool {
        let Some(last) = self.record.moves.last() else { return false };
        match (self.game.has_percepts(), self.settings().percept_form) {
            (true, form) => form == PerceptForm::List,
            (false, _) => self.recorded(last).is_some(),
        }
    }

    /// What is told to the player of a role of each turn so far, for one who has to catch up: the PLAYs that it would
    /// have been sent.
    pub fn past_requests(&self, role: usize) -> Vec<protocol::Request> {
        let match_id = &self.settings().match_id;
        let news = (0..self.record.moves.len()).map(|turn| self.news_of(turn, role));
        news.map(|news| protocol::Request::Play { match_id: match_id.clone(), news }).collect()
    }

    /// The events that tell somebody who listens from now on where the match stands.
    pub fn events_so_far(&self) -> Vec<Event> {
        let turn = self.record.moves.len();
        let position = Event::Position { turn, facts: self.facts().to_vec() };
        vec![Event::Begun, position, Event::TurnBegun { turn: turn + 1, choices: self.count_choices() }]
    }
}

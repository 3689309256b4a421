//! What a visitor may see of a match: decided here and nowhere else.
//!
//! - What a role has chosen is told to that role alone until all have chosen.
//! - Where the rules say who sees what, and people play, a visitor is told what its roles are told; positions,
//!   moves and thoughts of others are shown when the match is over.

use std::time::Instant;

use language::why::Situation;
use picture::Highlights;
use player::Decision;
use referee::{MatchRecord, Thought, recorded_facts};

use super::handle::Published;
use super::mind::thought_of;
use super::seat::Seat;
use crate::api::{
    ChoiceView, Hint, MatchView, MoveOption, MoveView, Place, Position, Reasons, RoleView, Seen, ThoughtView,
    TurnView,
};
use crate::error::WebError;
use crate::games::{ReadyGame, board_svg, cards};
use crate::{secret, words};

/// What the keys of a visitor open.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Access {
    pub(crate) owner: bool,
    pub(crate) roles: Vec<usize>,
}

impl Access {
    pub(crate) fn new(published: &Published, keys: &[String]) -> Self {
        let fits = |wanted: &str| keys.iter().any(|key| secret::same(key, wanted));
        let seats = published.terms.seats.iter().enumerate();
        let roles = seats.filter(|(_, seat)| seat.key().is_some_and(fits)).map(|(role, _)| role).collect();
        Self { owner: fits(&published.terms.owner), roles }
    }

    /// Whether any key fits.
    pub(crate) fn is_any(&self) -> bool {
        self.owner || !self.roles.is_empty()
    }
}

/// A match and who looks at it.
pub(crate) struct Look<'a> {
    pub(crate) id: &'a str,
    pub(crate) version: u64,
    pub(crate) game: &'a ReadyGame,
    pub(crate) published: &'a Published,
    pub(crate) access: Access,
}

impl Look<'_> {
    fn record(&self) -> &MatchRecord {
        &self.published.record
    }

    fn is_over(&self) -> bool {
        self.record().is_completed || self.record().is_aborted
    }

    fn people(&self) -> Vec<usize> {
        let seats = self.published.terms.seats.iter().enumerate();
        seats.filter(|(_, seat)| seat.is_person()).map(|(role, _)| role).collect()
    }

    /// Whether positions and the moves of all may be shown.
    pub(crate) fn sees_all(&self) -> bool {
        !self.game.hidden() || self.is_over() || self.people().is_empty()
    }

    /// The roles whose choices are taken back by this visitor; none if that is not its to decide: who could take back
    /// what others chose would know their moves before making its own.
    pub(crate) fn undo(&self) -> Option<Vec<usize>> {
        let people = self.people();
        let all = people.iter().all(|role| self.access.roles.contains(role));
        let revealed = self.game.hidden() && self.is_over() && !people.is_empty();
        let may = if people.is_empty() { self.access.owner } else { all };
        (may && !revealed).then_some(people)
    }

    fn has_undo(&self) -> bool {
        self.undo().is_some_and(|roles| {
            let turns = &self.published.choices_before;
            let chose = |counts: &Vec<usize>| {
                roles.iter().any(|&role| counts.get(role).is_some_and(|&count| count > 1))
            };
            if roles.is_empty() { !turns.is_empty() } else { turns.iter().any(chose) }
        })
    }

    pub(crate) fn view(&self) -> MatchView {
        let (terms, record) = (&self.published.terms, self.record());
        let status = match () {
            () if record.is_completed => "over",
            () if record.is_aborted || self.published.fault.is_some() => "broken",
            () if terms.paused => "paused",
            () => "running",
        };
        MatchView {
            id: self.id.to_owned(),
            version: self.version,
            game: self.game.name.clone(),
            title: terms.title.clone(),
            description: self.game.description.clone(),
            hidden: self.game.hidden(),
            roles: (0..terms.seats.len()).map(|role| self.role(role)).collect(),
            status: status.to_owned(),
            fault: self.published.fault.clone(),
            turns: (0..record.moves.len()).map(|turn| self.turn(turn)).collect(),
            choices: self.access.roles.iter().filter_map(|&role| self.choice(role)).collect(),
            own: self.access.roles.clone(),
            owner: self.access.owner,
            can_undo: self.has_undo(),
            rematch: terms.rematch.clone(),
            play_clock: terms.play_clock,
            seconds_left: self
                .published
                .deadline
                .map(|deadline| deadline.saturating_duration_since(Instant::now()).as_secs_f64()),
        }
    }

    fn role(&self, role: usize) -> RoleView {
        let seat = &self.published.terms.seats[role];
        let choices = self.published.choices.get(role).copied().unwrap_or(0);
        RoleView {
            name: self.game.roles().get(role).cloned().unwrap_or_default(),
            kind: seat.kind().to_owned(),
            player: seat.player(),
            to_move: choices > 1 && *seat != Seat::Chance,
            has_moved: self.published.chosen.get(role).is_some_and(Option::is_some),
            thinking: self.published.thinking.get(role).copied().unwrap_or(false),
            goal: self.record().goal_values.get(role).copied(),
        }
    }

    fn turn(&self, turn: usize) -> TurnView {
        let record = self.record();
        let shown = |role: usize| self.sees_all() || self.access.roles.contains(&role);
        let moves = record.moves[turn].iter().enumerate();
        let short =
            |(role, text): (usize, &String)| if shown(role) { self.short(text) } else { String::new() };
        let thoughts = record.ludens.as_ref().and_then(|details| details.thoughts.get(turn));
        let thoughts = thoughts.filter(|_| self.sees_all());
        let view = |thought: &Option<Thought>| thought.as_ref().map(|thought| self.thought(thought));
        TurnView {
            moves: moves.map(short).collect(),
            trouble: record.errors.get(turn + 1).cloned().unwrap_or_default(),
            thoughts: thoughts.map_or_else(Vec::new, |thoughts| thoughts.iter().map(view).collect()),
        }
    }

    /// A move in short.
    fn short(&self, text: &str) -> String {
        self.game.analysis.shortest(&[text.to_lowercase()]).concat()
    }

    fn places(&self, text: &str) -> Vec<Place> {
        let named = self.game.analysis.named_cells(&text.to_lowercase());
        named.into_iter().map(|named| Place { board: named.board, cells: named.matching }).collect()
    }

    fn thought(&self, thought: &Thought) -> ThoughtView {
        let joint = |joint: &Vec<String>| {
            let moves: Vec<String> = joint
                .iter()
                .filter(|text| joint.len() == 1 || !text.eq_ignore_ascii_case("noop"))
                .map(|text| self.short(text))
                .collect();
            moves.join(" + ")
        };
        let view = |told: &referee::MoveThought| MoveView {
            text: told.text.clone(),
            short: self.short(&told.text),
            value: told.value,
            proven: told.proven,
            visits: told.visits,
            places: self.places(&told.text),
        };
        ThoughtView {
            value: thought.value,
            proven: thought.proven,
            simulations: thought.simulations,
            simulations_per_second: thought.simulations_per_second,
            nodes: thought.nodes,
            depth: thought.depth,
            seconds: thought.seconds,
            machine: thought.machine.clone(),
            tuning: thought.tuning.clone(),
            line: thought.line.iter().map(joint).filter(|text| !text.is_empty()).collect(),
            moves: thought.moves.iter().map(view).collect(),
        }
    }

    fn choice(&self, role: usize) -> Option<ChoiceView> {
        let legal = self.published.legal.get(role)?;
        if legal.len() < 2 {
            return None;
        }
        let lower: Vec<String> = legal.iter().map(|text| text.to_lowercase()).collect();
        let short = self.game.analysis.shortest(&lower);
        let option = |(text, short): (&String, String)| MoveOption {
            text: text.clone(),
            short,
            places: self.places(text),
        };
        let chosen = self.published.chosen.get(role).cloned().flatten();
        Some(ChoiceView { role, moves: legal.iter().zip(short).map(option).collect(), chosen })
    }

    /// The position after so many joint moves.
    pub(crate) fn position(&self, step: usize) -> Result<Position, WebError> {
        let record = self.record();
        let Some(state) = record.states.get(step) else {
            let last = record.states.len().saturating_sub(1);
            return Err(WebError::Unknown(format!("there are positions 0 to {last}")));
        };
        let seen = self.access.roles.iter().filter(|_| self.game.hidden() && step > 0).map(|&role| Seen {
            role,
            own: record.moves.get(step - 1).and_then(|joint| joint.get(role)).cloned().unwrap_or_default(),
            percepts: record.percepts.get(step - 1).and_then(|of| of.get(role)).cloned().unwrap_or_default(),
        });
        let seen = seen.collect();
        if !self.sees_all() {
            return Ok(Position { step, svg: None, cards: Vec::new(), hidden: true, seen });
        }
        let last = step.checked_sub(1).and_then(|turn| record.moves.get(turn));
        let highlights = Highlights {
            last: last.into_iter().flatten().map(|text| text.to_lowercase()).collect(),
            before: step
                .checked_sub(1)
                .map_or_else(Vec::new, |before| recorded_facts(&record.states[before])),
            ..Highlights::default()
        };
        let picture = self.game.analysis.picture(&recorded_facts(state), &highlights);
        Ok(Position { step, svg: board_svg(&picture), cards: cards(&picture), hidden: false, seen })
    }

    /// Why a sentence holds in a position, or why not. What comes next is asked with the moves that were made there.
    pub(crate) fn why(&self, step: usize, sentence: &str) -> Result<Reasons, WebError> {
        if !self.sees_all() {
            return Err(WebError::Forbidden("not everybody sees everything in this match".to_owned()));
        }
        let record = self.record();
        let Some(state) = record.states.get(step) else {
            return Err(WebError::Unknown(format!("there is no position {step}")));
        };
        let made = record.moves.get(step).into_iter().flatten();
        let moves = self.game.roles().iter().cloned().zip(made.map(|text| text.to_lowercase())).collect();
        let situation = Situation { facts: recorded_facts(state), moves };
        words::reasons(self.game, &situation, sentence)
    }

    /// What an agent would do.
    pub(crate) fn hint(&self, decision: &Decision) -> Hint {
        Hint {
            text: decision.spelling.clone(),
            short: self.short(&decision.text),
            thought: self.thought(&thought_of(decision)),
        }
    }
}

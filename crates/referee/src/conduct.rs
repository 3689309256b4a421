//! One match, turn by turn.

use std::time::Duration;

use game::{Describe, Dice, Expansion, MoveId, RoleId, RuleFault};
use protocol::{News, Request, Start, reply_move};

use crate::{Answer, Details, MatchRecord, Rulebook, Step, Trouble};

/// How long players may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clocks {
    /// To look at the rules before the match; no PREVIEW is sent if it is zero.
    pub preview: Duration,
    /// To prepare.
    pub start: Duration,
    /// For each move.
    pub play: Duration,
}

/// How PLAY tells players what they see, in games in which the rules say who sees what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PerceptForm {
    /// The number of the turn, one's own last move, the list of what was seen.
    #[default]
    Turn,
    /// The list of what was seen, in the place of the joint move, as older hosts do.
    List,
}

/// How a match is to be conducted.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The name of the match; one word.
    pub match_id: String,
    /// The game's name for the record.
    pub game_name: String,
    /// Where the game is described, for the record.
    pub game_meta_url: String,
    /// Who plays, in role order.
    pub players: Vec<String>,
    /// Which of them are people.
    pub human: Vec<bool>,
    /// How long players may take.
    pub clocks: Clocks,
    /// How players are told what they see.
    pub percept_form: PerceptForm,
    /// The seed of chance: moves of the role that is chance, and those in place of missing ones.
    pub seed: u64,
    /// Joint moves after which the match is called off.
    pub longest: usize,
}

impl Default for Settings {
    fn default() -> Self {
        let second = Duration::from_secs(1);
        Self {
            match_id: "match".to_owned(),
            game_name: String::new(),
            game_meta_url: String::new(),
            players: Vec::new(),
            human: Vec::new(),
            clocks: Clocks { preview: Duration::ZERO, start: 10 * second, play: 5 * second },
            percept_form: PerceptForm::default(),
            seed: 1,
            longest: 10_000,
        }
    }
}

/// Why a match cannot go on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MatchError {
    /// The game has a fault.
    #[error("the game cannot go on: {0}")]
    Rules(#[from] RuleFault),
    /// The turn was given the wrong number of answers.
    #[error("{given} answers were given for {roles} roles")]
    Answers {
        /// How many were given.
        given: usize,
        /// How many roles there are.
        roles: usize,
    },
    /// The match has ended already.
    #[error("the match is over")]
    Over,
    /// Whoever listens does not want to go on.
    #[error("the match was called off, as nobody wants to know more")]
    Unwanted,
}

/// What happened in a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The joint move that was made, in the spelling of the rules.
    pub moves: Vec<String>,
    /// Trouble with each role.
    pub trouble: Vec<Option<Trouble>>,
}

/// A match in progress.
pub struct Match<'g, G: Describe> {
    pub(crate) game: &'g G,
    book: &'g Rulebook,
    settings: Settings,
    workspace: G::Workspace,
    state: G::State,
    /// The states before, to be gone back to.
    past: Vec<G::State>,
    /// What is true now.
    facts: Vec<String>,
    pub(crate) expansion: Expansion,
    dice: Dice,
    pub(crate) record: MatchRecord,
    pub(crate) step: Option<Step>,
    pub(crate) fault: Option<MatchError>,
}

impl<'g, G: Describe> Match<'g, G> {
    /// A match at its beginning. Times are milliseconds since 1970.
    pub fn new(game: &'g G, book: &'g Rulebook, settings: Settings, now: u64) -> Result<Self, MatchError> {
        let seconds = |clock: Duration| clock.as_secs_f64().ceil() as u64;
        let record = MatchRecord {
            match_id: settings.match_id.clone(),
            start_time: now,
            game_meta_url: settings.game_meta_url.clone(),
            game_name: settings.game_name.clone(),
            game_role_names: game.role_ids().map(|role| game.role_spelling(role)).collect(),
            preview_clock: seconds(settings.clocks.preview),
            start_clock: seconds(settings.clocks.start),
            play_clock: seconds(settings.clocks.play),
            player_names_from_host: settings.players.clone(),
            is_player_human: settings.human.clone(),
            scrambled: book.is_scrambled(),
            ludens: Some(Details {
                version: env!("CARGO_PKG_VERSION").to_owned(),
                seed: settings.seed,
                ..Details::default()
            }),
            ..MatchRecord::default()
        };
        let mut new = Self {
            workspace: game.workspace(),
            state: game.initial(),
            past: Vec::new(),
            facts: Vec::new(),
            step: Some(if settings.clocks.preview.is_zero() { Step::Start } else { Step::Preview }),
            fault: None,
            expansion: Expansion::new(),
            dice: Dice::new(settings.seed),
            game,
            book,
            settings,
            record,
        };
        new.enter(now)?;
        Ok(new)
    }

    /// Looks at the state that was just reached.
    fn enter(&mut self, now: u64) -> Result<(), MatchError> {
        self.facts = self.game.facts(&self.state);
        self.record.states.push(format!("({})", self.facts.join(" ")));
        self.record.state_times.push(now);
        let outcome = self.look();
        if outcome.is_err() {
            self.record.is_aborted = true;
        }
        outcome
    }

    fn look(&mut self) -> Result<(), MatchError> {
        self.game.expand(&mut self.workspace, &self.state, &mut self.expansion)?;
        if self.expansion.is_terminal() {
            let mut goals = Vec::new();
            self.game.goals(&mut self.workspace, &self.state, &mut goals)?;
            self.record.goal_values = goals.iter().map(|reading| reading.value().0).collect();
            self.record.is_completed = true;
            return Ok(());
        }
        if let Some(role) = self.expansion.stuck_role() {
            return Err(RuleFault::NoLegalMove(role).into());
        }
        if self.record.moves.len() >= self.settings.longest {
            return Err(RuleFault::TooLong(self.settings.longest).into());
        }
        Ok(())
    }

    /// The number of roles.
    pub fn role_count(&self) -> usize {
        self.game.role_count()
    }

    /// The name of a role in the spelling of the rules; empty if there is no such role.
    pub fn role(&self, role: usize) -> &str {
        self.record.game_role_names.get(role).map_or("", String::as_str)
    }

    /// Whether the match has ended, by its rules or because it was called off.
    pub fn is_over(&self) -> bool {
        self.record.is_completed || self.record.is_aborted
    }

    /// What each role reached, once the match is completed.
    pub fn goals(&self) -> Option<&[u8]> {
        self.record.is_completed.then_some(&self.record.goal_values[..])
    }

    /// The legal moves of a role, in the spelling of the rules.
    pub fn legal(&self, role: usize) -> Vec<String> {
        let legal = self.expansion.legal(RoleId(role as u16));
        legal.iter().map(|&id| self.game.move_spelling(id)).collect()
    }

    /// What is true now.
    pub fn facts(&self) -> &[String] {
        &self.facts
    }

    /// How many legal moves each role has.
    pub fn count_choices(&self) -> Vec<usize> {
        self.expansion.by_role().map(<[MoveId]>::len).collect()
    }

    /// The record so far.
    pub fn record(&self) -> &MatchRecord {
        &self.record
    }

    /// How the match is conducted.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The PREVIEW for any player.
    pub fn preview_request(&self) -> Request {
        Request::Preview { rules: self.book.rules().to_owned(), clock: self.settings.clocks.preview }
    }

    /// The START for the player of a role.
    pub fn start_request(&self, role: usize) -> Request {
        Request::Start(Start {
            match_id: self.settings.match_id.clone(),
            role: self.book.to_players(self.role(role)),
            rules: self.book.rules().to_owned(),
            start_clock: self.settings.clocks.start,
            play_clock: self.settings.clocks.play,
        })
    }

    /// The PLAY of this turn for the player of a role.
    pub fn play_request(&self, role: usize) -> Request {
        Request::Play { match_id: self.settings.match_id.clone(), news: self.news(role) }
    }

    /// The STOP that ends the match for the player of a role.
    pub fn stop_request(&self, role: usize) -> Request {
        Request::Stop { match_id: self.settings.match_id.clone(), news: self.news(role) }
    }

    /// The ABORT that calls it off.
    pub fn abort_request(&self) -> Request {
        Request::Abort { match_id: self.settings.match_id.clone() }
    }

    /// What the player of a role is told of the turn before: the joint move or, where the rules say who sees what, what
    /// the role sees and nothing else.
    fn news(&self, role: usize) -> News {
        self.news_of(self.record.moves.len(), role)
    }

    /// The same when so many joint moves had been made.
    pub(crate) fn news_of(&self, turn: usize, role: usize) -> News {
        let to_players = |texts: &[String]| texts.iter().map(|text| self.book.to_players(text)).collect();
        let last = turn.checked_sub(1).and_then(|turn| self.record.moves.get(turn));
        match (last, self.game.has_percepts(), self.settings.percept_form) {
            (None, true, PerceptForm::Turn) => News::Seen { turn: 0, last_move: None, percepts: Vec::new() },
            (None, ..) => News::First,
            (Some(moves), false, _) => News::Moves(to_players(moves)),
            (Some(_), true, PerceptForm::List) => News::Moves(to_players(self.percepts(turn, role))),
            (Some(moves), true, PerceptForm::Turn) => News::Seen {
                turn: turn as u64,
                last_move: moves.get(role).map(|own| self.book.to_players(own)),
                percepts: to_players(self.percepts(turn, role)),
            },
        }
    }

    /// What a role was told of a turn, from 1.
    fn percepts(&self, turn: usize, role: usize) -> &[String] {
        let told = turn.checked_sub(1).and_then(|turn| self.record.percepts.get(turn)?.get(role));
        told.map_or(&[], |percepts| &percepts[..])
    }

    /// What a player of a role in this process is told of a turn, from 1: the joint move or, where the rules say who
    /// sees what, its own move and what it sees.
    pub fn told(&self, turn: usize, role: usize) -> Vec<String> {
        let moves = turn.checked_sub(1).and_then(|turn| self.record.moves.get(turn));
        let Some(moves) = moves else { return Vec::new() };
        if !self.game.has_percepts() {
            return moves.clone();
        }
        let own = moves.get(role).cloned().into_iter();
        own.chain(self.percepts(turn, role).iter().cloned()).collect()
    }

    /// What each role is told of a joint move; nothing where everybody sees it.
    fn tell(&mut self, joint: &[MoveId]) -> Result<(), RuleFault> {
        if !self.game.has_percepts() {
            return Ok(());
        }
        let mut told = Vec::with_capacity(self.role_count());
        for role in self.game.role_ids() {
            let mut percepts = Vec::new();
            self.game.observe(&mut self.workspace, &self.state, joint, role, &mut percepts)?;
            let mut texts: Vec<String> = percepts.iter().map(|&id| self.game.percept_spelling(id)).collect();
            // In an order that says nothing.
            texts.sort_unstable();
            told.push(texts);
        }
        self.record.percepts.push(told);
        Ok(())
    }

    /// Records the trouble of the start, one entry a role. Nobody is disqualified for it.
    pub fn started(&mut self, trouble: &[Option<Trouble>]) {
        self.record.errors.push(entries(trouble));
    }

    /// Makes the joint move of the answers, one for each role. What is no legal move is replaced by
    /// one drawn at random, and recorded.
    pub fn turn(&mut self, answers: &[Answer], now: u64) -> Result<Turn, MatchError> {
        if self.is_over() {
            return Err(MatchError::Over);
        }
        let roles = self.role_count();
        if answers.len() != roles {
            return Err(MatchError::Answers { given: answers.len(), roles });
        }
        if self.record.errors.is_empty() {
            self.started(&vec![None; roles]);
        }
        let judged: Vec<Result<Option<MoveId>, Trouble>> =
            answers.iter().enumerate().map(|(role, answer)| self.judge(role, answer)).collect();
        let mut joint = Vec::with_capacity(roles);
        let mut trouble = Vec::with_capacity(roles);
        for (role, judgement) in judged.into_iter().enumerate() {
            // One roll for every role, needed or not: what chance does in one role does not depend
            // on the trouble of another.
            let legal = self.expansion.legal(RoleId(role as u16));
            let drawn = legal[self.dice.below(legal.len())];
            joint.push(judgement.as_ref().ok().copied().flatten().unwrap_or(drawn));
            trouble.push(judgement.err());
        }
        let moves: Vec<String> = joint.iter().map(|&id| self.game.move_spelling(id)).collect();
        self.record.moves.push(moves.clone());
        self.record.errors.push(entries(&trouble));
        self.make(&joint, now)?;
        Ok(Turn { moves, trouble })
    }

    /// Makes a joint move that was made before, with the rolls that went with it.
    pub(crate) fn again(&mut self, joint: &[MoveId], time: u64) -> Result<(), MatchError> {
        for legal in self.expansion.by_role() {
            self.dice.below(legal.len());
        }
        self.record.moves.push(joint.iter().map(|&id| self.game.move_spelling(id)).collect());
        self.make(joint, time)
    }

    fn make(&mut self, joint: &[MoveId], now: u64) -> Result<(), MatchError> {
        let told = self.tell(joint);
        match told.and_then(|()| self.game.apply(&mut self.workspace, &self.state, joint)) {
            Ok(state) => self.past.push(std::mem::replace(&mut self.state, state)),
            Err(fault) => {
                self.record.is_aborted = true;
                return Err(fault.into());
            }
        }
        self.enter(now)
    }

    /// The move that an answer is, or none where the host is to draw one.
    fn judge(&self, role: usize, answer: &Answer) -> Result<Option<MoveId>, Trouble> {
        let reply = match answer {
            Answer::Hosted => return Ok(None),
            Answer::Late => return Err(Trouble::TimeOut),
            Answer::Unreachable(why) => return Err(Trouble::Connection(why.clone())),
            Answer::Reply(reply) => reply,
        };
        let role = RoleId(role as u16);
        let found = reply_move(reply)
            .and_then(|text| self.game.find_move(role, &self.book.from_players(&text)))
            .filter(|id| self.expansion.legal(role).contains(id));
        found.map(Some).ok_or_else(|| Trouble::Illegal(self.book.from_players(reply).trim().to_owned()))
    }

    /// Goes back to the position in which so many joint moves were made, as if there had been no more.
    pub fn take_back(&mut self, moves: usize) -> Result<(), MatchError> {
        let Some(state) = self.past.get(moves).cloned() else { return Ok(()) };
        self.past.truncate(moves);
        self.state = state;
        self.facts = self.game.facts(&self.state);
        let record = &mut self.record;
        record.moves.truncate(moves);
        record.percepts.truncate(moves);
        record.states.truncate(moves + 1);
        record.state_times.truncate(moves + 1);
        record.errors.truncate(moves + 1);
        if let Some(details) = &mut record.ludens {
            details.thoughts.truncate(moves);
        }
        record.goal_values.clear();
        (record.is_completed, record.is_aborted) = (false, false);
        (self.step, self.fault) = (Some(Step::Play), None);
        self.look()
    }

    /// Calls the match off.
    pub fn abort(&mut self) {
        if !self.record.is_completed {
            self.record.is_aborted = true;
        }
    }
}

fn entries(trouble: &[Option<Trouble>]) -> Vec<String> {
    trouble.iter().map(|entry| entry.as_ref().map_or_else(String::new, Trouble::to_string)).collect()
}

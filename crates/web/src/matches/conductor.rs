//! One match, conducted in a thread of its own by the referee's loop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use game::Game;
use machine::ErasedGame;
use player::Decision;
use referee::{Answer, Clocks, Given, Match, MatchRecord, Nobody, Rulebook, Settings};

use super::handle::{Handle, Published};
use super::keeper::Keeper;
use super::mind::{Mind, Question, Workshop};
use super::orders::{Choice, Order};
use super::remote::{Remote, ask_remote};
use super::seat::{Seat, Terms};
use crate::alarm::Alarm;
use crate::games::ReadyGame;

/// The time that one step of the rules may take.
pub(super) const STEP: Duration = Duration::from_secs(20);
/// A match that nobody watches or plays is put to rest after this time.
pub(super) const REST: Duration = Duration::from_secs(300);
/// Agents among themselves take at least this time for a move, so that one sees what happens.
const PACE: Duration = Duration::from_millis(600);
/// And against people this.
const ANSWER_PACE: Duration = Duration::from_millis(250);
/// Joint moves after which a match is called off.
const LONGEST: usize = 10_000;
/// What players on the network are given.
const CLOCKS: Clocks =
    Clocks { preview: Duration::ZERO, start: Duration::from_secs(10), play: Duration::from_secs(10) };

/// What a conductor starts with.
pub(super) struct Brief {
    pub(super) id: String,
    pub(super) game: Arc<ReadyGame>,
    pub(super) terms: Terms,
    pub(super) record: MatchRecord,
    pub(super) workshop: Arc<Workshop>,
    pub(super) keeper: Arc<Keeper>,
    pub(super) handle: Arc<Handle>,
    pub(super) orders: Receiver<Order>,
    pub(super) sender: Sender<Order>,
    pub(super) runtime: tokio::runtime::Handle,
}

/// Conducts a match until it is put to rest.
pub(super) fn run(brief: Brief) {
    let stop = Arc::new(AtomicBool::new(false));
    let game = brief.game.machine.stopped_by(&stop).erased();
    let book = match brief.terms.seats.iter().any(|seat| matches!(seat, Seat::Remote { .. })) {
        true => {
            let source = gdl::SourceFile::new("rules", brief.game.source.to_string());
            Rulebook::new(&gdl::parse(&source).sheet, None)
        }
        false => Rulebook::default(),
    };
    let human = brief.terms.seats.iter().map(Seat::is_person).collect();
    let settings = Settings {
        match_id: brief.id.clone(),
        game_name: brief.game.name.clone().unwrap_or_else(|| brief.terms.title.clone()),
        players: brief.terms.seats.iter().map(Seat::recorded).collect(),
        human,
        clocks: CLOCKS,
        seed: brief.terms.seed,
        longest: LONGEST,
        ..Settings::default()
    };
    let alarm = Alarm::set(STEP, &stop);
    let begun = Match::new(&*game, &book, settings, brief.record.start_time);
    drop(alarm);
    match begun {
        Ok(current) => Conductor::new(brief, &game, current, stop).conduct(),
        Err(fault) => brief.handle.broken(&brief.terms, fault.to_string()),
    }
}

pub(super) struct Conductor<'g> {
    pub(super) brief: Brief,
    pub(super) game: &'g ErasedGame,
    pub(super) current: Match<'g, ErasedGame>,
    pub(super) stop: Arc<AtomicBool>,
    /// What each role has chosen in this turn.
    pub(super) chosen: Vec<Option<Given>>,
    /// The roles that were asked, each by a ticket: answers to other tickets are old.
    pub(super) asked: Vec<Option<u64>>,
    pub(super) ticket: u64,
    /// Set when nobody wants the answers to what was asked.
    pub(super) forget: Arc<AtomicBool>,
    /// How many moves each role had in each turn.
    pub(super) choices: Vec<Vec<usize>>,
    pub(super) minds: Vec<Option<Mind>>,
    pub(super) remotes: Vec<Remote>,
    pub(super) fault: Option<String>,
    /// Answers that are given after the next publication.
    pub(super) replies: Vec<Box<dyn FnOnce()>>,
    /// When people must have chosen, if somebody waits for them by the clock.
    pub(super) deadline: Option<Instant>,
    /// The match as it was last kept.
    pub(super) kept: Option<(Terms, Vec<Vec<String>>, bool)>,
}

impl<'g> Conductor<'g> {
    fn new(
        brief: Brief,
        game: &'g ErasedGame,
        current: Match<'g, ErasedGame>,
        stop: Arc<AtomicBool>,
    ) -> Self {
        let roles = game.role_count();
        Self {
            brief,
            game,
            current,
            stop,
            chosen: vec![None; roles],
            asked: vec![None; roles],
            ticket: 0,
            forget: Arc::default(),
            choices: Vec::new(),
            minds: (0..roles).map(|_| None).collect(),
            remotes: vec![Remote::default(); roles],
            fault: None,
            replies: Vec::new(),
            deadline: None,
            kept: None,
        }
    }

    fn conduct(mut self) {
        let ready = (0..self.game.role_count()).map(|_| Answer::Hosted.into()).collect();
        self.take(ready, self.brief.record.start_time);
        self.replay();
        self.kept = Some(self.worth_keeping());
        let handle = Arc::clone(&self.brief.handle);
        let mut heard = Instant::now();
        loop {
            self.go_on();
            self.wind();
            self.publish();
            self.replies.drain(..).for_each(|reply| reply());
            match self.brief.orders.recv_timeout(self.patience()) {
                Ok(Order::End) | Err(RecvTimeoutError::Disconnected) => break,
                Ok(order) => {
                    self.obey(order);
                    heard = Instant::now();
                }
                Err(RecvTimeoutError::Timeout) => {
                    // While somebody looks or thinks, it goes on.
                    if heard.elapsed() >= REST && !handle.is_wanted() && !self.is_busy() {
                        break;
                    }
                    self.look_at_the_clock(handle.is_wanted());
                }
            }
        }
        self.forget.store(true, Ordering::Relaxed);
        handle.rests();
    }

    fn is_busy(&self) -> bool {
        self.asked.iter().any(Option::is_some)
    }

    /// Plays back what was kept.
    fn replay(&mut self) {
        let record = std::mem::take(&mut self.brief.record);
        let thoughts = record.ludens.as_ref().map_or(&[][..], |details| &details.thoughts[..]);
        for (turn, joint) in record.moves.iter().enumerate() {
            if self.current.is_over() || self.fault.is_some() {
                break;
            }
            let thought = |role: usize| thoughts.get(turn).and_then(|of| of.get(role)).cloned().flatten();
            let given = joint
                .iter()
                .enumerate()
                .map(|(role, text)| Given { thought: thought(role), ..Answer::Reply(text.clone()).into() })
                .collect();
            let now = record.state_times.get(turn + 1).copied().unwrap_or(record.start_time);
            self.take(given, now);
            let errors = self.current.record().errors.last();
            if errors.is_some_and(|errors| errors.iter().any(|entry| !entry.is_empty())) {
                self.fault = Some(format!("move {} of the record is not legal", turn + 1));
            }
        }
        self.restore();
    }

    /// What people had chosen when the match was kept.
    fn restore(&mut self) {
        for (role, text) in std::mem::take(&mut self.brief.terms.chosen).into_iter().enumerate() {
            let Some(text) = text.filter(|_| role < self.chosen.len()) else { continue };
            if self.current.legal(role).contains(&text) {
                self.chosen[role] = Some(Answer::Reply(text).into());
            }
        }
    }

    /// Gives the referee what everybody has answered.
    fn take(&mut self, given: Vec<Given>, now: u64) {
        let _alarm = Alarm::set(STEP, &self.stop);
        self.choices.push(self.current.count_choices());
        self.current.take(given, now, &mut Nobody);
        // The start is a step, and no turn.
        self.choices.truncate(self.current.record().moves.len());
        if let Some(fault) = self.current.fault() {
            self.fault = Some(fault.to_string());
        }
        self.chosen.fill(None);
        self.asked.fill(None);
        self.deadline = None;
    }

    /// Asks whom it has to ask, and makes joint moves as long as nobody has to be waited for.
    fn go_on(&mut self) {
        while !self.current.is_over() && self.fault.is_none() {
            let counts = self.current.count_choices();
            let waits = |role: usize| {
                counts[role] > 1
                    && self.chosen[role].is_none()
                    && self.brief.terms.seats[role] != Seat::Chance
            };
            let waiting: Vec<usize> = (0..counts.len()).filter(|&role| waits(role)).collect();
            if self.brief.terms.paused {
                return;
            }
            let missing: Vec<usize> =
                waiting.iter().copied().filter(|&role| self.asked[role].is_none()).collect();
            missing.into_iter().for_each(|role| self.ask(role));
            // Players on the network are asked in every turn, as that tells them what was done.
            let unheard =
                (0..counts.len()).filter(|&role| self.is_remote(role) && self.chosen[role].is_none());
            let unheard: Vec<usize> = unheard.collect();
            for &role in &unheard {
                if self.asked[role].is_none() {
                    self.ask(role);
                }
            }
            if !waiting.is_empty() || !unheard.is_empty() {
                return;
            }
            let given =
                self.chosen.iter_mut().map(|chosen| chosen.take().unwrap_or_else(|| Answer::Hosted.into()));
            let given = given.collect();
            self.take(given, super::now());
            if self.current.is_over() {
                self.tell_remotes();
            }
        }
    }

    fn is_remote(&self, role: usize) -> bool {
        matches!(self.brief.terms.seats[role], Seat::Remote { .. })
    }

    /// Asks the player of a role, unless it is a person.
    fn ask(&mut self, role: usize) {
        let (agent, seconds, simulations) = match &self.brief.terms.seats[role] {
            Seat::Person { .. } | Seat::Chance | Seat::Record { .. } => return,
            Seat::Remote { address } => {
                let address = address.clone();
                return self.ask_remote(role, &address);
            }
            Seat::Agent { agent, seconds, simulations, .. } => (agent.clone(), *seconds, *simulations),
        };
        self.ticket += 1;
        self.asked[role] = Some(self.ticket);
        let (sender, ticket) = (self.brief.sender.clone(), self.ticket);
        let answer = move |decision: Result<Decision, String>| {
            let choice = match decision {
                Ok(decision) => Choice::Decided(Box::new(decision)),
                Err(why) => Choice::Failed(why),
            };
            // Nobody is there once the match rests.
            let _ = sender.send(Order::Chosen { role, ticket, choice });
        };
        let people = self.brief.terms.seats.iter().any(Seat::is_person);
        let told = self.told(role, self.current.record().moves.len());
        let question = Question {
            agent,
            seconds,
            simulations,
            pace: if people { ANSWER_PACE } else { PACE },
            told,
            stop: Arc::clone(&self.forget),
            answer: Box::new(answer),
        };
        self.mind(role).ask(question);
    }

    fn ask_remote(&mut self, role: usize, address: &str) {
        let turn = self.current.record().moves.len();
        if turn > 0 && !self.remotes[role].begun {
            self.fault = Some(format!(
                "{address} has not seen the match from its beginning and cannot go on; take its role over"
            ));
            return;
        }
        self.ticket += 1;
        self.asked[role] = Some(self.ticket);
        let start = (!self.remotes[role].begun).then(|| self.current.start_request(role).to_string());
        self.remotes[role].begun = true;
        let play = self.current.play_request(role).to_string();
        let (sender, ticket) = (self.brief.sender.clone(), self.ticket);
        let answered = move |answer| {
            let _ = sender.send(Order::Chosen { role, ticket, choice: Choice::Replied(answer) });
        };
        ask_remote(&self.brief.runtime, address, start, play, CLOCKS, answered);
    }

    /// Tells players on the network that it is over.
    fn tell_remotes(&mut self) {
        for role in (0..self.remotes.len()).filter(|&role| self.remotes[role].begun) {
            let Seat::Remote { address } = &self.brief.terms.seats[role] else { continue };
            let stop = self.current.stop_request(role).to_string();
            ask_remote(&self.brief.runtime, address, None, stop, CLOCKS, |_| ());
        }
    }

    pub(super) fn mind(&mut self, role: usize) -> &Mind {
        let Brief { game, terms, workshop, .. } = &self.brief;
        self.minds[role]
            .get_or_insert_with(|| Mind::new(Arc::clone(game), role, terms.seed, Arc::clone(workshop)))
    }

    /// What a role was told of the first turns.
    pub(super) fn told(&self, role: usize, turns: usize) -> Vec<Vec<String>> {
        (1..=turns).map(|turn| self.current.told(turn, role)).collect()
    }

    /// Keeps the match, then tells everybody.
    fn publish(&mut self) {
        let record = Arc::new(self.record());
        self.brief.terms.chosen = self.chosen_by_people();
        let over = self.current.is_over();
        let legal = |role: usize| if over { Vec::new() } else { self.current.legal(role) };
        let chosen = |given: &Option<Given>| match given {
            Some(Given { answer: Answer::Reply(text), .. }) => Some(text.clone()),
            Some(_) => Some(String::new()),
            None => None,
        };
        let published = Published {
            terms: self.brief.terms.clone(),
            choices: if over { Vec::new() } else { self.current.count_choices() },
            legal: (0..self.game.role_count()).map(legal).collect(),
            chosen: self.chosen.iter().map(chosen).collect(),
            thinking: self.asked.iter().map(Option::is_some).collect(),
            choices_before: self.choices.clone(),
            fault: self.fault.clone(),
            deadline: self.deadline,
            record: Arc::clone(&record),
        };
        let now = Some(self.worth_keeping());
        if self.kept != now {
            self.brief.keeper.keep(&self.brief.id, &self.brief.terms, &record);
            self.kept = now;
        }
        self.brief.handle.publish(published);
    }

    fn worth_keeping(&self) -> (Terms, Vec<Vec<String>>, bool) {
        (self.brief.terms.clone(), self.current.record().moves.clone(), self.current.is_over())
    }

    fn chosen_by_people(&self) -> Vec<Option<String>> {
        let text = |given: &Option<Given>| match given {
            Some(Given { answer: Answer::Reply(text), .. }) => Some(text.clone()),
            _ => None,
        };
        let seats = self.chosen.iter().zip(&self.brief.terms.seats);
        seats.map(|(given, seat)| text(given).filter(|_| seat.is_person())).collect()
    }

    /// The record with those who play now.
    fn record(&self) -> MatchRecord {
        let mut record = self.current.record().clone();
        let seats = &self.brief.terms.seats;
        record.player_names_from_host = seats.iter().map(Seat::recorded).collect();
        record.is_player_human = seats.iter().map(Seat::is_person).collect();
        record
    }
}

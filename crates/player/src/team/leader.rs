//! A player that has helpers.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use engine::team::{Assignment, MoveReport, Order, RootReport, Work};
use engine::{Budget, Clock, Decision, Engine, Event, Settings, Stop, Thought};
use game::{MoveId, RoleId, RuleFault};
use machine::MachineKind;
use search::Parameters;
use search::mcts::{Bounds, Candidate, choose, merge};

use super::{EXCHANGE, HELPERS, Listener};

/// How long an assignment holds that has no end of its own. It is said again when half of that is over.
const LEASE: Duration = Duration::from_secs(2);
/// The part of the time, and the least of it, that is left for the last reports to arrive.
const MARGIN_PART: u32 = 20;
const LEAST_MARGIN: Duration = Duration::from_millis(20);
/// How long helpers are waited for where simulations are counted.
const PATIENCE: Duration = Duration::from_secs(10);

/// An engine whose helpers think with it.
pub(crate) struct Team {
    inner: Box<dyn Engine>,
    listener: Arc<Listener>,
    seat: TeamSeat,
    /// The role that is played, once that is known.
    role: Option<RoleId>,
    number: u64,
    /// Whether the next assignment is a new one.
    is_new: bool,
    /// How long the last assignment holds.
    holds: Duration,
}

/// What a team is made for.
pub(crate) struct TeamSeat {
    /// The joint moves so far.
    pub(crate) history: Vec<Vec<String>>,
    /// What the trees of helpers are to be like.
    pub(crate) settings: Settings,
    /// MiB for the tree of each helper.
    pub(crate) memory: u32,
    pub(crate) parameters: Parameters,
    pub(crate) seed: u64,
    pub(crate) clock: Clock,
    /// Whether helpers have trees of their own.
    pub(crate) is_root: bool,
}

impl Team {
    pub(crate) fn new(inner: Box<dyn Engine>, listener: Arc<Listener>, seat: TeamSeat) -> Self {
        Self { inner, listener, seat, role: None, number: 0, is_new: true, holds: Duration::ZERO }
    }

    /// Says where the match stands, if helpers do not know or may have forgotten.
    fn assign(&mut self, budget: &Budget<'_>) {
        let now = (self.seat.clock)();
        let Some(role) = self.role else { return };
        if !self.is_new && now < self.holds {
            return;
        }
        if std::mem::take(&mut self.is_new) {
            self.number += 1;
            self.listener.begin(self.number);
        }
        let exchange = Duration::from_millis(self.seat.settings.of(&EXCHANGE).into());
        let left = budget.turn_ends.map(|ends| ends.saturating_sub((budget.clock)()));
        // Once a move is when the time is over, if it is known when that is.
        let last = left.filter(|_| exchange.is_zero() && self.seat.is_root);
        let margin = |left: Duration| (left / MARGIN_PART).max(LEAST_MARGIN);
        let lease = last.map_or(LEASE, |left| left.saturating_sub(margin(left)));
        self.holds = now + last.map_or(LEASE / 2, |left| left);
        let every = match (last, exchange.is_zero()) {
            (Some(_), _) => None,
            (None, true) => Some(Duration::from_millis(EXCHANGE.default().into())),
            (None, false) => Some(exchange),
        };
        let work = if self.seat.is_root {
            let every_milliseconds = every.map(|every| every.as_millis() as u64);
            Work::Root { every_milliseconds, simulations: budget.simulations }
        } else {
            Work::Tree
        };
        self.listener.line.tell(
            None,
            Order::Think(Assignment {
                number: self.number,
                rules: String::new(),
                history: self.seat.history.clone(),
                role: role.0,
                seed: self.seat.seed,
                settings: self.differing(),
                milliseconds: lease.as_millis() as u64,
                work,
            }),
        );
    }

    /// The values of parameters that are not the usual ones.
    fn differing(&self) -> Vec<(String, String)> {
        let values = self.seat.settings.iter().filter(|(row, value)| row.default != *value);
        let written = values.map(|(row, value)| (row.name.to_owned(), value.to_string()));
        let memory = (engine::MEMORY.name().to_owned(), self.seat.memory.to_string());
        written
            .filter(|(name, _)| name != HELPERS.name() && *name != memory.0)
            .chain([memory.clone()])
            .collect()
    }

    /// What the player and its helpers think together.
    fn merged(&self, mut own: Decision, roots: &[RootReport]) -> Decision {
        own.simulations += roots.iter().map(|root| root.simulations).sum::<u64>();
        // What is proven needs no advice, and what is drawn is drawn by the player.
        if own.proven || own.moves.iter().any(|thought| thought.likelihood.is_some()) {
            return own;
        }
        let mut all = vec![own.moves.iter().enumerate().map(candidate).collect::<Vec<_>>()];
        all.extend(roots.iter().filter_map(|root| aligned(&own.moves, &root.moves)));
        if all.len() == 1 {
            return own;
        }
        let Parameters { merge: how, final_move, exploration, .. } = self.seat.parameters;
        let candidates = merge(&all, how);
        let chosen = choose(&candidates, final_move, exploration);
        for (thought, candidate) in own.moves.iter_mut().zip(&candidates) {
            (thought.visits, thought.value) = (candidate.visits, candidate.value);
            thought.proven = (candidate.bounds.lower, candidate.bounds.upper);
        }
        let best = &candidates[chosen];
        own.proven = candidates.iter().all(|other| other.bounds.upper <= best.bounds.lower);
        own.unthought &= candidates.iter().all(|one| one.visits == 0) && !own.proven;
        own.value = Some(best.value);
        let text = &own.moves[chosen].text;
        if *text != own.text {
            own.line.clear();
            // Helpers know moves by their canonical text, and hosts understand that too.
            (own.text, own.spelling) = (text.clone(), text.clone());
        }
        own
    }
}

fn candidate((place, thought): (usize, &Thought)) -> Candidate {
    let (lower, upper) = thought.proven;
    Candidate {
        id: MoveId(place as u32),
        visits: thought.visits,
        value: thought.value,
        to_others: 0.0,
        hope: 0.0,
        likelihood: None,
        bounds: Bounds { lower, upper },
    }
}

/// What a helper thinks of the player's moves; `None` if it speaks of others, or of what cannot be.
fn aligned(own: &[Thought], told: &[MoveReport]) -> Option<Vec<Candidate>> {
    let one = |(place, thought): (usize, &Thought)| {
        // Both list them in the same order, as a rule.
        let same = |told: &&MoveReport| told.text == thought.text;
        let told = told.get(place).filter(same).or_else(|| told.iter().find(same))?;
        let is_sound = (0.0..=100.0).contains(&told.value) && told.proven.0 <= told.proven.1.min(100);
        let (visits, value, (lower, upper)) = (told.visits, told.value, told.proven);
        is_sound.then(|| {
            let bounds = Bounds { lower, upper };
            Candidate { visits, value, bounds, ..candidate((place, thought)) }
        })
    };
    own.iter().enumerate().map(one).collect()
}

impl Engine for Team {
    fn think(&mut self, budget: &Budget<'_>) -> Result<Stop, RuleFault> {
        self.assign(budget);
        let is_counted = budget.simulations.is_some_and(|most| most > 0);
        let is_over = || budget.stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
        if is_counted && !self.seat.is_root {
            // Nobody is in a hurry: the search would be over before anybody was there.
            self.listener.wait_for_all(PATIENCE, &is_over, |known| known.ready == Some(self.number));
        }
        let stopped = self.inner.think(budget)?;
        if is_counted && self.seat.is_root && stopped != Stop::Told {
            let number = self.number;
            let is_final = |root: &RootReport| root.number == number && root.is_final;
            self.listener.wait_for_all(PATIENCE, &is_over, |known| known.root.as_ref().is_some_and(is_final));
        }
        Ok(stopped)
    }

    fn decide(&mut self, role: RoleId) -> Result<Option<Decision>, RuleFault> {
        self.role = Some(role);
        let Some(own) = self.inner.decide(role)? else { return Ok(None) };
        if !self.seat.is_root || self.is_new {
            return Ok(Some(own));
        }
        Ok(Some(self.merged(own, &self.listener.roots(self.number))))
    }

    fn advance(&mut self, told: &[String]) -> Result<bool, RuleFault> {
        let known = self.inner.advance(told)?;
        if known {
            self.seat.history.push(told.to_vec());
            self.is_new = true;
        }
        Ok(known)
    }

    fn begin_turn(&mut self) {
        self.is_new = true;
        self.inner.begin_turn();
    }

    fn events(&mut self) -> Vec<Event> {
        self.inner.events()
    }

    fn machine(&self) -> MachineKind {
        self.inner.machine()
    }
}

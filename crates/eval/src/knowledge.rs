//! What methods of any kind know of states, and how a machine is asked for what they look at.
//!
//! A method sees states as sets of facts, 512 of them side by side: fact after fact, which of the states have it. It
//! knows no machine, so it is compiled once; [`Known`] turns the states of a machine into such groups.

use std::any::Any;
use std::sync::Arc;

use engine::Evaluator;
use game::{Expansions, FactId, RuleFault, Simulator};
use machine::circuit::CircuitState;
use parking_lot::{Mutex, RwLock};
use rustc_hash::FxHashMap;

use crate::derived::{GROUP, Lanes};

/// States that are judged together.
pub const TOGETHER: usize = 64 * GROUP;

/// States side by side.
#[derive(Clone, Copy, Debug)]
pub struct Group<'a> {
    /// For each fact that is looked at, which of the states have it.
    pub facts: &'a [Lanes],
    /// For each state how many moves each role has, state after state; nothing if nobody asked for it.
    pub moves: &'a [u32],
    /// How many states there are.
    pub states: usize,
}

impl Group<'_> {
    /// Whether a state has a fact.
    pub fn has(&self, fact: usize, state: usize) -> bool {
        self.facts[fact][state / 64] >> (state % 64) & 1 != 0
    }
}

/// What a method knows of states.
pub trait Knowledge: Send + Sync {
    /// The facts that it looks at, as canonical text.
    fn facts(&self) -> &[String];

    /// Whether it looks at how many moves the roles have.
    fn wants_moves(&self) -> bool;

    /// What states are worth to each role, from 0 to 1: state after state, role after role.
    fn judge(&self, group: &Group<'_>, out: &mut [f64]);

    /// What of it goes on learning during play, if anything does.
    fn learner(&self) -> Option<&dyn Learner>;

    /// What it knows, in lines for people to read.
    fn lines(&self) -> Vec<String>;
}

/// Weights that go on learning during play.
pub trait Learner {
    /// Learns what a search found the states of a group to be worth, by state and role.
    fn tune(&self, group: &Group<'_>, targets: &[f64]);
}

/// Goes on learning during play, on a machine.
pub trait Tuner<State>: Send + Sync {
    /// Learns what a search found a state to be worth to each role, from 0 to 1.
    fn tune(&self, state: &State, values: &[f64]) -> Result<(), RuleFault>;
}

/// Knowledge on a machine.
pub struct Known<G: Simulator> {
    game: Arc<G>,
    knowledge: Arc<dyn Knowledge>,
    places: FxHashMap<String, u32>,
    met: Met,
    scratch: Mutex<Vec<(G::Workspace, Expansions)>>,
}

enum Met {
    /// Of a machine whose states are bits: the place of each fact, and which bits have one.
    Bits { places: Vec<u32>, masks: Vec<u64> },
    /// As facts are met.
    Facts(RwLock<FxHashMap<FactId, Option<u32>>>),
}

impl<G: Simulator> std::fmt::Debug for Known<G> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Known").field("facts", &self.places.len()).finish_non_exhaustive()
    }
}

impl<G: Simulator> Known<G> {
    /// Knowledge that can be asked about the states of a machine.
    pub fn new(game: Arc<G>, knowledge: Arc<dyn Knowledge>) -> Self {
        let places: FxHashMap<String, u32> = knowledge.facts().iter().cloned().zip(0..).collect();
        let initial = game.initial();
        let met = match (&initial as &dyn Any).downcast_ref::<CircuitState>() {
            Some(state) => {
                let count = state.words().len() * 64;
                let mut masks = vec![0u64; state.words().len()];
                let place = |fact: u32| {
                    let place = places.get(&game.fact_text(FactId(fact))).copied();
                    masks[fact as usize / 64] |= u64::from(place.is_some()) << (fact % 64);
                    place.unwrap_or(0)
                };
                Met::Bits { places: (0..count as u32).map(place).collect(), masks }
            }
            None => Met::Facts(RwLock::default()),
        };
        Self { game, knowledge, places, met, scratch: Mutex::default() }
    }

    /// Notes the facts of a state.
    fn note(&self, state: &G::State, lane: usize, listed: &mut Vec<FactId>, facts: &mut [Lanes]) {
        let mut set = |place: u32| facts[place as usize][lane / 64] |= 1 << (lane % 64);
        match &self.met {
            Met::Bits { places, masks } => {
                let words = (state as &dyn Any).downcast_ref::<CircuitState>().map(CircuitState::words);
                for (number, (word, mask)) in words.unwrap_or_default().iter().zip(masks).enumerate() {
                    let mut rest = word & mask;
                    while rest != 0 {
                        set(places[64 * number + rest.trailing_zeros() as usize]);
                        rest &= rest - 1;
                    }
                }
            }
            Met::Facts(met) => {
                self.game.list_facts(state, listed);
                for &fact in &*listed {
                    let known = met.read().get(&fact).copied();
                    let place = known.unwrap_or_else(|| {
                        let place = self.places.get(&self.game.fact_text(fact)).copied();
                        met.write().insert(fact, place);
                        place
                    });
                    if let Some(place) = place {
                        set(place);
                    }
                }
            }
        }
    }

    /// How many moves the roles have in some states.
    fn moves(&self, states: &[&G::State], out: &mut Vec<u32>) -> Result<(), RuleFault> {
        let scratch = self.scratch.lock().pop();
        let (mut workspace, mut expansions) =
            scratch.unwrap_or_else(|| (self.game.workspace(), Expansions::new()));
        self.game.expand_all(&mut workspace, states, &mut expansions)?;
        out.clear();
        for choices in expansions.iter() {
            out.extend(choices.by_role().map(|moves| moves.len() as u32));
            // The machine lists no moves where the game is over.
            out.resize(out.len().next_multiple_of(self.game.role_count().max(1)), 0);
        }
        out.resize(states.len() * self.game.role_count(), 0);
        self.scratch.lock().push((workspace, expansions));
        Ok(())
    }
}

/// Room for a group.
#[derive(Default)]
struct Room {
    facts: Vec<Lanes>,
    listed: Vec<FactId>,
    moves: Vec<u32>,
}

impl<G: Simulator> Known<G> {
    /// States as a group.
    fn group<'a>(&self, states: &[&G::State], room: &'a mut Room) -> Result<Group<'a>, RuleFault> {
        room.facts.clear();
        room.facts.resize(self.knowledge.facts().len(), [0; GROUP]);
        for (lane, state) in states.iter().enumerate() {
            self.note(state, lane, &mut room.listed, &mut room.facts);
        }
        if self.knowledge.wants_moves() {
            self.moves(states, &mut room.moves)?;
        }
        Ok(Group { facts: &room.facts, moves: &room.moves, states: states.len() })
    }
}

impl<G: Simulator> Evaluator<G::State> for Known<G> {
    fn evaluate(&self, states: &[&G::State], out: &mut [f64]) -> Result<(), RuleFault> {
        let roles = self.game.role_count().max(1);
        let mut room = Room::default();
        for (states, out) in states.chunks(TOGETHER).zip(out.chunks_mut(TOGETHER * roles)) {
            let group = self.group(states, &mut room)?;
            self.knowledge.judge(&group, &mut out[..states.len() * roles]);
        }
        Ok(())
    }
}

impl<G: Simulator> Tuner<G::State> for Known<G> {
    fn tune(&self, state: &G::State, values: &[f64]) -> Result<(), RuleFault> {
        let Some(learner) = self.knowledge.learner() else { return Ok(()) };
        let mut room = Room::default();
        learner.tune(&self.group(&[state], &mut room)?, values);
        Ok(())
    }
}

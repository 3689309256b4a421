//! One machine to hold, whichever it is.
//!
//! What holds a machine need not know which one it is; what thinks must, or every call would go
//! through a table of functions. So the handle is opened once, by a [`Visitor`] that is compiled for
//! each machine there is, and what it starts runs on that machine alone. A new kind of machine is a
//! variant here and nowhere else. What is no machine of ours, a game written by hand or one of a test, is
//! held as a game of no particular type: it is slower, and as good.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use ::circuit::Circuit;
use game::{Describe, RoleId, Simulator};
use gdl::normal::NormalRules;
use verify::inspect::Declared;

use crate::batch::{BatchMachine, LaneGame};
use crate::circuit::CircuitMachine;
use crate::erased::ErasedGame;
use crate::reference::Reference;

/// The kinds of machines, the best last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MachineKind {
    /// Plain evaluation of the rules.
    Reference,
    /// A circuit, one state at a time.
    Circuit,
    /// A circuit in lanes.
    Batch,
}

impl MachineKind {
    /// The name of the kind.
    pub fn name(self) -> &'static str {
        match self {
            MachineKind::Reference => "reference",
            MachineKind::Circuit => "circuit",
            MachineKind::Batch => "batch",
        }
    }
}

impl std::fmt::Display for MachineKind {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(self.name())
    }
}

/// A machine, shared by all who hold it.
#[derive(Clone, Debug)]
pub struct Machine {
    held: Held,
    rules: Option<Arc<NormalRules>>,
}

#[derive(Clone, Debug)]
enum Held {
    Reference(Arc<Reference>),
    Circuit(Arc<CircuitMachine>),
    Batch(Arc<BatchMachine>),
    Lanes(Arc<LaneGame>),
    Other(Arc<ErasedGame>, MachineKind),
}

/// Something to do with a machine. A trait, as closures cannot be generic.
pub trait Visitor<'m> {
    /// What comes of it.
    type Answer;
    /// Does it with the machine as it is.
    fn visit<G: Simulator + Describe + 'static>(self, game: &'m Arc<G>) -> Self::Answer;
}

impl Machine {
    /// Opens the handle.
    pub fn visit<'m, V: Visitor<'m>>(&'m self, visitor: V) -> V::Answer {
        match &self.held {
            Held::Reference(game) => visitor.visit(game),
            Held::Circuit(game) => visitor.visit(game),
            Held::Batch(game) => visitor.visit(game),
            Held::Lanes(game) => visitor.visit(game),
            Held::Other(game, _) => visitor.visit(game),
        }
    }

    /// Opens the handle for who makes much of it, such as a search: only machines that are fast by themselves come as
    /// they are. For the others a search is compiled once, and a call more or less does not matter to them.
    pub fn visit_fast<V: for<'a> Visitor<'a, Answer = A>, A>(&self, visitor: V) -> A {
        match &self.held {
            Held::Circuit(game) => visitor.visit(game),
            Held::Batch(game) => visitor.visit(game),
            Held::Reference(_) | Held::Lanes(_) | Held::Other(..) => visitor.visit(&self.erased()),
        }
    }

    /// Any game as a machine, and what it counts as.
    pub fn of<G: Simulator + Describe + 'static>(game: Arc<G>, kind: MachineKind) -> Self {
        Held::Other(Arc::new(ErasedGame::new(game)), kind).into()
    }

    /// The same machine, and the rules that it was made of: who reads more in them than can be asked of a game
    /// finds them here.
    pub fn with_rules(self, rules: Arc<NormalRules>) -> Self {
        Self { rules: Some(rules), ..self }
    }

    /// The rules that it was made of, if it was made of any and they were kept.
    pub fn rules(&self) -> Option<&Arc<NormalRules>> {
        self.rules.as_ref()
    }

    /// The machine as a game of no particular type, for code that need not be fast.
    pub fn erased(&self) -> Arc<ErasedGame> {
        struct Erase;
        impl Visitor<'_> for Erase {
            type Answer = Arc<ErasedGame>;
            fn visit<G: Simulator + Describe + 'static>(self, game: &Arc<G>) -> Arc<ErasedGame> {
                Arc::new(ErasedGame::new(Arc::clone(game)))
            }
        }
        match &self.held {
            Held::Other(game, _) => Arc::clone(game),
            _ => self.visit(Erase),
        }
    }

    /// The machine for one of those who share it: a long evaluation of its rules ends soon after the flag is
    /// set. A circuit takes no longer for a state than its gates do, and is handed on as it is.
    pub fn stopped_by(&self, stop: &Arc<AtomicBool>) -> Self {
        match &self.held {
            Held::Reference(game) => {
                let held = Held::Reference(Arc::new(game.stopped_by(Arc::clone(stop))));
                Self { held, rules: self.rules.clone() }
            }
            _ => self.clone(),
        }
    }

    /// Which kind it is.
    pub fn kind(&self) -> MachineKind {
        match &self.held {
            Held::Reference(_) => MachineKind::Reference,
            Held::Circuit(_) => MachineKind::Circuit,
            Held::Batch(_) | Held::Lanes(_) => MachineKind::Batch,
            Held::Other(_, kind) => *kind,
        }
    }

    /// The names of the roles in canonical lower case, in the order of joint moves.
    pub fn roles(&self) -> &[String] {
        struct Roles;
        impl<'m> Visitor<'m> for Roles {
            type Answer = &'m [String];
            fn visit<G: Simulator + Describe + 'static>(self, game: &'m Arc<G>) -> &'m [String] {
                game.roles()
            }
        }
        self.visit(Roles)
    }

    /// The role whose moves are drawn.
    pub fn chance(&self) -> Option<RoleId> {
        struct Chance;
        impl Visitor<'_> for Chance {
            type Answer = Option<RoleId>;
            fn visit<G: Simulator + Describe + 'static>(self, game: &Arc<G>) -> Option<RoleId> {
                game.chance()
            }
        }
        self.visit(Chance)
    }

    /// Whether its rules say what is seen; otherwise everybody sees the joint move.
    pub fn has_percepts(&self) -> bool {
        struct Told;
        impl Visitor<'_> for Told {
            type Answer = bool;
            fn visit<G: Simulator + Describe + 'static>(self, game: &Arc<G>) -> bool {
                game.has_percepts()
            }
        }
        self.visit(Told)
    }

    /// The circuit in lanes, if that is what it is: planners need more than a game.
    pub fn lanes(&self) -> Option<&Arc<BatchMachine>> {
        match &self.held {
            Held::Batch(game) => Some(game),
            _ => None,
        }
    }

    /// The circuit that it runs, if it runs one: solvers ask it for more than a game answers.
    pub fn circuit(&self) -> Option<&Arc<Circuit>> {
        match &self.held {
            Held::Circuit(game) => Some(game.circuit()),
            Held::Batch(game) => Some(game.machine().circuit()),
            Held::Lanes(game) => Some(game.machine().circuit()),
            Held::Reference(_) | Held::Other(..) => None,
        }
    }

    /// What the sheet declares by `base` and `input`; a circuit has forgotten it.
    pub fn declared(&self) -> Declared {
        match &self.held {
            Held::Reference(game) => game.declared(),
            _ => Declared::default(),
        }
    }

    /// Bytes in use, about.
    pub fn bytes(&self) -> usize {
        let circuit = |game: &CircuitMachine| game.circuit().gates.len() * GATE_BYTES + game.bytes();
        match &self.held {
            Held::Reference(game) => game.bytes(),
            Held::Circuit(game) => circuit(game),
            Held::Batch(game) => circuit(game.machine()),
            Held::Lanes(game) => circuit(game.machine()),
            Held::Other(..) => 0,
        }
    }
}

/// What a gate takes, about.
const GATE_BYTES: usize = 12;

impl From<Held> for Machine {
    fn from(held: Held) -> Self {
        Self { held, rules: None }
    }
}

impl From<Arc<Reference>> for Machine {
    fn from(game: Arc<Reference>) -> Self {
        Held::Reference(game).into()
    }
}

impl From<Arc<CircuitMachine>> for Machine {
    fn from(game: Arc<CircuitMachine>) -> Self {
        Held::Circuit(game).into()
    }
}

impl From<Arc<BatchMachine>> for Machine {
    fn from(game: Arc<BatchMachine>) -> Self {
        Held::Batch(game).into()
    }
}

impl From<Arc<LaneGame>> for Machine {
    fn from(game: Arc<LaneGame>) -> Self {
        Held::Lanes(game).into()
    }
}

//! From rules to the machine that is wanted, in one step and in the caller's thread.
//!
//! The [`builder`](crate::builder) makes one machine after the other while somebody plays on what is
//! there; this is for those who know which one they want.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ::circuit::Effort;
use gdl::normal::NormalRules;
use ground::{Budget, GroundError};

use crate::batch::{BatchMachine, LaneGame};
use crate::circuit::CircuitMachine;
use crate::reference::{BuildError, Reference};
use crate::{Machine, Target};

/// Which machine is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Plain evaluation of the rules.
    Reference,
    /// A circuit, one state at a time.
    Circuit(Target),
    /// A circuit in lanes.
    Batch(Target),
    /// A circuit in lanes that answers for single states in lanes as well: slow, to be compared.
    Lanes(Target),
}

/// What making a machine may cost. The clock is the caller's.
#[derive(Clone)]
pub struct Limits<'a> {
    /// The time so far, by any clock.
    pub clock: &'a dyn Fn() -> Duration,
    /// Time for grounding and making a circuit.
    pub time: Duration,
    /// Bytes for grounding and making a circuit, or for evaluating the rules.
    pub bytes: usize,
    /// Ends the work, and evaluation later on, when it is set.
    pub stop: Option<Arc<AtomicBool>>,
}

impl Limits<'_> {
    /// None but what a computer is sure to have: for small games.
    pub fn generous() -> Self {
        Self { clock: &|| Duration::ZERO, time: Duration::MAX, bytes: 1 << 30, stop: None }
    }
}

impl std::fmt::Debug for Limits<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Limits").field("time", &self.time).field("bytes", &self.bytes).finish()
    }
}

/// Why there is no such machine.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MakeError {
    /// The rules cannot be evaluated.
    #[error(transparent)]
    Reference(#[from] BuildError),
    /// There is no circuit within the limits.
    #[error(transparent)]
    Circuit(#[from] GroundError),
}

/// The machine of a text of rules. What cannot be read is left out, as a player has to.
///
/// ```
/// use machine::{Limits, MachineKind, Wanted};
///
/// let rules = "(role you) (init (left 1)) (legal you wait) (<= (next (left 0)) (true (left 1)))
///     (<= terminal (true (left 0))) (<= (goal you 100) terminal)";
/// let machine = machine::from_text(rules, Wanted::Reference, &Limits::generous())?;
/// assert_eq!((machine.kind(), machine.roles()), (MachineKind::Reference, &["you".to_owned()][..]));
/// # Ok::<(), machine::MakeError>(())
/// ```
pub fn from_text(text: &str, wanted: Wanted, limits: &Limits<'_>) -> Result<Machine, MakeError> {
    from_rules(&gdl::normal::read(text), wanted, limits)
}

/// The machine of rules in normal form.
pub fn from_rules(rules: &NormalRules, wanted: Wanted, limits: &Limits<'_>) -> Result<Machine, MakeError> {
    Ok(make(rules, wanted, limits)?.with_rules(Arc::new(rules.clone())))
}

fn make(rules: &NormalRules, wanted: Wanted, limits: &Limits<'_>) -> Result<Machine, MakeError> {
    let target = match wanted {
        Wanted::Reference => {
            let limits =
                datalog::Limits { bytes: limits.bytes, stop: limits.stop.clone(), ..Default::default() };
            return Ok(Arc::new(Reference::new(rules, limits)?).into());
        }
        Wanted::Circuit(target) | Wanted::Batch(target) | Wanted::Lanes(target) => target,
    };
    let budget = Budget {
        clock: limits.clock,
        deadline: (limits.clock)().saturating_add(limits.time),
        bytes: limits.bytes,
        progress: &|_| !limits.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed)),
    };
    let circuit = crate::build::circuit(rules, Effort::Thorough, &budget)?.circuit;
    Ok(match wanted {
        Wanted::Lanes(_) => {
            // Single states go into lanes as well; the rest need not be fast.
            let one = Arc::new(CircuitMachine::with_target(circuit, Target::Portable));
            Arc::new(LaneGame::new(BatchMachine::with_target(one, target))).into()
        }
        Wanted::Batch(_) => {
            let one = Arc::new(CircuitMachine::with_target(circuit, target));
            Arc::new(BatchMachine::with_target(one, target)).into()
        }
        _ => Arc::new(CircuitMachine::with_target(circuit, target)).into(),
    })
}

#[cfg(test)]
mod tests {
    use game::{Describe, Simulator};

    use super::*;
    use crate::{MachineKind, Visitor};

    const COUNTDOWN: &str = "(role you) (role RANDOM) (init (left 2)) (legal you wait) (legal random wait)
        (<= (next (left 1)) (true (left 2))) (<= (next (left 0)) (true (left 1)))
        (<= terminal (true (left 0))) (<= (goal you 100) terminal) (goal random 0)";

    /// Counts paths of two joint moves.
    struct Perft;

    impl Visitor<'_> for Perft {
        type Answer = u64;
        fn visit<G: Simulator + Describe + 'static>(self, game: &Arc<G>) -> u64 {
            verify::perft(&**game, &mut game.workspace(), &game.initial(), 2).expect("no fault")
        }
    }

    #[test]
    fn every_machine_is_held_alike() {
        for (wanted, kind) in [
            (Wanted::Reference, MachineKind::Reference),
            (Wanted::Circuit(Target::Portable), MachineKind::Circuit),
            (Wanted::Batch(Target::detect()), MachineKind::Batch),
            (Wanted::Lanes(Target::Portable), MachineKind::Batch),
        ] {
            let machine = from_text(COUNTDOWN, wanted, &Limits::generous()).expect("small");
            assert_eq!((machine.kind(), machine.visit(Perft)), (kind, 1), "{wanted:?}");
            assert_eq!(machine.roles(), ["you", "random"]);
            assert_eq!(machine.chance(), Some(game::RoleId(1)));
            assert_eq!(machine.lanes().is_some(), matches!(wanted, Wanted::Batch(_)));
            assert!(machine.bytes() > 0);
            assert_eq!(machine.rules().map(|rules| rules.roles.len()), Some(2));
        }
    }

    #[test]
    fn limits_are_kept_and_told() {
        let none = from_text("(init a)", Wanted::Reference, &Limits::generous());
        assert_eq!(none.err(), Some(MakeError::Reference(BuildError::NoRoles)));
        let limits = Limits { time: Duration::ZERO, ..Limits::generous() };
        let late = from_text(COUNTDOWN, Wanted::Circuit(Target::Portable), &limits);
        assert_eq!(late.err(), Some(MakeError::Circuit(GroundError::OutOfTime)));
        let stopped = Limits { stop: Some(Arc::new(AtomicBool::new(true))), ..Limits::generous() };
        let stopped = from_text(COUNTDOWN, Wanted::Circuit(Target::Portable), &stopped);
        assert_eq!(stopped.err(), Some(MakeError::Circuit(GroundError::Stopped)));
    }
}

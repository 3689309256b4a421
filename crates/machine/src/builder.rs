//! The builder: the best machine for a game within a budget, and something to play on meanwhile.
//!
//! Machines become ready one after the other, in a thread of the builder's own: the reference
//! reasoner, then the circuit, then lanes compiled to machine code. Each is compared with the one
//! before it in a differential walk and offered only if they agree. What cannot be grounded within
//! the budget is played by the reference. Every decision is an [`Event`].

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use ::circuit::Effort;
use game::Describe;
use gdl::normal::NormalRules;
use ground::{Budget, GroundError};
use parking_lot::{Condvar, Mutex};
use verify::{Difference, PlayoutLimits, walk};

use crate::Machine;
use crate::batch::{BatchMachine, LaneGame};
use crate::circuit::CircuitMachine;
use crate::reference::{BuildError, Reference};

/// What building may cost. The clock is the caller's.
#[derive(Clone)]
pub struct Options {
    /// The time so far, by any clock.
    pub clock: Arc<dyn Fn() -> Duration + Send + Sync>,
    /// Time for grounding and making the circuit.
    pub time: Duration,
    /// Time for comparing each machine with the one before.
    pub comparison: Duration,
    /// Bytes for grounding and making the circuit.
    pub bytes: usize,
    /// Bytes for each evaluation of the rules by the reference.
    pub reference_bytes: usize,
}

impl std::fmt::Debug for Options {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Options").field("time", &self.time).field("bytes", &self.bytes).finish()
    }
}

/// What the builder did, and when by the clock.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// When.
    pub time: Duration,
    /// What.
    pub what: What,
}

/// What the builder did.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum What {
    /// The reference reasoner is ready.
    #[error("the reference reasoner is ready")]
    Reference,
    /// The reference reasoner cannot be built.
    #[error("the reference reasoner cannot be built: {0}")]
    NoReference(BuildError),
    /// The circuit is ready.
    #[error("the circuit is ready: {gates} gates, {states} states compared with the reference")]
    Circuit {
        /// Its size.
        gates: usize,
        /// States in which it agreed with the reference.
        states: u64,
    },
    /// There is no circuit within the budget.
    #[error("no circuit: {0}")]
    NoCircuit(GroundError),
    /// The lanes are ready.
    #[error("{target:?} lanes are ready: {operations} operations a sweep, {states} states compared")]
    Batch {
        /// How they are run.
        target: crate::Target,
        /// Operations of a sweep.
        operations: usize,
        /// States in which they agreed with the circuit.
        states: u64,
    },
    /// A machine was not offered, as it gave another answer than the one before.
    #[error("a machine gave a wrong answer and is not used: {0}")]
    Differs(Difference),
    /// Building failed by a fault of ours; what was ready is used.
    #[error("building failed, which is a fault of ours: {0}")]
    Failed(String),
}

#[derive(Debug, Default)]
struct Progress {
    best: Option<Machine>,
    events: Vec<Event>,
    finished: bool,
}

#[derive(Debug, Default)]
struct Shared {
    progress: Mutex<Progress>,
    changed: Condvar,
    stop: Arc<AtomicBool>,
}

/// Builds machines in the background. Dropping it ends the work and waits for the thread.
#[derive(Debug)]
pub struct Builder {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

impl Builder {
    /// Starts to build.
    pub fn start(rules: NormalRules, options: Options) -> Self {
        let shared = Arc::new(Shared::default());
        let work = Work { rules: Arc::new(rules), options, shared: Arc::clone(&shared) };
        let thread = std::thread::spawn(move || {
            // A fault of ours must not leave anyone waiting.
            let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| work.run()));
            if let Err(panic) = &outcome {
                let text = panic.downcast_ref::<String>().map(String::as_str);
                let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
                work.tell(What::Failed(text.unwrap_or("a panic without a word").to_owned()), None);
            }
            let mut progress = work.shared.progress.lock();
            progress.finished = true;
            work.shared.changed.notify_all();
            drop(progress);
            if let Err(panic) = outcome {
                std::panic::resume_unwind(panic);
            }
        });
        Self { shared, thread: Some(thread) }
    }

    /// The best machine so far, if any is ready.
    pub fn best(&self) -> Option<Machine> {
        self.shared.progress.lock().best.clone()
    }

    /// Waits for the first machine; `None` if there will be none.
    pub fn first(&self) -> Option<Machine> {
        let mut progress = self.shared.progress.lock();
        while progress.best.is_none() && !progress.finished {
            self.shared.changed.wait(&mut progress);
        }
        progress.best.clone()
    }

    /// As [`Builder::first`], but ends soon after the flag is set, with what is there.
    pub fn first_unless(&self, stop: &AtomicBool) -> Option<Machine> {
        let mut progress = self.shared.progress.lock();
        while progress.best.is_none() && !progress.finished && !stop.load(Ordering::Relaxed) {
            // In parts, as nobody tells of the flag.
            self.shared.changed.wait_for(&mut progress, Duration::from_millis(20));
        }
        progress.best.clone()
    }

    /// Ends the work soon. What is ready can be used as before.
    pub fn stop(&self) {
        self.shared.stop.store(true, Ordering::Relaxed);
    }

    /// Waits until nothing better is to come; `None` if there is no machine at all.
    pub fn last(&self) -> Option<Machine> {
        let mut progress = self.shared.progress.lock();
        while !progress.finished {
            self.shared.changed.wait(&mut progress);
        }
        progress.best.clone()
    }

    /// What was done so far.
    pub fn events(&self) -> Vec<Event> {
        self.shared.progress.lock().events.clone()
    }
}

impl Drop for Builder {
    fn drop(&mut self) {
        self.stop();
        if let Some(thread) = self.thread.take() {
            // A panic there was reported when it happened.
            let _ = thread.join();
        }
    }
}

struct Work {
    rules: Arc<NormalRules>,
    options: Options,
    shared: Arc<Shared>,
}

/// How far apart the ends of the comparison's playouts are looked for.
const COMPARED_STEPS: usize = 40;
const COMPARED_PLAYOUTS: u64 = 20;

impl Work {
    fn run(&self) {
        let limits = datalog::Limits {
            bytes: self.options.reference_bytes,
            stop: Some(Arc::clone(&self.shared.stop)),
            ..Default::default()
        };
        let reference = match Reference::new(&self.rules, limits) {
            Ok(reference) => Some(Arc::new(reference)),
            Err(error) => {
                self.tell(What::NoReference(error), None);
                None
            }
        };
        if let Some(reference) = &reference {
            // What ends the building must not end the evaluations of those who play on.
            let offered = reference.stopped_by(Arc::default());
            self.tell(What::Reference, Some(Arc::new(offered).into()));
        }
        let Some(circuit) = self.circuit(reference.as_deref()) else { return };
        if self.shared.stop.load(Ordering::Relaxed) {
            return;
        }
        let batch = BatchMachine::new(Arc::clone(&circuit));
        let (target, operations) = (batch.target(), batch.cost().operations);
        let lanes = LaneGame::new(batch);
        match self.compare(&*circuit, &lanes) {
            Ok(states) => {
                let batch = Arc::new(lanes.into_batch());
                self.tell(What::Batch { target, operations, states }, Some(batch.into()));
            }
            Err(difference) => self.tell(What::Differs(difference), None),
        }
    }

    fn circuit(&self, reference: Option<&Reference>) -> Option<Arc<CircuitMachine>> {
        let clock = &*self.options.clock;
        let budget = Budget {
            clock: &|| clock(),
            deadline: clock().saturating_add(self.options.time),
            bytes: self.options.bytes,
            progress: &|_| !self.shared.stop.load(Ordering::Relaxed),
        };
        let build = match crate::build::circuit(&self.rules, Effort::Thorough, &budget) {
            Ok(build) => build,
            Err(error) => {
                self.tell(What::NoCircuit(error), None);
                return None;
            }
        };
        let machine = Arc::new(CircuitMachine::new(build.circuit));
        let compared = reference.map_or(Ok(0), |reference| self.compare(reference, &*machine));
        match compared {
            Ok(states) => {
                let gates = machine.circuit().gates.len();
                self.tell(What::Circuit { gates, states }, Some(Arc::clone(&machine).into()));
                Some(machine)
            }
            Err(difference) => {
                self.tell(What::Differs(difference), None);
                None
            }
        }
    }

    /// Walks two machines side by side for as long as a comparison may take.
    fn compare<A: Describe, B: Describe>(&self, trusted: &A, new: &B) -> Result<u64, Difference> {
        let clock = &*self.options.clock;
        let deadline = clock().saturating_add(self.options.comparison);
        let mut states = 0;
        for seed in 0..COMPARED_PLAYOUTS {
            let limits = PlayoutLimits { steps: COMPARED_STEPS };
            states += walk(trusted, new, 1, seed, limits)?.states;
            if clock() >= deadline || self.shared.stop.load(Ordering::Relaxed) {
                break;
            }
        }
        Ok(states)
    }

    fn tell(&self, what: What, ready: Option<Machine>) {
        let time = (self.options.clock)();
        let mut progress = self.shared.progress.lock();
        progress.events.push(Event { time, what });
        if let Some(machine) = ready {
            progress.best = Some(machine.with_rules(Arc::clone(&self.rules)));
        }
        self.shared.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MachineKind;
    use gdl::normal::read as rules;
    use std::time::Instant;

    fn options(time: Duration) -> Options {
        let start = Instant::now();
        let clock = Arc::new(move || start.elapsed());
        let comparison = Duration::from_millis(50);
        Options { clock, time, comparison, bytes: 1 << 30, reference_bytes: 1 << 30 }
    }

    const COUNTDOWN: &str = "(role you) (init (left 9)) (legal you wait) (legal you rush)
        (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8) (succ 8 9)
        (<= (next (left ?m)) (true (left ?n)) (succ ?m ?n) (does you wait))
        (<= (next (left 0)) (does you rush))
        (<= terminal (true (left 0))) (<= (goal you 100) terminal)";

    #[test]
    fn lanes_come_last() {
        let builder = Builder::start(rules(COUNTDOWN), options(Duration::from_secs(10)));
        assert!(builder.first().is_some());
        assert_eq!(builder.last().map(|machine| machine.kind()), Some(MachineKind::Batch));
        let order: Vec<_> = builder.events().into_iter().map(|event| event.what).collect();
        assert!(
            matches!(order[..], [What::Reference, What::Circuit { .. }, What::Batch { .. }]),
            "{order:?}"
        );
    }

    #[test]
    fn without_time_for_a_circuit_the_reference_plays() {
        let builder = Builder::start(rules(COUNTDOWN), options(Duration::ZERO));
        assert_eq!(builder.last().map(|machine| machine.kind()), Some(MachineKind::Reference));
        let last = builder.events().pop().expect("decisions are told");
        assert_eq!(last.what, What::NoCircuit(GroundError::OutOfTime));
    }

    #[test]
    fn without_roles_there_is_nothing_to_play() {
        let builder = Builder::start(rules("(init a)"), options(Duration::from_secs(1)));
        assert!(builder.first().is_none() && builder.last().is_none());
    }

    #[test]
    fn an_explosion_ends_in_the_fallback() {
        // A hundred to the sixth: more than any budget.
        let numbers: String = (0..100).map(|n| format!("(number {n})")).collect();
        let text = format!(
            "(role you) (init (seen 0)) {numbers}
             (<= (legal you (say ?a ?b ?c ?d ?e ?f)) (true (seen 0)) (number ?a) (number ?b) (number ?c)
                 (number ?d) (number ?e) (number ?f) (true (seen ?a)))
             (<= (next (seen ?a)) (does you (say ?a ?b ?c ?d ?e ?f)))
             (<= terminal (true (seen 1))) (<= (goal you 100) terminal)"
        );
        let options =
            Options { bytes: 32 << 20, reference_bytes: 32 << 20, ..options(Duration::from_secs(2)) };
        let builder = Builder::start(rules(&text), options);
        assert!(builder.last().is_none_or(|machine| machine.kind() == MachineKind::Reference));
        let told = builder.events().iter().any(|event| matches!(event.what, What::NoCircuit(_)));
        assert!(told, "{:?}", builder.events());
    }
}

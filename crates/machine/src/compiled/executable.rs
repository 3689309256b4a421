//! A program that can be run, in whatever way.

use super::Target;
#[cfg(all(target_arch = "x86_64", unix))]
use super::machine_code::{CompileError, MachineCode, compile};
use crate::program::{Interpreted, Network, map_two};

/// A program made ready for a number of lanes.
#[derive(Debug)]
pub(crate) struct Executable {
    kind: Kind,
    /// Words per slot.
    words: usize,
    block_slots: usize,
    random_slots: usize,
    event_slots: usize,
    operations: usize,
    instructions: usize,
    code_bytes: usize,
}

#[derive(Debug)]
enum Kind {
    Interpreted(Interpreted),
    #[cfg(all(target_arch = "x86_64", unix))]
    Compiled(MachineCode),
}

impl Executable {
    /// Makes a network ready for a target; `scratch` is the first slot of the block free for use.
    /// If the target cannot be had after all (the system gives no executable memory, or the code is
    /// found faulty), the interpreter takes its place.
    pub(crate) fn new(network: &Network<'_>, target: Target, words: usize, scratch: u32) -> Self {
        #[cfg(all(target_arch = "x86_64", unix))]
        if target != Target::Portable {
            match compile(network, target, words, scratch) {
                Ok(code) => return Self::compiled(code, words),
                // A fault of the compiler shows where it is tested, and is no reason not to play.
                Err(error) => debug_assert!(!CompileError::is_fault(error), "{error}"),
            }
        }
        let program = map_two(network);
        let interpreted = Interpreted::new(&program, scratch);
        Self {
            words,
            block_slots: interpreted.block_slots as usize,
            random_slots: network.rows.random as usize,
            event_slots: network.rows.events as usize,
            operations: program.operation_count(),
            instructions: 0,
            code_bytes: 0,
            kind: Kind::Interpreted(interpreted),
        }
    }

    #[cfg(all(target_arch = "x86_64", unix))]
    fn compiled(code: MachineCode, words: usize) -> Self {
        Self {
            words,
            block_slots: code.extents.block_slots,
            random_slots: code.extents.random_slots,
            event_slots: code.extents.event_slots,
            operations: code.operations,
            instructions: code.instructions,
            code_bytes: code.bytes,
            kind: Kind::Compiled(code),
        }
    }

    /// Slots of the block it needs, scratch included.
    pub(crate) fn block_slots(&self) -> usize {
        self.block_slots
    }

    /// Whether it is interpreted, not compiled.
    pub(crate) fn is_interpreted(&self) -> bool {
        matches!(self.kind, Kind::Interpreted(_))
    }

    /// Operations of one sweep.
    pub(crate) fn operations(&self) -> usize {
        self.operations
    }

    /// Vector instructions of one sweep, for each vector that a slot has; 0 if interpreted.
    pub(crate) fn instructions(&self) -> usize {
        self.instructions
    }

    /// The size of the machine code; 0 if interpreted.
    pub(crate) fn code_bytes(&self) -> usize {
        self.code_bytes
    }

    /// Runs one sweep over a block alone.
    pub(crate) fn run(&self, block: &mut [u64]) {
        self.run_lanes(block, self.words * 64);
    }

    /// Runs one sweep over the first lanes of a block alone; others may take part or not.
    pub(crate) fn run_lanes(&self, block: &mut [u64], lanes: usize) {
        self.sweep_lanes(block, &[], &mut [], 1, lanes);
    }

    /// Runs sweeps: each takes the next row of random words and fills the next row of events.
    ///
    /// # Panics
    /// If an area is too small.
    pub(crate) fn sweep(&self, block: &mut [u64], random: &[u64], events: &mut [u64], sweeps: usize) {
        self.sweep_lanes(block, random, events, sweeps, self.words * 64);
    }

    /// Runs sweeps of the first lanes; others may take part or not.
    ///
    /// # Panics
    /// If an area is too small.
    pub(crate) fn sweep_lanes(
        &self,
        block: &mut [u64],
        random: &[u64],
        events: &mut [u64],
        sweeps: usize,
        lanes: usize,
    ) {
        assert!(block.len() >= self.block_slots * self.words, "the block is too small");
        assert!(random.len() >= sweeps * self.random_slots * self.words, "too few random words");
        assert!(events.len() >= sweeps * self.event_slots * self.words, "no room for the events");
        match &self.kind {
            Kind::Interpreted(interpreted) => {
                for sweep in 0..sweeps {
                    let random = &random[sweep * self.random_slots * self.words..];
                    let events = &mut events[sweep * self.event_slots * self.words..];
                    match self.words {
                        1 => interpreted.run_narrow::<1>(block, random, events),
                        2 => interpreted.run_narrow::<2>(block, random, events),
                        4 => interpreted.run::<4>(block, random, events),
                        8 => interpreted.run::<8>(block, random, events),
                        words => unreachable!("{words} words a slot"),
                    }
                }
            }
            #[cfg(all(target_arch = "x86_64", unix))]
            Kind::Compiled(code) => code.code.run(block, random, events, sweeps, lanes),
        }
    }
}

//! All methods by name.

use std::sync::Arc;

#[cfg(feature = "bdd")]
use super::Symbolic;
use super::mini::MiniOptions;
use super::{
    Apart, Beam, BestFirst, Breadth, Commit, Deepening, Depth, Guide, Keys, MaxUct, MemoryIda, Method, Mini,
    Nested, Sample, Taste,
};
#[cfg(feature = "sat")]
use super::{LastState, Satisfy};
use crate::{Options, Space};

/// How a method is made for a game; `None` if the game does not suit it.
type Make = fn(&Arc<Space>, &Options) -> Option<Box<dyn Method>>;

/// A method that can be asked for.
#[derive(Clone, Copy)]
pub struct Entry {
    /// Its name in commands.
    pub name: &'static str,
    /// What it does.
    pub help: &'static str,
    /// Its share of the time in a portfolio; 0 if it works only when it is asked for.
    pub share: f64,
    make: Make,
}

impl std::fmt::Debug for Entry {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Entry").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Entry {
    /// The method for a game; `None` if the game does not suit it.
    pub fn make(&self, space: &Arc<Space>, options: &Options) -> Option<Box<dyn Method>> {
        (self.make)(space, options)
    }
}

/// The names of all methods, as a list to be read.
pub(crate) fn names() -> String {
    METHODS.iter().map(|entry| entry.name).collect::<Vec<_>>().join(", ")
}

fn beam(space: &Arc<Space>, options: &Options, taste: Taste, seed: u64) -> Option<Box<dyn Method>> {
    Some(Box::new(Beam::new(Arc::clone(space), taste, options.bytes / 16, options.seed ^ seed)))
}

/// What a beam prefers that goes by doubt.
const fn taste(name: &'static str, mobility: f64) -> Taste {
    Taste { name, goals: 1.0, mobility, chance: 0.01, guide: Guide::Doubt }
}

/// All methods; the first ones of a portfolio begin first. Their memory adds up to that of the
/// portfolio.
pub static METHODS: &[Entry] = &[
    Entry {
        name: "playouts",
        help: "playouts whose moves become more likely if they did well",
        share: 1.0,
        make: |space, options| Some(Box::new(Sample::new(Arc::clone(space), options.seed))),
    },
    Entry {
        name: "apart",
        help: "parts that do not interact solved apart, by all the methods, and their plans put together",
        share: 4.0,
        make: |space, options| Some(Box::new(Apart::new(Arc::clone(space), options)?)),
    },
    Entry {
        name: "breadth",
        help: "breadth-first, time left out of account",
        share: 2.0,
        make: |space, options| {
            Some(Box::new(Breadth::new(Arc::clone(space), Keys::Timeless, options.bytes / 4)))
        },
    },
    Entry {
        name: "beam",
        help: "the most promising states of each layer, by nearness to the goals",
        share: 1.0,
        make: |space, options| beam(space, options, taste("beam", 0.0), 1),
    },
    Entry {
        name: "beam-mobile",
        help: "the same, and by many legal moves",
        share: 0.5,
        make: |space, options| beam(space, options, taste("beam, mobile", 0.5), 2),
    },
    Entry {
        name: "beam-confined",
        help: "the same, and by few legal moves",
        share: 0.5,
        make: |space, options| beam(space, options, taste("beam, confined", -0.5), 3),
    },
    Entry {
        name: "beam-distances",
        help: "a beam that goes by tables of distances of groups of parts (pattern databases)",
        share: 4.0,
        make: |space, options| {
            let name = "beam, by distances";
            let taste = Taste { name, goals: 1.0, mobility: 0.0, chance: 1.0, guide: Guide::Distances };
            beam(space, options, taste, 4)
        },
    },
    Entry {
        name: "commitment",
        help: "depth-first, what can be done in the fewest ways first",
        share: 1.0,
        make: |space, options| {
            let method = Commit::new(Arc::clone(space), options.bytes / 16, options.seed)?;
            Some(Box::new(method))
        },
    },
    #[cfg(feature = "sat")]
    Entry {
        name: "satisfiability",
        help: "plans of growing length by a satisfiability solver",
        share: 2.0,
        make: |space, options| Some(Box::new(Satisfy::new(Arc::clone(space), options.bytes / 8)?)),
    },
    #[cfg(feature = "sat")]
    Entry {
        name: "last-state",
        help: "a last state by a satisfiability solver, then the order of moves, where moves only add facts",
        share: 1.0,
        make: |space, options| Some(Box::new(LastState::new(Arc::clone(space), options.bytes / 16)?)),
    },
    Entry {
        name: "breadth-exact",
        help: "breadth-first, states of different times kept apart",
        share: 1.0,
        make: |space, options| {
            // Where nothing runs by itself it would do the work of `breadth` again.
            let method = Breadth::new(Arc::clone(space), Keys::Exact, options.bytes / 8);
            space.has_clock().then(|| Box::new(method) as Box<dyn Method>)
        },
    },
    Entry {
        name: "depth",
        help: "depth-first, each state once",
        share: 0.0,
        make: |space, options| Some(Box::new(Depth::new(Arc::clone(space), options.bytes / 4))),
    },
    Entry {
        name: "deepening",
        help: "iterative deepening with tables of states and of distances (IDA*)",
        share: 0.0,
        make: |space, options| Some(Box::new(Deepening::new(Arc::clone(space), options.bytes / 4))),
    },
    Entry {
        name: "memory-ida",
        help: "iterative deepening with a table that is kept and no heuristic, as CadiaPlayer had it",
        share: 0.0,
        make: |space, options| {
            let machine = Arc::clone(space.machine());
            Some(Box::new(MemoryIda::new(machine, space.start().clone(), options.bytes / 4)))
        },
    },
    Entry {
        name: "best-first",
        help: "A* by tables of distances, or by what the goal rules still need",
        share: 1.0,
        make: |space, options| Some(Box::new(BestFirst::new(Arc::clone(space), options.bytes / 8))),
    },
    Entry {
        name: "nested",
        help: "nested Monte Carlo search, as Ary had it",
        share: 0.0,
        make: |space, options| Some(Box::new(Nested::new(Arc::clone(space), options.seed))),
    },
    Entry {
        name: "max-uct",
        help: "UCT by the highest score in place of the average",
        share: 0.0,
        make: |space, options| {
            Some(Box::new(MaxUct::new(Arc::clone(space), options.bytes / 4, options.seed)))
        },
    },
    Entry {
        name: "mini",
        help: "exploring playouts and the highest score, as MiNI-Player has it",
        share: 0.0,
        make: |space, options| {
            let mini =
                MiniOptions { most_bytes: options.bytes / 4, seed: options.seed, ..MiniOptions::default() };
            Some(Box::new(Mini::new(Arc::clone(space.machine()), space.start().clone(), mini)?))
        },
    },
    #[cfg(feature = "bdd")]
    Entry {
        name: "symbolic",
        help: "breadth-first with sets of states as binary decision diagrams, as Gamer had it",
        share: 0.0,
        make: |space, options| Some(Box::new(Symbolic::new(Arc::clone(space), options.bytes / 4)?)),
    },
];

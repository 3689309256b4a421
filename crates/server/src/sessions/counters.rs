//! What the player has done so far, counted.

use std::sync::atomic::{AtomicU64, Ordering};

macro_rules! counters {
    ($($name:ident: $documentation:literal,)*) => {
        /// What the player has done so far. Numbers only grow.
        #[derive(Debug, Default)]
        pub(super) struct Counters {
            $(#[doc = $documentation] pub(super) $name: AtomicU64,)*
        }

        impl Counters {
            /// Name, meaning and value of each.
            pub(super) fn all(&self) -> Vec<(&'static str, &'static str, u64)> {
                vec![$((stringify!($name), $documentation, self.$name.load(Ordering::Relaxed)),)*]
            }
        }
    };
}

counters! {
    requests: "Requests that could be read.",
    faulty_requests: "Requests that could not be read.",
    matches_started: "Matches begun.",
    matches_stopped: "Matches ended by STOP or ABORT.",
    matches_given_up: "Matches given up because their host fell silent, or replaced by a new START.",
    starts_refused: "STARTs answered with busy: too many matches, clocks too long, or rules that cannot be played.",
    unknown_matches: "Requests for matches that are not known.",
    moves: "Moves sent.",
    late_moves: "Moves that left after the end of the play clock.",
    fallback_moves: "Moves sent without a thought, as none was there in time.",
    unthought_moves: "Moves without a simulation or a proof behind them, where there was a choice.",
    inconsistent_steps: "Steps of which nothing that was told agreed with any position held for possible.",
    replaced_moves: "Moves that a host replaced by its own.",
    repeated_plays: "PLAYs that came again.",
    skipped_plays: "PLAYs that were missed and guessed.",
    unjudged_plays: "PLAYs whose moves nothing could follow in time.",
    agent_faults: "Agents that failed and were replaced by a plain one, whether or not a move was wanted of them.",
    machine_faults: "Machines that failed, or gave wrong answers and were not used; once for each match.",
    simulations: "Simulations.",
}

/// Adds one.
pub(super) fn count(counter: &AtomicU64) {
    counter.fetch_add(1, Ordering::Relaxed);
}

//! What a player thought, as it is recorded.

use player::Decision;
use referee::{MoveThought, Thought};

/// A decision as it is recorded, with so many of its moves at most: those looked at most come first.
pub fn thought_of(decision: &Decision, told_moves: usize) -> Thought {
    let seconds = decision.elapsed.as_secs_f64();
    let mut moves: Vec<&player::Thought> = decision.moves.iter().collect();
    moves.sort_by_key(|thought| std::cmp::Reverse(thought.visits));
    let told = |thought: &&player::Thought| {
        let (least, most) = thought.proven;
        MoveThought {
            text: thought.text.clone(),
            value: if thought.value.is_finite() { thought.value } else { 0.0 },
            visits: thought.visits,
            proven: (least == most).then_some(least),
        }
    };
    Thought {
        value: decision.value,
        proven: decision.proven,
        proven_goal: decision.proven_goal(),
        simulations: decision.simulations,
        simulations_per_second: decision.simulations as f64 / seconds.max(1e-6),
        nodes: decision.nodes,
        depth: decision.depth,
        bytes: decision.bytes,
        recycled: decision.recycled,
        longest_pause_seconds: decision.longest_pause.as_secs_f64(),
        unthought: decision.unthought,
        line: decision.line.clone(),
        moves: moves.iter().take(told_moves).map(told).collect(),
        tuning: decision.tuning.clone(),
        positions: decision.possible.map(|possible| possible.positions),
        inconsistent: decision.possible.map_or(0, |possible| possible.inconsistent),
        machine: decision.machine.to_string(),
        seconds,
    }
}

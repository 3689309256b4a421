//! Perft: how many sequences of joint moves of a given length there are.

use game::{Expansion, Game, MoveId, RuleFault};

/// The number of sequences of `depth` joint moves from a state. Sequences that end earlier do not
/// count, as in chess.
pub fn perft<G: Game>(
    game: &G,
    workspace: &mut G::Workspace,
    state: &G::State,
    depth: u32,
) -> Result<u64, RuleFault> {
    if depth == 0 {
        return Ok(1);
    }
    let mut expansion = Expansion::new();
    game.expand(workspace, state, &mut expansion)?;
    if let Some(role) = expansion.stuck_role() {
        return Err(RuleFault::NoLegalMove(role));
    }
    if depth == 1 {
        return Ok(expansion.joint_count());
    }
    // All successors first: the workspace answers them from what it knows of this state.
    let mut successors = Vec::new();
    for joint in expansion.joint_moves() {
        successors.push(game.apply(workspace, state, &joint)?);
    }
    let mut count = 0u64;
    for successor in &successors {
        count = count.saturating_add(perft(game, workspace, successor, depth - 1)?);
    }
    Ok(count)
}

/// Perft split by the first joint move: `(joint move, count)` in canonical order.
pub fn divide<G: Game>(
    game: &G,
    workspace: &mut G::Workspace,
    state: &G::State,
    depth: u32,
) -> Result<Vec<(Vec<MoveId>, u64)>, RuleFault> {
    let mut expansion = Expansion::new();
    game.expand(workspace, state, &mut expansion)?;
    let mut parts = Vec::new();
    if depth == 0 {
        return Ok(parts);
    }
    for joint in expansion.joint_moves() {
        let successor = game.apply(workspace, state, &joint)?;
        let count = perft(game, workspace, &successor, depth - 1)?;
        parts.push((joint, count));
    }
    Ok(parts)
}

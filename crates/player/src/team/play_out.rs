//! Leaves of somebody else's tree, played out.

use engine::team::{Leaves, PlayedLeaves};
use game::{Decisive, Describe, Game, Job, MoveId, Outcomes, PlayOptions, RoleId, Simulator};
use machine::{ErasedGame, ErasedState, ErasedWorkspace};

/// Playouts that are taken at once: more would be somebody's mistake.
const MOST_PLAYOUTS: u64 = 1 << 20;

/// Plays leaves out from a root; `None` if they cannot be reached from there.
pub(super) fn play_out(
    game: &ErasedGame,
    workspace: &mut ErasedWorkspace,
    root: &ErasedState,
    order: &Leaves,
) -> Option<PlayedLeaves> {
    let roles = game.role_count();
    let playouts: u64 = order.leaves.iter().map(|&(_, playouts)| u64::from(playouts)).sum();
    if order.joints.len() != order.before.len() * roles || playouts > MOST_PLAYOUTS {
        return None;
    }
    let mut states: Vec<ErasedState> = Vec::with_capacity(order.before.len());
    for (before, joint) in order.before.iter().zip(order.joints.chunks(roles)) {
        let parent = match before {
            Some(step) => states.get(*step as usize)?,
            None => root,
        };
        let known = |(role, word): (usize, &u32)| {
            game.find_move(RoleId(role as u16), order.words.get(*word as usize)?)
        };
        let joint: Vec<MoveId> = joint.iter().enumerate().map(known).collect::<Option<_>>()?;
        states.push(game.apply(workspace, parent, &joint).ok()?);
    }
    let start = |step: Option<u32>| match step {
        Some(step) => states.get(step as usize),
        None => Some(root),
    };
    let job = |&(step, playouts): &(Option<u32>, u32)| Some(Job::new(start(step)?, playouts));
    let jobs: Vec<Job<'_, ErasedState>> = order.leaves.iter().map(job).collect::<Option<_>>()?;
    let decisive = match order.decisive {
        (false, _) => Decisive::None,
        (true, false) => Decisive::Wins,
        (true, true) => Decisive::WinsAndStops,
    };
    let Leaves { seed, most_steps, captures, .. } = *order;
    let options = PlayOptions { seed, most_steps, decisive, captures, ..PlayOptions::default() };
    let mut outcomes = Outcomes::default();
    game.play(workspace, &jobs, &options, &mut outcomes).ok()?;
    Some(report(order.batch, &outcomes))
}

fn report(batch: u64, outcomes: &Outcomes) -> PlayedLeaves {
    let all = 0..outcomes.len();
    let where_true = |is: &dyn Fn(usize) -> bool| {
        all.clone().filter(|&playout| is(playout)).map(|playout| playout as u32).collect()
    };
    PlayedLeaves {
        batch,
        lengths: all.clone().map(|playout| outcomes.length(playout)).collect(),
        goals: all.clone().flat_map(|playout| outcomes.goals(playout).iter().map(|goal| goal.0)).collect(),
        cut: where_true(&|playout| outcomes.is_cut(playout)),
        settled: where_true(&|playout| outcomes.is_settled(playout)),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::Machines;

    #[test]
    fn leaves_are_played_as_if_they_were_here() {
        let rules = gdl::normal::read(bundled::find("tic-tac-toe").expect("bundled").rules);
        let clock: crate::Clock = std::sync::Arc::new(|| Duration::ZERO);
        let machines = Machines::build(rules, Duration::from_secs(60), 1 << 30, clock);
        let game = machines.last().expect("a machine").erased();
        let mut workspace = game.workspace();
        let root = game.initial();
        let words = ["(mark 1 1)", "noop", "(mark 2 2)"].map(str::to_owned).to_vec();
        let order = Leaves {
            batch: 4,
            number: 1,
            words,
            before: vec![None, Some(0)],
            joints: vec![0, 1, 1, 2],
            leaves: vec![(None, 3), (Some(1), 70), (Some(0), 1)],
            seed: 9,
            most_steps: 100,
            decisive: (true, true),
            captures: false,
        };
        let played = play_out(&game, &mut workspace, &root, &order).expect("they can be reached");
        let go = |state: &ErasedState, workspace: &mut ErasedWorkspace, texts: [&str; 2]| {
            let joint = engine::find_moves(&*game, &texts.map(str::to_owned)).expect("moves");
            game.apply(workspace, state, &joint).expect("legal")
        };
        let one = go(&root, &mut workspace, ["(mark 1 1)", "noop"]);
        let two = go(&one, &mut workspace, ["noop", "(mark 2 2)"]);
        let jobs = [Job::new(&root, 3), Job::new(&two, 70), Job::new(&one, 1)];
        let decisive = Decisive::WinsAndStops;
        let options = PlayOptions { seed: 9, most_steps: 100, decisive, ..PlayOptions::default() };
        let mut outcomes = Outcomes::default();
        game.play(&mut workspace, &jobs, &options, &mut outcomes).expect("played");
        assert_eq!(played, report(4, &outcomes));
        assert_eq!((played.lengths.len(), played.goals.len()), (74, 148));
        // What cannot be is refused.
        for wrong in [
            Leaves { leaves: vec![(Some(2), 1)], ..order.clone() },
            Leaves { before: vec![Some(0), Some(0)], ..order.clone() },
            Leaves { joints: vec![0, 1], ..order.clone() },
            Leaves { words: vec!["nonsense".to_owned(); 3], ..order.clone() },
            Leaves { leaves: vec![(None, u32::MAX)], ..order.clone() },
        ] {
            assert_eq!(play_out(&game, &mut workspace, &root, &wrong), None);
        }
    }
}

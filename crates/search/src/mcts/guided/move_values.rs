//! F(s, a): what moves are worth by what an evaluator says of the positions they lead to.

use engine::Evaluator;
use game::{Choice, Choices, ContextWorth, Goal, MoveId, RoleId, RuleFault, Simulator};

use crate::mcts::leaf::{DRAW, LeafValues};

/// Of a position with more joint moves than this nothing is said: it would take longer than to look into them.
const MOST_JOINT_MOVES: u64 = 4096;

/// Positions that are worked out in one call at most, but for those of one position: they take memory.
const MOST_TOGETHER: usize = 1 << 14;

/// What the moves of a position are worth to who makes them, in goals.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MoveValues {
    /// Role after role, move after move.
    values: Box<[f32]>,
    /// Where the moves of each role end.
    ends: Box<[u32]>,
}

impl MoveValues {
    /// Of a role's moves in order.
    pub(crate) fn of(&self, role: usize) -> &[f32] {
        let start = role.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.values[start as usize..self.ends[role] as usize]
    }

    /// How many moves there are.
    pub(crate) fn len(&self) -> usize {
        self.values.len()
    }

    /// The means over joint moves, given what each leads to is worth to the roles.
    fn average(counts: &[usize], worth: &[f64]) -> Self {
        let ends: Box<[u32]> = counts
            .iter()
            .scan(0, |end, &count| {
                *end += count as u32;
                Some(*end)
            })
            .collect();
        let mut sums = vec![0.0; counts.iter().sum()];
        for (number, worth) in worth.chunks(counts.len()).enumerate() {
            let mut start = 0;
            for ((place, &count), &value) in places(number, counts).zip(counts).zip(worth) {
                sums[start + place] += sane(value);
                start += count;
            }
        }
        let joint_moves: usize = counts.iter().product();
        // A move is part of as many joint moves as the others have among them.
        let shares = counts.iter().flat_map(|&count| {
            let share = count as f64 / joint_moves.max(1) as f64;
            std::iter::repeat_n(share, count)
        });
        Self { values: sums.iter().zip(shares).map(|(sum, share)| (sum * share) as f32).collect(), ends }
    }
}

impl ContextWorth for MoveValues {
    fn worth(&self, choice: &Choice<'_>, worth: &mut Vec<f32>) {
        worth.extend_from_slice(self.of(usize::from(choice.role.0)));
    }
}

/// A worth as it counts, whatever an evaluator says.
fn sane(worth: f64) -> f64 {
    if worth.is_nan() { DRAW } else { worth.clamp(0.0, f64::from(Goal::MOST.0)) }
}

/// The place of each role's move in a joint move of a number, the first role's changing fastest.
fn places(number: usize, counts: &[usize]) -> impl Iterator<Item = usize> {
    counts.iter().scan(number, |rest, &count| {
        let place = *rest % count;
        *rest /= count;
        Some(place)
    })
}

/// What moves are worth in some positions where the game goes on, all in as few calls as memory allows; nothing of
/// positions with too many joint moves.
pub(crate) fn judge<G: Simulator>(
    game: &G,
    workspace: &mut G::Workspace,
    evaluator: &dyn Evaluator<G::State>,
    positions: &[(&G::State, Choices<'_>)],
) -> Result<Vec<Option<MoveValues>>, RuleFault> {
    let mut judged = Vec::with_capacity(positions.len());
    let mut rest = positions;
    while !rest.is_empty() {
        let mut together = 0;
        let mut fits = |(_, choices): &(&G::State, Choices<'_>)| {
            together += joint_moves(*choices);
            together <= MOST_TOGETHER
        };
        let count = rest.iter().take_while(|&position| fits(position)).count().max(1);
        let (first, others) = rest.split_at(count);
        judge_together(game, workspace, evaluator, first, &mut judged)?;
        rest = others;
    }
    Ok(judged)
}

/// How many joint moves of a position are looked into.
fn joint_moves(choices: Choices<'_>) -> usize {
    let all = choices.joint_count();
    if all <= MOST_JOINT_MOVES { all as usize } else { 0 }
}

fn judge_together<G: Simulator>(
    game: &G,
    workspace: &mut G::Workspace,
    evaluator: &dyn Evaluator<G::State>,
    positions: &[(&G::State, Choices<'_>)],
    out: &mut Vec<Option<MoveValues>>,
) -> Result<(), RuleFault> {
    let roles = game.role_count();
    let (mut parents, mut joints) = (Vec::new(), Vec::<MoveId>::new());
    let counts_of = |choices: Choices<'_>| choices.by_role().map(<[MoveId]>::len).collect::<Vec<usize>>();
    for &(state, choices) in positions {
        let counts = counts_of(choices);
        for number in 0..joint_moves(choices) {
            parents.push(state);
            let moves = places(number, &counts).enumerate();
            joints.extend(moves.map(|(role, place)| choices.legal(RoleId(role as u16))[place]));
        }
    }
    let mut next = Vec::new();
    game.apply_all(workspace, &parents, &joints, &mut next)?;
    let next: Vec<&G::State> = next.iter().collect();
    let mut values = LeafValues::default();
    values.begin(roles, 0, false);
    if !next.is_empty() {
        values.evaluate(game, workspace, &next, evaluator)?;
    }
    let mut worth = values.estimates();
    for &(_, choices) in positions {
        let (own, others) = worth.split_at(joint_moves(choices) * roles);
        out.push((!own.is_empty()).then(|| MoveValues::average(&counts_of(choices), own)));
        worth = others;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_worth_the_mean_of_what_it_leads_to() {
        // The first role has two moves, the second three. To the first role the joint moves are worth 10 to 60, the
        // first role's place changing fastest; to the second role nothing but the last one.
        let worth: Vec<f64> = (1..=6)
            .flat_map(|number| [10.0 * f64::from(number), if number == 6 { 90.0 } else { 0.0 }])
            .collect();
        let values = MoveValues::average(&[2, 3], &worth);
        // (10 + 30 + 50) / 3 and (20 + 40 + 60) / 3.
        assert_eq!(values.of(0), [30.0, 40.0]);
        assert_eq!(values.of(1), [0.0, 0.0, 45.0]);
        assert_eq!(values.len(), 5);
    }
}

//! The last good reply (Tak, Winands and Björnsson 2012): what won after a joint move is done again after it.
//!
//! For each joint move and role one reply is kept: what the role did next in the last simulation in which no
//! role had a higher goal than it, and some role had less. It is made if it is legal; otherwise moves are chosen
//! as by `ngram`. Among moves not tried yet in the tree the reply comes first too.

use std::sync::Arc;

use engine::Settings;
use game::{Choice, Context, ContextWorth, Goal, MoveId, MoveRecord, RoleId, Sampler};
use parking_lot::RwLock;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::grams::GramWorth;
use super::mast::EPSILON;
use super::ngram::{self, NGram};
use super::{Guide, GuideWorth, Needs, Policy, PolicyRow, Sequence, Style, StyleWeights};

pub(super) const ROW: PolicyRow = PolicyRow {
    name: "last-good-reply",
    help: "what won as a reply to the last move, or else as `ngram`",
    source: "Tak, Winands and Björnsson 2012",
    parameters: || [ngram::rows(), vec![EPSILON.row()]].concat(),
    make: |settings| Box::new(LastGoodReply::new(settings)),
};

/// Replies beyond so many are not learnt.
const MOST_REPLIES: usize = 1 << 20;

/// A role, and the joint move that it replies to.
type Before = (RoleId, SmallVec<[MoveId; 4]>);

type Replies = Arc<RwLock<FxHashMap<Before, MoveId>>>;

/// What won as a reply.
#[derive(Debug)]
struct LastGoodReply {
    replies: Replies,
    /// Who chooses where there is no reply.
    otherwise: NGram,
    temperature: f32,
    sampler: Sampler,
}

impl LastGoodReply {
    fn new(settings: &Settings) -> Self {
        let sampler = Sampler::EpsilonGreedy { epsilon: settings.of(&EPSILON) as f32 };
        let temperature = settings.of(&super::mast::TAU) as f32;
        Self { replies: Replies::default(), otherwise: NGram::new(settings, sampler), temperature, sampler }
    }

    fn worth(&mut self) -> ReplyWorth {
        ReplyWorth { replies: Arc::clone(&self.replies), otherwise: self.otherwise.worth() }
    }
}

/// The roles with the highest goal; none if all have the same, unless one plays alone and got something.
pub(super) fn winners(goals: &[Goal]) -> impl Iterator<Item = RoleId> + '_ {
    let best = goals.iter().max().copied().unwrap_or(Goal(0));
    let is_won = goals.iter().any(|goal| *goal < best) || goals.len() == 1 && best > Goal(0);
    let roles = (0..).map(RoleId).zip(goals);
    roles.filter(move |(_, goal)| is_won && **goal == best).map(|(role, _)| role)
}

impl Policy for LastGoodReply {
    fn needs(&self) -> Needs {
        self.otherwise.needs()
    }

    fn learn_playouts(&mut self, moves: &MoveRecord) {
        self.otherwise.learn_playouts(moves);
    }

    fn learn_move(&mut self, role: RoleId, id: MoveId, times: u32, goals: f64) {
        self.otherwise.learn_move(role, id, times, goals);
    }

    fn learn_sequence(&mut self, sequence: &Sequence<'_>) {
        self.otherwise.learn_sequence(sequence);
        let mut replies = self.replies.write();
        for role in winners(sequence.goals) {
            for (before, joint) in sequence.joints().zip(sequence.joints().skip(1)) {
                let before: Before = (role, SmallVec::from_slice(before));
                if replies.len() < MOST_REPLIES || replies.contains_key(&before) {
                    replies.insert(before, joint[usize::from(role.0)]);
                }
            }
        }
    }

    fn guide(&mut self) -> Guide {
        let worth = GuideWorth::AfterMoves(2, Arc::new(self.worth()));
        Guide::Gibbs { worth, temperature: self.temperature }
    }

    fn style(&mut self) -> Style {
        let weights = StyleWeights::InContext(Context::LastTwoMoves, Arc::new(self.worth()));
        Style { weights, sampler: self.sampler }
    }

    fn end_batch(&mut self, simulations: u64) {
        self.otherwise.end_batch(simulations);
    }

    fn age(&mut self) {
        self.otherwise.age();
    }
}

/// What moves are worth: everything, if they won as a reply.
#[derive(Debug)]
struct ReplyWorth {
    replies: Replies,
    otherwise: GramWorth,
}

impl ContextWorth for ReplyWorth {
    fn worth(&self, choice: &Choice<'_>, worth: &mut Vec<f32>) {
        let first = worth.len();
        self.otherwise.worth(choice, worth);
        let Some(start) = choice.before.len().checked_sub(choice.roles.max(1)) else { return };
        let before: Before = (choice.role, SmallVec::from_slice(&choice.before[start..]));
        let Some(reply) = self.replies.read().get(&before).copied() else { return };
        if let Some(place) = choice.legal.iter().position(|id| *id == reply) {
            worth[first + place] = f32::INFINITY;
        }
    }
}

#[cfg(test)]
mod tests {
    use game::Lists;

    use super::*;

    #[test]
    fn who_wins_is_above_others() {
        let of = |goals: &[u8]| {
            let goals: Vec<Goal> = goals.iter().map(|&goal| Goal(goal)).collect();
            winners(&goals).map(|role| role.0).collect::<Vec<_>>()
        };
        assert_eq!(of(&[100, 0]), [0]);
        assert!(of(&[50, 50]).is_empty());
        assert_eq!(of(&[0, 70, 70]), [1, 2]);
        assert_eq!((of(&[30]), of(&[0])), (vec![0], vec![]));
    }

    #[test]
    fn the_last_reply_that_won_is_made_if_it_is_legal() {
        let mut policy = LastGoodReply::new(&Settings::new((ROW.parameters)()));
        let (choices, facts) = (Lists::default(), Lists::default());
        let learn = |policy: &mut LastGoodReply, moves: [u32; 4], goals: [u8; 2]| {
            policy.learn_sequence(&Sequence {
                moves: &moves.map(MoveId),
                goals: &goals.map(Goal),
                choices: &choices,
                facts: &facts,
                names: None,
                in_tree: 0,
            });
        };
        // The first role makes 5, then the second one answers and wins; the answer that loses is not kept.
        learn(&mut policy, [5, 0, 0, 7], [0, 100]);
        learn(&mut policy, [5, 0, 0, 8], [0, 100]);
        learn(&mut policy, [5, 0, 0, 9], [100, 0]);
        let mut worth = |role, legal: &[u32]| {
            let legal: Vec<MoveId> = legal.iter().map(|&id| MoveId(id)).collect();
            let mut worth = Vec::new();
            let before = [MoveId(5), MoveId(0)];
            policy.worth().worth(&Choice::new(RoleId(role), 2, &legal, &before), &mut worth);
            worth
        };
        assert_eq!(worth(1, &[7, 8, 9]), [100.0, f32::INFINITY, 100.0]);
        assert_eq!(worth(1, &[7, 9]), [100.0, 100.0]);
        assert_eq!(worth(0, &[0, 8]), [f32::INFINITY, 100.0], "what the winner of the last one did");
    }
}

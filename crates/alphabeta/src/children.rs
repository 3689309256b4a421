//! What a position leads to: one role's moves, the others' replies to each, and the positions behind them.

use game::{Choices, Dice, Expansions, Goal, GoalReading, MoveId, RoleId, RuleFault, Simulator};

use crate::value::{EVEN, Found, Proven, worth_of};

/// Replies that are looked at, at most. Where there are more, nothing is proven by what they lead to.
const MOST_REPLIES: usize = 2048;

/// Own moves that are looked at, at most: their places are short numbers.
const MOST_OWN: usize = u16::MAX as usize;

/// What is known of a position before it is looked into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outlook {
    /// The game goes on.
    Open,
    /// It is over, and the role has reached this.
    Over(Goal),
    /// A role cannot move although the game goes on: a fault of the rules, worth nothing to anybody.
    Stuck,
}

impl Outlook {
    /// What it is worth, if that is known.
    pub(crate) fn found(self) -> Option<Found> {
        match self {
            Outlook::Open => None,
            Outlook::Over(goal) => Some(Found { value: worth_of(goal), proven: Proven::exactly(goal) }),
            Outlook::Stuck => Some(Found { value: EVEN, proven: Proven::NOTHING }),
        }
    }
}

/// The joint moves of a position, sorted by the role's own move: each is followed by the same replies.
#[derive(Clone, Debug, Default)]
pub(crate) struct Joints {
    roles: usize,
    role: usize,
    own: Vec<MoveId>,
    /// One move for each role, the role's own left open.
    replies: Vec<MoveId>,
    /// Roles that have a choice in their replies.
    choosers: Vec<RoleId>,
    /// Whether all replies are there.
    pub(crate) is_complete: bool,
    /// Whether all moves of the role are.
    pub(crate) has_all_own: bool,
}

impl Joints {
    /// Lists them.
    pub(crate) fn list(&mut self, choices: Choices<'_>, role: RoleId) {
        self.role = usize::from(role.0);
        self.own.clear();
        let own = choices.legal(role);
        self.own.extend_from_slice(&own[..own.len().min(MOST_OWN)]);
        self.has_all_own = self.own.len() == own.len();
        self.replies.clear();
        self.choosers.clear();
        let others = || choices.by_role().enumerate().filter(|&(other, _)| other != self.role);
        self.roles = choices.by_role().count();
        self.choosers
            .extend(others().filter(|(_, moves)| moves.len() > 1).map(|(other, _)| RoleId(other as u16)));
        let count = others().map(|(_, moves)| moves.len()).fold(1usize, usize::saturating_mul);
        let kept = count.min((MOST_REPLIES / self.own.len().max(1)).max(1));
        self.is_complete = kept == count;
        let mut dice = Dice::new(count as u64);
        let mut rest: usize;
        for row in 0..kept {
            rest = row;
            for (other, moves) in choices.by_role().enumerate() {
                let digit = match moves.len() {
                    _ if other == self.role => 0,
                    0 | 1 => 0,
                    // Where not all fit, every move comes up once, then any of them.
                    many if !self.is_complete && row >= many => dice.below(many),
                    many if !self.is_complete => row % many,
                    many => {
                        let digit = rest % many;
                        rest /= many;
                        digit
                    }
                };
                self.replies.push(moves.get(digit).copied().unwrap_or(MoveId(0)));
            }
        }
    }

    /// How many moves the role has.
    pub(crate) fn own_count(&self) -> usize {
        self.own.len()
    }

    /// How many replies there are to each.
    pub(crate) fn reply_count(&self) -> usize {
        self.replies.len() / self.roles.max(1)
    }

    /// How many joint moves there are.
    pub(crate) fn len(&self) -> usize {
        self.own_count() * self.reply_count()
    }

    /// A move of the role.
    pub(crate) fn own(&self, place: usize) -> MoveId {
        self.own[place]
    }

    /// What the others who have a choice do in a reply.
    pub(crate) fn reply(&self, place: usize) -> impl Iterator<Item = (RoleId, MoveId)> + Clone {
        let moves = &self.replies[place * self.roles..][..self.roles];
        self.choosers.iter().map(move |&role| (role, moves[usize::from(role.0)]))
    }

    /// Puts a joint move at the end of a list.
    pub(crate) fn push(&self, own: usize, reply: usize, out: &mut Vec<MoveId>) {
        let first = out.len();
        out.extend_from_slice(&self.replies[reply * self.roles..][..self.roles]);
        out[first + self.role] = self.own[own];
    }

    /// Puts all joint moves at the end of a list.
    fn push_all(&self, out: &mut Vec<MoveId>) {
        for own in 0..self.own_count() {
            (0..self.reply_count()).for_each(|reply| self.push(own, reply, out));
        }
    }
}

/// Positions that others lead to, with what can be done there.
#[derive(Debug)]
pub(crate) struct Positions<State> {
    pub(crate) states: Vec<State>,
    pub(crate) expansions: Expansions,
    pub(crate) outlooks: Vec<Outlook>,
    joints: Vec<MoveId>,
    goals: Vec<GoalReading>,
}

impl<State> Default for Positions<State> {
    fn default() -> Self {
        Self {
            states: Vec::new(),
            expansions: Expansions::new(),
            outlooks: Vec::new(),
            joints: Vec::new(),
            goals: Vec::new(),
        }
    }
}

/// Someone said to stop, or a rule is at fault.
#[derive(Debug)]
pub(crate) enum Interrupted {
    Stopped,
    Fault(RuleFault),
}

impl From<RuleFault> for Interrupted {
    fn from(fault: RuleFault) -> Self {
        Interrupted::Fault(fault)
    }
}

impl<State: Clone + Send + Sync + 'static> Positions<State> {
    /// Works out what joint moves of some positions lead to, all in one call where the machine has lanes and else one
    /// by one, asking now and then whether to stop.
    pub(crate) fn follow<'a, G: Simulator<State = State>>(
        &mut self,
        game: &G,
        workspace: &mut G::Workspace,
        from: impl Iterator<Item = (&'a State, &'a Joints)>,
        role: RoleId,
        is_over: &mut dyn FnMut() -> bool,
    ) -> Result<(), Interrupted> {
        self.joints.clear();
        let mut parents: Vec<&State> = Vec::new();
        for (state, joints) in from {
            parents.extend(std::iter::repeat_n(state, joints.len()));
            joints.push_all(&mut self.joints);
        }
        if game.lanes() > 1 {
            game.apply_all(workspace, &parents, &self.joints, &mut self.states)?;
            let states: Vec<&State> = self.states.iter().collect();
            game.expand_all(workspace, &states, &mut self.expansions)?;
        } else {
            self.states.clear();
            self.expansions.begin(game.role_count());
            for (state, joint) in parents.iter().zip(self.joints.chunks(game.role_count().max(1))) {
                if is_over() {
                    return Err(Interrupted::Stopped);
                }
                let next = game.apply(workspace, state, joint)?;
                self.expansions.push(|out| game.expand(workspace, &next, out))?;
                self.states.push(next);
            }
        }
        self.outlooks.clear();
        for (state, choices) in self.states.iter().zip(self.expansions.iter()) {
            self.outlooks.push(if choices.is_terminal() {
                game.goals(workspace, state, &mut self.goals)?;
                Outlook::Over(self.goals.get(usize::from(role.0)).copied().unwrap_or_default().value())
            } else if choices.stuck_role().is_some() {
                Outlook::Stuck
            } else {
                Outlook::Open
            });
        }
        Ok(())
    }
}

/// A position's children, kept and filled again and again.
#[derive(Debug)]
pub(crate) struct Children<State> {
    /// Whose they are, if all below is of that position.
    pub(crate) of: Option<State>,
    pub(crate) joints: Joints,
    pub(crate) positions: Positions<State>,
    /// What each is worth, by estimates or ends.
    pub(crate) found: Vec<Found>,
    /// The role's moves, the most promising first, and the replies to one of them.
    pub(crate) own_order: Vec<(f64, u16)>,
    pub(crate) reply_order: Vec<(f64, u16)>,
}

impl<State> Default for Children<State> {
    fn default() -> Self {
        Self {
            of: None,
            joints: Joints::default(),
            positions: Positions::default(),
            found: Vec::new(),
            own_order: Vec::new(),
            reply_order: Vec::new(),
        }
    }
}

impl<State> Children<State> {
    /// The place of a child.
    pub(crate) fn place(&self, own: usize, reply: usize) -> usize {
        own * self.joints.reply_count() + reply
    }
}

/// The best for a role that chooses before the others do, given what all children are worth, with the places of the
/// best move and the best reply.
pub(crate) fn best_of(joints: &Joints, found: &[Found]) -> (Found, (u16, u16)) {
    let mut best = (Found { value: f64::NEG_INFINITY, proven: LOST }, (0, 0));
    for (own, replies) in found.chunks(joints.reply_count().max(1)).enumerate() {
        let mut worst = (Found { value: f64::INFINITY, proven: WON }, 0);
        for (place, reply) in replies.iter().enumerate() {
            if reply.value < worst.0.value {
                (worst.0.value, worst.1) = (reply.value, place as u16);
            }
            worst.0.proven = worst.0.proven.and(reply.proven);
        }
        if worst.0.value > best.0.value {
            (best.0.value, best.1) = (worst.0.value, (own as u16, worst.1));
        }
        best.0.proven = best.0.proven.or(worst.0.proven);
    }
    if !joints.is_complete {
        best.0.proven.least = Goal(0);
    }
    if !joints.has_all_own {
        best.0.proven.most = Goal::MOST;
    }
    best
}

/// What nothing is worse, and nothing better than.
pub(crate) const LOST: Proven = Proven::exactly(Goal(0));
pub(crate) const WON: Proven = Proven::exactly(Goal::MOST);

#[cfg(test)]
mod tests {
    use game::Expansion;

    use super::*;

    fn joints(by_role: &[&[u32]], role: u16) -> Joints {
        let mut expansion = Expansion::new();
        expansion.begin(false);
        for moves in by_role {
            moves.iter().for_each(|&id| expansion.push(MoveId(id)));
            expansion.end_role();
        }
        let mut joints = Joints::default();
        joints.list(expansion.choices(), RoleId(role));
        joints
    }

    #[test]
    fn each_move_is_followed_by_all_replies() {
        let joints = joints(&[&[1, 2], &[3, 4], &[5], &[6, 7]], 1);
        assert_eq!((joints.own_count(), joints.reply_count(), joints.is_complete), (2, 4, true));
        let mut all = Vec::new();
        joints.push_all(&mut all);
        let rows: Vec<Vec<u32>> = all.chunks(4).map(|row| row.iter().map(|id| id.0).collect()).collect();
        assert_eq!(rows[..4], [[1, 3, 5, 6], [2, 3, 5, 6], [1, 3, 5, 7], [2, 3, 5, 7]]);
        assert!(rows[4..].iter().all(|row| row[1] == 4));
        assert_eq!(joints.reply(3).collect::<Vec<_>>(), [(RoleId(0), MoveId(2)), (RoleId(3), MoveId(7))]);
    }

    #[test]
    fn too_many_replies_are_thinned_out_and_prove_nothing() {
        let many: Vec<u32> = (0..30).collect();
        let joints = joints(&[&[1, 2], &many, &many, &many], 0);
        assert!(!joints.is_complete && joints.len() <= MOST_REPLIES);
        for other in 0..3 {
            let seen = |id| {
                (0..joints.reply_count())
                    .any(|row| joints.reply(row).nth(other).is_some_and(|known| known.1 == id))
            };
            assert!(many.iter().all(|&id| seen(MoveId(id))), "every move of every role comes up");
        }
        let found = vec![Found { value: 1.0, proven: WON }; joints.len()];
        assert_eq!(best_of(&joints, &found).0.proven, Proven::NOTHING);
    }

    #[test]
    fn the_best_of_the_worst() {
        let joints = joints(&[&[1, 2], &[3, 4]], 0);
        let found = |value: f64, least, most| Found {
            value,
            proven: Proven { least: Goal(least), most: Goal(most) },
        };
        // The first move is worth 0.2 at least and cannot get more than 50; the second is worth 0.4.
        let all = [found(0.2, 0, 100), found(0.9, 50, 50), found(0.4, 30, 60), found(0.6, 0, 100)];
        let (best, places) = best_of(&joints, &all);
        assert_eq!(best, found(0.4, 0, 60));
        assert_eq!(places, (1, 0));
    }
}

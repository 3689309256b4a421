//! Exact values of positions, by plain search. Slow and simple: it judges the search under test and
//! shares nothing with it.
//!
//! For turn-taking games of two roles whose goals add up to 100. The question is always whether the
//! first role can force at least some goal; depth is raised step by step, so short proofs are found
//! first, and an answer, once known, holds whatever the depth.

use std::collections::HashMap;

use game::{Expansion, Game, GoalReading, MoveId, RoleId};

/// Why a position was not solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unsolved {
    /// More positions than allowed.
    TooLarge,
    /// Not a turn-taking game of two roles whose goals add up to 100.
    Unfit,
}

/// What is known of a position for one question.
#[derive(Clone, Copy)]
struct Known {
    answer: Option<bool>,
    depth: u32,
}

/// A position whose value is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Solution {
    /// The role that chooses.
    pub(crate) role: RoleId,
    /// The goal it can force.
    pub(crate) value: u8,
    /// The moves that keep this value.
    pub(crate) right: Vec<MoveId>,
    /// The number of legal moves.
    pub(crate) legal: usize,
    /// The depth at which the value was proven, in joint moves.
    pub(crate) plies: u32,
}

/// An exhaustive solver of one game.
pub(crate) struct Solver<'a, G: Game> {
    game: &'a G,
    workspace: G::Workspace,
    /// The goals the first role can reach, ascending.
    levels: Vec<u8>,
    known: HashMap<(G::State, u8), Known>,
    /// The depth that questions begin with.
    depth: u32,
    /// Positions looked at so far.
    pub(crate) positions: u64,
    limit: u64,
}

impl<'a, G: Game> Solver<'a, G> {
    /// A solver that looks at no more positions than `limit` for each question. `goals` are all that
    /// the first role can reach.
    pub(crate) fn new(game: &'a G, goals: &[u8], limit: u64) -> Self {
        let mut levels = goals.to_vec();
        levels.sort_unstable();
        levels.dedup();
        Self {
            game,
            workspace: game.workspace(),
            levels,
            known: HashMap::new(),
            depth: 0,
            positions: 0,
            limit,
        }
    }

    /// Looks this deep at once, where games are never longer and short proofs are not expected.
    pub(crate) fn at_depth(self, depth: u32) -> Self {
        Self { depth, ..self }
    }

    /// The value of a position in which a role has a choice, and all its right moves.
    pub(crate) fn solve(&mut self, state: &G::State) -> Result<Solution, Unsolved> {
        self.positions = 0;
        let expansion = self.expand(state)?;
        let role = mover(&expansion).ok_or(Unsolved::Unfit)?;
        let (first_goal, plies) = self.value(state)?;
        let own = |goal: u8| if role.0 == 0 { goal } else { 100 - goal };
        let mut right = Vec::new();
        for joint in expansion.joint_moves() {
            let next = self.apply(state, &joint)?;
            if self.value(&next)?.0 == first_goal {
                right.push(joint[role.0 as usize]);
            }
        }
        let legal = expansion.legal(role).len();
        Ok(Solution { role, value: own(first_goal), right, legal, plies })
    }

    /// The goal of the first role, and the depth at which it was proven.
    fn value(&mut self, state: &G::State) -> Result<(u8, u32), Unsolved> {
        // The lowest is certain.
        let (mut low, mut high, mut depth) = (0, self.levels.len() - 1, 0);
        while low < high {
            let middle = (low + high).div_ceil(2);
            let (reached, needed) = self.decide(state, self.levels[middle])?;
            depth = depth.max(needed);
            if reached {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        Ok((self.levels[low], depth))
    }

    /// Whether the first role can force a goal, and the depth at which that was clear.
    fn decide(&mut self, state: &G::State, goal: u8) -> Result<(bool, u32), Unsolved> {
        for depth in self.depth.. {
            if let Some(answer) = self.prove(state, goal, depth)? {
                return Ok((answer, depth));
            }
        }
        Err(Unsolved::TooLarge)
    }

    fn prove(&mut self, state: &G::State, goal: u8, depth: u32) -> Result<Option<bool>, Unsolved> {
        let key = (state.clone(), goal);
        if let Some(known) = self.known.get(&key)
            && (known.answer.is_some() || known.depth >= depth)
        {
            return Ok(known.answer);
        }
        self.positions += 1;
        if self.positions > self.limit {
            return Err(Unsolved::TooLarge);
        }
        let expansion = self.expand(state)?;
        let answer = if expansion.is_terminal() {
            Some(self.goal(state)? >= goal)
        } else if depth == 0 {
            None
        } else {
            self.prove_by_moves(state, &expansion, goal, depth)?
        };
        self.known.insert(key, Known { answer, depth });
        Ok(answer)
    }

    fn prove_by_moves(
        &mut self,
        state: &G::State,
        expansion: &Expansion,
        goal: u8,
        depth: u32,
    ) -> Result<Option<bool>, Unsolved> {
        let wanted = mover(expansion).is_none_or(|role| role.0 == 0);
        let mut all_known = true;
        let mut successors = Vec::new();
        for joint in expansion.joint_moves() {
            let next = self.apply(state, &joint)?;
            // Few replies first: such moves are refuted or proven soonest.
            let replies = self.expand(&next)?.joint_count();
            successors.push((replies, next));
        }
        successors.sort_by_key(|&(replies, _)| replies);
        for (_, next) in &successors {
            match self.prove(next, goal, depth - 1)? {
                Some(answer) if answer == wanted => return Ok(Some(answer)),
                Some(_) => {}
                None => all_known = false,
            }
        }
        Ok(all_known.then_some(!wanted))
    }

    fn goal(&mut self, state: &G::State) -> Result<u8, Unsolved> {
        let mut goals = Vec::new();
        self.game.goals(&mut self.workspace, state, &mut goals).map_err(|_| Unsolved::Unfit)?;
        match goals[..] {
            [GoalReading::One(one), GoalReading::One(two)] if one.0 + two.0 == 100 => Ok(one.0),
            _ => Err(Unsolved::Unfit),
        }
    }

    fn expand(&mut self, state: &G::State) -> Result<Expansion, Unsolved> {
        let mut expansion = Expansion::new();
        self.game.expand(&mut self.workspace, state, &mut expansion).map_err(|_| Unsolved::Unfit)?;
        let choosing = expansion.by_role().filter(|moves| moves.len() > 1).count();
        let fits = self.game.role_count() == 2 && choosing <= 1 && expansion.stuck_role().is_none();
        if fits { Ok(expansion) } else { Err(Unsolved::Unfit) }
    }

    fn apply(&mut self, state: &G::State, joint: &[MoveId]) -> Result<G::State, Unsolved> {
        self.game.apply(&mut self.workspace, state, joint).map_err(|_| Unsolved::Unfit)
    }
}

/// The role that has a choice.
pub(crate) fn mover(expansion: &Expansion) -> Option<RoleId> {
    expansion.by_role().position(|moves| moves.len() > 1).map(|role| RoleId(role as u16))
}

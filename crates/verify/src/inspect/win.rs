//! A search for an end in which a role has its highest goal, all roles working towards it.
//!
//! Games of one player are searched breadth first, which finds every short solution. Then, for all
//! games, nested playouts: each step tries the joint moves by a random playout each and goes on
//! with the best line seen (Cazenave, "Nested Monte-Carlo Search", 2009, at level 1).

use std::collections::{HashSet, VecDeque};

use game::{Describe, Dice, Expansion, MoveId, RoleId, RuleFault};

/// How many joint moves of a position are tried at most.
const TRIED: usize = 32;
/// A playout that is longer is given up.
const LONGEST: usize = 2_000;

pub(super) struct Search<'a, G: Describe, GoOn> {
    pub(super) game: &'a G,
    pub(super) workspace: &'a mut G::Workspace,
    pub(super) go_on: &'a mut GoOn,
    pub(super) dice: Dice,
    /// Who shall win, and with what.
    pub(super) role: RoleId,
    pub(super) wanted: u8,
    /// Looks at positions that are left.
    pub(super) left: usize,
    /// The positions that were looked at, each once.
    pub(super) known: HashSet<G::State>,
    /// Whether these are all there are.
    pub(super) exhausted: bool,
}

/// Why a search ends before it has found something: the budget is spent, or the rules fail.
struct Stopped;

impl From<RuleFault> for Stopped {
    fn from(_: RuleFault) -> Self {
        Stopped
    }
}

/// The line of a playout, and what the role gets at its end.
type Line<State> = (u8, Vec<(Vec<MoveId>, State)>);

impl<G: Describe, GoOn: FnMut() -> bool> Search<'_, G, GoOn> {
    /// Whether such an end is found within the budget.
    pub(super) fn succeeds(&mut self) -> bool {
        if self.game.role_count() == 1 {
            let all = self.left;
            self.left = all / 2;
            match self.breadth_first() {
                Ok(true) => return true,
                Ok(false) if self.exhausted => return false,
                _ => {}
            }
            self.left += all - all / 2;
        }
        // Every round but the last ends by itself, so that this one does when the budget is spent.
        loop {
            match self.nested() {
                Ok(true) => return true,
                Ok(false) => {}
                Err(Stopped) => return false,
            }
        }
    }

    fn look(&mut self, state: &G::State, expansion: &mut Expansion) -> Result<(), Stopped> {
        if self.left == 0 || !(self.go_on)() {
            return Err(Stopped);
        }
        self.left -= 1;
        if !self.known.contains(state) {
            self.known.insert(state.clone());
        }
        Ok(self.game.expand(self.workspace, state, expansion)?)
    }

    fn value(&mut self, state: &G::State) -> Result<u8, Stopped> {
        let mut goals = Vec::new();
        self.game.goals(self.workspace, state, &mut goals)?;
        Ok(goals.get(self.role.0 as usize).map_or(0, |goal| goal.value().0))
    }

    fn breadth_first(&mut self) -> Result<bool, Stopped> {
        let most = 4 * self.left;
        let mut known = HashSet::from([self.game.initial()]);
        let mut waiting = VecDeque::from([self.game.initial()]);
        let mut expansion = Expansion::new();
        let mut whole = true;
        while let Some(state) = waiting.pop_front() {
            self.look(&state, &mut expansion)?;
            if expansion.is_terminal() && self.value(&state)? >= self.wanted {
                return Ok(true);
            }
            for joint in expansion.joint_moves() {
                // What cannot be looked at any more need not be kept.
                if known.len() >= most {
                    whole = false;
                    break;
                }
                let next = self.game.apply(self.workspace, &state, &joint)?;
                if known.insert(next.clone()) {
                    waiting.push_back(next);
                }
            }
        }
        self.exhausted = whole;
        Ok(false)
    }

    fn nested(&mut self) -> Result<bool, Stopped> {
        let mut state = self.game.initial();
        let mut expansion = Expansion::new();
        let mut best: Line<G::State> = (0, Vec::new());
        loop {
            self.look(&state, &mut expansion)?;
            if expansion.is_terminal() || expansion.stuck_role().is_some() {
                return Ok(false);
            }
            for joint in self.choices(&expansion) {
                let next = self.game.apply(self.workspace, &state, &joint)?;
                let (value, mut line) = self.playout(next.clone())?;
                if value >= self.wanted {
                    return Ok(true);
                }
                if value > best.0 || best.1.is_empty() {
                    // Kept in reverse: the next move is the last entry.
                    line.push((joint, next));
                    best = (value, line);
                }
            }
            let Some((_, next)) = best.1.pop() else { return Ok(false) };
            state = next;
        }
    }

    /// All joint moves, or a sample of many.
    fn choices(&mut self, expansion: &Expansion) -> Vec<Vec<MoveId>> {
        if expansion.joint_count() <= TRIED as u64 {
            return expansion.joint_moves().collect();
        }
        (0..TRIED).map(|_| self.random(expansion)).collect()
    }

    fn random(&mut self, expansion: &Expansion) -> Vec<MoveId> {
        expansion.by_role().map(|legal| legal[self.dice.below(legal.len())]).collect()
    }

    /// A random playout: what the role gets, and the line in reverse.
    fn playout(&mut self, mut state: G::State) -> Result<Line<G::State>, Stopped> {
        let mut expansion = Expansion::new();
        let mut line = Vec::new();
        let value = loop {
            self.look(&state, &mut expansion)?;
            if expansion.is_terminal() {
                break self.value(&state)?;
            }
            if expansion.stuck_role().is_some() || line.len() >= LONGEST {
                break 0;
            }
            let joint = self.random(&expansion);
            state = self.game.apply(self.workspace, &state, &joint)?;
            line.push((joint, state.clone()));
        };
        line.reverse();
        Ok((value, line))
    }
}

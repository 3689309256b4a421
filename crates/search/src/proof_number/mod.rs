//! Proof-number search, depth first (Nagai 2002, "Df-pn algorithm for searching AND/OR trees and its
//! applications"): does a role win by force from a position? It looks where the fewest positions would have to
//! turn out well, so it finds long forced lines that averages do not see.
//!
//! It is for games in which one role at a time chooses and nothing is left to chance. A question is one of a
//! position and an attacker; a win is a goal of 100. Only wins are told: that there is none may depend on
//! positions that came again. The search can be left and taken up between any two positions, and the table is
//! kept from question to question.

mod table;
#[cfg(test)]
mod tests;

use game::{Expansion, Expansions, Game, Goal, GoalReading, MoveId, RoleId, RuleFault, Simulator};

use table::{INFINITE, Numbers, Table};

const WON: Goal = Goal(100);

/// More of a position than the next best is worth before that is looked at: a quarter, or all time goes into
/// going up and down (Pawlewicz and Lew 2007).
const PATIENCE: u32 = 4;

/// Paths are not followed further: in a game without end nothing is proven there.
const MOST_DEPTH: usize = 400;

/// What is known of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Nothing yet.
    Unknown,
    /// The attacker wins by force, in at most so many steps.
    Wins {
        /// Joint moves to the end, if the attacker goes by what is proven.
        steps: u32,
    },
    /// No win was found, and there is nothing left to look at.
    NotFound,
    /// Several roles choose at once, or chance does: such games are not for this search.
    Unfit,
}

/// What was done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Positions whose moves were followed.
    pub positions: u64,
    /// Positions that these led to.
    pub successors: u64,
}

/// A position on the path that is looked at.
#[derive(Debug)]
struct Frame<State> {
    state: State,
    /// Whether the attacker chooses.
    attacks: bool,
    children: Vec<Child<State>>,
    most_proof: u32,
    most_disproof: u32,
    /// The child that was gone to last.
    chosen: usize,
    /// Positions followed when it was begun.
    begun: u64,
}

#[derive(Debug)]
struct Child<State> {
    state: State,
    numbers: Numbers,
    is_over: bool,
}

/// Answers questions about one game.
pub struct Solver<G: Simulator> {
    workspace: G::Workspace,
    /// One for each attacker.
    tables: Vec<Table<G::State>>,
    question: Option<(G::State, RoleId)>,
    path: Vec<Frame<G::State>>,
    work: Work,
    expansion: Expansion,
    expansions: Expansions,
    joints: Vec<MoveId>,
    goals: Vec<GoalReading>,
}

impl<G: Simulator> std::fmt::Debug for Solver<G> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Solver").field("work", &self.work).finish_non_exhaustive()
    }
}

/// Why a question is not answered.
#[derive(Debug)]
enum Trouble {
    Unfit,
    Fault(RuleFault),
}

impl From<RuleFault> for Trouble {
    fn from(fault: RuleFault) -> Self {
        Trouble::Fault(fault)
    }
}

impl<G: Simulator> Solver<G> {
    /// One with so many bytes to remember positions in.
    pub fn new(game: &G, bytes: usize) -> Self {
        let roles = game.role_count();
        let table = |_| Table::new(bytes / roles.max(1), game.state_bytes());
        Self {
            workspace: game.workspace(),
            tables: (0..roles).map(table).collect(),
            question: None,
            path: Vec::new(),
            work: Work::default(),
            expansion: Expansion::new(),
            expansions: Expansions::new(),
            joints: Vec::new(),
            goals: Vec::new(),
        }
    }

    /// What was done so far.
    pub fn work(&self) -> Work {
        self.work
    }

    /// What is known, without looking any further.
    pub fn known(&self, state: &G::State, attacker: RoleId) -> Answer {
        match self.tables[usize::from(attacker.0)].get(state) {
            Some(Numbers { proof: 0, steps, .. }) => Answer::Wins { steps },
            _ => Answer::Unknown,
        }
    }

    /// Whether a role wins by force from a position, looked into for some more positions. A question that
    /// was asked last goes on where it was left.
    pub fn ask(
        &mut self,
        game: &G,
        state: &G::State,
        attacker: RoleId,
        positions: u64,
    ) -> Result<Answer, RuleFault> {
        if self.question.as_ref().is_none_or(|(asked, role)| asked != state || *role != attacker) {
            self.question = Some((state.clone(), attacker));
            self.path.clear();
        }
        match self.look(game, state, attacker, positions) {
            Ok(answer) => Ok(answer),
            Err(Trouble::Unfit) => Ok(Answer::Unfit),
            Err(Trouble::Fault(fault)) => {
                self.path.clear();
                Err(fault)
            }
        }
    }

    fn look(
        &mut self,
        game: &G,
        state: &G::State,
        attacker: RoleId,
        positions: u64,
    ) -> Result<Answer, Trouble> {
        if self.path.is_empty() {
            if let Answer::Wins { steps } = self.known(state, attacker) {
                return Ok(Answer::Wins { steps });
            }
            game.expand(&mut self.workspace, state, &mut self.expansion)?;
            if self.expansion.is_terminal() {
                game.goals(&mut self.workspace, state, &mut self.goals)?;
                let wins = self.goals[usize::from(attacker.0)].value() == WON;
                return Ok(if wins { Answer::Wins { steps: 0 } } else { Answer::NotFound });
            }
            let frame = self.frame(game, state.clone(), attacker, (INFINITE, INFINITE))?;
            self.path.push(frame);
        }
        let end = self.work.positions + positions;
        while let Some(frame) = self.path.last_mut() {
            let numbers = frame.numbers();
            if numbers.proof >= frame.most_proof || numbers.disproof >= frame.most_disproof {
                let Some(frame) = self.path.pop() else { break };
                let work = u32::try_from(self.work.positions - frame.begun).unwrap_or(u32::MAX);
                self.tables[usize::from(attacker.0)].set(frame.state, numbers, work);
                match self.path.last_mut() {
                    Some(before) => before.children[before.chosen].numbers = numbers,
                    None if numbers.proof == 0 => return Ok(Answer::Wins { steps: numbers.steps }),
                    None => return Ok(Answer::NotFound),
                }
                continue;
            }
            if self.work.positions >= end {
                return Ok(Answer::Unknown);
            }
            let limits = frame.choose(numbers);
            let next = frame.children[frame.chosen].state.clone();
            let comes_again = self.path.iter().any(|frame| frame.state == next);
            if comes_again || self.path.len() >= MOST_DEPTH {
                // Who goes round in circles does not win.
                if let Some(frame) = self.path.last_mut() {
                    frame.children[frame.chosen].numbers = Numbers::DISPROVEN;
                }
                continue;
            }
            let frame = self.frame(game, next, attacker, limits)?;
            self.path.push(frame);
        }
        Ok(Answer::Unknown)
    }

    /// Follows the moves of a position that is not terminal.
    fn frame(
        &mut self,
        game: &G,
        state: G::State,
        attacker: RoleId,
        (most_proof, most_disproof): (u32, u32),
    ) -> Result<Frame<G::State>, Trouble> {
        game.expand(&mut self.workspace, &state, &mut self.expansion)?;
        if let Some(role) = self.expansion.stuck_role() {
            return Err(RuleFault::NoLegalMove(role).into());
        }
        let mover = who_chooses(game, self.expansion.by_role()).ok_or(Trouble::Unfit)?;
        let forced: Vec<MoveId> = self.expansion.by_role().map(|legal| legal[0]).collect();
        let moves = self.expansion.by_role().nth(usize::from(mover.0)).unwrap_or_default();
        self.joints.clear();
        for &id in moves {
            let first = self.joints.len();
            self.joints.extend_from_slice(&forced);
            self.joints[first + usize::from(mover.0)] = id;
        }
        let parents = vec![&state; moves.len()];
        let mut states = Vec::with_capacity(moves.len());
        game.apply_all(&mut self.workspace, &parents, &self.joints, &mut states)?;
        let all: Vec<&G::State> = states.iter().collect();
        game.expand_all(&mut self.workspace, &all, &mut self.expansions)?;
        let mut numbers = Vec::with_capacity(states.len());
        for (state, choices) in states.iter().zip(self.expansions.iter()) {
            if choices.is_terminal() {
                game.goals(&mut self.workspace, state, &mut self.goals)?;
                let wins = self.goals[usize::from(attacker.0)].value() == WON;
                numbers.push((if wins { Numbers::proven(0) } else { Numbers::DISPROVEN }, true));
                continue;
            }
            let known = self.tables[usize::from(attacker.0)].get(state);
            let first = || {
                // As if each of its moves was as hard as any.
                let mover = who_chooses(game, choices.by_role());
                let count = choices.by_role().map(<[MoveId]>::len).max().unwrap_or(1) as u32;
                let (proof, disproof) = if mover == Some(attacker) { (1, count) } else { (count, 1) };
                Numbers { proof, disproof, steps: 0 }
            };
            numbers.push((known.unwrap_or_else(first), false));
        }
        self.work.positions += 1;
        self.work.successors += states.len() as u64;
        let child = |(state, (numbers, is_over))| Child { state, numbers, is_over };
        Ok(Frame {
            state,
            attacks: mover == attacker,
            children: states.into_iter().zip(numbers).map(child).collect(),
            most_proof,
            most_disproof,
            chosen: 0,
            begun: self.work.positions - 1,
        })
    }
}

/// Who chooses, if it is one role alone and not chance; with no choice at all, the first role that is not.
fn who_chooses<'a, G: Game>(game: &G, mut by_role: impl Iterator<Item = &'a [MoveId]>) -> Option<RoleId> {
    let mut found = None;
    let mut roles = 0;
    let one = by_role.all(|legal| {
        let role = RoleId(roles);
        roles += 1;
        if legal.len() <= 1 {
            return true;
        }
        found.replace(role).is_none() && game.chance() != Some(role)
    });
    let first = (0..roles).map(RoleId).find(|&role| game.chance() != Some(role));
    if one { found.or(first) } else { None }
}

impl<State> Frame<State> {
    /// What the numbers of the children make of its own.
    fn numbers(&self) -> Numbers {
        let sum = |number: fn(&Numbers) -> u32| {
            let numbers = self.children.iter().map(|child| number(&child.numbers));
            numbers.fold(0u32, |sum, number| sum.saturating_add(number).min(INFINITE))
        };
        let least = |number: fn(&Numbers) -> u32| {
            self.children.iter().map(|child| number(&child.numbers)).min().unwrap_or(INFINITE)
        };
        let (proof, disproof) = if self.attacks {
            (least(|numbers| numbers.proof), sum(|numbers| numbers.disproof))
        } else {
            (sum(|numbers| numbers.proof), least(|numbers| numbers.disproof))
        };
        if proof > 0 {
            return Numbers { proof, disproof, steps: 0 };
        }
        let steps = self.children.iter().filter(|child| child.numbers.proof == 0);
        let steps = steps.map(|child| child.numbers.steps);
        let steps = if self.attacks { steps.min() } else { steps.max() };
        Numbers::proven(steps.unwrap_or(0) + 1)
    }

    /// Chooses the child to go to, and says how hard it may become.
    fn choose(&mut self, numbers: Numbers) -> (u32, u32) {
        let effort = |child: &Child<State>| match (self.attacks, child.numbers) {
            _ if child.is_over => INFINITE,
            (true, numbers) => numbers.proof,
            (false, numbers) => numbers.disproof,
        };
        let mut best = (INFINITE, INFINITE, 0);
        for (place, child) in self.children.iter().enumerate() {
            let effort = effort(child);
            if effort < best.0 {
                best = (effort, best.0, place);
            } else {
                best.1 = best.1.min(effort);
            }
        }
        let (_, second, place) = best;
        self.chosen = place;
        let child = self.children[place].numbers;
        let patient = second.saturating_add(second / PATIENCE).saturating_add(1);
        let rest = |most: u32, sum: u32, own: u32| {
            if most >= INFINITE { INFINITE } else { (most - sum).saturating_add(own).min(INFINITE) }
        };
        if self.attacks {
            let disproof = rest(self.most_disproof, numbers.disproof, child.disproof);
            (self.most_proof.min(patient), disproof)
        } else {
            let proof = rest(self.most_proof, numbers.proof, child.proof);
            (proof, self.most_disproof.min(patient))
        }
    }
}

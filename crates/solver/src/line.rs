//! What is best in a state, and how the game goes when everybody plays it.

use game::{Dice, Expansion, Game, Goal, MoveId, RoleId, Simulator};
use machine::batch::BatchMachine;
use machine::circuit::CircuitState;

use crate::values::{is_better, matrix};
use crate::{Solution, SolverError, Worth};

/// Lines are not followed further.
const LONGEST: usize = 10_000;

/// What a role can do in a state.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The move.
    pub id: MoveId,
    /// What the role is sure of when it makes the move.
    pub worth: Worth,
    /// How often it makes it, from 0 to 1, when it mixes its moves at best.
    pub share: f64,
}

/// A step of a line of play.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The joint move.
    pub joint: Vec<MoveId>,
    /// The state it leads to.
    pub next: CircuitState,
}

/// A state that was really met, with where its joint moves lead and what the roles are sure of there. A state of the graph may
/// be another one that is taken for it, so moves are looked up in the state itself.
#[derive(Clone, Debug)]
pub struct Look {
    /// The state.
    pub state: CircuitState,
    /// What each role is sure of; nothing for chance.
    pub worths: Vec<Worth>,
    /// What the roles get, if the game is over.
    pub goals: Option<Vec<Goal>>,
    /// The legal moves of each role.
    pub legal: Vec<Vec<MoveId>>,
    chance: Option<RoleId>,
    joints: Vec<Vec<MoveId>>,
    /// For each joint move what each role is sure of behind it.
    behind: Vec<Vec<Worth>>,
    states: Vec<CircuitState>,
}

/// A solved game, however that was done.
pub trait Solved {
    /// Whether it is known in how many moves roles have what they are sure of.
    fn knows_steps(&self) -> bool;

    /// What each role is sure of in a state, nothing for chance; `None` if the state cannot be reached.
    fn worths(&self, state: &CircuitState) -> Result<Option<Vec<Worth>>, SolverError>;

    /// Looks at a state that can be reached; `None` if it was not met.
    fn look(&self, batch: &BatchMachine, state: &CircuitState) -> Result<Option<Look>, SolverError> {
        let Some(worths) = self.worths(state)? else { return Ok(None) };
        let (mut workspace, mut expansion) = (batch.workspace(), Expansion::new());
        batch.expand(&mut workspace, state, &mut expansion)?;
        let mut look = Look {
            state: state.clone(),
            worths,
            goals: None,
            legal: expansion.by_role().map(<[MoveId]>::to_vec).collect(),
            chance: batch.chance(),
            joints: expansion.joint_moves().collect(),
            behind: Vec::new(),
            states: Vec::new(),
        };
        if expansion.is_terminal() {
            let mut goals = Vec::new();
            batch.goals(&mut workspace, state, &mut goals)?;
            look.goals = Some(goals.iter().map(|goal| goal.value()).collect());
            return Ok(Some(look));
        }
        let from = vec![state; look.joints.len()];
        let joints: Vec<MoveId> = look.joints.concat();
        batch.apply_all(&mut workspace, &from, &joints, &mut look.states)?;
        for next in &look.states {
            let Some(worths) = self.worths(next)? else { return Ok(None) };
            look.behind.push(worths);
        }
        Ok(Some(look))
    }

    /// How the game goes from a state on when everybody plays at best. It ends early where play comes back to a state.
    fn line(
        &self,
        batch: &BatchMachine,
        from: &CircuitState,
        dice: &mut Dice,
    ) -> Result<Vec<Step>, SolverError> {
        let mut seen = rustc_hash::FxHashSet::default();
        let (mut state, mut line) = (from.clone(), Vec::new());
        while line.len() < LONGEST && seen.insert(state.clone()) {
            let Some(look) = self.look(batch, &state)?.filter(|look| look.goals.is_none()) else { break };
            let joint = look.choose(dice);
            let Some(next) = look.next(&joint).cloned() else { break };
            line.push(Step { joint, next: next.clone() });
            state = next;
        }
        Ok(line)
    }
}

impl Solved for Solution {
    fn knows_steps(&self) -> bool {
        true
    }

    fn worths(&self, state: &CircuitState) -> Result<Option<Vec<Worth>>, SolverError> {
        let roles = (0..self.graph().roles() as u16).map(RoleId);
        let worths = |met| roles.map(|role| self.worth(met, role)).collect();
        Ok(self.graph().find(state).map(worths))
    }
}

impl Look {
    /// The place of a joint move among all.
    fn place(&self, joint: &[MoveId]) -> Option<usize> {
        self.joints.iter().position(|other| other == joint)
    }

    /// Where a joint move leads; `None` if it is not legal.
    pub fn next(&self, joint: &[MoveId]) -> Option<&CircuitState> {
        self.place(joint).map(|place| &self.states[place])
    }

    /// What a role can do, in the order of its legal moves; nothing for chance.
    pub fn candidates(&self, role: RoleId) -> Vec<Candidate> {
        let own = usize::from(role.0);
        let Some(legal) = self.legal.get(own) else { return Vec::new() };
        if self.chance == Some(role) || self.behind.is_empty() {
            return Vec::new();
        }
        let counts: Vec<u16> = self.legal.iter().map(|legal| legal.len() as u16).collect();
        let fields = matrix(self.chance, role, self.behind.iter().map(|worths| worths[own]), &counts);
        let worst = |row: &Vec<Worth>| {
            let worse = |worst, next| if is_better(worst, next) { next } else { worst };
            row.iter().copied().reduce(worse).unwrap_or_default()
        };
        let mut candidates: Vec<Candidate> = legal
            .iter()
            .zip(&fields)
            .map(|(&id, row)| Candidate { id, worth: worst(row), share: 0.0 })
            .collect();
        if fields.first().map_or(0, Vec::len) > 1 {
            let values: Vec<Vec<f64>> =
                fields.iter().map(|row| row.iter().map(|field| f64::from(field.value)).collect()).collect();
            let shares = bench::ruler::solve(&values).rows;
            candidates.iter_mut().zip(shares).for_each(|(candidate, share)| candidate.share = share);
        } else {
            let best = self.best(own, &candidates);
            if let Some(best) = candidates.get_mut(best) {
                best.share = 1.0;
            }
        }
        candidates
    }

    /// Of what a role can do alone, what it should: most for itself, then least for the others, and of what loses what
    /// takes the others longest.
    fn best(&self, own: usize, candidates: &[Candidate]) -> usize {
        let others = |id: MoveId| {
            // The others have no choice: one joint move has it, or chance's moves do.
            let place = self.joints.iter().position(|joint| joint[own] == id).unwrap_or(0);
            let others = self.behind[place].iter().enumerate().filter(|(other, _)| *other != own);
            others.fold(Worth::default(), |sum, (_, worth)| Worth {
                value: sum.value + worth.value,
                steps: sum.steps + worth.steps,
            })
        };
        let mut best = 0;
        for place in 1..candidates.len() {
            let (one, two) = (candidates[place].worth, candidates[best].worth);
            let (left, known) = (others(candidates[place].id), others(candidates[best].id));
            let order = one.value.total_cmp(&two.value).then(known.value.total_cmp(&left.value));
            // Who gets more than the others hurries, who does not makes them wait.
            let order = order.then(if one.value >= left.value {
                two.steps.total_cmp(&one.steps)
            } else {
                left.steps.total_cmp(&known.steps)
            });
            if order.is_gt() {
                best = place;
            }
        }
        best
    }

    /// A joint move in which everybody does what is best; who mixes its moves and chance are drawn.
    pub fn choose(&self, dice: &mut Dice) -> Vec<MoveId> {
        let choose = |(role, legal): (u16, &Vec<MoveId>)| {
            if let [only] = legal[..] {
                return only;
            }
            let candidates = self.candidates(RoleId(role));
            if candidates.is_empty() {
                return legal[dice.below(legal.len())];
            }
            let mut left = dice.below(1 << 20) as f64 / f64::from(1 << 20);
            let chosen = candidates.iter().find(|candidate| {
                left -= candidate.share;
                left < 0.0
            });
            let most = || candidates.iter().max_by(|one, other| one.share.total_cmp(&other.share));
            chosen.or_else(most).map_or(legal[0], |candidate| candidate.id)
        };
        (0..).zip(&self.legal).map(choose).collect()
    }
}

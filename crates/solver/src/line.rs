//! What is best in a state, and how the game goes when everybody plays it.

use game::{Dice, Expansion, Game, Goal, MoveId, RoleId, Simulator};
use machine::batch::BatchMachine;
use machine::circuit::CircuitState;

use crate::graph::Met;
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

/// A state that was really met, with where its joint moves lead. A state of the graph may be another one that is taken
/// for it, so moves are looked up in the state itself.
#[derive(Clone, Debug)]
pub struct Look {
    /// The state.
    pub state: CircuitState,
    /// Its place in the graph.
    pub met: Met,
    /// What the roles get, if the game is over.
    pub goals: Option<Vec<Goal>>,
    /// The legal moves of each role.
    pub legal: Vec<Vec<MoveId>>,
    joints: Vec<Vec<MoveId>>,
    behind: Vec<Met>,
    states: Vec<CircuitState>,
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
}

impl Solution {
    /// Looks at a state that can be reached; `None` if it was not met.
    pub fn look(&self, batch: &BatchMachine, state: &CircuitState) -> Result<Option<Look>, SolverError> {
        let Some(met) = self.graph().find(state) else { return Ok(None) };
        let (mut workspace, mut expansion) = (batch.workspace(), Expansion::new());
        batch.expand(&mut workspace, state, &mut expansion)?;
        let mut look = Look {
            state: state.clone(),
            met,
            goals: None,
            legal: expansion.by_role().map(<[MoveId]>::to_vec).collect(),
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
            let Some(next) = self.graph().find(next) else { return Ok(None) };
            look.behind.push(next);
        }
        Ok(Some(look))
    }

    /// What a role can do in a state, in the order of its legal moves; nothing for chance.
    pub fn candidates(&self, look: &Look, role: RoleId) -> Vec<Candidate> {
        let graph = self.graph();
        let Some(legal) = look.legal.get(usize::from(role.0)) else { return Vec::new() };
        if graph.chance() == Some(role) || look.behind.is_empty() {
            return Vec::new();
        }
        let counts: Vec<u16> = look.legal.iter().map(|legal| legal.len() as u16).collect();
        let behind = look.behind.iter().map(|&met| self.worth(met, role));
        let fields = matrix(graph, role, behind, &counts);
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
            let best = self.best(look, role, &candidates);
            if let Some(best) = candidates.get_mut(best) {
                best.share = 1.0;
            }
        }
        candidates
    }

    /// Of what a role can do alone, what it should: most for itself, then least for the others, and of what loses what
    /// takes the others longest.
    fn best(&self, look: &Look, role: RoleId, candidates: &[Candidate]) -> usize {
        let others = |id: MoveId| {
            // The others have no choice: one joint move has it, or chance's moves do.
            let own = usize::from(role.0);
            let place = look.joints.iter().position(|joint| joint[own] == id).unwrap_or(0);
            let next = look.behind[place];
            let roles = (0..self.graph().roles() as u16).map(RoleId).filter(|&other| other != role);
            roles.fold(Worth::default(), |sum, other| {
                let worth = self.worth(next, other);
                Worth { value: sum.value + worth.value, steps: sum.steps + worth.steps }
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
    pub fn choose(&self, look: &Look, dice: &mut Dice) -> Vec<MoveId> {
        let choose = |(role, legal): (u16, &Vec<MoveId>)| {
            if let [only] = legal[..] {
                return only;
            }
            let candidates = self.candidates(look, RoleId(role));
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
        (0..).zip(&look.legal).map(choose).collect()
    }

    /// How the game goes from a state on when everybody plays at best. It ends early where play comes back to a state.
    pub fn line(
        &self,
        batch: &BatchMachine,
        from: &CircuitState,
        dice: &mut Dice,
    ) -> Result<Vec<Step>, SolverError> {
        let mut seen = rustc_hash::FxHashSet::default();
        let (mut state, mut line) = (from.clone(), Vec::new());
        while line.len() < LONGEST && seen.insert(state.clone()) {
            let Some(look) = self.look(batch, &state)?.filter(|look| look.goals.is_none()) else { break };
            let joint = self.choose(&look, dice);
            let Some(next) = look.next(&joint).cloned() else { break };
            line.push(Step { joint, next: next.clone() });
            state = next;
        }
        Ok(line)
    }
}

//! Many states of a space at once.

use std::sync::Arc;

use game::{Choices, Dice, Expansions, Game, Goal, GoalReading, MoveId, RoleId, Simulator};
use machine::batch::{BatchMachine, BatchWorkspace};
use machine::circuit::CircuitState;

/// The one player.
pub(crate) const PLAYER: RoleId = RoleId(0);

/// A batch machine with room to work in. Circuits answer every question: there are no faults to be
/// handed on, a state in which nobody can move is simply one without moves.
#[derive(Debug)]
pub(crate) struct Lanes {
    batch: Arc<BatchMachine>,
    workspace: BatchWorkspace,
    expansions: Expansions,
    readings: Vec<GoalReading>,
}

/// What one look at some states shows.
#[derive(Debug, Default)]
pub(crate) struct Look {
    /// The states in which the game is over, by their place, and what is reached there.
    pub(crate) ends: Vec<(u32, Goal)>,
    /// The steps from the others: the place of the state, and the move.
    pub(crate) steps: Vec<(u32, MoveId)>,
}

impl Lanes {
    pub(crate) fn new(batch: &Arc<BatchMachine>) -> Self {
        Self {
            batch: Arc::clone(batch),
            workspace: batch.workspace(),
            expansions: Expansions::new(),
            readings: Vec::new(),
        }
    }

    fn expand(&mut self, states: &[CircuitState]) {
        let states: Vec<&CircuitState> = states.iter().collect();
        if self.batch.expand_all(&mut self.workspace, &states, &mut self.expansions).is_err() {
            self.expansions.begin(1);
        }
    }

    /// Looks at states: which are terminal, and which moves there are from the others.
    pub(crate) fn look(&mut self, states: &[CircuitState], out: &mut Look) {
        self.expand(states);
        out.ends.clear();
        out.steps.clear();
        for (index, choices) in (0..).zip(self.expansions.iter()) {
            if choices.is_terminal() {
                out.ends.push((index, Goal(0)));
            } else {
                out.steps.extend(choices.legal(PLAYER).iter().map(|&id| (index, id)));
            }
        }
        for end in &mut out.ends {
            end.1 = self.goal(&states[end.0 as usize]);
        }
    }

    /// Makes steps.
    pub(crate) fn advance(
        &mut self,
        states: &[CircuitState],
        steps: &[(u32, MoveId)],
        out: &mut Vec<CircuitState>,
    ) {
        let from: Vec<&CircuitState> = steps.iter().map(|&(index, _)| &states[index as usize]).collect();
        let moves: Vec<MoveId> = steps.iter().map(|&(_, id)| id).collect();
        if self.batch.apply_all(&mut self.workspace, &from, &moves, out).is_err() {
            out.clear();
        }
    }

    /// Plays on from states by chance, and says what each playout reached with which moves; `None`
    /// for those that were not at their end when the time was.
    pub(crate) fn play(
        &mut self,
        starts: Vec<CircuitState>,
        dice: &mut Dice,
        most_steps: usize,
        is_over: &dyn Fn() -> bool,
    ) -> Vec<Option<(Goal, Vec<MoveId>)>> {
        let mut ended = vec![None; starts.len()];
        let mut lines = vec![Vec::new(); starts.len()];
        // Which playout each state belongs to.
        let mut playouts: Vec<usize> = (0..starts.len()).collect();
        let (mut states, mut successors, mut look) = (starts, Vec::new(), Look::default());
        for _ in 0..most_steps {
            self.look(&states, &mut look);
            for &(index, goal) in &look.ends {
                let playout = playouts[index as usize];
                ended[playout] = Some((goal, std::mem::take(&mut lines[playout])));
            }
            let of_one = look.steps.chunk_by(|first, second| first.0 == second.0);
            let chosen: Vec<(u32, MoveId)> = of_one.map(|steps| steps[dice.below(steps.len())]).collect();
            if chosen.is_empty() || is_over() {
                break;
            }
            playouts = chosen.iter().map(|&(index, _)| playouts[index as usize]).collect();
            playouts.iter().zip(&chosen).for_each(|(&playout, step)| lines[playout].push(step.1));
            self.advance(&states, &chosen, &mut successors);
            std::mem::swap(&mut states, &mut successors);
        }
        ended
    }

    /// The number of legal moves of each state; `None` where the game is over.
    pub(crate) fn mobility(&mut self, states: &[CircuitState], out: &mut Vec<Option<u32>>) {
        self.expand(states);
        out.clear();
        let count =
            |choices: Choices<'_>| (!choices.is_terminal()).then(|| choices.legal(PLAYER).len() as u32);
        out.extend(self.expansions.iter().map(count));
    }

    /// What is reached in a state.
    pub(crate) fn goal(&mut self, state: &CircuitState) -> Goal {
        match self.batch.goals(&mut self.workspace, state, &mut self.readings) {
            Ok(()) => self.readings.first().copied().unwrap_or_default().value(),
            Err(_) => Goal(0),
        }
    }
}

//! What roles are told, in games in which not everybody sees everything (GDL-II).
//!
//! An engine for hidden information demands [`Observe`] and keeps what it was told, not the state. A
//! machine that evaluates `sees` implements it; a game in which everybody sees everything is made to
//! fit by [`CompleteInformation`]. [`Game`] alone says nothing of what is seen: an engine that demands no more than
//! that takes it for granted that all moves are known, and must not be given a game that hides some.

use std::fmt::Debug;
use std::hash::Hash;

use crate::{Expansion, Game, GoalReading, MoveId, RoleId, RuleFault};

/// A game that says what each role is told of a step.
pub trait Observe: Game {
    /// One thing that a role is told. What looks the same to a role is equal.
    type Percept: Clone + Eq + Hash + Debug + Send + Sync + 'static;

    /// What a role is told when a joint move is made in a state, besides its own move, which it
    /// knows. In the same order whenever it is the same.
    fn observe(
        &self,
        workspace: &mut Self::Workspace,
        state: &Self::State,
        joint: &[MoveId],
        role: RoleId,
        out: &mut Vec<Self::Percept>,
    ) -> Result<(), RuleFault>;

    /// What a role is told in each of many steps: `joints` has one move per role for state after state.
    fn observe_all(
        &self,
        workspace: &mut Self::Workspace,
        states: &[&Self::State],
        joints: &[MoveId],
        role: RoleId,
        out: &mut Vec<Vec<Self::Percept>>,
    ) -> Result<(), RuleFault> {
        out.resize_with(states.len(), Vec::new);
        for ((state, joint), told) in states.iter().zip(joints.chunks(self.role_count())).zip(out) {
            self.observe(workspace, state, joint, role, told)?;
        }
        Ok(())
    }
}

/// A role was seen to make a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Seen {
    /// Who made it.
    pub role: RoleId,
    /// Which it was.
    pub id: MoveId,
}

/// A game in which everybody sees the joint move (all of GDL-I), for engines that ask what is seen.
///
/// Only who knows the rules can say that they hide nothing, so this is not done to any game by itself.
#[derive(Clone, Copy, Debug)]
pub struct CompleteInformation<'g, G>(pub &'g G);

impl<G: Game> Game for CompleteInformation<'_, G> {
    type State = G::State;
    type Workspace = G::Workspace;

    fn role_count(&self) -> usize {
        self.0.role_count()
    }

    fn chance(&self) -> Option<RoleId> {
        self.0.chance()
    }

    fn workspace(&self) -> G::Workspace {
        self.0.workspace()
    }

    fn initial(&self) -> G::State {
        self.0.initial()
    }

    fn expand(
        &self,
        workspace: &mut G::Workspace,
        state: &G::State,
        out: &mut Expansion,
    ) -> Result<(), RuleFault> {
        self.0.expand(workspace, state, out)
    }

    fn apply(
        &self,
        workspace: &mut G::Workspace,
        state: &G::State,
        joint: &[MoveId],
    ) -> Result<G::State, RuleFault> {
        self.0.apply(workspace, state, joint)
    }

    fn goals(
        &self,
        workspace: &mut G::Workspace,
        state: &G::State,
        out: &mut Vec<GoalReading>,
    ) -> Result<(), RuleFault> {
        self.0.goals(workspace, state, out)
    }
}

impl<G: Game> Observe for CompleteInformation<'_, G> {
    type Percept = Seen;

    fn observe(
        &self,
        _workspace: &mut G::Workspace,
        _state: &G::State,
        joint: &[MoveId],
        _role: RoleId,
        out: &mut Vec<Seen>,
    ) -> Result<(), RuleFault> {
        out.clear();
        out.extend(self.role_ids().zip(joint).map(|(role, &id)| Seen { role, id }));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coin::{Coin, HEADS, TAILS};

    /// Whether what a role is told tells two joint moves apart.
    fn differ<G: Observe>(game: &G, role: RoleId, one: &[MoveId], two: &[MoveId]) -> bool {
        let (mut workspace, state) = (game.workspace(), game.initial());
        let mut told = |joint: &[MoveId]| {
            let mut percepts = Vec::new();
            game.observe(&mut workspace, &state, joint, role, &mut percepts).expect("no fault");
            percepts
        };
        told(one) != told(two)
    }

    #[test]
    fn where_nothing_is_hidden_every_joint_move_is_told_from_every_other() {
        let game = CompleteInformation(&Coin);
        let mut expansion = Expansion::new();
        game.expand(&mut (), &game.initial(), &mut expansion).expect("no fault");
        let joints: Vec<Vec<MoveId>> = expansion.joint_moves().collect();
        assert_eq!(joints.len(), 4);
        for role in game.role_ids() {
            for (number, one) in joints.iter().enumerate() {
                for (other, two) in joints.iter().enumerate() {
                    assert_eq!(differ(&game, role, one, two), number != other);
                }
            }
        }
        let mut told = Vec::new();
        game.observe(&mut (), &game.initial(), &[HEADS, TAILS], RoleId(1), &mut told).expect("no fault");
        assert_eq!(told, [Seen { role: RoleId(0), id: HEADS }, Seen { role: RoleId(1), id: TAILS }]);
    }

    /// A coin that is thrown under a cup: who guesses is told nothing of the throw.
    struct UnderACup;

    impl Game for UnderACup {
        type State = crate::coin::Score;
        type Workspace = ();

        fn role_count(&self) -> usize {
            Coin.role_count()
        }

        fn chance(&self) -> Option<RoleId> {
            Coin.chance()
        }

        fn workspace(&self) {}

        fn initial(&self) -> Self::State {
            Coin.initial()
        }

        fn expand(&self, (): &mut (), state: &Self::State, out: &mut Expansion) -> Result<(), RuleFault> {
            Coin.expand(&mut (), state, out)
        }

        fn apply(
            &self,
            (): &mut (),
            state: &Self::State,
            joint: &[MoveId],
        ) -> Result<Self::State, RuleFault> {
            Coin.apply(&mut (), state, joint)
        }

        fn goals(
            &self,
            (): &mut (),
            state: &Self::State,
            out: &mut Vec<GoalReading>,
        ) -> Result<(), RuleFault> {
            Coin.goals(&mut (), state, out)
        }
    }

    impl Observe for UnderACup {
        type Percept = Seen;

        fn observe(
            &self,
            (): &mut (),
            _state: &Self::State,
            joint: &[MoveId],
            role: RoleId,
            out: &mut Vec<Seen>,
        ) -> Result<(), RuleFault> {
            out.clear();
            out.extend((self.chance() == Some(role)).then(|| Seen { role: RoleId(0), id: joint[0] }));
            Ok(())
        }
    }

    #[test]
    fn a_game_may_hide_what_others_see() {
        let thrown = ([HEADS, HEADS], [HEADS, TAILS]);
        assert!(!differ(&UnderACup, RoleId(0), &thrown.0, &thrown.1));
        assert!(differ(&CompleteInformation(&UnderACup), RoleId(0), &thrown.0, &thrown.1));
    }
}

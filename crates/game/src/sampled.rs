//! Steps with dice: the room for games whose next state is drawn (chance in GDL-II, all of VGDL).
//!
//! An engine that draws every step anew, and keeps moves in its tree rather than states, demands
//! [`Sampled`] and nothing else. Every [`Game`] has it: where chance is a role its move is drawn. A
//! game with dice inside its steps, which has no one successor to [`apply`](Game::apply), implements
//! it directly. The names are not those of [`Game`], as a machine that has both is asked for both.

use std::fmt::Debug;

use crate::{Dice, Expansion, Game, GoalReading, MoveId, RoleId, RuleFault};

/// A game whose steps take dice. Only those who decide move; dice do the rest.
pub trait Sampled: Send + Sync {
    /// A position. States need not be compared: what an engine remembers are moves.
    type Position: Clone + Debug + Send + Sync + 'static;
    /// Scratch space, one per thread.
    type Scratch: Send;

    /// The roles that decide, in the order in which their moves are given.
    fn deciders(&self) -> Vec<RoleId>;

    /// Fresh scratch space.
    fn scratch(&self) -> Self::Scratch;

    /// The position at the beginning.
    fn begin(&self) -> Self::Position;

    /// Whether the game is over and, if it is not, the legal moves of those who decide.
    fn options(
        &self,
        scratch: &mut Self::Scratch,
        position: &Self::Position,
        out: &mut Expansion,
    ) -> Result<(), RuleFault>;

    /// A position drawn from those that may follow when those who decide make these moves, in the
    /// order of [`Sampled::deciders`]. The same dice give the same position.
    fn step(
        &self,
        scratch: &mut Self::Scratch,
        position: &Self::Position,
        moves: &[MoveId],
        dice: &mut Dice,
    ) -> Result<Self::Position, RuleFault>;

    /// What each of those who decide has reached.
    fn reached(
        &self,
        scratch: &mut Self::Scratch,
        position: &Self::Position,
        out: &mut Vec<GoalReading>,
    ) -> Result<(), RuleFault>;
}

/// Scratch space to take steps with dice in a [`Game`].
#[derive(Debug)]
pub struct StepScratch<Workspace> {
    workspace: Workspace,
    expansion: Expansion,
    joint: Vec<MoveId>,
}

impl<G: Game> Sampled for G {
    type Position = G::State;
    type Scratch = StepScratch<G::Workspace>;

    fn deciders(&self) -> Vec<RoleId> {
        self.role_ids().filter(|&role| Some(role) != self.chance()).collect()
    }

    fn scratch(&self) -> Self::Scratch {
        StepScratch { workspace: self.workspace(), expansion: Expansion::new(), joint: Vec::new() }
    }

    fn begin(&self) -> G::State {
        self.initial()
    }

    fn options(
        &self,
        scratch: &mut Self::Scratch,
        position: &G::State,
        out: &mut Expansion,
    ) -> Result<(), RuleFault> {
        let Some(chance) = self.chance() else {
            return self.expand(&mut scratch.workspace, position, out);
        };
        self.expand(&mut scratch.workspace, position, &mut scratch.expansion)?;
        out.begin(scratch.expansion.is_terminal());
        for (_, legal) in self.role_ids().zip(scratch.expansion.by_role()).filter(|(role, _)| *role != chance)
        {
            legal.iter().for_each(|&id| out.push(id));
            out.end_role();
        }
        Ok(())
    }

    fn step(
        &self,
        scratch: &mut Self::Scratch,
        position: &G::State,
        moves: &[MoveId],
        dice: &mut Dice,
    ) -> Result<G::State, RuleFault> {
        let StepScratch { workspace, expansion, joint } = scratch;
        let Some(chance) = self.chance() else { return self.apply(workspace, position, moves) };
        self.expand(workspace, position, expansion)?;
        let legal = expansion.legal(chance);
        let drawn = *legal.get(dice.below(legal.len())).ok_or(RuleFault::NoLegalMove(chance))?;
        joint.clear();
        joint.extend_from_slice(moves);
        joint.insert((chance.0 as usize).min(moves.len()), drawn);
        self.apply(workspace, position, joint)
    }

    fn reached(
        &self,
        scratch: &mut Self::Scratch,
        position: &G::State,
        out: &mut Vec<GoalReading>,
    ) -> Result<(), RuleFault> {
        self.goals(&mut scratch.workspace, position, out)?;
        if let Some(chance) = self.chance().filter(|chance| (chance.0 as usize) < out.len()) {
            out.remove(chance.0 as usize);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Goal;
    use crate::coin::{Coin, HEADS, ROUNDS};

    /// Plays with the same guess all the time, by an engine that knows nothing but steps.
    fn play<S: Sampled>(game: &S, guess: MoveId, seed: u64) -> Vec<GoalReading> {
        let (mut scratch, mut position) = (game.scratch(), game.begin());
        let (mut dice, mut options, mut reached) = (Dice::new(seed), Expansion::new(), Vec::new());
        loop {
            game.options(&mut scratch, &position, &mut options).expect("no fault");
            if options.is_terminal() {
                break;
            }
            assert_eq!(options.by_role().count(), game.deciders().len());
            let moves: Vec<MoveId> = options.by_role().map(|_| guess).collect();
            position = game.step(&mut scratch, &position, &moves, &mut dice).expect("no fault");
        }
        game.reached(&mut scratch, &position, &mut reached).expect("no fault");
        reached
    }

    #[test]
    fn chance_is_drawn_and_does_not_decide() {
        assert_eq!(Coin.deciders(), [RoleId(0)]);
        let goals: Vec<u32> = (0..200)
            .map(|seed| match play(&Coin, HEADS, seed)[..] {
                [GoalReading::One(Goal(goal))] => u32::from(goal),
                ref other => panic!("one decides, and has a goal: {other:?}"),
            })
            .collect();
        // Each throw is right with one in two; a goal counts right throws.
        let right: u32 = goals.iter().sum();
        let thrown = 200 * u32::from(ROUNDS);
        assert!((thrown * 2 / 5..thrown * 3 / 5).contains(&right), "{right} of {thrown}");
        assert_eq!(play(&Coin, HEADS, 7), play(&Coin, HEADS, 7));
        assert!(goals.iter().any(|&goal| goal != goals[0]), "{goals:?}");
    }

    /// A game with dice inside its steps, as there are in VGDL: it has no successor to apply.
    struct Walk;

    impl Sampled for Walk {
        type Position = i32;
        type Scratch = ();

        fn deciders(&self) -> Vec<RoleId> {
            vec![RoleId(0)]
        }

        fn scratch(&self) {}

        fn begin(&self) -> i32 {
            0
        }

        fn options(&self, (): &mut (), position: &i32, out: &mut Expansion) -> Result<(), RuleFault> {
            out.begin(position.abs() >= 3);
            if position.abs() < 3 {
                out.push(HEADS);
            }
            out.end_role();
            Ok(())
        }

        fn step(&self, (): &mut (), position: &i32, _: &[MoveId], dice: &mut Dice) -> Result<i32, RuleFault> {
            Ok(position + if dice.below(2) == 0 { 1 } else { -1 })
        }

        fn reached(&self, (): &mut (), position: &i32, out: &mut Vec<GoalReading>) -> Result<(), RuleFault> {
            out.clear();
            out.push(GoalReading::One(Goal(if *position > 0 { 100 } else { 0 })));
            Ok(())
        }
    }

    #[test]
    fn the_same_engine_plays_a_game_that_has_nothing_but_steps() {
        let ends: Vec<Vec<GoalReading>> = (0..20).map(|seed| play(&Walk, HEADS, seed)).collect();
        assert!(ends.contains(&vec![GoalReading::One(Goal(100))]));
        assert!(ends.contains(&vec![GoalReading::One(Goal(0))]));
    }
}

//! Moves that decide: wins at once, and what the others could win by at once.
//!
//! Playouts that take a win when there is one, and do not leave the next role one, judge positions far
//! better than blind ones (Teytaud and Teytaud 2010, "On the huge benefit of decisive moves"). This is the
//! definition, for one state at a time on any machine. Machines that play in lanes are checked against it.
//!
//! A win is the end of the game with a goal of 100. Only states count in which one role alone has a choice,
//! and that role is not chance: with several who choose at once nobody's move decides.

use crate::{Expansion, Game, Goal, GoalReading, MoveId, RoleId, RuleFault};

/// What cannot be bettered.
const BEST: Goal = Goal(100);

/// How far playouts look for moves that decide.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Decisive {
    /// Not at all.
    #[default]
    None,
    /// Who can win at once does.
    Wins,
    /// Also, who cannot makes no move that lets someone else win at once, if it has another.
    WinsAndStops,
}

/// What the one role that has a choice may do in a playout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Narrowed {
    /// Who chooses.
    pub role: RoleId,
    /// Whether the outcome is certain: it wins at once, or whatever it does someone else does.
    pub is_settled: bool,
}

/// Looks for moves that decide; kept, so that looking costs few allocations.
#[derive(Clone, Debug, Default)]
pub struct DecisiveFilter {
    /// The moves that may be made, in the order in which they are listed.
    moves: Vec<MoveId>,
    joint: Vec<MoveId>,
    after: Expansion,
    end: Expansion,
    goals: Vec<GoalReading>,
}

impl DecisiveFilter {
    /// The moves found last.
    pub fn moves(&self) -> &[MoveId] {
        &self.moves
    }

    /// Finds the moves that a playout may make in a state that is not terminal; `None` if all that are legal,
    /// as nobody is alone with a choice.
    pub fn narrow<G: Game + ?Sized>(
        &mut self,
        game: &G,
        workspace: &mut G::Workspace,
        state: &G::State,
        expansion: &Expansion,
        level: Decisive,
    ) -> Result<Option<Narrowed>, RuleFault> {
        let mut choosing = expansion.by_role().enumerate().filter(|(_, legal)| legal.len() > 1);
        let (Some((mover, legal)), None) = (choosing.next(), choosing.next()) else { return Ok(None) };
        let role = RoleId(mover as u16);
        if level == Decisive::None || game.chance() == Some(role) {
            return Ok(None);
        }
        let Some(joint) = expansion.by_role().map(|legal| legal.first().copied()).collect() else {
            return Ok(None);
        };
        self.joint = joint;
        self.moves.clear();
        let mut safe = Vec::new();
        for &id in legal {
            self.joint[mover] = id;
            let next = game.apply(workspace, state, &self.joint)?;
            game.expand(workspace, &next, &mut self.after)?;
            let is_over = self.after.is_terminal();
            if is_over {
                game.goals(workspace, &next, &mut self.goals)?;
                if self.goals[mover].value() == BEST {
                    self.moves.push(id);
                    continue;
                }
            }
            // Once there is a win nobody asks.
            if level == Decisive::Wins || !self.moves.is_empty() {
                continue;
            }
            let is_lost = if is_over {
                let others = (0..).map(RoleId).zip(&self.goals).filter(|(other, _)| *other != role);
                others
                    .filter(|(other, _)| game.chance() != Some(*other))
                    .any(|(_, goal)| goal.value() == BEST)
            } else {
                self.is_threatened(game, workspace, &next, role)?
            };
            if !is_lost {
                safe.push(id);
            }
        }
        let wins = !self.moves.is_empty();
        let is_settled = wins || level == Decisive::WinsAndStops && safe.is_empty();
        if !wins {
            self.moves.extend(if safe.is_empty() { legal } else { &safe });
        }
        Ok(Some(Narrowed { role, is_settled }))
    }

    /// Whether someone but a role can win at once in a state whose moves are listed in `after`.
    fn is_threatened<G: Game + ?Sized>(
        &mut self,
        game: &G,
        workspace: &mut G::Workspace,
        state: &G::State,
        role: RoleId,
    ) -> Result<bool, RuleFault> {
        let Some(mut joint) =
            self.after.by_role().map(|legal| legal.first().copied()).collect::<Option<Vec<MoveId>>>()
        else {
            return Ok(false);
        };
        let choosing = self.after.by_role().filter(|legal| legal.len() > 1).count();
        for (other, legal) in self.after.by_role().enumerate() {
            let id = RoleId(other as u16);
            let is_alone = choosing == usize::from(legal.len() > 1);
            if id == role || game.chance() == Some(id) || !is_alone {
                continue;
            }
            let forced = joint[other];
            for &id in legal {
                joint[other] = id;
                let next = game.apply(workspace, state, &joint)?;
                game.expand(workspace, &next, &mut self.end)?;
                if self.end.is_terminal() {
                    game.goals(workspace, &next, &mut self.goals)?;
                    if self.goals[other].value() == BEST {
                        return Ok(true);
                    }
                }
            }
            joint[other] = forced;
        }
        Ok(false)
    }
}

//! How playouts choose their moves.

use game::{Dice, Expansion, Goal, MoveId};
use rustc_hash::FxHashMap;

use crate::facts::Facts;
use crate::lanes::PLAYER;

/// How a playout chooses its moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// Any move.
    Random,
    /// The move to the state that differs most from the last ones.
    Exploration {
        /// How many of the last states it is compared with.
        depth: usize,
        /// Whether facts that are lost count as well as those that are new.
        both_ways: bool,
    },
    /// The move after which there are the most moves.
    Mobility,
    /// The move with the best average score, wherever it was made.
    History,
}

impl Strategy {
    /// The paper's choice: six explorations and chance.
    pub fn dedicated() -> Vec<Self> {
        Self::explorations(&[4, 6, 8])
    }

    /// Chance, and explorations of some depths, both ways and one way.
    pub fn explorations(depths: &[usize]) -> Vec<Self> {
        let pair = |&depth: &usize| [false, true].map(|both_ways| Self::Exploration { depth, both_ways });
        depths.iter().flat_map(pair).chain([Self::Random]).collect()
    }

    /// All strategies there are here.
    pub fn all() -> Vec<Self> {
        let mut all = Self::dedicated();
        all.extend([Self::Mobility, Self::History]);
        all
    }

    /// The name that a plan's finder goes by.
    pub fn name(self) -> &'static str {
        match self {
            Self::Random => "random playouts",
            Self::Exploration { .. } => "exploring playouts",
            Self::Mobility => "mobile playouts",
            Self::History => "playouts by history",
        }
    }

    /// Chooses among legal moves in the last of some states; among equals any.
    pub(super) fn choose<G: Facts>(
        self,
        game: &G,
        workspace: &mut G::Workspace,
        states: &[G::State],
        legal: &[MoveId],
        history: &History,
        dice: &mut Dice,
    ) -> Option<MoveId> {
        let now = states.last()?;
        let mut best = (f64::NEG_INFINITY, None);
        let mut ties = 0;
        for &id in legal {
            let worth = match self {
                Self::Random => return Some(legal[dice.below(legal.len())]),
                Self::History => history.mean(id),
                Self::Mobility => {
                    let next = game.apply(workspace, now, &[id]).ok()?;
                    let mut expansion = Expansion::new();
                    game.expand(workspace, &next, &mut expansion).ok()?;
                    expansion.legal(PLAYER).len() as f64
                }
                Self::Exploration { depth, both_ways } => {
                    let next = game.apply(workspace, now, &[id]).ok()?;
                    let recent = &states[states.len().saturating_sub(depth)..];
                    let difference = |state: &G::State| {
                        let (gained, lost) = game.differences(&next, state);
                        gained + if both_ways { lost } else { 0 }
                    };
                    f64::from(recent.iter().map(difference).min().unwrap_or(0))
                }
            };
            if worth > best.0 {
                best = (worth, Some(id));
                ties = 1;
            } else if worth == best.0 {
                ties += 1;
                if dice.below(ties) == 0 {
                    best.1 = Some(id);
                }
            }
        }
        best.1
    }
}

/// The scores of playouts by the moves made in them.
#[derive(Debug, Default)]
pub(super) struct History(FxHashMap<MoveId, (f64, f64)>);

impl History {
    pub(super) fn learn(&mut self, line: &[MoveId], score: Goal) {
        for &id in line {
            let entry = self.0.entry(id).or_default();
            entry.0 += 1.0;
            entry.1 += f64::from(score.0);
        }
    }

    fn mean(&self, id: MoveId) -> f64 {
        self.0.get(&id).map_or(0.0, |&(count, sum)| sum / count)
    }
}

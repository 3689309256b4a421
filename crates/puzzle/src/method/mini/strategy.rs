//! How playouts choose their moves.

use game::{Dice, Expansion, Goal, GoalReading, MoveId};
use rustc_hash::FxHashMap;

use super::goals::GoalTree;
use super::symbols::Symbols;
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
    /// The move after which the highest goal holds furthest (approximate goal evaluation).
    Goal,
    /// The move to the state whose symbols went along with high scores (statistical symbols
    /// counting); any move until enough was seen.
    Symbols,
    /// The move after which the goal would be highest if the game were over.
    Score,
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

    /// All strategies there are.
    pub fn all() -> Vec<Self> {
        let mut all = Self::dedicated();
        all.extend([Self::Goal, Self::History, Self::Mobility, Self::Symbols, Self::Score]);
        all
    }

    /// The name that a plan's finder goes by.
    pub fn name(self) -> &'static str {
        match self {
            Self::Random => "random playouts",
            Self::Exploration { .. } => "exploring playouts",
            Self::Mobility => "mobile playouts",
            Self::History => "playouts by history",
            Self::Goal => "playouts by goal evaluation",
            Self::Symbols => "playouts by symbols",
            Self::Score => "playouts by score",
        }
    }

    /// Chooses among legal moves in the last of some states; among equals any.
    pub(super) fn choose<G: Facts>(
        self,
        game: &G,
        workspace: &mut G::Workspace,
        states: &[G::State],
        legal: &[MoveId],
        knowledge: &mut Knowledge,
        dice: &mut Dice,
    ) -> Option<MoveId> {
        let now = states.last()?;
        let mut best = (f64::NEG_INFINITY, None);
        let mut ties = 0;
        for &id in legal {
            let worth = match self {
                Self::Random => return Some(legal[dice.below(legal.len())]),
                Self::History => knowledge.mean(id),
                _ => {
                    let next = game.apply(workspace, now, &[id]).ok()?;
                    self.judge(game, workspace, states, &next, knowledge)?
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

    /// What a next state is worth.
    fn judge<G: Facts>(
        self,
        game: &G,
        workspace: &mut G::Workspace,
        states: &[G::State],
        next: &G::State,
        knowledge: &mut Knowledge,
    ) -> Option<f64> {
        Some(match self {
            Self::Random | Self::History => 0.0,
            Self::Mobility => {
                let mut expansion = Expansion::new();
                game.expand(workspace, next, &mut expansion).ok()?;
                expansion.legal(PLAYER).len() as f64
            }
            Self::Exploration { depth, both_ways } => {
                let recent = &states[states.len().saturating_sub(depth)..];
                let difference = |state: &G::State| {
                    let (gained, lost) = game.differences(next, state);
                    gained + if both_ways { lost } else { 0 }
                };
                f64::from(recent.iter().map(difference).min().unwrap_or(0))
            }
            Self::Score => {
                let mut readings: Vec<GoalReading> = Vec::new();
                game.goals(workspace, next, &mut readings).ok()?;
                f64::from(readings.first().copied().unwrap_or_default().value().0)
            }
            Self::Goal => {
                game.numbers(next, &mut knowledge.facts);
                knowledge.goals.as_mut().map_or(0.0, |goals| goals.degree(&knowledge.facts))
            }
            Self::Symbols => {
                game.numbers(next, &mut knowledge.facts);
                knowledge.symbols.as_ref().map_or(0.0, |symbols| symbols.worth(&knowledge.facts))
            }
        })
    }
}

/// What strategies know beside the states.
#[derive(Debug, Default)]
pub(super) struct Knowledge {
    /// The scores of playouts by the moves made in them: how many, and their sum.
    history: FxHashMap<MoveId, (f64, f64)>,
    goals: Option<GoalTree>,
    symbols: Option<Symbols>,
    /// Scratch.
    facts: Vec<u32>,
}

impl Knowledge {
    /// What some strategies need to know. Without a circuit nothing is known of goals and symbols,
    /// and the strategies that go by them choose any move.
    pub(super) fn new<G: Facts>(game: &G, strategies: &[Strategy]) -> Self {
        let circuit = game.gates();
        let wanted = |strategy| circuit.filter(|_| strategies.contains(&strategy));
        Self {
            goals: wanted(Strategy::Goal).and_then(GoalTree::new),
            symbols: wanted(Strategy::Symbols).map(Symbols::new),
            ..Self::default()
        }
    }

    /// Learns from a simulation.
    pub(super) fn learn<G: Facts>(&mut self, game: &G, line: &[MoveId], states: &[G::State], score: Goal) {
        let score = f64::from(score.0);
        for &id in line {
            let entry = self.history.entry(id).or_default();
            entry.0 += 1.0;
            entry.1 += score;
        }
        if let Some(symbols) = &mut self.symbols {
            let mut times: FxHashMap<u32, u32> = FxHashMap::default();
            for state in states {
                game.numbers(state, &mut self.facts);
                self.facts.iter().for_each(|&fact| *times.entry(fact).or_default() += 1);
            }
            symbols.learn(&times, states.len(), score);
        }
    }

    pub(super) fn mean(&self, id: MoveId) -> f64 {
        self.history.get(&id).map_or(0.0, |&(count, sum)| sum / count)
    }
}

//! Positions as sets of facts, and what came of playing on from them: what methods learn from that need not know a
//! machine.

use game::{Describe, Expansions, RuleFault, Simulator};

use crate::columns::{AtomId, Columns};
use crate::derived::{GROUP, Lanes};
use crate::knowledge::{Group, Knowledge, TOGETHER};
use crate::observations::look;
use crate::positions::Positions;
use crate::statistics::{mean, variance};
use rustc_hash::FxHashMap;

/// Positions to learn from.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The facts that were met.
    pub facts: Vec<String>,
    /// Which positions have which of them, by the same numbers.
    pub columns: Columns,
    /// For each role the score of each position, from 0 to 1.
    pub scores: Vec<Vec<f64>>,
    /// For each position how many moves each role has, position after position.
    pub moves: Vec<u32>,
    /// How many moves led to each position.
    pub depths: Vec<u32>,
    /// The mean length of a random game.
    pub length: f64,
    /// The roles.
    pub roles: Vec<String>,
    /// The role whose moves are drawn.
    pub chance: Option<usize>,
}

impl Sample {
    /// Looks at positions of a game.
    pub fn new<G: Simulator + Describe>(
        game: &G,
        positions: &Positions<G::State>,
    ) -> Result<Self, RuleFault> {
        let columns = look(game, &positions.states, None);
        let text = |&key: &u64| game.fact_text(game::FactId(key as u32));
        let facts = columns.keys().iter().map(text).collect();
        let mut expansions = Expansions::new();
        let states: Vec<&G::State> = positions.states.iter().collect();
        game.expand_all(&mut game.workspace(), &states, &mut expansions)?;
        let moves = expansions.iter().flat_map(|choices| {
            let counts: Vec<u32> = choices.by_role().map(|moves| moves.len() as u32).collect();
            counts
        });
        let scores = positions.scores.iter().map(|scores| scores.iter().map(|goal| goal / 100.0).collect());
        Ok(Self {
            facts,
            columns,
            scores: scores.collect(),
            moves: moves.collect(),
            depths: positions.depths.clone(),
            length: positions.length,
            roles: game.roles().to_vec(),
            chance: game.chance().map(|chance| usize::from(chance.0)),
        })
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.columns.states()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Goes through the positions in groups that hold some facts; with each comes the number of its first position.
    pub fn groups(&self, facts: &[String], mut with: impl FnMut(usize, &Group<'_>)) {
        let own: FxHashMap<&str, u32> = self.facts.iter().map(String::as_str).zip(0..).collect();
        let places: Vec<Option<AtomId>> =
            facts.iter().map(|fact| own.get(fact.as_str()).map(|&place| AtomId(place))).collect();
        let (roles, words) = (self.roles.len(), self.columns.words());
        for first in (0..words).step_by(GROUP) {
            let count = (words - first).min(GROUP);
            let lanes = |place: &Option<AtomId>| {
                let mut lanes: Lanes = [0; GROUP];
                if let Some(atom) = place {
                    lanes[..count].copy_from_slice(&self.columns.column(*atom)[first..first + count]);
                }
                lanes
            };
            let facts: Vec<Lanes> = places.iter().map(lanes).collect();
            let start = 64 * first;
            let states = (self.len() - start).min(TOGETHER);
            let moves = &self.moves[start * roles..(start + states) * roles];
            with(start, &Group { facts: &facts, moves, states });
        }
    }

    /// What knowledge says of all positions, position after position, role after role.
    pub fn judge(&self, knowledge: &dyn Knowledge) -> Vec<f64> {
        let roles = self.roles.len();
        let mut values = vec![0.0; self.len() * roles];
        self.groups(knowledge.facts(), |first, group| {
            knowledge.judge(group, &mut values[first * roles..(first + group.states) * roles]);
        });
        values
    }

    /// How far knowledge explains the scores, role by role: 1 - (its mean square error) / (that of the mean score).
    pub fn explained(&self, knowledge: &dyn Knowledge) -> Vec<f64> {
        let values = self.judge(knowledge);
        let roles = self.roles.len();
        let of = |(role, scores): (usize, &Vec<f64>)| {
            let said = values.iter().skip(role).step_by(roles);
            let errors: Vec<f64> = said.zip(scores).map(|(value, score)| (value - score).powi(2)).collect();
            let all = variance(scores);
            if all > 0.0 { 1.0 - mean(&errors) / all } else { 0.0 }
        };
        self.scores.iter().enumerate().map(of).collect()
    }

    /// Whether somebody's scores differ.
    pub fn varies(&self) -> bool {
        self.scores.iter().any(|scores| variance(scores) > 0.0)
    }
}

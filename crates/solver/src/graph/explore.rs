//! How a graph is made: layer after layer, in lanes.

use game::{Choices, Expansions, Game, Goal, GoalReading, MoveId, RoleId, RuleFault, Simulator};
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use machine::alike::{Key, Pose};
use machine::batch::BatchMachine;
use machine::circuit::CircuitState;
use rustc_hash::FxHashMap;

use super::{Limits, NodeId, OVER, PATIENCE, SEVERAL, StateGraph};
use crate::SolverError;

/// More joint moves than this in one state are too many.
const MOST_JOINTS: u64 = 1 << 20;

/// A graph while it is made.
pub(super) struct Explorer<'a> {
    batch: &'a BatchMachine,
    pub(super) graph: StateGraph,
    outcomes: FxHashMap<Box<[Goal]>, u32>,
    workspace: <BatchMachine as Game>::Workspace,
    expansions: Expansions,
    successors: Vec<CircuitState>,
    goals: Vec<GoalReading>,
    /// A state without what does not count.
    row: Vec<u64>,
    /// Whether states are the same in which roles have exchanged their places.
    exchanges: bool,
}

impl<'a> Explorer<'a> {
    pub(super) fn new(batch: &'a BatchMachine, key: Key) -> Self {
        let exchanges = key.exchanges_roles();
        let graph = StateGraph {
            roles: batch.role_count(),
            chance: batch.chance(),
            words: batch.initial().words().len().max(1),
            rows: Vec::new(),
            ends: Vec::new(),
            successors: Vec::new(),
            poses_behind: Vec::new(),
            poses: Vec::new(),
            choosers: Vec::new(),
            counts: FxHashMap::default(),
            outcomes: Vec::new(),
            depth: 0,
            key,
            known: HashTable::new(),
            hashes: Vec::new(),
        };
        Self {
            graph,
            exchanges,
            row: Vec::new(),
            outcomes: FxHashMap::default(),
            workspace: batch.workspace(),
            expansions: Expansions::new(),
            successors: Vec::new(),
            goals: Vec::new(),
            batch,
        }
    }

    /// Notes a state, if it is new. Its number, and how it lies.
    pub(super) fn insert(&mut self, state: &[u64]) -> Result<(u32, Pose), SolverError> {
        let exchanges = self.exchanges;
        let StateGraph { rows, words, key, known, hashes, poses, .. } = &mut self.graph;
        let words = *words;
        self.row.resize(words, 0);
        key.reduce(state, &mut self.row);
        let at = |index: u32| &rows[index as usize * words..(index as usize + 1) * words];
        let (hash, pose) =
            if exchanges { key.pose(&self.row) } else { (key.hash(&self.row), Pose::default()) };
        let rehash =
            |&other: &u32| hashes.get(other as usize).copied().unwrap_or_else(|| key.hash(at(other)));
        match known.entry(hash, |&other| key.are_same(at(other), &self.row), rehash) {
            Entry::Occupied(entry) => Ok((*entry.get(), pose)),
            Entry::Vacant(entry) => {
                let count = rows.len() / words;
                let index = u32::try_from(count).ok().filter(|&index| index < u32::MAX);
                let index = index.ok_or(SolverError::TooMany(count))?;
                entry.insert(index);
                rows.extend_from_slice(&self.row);
                if key.symmetries() > 1 {
                    hashes.push(hash);
                }
                if exchanges {
                    poses.push(pose);
                }
                Ok((index, pose))
            }
        }
    }

    /// Looks at some states, in order.
    pub(super) fn advance(
        &mut self,
        range: std::ops::Range<usize>,
        limits: &Limits<'_>,
    ) -> Result<(), SolverError> {
        let states: Vec<CircuitState> = range.map(|index| self.graph.state(NodeId(index as u32))).collect();
        let all: Vec<&CircuitState> = states.iter().collect();
        let mut expansions = std::mem::take(&mut self.expansions);
        self.batch.expand_all(&mut self.workspace, &all, &mut expansions)?;
        let mut group = Group::default();
        for (state, choices) in all.iter().zip(expansions.iter()) {
            self.note(state, choices, &mut group, limits)?;
        }
        self.write(&mut group, limits)?;
        self.expansions = expansions;
        Ok(())
    }

    /// Notes who chooses in a state, and lists its joint moves.
    fn note<'s>(
        &mut self,
        state: &'s CircuitState,
        choices: Choices<'_>,
        group: &mut Group<'s>,
        limits: &Limits<'_>,
    ) -> Result<(), SolverError> {
        if choices.is_terminal() {
            self.batch.goals(&mut self.workspace, state, &mut self.goals)?;
            let outcome: Box<[Goal]> = self.goals.iter().map(|goal| goal.value()).collect();
            let fresh = self.outcomes.len() as u32;
            let number = *self.outcomes.entry(outcome.clone()).or_insert(fresh);
            if number == fresh {
                self.graph.outcomes.push(outcome);
            }
            group.pieces.push(Piece { chooser: OVER, number, is_last: true });
            return Ok(());
        }
        if let Some(role) = choices.stuck_role() {
            return Err(RuleFault::NoLegalMove(role).into());
        }
        let joint_count = choices.joint_count();
        if joint_count > MOST_JOINTS {
            return Err(SolverError::TooMany(self.graph.noted()));
        }
        let counts: Box<[u16]> = choices.by_role().map(|legal| legal.len() as u16).collect();
        let mut choosing = (0..).zip(&counts).filter(|(_, count)| **count > 1).map(|(role, _)| role);
        let chooser = match (choosing.next(), choosing.next()) {
            (Some(role), None) => role,
            (None, _) => u8::from(self.graph.chance == Some(RoleId(0))).min(counts.len() as u8 - 1),
            _ => {
                // Each piece so far is the last one of its state.
                let node = self.graph.choosers.len() + group.pieces.len();
                self.graph.counts.insert(node as u32, counts.clone());
                SEVERAL
            }
        };
        let legal: Vec<&[MoveId]> = choices.by_role().collect();
        let mut digits = vec![0usize; legal.len()];
        let mut number = 0;
        for done in 1..=joint_count {
            group.from.push(state);
            group.joints.extend(legal.iter().zip(&digits).map(|(legal, &digit)| legal[digit]));
            number += 1;
            let (is_last, is_full) = (done == joint_count, group.from.len() >= PATIENCE);
            if is_last || is_full {
                group.pieces.push(Piece { chooser, number, is_last });
                number = 0;
            }
            if is_full {
                self.write(group, limits)?;
            }
            for role in (0..legal.len()).rev() {
                digits[role] += 1;
                if digits[role] < legal[role].len() {
                    break;
                }
                digits[role] = 0;
            }
        }
        Ok(())
    }

    /// Makes the moves of a group of states, and writes down where they lead.
    fn write(&mut self, group: &mut Group<'_>, limits: &Limits<'_>) -> Result<(), SolverError> {
        let mut successors = std::mem::take(&mut self.successors);
        self.batch.apply_all(&mut self.workspace, &group.from, &group.joints, &mut successors)?;
        let mut reached = successors.iter();
        for &Piece { chooser, number, is_last } in &group.pieces {
            if chooser == OVER {
                self.graph.successors.push(number);
            } else {
                for state in reached.by_ref().take(number as usize) {
                    let (node, pose) = self.insert(state.words())?;
                    self.graph.successors.push(node);
                    if self.exchanges {
                        self.graph.poses_behind.push(pose);
                    }
                }
            }
            if !is_last {
                continue;
            }
            // What is behind an end of the game is never asked, but has its place.
            if self.exchanges {
                self.graph.poses_behind.resize(self.graph.successors.len(), Pose::default());
            }
            let end = u32::try_from(self.graph.successors.len());
            self.graph.ends.push(end.map_err(|_| SolverError::TooMany(self.graph.noted()))?);
            self.graph.choosers.push(chooser);
        }
        self.successors = successors;
        *group = Group::default();
        self.graph.check(limits)
    }
}

/// States whose moves are made in one go.
#[derive(Default)]
struct Group<'s> {
    pieces: Vec<Piece>,
    /// The state of each joint move.
    from: Vec<&'s CircuitState>,
    joints: Vec<MoveId>,
}

/// A state, or a part of its joint moves where it has many.
struct Piece {
    /// Who chooses.
    chooser: u8,
    /// How many joint moves these are, or the number of the state's outcome.
    number: u32,
    /// Whether no more of them follow.
    is_last: bool,
}

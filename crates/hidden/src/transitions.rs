//! The steps of a game in which one role decides, each found once: where a move leads from a position and what is told of it.
//!
//! With them what a position would be worth to who saw it is known, and that bounds what a belief is worth: who sees
//! everything does at least as well (Littman, Cassandra and Kaelbling 1995 call the bound QMDP).

use game::{Describe, Expansion, MoveId, PerceptId, RoleId, RuleFault, Simulator};
use rustc_hash::FxHashMap;

use crate::belief_tree::Halt;
use crate::view::tell;

/// The number of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Place(pub(crate) u32);

/// The number of what was told of a step: equal if nothing else was told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Told(pub(crate) u32);

/// The number of a list of legal moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Moves(u32);

/// Where a move may lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Outcome {
    pub(crate) told: Told,
    pub(crate) next: Place,
}

/// What is known of a position.
#[derive(Clone, Debug)]
pub(crate) enum Row {
    /// Nothing yet.
    Unknown,
    /// The game is over, and worth this, 0 to 1.
    Over(f64),
    /// It goes on: for each of these moves so many outcomes, equally likely.
    Open { moves: Moves, each: u32, outcomes: Box<[Outcome]> },
}

/// What a position is worth to who sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ideal {
    /// With the best move.
    pub(crate) best: f64,
    /// With any other move.
    pub(crate) other: f64,
    /// Which move is best, as its place among the moves. Where several are, `other` is as good.
    pub(crate) place: u32,
}

impl Ideal {
    /// Worth the same whatever is done.
    fn flat(value: f64) -> Self {
        Self { best: value, other: value, place: 0 }
    }
}

/// Positions and steps, as far as they were looked at.
pub(crate) struct Transitions<State> {
    role: RoleId,
    states: Vec<State>,
    places: FxHashMap<State, Place>,
    rows: Vec<Row>,
    ideals: Vec<Option<Ideal>>,
    told: FxHashMap<Vec<PerceptId>, Told>,
    lists: Vec<Vec<MoveId>>,
    list_places: FxHashMap<Vec<MoveId>, Moves>,
    /// The most moves of a list.
    width: usize,
    steps: u64,
    most_steps: u64,
}

impl<State> std::fmt::Debug for Transitions<State> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Transitions")
            .field("positions", &self.states.len())
            .field("steps", &self.steps)
            .finish_non_exhaustive()
    }
}

/// Steps that are handed to the machine in one call.
const CHUNK: usize = 512;
/// Steps that a game may take until it is over: deeper ones are not solved.
pub(crate) const MOST_DEPTH: usize = 500;

impl<State> Transitions<State> {
    /// How many positions there are.
    pub(crate) fn len(&self) -> usize {
        self.states.len()
    }

    /// How many steps were found.
    pub(crate) fn steps(&self) -> u64 {
        self.steps
    }

    /// How many may be found.
    pub(crate) fn most_steps(&self) -> u64 {
        self.most_steps
    }

    /// What is known of a position.
    pub(crate) fn row(&self, place: Place) -> &Row {
        &self.rows[place.0 as usize]
    }

    /// Where a move, by its place, may lead from a position.
    pub(crate) fn outcomes(&self, from: Place, place: u32) -> &[Outcome] {
        match self.row(from) {
            Row::Open { each, outcomes, .. } => &outcomes[(place * each) as usize..][..*each as usize],
            _ => &[],
        }
    }

    /// The moves of a list.
    pub(crate) fn moves(&self, list: Moves) -> &[MoveId] {
        &self.lists[list.0 as usize]
    }

    /// The most moves that a position has.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// What a position is worth to who sees it, if that was found.
    pub(crate) fn ideal(&self, place: Place) -> Option<Ideal> {
        self.ideals[place.0 as usize]
    }
}

impl<State: Clone + Eq + std::hash::Hash> Transitions<State> {
    /// Nothing is known yet. No more steps will be looked at than given.
    pub(crate) fn new(role: RoleId, most_steps: u64) -> Self {
        Self {
            role,
            states: Vec::new(),
            places: FxHashMap::default(),
            rows: Vec::new(),
            ideals: Vec::new(),
            told: FxHashMap::default(),
            lists: Vec::new(),
            list_places: FxHashMap::default(),
            width: 0,
            steps: 0,
            most_steps,
        }
    }

    /// The number of a position.
    pub(crate) fn place(&mut self, state: State) -> Place {
        let next = Place(self.states.len() as u32);
        let place = *self.places.entry(state).or_insert_with_key(|state| {
            self.states.push(state.clone());
            next
        });
        if place == next {
            self.rows.push(Row::Unknown);
            self.ideals.push(None);
        }
        place
    }

    /// Finds out all that may follow from a position, and what it is worth to who sees it.
    pub(crate) fn explore<G: Simulator<State = State> + Describe>(
        &mut self,
        game: &G,
        workspace: &mut G::Workspace,
        place: Place,
        depth: usize,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Ideal, Halt> {
        if let Some(known) = self.ideal(place) {
            return Ok(known);
        }
        if depth > MOST_DEPTH {
            return Err(Halt::TooLarge);
        }
        if matches!(self.row(place), Row::Unknown) {
            if !go_on() {
                return Err(Halt::Stopped);
            }
            let row = self.find(game, workspace, place)?;
            self.rows[place.0 as usize] = row;
        }
        let (count, each) = match self.row(place) {
            Row::Over(value) => {
                let ideal = Ideal::flat(*value);
                self.ideals[place.0 as usize] = Some(ideal);
                return Ok(ideal);
            }
            Row::Open { outcomes, each, .. } => (outcomes.len(), *each as usize),
            Row::Unknown => (0, 1),
        };
        let mut ideal = Ideal { best: f64::NEG_INFINITY, ..Ideal::flat(0.0) };
        let mut worths = Vec::with_capacity(count / each);
        for number in 0..count {
            let Row::Open { outcomes, .. } = self.row(place) else { break };
            let next = self.explore(game, workspace, outcomes[number].next, depth + 1, go_on)?;
            if number % each == 0 {
                worths.push(0.0);
            }
            if let Some(worth) = worths.last_mut() {
                *worth += next.best / each as f64;
            }
        }
        for (number, &worth) in (0..).zip(&worths) {
            if worth > ideal.best {
                ideal = Ideal { best: worth, other: ideal.best.max(0.0), place: number };
            } else {
                ideal.other = ideal.other.max(worth);
            }
        }
        self.ideals[place.0 as usize] = Some(ideal);
        Ok(ideal)
    }

    /// The steps from a position.
    fn find<G: Simulator<State = State> + Describe>(
        &mut self,
        game: &G,
        workspace: &mut G::Workspace,
        place: Place,
    ) -> Result<Row, Halt> {
        let state = self.states[place.0 as usize].clone();
        let (mut expansion, mut goals) = (Expansion::new(), Vec::new());
        game.expand(workspace, &state, &mut expansion)?;
        if expansion.is_terminal() {
            game.goals(workspace, &state, &mut goals)?;
            return Ok(Row::Over(f64::from(goals[usize::from(self.role.0)].value().0) / 100.0));
        }
        if let Some(role) = expansion.stuck_role() {
            return Err(RuleFault::NoLegalMove(role).into());
        }
        let own = expansion.legal(self.role).to_vec();
        let mut joints = vec![Vec::new()];
        for (role, legal) in game.role_ids().zip(expansion.by_role()) {
            if legal.len() > 1 && role != self.role && game.chance() != Some(role) {
                return Err(Halt::Unsuited);
            }
            // The place of the own move is kept for it.
            let options = if role == self.role { &legal[..1] } else { legal };
            if self.steps + (joints.len() * options.len()) as u64 > self.most_steps {
                return Err(Halt::TooLarge);
            }
            let longer = |joint: &Vec<MoveId>| -> Vec<Vec<MoveId>> {
                let with = |&id: &MoveId| joint.iter().copied().chain([id]).collect();
                options.iter().map(with).collect()
            };
            joints = joints.iter().flat_map(longer).collect();
        }
        self.steps += (own.len() * joints.len()) as u64;
        if self.steps > self.most_steps {
            return Err(Halt::TooLarge);
        }
        let mut all = Vec::with_capacity(own.len() * joints.len() * game.role_count());
        for &id in &own {
            for joint in &joints {
                let begin = all.len();
                all.extend_from_slice(joint);
                all[begin + usize::from(self.role.0)] = id;
            }
        }
        let mut outcomes = Vec::with_capacity(own.len() * joints.len());
        let (mut told, mut next) = (Vec::new(), Vec::new());
        for chunk in all.chunks(CHUNK * game.role_count()) {
            let sources = vec![&state; chunk.len() / game.role_count()];
            self.tell_all(game, workspace, &sources, chunk, &mut told)?;
            game.apply_all(workspace, &sources, chunk, &mut next)?;
            for (told, next) in told.drain(..).zip(next.drain(..)) {
                let fresh = Told(self.told.len() as u32);
                let told = *self.told.entry(told).or_insert(fresh);
                outcomes.push(Outcome { told, next: self.place(next) });
            }
        }
        self.width = self.width.max(own.len());
        let fresh = Moves(self.lists.len() as u32);
        let moves = *self.list_places.entry(own.clone()).or_insert(fresh);
        if moves == fresh {
            self.lists.push(own);
        }
        Ok(Row::Open { moves, each: joints.len() as u32, outcomes: outcomes.into() })
    }

    /// What the role is told of many steps.
    fn tell_all<G: Simulator<State = State> + Describe>(
        &self,
        game: &G,
        workspace: &mut G::Workspace,
        states: &[&State],
        joints: &[MoveId],
        out: &mut Vec<Vec<PerceptId>>,
    ) -> Result<(), RuleFault> {
        out.clear();
        if game.has_percepts() {
            return game.observe_all(workspace, states, joints, self.role, out);
        }
        for (state, joint) in states.iter().zip(joints.chunks(game.role_count())) {
            let mut told = Vec::new();
            tell(game, workspace, state, joint, self.role, &mut told)?;
            out.push(told);
        }
        Ok(())
    }
}

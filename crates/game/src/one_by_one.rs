//! Playouts one state at a time: slow, and right by construction. What lanes play is compared with it.

use std::cell::RefCell;

use crate::{
    Ahead, Choice, Chooser, Context, DecisiveFilter, Dice, Expansion, FactId, Goal, GoalReading, Job, MoveId,
    Outcomes, PlayOptions, Policy, RoleId, RuleFault, Simulator, Weights,
};

/// [`Simulator::play`] for a machine that handles one state at a time.
pub fn play_one_by_one<G: Simulator + ?Sized>(
    game: &G,
    workspace: &mut G::Workspace,
    jobs: &[Job<'_, G::State>],
    options: &PlayOptions<'_>,
    out: &mut Outcomes,
) -> Result<(), RuleFault> {
    play_one_by_one_to(game, workspace, jobs, options, &[], out, &mut |_, _| ())
}

/// [`Simulator::play_to`] for a machine that handles one state at a time. A playout without a limit of its own has
/// that of the options.
pub fn play_one_by_one_to<G: Simulator + ?Sized>(
    game: &G,
    workspace: &mut G::Workspace,
    jobs: &[Job<'_, G::State>],
    options: &PlayOptions<'_>,
    limits: &[u32],
    out: &mut Outcomes,
    cut_at: &mut dyn FnMut(u32, G::State),
) -> Result<(), RuleFault> {
    out.reset(game.role_count(), jobs.iter().map(|job| job.playouts as usize).sum());
    let owners = jobs.iter().flat_map(|job| std::iter::repeat_n(job, job.playouts as usize));
    let mut expansion = Expansion::new();
    let mut joint = Vec::new();
    let mut made: Vec<(RoleId, MoveId)> = Vec::new();
    let mut before: Vec<MoveId> = Vec::new();
    let mut facts: Vec<FactId> = Vec::new();
    let mut chooser = Chooser::default();
    let mut filter = DecisiveFilter::default();
    let chance = game.chance();
    let mut goals: Vec<GoalReading> = Vec::new();
    let context = match options.policy.weights {
        Weights::InContext(context, _) => Some(context),
        Weights::Equal | Weights::ByMove(_) => None,
    };
    let looks_ahead = context == Some(Context::NextStates);
    let wants_facts = options.record_facts || looks_ahead || context == Some(Context::State);
    for (playout, job) in owners.enumerate() {
        let mut dice = Dice::stream(options.seed, playout as u64);
        let most_steps = limits.get(playout).map_or(options.most_steps, |own| options.most_steps.min(*own));
        let mut state = job.start.clone();
        let mut length = 0;
        made.clear();
        before.clear();
        before.extend_from_slice(job.before);
        let cut = loop {
            game.expand(workspace, &state, &mut expansion)?;
            if expansion.is_terminal() {
                break false;
            }
            if length == most_steps || options.is_stopped() {
                break true;
            }
            if let Some(role) = expansion.stuck_role() {
                return Err(RuleFault::NoLegalMove(role));
            }
            if wants_facts {
                game.list_facts(&state, &mut facts);
            }
            if options.record_facts {
                out.facts.push(facts.iter().copied());
            }
            let narrowed = filter.narrow(game, workspace, &state, &expansion, options.decisive)?;
            if length == 0 && narrowed.is_some_and(|narrowed| narrowed.is_settled) {
                out.set_settled(playout);
            }
            joint.clear();
            for (role, legal) in (0..).map(RoleId).zip(expansion.by_role()) {
                let is_narrowed = narrowed.is_some_and(|narrowed| narrowed.role == role);
                let legal = if is_narrowed { filter.moves() } else { legal };
                let policy = if chance == Some(role) { &Policy::default() } else { &options.policy };
                let ahead =
                    looks_ahead.then(|| LookAhead::new(game, workspace, &state, &expansion, (role, legal)));
                let choice = Choice {
                    role,
                    roles: game.role_count(),
                    legal,
                    before: &before,
                    state: &state,
                    facts: &facts,
                    ahead: ahead.as_ref().map(|ahead| ahead as &dyn Ahead),
                    // Only who looks ahead is given one, as drawing it changes all that is drawn after it.
                    roll: if looks_ahead { dice.unit() } else { 0.0 },
                };
                joint.push(chooser.choose(policy, &choice, &mut dice));
                if options.record_choices {
                    out.choices.push(legal.iter().copied());
                }
            }
            if options.record_moves {
                made.extend((0..).map(RoleId).zip(joint.iter().copied()));
            }
            before.extend_from_slice(&joint);
            state = game.apply(workspace, &state, &joint)?;
            length += 1;
        };
        if options.record_sequences {
            out.sequences.push(&before[job.before.len()..]);
        }
        out.set_length(playout, length, cut);
        game.goals(workspace, &state, &mut goals)?;
        for (role, reading) in goals.iter().enumerate() {
            out.raise(playout, role, reading.value());
        }
        if cut {
            cut_at(playout as u32, state);
        }
        made.sort_unstable();
        made.dedup();
        for &(role, id) in &made {
            out.moves.add(role, id, 1, u64::from(goals[usize::from(role.0)].value().0));
            if options.record_made {
                out.made.push(playout, role, id);
            }
        }
    }
    Ok(())
}

/// Looks at what the moves of a role lead to in a state.
pub struct LookAhead<'a, G: Simulator + ?Sized> {
    game: &'a G,
    workspace: RefCell<&'a mut G::Workspace>,
    state: &'a G::State,
    /// The first legal move of every role.
    joint: Vec<MoveId>,
    role: RoleId,
    legal: &'a [MoveId],
}

impl<G: Simulator + ?Sized> std::fmt::Debug for LookAhead<'_, G> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("LookAhead").field("role", &self.role).finish_non_exhaustive()
    }
}

impl<'a, G: Simulator + ?Sized> LookAhead<'a, G> {
    /// For a role in a state, and the moves it chooses from.
    pub fn new(
        game: &'a G,
        workspace: &'a mut G::Workspace,
        state: &'a G::State,
        expansion: &'a Expansion,
        (role, legal): (RoleId, &'a [MoveId]),
    ) -> Self {
        let first = |legal: &[MoveId]| legal.first().copied().unwrap_or(MoveId(0));
        let joint = expansion.by_role().map(first).collect();
        Self { game, workspace: RefCell::new(workspace), state, joint, role, legal }
    }

    /// The state after a move.
    fn next(&self, place: usize) -> Option<G::State> {
        let mut joint = self.joint.clone();
        joint[usize::from(self.role.0)] = *self.legal.get(place)?;
        self.game.apply(&mut self.workspace.borrow_mut(), self.state, &joint).ok()
    }
}

impl<G: Simulator + ?Sized> Ahead for LookAhead<'_, G> {
    fn facts(&self, place: usize, out: &mut Vec<FactId>) {
        out.clear();
        if let Some(next) = self.next(place) {
            self.game.list_facts(&next, out);
        }
    }

    fn mobility(&self, place: usize) -> Option<Vec<usize>> {
        let (next, mut expansion) = (self.next(place)?, Expansion::new());
        self.game.expand(&mut self.workspace.borrow_mut(), &next, &mut expansion).ok()?;
        (!expansion.is_terminal()).then(|| expansion.by_role().map(<[MoveId]>::len).collect())
    }

    fn goals(&self, place: usize) -> Option<Vec<Goal>> {
        let (next, mut goals) = (self.next(place)?, Vec::new());
        self.game.goals(&mut self.workspace.borrow_mut(), &next, &mut goals).ok()?;
        Some(goals.iter().map(|goal| goal.value()).collect())
    }

    fn degree(&self, place: usize) -> Option<f64> {
        self.game.goal_degree(&self.next(place)?, self.role)
    }
}

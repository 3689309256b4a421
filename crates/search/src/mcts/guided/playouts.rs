//! Playouts whose moves are drawn by what an evaluator says of where they lead.
//!
//! All playouts go on side by side: in each step their moves are listed in one call, what all moves lead to is worked out
//! in another and judged in a third. Each playout has dice of its own, so that it is the same on every machine.

use engine::Evaluator;
use game::{
    Choice, Chooser, Context, Dice, Expansions, FactId, GoalReading, Job, MoveId, Outcomes, PlayOptions,
    Policy, RoleId, RuleFault, Sampler, Simulator, Weights,
};

use super::move_values;

/// How playouts are guided.
pub(crate) struct GuidedPlayouts<'a, State> {
    pub(crate) evaluator: &'a dyn Evaluator<State>,
    pub(crate) sampler: Sampler,
}

/// A playout on its way.
struct Playout<State> {
    number: usize,
    state: State,
    dice: Dice,
    /// The joint moves so far, one after the other.
    moves: Vec<MoveId>,
    most_steps: u32,
    noted: Noted,
}

/// What is told of the steps of a playout beside the moves, if that is asked for.
#[derive(Default)]
struct Noted {
    choices: Vec<Vec<MoveId>>,
    facts: Vec<Vec<FactId>>,
}

/// How a playout ended.
struct Ended<State> {
    playout: Playout<State>,
    goals: Vec<GoalReading>,
    is_cut: bool,
}

impl<State: Clone + Send + Sync + 'static> GuidedPlayouts<'_, State> {
    /// [`Simulator::play_to`] by what the evaluator says, whatever the policy of the options; a playout without a limit
    /// of its own has that of the options. Moves that decide are seen by their worth.
    pub(crate) fn play_to<G: Simulator<State = State>>(
        &self,
        game: &G,
        workspace: &mut G::Workspace,
        (jobs, options): (&[Job<'_, State>], &PlayOptions<'_>),
        limits: &[u32],
        out: &mut Outcomes,
        cut: &mut Vec<(u32, State)>,
    ) -> Result<(), RuleFault> {
        let mut open = begin(jobs, options, limits);
        let mut ended: Vec<Ended<State>> = Vec::with_capacity(open.len());
        out.reset(game.role_count(), open.len());
        let mut expansions = Expansions::new();
        let mut next = Vec::new();
        while !open.is_empty() {
            let states: Vec<&State> = open.iter().map(|playout| &playout.state).collect();
            game.expand_all(workspace, &states, &mut expansions)?;
            let is_stopped = options.is_stopped();
            let mut places = Vec::new();
            let mut going = Vec::with_capacity(open.len());
            for (place, playout) in open.into_iter().enumerate() {
                let choices = expansions.get(place);
                let steps = (playout.moves.len() / game.role_count().max(1)) as u32;
                let is_cut = is_stopped || steps >= playout.most_steps;
                if choices.is_terminal() || is_cut {
                    let mut goals = Vec::new();
                    game.goals(workspace, &playout.state, &mut goals)?;
                    ended.push(Ended { playout, goals, is_cut: !choices.is_terminal() });
                    continue;
                }
                if let Some(role) = choices.stuck_role() {
                    return Err(RuleFault::NoLegalMove(role));
                }
                places.push(place);
                going.push(playout);
            }
            open = going;
            let joints = self.choose(game, workspace, (&mut open[..], &places[..]), &expansions, options)?;
            let states: Vec<&State> = open.iter().map(|playout| &playout.state).collect();
            game.apply_all(workspace, &states, &joints, &mut next)?;
            open.iter_mut().zip(next.drain(..)).for_each(|(playout, state)| playout.state = state);
        }
        ended.sort_unstable_by_key(|ended| ended.playout.number);
        cut.clear();
        for ended in ended {
            note(&ended, game.role_count(), options, out);
            if ended.is_cut {
                cut.push((ended.playout.number as u32, ended.playout.state));
            }
        }
        Ok(())
    }

    /// The next joint moves of all playouts, one after the other.
    fn choose<G: Simulator<State = State>>(
        &self,
        game: &G,
        workspace: &mut G::Workspace,
        (open, places): (&mut [Playout<State>], &[usize]),
        expansions: &Expansions,
        options: &PlayOptions<'_>,
    ) -> Result<Vec<MoveId>, RuleFault> {
        let positions: Vec<_> = open
            .iter()
            .zip(places)
            .map(|(playout, &place)| (&playout.state, expansions.get(place)))
            // Where nobody has a choice there is nothing to ask.
            .filter(|(_, choices)| choices.joint_count() > 1)
            .collect();
        let mut values = move_values::judge(game, workspace, self.evaluator, &positions)?.into_iter();
        let chance = game.chance();
        let mut chooser = Chooser::default();
        let mut joints = Vec::with_capacity(open.len() * game.role_count());
        for (playout, &place) in open.iter_mut().zip(places) {
            let choices = expansions.get(place);
            let values = if choices.joint_count() > 1 { values.next().flatten() } else { None };
            let guided = values.as_ref().map(|values| Policy {
                weights: Weights::InContext(Context::NextStates, values),
                sampler: self.sampler,
            });
            if options.record_facts {
                let mut facts = Vec::new();
                game.list_facts(&playout.state, &mut facts);
                playout.noted.facts.push(facts);
            }
            for (role, legal) in (0..).map(RoleId).zip(choices.by_role()) {
                let policy = guided.filter(|_| chance != Some(role)).unwrap_or_default();
                let choice = Choice::new(role, game.role_count(), legal, &[]);
                let chosen = chooser.choose(&policy, &choice, &mut playout.dice);
                joints.push(chosen);
                playout.moves.push(chosen);
                if options.record_choices {
                    playout.noted.choices.push(legal.to_vec());
                }
            }
        }
        Ok(joints)
    }
}

/// All playouts at their beginnings.
fn begin<State: Clone>(
    jobs: &[Job<'_, State>],
    options: &PlayOptions<'_>,
    limits: &[u32],
) -> Vec<Playout<State>> {
    let starts = jobs.iter().flat_map(|job| std::iter::repeat_n(job.start, job.playouts as usize));
    starts
        .enumerate()
        .map(|(number, start)| Playout {
            number,
            state: start.clone(),
            dice: Dice::stream(options.seed, number as u64),
            moves: Vec::new(),
            most_steps: limits.get(number).map_or(options.most_steps, |own| options.most_steps.min(*own)),
            noted: Noted::default(),
        })
        .collect()
}

/// Notes what became of a playout; they come in order.
fn note<State>(ended: &Ended<State>, roles: usize, options: &PlayOptions<'_>, out: &mut Outcomes) {
    let Ended { playout, goals, is_cut } = ended;
    let number = playout.number;
    out.set_length(number, (playout.moves.len() / roles.max(1)) as u32, *is_cut);
    for (role, goal) in goals.iter().enumerate() {
        out.raise(number, role, goal.value());
    }
    if options.record_sequences {
        out.sequences.push(&playout.moves);
    }
    playout.noted.choices.iter().for_each(|legal| out.choices.push(legal.iter().copied()));
    playout.noted.facts.iter().for_each(|facts| out.facts.push(facts.iter().copied()));
    if options.record_moves {
        let role_of = |place: usize| RoleId((place % roles.max(1)) as u16);
        let mut made: Vec<(RoleId, MoveId)> =
            playout.moves.iter().enumerate().map(|(place, &id)| (role_of(place), id)).collect();
        made.sort_unstable();
        made.dedup();
        for (role, id) in made {
            out.moves.add(role, id, 1, u64::from(goals[usize::from(role.0)].value().0));
            if options.record_made {
                out.made.push(number, role, id);
            }
        }
    }
}

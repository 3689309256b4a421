//! The logic of one sweep: finished lanes begin anew, every lane chooses and makes a move.

use ::circuit::{Circuit, Edge, Gate, Gates};

use super::choice::Builder;
use super::layout::Layout;
use super::plan::Plan;
use super::select::choose;
use crate::program::{Network, Place, Rows, import};

/// Where things are in a row of events.
pub(super) const FINISHED: usize = 0;
pub(super) const MOVED: usize = 1;

/// What a sweep does about moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// They are chosen at random and made.
    Random,
    /// As `Random`, and what was made is recorded.
    Recording,
    /// They are chosen at random in some lanes of a role and left open in the others.
    Mixed,
    /// All choices are left open.
    Open,
}

/// What a goal value is read from.
#[derive(Clone, Copy, Debug)]
pub(super) struct GoalEvent {
    pub(super) role: usize,
    pub(super) value: u8,
    /// The event of a row, or with goals kept apart the number of the goal output.
    pub(super) event: usize,
}

/// The logic of a sweep.
pub(super) struct Sweep {
    gates: Gates,
    outputs: Vec<(Edge, Place)>,
    pub(super) rows: Rows,
    first_random: u32,
    pub(super) goals: Vec<GoalEvent>,
    /// The event that says that a lane moves where the outcome is certain, if that is known.
    pub(super) settled: Option<usize>,
    /// How many choices the lanes make.
    pub(super) choices: u32,
}

impl Sweep {
    /// Builds it. If choices are left open, states, legal moves and chosen moves are left in the
    /// block for someone to complete them (see [`leap`]).
    fn new(
        circuit: &Circuit,
        settled: Option<Edge>,
        layout: &Layout,
        plan: &Plan,
        phase: usize,
        goals_apart: bool,
        style: Style,
    ) -> Self {
        let first_random = layout.scratch as u32;
        let mut build = Builder { gates: Gates::new(), layout, circuit, first_random, drawn: 0, style };
        let mut outputs = Vec::new();
        let state: Vec<Edge> = (0..layout.bases).map(|base| build.slot(base)).collect();

        // What is over, and with what goals.
        let goal_edges: Vec<(usize, u8, Edge)> = circuit
            .roles
            .iter()
            .enumerate()
            .flat_map(|(role, moves)| moves.goals.iter().map(move |goal| (role, goal.value, goal.edge)))
            .collect();
        let mut wanted = vec![circuit.terminal];
        if !goals_apart {
            wanted.extend(goal_edges.iter().map(|goal| goal.2));
        }
        // A sweep for one role alone looks only at lanes in which it is the role's turn.
        let (turn, known) = plan.phase(phase);
        let in_phase = |state: &[Edge]| match turn {
            Some(literal) if literal & 1 != 0 => !state[literal as usize / 2],
            Some(literal) => state[literal as usize / 2],
            None => Edge::TRUE,
        };
        let with_known = |state: &[Edge]| {
            let mut state = state.to_vec();
            known.iter().for_each(|&(base, value)| state[base] = value);
            state
        };
        let seen = build.import(&wanted, &with_known(&state), None);
        let over = build.gates.and(seen[0], in_phase(&state));
        let pending = build.slot(layout.pending);
        let (finished, waits) = if goals_apart {
            (build.gates.and(over, !pending), build.gates.and(over, pending))
        } else {
            (over, Edge::FALSE)
        };
        let mut events = vec![finished, Edge::FALSE];
        let settled_event = settled.map(|_| events.len());
        events.extend(settled.map(|_| Edge::FALSE));
        let mut goals: Vec<GoalEvent> = Vec::new();
        for (index, &(role, value, edge)) in goal_edges.iter().enumerate() {
            let same = goal_edges[..index].iter().position(|other| other.2 == edge);
            let event = match same {
                _ if goals_apart => index,
                Some(same) => goals[same].event,
                None => {
                    events.push(build.gates.and(finished, seen[index + 1]));
                    events.len() - 1
                }
            };
            goals.push(GoalEvent { role, value, event });
        }
        if goals_apart {
            for (index, &base) in layout.kept_bases.iter().enumerate() {
                let slot = layout.kept + index;
                let kept = build.slot(slot);
                let edge = choose(&mut build.gates, finished, state[base as usize], kept);
                outputs.push((edge, Place::block(slot as u32)));
            }
            let edge = build.gates.or(pending, finished);
            outputs.push((edge, Place::block(layout.pending as u32)));
        }

        // Finished lanes begin anew, and then everyone moves; or they begin anew at the end.
        let begin_anew = |build: &mut Builder<'_>, state: &[Edge]| -> Vec<Edge> {
            let anew = |(base, &edge)| {
                let start = build.slot(layout.start + base);
                choose(&mut build.gates, finished, start, edge)
            };
            state.iter().enumerate().map(anew).collect()
        };
        let (state, waits, ready) = if plan.begins_late {
            let ready = build.gates.and(in_phase(&state), !over);
            (state, over, ready)
        } else {
            let state = begin_anew(&mut build, &state);
            let ready = in_phase(&state);
            (state, waits, ready)
        };
        let doubt = build.doubt(&state, plan);
        let doubt = if plan.begins_late { build.gates.and(doubt, !finished) } else { doubt };
        let waits = build.gates.or(waits, !ready);
        let seen = with_known(&state);
        let choice = build.choose_moves(&seen, plan, waits);
        events[MOVED] = choice.moved;
        if let (Some(settled), Some(event)) = (settled, settled_event) {
            let settled = build.import(&[settled], &seen, None)[0];
            events[event] = build.gates.and(settled, choice.moved);
        }
        let failed = build.gates.and(choice.conflict, ready);
        let failed = build.gates.or(failed, doubt);
        let (stuck, conflict) = (build.slot(layout.stuck), build.slot(layout.conflict));
        let stuck = build.gates.or(stuck, choice.stuck);
        let conflict = build.gates.or(conflict, failed);
        outputs.push((stuck, Place::block(layout.stuck as u32)));
        outputs.push((conflict, Place::block(layout.conflict as u32)));
        if style == Style::Recording {
            // Until its playout is over, and only what is really done.
            let recording = build.slot(layout.recording);
            let recording = build.gates.and(recording, !finished);
            outputs.push((recording, Place::block(layout.recording as u32)));
            let counts = build.gates.and(recording, choice.moved);
            for (index, &does) in choice.does.iter().flatten().enumerate() {
                let played = build.slot(layout.played + index);
                let now = build.gates.and(does, counts);
                let edge = build.gates.or(played, now);
                outputs.push((edge, Place::block((layout.played + index) as u32)));
            }
        }
        let mut after = state.clone();
        if matches!(style, Style::Random | Style::Recording) {
            let next = build.import(&circuit.next, &seen, Some(&choice.does));
            let held = build.import(&circuit.next, &seen, Some(&choice.nothing));
            for (base, after) in after.iter_mut().enumerate() {
                // Often a proposition holds by itself when nothing is done.
                *after = if held[base] == state[base] {
                    next[base]
                } else {
                    choose(&mut build.gates, choice.moved, next[base], state[base])
                };
            }
        } else {
            let mut leave = |edges: &[Edge], first: usize| {
                outputs
                    .extend(edges.iter().zip(first as u32..).map(|(&edge, slot)| (edge, Place::block(slot))));
            };
            leave(&choice.legal.concat(), layout.legal);
            leave(&choice.does.concat(), layout.does);
            leave(&choice.open, layout.open);
            outputs.push((choice.moved, Place::block(layout.moves as u32)));
        }
        if plan.begins_late {
            after = begin_anew(&mut build, &after);
        }
        outputs.extend(after.into_iter().zip(0..).map(|(edge, slot)| (edge, Place::block(slot))));
        let event_row = events.len() as u32;
        let events = events.into_iter().zip(0..).map(|(edge, slot)| (edge, Place::events(slot)));
        let outputs = events.chain(outputs).collect();
        let rows = Rows { random: build.drawn, events: event_row };
        Self {
            gates: build.gates,
            outputs,
            rows,
            first_random,
            goals,
            settled: settled_event,
            choices: choice.choices,
        }
    }

    /// The sweeps of a round, phase after phase.
    pub(super) fn round(
        circuit: &Circuit,
        settled: Option<Edge>,
        layout: &Layout,
        plan: &Plan,
        goals_apart: bool,
        style: Style,
    ) -> Vec<Self> {
        let sweep = |phase| Self::new(circuit, settled, layout, plan, phase, goals_apart, style);
        (0..plan.phases()).map(sweep).collect()
    }

    /// The number of gates it needs.
    pub(super) fn size(&self) -> usize {
        self.gates.cone(self.outputs.iter().map(|output| output.0)).len()
    }

    /// Its network, with rows of so many random words.
    pub(super) fn with_network<T>(&self, random: u32, run: impl FnOnce(&Network<'_>) -> T) -> T {
        let input = |gate: Gate| match gate {
            Gate::Base(number) if number < self.first_random => Place::block(number),
            Gate::Base(number) => Place::random(number - self.first_random),
            other => unreachable!("{other:?} is no input"),
        };
        let rows = Rows { random, ..self.rows };
        run(&Network { gates: &self.gates, outputs: self.outputs.clone(), rows, input: &input })
    }
}

/// The second half of a sweep that is not in one: makes the moves left in the block. Of the lanes
/// that move some propositions may be known.
pub(super) fn leap<T>(
    circuit: &Circuit,
    layout: &Layout,
    known: &[(usize, Edge)],
    run: impl FnOnce(&Network<'_>) -> T,
) -> T {
    let mut gates = Gates::new();
    let state: Vec<Edge> = (0..layout.bases as u32).map(|base| gates.base(base)).collect();
    let mut seen = state.clone();
    known.iter().for_each(|&(base, value)| seen[base] = value);
    let moved = gates.base(layout.moves as u32);
    let starts: Vec<u32> = circuit
        .roles
        .iter()
        .scan(layout.does as u32, |next, role| {
            let start = *next;
            *next += role.moves.len() as u32;
            Some(start)
        })
        .collect();
    let next = import(&mut gates, &circuit.gates, &circuit.next, |gates, gate| match gate {
        Gate::Does(role, number) => gates.base(starts[role as usize] + number),
        Gate::Base(number) => seen[number as usize],
        other => unreachable!("{other:?} is no input"),
    });
    let outputs = next
        .iter()
        .zip(&state)
        .zip(0..)
        .map(|((&next, &before), slot)| (choose(&mut gates, moved, next, before), Place::block(slot)))
        .collect();
    let input = |gate: Gate| match gate {
        Gate::Base(slot) => Place::block(slot),
        other => unreachable!("{other:?} is no input"),
    };
    run(&Network { gates: &gates, outputs, rows: Rows::default(), input: &input })
}

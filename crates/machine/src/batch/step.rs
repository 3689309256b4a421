//! The logic of one sweep: finished lanes begin anew, every lane chooses and makes a move.

use ::circuit::{Circuit, Edge, Gate, Gates};

use super::select::{Selection, choose};
use crate::exclusive::{Literal, Turns, group};
use crate::program::{Network, Place, Rows, cone, import};

/// How the choice of moves is built. The same plan on every target gives the same playouts.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// The roles that share one choice.
    pub(super) turns: Turns,
    /// What moves imply; empty if moves are not to share places.
    pub(super) implied: Vec<Vec<Vec<Literal>>>,
    /// Draws per choice before a lane waits for the next sweep.
    pub(super) tries: usize,
}

/// Where things are in a block, in slots. What the programs need for themselves follows.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub(super) bases: usize,
    /// The states from which finished lanes begin anew.
    pub(super) start: usize,
    /// Lanes whose final state is kept for its goals: they do not end again before it is read.
    pub(super) pending: usize,
    /// Lanes in which a role had no legal move.
    pub(super) stuck: usize,
    /// Lanes in which an assumption of the plan failed.
    pub(super) conflict: usize,
    /// The final states, as far as the goals look at them.
    pub(super) kept: usize,
    /// Which base propositions are kept.
    pub(super) kept_bases: Vec<u32>,
    /// For programs that choose and move apart: legal moves, moves done, lanes that move.
    pub(super) legal: usize,
    pub(super) does: usize,
    pub(super) moves: usize,
    pub(super) goals: usize,
    pub(super) scratch: usize,
}

/// Where things are in a row of events.
pub(super) const FINISHED: usize = 0;
pub(super) const MOVED: usize = 1;
const FIRST_GOAL: usize = 2;

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
}

impl Layout {
    pub(super) fn new(circuit: &Circuit, goals_apart: bool) -> Self {
        let bases = circuit.bases.len();
        let moves: usize = circuit.roles.iter().map(|role| role.moves.len()).sum();
        let kept_bases = if goals_apart { goal_support(circuit) } else { Vec::new() };
        let pending = 2 * bases;
        let kept = pending + 3;
        let legal = kept + kept_bases.len();
        let does = legal + moves;
        let goals = does + moves + 1;
        let goal_count: usize = circuit.roles.iter().map(|role| role.goals.len()).sum();
        Self {
            bases,
            start: bases,
            pending,
            stuck: pending + 1,
            conflict: pending + 2,
            kept,
            kept_bases,
            legal,
            does,
            moves: does + moves,
            goals,
            scratch: goals + goal_count,
        }
    }
}

/// Whether the goals are to be evaluated apart, once in a while, because they are expensive.
pub(super) fn are_goals_apart(circuit: &Circuit) -> bool {
    let legal = circuit.roles.iter().flat_map(|role| role.legal.iter().copied());
    let step: Vec<Edge> = legal.chain(circuit.next.iter().copied()).chain([circuit.terminal]).collect();
    let goals = circuit.roles.iter().flat_map(|role| role.goals.iter().map(|goal| goal.edge));
    let step_size = cone(&circuit.gates, step.iter().copied()).len();
    let whole_size = cone(&circuit.gates, step.into_iter().chain(goals)).len();
    whole_size - step_size > 64.max(step_size / 16)
}

fn goal_support(circuit: &Circuit) -> Vec<u32> {
    let goals = circuit.roles.iter().flat_map(|role| role.goals.iter().map(|goal| goal.edge));
    let base = |gate| match circuit.gates.get(gate) {
        Gate::Base(number) => Some(number),
        _ => None,
    };
    cone(&circuit.gates, goals).into_iter().filter_map(base).collect()
}

impl Sweep {
    /// Builds it. With `in_one` the chosen moves are made at once; else states, legal moves and
    /// chosen moves are left in the block for someone to change the choice (see [`leap`]).
    pub(super) fn new(
        circuit: &Circuit,
        layout: &Layout,
        plan: &Plan,
        goals_apart: bool,
        in_one: bool,
    ) -> Self {
        let first_random = layout.scratch as u32;
        let mut build = Builder { gates: Gates::new(), layout, circuit, first_random, drawn: 0 };
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
        let seen = build.import(&wanted, &state, None);
        let pending = build.slot(layout.pending);
        let (finished, waits) = if goals_apart {
            (build.gates.and(seen[0], !pending), build.gates.and(seen[0], pending))
        } else {
            (seen[0], Edge::FALSE)
        };
        let mut events = vec![finished, Edge::FALSE];
        let goals = goal_edges.iter().enumerate().map(|(index, &(role, value, _))| {
            let event = if goals_apart {
                index
            } else {
                let event = build.gates.and(finished, seen[index + 1]);
                let known = events.iter().skip(FIRST_GOAL).position(|&other| other == event);
                known.map_or_else(
                    || {
                        events.push(event);
                        events.len() - 1
                    },
                    |position| position + FIRST_GOAL,
                )
            };
            GoalEvent { role, value, event }
        });
        let goals: Vec<GoalEvent> = goals.collect();
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

        // Finished lanes begin anew; then everyone moves.
        let state: Vec<Edge> = (0..layout.bases)
            .map(|base| {
                let start = build.slot(layout.start + base);
                choose(&mut build.gates, finished, start, state[base])
            })
            .collect();
        let choice = build.choose_moves(&state, plan, waits);
        events[MOVED] = choice.moved;
        let (stuck, conflict) = (build.slot(layout.stuck), build.slot(layout.conflict));
        let stuck = build.gates.or(stuck, choice.stuck);
        let conflict = build.gates.or(conflict, choice.conflict);
        outputs.push((stuck, Place::block(layout.stuck as u32)));
        outputs.push((conflict, Place::block(layout.conflict as u32)));
        if in_one {
            let next = build.import(&circuit.next, &state, Some(&choice.does));
            let held = build.import(&circuit.next, &state, Some(&choice.nothing));
            for base in 0..layout.bases {
                // Often a proposition holds by itself when nothing is done.
                let edge = if held[base] == state[base] {
                    next[base]
                } else {
                    choose(&mut build.gates, choice.moved, next[base], state[base])
                };
                outputs.push((edge, Place::block(base as u32)));
            }
        } else {
            outputs.extend((0..layout.bases).map(|base| (state[base], Place::block(base as u32))));
            let areas = [(&choice.legal, layout.legal), (&choice.does, layout.does)];
            for (edges, first) in areas {
                let slots = first as u32..;
                outputs.extend(
                    edges.iter().flatten().zip(slots).map(|(&edge, slot)| (edge, Place::block(slot))),
                );
            }
            outputs.push((choice.moved, Place::block(layout.moves as u32)));
        }
        let event_row = events.len() as u32;
        let events = events.into_iter().zip(0..).map(|(edge, slot)| (edge, Place::events(slot)));
        let outputs = events.chain(outputs).collect();
        let rows = Rows { random: build.drawn, events: event_row };
        Self { gates: build.gates, outputs, rows, first_random, goals }
    }

    pub(super) fn with_network<T>(&self, extra_random: u32, run: impl FnOnce(&Network<'_>) -> T) -> T {
        let input = |gate: Gate| match gate {
            Gate::Base(number) if number < self.first_random => Place::block(number),
            Gate::Base(number) => Place::random(number - self.first_random),
            other => unreachable!("{other:?} is no input"),
        };
        let rows = Rows { random: self.rows.random + extra_random, ..self.rows };
        run(&Network { gates: &self.gates, outputs: self.outputs.clone(), rows, input: &input })
    }
}

/// What the lanes do.
struct Choice {
    legal: Vec<Vec<Edge>>,
    does: Vec<Vec<Edge>>,
    /// What `does` comes down to in lanes that do not move.
    nothing: Vec<Vec<Edge>>,
    moved: Edge,
    stuck: Edge,
    conflict: Edge,
}

struct Builder<'a> {
    gates: Gates,
    layout: &'a Layout,
    circuit: &'a Circuit,
    first_random: u32,
    drawn: u32,
}

impl Builder<'_> {
    /// A slot of the block. Slots and random words are told apart by their numbers.
    fn slot(&mut self, slot: usize) -> Edge {
        debug_assert!(slot < self.layout.scratch);
        self.gates.base(slot as u32)
    }

    fn import(&mut self, edges: &[Edge], state: &[Edge], does: Option<&[Vec<Edge>]>) -> Vec<Edge> {
        import(&mut self.gates, &self.circuit.gates, edges, |_, gate| match (gate, does) {
            (Gate::Base(number), _) => state[number as usize],
            (Gate::Does(role, number), Some(does)) => does[role as usize][number as usize],
            (other, _) => unreachable!("{other:?} is no input here"),
        })
    }

    fn choose_moves(&mut self, state: &[Edge], plan: &Plan, waits: Edge) -> Choice {
        let circuit = self.circuit;
        let legal: Vec<Vec<Edge>> =
            circuit.roles.iter().map(|role| self.import(&role.legal, state, None)).collect();
        let mut does: Vec<Vec<Edge>> = legal.iter().map(|moves| vec![Edge::FALSE; moves.len()]).collect();
        let mut stuck = Edge::FALSE;
        let mut conflict = Edge::FALSE;
        let literal = |literal: Literal| {
            let edge = state[literal as usize / 2];
            if literal & 1 != 0 { !edge } else { edge }
        };
        for (first, second) in plan.turns.assumptions() {
            let both = self.gates.and(literal(first), literal(second));
            conflict = self.gates.or(conflict, both);
        }
        // One choice for all roles in turn, one for each of the others.
        let in_turn = |role: usize| plan.turns.roles.iter().find(|turn| turn.0 == role);
        let mut choices: Vec<Vec<(usize, u32)>> = vec![Vec::new()];
        for (role, moves) in legal.iter().enumerate() {
            let numbers = 0..moves.len() as u32;
            match in_turn(role) {
                Some(&(_, _, idle)) => {
                    choices[0]
                        .extend(numbers.filter(|&number| Some(number) != idle).map(|number| (role, number)));
                    if let Some(idle) = idle {
                        does[role][idle as usize] = moves[idle as usize];
                    }
                }
                None => choices.push(numbers.map(|number| (role, number)).collect()),
            }
        }
        let nothing = does.clone();
        let mut selections = Vec::new();
        let mut moved = !waits;
        for (index, moves) in choices.into_iter().enumerate().filter(|(_, moves)| !moves.is_empty()) {
            let groups = if plan.implied.is_empty() {
                moves.into_iter().map(|one| vec![one]).collect()
            } else {
                group(&moves, &plan.implied, &plan.turns)
            };
            let leaves = groups.iter().map(|group| {
                group.iter().fold(Edge::FALSE, |any, &(role, number)| {
                    self.gates.or(any, legal[role][number as usize])
                })
            });
            let leaves = leaves.collect();
            let (drawn, first_random) = (&mut self.drawn, self.first_random);
            let mut random = |gates: &mut Gates| {
                *drawn += 1;
                gates.base(first_random + *drawn - 1)
            };
            let selection = Selection::new(&mut self.gates, leaves, plan.tries, &mut random);
            let nobody = if index == 0 {
                // Whose turn it is must have a move, everyone else the idle one.
                plan.turns.roles.iter().fold(Edge::FALSE, |nobody, role_in_turn| {
                    let &(role, turn, idle) = role_in_turn;
                    let idle = idle.map_or(Edge::FALSE, |idle| legal[role][idle as usize]);
                    let acts = self.gates.and(literal(turn), !selection.none);
                    if !plan.turns.is_idle_apart(&plan.implied, role_in_turn) {
                        // To be idle must not be a choice among others.
                        let both = self.gates.and(acts, idle);
                        conflict = self.gates.or(conflict, both);
                    }
                    let able = self.gates.or(acts, idle);
                    self.gates.or(nobody, !able)
                })
            } else {
                selection.none
            };
            stuck = self.gates.or(stuck, nobody);
            // A turn in which all are idle needs no draw.
            moved = self.gates.and(moved, selection.accepted);
            selections.push((groups, selection));
        }
        let stuck = self.gates.and(stuck, !waits);
        let moved = self.gates.and(moved, !stuck);
        for (groups, selection) in selections {
            let root = if groups.iter().flatten().any(|&(role, _)| in_turn(role).is_some()) {
                // With all idle there is nothing to choose.
                self.gates.and(moved, !selection.none)
            } else {
                moved
            };
            for (group, chosen) in groups.iter().zip(selection.descend(&mut self.gates, root)) {
                for &(role, number) in group {
                    does[role][number as usize] = if group.len() == 1 {
                        chosen
                    } else {
                        self.gates.and(chosen, legal[role][number as usize])
                    };
                }
            }
        }
        Choice { legal, does, nothing, moved, stuck, conflict }
    }
}

/// The second half of a sweep that is not in one: makes the moves left in the block.
pub(super) fn leap<T>(circuit: &Circuit, layout: &Layout, run: impl FnOnce(&Network<'_>) -> T) -> T {
    let mut gates = Gates::new();
    let state: Vec<Edge> = (0..layout.bases as u32).map(|base| gates.base(base)).collect();
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
        Gate::Base(number) => state[number as usize],
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

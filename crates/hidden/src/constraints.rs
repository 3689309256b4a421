//! What was told as constraints: the circuit of the game laid out in time, one copy of its gates for each step, and a
//! satisfiability solver that looks for joint moves which agree with everything. It finds some if there are any,
//! however seldom they are met at random, and can prove that there are none.

use circuit::{Circuit, Edge, Gate, GateId, Gates};
use clauses::{Encoding, Lit, Patience};
use game::{Describe, Dice, MoveId, PerceptId, RoleId};

use crate::view::UNKNOWN;

/// Bytes that the clauses may take, about.
const MOST_BYTES: usize = 256 << 20;
/// Decisions of the solver for one answer.
const PATIENCE: u32 = 100_000;
/// Moves that are drawn before the solver is asked for the rest, so that answers differ.
const DRAWN: usize = 6;

/// What is known of a step, by the numbers that the circuit has for moves and percepts of the role.
pub(crate) struct Known {
    /// The own move.
    pub(crate) own: Option<usize>,
    /// What was told: percepts where the rules say what is seen, the joint move otherwise.
    pub(crate) told: Option<Vec<usize>>,
}

/// What a role knows of its steps, own moves and what was told, in the numbers of a circuit; `None` if it was told what cannot be.
pub(crate) fn known_steps<G: Describe>(
    game: &G,
    circuit: &Circuit,
    role: RoleId,
    steps: &[(Option<MoveId>, &Option<Vec<PerceptId>>)],
) -> Option<Vec<Known>> {
    let number = |role: usize, text: &String| circuit.roles[role].moves.binary_search(text).ok();
    let this = usize::from(role.0);
    let known = |&(own, told): &(Option<MoveId>, &Option<Vec<PerceptId>>)| {
        let own = match own {
            Some(own) => Some(number(this, &game.move_text(own))?),
            None => None,
        };
        let told = match told {
            None => None,
            Some(told) if circuit.has_percepts => {
                let outputs = &circuit.roles[this].percepts;
                let find = |&id: &PerceptId| {
                    let text = (id != UNKNOWN).then(|| game.percept_text(id))?;
                    outputs.binary_search_by(|output| output.text.cmp(&text)).ok()
                };
                Some(told.iter().map(find).collect::<Option<Vec<usize>>>()?)
            }
            Some(joint) => {
                let moves = joint.iter().enumerate();
                let find = |(role, id): (usize, &PerceptId)| number(role, &game.move_text(MoveId(id.0)));
                Some(moves.map(find).collect::<Option<Vec<usize>>>()?)
            }
        };
        Some(Known { own, told })
    };
    steps.iter().map(known).collect()
}

/// One way through all steps: for each the move of each role, by its number.
pub(crate) type Moves = Vec<Vec<usize>>;

/// Ways through all steps that agree with what a role knows of them; with `open` the game is not over after them.
/// Fewer than wanted if there are no more, or time is short; none if there are too many gates in all steps together.
pub(crate) fn agreeing(
    circuit: &Circuit,
    role: usize,
    steps: &[Known],
    open: bool,
    wanted: usize,
    most_gates: usize,
    dice: &mut Dice,
) -> Vec<Moves> {
    let Some(mut layout) = Layout::new(circuit, role, steps, open, most_gates) else { return Vec::new() };
    let mut found = Vec::new();
    while found.len() < wanted {
        let Some(way) = layout.find(dice) else { break };
        layout.forbid();
        found.push(way);
    }
    found
}

/// A choice that is not known: its step and role, and the literals and numbers of the moves.
struct Choice {
    step: usize,
    role: usize,
    moves: Vec<(usize, Edge, Lit)>,
}

/// The game laid out in time.
struct Layout {
    gates: Gates,
    encoding: Encoding,
    choices: Vec<Choice>,
    /// The moves that are known.
    fixed: Moves,
}

impl Layout {
    /// `None` if it cannot be what was told, or is too large.
    fn new(circuit: &Circuit, role: usize, steps: &[Known], open: bool, most_gates: usize) -> Option<Self> {
        let told = &circuit.roles[role].percepts;
        let looks =
            || circuit.roles.iter().flat_map(|role| role.legal.iter().copied()).chain([circuit.terminal]);
        let looks = circuit.gates.cone(looks());
        let outcome = circuit.next.iter().copied().chain(told.iter().map(|percept| percept.edge));
        let outcome = circuit.gates.cone(outcome);
        if (looks.len() + outcome.len()).saturating_mul(steps.len() + 1) > most_gates {
            return None;
        }
        let constant = |value: bool| if value { Edge::TRUE } else { Edge::FALSE };
        let mut facts: Vec<Edge> = circuit.initial.iter().map(|&holds| constant(holds)).collect();
        let mut this = Self {
            gates: Gates::new(),
            encoding: Encoding::new(),
            choices: Vec::new(),
            fixed: vec![vec![0; circuit.roles.len()]; steps.len()],
        };
        let mut copy = Instance { circuit, places: vec![Edge::FALSE; circuit.gates.len()] };
        for (number, step) in steps.iter().enumerate() {
            copy.make(&mut this.gates, &looks, &facts, &[]);
            this.require(!copy.place(circuit.terminal))?;
            let does = this.choose(circuit, &copy, role, number, step)?;
            copy.make(&mut this.gates, &outcome, &facts, &does);
            if let Some(seen) = step.told.as_ref().filter(|_| circuit.has_percepts) {
                for (percept, output) in told.iter().enumerate() {
                    let edge = copy.place(output.edge);
                    this.require(if seen.contains(&percept) { edge } else { !edge })?;
                }
            }
            facts = circuit.next.iter().map(|&edge| copy.place(edge)).collect();
            if this.encoding.bytes() > MOST_BYTES {
                return None;
            }
        }
        if open {
            copy.make(&mut this.gates, &looks, &facts, &[]);
            this.require(!copy.place(circuit.terminal))?;
        }
        Some(this)
    }

    /// What has to be; `None` if it cannot.
    fn require(&mut self, edge: Edge) -> Option<()> {
        match edge {
            Edge::TRUE => Some(()),
            Edge::FALSE => None,
            edge => {
                let literal = self.encoding.literal(&self.gates, edge);
                self.encoding.add(&[literal]);
                Some(())
            }
        }
    }

    /// Whether each move of each role is made in a step: exactly one of those that are legal.
    fn choose(
        &mut self,
        circuit: &Circuit,
        copy: &Instance<'_>,
        role: usize,
        number: usize,
        step: &Known,
    ) -> Option<Vec<Vec<Edge>>> {
        let mut does = Vec::with_capacity(circuit.roles.len());
        for (place, moves) in circuit.roles.iter().enumerate() {
            let known = match &step.told {
                Some(joint) if !circuit.has_percepts => joint.get(place).copied(),
                _ => step.own.filter(|_| place == role),
            };
            let legal: Vec<Edge> = moves.legal.iter().map(|&edge| copy.place(edge)).collect();
            let possible: Vec<usize> = match known {
                Some(known) => vec![known],
                None => (0..legal.len()).filter(|&id| legal[id] != Edge::FALSE).collect(),
            };
            let mut made = vec![Edge::FALSE; legal.len()];
            match possible[..] {
                [] => return None,
                [only] => {
                    self.require(*legal.get(only)?)?;
                    made[only] = Edge::TRUE;
                    self.fixed[number][place] = only;
                }
                _ => {
                    let first = number.checked_mul(legal.len())?;
                    let mut options = Vec::with_capacity(possible.len());
                    for id in possible {
                        let edge = self.gates.does(place as u16, u32::try_from(first + id).ok()?);
                        let literal = self.encoding.literal(&self.gates, edge);
                        if legal[id] != Edge::TRUE {
                            let is_legal = self.encoding.literal(&self.gates, legal[id]);
                            self.encoding.add(&[!literal, is_legal]);
                        }
                        made[id] = edge;
                        options.push((id, edge, literal));
                    }
                    let literals: Vec<Lit> = options.iter().map(|option| option.2).collect();
                    self.encoding.add(&literals);
                    self.encoding.at_most_one(&literals);
                    self.choices.push(Choice { step: number, role: place, moves: options });
                }
            }
            does.push(made);
        }
        Some(does)
    }

    /// A way that agrees, any of them. Some moves are drawn; what cannot be with them is left to the solver.
    fn find(&mut self, dice: &mut Dice) -> Option<Moves> {
        let mut drawn: Vec<Lit> = (0..DRAWN.min(self.choices.len()))
            .map(|_| {
                let choice = &self.choices[dice.below(self.choices.len())];
                choice.moves[dice.below(choice.moves.len())].2
            })
            .collect();
        loop {
            match self.encoding.solve(&drawn, Patience::Decisions(PATIENCE)) {
                Some(true) => return Some(self.read()),
                _ if drawn.is_empty() => return None,
                Some(false) => drawn.truncate(drawn.len() / 2),
                // Hard questions are asked once more at most.
                None => drawn.clear(),
            }
        }
    }

    /// The answer just found.
    fn read(&self) -> Moves {
        let mut way = self.fixed.clone();
        for choice in &self.choices {
            let made = choice.moves.iter().find(|(_, edge, _)| self.encoding.holds(*edge));
            way[choice.step][choice.role] = made.map_or(0, |(id, ..)| *id);
        }
        way
    }

    /// The answer just found is not to be found again.
    fn forbid(&mut self) {
        let made = self.choices.iter().filter_map(|choice| {
            choice.moves.iter().find(|(_, edge, _)| self.encoding.holds(*edge)).map(|(.., literal)| !*literal)
        });
        let clause: Vec<Lit> = made.collect();
        self.encoding.add(&clause);
    }
}

/// A copy of the circuit's gates for one step.
struct Instance<'a> {
    circuit: &'a Circuit,
    /// Where each gate of the circuit is in the copy made last.
    places: Vec<Edge>,
}

impl Instance<'_> {
    fn make(&mut self, gates: &mut Gates, wanted: &[GateId], facts: &[Edge], does: &[Vec<Edge>]) {
        for &id in wanted {
            self.places[id.0 as usize] = match self.circuit.gates.get(id) {
                Gate::False => Edge::FALSE,
                Gate::Base(number) => facts[number as usize],
                Gate::Does(role, number) => does
                    .get(usize::from(role))
                    .and_then(|made| made.get(number as usize))
                    .copied()
                    .unwrap_or(Edge::FALSE),
                Gate::And(left, right) => {
                    let (left, right) = (self.place(left), self.place(right));
                    gates.and(left, right)
                }
                Gate::Xor(left, right) => {
                    let (left, right) = (self.place(left), self.place(right));
                    gates.xor(left, right)
                }
            };
        }
    }

    fn place(&self, edge: Edge) -> Edge {
        let place = self.places[edge.gate().0 as usize];
        if edge.is_inverted() { !place } else { place }
    }
}

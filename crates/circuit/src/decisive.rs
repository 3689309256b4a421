//! The same game where who can win at once has to, and nobody leaves the others a win at once who has
//! another move: the rules of playouts that look for moves that decide (Teytaud and Teytaud 2010).
//!
//! Everything is done by composing the circuit with itself. What the end of the game and the goals are after
//! a move is what they are of the next state, with that move put in: most of it does not depend on the move,
//! and where the game is not over yet it is known to be false. So in a game of lines only those through the
//! squares that the move changes are left. Legal moves are then narrowed, and whoever plays by the circuit
//! plays by the new rules. Roles must move in turn: with several that choose at once no move decides.

use crate::compose::{Composer, TooLarge};
use crate::{Circuit, Edge, Gate, GateId};

/// A goal that cannot be bettered.
const BEST: u8 = 100;

/// How a role takes its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TurnOf {
    /// The role, by its place.
    pub role: usize,
    /// It is its turn when this base proposition
    pub base: u32,
    /// has this value. It has no choice otherwise.
    pub value: bool,
    /// The move it makes when it is someone else's turn.
    pub idle: Option<u32>,
}

/// What the search for moves that decide may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecisiveLimits {
    /// Gates, those of the circuit included.
    pub gates: usize,
    /// Gates looked at.
    pub work: usize,
}

/// A circuit whose legal moves are narrowed to those that decide, where there are such.
#[derive(Clone, Debug)]
pub struct DecisiveCircuit {
    /// The same game otherwise. Holds in states that are not terminal.
    pub circuit: Circuit,
    /// The outcome is certain: whose turn it is wins at once, or with stops, whatever it does someone else
    /// does. Only the end of the game is then left to be played.
    pub settled: Edge,
}

/// What a move leads to.
struct After {
    /// Base propositions that are not what they were.
    changed: Vec<(GateId, Edge)>,
    /// It ends the game.
    over: Edge,
    /// It wins.
    wins: Edge,
    /// It ends the game with a win of someone else.
    loses: Edge,
}

/// What is known of a role's moves, all but the idle one.
struct Mover {
    turn: TurnOf,
    moves: Vec<(usize, After)>,
    /// It can win at once.
    any_win: Edge,
}

impl Circuit {
    /// The circuit of playouts that take wins at once and, with `stops`, leave the others none if they can.
    /// `None` if roles do not move in turn, nobody can win, or it would be too large.
    pub fn decisive(&self, turns: &[TurnOf], stops: bool, limits: DecisiveLimits) -> Option<DecisiveCircuit> {
        let in_turn = |role: usize| turns.iter().find(|turn| turn.role == role);
        let is_covered = |(role, moves): (usize, &crate::RoleMoves)| {
            moves.moves.len() == 1 || in_turn(role).is_some_and(|turn| turn.idle.is_some())
        };
        // Each move is put into the logic of the next state, and that into the end of the game.
        let moves: usize = turns.iter().map(|turn| self.roles[turn.role].moves.len()).sum();
        let is_much = moves.saturating_mul(self.gates.len()) > limits.work;
        if turns.len() < 2 || is_much || !self.roles.iter().enumerate().all(is_covered) {
            return None;
        }
        self.narrow(turns, stops, limits).ok().flatten()
    }

    fn narrow(
        &self,
        turns: &[TurnOf],
        stops: bool,
        limits: DecisiveLimits,
    ) -> Result<Option<DecisiveCircuit>, TooLarge> {
        let mut composer = Composer::new(self.gates.clone(), limits.gates, limits.work);
        composer.assume(!self.terminal);
        let is_chance = |turn: &TurnOf| self.chance == Some(turn.role);
        let mut movers = Vec::new();
        for turn in turns.iter().filter(|turn| !is_chance(turn)) {
            movers.push(self.look_ahead(&mut composer, turn, turns, stops)?);
        }
        if movers.iter().all(|mover| mover.any_win == Edge::FALSE) {
            return Ok(None);
        }
        // Where it is a role's turn and it can win at once, as a function of any state.
        let mut threats = Vec::new();
        for mover in &movers {
            let turn = literal(&mut composer, &mover.turn);
            threats.push(composer.gates.and(turn, mover.any_win));
        }
        let mut circuit = Circuit { gates: Default::default(), ..self.clone() };
        let mut settled = Edge::FALSE;
        for (index, mover) in movers.iter().enumerate() {
            let TurnOf { role, .. } = mover.turn;
            let others = threats.iter().enumerate().filter(|(other, _)| *other != index);
            let threat = composer.any(others.map(|(_, &threat)| threat));
            let (mut safe, mut any_safe) = (Vec::new(), Edge::TRUE);
            if stops {
                let cone = composer.gates.cone(std::iter::once(threat));
                for (_, after) in &mover.moves {
                    composer.replace(after.changed.iter().copied());
                    composer.run(&cone, None)?;
                    let threat = composer.read(threat, None);
                    let goes_on = composer.gates.and(!after.over, threat);
                    safe.push(!composer.gates.or(after.loses, goes_on));
                }
                let moves = mover.moves.iter().zip(&safe);
                let safe: Vec<Edge> = moves
                    .map(|((number, _), &safe)| composer.gates.and(self.roles[role].legal[*number], safe))
                    .collect();
                any_safe = composer.any(safe);
            }
            // Assumed not to be true together, but not proven: then nothing is narrowed.
            let own = literal(&mut composer, &mover.turn);
            let mut doubt = Edge::FALSE;
            for other in turns.iter().filter(|other| other.role != role) {
                let other = literal(&mut composer, other);
                if other != !own {
                    doubt = composer.gates.or(doubt, other);
                }
            }
            for (place, (number, after)) in mover.moves.iter().enumerate() {
                let gates = &mut composer.gates;
                let stops = safe.get(place).map_or(Edge::TRUE, |&safe| gates.or(safe, !any_safe));
                let stops = gates.and(stops, !mover.any_win);
                let allowed = gates.or(after.wins, stops);
                let allowed = gates.or(allowed, doubt);
                let legal = &mut circuit.roles[role].legal[*number];
                *legal = gates.and(*legal, allowed);
            }
            let gates = &mut composer.gates;
            let certain = gates.or(mover.any_win, !any_safe);
            let certain = gates.and(certain, own);
            let certain = gates.and(certain, !doubt);
            settled = gates.or(settled, certain);
        }
        circuit.gates = composer.gates;
        Ok(Some(DecisiveCircuit { circuit, settled }))
    }

    /// What each move of a role leads to, when it is its turn and the game is not over.
    fn look_ahead(
        &self,
        composer: &mut Composer,
        turn: &TurnOf,
        turns: &[TurnOf],
        stops: bool,
    ) -> Result<Mover, TooLarge> {
        let TurnOf { role, idle, .. } = *turn;
        let next_cone = self.gates.cone(self.next.iter().copied());
        let under = self.undone(composer, turn, turns, &next_cone)?;
        let goal = |role: usize| {
            let goals = self.roles[role].goals.iter().find(|goal| goal.value == BEST);
            goals.map_or(Edge::FALSE, |goal| goal.edge)
        };
        let rivals = (0..self.roles.len()).filter(|&other| other != role && self.chance != Some(other));
        let rival_goals: Vec<Edge> = rivals.filter(|_| stops).map(goal).collect();
        let (own_goal, terminal) = (goal(role), self.terminal);
        let end_cone = self.gates.cone(rival_goals.iter().copied().chain([own_goal, terminal]));
        let bases: Vec<Edge> = (0..self.next.len() as u32).map(|base| composer.gates.base(base)).collect();
        let mut mover = Mover { turn: *turn, moves: Vec::new(), any_win: Edge::FALSE };
        for number in (0..self.roles[role].moves.len()).filter(|&number| idle != Some(number as u32)) {
            let does = composer.gates.does(role as u16, number as u32);
            composer.replace([(does.gate(), Edge::TRUE)]);
            composer.run(&next_cone, Some(&under))?;
            let next = self.next.iter().map(|&edge| composer.read(edge, Some(&under)));
            let changed: Vec<(GateId, Edge)> = bases
                .iter()
                .zip(next)
                .filter(|(base, next)| *base != next)
                .map(|(base, next)| (base.gate(), next))
                .collect();
            composer.replace(changed.iter().copied());
            composer.run(&end_cone, None)?;
            let (over, own_goal) = (composer.read(terminal, None), composer.read(own_goal, None));
            let rival_goals: Vec<Edge> = rival_goals.iter().map(|&goal| composer.read(goal, None)).collect();
            let wins = composer.gates.and(over, own_goal);
            let lost = composer.any(rival_goals);
            let loses = composer.gates.and(over, lost);
            let win = composer.gates.and(self.roles[role].legal[number], wins);
            mover.any_win = composer.gates.or(mover.any_win, win);
            mover.moves.push((number, After { changed, over, wins, loses }));
        }
        Ok(mover)
    }

    /// What the gates of the next state are when it is a role's turn and it does nothing, which no move is.
    fn undone(
        &self,
        composer: &mut Composer,
        turn: &TurnOf,
        turns: &[TurnOf],
        cone: &[GateId],
    ) -> Result<Vec<Edge>, TooLarge> {
        let mut inputs = Vec::new();
        for other in turns {
            let value = other.value == (other.role == turn.role);
            inputs.push((composer.gates.base(other.base).gate(), constant(value)));
        }
        // Two roles may go by one proposition: the mover's own word counts.
        inputs.push((composer.gates.base(turn.base).gate(), constant(turn.value)));
        for &id in cone {
            if let Gate::Does(role, number) = self.gates.get(id) {
                let idle =
                    turns.iter().find(|other| other.role == usize::from(role)).and_then(|turn| turn.idle);
                let alone = self.roles[usize::from(role)].moves.len() == 1;
                let does = usize::from(role) != turn.role && (idle == Some(number) || alone);
                inputs.push((id, constant(does)));
            }
        }
        composer.replace(inputs);
        composer.run(cone, None)?;
        let mut under: Vec<Edge> =
            (0..self.gates.len() as u32).map(|id| Edge::new(GateId(id), false)).collect();
        for &id in cone {
            under[id.0 as usize] = composer.read(Edge::new(id, false), None);
        }
        Ok(under)
    }
}

/// It is a role's turn.
fn literal(composer: &mut Composer, turn: &TurnOf) -> Edge {
    let base = composer.gates.base(turn.base);
    if turn.value { base } else { !base }
}

fn constant(value: bool) -> Edge {
    if value { Edge::TRUE } else { Edge::FALSE }
}

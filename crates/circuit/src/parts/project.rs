//! A part as a circuit of its own, to be played alone.

use super::Parts;
use super::copier::Copier;
use super::operands::{Link, Operands, Say, highest_goal, says};
use crate::{Circuit, Edge, GoalOutput, RoleMoves};

/// A part of a game with one role, as a game.
#[derive(Clone, Debug)]
pub struct PartGame {
    /// The part with what runs by itself. Its moves are named by the first moves of the whole game that do the same; its
    /// goal is 100 where what the highest goal asks of it holds, else 0.
    pub circuit: Circuit,
    /// For each of its facts the number it has in the whole game.
    pub facts: Vec<u32>,
    /// For each of its moves the action in the part, and the group of moves it belongs to.
    pub actions: Vec<(u32, usize)>,
}

impl Parts {
    /// A part of a one-player game as a game of its own. `None` if it has no say in the highest goal, if the goal or the end
    /// takes the parts together in a way that cannot be taken apart, or if moves cannot.
    pub fn project(&self, circuit: &Circuit, part: usize) -> Option<PartGame> {
        let ([role], Some([actions])) = (&circuit.roles[..], self.actions.as_deref()) else { return None };
        let says = says(circuit, &self.part_of(circuit));
        let own = Say::Part(part as u32);
        let say = |edge: Edge| says[edge.gate().0 as usize];
        let is_mixed = |link: Link| link == Link::Mixed;
        if is_mixed(self.terminal) || self.goals.iter().any(|&link| is_mixed(link)) {
            return None;
        }
        let mut kept: Vec<u32> = self.shared.iter().chain(&self.facts[part]).copied().collect();
        kept.sort_unstable();
        let mut copy = Copier::new(circuit, &kept);
        let operands = Operands::of_parts(circuit, highest_goal(role)?, &|edge| say(edge) != Say::Nobody);
        let asked: Vec<Edge> = operands.edges.iter().copied().filter(|&edge| say(edge) == own).collect();
        if asked.is_empty() {
            return None;
        }
        let asked: Vec<Edge> = asked.into_iter().map(|edge| copy.edge(edge)).collect();
        let reached = copy.together(&asked, operands.all);
        // It ends with the clock, with what ends it here alone, and where all that is asked of it is there.
        let clock: Vec<Edge> = match Operands::of(circuit, circuit.terminal) {
            Operands { all: false, edges } => {
                edges.into_iter().filter(|&edge| say(edge) == Say::Nobody).collect()
            }
            Operands { all: true, .. } if say(circuit.terminal) == Say::Nobody => vec![circuit.terminal],
            _ => Vec::new(),
        };
        let mut ends: Vec<Edge> = clock.into_iter().map(|edge| copy.edge(edge)).collect();
        if self.terminal != Link::All {
            let operands = Operands::of_parts(circuit, circuit.terminal, &|edge| say(edge) != Say::Nobody);
            let own: Vec<Edge> = operands.edges.iter().copied().filter(|&edge| say(edge) == own).collect();
            let own: Vec<Edge> = own.into_iter().map(|edge| copy.edge(edge)).collect();
            if !own.is_empty() {
                ends.push(copy.together(&own, operands.all));
            }
        }
        ends.push(reached);
        let terminal = copy.together(&ends, false);
        let mut moves: Vec<(String, Edge, u32)> = Vec::new();
        let mut listed: Vec<(u32, usize)> = Vec::new();
        for (number, group) in actions.groups.iter().enumerate() {
            let mut seen: Vec<u32> = Vec::new();
            for (id, done) in &group.moves {
                if seen.contains(&done[part]) {
                    continue;
                }
                seen.push(done[part]);
                let conditions = Operands::conditions(circuit, role.legal[*id as usize]);
                let here: Vec<Edge> =
                    conditions.into_iter().filter(|&edge| [own, Say::Nobody].contains(&say(edge))).collect();
                let here: Vec<Edge> = here.into_iter().map(|edge| copy.edge(edge)).collect();
                moves.push((role.moves[*id as usize].clone(), copy.together(&here, true), *id));
                listed.push((done[part], number));
            }
        }
        let mut sorted: Vec<usize> = (0..moves.len()).collect();
        sorted.sort_by(|&one, &other| moves[one].0.cmp(&moves[other].0));
        let numbers: Vec<u32> = sorted.iter().map(|&place| moves[place].2).collect();
        copy.name_moves(0, &numbers);
        let next = kept.iter().map(|&fact| copy.edge(circuit.next[fact as usize])).collect();
        let projected = Circuit {
            bases: kept.iter().map(|&fact| circuit.bases[fact as usize].clone()).collect(),
            initial: kept.iter().map(|&fact| circuit.initial[fact as usize]).collect(),
            roles: vec![RoleMoves {
                name: role.name.clone(),
                moves: sorted.iter().map(|&place| moves[place].0.clone()).collect(),
                legal: sorted.iter().map(|&place| moves[place].1).collect(),
                goals: vec![
                    GoalOutput { value: 0, edge: !reached },
                    GoalOutput { value: 100, edge: reached },
                ],
                percepts: Vec::new(),
            }],
            terminal,
            next,
            gates: copy.gates,
            spellings: circuit.spellings.clone(),
            ..Circuit::default()
        };
        let actions = sorted.iter().map(|&place| listed[place]).collect();
        Some(PartGame { circuit: projected, facts: kept, actions })
    }
}

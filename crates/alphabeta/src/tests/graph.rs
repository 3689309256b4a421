//! Games that are graphs, generated or written by hand.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use game::{
    Dice, Expansion, FactId, Game, Goal, GoalReading, MoveId, PlayOptions, RoleId, RuleFault, Simulator,
};

/// A position of a graph.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) node: u32,
    /// Whether it hashes like every other one.
    pub(crate) collides: bool,
}

impl PartialEq for Place {
    fn eq(&self, other: &Self) -> bool {
        self.node == other.node
    }
}

impl Eq for Place {}

impl Hash for Place {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u32(if self.collides { 0 } else { self.node });
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Node {
    /// How many moves each role has; none where the game is over.
    pub(crate) moves: Vec<usize>,
    /// Where joint moves lead, the last role's changing fastest.
    pub(crate) next: Vec<u32>,
    pub(crate) goals: Vec<u8>,
    pub(crate) is_over: bool,
}

/// A game that is a graph without circles.
#[derive(Clone, Debug)]
pub(crate) struct Graph {
    pub(crate) roles: usize,
    pub(crate) nodes: Vec<Node>,
    pub(crate) collides: bool,
    pub(crate) lanes: usize,
}

impl Graph {
    /// A game by its positions: who has how many moves and where they lead, or what is reached.
    pub(crate) fn by_hand(roles: usize, nodes: &[(&[usize], &[u32], &[u8])]) -> Arc<Self> {
        let node = |(moves, next, goals): &(&[usize], &[u32], &[u8])| Node {
            moves: moves.to_vec(),
            next: next.to_vec(),
            goals: goals.to_vec(),
            is_over: moves.is_empty(),
        };
        let nodes = nodes.iter().map(node).collect();
        Arc::new(Self { roles, nodes, collides: false, lanes: 8 })
    }

    /// A random one: later positions are nearer to the end, and are reached in several ways.
    pub(crate) fn random(roles: usize, size: usize, is_in_turn: bool, dice: &mut Dice) -> Self {
        let goals = [0, 0, 50, 100, 100, 30];
        let mut nodes = Vec::new();
        for number in 0..size {
            let is_over = number + 8 >= size || (number > 6 && dice.below(6) == 0);
            if is_over {
                let goals = (0..roles).map(|_| goals[dice.below(goals.len())]).collect();
                nodes.push(Node { goals, is_over, ..Node::default() });
                continue;
            }
            let mover = dice.below(roles);
            let moves: Vec<usize> = (0..roles)
                .map(|role| if is_in_turn && role != mover { 1 } else { 1 + dice.below(3) })
                .collect();
            let count = moves.iter().product();
            let reach = 8.min(size - number - 1);
            let next = (0..count).map(|_| (number + 1 + dice.below(reach)) as u32).collect();
            nodes.push(Node { moves, next, goals: vec![0; roles], is_over });
        }
        Self { roles, nodes, collides: false, lanes: 8 }
    }

    fn at(&self, place: &Place) -> &Node {
        &self.nodes[place.node as usize]
    }
}

impl Game for Graph {
    type State = Place;
    type Workspace = ();

    fn role_count(&self) -> usize {
        self.roles
    }

    fn chance(&self) -> Option<RoleId> {
        None
    }

    fn workspace(&self) {}

    fn initial(&self) -> Place {
        Place { node: 0, collides: self.collides }
    }

    fn expand(&self, (): &mut (), state: &Place, out: &mut Expansion) -> Result<(), RuleFault> {
        let node = self.at(state);
        out.begin(node.is_over);
        for role in 0..self.roles {
            let count = node.moves.get(role).copied().unwrap_or(0);
            (0..count).for_each(|id| out.push(MoveId(id as u32)));
            out.end_role();
        }
        Ok(())
    }

    fn apply(&self, (): &mut (), state: &Place, joint: &[MoveId]) -> Result<Place, RuleFault> {
        let node = self.at(state);
        let index = joint.iter().zip(&node.moves).fold(0, |index, (id, count)| index * count + id.0 as usize);
        Ok(Place { node: node.next[index], ..*state })
    }

    fn goals(&self, (): &mut (), state: &Place, out: &mut Vec<GoalReading>) -> Result<(), RuleFault> {
        out.clear();
        out.extend(self.at(state).goals.iter().map(|&goal| GoalReading::One(Goal(goal))));
        Ok(())
    }
}

impl Simulator for Graph {
    fn lanes(&self) -> usize {
        self.lanes
    }

    fn supports(&self, _: &PlayOptions<'_>) -> bool {
        false
    }

    fn step_cost(&self) -> f64 {
        1.0
    }

    fn state_bytes(&self) -> usize {
        0
    }

    fn list_facts(&self, _: &Place, out: &mut Vec<FactId>) {
        out.clear();
    }

    fn fact_text(&self, _: FactId) -> String {
        String::new()
    }

    fn goal_degree(&self, _: &Place, _: RoleId) -> Option<f64> {
        None
    }
}

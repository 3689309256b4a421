//! The whole of a small game, by information sets.
//!
//! A position in which several roles decide becomes several nodes, one after the other: who comes later does
//! not see what the earlier ones chose, as views change at the end of the step only. Moves of a role that has
//! one move only are no nodes. The tree grows position by position, so that it can be left and gone on with.

use game::{Describe, Expansion, Game, GoalReading, MoveId, RoleId, RuleFault};
use rustc_hash::FxHashMap;

use crate::view::{View, Views, advance_views};

/// A node, by its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NodeId(pub(crate) u32);

/// An information set, by its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct SetId(pub(crate) u32);

/// What is at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Node {
    /// Not looked at yet.
    Open,
    /// The game is over; what the roles get, by its place.
    End(u32),
    /// Chance draws one of some children.
    Chance { first: u32, count: u32 },
    /// A role decides, in an information set.
    Decision { set: SetId, first: u32 },
}

/// Positions that look the same to a role that has to decide.
#[derive(Clone, Debug)]
pub struct InformationSet {
    /// Who decides.
    pub role: RoleId,
    /// What it knows.
    pub view: View,
    /// What it may do.
    pub moves: Vec<MoveId>,
    /// After how many steps.
    pub depth: u32,
    /// Where its moves begin in the tables of all moves.
    pub(crate) first: usize,
}

/// How far a tree has grown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Growth {
    /// There is more to look at.
    Open,
    /// All is there.
    Complete,
    /// It has more nodes than it may have.
    TooLarge,
}

/// A position that is to be looked at. Where nobody has a choice the next one takes its node.
struct Pending<State> {
    node: NodeId,
    state: State,
    views: Vec<View>,
    depth: u32,
}

/// A game by information sets.
pub struct GameTree<G: Game> {
    pub(crate) nodes: Vec<Node>,
    /// The children of all nodes, one node's beside each other.
    pub(crate) children: Vec<NodeId>,
    /// What the roles get at ends, 0 to 1, role by role for end after end.
    pub(crate) ends: Vec<f64>,
    pub(crate) sets: Vec<InformationSet>,
    by_view: FxHashMap<(RoleId, View), SetId>,
    views: Views,
    first_views: Vec<View>,
    pub(crate) roles: usize,
    pub(crate) chance: Option<RoleId>,
    /// The number of moves in all information sets.
    pub(crate) move_count: usize,
    most_nodes: usize,
    pending: Vec<Pending<G::State>>,
}

impl<G: Game> std::fmt::Debug for GameTree<G> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("GameTree")
            .field("nodes", &self.nodes.len())
            .field("sets", &self.sets.len())
            .field("pending", &self.pending.len())
            .finish_non_exhaustive()
    }
}

impl<G: Describe> GameTree<G> {
    /// The tree of a game, of its first position only. It will have no more nodes than given.
    pub fn new(game: &G, most_nodes: usize) -> Self {
        let mut views = Views::default();
        let first_views = views.begin(game.role_count());
        Self::sharing(game, most_nodes, views, first_views)
    }

    /// The same with views that somebody else has numbered.
    pub fn sharing(game: &G, most_nodes: usize, views: Views, first_views: Vec<View>) -> Self {
        Self::at(game, most_nodes, views, first_views, game.initial())
    }

    /// What is left of a game from a position on that everybody knows.
    pub fn at(game: &G, most_nodes: usize, views: Views, first_views: Vec<View>, state: G::State) -> Self {
        let root = Pending { node: NodeId(0), state, views: first_views.clone(), depth: 0 };
        Self {
            nodes: vec![Node::Open],
            children: Vec::new(),
            ends: Vec::new(),
            sets: Vec::new(),
            by_view: FxHashMap::default(),
            views,
            first_views,
            roles: game.role_count(),
            chance: game.chance(),
            move_count: 0,
            most_nodes,
            pending: vec![root],
        }
    }

    /// Looks at so many positions more.
    pub fn grow(
        &mut self,
        game: &G,
        workspace: &mut G::Workspace,
        positions: usize,
    ) -> Result<Growth, RuleFault> {
        for _ in 0..positions {
            if self.nodes.len() > self.most_nodes {
                self.pending = Vec::new();
                return Ok(Growth::TooLarge);
            }
            let Some(next) = self.pending.pop() else { return Ok(Growth::Complete) };
            self.expand(game, workspace, next)?;
        }
        Ok(if self.pending.is_empty() { Growth::Complete } else { Growth::Open })
    }

    /// Looks at everything.
    pub fn grow_fully(&mut self, game: &G, workspace: &mut G::Workspace) -> Result<Growth, RuleFault> {
        loop {
            match self.grow(game, workspace, 1024)? {
                Growth::Open => {}
                growth => return Ok(growth),
            }
        }
    }

    fn expand(
        &mut self,
        game: &G,
        workspace: &mut G::Workspace,
        pending: Pending<G::State>,
    ) -> Result<(), RuleFault> {
        let Pending { node, state, views, depth } = pending;
        let mut expansion = Expansion::new();
        game.expand(workspace, &state, &mut expansion)?;
        if expansion.is_terminal() {
            let mut goals = Vec::new();
            game.goals(workspace, &state, &mut goals)?;
            self.nodes[node.0 as usize] = Node::End((self.ends.len() / self.roles) as u32);
            self.ends.extend(goals.iter().map(|goal: &GoalReading| f64::from(goal.value().0) / 100.0));
            return Ok(());
        }
        if let Some(role) = expansion.stuck_role() {
            return Err(RuleFault::NoLegalMove(role));
        }
        // Level by level: each role that has a choice doubles, triples .. the ways there are so far.
        let mut ways: Vec<(NodeId, Vec<MoveId>)> = vec![(node, Vec::new())];
        for (role, legal) in game.role_ids().zip(expansion.by_role()) {
            if let [only] = *legal {
                ways.iter_mut().for_each(|(_, joint)| joint.push(only));
                continue;
            }
            let set =
                if self.chance == Some(role) { None } else { Some(self.set(role, &views, legal, depth)) };
            if self.nodes.len() + ways.len() * legal.len() > self.most_nodes {
                // Beyond the limit: what is asked for next is told so.
                self.nodes.resize(self.most_nodes + 1, Node::Open);
                return Ok(());
            }
            let mut longer = Vec::with_capacity(ways.len() * legal.len());
            for (node, joint) in ways {
                let first = self.children.len() as u32;
                for &id in legal {
                    let child = NodeId(self.nodes.len() as u32);
                    self.nodes.push(Node::Open);
                    self.children.push(child);
                    let mut joint = joint.clone();
                    joint.push(id);
                    longer.push((child, joint));
                }
                self.nodes[node.0 as usize] = match set {
                    Some(set) => Node::Decision { set, first },
                    None => Node::Chance { first, count: legal.len() as u32 },
                };
            }
            ways = longer;
        }
        for (node, joint) in ways {
            let mut after = views.clone();
            advance_views(game, workspace, &state, &joint, &mut self.views, &mut after)?;
            let next = game.apply(workspace, &state, &joint)?;
            self.pending.push(Pending { node, state: next, views: after, depth: depth + 1 });
        }
        Ok(())
    }

    fn set(&mut self, role: RoleId, views: &[View], legal: &[MoveId], depth: u32) -> SetId {
        let view = views[usize::from(role.0)];
        let fresh = SetId(self.sets.len() as u32);
        let set = *self.by_view.entry((role, view)).or_insert(fresh);
        if set == fresh {
            self.sets.push(InformationSet {
                role,
                view,
                moves: legal.to_vec(),
                depth,
                first: self.move_count,
            });
            self.move_count += legal.len();
        }
        set
    }
}

impl<G: Game> GameTree<G> {
    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is nothing but a first node.
    pub fn is_empty(&self) -> bool {
        self.nodes.len() <= 1
    }

    /// The information sets.
    pub fn sets(&self) -> &[InformationSet] {
        &self.sets
    }

    /// The view of a role before anything has happened.
    pub fn first_view(&self, role: RoleId) -> View {
        self.first_views[usize::from(role.0)]
    }

    /// The view after a step, if the tree has it.
    pub fn view_after(&self, view: View, own: MoveId, told: &[game::PerceptId]) -> Option<View> {
        self.views.find(view, own, told)
    }

    /// The information set of a role with a view, if it has to decide there.
    pub(crate) fn set_of(&self, role: RoleId, view: View) -> Option<SetId> {
        self.by_view.get(&(role, view)).copied()
    }

    /// Whether there are two roles that get the same together at all ends: what one wins the other loses. Roles that
    /// decide nothing do not count.
    pub fn is_constant_sum(&self) -> bool {
        let deciders = self.deciders();
        let of = |end: &[f64]| deciders.iter().map(|role| end[usize::from(role.0)]).sum::<f64>();
        let mut sums = self.ends.chunks(self.roles.max(1)).map(of);
        let first = sums.next().unwrap_or_default();
        deciders.len() == 2 && sums.all(|sum| (sum - first).abs() < 1e-9)
    }

    /// The roles that decide anywhere.
    pub fn deciders(&self) -> Vec<RoleId> {
        let mut deciders: Vec<RoleId> = self.sets.iter().map(|set| set.role).collect();
        deciders.sort_unstable();
        deciders.dedup();
        deciders
    }

    pub(crate) fn node(&self, id: NodeId) -> Node {
        self.nodes[id.0 as usize]
    }

    pub(crate) fn children(&self, first: u32, count: usize) -> &[NodeId] {
        &self.children[first as usize..first as usize + count]
    }

    pub(crate) fn moves_of(&self, set: SetId) -> std::ops::Range<usize> {
        let set = &self.sets[set.0 as usize];
        set.first..set.first + set.moves.len()
    }

    pub(crate) fn end(&self, end: u32, role: RoleId) -> f64 {
        self.ends[end as usize * self.roles + usize::from(role.0)]
    }
}

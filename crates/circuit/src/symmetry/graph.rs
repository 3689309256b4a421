//! Ground rules as a graph with colours: a node for every atom and for every rule. Whatever maps the
//! graph onto itself, colours and kinds of links included, maps the rules onto themselves.

use std::hash::BuildHasher;

use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::Roles;
use super::unfold::unfold;
use crate::origin::{Origin, Reading};

/// How two nodes belong together. The colours of the nodes tell in which direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Link {
    /// A rule and its head.
    Head,
    /// A rule and an atom of its body.
    Body,
    /// A rule and an atom that its body denies.
    Denied,
    /// `(true fact)` and `(next fact)`.
    Next,
    /// `(does role move)` and `(legal role move)`.
    Does,
    /// A fact and the class of facts that are always equal to it.
    Equal,
    /// Two such classes that are always opposite.
    Opposite,
    /// A role and what it does, may do or gets, where roles may be exchanged.
    Role,
}

/// What a node is to begin with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    /// An atom that only serves others.
    #[default]
    Inner,
    /// A rule with so many links.
    Rule(u32),
    /// A fact of a colour; whether it is true next if that is known.
    Fact(u32, Option<bool>),
    /// A move that is done, of a role or of any that may be exchanged; whether it is always legal.
    Does(u16, bool),
    Legal(u16),
    Goal(u16, u8),
    Terminal,
    /// A class of equal facts.
    Class,
    /// A role that may be exchanged for those of the same number.
    Role(u64),
}

/// The rules on which legal moves, goals and the end depend.
#[derive(Debug)]
pub(super) struct Graph {
    pub(super) kinds: Vec<Kind>,
    /// For each node where its links end.
    ends: Vec<u32>,
    links: Vec<(u32, Link)>,
    /// The nodes of facts, each with its number among the facts of the rules.
    pub(super) facts: Vec<(u32, u32)>,
    /// The nodes of moves that are read, each with its number among the moves of the rules.
    pub(super) moves: Vec<(u32, u32)>,
    /// The nodes of legality, each with the number of the move.
    pub(super) legal: Vec<(u32, u32)>,
    /// The nodes of goals, each with its role.
    goals: Vec<(u32, u16)>,
    /// The node of each role, if roles may be exchanged.
    pub(super) roles: Vec<u32>,
}

impl Graph {
    /// The graph of a circuit's rules. `colours` has a number for every fact of the circuit: only
    /// facts with the same number may be mapped onto each other.
    pub(super) fn new(origin: &Origin, colours: &[u32], roles: Roles, chance: Option<usize>) -> Self {
        let (values, rules) = simplified(origin);
        let recorded = &origin.rules;
        let moves = recorded.moves.iter().flat_map(|(does, legal)| [does.0, legal.0]);
        let facts = recorded.bases.iter().flat_map(|(fact, next)| [Some(fact.0), next.map(|next| next.0)]);
        let goals = recorded.goals.iter().map(|&(_, _, atom)| atom.0);
        let named = moves.chain(facts.flatten()).chain(goals).chain(recorded.terminal.map(|atom| atom.0));
        let named: FxHashSet<u32> = named.collect();
        let rules = unfold(rules, |atom| named.contains(&atom));
        let mut making = Making::new(origin, &values, rules);
        let legal = recorded.moves.iter().zip(&origin.moves).filter(|(_, place)| place.is_some());
        let goals = recorded.goals.iter().map(|&(_, _, atom)| atom.0);
        let outputs = legal.map(|((_, legal), _)| legal.0).chain(goals);
        for atom in outputs.chain(recorded.terminal.map(|atom| atom.0)) {
            making.node(atom);
        }
        making.follow();
        let sides: Vec<u16> = match roles {
            Roles::Kept => (0..recorded.roles as u16).collect(),
            Roles::Exchanged => (0..recorded.roles).map(|role| u16::from(Some(role) == chance)).collect(),
        };
        let mut graph = making.finish(colours, &sides);
        if roles == Roles::Exchanged {
            graph.add_roles(origin, &values, &sides);
        }
        graph
    }

    /// Adds a node for each role. Roles may be exchanged only if what is the same in every state is: how many moves
    /// they have that nothing asks about, and what they always get.
    fn add_roles(&mut self, origin: &Origin, values: &[Option<bool>], sides: &[u16]) {
        let recorded = &origin.rules;
        let unasked = self.unasked(origin);
        let first = self.len() as u32;
        for (role, &side) in (0..).zip(sides) {
            let always = |&&(of, _, atom): &&(u16, u8, ground::AtomId)| {
                of == role && values[atom.0 as usize] == Some(true)
            };
            let mut always: Vec<u8> =
                recorded.goals.iter().filter(always).map(|&(_, value, _)| value).collect();
            always.sort_unstable();
            let known = (side, always, unasked[usize::from(role)].len());
            self.kinds.push(Kind::Role(FxBuildHasher.hash_one(known)));
            self.roles.push(first + u32::from(role));
        }
        let movers = self.moves.iter().chain(&self.legal);
        let movers = movers.map(|&(node, number)| (recorded.movers[number as usize], node));
        let goals = self.goals.iter().map(|&(node, role)| (role, node));
        let more: Vec<(u32, u32, Link)> =
            movers.chain(goals).map(|(role, node)| (first + u32::from(role), node, Link::Role)).collect();
        let known =
            (0..first).flat_map(|from| self.links(from).iter().map(move |&(to, link)| (from, to, link)));
        // A link that is there both ways already is told once.
        let all: Vec<(u32, u32, Link)> = known.filter(|(from, to, _)| from < to).chain(more).collect();
        (self.ends, self.links) = both_ways(self.len(), &all);
    }

    /// For each role the places of its moves that have no node: they are always legal, and nothing asks whether they are made.
    pub(super) fn unasked(&self, origin: &Origin) -> Vec<Vec<u32>> {
        let recorded = &origin.rules;
        let asked: FxHashSet<u32> = self.moves.iter().chain(&self.legal).map(|&(_, number)| number).collect();
        let mut unasked = vec![Vec::new(); recorded.roles];
        for ((number, place), &mover) in (0..).zip(&origin.moves).zip(&recorded.movers) {
            if let Some(place) = place.filter(|_| !asked.contains(&number)) {
                unasked[usize::from(mover)].push(place);
            }
        }
        unasked
    }

    pub(super) fn len(&self) -> usize {
        self.kinds.len()
    }

    /// The links of a node.
    pub(super) fn links(&self, node: u32) -> &[(u32, Link)] {
        let start = if node == 0 { 0 } else { self.ends[node as usize - 1] };
        &self.links[start as usize..self.ends[node as usize] as usize]
    }

    /// Whether a permutation of the nodes maps kinds to kinds and links to links.
    pub(super) fn is_symmetry(&self, image: &[u32]) -> bool {
        let mut mapped: Vec<(u32, Link)> = Vec::new();
        let mut taken = vec![false; self.len()];
        (0..self.len() as u32).all(|node| {
            let other = image[node as usize];
            mapped.clear();
            mapped.extend(self.links(node).iter().map(|&(to, link)| (image[to as usize], link)));
            mapped.sort_unstable();
            // Links are sorted, so that equal sets are equal lists.
            !std::mem::replace(&mut taken[other as usize], true)
                && self.kinds[node as usize] == self.kinds[other as usize]
                && mapped == self.links(other)
        })
    }
}

/// A rule with its body: atoms, each denied or not, sorted.
pub(super) type Rule = (u32, Vec<(u32, bool)>);

/// What is known of atoms once facts that never change and moves that are never legal are left out,
/// and the rules that are left, each once.
fn simplified(origin: &Origin) -> (Vec<Option<bool>>, Vec<Rule>) {
    let recorded = &origin.rules;
    let mut values: Vec<Option<bool>> = vec![Some(false); recorded.atoms];
    recorded.heads.iter().for_each(|head| values[head.0 as usize] = None);
    for (&(atom, _), reading) in recorded.bases.iter().zip(&origin.readings) {
        values[atom.0 as usize] = match reading {
            Reading::Constant(value) => Some(*value),
            Reading::Fact(..) => None,
        };
    }
    for (&(does, legal), place) in recorded.moves.iter().zip(&origin.moves) {
        values[does.0 as usize] = place.is_none().then_some(false);
        if place.is_none() {
            values[legal.0 as usize] = Some(false);
        }
    }
    loop {
        // Whether any rule of an atom may still hold.
        let mut open = vec![false; recorded.atoms];
        let mut changed = false;
        for (rule, head) in recorded.heads.iter().enumerate() {
            let holds = recorded.body(rule).iter().try_fold(true, |all, literal| {
                match values[literal.atom().0 as usize].map(|value| value != literal.is_negated()) {
                    Some(false) => None,
                    Some(true) => Some(all),
                    None => Some(false),
                }
            });
            open[head.0 as usize] |= holds.is_some();
            if holds == Some(true) && values[head.0 as usize].is_none() {
                values[head.0 as usize] = Some(true);
                changed = true;
            }
        }
        for head in &recorded.heads {
            if !open[head.0 as usize] && values[head.0 as usize].is_none() {
                values[head.0 as usize] = Some(false);
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    let mut known: FxHashSet<Rule> = FxHashSet::default();
    let mut rules = Vec::new();
    for (rule, head) in recorded.heads.iter().enumerate() {
        if values[head.0 as usize].is_some() {
            continue;
        }
        let value = |atom: u32| values[atom as usize];
        let literals = recorded.body(rule).iter().map(|literal| (literal.atom().0, literal.is_negated()));
        let mut body: Vec<(u32, bool)> =
            literals.clone().filter(|&(atom, _)| value(atom).is_none()).collect();
        body.sort_unstable();
        body.dedup();
        let dead = literals.clone().any(|(atom, denied)| value(atom) == Some(denied));
        let contradiction = body.windows(2).any(|pair| pair[0].0 == pair[1].0);
        if !dead && !contradiction && known.insert((head.0, body.clone())) {
            rules.push((head.0, body));
        }
    }
    (values, rules)
}

/// A graph in the making.
struct Making<'a> {
    origin: &'a Origin,
    values: &'a [Option<bool>],
    rules: Vec<Rule>,
    rules_of: FxHashMap<u32, Vec<u32>>,
    /// The facts and moves of atoms.
    fact_of: FxHashMap<u32, u32>,
    move_of: FxHashMap<u32, u32>,
    node_of: FxHashMap<u32, u32>,
    /// Atoms with nodes, in the order of their numbers.
    atoms: Vec<u32>,
    links: Vec<(u32, u32, Link)>,
}

impl<'a> Making<'a> {
    fn new(origin: &'a Origin, values: &'a [Option<bool>], rules: Vec<Rule>) -> Self {
        let mut rules_of: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for (number, (head, _)) in (0..).zip(&rules) {
            rules_of.entry(*head).or_default().push(number);
        }
        let recorded = &origin.rules;
        Self {
            fact_of: (0..).zip(&recorded.bases).map(|(number, (atom, _))| (atom.0, number)).collect(),
            move_of: (0..).zip(&recorded.moves).map(|(number, (does, _))| (does.0, number)).collect(),
            node_of: FxHashMap::default(),
            atoms: Vec::new(),
            links: Vec::new(),
            origin,
            values,
            rules,
            rules_of,
        }
    }

    /// The node of an atom; `None` if its value is known.
    fn node(&mut self, atom: u32) -> Option<u32> {
        if self.values[atom as usize].is_some() {
            return None;
        }
        let atoms = &mut self.atoms;
        Some(*self.node_of.entry(atom).or_insert_with(|| {
            atoms.push(atom);
            atoms.len() as u32 - 1
        }))
    }

    /// Follows everything that atoms with nodes depend on. Links of rules name atoms by their nodes
    /// and rules by their numbers.
    fn follow(&mut self) {
        let recorded = std::sync::Arc::clone(&self.origin.rules);
        let mut done = 0;
        while let Some(&atom) = self.atoms.get(done) {
            let node = done as u32;
            done += 1;
            if let Some(&fact) = self.fact_of.get(&atom) {
                if let Some(next) = recorded.bases[fact as usize].1
                    && let Some(next) = self.node(next.0)
                {
                    self.links.push((node, next, Link::Next));
                }
            } else if let Some(&number) = self.move_of.get(&atom) {
                if let Some(legal) = self.node(recorded.moves[number as usize].1.0) {
                    self.links.push((node, legal, Link::Does));
                }
            } else {
                for rule in self.rules_of.get(&atom).cloned().unwrap_or_default() {
                    let body = std::mem::take(&mut self.rules[rule as usize].1);
                    for &(atom, _) in &body {
                        self.node(atom);
                    }
                    self.rules[rule as usize].1 = body;
                }
            }
        }
    }

    /// The graph, in which roles of the same side may be exchanged.
    fn finish(mut self, colours: &[u32], sides: &[u16]) -> Graph {
        let recorded = &self.origin.rules;
        let mut kinds = vec![Kind::Inner; self.atoms.len()];
        let (mut facts, mut moves, mut legal) = (Vec::new(), Vec::new(), Vec::new());
        let mut classes: FxHashMap<(u32, bool), Vec<u32>> = FxHashMap::default();
        for (number, &(atom, next)) in (0..).zip(&recorded.bases) {
            if let Some(&node) = self.node_of.get(&atom.0)
                && let Reading::Fact(fact, inverted) = self.origin.readings[number as usize]
            {
                let next = next.map_or(Some(false), |next| self.values[next.0 as usize]);
                kinds[node as usize] = Kind::Fact(colours[fact as usize], next);
                facts.push((node, number));
                classes.entry((fact, inverted)).or_default().push(node);
            }
        }
        for (number, (does, permitted)) in (0..).zip(&recorded.moves) {
            let mover = sides[usize::from(recorded.movers[number as usize])];
            if let Some(&node) = self.node_of.get(&does.0) {
                kinds[node as usize] = Kind::Does(mover, self.values[permitted.0 as usize] == Some(true));
                moves.push((node, number));
            }
            if let Some(&node) = self.node_of.get(&permitted.0) {
                kinds[node as usize] = Kind::Legal(mover);
                legal.push((node, number));
            }
        }
        let mut goals = Vec::new();
        for &(role, value, atom) in &recorded.goals {
            if let Some(&node) = self.node_of.get(&atom.0) {
                kinds[node as usize] = Kind::Goal(sides[usize::from(role)], value);
                goals.push((node, role));
            }
        }
        if let Some(&node) = recorded.terminal.and_then(|atom| self.node_of.get(&atom.0)) {
            kinds[node as usize] = Kind::Terminal;
        }
        for (head, body) in &self.rules {
            let Some(&head) = self.node_of.get(head) else { continue };
            let rule = kinds.len() as u32;
            kinds.push(Kind::Rule(body.len() as u32));
            self.links.push((rule, head, Link::Head));
            for (atom, denied) in body {
                let link = if *denied { Link::Denied } else { Link::Body };
                self.links.push((rule, self.node_of[atom], link));
            }
        }
        let mut class_nodes: FxHashMap<(u32, bool), u32> = FxHashMap::default();
        for (&(fact, inverted), members) in &classes {
            let opposite = classes.contains_key(&(fact, !inverted));
            if members.len() > 1 || opposite {
                let class = kinds.len() as u32;
                kinds.push(Kind::Class);
                self.links.extend(members.iter().map(|&member| (class, member, Link::Equal)));
                if let Some(&other) = class_nodes.get(&(fact, !inverted)) {
                    self.links.push((class, other, Link::Opposite));
                }
                class_nodes.insert((fact, inverted), class);
            }
        }
        let (ends, links) = both_ways(kinds.len(), &self.links);
        Graph { kinds, ends, links, facts, moves, legal, goals, roles: Vec::new() }
    }
}

/// The links of every node, sorted.
fn both_ways(nodes: usize, links: &[(u32, u32, Link)]) -> (Vec<u32>, Vec<(u32, Link)>) {
    let directed = links.iter().flat_map(|&(from, to, link)| [(from, to, link), (to, from, link)]);
    let mut all: Vec<(u32, u32, Link)> = directed.collect();
    all.sort_unstable();
    let mut ends = vec![0; nodes];
    all.iter().for_each(|&(from, ..)| ends[from as usize] += 1);
    let mut end = 0;
    for count in &mut ends {
        end += *count;
        *count = end;
    }
    (ends, all.into_iter().map(|(_, to, link)| (to, link)).collect())
}

//! Which node an element belongs to, and how many elements there may be.

use gdl::normal::{NormalLiteral, NormalSentence, NormalTerm};
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::chain::Chain;
use super::link::Link;
use super::{Index, Key, domain, exchange, key, replace};

/// With more elements than this nothing is tried.
pub(super) const MOST_ELEMENTS: usize = 400;

/// Which of its two nodes a link's element belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Entered,
}

/// How an element tells its node.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Identity {
    /// It is written with the node's arguments, which are numbered here by their places.
    Written(NormalTerm),
    /// It stands in a column of facts that have it only once, with the node's arguments, by their places, in others.
    Listed(Key, usize, Vec<(usize, usize)>),
}

/// All elements of a chain.
#[derive(Debug)]
pub(super) struct Elements {
    pub(super) terms: Vec<NormalTerm>,
    relation: Key,
    side: Side,
    identity: Identity,
}

impl Elements {
    /// The elements of a chain, if it is certain which nodes they belong to. There must be some.
    pub(super) fn of(index: &Index<'_>, chain: &Chain<'_>) -> Option<Self> {
        let links: Vec<&Link<'_>> = chain.links.iter().filter(|link| link.element.is_some()).collect();
        [Side::Left, Side::Entered].into_iter().find_map(|side| {
            let nodes: Option<Vec<&NormalSentence>> =
                links.iter().map(|link| if side == Side::Left { Some(link.from) } else { link.to }).collect();
            let nodes = nodes?;
            let relation = key(nodes.first()?);
            if nodes.iter().any(|node| key(node) != relation) {
                return None;
            }
            let mut all = links.iter().zip(&nodes).map(|(link, node)| identities(index, chain, link, node));
            let mut common = all.next()?;
            all.for_each(|other| common.retain(|identity| other.contains(identity)));
            let identity = common.into_iter().next()?;
            Some(Elements { terms: terms(index, chain, &links)?, relation, side, identity })
        })
    }

    /// The element of a node where a chain starts, if its trail may have it already.
    pub(super) fn at_start(&self, chain: &Chain<'_>, start: &NormalSentence) -> Option<NormalTerm> {
        match &self.identity {
            Identity::Written(term) if self.side == Side::Entered && key(start) == self.relation => {
                let node = chain.trails.node(start);
                Some(replace(term, &|place| node[place as usize].clone()))
            }
            _ => None,
        }
    }
}

/// All ways in which the element of a link tells the node.
fn identities(index: &Index<'_>, chain: &Chain<'_>, link: &Link<'_>, node: &NormalSentence) -> Vec<Identity> {
    let Some(element) = &link.element else { return Vec::new() };
    let arguments = chain.trails.node(node);
    // Arguments that no link changes need not be told. The others must be plain variables.
    let changing: Vec<usize> = (0..arguments.len()).filter(|&place| !chain.is_fixed(place)).collect();
    let variable = |place: usize| match arguments[place] {
        NormalTerm::Variable(variable) => Some(*variable),
        _ => None,
    };
    if changing.iter().any(|&place| variable(place).is_none()) {
        return Vec::new();
    }
    let mut found = Vec::new();
    found.extend(written(element, &changing, &variable, arguments.len()));
    let NormalTerm::Variable(_) = element else { return found };
    for literal in link.kept(&chain.trails) {
        let NormalLiteral::Holds(sentence) = literal else { continue };
        let Some(column) = sentence.arguments.iter().position(|term| term == element) else { continue };
        let other = |&place: &usize| {
            let column = sentence.arguments.iter().position(|term| term == arguments[place])?;
            Some((place, column))
        };
        let Some(places) = changing.iter().map(other).collect::<Option<Vec<(usize, usize)>>>() else {
            continue;
        };
        if tells(index, key(sentence), column, &places) {
            found.push(Identity::Listed(key(sentence), column, places));
        }
    }
    found
}

fn written(
    element: &NormalTerm,
    changing: &[usize],
    variable: &impl Fn(usize) -> Option<u32>,
    count: usize,
) -> Option<Identity> {
    let mut inside = FxHashSet::default();
    element.variables(&mut |variable| {
        inside.insert(variable);
    });
    let mut places: FxHashMap<u32, usize> = FxHashMap::default();
    for place in (0..count).rev() {
        if let Some(variable) = variable(place) {
            places.insert(variable, place);
        }
    }
    let told =
        changing.iter().all(|&place| variable(place).is_some_and(|variable| inside.contains(&variable)));
    if !told || !inside.iter().all(|variable| places.contains_key(variable)) {
        return None;
    }
    Some(Identity::Written(replace(element, &|variable| NormalTerm::Variable(places[&variable] as u32))))
}

/// Whether each term in a column of facts has but one row of terms in the other columns.
fn tells(index: &Index<'_>, relation: Key, column: usize, places: &[(usize, usize)]) -> bool {
    let Some(facts) = index.facts(relation) else { return false };
    let mut known: FxHashMap<&NormalTerm, Vec<&NormalTerm>> = FxHashMap::default();
    facts.into_iter().all(|fact| {
        let row: Vec<&NormalTerm> = places.iter().map(|&(_, column)| &fact.arguments[column]).collect();
        known.entry(&fact.arguments[column]).or_insert_with(|| row.clone()) == &row
    })
}

/// All terms that the elements of links may be.
fn terms(index: &Index<'_>, chain: &Chain<'_>, links: &[&Link<'_>]) -> Option<Vec<NormalTerm>> {
    let mut all: IndexSet<NormalTerm, FxBuildHasher> = IndexSet::default();
    for link in links {
        let element = link.element.as_ref()?;
        let mut variables = Vec::new();
        element.variables(&mut |variable| {
            if !variables.contains(&variable) {
                variables.push(variable);
            }
        });
        let mut open = vec![element.clone()];
        for variable in variables {
            let values = domain::values(index, link.kept(&chain.trails), variable, &chain.trails)?;
            if open.len().checked_mul(values.len())? > MOST_ELEMENTS {
                return None;
            }
            let old = NormalTerm::Variable(variable);
            let put = |term: &NormalTerm| {
                values.iter().map(|value| exchange(term, &old, value)).collect::<Vec<_>>()
            };
            open = open.iter().flat_map(put).collect();
        }
        all.extend(open);
    }
    (all.len() <= MOST_ELEMENTS).then(|| all.into_iter().collect())
}

/// A bound on how often links of a chain change the trail: every time they leave another node.
pub(super) fn most_nodes(index: &Index<'_>, chain: &Chain<'_>) -> Option<usize> {
    let mut unions: FxHashMap<Key, Vec<FxHashSet<NormalTerm>>> = FxHashMap::default();
    for link in chain.links.iter().filter(|link| link.operation.changes()) {
        let node = chain.trails.node(link.from);
        let union = unions.entry(key(link.from)).or_default();
        union.resize_with(node.len(), FxHashSet::default);
        for (place, &argument) in node.iter().enumerate().filter(|(place, _)| !chain.is_fixed(*place)) {
            match argument {
                NormalTerm::Variable(variable) => {
                    union[place].extend(domain::values(
                        index,
                        link.kept(&chain.trails),
                        *variable,
                        &chain.trails,
                    )?);
                }
                NormalTerm::Constant(_) => {
                    union[place].insert(argument.clone());
                }
                NormalTerm::Function(..) => return None,
            }
        }
    }
    let count = unions.values().try_fold(0usize, |all, places| {
        // A place that is never changed has no terms of its own.
        let count = places.iter().try_fold(1usize, |count, place| count.checked_mul(place.len().max(1)))?;
        all.checked_add(count)
    })?;
    // In a single relation the last node is not left.
    Some(if chain.trails.0.len() == 1 { count.saturating_sub(1) } else { count })
}

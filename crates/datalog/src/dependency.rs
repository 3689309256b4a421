//! What depends on what: relations that depend on each other form a component.

use petgraph::graph::{DiGraph, NodeIndex};

use crate::{Literal, Program, RelationId};

/// A component, by its place in [`Dependencies::components`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ComponentId(pub u32);

/// Relations that depend on each other, or a single one.
#[derive(Clone, Debug)]
pub struct Component {
    /// The relations.
    pub relations: Vec<RelationId>,
    /// The rules whose heads are these relations, by their places in the program.
    pub rules: Vec<usize>,
    /// Whether a relation depends on itself.
    pub is_recursive: bool,
    /// Whether a relation depends on itself through a negation.
    pub negates_itself: bool,
    /// The input relations that it depends on, directly or not; sorted.
    pub inputs: Vec<RelationId>,
    /// The components that it uses directly.
    pub uses: Vec<ComponentId>,
}

/// The components of a program, each after all that it depends on.
#[derive(Clone, Debug)]
pub struct Dependencies {
    /// In order of evaluation.
    pub components: Vec<Component>,
    of_relation: Vec<ComponentId>,
}

impl Dependencies {
    /// Analyses a program.
    pub fn new(program: &Program) -> Self {
        let mut graph = DiGraph::<(), ()>::new();
        let nodes: Vec<NodeIndex> = program.relations.iter().map(|_| graph.add_node(())).collect();
        for rule in &program.rules {
            for literal in &rule.body {
                if let Literal::Holds(atom) | Literal::Fails(atom) = literal {
                    graph.update_edge(nodes[rule.head.relation.index()], nodes[atom.relation.index()], ());
                }
            }
        }
        // Tarjan's algorithm finishes a component after all that it leads to.
        let groups = petgraph::algo::tarjan_scc(&graph);
        let mut of_relation = vec![ComponentId(0); nodes.len()];
        let mut components: Vec<Component> = Vec::with_capacity(groups.len());
        for (index, group) in groups.iter().enumerate() {
            let mut relations: Vec<RelationId> =
                group.iter().map(|node| RelationId(node.index() as u32)).collect();
            relations.sort_unstable();
            for relation in &relations {
                of_relation[relation.index()] = ComponentId(index as u32);
            }
            components.push(Component {
                inputs: relations
                    .iter()
                    .copied()
                    .filter(|relation| program.relations[relation.index()].is_input)
                    .collect(),
                relations,
                rules: Vec::new(),
                is_recursive: false,
                negates_itself: false,
                uses: Vec::new(),
            });
        }
        for (index, rule) in program.rules.iter().enumerate() {
            let own = of_relation[rule.head.relation.index()];
            let component = &mut components[own.0 as usize];
            component.rules.push(index);
            for literal in &rule.body {
                let (Literal::Holds(atom) | Literal::Fails(atom)) = literal else { continue };
                let used = of_relation[atom.relation.index()];
                if used == own {
                    component.is_recursive = true;
                    component.negates_itself |= matches!(literal, Literal::Fails(_));
                } else if !component.uses.contains(&used) {
                    component.uses.push(used);
                }
            }
        }
        for index in 0..components.len() {
            let mut inputs = components[index].inputs.clone();
            for used in &components[index].uses {
                inputs.extend_from_slice(&components[used.0 as usize].inputs);
            }
            inputs.sort_unstable();
            inputs.dedup();
            components[index].inputs = inputs;
        }
        Self { components, of_relation }
    }

    /// The component of a relation.
    pub fn component_of(&self, relation: RelationId) -> ComponentId {
        self.of_relation[relation.index()]
    }

    /// A component.
    pub fn get(&self, id: ComponentId) -> &Component {
        &self.components[id.0 as usize]
    }

    /// All components that must be evaluated to know some relations, in order of evaluation.
    pub fn needed_for(&self, relations: &[RelationId]) -> Vec<ComponentId> {
        let mut needed = vec![false; self.components.len()];
        for &relation in relations {
            needed[self.component_of(relation).0 as usize] = true;
        }
        for index in (0..self.components.len()).rev() {
            if needed[index] {
                for used in &self.components[index].uses {
                    needed[used.0 as usize] = true;
                }
            }
        }
        (0..self.components.len() as u32).map(ComponentId).filter(|id| needed[id.0 as usize]).collect()
    }
}
